/* Rotary positions: pairings, tables, distance alone, scalings, decay. */
#include "core/rope.h"
#include "core/rope_decay.h"
#include "core/rope_scaling.h"

#include "numbers.h"

#include <string.h>

static void test_B4_pairings(void **state) {
    const float x[] = {1, 0, 0, 0};
    const double adjacent[] = {0.540302, 0.841471, 0, 0}, halves[] = {0.540302, 0, 0.841471, 0};
    float y[4];
    Rope rope = rope_build(*state, 4, 10000, 1, 1);
    rope_apply(y, x, &rope, ROPE_ADJACENT, 4);
    assert_all_near(y, adjacent, 4, 1e-6);
    rope_apply(y, x, &rope, ROPE_HALVES, 4);
    assert_all_near(y, halves, 4, 1e-6);
}

static const float b4_q[] = {1, 0.5f, -0.3f, 0.8f}, b4_k[] = {0.2f, -0.7f, 0.9f, 0.4f};
static const int b4_m[] = {3, 5, 9}, b4_n[] = {1, 3, 7};

static void check_b4(RopePairing pairing, const double *want) {
    double frequency[2];
    rope_frequencies(frequency, 4, 10000);
    for (int n = 0; n < 3; n++)
        assert_near(rope_dot(b4_q, b4_k, 4, frequency, 2, pairing, b4_m[n], b4_n[n]), want[n],
                    1e-6);
}

static void test_B4_distance_alone(void **state) {
    (void)state;
    check_b4(ROPE_ADJACENT, (double[]){-0.631825, -0.631825, -0.631825});
    check_b4(ROPE_HALVES, (double[]){0.887261, 0.887261, 0.887261});
    check_b4(ROPE_MIXED, (double[]){1.126526, 0.665976, 1.071834});
}

static double norm(const float *x, int count) {
    return sqrt(weighted_sum(x, x, count));
}

static void test_B4_length_stays(void **state) {
    float y[4];
    assert_near(norm(b4_q, 4), 1.407125, 1e-6);
    Rope rope = rope_build(*state, 4, 10000, 777777, 1);
    rope_apply(y, b4_q, &rope, ROPE_ADJACENT, 4);
    assert_near(norm(y, 4), 1.407125, 1e-6);
    rope_apply(y, b4_q, &rope, ROPE_HALVES, 4);
    assert_near(norm(y, 4), 1.407125, 1e-6);
}

static void test_B6_partial_width(void **state) {
    const float x[] = {1, 1, 1, 1, 5, 6, 7, 8};
    const double want[] = {-0.301169, 0.989950, 1.381773, 1.009950, 5, 6, 7, 8};
    float y[8];
    double frequency[2];
    rope_frequencies(frequency, 4, 10000);
    assert_near(frequency[1], 0.01, 1e-15);
    Rope rope = rope_build(*state, 4, 10000, 1, 1);
    rope_apply(y, x, &rope, ROPE_HALVES, 8);
    assert_all_near(y, want, 8, 1e-6);
    assert_memory_equal(y + 4, x + 4, 4 * sizeof *x);
}

/* [2, 3] by a quarter turn, exactly; tables that are no rotation are taken as they are. */
static void test_tables_rule(void **state) {
    (void)state;
    float y[2] = {2, 3};
    Rope quarter = {.T = 1, .pairs = 1, .cos = (float[]){0}, .sin = (float[]){1}};
    Rope stretch = {.T = 1, .pairs = 1, .cos = (float[]){2}, .sin = (float[]){1}};
    rope_apply(y, y, &quarter, ROPE_ADJACENT, 2);
    assert_memory_equal(y, ((float[]){-3, 2}), sizeof y);
    rope_apply(y, y, &stretch, ROPE_ADJACENT, 2);
    assert_memory_equal(y, ((float[]){-8, 1}), sizeof y);
}

static void test_in_place_is_the_same(void **state) {
    enum { T = 5, K = 10 };
    float *x = normals(*state, T * K, 3), y[T * K];
    Rope rope = rope_build(*state, 6, 100, 11, T);
    for (RopePairing pairing = ROPE_ADJACENT; pairing <= ROPE_MIXED; pairing++) {
        rope_apply(y, x, &rope, pairing, K);
        rope_apply(x, x, &rope, pairing, K);
        assert_memory_equal(x, y, sizeof y);
    }
}

/* The pairing is an order of the features, no more. */
static void test_halves_are_adjacent_reordered(void **state) {
    enum { K = 8 };
    float *x = normals(*state, K, 5), mixed[K], halves[K], adjacent[K];
    int order[K];
    Rope rope = rope_build(*state, K, 10000, 37, 1);
    rope_halves_order(order, K);
    for (int c = 0; c < K; c++) mixed[c] = x[order[c]];
    rope_apply(halves, mixed, &rope, ROPE_HALVES, K);
    rope_apply(adjacent, x, &rope, ROPE_ADJACENT, K);
    for (int c = 0; c < K; c++) assert_true(halves[c] == adjacent[order[c]]);
}

