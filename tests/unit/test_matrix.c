/* The scene of typed numbers: what softmax makes of scores, finished weights as they are, labels,
 * and what is refused. */
#include "scene_bench.h"

#include "scene/number_files.h"

#include <math.h>

extern const Scene scene_matrix;

static void assert_near(float got, double want) {
    if (fabs((double)got - want) > 1e-6) fail_msg("got %.8f, want %.8f", (double)got, want);
}

/* Whether a note of the table says words. */
static bool noted(const Table *table, const char *words) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], words)) return true;
    return false;
}

static void test_A17_large_scores(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "1000 1001 1002");
    const Table *table = bench_table(bench, "weights");
    assert_near(table->values[0], 0.090031);
    assert_near(table->values[1], 0.244728);
    assert_near(table->values[2], 0.665241);
    BENCH_MAKE(bench, &scene_matrix, "scores", "2 4 3", "temperature", "1e-38");
    table = bench_table(bench, "weights");
    assert_true(table->values[0] == 0 && table->values[1] == 1 && table->values[2] == 0);
    for (int j = 0; j < 3; j++) assert_int_equal(table_state(table, 0, j), CELL_OK);
}

static void test_A1_row_without_keys(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "-inf -inf -inf; 0 0 0");
    const Table *table = bench_table(bench, "weights");
    for (int j = 0; j < 3; j++) {
        assert_int_equal(table_state(table, 0, j), CELL_UNDEFINED);
        assert_true(table->values[j] == 0);
        assert_near(table_value(table, 1, j), 1.0 / 3);
    }
    assert_string_equal(table->notes[0], "Row 0 has no key allowed: there is nothing to share out, "
                                         "and its weights are 0.");
    Probe probe = bench_probe(bench, 0, 1);
    assert_non_null(strstr(probe.sentence, "No key is allowed"));
    assert_int_equal(probe.bar_count, 0);
}

static void test_A14_weights_are_never_renormalised(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", "1.25 0 0 0");
    const Table *table = bench_table(bench, "weights");
    assert_true(table->values[0] == 1.25f);
    assert_string_equal(table->notes[0], "Row 0 sums to 1.25: it looks like dropout left in. "
                                         "Nothing is renormalised.");
    BENCH_MAKE(bench, &scene_matrix, "weights", "1 0; .5 .5");
    assert_true(noted(bench_table(bench, "weights"), "Every row sums to 1."));
}

static void test_A4_mask_after_softmax(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights",
               ".25 0 0 0; .25 .25 0 0; .25 .25 .25 0; .25 .25 .25 .25");
    assert_true(noted(bench_table(bench, "weights"),
                      "Row 0 sums to 0.25, row 1 sums to 0.5, row 2 sums to 0.75: it looks like a "
                      "mask applied after softmax."));
}

static void test_E4_rows_that_are_no_probabilities(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", "1.5 1.2 1; 1 1.7 1; 1 1 1.7; .9 1 1.8; 0 0 0");
    assert_true(noted(bench_table(bench, "weights"), "not probabilities"));
    assert_true(noted(bench_table(bench, "weights"), "Row 0 sums to 3.7"));
    assert_true(fabs(table_row_sum(bench_table(bench, "weights"), 0) - 3.7) < 1e-6);
}

static void test_A19_entropy(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", "1 0 0 0; .5 .5 0 0; .25 .25 .25 .25");
    static const char *const want[] = {"0.00 of 2.00 bits", "1.00 of 2.00 bits",
                                       "2.00 of 2.00 bits"};
    for (int i = 0; i < 3; i++) {
        Probe probe = bench_probe(bench, i, 0);
        bench_line(&probe, "entropy", want[i]);
        bench_line(&probe, "row sum", "1.0000");
    }
}

