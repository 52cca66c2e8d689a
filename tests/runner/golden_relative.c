/* Biases by the distance of key and query: ALiBi, T5 and clipped relative positions. */
#include "golden_heads.h"

#include "core/relative.h"

#include <string.h>

/* heads is a list of head counts; an output for each. */
static bool run_alibi_slopes(Golden *golden, Err *err) {
    const json_t *list = json_object_get(golden->params, "heads"), *entry;
    if (!json_is_array(list)) return golden_break(golden, "no list in parameter", "heads");
    size_t n;
    json_array_foreach(list, n, entry) {
        int H = json_is_integer(entry) ? (int)json_integer_value(entry) : 0;
        if (!alibi_check(H, err)) return false;
        float *slopes = ARENA_ARRAY(golden->arena, float, H);
        alibi_slopes(slopes, H);
        golden_give(golden, arena_printf(golden->arena, "slopes_%d", H), slopes, 1, &H);
    }
    return true;
}

/* bias[H,T,S] of every head. */
static float *alibi_biases(Golden *golden, int H, RelativeMap map, AlibiForm form) {
    float *slopes = ARENA_ARRAY(golden->arena, float, H);
    float *bias = ARENA_ARRAY(golden->arena, float, H *map.T *map.S);
    alibi_slopes(slopes, H);
    for (int h = 0; h < H; h++) alibi_bias(bias + h * map.T * map.S, slopes[h], map, form);
    return bias;
}

/* A map as large as an output [..,T,S] of the case, which has no parameters for it. */
static bool read_map(Golden *golden, const char *output, RelativeMap *map) {
    GoldenArray want;
    if (!golden_reference(golden, output, &want)) return false;
    *map = (RelativeMap){golden_last(&want, 1), golden_last(&want, 0),
                         golden_whole(golden, "q_offset", 0)};
    return true;
}

static bool run_alibi_bias(Golden *golden, Err *err) {
    RelativeMap map;
    int H = golden_whole(golden, "heads", 0);
    if (!alibi_check(H, err) || !read_map(golden, "bias_symmetric", &map)) return false;
    const int shape[] = {H, map.T, map.S};
    golden_give(golden, "bias_symmetric", alibi_biases(golden, H, map, ALIBI_SYMMETRIC), 3, shape);
    golden_give(golden, "bias_signed", alibi_biases(golden, H, map, ALIBI_SIGNED), 3, shape);
    return true;
}

/* With a cache, query i stands at position q_offset + i, and may see the keys up to there. */
static void mask_from(Golden *golden, Heads *heads, RelativeMap map) {
    uint8_t *cells = ARENA_ARRAY(golden->arena, uint8_t, map.T * map.S);
    for (int n = 0; n < map.T * map.S; n++)
        cells[n] = relative_position(map, n / map.S, n % map.S) <= 0;
    heads->mask.any = heads->mask.cells = true;
    heads->mask.attn_mask =
        (GoldenArray){.rank = 2, .shape = {map.T, map.S}, .count = map.T * map.S, .bytes = cells};
}

static bool run_sdpa_alibi(Golden *golden, Err *err) {
    (void)err;
    Heads heads;
    if (!heads_read(golden, &heads)) return false;
    RelativeMap map = {heads.shape.T, heads.shape.S, golden_whole(golden, "q_offset", 0)};
    bool causal = golden_switch(golden, "causal", false);
    heads.has_bias = true;
    heads.bias = (GoldenArray){.rank = 3, .shape = {heads.H, map.T, map.S}};
    heads.bias.floats = alibi_biases(golden, heads.H, map, ALIBI_SYMMETRIC);
    if (causal) mask_from(golden, &heads, map);
    heads_run(golden, &heads);
    heads_give(golden, &heads, "weights", heads.weights, map.S);
    heads_give(golden, &heads, "output", heads.output, heads.shape.Kv);
    heads_give(golden, &heads, "weights_without_causal_mask", heads.weights, map.S);
    return true;
}

