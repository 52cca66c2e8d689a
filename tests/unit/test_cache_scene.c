/* The scene of the cache: steps equal the full run, restarted positions do not, what is not decoded
 * is missing, and the counts are those that a hand finds. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_cache;

static bool says(const Table *table, const char *words) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], words)) return true;
    return false;
}

static double largest(const Table *table) {
    double found = 0;
    for (int i = 0; i < table->rows.count; i++)
        for (int j = 0; j < table->columns.count; j++)
            if (table_state(table, i, j) == CELL_OK)
                found = fmax(found, fabs((double)table_value(table, i, j)));
    return found;
}

static void test_names_that_others_rely_on(void **state) {
    (void)state;
    static const char *const stages[] = {"queries", "keys",       "values",
                                         "weights", "difference", "cost"};
    static const char *const knobs[] = {"step", "prompt", "positions", "rope", "head", "seed"};
    for (int i = 0; i < 6; i++) assert_int_equal(scene_stage_index(&scene_cache, stages[i]), i);
    for (int i = 0; i < 6; i++) assert_non_null(knob_find(scene_cache.knobs, knobs[i], NULL));
    assert_string_equal(scene_cache.up_down, "step");
}

static void test_steps_equal_the_full_run(void **state) {
    Bench *bench = *state;
    static const char *const heads[] = {"0", "3"};
    static const char *const prompts[] = {"1", "4", "12"};
    static const char *const last[] = {"11", "8", "0"};
    for (int i = 0; i < 6; i++) {
        BENCH_MAKE(bench, &scene_cache, "head", heads[i % 2], "prompt", prompts[i / 2], "step",
                   last[i / 2]);
        assert_true(largest(bench_table(bench, "difference")) < 1e-6);
        assert_true(says(bench_table(bench, "weights"), "Equal to one full causal run"));
        assert_true(says(bench_table(bench, "weights"), "random"));
    }
}

/* The prompt alone is right; every row behind it is wrong. */
static void test_restarted_positions_differ(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cache, "positions", "restarted", "step", "8");
    const Table *difference = bench_table(bench, "difference");
    for (int i = 0; i < 12; i++) {
        double row = 0;
        for (int j = 0; j <= i; j++) row = fmax(row, fabs((double)table_value(difference, i, j)));
        assert_true(i < 4 ? row < 1e-6 : row > 1e-3);
    }
    assert_true(says(difference, "Not equal"));
    assert_true(says(difference, "Wrong on purpose"));
    assert_non_null(strstr(scene_cache.caption(bench->state, &bench->assets), "restarted"));
    BENCH_MAKE(bench, &scene_cache, "positions", "restarted", "step", "8", "rope", "off");
    assert_true(largest(bench_table(bench, "difference")) < 1e-6);
}

/* Rows of 3, 4 and 5 keys behind a prompt of 2; what no step gave is missing and not zero. */
static void test_E3_what_is_not_decoded_is_missing(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cache, "prompt", "2", "step", "3");
    const Table *weights = bench_table(bench, "weights");
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            CellState want = i >= 5             ? CELL_MISSING
                             : j <= i           ? CELL_OK
                             : i == 0 && j == 1 ? CELL_BLOCKED
                                                : CELL_MISSING;
            assert_int_equal(table_state(weights, i, j), want);
        }
    for (int i = 0; i < 5; i++) assert_true(fabs(table_row_sum(weights, i) - 1) < 1e-6);
    const Table *keys = bench_table(bench, "keys"), *queries = bench_table(bench, "queries");
    for (int t = 0; t < 12; t++) {
        assert_int_equal(table_state(keys, t, 0), t < 5 ? CELL_OK : CELL_MISSING);
        assert_int_equal(table_state(queries, t, 0), t == 4 ? CELL_OK : CELL_MISSING);
    }
}

/* What the cache holds does not change from step to step. */
static void test_keys_are_reused(void **state) {
    Bench *bench = *state;
    float keys[5 * 32];
    BENCH_MAKE(bench, &scene_cache, "prompt", "2", "step", "3");
    memcpy(keys, bench_table(bench, "keys")->values, sizeof keys);
    BENCH_MAKE(bench, &scene_cache, "prompt", "2", "step", "7");
    assert_memory_equal(bench_table(bench, "keys")->values, keys, sizeof keys);
}