static void test_C1_repeated_tokens(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 2 3; 4 5 6; 7 8 9", "query-labels", "the cat the",
               "key-labels", "the cat the", "stage", "scores");
    const Table *table = bench_table(bench, "scores");
    assert_int_equal(table->rows.count, 3);
    assert_true(table_value(table, 2, 0) == 7 && table_value(table, 0, 2) == 3);
    assert_string_equal(bench_probe(bench, 2, 0).title, "the (2) → the (0)");
    assert_string_equal(bench_probe(bench, 0, 1).title, "the (0) → cat");
}

static void test_C3_C4_byte_pieces(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 2; 3 4", "query-labels", "\\xE6\\x9D \\xB1",
               "key-labels", "\\xF0\\x9F \\x99\\x82");
    const Table *table = bench_table(bench, "weights");
    assert_string_equal(table->rows.labels[0].text, "<E6 9D>");
    assert_string_equal(table->rows.labels[1].text, "<B1>");
    assert_string_equal(table->rows.labels[0].group_text, "\xE6\x9D\xB1");
    assert_int_equal(table->rows.labels[0].group, table->rows.labels[1].group);
    assert_string_equal(table->columns.labels[0].text, "<F0 9F>");
    assert_string_equal(table->columns.labels[1].text, "<99 82>");
    assert_string_equal(table->columns.labels[1].group_text, "\xF0\x9F\x99\x82");
    Probe probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "query <E6 9D>", "part of \xE6\x9D\xB1");
    bench_line(&probe, "key <99 82>", "part of \xF0\x9F\x99\x82");
}

static void test_C8_blank_tokens(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 2 3 4 5", "key-labels", "\\s \\n \\t \\e a");
    static const char *const want[] = {"␣", "⏎", "⇥", "∅", "a"};
    const Table *table = bench_table(bench, "weights");
    for (int j = 0; j < 5; j++) assert_string_equal(table->columns.labels[j].text, want[j]);
    Probe probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "key ⏎", "U+000A");
}

static void test_C13_rows_are_queries(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", ".16666667 .33333334 .5; .6666667 .8333333 1");
    const Table *table = bench_table(bench, "weights");
    assert_int_equal(table->rows.count, 2);
    assert_int_equal(table->columns.count, 3);
    assert_string_equal(table->rows.name, "query");
    assert_string_equal(table->columns.name, "key");
    Probe probe = bench_probe(bench, 1, 2);
    assert_string_equal(probe.title, "query 1 → key 2");
    assert_true(probe.value == 1);
    bench_line(&probe, "weight", "1.0000");
    bench_line(&probe, "row sum", "2.5000");
}

/* A cell without a number is no key that the row could have spread its weight over. */
static void test_E3_missing_cells_are_no_allowed_keys(void **state) {
    Bench *bench = *state;
    const char *path = bench_file(bench, "a.txt",
                                  "query,a,b,c,d\na,1,,,\nb,.5,.5,,\nc,.5,.25,.25,\n"
                                  "d,.25,.25,.25,.25\n");
    const char *value = arena_printf(&bench->assets, "@%s", path);
    BENCH_MAKE(bench, &scene_matrix, "weights", value);
    int count = 0;
    const char *const *lines = scene_matrix.findings(bench->state, &count), *entropy = "";
    for (int i = 0; i < count; i++) {
        assert_null(strstr(lines[i], "mask"));
        if (strncmp(lines[i], "Entropy", strlen("Entropy")) == 0) entropy = lines[i];
    }
    /* 1, 1.0397 / ln 3 and 1: the first row has no choice */
    assert_string_equal(entropy, "Entropy is 98 % of log(keys allowed) on average, from 95 % "
                                 "(row 2) to 100 % (row 1).");
    Probe probe = bench_probe(bench, 1, 0);
    bench_line(&probe, "entropy", "1.00 of 1.00 bits");
    BENCH_MAKE(bench, &scene_matrix, "weights", value, "mask", "padding", "pad", "1");
    assert_int_equal(table_state(bench_table(bench, "weights"), 0, 1), CELL_MISSING);
}

