/* The scene of RoPE's waves: its tables, what scaling does to them, and what it refuses. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_rope_waves;

static const double TURN = 6.28318530717958647693;

static double at(Bench *bench, const char *stage, int row, int column) {
    return (double)table_value(bench_table(bench, stage), row, column);
}

static void test_names_that_others_rely_on(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "length", "12", "head-dim", "16", "base", "10000",
               "rotary-dim", "16", "trained-length", "8", "factor", "2", "offset", "3");
    static const char *const stages[] = {"cos", "sin", "angle"};
    for (int i = 0; i < 3; i++) {
        assert_string_equal(scene_rope_waves.stages[i].name, stages[i]);
        const Table *table = bench_table(bench, stages[i]);
        assert_string_equal(table->rows.name, "position");
        assert_string_equal(table->columns.name, "pair");
        assert_true(table->rows.count == 12 && table->columns.count == 8);
        assert_string_equal(table->rows.labels[0].full, "3");
    }
}

static void test_every_number_is_the_formula(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "length", "50", "head-dim", "10", "base", "700", "offset",
               "1000000");
    for (int t = 0; t < 50; t++)
        for (int i = 0; i < 5; i++) {
            double angle = (1e6 + t) * pow(700, -2.0 * i / 10);
            assert_true(at(bench, "cos", t, i) == (double)(float)cos(angle));
            assert_true(at(bench, "sin", t, i) == (double)(float)sin(angle));
            double turned = at(bench, "angle", t, i);
            assert_true(turned >= 0 && turned < TURN + 1e-6);
            assert_true(fabs(cos(turned) - cos(angle)) < 1e-6);
        }
}

static void test_B6_a_part_of_the_head_turns(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "head-dim", "8", "rotary-dim", "4", "length", "2");
    assert_int_equal(bench_table(bench, "angle")->columns.count, 2);
    assert_true(fabs(at(bench, "angle", 1, 1) - 0.01) < 1e-9);
    const Table *table = bench_table(bench, "cos");
    assert_string_equal(table->notes[1], "Features 4 to 7 are not rotated.");
    assert_non_null(
        strstr(scene_rope_waves.caption(bench->state, &bench->assets), "4 of 8 features turn"));
}

static void test_linear_scaling_divides_the_position(void **state) {
    Bench *bench = *state;
    float plain[64];
    BENCH_MAKE(bench, &scene_rope_waves, "length", "16");
    memcpy(plain, bench_table(bench, "cos")->values, sizeof plain);
    BENCH_MAKE(bench, &scene_rope_waves, "length", "64", "scaling", "linear", "factor", "4");
    for (int t = 0; t < 16; t++)
        for (int i = 0; i < 4; i++)
            assert_true(fabs(at(bench, "cos", 4 * t, i) - (double)plain[t * 4 + i]) < 1e-6);
    assert_non_null(
        strstr(scene_rope_waves.caption(bench->state, &bench->assets), "scaling linear × 4"));
}

static void test_ntk_scaling_changes_the_base(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "scaling", "ntk", "factor", "2", "length", "2");
    double base = 10000 * pow(2, 8 / 6.0);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(at(bench, "angle", 1, i) - pow(base, -2.0 * i / 8)) < 1e-6);
    /* dynamic: nothing changes up to the trained length, counted from position 0 */
    BENCH_MAKE(bench, &scene_rope_waves, "scaling", "dynamic-ntk", "length", "64");
    assert_true(fabs(at(bench, "angle", 1, 3) - 0.001) < 1e-9);
    BENCH_MAKE(bench, &scene_rope_waves, "scaling", "dynamic-ntk", "length", "64", "offset", "64");
    base = 10000 * pow(3, 8 / 6.0);
    double angle = fmod(64 * pow(base, -6.0 / 8), TURN);
    assert_true(fabs(at(bench, "angle", 0, 3) - angle) < 1e-6);
}

static void test_yarn_keeps_fast_pairs_and_grows(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "scaling", "yarn", "factor", "4", "head-dim", "64",
               "trained-length", "128", "length", "2");
    assert_true(fabs(at(bench, "cos", 0, 0) - (0.1 * log(4) + 1)) < 1e-6);
    assert_true(fabs(at(bench, "angle", 1, 0) - 1) < 1e-6);
    assert_true(fabs(at(bench, "angle", 1, 31) - pow(10000, -31 / 32.0) / 4) < 1e-8);
    assert_non_null(strstr(bench_table(bench, "cos")->notes[1], "YaRN"));
}

