/* The cases of position encodings: waves, rotary pairs, biases, and what each of them makes of a
 * sentence. */
#include "tool.h"

#include "draw/color.h"

#include <math.h>
#include <string.h>

static void assert_row(const json_t *n, int row, const double *want, int count, double allowed) {
    assert_int_equal(json_columns(n), count);
    for (int i = 0; i < count; i++) assert_close(json_cell(n, row, i), want[i], allowed);
}

static bool says(const json_t *n, const char *words) {
    const json_t *notes = json_object_get(n, "notes");
    for (size_t i = 0; i < json_array_size(notes); i++)
        if (strstr(json_string_value(json_array_get(notes, i)), words)) return true;
    return false;
}

static int count_pixels(const Picture *picture, Color color) {
    int count = 0;
    for (int y = 0; y < picture->height; y++)
        for (int x = 0; x < picture->width; x++) count += picture_pixel(picture, x, y) == color;
    return count;
}

static void test_B1_odd_width(void **state) {
    static const double five[] = {0.841471, 0.540302, 0.025116, 0.999685, 0.000631};
    static const double one[] = {0.841471};
    HEED_REFUSES(*state, 0, "d_model must be even", "numbers", "sinusoidal", "--d-model", "5");
    HEED_REFUSES(*state, 0, "cosine of the same wavelength", "export", "sinusoidal", "--d-model",
                 "5", "-o", "odd.png");
    json_t *n = HEED_JSON(*state, "numbers", "sinusoidal", "--d-model", "5", "--allow-odd", "on",
                          "--length", "2");
    assert_row(n, 1, five, 5, 1e-6);
    assert_string_equal(json_text(n, "dimension", 4), "4 (unpaired)");
    assert_true(says(n, "unpaired"));
    n = HEED_JSON(*state, "numbers", "sinusoidal", "--d-model", "1", "--allow-odd", "on",
                  "--length", "2");
    assert_row(n, 1, one, 1, 1e-6);
    assert_string_equal(json_text(n, "dimension", 0), "0 (unpaired)");
    HEED_PICTURE(*state, "odd.png", "sinusoidal", "--d-model", "5", "--allow-odd", "on");
}

static void test_B3_layouts(void **state) {
    static const double turns[] = {0, 1, 0, 1}, blocks[] = {0, 0, 1, 1};
    static const char *const layouts[] = {"interleaved", "concatenated"};
    json_t *products[2];
    Picture pictures[2];
    for (int i = 0; i < 2; i++) {
        json_t *n = HEED_JSON(*state, "numbers", "sinusoidal", "--d-model", "4", "--length", "6",
                              "--layout", layouts[i]);
        assert_row(n, 0, i == 0 ? turns : blocks, 4, 0);
        products[i] = HEED_JSON(*state, "numbers", "sinusoidal", "--d-model", "4", "--length", "6",
                                "--layout", layouts[i], "--stage", "similarity");
        pictures[i] = HEED_PICTURE(*state, "layout.png", "sinusoidal", "--d-model", "4", "--length",
                                   "6", "--layout", layouts[i], "--values", "off");
    }
    for (int i = 0; i < 36; i++)
        assert_close(json_cell(products[0], i / 6, i % 6), json_cell(products[1], i / 6, i % 6),
                     1e-6);
    /* one column of both holds what another holds in the other, and the figures differ */
    assert_false(pictures_equal(&pictures[0], &pictures[1]));
    for (int row = 0; row < 6; row++) {
        assert_int_equal(picture_cell(&pictures[0], row, 1), picture_cell(&pictures[1], row, 2));
        assert_int_equal(picture_cell(&pictures[0], row, 2), picture_cell(&pictures[1], row, 1));
    }
}

