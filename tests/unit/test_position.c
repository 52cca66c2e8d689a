/* Sinusoidal and learned positions. */
#include "core/position.h"

#include "numbers.h"

#include <string.h>

static Sinusoidal shape_of(int D, PositionLayout layout) {
    return (Sinusoidal){.D = D, .base = 10000, .layout = layout};
}

static void test_B1_odd_width(void **state) {
    (void)state;
    const double want[] = {0.841471, 0.540302, 0.025116, 0.999685, 0.000631};
    float pe[5], one;
    Sinusoidal shape = shape_of(5, POSITION_INTERLEAVED);
    sinusoidal_rows(pe, shape, 1, 1);
    assert_all_near(pe, want, 5, 1e-6);
    sinusoidal_rows(&one, shape_of(1, POSITION_INTERLEAVED), 1, 1);
    assert_near(one, 0.841471, 1e-6);
    for (int c = 0; c < 5; c++) assert_int_equal(sinusoidal_column(shape, c).alone, c == 4);
    assert_int_equal(sinusoidal_column_of(shape, 2, true), -1);
}

static void test_B1_odd_width_is_refused(void **state) {
    (void)state;
    Err err = {0};
    Sinusoidal shape = shape_of(7, POSITION_INTERLEAVED);
    assert_false(sinusoidal_check(shape, false, &err));
    assert_non_null(strstr(err.text, "d_model must be even, found 7"));
    assert_true(sinusoidal_check(shape, true, NULL));
    assert_true(sinusoidal_check(shape_of(8, POSITION_INTERLEAVED), false, NULL));
}

static void test_B3_layouts(void **state) {
    (void)state;
    float interleaved[4], concatenated[4];
    sinusoidal_rows(interleaved, shape_of(4, POSITION_INTERLEAVED), 0, 1);
    sinusoidal_rows(concatenated, shape_of(4, POSITION_CONCATENATED), 0, 1);
    assert_memory_equal(interleaved, ((float[]){0, 1, 0, 1}), sizeof interleaved);
    assert_memory_equal(concatenated, ((float[]){0, 0, 1, 1}), sizeof concatenated);
}

static double product(const float *a, const float *b, int count) {
    double sum = 0;
    for (int n = 0; n < count; n++) sum += (double)a[n] * b[n];
    return sum;
}

static void test_B3_same_products(void **state) {
    enum { T = 20, D = 12 };
    float *a = ARENA_ARRAY(*state, float, T *D), *b = ARENA_ARRAY(*state, float, T *D);
    sinusoidal_rows(a, shape_of(D, POSITION_INTERLEAVED), 0, T);
    sinusoidal_rows(b, shape_of(D, POSITION_CONCATENATED), 0, T);
    for (int p = 0; p < T; p++)
        for (int q = 0; q < T; q++) {
            double want = product(a + p * D, a + q * D, D);
            assert_near(product(b + p * D, b + q * D, D), want, 1e-12);
            assert_near(want, product(a, a + (p > q ? p - q : q - p) * D, D), 1e-6);
        }
}

static void check_columns(Sinusoidal shape) {
    for (int c = 0; c < shape.D; c++) {
        SinusoidalColumn it = sinusoidal_column(shape, c);
        assert_true(it.pair < sinusoidal_pairs(shape));
        assert_int_equal(sinusoidal_column_of(shape, it.pair, it.cosine), c);
        assert_int_equal(it.alone, !it.cosine && sinusoidal_column_of(shape, it.pair, true) < 0);
    }
}

static void test_columns_and_back(void **state) {
    (void)state;
    for (int D = 1; D < 12; D++) {
        check_columns(shape_of(D, POSITION_INTERLEAVED));
        check_columns(shape_of(D, POSITION_CONCATENATED));
    }
}

/* Against long doubles: with angles in float, the first columns are noise at a million. */
static void test_far_positions(void **state) {
    (void)state;
    enum { T = 3, D = 64 };
    float pe[T * D];
    const int starts[] = {5000, 123456, 999998};
    for (int s = 0; s < 3; s++) {
        sinusoidal_rows(pe, shape_of(D, POSITION_INTERLEAVED), starts[s], T);
        for (int n = 0; n < T * D; n++) {
            long double angle = (starts[s] + n / D) * powl(10000, -2.0L * (n % D / 2) / D);
            assert_near(pe[n], (double)(n % 2 ? cosl(angle) : sinl(angle)), 6e-8);
        }
    }
}

