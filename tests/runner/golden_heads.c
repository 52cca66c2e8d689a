/* Heads are read from the inputs of a case and run one by one. */
#include "golden_heads.h"

#include "core/tensor.h"

#include <string.h>

static bool read_qkv(Golden *golden, Heads *heads) {
    GoldenArray *q = &heads->q, *k = &heads->k, *v = &heads->v;
    if (!golden_input(golden, golden_word(golden, "q", "q"), -1, q) ||
        !golden_input(golden, golden_word(golden, "k", "k"), q->rank, k) ||
        !golden_input(golden, golden_word(golden, "v", "v"), q->rank, v))
        return false;
    heads->H = golden_last(q, 2);
    heads->B = golden_leading(q, 2) / (heads->H ? heads->H : 1);
    heads->shape = (AttentionShape){.T = golden_last(q, 1),
                                    .S = golden_last(k, 1),
                                    .K = golden_last(q, 0),
                                    .Kv = golden_last(v, 0)};
    int planes = golden_leading(q, 2);
    if (q->rank < 2 || golden_leading(k, 2) != planes || golden_leading(v, 2) != planes ||
        golden_last(k, 0) != heads->shape.K || golden_last(v, 1) != heads->shape.S)
        return golden_break(golden, "shapes do not fit each other:", "q, k, v");
    return true;
}

/* "1/sqrt(D)" or a number. */
static void read_scale(Golden *golden, Heads *heads) {
    const json_t *scale = json_object_get(golden->params, "scale");
    if (json_is_string(scale) && strcmp(json_string_value(scale), "1/sqrt(D)") != 0)
        golden_break(golden, "unknown scale", json_string_value(scale));
    if (json_is_number(scale)) heads->rule.scale = (float)json_number_value(scale);
}

bool heads_read(Golden *golden, Heads *heads) {
    *heads = (Heads){0};
    if (!read_qkv(golden, heads)) return false;
    int B = heads->B, H = heads->H, T = heads->shape.T, S = heads->shape.S;
    heads->rule = attention_plain(heads->shape.K);
    read_scale(golden, heads);
    heads->rule.temperature = (float)golden_number(golden, "temperature", 1);
    heads->has_bias = golden_has(golden, "attn_bias");
    if (heads->has_bias && (!golden_input(golden, "attn_bias", -1, &heads->bias) ||
                            !golden_fits(golden, "attn_bias", &heads->bias, B, H, T, S)))
        return false;
    return golden_mask_read(golden, B, H, T, S, &heads->mask);
}

bool heads_read_dropout(Golden *golden, Heads *heads, const char *p) {
    heads->p = (float)golden_number(golden, p, 0);
    if (!golden_has(golden, "keep"))
        return heads->p == 0 || golden_break(golden, "dropout without the tensor", "keep");
    if (!golden_input(golden, "keep", -1, &heads->keep)) return false;
    if (!heads->keep.bytes ||
        heads->keep.count != heads->B * heads->H * heads->shape.T * heads->shape.S)
        return golden_break(golden, "not BOOL [B,H,T,S]:", "keep");
    return true;
}

/* The rule of one head, its mask and bias in the arena. */
static AttentionRule head_rule(Golden *golden, const Heads *heads, int b, int h) {
    AttentionRule rule = heads->rule;
    int T = heads->shape.T, S = heads->shape.S;
    if (heads->mask.any) {
        uint8_t *allowed = ARENA_ARRAY(golden->arena, uint8_t, T * S);
        golden_mask_fill(&heads->mask, b, h, allowed);
        rule.allowed = allowed;
    }
    if (heads->has_bias) {
        float *bias = ARENA_ARRAY(golden->arena, float, T *S);
        for (int n = 0; n < T * S; n++)
            bias[n] = heads->bias.floats[golden_at(&heads->bias, b, h, n / S, n % S)];
        rule.bias = bias;
    }
    return rule;
}

static void drop_head(const Heads *heads, size_t cell, const float *v, float *output) {
    AttentionShape shape = heads->shape;
    float *dropped = heads->dropped + cell;
    attention_dropout(dropped, heads->weights + cell, heads->keep.bytes + cell, heads->p,
                      shape.T * shape.S);
    tensor_product(output, dropped, v, shape.T, shape.Kv, shape.S);
}

static void run_head(Golden *golden, Heads *heads, int b, int h) {
    Arena mark = *golden->arena;
    AttentionShape shape = heads->shape;
    int plane = b * heads->H + h, cells = shape.T * shape.S, size = shape.T * shape.Kv;
    const float *q = heads->q.floats + plane * shape.T * shape.K;
    const float *k = heads->k.floats + plane * shape.S * shape.K;
    const float *v = heads->v.floats + plane * shape.S * shape.Kv;
    float *output = heads->output + plane * size;
    AttentionTrace trace =
        attention_trace(golden->arena, shape, head_rule(golden, heads, b, h), q, k, v);
    memcpy(heads->weights + plane * cells, trace.weights, (size_t)cells * sizeof(float));
    memcpy(heads->softmax + plane * cells, trace.softmax, (size_t)cells * sizeof(float));
    memcpy(output, trace.output, (size_t)size * sizeof(float));
    if (heads->keep.bytes) drop_head(heads, (size_t)(plane * cells), v, output);
    *golden->arena = mark;
}

void heads_run(Golden *golden, Heads *heads) {
    int planes = heads->B * heads->H, cells = planes * heads->shape.T * heads->shape.S;
    heads->weights = ARENA_ARRAY(golden->arena, float, cells);
    heads->softmax = ARENA_ARRAY(golden->arena, float, cells);
    heads->dropped = ARENA_ARRAY(golden->arena, float, cells);
    heads->output = ARENA_ARRAY(golden->arena, float, planes * heads->shape.T * heads->shape.Kv);
    for (int b = 0; b < heads->B; b++)
        for (int h = 0; h < heads->H; h++) run_head(golden, heads, b, h);
}

void heads_give(Golden *golden, const Heads *heads, const char *name, const float *values,
                int columns) {
    GoldenArray shape = heads->q;
    shape.shape[shape.rank - 1] = columns;
    golden_give_like(golden, name, values, &shape);
}
