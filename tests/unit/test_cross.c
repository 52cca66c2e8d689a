/* Cross-attention of a question and a review: the rows of all maps, padding, causality and order,
 * the mean of heads, the figure's words in the map's colours; the records and damaged ones. */
#include "scene_bench.h"

#include "core/stats.h"
#include "draw/heatmap.h"
#include "scene/records.h"
#include "scene/sentence.h"

#include <math.h>

extern const Scene scene_cross;

#define assert_near(got, want, allowed)                                                            \
    assert_true(fabs((double)(got) - (double)(want)) <= (allowed))

static const char *const stages[] = {"raw", "self", "cross"};

static bool says(const Table *table, const char *words) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], words)) return true;
    return false;
}

static void test_names_that_others_rely_on(void **state) {
    (void)state;
    static const char *const knobs[] = {"record", "context", "query", "unit", "head", "seed"};
    for (int i = 0; i < 3; i++) assert_int_equal(scene_stage_index(&scene_cross, stages[i]), i);
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++)
        assert_non_null(knob_find(scene_cross.knobs, knobs[i], NULL));
    assert_string_equal(knob_find(scene_cross.knobs, "stage", NULL)->start, "raw");
}

static void test_rows_sum_to_1_and_axes_are_query_and_key(void **state) {
    Bench *bench = *state;
    static const char *const heads[] = {"mean", "0", "3"};
    for (int s = 0; s < 3; s++)
        for (int h = 0; h < 3; h++) {
            BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", heads[h], "pad", "2");
            const Table *table = bench_table(bench, stages[s]);
            assert_string_equal(table->rows.name, "query");
            assert_string_equal(table->columns.name, "key");
            assert_int_equal(table->rows.count, 8);
            assert_int_equal(table->columns.count, s == 1 ? 8 : 24);
            for (int i = 0; i < 8; i++) assert_near(table_row_sum(table, i), 1, 1e-6);
        }
}

static void test_padding_is_blocked_and_exactly_0(void **state) {
    Bench *bench = *state;
    for (int s = 0; s < 3; s += 2) {
        float before[8][22];
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s]);
        memcpy(before, bench_table(bench, stages[s])->values, sizeof before);
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "pad", "3");
        const Table *table = bench_table(bench, stages[s]);
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 25; j++) {
                assert_int_equal(table_state(table, i, j), j < 22 ? CELL_OK : CELL_BLOCKED);
                assert_near(table_value(table, i, j), j < 22 ? before[i][j] : 0, j < 22 ? 1e-6 : 0);
            }
        assert_true(table->columns.labels[24].padding);
        Probe probe = bench_probe(bench, 2, 23);
        assert_non_null(strstr(probe.sentence, "padding"));
    }
}

static void test_self_attention_is_causal(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cross, "stage", "self");
    const Table *table = bench_table(bench, "self");
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) {
            assert_int_equal(table_state(table, i, j), j > i ? CELL_BLOCKED : CELL_OK);
            if (j > i) assert_true(table_value(table, i, j) == 0);
        }
    Probe probe = bench_probe(bench, 2, 5);
    assert_non_null(strstr(probe.sentence, "causal"));
}

/* The same words in another order are the same columns in another order; for the question, which
 * has positions and a mask, they are not. */
static void test_order_of_the_review_does_not_matter(void **state) {
    Bench *bench = *state;
    static const int place[] = {4, 2, 0, 3, 1};
    for (int s = 0; s < 3; s += 2) {
        float before[3][5];
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", "1", "query", "is it warm",
                   "context", "the film has warm scenes");
        memcpy(before, bench_table(bench, stages[s])->values, sizeof before);
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", "1", "query", "is it warm",
                   "context", "scenes has the warm film");
        const Table *after = bench_table(bench, stages[s]);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 5; j++)
                assert_near(table_value(after, i, j), before[i][place[j]], 1e-6);
    }
    BENCH_MAKE(bench, &scene_cross, "stage", "cross", "query", "is it warm");
    float last = table_value(bench_table(bench, "cross"), 2, 0);
    BENCH_MAKE(bench, &scene_cross, "stage", "cross", "query", "it is warm");
    assert_true(fabsf(table_value(bench_table(bench, "cross"), 2, 0) - last) > 1e-5f);
}

