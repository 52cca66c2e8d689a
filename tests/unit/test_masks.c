/* Masks by their numbers: kinds, alignment, padding, fills, paint, leaks, findings. The embeddings
 * of the bench are random; where exact weights matter, a very high temperature makes every allowed
 * key equal. */
#include "scene_bench.h"

#include "core/health.h"

#include <math.h>

extern const Scene scene_masks;

#define FLAT "temperature", "1e30"

static void assert_row(const Table *table, int row, const char *seen) {
    assert_int_equal((int)strlen(seen), table->columns.count);
    for (int j = 0; j < table->columns.count; j++)
        assert_int_equal(table_state(table, row, j) == CELL_OK, seen[j] == 'x');
}

static void assert_note(const Table *table, const char *part) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], part)) return;
    fail_msg("no note has \"%s\"", part);
}

static void assert_finding(const Health *health, const char *part) {
    for (int i = 0; i < health->count; i++)
        if (strstr(health->lines[i], part)) return;
    fail_msg("no finding has \"%s\" but \"%s\"", part, health->lines[0]);
}

#define NEAR(actual, wanted) assert_true(fabs((double)(actual) - (wanted)) < 5e-7)

static const char *caption(Bench *bench) {
    return bench->scene->caption(bench->state, &bench->assets);
}

static void test_A1_a_row_without_a_key(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "warm film", "mask", "none", "blocked", "0,0;0,1");
    const Table *weights = bench_table(bench, "weights");
    for (int j = 0; j < 2; j++) {
        assert_int_equal(table_state(weights, 0, j), CELL_UNDEFINED);
        assert_true(weights->values[j] == 0);
    }
    assert_true(table_row_sum(weights, 0) == 0);
    assert_note(weights, "Row 0 has no key allowed");
    BENCH_MAKE(bench, &scene_masks, "text", "warm film", "mask", "none", "blocked", "0,0;0,1",
               "stage", "output");
    const Table *output = bench_table(bench, "output");
    for (int j = 0; j < output->columns.count; j++) assert_true(output->values[j] == 0);
}

static void test_A2_double_masking_in_two_steps(void **state) {
    Bench *bench = *state;
    static const char *const fills[] = {"lowest", "-1e9", "-1e4"};
    for (int i = 0; i < 3; i++) {
        BENCH_MAKE(bench, &scene_masks, "text", "a b c", "mask", "none", "blocked", "1,0;1,1;1,2",
                   "fill", fills[i], "stage", "softmax");
        const Table *softmax = bench_table(bench, "softmax");
        for (int j = 0; j < 3; j++) NEAR(table_value(softmax, 1, j), 1 / 3.0);
        assert_note(softmax, "softmax makes a row without any key uniform");
        const Table *weights = bench_table(bench, "weights");
        for (int j = 0; j < 3; j++) assert_true(table_value(weights, 1, j) == 0);
    }
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "fill", "-1e4", "stage", "softmax", FLAT);
    assert_note(bench_table(bench, "softmax"), "too small");
}

static void test_A2_stand_ins_of_an_additive_mask(void **state) {
    Bench *bench = *state;
    const float mask[] = {-1e9f, -1e9f, -1e9f, -1e9f, 0, -1e4f, 0, -1e4f};
    const float weights[] = {.25f, .25f, .25f, .25f, 0, 1, 0, 0};
    Health health = {.count = 0};
    health_stand_in(&health, &bench->assets, mask, weights, 2, 4);
    assert_int_equal(health.wrong, 2);
    assert_finding(&health, "In row 0 all keys are blocked by a finite value (-1e+09)");
    assert_finding(&health, "key 1 of row 1, which it should block, has weight 1.");
    const float scores[] = {-1e9f, -1e9f, 0, 1, -INFINITY, -INFINITY};
    Health typed = {.count = 0};
    health_blocked_scores(&typed, &bench->assets, scores, 3, 2);
    assert_int_equal(typed.count, 1);
    assert_finding(&typed, "In row 0 all keys");
}

static void test_A4_mask_after_softmax(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d", FLAT);
    const Table *weights = bench_table(bench, "weights");
    NEAR(table_value(weights, 1, 0), 0.5);
    NEAR(table_value(weights, 1, 1), 0.5);
    NEAR(table_row_sum(weights, 1), 1);
    const float after[] = {.25f, 0,    0,    0, .25f, .25f, 0,    0,
                           .25f, .25f, .25f, 0, .25f, .25f, .25f, .25f};
    Health health = health_weights(&bench->assets, after, NULL, 4, 4);
    assert_finding(&health, "row 1 sums to 0.5");
    assert_finding(&health, "mask applied after softmax");
}

