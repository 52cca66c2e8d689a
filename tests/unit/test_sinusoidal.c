/* The scene of sinusoidal positions: its numbers, its three figures, and what it refuses. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_sinusoidal;

static void expect_row(const Table *table, int row, const double *want, int count) {
    assert_int_equal(table->columns.count, count);
    for (int i = 0; i < count; i++)
        assert_true(fabs((double)table_value(table, row, i) - want[i]) < 1e-6);
}

static void test_names_that_others_rely_on(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "length", "100", "d-model", "128", "base", "10000");
    static const char *const stages[] = {"waves", "matrix", "similarity"};
    for (int i = 0; i < 3; i++) assert_string_equal(scene_sinusoidal.stages[i].name, stages[i]);
    const Table *matrix = bench_table(bench, "matrix");
    assert_string_equal(matrix->rows.name, "position");
    assert_string_equal(matrix->columns.name, "dimension");
    assert_true(matrix->rows.count == 100 && matrix->columns.count == 128);
    assert_int_equal(matrix->kind, TABLE_SIGNED);
    assert_string_equal(scene_sinusoidal.facts(bench->state, &bench->assets),
                        "100 positions · d = 128");
}

static void test_every_number_is_the_formula(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "length", "37", "d-model", "20", "base", "500");
    const Table *matrix = bench_table(bench, "matrix");
    for (int p = 0; p < 37; p++)
        for (int i = 0; i < 20; i++) {
            double angle = p * pow(500, -(i / 2) * 2 / 20.0);
            double want = i % 2 ? cos(angle) : sin(angle);
            assert_true(fabs((double)table_value(matrix, p, i) - want) < 1e-7);
        }
}

static void test_B1_an_odd_width(void **state) {
    Bench *bench = *state;
    const char *text = BENCH_FAIL(bench, &scene_sinusoidal, "d-model", "5");
    assert_non_null(strstr(text, "d_model must be even, found 5"));
    assert_non_null(strstr(text, "cosine"));
    BENCH_MAKE(bench, &scene_sinusoidal, "d-model", "5", "allow-odd", "on", "length", "2");
    const Table *matrix = bench_table(bench, "matrix");
    expect_row(matrix, 1, (double[]){0.841471, 0.540302, 0.025116, 0.999685, 0.000631}, 5);
    assert_string_equal(matrix->columns.labels[4].full, "4 (unpaired)");
    assert_string_equal(matrix->columns.labels[3].full, "3");
    assert_non_null(strstr(matrix->notes[matrix->note_count - 1], "Dimension 4 is unpaired"));
    Probe probe = bench_probe(bench, 1, 4);
    bench_line(&probe, "dimension", "pair 2, sine without a cosine");
    assert_non_null(strstr(probe.sentence, "Unpaired"));
    BENCH_MAKE(bench, &scene_sinusoidal, "d-model", "1", "allow-odd", "on", "length", "2");
    expect_row(bench_table(bench, "matrix"), 1, (double[]){0.841471}, 1);
}

static void test_B3_two_layouts(void **state) {
    Bench *bench = *state;
    float products[16];
    BENCH_MAKE(bench, &scene_sinusoidal, "d-model", "4", "length", "4");
    expect_row(bench_table(bench, "matrix"), 0, (double[]){0, 1, 0, 1}, 4);
    memcpy(products, bench_table(bench, "similarity")->values, sizeof products);
    assert_non_null(strstr(scene_sinusoidal.caption(bench->state, &bench->assets), "interleaved"));
    BENCH_MAKE(bench, &scene_sinusoidal, "d-model", "4", "length", "4", "layout", "concatenated");
    expect_row(bench_table(bench, "matrix"), 0, (double[]){0, 0, 1, 1}, 4);
    assert_non_null(strstr(scene_sinusoidal.caption(bench->state, &bench->assets), "concatenated"));
    for (int i = 0; i < 16; i++)
        assert_true(fabsf(bench_table(bench, "similarity")->values[i] - products[i]) < 1e-6f);
}

/* Angles are doubles: a position of a million is as right as the first. */
static void test_far_positions(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "length", "3", "d-model", "64", "offset", "999998");
    const Table *matrix = bench_table(bench, "matrix");
    assert_string_equal(matrix->rows.labels[2].full, "1000000");
    for (int i = 0; i < 64; i++) {
        double angle = 1e6 * pow(10000, -(i / 2) / 32.0);
        float want = (float)(i % 2 ? cos(angle) : sin(angle));
        assert_true(table_value(matrix, 2, i) == want);
    }
}

static void test_products_depend_on_the_distance(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "length", "60", "d-model", "32", "stage", "similarity");
    const Table *table = bench_table(bench, "similarity");
    for (int i = 0; i < 60; i++)
        for (int j = 0; j < 60; j++) {
            float same = table_value(table, 0, abs(i - j));
            assert_true(fabsf(table_value(table, i, j) - same) < 2e-5f);
        }
    assert_float_equal(table_value(table, 7, 7), 16, 1e-5);
    assert_non_null(strstr(table->notes[0], "Along a diagonal"));
    Probe probe = bench_probe(bench, 10, 14);
    bench_line(&probe, "distance", "4");
    assert_string_equal(probe.lines[1].value, probe.lines[2].value);
    BENCH_MAKE(bench, &scene_sinusoidal, "d-model", "3", "allow-odd", "on", "stage", "similarity");
    assert_non_null(strstr(bench_table(bench, "similarity")->notes[0], "does not depend"));
}

