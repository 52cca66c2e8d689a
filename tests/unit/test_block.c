/* The block and its parts, and the rotary block of the course's exercise. */
#include "core/block.h"

#include "numbers.h"

#include <string.h>

enum { T = 4, S = 6, D = 8, H = 2, K = 4, PAIRS = K / 2 };

static void test_pre_norm_is_a_walk(void **state) {
    Arena *arena = *state;
    const float *x = normals(arena, T * D, 1);
    Block block = block_seeded(arena, D, H, true, 3);
    BlockInput input = {.x = x, .T = T, .context = normals(arena, S * D, 2), .S = S};
    BlockTrace trace = block_forward(arena, &block, &input);
    float normed[T * D];
    norm_forward(normed, &block.norm_self, x, T, D);
    assert_memory_equal(trace.self_sub.entry, normed, sizeof normed);
    assert_ptr_equal(trace.self_sub.entry, trace.self.x);
    assert_ptr_equal(trace.cross_sub.input, trace.self_sub.sum);
    assert_ptr_equal(trace.cross.context, input.context); /* the context is read as it is */
    assert_ptr_equal(trace.feed_sub.input, trace.cross_sub.sum);
    assert_ptr_equal(trace.output, trace.feed_sub.sum);
    for (int n = 0; n < T * D; n++)
        assert_true(trace.self_sub.sum[n] == x[n] + trace.self.output[n]);
}

static void test_post_norm_ends_in_its_norm(void **state) {
    Arena *arena = *state;
    const float *x = normals(arena, T * D, 1);
    Block block = block_seeded(arena, D, H, false, 3);
    block.place = NORM_POST;
    BlockInput input = {.x = x, .T = T};
    BlockTrace trace = block_forward(arena, &block, &input);
    assert_ptr_equal(trace.self.x, x);
    assert_ptr_equal(trace.feed_sub.input, trace.self_sub.normed);
    assert_ptr_equal(trace.output, trace.feed_sub.normed);
    for (int t = 0; t < T; t++) {
        double sum = 0;
        for (int d = 0; d < D; d++) sum += trace.output[t * D + d];
        assert_near(sum, 0, 1e-5);
    }
}

static void test_feed_kinds(void **state) {
    Arena *arena = *state;
    const float *x = normals(arena, T * D, 1);
    FeedForward gelu = feed_seeded(arena, FEED_GELU, D, 16, 4), near_gelu = gelu;
    near_gelu.kind = FEED_GELU_TANH;
    FeedTrace one = feed_forward(arena, &gelu, x, T, D);
    FeedTrace other = feed_forward(arena, &near_gelu, x, T, D);
    assert_all_near(one.output, other.output, T * D, 1e-2);
    assert_memory_not_equal(one.output, other.output, T * D * sizeof(float));
    assert_null(one.gate);
    FeedForward gated = feed_seeded(arena, FEED_SWIGLU, D, 16, 4);
    FeedTrace trace = feed_forward(arena, &gated, x, T, D);
    for (int n = 0; n < T * 16; n++) {
        double g = trace.gate[n];
        assert_near(trace.hidden[n], g / (1 + exp(-g)) * trace.up[n], 1e-5);
    }
}

static void test_seeds(void **state) {
    Arena *arena = *state;
    Block one = block_seeded(arena, D, H, true, 3), same = block_seeded(arena, D, H, true, 3);
    Block other = block_seeded(arena, D, H, true, 4);
    size_t bytes = D * D * sizeof(float);
    assert_memory_equal(one.cross.k.weight, same.cross.k.weight, bytes);
    assert_memory_not_equal(one.cross.k.weight, other.cross.k.weight, bytes);
    assert_memory_not_equal(one.self.q.weight, one.self.k.weight, bytes);
}

static void test_list_in_order(void **state) {
    Arena *arena = *state;
    Block block = block_seeded(arena, D, H, true, 3);
    BlockInput input = {
        .x = normals(arena, T * D, 1), .T = T, .context = normals(arena, S * D, 2), .S = S};
    BlockTrace trace = block_forward(arena, &block, &input);
    KeptList list = kept_open(arena);
    block_list(&list, "block1.", &block, &trace);
    assert_string_equal(list.items[0].name, "block1.self.norm");
    assert_string_equal(list.items[list.count - 1].name, "block1.output");
    assert_string_equal(kept_shape(&list, kept_find(&list, "block1.cross.weights")), "[2,4,6]");
    assert_string_equal(kept_shape(&list, kept_find(&list, "block1.feed.hidden")), "[4,32]");
    assert_ptr_equal(kept_find(&list, "block1.feed.sum")->values, trace.output);
    assert_null(kept_find(&list, "block1.feed.gate"));
}

/* ---- the exercise ---- */

typedef struct Exercise {
    BlockArray x, w[4], cosine, sine;
    int heads;
} Exercise;

static BlockArray matrix(const float *values, int rows, int columns) {
    return (BlockArray){.values = values, .rank = 2, .shape = {rows, columns}};
}

static BlockArray filled(Arena *arena, float value) {
    float *values = ARENA_ARRAY(arena, float, T *PAIRS);
    for (int n = 0; n < T * PAIRS; n++) values[n] = value;
    return matrix(values, T, PAIRS);
}