static void test_rows_do_not_depend_on_length(void **state) {
    (void)state;
    float all[9 * 6], one[6];
    sinusoidal_rows(all, shape_of(6, POSITION_INTERLEAVED), 40, 9);
    for (int t = 0; t < 9; t++) {
        sinusoidal_rows(one, shape_of(6, POSITION_INTERLEAVED), 40 + t, 1);
        assert_memory_equal(one, all + 6 * t, sizeof one);
    }
}

static void test_wavelength_and_angle(void **state) {
    (void)state;
    const double turn = 6.283185307179586;
    assert_near(position_wavelength(1), turn, 1e-15);
    assert_near(position_wavelength(0.01), 100 * turn, 1e-12);
    assert_near(position_angle(1, 7), 7 - turn, 1e-12);
    assert_near(position_angle(1, -1), turn - 1, 1e-12);
    assert_true(position_angle(0.5, 0) == 0);
    assert_near(sin(position_angle(1, 1000000)), sin(1e6), 1e-9);
}

static void assert_refused(bool accepted, const Err *err, const char *says) {
    assert_false(accepted);
    if (!strstr(err->text, says)) fail_msg("\"%s\" does not say \"%s\"", err->text, says);
}

static void test_bad_input(void **state) {
    (void)state;
    Err err = {0};
    const double bases[] = {0, -2, NAN, INFINITY};
    for (int n = 0; n < 4; n++) {
        Sinusoidal shape = {.D = 4, .base = bases[n]};
        assert_refused(sinusoidal_check(shape, false, &err), &err, "above 0");
    }
    assert_refused(sinusoidal_check(shape_of(0, POSITION_INTERLEAVED), true, &err), &err,
                   "at least 1, found 0");
    assert_refused(position_check(0, 0, &err), &err, "at least 1 position, found 0");
    assert_refused(position_check(-1, 4, &err), &err, "found -1");
    assert_refused(position_check(POSITION_MAX, 2, &err), &err, "16777216");
    assert_refused(position_check(INT32_MAX, INT32_MAX, &err), &err, "take fewer");
    assert_true(position_check(POSITION_MAX, 1, &err));
}

static void test_B10_learned_table(void **state) {
    (void)state;
    const float rows[] = {0, 0, 1, 1, 2, 2}, *pe = NULL;
    LearnedTable table = {rows, 3, 2};
    assert_true(learned_rows(table, 1, 2, &pe, NULL));
    assert_ptr_equal(pe, rows + 2);
    Err err = {0};
    assert_refused(learned_rows(table, 2, 2, &pe, &err), &err, "0 to 2, found 2 to 3");
    assert_ptr_equal(pe, rows + 2);
}

static void test_added_to_every_batch(void **state) {
    (void)state;
    float x[] = {1, 2, 3, 4, 10, 20, 30, 40};
    const float pe[] = {0.5f, 0.25f, -1, -2};
    position_add(x, x, pe, 2, 2, 2);
    assert_memory_equal(x, ((float[]){1.5f, 2.25f, 2, 2, 10.5f, 20.25f, 29, 38}), sizeof x);
}

static void test_seeded_table(void **state) {
    (void)state;
    enum { CELLS = 4000 };
    float a[CELLS], b[CELLS];
    double squares = 0;
    learned_seeded(a, 100, 40, 7);
    learned_seeded(b, 100, 40, 7);
    assert_memory_equal(a, b, sizeof a);
    for (int n = 0; n < CELLS; n++) squares += (double)a[n] * a[n];
    assert_near(sqrt(squares / CELLS), 0.02, 0.001);
    learned_seeded(b, 100, 40, 8);
    assert_memory_not_equal(a, b, sizeof a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_B1_odd_width),
                                       cmocka_unit_test(test_B1_odd_width_is_refused),
                                       cmocka_unit_test(test_B3_layouts),
                                       WITH_ARENA(test_B3_same_products),
                                       cmocka_unit_test(test_columns_and_back),
                                       cmocka_unit_test(test_far_positions),
                                       cmocka_unit_test(test_rows_do_not_depend_on_length),
                                       cmocka_unit_test(test_wavelength_and_angle),
                                       cmocka_unit_test(test_bad_input),
                                       cmocka_unit_test(test_B10_learned_table),
                                       cmocka_unit_test(test_added_to_every_batch),
                                       cmocka_unit_test(test_seeded_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
