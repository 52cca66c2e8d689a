/* The cases whose input is a sentence: tokens and their labels, the stages that follow from each
 * other, sizes up to the limit, and what a class room needs. */
#include "tool.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_C1_repeated_words(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", "the cat the");
    assert_int_equal(json_rows(n), 3);
    assert_string_equal(json_text(n, "key", 0), "the");
    assert_string_equal(json_text(n, "key", 1), "cat");
    assert_string_equal(json_text(n, "key", 2), "the");
    /* The same word has the same vector, so both see all keys alike, as numbers of their own. */
    for (int i = 0; i < 3; i++) assert_close(json_cell(n, 0, i), json_cell(n, 2, i), 1e-6);
}

/* The pieces of a word have bytes; a character that is parted among them is shown as bytes. */
static void test_C3_C4_pieces_of_a_character(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--unit", "pieces", "--text", "東 🙂",
                          "--stage", "tokens");
    const json_t *axes = json_object_get(n, "axes");
    const char *rows = json_string_value(json_array_get(axes, 0));
    Text all = text_open(&((Tool *)*state)->arena);
    for (int i = 0; i < json_rows(n); i++) text_addf(&all, "%s ", json_text(n, rows, i));
    static const char *const bytes[] = {"E6", "9D", "B1", "F0", "9F", "99", "82"};
    for (int i = 0; i < 7; i++)
        if (!strstr(all.bytes, bytes[i])) fail_msg("no byte %s in %s", bytes[i], all.bytes);
    assert_null(strstr(all.bytes, "æ"));
    assert_null(strstr(all.bytes, "ð"));
}

static void test_tokenize_covers_all_bytes(void **state) {
    Run run = HEED_OK(*state, "tokenize", "a warm 東 film", "--format", "json");
    json_error_t error;
    json_t *json = json_loadb(run.out, run.out_length, 0, &error);
    if (!json) fail_msg("%s", error.text);
    json_decref(json);
}

/* Each stage follows from the one before it, on the same numbers. */
static void test_stages_follow(void **state) {
    const char *const text = "a surprisingly warm film , not bad";
    json_t *x = HEED_JSON(*state, "numbers", "raw", "--text", text, "--stage", "x");
    json_t *scores = HEED_JSON(*state, "numbers", "raw", "--text", text, "--stage", "scores");
    json_t *scaled = HEED_JSON(*state, "numbers", "raw", "--text", text, "--stage", "scaled");
    json_t *weights = HEED_JSON(*state, "numbers", "raw", "--text", text, "--stage", "weights");
    json_t *output = HEED_JSON(*state, "numbers", "raw", "--text", text, "--stage", "output");
    const int t = json_rows(x), d = json_columns(x);
    assert_int_equal(t, 7);
    for (int q = 0; q < t; q++) {
        double sum = 0;
        for (int k = 0; k < t; k++) {
            double dot = 0;
            for (int i = 0; i < d; i++) dot += json_cell(x, q, i) * json_cell(x, k, i);
            assert_close(json_cell(scores, q, k), dot, 1e-4 * (1 + fabs(dot)));
            assert_close(json_cell(scaled, q, k), dot / sqrt(d), 1e-5 * (1 + fabs(dot)));
            sum += exp(json_cell(scaled, q, k));
        }
        for (int k = 0; k < t; k++)
            assert_close(json_cell(weights, q, k), exp(json_cell(scaled, q, k)) / sum, 1e-5);
        for (int i = 0; i < d; i += 37) {
            double mean = 0;
            for (int k = 0; k < t; k++) mean += json_cell(weights, q, k) * json_cell(x, k, i);
            assert_close(json_cell(output, q, i), mean, 1e-5);
        }
    }
}

static void test_causal_mask_blocks_the_future(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", "a warm film", "--mask", "causal");
    for (int i = 0; i < 9; i++) {
        bool future = i % 3 > i / 3;
        assert_string_equal(json_state(n, i / 3, i % 3), future ? "blocked" : "ok");
        assert_true(isnan(json_cell(n, i / 3, i % 3)) == future);
    }
    assert_close(json_cell(n, 0, 0), 1, 0);
}

/* Attention does not know the order: reversed, the same numbers stand at mirrored places. */
static void test_order_only_moves_numbers(void **state) {
    const char *const text = "not a bad warm film";
    json_t *typed = HEED_JSON(*state, "numbers", "raw", "--text", text);
    json_t *back = HEED_JSON(*state, "numbers", "raw", "--text", text, "--order", "reversed");
    const int n = json_rows(typed);
    for (int q = 0; q < n; q++)
        for (int k = 0; k < n; k++)
            assert_close(json_cell(back, n - 1 - q, n - 1 - k), json_cell(typed, q, k), 1e-6);
}

static const char *many_words(Tool *tool, int count) {
    static const char *const words[] = {"film", "warm", "a", "plot", "bad", "good", "not"};
    Text text = text_open(&tool->arena);
    for (int i = 0; i < count; i++) text_addf(&text, "%s%s", i ? " " : "", words[i * i % 7]);
    return text.bytes;
}