static void test_A6_two_alignments(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d e", "queries", "2", "keys", "5");
    assert_row(bench_table(bench, "weights"), 0, "x....");
    assert_row(bench_table(bench, "weights"), 1, "xx...");
    assert_non_null(strstr(caption(bench), "aligned top left"));
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d e", "queries", "2", "keys", "5", "align",
               "bottom-right");
    assert_row(bench_table(bench, "weights"), 0, "xxxx.");
    assert_row(bench_table(bench, "weights"), 1, "xxxxx");
    assert_non_null(strstr(caption(bench), "aligned bottom right"));
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d e", "queries", "5", "keys", "2", "align",
               "bottom-right");
    assert_int_equal(table_state(bench_table(bench, "weights"), 2, 0), CELL_UNDEFINED);
    assert_row(bench_table(bench, "weights"), 3, "x.");
    assert_row(bench_table(bench, "weights"), 4, "xx");
    BENCH_MAKE(bench, &scene_masks, "queries", "1", "keys", "8", "align", "bottom-right");
    assert_row(bench_table(bench, "weights"), 0, "xxxxxxxx");
}

static void test_A7_what_a_window_counts(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d e f", "mask", "window", "window", "3");
    assert_row(bench_table(bench, "weights"), 5, "...xxx");
    assert_note(bench_table(bench, "weights"), "3 keys allowed in rows 3 to 5");
    assert_non_null(strstr(caption(bench), "window of 3 keys, self counted"));
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d e f", "mask", "window", "window", "3",
               "window-counts-self", "off");
    assert_row(bench_table(bench, "weights"), 5, "..xxxx");
    assert_note(bench_table(bench, "weights"), "4 keys allowed in rows 4 to 5");
}

static void test_A8_the_right_edge_of_a_window(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d e f g h i j k l m n o p", "mask", "window",
               "window", "2", "window-counts-self", "off", "window-right", "4");
    assert_row(bench_table(bench, "weights"), 10, "........xxxxxxx.");
}

static void test_A10_left_padding(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b", "mask", "causal");
    float plain[4];
    memcpy(plain, bench_table(bench, "weights")->values, sizeof plain);
    BENCH_MAKE(bench, &scene_masks, "text", "a b", "mask", "causal+padding", "pad", "2", "pad-side",
               "left");
    const Table *weights = bench_table(bench, "weights");
    assert_int_equal(table_state(weights, 0, 0), CELL_UNDEFINED);
    assert_int_equal(table_state(weights, 1, 3), CELL_UNDEFINED);
    assert_row(weights, 2, "..x.");
    assert_row(weights, 3, "..xx");
    assert_true(table_value(weights, 2, 2) == plain[0]);
    assert_true(table_value(weights, 3, 2) == plain[2] && table_value(weights, 3, 3) == plain[3]);
    assert_true(weights->rows.labels[0].padding && !weights->rows.labels[2].padding);
    assert_note(weights, "row 2 is position 0");
}

static void test_A11_padding_hides_keys(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "x y", "mask", "padding", "pad", "1", FLAT);
    const Table *weights = bench_table(bench, "weights");
    for (int i = 0; i < 3; i++) {
        assert_row(weights, i, "xx.");
        NEAR(table_value(weights, i, 0), 0.5);
    }
    assert_true(weights->rows.labels[2].padding && weights->columns.labels[2].padding);
    assert_string_equal(weights->rows.labels[2].text, "[PAD]");
    assert_non_null(strstr(bench_probe(bench, 2, 0).sentence, "The query is padding"));
}

static void test_a_batch_is_padded_to_the_longer_sentence(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b", "second-text", "a b c d", "mask", "padding");
    assert_row(bench_table(bench, "weights"), 0, "xx..");
    BENCH_MAKE(bench, &scene_masks, "text", "a b", "second-text", "a b c d", "mask", "padding",
               "shown", "second");
    assert_row(bench_table(bench, "weights"), 0, "xxxx");
    BENCH_MAKE(bench, &scene_masks, "text", "a b", "second-text", "a b c d", "mask", "none");
    assert_note(bench_table(bench, "weights"), "padding takes weight");
}