static bool run_t5(Golden *golden, Err *err) {
    GoldenArray rel, table;
    T5Buckets rule = {.bidirectional = golden_switch(golden, "bidirectional", true),
                      .buckets = golden_whole(golden, "num_buckets", 32),
                      .max_distance = golden_whole(golden, "max_distance", 128)};
    if (!t5_check(rule, err) || !golden_input(golden, "rel", -1, &rel)) return false;
    if (!rel.ints) return golden_break(golden, "not whole numbers:", "rel");
    int32_t *bucket = ARENA_ARRAY(golden->arena, int32_t, rel.count);
    for (int n = 0; n < rel.count; n++) bucket[n] = t5_bucket(rule, rel.ints[n]);
    golden_give_ints(golden, "bucket", bucket, rel.rank, rel.shape);
    if (!golden_has(golden, "table")) return true;
    if (!golden_input(golden, "table", 2, &table)) return false;
    if (rel.rank != 2 || table.shape[0] != rule.buckets)
        return golden_break(golden, "shapes do not fit each other:", "rel, table");
    int H = table.shape[1];
    RelativeMap map = {rel.shape[0], rel.shape[1], golden_whole(golden, "q_offset", 0)};
    float *bias = ARENA_ARRAY(golden->arena, float, H *rel.count);
    for (int h = 0; h < H; h++) t5_bias(bias + h * rel.count, table.floats, H, h, rule, map);
    golden_give(golden, "bias", bias, 3, (int[]){H, map.T, map.S});
    return true;
}

/* Attention whose keys and values have relative parts. */
static bool give_shaw_attention(Golden *golden, int max_distance, int q_offset) {
    Heads heads;
    GoldenArray rel_k, rel_v;
    if (!heads_read(golden, &heads) || !golden_input(golden, "rel_k", 2, &rel_k) ||
        !golden_input(golden, "rel_v", 2, &rel_v))
        return false;
    AttentionShape shape = heads.shape;
    RelativeMap map = {shape.T, shape.S, q_offset};
    int rows = 2 * max_distance + 1, planes = heads.B * heads.H, cells = shape.T * shape.S;
    if (rel_k.shape[0] != rows || rel_k.shape[1] != shape.K || rel_v.shape[0] != rows ||
        rel_v.shape[1] != shape.Kv)
        return golden_break(golden, "shapes do not fit each other:", "rel_k, rel_v");
    heads.has_bias = true;
    heads.bias = (GoldenArray){.rank = 4, .shape = {heads.B, heads.H, shape.T, shape.S}};
    heads.bias.floats = ARENA_ARRAY(golden->arena, float, planes *cells);
    for (int n = 0; n < planes; n++)
        shaw_key_bias(heads.bias.floats + n * cells, heads.q.floats + n * shape.T * shape.K,
                      rel_k.floats, shape.K, heads.rule.scale, max_distance, map);
    heads_run(golden, &heads);
    for (int n = 0; n < planes; n++)
        shaw_value_add(heads.output + n * shape.T * shape.Kv, heads.weights + n * cells,
                       rel_v.floats, shape.Kv, max_distance, map);
    heads_give(golden, &heads, "weights", heads.weights, shape.S);
    heads_give(golden, &heads, "output", heads.output, shape.Kv);
    return true;
}

static bool run_shaw(Golden *golden, Err *err) {
    GoldenArray table;
    RelativeMap map;
    int max_distance = golden_whole(golden, "max_distance", 0);
    if (!shaw_check(max_distance, err)) return false;
    if (!read_map(golden, "index", &map) || !golden_input(golden, "score_table", 2, &table))
        return false;
    if (table.shape[0] != 2 * max_distance + 1)
        return golden_break(golden, "not a row for each distance:", "score_table");
    int H = table.shape[1], cells = map.T * map.S;
    int32_t *index = ARENA_ARRAY(golden->arena, int32_t, cells);
    float *bias = ARENA_ARRAY(golden->arena, float, H *cells);
    for (int n = 0; n < cells; n++)
        index[n] = shaw_index(relative_position(map, n / map.S, n % map.S), max_distance);
    for (int h = 0; h < H; h++) shaw_bias(bias + h * cells, table.floats, H, h, max_distance, map);
    golden_give_ints(golden, "index", index, 2, (int[]){map.T, map.S});
    golden_give(golden, "score_bias", bias, 3, (int[]){H, map.T, map.S});
    return !golden_has(golden, "q") || give_shaw_attention(golden, max_distance, map.first);
}

const GoldenFunction golden_relative[] = {
    {"alibi_slopes", run_alibi_slopes}, {"alibi_bias", run_alibi_bias},
    {"sdpa_alibi", run_sdpa_alibi},     {"t5_relative_position_bucket", run_t5},
    {"shaw_relative", run_shaw},        {NULL, NULL}};
