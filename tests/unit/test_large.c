/* Attention and products of large maps against those of small ones, which keep every step and a
 * fixed order: masks, biases, fills, temperatures, and what is no ordinary number. */
#include "core/large.h"

#include "core/crew.h"
#include "core/mask.h"
#include "core/quick.h"
#include "core/softmax.h"
#include "core/tensor.h"

#include "numbers.h"

#include <float.h>
#include <string.h>

enum { H = 3, K = 16, KV = 24 };

/* What the steps are allowed to differ by; weights are at most 1, and values near it. */
static const double close_enough = 1e-5;

typedef struct Heads {
    LargeAttention of;
    size_t cells;
} Heads;

static Heads heads_of(Arena *arena, int T, int S) {
    Heads heads = {.cells = (size_t)T * (size_t)S};
    LargeAttention *of = &heads.of;
    of->H = H;
    of->shape = (AttentionShape){.T = T, .S = S, .K = K, .Kv = KV};
    of->rule = attention_plain(K);
    of->q = normals(arena, H * T * K, 1);
    of->k = normals(arena, H * S * K, 2);
    of->v = normals(arena, H * S * KV, 3);
    of->weights = ARENA_ARRAY(arena, float, heads.cells *H);
    of->output = ARENA_ARRAY(arena, float, H *T *KV);
    return heads;
}

static void compare(Arena *arena, const Heads *heads) {
    const LargeAttention *of = &heads->of;
    size_t T = (size_t)of->shape.T, S = (size_t)of->shape.S;
    large_attention(of);
    for (size_t h = 0; h < H; h++) {
        Arena scratch = *arena;
        AttentionTrace want = attention_trace(&scratch, of->shape, of->rule, of->q + h * T * K,
                                              of->k + h * S * K, of->v + h * S * KV);
        const float *weights = of->weights + h * heads->cells;
        assert_all_near(weights, want.weights, heads->cells, close_enough);
        assert_all_near(of->output + h * T * KV, want.output, T * KV, close_enough);
    }
}

static void test_sizes(void **state) {
    static const int sizes[][2] = {{1, 1},   {1, 7},    {5, 3},    {63, 65},
                                   {64, 64}, {65, 130}, {200, 70}, {131, 257}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        Arena scratch = *(Arena *)*state;
        Heads heads = heads_of(&scratch, sizes[n][0], sizes[n][1]);
        compare(&scratch, &heads);
    }
}

static void test_masks_and_biases(void **state) {
    static const float fills[] = {-INFINITY, -FLT_MAX, -1e9f, -1e4f};
    enum { T = 70, S = 90 };
    Arena *arena = *state;
    Heads heads = heads_of(arena, T, S);
    uint8_t *allowed = ARENA_ARRAY(arena, uint8_t, T * S);
    float *bias = normals(arena, T * S, 4);
    mask_all(allowed, T, S);
    mask_causal(allowed, T, S, MASK_TOP_LEFT);
    memset(allowed + 9 * S, 0, S); /* no key at all */
    bias[20 * S + 3] = -INFINITY;
    for (int n = 0; n < 4; n++) {
        heads.of.rule.fill = fills[n];
        heads.of.rule.allowed = allowed;
        heads.of.rule.bias = NULL;
        compare(arena, &heads);
        heads.of.rule.bias = bias;
        compare(arena, &heads);
        heads.of.rule.allowed = NULL;
        compare(arena, &heads);
    }
    for (int j = 0; j < S; j++) bias[20 * S + j] = -INFINITY;
    compare(arena, &heads);
    for (int j = 0; j < S; j++) assert_true(heads.of.weights[20 * S + j] == 0);
}

static void test_blocked_is_exactly_zero(void **state) {
    enum { T = 66 };
    Heads heads = heads_of(*state, T, T);
    uint8_t *allowed = ARENA_ARRAY((Arena *)*state, uint8_t, T * T);
    mask_all(allowed, T, T);
    mask_causal(allowed, T, T, MASK_TOP_LEFT);
    heads.of.rule.allowed = allowed;
    large_attention(&heads.of);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            if (!allowed[i * T + j]) assert_true(heads.of.weights[i * T + j] == 0);
        }
    assert_true(heads.of.weights[0] == 1);
}

static void test_scales_and_temperatures(void **state) {
    static const float scales[] = {0, 1, 100, 1e4f};
    static const float temperatures[] = {1e-38f, 1e-3f, 0.5f, 20, 1e38f, FLT_TRUE_MIN};
    Heads heads = heads_of(*state, 40, 50);
    for (int s = 0; s < 4; s++)
        for (size_t t = 0; t < sizeof temperatures / sizeof temperatures[0]; t++) {
            heads.of.rule.scale = scales[s];
            heads.of.rule.temperature = temperatures[t];
            large_attention(&heads.of);
            for (size_t row = 0; row < H * 40; row++) {
                double sum = 0;
                for (int j = 0; j < 50; j++) sum += heads.of.weights[row * 50 + (size_t)j];
                assert_near(sum, 1, close_enough);
            }
            /* Large scores magnify the rounding of their products: compare where they do not. */
            if (scales[s] <= 1 && temperatures[t] >= 0.5f) compare(*state, &heads);
        }
}

/* A query that is no number spoils its own row; an infinite one shares its row among the largest.
 */
