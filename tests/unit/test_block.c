/* The block as a walk: every step follows from the one before, and what the knobs exchange. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_block;

enum { T = 12, D = 128 };

static void test_every_step_follows_from_the_last(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_block, "head", "1");
    const Table *norm = bench_table(bench, "norm"), *v = bench_table(bench, "v");
    const Table *q = bench_table(bench, "q"), *k = bench_table(bench, "k");
    const Table *scores = bench_table(bench, "scores"), *weights = bench_table(bench, "weights");
    const Table *concat = bench_table(bench, "concat"), *output = bench_table(bench, "output");
    const Table *residual = bench_table(bench, "residual");
    const Table *feed = bench_table(bench, "feedforward"), *norm2 = bench_table(bench, "norm2");
    assert_int_equal(norm->columns.count, D);
    for (int i = 0; i < T; i++) {
        double mean = 0, squares = 0, dot = 0, value = 0, sum = 0;
        for (int d = 0; d < D; d++) {
            mean += (double)table_value(norm, i, d) / D;
            squares += pow((double)table_value(norm, i, d), 2) / D;
            sum += (double)table_value(norm2, i, d) / D;
        }
        assert_true(fabs(mean) < 1e-5 && fabs(squares - 1) < 1e-3 && fabs(sum) < 1e-5);
        for (int d = 32; d < 64; d++) /* the columns of head 1 */
            dot += (double)table_value(q, i, d) * (double)table_value(k, 3, d);
        assert_true(fabs(dot / sqrt(32) - (double)table_value(scores, i, 3)) < 1e-4);
        for (int j = 0; j < T; j++)
            value += (double)table_value(weights, i, j) * (double)table_value(v, j, 40);
        assert_true(fabs(value - (double)table_value(concat, i, 40)) < 1e-5);
        assert_true(fabs(table_row_sum(weights, i) - 1) < 1e-6);
        assert_true(fabs((double)table_value(residual, i, 7) + (double)table_value(feed, i, 7) -
                         (double)table_value(output, i, 7)) < 1e-5);
    }
}

static void test_stages(void **state) {
    (void)state;
    static const char *const stages[] = {
        "norm",       "q",        "k",     "v",           "scores",    "weights", "concat",
        "projection", "residual", "norm2", "feedforward", "residual2", "output"};
    for (int i = 0; i < 13; i++) assert_int_equal(scene_stage_index(&scene_block, stages[i]), i);
}

static bool says(const Table *table, const char *words) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], words)) return true;
    return false;
}

/* Behind a norm every row has length √D; in pre-norm only what the parts read is normed. */
static double row_length(const Table *table, int row) {
    double sum = 0;
    for (int d = 0; d < D; d++) sum += pow((double)table_value(table, row, d), 2);
    return sqrt(sum);
}

static void test_what_the_knobs_exchange(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_block, "seed", "1");
    assert_false(says(bench_table(bench, "output"), "differs"));
    assert_true(fabs(row_length(bench_table(bench, "output"), 2) - sqrt(D)) > 0.1);
    BENCH_MAKE(bench, &scene_block, "norm-place", "post");
    assert_true(says(bench_table(bench, "output"), "differs by at most"));
    assert_true(fabs(row_length(bench_table(bench, "output"), 2) - sqrt(D)) < 1e-2);
    BENCH_MAKE(bench, &scene_block, "norm", "rms");
    assert_true(says(bench_table(bench, "output"), "differs by at most"));
    assert_string_equal(bench_table(bench, "norm")->title, "RMSNorm(x)");
    BENCH_MAKE(bench, &scene_block, "feed", "swiglu");
    assert_true(says(bench_table(bench, "output"), "differs by at most"));
    BENCH_MAKE(bench, &scene_block, "feed", "gelu-tanh");
    assert_true(says(bench_table(bench, "output"), "differs by at most 0.00"));
}

/* The steps from the first on, as Right goes. */
static void assert_walk(Bench *bench, const char *const *names) {
    int walk[SCENE_STEPS_MAX], count = scene_walk(&scene_block, bench->state, walk);
    for (int i = 0; i < count; i++) assert_string_equal(scene_block.stages[walk[i]].name, names[i]);
    assert_null(names[count]);
}

static void test_the_steps_stand_as_the_data_walks(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_block, "norm-place", "pre");
    assert_walk(bench,
                (const char *[]){"norm", "q", "k", "v", "scores", "weights", "concat", "projection",
                                 "residual", "norm2", "feedforward", "output", NULL});
    BENCH_MAKE(bench, &scene_block, "norm-place", "post");
    assert_walk(bench,
                (const char *[]){"q", "k", "v", "scores", "weights", "concat", "projection",
                                 "residual", "norm", "feedforward", "residual2", "output", NULL});
}

/* Each step of post-norm comes from those before it on the line. */
static void test_post_norm_follows_its_steps(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_block, "norm-place", "post");
    const Table *norm = bench_table(bench, "norm"), *feed = bench_table(bench, "feedforward");
    const Table *sum = bench_table(bench, "residual2"), *output = bench_table(bench, "output");
    for (int i = 0; i < 12; i++) {
        double mean = 0, squares = 0;
        for (int d = 0; d < D; d++) {
            double value = (double)table_value(sum, i, d);
            assert_true(fabs((double)table_value(norm, i, d) + (double)table_value(feed, i, d) -
                             value) < 1e-5);
            mean += value / D;
            squares += value * value / D;
        }
        double eps = 1e-5,
               normed = ((double)table_value(sum, i, 9) - mean) / sqrt(squares - mean * mean + eps);
        assert_true(fabs(normed - (double)table_value(output, i, 9)) < 1e-4);
    }
}

/* What is no step any more is the output by another name. */
static void test_turning_the_norm_stays_on_the_line(void **state) {
    Bench *bench = *state;
    const Knob *stage = knob_find(scene_block.knobs, "stage", NULL);
    BENCH_MAKE(bench, &scene_block, "norm-place", "post", "stage", "norm2");
    assert_string_equal(knob_get(stage, bench->state, &bench->assets), "output");
    BENCH_MAKE(bench, &scene_block, "norm-place", "pre", "stage", "residual2");
    assert_string_equal(knob_get(stage, bench->state, &bench->assets), "output");
    const Table *sum = bench_table(bench, "residual2"), *output = bench_table(bench, "output");
    assert_memory_equal(sum->values, output->values, 12 * D * sizeof(float));
}

static void test_the_row_is_followed(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_block, "stage", "residual");
    Probe probe = bench_probe(bench, 2, 5);
    double x = strtod(probe.lines[0].value, NULL);
    assert_string_equal(probe.lines[0].name, "x");
    assert_string_equal(probe.lines[1].name, "attention");
    assert_true(isfinite(x));
    assert_non_null(strstr(scene_block.caption(bench->state, &bench->assets), "12 × 128"));
}

static void test_refuses(void **state) {
    Bench *bench = *state;
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_block, "d-model", "129"), "129"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_block, "head", "7"), "4 heads"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_block, "d-model", "12", "heads", "4", "rope", "on"), "3"));
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
        TEST(test_every_step_follows_from_the_last),
        TEST(test_stages),
        TEST(test_what_the_knobs_exchange),
        TEST(test_the_steps_stand_as_the_data_walks),
        TEST(test_post_norm_follows_its_steps),
        TEST(test_turning_the_norm_stays_on_the_line),
        TEST(test_the_row_is_followed),
        TEST(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
