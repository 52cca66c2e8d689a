/* ALiBi, T5 and clipped relative positions. */
#include "core/relative.h"

#include "numbers.h"

#include <limits.h>
#include <string.h>

static void test_B8_slopes(void **state) {
    (void)state;
    const double six[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    const double more[] = {0.707107, 0.353553, 0.176777, 0.088388};
    float eight[8], slopes[12];
    alibi_slopes(eight, 8);
    for (int h = 0; h < 8; h++) assert_true(eight[h] == 1.0f / (float)(2 << h));
    alibi_slopes(slopes, 6);
    assert_all_near(slopes, six, 6, 0);
    alibi_slopes(slopes, 12);
    assert_memory_equal(slopes, eight, sizeof eight);
    assert_all_near(slopes + 8, more, 4, 1e-6);
}

static void test_B8_bias_at_distance_3(void **state) {
    (void)state;
    float slopes[8], bias[16];
    RelativeMap map = {4, 4, 0};
    alibi_slopes(slopes, 8);
    alibi_bias(bias, slopes[0], map, ALIBI_SYMMETRIC);
    assert_true(bias[12] == -1.5f && bias[3] == -1.5f && bias[5] == 0 && !signbit(bias[5]));
    alibi_bias(bias, slopes[0], map, ALIBI_SIGNED);
    assert_true(bias[12] == -1.5f && bias[3] == 1.5f);
}

static void test_alibi_behind_a_cache(void **state) {
    (void)state;
    float bias[2 * 4];
    alibi_bias(bias, 0.5f, (RelativeMap){2, 4, 2}, ALIBI_SYMMETRIC);
    assert_memory_equal(bias, ((float[]){-1, -0.5f, 0, -0.5f, -1.5f, -1, -0.5f, 0}), sizeof bias);
}

static void test_B9_both_directions(void **state) {
    (void)state;
    const T5Buckets rule = {true, 32, 128};
    const int relative[] = {0, 1, -1, 8, -8, 128, -128}, want[] = {0, 17, 1, 24, 8, 31, 15};
    for (int n = 0; n < 7; n++) assert_int_equal(t5_bucket(rule, relative[n]), want[n]);
}

static void test_B9_causal(void **state) {
    (void)state;
    const T5Buckets rule = {false, 32, 128};
    const int relative[] = {1, -1, -16, -32, -64, -128}, want[] = {0, 1, 16, 21, 26, 31};
    for (int n = 0; n < 6; n++) assert_int_equal(t5_bucket(rule, relative[n]), want[n]);
}

static void test_t5_ends(void **state) {
    (void)state;
    const T5Buckets both = {true, 32, 128}, causal = {false, 8, 20};
    assert_int_equal(t5_bucket(both, INT_MAX), 31);
    assert_int_equal(t5_bucket(both, INT_MIN), 15);
    assert_int_equal(t5_bucket(causal, INT_MIN), 7);
    assert_int_equal(t5_bucket(causal, INT_MAX), 0);
    for (int d = 1; d < 300; d++) assert_true(t5_bucket(causal, -d) >= t5_bucket(causal, 1 - d));
}

static void test_t5_bias(void **state) {
    (void)state;
    const T5Buckets rule = {true, 4, 8}; /* n = 2 a direction: itself, behind, -, ahead */
    const float table[] = {0, 100, 1, 101, 2, 102, 3, 103};
    float bias[4];
    t5_bias(bias, table, 2, 1, rule, (RelativeMap){2, 2, 0});
    assert_memory_equal(bias, ((float[]){100, 103, 101, 100}), sizeof bias);
    t5_bias(bias, table, 2, 0, rule, (RelativeMap){1, 4, 2});
    assert_memory_equal(bias, ((float[]){1, 1, 0, 3}), sizeof bias);
}

static void test_bad_rules(void **state) {
    (void)state;
    const struct {
        T5Buckets rule;
        const char *says;
    } bad[] = {{{true, 2, 128}, "4 buckets or more, found 2"},
               {{true, 7, 128}, "an even number of 4 buckets or more, found 7"},
               {{false, 1, 128}, "2 buckets or more, found 1"},
               {{true, 32, 8}, "above 8"},
               {{false, 32, 0}, "above 16"}};
    for (size_t n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        Err err = {0};
        assert_false(t5_check(bad[n].rule, &err));
        if (!strstr(err.text, bad[n].says)) fail_msg("\"%s\"", err.text);
    }
    Err err = {0};
    assert_false(alibi_check(0, &err));
    assert_non_null(strstr(err.text, "at least 1 head, found 0"));
    assert_false(shaw_check(-1, &err));
    assert_non_null(strstr(err.text, "0 or more, found -1"));
    assert_true(alibi_check(1, NULL) && shaw_check(0, NULL));
    assert_true(t5_check((T5Buckets){true, 4, 2}, NULL));
    assert_true(t5_check((T5Buckets){false, 2, 2}, NULL));
}

static void test_shaw_index_and_table(void **state) {
    (void)state;
    const float table[] = {10, 11, 12};
    float bias[9];
    assert_int_equal(shaw_index(-9, 2), 0);
    assert_int_equal(shaw_index(-2, 2), 0);
    assert_int_equal(shaw_index(1, 2), 3);
    assert_int_equal(shaw_index(INT_MAX, 2), 4);
    assert_int_equal(shaw_index(INT_MIN, 0), 0);
    shaw_bias(bias, table, 1, 0, 1, (RelativeMap){3, 3, 0});
    assert_memory_equal(bias, ((float[]){11, 12, 12, 10, 11, 12, 10, 10, 11}), sizeof bias);
}

static void test_shaw_keys_and_values(void **state) {
    (void)state;
    const float q[] = {1, 2, 3, 4}, rel[] = {1, 0, 0, 0, 0, 1}; /* behind, itself, ahead */
    const float weights[] = {0.25f, 0.75f, 0.5f, 0.5f};
    float bias[4], output[] = {100, 100, 100, 100};
    RelativeMap map = {2, 2, 0};
    shaw_key_bias(bias, q, rel, 2, 0.5f, 1, map);
    assert_memory_equal(bias, ((float[]){0, 1, 1.5f, 0}), sizeof bias);
    shaw_value_add(output, weights, rel, 2, 1, map);
    assert_memory_equal(output, ((float[]){100, 100.75f, 100.5f, 100}), sizeof output);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_B8_slopes),
                                       cmocka_unit_test(test_B8_bias_at_distance_3),
                                       cmocka_unit_test(test_alibi_behind_a_cache),
                                       cmocka_unit_test(test_B9_both_directions),
                                       cmocka_unit_test(test_B9_causal),
                                       cmocka_unit_test(test_t5_ends),
                                       cmocka_unit_test(test_t5_bias),
                                       cmocka_unit_test(test_bad_rules),
                                       cmocka_unit_test(test_shaw_index_and_table),
                                       cmocka_unit_test(test_shaw_keys_and_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