static void test_A15_the_mean_of_heads_is_said_to_be_one(void **state) {
    Bench *bench = *state;
    static const char *const names[] = {"0", "1", "2", "3"};
    for (int s = 1; s < 3; s++) {
        double mean[8 * 22] = {0};
        int cells = s == 1 ? 64 : 8 * 22;
        for (int h = 0; h < 4; h++) {
            BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", names[h]);
            const Table *table = bench_table(bench, stages[s]);
            for (int i = 0; i < cells; i++) mean[i] += (double)table->values[i] / 4;
            assert_non_null(strstr(scene_cross.caption(bench->state, &bench->assets), "head "));
            assert_null(strstr(scene_cross.caption(bench->state, &bench->assets), "mean"));
        }
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s]);
        const Table *table = bench_table(bench, stages[s]);
        for (int i = 0; i < cells; i++) assert_near(table->values[i], mean[i], 1e-6);
        assert_non_null(
            strstr(scene_cross.caption(bench->state, &bench->assets), "mean of 4 heads"));
        Probe probe = bench_probe(bench, 3, 1);
        assert_string_equal(probe.lines[probe.line_count - 1].name, "mean of 4 heads");
    }
}

static void test_raw_weights_are_likeness(void **state) {
    Bench *bench = *state;
    Sentence question, review;
    BENCH_MAKE(bench, &scene_cross, "query", "is it warm", "context", "a warm film", "temperature",
               "2");
    Arena *arena = &bench->assets;
    assert_true(sentence_read("is it warm", SENTENCE_WORDS, "", &bench->stage, arena, &question,
                              &bench->err));
    assert_true(sentence_read("a warm film", SENTENCE_WORDS, "", &bench->stage, arena, &review,
                              &bench->err));
    const Table *table = bench_table(bench, "raw");
    for (int i = 0; i < 3; i++) {
        double exponential[3], sum = 0;
        for (int j = 0; j < 3; j++) {
            double dot = 0;
            for (int d = 0; d < BENCH_WIDTH; d++)
                dot +=
                    (double)question.x[i * BENCH_WIDTH + d] * (double)review.x[j * BENCH_WIDTH + d];
            sum += exponential[j] = exp(dot / sqrt(BENCH_WIDTH) / 2);
        }
        for (int j = 0; j < 3; j++)
            assert_near(table_value(table, i, j), exponential[j] / sum, 1e-6);
    }
    assert_false(says(table, "random"));
}

/* Nearly 0: all weight is on the largest score of each row, and nothing is NaN. */
static void test_A17_temperature_of_every_map(void **state) {
    Bench *bench = *state;
    for (int s = 0; s < 3; s++) {
        int top[8];
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", "1");
        const Table *table = bench_table(bench, stages[s]);
        for (int i = 0; i < 8; i++)
            stats_top_keys(table->values + i * table->columns.count, table->columns.count, &top[i],
                           1);
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", "1", "temperature", "1e-38");
        table = bench_table(bench, stages[s]);
        for (int i = 0; i < 8; i++) {
            assert_near(table_row_sum(table, i), 1, 1e-6);
            if (s < 2) assert_true(table_value(table, i, top[i]) > 0.49f); /* equal words share */
        }
    }
}

static void test_random_weights_say_so_and_follow_the_seed(void **state) {
    Bench *bench = *state;
    for (int s = 1; s < 3; s++) {
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s]);
        float first = table_value(bench_table(bench, stages[s]), 7, 0);
        assert_true(says(bench_table(bench, stages[s]), "carries no meaning yet"));
        assert_non_null(strstr(scene_cross.caption(bench->state, &bench->assets), "untrained"));
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s]);
        assert_true(table_value(bench_table(bench, stages[s]), 7, 0) == first);
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "seed", "2");
        assert_true(table_value(bench_table(bench, stages[s]), 7, 0) != first);
    }
}

