/* Heads, block and exercise end to end: typed maps, what is refused. */
#include "tool.h"

static void test_A15_the_mean_is_no_head(void **state) {
    json_t *mean = HEED_JSON(*state, "numbers", "heads", "--maps", "1 0; 0 1; 0 1; 1 0", "--heads",
                             "2", "--reduce", "mean");
    for (int i = 0; i < 4; i++) assert_close(json_cell(mean, i / 2, i % 2), 0.5, 0);
    json_t *entropy = HEED_JSON(*state, "numbers", "heads", "--maps", "1 0; 0 1; 0 1; 1 0",
                                "--heads", "2", "--reduce", "mean", "--stage", "entropy");
    assert_close(json_cell(entropy, 0, 0), 0, 0);
    assert_close(json_cell(entropy, 2, 0), 0.693147, 1e-6);
    assert_string_equal(json_text(entropy, "head", 2), "mean of 2 heads");
}

static void test_A20_rollout(void **state) {
    json_t *two = HEED_JSON(*state, "numbers", "heads", "--maps", ".9 .1; .2 .8; .5 .5; .3 .7",
                            "--heads", "1", "--residual", "1", "--stage", "rollout");
    const double want[] = {0.55, 0.45, 0.41, 0.59};
    for (int i = 0; i < 4; i++) assert_close(json_cell(two, i / 2, i % 2), want[i], 1e-6);
}

static void test_D2_shared_scale(void **state) {
    Picture unit = HEED_PICTURE(*state, "unit.png", "heads", "--maps", ".25 .25; .25 .25; 1 0; 0 1",
                                "--heads", "2", "--head", "0");
    Picture own = HEED_PICTURE(*state, "own.png", "heads", "--maps", ".25 .25; .25 .25; 1 0; 0 1",
                               "--heads", "2", "--head", "0", "--range", "max");
    assert_close((double)unit.high, 1, 0);
    assert_close((double)own.high, 0.25, 0);
    assert_int_not_equal(picture_cell(&unit, 0, 0), picture_cell(&own, 0, 0));
}

static void test_A13_scale_of_a_head(void **state) {
    json_t *weights =
        HEED_JSON(*state, "numbers", "exercise", "--x", "2 0 0 0 0 0 0 0; 0 0 0 0 0 0 0 0", "--wq",
                  "", "--wk", "", "--stage", "weights");
    assert_close(json_cell(weights, 0, 0), 0.880797, 1e-6);
    assert_close(json_cell(weights, 0, 1), 0.119203, 1e-6);
}

static void test_what_is_refused(void **state) {
    HEED_REFUSES(*state, 0, "130", "export", "heads", "--d-model", "130", "-o", "no.png");
    HEED_REFUSES(*state, 0, "odd", "export", "block", "--d-model", "36", "--rope", "on", "-o",
                 "no.png");
    HEED_REFUSES(*state, 0, "[2,2]", "numbers", "exercise", "--wq", "1 0; 0 1");
    HEED_REFUSES(*state, 0, "odd", "numbers", "exercise", "--heads", "4");
    HEED_REFUSES(*state, 0, "no.safetensors", "numbers", "heads", "--model", "no.safetensors");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_A15_the_mean_is_no_head), TOOL_TEST(test_A20_rollout),
        TOOL_TEST(test_D2_shared_scale),         TOOL_TEST(test_A13_scale_of_a_head),
        TOOL_TEST(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
