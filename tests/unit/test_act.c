/* Activations: known values, tails, and slopes by finite differences. */
#include "core/act.h"

#include "numbers.h"

enum { COUNT = 9 };

typedef void ActForward(float *y, const float *x, int n);
typedef void ActBackward(float *dx, const float *x, const float *dy, int n);

typedef struct Case {
    ActForward *forward;
    float x[COUNT], dy[COUNT];
} Case;

static double loss(void *context) {
    const Case *at = context;
    float y[COUNT];
    at->forward(y, at->x, COUNT);
    return weighted_sum(y, at->dy, COUNT);
}

static void check_slope(ActForward *forward, ActBackward *backward) {
    Case at = {.forward = forward,
               .x = {-6, -2, -1, -0.3f, 0, 0.3f, 1, 2, 6},
               .dy = {1, -1, 2, 1, 0.5f, 1, -2, 1, 3}};
    float dx[COUNT] = {0};
    backward(dx, at.x, at.dy, COUNT);
    check_gradient(loss, &at, at.x, dx, COUNT, 2e-3);
}

static void test_slopes(void **state) {
    (void)state;
    check_slope(gelu_forward, gelu_backward);
    check_slope(gelu_tanh_forward, gelu_tanh_backward);
    check_slope(silu_forward, silu_backward);
}

static void test_known_values(void **state) {
    (void)state;
    const float x[] = {1, -1, 0};
    float y[3];
    gelu_forward(y, x, 3);
    assert_near(y[0], 0.841344746, 1e-6);
    assert_near(y[1], -0.158655254, 1e-6);
    gelu_tanh_forward(y, x, 3);
    assert_near(y[0], 0.841191991, 1e-6); /* the two forms differ in the fourth digit */
    silu_forward(y, x, 3);
    assert_near(y[0], 0.731058579, 1e-6);
    assert_near(y[1], -0.268941421, 1e-6);
    assert_true(y[2] == 0);
}

static void test_tails_are_finite(void **state) {
    (void)state;
    const float x[] = {-1e30f, -1000, 1000, 1e30f};
    ActForward *const forward[] = {gelu_forward, gelu_tanh_forward, silu_forward};
    for (int n = 0; n < 3; n++) {
        float y[4];
        forward[n](y, x, 4);
        assert_true(y[0] == 0 && y[1] == 0);
        assert_true(y[2] == 1000 && y[3] == 1e30f);
    }
}

typedef struct Gated {
    float gate[COUNT], up[COUNT], dy[COUNT];
} Gated;

static double gated_loss(void *context) {
    const Gated *at = context;
    float y[COUNT];
    swiglu_forward(y, at->gate, at->up, COUNT);
    return weighted_sum(y, at->dy, COUNT);
}

static void test_swiglu(void **state) {
    (void)state;
    Gated at = {.gate = {-6, -2, -1, -0.3f, 0, 0.3f, 1, 2, 6},
                .up = {1, 2, -3, 1, 5, -1, 0, 1, 0.5f},
                .dy = {1, -1, 2, 1, 0.5f, 1, -2, 1, 3}};
    float silu[COUNT], y[COUNT], dgate[COUNT] = {0}, dup[COUNT] = {0};
    silu_forward(silu, at.gate, COUNT);
    swiglu_forward(y, at.gate, at.up, COUNT);
    for (int n = 0; n < COUNT; n++) assert_near(y[n], (double)silu[n] * at.up[n], 1e-6);
    swiglu_backward(dgate, dup, at.gate, at.up, at.dy, COUNT);
    check_gradient(gated_loss, &at, at.gate, dgate, COUNT, 2e-3);
    check_gradient(gated_loss, &at, at.up, dup, COUNT, 2e-3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slopes), cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_tails_are_finite), cmocka_unit_test(test_swiglu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
