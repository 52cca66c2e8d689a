/* RoPE decay: the exact curve, the band and its seed, widths and bases, the waves behind a point.
 */
#include "base/text.h"
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_rope_decay;

static void test_exact_curve(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_decay, "head-dim", "4", "base", "100", "length", "32");
    const Table *table = bench_table(bench, "decay");
    assert_string_equal(table->rows.name, "distance");
    assert_int_equal(table->rows.count, 32);
    for (int d = 0; d < 32; d++)
        assert_true(fabs((cos(d) + cos(0.1 * d)) / 2 - (double)table_value(table, d, 0)) < 1e-6);
    assert_true(table_value(table, 0, 0) == 1);
    assert_non_null(strstr(table->notes[0], "not a guarantee"));
    assert_non_null(strstr(table->notes[1], "seed 1"));
}

/* The band depends on its seed alone, and holds the mean. */
static void test_band(void **state) {
    Bench *bench = *state;
    float first[3], again[3];
    BENCH_MAKE(bench, &scene_rope_decay, "seed", "1");
    const Table *table = bench_table(bench, "decay");
    for (int i = 0; i < 3; i++) first[i] = table_value(table, 40, 1 + i);
    assert_true(first[1] < first[0] && first[0] < first[2]);
    BENCH_MAKE(bench, &scene_rope_decay, "seed", "1");
    for (int i = 0; i < 3; i++) again[i] = table_value(bench_table(bench, "decay"), 40, 1 + i);
    assert_memory_equal(first, again, sizeof first);
    BENCH_MAKE(bench, &scene_rope_decay, "seed", "2");
    assert_true(table_value(bench_table(bench, "decay"), 40, 1) != first[0]);
}

static void test_families(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_decay, "head-dim", "64");
    const Table *decay = bench_table(bench, "decay"), *widths = bench_table(bench, "widths");
    const Table *bases = bench_table(bench, "bases"), *waves = bench_table(bench, "waves");
    for (int d = 0; d < decay->rows.count; d++) {
        float exact = table_value(decay, d, 0);
        assert_true(table_value(widths, d, 1) == exact); /* width 64 */
        assert_true(table_value(bases, d, 1) == exact);  /* base 10000 */
        assert_true(table_value(waves, d, 0) == exact);
    }
    assert_string_equal(widths->columns.labels[1].text, "width 64");
    assert_string_equal(bases->columns.labels[1].text, "base 10000");
    assert_true(fabs(cos(40) - (double)table_value(waves, 40, 1)) < 1e-6);
}

/* With few pairs the inspector's waves are all of them, and their mean is the point. */
static void test_waves_behind_a_point(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_decay, "head-dim", "16", "stage", "waves", "distance", "20");
    Probe probe = bench_probe(bench, -1, -1);
    double sum = 0, value;
    int waves = 0;
    for (int i = 0; i < probe.line_count; i++) {
        const char *text = probe.lines[i].value;
        bool negative = strncmp(text, "−", strlen("−")) == 0;
        if (strncmp(probe.lines[i].name, "pair ", 5) != 0) continue;
        assert_true(text_to_double(text + (negative ? strlen("−") : 0), &value));
        sum += negative ? -value : value;
        waves++;
    }
    assert_int_equal(waves, 8);
    assert_true(fabs(sum / 8 - (double)table_value(bench_table(bench, "waves"), 20, 0)) < 1e-4);
    assert_non_null(strstr(probe.sentence, "not a guarantee"));
    assert_non_null(strstr(scene_rope_decay.lesson, "not a guarantee"));
}

/* A width and a base of one's own stand among those that they are compared with. */
static void test_a_width_and_a_base_of_ones_own(void **state) {
    Bench *bench = *state;
    static const struct {
        const char *knob, *value, *stage, *label;
        int place, count;
    } cases[] = {{"head-dim", "64", "widths", "width 64", 1, 4},
                 {"head-dim", "8", "widths", "width 8", 0, 5},
                 {"head-dim", "96", "widths", "width 96", 2, 5},
                 {"base", "2.5", "bases", "base 2.5", 0, 5},
                 {"base", "1e9", "bases", "base 1000000000", 4, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        BENCH_MAKE(bench, &scene_rope_decay, cases[i].knob, cases[i].value);
        const Table *family = bench_table(bench, cases[i].stage);
        const Table *decay = bench_table(bench, "decay");
        assert_int_equal(family->columns.count, cases[i].count);
        assert_string_equal(family->columns.labels[cases[i].place].text, cases[i].label);
        for (int d = 0; d < 20; d++)
            assert_true(table_value(family, d, cases[i].place) == table_value(decay, d, 0));
    }
}

static void test_bad_input(void **state) {
    Bench *bench = *state;
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_rope_decay, "head-dim", "63"), "even"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_rope_decay, "base", "0"), "base"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_rope_decay, "base", "-5"), "base"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_rope_decay, "length", "0"), "length"));
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
        cmocka_unit_test(test_exact_curve),
        cmocka_unit_test(test_band),
        cmocka_unit_test(test_families),
        cmocka_unit_test(test_waves_behind_a_point),
        cmocka_unit_test(test_a_width_and_a_base_of_ones_own),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
