/* Counts of what attention costs. */
#include "core/cost.h"

#include "numbers.h"

static const CostShape SHAPE = {.H = 12, .K = 64};

static void test_attention(void **state) {
    (void)state;
    Cost cost = cost_attention(SHAPE, 4096);
    assert_true(cost.score_entries == 12.0 * 4096 * 4096);
    assert_true(cost.multiply_adds == 2.0 * 64 * 12 * 4096 * 4096);
    assert_true(cost.bytes == 805306368);
    assert_true(cost_attention(SHAPE, 8192).bytes == 4 * cost.bytes);
    assert_true(cost_rectangle(SHAPE, 2, 5).score_entries == 120);
}

static void test_steps(void **state) {
    (void)state;
    assert_true(cost_projection(SHAPE, 1) == 4.0 * 768 * 768);
    assert_true(cost_step_cached(SHAPE, 0) == cost_step_again(SHAPE, 0));
    assert_true(cost_step_cached(SHAPE, 9) == 4.0 * 768 * 768 + 2.0 * 768 * 10);
    assert_true(cost_step_again(SHAPE, 9) == 40.0 * 768 * 768 + 2.0 * 768 * 100);
    assert_true(cost_cache_bytes(SHAPE, 10) == 2.0 * 4 * 10 * 768);
}

static void test_paths(void **state) {
    (void)state;
    assert_true(cost_path_recurrent(1000) == 1000);
    assert_true(cost_path_convolution(1000, 3) == 334);
    assert_true(cost_path_convolution(999, 3) == 333);
    assert_true(cost_path_attention(1000) == 1);
    assert_true(cost_path_recurrent(0) == 0 && cost_path_convolution(0, 3) == 0);
    assert_true(cost_path_attention(0) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attention),
                                       cmocka_unit_test(test_steps), cmocka_unit_test(test_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
