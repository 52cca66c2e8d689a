/* Scaled dot-product attention, step by step. Every step writes an array of its own, because each
 * of them is looked at. */
#include "core/attention.h"

#include "core/softmax.h"
#include "core/tensor.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

float attention_scale(int K) {
    return (float)(1 / sqrt(K));
}

AttentionRule attention_plain(int K) {
    return (AttentionRule){.scale = attention_scale(K), .temperature = 1, .fill = -INFINITY};
}

/* masked[T,S] by the rule; a mask without a bias, the usual case, is a loop of its own. */
static void fill_masked(float *masked, const float *scaled, size_t cells,
                        const AttentionRule *rule) {
    const uint8_t *allowed = rule->allowed;
    if (allowed && !rule->bias)
        for (size_t n = 0; n < cells; n++) masked[n] = allowed[n] ? scaled[n] : rule->fill;
    else
        for (size_t n = 0; n < cells; n++) masked[n] = attention_masked(rule, n, scaled[n]);
}

AttentionTrace attention_from_scores(Arena *arena, int T, int S, AttentionRule rule,
                                     const float *scores) {
    assert(rule.temperature > 0);
    size_t cells = (size_t)T * (size_t)S;
    AttentionTrace trace = {.scores = scores, .scaled = scores, .masked = scores};
    if (rule.allowed || rule.bias) {
        float *masked = ARENA_ROOM(arena, float, cells);
        fill_masked(masked, scores, cells, &rule);
        trace.masked = masked;
    }
    float *softmax = ARENA_ROOM(arena, float, cells);
    softmax_rows(softmax, trace.masked, T, S, rule.temperature);
    trace.softmax = trace.weights = softmax;
    if (rule.allowed) {
        float *weights = ARENA_ROOM(arena, float, cells);
        for (size_t n = 0; n < cells; n++) weights[n] = rule.allowed[n] ? softmax[n] : 0;
        trace.weights = weights;
    }
    return trace;
}

AttentionTrace attention_trace(Arena *arena, AttentionShape shape, AttentionRule rule,
                               const float *q, const float *k, const float *v) {
    int T = shape.T, S = shape.S;
    size_t cells = (size_t)T * (size_t)S;
    float *scores = ARENA_ROOM(arena, float, cells), *scaled = ARENA_ROOM(arena, float, cells);
    tensor_product_nt(scores, q, k, T, S, shape.K);
    for (size_t n = 0; n < cells; n++) scaled[n] = scores[n] * rule.scale;
    AttentionTrace trace = attention_from_scores(arena, T, S, rule, scaled);
    trace.scores = scores;
    if (v) {
        trace.output = ARENA_ROOM(arena, float, (size_t)T *(size_t)shape.Kv);
        tensor_product(trace.output, trace.weights, v, T, shape.Kv, S);
    }
    return trace;
}

void attention_dropout(float *dropped, const float *weights, const uint8_t *keep, float p, int n) {
    assert(p >= 0 && p <= 1);
    double factor = p < 1 ? 1 / (1 - (double)p) : 0;
    for (int i = 0; i < n; i++) dropped[i] = keep[i] ? (float)(weights[i] * factor) : 0;
}