static void test_no_ordinary_numbers(void **state) {
    enum { T = 20 };
    Heads heads = heads_of(*state, T, T);
    float *q = normals(*state, H * T * K, 1), *k = normals(*state, H * T * K, 2);
    q[3 * K] = NAN;
    q[5 * K] = INFINITY;
    k[7 * K + 1] = 3e38f;
    heads.of.q = q;
    heads.of.k = k;
    large_attention(&heads.of);
    for (int j = 0; j < T; j++) assert_true(isnan(heads.of.weights[3 * T + j]));
    for (int j = 0; j < T; j++) assert_false(isnan(heads.of.weights[4 * T + j]));
    Arena scratch = *(Arena *)*state;
    AttentionTrace want =
        attention_trace(&scratch, heads.of.shape, heads.of.rule, q, k, heads.of.v);
    for (int j = 0; j < T; j++)
        assert_near(heads.of.weights[5 * T + j], want.weights[5 * T + j], close_enough);
}

static void test_a_row_on_demand(void **state) {
    enum { T = 30, S = 41 };
    Arena *arena = *state;
    Heads heads = heads_of(arena, T, S);
    uint8_t *allowed = ARENA_ARRAY(arena, uint8_t, T * S);
    mask_all(allowed, T, S);
    mask_causal(allowed, T, S, MASK_TOP_LEFT);
    heads.of.rule.allowed = allowed;
    heads.of.rule.bias = normals(arena, T * S, 5);
    large_attention(&heads.of);
    const LargeAttention *of = &heads.of;
    AttentionTrace whole = attention_trace(arena, of->shape, of->rule, of->q + 2 * T * K,
                                           of->k + 2 * S * K, of->v + 2 * S * KV);
    AttentionTrace row = large_attention_row(arena, of, 2, 17);
    assert_memory_equal(row.scores, whole.scores + 17 * S, S * sizeof(float));
    assert_memory_equal(row.masked, whole.masked + 17 * S, S * sizeof(float));
    assert_memory_equal(row.weights, whole.weights + 17 * S, S * sizeof(float));
    assert_all_near(row.weights, of->weights + (2 * T + 17) * S, S, close_enough);
}

/* Up to LARGE_CELLS the very bits of the small products; beyond, close. */
static void test_products(void **state) {
    static const int sizes[][3] = {{512, 512, 20}, {513, 512, 20}, {700, 600, 33}, {1, 300000, 3}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        Arena arena = *(Arena *)*state;
        int m = sizes[n][0], columns = sizes[n][1], k = sizes[n][2];
        size_t cells = (size_t)m * (size_t)columns;
        const float *a = normals(&arena, m * k, 6), *b = normals(&arena, columns * k, 7);
        float *got = ARENA_ARRAY(&arena, float, cells), *want = ARENA_ARRAY(&arena, float, cells);
        double tolerance = cells <= LARGE_CELLS ? 0 : 1e-5 * sqrt(k);
        large_product_nt(got, a, b, m, columns, k);
        tensor_product_nt(want, a, b, m, columns, k);
        assert_all_near(got, want, cells, tolerance);
        large_product(got, a, b, m, columns, k);
        tensor_product(want, a, b, m, columns, k);
        assert_all_near(got, want, cells, tolerance);
    }
    assert_null(large_note(512, 512));
}

static void test_the_same_twice(void **state) {
    Heads heads = heads_of(*state, 300, 300);
    large_attention(&heads.of);
    size_t size = heads.cells * H * sizeof(float);
    void *first = arena_bytes(*state, heads.of.weights, size);
    large_attention(&heads.of);
    assert_memory_equal(first, heads.of.weights, size);
}

/* Close to softmax_rows, with the same bits from every compiler and processor. */
static void test_quick_softmax(void **state) {
    (void)state;
    enum { MOST = 41 };
    const uint64_t want_hash = 0xe72b4422e4c782b4u;
    Rng rng = rng_seed(9);
    float y[MOST * (MOST + 1) / 2], want[MOST];
    int count = 0;
    for (int columns = 1; columns <= MOST; columns++) {
        float *row = y + count;
        for (int j = 0; j < columns; j++) row[j] = (float)((int)rng_below(&rng, 20001)) / 512;
        if (columns > 3) row[columns - 2] = -INFINITY;
        softmax_rows(want, row, 1, columns, 0.7f);
        quick_softmax(row, columns, 0.7f);
        assert_all_near(row, want, columns, 1e-6);
        count += columns;
    }
    if (hash_floats(y, count) != want_hash)
        fail_msg("0x%llx", (unsigned long long)hash_floats(y, count));
}

static void count_piece(void *work, int piece) {
    ((int *)work)[piece]++;
}

static void test_every_piece_once(void **state) {
    (void)state;
    for (int size = 1; size < 40; size += 6) {
        int done[100] = {0};
        crew_run(count_piece, done, 100, size);
        for (int n = 0; n < 100; n++) assert_int_equal(done[n], 1);
    }
    crew_run(count_piece, NULL, 0, 4);
    assert_in_range(crew_size(), 1, 16);
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_sizes),
                                       WITH_ARENA(test_masks_and_biases),
                                       WITH_ARENA(test_blocked_is_exactly_zero),
                                       WITH_ARENA(test_scales_and_temperatures),
                                       WITH_ARENA(test_no_ordinary_numbers),
                                       WITH_ARENA(test_a_row_on_demand),
                                       WITH_ARENA(test_products),
                                       WITH_ARENA(test_the_same_twice),
                                       cmocka_unit_test(test_quick_softmax),
                                       cmocka_unit_test(test_every_piece_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
