/* Heads: split and merge, masks, padding of either side, grouped keys, RoPE on queries and keys. */
#include "core/multihead.h"

#include "numbers.h"

#include <string.h>

/* A square linear layer that gives what it gets. */
static Linear identity(Arena *arena, int D) {
    float *weight = ARENA_ARRAY(arena, float, D *D);
    for (int d = 0; d < D; d++) weight[d * D + d] = 1;
    return (Linear){.weight = weight};
}

static MultiHead identity_heads(Arena *arena, int D, int H) {
    Linear same = identity(arena, D);
    return (MultiHead){
        .D = D, .C = D, .H = H, .G = H, .q = same, .k = same, .v = same, .out = same};
}

static void test_split_and_merge(void **state) {
    Arena *arena = *state;
    const float x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    const float split[] = {1, 2, 5, 6, 3, 4, 7, 8};
    MultiHead net = identity_heads(arena, 4, 2);
    const uint8_t self_only[] = {1, 0, 0, 1};
    MultiHeadRule rule = {.allowed = self_only};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, x, 2, NULL, 0);
    assert_int_equal(trace.K, 2);
    assert_memory_equal(trace.q_heads, split, sizeof split);
    assert_memory_equal(trace.v_heads, split, sizeof split);
    assert_memory_equal(trace.joined, x, sizeof x); /* each token sees itself alone */
    assert_memory_equal(trace.output, x, sizeof x);
}

static void test_A13_scale_of_the_head_width(void **state) {
    Arena *arena = *state;
    const float x[2 * 8] = {2};
    MultiHead net = identity_heads(arena, 8, 2);
    MultiHeadRule rule = {0};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, x, 2, NULL, 0);
    assert_near(trace.heads[0].scores[0], 4, 0);
    assert_near(trace.heads[0].scaled[0], 2, 0);
    assert_near(trace.weights[0], 0.880797, 1e-6);
    assert_near(trace.weights[1], 0.119203, 1e-6);
    assert_near(trace.weights[4], 0.5, 0); /* the second head has seen zeros only */
}

static void test_A11_padding_hides_keys_only(void **state) {
    Arena *arena = *state;
    const float x[3 * 4] = {0};
    const uint8_t valid[] = {1, 1, 0};
    MultiHead net = identity_heads(arena, 4, 2);
    MultiHeadRule rule = {.valid = valid};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, x, 3, NULL, 0);
    for (int row = 0; row < 2 * 3; row++) {
        assert_true(trace.weights[row * 3] == 0.5f && trace.weights[row * 3 + 1] == 0.5f);
        assert_true(trace.weights[row * 3 + 2] == 0);
    }
}

/* [PAD, PAD, a, b] gives for a and b what [a, b] gives: positions count from the first token. */
static void test_A10_left_padding(void **state) {
    Arena *arena = *state;
    enum { D = 8, H = 2, T = 4 };
    const float *x = normals(arena, T * D, 1);
    const uint8_t valid[] = {0, 0, 1, 1};
    MultiHead net = multihead_seeded(arena, D, D, H, H, true, 7);
    int positions[T];
    double frequency[2];
    multihead_positions(positions, valid, T);
    assert_memory_equal(positions, ((int[]){0, 0, 0, 1}), sizeof positions);
    rope_frequencies(frequency, 4, 10000);
    Rope padded = rope_build_at(arena, frequency, 2, positions, T, 1);
    Rope plain = rope_build(arena, 4, 10000, 0, 2);
    MultiHeadRule rule = {.causal = true, .valid = valid, .rope_q = &padded, .rope_k = &padded};
    MultiHeadTrace with = multihead_forward(arena, &net, &rule, x, T, NULL, 0);
    rule = (MultiHeadRule){.causal = true, .rope_q = &plain, .rope_k = &plain};
    MultiHeadTrace without = multihead_forward(arena, &net, &rule, x + 2 * D, 2, NULL, 0);
    assert_memory_equal(with.output + 2 * D, without.output, 2 * D * sizeof(float));
    for (int j = 0; j < 2 * T; j++) assert_true(with.weights[j] == 0);
    for (int d = 0; d < 2 * D; d++) assert_true(with.joined[d] == 0);
    assert_true(with.weights[2 * T + 2] == 1 && with.weights[2 * T + 3] == 0);
}