static void test_arithmetic_of_a_weight(void **state) {
    Bench *bench = *state;
    static const char *const divisors[] = {"÷ √384", "÷ √32", "÷ √32"};
    static const double widths[] = {384, 32, 32};
    for (int s = 0; s < 3; s++) {
        BENCH_MAKE(bench, &scene_cross, "stage", stages[s], "head", "2", "pad", "1");
        Probe probe = bench_probe(bench, 5, 3);
        double weight = bench_number(&probe, "exp(s − max)") / bench_number(&probe, "sum of row");
        assert_near(weight, probe.value, 1e-4);
        assert_near(bench_number(&probe, "q · k") / sqrt(widths[s]),
                    bench_number(&probe, divisors[s]), 1e-3);
        assert_true(probe.bar_count > 0);
        bench_line(&probe, "row sum", "1.0000");
    }
}

/* Every word below the map stands for its key, in the colour that the map has for the weight. */
static void test_words_below_are_in_the_colours_of_the_map(void **state) {
    Bench *bench = *state;
    Canvas canvas = bench_canvas(bench, &bench->assets, 900, 700);
    BENCH_MAKE(bench, &scene_cross, "stage", "cross", "range", "max");
    const Table *table = bench_table(bench, "cross");
    float low, high;
    assert_true(table_range(table, -1, &low, &high));
    scene_cross.draw(bench->state, &canvas, canvas.clip);
    const Color *map = palette_table(palette_resolve(PALETTE_AUTO, false, canvas.theme));
    int left, top, w, h, row = -1, found = 0;
    bool seen[22] = {false};
    sscanf(scene_cross.geometry(bench->state, &canvas, canvas.clip, &bench->assets),
           "matrix %d %d %d %d", &left, &top, &w, &h);
    for (int y = top + h + 1; y < 700; y += 3)
        for (int x = 0; x < 590; x += 3) {
            Cell cell;
            if (!scene_cross.locate(bench->state, &canvas, canvas.clip, x, y, &cell)) continue;
            assert_true(row < 0 || cell.row == row);
            row = cell.row;
            double share = (double)table_value(table, row, cell.column) / (double)high;
            if (canvas.pixels[y * canvas.stride + x] != map[(int)(share * 255 + 0.5)]) continue;
            found += !seen[cell.column];
            seen[cell.column] = true;
        }
    assert_int_equal(found, 22);
    assert_string_equal(table->rows.labels[row].text, "story"); /* the longest word */
}

static void test_a_long_review_stays_in_its_place(void **state) {
    Bench *bench = *state;
    char text[512 * 5 + 1] = "";
    for (int i = 0; i < 512; i++) memcpy(text + 5 * i, i == 400 ? "film " : "warm ", 6);
    BENCH_MAKE(bench, &scene_cross, "context", text, "query", "a film");
    Canvas canvas = bench_canvas(bench, &bench->assets, 900, 700);
    scene_cross.draw(bench->state, &canvas, canvas.clip);
    bool seen = false; /* the strongest key is among the words that are seen */
    for (int y = 400; y < 700 && !seen; y += 9)
        for (int x = 0; x < 590; x += 5) {
            Cell cell;
            if (scene_cross.locate(bench->state, &canvas, canvas.clip, x, y, &cell))
                seen = seen || cell.column == 400;
        }
    assert_true(seen);
    int width, height;
    scene_cross.natural(bench->state, &canvas, &width, &height);
    assert_true(width < 4000 && height < 4000);
}

static void test_an_own_text_takes_the_place_of_the_record(void **state) {
    Bench *bench = *state;
    const Knob *query = knob_find(scene_cross.knobs, "query", NULL);
    BENCH_MAKE(bench, &scene_cross, "record", "2");
    const char *text = scene_cross.text(bench->state, query, &bench->assets);
    assert_non_null(strchr(text, '?'));
    assert_non_null(strstr(scene_cross.caption(bench->state, &bench->assets), "record 2"));
    BENCH_MAKE(bench, &scene_cross, "query", "a warm film", "context", "warm");
    assert_int_equal(bench_table(bench, "raw")->rows.count, 3);
    assert_int_equal(bench_table(bench, "raw")->columns.count, 1);
    assert_true(table_value(bench_table(bench, "raw"), 2, 0) == 1);
    assert_non_null(strstr(scene_cross.caption(bench->state, &bench->assets), "your own pair"));
}

