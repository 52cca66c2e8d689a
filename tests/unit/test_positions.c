/* Positions: one sentence under every encoding, which of them notice that words have changed
 * places, biases and buckets, comparisons, what is refused. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_positions;
extern const Scene scene_raw;

#define POSITIONS(bench, ...) BENCH_MAKE((bench), &scene_positions, __VA_ARGS__)
#define REFUSED(bench, ...)   BENCH_FAIL((bench), &scene_positions, __VA_ARGS__)
#define WORDS                 "the film is warm and the finale is bad"

static bool has_note(const Table *table, const char *piece) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], piece)) return true;
    return false;
}

static void test_none_with_one_head_is_raw(void **state) {
    Bench *bench = *state;
    float raw[81];
    BENCH_MAKE(bench, &scene_raw, "text", WORDS);
    const Table *table = bench_table(bench, "weights");
    assert_int_equal(table->rows.count, 9);
    memcpy(raw, table->values, sizeof raw);
    POSITIONS(bench, "text", WORDS, "heads", "1");
    table = bench_table(bench, "weights");
    for (int i = 0; i < 81; i++) assert_true(fabsf(table->values[i] - raw[i]) < 1e-6f);
}

static void test_which_encodings_notice(void **state) {
    Bench *bench = *state;
    POSITIONS(bench, "text", "the film is good", "swap", "1 3", "stage", "order");
    const Table *table = bench_table(bench, "order");
    assert_int_equal(table->rows.count, 7);
    for (int k = 0; k < 7; k++) {
        float most = 0;
        for (int i = 0; i < 4; i++) most = fmaxf(most, table_value(table, k, i));
        assert_true(k == 0 ? most == 0 : most > 0);
    }
    POSITIONS(bench, "text", "the film is good", "swap", "1 3");
    assert_string_equal(bench_table(bench, "weights")->rows.labels[1].text, "good");
    assert_true(has_note(bench_table(bench, "weights"), "does not notice"));
    POSITIONS(bench, "text", "the film is good", "swap", "1 3", "encoding", "alibi");
    assert_true(has_note(bench_table(bench, "weights"), "it notices"));
}

static void test_B8_alibi_slopes(void **state) {
    Bench *bench = *state;
    static const double six[] = {0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125};
    static const double twelve[] = {0.707107, 0.353553, 0.176777, 0.088388};
    POSITIONS(bench, "text", WORDS, "encoding", "alibi", "stage", "bias");
    assert_true(table_value(bench_table(bench, "bias"), 3, 0) == -1.5f);
    assert_true(table_value(bench_table(bench, "bias"), 0, 3) == -1.5f);
    POSITIONS(bench, "text", WORDS, "encoding", "alibi", "heads", "6", "stage", "encoding");
    const Table *slopes = bench_table(bench, "encoding");
    for (int h = 0; h < 6; h++)
        assert_true(fabs((double)table_value(slopes, 0, h) - six[h]) < 1e-9);
    assert_true(has_note(slopes, "authors' code") && has_note(slopes, "paper's text differs"));
    POSITIONS(bench, "text", WORDS, "encoding", "alibi", "heads", "12", "stage", "encoding");
    for (int h = 0; h < 4; h++)
        assert_true(
            fabs((double)table_value(bench_table(bench, "encoding"), 0, 8 + h) - twelve[h]) < 1e-6);
    /* any number of heads has slopes, also one that does not divide the width */
    POSITIONS(bench, "text", WORDS, "encoding", "alibi", "heads", "7", "stage", "bias");
}

static void test_alibi_is_no_causal_mask(void **state) {
    Bench *bench = *state;
    POSITIONS(bench, "text", WORDS, "encoding", "alibi");
    const Table *table = bench_table(bench, "weights");
    assert_int_equal(table_state(table, 0, 5), CELL_OK);
    assert_true(table_value(table, 0, 5) > 0);
    assert_true(has_note(table, "is no mask"));
    POSITIONS(bench, "text", WORDS, "encoding", "alibi", "mask", "causal");
    table = bench_table(bench, "weights");
    assert_int_equal(table_state(table, 0, 5), CELL_BLOCKED);
    assert_true(table_value(table, 0, 0) == 1);
}

static void test_B9_t5_buckets(void **state) {
    Bench *bench = *state;
    char words[1024] = "";
    for (int i = 0; i < 130; i++) strcat(words, i % 2 ? "film " : "the ");
    POSITIONS(bench, "text", words, "encoding", "t5", "stage", "buckets");
    const Table *table = bench_table(bench, "buckets");
    static const int both[][3] = {{0, 0, 0}, {0, 1, 17},   {1, 0, 1},   {0, 8, 24},
                                  {8, 0, 8}, {0, 128, 31}, {128, 0, 15}};
    for (size_t i = 0; i < sizeof both / sizeof both[0]; i++)
        assert_true(table_value(table, both[i][0], both[i][1]) == (float)both[i][2]);
    assert_non_null(strstr(table->columns.name, "key − query"));
    assert_true(has_note(table, "key minus query") && has_note(table, "self-attention only"));
    POSITIONS(bench, "text", words, "encoding", "t5", "stage", "buckets", "mask", "causal");
    table = bench_table(bench, "buckets");
    static const int causal[][3] = {{0, 1, 0},   {1, 0, 1},   {16, 0, 16},
                                    {32, 0, 21}, {64, 0, 26}, {128, 0, 31}};
    for (size_t i = 0; i < sizeof causal / sizeof causal[0]; i++)
        assert_true(table_value(table, causal[i][0], causal[i][1]) == (float)causal[i][2]);
}