static void test_positions(void **state) {
    (void)state;
    int positions[4];
    const uint8_t right[] = {1, 1, 0, 0}, none[] = {0, 0, 0, 0};
    const int counted[] = {0, 1, 2, 3};
    multihead_positions(positions, NULL, 4);
    assert_memory_equal(positions, counted, sizeof counted);
    multihead_positions(positions, right, 4);
    assert_memory_equal(positions, counted, sizeof counted);
    multihead_positions(positions, none, 4);
    assert_memory_equal(positions, counted, sizeof counted);
}

static void check_counts(Arena *arena, int T, int S, MaskAlign align, const int *counts) {
    MultiHead net = multihead_seeded(arena, 4, 4, 2, 2, true, 3);
    MultiHeadRule rule = {.causal = true, .align = align};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, normals(arena, T * 4, 1), T,
                                             normals(arena, S * 4, 2), S);
    for (int i = 0; i < T; i++) {
        assert_int_equal(mask_row_count(trace.allowed, i, S), counts[i]);
        for (int j = counts[i]; j < S; j++) assert_true(trace.weights[i * S + j] == 0);
    }
}

static void test_A6_causal_of_unequal_lengths(void **state) {
    Arena *arena = *state;
    check_counts(arena, 2, 5, MASK_TOP_LEFT, (int[]){1, 2});
    check_counts(arena, 2, 5, MASK_BOTTOM_RIGHT, (int[]){4, 5});
    check_counts(arena, 5, 2, MASK_TOP_LEFT, (int[]){1, 2, 2, 2, 2});
    check_counts(arena, 5, 2, MASK_BOTTOM_RIGHT, (int[]){0, 0, 0, 1, 2});
    check_counts(arena, 1, 8, MASK_BOTTOM_RIGHT, (int[]){8});
}

/* Q = K = I of width 2: weights are made from queries and keys, whatever a file leaves out. */
static void test_E4_weights_from_queries_and_keys(void **state) {
    Arena *arena = *state;
    const float x[] = {1, 0, 0, 1};
    MultiHead net = identity_heads(arena, 2, 1);
    MultiHeadRule rule = {0};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, x, 2, NULL, 0);
    assert_near(trace.weights[0], 0.669762, 1e-6);
    assert_near(trace.weights[1], 0.330238, 1e-6);
}

/* The rows of the heads in from, each twice, so that G heads of keys become 2 G. */
static Linear doubled(Arena *arena, Linear from, int heads, int K, int D) {
    int size = K * D;
    float *weight = ARENA_ARRAY(arena, float, 2 * heads * size);
    for (int h = 0; h < 2 * heads; h++)
        memcpy(weight + h * size, from.weight + h / 2 * size, (size_t)size * sizeof *weight);
    return (Linear){.weight = weight};
}

static void test_grouped_keys(void **state) {
    Arena *arena = *state;
    enum { D = 8, H = 4, G = 2, K = 2, T = 5 };
    const float *x = normals(arena, T * D, 1);
    MultiHead grouped = multihead_seeded(arena, D, D, H, G, false, 5), full = grouped;
    full.G = H;
    full.k = doubled(arena, grouped.k, G, K, D);
    full.v = doubled(arena, grouped.v, G, K, D);
    MultiHeadRule rule = {.causal = true};
    MultiHeadTrace one = multihead_forward(arena, &grouped, &rule, x, T, NULL, 0);
    MultiHeadTrace other = multihead_forward(arena, &full, &rule, x, T, NULL, 0);
    assert_int_equal(multihead_key_head(&grouped, 1), 0);
    assert_int_equal(multihead_key_head(&grouped, 2), 1);
    assert_memory_equal(one.weights, other.weights, H * T * T * sizeof(float));
    assert_memory_equal(one.output, other.output, T * D * sizeof(float));
}