/* d_model 8: projections of a token 4 · 64 = 256; attention of t queries onto s keys 16 t s. */
static void test_counts_by_hand(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cache, "text", "the film is warm", "d-model", "8", "heads", "2",
               "prompt", "2", "step", "0");
    const Table *cost = bench_table(bench, "cost");
    static const float want[3][4] = {
        {576, 576, 576, 576}, {304, 912, 880, 1488}, {320, 1280, 1200, 2768}};
    assert_int_equal(cost->rows.count, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) assert_true(table_value(cost, i, j) == want[i][j]);
    assert_true(bench_set(bench, "stage", "cost") && bench_compute(bench));
    Probe probe = bench_probe(bench, 2, 0);
    bench_line(&probe, "projections: 4 × 1 × 8²", "256");
    bench_line(&probe, "attention: 2 × 1 × 4 × 8", "64");
    bench_line(&probe, "this step", "320");
    bench_line(&probe, "so far", "1,200");
}

static void test_arithmetic_of_a_weight(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cache, "positions", "restarted");
    Probe probe = bench_probe(bench, 6, 2);
    bench_line(&probe, "query computed in", "step 3, now");
    bench_line(&probe, "key computed in", "step 0");
    bench_line(&probe, "position of the query", "0 instead of 6");
    bench_line(&probe, "position of the key", "2");
    char weight[TEXT_NUMBER_MAX];
    text_panel(weight, (double)table_value(bench_table(bench, "weights"), 6, 2), 4);
    bench_line(&probe, "weight", weight);
    assert_non_null(strstr(bench_probe(bench, 9, 0).sentence, "Not decoded yet"));
    assert_non_null(strstr(bench_probe(bench, 0, 1).sentence, "Blocked"));
    assert_non_null(strstr(bench_probe(bench, 5, 8).sentence, "not there"));
}

/* A shorter text takes the step with it, but a step that is asked for is refused. */
static void test_steps_end_with_the_text(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cache, "text", "the film");
    assert_non_null(strstr(scene_cache.caption(bench->state, &bench->assets), "step 0 of 0 … 0"));
    assert_true(bench_set(bench, "text", "the film is not bad at all"));
    assert_true(bench_set(bench, "step", "3") && bench_compute(bench));
    assert_true(bench_set(bench, "text", "the film is not bad") && bench_compute(bench));
    assert_non_null(strstr(scene_cache.caption(bench->state, &bench->assets), "step 1 of 0 … 1"));
    const char *text = BENCH_FAIL(bench, &scene_cache, "step", "9");
    assert_string_equal(text, "step 9: the text has 12 tokens and the prompt 4 of them, so the "
                              "steps go from 0 to 8");
    assert_true(bench->err.usage);
}

static void test_playing_ends_at_the_last_step(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cache, "step", "7");
    assert_false(scene_cache.tick(bench->state, 0.1));
    assert_false(scene_cache.finished(bench->state));
    assert_true(scene_cache.tick(bench->state, 1));
    assert_true(scene_cache.finished(bench->state));
    assert_true(scene_cache.tick(bench->state, 1));
    assert_true(bench_compute(bench));
    assert_non_null(strstr(scene_cache.caption(bench->state, &bench->assets), "step 0 of"));
}

static void test_refused(void **state) {
    Bench *bench = *state;
    static const char *const rows[][5] = {
        {"d-model", "130", "heads", "4", "divi"},
        {"d-model", "12", "heads", "4", "even"},
        {"head", "4", "heads", "4", "head 4: there are 4 heads"},
        {"prompt", "0", "heads", "4", "prompt 0: allowed is"},
        {"positions", "restart", "heads", "4", "did you mean restarted?"},
        {"model", "/nowhere/m.safetensors", "heads", "4", "/nowhere/m.safetensors"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text =
            BENCH_FAIL(bench, &scene_cache, rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
        if (!strstr(text, rows[i][4])) fail_msg("%s", text);
    }
    BENCH_MAKE(bench, &scene_cache, "d-model", "12", "heads", "4", "rope", "off");
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
        cmocka_unit_test(test_names_that_others_rely_on),
        TEST(test_steps_equal_the_full_run),
        TEST(test_restarted_positions_differ),
        TEST(test_E3_what_is_not_decoded_is_missing),
        TEST(test_keys_are_reused),
        TEST(test_counts_by_hand),
        TEST(test_arithmetic_of_a_weight),
        TEST(test_steps_end_with_the_text),
        TEST(test_playing_ends_at_the_last_step),
        TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
