/* Masks against what each row is to see, written out. */
#include "core/mask.h"

#include "numbers.h"

#include <string.h>

enum { CELLS_MAX = 512 };

/* rows is one text a row: "1" allowed, "." blocked. */
static void assert_mask(const uint8_t *allowed, int T, int S, const char *const *rows) {
    for (int i = 0; i < T; i++) {
        char row[64] = {0};
        for (int j = 0; j < S; j++) row[j] = allowed[i * S + j] ? '1' : '.';
        assert_string_equal(row, rows[i]);
    }
}

static void causal(uint8_t *allowed, int T, int S, MaskAlign align) {
    mask_all(allowed, T, S);
    mask_causal(allowed, T, S, align);
}

static void test_A4_square_causal(void **state) {
    (void)state;
    const char *const rows[] = {"1...", "11..", "111.", "1111"};
    uint8_t allowed[CELLS_MAX];
    causal(allowed, 4, 4, MASK_TOP_LEFT);
    assert_mask(allowed, 4, 4, rows);
    causal(allowed, 4, 4, MASK_BOTTOM_RIGHT);
    assert_mask(allowed, 4, 4, rows);
}

static void test_A6_two_alignments(void **state) {
    (void)state;
    uint8_t allowed[CELLS_MAX];
    causal(allowed, 2, 5, MASK_TOP_LEFT);
    assert_mask(allowed, 2, 5, (const char *const[]){"1....", "11..."});
    causal(allowed, 2, 5, MASK_BOTTOM_RIGHT);
    assert_mask(allowed, 2, 5, (const char *const[]){"1111.", "11111"});
    causal(allowed, 5, 2, MASK_BOTTOM_RIGHT);
    assert_mask(allowed, 5, 2, (const char *const[]){"..", "..", "..", "1.", "11"});
    causal(allowed, 5, 2, MASK_TOP_LEFT);
    assert_mask(allowed, 5, 2, (const char *const[]){"1.", "11", "11", "11", "11"});
    causal(allowed, 1, 8, MASK_BOTTOM_RIGHT);
    assert_mask(allowed, 1, 8, (const char *const[]){"11111111"});
}

static void test_A7_window_counts(void **state) {
    (void)state;
    uint8_t allowed[CELLS_MAX];
    mask_all(allowed, 6, 6);
    mask_window(allowed, 6, 6, 2, 0, MASK_TOP_LEFT); /* 3 keys, self counted */
    assert_mask(allowed, 6, 6,
                (const char *const[]){"1.....", "11....", "111...", ".111..", "..111.", "...111"});
    assert_int_equal(mask_row_count(allowed, 5, 6), 3);
    mask_all(allowed, 6, 6);
    mask_window(allowed, 6, 6, 3, 0, MASK_TOP_LEFT); /* 3 keys before self */
    assert_mask(allowed + 30, 1, 6, (const char *const[]){"..1111"});
    assert_int_equal(mask_row_count(allowed, 5, 6), 4);
}

static void test_A8_two_sided_window(void **state) {
    (void)state;
    uint8_t allowed[CELLS_MAX];
    mask_all(allowed, 16, 16);
    mask_window(allowed, 16, 16, 2, 4, MASK_TOP_LEFT);
    assert_mask(allowed + 160, 1, 16, (const char *const[]){"........1111111."});
}

static void test_window_of_any_width(void **state) {
    (void)state;
    uint8_t allowed[CELLS_MAX];
    mask_all(allowed, 3, 5);
    mask_window(allowed, 3, 5, INT32_MAX, INT32_MAX, MASK_BOTTOM_RIGHT);
    assert_mask(allowed, 3, 5, (const char *const[]){"11111", "11111", "11111"});
    mask_window(allowed, 3, 5, 1, 0, MASK_BOTTOM_RIGHT);
    assert_mask(allowed, 3, 5, (const char *const[]){".11..", "..11.", "...11"});
}

static void test_A10_left_padding(void **state) {
    (void)state;
    const uint8_t valid[] = {0, 0, 1, 1};
    uint8_t allowed[CELLS_MAX];
    causal(allowed, 4, 4, MASK_TOP_LEFT);
    mask_padding(allowed, valid, 4, 4);
    assert_mask(allowed, 4, 4, (const char *const[]){"....", "....", "..1.", "..11"});
    assert_int_equal(mask_row_count(allowed, 0, 4), 0);
}

static void test_A11_padding_hides_keys(void **state) {
    (void)state;
    const uint8_t valid[] = {1, 1, 0};
    uint8_t allowed[CELLS_MAX];
    mask_all(allowed, 3, 3);
    mask_padding(allowed, valid, 3, 3);
    assert_mask(allowed, 3, 3, (const char *const[]){"11.", "11.", "11."});
}

static void test_and_keeps_what_both_allow(void **state) {
    (void)state;
    const uint8_t other[] = {1, 0, 7, 1};
    uint8_t allowed[] = {1, 1, 1, 0};
    mask_and(allowed, other, 2, 2);
    assert_mask(allowed, 2, 2, (const char *const[]){"1.", "1."});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_A4_square_causal),
                                       cmocka_unit_test(test_A6_two_alignments),
                                       cmocka_unit_test(test_A7_window_counts),
                                       cmocka_unit_test(test_A8_two_sided_window),
                                       cmocka_unit_test(test_window_of_any_width),
                                       cmocka_unit_test(test_A10_left_padding),
                                       cmocka_unit_test(test_A11_padding_hides_keys),
                                       cmocka_unit_test(test_and_keeps_what_both_allow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