static void test_repeated_layouts(void **state) {
    (void)state;
    const float pairs[] = {1, 2, 3};
    float wide[6];
    rope_repeat(wide, pairs, ROPE_ADJACENT, 6);
    assert_memory_equal(wide, ((float[]){1, 1, 2, 2, 3, 3}), sizeof wide);
    rope_repeat(wide, pairs, ROPE_HALVES, 6);
    assert_memory_equal(wide, ((float[]){1, 2, 3, 1, 2, 3}), sizeof wide);
}

/* Against long doubles, at the end of a million. */
static void test_far_positions(void **state) {
    enum { R = 128 };
    Rope rope = rope_build(*state, R, 500000, 1000000, 1);
    for (int i = 0; i < R / 2; i++) {
        long double angle = 1000000 * powl(500000, -2.0L * i / R);
        assert_near(rope.cos[i], (double)cosl(angle), 6e-8);
        assert_near(rope.sin[i], (double)sinl(angle), 6e-8);
    }
}

typedef struct TurnLoss {
    Rope rope;
    RopePairing pairing;
    const float *x, *dy;
} TurnLoss;

enum { LOSS_T = 3, LOSS_K = 8 };

static double turn_loss(void *context) {
    const TurnLoss *loss = context;
    float y[LOSS_T * LOSS_K];
    rope_apply(y, loss->x, &loss->rope, loss->pairing, LOSS_K);
    return weighted_sum(y, loss->dy, LOSS_T * LOSS_K);
}

static void test_gradient(void **state) {
    enum { COUNT = LOSS_T * LOSS_K };
    float *x = normals(*state, COUNT, 1), *dy = normals(*state, COUNT, 2);
    TurnLoss loss = {.rope = rope_build(*state, 6, 100, 4, LOSS_T), .x = x, .dy = dy};
    for (int pairing = ROPE_ADJACENT; pairing <= ROPE_MIXED; pairing++) {
        float dx[COUNT] = {0};
        loss.pairing = (RopePairing)pairing;
        rope_backward(dx, dy, &loss.rope, loss.pairing, LOSS_K);
        check_gradient(turn_loss, &loss, x, dx, COUNT, 1e-4);
        float once = dx[0];
        rope_backward(dx, dy, &loss.rope, loss.pairing, LOSS_K);
        assert_near(dx[0], 2 * once, 1e-6);
    }
}

static void assert_refused(bool accepted, const Err *err, const char *says) {
    assert_false(accepted);
    if (!strstr(err->text, says)) fail_msg("\"%s\" does not say \"%s\"", err->text, says);
}

static void test_bad_input(void **state) {
    (void)state;
    Err err = {0};
    assert_refused(rope_check(5, 4, 10000, &err), &err, "head width must be even");
    assert_refused(rope_check(8, 3, 10000, &err), &err, "rotary width must be even");
    assert_refused(rope_check(8, 0, 10000, &err), &err, "at least 2, found 0");
    assert_refused(rope_check(8, 10, 10000, &err), &err, "10 is above the head width 8");
    assert_refused(rope_check(8, 8, 0, &err), &err, "above 0, found 0");
    assert_refused(rope_check(8, 8, -1, &err), &err, "above 0, found -1");
    assert_true(rope_check(8, 4, 10000, &err));
}

static void test_bad_scalings(void **state) {
    (void)state;
    Err err = {0};
    RopeScaling scaling = {.kind = ROPE_SCALING_LINEAR, .factor = 0.5};
    assert_refused(rope_scaling_check(scaling, 8, 10000, &err), &err, "1 or more, found 0.5");
    scaling = (RopeScaling){.kind = ROPE_SCALING_YARN, .factor = 2};
    assert_refused(rope_scaling_check(scaling, 8, 10000, &err), &err, "trained length");
    scaling.trained_length = 100;
    assert_refused(rope_scaling_check(scaling, 8, 1, &err), &err, "base above 1");
    assert_true(rope_scaling_check(scaling, 8, 10000, &err));
    scaling.beta_slow = 32;
    scaling.beta_fast = 1;
    assert_refused(rope_scaling_check(scaling, 8, 10000, &err), &err, "found 1 and 32");
    scaling.kind = ROPE_SCALING_NTK;
    assert_refused(rope_scaling_check(scaling, 2, 10000, &err), &err, "at least 4, found 2");
    scaling.kind = ROPE_SCALING_LONGROPE;
    assert_refused(rope_scaling_check(scaling, 8, 10000, &err), &err, "4 pairs, found none");
    scaling.pair_factors = (float[]){1, 2, 0, 3};
    assert_refused(rope_scaling_check(scaling, 8, 10000, &err), &err, "pair 2");
}

