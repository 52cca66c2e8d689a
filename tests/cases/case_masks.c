/* The cases of masks: what numbers say under every mask, what the health panel finds in weights
 * that were given, and that blocked, zero and undefined cells look different. */
#include "tool.h"

#include "draw/color.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* seen: a letter for each cell of a row, x where a number stands and . where none does. */
static void expect_row(const json_t *numbers, int row, const char *seen) {
    assert_int_equal(json_columns(numbers), (int)strlen(seen));
    for (int j = 0; seen[j]; j++)
        if ((strcmp(json_state(numbers, row, j), "ok") == 0) != (seen[j] == 'x'))
            fail_msg("row %d, key %d is %s", row, j, json_state(numbers, row, j));
}

static void expect_note(const json_t *numbers, const char *part) {
    const json_t *notes = json_object_get(numbers, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (strstr(json_string_value(json_array_get(notes, i)), part)) return;
    fail_msg("no note has \"%s\"", part);
}

static double row_sum(const json_t *numbers, size_t row) {
    return json_number_value(json_array_get(json_object_get(numbers, "row_sums"), row));
}

/* ---- rows without a key, and stand-ins ---- */

static void test_A1_a_row_without_a_key(void **state) {
#define BLOCKED "numbers", "matrix", "--scores", "1 2 3; 0 0 0", "--blocked", "0,0;0,1;0,2"
    json_t *n = HEED_JSON(*state, BLOCKED);
    for (int j = 0; j < 3; j++) {
        assert_string_equal(json_state(n, 0, j), "undefined");
        assert_close(json_cell(n, 1, j), 1 / 3.0, 1e-7);
    }
    assert_close(row_sum(n, 0), 0, 0);
    expect_note(n, "Row 0 has no key allowed");
    n = HEED_JSON(*state, BLOCKED, "--v", "1 2; 3 4; 5 6", "--stage", "output");
    for (int j = 0; j < 2; j++) {
        assert_close(json_cell(n, 0, j), 0, 0);
        assert_close(json_cell(n, 1, j), 3 + j, 1e-6);
    }
    static const char *const fills[] = {"-inf", "lowest", "-1e9", "-1e4"};
    for (int i = 0; i < 4; i++) {
        n = HEED_JSON(*state, BLOCKED, "--fill", fills[i]);
        assert_string_equal(json_state(n, 0, 0), "undefined");
        n = HEED_JSON(*state, BLOCKED, "--fill", fills[i], "--stage", "softmax");
        assert_string_equal(json_state(n, 0, 0), i == 0 ? "undefined" : "ok");
        if (i > 0) assert_close(json_cell(n, 0, 0), 1 / 3.0, 1e-7);
        expect_note(n, "Row 0 has no key allowed");
    }
}

static void test_A2_a_finite_stand_in(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 0 0 0; 0 20000 0 0", "--bias",
                          "-1e9 -1e9 -1e9 -1e9; 0 -10000 0 -10000");
    for (int j = 0; j < 4; j++) assert_close(json_cell(n, 0, j), 0.25, 0);
    assert_close(json_cell(n, 1, 1), 1, 0);
    assert_string_equal(json_state(n, 1, 1), "ok");
    expect_note(n, "In row 0 all keys are blocked by a finite value");
    expect_note(n, "With -inf the row is undefined");
    expect_note(n, "too small: key 1 of row 1, which it should block, has weight 1");
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 20000 0 0", "--blocked", "0,1;0,3",
                  "--fill", "-1e4", "--bias", "0 0 0 0", "--stage", "softmax");
    assert_close(json_cell(n, 0, 0), 0.5, 0);
}

/* ---- what is found in weights that are given ---- */

static void test_A4_mask_after_softmax(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores",
                          "0 0 0 0; 0 0 0 0; 0 0 0 0; 0 0 0 0", "--mask", "causal");
    expect_row(n, 1, "xx..");
    assert_close(json_cell(n, 1, 0), 0.5, 0);
    assert_close(row_sum(n, 1), 1, 0);
    n = HEED_JSON(*state, "numbers", "matrix", "--weights",
                  "0.25 0 0 0; 0.25 0.25 0 0; 0.25 0.25 0.25 0; 0.25 0.25 0.25 0.25");
    assert_close(row_sum(n, 1), 0.5, 0);
    expect_note(n, "row 1 sums to 0.5");
    expect_note(n, "a mask applied after softmax");
}

