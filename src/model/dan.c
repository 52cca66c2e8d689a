/* The averaging network: forward by the layers of core, and its file. The embedding stands first
 * in the file; a scene reads only that. */
#include "model/dan.h"

#include "base/text.h"
#include "core/layers.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

enum { TOKENS_MAX = 1 << 20 };

DanActs dan_acts(const Dan *dan, int B, int T, Arena *arena) {
    size_t rows = (size_t)B, wide = rows * (size_t)dan->D, narrow = rows * (size_t)dan->hidden;
    return (DanActs){.x = ARENA_ARRAY(arena, float, wide *(size_t)T),
                     .mean = ARENA_ARRAY(arena, float, wide),
                     .pre = ARENA_ARRAY(arena, float, narrow),
                     .act = ARENA_ARRAY(arena, float, narrow),
                     .logits = ARENA_ARRAY(arena, float, rows)};
}

void dan_forward(const Dan *dan, const int *ids, const uint8_t *mask, int B, int T, DanActs *acts) {
    embedding_forward(acts->x, dan->embedding, ids, B * T, dan->D);
    masked_mean_forward(acts->mean, acts->x, mask, B, T, dan->D);
    linear_forward(acts->pre, acts->mean, dan->w1, dan->b1, B, dan->D, dan->hidden);
    (dan->gelu ? gelu_forward : relu_forward)(acts->act, acts->pre, B * dan->hidden);
    linear_forward(acts->logits, acts->act, dan->w2, dan->b2, B, dan->hidden, 1);
}

float dan_logit(const Dan *dan, Arena scratch, const int *ids, int count) {
    int T = count < dan->tokens ? count : dan->tokens;
    uint8_t *mask = arena_alloc(&scratch, (size_t)T);
    memset(mask, 1, (size_t)T);
    DanActs acts = dan_acts(dan, 1, T, &scratch);
    dan_forward(dan, ids + (count - T), mask, 1, T, &acts);
    return acts.logits[0];
}

static const char *metadata(const SafeFile *file, const char *key) {
    for (int i = 0; i < file->metadata_count; i++)
        if (strcmp(file->metadata[2 * i], key) == 0) return file->metadata[2 * i + 1];
    return NULL;
}

/* The settings that no shape tells. */
static bool read_settings(const SafeFile *file, Dan *dan, Err *err) {
    const char *tokens = metadata(file, "tokens");
    if (!tokens || !text_to_int(tokens, &dan->tokens) || dan->tokens < 1 ||
        dan->tokens > TOKENS_MAX)
        return err_set(err, "metadata tokens is %s, where 1 to %d is allowed",
                       tokens ? tokens : "not there", TOKENS_MAX);
    const char *activation = metadata(file, "activation");
    dan->gelu = activation && strcmp(activation, "gelu") == 0;
    if (!activation || (!dan->gelu && strcmp(activation, "relu") != 0))
        return err_set(err, "metadata activation is %s, where relu or gelu is allowed",
                       activation ? activation : "not there");
    return true;
}

/* The embedding in the file; its width is whatever it is. */
static bool find_embedding(const SafeFile *file, int vocabulary, Arena scratch, DanTable *table,
                           Err *err) {
    const int64_t shape[2] = {vocabulary, -1};
    const SafeTensor *rows;
    if (!safetensors_fitting(file, "embedding.weight", 2, shape, scratch, &rows, err)) return false;
    if (rows->shape[1] < 1 || rows->shape[1] > INT_MAX / vocabulary)
        return err_set(err, "embedding.weight is %lld wide, which is not allowed",
                       (long long)rows->shape[1]);
    *table = (DanTable){.V = vocabulary, .D = (int)rows->shape[1], .rows = rows};
    return true;
}

