/* Cross-attention end to end: axes, one scale for all heads, padding, the mean of heads, where the
 * records are found, what is refused. */
#include "tool.h"

#include "base/file.h"
#include "draw/color.h"

#include <math.h>
#include <string.h>

static const char *const pair[] = {"--query", "is warm", "--context", "a warm film"};

#define PAIR pair[0], pair[1], pair[2], pair[3]

/* Whether a cell is drawn in the colour of its number, to one step of the palette. */
static void expect_colors(const Picture *p, const json_t *numbers) {
    int palette = 0;
    while (strcmp(palette_name(palette), p->palette) != 0) palette++;
    const Color *table = palette_table(palette);
    for (int row = 0; row < p->shown_rows; row++)
        for (int column = 0; column < p->shown_columns; column++) {
            if (strcmp(json_state(numbers, row, column), "ok") != 0) continue;
            double share = json_cell(numbers, row, column) / (double)p->high;
            int step = (int)floor(share * (PALETTE_STEPS - 1) + 0.5);
            assert_int_equal(picture_cell(p, row, column), table[step]);
        }
}

static void test_C13_rows_are_the_question(void **state) {
    static const char *const stages[] = {"raw", "cross"};
    for (int i = 0; i < 2; i++) {
        json_t *n = HEED_JSON(*state, "numbers", "cross", PAIR, "--stage", stages[i]);
        assert_string_equal(json_text(n, "axes", 0), "query");
        assert_string_equal(json_text(n, "axes", 1), "key");
        assert_int_equal(json_rows(n), 2);
        assert_int_equal(json_columns(n), 3);
        assert_string_equal(json_text(n, "query", 1), "warm");
        assert_string_equal(json_text(n, "key", 2), "film");
        Picture p = HEED_PICTURE(*state, "a.png", "cross", PAIR, "--stage", stages[i]);
        assert_int_equal(p.shown_rows, 2);
        assert_int_equal(p.shown_columns, 3);
        assert_int_equal(p.w, 3 * p.cell_w);
        assert_int_equal(p.h, 2 * p.cell_h);
        expect_colors(&p, n);
    }
    Run csv = HEED_OK(*state, "numbers", "cross", PAIR, "--format", "csv");
    assert_non_null(strstr(csv.out, "a,warm,film\n"));
    assert_non_null(strstr(csv.out, "\nis,"));
}

/* warm listens most to itself, in its row and not in a column. */
static void test_C13_likeness_is_where_the_words_meet(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "cross", PAIR);
    assert_true(json_cell(n, 1, 1) > json_cell(n, 1, 0));
    assert_true(json_cell(n, 1, 1) > json_cell(n, 0, 1));
}

static void test_D2_one_scale_for_all_heads(void **state) {
    static const char *const heads[] = {"mean", "0", "1", "2", "3"};
    for (int h = 0; h < 5; h++) {
        json_t *n = HEED_JSON(*state, "numbers", "cross", "--stage", "cross", "--head", heads[h]);
        Picture shared =
            HEED_PICTURE(*state, "a.png", "cross", "--stage", "cross", "--head", heads[h]);
        assert_close((double)shared.low, 0, 0);
        assert_close((double)shared.high, 1, 0);
        expect_colors(&shared, n);
        Picture own = HEED_PICTURE(*state, "b.png", "cross", "--stage", "cross", "--head", heads[h],
                                   "--range", "max");
        assert_string_equal(own.scale, "max");
        assert_true(own.high < 1);
        expect_colors(&own, n);
    }
}

static void test_A15_the_mean_of_heads(void **state) {
    static const char *const heads[] = {"0", "1", "2", "3"};
    json_t *mean = HEED_JSON(*state, "numbers", "cross", PAIR, "--stage", "cross");
    double sums[2][3] = {{0}};
    for (int h = 0; h < 4; h++) {
        json_t *n =
            HEED_JSON(*state, "numbers", "cross", PAIR, "--stage", "cross", "--head", heads[h]);
        for (int i = 0; i < 6; i++) sums[i / 3][i % 3] += json_cell(n, i / 3, i % 3) / 4;
    }
    for (int i = 0; i < 6; i++)
        assert_close(json_cell(mean, i / 3, i % 3), sums[i / 3][i % 3], 1e-6);
}

