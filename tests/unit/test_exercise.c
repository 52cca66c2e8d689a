/* The exercise: identity tables turn nothing, given and made tables do, and arrays that do not
 * fit. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_exercise;

/* Whether the first note ends by saying that nothing differs. */
static bool says_equal(const Table *table) {
    const char *end = strstr(table->notes[0], "without rotation is ");
    assert_non_null(end);
    return strcmp(end, "without rotation is 0.") == 0;
}

static void test_names_that_others_rely_on(void **state) {
    (void)state;
    static const char *const stages[] = {"rotated", "weights", "output"};
    static const char *const knobs[] = {"x", "wq", "wk", "wv", "wo", "heads", "cos", "sin"};
    for (int i = 0; i < 3; i++) assert_int_equal(scene_stage_index(&scene_exercise, stages[i]), i);
    for (int i = 0; i < 8; i++) assert_non_null(knob_find(scene_exercise.knobs, knobs[i], NULL));
}

static void test_identity_tables_are_the_block_without_rotation(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_exercise, "stage", "output");
    static const char *const stages[] = {"rotated", "weights", "output"};
    for (int i = 0; i < 3; i++) assert_true(says_equal(bench_table(bench, stages[i])));
    const Table *output = bench_table(bench, "output");
    for (int i = 0; i < output->rows.count; i++) {
        double mean = 0, squares = 0;
        for (int d = 0; d < 4; d++) {
            mean += (double)table_value(output, i, d) / 4;
            squares += pow((double)table_value(output, i, d), 2) / 4;
        }
        assert_true(fabs(mean) < 1e-6 && fabs(squares - 1) < 1e-3);
    }
    BENCH_MAKE(bench, &scene_exercise, "tables", "base");
    assert_false(says_equal(bench_table(bench, "output")));
}

static void test_A13_scale_of_a_head(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_exercise, "x", "2 0 0 0 0 0 0 0; 0 0 0 0 0 0 0 0", "wq", "", "wk", "",
               "stage", "weights");
    const Table *weights = bench_table(bench, "weights");
    assert_true(fabs((double)table_value(weights, 0, 0) - 0.880797) < 1e-6);
    assert_true(fabs((double)table_value(weights, 0, 1) - 0.119203) < 1e-6);
    Probe probe = bench_probe(bench, 0, 0);
    bench_line(&probe, "q · k", "4.0000");
    bench_line(&probe, "d_k", "4");
    bench_line(&probe, "÷ √4", "2.0000");
}

/* A quarter turn takes (a, b) to (-b, a), and angles far from length 1 are used as they are. */
static void test_given_tables_are_used_as_given(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_exercise, "x", "1 2; 3 4", "wq", "", "wk", "", "heads", "1", "cos",
               "0; 2", "sin", "1; 0", "stage", "rotated");
    static const float want[] = {-2, 1, -2, 1, 6, 8, 6, 8};
    for (int i = 0; i < 8; i++)
        assert_true(fabsf(bench_table(bench, "rotated")->values[i] - want[i]) < 1e-6f);
    Probe probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "a sin + b cos", "1.0000");
    bench_line(&probe, "a", "1.0000");
    assert_non_null(strstr(scene_exercise.caption(bench->state, &bench->assets), "given tables"));
}

static void test_tables_from_a_base(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_exercise, "x", "1 0; 1 0; 1 0", "wq", "", "wk", "", "heads", "1",
               "tables", "base", "stage", "rotated");
    const Table *rotated = bench_table(bench, "rotated");
    for (int t = 0; t < 3; t++) {
        assert_true(fabs((double)table_value(rotated, t, 0) - cos(t)) < 1e-6);
        assert_true(fabs((double)table_value(rotated, t, 3) - sin(t)) < 1e-6);
    }
}

static void test_arrays_from_files(void **state) {
    Bench *bench = *state;
    const char *path = bench_file(bench, "a.txt", "1 2\n3 4\n");
    const char *value = arena_printf(&bench->assets, "@%s", path);
    BENCH_MAKE(bench, &scene_exercise, "x", value, "wq", "", "wk", "", "heads", "1");
    assert_int_equal(bench_table(bench, "output")->rows.count, 2);
}

static void test_refuses(void **state) {
    Bench *bench = *state;
    const char *error = BENCH_FAIL(bench, &scene_exercise, "heads", "3");
    assert_non_null(strstr(error, "3"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_exercise, "heads", "4"), "1")); /* odd width */
    error = BENCH_FAIL(bench, &scene_exercise, "cos", "1 1; 1 1", "sin", "0; 0; 0; 0");
    assert_non_null(strstr(error, "2"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_exercise, "cos", "1; 1; 1; 1"),
                           "cos is given and sin is not"));
    assert_true(strlen(BENCH_FAIL(bench, &scene_exercise, "wq", "1 0; 0 1")) > 10);
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_exercise, "x", "1 nan 1 1"), "column 2"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_exercise, "head", "2"), "2 heads"));
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
        TEST(test_identity_tables_are_the_block_without_rotation),
        TEST(test_A13_scale_of_a_head),
        TEST(test_given_tables_are_used_as_given),
        TEST(test_tables_from_a_base),
        TEST(test_arrays_from_files),
        TEST(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