/* Random weights, and tables that turn nothing. */
static Exercise exercise(Arena *arena) {
    Exercise given = {.x = matrix(normals(arena, T * D, 1), T, D), .heads = H};
    for (int n = 0; n < 4; n++) given.w[n] = matrix(normals(arena, D * D, 2 + (uint64_t)n), D, D);
    given.cosine = filled(arena, 1);
    given.sine = filled(arena, 0);
    return given;
}

static bool run(Arena *arena, const Exercise *given, RopeBlock *block, Err *err) {
    return transformer_block_with_rope(arena, given->x, given->w[0], given->w[1], given->w[2],
                                       given->w[3], given->heads, given->cosine, given->sine, block,
                                       err);
}

static Linear in_first(const Exercise *given, int n) {
    return (Linear){.weight = given->w[n].values, .in_first = true};
}

static void test_identity_tables_turn_nothing(void **state) {
    Arena *arena = *state;
    Exercise given = exercise(arena);
    RopeBlock block;
    assert_true(run(arena, &given, &block, NULL));
    MultiHead net = {.D = D,
                     .C = D,
                     .H = H,
                     .G = H,
                     .q = in_first(&given, 0),
                     .k = in_first(&given, 1),
                     .v = in_first(&given, 2),
                     .out = in_first(&given, 3)};
    MultiHeadRule rule = {0};
    MultiHeadTrace plain = multihead_forward(arena, &net, &rule, given.x.values, T, NULL, 0);
    float sum[T * D], want[T * D];
    for (int n = 0; n < T * D; n++) sum[n] = given.x.values[n] + plain.output[n];
    layer_norm_forward(want, sum, NULL, NULL, 1e-5, T, D);
    assert_memory_equal(block.weights, plain.weights, H * T * T * sizeof(float));
    assert_memory_equal(block.sum, sum, sizeof sum);
    assert_memory_equal(block.output, want, sizeof want);
}

/* Tables are used as given: a quarter turn sends the pair (a, b) to (-b, a). */
static void test_given_tables_turn_adjacent_pairs(void **state) {
    Arena *arena = *state;
    Exercise given = exercise(arena);
    given.cosine = filled(arena, 0);
    given.sine = filled(arena, 1);
    RopeBlock block;
    assert_true(run(arena, &given, &block, NULL));
    const MultiHeadTrace *trace = &block.attention[0];
    for (int n = 0; n < T * D; n += 2) {
        assert_true(trace->q_heads[n] == -trace->q_split[n + 1]);
        assert_true(trace->k_heads[n + 1] == trace->k_split[n]);
    }
}

static void test_batch_is_its_sequences(void **state) {
    Arena *arena = *state;
    Exercise both = exercise(arena);
    both.x = (BlockArray){normals(arena, 2 * T * D, 9), 3, {2, T, D}};
    Exercise second = both;
    second.x = matrix(both.x.values + T * D, T, D);
    RopeBlock batch, one;
    assert_true(run(arena, &both, &batch, NULL) && run(arena, &second, &one, NULL));
    assert_int_equal(batch.B, 2);
    assert_int_equal(one.B, 1);
    assert_memory_equal(batch.output + T * D, one.output, T * D * sizeof(float));
    assert_memory_equal(batch.weights + H * T * T, one.weights, H * T * T * sizeof(float));
}

static void check_refused(Arena *arena, const Exercise *given, const char *part) {
    Err err = {0};
    RopeBlock block = {.B = 77};
    assert_false(run(arena, given, &block, &err));
    assert_int_equal(block.B, 77);
    if (!strstr(err.text, part)) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void test_what_the_exercise_refuses(void **state) {
    Arena *arena = *state;
    Exercise bad = exercise(arena);
    bad.heads = 3;
    check_refused(arena, &bad, "8 is not divisible by 3 heads");
    bad.heads = 8;
    check_refused(arena, &bad, "8 / 8 = 1 is odd");
    bad = exercise(arena);
    bad.sine.shape[1] = 3;
    check_refused(arena, &bad, "freqs_sin has the shape [4,3], wanted is [4,2]");
    bad = exercise(arena);
    bad.w[2].shape[0] = 5;
    check_refused(arena, &bad, "w_v has the shape [5,8], wanted is [8,8]");
    bad = exercise(arena);
    bad.x.shape[0] = 0;
    check_refused(arena, &bad, "x has the shape [0,8]");
    bad = exercise(arena);
    bad.cosine = (BlockArray){bad.x.values, 3, {1, 4, 2}};
    check_refused(arena, &bad, "freqs_cos has the shape [1,4,2]");
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_pre_norm_is_a_walk),
                                       WITH_ARENA(test_post_norm_ends_in_its_norm),
                                       WITH_ARENA(test_feed_kinds),
                                       WITH_ARENA(test_seeds),
                                       WITH_ARENA(test_list_in_order),
                                       WITH_ARENA(test_identity_tables_turn_nothing),
                                       WITH_ARENA(test_given_tables_turn_adjacent_pairs),
                                       WITH_ARENA(test_batch_is_its_sequences),
                                       WITH_ARENA(test_what_the_exercise_refuses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