/* Once other numbers are given, those of the example are no longer told. */
static void test_the_example_goes(void **state) {
    Bench *bench = *state;
    const Knob *scores = knob_find(scene_matrix.knobs, "scores", NULL);
    const Knob *v = knob_find(scene_matrix.knobs, "v", NULL);
    static const char *const given[][2] = {
        {"weights", "1 0; .5 .5"}, {"x", "1 0; 0 1"}, {"scores", "1 2; 3 4"}};
    BENCH_MAKE(bench, &scene_matrix, "mask", "none");
    assert_null(scene_matrix.text(bench->state, scores, &bench->assets));
    assert_null(scene_matrix.text(bench->state, v, &bench->assets));
    for (int i = 0; i < 3; i++) {
        BENCH_MAKE(bench, &scene_matrix, given[i][0], given[i][1]);
        const char *text = scene_matrix.text(bench->state, scores, &bench->assets);
        if (i == 2)
            assert_null(text);
        else
            assert_string_equal(text, "");
        assert_string_equal(scene_matrix.text(bench->state, v, &bench->assets), "");
    }
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 2; 3 4", "v", "5 6; 7 8");
    assert_null(scene_matrix.text(bench->state, v, &bench->assets));
}

static void test_C14_wrong_token_count(void **state) {
    Bench *bench = *state;
    const char *zeros = "0 0 0 0 0 0;0 0 0 0 0 0;0 0 0 0 0 0;0 0 0 0 0 0;0 0 0 0 0 0;0 0 0 0 0 0";
    assert_string_equal(
        BENCH_FAIL(bench, &scene_matrix, "scores", zeros, "query-labels", "a b c d e"),
        "query-labels: 5 labels for 6 rows; BOS or EOS missing?");
    assert_string_equal(
        BENCH_FAIL(bench, &scene_matrix, "scores", "1 2 3", "key-labels", "a b c d"),
        "key-labels: 4 labels for 3 columns; BOS or EOS too many?");
}

static void test_D1_numbers_do_not_follow_the_colours(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", "0.97 0.01 0.015 0.005", "range", "skip",
               "skip-key", "0");
    const Table *table = bench_table(bench, "weights");
    assert_true(table->values[1] == 0.01f && table->values[2] == 0.015f &&
                table->values[3] == 0.005f);
    Probe probe = bench_probe(bench, 0, 2);
    bench_line(&probe, "weight", "0.0150");
}

static void test_D4_not_finite(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", "0 nan; -inf 0.5; inf 1");
    const Table *table = bench_table(bench, "weights");
    static const CellState want[] = {CELL_OK, CELL_NAN,      CELL_MINUS_INF,
                                     CELL_OK, CELL_PLUS_INF, CELL_OK};
    for (int i = 0; i < 6; i++) assert_int_equal(table->states[i], want[i]);
    float low, high;
    assert_true(table_range(table, -1, &low, &high));
    assert_true(low == 0 && high == 1);
    assert_string_equal(bench->scene->facts(bench->state, &bench->assets),
                        "3 × 2 numbers · 1 NaN · 1 +∞ · 1 −∞");
}

static void test_D5_true_zero(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 -inf -inf; 0 0 -inf; -100 0 0");
    const Table *table = bench_table(bench, "weights");
    assert_int_equal(table_state(table, 2, 0), CELL_OK);
    Probe probe = bench_probe(bench, 2, 0);
    bench_line(&probe, "with mask", "0.0000");
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 -inf -inf; 0 0 -inf; -100 0 0", "stage",
               "scores");
    assert_int_equal(bench_table(bench, "scores")->states[1], CELL_MINUS_INF);
}

static void test_D12_hover_is_the_weight(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", "0.5 0.5; 0.25 0.75");
    Probe probe = bench_probe(bench, 1, 1);
    assert_true(probe.value == 0.75f);
    bench_line(&probe, "weight", "0.7500");
    assert_true(table_value(bench_table(bench, "weights"), 1, 1) == 0.75f);
}

