/* RoPE dials: turned vectors, the light of invariance under each pairing, partial rotation, a
 * quarter turn, lengths, what is refused. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_rope_dials;

#define DIALS(bench, ...)   BENCH_MAKE((bench), &scene_rope_dials, __VA_ARGS__)
#define REFUSED(bench, ...) BENCH_FAIL((bench), &scene_rope_dials, __VA_ARGS__)
#define B4_Q                "1 0.5 -0.3 0.8"
#define B4_K                "0.2 -0.7 0.9 0.4"

static void expect_row(const Table *table, int row, const double *want, int count) {
    assert_int_equal(table->columns.count, count);
    for (int i = 0; i < count; i++)
        if (fabs((double)table_value(table, row, i) - want[i]) > 1e-6)
            fail_msg("column %d: %f, not %f", i, (double)table_value(table, row, i), want[i]);
}

static void test_B4_pairings_turn_other_features(void **state) {
    Bench *bench = *state;
    static const double adjacent[] = {0.540302, 0.841471, 0, 0};
    static const double halves[] = {0.540302, 0, 0.841471, 0};
    DIALS(bench, "q", "1 0 0 0", "m", "1");
    expect_row(bench_table(bench, "rotated"), 0, adjacent, 4);
    DIALS(bench, "q", "1 0 0 0", "m", "1", "head-dim", "4", "pairing", "halves");
    expect_row(bench_table(bench, "rotated"), 0, halves, 4);
    assert_string_equal(bench_table(bench, "rotated")->rows.name, "vector");
    assert_string_equal(bench_table(bench, "rotated")->columns.name, "feature");
}

/* The products of the positions (3,1), (5,3) and (9,7), which stand first in the table. */
static void expect_products(Bench *bench, const char *pairing, const double want[3]) {
    DIALS(bench, "q", B4_Q, "k", B4_K, "m", "3", "n", "1", "pairing", pairing, "stage",
          "invariance");
    const Table *table = bench_table(bench, "invariance");
    assert_string_equal(table->rows.labels[1].text, "m 5, n 3");
    assert_string_equal(table->rows.labels[2].text, "m 9, n 7");
    for (int i = 0; i < 3; i++)
        assert_true(fabs((double)table_value(table, i, 0) - want[i]) < 1e-6);
}

static const struct ProbeLine *light(const Probe *probe) {
    for (int i = 0; i < probe->line_count; i++)
        if (probe->lines[i].light != PROBE_PLAIN) return &probe->lines[i];
    fail_msg("there is no light");
    return NULL;
}

static void test_B4_light_of_invariance(void **state) {
    Bench *bench = *state;
    static const double adjacent[] = {-0.631825, -0.631825, -0.631825};
    static const double halves[] = {0.887261, 0.887261, 0.887261};
    static const double mixed[] = {1.126526, 0.665976, 1.071834};
    expect_products(bench, "adjacent", adjacent);
    Probe probe = bench_probe(bench, -1, -1);
    assert_int_equal(light(&probe)->light, PROBE_HOLDS);
    assert_string_equal(light(&probe)->name, "same distance, same product");
    bench_line(&probe, "m 3, n 1", "−0.631825");
    bench_line(&probe, "|q| before", "1.407125");
    bench_line(&probe, "|q| turned", "1.407125");
    expect_products(bench, "halves", halves);
    probe = bench_probe(bench, -1, -1);
    assert_int_equal(light(&probe)->light, PROBE_HOLDS);
    expect_products(bench, "mixed", mixed);
    probe = bench_probe(bench, -1, -1);
    assert_int_equal(light(&probe)->light, PROBE_BROKEN);
    assert_string_equal(light(&probe)->name, "same distance, different products");
}

static void test_far_positions_keep_the_light_green(void **state) {
    Bench *bench = *state;
    DIALS(bench, "m", "1000000", "n", "999996");
    Probe probe = bench_probe(bench, -1, -1);
    assert_int_equal(light(&probe)->light, PROBE_HOLDS);
}

