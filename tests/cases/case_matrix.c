/* The cases whose input is a matrix: numbers out of `heed numbers matrix`, as JSON, CSV and NPY. */
#include "tool.h"

#include <math.h>
#include <string.h>

static void test_A17_large_scores(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1000 1001 1002");
    const double want[] = {0.090031, 0.244728, 0.665241};
    for (int i = 0; i < 3; i++) assert_close(json_cell(n, 0, i), want[i], 1e-6);
}

static void test_A17_tiny_temperature(void **state) {
    json_t *n =
        HEED_JSON(*state, "numbers", "matrix", "--scores", "2 4 3", "--temperature", "1e-38");
    for (int i = 0; i < 3; i++) {
        assert_close(json_cell(n, 0, i), i == 1, 0);
        assert_string_equal(json_state(n, 0, i), "ok");
    }
}

static void test_C1_equal_labels_stay_apart(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "1 2 3; 4 5 6; 7 8 9",
                          "--query-labels", "the cat the", "--key-labels", "the cat the");
    assert_int_equal(json_rows(n), 3);
    assert_int_equal(json_columns(n), 3);
    assert_close(json_cell(n, 2, 0), 7, 0);
    assert_close(json_cell(n, 0, 2), 3, 0);
    assert_string_equal(json_text(n, "key", 0), "the");
    assert_string_equal(json_text(n, "key", 2), "the");
}

static void test_C8_blank_labels_from_a_file(void **state) {
    static const char lines[] = " \n\t\n\na\n";
    tool_write(*state, "labels", lines, sizeof lines - 1);
    json_t *n =
        HEED_JSON(*state, "numbers", "matrix", "--scores", "1 2 3 4", "--key-labels", "@labels");
    const char *const want[] = {" ", "\t", "", "a"};
    for (int i = 0; i < 4; i++) assert_string_equal(json_text(n, "key", i), want[i]);
}

static void test_C13_rows_are_queries(void **state) {
    const char *const weights = "0.16666667 0.33333334 0.5; 0.6666667 0.8333333 1";
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", weights);
    assert_string_equal(json_text(n, "axes", 0), "query");
    assert_string_equal(json_text(n, "axes", 1), "key");
    assert_int_equal(json_rows(n), 2);
    assert_int_equal(json_columns(n), 3);
    assert_close(json_cell(n, 1, 2), 1, 0);
    assert_close(json_cell(n, 0, 2), 0.5, 0);
    Run csv = HEED_OK(*state, "numbers", "matrix", "--weights", weights, "--format", "csv");
    assert_non_null(strstr(csv.out, "0.6666667,0.8333333,1\n"));
}

static void test_C14_wrong_number_of_labels(void **state) {
    const char *const six = "1 2 3 4 5 6; 1 2 3 4 5 6; 1 2 3 4 5 6; 1 2 3 4 5 6; 1 2 3 4 5 6; "
                            "1 2 3 4 5 6";
    HEED_REFUSES(*state, 0, "5", "numbers", "matrix", "--weights", six, "--key-labels",
                 "a b c d e");
    HEED_REFUSES(*state, 0, "6", "numbers", "matrix", "--weights", six, "--query-labels",
                 "a b c d e");
    HEED_REFUSES(*state, 0, "BOS or EOS", "export", "matrix", "--weights", six, "--key-labels",
                 "a b c d e", "-o", "x.png");
}

static void test_D1_numbers_stay_when_colours_skip_a_key(void **state) {
    const double want[] = {0.97, 0.01, 0.015, 0.005};
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "0.97 0.01 0.015 0.005",
                          "--range", "skip", "--skip-key", "0");
    for (int i = 0; i < 4; i++) assert_close(json_cell(n, 0, i), want[i], 1e-8);
}

static void test_D4_not_finite(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "0 nan; -inf 0.5; inf 1");
    const char *const want[] = {"ok", "nan", "-inf", "ok", "+inf", "ok"};
    for (int i = 0; i < 6; i++) assert_string_equal(json_state(n, i / 2, i % 2), want[i]);
    assert_true(isnan(json_cell(n, 0, 1)));
    assert_close(json_cell(n, 1, 1), 0.5, 0);
    Run csv = HEED_OK(*state, "numbers", "matrix", "--weights", "0 nan; -inf 0.5; inf 1",
                      "--format", "csv");
    assert_non_null(strstr(csv.out, ",0,nan\n"));
    assert_non_null(strstr(csv.out, ",-inf,0.5\n"));
    assert_non_null(strstr(csv.out, ",inf,1\n"));
}

static void test_D12_the_weight_itself(void **state) {
    const char *const weights = "0.5 0.5; 0.25 0.75";
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", weights);
    assert_close(json_cell(n, 1, 1), 0.75, 0);
    Run npy = HEED_OK(*state, "numbers", "matrix", "--weights", weights, "--format", "npy");
    assert_int_equal(npy.out_length % 4, 0);
    float last;
    memcpy(&last, npy.out + npy.out_length - sizeof last, sizeof last);
    assert_true(last == 0.75f);
}

static void test_E15_no_mask_hides_nothing(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0");
    for (int i = 0; i < 9; i++) {
        assert_close(json_cell(n, i / 3, i % 3), 1 / 3.0, 1e-7);
        assert_string_equal(json_state(n, i / 3, i % 3), "ok");
    }
}

/* What is typed comes back as the same float32. */
static void test_weights_come_back_exactly(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights",
                          "0.1 0.3333333432674408 1e-30 0.99999994", "--stage", "weights");
    const float want[] = {0.1f, 1 / 3.0f, 1e-30f, 0.99999994f};
    for (int i = 0; i < 4; i++) assert_true((float)json_cell(n, 0, i) == want[i]);
}

static void test_row_sums(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1 2 3; 0 0 0");
    for (size_t i = 0; i < 2; i++)
        assert_close(json_number_value(json_array_get(json_object_get(n, "row_sums"), i)), 1, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_A17_large_scores),
        TOOL_TEST(test_A17_tiny_temperature),
        TOOL_TEST(test_C1_equal_labels_stay_apart),
        TOOL_TEST(test_C8_blank_labels_from_a_file),
        TOOL_TEST(test_C13_rows_are_queries),
        TOOL_TEST(test_C14_wrong_number_of_labels),
        TOOL_TEST(test_D1_numbers_stay_when_colours_skip_a_key),
        TOOL_TEST(test_D4_not_finite),
        TOOL_TEST(test_D12_the_weight_itself),
        TOOL_TEST(test_E15_no_mask_hides_nothing),
        TOOL_TEST(test_weights_come_back_exactly),
        TOOL_TEST(test_row_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