static void check_products(Tool *tool, const char *pairing, const double want[3]) {
    static const char *const places[][2] = {{"3", "1"}, {"5", "3"}, {"9", "7"}};
    for (int i = 0; i < 3; i++) {
        json_t *n = HEED_JSON(tool, "numbers", "rope_dials", "--q", "1 0.5 -0.3 0.8", "--k",
                              "0.2 -0.7 0.9 0.4", "--m", places[i][0], "--n", places[i][1],
                              "--pairing", pairing, "--stage", "invariance");
        assert_close(json_cell(n, 0, 0), want[i], 1e-6);
    }
    json_t *n = HEED_JSON(tool, "numbers", "rope_dials", "--q", "1 0.5 -0.3 0.8", "--k",
                          "0.2 -0.7 0.9 0.4", "--m", "3", "--n", "1", "--pairing", pairing);
    double length = 0;
    for (int i = 0; i < 4; i++) length += json_cell(n, 0, i) * json_cell(n, 0, i);
    if (strcmp(pairing, "mixed") != 0) assert_close(sqrt(length), 1.407125, 1e-6);
}

static void test_B4_pairings_and_the_light(void **state) {
    static const double adjacent[] = {0.540302, 0.841471, 0, 0},
                        halves[] = {0.540302, 0, 0.841471, 0};
    static const double same[] = {-0.631825, -0.631825, -0.631825};
    static const double other[] = {0.887261, 0.887261, 0.887261};
    static const double mixed[] = {1.126526, 0.665976, 1.071834};
    json_t *n = HEED_JSON(*state, "numbers", "rope_dials", "--q", "1 0 0 0", "--m", "1");
    assert_row(n, 0, adjacent, 4, 1e-6);
    n = HEED_JSON(*state, "numbers", "rope_dials", "--q", "1 0 0 0", "--m", "1", "--pairing",
                  "halves");
    assert_row(n, 0, halves, 4, 1e-6);
    check_products(*state, "adjacent", same);
    check_products(*state, "halves", other);
    check_products(*state, "mixed", mixed);
    /* the light, a disc in the theme's colour for what holds or is wrong */
    const Theme *light = theme_find("light");
    Picture good = HEED_PICTURE(*state, "good.png", "rope_dials", "--pairing", "halves");
    Picture bad = HEED_PICTURE(*state, "bad.png", "rope_dials", "--pairing", "mixed");
    assert_true(count_pixels(&good, light->good) > 50 && count_pixels(&good, light->warn) == 0);
    assert_true(count_pixels(&bad, light->warn) > 50 && count_pixels(&bad, light->good) == 0);
}

static void test_a_quarter_turn(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "rope_dials", "--q", "2 3", "--angle", "quarter");
    assert_close(json_cell(n, 0, 0), -3, 0);
    assert_close(json_cell(n, 0, 1), 2, 0);
}

static void test_B6_rotary_part(void **state) {
    static const double want[] = {-0.301169, 0.989950, 1.381773, 1.009950, 5, 6, 7, 8};
    json_t *n = HEED_JSON(*state, "numbers", "rope_dials", "--q", "1 1 1 1 5 6 7 8", "--rotary-dim",
                          "4", "--pairing", "halves", "--m", "1");
    assert_row(n, 0, want, 8, 1e-6);
    assert_string_equal(json_text(n, "feature", 3), "3");
    assert_string_equal(json_text(n, "feature", 4), "4 (not rotated)");
    assert_true(says(n, "Features 4 to 7 are not rotated"));
    n = HEED_JSON(*state, "numbers", "rope_waves", "--head-dim", "8", "--rotary-dim", "4",
                  "--stage", "angle", "--length", "2");
    assert_int_equal(json_columns(n), 2);
    assert_close(json_cell(n, 1, 1), 0.01, 1e-9);
    assert_true(says(n, "not rotated"));
}