static void test_D13_kinds_of_scales(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "-6 0 2", "stage", "scores");
    assert_int_equal(bench_table(bench, "scores")->kind, TABLE_SIGNED);
    assert_int_equal(bench_table(bench, "weights")->kind, TABLE_WEIGHTS);
    assert_true(bench_table(bench, "weights")->sums);
    assert_false(bench_table(bench, "scores")->sums);
}

static void test_E15_nothing_is_hidden(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 0 0; 0 0 0; 0 0 0");
    const Table *table = bench_table(bench, "weights");
    for (int i = 0; i < 9; i++) {
        assert_int_equal(table->states[i], CELL_OK);
        assert_near(table->values[i], 1.0 / 3);
    }
}

static void test_arithmetic_of_a_weight(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "2 0", "temperature", "2");
    Probe probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "with mask", "0.2689");
    BENCH_MAKE(bench, &scene_matrix, "scores", "2 0", "temperature", "2", "stage", "softmax");
    probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "score", "0.0000");
    bench_line(&probe, "exp((s − max) ÷ t)", "0.3679");
    bench_line(&probe, "sum of row", "1.3679");
    bench_line(&probe, "softmax leaves", "0.2689");
    BENCH_MAKE(bench, &scene_matrix, "scores", "2 0", "temperature", "2");
    probe = bench_probe(bench, 0, 1);
    assert_int_equal(probe.bar_count, 2);
    assert_string_equal(probe.bars[0].name, "key 0");
}

static void test_files(void **state) {
    Bench *bench = *state;
    const char *numbers = bench_file(bench, "a.txt", "1 2\n3 4\n");
    const char *labels = bench_file(bench, "b.txt", "New York\r\n\\n\n");
    const char *numbers_at = arena_printf(&bench->assets, "@%s", numbers);
    const char *labels_at = arena_printf(&bench->assets, "@%s", labels);
    BENCH_MAKE(bench, &scene_matrix, "scores", numbers_at, "key-labels", labels_at, "stage",
               "scores");
    const Table *table = bench_table(bench, "scores");
    assert_true(table_value(table, 1, 0) == 3);
    assert_string_equal(table->columns.labels[0].full, "New York");
    assert_string_equal(table->columns.labels[1].full, "\\n"); /* taken as it is */
    bench_file(bench, "a.txt", "1 2\n3 x\n");
    assert_string_equal(BENCH_FAIL(bench, &scene_matrix, "scores", numbers_at),
                        arena_printf(&bench->assets,
                                     "scores: %s: line 2, column 3: \"x\" is no number; write "
                                     "numbers such as 0.5, -2, 1e3, nan or -inf",
                                     numbers));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_matrix, "weights", "@/nowhere/a.txt"), "/nowhere/a.txt"));
}

static void test_refused(void **state) {
    Bench *bench = *state;
    assert_string_equal(BENCH_FAIL(bench, &scene_matrix, "scores", "1", "weights", "1"),
                        "scores and weights are both given; leave one of them empty");
    assert_string_equal(BENCH_FAIL(bench, &scene_matrix, "weights", "1", "stage", "scores"),
                        "finished weights have no scores to show; take --stage weights");
    assert_string_equal(BENCH_FAIL(bench, &scene_matrix, "scores", "1 2; 3"),
                        "scores: line 1: row 1 has 1 number, row 0 has 2; every row needs the "
                        "same");
    assert_string_equal(BENCH_FAIL(bench, &scene_matrix, "scores", "1", "key-labels", "a\\q"),
                        "key-labels: \"a\\q\" has a backslash before something else than s n t r "
                        "e x and \\; write \\\\ for a backslash");
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_matrix, "scores", ""), "no numbers"));
}

/* ---- queries and keys, heads, what goes with them ---- */

static void assert_row(const Table *table, int row, int count, const double *want) {
    for (int j = 0; j < count; j++) assert_near(table_value(table, row, j), want[j]);
}