static void test_refuses(void **state) {
    Bench *bench = *state;
    assert_string_equal(BENCH_FAIL(bench, &scene_cross, "query", " "),
                        "query: the text has no words; type at least one");
    assert_string_equal(BENCH_FAIL(bench, &scene_cross, "context", ""),
                        "context: the text has no words; type at least one");
    char text[513 * 2 + 1] = "";
    for (int i = 0; i < 513; i++) memcpy(text + 2 * i, "a ", 3);
    assert_string_equal(BENCH_FAIL(bench, &scene_cross, "context", text),
                        "context: the text has 513 words, at most 512 fit; shorten it");
    assert_string_equal(BENCH_FAIL(bench, &scene_cross, "head", "4"),
                        "head 4: there are 4 heads, counted from 0");
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cross, "pad", "500"), "522 keys"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cross, "d-model", "130"), "130"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cross, "d-model", "12"), "odd"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cross, "record", "4"), "4"));
}

/* ---- records ---- */

static void test_the_records_of_the_source_tree(void **state) {
    Bench *bench = *state;
    const Record *records = NULL;
    static const char *const sentiments[] = {"mixed", "positive", "negative"};
    assert_true(records_read("assets", 3, &bench->assets, &records, &bench->err));
    for (int i = 0; i < 3; i++) {
        assert_string_equal(records[i].sentiment, sentiments[i]);
        assert_true(strlen(records[i].context) > strlen(records[i].question));
        assert_non_null(strchr(records[i].question, '?'));
    }
}

static const char *refusal(Bench *bench, const char *text) {
    const Record *records = NULL;
    bench_file(bench, "texts/reviews.txt", text);
    bench->err = (Err){.text = ""};
    assert_false(records_read(bench->folder, 2, &bench->assets, &records, &bench->err));
    assert_null(records);
    assert_false(bench->err.usage);
    return bench->err.text;
}

#define RECORD "title: A\nsentiment: mixed\ncontext: warm.\nquestion: warm?\n"

static void test_damaged_records(void **state) {
    Bench *bench = *state;
    const Record *records = NULL;
    bench_file(bench, "texts/reviews.txt", "# two\r\n\r\n" RECORD "\n\n" RECORD);
    assert_true(records_read(bench->folder, 2, &bench->assets, &records, &bench->err));
    assert_string_equal(records[1].question, "warm?");
    assert_non_null(strstr(refusal(bench, RECORD), "has 1 record"));
    assert_non_null(strstr(refusal(bench, ""), "has 0 records"));
    assert_non_null(strstr(refusal(bench, "title A\n"), "line 1: a colon"));
    assert_non_null(strstr(refusal(bench, RECORD "\ntitle: B\ncontext: c\n"),
                           "line 6: the record that begins here has no sentiment"));
    assert_non_null(strstr(refusal(bench, RECORD "title: B\n"), "line 5: a second title"));
    assert_non_null(strstr(refusal(bench, "title:  \n"), "line 1: the title is empty"));
    assert_non_null(strstr(refusal(bench, "titel: A\n"), "title"));
    assert_non_null(strstr(refusal(bench, "sentiment: happy\n"), "mixed"));
    assert_non_null(strstr(refusal(bench, "title: \xFF\n"), "UTF-8"));
    assert_true(strlen(BENCH_FAIL(bench, &scene_cross, "record", "1")) > 10);
    BENCH_MAKE(bench, &scene_cross, "query", "a", "context", "b"); /* needs none */
}

static int set_up(void **state) {
    *state = bench_open();
    return 0;
}

static int tear_down(void **state) {
    bench_close(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_names_that_others_rely_on),
        TEST(test_rows_sum_to_1_and_axes_are_query_and_key),
        TEST(test_padding_is_blocked_and_exactly_0),
        TEST(test_self_attention_is_causal),
        TEST(test_order_of_the_review_does_not_matter),
        TEST(test_A15_the_mean_of_heads_is_said_to_be_one),
        TEST(test_raw_weights_are_likeness),
        TEST(test_A17_temperature_of_every_map),
        TEST(test_random_weights_say_so_and_follow_the_seed),
        TEST(test_arithmetic_of_a_weight),
        TEST(test_words_below_are_in_the_colours_of_the_map),
        TEST(test_a_long_review_stays_in_its_place),
        TEST(test_an_own_text_takes_the_place_of_the_record),
        TEST(test_refuses),
        TEST(test_the_records_of_the_source_tree),
        TEST(test_damaged_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