static bool read_layers(const SafeFile *file, Arena *arena, Dan *dan, Err *err) {
    const SafeTensor *bias = safetensors_find(file, "hidden.bias");
    if (!bias || bias->rank != 1 || bias->shape[0] < 1 || bias->shape[0] > INT_MAX / dan->D)
        return err_set(err, "hidden.bias is not there or not a vector");
    dan->hidden = (int)bias->shape[0];
    const int64_t w1[2] = {dan->hidden, dan->D}, b1[1] = {dan->hidden};
    const int64_t w2[2] = {1, dan->hidden}, b2[1] = {1};
    return safetensors_want(file, "hidden.weight", 2, w1, arena, &dan->w1, err) &&
           safetensors_want(file, "hidden.bias", 1, b1, arena, &dan->b1, err) &&
           safetensors_want(file, "output.weight", 2, w2, arena, &dan->w2, err) &&
           safetensors_want(file, "output.bias", 1, b2, arena, &dan->b2, err);
}

static bool read_parts(const SafeFile *file, int vocabulary, Arena *arena, Dan *dan, Err *err) {
    DanTable table;
    if (!find_embedding(file, vocabulary, *arena, &table, err)) return false;
    dan->V = vocabulary;
    dan->D = table.D;
    dan->padding = vocabulary - 1;
    dan->embedding = safetensors_floats(table.rows, arena);
    return read_settings(file, dan, err) && read_layers(file, arena, dan, err);
}

/* The file itself is given back: only its floats stay. */
bool dan_read(const char *path, int vocabulary, Arena *arena, Dan *dan, Err *err) {
    Arena bytes = arena_beside(arena);
    Dan found = {0};
    SafeFile file;
    bool opened = safetensors_read(path, &bytes, &file, err);
    bool done = opened && read_parts(&file, vocabulary, arena, &found, err);
    arena_close(&bytes);
    if (done) *dan = found;
    return done || (opened ? err_at(err, "%s", path) : false);
}

bool dan_table_open(const char *path, int vocabulary, Arena *arena, DanTable *table, Err *err) {
    FileBytes bytes;
    SafeFile file;
    if (!file_map(path, &bytes, err)) return false;
    if (safetensors_parse(bytes.bytes, bytes.length, arena, &file, err) &&
        find_embedding(&file, vocabulary, *arena, table, err)) {
        table->file = bytes;
        return true;
    }
    file_unmap(&bytes);
    return err_at(err, "%s", path);
}

void dan_table_close(DanTable *table) {
    file_unmap(&table->file);
    table->rows = NULL;
}

void dan_table_row(const DanTable *table, int id, float *row) {
    assert(id >= 0 && id < table->V);
    safetensors_part(table->rows, (size_t)id * (size_t)table->D, (size_t)table->D, row);
}

bool dan_write(const Dan *dan, const char *path, bool half, const char *note, Arena scratch,
               Err *err) {
    SafeType type = half ? SAFE_F16 : SAFE_F32;
    const SafeOut tensors[] = {
        {.name = "embedding.weight",
         .type = type,
         .rank = 2,
         .shape = {dan->V, dan->D},
         .floats = dan->embedding},
        {.name = "hidden.weight",
         .type = type,
         .rank = 2,
         .shape = {dan->hidden, dan->D},
         .floats = dan->w1},
        {.name = "hidden.bias",
         .type = SAFE_F32,
         .rank = 1,
         .shape = {dan->hidden},
         .floats = dan->b1},
        {.name = "output.weight",
         .type = SAFE_F32,
         .rank = 2,
         .shape = {1, dan->hidden},
         .floats = dan->w2},
        {.name = "output.bias", .type = SAFE_F32, .rank = 1, .shape = {1}, .floats = dan->b2},
    };
    const char *pairs[] = {"tokens",      arena_printf(&scratch, "%d", dan->tokens),
                           "activation",  dan->gelu ? "gelu" : "relu",
                           "description", note ? note : ""};
    return safetensors_write(path, tensors, (int)(sizeof tensors / sizeof *tensors), pairs, 3, err);
}
