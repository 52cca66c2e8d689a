/* The loss and the optimisers. */
#include "train/loss.h"
#include "train/optim.h"

#include "numbers.h"

/* The first step moves by lr whatever the gradient's size is: m/(1-b1) = g, v/(1-b2) = g g. */
static void test_first_step(void **state) {
    (void)state;
    const float g[] = {1e-3f, -5, 1e3f};
    float p[] = {1, 1, 1}, m[3] = {0}, v[3] = {0};
    OptimRule rule = optim_rule();
    optim_step(&rule, 1, p, g, m, v, 3);
    assert_near(p[0], 1 - 1e-3, 1e-7);
    assert_near(p[1], 1 + 1e-3, 1e-7);
    assert_near(p[2], 1 - 1e-3, 1e-7);
    assert_near(m[1], -0.5, 1e-7);
    assert_near(v[1], 0.025, 1e-8);
}

/* Without a gradient, AdamW shrinks a parameter by its rate and Adam by a step of Adam. */
static void test_decay(void **state) {
    (void)state;
    const float none = 0;
    float p = 2, m = 0, v = 0;
    OptimRule rule = optim_rule();
    rule.weight_decay = 0.1;
    optim_step(&rule, 1, &p, &none, &m, &v, 1);
    assert_near(p, 2 * (1 - 1e-4), 1e-7);
    assert_true(m == 0 && v == 0);
    p = 2;
    rule.decoupled = false;
    optim_step(&rule, 1, &p, &none, &m, &v, 1);
    assert_near(p, 2 - 1e-3, 1e-7);
    assert_near(m, 0.02, 1e-8);
}

static void test_no_gradient_changes_nothing(void **state) {
    (void)state;
    const float none = 0;
    float p = 2, m = 0, v = 0;
    OptimRule rule = optim_rule();
    for (int step = 1; step <= 3; step++) optim_step(&rule, step, &p, &none, &m, &v, 1);
    assert_true(p == 2);
}

/* (p - 3)^2 is made small. */
static void test_finds_a_minimum(void **state) {
    (void)state;
    for (int decoupled = 0; decoupled < 2; decoupled++) {
        float p = -1, m = 0, v = 0;
        OptimRule rule = optim_rule();
        rule.lr = 0.05;
        rule.decoupled = decoupled;
        for (int step = 1; step <= 1000; step++) {
            float g = 2 * (p - 3);
            optim_step(&rule, step, &p, &g, &m, &v, 1);
        }
        assert_near(p, 3, 1e-2);
    }
}

static void test_bce_values(void **state) {
    (void)state;
    const float logits[] = {0, 0}, targets[] = {1, 0};
    assert_near(bce_with_logits(NULL, logits, targets, 2), log(2), 1e-12);
    const float sure[] = {1000, -1000}, right[] = {1, 0}, wrong[] = {0, 1};
    float gradient[2] = {0};
    assert_near(bce_with_logits(gradient, sure, right, 2), 0, 1e-12);
    assert_true(gradient[0] == 0 && gradient[1] == 0);
    assert_near(bce_with_logits(gradient, sure, wrong, 2), 1000, 1e-9);
    assert_true(gradient[0] == 0.5f && gradient[1] == -0.5f);
}

typedef struct Logits {
    float z[6], y[6];
} Logits;

static double loss(void *context) {
    const Logits *logits = context;
    return bce_with_logits(NULL, logits->z, logits->y, 6);
}

static void test_bce_gradient(void **state) {
    (void)state;
    Logits logits = {{-3, -0.5f, 0, 0.25f, 2, 9}, {0, 1, 0.5f, 1, 0, 1}};
    float gradient[6] = {0};
    bce_with_logits(gradient, logits.z, logits.y, 6);
    check_gradient(loss, &logits, logits.z, gradient, 6, 1e-5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_step),
                                       cmocka_unit_test(test_decay),
                                       cmocka_unit_test(test_no_gradient_changes_nothing),
                                       cmocka_unit_test(test_finds_a_minimum),
                                       cmocka_unit_test(test_bce_values),
                                       cmocka_unit_test(test_bce_gradient)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