static void test_A14_weights_after_dropout(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "1.25 0 0 0");
    assert_close(json_cell(n, 0, 0), 1.25, 0);
    expect_note(n, "Row 0 sums to 1.25: it looks like dropout left in");
    /* Above the scale, a sign beside the colour of its end. */
    Picture over = HEED_PICTURE(*state, "a.png", "matrix", "--weights", "1.25 0 0 0");
    Picture full = HEED_PICTURE(*state, "b.png", "matrix", "--weights", "1 0 0 0");
    assert_true(over.high == 1 && picture_cell(&over, 0, 0) == picture_cell(&full, 0, 0));
    assert_false(pictures_equal(&over, &full));
}

static void test_what_is_suspected(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "0.5 0.2; 0.5 0.8");
    expect_note(n, "softmax went along the wrong axis");
    n = HEED_JSON(*state, "numbers", "matrix", "--weights", "1.5 -0.5");
    expect_note(n, "below 0: these are not probabilities");
    n = HEED_JSON(*state, "numbers", "matrix", "--weights", "0.5 0.5; 0.25 0.75", "--mask",
                  "causal");
    expect_note(n, "0.5 of weight lies under the mask");
    n = HEED_JSON(*state, "numbers", "matrix", "--weights", "nan 1; inf 0");
    expect_note(n, "1 NaN and 1 infinite among 4 numbers");
    n = HEED_JSON(*state, "numbers", "matrix", "--weights", "-inf 0.5 inf; -inf nan 1");
    expect_note(n, "1 NaN and 3 infinite among 6 numbers");
}

static void test_A19_entropy_with_zeros(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights",
                          "1 0 0 0; 0.5 0.5 0 0; 0.25 0.25 0.25 0.25");
    expect_note(n, "Entropy is 50 % of log(keys allowed) on average, from 0 % (row 0) to 100 %");
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 0 0 0; 0 0 0 0; 0 0 0 0; 0 0 0 0",
                  "--mask", "causal");
    expect_note(n, "Entropy is 100 % of log(keys allowed) on average");
}

/* ---- kinds of masks ---- */

static void test_A6_two_alignments(void **state) {
#define FIVE "numbers", "masks", "--text", "a b c d e"
    json_t *n = HEED_JSON(*state, FIVE, "--queries", "2", "--keys", "5");
    expect_row(n, 0, "x....");
    expect_row(n, 1, "xx...");
    n = HEED_JSON(*state, FIVE, "--queries", "2", "--keys", "5", "--align", "bottom-right");
    expect_row(n, 0, "xxxx.");
    expect_row(n, 1, "xxxxx");
    n = HEED_JSON(*state, FIVE, "--queries", "5", "--keys", "2");
    expect_row(n, 0, "x.");
    for (int i = 1; i < 5; i++) expect_row(n, i, "xx");
    n = HEED_JSON(*state, FIVE, "--queries", "5", "--keys", "2", "--align", "bottom-right");
    for (int i = 0; i < 3; i++) assert_string_equal(json_state(n, i, 0), "undefined");
    expect_row(n, 3, "x.");
    expect_row(n, 4, "xx");
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1 2 3 4 5 6 7 8", "--mask", "causal",
                  "--align", "bottom-right");
    expect_row(n, 0, "xxxxxxxx");
}

static void test_A7_A8_edges_of_a_window(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e f", "--mask", "window");
    expect_row(n, 5, "...xxx");
    expect_note(n, "3 keys allowed in rows 3 to 5");
    n = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e f", "--mask", "window",
                  "--window-counts-self", "off");
    expect_row(n, 5, "..xxxx");
    expect_note(n, "4 keys allowed in rows 4 to 5");
    n = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e f g h i j k l m n o p", "--mask",
                  "window", "--window", "2", "--window-counts-self", "off", "--window-right", "4");
    expect_row(n, 10, "........xxxxxxx.");
}

