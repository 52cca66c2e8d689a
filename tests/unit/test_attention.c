/* Attention on small numbers that can be checked by hand. */
#include "core/attention.h"

#include "core/mask.h"
#include "core/softmax.h"

#include "numbers.h"

#include <float.h>
#include <string.h>

/* Typed scores, taken as they are. */
static AttentionTrace from_scores(Arena *arena, int T, int S, const float *scores,
                                  const uint8_t *allowed) {
    AttentionRule rule = attention_plain(64);
    rule.allowed = allowed;
    return attention_from_scores(arena, T, S, rule, scores);
}

static void test_A1_row_with_no_key(void **state) {
    Arena *arena = *state;
    const float scores[] = {1, 2, 3, 0, 0, 0};
    const uint8_t allowed[] = {0, 0, 0, 1, 1, 1};
    AttentionTrace trace = from_scores(arena, 2, 3, scores, allowed);
    for (int j = 0; j < 3; j++) {
        assert_true(trace.weights[j] == 0 && !signbit(trace.weights[j]));
        assert_true(trace.masked[j] == -INFINITY);
        assert_near(trace.weights[3 + j], 1.0 / 3, 1e-7);
    }
}

static void test_A1_output_of_no_key(void **state) {
    Arena *arena = *state;
    const uint8_t allowed[] = {0, 0, 0, 1, 1, 1};
    const float *q = normals(arena, 2 * 4, 1), *k = normals(arena, 3 * 4, 2);
    const float *v = normals(arena, 3 * 5, 3);
    const float fills[] = {-INFINITY, -FLT_MAX, -1e9f};
    for (int n = 0; n < 3; n++) {
        AttentionRule rule = attention_plain(4);
        rule.allowed = allowed;
        rule.fill = fills[n];
        AttentionTrace trace = attention_trace(arena, (AttentionShape){2, 3, 4, 5}, rule, q, k, v);
        for (int j = 0; j < 3; j++) assert_true(trace.weights[j] == 0);
        for (int d = 0; d < 5; d++) assert_true(trace.output[d] == 0);
        assert_near(trace.weights[3] + trace.weights[4] + trace.weights[5], 1, 1e-6);
    }
}

/* A finite stand-in in an additive mask is plain arithmetic: the row looks uniform, and a large
 * score wins against it. Only a mask of bytes, or -INFINITY, blocks. */
static void test_A2_finite_stand_in(void **state) {
    Arena *arena = *state;
    const float scores[] = {0, 0, 0, 0, 0, 20000, 0, 0};
    const float bias[] = {-1e9f, -1e9f, -1e9f, -1e9f, 0, -10000, 0, -10000};
    AttentionRule rule = attention_plain(64);
    rule.bias = bias;
    AttentionTrace trace = attention_from_scores(arena, 2, 4, rule, scores);
    for (int j = 0; j < 4; j++) assert_true(trace.weights[j] == 0.25f);
    assert_true(trace.weights[5] == 1);
    const uint8_t allowed[] = {0, 0, 0, 0, 1, 0, 1, 0};
    trace = from_scores(arena, 2, 4, scores, allowed);
    for (int j = 0; j < 4; j++) assert_true(trace.weights[j] == 0);
    assert_true(trace.weights[4] == 0.5f && trace.weights[5] == 0);
}

static void test_bias_of_minus_infinity_blocks(void **state) {
    Arena *arena = *state;
    const float scores[] = {INFINITY, 1, 1}, bias[] = {-INFINITY, 0, 0}, want[] = {0, 0.5f, 0.5f};
    AttentionRule rule = attention_plain(64);
    rule.bias = bias;
    AttentionTrace trace = attention_from_scores(arena, 1, 3, rule, scores);
    assert_memory_equal(trace.weights, want, sizeof want);
}

static void test_A4_mask_before_softmax(void **state) {
    Arena *arena = *state;
    const float scores[16] = {0}, want[] = {0.5f, 0.5f, 0, 0};
    uint8_t allowed[16];
    mask_all(allowed, 4, 4);
    mask_causal(allowed, 4, 4, MASK_TOP_LEFT);
    AttentionTrace trace = from_scores(arena, 4, 4, scores, allowed);
    assert_memory_equal(trace.weights + 4, want, sizeof want);
}

