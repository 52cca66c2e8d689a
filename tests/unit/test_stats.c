/* What a row of weights says. */
#include "core/stats.h"

#include "numbers.h"

#include <string.h>

static void test_A19_entropy(void **state) {
    (void)state;
    const float rows[3][4] = {{1, 0, 0, 0}, {0.5f, 0.5f, 0, 0}, {0.25f, 0.25f, 0.25f, 0.25f}};
    const double nats[] = {0, 0.693147, 1.386294}, bits[] = {0, 1, 2};
    for (int i = 0; i < 3; i++) {
        RowStats stats = stats_row(rows[i], NULL, i, 4);
        assert_near(stats.entropy_nats, nats[i], 1e-6);
        assert_near(stats.entropy_bits, bits[i], 1e-9);
        assert_near(stats.entropy_of_all, bits[i] / 2, 1e-9);
        assert_false(signbit(stats.entropy_nats));
    }
}

static void test_A19_blocked_keys_do_not_count(void **state) {
    (void)state;
    const float third = 1.0f / 3, row[] = {third, third, third, 0};
    const uint8_t allowed[] = {1, 1, 1, 0};
    RowStats stats = stats_row(row, allowed, 2, 4);
    assert_near(stats.entropy_nats, 1.098612, 1e-6);
    assert_near(stats.entropy_of_allowed, 1, 1e-7);
    assert_near(stats.entropy_of_all, log(3) / log(4), 1e-7);
    assert_int_equal(stats.allowed, 3);
}

static void test_nothing_to_choose(void **state) {
    (void)state;
    const float one = 1, none[] = {0, 0, 0};
    const uint8_t first[] = {1, 0, 0}, blocked[] = {0, 0, 0};
    assert_true(stats_row(&one, NULL, 0, 1).entropy_of_all == 0);
    assert_true(stats_row(none, first, 0, 3).entropy_of_allowed == 0);
    RowStats stats = stats_row(none, blocked, 2, 3);
    assert_true(stats.sum == 0 && stats.entropy_nats == 0 && stats.entropy_of_allowed == 0);
    assert_true(stats.argmax == 0 && stats.max == 0 && stats.allowed == 0);
}

/* Rows are taken as given: the sum of a row after dropout is told, not mended. */
static void test_A14_row_sum(void **state) {
    (void)state;
    const float row[] = {1.25f, 0, 0, 0};
    RowStats stats = stats_row(row, NULL, 0, 4);
    assert_true(stats.sum == 1.25 && stats.max == 1.25f);
}

static void test_distance_and_largest(void **state) {
    (void)state;
    const float row[] = {0.1f, 0.4f, 0.1f, 0.4f};
    RowStats stats = stats_row(row, NULL, 2, 4);
    assert_near(stats.mean_distance, 0.2 + 0.4 + 0 + 0.4, 1e-7);
    assert_int_equal(stats.argmax, 1);
}

static void test_top_keys(void **state) {
    (void)state;
    const float row[] = {0.1f, 0.3f, 0.1f, 0.4f, 0.1f};
    int order[5];
    assert_int_equal(stats_top_keys(row, 5, order, 5), 5);
    assert_memory_equal(order, ((int[]){3, 1, 0, 2, 4}), sizeof order);
    memset(order, 0xFF, sizeof order);
    assert_int_equal(stats_top_keys(row, 5, order, 3), 3);
    assert_memory_equal(order, ((int[]){3, 1, 0, -1, -1}), sizeof order);
    assert_int_equal(stats_top_keys(row, 2, order, 5), 2);
    assert_int_equal(stats_top_keys(row, 5, order, 0), 0);
}

/* NaN compares with nothing: it must not part the list, nor stay the largest. */
static void test_nan_is_last(void **state) {
    (void)state;
    const float row[] = {NAN, 0.1f, NAN, 0.5f, 0.2f};
    int order[5];
    assert_int_equal(stats_top_keys(row, 5, order, 5), 5);
    assert_memory_equal(order, ((int[]){3, 4, 1, 0, 2}), sizeof order);
    RowStats stats = stats_row(row, NULL, 0, 5);
    assert_true(stats.argmax == 3 && stats.max == 0.5f);
    assert_true(isnan(stats_row(row, NULL, 0, 1).max));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_A19_entropy),
                                       cmocka_unit_test(test_A19_blocked_keys_do_not_count),
                                       cmocka_unit_test(test_nothing_to_choose),
                                       cmocka_unit_test(test_nan_is_last),
                                       cmocka_unit_test(test_A14_row_sum),
                                       cmocka_unit_test(test_distance_and_largest),
                                       cmocka_unit_test(test_top_keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