static void test_A10_left_padding(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "masks", "--text", "a b", "--mask", "causal+padding",
                          "--pad", "2", "--pad-side", "left");
    json_t *plain = HEED_JSON(*state, "numbers", "masks", "--text", "a b", "--mask", "causal");
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 2; i++) assert_string_equal(json_state(n, i, j), "undefined");
    expect_row(n, 2, "..x.");
    expect_row(n, 3, "..xx");
    for (int j = 0; j < 2; j++) assert_close(json_cell(n, 3, 2 + j), json_cell(plain, 1, j), 0);
    expect_note(n, "row 2 is position 0");
}

static uint32_t spread(uint32_t color) {
    uint32_t r = color >> 16, g = color >> 8 & 0xFF, b = color & 0xFF;
    uint32_t high = r > g ? r : g, low = r < g ? r : g;
    return (high > b ? high : b) - (low < b ? low : b);
}

/* Keys are hidden, queries are not, but their rows have hardly any hue. */
static void test_A11_padding_hides_keys(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0", "--mask",
                          "padding", "--pad", "1");
    for (int i = 0; i < 3; i++) {
        expect_row(n, i, "xx.");
        assert_close(json_cell(n, i, 0), 0.5, 0);
    }
    expect_note(n, "Padding hides keys, not queries");
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0", "--mask",
                             "padding", "--pad", "1");
    assert_true(4 * spread(picture_cell(&p, 2, 0)) < spread(picture_cell(&p, 1, 0)));
    assert_close(color_luminance(picture_cell(&p, 2, 0)), color_luminance(picture_cell(&p, 1, 0)),
                 0.02);
}

static void test_A13_scale_of_a_head(void **state) {
#define TWO_HEADS                                                                                  \
    "--heads", "2", "--q", "2 0 0 0 0 0 0 0", "--k", "2 0 0 0 0 0 0 0; 0 0 0 0 0 0 0 0"
    json_t *n = HEED_JSON(*state, "numbers", "matrix", TWO_HEADS, "--stage", "scores");
    assert_close(json_cell(n, 0, 0), 4, 0);
    n = HEED_JSON(*state, "numbers", "matrix", TWO_HEADS, "--stage", "scaled");
    assert_close(json_cell(n, 0, 0), 2, 0);
    n = HEED_JSON(*state, "numbers", "matrix", TWO_HEADS);
    assert_close(json_cell(n, 0, 0), 0.880797, 1e-6);
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1.41421356 0");
    assert_close(json_cell(n, 0, 1), 0.195570, 1e-6);
}

/* ---- what it looks like ---- */

/* How far light and dark are apart in a cell: nothing in a plain one, the stripes in a hatch. */
static double stripes(const Picture *p, int row, int column) {
    double low = 1, high = 0;
    for (int y = 4; y < p->cell_h - 4; y++)
        for (int x = 4; x < p->cell_w - 4; x++) {
            double light = color_luminance(
                picture_pixel(p, p->x + column * p->cell_w + x, p->y + row * p->cell_h + y));
            low = fmin(low, light);
            high = fmax(high, light);
        }
    return high - low;
}

static void test_D5_blocked_or_a_true_zero(void **state) {
    static const char *const themes[] = {"light", "dark", "print"};
#define ZERO "matrix", "--scores", "0 0 0; 0 0 0; -100 0 0", "--mask", "causal"
    json_t *n = HEED_JSON(*state, "numbers", ZERO);
    assert_close(json_cell(n, 2, 0), 0, 1e-20);
    assert_string_equal(json_state(n, 2, 0), "ok");
    assert_string_equal(json_state(n, 0, 2), "blocked");
    for (int t = 0; t < 3; t++) {
        Picture p = HEED_PICTURE(*state, "a.png", ZERO, "--values", "off", "--theme", themes[t]);
        assert_true(stripes(&p, 0, 2) > 0.02);
        assert_true(stripes(&p, 2, 0) < 1e-9);
    }
}

/* A weight, a blocked cell and an undefined row are told apart by light alone. */
static void test_three_states_without_colour(void **state) {
    static const char *const themes[] = {"light", "dark", "print"};
    for (int t = 0; t < 3; t++) {
        Picture p =
            HEED_PICTURE(*state, "a.png", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0", "--blocked",
                         "0,0;1,0;1,1;1,2", "--values", "off", "--theme", themes[t]);
        assert_true(stripes(&p, 0, 1) < 1e-9);
        assert_true(stripes(&p, 0, 0) > 0.02 && stripes(&p, 1, 0) > 0.02);
        assert_false(picture_cells_alike(&p, 0, 0, 1, 0));
    }
}