static void test_B8_alibi_slopes(void **state) {
    static const double eight[] = {0.5,     0.25,     0.125,     0.0625,
                                   0.03125, 0.015625, 0.0078125, 0.00390625};
    static const double six[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    static const double more[] = {0.707107, 0.353553, 0.176777, 0.088388};
    json_t *n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi", "--stage",
                          "encoding", "--heads", "8");
    assert_row(n, 0, eight, 8, 1e-9);
    assert_true(says(n, "authors' code"));
    n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi", "--stage", "encoding",
                  "--heads", "6");
    assert_row(n, 0, six, 6, 1e-9);
    assert_true(says(n, "the formula in the paper's text differs here"));
    n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi", "--stage", "encoding",
                  "--heads", "12");
    for (int i = 0; i < 8; i++) assert_close(json_cell(n, 0, i), eight[i], 1e-9);
    for (int i = 0; i < 4; i++) assert_close(json_cell(n, 0, 8 + i), more[i], 1e-6);
    n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi", "--stage", "bias");
    assert_close(json_cell(n, 3, 0), -1.5, 0);
    assert_close(json_cell(n, 0, 0), 0, 0);
    n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi", "--stage", "encoding",
                  "--heads", "40", "--head", "39");
    assert_int_equal(json_columns(n), 40);
    assert_close(json_cell(n, 0, 32), pow(2, -0.125), 1e-6);
}

/* ALiBi makes far keys weak and forbids none: weights above the diagonal, until a mask is chosen.
 */
static void test_alibi_is_no_causal_mask(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi");
    assert_true(json_cell(n, 0, 1) > 0);
    assert_true(says(n, "ALiBi is no mask"));
    n = HEED_JSON(*state, "numbers", "positions", "--encoding", "alibi", "--mask", "causal");
    assert_string_equal(json_state(n, 0, 1), "blocked");
    assert_true(says(n, "blocked by the causal mask, not by ALiBi"));
}

/* The bucket of a query and a key in a text of 130 words. */
static double bucket(Tool *tool, int query, int key, bool causal) {
    char text[600] = "";
    for (int i = 0; i < 130; i++) strcat(text, i % 2 ? "a " : "b ");
    json_t *n = HEED_JSON(tool, "numbers", "positions", "--encoding", "t5", "--stage", "buckets",
                          "--text", text, "--mask", causal ? "causal" : "none");
    return json_cell(n, query, key);
}

static void test_B9_t5_buckets(void **state) {
    static const int both[][3] = {{0, 0, 0}, {0, 1, 17},   {1, 0, 1},   {0, 8, 24},
                                  {8, 0, 8}, {0, 128, 31}, {128, 0, 15}};
    static const int causal[][3] = {{0, 1, 0},   {1, 0, 1},   {16, 0, 16},
                                    {32, 0, 21}, {64, 0, 26}, {128, 0, 31}};
    for (int i = 0; i < 7; i++)
        assert_close(bucket(*state, both[i][0], both[i][1], false), both[i][2], 0);
    for (int i = 0; i < 6; i++)
        assert_close(bucket(*state, causal[i][0], causal[i][1], true), causal[i][2], 0);
    json_t *n = HEED_JSON(*state, "numbers", "positions", "--encoding", "t5", "--stage", "bias");
    assert_true(says(n, "key minus query"));
    assert_true(says(n, "self-attention only"));
    assert_true(says(n, "random, seed 1"));
    const json_t *axes = json_object_get(n, "axes");
    assert_non_null(strstr(json_string_value(json_array_get(axes, 1)), "key − query"));
    /* two pairs of one distance have one bias */
    assert_close(json_cell(n, 0, 3), json_cell(n, 4, 7), 0);
}

static void test_B10_learned_table(void **state) {
    static const char table[] = "0 0; 1 1; 2 2";
    json_t *n = HEED_JSON(*state, "numbers", "positions", "--text", "a warm film", "--encoding",
                          "learned", "--table", table, "--stage", "encoding");
    for (int i = 0; i < 6; i++) assert_close(json_cell(n, i / 2, i % 2), i / 2, 0);
    assert_true(says(n, "Learned table as given"));
    assert_true(says(n, "--compare sinusoidal"));
    n = HEED_JSON(*state, "numbers", "positions", "--encoding", "learned");
    assert_true(says(n, "Nobody has trained this learned table"));
    HEED_PICTURE(*state, "table.png", "positions", "--text", "a warm film", "--encoding", "learned",
                 "--table", table, "--stage", "encoding");
    HEED_REFUSES(*state, 0, "knows the positions 0 to 2", "numbers", "positions", "--encoding",
                 "learned", "--table", table);
}