static void test_rope_turns_no_values(void **state) {
    Arena *arena = *state;
    enum { D = 8, H = 2, T = 3 };
    const float *x = normals(arena, T * D, 1);
    MultiHead net = multihead_seeded(arena, D, D, H, H, true, 5);
    Rope rope = rope_build(arena, 4, 10000, 1, T);
    MultiHeadRule turned = {.rope_q = &rope, .rope_k = &rope}, plain = {0};
    MultiHeadTrace one = multihead_forward(arena, &net, &turned, x, T, NULL, 0);
    MultiHeadTrace other = multihead_forward(arena, &net, &plain, x, T, NULL, 0);
    size_t bytes = T * D * sizeof(float);
    assert_memory_equal(one.v_heads, other.v_heads, bytes);
    assert_memory_equal(one.q_split, other.q_heads, bytes);
    assert_memory_not_equal(one.q_heads, other.q_heads, bytes);
    assert_memory_not_equal(one.k_heads, other.k_heads, bytes);
}

static void test_bias_and_scale(void **state) {
    Arena *arena = *state;
    const float x[2 * 4] = {0}, bias[] = {0, 1, 0, 0, -INFINITY, 0, 0, 0};
    MultiHead net = identity_heads(arena, 4, 2);
    MultiHeadRule rule = {.bias = bias, .scale = 3};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, x, 2, NULL, 0);
    assert_near(trace.weights[1], 1 / (1 + exp(-1.0)), 1e-6); /* head 0 */
    assert_true(trace.weights[4] == 0 && trace.weights[5] == 1);
}

static void check_refused(int D, int H, int G, bool turned, const char *part) {
    Err err = {0};
    assert_false(multihead_check(D, H, G, turned, &err));
    assert_non_null(strstr(err.text, part));
}

static void test_what_is_refused(void **state) {
    (void)state;
    check_refused(10, 3, 3, false, "10 is not divisible by 3 heads");
    check_refused(12, 4, 3, false, "3 heads of keys do not divide 4");
    check_refused(6, 2, 2, true, "6 / 2 = 3 is odd");
    check_refused(8, 0, 0, false, "at least 1");
    assert_true(multihead_check(6, 2, 1, false, NULL));
    assert_true(multihead_check(512, 8, 8, true, NULL));
}

static void test_list(void **state) {
    Arena *arena = *state;
    MultiHead net = multihead_seeded(arena, 8, 6, 4, 2, true, 1);
    MultiHeadRule rule = {0};
    MultiHeadTrace trace = multihead_forward(arena, &net, &rule, normals(arena, 3 * 8, 1), 3,
                                             normals(arena, 5 * 6, 2), 5);
    KeptList list = kept_open(arena);
    for (int n = 0; n < 9; n++) multihead_list(&list, "cross.", &trace); /* more than its room */
    const Kept *weights = kept_find(&list, "cross.weights");
    const Kept *keys = kept_find(&list, "cross.k_heads");
    assert_non_null(weights);
    assert_string_equal(kept_shape(&list, weights), "[4,3,5]");
    assert_string_equal(weights->axes, "HTS");
    assert_ptr_equal(weights->values, trace.weights);
    assert_string_equal(kept_shape(&list, keys), "[2,5,2]");
    assert_ptr_equal(kept_find(&list, "cross.scaled.3")->values, trace.heads[3].scaled);
    assert_null(kept_find(&list, "cross.scaled.4"));
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_split_and_merge),
                                       WITH_ARENA(test_A13_scale_of_the_head_width),
                                       WITH_ARENA(test_A11_padding_hides_keys_only),
                                       WITH_ARENA(test_A10_left_padding),
                                       cmocka_unit_test(test_positions),
                                       WITH_ARENA(test_A6_causal_of_unequal_lengths),
                                       WITH_ARENA(test_E4_weights_from_queries_and_keys),
                                       WITH_ARENA(test_grouped_keys),
                                       WITH_ARENA(test_rope_turns_no_values),
                                       WITH_ARENA(test_bias_and_scale),
                                       cmocka_unit_test(test_what_is_refused),
                                       WITH_ARENA(test_list)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