static void test_E4_weights_from_queries_and_keys(void **state) {
    Bench *bench = *state;
    const double want[] = {0.669762, 0.330238};
    BENCH_MAKE(bench, &scene_matrix, "q", "1 0; 0 1", "k", "1 0; 0 1");
    assert_row(bench_table(bench, "weights"), 0, 2, want);
    assert_non_null(strstr(bench->scene->facts(bench->state, &bench->assets), "d_k = 2"));
    BENCH_MAKE(bench, &scene_matrix, "x", "1 0; 0 1");
    assert_row(bench_table(bench, "weights"), 0, 2, want);
}

static void test_A13_scale_of_a_head(void **state) {
    Bench *bench = *state;
    const double want[] = {0.880797, 0.119203}, even[] = {0.5, 0.5};
    BENCH_MAKE(bench, &scene_matrix, "heads", "2", "q", "2 0 0 0 9 9 9 9", "k",
               "2 0 0 0 1 1 1 1; 0 0 0 0 1 1 1 1");
    assert_row(bench_table(bench, "weights"), 0, 2, want);
    assert_non_null(
        strstr(bench->scene->facts(bench->state, &bench->assets), "d_k = 4 · head 0 of 2"));
    BENCH_MAKE(bench, &scene_matrix, "heads", "2", "head", "1", "q", "2 0 0 0 9 9 9 9", "k",
               "2 0 0 0 1 1 1 1; 0 0 0 0 1 1 1 1");
    assert_row(bench_table(bench, "weights"), 0, 2, even);
    BENCH_MAKE(bench, &scene_matrix, "heads", "2", "stage", "scores", "q", "2 0 0 0 9 9 9 9", "k",
               "2 0 0 0 1 1 1 1; 0 0 0 0 1 1 1 1");
    assert_true(table_value(bench_table(bench, "scores"), 0, 0) == 4);
}

static void test_projections_and_output(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "x", "1 0; 0 1", "wq", "0; 0", "wk", "3; 4", "wv",
               "2 4 6; 4 8 10", "stage", "output");
    const Table *table = bench_table(bench, "output");
    const double want[] = {3, 6, 8};
    assert_int_equal(table->columns.count, 3);
    assert_row(table, 1, 3, want);
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 0", "v", "1; 3", "stage", "output");
    assert_near(table_value(bench_table(bench, "output"), 0, 0), 2);
}

static void test_bias(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 1 1", "bias", "0 0.6931472 -inf");
    const double want[] = {1.0 / 3, 2.0 / 3, 0};
    assert_row(bench_table(bench, "weights"), 0, 3, want);
}

/* Two layers of two heads of 1 x 2 numbers, as an npy file and in its parts. */
static const char *ranked_file(Bench *bench, int rank) {
    static const char *const shapes[] = {"(2,)", "(1, 2)", "(2, 1, 2)", "(2, 2, 1, 2)",
                                         "(1, 2, 2, 1, 2)"};
    float numbers[8];
    char header[119];
    snprintf(header, sizeof header, "%-117s\n",
             arena_printf(&bench->assets, "{'descr': '<f4', 'fortran_order': False, 'shape': %s, }",
                          shapes[rank - 1]));
    for (int i = 0; i < 8; i++) numbers[i] = (float)(i % 2 ? 1 - i / 16.0 : i / 16.0);
    uint8_t *bytes = arena_alloc(&bench->assets, 10 + 118 + sizeof numbers);
    memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
    memcpy(bytes + 10, header, 118);
    memcpy(bytes + 128, numbers, sizeof numbers);
    const char *path = file_join(&bench->assets, bench->folder, "a.txt");
    assert_true(file_write(path, bytes, 128 + sizeof numbers, &bench->err));
    return arena_printf(&bench->assets, "@%s", path);
}

