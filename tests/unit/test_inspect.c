/* The inspector's arithmetic: terms that are shown add up to the number that they make, whatever
 * stands beside them, and rows with numbers that are none. */
#include "scene_bench.h"

#include "scene/inspect.h"

#include <math.h>

extern const Scene scene_matrix;

enum { TERMS = 5 };

static Arena *arena_of(void **state) {
    Bench *bench = *state;
    return &bench->assets;
}

static Probe terms_of(Arena *arena, const float *a, const float *b) {
    TableAxis axis = {"key", TERMS, label_numbers(arena, 0, TERMS)};
    Probe probe = {.line_count = 0};
    inspect_terms(&probe, arena, &axis, a, b, 1);
    return probe;
}

static void test_terms(void **state) {
    const float a[] = {0.5f, 0.25f, 0.125f, 0.0625f, 0.0625f}, b[] = {1, -3, 2, 4, -1e-4f};
    Probe probe = terms_of(arena_of(state), a, b);
    assert_int_equal(probe.line_count, 4);
    bench_line(&probe, "key 1", "0.250 × −3.000 = −0.7500");
    bench_line(&probe, "key 0", "0.500 × 1.000 = 0.5000");
    bench_line(&probe, "2 others", "0.2500");
}

/* What is left beside a huge or infinite term is summed by itself. */
static void test_others_beside_large_terms(void **state) {
    const float ones[] = {1, 1, 1, 1, 1};
    const float huge[] = {1e30f, -1e30f, 9, 2, 3}, infinite[] = {INFINITY, 7, 6, 2, 3};
    Probe probe = terms_of(arena_of(state), ones, huge);
    bench_line(&probe, "key 0", "1.000 × 1.000e+30 = 1.0000e+30");
    bench_line(&probe, "2 others", "5.0000");
    probe = terms_of(arena_of(state), ones, infinite);
    bench_line(&probe, "key 0", "1.000 × ∞ = ∞");
    bench_line(&probe, "2 others", "5.0000");
}

/* NaN decides the sum, so it is among the terms that are named. */
static void test_nan_is_named(void **state) {
    const float ones[] = {1, 1, 1, 1, 1}, odd[] = {9, 8, 7, 6, NAN};
    Probe probe = terms_of(arena_of(state), ones, odd);
    bench_line(&probe, "key 4", "1.000 × NaN = NaN");
    bench_line(&probe, "2 others", "13.000");
}

/* Keys without weight say nothing; a small factor is not written as 0. */
static void test_zeros_are_left_out(void **state) {
    const float weights[] = {1, 0, 0, 0, 0}, values[] = {-0.00046f, 1, 2, 3, 4};
    Probe probe = terms_of(arena_of(state), weights, values);
    assert_int_equal(probe.line_count, 1);
    bench_line(&probe, "key 0", "1.000 × −4.60e-04 = −0.0005");
    const float one_more[] = {1, 1, 1, 1, 0}, fours[] = {4, 3, 2, 1, 9};
    probe = terms_of(arena_of(state), one_more, fours);
    bench_line(&probe, "2 others", "1.0000");
}

static void test_softmax_of_infinities(void **state) {
    const float plus[] = {INFINITY, 1, INFINITY}, minus[] = {-INFINITY, -INFINITY, -INFINITY};
    Probe probe = {.line_count = 0};
    inspect_softmax(&probe, arena_of(state), plus, 3, 1, 1);
    bench_line(&probe, "exp(s − max)", "0.0000");
    bench_line(&probe, "sum of row", "2.0000");
    probe = (Probe){.line_count = 0};
    inspect_softmax(&probe, arena_of(state), minus, 3, 1, 1);
    bench_line(&probe, "sum of row", "0.0000");
}

/* A score of -inf is how one's own numbers say that a key is not allowed: it takes no part in what
 * entropy is measured against. */
static void test_A19_keys_at_minus_infinity(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "5 5 -inf -inf; -inf -inf -inf -inf");
    Probe probe = bench_probe(bench, 0, 1);
    bench_line(&probe, "keys allowed", "2");
    bench_line(&probe, "entropy", "1.00 of 1.00 bits");
    probe = bench_probe(bench, 1, 1);
    bench_line(&probe, "keys allowed", "0");
    const Table *table = bench_table(bench, "weights");
    assert_non_null(strstr(table->notes[table->note_count - 1], "100 % (row 0)"));
}

static void test_D4_scores_that_are_no_numbers(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "inf 1 inf; nan 1 2; 1e30 3 -1e30", "stage",
               "softmax");
    Probe probe = bench_probe(bench, 0, 2);
    bench_line(&probe, "exp(s − max)", "1.0000");
    bench_line(&probe, "sum of row", "2.0000");
    bench_line(&probe, "softmax leaves", "0.5000");
    assert_non_null(strstr(probe.sentence, "+∞ takes the whole row"));
    probe = bench_probe(bench, 1, 2);
    bench_line(&probe, "softmax leaves", "NaN");
    assert_non_null(strstr(probe.sentence, "NaN"));
    probe = bench_probe(bench, 2, 2);
    bench_line(&probe, "score", "−1.0000e+30");
}

/* All of a row's weight lay on a key that the mask takes away. */
static void test_mask_takes_almost_all(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_matrix, "scores", "0 200; 0 0", "mask", "causal", "upto", "1");
    Probe probe = bench_probe(bench, 0, 0);
    assert_non_null(strstr(probe.sentence, "took almost all of its row"));
}

/* The line in the accent is the number of the cell, on either side of a comparison too. */
static void check_marked(Bench *bench, int column, const char *name) {
    Probe probe = bench_probe(bench, 1, column);
    int marked = 0;
    for (int i = 0; i < probe.line_count; i++) {
        if (!probe.lines[i].hot) continue;
        marked++;
        assert_string_equal(probe.lines[i].name, name);
    }
    assert_int_equal(marked, 1);
}

static void test_D12_the_marked_line_is_the_cell(void **state) {
    Bench *bench = *state;
    static const char *const stages[][3] = {{"scores", "score", "score"},
                                            {"scaled", "score", "score"},
                                            {"masked", "score + bias", "blocked by the mask"},
                                            {"softmax", "softmax leaves", "softmax leaves"},
                                            {"weights", "with mask", "with mask"},
                                            {"difference", "change", "change"}};
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        BENCH_MAKE(bench, &scene_matrix, "scores", "1 2 3; 4 5 6; 7 8 9", "bias",
                   "0 1 0; 1 0 1; 0 0 0", "mask", "causal", "stage", stages[i][0]);
        check_marked(bench, 0, stages[i][1]);
        check_marked(bench, 2, stages[i][2]);
    }
    BENCH_MAKE(bench, &scene_matrix, "scores", "1 2 3; 4 5 6; 7 8 9", "mask", "causal", "stage",
               "compare");
    check_marked(bench, 2, "without mask");
    check_marked(bench, 3, "with mask");
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
    const struct CMUnitTest tests[] = {TEST(test_terms),
                                       TEST(test_others_beside_large_terms),
                                       TEST(test_nan_is_named),
                                       TEST(test_zeros_are_left_out),
                                       TEST(test_softmax_of_infinities),
                                       TEST(test_A19_keys_at_minus_infinity),
                                       TEST(test_D4_scores_that_are_no_numbers),
                                       TEST(test_mask_takes_almost_all),
                                       TEST(test_D12_the_marked_line_is_the_cell)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
