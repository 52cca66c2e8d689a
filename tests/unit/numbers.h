/* What the tests of numbers share: cmocka, an arena a test, closeness, reproducible values, and
 * gradients by finite differences. */
#ifndef UNIT_NUMBERS_H
#define UNIT_NUMBERS_H

#include "base/arena.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static inline void fail_when_full(size_t wanted) {
    fail_msg("asked for %zu bytes that are not there", wanted);
}

static inline int open_arena(void **state) {
    static Arena arena;
    arena = arena_open(fail_when_full);
    *state = &arena;
    return 0;
}

static inline int close_arena(void **state) {
    arena_close(*state);
    return 0;
}

#define WITH_ARENA(test) cmocka_unit_test_setup_teardown(test, open_arena, close_arena)

/* Fails at the caller's line; NaN is near nothing. */
#define assert_near(got, want, tolerance)                                                          \
    do {                                                                                           \
        double got_ = (got), want_ = (want);                                                       \
        if (!(fabs(got_ - want_) <= (tolerance))) fail_msg("got %.9g, want %.9g", got_, want_);    \
    } while (0)

#define assert_all_near(got, want, count, tolerance)                                               \
    for (size_t near_ = 0; near_ < (size_t)(count); near_++)                                       \
    assert_near((got)[near_], (want)[near_], tolerance)

/* Normal values, the same for the same seed. */
static inline float *normals(Arena *arena, int count, uint64_t seed) {
    Rng rng = rng_seed(seed);
    float *values = ARENA_ARRAY(arena, float, count);
    for (int n = 0; n < count; n++) values[n] = (float)rng_normal(&rng);
    return values;
}

/* FNV-1a over the bits of them. */
static inline uint64_t hash_floats(const float *values, int count) {
    uint64_t h = 14695981039346656037u;
    for (int n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &values[n], sizeof bits);
        h = (h ^ bits) * 1099511628211u;
    }
    return h;
}

/* The sum of y * dy, which makes dy the gradient of y. */
static inline double weighted_sum(const float *y, const float *dy, int count) {
    double sum = 0;
    for (int n = 0; n < count; n++) sum += (double)y[n] * dy[n];
    return sum;
}

/* Checks gradient[count] of a loss in x[count] by central differences. loss reads x through
 * context. */
typedef double Loss(void *context);

static inline void check_gradient(Loss *loss, void *context, float *x, const float *gradient,
                                  int count, double tolerance) {
    for (int n = 0; n < count; n++) {
        const float before = x[n], step = 0.01f;
        x[n] = before + step;
        double above = loss(context), high = x[n];
        x[n] = before - step;
        double below = loss(context), low = x[n];
        x[n] = before;
        assert_near(gradient[n], (above - below) / (high - low), tolerance);
    }
}

#endif
