/* Loads once, then lends. */
#include "scene/stage.h"

#include "base/file.h"
#include "draw/color.h"
#include "draw/heatmap.h"
#include "scene/blockmodel.h"
#include "scene/number_files.h"

#include <string.h>

const KnobChoice stage_masks[] = {{"none", "none"}, {"causal", "causal"}, {NULL, NULL}};

const KnobChoice stage_palettes[] = {
    [PALETTE_AUTO] = {"auto", "by theme"},
    [PALETTE_INK] = {"ink", "ink"},
    [PALETTE_EMBER] = {"ember", "ember"},
    [PALETTE_CIVIDIS] = {"cividis", "cividis"},
    [PALETTE_VIRIDIS] = {"viridis", "viridis"},
    [PALETTE_MAGMA] = {"magma", "magma"},
    [PALETTE_GREYS] = {"greys", "greys"},
    [PALETTE_BALANCE] = {"balance", "balance"},
    [PALETTE_BALANCE_DARK] = {"balance-dark", "balance, dark"},
    [PALETTE_INK_PRINT] = {"ink-print", "ink, on paper"},
    [PALETTE_BALANCE_PRINT] = {"balance-print", "balance, on paper"},
    [PALETTE_COUNT] = {NULL, NULL},
};

const KnobChoice stage_ranges[] = {
    [RANGE_UNIT] = {"unit", "0 … 1, shared"},
    [RANGE_MAX] = {"max", "to the maximum"},
    [RANGE_LOG] = {"log", "logarithmic"},
    [RANGE_SKIP] = {"skip", "leave out a key"},
    {NULL, NULL},
};

const KnobChoice stage_values[] = {
    [VALUES_OFF] = {"off", "off"},
    [VALUES_AUTO] = {"auto", "when they fit"},
    [VALUES_ON] = {"on", "on"},
    {NULL, NULL},
};

const KnobChoice stage_pools[] = {
    [POOL_MAX] = {"max", "largest"},
    [POOL_MEAN] = {"mean", "mean"},
    {NULL, NULL},
};

View stage_view(void) {
    return (View){.values = VALUES_AUTO, .zoom = 1, .row = -1, .column = -1};
}

bool stage_bpe(Stage *stage, const Bpe **bpe, Err *err) {
    if (!stage->bpe) {
        const char *folder = file_join(stage->arena, stage->assets, "bpe");
        if (!bpe_read(folder, stage->arena, &stage->bpe, err)) return false;
    }
    *bpe = stage->bpe;
    return true;
}

bool stage_embedding(Stage *stage, const DanTable **embedding, Err *err) {
    if (!stage->embedding.rows) {
        const Bpe *bpe = NULL;
        if (!stage_bpe(stage, &bpe, err)) return false;
        const char *path = file_join(stage->arena, stage->assets, "models/dan-384.safetensors");
        Arena mark = *stage->arena;
        if (!dan_table_open(path, bpe_vocabulary(bpe), stage->arena, &stage->embedding, err)) {
            *stage->arena = mark;
            return false;
        }
    }
    *embedding = &stage->embedding;
    return true;
}

bool stage_vectors(Stage *stage, const char *path, const WordVectors **vectors, Err *err) {
    if (!stage->vectors_path || strcmp(stage->vectors_path, path) != 0) {
        WordVectors read = {0};
        if (!wordvec_read(path, stage->arena, &read, err)) return false;
        stage->vectors = read;
        stage->vectors_path = arena_text(stage->arena, path);
    }
    *vectors = &stage->vectors;
    return true;
}

void stage_close(Stage *stage) {
    blockmodel_forget(stage);
    number_files_close(stage);
    dan_table_close(&stage->embedding);
}

void stage_rest(const Stage *stage) {
    file_rest(stage->embedding.file);
}
