/* Random numbers: the published sequence, and what is drawn from it. */
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* From the authors' xoshiro256starstar.c with the state 1, 2, 3, 4. */
static void test_published_sequence(void **state) {
    (void)state;
    Rng rng = {.state = {1, 2, 3, 4}};
    const uint64_t want[] = {11520u, 0u, 1509978240u, 1215971899390074240u};
    for (int i = 0; i < 4; i++) assert_true(rng_next(&rng) == want[i]);
}

static void test_same_seed_same_numbers(void **state) {
    (void)state;
    Rng a = rng_seed(7), b = rng_seed(7), c = rng_seed(8);
    bool differs = false;
    for (int i = 0; i < 100; i++) {
        uint64_t x = rng_next(&a);
        assert_true(x == rng_next(&b));
        differs |= x != rng_next(&c);
    }
    assert_true(differs);
}

static void test_uniform_and_below(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    double sum = 0;
    int counts[7] = {0};
    for (int i = 0; i < 70000; i++) {
        double x = rng_uniform(&rng);
        assert_true(x >= 0 && x < 1);
        sum += x;
        counts[rng_below(&rng, 7)]++;
    }
    assert_true(fabs(sum / 70000 - 0.5) < 0.005);
    for (int i = 0; i < 7; i++) assert_in_range(counts[i], 9600, 10400);
    assert_int_equal(rng_below(&rng, 1), 0);
}

static void test_normal(void **state) {
    (void)state;
    Rng rng = rng_seed(2);
    double sum = 0, squares = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        double x = rng_normal(&rng);
        sum += x;
        squares += x * x;
    }
    assert_true(fabs(sum / n) < 0.015);
    assert_true(fabs(squares / n - 1) < 0.02);
}

static void test_permutation(void **state) {
    (void)state;
    Rng rng = rng_seed(3);
    int first_counts[5] = {0};
    for (int draw = 0; draw < 5000; draw++) {
        int order[5];
        bool seen[5] = {false};
        rng_permutation(&rng, order, 5);
        for (int i = 0; i < 5; i++) {
            assert_in_range(order[i], 0, 4);
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
        }
        first_counts[order[0]]++;
    }
    for (int i = 0; i < 5; i++) assert_in_range(first_counts[i], 880, 1120);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_sequence), cmocka_unit_test(test_same_seed_same_numbers),
        cmocka_unit_test(test_uniform_and_below),  cmocka_unit_test(test_normal),
        cmocka_unit_test(test_permutation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
