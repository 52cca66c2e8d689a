/* Products against plain sums in double, at sizes around every block, and their bits. */
#include "core/tensor.h"

#include "numbers.h"

#include <string.h>

typedef struct Size {
    int m, n, k;
} Size;

static const Size sizes[] = {{1, 1, 1},  {2, 2, 8},   {3, 5, 7},    {4, 8, 16},  {5, 9, 17},
                             {7, 13, 3}, {17, 33, 1}, {16, 16, 24}, {9, 18, 65}, {1, 40, 384}};

enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

/* sum_p a[i,p] b[p,j] with the strides of each. */
static double plain(const float *a, const float *b, int k, int a_step, int b_step) {
    double sum = 0;
    for (int p = 0; p < k; p++) sum += (double)a[p * a_step] * b[p * b_step];
    return sum;
}

static void test_products(void **state) {
    Arena *arena = *state;
    for (int s = 0; s < SIZE_COUNT; s++) {
        int m = sizes[s].m, n = sizes[s].n, k = sizes[s].k;
        const float *a = normals(arena, m * k, 1), *b = normals(arena, n * k, 2);
        float *nt = ARENA_ARRAY(arena, float, m *n), *nn = ARENA_ARRAY(arena, float, m *n);
        float *added = normals(arena, m * n, 3), *tn = normals(arena, m * n, 3);
        const float *before = normals(arena, m * n, 3);
        tensor_product_nt(nt, a, b, m, n, k);
        tensor_product(nn, a, b, m, n, k);
        tensor_product_add(added, a, b, m, n, k);
        tensor_product_tn_add(tn, a, b, m, n, k);
        double tolerance = 1e-5 * sqrt(k);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                int at = i * n + j;
                assert_near(nt[at], plain(a + i * k, b + j * k, k, 1, 1), tolerance);
                assert_near(nn[at], plain(a + i * k, b + j, k, 1, n), tolerance);
                assert_near(added[at], before[at] + (double)nn[at], tolerance);
                assert_near(tn[at], before[at] + plain(a + i, b + j, k, m, n), tolerance);
            }
    }
}

/* An element has the same bits wherever it stands: in a block, at an edge, or alone. */
static void test_order_is_fixed(void **state) {
    Arena *arena = *state;
    for (int s = 0; s < SIZE_COUNT; s++) {
        int m = sizes[s].m, n = sizes[s].n, k = sizes[s].k;
        const float *a = normals(arena, m * k, 4), *b = normals(arena, n * k, 5);
        float *nt = ARENA_ARRAY(arena, float, m *n), *nn = ARENA_ARRAY(arena, float, m *n);
        tensor_product_nt(nt, a, b, m, n, k);
        tensor_product(nn, a, b, m, n, k);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++) {
                float rising = 0;
                for (int p = 0; p < k; p++) rising += a[i * k + p] * b[p * n + j];
                assert_true(nn[i * n + j] == rising);
                assert_true(nt[i * n + j] == tensor_dot(a + i * k, b + j * k, k));
            }
    }
}

/* A matrix times itself: half is computed, all has the same bits. */
static void test_with_itself(void **state) {
    Arena *arena = *state;
    for (int m = 1; m < 70; m += 6) {
        enum { K = 21 };
        const float *a = normals(arena, m * K, 6);
        float *nt = ARENA_ARRAY(arena, float, m *m);
        tensor_product_nt(nt, a, a, m, m, K);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++)
                assert_true(nt[i * m + j] == tensor_dot(a + i * K, a + j * K, K));
    }
}

static void test_empty(void **state) {
    (void)state;
    float out[4] = {1, 2, 3, 4};
    const float none = 0;
    tensor_product_nt(out, &none, &none, 2, 2, 0);
    for (int n = 0; n < 4; n++) assert_true(out[n] == 0);
    assert_true(tensor_dot(&none, &none, 0) == 0);
}

/* The same bits from every compiler, at every optimisation, on every x86-64: the inputs are made
 * with whole numbers only. */
static void test_bits(void **state) {
    Arena *arena = *state;
    enum { M = 19, N = 37, K = 101 };
    Rng rng = rng_seed(7);
    float a[M * K], b[N * K];
    for (int n = 0; n < M * K; n++) a[n] = (float)((int)rng_below(&rng, 20001) - 10000) / 8192;
    for (int n = 0; n < N * K; n++) b[n] = (float)((int)rng_below(&rng, 20001) - 10000) / 8192;
    float *nt = ARENA_ARRAY(arena, float, M *N), *nn = ARENA_ARRAY(arena, float, M *N);
    tensor_product_nt(nt, a, b, M, N, K);
    tensor_product(nn, a, b, M, N, K);
    const uint64_t want_nt = 0x4a5117197317d0b7u, want_nn = 0x60b85671f1777921u;
    if (hash_floats(nt, M * N) != want_nt)
        fail_msg("nt: 0x%llx", (unsigned long long)hash_floats(nt, M * N));
    if (hash_floats(nn, M * N) != want_nn)
        fail_msg("nn: 0x%llx", (unsigned long long)hash_floats(nn, M * N));
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_products), WITH_ARENA(test_order_is_fixed),
                                       WITH_ARENA(test_with_itself), cmocka_unit_test(test_empty),
                                       WITH_ARENA(test_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
