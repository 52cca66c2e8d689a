/* Maps of heads and layers on numbers that can be checked by hand. */
#include "core/rollout.h"

#include "core/stats.h"

#include "numbers.h"

#include <string.h>

static const float OPPOSITE[] = {1, 0, 0, 1, 0, 1, 1, 0}; /* two heads of 2 x 2 */

static void test_A15_mean_of_heads_is_no_head(void **state) {
    (void)state;
    float mean[4], max[4], difference[4];
    heads_fuse(mean, OPPOSITE, 2, 2, 2, FUSE_MEAN);
    heads_fuse(max, OPPOSITE, 2, 2, 2, FUSE_MAX);
    heads_difference(difference, OPPOSITE, 2, 2, 0, 1);
    for (int n = 0; n < 4; n++) {
        assert_true(mean[n] == 0.5f && max[n] == 1);
        assert_true(difference[n] == OPPOSITE[n] - OPPOSITE[4 + n]);
    }
    assert_near(stats_row(mean, NULL, 0, 2).entropy_nats, 0.693147, 1e-6);
    assert_true(stats_row(OPPOSITE, NULL, 0, 2).entropy_nats == 0);
}

static void test_A20_residual_and_rows(void **state) {
    (void)state;
    /* Two heads whose maximum is [[0.8,0.6],[0.4,0.6]]. */
    const float weights[] = {0.8f, 0.2f, 0.4f, 0.6f, 0.4f, 0.6f, 0.4f, 0.6f};
    const double want[] = {0.75, 0.25, 0.2, 0.8};
    float a[4];
    rollout_layer(a, weights, 2, 2, FUSE_MAX, 0.5);
    assert_all_near(a, want, 4, 1e-6);
}

static void test_A20_order_of_layers(void **state) {
    Arena *arena = *state;
    float layers[] = {0.9f, 0.1f, 0.2f, 0.8f, 0.5f, 0.5f, 0.3f, 0.7f};
    const double want[] = {0.55, 0.45, 0.41, 0.59};
    rollout_chain(*arena, layers, 2, 2);
    assert_all_near(layers + 4, want, 4, 1e-6);
    assert_true(layers[0] == 0.9f); /* the first layer stays as it is */
}

static void test_row_without_keys_stays_itself(void **state) {
    (void)state;
    const float weights[] = {0, 0, 0.5f, 0.5f};
    float a[4];
    rollout_layer(a, weights, 1, 2, FUSE_MEAN, 0.5);
    assert_true(a[0] == 1 && a[1] == 0);
    assert_near(a[3], 0.75, 1e-6);
    rollout_layer(a, weights, 1, 2, FUSE_MEAN, 1); /* not even the residual is left */
    assert_true(a[0] == 0 && a[1] == 0);
}

typedef struct Pairs {
    float cosine[9], js[9], top1[9];
} Pairs;

static HeadAgreement agreement_in(Pairs *pairs) {
    return (HeadAgreement){.cosine = pairs->cosine, .js_bits = pairs->js, .top1 = pairs->top1};
}

static void test_agreement_of_opposites(void **state) {
    (void)state;
    Pairs pairs;
    HeadAgreement got = agreement_in(&pairs);
    heads_agreement(&got, OPPOSITE, 2, 2, 2);
    assert_true(pairs.cosine[0] == 1 && pairs.cosine[1] == 0);
    assert_true(pairs.js[0] == 0 && pairs.js[2] == 1); /* one bit: nothing in common */
    assert_true(pairs.top1[3] == 1 && pairs.top1[1] == 0);
    assert_true(got.mean_offdiag[0] == 0 && got.mean_offdiag[1] == 1 && got.mean_offdiag[2] == 0);
}

static void test_agreement_leaves_empty_rows_out(void **state) {
    (void)state;
    const float weights[] = {0, 0, 0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0, 0, 0, 0};
    Pairs pairs;
    HeadAgreement got = agreement_in(&pairs);
    heads_agreement(&got, weights, 3, 2, 2);
    assert_near(pairs.cosine[1], 1, 1e-7);
    assert_near(pairs.top1[1], 1, 0);
    assert_true(pairs.cosine[8] == 0 && pairs.js[8] == 0 && pairs.top1[8] == 0);
}

static void test_one_head_agrees_with_nobody(void **state) {
    (void)state;
    Pairs pairs;
    HeadAgreement got = agreement_in(&pairs);
    heads_agreement(&got, OPPOSITE, 1, 2, 2);
    for (int n = 0; n < 3; n++) assert_true(got.mean_offdiag[n] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_A15_mean_of_heads_is_no_head),
                                       cmocka_unit_test(test_A20_residual_and_rows),
                                       WITH_ARENA(test_A20_order_of_layers),
                                       cmocka_unit_test(test_row_without_keys_stays_itself),
                                       cmocka_unit_test(test_agreement_of_opposites),
                                       cmocka_unit_test(test_agreement_leaves_empty_rows_out),
                                       cmocka_unit_test(test_one_head_agrees_with_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
