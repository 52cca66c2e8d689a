/* Norms on rows that can be checked by hand, and their gradients by finite differences. */
#include "core/norm.h"

#include "numbers.h"

enum { N = 3, D = 5 };
static const double EPS = 1e-5;

static void test_layer_norm_by_hand(void **state) {
    (void)state;
    const float x[] = {1, 2, 3, 4}, weight[] = {1, 1, 2, 1}, bias[] = {0, 0, 0, 5};
    float y[4];
    layer_norm_forward(y, x, weight, bias, 0, 1, 4);
    double unit = 1 / sqrt(1.25); /* the variance of the population, not 5/3 */
    const double want[] = {-1.5 * unit, -0.5 * unit, 2 * 0.5 * unit, 5 + 1.5 * unit};
    assert_all_near(y, want, 4, 1e-6);
}

static void test_eps_inside_the_root(void **state) {
    (void)state;
    const float x[] = {-0.001f, 0.001f};
    float y[2];
    layer_norm_forward(y, x, NULL, NULL, 1e-6, 1, 2);
    assert_near(y[1], 0.001 / sqrt(2e-6), 1e-6);
    rms_norm_forward(y, x, NULL, 1e-6, 1, 2);
    assert_near(y[1], 0.001 / sqrt(2e-6), 1e-6);
}

static void test_constant_row_is_the_bias(void **state) {
    (void)state;
    const float x[] = {100.1f, 100.1f, 100.1f}, bias[] = {1, -2, 3};
    float y[3];
    layer_norm_forward(y, x, NULL, bias, EPS, 1, 3);
    assert_all_near(y, bias, 3, 1e-6);
}

static void test_large_mean_keeps_its_digits(void **state) {
    (void)state;
    const float x[] = {10000, 10001, 10002, 10003}, near_zero[] = {-1.5f, -0.5f, 0.5f, 1.5f};
    float y[4], want[4];
    layer_norm_forward(y, x, NULL, NULL, EPS, 1, 4);
    layer_norm_forward(want, near_zero, NULL, NULL, EPS, 1, 4);
    assert_all_near(y, want, 4, 1e-6);
}

static void test_rms_norm_takes_no_mean_off(void **state) {
    (void)state;
    const float x[] = {3, 4}, weight[] = {1, 2};
    const double rms = sqrt(12.5);
    float y[2];
    rms_norm_forward(y, x, weight, 0, 1, 2);
    assert_near(y[0], 3 / rms, 1e-6);
    assert_near(y[1], 8 / rms, 1e-6);
    const float zeros[] = {0, 0};
    rms_norm_forward(y, zeros, weight, EPS, 1, 2);
    assert_true(y[0] == 0 && y[1] == 0);
}

static void test_norm_by_kind_and_in_place(void **state) {
    Arena *arena = *state;
    float *x = normals(arena, N * D, 1), *weight = normals(arena, D, 2);
    float want[N * D];
    Norm norm = {.kind = NORM_RMS, .eps = EPS, .weight = weight};
    rms_norm_forward(want, x, weight, EPS, N, D);
    norm_forward(x, &norm, x, N, D);
    assert_memory_equal(x, want, sizeof want);
    norm.kind = NORM_LAYER;
    layer_norm_forward(want, x, weight, NULL, EPS, N, D);
    norm_forward(x, &norm, x, N, D);
    assert_memory_equal(x, want, sizeof want);
}

typedef struct Case {
    NormKind kind;
    float *x, *weight, *bias, *dy;
} Case;

static double loss(void *context) {
    const Case *at = context;
    float y[N * D];
    Norm norm = {.kind = at->kind, .eps = EPS, .weight = at->weight, .bias = at->bias};
    norm_forward(y, &norm, at->x, N, D);
    return weighted_sum(y, at->dy, N * D);
}

static void test_gradients(void **state) {
    Arena *arena = *state;
    float dx[N * D] = {0}, dweight[D] = {0}, dbias[D] = {0};
    Case at = {.x = normals(arena, N * D, 1),
               .weight = normals(arena, D, 2),
               .bias = normals(arena, D, 3),
               .dy = normals(arena, N * D, 4)};
    layer_norm_backward(dx, dweight, dbias, at.x, at.weight, at.dy, EPS, N, D);
    check_gradient(loss, &at, at.x, dx, N * D, 5e-3);
    check_gradient(loss, &at, at.weight, dweight, D, 1e-3);
    check_gradient(loss, &at, at.bias, dbias, D, 1e-3);
    float rms_dx[N * D] = {0}, rms_dweight[D] = {0};
    at.kind = NORM_RMS;
    rms_norm_backward(rms_dx, rms_dweight, at.x, at.weight, at.dy, EPS, N, D);
    check_gradient(loss, &at, at.x, rms_dx, N * D, 5e-3);
    check_gradient(loss, &at, at.weight, rms_dweight, D, 1e-3);
}

static void test_gradients_add_up(void **state) {
    Arena *arena = *state;
    const float *x = normals(arena, D, 1), *dy = normals(arena, D, 2);
    float once[D] = {0}, twice[D] = {0};
    layer_norm_backward(once, NULL, NULL, x, NULL, dy, EPS, 1, D);
    layer_norm_backward(twice, NULL, NULL, x, NULL, dy, EPS, 1, D);
    layer_norm_backward(twice, NULL, NULL, x, NULL, dy, EPS, 1, D);
    for (int d = 0; d < D; d++) assert_true(twice[d] == 2 * once[d]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layer_norm_by_hand),
                                       cmocka_unit_test(test_eps_inside_the_root),
                                       cmocka_unit_test(test_constant_row_is_the_bias),
                                       cmocka_unit_test(test_large_mean_keeps_its_digits),
                                       cmocka_unit_test(test_rms_norm_takes_no_mean_off),
                                       WITH_ARENA(test_norm_by_kind_and_in_place),
                                       WITH_ARENA(test_gradients),
                                       WITH_ARENA(test_gradients_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