static void test_A14_what_rows_that_are_off_look_like(void **state) {
    Bench *bench = *state;
    const float dropout[] = {1.25f, 0, 0, 0}, raw[] = {1.2f, 2.5f}, below[] = {-.5f, 1.5f};
    const float columns[] = {.5f, .2f, .5f, .8f};
    Health health = health_weights(&bench->assets, dropout, NULL, 1, 4);
    assert_finding(&health, "Row 0 sums to 1.25: it looks like dropout left in.");
    health = health_weights(&bench->assets, raw, NULL, 1, 2);
    assert_finding(&health, "Row 0 sums to 3.7: these are not probabilities.");
    const float negative[] = {-.5f, 1.2f};
    health = health_weights(&bench->assets, negative, NULL, 1, 2);
    assert_finding(&health, "below 0");
    health = health_weights(&bench->assets, below, NULL, 1, 2);
    assert_finding(&health, "Some weights are below 0");
    health = health_weights(&bench->assets, columns, NULL, 2, 2);
    assert_finding(&health, "along the wrong axis");
    const uint8_t allowed[] = {1, 0};
    const float under[] = {.75f, .25f}, nan[] = {NAN, 1, .5f, .5f};
    health = health_weights(&bench->assets, under, allowed, 1, 2);
    assert_finding(&health, "0.25 of weight lies under the mask");
    health = health_weights(&bench->assets, nan, NULL, 2, 2);
    assert_finding(&health, "1 NaN and 0 infinite among 4 numbers");
}

static void test_D5_blocked_or_a_true_zero(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "temperature", "1e-30");
    const Table *weights = bench_table(bench, "weights");
    assert_int_equal(table_state(weights, 2, 0), CELL_OK);
    assert_int_equal(table_state(weights, 0, 2), CELL_BLOCKED);
}

static void test_E15_no_mask_hides_nothing(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "mask", "none", FLAT);
    const Table *weights = bench_table(bench, "weights");
    for (int i = 0; i < 3; i++) {
        assert_row(weights, i, "xxx");
        for (int j = 0; j < 3; j++) NEAR(table_value(weights, i, j), 1 / 3.0);
    }
    assert_non_null(strstr(caption(bench), "no mask"));
    BENCH_MAKE(bench, &scene_masks, "text", "a b c");
    assert_non_null(strstr(caption(bench), "causal mask"));
}

static void test_prefix_and_documents(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d", "mask", "prefix", "prefix", "2");
    assert_row(bench_table(bench, "weights"), 0, "xx..");
    assert_row(bench_table(bench, "weights"), 2, "xxx.");
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d", "mask", "documents", "documents", "3 1");
    assert_row(bench_table(bench, "weights"), 0, "xxx.");
    assert_row(bench_table(bench, "weights"), 3, "...x");
}

static void test_painting_a_leak(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c");
    const char *line = scene_masks.paint(bench->state, (Cell){0, 2}, -1, &bench->assets);
    assert_string_equal(line, "set blocked \"\" allowed 0,2");
    line = scene_masks.paint(bench->state, (Cell){2, 0}, 0, &bench->assets);
    assert_string_equal(line, "set blocked 2,0 allowed \"\"");
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "allowed", "0,2");
    const Table *weights = bench_table(bench, "weights");
    assert_row(weights, 0, "x.x");
    assert_note(weights, "A leak: a sees c, which comes after it");
    NEAR(table_row_sum(weights, 0), 1);
    line = scene_masks.paint(bench->state, (Cell){0, 2}, -1, &bench->assets);
    assert_string_equal(line, "set blocked \"\" allowed \"\"");
    assert_non_null(strstr(bench_probe(bench, 0, 2).sentence, "A leak"));
}

static void test_queries_one_by_one(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "upto", "2");
    const Table *weights = bench_table(bench, "weights");
    assert_int_equal(table_state(weights, 2, 0), CELL_MISSING);
    assert_row(weights, 1, "xx.");
    assert_non_null(strstr(scene_masks.sentence(bench->state, &bench->assets), "b may now see b."));
}

static void test_compare_and_difference(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "stage", "compare");
    const Table *compare = bench_table(bench, "compare");
    assert_int_equal(compare->columns.count, 6);
    assert_int_equal(table_state(compare, 0, 2), CELL_OK);
    assert_int_equal(table_state(compare, 0, 5), CELL_BLOCKED);
    float plain = table_value(compare, 0, 0), masked = table_value(compare, 0, 3);
    assert_true(masked == 1 && plain < 1);
    BENCH_MAKE(bench, &scene_masks, "text", "a b c", "stage", "difference");
    NEAR(table_value(bench_table(bench, "difference"), 0, 0), (double)(masked - plain));
}