static void test_layers_and_heads(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "weights", ranked_file(bench, 4), "layer", "1", "head", "1");
    assert_true(table_value(bench_table(bench, "weights"), 0, 0) == 6 / 16.0f);
    assert_non_null(strstr(bench->scene->facts(bench->state, &bench->assets),
                           "1 × 2 numbers · layer 1 of 2 · head 1 of 2"));
    BENCH_MAKE(bench, &scene_matrix, "weights", ranked_file(bench, 3), "head", "1");
    assert_true(table_value(bench_table(bench, "weights"), 0, 0) == 2 / 16.0f);
    BENCH_MAKE(bench, &scene_matrix, "weights", ranked_file(bench, 2));
    assert_true(table_value(bench_table(bench, "weights"), 0, 0) == 0);
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_matrix, "weights", ranked_file(bench, 4), "head", "2"),
               "weights has 2 heads, 0 to 1; there is no head 2"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_matrix, "weights", ranked_file(bench, 1)),
                           "weights has the shape [2]; wanted is"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_matrix, "weights", ranked_file(bench, 5)),
                           "weights has the shape [1, 2, 2, 1, 2]; wanted is"));
}

static void test_mask_of_a_file(void **state) {
    Bench *bench = *state;
    const char *mask = bench_file(bench, "a.txt", "1 0 1\n0 1 1\n");
    const double keep[] = {0.5, 0, 0.5}, ignore[] = {0, 1, 0};
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 0 0; 0 0 0", "mask-file", mask);
    assert_row(bench_table(bench, "weights"), 0, 3, keep);
    assert_int_equal(table_state(bench_table(bench, "weights"), 0, 1), CELL_BLOCKED);
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 0 0; 0 0 0", "mask-file", mask, "mask-means",
               "ignore");
    assert_row(bench_table(bench, "weights"), 0, 3, ignore);
    bench_file(bench, "a.txt", "1 1 0"); /* one row for all queries */
    const double two[] = {0.5, 0.5, 0};
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 0 0; 0 0 0", "mask-file", mask);
    assert_row(bench_table(bench, "weights"), 1, 3, two);
    bench_file(bench, "a.txt", "0 0 0");
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 0 0; 0 0 0", "mask-file", mask);
    assert_true(noted(bench_table(bench, "weights"), "Warning: the mask of the file blocks every "
                                                     "key. Perhaps its 1 means ignore"));
    bench_file(bench, "a.txt", "0 0.5 0");
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_matrix, "scores", "0 0 0", "mask-file", mask),
                           "mask-file holds 0.5"));
    bench_file(bench, "a.txt", "0 1");
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_matrix, "scores", "0 0 0", "mask-file", mask),
                           "mask-file is 1 x 2, but 1 x 3 is wanted"));
}

/* What heed writes as CSV it reads again, labels and cells without a number among it. */
static void test_csv_of_heed(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 2; 3 4", "mask", "causal", "key-labels",
               "the c,at");
    Text csv = text_open(&bench->assets);
    table_csv(bench_table(bench, "weights"), &csv);
    const char *path = bench_file(bench, "a.txt", csv.bytes);
    BENCH_MAKE(bench, &scene_matrix, "weights", arena_printf(&bench->assets, "@%s", path));
    const Table *table = bench_table(bench, "weights");
    assert_string_equal(table->columns.labels[1].text, "c,at");
    assert_string_equal(table->rows.labels[1].text, "1");
    assert_int_equal(table_state(table, 0, 1), CELL_MISSING);
    assert_near(table_value(table, 1, 1), 0.731059);
    assert_non_null(strstr(
        BENCH_FAIL(bench, &scene_matrix, "scores", arena_printf(&bench->assets, "@%s", path)),
        "scores: row 0, column 1 of the numbers is empty"));
}