/* Which encodings see that the bird and the child have changed places. */
static void test_who_notices_the_order(void **state) {
    static const bool notices[] = {false, true, true, true, true, true, true};
    static const char *const encodings[] = {"none",  "sinusoidal", "learned", "rope",
                                            "alibi", "t5",         "relative"};
    json_t *n = HEED_JSON(*state, "numbers", "positions", "--text", "the child fed the bird",
                          "--swap", "1 4", "--stage", "order");
    assert_int_equal(json_rows(n), 7);
    for (int k = 0; k < 7; k++) {
        double most = 0;
        for (int i = 0; i < json_columns(n); i++) most = fmax(most, json_cell(n, k, i));
        assert_true((most > 0) == notices[k]);
        json_t *own = HEED_JSON(*state, "numbers", "positions", "--text", "the child fed the bird",
                                "--swap", "1 4", "--encoding", encodings[k]);
        assert_true(says(own, notices[k] ? "it notices" : "it does not notice"));
    }
    assert_true(says(n, "These notice that the words have moved: sinusoidal, learned, RoPE, ALiBi, "
                        "T5 and clipped."));
    assert_true(says(n, "These do not notice, 0 everywhere: none."));
    /* reversing keeps all distances */
    n = HEED_JSON(*state, "numbers", "positions", "--text", "the child fed the bird", "--stage",
                  "order");
    assert_true(says(n, "0 everywhere: none and ALiBi."));
}

/* Angles are doubles until they are rounded once. */
static void test_far_positions(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "sinusoidal", "--offset", "999990", "--length", "11");
    assert_string_equal(json_text(n, "position", 10), "1000000");
    assert_close(json_cell(n, 10, 0), sin(1000000), 1e-7);
    assert_close(json_cell(n, 10, 1), cos(1000000), 1e-7);
    assert_close(json_cell(n, 10, 2), sin(1000000 * pow(10000, -2.0 / 128)), 1e-7);
    n = HEED_JSON(*state, "numbers", "rope_waves", "--offset", "999999", "--length", "2");
    assert_close(json_cell(n, 1, 0), cos(1000000), 1e-7);
    assert_close(json_cell(n, 1, 1), cos(100000), 1e-7);
    n = HEED_JSON(*state, "numbers", "rope_dials", "--q", "1 0", "--m", "1000000", "--n",
                  "1000000");
    assert_close(json_cell(n, 0, 0), cos(1000000), 1e-7);
}