static void test_bad_input(void **state) {
    Bench *bench = *state;
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_masks, "window", "0"), "window"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_masks, "temperature", "-1"), "temperature"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_masks, "text", "a b", "mask", "padding", "pad", "3"),
               "3 padding tokens for a text of 2"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_masks, "text", "a b", "mask", "prefix", "prefix", "3"),
               "the prefix has 3 keys, but there are only 2"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_masks, "text", "a b", "blocked", "0,2"), "the cell 0,2"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_masks, "blocked", "0;1"), "no cell"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_masks, "blocked", "0,1", "allowed", "0,1"), "both"));
    assert_non_null(strstr(
        BENCH_FAIL(bench, &scene_masks, "text", "a b", "mask", "documents", "documents", "1 2"),
        "3 tokens together"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_masks, "text", "a", "upto", "2"), "only 1 query"));
}

/* The JSON of both tables, which holds values, states, sums and notes. */
static const char *written(Bench *bench, const char *stage) {
    Text text = text_open(&bench->assets);
    table_json_fields(bench_table(bench, "weights"), &text);
    table_json_fields(bench_table(bench, stage), &text);
    return text.bytes;
}

/* Rows that have not changed are copied from the last compute: whatever was turned in between, the
 * numbers are those of a scene that starts with these knobs. */
static void test_kept_rows_equal_a_fresh_start(void **state) {
    Bench *bench = *state;
    static const char *const turns[][2] = {
        {"blocked", "3,0"},        {"blocked", "3,0;2,1"}, {"fill", "-1e4"},
        {"temperature", "0.5"},    {"stage", "compare"},   {"blocked", "0,0"},
        {"mask", "window"},        {"window", "2"},        {"allowed", "1,3"},
        {"stage", "softmax"},      {"fill", "lowest"},     {"upto", "2"},
        {"text", "a b c e"},       {"upto", "0"},          {"queries", "2"},
        {"align", "bottom-right"}, {"blocked", ""},        {"queries", "0"},
        {"stage", "difference"},   {"text", "e b c a"},    {"temperature", "1"},
        {"stage", "scaled"},       {"unit", "pieces"},     {"stage", "weights"}};
    enum { TURNS = sizeof turns / sizeof *turns };
    const char *knobs[2 * TURNS + 3] = {"text", "a b c d"};
    BENCH_MAKE(bench, &scene_masks, "text", "a b c d");
    SceneState *turned = bench->state;
    for (int i = 0; i < TURNS; i++) {
        memcpy(knobs + 2 * i + 2, turns[i], sizeof turns[i]);
        bench->state = turned;
        assert_true(bench_set(bench, turns[i][0], turns[i][1]));
        assert_true(bench_compute(bench));
        const Knob *knob = knob_find(scene_masks.knobs, "stage", NULL);
        const char *stage = knob_get(knob, turned, &bench->assets), *kept = written(bench, stage);
        TableSummary summary = bench_table(bench, "weights")->summary;
        Arena frame = bench->frame, spare = bench->frame_spare;
        bench->frame = arena_beside(&frame);
        bench->frame_spare = arena_beside(&frame);
        bench_make(bench, &scene_masks, knobs);
        assert_string_equal(kept, written(bench, stage));
        Table table = *bench_table(bench, "weights");
        table.summary.known = false; /* cell by cell */
        TableSummary fresh = table_summary(&table, -1);
        assert_true(summary.low == fresh.low && summary.high == fresh.high);
        assert_int_equal(summary.states, fresh.states);
        arena_close(&bench->frame);
        arena_close(&bench->frame_spare);
        bench->frame = frame;
        bench->frame_spare = spare;
    }
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
    const struct CMUnitTest tests[] = {
        TEST(test_A1_a_row_without_a_key),
        TEST(test_A2_double_masking_in_two_steps),
        TEST(test_A2_stand_ins_of_an_additive_mask),
        TEST(test_A4_mask_after_softmax),
        TEST(test_A6_two_alignments),
        TEST(test_A7_what_a_window_counts),
        TEST(test_A8_the_right_edge_of_a_window),
        TEST(test_A10_left_padding),
        TEST(test_A11_padding_hides_keys),
        TEST(test_a_batch_is_padded_to_the_longer_sentence),
        TEST(test_A14_what_rows_that_are_off_look_like),
        TEST(test_D5_blocked_or_a_true_zero),
        TEST(test_E15_no_mask_hides_nothing),
        TEST(test_prefix_and_documents),
        TEST(test_painting_a_leak),
        TEST(test_queries_one_by_one),
        TEST(test_compare_and_difference),
        TEST(test_kept_rows_equal_a_fresh_start),
        TEST(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