static void test_B6_only_part_of_the_head_rotates(void **state) {
    Bench *bench = *state;
    static const double want[] = {-0.301169, 0.989950, 1.381773, 1.009950, 5, 6, 7, 8};
    DIALS(bench, "q", "1 1 1 1 5 6 7 8", "m", "1", "rotary-dim", "4", "pairing", "halves");
    const Table *table = bench_table(bench, "rotated");
    expect_row(table, 0, want, 8);
    assert_string_equal(table->columns.labels[3].text, "3");
    assert_string_equal(table->columns.labels[4].text, "4 (not rotated)");
    Probe probe = bench_probe(bench, 0, 6);
    assert_non_null(strstr(probe.sentence, "Not rotated"));
    probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "1 × θ", "0.01 rad");
}

static void test_a_quarter_turn(void **state) {
    Bench *bench = *state;
    static const double want[] = {-3, 2};
    DIALS(bench, "q", "2 3", "angle", "quarter");
    expect_row(bench_table(bench, "rotated"), 0, want, 2);
    assert_non_null(strstr(scene_rope_dials.sentence(bench->state, &bench->assets), "[−b, a]"));
}

static void test_the_value_is_not_turned(void **state) {
    Bench *bench = *state;
    static const double v[] = {5, 6, 7, 8};
    DIALS(bench, "v", "5 6 7 8", "stage", "vectors", "m", "9");
    const Table *table = bench_table(bench, "vectors");
    assert_string_equal(table->rows.labels[4].text, "v");
    expect_row(table, 4, v, 4);
    assert_non_null(strstr(table->notes[0], "v is not turned"));
}

static void test_play_moves_both(void **state) {
    Bench *bench = *state;
    DIALS(bench, "m", "7", "n", "3");
    assert_false(scene_rope_dials.tick(bench->state, 0.1));
    assert_true(scene_rope_dials.tick(bench->state, 0.2));
    assert_true(bench_compute(bench));
    assert_string_equal(scene_rope_dials.sentence(bench->state, &bench->assets),
                        "Query at position 8, key at position 4: distance 4.");
    assert_string_equal(scene_rope_dials.left_right, "m");
    assert_string_equal(scene_rope_dials.up_down, "n");
}

static void test_bad_input(void **state) {
    Bench *bench = *state;
    assert_non_null(strstr(REFUSED(bench, "head-dim", "7"), "must be even"));
    assert_non_null(strstr(REFUSED(bench, "rotary-dim", "3"), "must be even"));
    assert_non_null(strstr(REFUSED(bench, "rotary-dim", "10"), "above the head width"));
    assert_non_null(strstr(REFUSED(bench, "base", "0"), "base"));
    assert_non_null(strstr(REFUSED(bench, "base", "-1"), "base"));
    assert_non_null(strstr(REFUSED(bench, "m", "-1"), "m"));
    assert_non_null(strstr(REFUSED(bench, "q", "1 2 3 4", "k", "1 2"), "k has 2 numbers"));
    assert_non_null(strstr(REFUSED(bench, "q", "1 2 3 4", "head-dim", "6"), "head width is 6"));
    assert_non_null(strstr(REFUSED(bench, "q", "1 2; 3 4"), "one vector"));
    assert_non_null(strstr(REFUSED(bench, "q", "1 inf"), "not finite"));
    assert_non_null(strstr(REFUSED(bench, "q", "a b"), "q"));
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
        cmocka_unit_test(test_B4_pairings_turn_other_features),
        cmocka_unit_test(test_B4_light_of_invariance),
        cmocka_unit_test(test_far_positions_keep_the_light_green),
        cmocka_unit_test(test_B6_only_part_of_the_head_rotates),
        cmocka_unit_test(test_a_quarter_turn),
        cmocka_unit_test(test_the_value_is_not_turned),
        cmocka_unit_test(test_play_moves_both),
        cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
