/* Why scores are divided: what core measures, against what mathematics expects, and what the scene
 * makes of it. */
#include "scene_bench.h"

#include "core/scaling.h"
#include "core/softmax.h"

#include <math.h>

extern const Scene scene_scaling;

static void assert_near(double got, double want, double tolerance) {
    if (!(fabs(got - want) <= tolerance)) fail_msg("got %.9g, want %.9g", got, want);
}

static void test_widths(void **state) {
    (void)state;
    ScalingFacts facts[SCALING_WIDTHS_MAX];
    int place;
    assert_int_equal(scaling_widths(facts, 64, &place), 10);
    assert_int_equal(place, 5);
    assert_int_equal(scaling_widths(facts, 100, &place), 11);
    assert_int_equal(facts[place].width, 100);
    assert_int_equal(facts[place + 1].width, 128);
    assert_int_equal(scaling_widths(facts, 2, &place), 10);
    assert_int_equal(place, 0);
    assert_int_equal(scaling_widths(facts, 1024, &place), 10);
    assert_int_equal(place, 9);
}

/* diag(p) - p p^T element by element, and at the two ends: one key takes all, all share evenly. */
static void test_jacobian_norm(void **state) {
    (void)state;
    const float p[] = {0.5f, 0.25f, 0.125f, 0.125f};
    double squares = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double element = (double)p[i] * ((i == j) - (double)p[j]);
            squares += element * element;
        }
    assert_near(scaling_jacobian_norm(p, 4), sqrt(squares), 1e-12);
    const float one[] = {0, 1, 0}, even[] = {0.25f, 0.25f, 0.25f, 0.25f};
    assert_near(scaling_jacobian_norm(one, 3), 0, 0);
    assert_near(scaling_jacobian_norm(even, 4), sqrt(3.0 / 16), 1e-12);
}

/* The norm is that of the derivative which softmax_rows_backward has. */
static void test_jacobian_is_softmax_gradient(void **state) {
    (void)state;
    const float x[] = {0.3f, -1, 2, 0.7f, 0};
    float y[5];
    double squares = 0;
    softmax_rows(y, x, 1, 5, 1);
    for (int i = 0; i < 5; i++) {
        float dy[5] = {0}, dx[5] = {0};
        dy[i] = 1;
        softmax_rows_backward(dx, y, dy, 1, 5, 1);
        for (int j = 0; j < 5; j++) squares += (double)dx[j] * (double)dx[j];
    }
    assert_near(scaling_jacobian_norm(y, 5), sqrt(squares), 1e-6);
}

static void test_spread_grows_as_the_root(void **state) {
    Bench *bench = *state;
    for (int seed = 0; seed < 3; seed++) {
        char word[16];
        snprintf(word, sizeof word, "%d", seed);
        BENCH_MAKE(bench, &scene_scaling, "seed", word, "stage", "spread");
        const Table *table = bench_table(bench, "spread");
        for (int i = 0; i < table->rows.count; i++) {
            double root = (double)table_value(table, i, 1);
            double tolerance = i < 3 ? 0.25 : 0.08;
            assert_near((double)table_value(table, i, 0) / root, 1, tolerance);
            assert_near((double)table_value(table, i, 2), 1, tolerance);
        }
    }
}

static void test_softmax_saturates_without_the_division(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_scaling, "stage", "saturation");
    const Table *table = bench_table(bench, "saturation");
    int last = table->rows.count - 1;
    assert_true(table_value(table, last, 0) > 0.9f); /* largest weight, undivided */
    assert_true(table_value(table, last, 1) < 0.4f);
    assert_true(table_value(table, last, 2) < 0.1f); /* entropy, undivided */
    assert_true(table_value(table, last, 3) > 0.7f);
    assert_true(table_value(table, last, 4) < 0.1f); /* gradient, undivided */
    assert_true(table_value(table, last, 5) > 0.2f);
    BENCH_MAKE(bench, &scene_scaling, "stage", "saturation", "divide", "none");
    table = bench_table(bench, "saturation");
    for (int i = 0; i <= last; i++)
        assert_true(table_value(table, i, 0) == table_value(table, i, 1));
}

/* Dividing by the root of d_model divides sqrt(heads) times too much. */
static void test_A13_the_common_slip(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_scaling, "stage", "spread", "divide", "sqrt-d-model", "heads", "16",
               "width", "100");
    const Table *table = bench_table(bench, "spread");
    for (int i = 0; i < table->rows.count; i++)
        assert_near((double)table_value(table, i, 2),
                    (double)table_value(table, i, 0) / (double)table_value(table, i, 1) / 4, 1e-6);
    table = bench_table(bench, "weights");
    bool said = false;
    for (int i = 0; i < table->note_count; i++)
        said = said || strstr(table->notes[i], "d_model = 1600 is not the width of a head");
    assert_true(said);
}

static void test_weights_are_rows(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_scaling, "temperature", "0.5");
    const Table *table = bench_table(bench, "weights");
    for (int i = 0; i < table->rows.count; i++) assert_near(table_row_sum(table, i), 1, 1e-6);
}

static void test_products_are_shares(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_scaling, "stage", "products", "width", "512");
    const Table *table = bench_table(bench, "products");
    double sum = 0, normal = 0;
    for (int i = 0; i < table->rows.count; i++) {
        double share = (double)table_value(table, i, 0);
        assert_near(share * SCALING_PAIRS, round(share * SCALING_PAIRS),
                    1e-3); /* of whole counts */
        sum += share;
        normal += (double)table_value(table, i, 1);
    }
    assert_near(sum, 1, 0.002);
    assert_near(normal, 1, 0.002);
}

/* The pair on the screen: equal cells on both sides, and a point of either is a cell of the row. */
static void test_compared_rows_have_one_cell_size(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_scaling, "stage", "weights");
    enum { WIDTH = 784, HEIGHT = 576 };
    Canvas canvas = bench_canvas(bench, &bench->assets, WIDTH, HEIGHT);
    int wide[2] = {0}, from[2] = {0}, middle = 0;
    /* the first row of cells: how far each side's cell of key 3 reaches */
    for (int y = 0; y < HEIGHT && !middle; y++)
        for (int x = 0; x < WIDTH; x++) {
            Cell cell;
            if (!scene_scaling.locate(bench->state, &canvas, canvas.clip, x, y, &cell)) continue;
            assert_true(cell.column >= 0 && cell.column < SCALING_KEYS);
            int side = x >= WIDTH / 2;
            if (cell.row != 2 || cell.column != 3) continue;
            if (!wide[side]++) from[side] = x;
            middle = y;
        }
    assert_true(wide[0] > 8);
    assert_int_equal(wide[0], wide[1]);
    assert_true(from[1] - from[0] > WIDTH / 4);
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
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_jacobian_norm),
        cmocka_unit_test(test_jacobian_is_softmax_gradient),
        TEST(test_spread_grows_as_the_root),
        TEST(test_softmax_saturates_without_the_division),
        TEST(test_A13_the_common_slip),
        TEST(test_weights_are_rows),
        TEST(test_products_are_shares),
        TEST(test_compared_rows_have_one_cell_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
