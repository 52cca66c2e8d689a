/* Softmax where it goes wrong elsewhere: large scores, tiny temperatures, rows without a key. */
#include "core/softmax.h"

#include "numbers.h"

static void test_A17_large_scores(void **state) {
    (void)state;
    const float scores[] = {1000, 1001, 1002};
    const float want[] = {0.090030573f, 0.244728471f, 0.665240956f};
    float y[3];
    softmax_rows(y, scores, 1, 3, 1);
    assert_all_near(y, want, 3, 1e-7);
}

static void test_A17_tiny_temperature(void **state) {
    (void)state;
    const float scores[] = {2, 4, 3}, want[] = {0, 1, 0};
    float y[3];
    softmax_rows(y, scores, 1, 3, 1e-38f);
    assert_memory_equal(y, want, sizeof want);
    softmax_rows(y, scores, 1, 3, 1e-45f); /* the smallest float32 there is */
    assert_memory_equal(y, want, sizeof want);
}

static void test_temperature(void **state) {
    (void)state;
    const float x[] = {1, 2};
    float y[2];
    softmax_rows(y, x, 1, 2, 0.5f);
    assert_near(y[1], 1 / (1 + exp(-2.0)), 1e-7);
    softmax_rows(y, x, 1, 2, 4);
    assert_near(y[1], 1 / (1 + exp(-0.25)), 1e-7);
}

static void test_A1_row_of_nothing(void **state) {
    (void)state;
    float x[] = {-INFINITY, -INFINITY, -INFINITY, 0, 0, 0};
    const float want[] = {0, 0, 0, 1.0f / 3, 1.0f / 3, 1.0f / 3};
    softmax_rows(x, x, 2, 3, 1);
    assert_memory_equal(x, want, sizeof want);
}

static void test_blocked_is_exactly_zero(void **state) {
    (void)state;
    const float x[] = {-INFINITY, 3, -INFINITY, 3}, want[] = {0, 0.5f, 0, 0.5f};
    float y[4];
    softmax_rows(y, x, 1, 4, 1);
    assert_memory_equal(y, want, sizeof want);
}

static void test_equal_scores_are_uniform(void **state) {
    (void)state;
    const float values[] = {0, -0.0f, 1e4f, -1e4f, 3e38f};
    for (int v = 0; v < 5; v++)
        for (int n = 1; n <= 7; n++) {
            float y[7];
            for (int j = 0; j < n; j++) y[j] = values[v];
            softmax_rows(y, y, 1, n, 1);
            for (int j = 0; j < n; j++) assert_true(y[j] == 1.0f / (float)n);
        }
}

static void test_nan_and_infinity(void **state) {
    (void)state;
    const float x[] = {1, NAN, 2, 1, INFINITY, INFINITY}, shared[] = {0, 0.5f, 0.5f};
    float y[6];
    softmax_rows(y, x, 2, 3, 1);
    for (int j = 0; j < 3; j++) assert_true(isnan(y[j]));
    assert_memory_equal(y + 3, shared, sizeof shared);
    log_softmax_rows(y, x, 2, 3, 1);
    for (int j = 0; j < 3; j++) assert_true(isnan(y[j]));
    assert_true(y[3] == -INFINITY);
    assert_near(y[4], log(0.5), 1e-7);
}

/* Against libm's exp in double, over the whole range that does not vanish. */
static void test_exponential(void **state) {
    Arena *arena = *state;
    enum { COUNT = 4001 };
    float *x = ARENA_ARRAY(arena, float, COUNT), *y = ARENA_ARRAY(arena, float, COUNT);
    double sum = 0;
    for (int j = 0; j < COUNT; j++) x[j] = -(float)j * (110.0f / COUNT);
    for (int j = 0; j < COUNT; j++) sum += exp((double)x[j]);
    softmax_rows(y, x, 1, COUNT, 1);
    for (int j = 0; j < COUNT; j++) {
        double want = exp((double)x[j]) / sum;
        assert_near(y[j], want, 1.5e-7 * want + 2e-45);
    }
}

static void test_log_softmax(void **state) {
    (void)state;
    const float x[] = {1, 2, 3, -INFINITY, 0, -20000}, want = -0.40760597f;
    float y[6];
    log_softmax_rows(y, x, 2, 3, 1);
    assert_near(y[2], want, 1e-7);
    assert_near(y[0], want - 2, 1e-6);
    assert_true(y[3] == -INFINITY && y[4] == 0 && y[5] == -20000);
    const float nothing[] = {-INFINITY, -INFINITY};
    log_softmax_rows(y, nothing, 1, 2, 1);
    assert_true(y[0] == -INFINITY && y[1] == -INFINITY);
}

enum { ROWS = 3, COLUMNS = 5 };

typedef struct Problem {
    float *x, *dy;
    float temperature;
} Problem;

static double loss(void *context) {
    const Problem *problem = context;
    float y[ROWS * COLUMNS];
    softmax_rows(y, problem->x, ROWS, COLUMNS, problem->temperature);
    return weighted_sum(y, problem->dy, ROWS * COLUMNS);
}

static void test_backward(void **state) {
    Arena *arena = *state;
    const int n = ROWS * COLUMNS;
    Problem problem = {normals(arena, n, 1), normals(arena, n, 2), 0.7f};
    float y[ROWS * COLUMNS], dx[ROWS * COLUMNS] = {0};
    softmax_rows(y, problem.x, ROWS, COLUMNS, problem.temperature);
    softmax_rows_backward(dx, y, problem.dy, ROWS, COLUMNS, problem.temperature);
    check_gradient(loss, &problem, problem.x, dx, n, 2e-4);
}

/* The bits themselves: they are to be the same for every compiler and processor. */
static void test_bits(void **state) {
    (void)state;
    const float x[] = {0.1f, -1.7f, 2.25f, 0.3f};
    const float want[] = {0x1.75543p-4f, 0x1.edafcep-7f, 0x1.909f36p-1f, 0x1.c7fc22p-4f};
    float y[4];
    softmax_rows(y, x, 1, 4, 1);
    for (int j = 0; j < 4; j++)
        if (y[j] != want[j])
            fail_msg("element %d: got %a, want %a", j, (double)y[j], (double)want[j]);
}

/* Rows of every length around a vector, made with whole numbers only. */
static void test_bits_of_rows(void **state) {
    (void)state;
    enum { MOST = 41 };
    const uint64_t want = 0x019250bd10b95ebcu;
    Rng rng = rng_seed(8);
    float y[MOST * (MOST + 1) / 2];
    int count = 0;
    for (int columns = 1; columns <= MOST; columns++) {
        float *row = y + count;
        for (int j = 0; j < columns; j++) row[j] = (float)((int)rng_below(&rng, 20001)) / 512;
        softmax_rows(row, row, 1, columns, 0.7f);
        count += columns;
    }
    if (hash_floats(y, count) != want)
        fail_msg("0x%llx", (unsigned long long)hash_floats(y, count));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_A17_large_scores),
                                       cmocka_unit_test(test_A17_tiny_temperature),
                                       cmocka_unit_test(test_temperature),
                                       cmocka_unit_test(test_A1_row_of_nothing),
                                       cmocka_unit_test(test_blocked_is_exactly_zero),
                                       cmocka_unit_test(test_equal_scores_are_uniform),
                                       cmocka_unit_test(test_nan_and_infinity),
                                       WITH_ARENA(test_exponential),
                                       cmocka_unit_test(test_log_softmax),
                                       WITH_ARENA(test_backward),
                                       cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_bits_of_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
