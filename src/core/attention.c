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

/* masked, softmax and weights from scaled. */
static void trace_weights(AttentionTrace *trace, int T, int S, const AttentionRule *rule) {
    size_t cells = (size_t)T * (size_t)S;
    for (size_t n = 0; n < cells; n++)
        trace->masked[n] = attention_masked(rule, n, trace->scaled[n]);
    softmax_rows(trace->softmax, trace->masked, T, S, rule->temperature);
    for (size_t n = 0; n < cells; n++)
        trace->weights[n] = rule->allowed && !rule->allowed[n] ? 0 : trace->softmax[n];
}

static AttentionTrace trace_new(Arena *arena, int T, int S, const float *scores,
                                const float *scaled) {
    size_t cells = (size_t)T * (size_t)S;
    return (AttentionTrace){.scores = scores,
                            .scaled = scaled,
                            .masked = ARENA_ARRAY(arena, float, cells),
                            .softmax = ARENA_ARRAY(arena, float, cells),
                            .weights = ARENA_ARRAY(arena, float, cells)};
}

AttentionTrace attention_trace(Arena *arena, AttentionShape shape, AttentionRule rule,
                               const float *q, const float *k, const float *v) {
    assert(rule.temperature > 0);
    int T = shape.T, S = shape.S;
    size_t cells = (size_t)T * (size_t)S;
    float *scores = ARENA_ARRAY(arena, float, cells), *scaled = ARENA_ARRAY(arena, float, cells);
    tensor_product_nt(scores, q, k, T, S, shape.K);
    for (size_t n = 0; n < cells; n++) scaled[n] = scores[n] * rule.scale;
    AttentionTrace trace = trace_new(arena, T, S, scores, scaled);
    trace_weights(&trace, T, S, &rule);
    if (v) {
        trace.output = ARENA_ARRAY(arena, float, (size_t)T *(size_t)shape.Kv);
        tensor_product(trace.output, trace.weights, v, T, shape.Kv, S);
    }
    return trace;
}

AttentionTrace attention_from_scores(Arena *arena, int T, int S, AttentionRule rule,
                                     const float *scores) {
    assert(rule.temperature > 0);
    AttentionTrace trace = trace_new(arena, T, S, scores, scores);
    trace_weights(&trace, T, S, &rule);
    return trace;
}

void attention_dropout(float *dropped, const float *weights, const uint8_t *keep, float p, int n) {
    assert(p >= 0 && p <= 1);
    double factor = p < 1 ? 1 / (1 - (double)p) : 0;
    for (int i = 0; i < n; i++) dropped[i] = keep[i] ? (float)(weights[i] * factor) : 0;
}