static void test_B10_the_learned_table_is_what_is_shown(void **state) {
    Bench *bench = *state;
    POSITIONS(bench, "encoding", "learned", "table", "0 0; 1 1; 2 2", "stage", "encoding");
    const Table *table = bench_table(bench, "encoding");
    assert_string_equal(table->title, "learned table");
    assert_int_equal(table->rows.count, 3);
    assert_int_equal(table->columns.count, 2);
    for (int i = 0; i < 6; i++) assert_true(table->values[i] == (float)(i / 2));
    assert_true(has_note(table, "--compare sinusoidal"));
    POSITIONS(bench, "encoding", "learned");
    assert_true(has_note(bench_table(bench, "weights"), "Nobody has trained this learned table"));
    assert_non_null(strstr(REFUSED(bench, "encoding", "learned", "table", "0 0; 1 1"), "position"));
}

/* What is compared is one minus the other, for the stage shown. */
static void test_difference(void **state) {
    Bench *bench = *state;
    POSITIONS(bench, "text", WORDS, "encoding", "rope", "compare", "t5", "stage", "difference");
    Probe probe = bench_probe(bench, 2, 1);
    double apart_shown = bench_number(&probe, "weight") - bench_number(&probe, "T5");
    assert_true(fabs(bench_number(&probe, "difference") - apart_shown) < 1.01e-4);
    const Table *apart = bench_table(bench, "difference"), *rope = bench_table(bench, "weights");
    float left[81], between[81];
    memcpy(left, rope->values, sizeof left);
    memcpy(between, apart->values, sizeof between);
    POSITIONS(bench, "text", WORDS, "encoding", "t5");
    const Table *t5 = bench_table(bench, "weights");
    for (int i = 0; i < 81; i++) assert_true(left[i] - t5->values[i] == between[i]);
}

static void test_bias_is_what_the_scores_gain(void **state) {
    Bench *bench = *state;
    static const char *const names[] = {"sinusoidal", "learned", "rope", "alibi", "t5", "relative"};
    float plain[81];
    POSITIONS(bench, "text", WORDS, "stage", "scores");
    memcpy(plain, bench_table(bench, "scores")->values, sizeof plain);
    for (int k = 0; k < 6; k++) {
        POSITIONS(bench, "text", WORDS, "encoding", names[k], "stage", "bias");
        const Table *bias = bench_table(bench, "bias"), *scores = bench_table(bench, "scores");
        for (int i = 0; i < 81; i++)
            assert_true(fabsf(scores->values[i] - plain[i] - bias->values[i]) < 1e-4f);
    }
}

static void test_bad_input(void **state) {
    Bench *bench = *state;
    assert_non_null(strstr(REFUSED(bench, "heads", "7"), "do not divide"));
    assert_non_null(strstr(REFUSED(bench, "heads", "2", "head", "2"), "no head 2"));
    assert_non_null(strstr(REFUSED(bench, "heads", "128", "encoding", "rope"), "even"));
    assert_non_null(strstr(REFUSED(bench, "base", "0"), "base"));
    assert_non_null(strstr(REFUSED(bench, "swap", "1"), "two tokens"));
    assert_non_null(strstr(REFUSED(bench, "swap", "1 99"), "two tokens"));
    assert_non_null(strstr(REFUSED(bench, "encoding", "t5", "buckets", "3"), "buckets"));
    assert_non_null(strstr(REFUSED(bench, "table", "0 nan"), "not finite"));
    const char *odd = bench_file(bench, "a.txt", "the 1 2 3\nfilm 2 3 4\n");
    assert_non_null(strstr(REFUSED(bench, "text", "the film", "embeddings", odd, "heads", "4"),
                           "more than the 3 features"));
    assert_non_null(strstr(REFUSED(bench, "text", "the film", "embeddings", odd, "heads", "3",
                                   "encoding", "sinusoidal"),
                           "even"));
}

/* Whether anything in the accent stands in the lowest third of the figure in a window of 1280 x 800.
 */
static bool marked_below(Bench *bench, const char *encoding) {
    enum { WIDTH = 784, HEIGHT = 586 };
    BENCH_MAKE(bench, &scene_positions, "encoding", encoding, "stage", "bias");
    View *view = scene_view(&scene_positions, bench->state);
    view->row = 1;
    view->column = 4;
    Canvas canvas = bench_canvas(bench, &bench->assets, WIDTH, HEIGHT);
    scene_positions.draw(bench->state, &canvas, canvas.clip);
    for (int i = WIDTH * (HEIGHT * 2 / 3); i < WIDTH * HEIGHT; i++)
        if (canvas.pixels[i] == canvas.theme->acc) return true;
    return false;
}

/* Where the map of the buckets has no room, their numbers stand in a line below the bias. */
static void test_buckets_stand_below_the_bias(void **state) {
    assert_true(marked_below(*state, "t5"));
    assert_true(marked_below(*state, "relative"));
    assert_false(marked_below(*state, "alibi"));
}

static int set_up(void **state) {
    *state = bench_open();
    return 0;
}

static int tear_down(void **state) {
    bench_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_none_with_one_head_is_raw),
        cmocka_unit_test(test_which_encodings_notice),
        cmocka_unit_test(test_B8_alibi_slopes),
        cmocka_unit_test(test_alibi_is_no_causal_mask),
        cmocka_unit_test(test_B9_t5_buckets),
        cmocka_unit_test(test_B10_the_learned_table_is_what_is_shown),
        cmocka_unit_test(test_difference),
        cmocka_unit_test(test_bias_is_what_the_scores_gain),
        cmocka_unit_test(test_buckets_stand_below_the_bias),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