/* Two heads of a file: flat is as pale as a quarter, whichever head is looked at. */
static void test_D2_one_scale_for_all_heads(void **state) {
    enum { HEADER = 128, CELLS = 32 };
    float heads[CELLS] = {0};
    uint8_t bytes[HEADER + sizeof heads];
    char header[HEADER];
    for (int i = 0; i < 16; i++) heads[i] = 0.25f;
    for (int i = 0; i < 4; i++) heads[16 + 5 * i] = 1;
    memset(bytes, ' ', HEADER);
    memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
    int used = snprintf(header, sizeof header,
                        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4, 4), }");
    memcpy(bytes + 10, header, (size_t)used);
    memcpy(bytes + HEADER, heads, sizeof heads);
    tool_write(*state, "heads.npy", bytes, sizeof bytes);
    Picture flat = HEED_PICTURE(*state, "a.png", "matrix", "--weights", "@heads.npy");
    Picture sharp =
        HEED_PICTURE(*state, "b.png", "matrix", "--weights", "@heads.npy", "--head", "1");
    assert_true(flat.low == 0 && flat.high == 1 && sharp.high == 1);
    Picture one = HEED_PICTURE(*state, "c.png", "matrix", "--weights", "0.25 1 0 0.25");
    assert_int_equal(picture_cell(&flat, 3, 1), picture_cell(&one, 0, 0));
    assert_int_equal(picture_cell(&sharp, 2, 2), picture_cell(&one, 0, 1));
    assert_int_equal(picture_cell(&sharp, 2, 0), picture_cell(&one, 0, 2));
    Picture own =
        HEED_PICTURE(*state, "d.png", "matrix", "--weights", "@heads.npy", "--range", "max");
    assert_string_equal(own.scale, "max");
    assert_true(own.high == 0.25f);
}

static void test_D4_where_a_mask_is_not_minus_infinity(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 -inf; 1 1", "--mask",
                          "causal", "--stage", "masked");
    assert_string_equal(json_state(n, 0, 1), "blocked");
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 1; -inf 1", "--mask", "causal",
                  "--stage", "masked");
    assert_string_equal(json_state(n, 1, 0), "-inf");
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--scores", "0 1; -inf 1", "--mask",
                             "causal", "--stage", "masked", "--values", "off");
    assert_false(picture_cells_alike(&p, 0, 1, 1, 0));
    assert_true(p.low == -1 && p.high == 1); /* of the finite ones */
}

/* A leak, and the painted list coming back. */
static void test_a_painted_leak(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "masks", "--text", "a b c", "--allowed", "0,2");
    expect_row(n, 0, "x.x");
    assert_close(row_sum(n, 0), 1, 1e-6);
    expect_note(n, "A leak: a sees c, which comes after it");
    HEED_REFUSES(*state, 0, "0,3", "numbers", "masks", "--text", "a b c", "--allowed", "0,3");
    HEED_REFUSES(*state, 0, "both", "numbers", "masks", "--allowed", "0,3", "--blocked", "0,3");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_A1_a_row_without_a_key),
        TOOL_TEST(test_A2_a_finite_stand_in),
        TOOL_TEST(test_A4_mask_after_softmax),
        TOOL_TEST(test_A14_weights_after_dropout),
        TOOL_TEST(test_what_is_suspected),
        TOOL_TEST(test_A19_entropy_with_zeros),
        TOOL_TEST(test_A6_two_alignments),
        TOOL_TEST(test_A7_A8_edges_of_a_window),
        TOOL_TEST(test_A10_left_padding),
        TOOL_TEST(test_A11_padding_hides_keys),
        TOOL_TEST(test_A13_scale_of_a_head),
        TOOL_TEST(test_D5_blocked_or_a_true_zero),
        TOOL_TEST(test_three_states_without_colour),
        TOOL_TEST(test_D2_one_scale_for_all_heads),
        TOOL_TEST(test_D4_where_a_mask_is_not_minus_infinity),
        TOOL_TEST(test_a_painted_leak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