static void test_sources_that_do_not_fit(void **state) {
    Bench *bench = *state;
    static const char *const rows[][5] = {
        {"q", "1", "v", "1", "q is given without k; scores need both"},
        {"q", "1 2", "k", "1", "q is 2 wide and k 1; a query and a key need one width"},
        {"wq", "1", "v", "1", "wq, wk and wv project x, which is not given"},
        {"x", "1 2", "wq", "1", "wq has 1 rows, but 2 are wanted: one for each column of x"},
        {"scores", "1 2", "bias", "1",
         "bias is 1 x 1, but 1 x 2 is wanted: one for each query "
         "and key"},
        {"scores", "1 2", "v", "1", "v has 1 rows, but 2 are wanted: a value for each key"},
        {"scores", "1 2", "heads", "2",
         "heads share out the width of q and k or x, and none is "
         "given"},
        {"x", "1 2 3", "heads", "2", "x is 3 wide, which 2 heads do not share out evenly"},
        {"weights", "1", "bias", "1", "a bias is added to scores, but finished weights are given"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_string_equal(
            BENCH_FAIL(bench, &scene_matrix, rows[i][0], rows[i][1], rows[i][2], rows[i][3]),
            rows[i][4]);
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_matrix, "scores", "1", "temperature", "-1"),
                           "temperature"));
}

/* A file is read when it is new, not at every turn of a knob; and given back when it is no longer
 * shown. */
static void test_files_are_kept_while_they_are_as_they_were(void **state) {
    Bench *bench = *state;
    const char *path = bench_file(bench, "a.txt", "1 2; 3 4");
    BENCH_MAKE(bench, &scene_matrix, "weights", arena_printf(&bench->assets, "@%s", path));
    const NumberFile *first = bench->stage.number_files;
    assert_non_null(first);
    assert_true(first->parsed);
    assert_true(bench_set(bench, "mask", "causal") && bench_compute(bench));
    assert_ptr_equal(bench->stage.number_files, first);
    assert_null(first->next);
    assert_true(table_value(bench_table(bench, "weights"), 1, 1) == 4);
    bench_file(bench, "a.txt", "1 2; 3 5.5");
    assert_true(bench_set(bench, "mask", "none") && bench_compute(bench));
    assert_true(table_value(bench_table(bench, "weights"), 1, 1) == 5.5f);
    assert_null(bench->stage.number_files->next);
    bench_file(bench, "a.txt", "1 2; 3"); /* what was shown stays, and so does its file */
    assert_true(bench_set(bench, "mask", "causal"));
    assert_false(bench_compute(bench));
    assert_true(table_value(bench_table(bench, "weights"), 1, 1) == 5.5f);
    assert_true(bench_set(bench, "weights", "1 0; 0 1") && bench_compute(bench));
    assert_true(bench_compute(bench));
    assert_null(bench->stage.number_files);
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
        TEST(test_A17_large_scores),
        TEST(test_A1_row_without_keys),
        TEST(test_A14_weights_are_never_renormalised),
        TEST(test_A4_mask_after_softmax),
        TEST(test_E4_rows_that_are_no_probabilities),
        TEST(test_A19_entropy),
        TEST(test_C1_repeated_tokens),
        TEST(test_C3_C4_byte_pieces),
        TEST(test_C8_blank_tokens),
        TEST(test_C13_rows_are_queries),
        TEST(test_E3_missing_cells_are_no_allowed_keys),
        TEST(test_the_example_goes),
        TEST(test_C14_wrong_token_count),
        TEST(test_D1_numbers_do_not_follow_the_colours),
        TEST(test_D4_not_finite),
        TEST(test_D5_true_zero),
        TEST(test_D12_hover_is_the_weight),
        TEST(test_D13_kinds_of_scales),
        TEST(test_E15_nothing_is_hidden),
        TEST(test_arithmetic_of_a_weight),
        TEST(test_files),
        TEST(test_refused),
        TEST(test_E4_weights_from_queries_and_keys),
        TEST(test_A13_scale_of_a_head),
        TEST(test_projections_and_output),
        TEST(test_bias),
        TEST(test_layers_and_heads),
        TEST(test_mask_of_a_file),
        TEST(test_csv_of_heed),
        TEST(test_sources_that_do_not_fit),
        TEST(test_files_are_kept_while_they_are_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