/* Factor 1 changes nothing, whatever the kind, within the trained length: the dynamic base also
 * follows the length. */
static void test_factor_one_is_plain(void **state) {
    (void)state;
    enum { R = 16 };
    double plain[R / 2], scaled[R / 2];
    float ones[R / 2];
    rope_frequencies(plain, R, 10000);
    rope_longrope_standin(ones, R, 1);
    for (int kind = ROPE_SCALING_NONE; kind <= ROPE_SCALING_LONGROPE; kind++) {
        RopeScaling scaling = {.kind = (RopeScalingKind)kind,
                               .factor = 1,
                               .trained_length = 64,
                               .length = 64,
                               .pair_factors = ones};
        RopeScaled result = rope_scaling_frequencies(scaled, NULL, scaling, R, 10000);
        assert_all_near(scaled, plain, R / 2, 1e-15);
        assert_true(result.magnitude == 1);
    }
}

static void test_scalings_at_both_ends(void **state) {
    (void)state;
    enum { R = 64, LAST = R / 2 - 1 };
    double plain[R / 2], scaled[R / 2], ramp[R / 2];
    rope_frequencies(plain, R, 10000);
    RopeScaling scaling = {.kind = ROPE_SCALING_NTK, .factor = 4, .trained_length = 2048};
    rope_scaling_frequencies(scaled, ramp, scaling, R, 10000);
    assert_near(scaled[0], 1, 0);
    assert_near(scaled[LAST] * 4 / plain[LAST], 1, 1e-12);
    scaling.kind = ROPE_SCALING_YARN;
    RopeScaled yarn = rope_scaling_frequencies(scaled, ramp, scaling, R, 10000);
    assert_near(scaled[0], 1, 0);
    assert_near(scaled[LAST] * 4 / plain[LAST], 1, 1e-12);
    assert_true(ramp[yarn.low] == 0 && ramp[yarn.high] == 1 && yarn.low < yarn.high);
    assert_near(yarn.magnitude, 0.1 * log(4) + 1, 1e-15);
    scaling.kind = ROPE_SCALING_DYNAMIC_NTK;
    scaling.length = 2048;
    rope_scaling_frequencies(scaled, NULL, scaling, R, 10000);
    assert_all_near(scaled, plain, R / 2, 0);
}

/* The exact curve is the product of turned ones, at any two positions of that distance. */
static void test_decay_is_a_product(void **state) {
    (void)state;
    enum { R = 32 };
    double frequency[R / 2];
    float ones[R];
    rope_frequencies(frequency, R, 10000);
    for (int c = 0; c < R; c++) ones[c] = 1;
    for (int d = 0; d < 600; d += 37)
        assert_near(rope_decay_dot(frequency, R / 2, d),
                    rope_dot(ones, ones, R, frequency, R / 2, ROPE_HALVES, 50 + d, 50), 1e-9);
    assert_near(rope_decay_bound(frequency, R / 2, 0), (1 + R / 2) / 2.0, 1e-12);
}

static void test_decay_band(void **state) {
    enum { R = 64, COUNT = 200, DRAWS = 400 };
    double frequency[R / 2];
    rope_frequencies(frequency, R, 10000);
    RopeBand equal = rope_decay_band(*state, frequency, R / 2, COUNT, DRAWS, ROPE_DRAW_EQUAL, 1);
    RopeBand other =
        rope_decay_band(*state, frequency, R / 2, COUNT, DRAWS, ROPE_DRAW_INDEPENDENT, 1);
    RopeBand again = rope_decay_band(*state, frequency, R / 2, 10, DRAWS, ROPE_DRAW_EQUAL, 1);
    assert_memory_equal(again.mean, equal.mean, 10 * sizeof(float));
    for (int d = 0; d < COUNT; d++) {
        assert_near(equal.mean[d], rope_decay_dot(frequency, R / 2, d) / R, 0.05);
        assert_near(other.mean[d], 0, 0.05);
        assert_near(other.deviation[d], 1 / sqrt(R), 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_B4_pairings),
                                       cmocka_unit_test(test_B4_distance_alone),
                                       WITH_ARENA(test_B4_length_stays),
                                       WITH_ARENA(test_B6_partial_width),
                                       cmocka_unit_test(test_tables_rule),
                                       WITH_ARENA(test_in_place_is_the_same),
                                       WITH_ARENA(test_halves_are_adjacent_reordered),
                                       cmocka_unit_test(test_repeated_layouts),
                                       WITH_ARENA(test_far_positions),
                                       WITH_ARENA(test_gradient),
                                       cmocka_unit_test(test_bad_input),
                                       cmocka_unit_test(test_bad_scalings),
                                       cmocka_unit_test(test_factor_one_is_plain),
                                       cmocka_unit_test(test_scalings_at_both_ends),
                                       cmocka_unit_test(test_decay_is_a_product),
                                       WITH_ARENA(test_decay_band)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