static void test_waves_are_columns_of_the_matrix(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "stage", "waves", "pairs", "3", "first-pair", "5",
               "pair-step", "10");
    const Table *waves = bench_table(bench, "waves"), *matrix = bench_table(bench, "matrix");
    static const int columns[] = {10, 11, 30, 31, 50, 51};
    assert_int_equal(waves->columns.count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(atoi(waves->columns.labels[i].full), columns[i]);
        for (int p = 0; p < 100; p++)
            assert_true(table_value(waves, p, i) == table_value(matrix, p, columns[i]));
    }
    BENCH_MAKE(bench, &scene_sinusoidal, "stage", "waves", "pairs", "16", "d-model", "6");
    assert_int_equal(bench_table(bench, "waves")->columns.count, 6);
    BENCH_MAKE(bench, &scene_sinusoidal, "stage", "waves", "first-pair", "2000");
    assert_int_equal(bench_table(bench, "waves")->columns.count, 2);
}

/* 2 pi 10000^(i/64) > 100 from pair 20 on. */
static void test_pairs_that_never_turn_are_said(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "stage", "waves");
    assert_string_equal(bench_table(bench, "waves")->notes[0],
                        "Of 64 pairs, 20 to 63 never complete a turn within 100 positions.");
    BENCH_MAKE(bench, &scene_sinusoidal, "length", "1", "stage", "waves");
    assert_string_equal(bench_table(bench, "waves")->notes[0],
                        "No pair completes a turn within 1 position.");
}

static void test_arithmetic_of_a_value(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "stage", "waves");
    Probe probe = bench_probe(bench, 20, 2); /* pair 8 */
    assert_string_equal(probe.title, "position 20, dimension 16");
    bench_line(&probe, "dimension", "pair 8, sine");
    bench_line(&probe, "θ = 10000^(−16/128)", "0.316228");
    bench_line(&probe, "20 × θ", "6.32456 rad");
    bench_line(&probe, "modulo 2π", "0.04137 rad");
    bench_line(&probe, "sin(20 × 0.316228)", "0.0414");
    bench_line(&probe, "wavelength, 2π ÷ θ", "19.87 positions");
    bench_line(&probe, "turns within 100", "5.03");
}

static void test_a_position_moves(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_sinusoidal, "length", "10", "position", "8");
    assert_false(scene_sinusoidal.tick(bench->state, 0.01));
    int moved = 0;
    for (int i = 0; i < 10; i++) moved += scene_sinusoidal.tick(bench->state, 0.05);
    assert_int_equal(moved, 3);
    const Knob *knob = knob_find(scene_sinusoidal.knobs, "position", &bench->err);
    assert_string_equal(knob_get(knob, bench->state, &bench->assets), "1");
    assert_non_null(strstr(scene_sinusoidal.sentence(bench->state, &bench->assets), "Position 1:"));
}

/* A wide place shows all three figures; the cells of the first are still found. */
static void test_three_figures_side_by_side(void **state) {
    Bench *bench = *state;
    static const char *const stages[] = {"waves", "matrix", "similarity"};
    for (int i = 0; i < 3; i++) {
        BENCH_MAKE(bench, &scene_sinusoidal, "stage", stages[i]);
        Canvas canvas = bench_canvas(bench, &bench->assets, 1200, 600);
        scene_sinusoidal.draw(bench->state, &canvas, canvas.clip);
        int drawn = 0, found = 0;
        for (int y = 0; y < 600; y++)
            for (int x = 830; x < 1200; x++) {
                Cell cell;
                drawn += canvas.pixels[y * 1200 + x] != canvas.theme->bg;
                if (x % 10 || y % 10) continue;
                found += scene_sinusoidal.locate(bench->state, &canvas, canvas.clip, x, y, &cell);
            }
        assert_true(drawn > 10000);
        assert_int_equal(found, 0);
    }
}

static void test_refused(void **state) {
    Bench *bench = *state;
    static const char *const rows[][3] = {
        {"base", "0", "base 0: allowed is"},
        {"base", "-3", "base -3: allowed is"},
        {"base", "nan", "base nan: allowed is"},
        {"length", "0", "length 0: allowed is a whole number from 1 to 4096"},
        {"length", "5000", "from 1 to 4096"},
        {"d-model", "0", "d-model 0: allowed is"},
        {"d-model", "127", "take 128"},
        {"layout", "interleave", "did you mean interleaved?"},
        {"offset", "16777216", "positions end at"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = BENCH_FAIL(bench, &scene_sinusoidal, rows[i][0], rows[i][1]);
        if (!strstr(text, rows[i][2])) fail_msg("%s", text);
    }
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
        TEST(test_B1_an_odd_width),
        TEST(test_B3_two_layouts),
        TEST(test_far_positions),
        TEST(test_products_depend_on_the_distance),
        TEST(test_waves_are_columns_of_the_matrix),
        TEST(test_pairs_that_never_turn_are_said),
        TEST(test_arithmetic_of_a_value),
        TEST(test_a_position_moves),
        TEST(test_three_figures_side_by_side),
        TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
