/* Maps lie where the run left them; nothing is copied. */
#include "scene/headmaps.h"

#include "core/stats.h"
#include "scene/typed.h"

#include <math.h>

enum { ROWS_MAX = 16384 };

static TableAxis axis(const char *name, int count, const Label *labels) {
    return (TableAxis){name, count, labels};
}

HeadMaps headmaps_run(Arena *arena, const BlockTrace *traces, int L, const Label *labels) {
    const float **weights = ARENA_ARRAY(arena, const float *, L);
    for (int l = 0; l < L; l++) weights[l] = traces[l].self.weights;
    int T = traces[0].T;
    return (HeadMaps){.L = L,
                      .H = traces[0].self.H,
                      .T = T,
                      .weights = weights,
                      .allowed = traces[0].self.allowed,
                      .traces = traces,
                      .queries = axis("query", T, labels),
                      .keys = axis("key", T, labels)};
}

static bool check_weights(const Grid *grid, Err *err) {
    for (int i = 0; i < grid->rows; i++)
        for (int j = 0; j < grid->columns; j++) {
            float value = grid->values[(size_t)i * (size_t)grid->columns + (size_t)j];
            if (!isfinite(value) || value < 0)
                return err_set(err,
                               "maps: row %d, column %d is %g; a weight is a number of 0 or more",
                               i + 1, j + 1, (double)value);
        }
    return true;
}

bool headmaps_typed(Arena *arena, const char *value, int H, HeadMaps *maps, Err *err) {
    Grid grid;
    if (!typed_grid("maps", value, ROWS_MAX, arena, &grid, err) || !check_weights(&grid, err))
        return false;
    int T = grid.columns, layer = H * T;
    if (grid.rows % layer)
        return err_set(err,
                       "maps: %d row%s of %d column%s; with %d head%s a layer has %d rows, so "
                       "wanted is a multiple of that",
                       grid.rows, grid.rows == 1 ? "" : "s", T, T == 1 ? "" : "s", H,
                       H == 1 ? "" : "s", layer);
    int L = grid.rows / layer;
    const float **weights = ARENA_ARRAY(arena, const float *, L);
    for (int l = 0; l < L; l++) weights[l] = grid.values + (size_t)(l * layer) * (size_t)T;
    const Label *labels = label_numbers(arena, 0, T);
    *maps = (HeadMaps){.L = L,
                       .H = H,
                       .T = T,
                       .weights = weights,
                       .queries = axis("query", T, labels),
                       .keys = axis("key", T, labels)};
    return true;
}

const float *headmaps_of(const HeadMaps *maps, int layer, int head) {
    size_t cells = (size_t)maps->T * (size_t)maps->T;
    return maps->weights[layer] + (size_t)head * cells;
}

/* ---- what is looked at ---- */

bool headmaps_check(const HeadMaps *maps, const HeadPick *pick, Err *err) {
    if (pick->layer >= maps->L)
        return err_set(err, "layer %d: there %s %d layer%s, counted from 0", pick->layer,
                       maps->L == 1 ? "is" : "are", maps->L, maps->L == 1 ? "" : "s");
    int head = pick->head >= maps->H ? pick->head : pick->minus;
    if (head >= maps->H)
        return err_set(err, "head %d: there %s %d head%s, counted from 0", head,
                       maps->H == 1 ? "is" : "are", maps->H, maps->H == 1 ? "" : "s");
    if (pick->reduce != REDUCE_NONE && pick->minus != HEADMAPS_NO_HEAD)
        return err_set(err, "reduce and minus are both given; take --reduce none or --minus none");
    return true;
}

bool headmaps_single(const HeadPick *pick) {
    return pick->reduce == REDUCE_NONE && pick->minus == HEADMAPS_NO_HEAD;
}

const char *headmaps_title(Arena *arena, const HeadMaps *maps, const HeadPick *pick) {
    const char *many = maps->H == 1 ? "" : "s";
    if (pick->reduce == REDUCE_MEAN) return arena_printf(arena, "mean of %d head%s", maps->H, many);
    if (pick->reduce == REDUCE_MAX)
        return arena_printf(arena, "maximum of %d head%s", maps->H, many);
    if (pick->minus != HEADMAPS_NO_HEAD)
        return arena_printf(arena, "head %d minus head %d", pick->head, pick->minus);
    return arena_printf(arena, "weights of head %d", pick->head);
}

static const float *picked(Arena *arena, const HeadMaps *maps, const HeadPick *pick) {
    if (headmaps_single(pick)) return headmaps_of(maps, pick->layer, pick->head);
    int T = maps->T;
    const float *weights = maps->weights[pick->layer];
    float *map = ARENA_ARRAY(arena, float, (size_t)T *(size_t)T);
    if (pick->minus != HEADMAPS_NO_HEAD)
        heads_difference(map, weights, T, T, pick->head, pick->minus);
    else
        heads_fuse(map, weights, maps->H, T, T, pick->reduce == REDUCE_MAX ? FUSE_MAX : FUSE_MEAN);
    return map;
}

Table headmaps_picked(Arena *arena, const HeadMaps *maps, const HeadPick *pick) {
    Table table = headmaps_table(arena, maps, picked(arena, maps, pick));
    table.title = headmaps_title(arena, maps, pick);
    if (pick->minus == HEADMAPS_NO_HEAD) return table;
    table.kind = TABLE_SIGNED;
    table.quantity = "difference";
    table.sums = false;
    return table;
}

/* ---- what a map says of itself ---- */

static RowStats row_stats(const HeadMaps *maps, const float *map, int i) {
    size_t at = (size_t)i * (size_t)maps->T;
    return stats_row(map + at, maps->allowed ? maps->allowed + at : NULL, i, maps->T);
}