static void test_A11_padding_row_attends_too(void **state) {
    Arena *arena = *state;
    const float scores[9] = {0}, want[] = {0.5f, 0.5f, 0};
    const uint8_t valid[] = {1, 1, 0};
    uint8_t allowed[9];
    mask_all(allowed, 3, 3);
    mask_padding(allowed, valid, 3, 3);
    AttentionTrace trace = from_scores(arena, 3, 3, scores, allowed);
    for (int i = 0; i < 3; i++) assert_memory_equal(trace.weights + 3 * i, want, sizeof want);
}

/* A left-padded text attends like the unpadded one. */
static void test_A10_left_padding(void **state) {
    Arena *arena = *state;
    enum { T = 4, D = 6, PADS = 2 };
    const float *x = normals(arena, T * D, 5), *real = x + PADS * D;
    const uint8_t valid[T] = {0, 0, 1, 1};
    uint8_t allowed[T * T], plain[4];
    mask_all(allowed, T, T);
    mask_causal(allowed, T, T, MASK_TOP_LEFT);
    mask_padding(allowed, valid, T, T);
    mask_all(plain, 2, 2);
    mask_causal(plain, 2, 2, MASK_TOP_LEFT);
    AttentionRule rule = attention_plain(D);
    rule.allowed = allowed;
    AttentionTrace padded = attention_trace(arena, (AttentionShape){T, T, D, D}, rule, x, x, x);
    rule.allowed = plain;
    AttentionTrace alone =
        attention_trace(arena, (AttentionShape){2, 2, D, D}, rule, real, real, real);
    assert_memory_equal(padded.output + PADS * D, alone.output, 2 * D * sizeof(float));
    for (int d = 0; d < PADS * D; d++) assert_true(padded.output[d] == 0);
}

static void test_A13_scale(void **state) {
    Arena *arena = *state;
    const float q[] = {2, 0, 0, 0}, k[] = {2, 0, 0, 0, 0, 0, 0, 0};
    AttentionShape shape = {1, 2, 4, 0};
    AttentionTrace trace = attention_trace(arena, shape, attention_plain(4), q, k, NULL);
    assert_true(trace.scores[0] == 4 && trace.scaled[0] == 2);
    assert_near(trace.weights[0], 0.880797, 1e-6);
    assert_near(trace.weights[1], 0.119203, 1e-6);
    assert_null(trace.output);
    trace = attention_trace(arena, shape, attention_plain(8), q, k, NULL);
    assert_near(trace.scaled[0], 1.414214, 1e-6);
    assert_near(trace.weights[0], 0.804430, 1e-6);
}

/* Typed scores are neither scaled nor changed. */
static void test_scores_taken_as_they_are(void **state) {
    Arena *arena = *state;
    const float scores[] = {1, 2, 3, 0};
    AttentionTrace trace = from_scores(arena, 2, 2, scores, NULL);
    assert_memory_equal(trace.scores, scores, sizeof scores);
    assert_memory_equal(trace.scaled, scores, sizeof scores);
    assert_near(trace.weights[1], 1 / (1 + exp(-1.0)), 1e-7);
}

static void test_A14_dropout(void **state) {
    (void)state;
    const float weights[] = {1, 0.5f, 0.25f};
    const uint8_t keep[] = {1, 0, 1};
    float dropped[3];
    attention_dropout(dropped, weights, keep, 0.2f, 3);
    assert_near(dropped[0], 1.25, 1e-6);
    assert_true(dropped[1] == 0);
    attention_dropout(dropped, weights, keep, 1, 3);
    for (int n = 0; n < 3; n++) assert_true(dropped[n] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_A1_row_with_no_key),       WITH_ARENA(test_A1_output_of_no_key),
        WITH_ARENA(test_A2_finite_stand_in),       WITH_ARENA(test_bias_of_minus_infinity_blocks),
        WITH_ARENA(test_A4_mask_before_softmax),   WITH_ARENA(test_A11_padding_row_attends_too),
        WITH_ARENA(test_A10_left_padding),         WITH_ARENA(test_A13_scale),
        WITH_ARENA(test_scores_taken_as_they_are), cmocka_unit_test(test_A14_dropout)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