static void test_A11_padding_hides_keys(void **state) {
    static const char *const stages[] = {"raw", "cross"};
    for (int s = 0; s < 2; s++) {
        json_t *n = HEED_JSON(*state, "numbers", "cross", PAIR, "--pad", "2", "--stage", stages[s]);
        assert_int_equal(json_columns(n), 5);
        for (int i = 0; i < 2; i++) {
            double sum = 0;
            for (int j = 0; j < 3; j++) sum += json_cell(n, i, j);
            assert_close(sum, 1, 1e-6);
            for (int j = 3; j < 5; j++) assert_string_equal(json_state(n, i, j), "blocked");
        }
    }
}

static void test_E16_the_same_bytes_twice(void **state) {
    static const char *const files[] = {"a.png", "b.png"};
    Picture pictures[2];
    for (int i = 0; i < 2; i++)
        pictures[i] = HEED_PICTURE(*state, files[i], "cross", "--stage", "cross", "--record", "3");
    assert_true(pictures_equal(&pictures[0], &pictures[1]));
    assert_non_null(strstr(pictures[0].note, "--record 3"));
}

/* bin/heed, share/heed and share/heed/texts, as make install lays them. */
static void install(Tool *tool) {
    const char *const script =
        "mkdir -p bin share && cp \"$1\" bin/heed && mv assets share/heed && "
        "mkdir share/heed/texts && cp \"$2\" share/heed/texts/";
    tool_copy_assets(tool);
    const char *records = file_join(&tool->arena, tool->root, "samples/texts/reviews.txt");
    const char *const words[] = {"sh", "-c", script, "sh", tool->heed, records, NULL};
    Run run = tool_command(tool, words);
    if (run.code != 0) fail_msg("%s", run.err);
}

static void test_where_records_are_found(void **state) {
    Tool *tool = *state;
    Run built = HEED_OK(tool, "numbers", "cross", "--record", "2", "--format", "csv");
    install(tool);
    const char *const words[] = {"bin/heed", "numbers",  "cross", "--record",
                                 "2",        "--format", "csv",   NULL};
    Run installed = tool_command(tool, words);
    assert_int_equal(installed.code, 0);
    assert_string_equal(installed.out, built.out);
    Run named = HEED_OK(tool, "numbers", "cross", "--record", "2", "--format", "csv", "--assets",
                        "share/heed");
    assert_string_equal(named.out, built.out);
}

static void test_records_missing_and_damaged(void **state) {
    Tool *tool = *state;
    install(tool);
    static const char damaged[] = "title: A\nsentiment: mixed\ncontext: warm\n";
    tool_write(tool, "share/heed/texts/reviews.txt", damaged, sizeof damaged - 1);
    HEED_REFUSES(tool, 1, "line 1: the record that begins here has no question", "export", "cross",
                 "--assets", "share/heed", "-o", "no.png");
    const char *const words[] = {"rm", "-r", "share/heed/texts", NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
    HEED_REFUSES(tool, 1, "texts/reviews.txt", "numbers", "cross", "--assets", "share/heed");
    HEED_OK(tool, "numbers", "cross", PAIR, "--assets", "share/heed"); /* needs none */
}

static void test_what_is_refused(void **state) {
    char words[513 * 2 + 1] = "";
    for (int i = 0; i < 513; i++) memcpy(words + 2 * i, "a ", 3);
    HEED_REFUSES(*state, 1, "query", "export", "cross", "--query", "", "-o", "no.png");
    HEED_REFUSES(*state, 1, "context", "numbers", "cross", "--context", " ");
    HEED_REFUSES(*state, 1, "513 words, at most 512", "numbers", "cross", "--context", words);
    HEED_REFUSES(*state, 1, "head 4: there are 4 heads", "numbers", "cross", "--head", "4");
    HEED_REFUSES(*state, 2, "0 to 31", "numbers", "cross", "--head", "32");
    HEED_REFUSES(*state, 2, "1, 2, 3", "numbers", "cross", "--record", "4");
    HEED_REFUSES(*state, 1, "522 keys, at most 512", "numbers", "cross", "--pad", "500");
    HEED_REFUSES(*state, 2, "raw, self, cross", "numbers", "cross", "--stage", "both");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_C13_rows_are_the_question),
        TOOL_TEST(test_C13_likeness_is_where_the_words_meet),
        TOOL_TEST(test_D2_one_scale_for_all_heads),
        TOOL_TEST(test_A15_the_mean_of_heads),
        TOOL_TEST(test_A11_padding_hides_keys),
        TOOL_TEST(test_E16_the_same_bytes_twice),
        TOOL_TEST(test_where_records_are_found),
        TOOL_TEST(test_records_missing_and_damaged),
        TOOL_TEST(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