/* Means over the rows of a map. */
typedef struct MapStats {
    double entropy, distance; /* nats, tokens */
} MapStats;

static MapStats map_stats(const HeadMaps *maps, const float *map) {
    MapStats means = {0, 0};
    for (int i = 0; i < maps->T; i++) {
        RowStats row = row_stats(maps, map, i);
        means.entropy += row.entropy_nats / maps->T;
        means.distance += row.mean_distance / maps->T;
    }
    return means;
}

const char *headmaps_name(Arena *arena, int layer, int head, bool with_layer) {
    if (with_layer) return arena_printf(arena, "layer %d, head %d", layer, head);
    return arena_printf(arena, "head %d", head);
}

GridMap *headmaps_grid(Arena *arena, const HeadMaps *maps, int first, int count) {
    GridMap *grid = ARENA_ARRAY(arena, GridMap, count);
    Table *tables = ARENA_ARRAY(arena, Table, count);
    for (int i = 0; i < count; i++) {
        int layer = first + i / maps->H, head = i % maps->H;
        const float *map = headmaps_of(maps, layer, head);
        MapStats means = map_stats(maps, map);
        tables[i] = headmaps_table(arena, maps, map);
        grid[i] = (GridMap){.table = &tables[i],
                            .title = headmaps_name(arena, layer, head, count > maps->H),
                            .lines = {arena_printf(arena, "entropy %.2f", means.entropy),
                                      arena_printf(arena, "distance %.2f", means.distance)}};
    }
    return grid;
}

const char *headmaps_note(Arena *arena, const HeadMaps *maps, const float *map) {
    MapStats means = map_stats(maps, map);
    return arena_printf(arena, "Entropy %.6f nats and distance %.4g tokens, means over the rows.",
                        means.entropy, means.distance);
}

const char *headmaps_mean_note(Arena *arena, const HeadMaps *maps, int layer, const float *mean) {
    double heads = 0;
    for (int h = 0; h < maps->H; h++)
        heads += map_stats(maps, headmaps_of(maps, layer, h)).entropy / maps->H;
    return arena_printf(arena,
                        "The mean is no head: its rows have an entropy of %.6f nats, those of the "
                        "heads %.6f on average.",
                        map_stats(maps, mean).entropy, heads);
}

Table headmaps_table(Arena *arena, const HeadMaps *maps, const float *map) {
    size_t cells = (size_t)maps->T * (size_t)maps->T;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    for (size_t i = 0; maps->allowed && i < cells; i++)
        if (!maps->allowed[i]) states[i] = CELL_BLOCKED;
    Table table = {.quantity = "weight",
                   .kind = TABLE_WEIGHTS,
                   .rows = maps->queries,
                   .columns = maps->keys,
                   .values = map,
                   .states = states,
                   .sums = true};
    table_seal(&table, states);
    return table;
}

Table headmaps_rows(Arena *arena, const HeadMaps *maps, bool distance, TableAxis rows,
                    const float *const *list) {
    float *values;
    uint8_t *states;
    Table table = table_new(arena, rows, maps->queries, &values, &states);
    for (int n = 0; n < rows.count * maps->T; n++) {
        RowStats row = row_stats(maps, list[n / maps->T], n % maps->T);
        values[n] = (float)(distance ? row.mean_distance : row.entropy_nats);
    }
    table_seal(&table, states);
    table.title = distance ? "mean distance of each row" : "entropy of each row";
    table.quantity = distance ? "tokens" : "nats";
    table.kind = TABLE_AMOUNTS;
    return table;
}

Table headmaps_agreement(Arena *arena, const HeadMaps *maps, int layer, HeadMeasure measure) {
    size_t cells = (size_t)maps->H * (size_t)maps->H;
    HeadAgreement agreement = {.cosine = ARENA_ARRAY(arena, float, cells),
                               .js_bits = ARENA_ARRAY(arena, float, cells),
                               .top1 = ARENA_ARRAY(arena, float, cells)};
    heads_agreement(&agreement, maps->weights[layer], maps->H, maps->T, maps->T);
    static const char *const titles[] = {"cosine of the rows of two heads",
                                         "Jensen-Shannon divergence of two heads",
                                         "rows in which two heads have the same largest key"};
    static const char *const quantities[] = {"cosine", "bits", "share"};
    const float *values[] = {agreement.cosine, agreement.js_bits, agreement.top1};
    const Label *labels = label_numbers(arena, 0, maps->H);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    Table table = {.title = titles[measure],
                   .quantity = quantities[measure],
                   .kind = TABLE_WEIGHTS,
                   .rows = axis("head", maps->H, labels),
                   .columns = axis("other head", maps->H, labels),
                   .values = values[measure],
                   .states = states};
    table_seal(&table, states);
    if (maps->H > 1)
        table_note(&table, arena_printf(arena, "Between different heads it is %.4f on average.",
                                        (double)agreement.mean_offdiag[measure]));
    return table;
}

Table headmaps_rollout(Arena *arena, const HeadMaps *maps, HeadFuse fuse, double alpha) {
    size_t cells = (size_t)maps->T * (size_t)maps->T;
    float *layers = ARENA_ARRAY(arena, float, cells *(size_t)maps->L);
    for (int l = 0; l < maps->L; l++)
        rollout_layer(layers + (size_t)l * cells, maps->weights[l], maps->H, maps->T, fuse, alpha);
    rollout_chain(*arena, layers, maps->L, maps->T);
    Table table = headmaps_table(arena, maps, layers + (size_t)(maps->L - 1) * cells);
    table.title = arena_printf(arena, "rollout over %d layer%s", maps->L, maps->L == 1 ? "" : "s");
    table.quantity = "share";
    table.columns.name = "input token";
    return table;
}