static void test_every_curve_as_numbers(void **state) {
    static const char *const lines[][2] = {
        {"sinusoidal", "waves"},   {"sinusoidal", "matrix"},     {"sinusoidal", "similarity"},
        {"rope_waves", "cos"},     {"rope_waves", "sin"},        {"rope_waves", "angle"},
        {"rope_dials", "rotated"}, {"rope_dials", "waves"},      {"rope_dials", "vectors"},
        {"rope_decay", "decay"},   {"rope_dials", "invariance"}, {"rope_decay", "widths"},
        {"rope_decay", "bases"},   {"rope_decay", "waves"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        json_t *n = HEED_JSON(*state, "numbers", lines[i][0], "--stage", lines[i][1]);
        assert_true(json_rows(n) > 1 && json_columns(n) > 0);
        assert_string_equal(json_string_value(json_object_get(n, "stage")), lines[i][1]);
    }
}

static void test_scalings(void **state) {
    static const char *const scalings[] = {"none",        "linear", "ntk",
                                           "dynamic-ntk", "yarn",   "longrope"};
    for (int i = 0; i < 6; i++) {
        json_t *n = HEED_JSON(*state, "numbers", "rope_waves", "--scaling", scalings[i], "--factor",
                              "4", "--trained-length", "32", "--stage", "angle");
        /* the slowest pair is stretched by the factor, by none not at all */
        double slow = 3 * pow(10000, -6.0 / 8), turned = json_cell(n, 3, 3);
        if (i == 0) assert_close(turned, slow, 1e-8);
        if (i == 1 || i == 4) assert_close(turned, slow / 4, 1e-8);
        if (i > 0) assert_true(turned < slow);
    }
    HEED_REFUSES(*state, 2, "factor 0.5", "numbers", "rope_waves", "--factor", "0.5");
    HEED_REFUSES(*state, 1, "beta fast of at least beta slow", "numbers", "rope_waves", "--scaling",
                 "yarn", "--beta-fast", "1", "--beta-slow", "32");
}

static void test_decay_is_a_soft_tendency(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "rope_decay", "--head-dim", "64");
    double sum = 0;
    for (int i = 0; i < 32; i++) sum += cos(40 * pow(10000, -2.0 * i / 64));
    assert_close(json_cell(n, 0, 0), 1, 1e-7);
    assert_close(json_cell(n, 40, 0), sum / 32, 1e-6);
    assert_true(json_cell(n, 40, 2) < json_cell(n, 40, 1));
    assert_true(json_cell(n, 40, 1) < json_cell(n, 40, 3));
    assert_true(says(n, "A soft tendency, not a guarantee"));
    assert_true(says(n, "seed 1"));
    json_t *other = HEED_JSON(*state, "numbers", "rope_decay", "--head-dim", "64", "--seed", "2");
    assert_close(json_cell(other, 40, 0), json_cell(n, 40, 0), 0);
    assert_true(json_cell(other, 40, 1) != json_cell(n, 40, 1));
}

static void test_wrong_input(void **state) {
    static const struct {
        const char *scene, *knob, *value, *words;
    } wrong[] = {
        {"rope_waves", "--head-dim", "7", "must be even"},
        {"rope_dials", "--head-dim", "7", "must be even"},
        {"rope_decay", "--head-dim", "9", "must be even"},
        {"sinusoidal", "--base", "0", "base 0"},
        {"rope_waves", "--base", "-1", "base -1"},
        {"rope_decay", "--base", "nan", "base"},
        {"positions", "--base", "0", "base 0"},
        {"sinusoidal", "--length", "0", "length 0"},
        {"sinusoidal", "--length", "1000000", "length 1000000"},
        {"rope_waves", "--length", "0", "length 0"},
        {"rope_waves", "--factor", "0", "factor 0"},
        {"rope_waves", "--rotary-dim", "16", "above the head width 8"},
        {"rope_dials", "--rotary-dim", "12", "above the head width 8"},
        {"rope_dials", "--q", "1 2 3", "must be even"},
        {"rope_dials", "--q", "1 x", "x"},
        {"rope_dials", "--pairing", "quarters", "adjacent, halves, mixed"},
        {"positions", "--heads", "5", "do not divide the 384 features"},
        {"positions", "--heads", "1000", "heads 1000"},
        {"positions", "--head", "8", "there is no head 8"},
        {"positions", "--encoding", "xpos", "there are: none, sinusoidal"},
        {"positions", "--swap", "1 90", "two tokens from 0 to 11"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        HEED_REFUSES(*state, 0, wrong[i].words, "numbers", wrong[i].scene, wrong[i].knob,
                     wrong[i].value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_B1_odd_width),
        TOOL_TEST(test_B3_layouts),
        TOOL_TEST(test_B4_pairings_and_the_light),
        TOOL_TEST(test_a_quarter_turn),
        TOOL_TEST(test_B6_rotary_part),
        TOOL_TEST(test_B8_alibi_slopes),
        TOOL_TEST(test_alibi_is_no_causal_mask),
        TOOL_TEST(test_B9_t5_buckets),
        TOOL_TEST(test_B10_learned_table),
        TOOL_TEST(test_who_notices_the_order),
        TOOL_TEST(test_far_positions),
        TOOL_TEST(test_every_curve_as_numbers),
        TOOL_TEST(test_scalings),
        TOOL_TEST(test_decay_is_a_soft_tendency),
        TOOL_TEST(test_wrong_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