static void test_longrope_factors(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "scaling", "longrope", "length", "2");
    assert_non_null(strstr(bench_table(bench, "cos")->notes[1], "instead of found by a search"));
    const char *path = bench_file(bench, "a.txt", "1 2 4 8\n");
    BENCH_MAKE(bench, &scene_rope_waves, "scaling", "longrope", "long-factors", path, "length",
               "2");
    for (int i = 0; i < 4; i++)
        assert_true(fabs(at(bench, "angle", 1, i) - pow(10000, -i / 4.0) / (1 << i)) < 1e-7);
    const char *text = BENCH_FAIL(bench, &scene_rope_waves, "scaling", "longrope", "head-dim", "16",
                                  "long-factors", path);
    assert_non_null(strstr(text, "4 factors, and there are 8 pairs"));
    bench_file(bench, "a.txt", "1 2 0 8\n");
    text = BENCH_FAIL(bench, &scene_rope_waves, "scaling", "longrope", "long-factors", path);
    assert_non_null(strstr(text, "pair 2"));
}

static void test_arithmetic_of_a_value(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "stage", "sin", "trained-length", "16", "scaling",
               "linear", "factor", "2");
    Probe probe = bench_probe(bench, 20, 1);
    assert_string_equal(probe.title, "position 20, pair 1");
    bench_line(&probe, "θ = 10000^(−2/8)", "0.1");
    bench_line(&probe, "θ by linear", "0.05");
    bench_line(&probe, "20 × θ", "1 rad");
    bench_line(&probe, "sin(20 × 0.05)", "0.8415");
    bench_line(&probe, "wavelength, 2π ÷ θ", "125.7 positions");
    assert_non_null(strstr(probe.sentence, "Beyond"));
    assert_non_null(strstr(bench_probe(bench, 15, 1).sentence, "Within"));
}

/* Beyond the trained length the ground is another one. */
static void test_trained_and_beyond_are_told_apart(void **state) {
    Bench *bench = *state;
    Color ground[2];
    static const char *const lengths[] = {"64", "1000"};
    for (int i = 0; i < 2; i++) {
        BENCH_MAKE(bench, &scene_rope_waves, "trained-length", lengths[i]);
        Canvas canvas = bench_canvas(bench, &bench->assets, 760, 600);
        scene_rope_waves.draw(bench->state, &canvas, canvas.clip);
        int x = 0, y = 0, w = 0, h = 0;
        const char *text =
            scene_rope_waves.geometry(bench->state, &canvas, canvas.clip, &bench->assets);
        assert_int_equal(sscanf(text, "plot %d %d %d %d", &x, &y, &w, &h), 4);
        ground[i] = canvas.pixels[(y + 3) * 760 + x + w - 20];
    }
    assert_int_equal(ground[1], color_themes[0].bg);
    assert_int_not_equal(ground[0], ground[1]);
}

/* Only some of the pairs are drawn, and a point of a curve is the cell of its pair. */
static void test_a_curve_is_a_column_of_the_table(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_rope_waves, "head-dim", "64", "pairs", "2", "first-pair", "3",
               "pair-step", "5");
    Canvas canvas = bench_canvas(bench, &bench->assets, 760, 600);
    bool seen[32] = {false};
    for (int y = 0; y < 600; y += 3)
        for (int x = 0; x < 760; x += 3) {
            Cell cell;
            if (scene_rope_waves.locate(bench->state, &canvas, canvas.clip, x, y, &cell))
                seen[cell.column] = true;
        }
    for (int i = 0; i < 32; i++) assert_int_equal(seen[i], i == 3 || i == 8);
}

static void test_refused(void **state) {
    Bench *bench = *state;
    static const char *const rows[][3] = {
        {"head-dim", "7", "the head width must be even"},
        {"rotary-dim", "5", "the rotary width must be even"},
        {"rotary-dim", "10", "the rotary width 10 is above the head width 8"},
        {"base", "0", "base 0: allowed is"},
        {"factor", "0.5", "factor 0.5: allowed is 1 to"},
        {"length", "0", "length 0: allowed is a whole number"},
        {"length", "4097", "from 1 to 4096"},
        {"trained-length", "0", "trained-length 0: allowed is"},
        {"scaling", "yarm", "did you mean yarn?"},
        {"offset", "16777216", "positions end at"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = BENCH_FAIL(bench, &scene_rope_waves, rows[i][0], rows[i][1]);
        if (!strstr(text, rows[i][2])) fail_msg("%s", text);
    }
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_rope_waves, "scaling", "ntk", "head-dim", "2"),
                           "at least 4"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_rope_waves, "scaling", "longrope",
                                      "long-factors", "/nowhere/f.txt"),
                           "/nowhere/f.txt"));
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
        TEST(test_every_number_is_the_formula),
        TEST(test_B6_a_part_of_the_head_turns),
        TEST(test_linear_scaling_divides_the_position),
        TEST(test_ntk_scaling_changes_the_base),
        TEST(test_yarn_keeps_fast_pairs_and_grows),
        TEST(test_longrope_factors),
        TEST(test_arithmetic_of_a_value),
        TEST(test_trained_and_beyond_are_told_apart),
        TEST(test_a_curve_is_a_column_of_the_table),
        TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