static void test_E1_200_and_512_tokens(void **state) {
    const int sizes[] = {200, 512};
    for (int i = 0; i < 2; i++) {
        const char *text = many_words(*state, sizes[i]);
        json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", text);
        assert_int_equal(json_rows(n), sizes[i]);
        assert_int_equal(json_columns(n), sizes[i]);
        Picture p = HEED_PICTURE(*state, "a.png", "raw", "--text", text, "--size", "900x700");
        assert_int_equal(p.width, 900);
        assert_int_equal(p.height, 700);
        assert_int_equal(p.shown_rows, sizes[i]);
        assert_int_equal(p.shown_columns, sizes[i]);
    }
}

/* Below a pixel a cell, blocks of equal size are pooled, and the picture says so. */
static void test_E1_pooled(void **state) {
    Picture p = HEED_PICTURE(*state, "a.png", "raw", "--text", many_words(*state, 512), "--size",
                             "420x420");
    assert_true(p.pool_x > 1 && p.pool_y > 1);
    assert_int_equal(p.w, (512 + p.pool_x - 1) / p.pool_x * p.cell_w);
    assert_int_equal(p.h, (512 + p.pool_y - 1) / p.pool_y * p.cell_h);
}

static void test_E1_over_the_limit(void **state) {
    HEED_REFUSES(*state, 0, "512", "export", "raw", "--text", many_words(*state, 513), "-o",
                 "a.png");
}

static void test_E10_no_display(void **state) {
    Picture none = HEED_PICTURE(*state, "none.png", "raw", "--text", "a warm film");
    tool_environment(*state, "DISPLAY=:4711");
    tool_environment(*state, "SDL_VIDEODRIVER=no-such-driver");
    Picture wrong = HEED_PICTURE(*state, "wrong.png", "raw", "--text", "a warm film");
    assert_true(pictures_equal(&none, &wrong));
    HEED_REFUSES(*state, 1, "heed export", "view", "raw");
}

static void test_E13_no_internet_socket(void **state) {
    Tool *tool = *state;
    tool_environment(tool, "ASAN_OPTIONS=detect_leaks=0"); /* leaks cannot be looked for in there */
    const char *const probe[] = {"sh", "-c", "strace -o /dev/null true 2>/dev/null", NULL};
    if (tool_command(tool, probe).code != 0) skip();
    const char *const words[] = {"strace",   "-f",     "-o",  "trace", "-e",    "trace=socket",
                                 tool->heed, "export", "raw", "-o",    "a.png", NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
    const char *const look[] = {"grep", "-c", "AF_INET", "trace", NULL};
    Run run = tool_command(tool, look);
    assert_string_equal(run.out, "0\n");
}

static void test_E14_a_loop_in_the_shell(void **state) {
    Tool *tool = *state;
    tool_write(tool, "1.txt", "a warm film", 11);
    tool_write(tool, "2.txt", "a bad film", 10);
    tool_write(tool, "3.txt", "\xFF\xFE", 2);
    tool_write(tool, "4.txt", "not bad", 7);
    tool_write(tool, "5.txt", "good", 4);
    tool_environment(tool, arena_printf(&tool->arena, "HEED=%s", tool->heed));
    const char *const words[] = {
        "sh", "-c",
        "for f in *.txt; do \"$HEED\" export raw --text \"$(cat $f)\" -o ${f%.txt}.png "
        "2>/dev/null || echo $f $?; done",
        NULL};
    Run run = tool_command(tool, words);
    assert_int_equal(run.code, 0);
    if (strcmp(run.out, "3.txt 2\n") != 0 && strcmp(run.out, "3.txt 1\n") != 0)
        fail_msg("refused: %s", run.out);
    const char *const made[] = {"1.png", "2.png", "4.png", "5.png"};
    for (int i = 0; i < 4; i++) assert_true(tool_picture(tool, made[i]).width > 0);
    assert_false(tool_exists(tool, "3.png"));
}

static void test_E16_twice_the_same(void **state) {
    Tool *tool = *state;
    HEED_PICTURE(tool, "a.png", "raw", "--order", "shuffled", "--seed", "7");
    tool_environment(tool, "LC_ALL=de_DE.UTF-8");
    tool_environment(tool, "TZ=Asia/Tokyo");
    HEED_PICTURE(tool, "b.png", "raw", "--order", "shuffled", "--seed", "7");
    const char *const words[] = {"cmp", "a.png", "b.png", NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
    json_t *n = HEED_JSON(tool, "numbers", "raw", "--stage", "x");
    json_t *again = HEED_JSON(tool, "numbers", "raw", "--stage", "x");
    assert_true(json_equal(n, again));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_C1_repeated_words),
        TOOL_TEST(test_C3_C4_pieces_of_a_character),
        TOOL_TEST(test_tokenize_covers_all_bytes),
        TOOL_TEST(test_stages_follow),
        TOOL_TEST(test_causal_mask_blocks_the_future),
        TOOL_TEST(test_order_only_moves_numbers),
        TOOL_TEST(test_E1_200_and_512_tokens),
        TOOL_TEST(test_E1_pooled),
        TOOL_TEST(test_E1_over_the_limit),
        TOOL_TEST(test_E10_no_display),
        TOOL_TEST(test_E13_no_internet_socket),
        TOOL_TEST(test_E14_a_loop_in_the_shell),
        TOOL_TEST(test_E16_twice_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
