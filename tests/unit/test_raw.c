/* Raw self-attention: each step from the one before, order, masks, words of the figure, the
 * arithmetic in the inspector. */
#include "scene_bench.h"

#include <math.h>

extern const Scene scene_raw;

/* The tables of all steps that a stage needs live together. */
static void test_every_step_follows_from_the_last(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "stage", "output", "temperature", "2");
    const Table *x = bench_table(bench, "x"), *scores = bench_table(bench, "scores");
    const Table *scaled = bench_table(bench, "scaled"), *weights = bench_table(bench, "weights");
    const Table *output = bench_table(bench, "output");
    int T = x->rows.count, D = x->columns.count;
    assert_int_equal(T, 12);
    assert_int_equal(D, BENCH_WIDTH);
    for (int i = 0; i < T; i++) {
        double sum = 0;
        for (int j = 0; j < T; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++)
                dot += (double)table_value(x, i, d) * (double)table_value(x, j, d);
            assert_true(fabs(dot - (double)table_value(scores, i, j)) < 1e-4);
            assert_true(table_value(scores, i, j) == table_value(scores, j, i));
            assert_true(fabs(dot / sqrt(D) - (double)table_value(scaled, i, j)) < 1e-5);
            sum += exp((double)table_value(scaled, i, j) / 2);
        }
        for (int j = 0; j < T; j++)
            assert_true(fabs(exp((double)table_value(scaled, i, j) / 2) / sum -
                             (double)table_value(weights, i, j)) < 1e-6);
        assert_true(fabs(table_row_sum(weights, i) - 1) < 1e-6);
        double first = 0;
        for (int j = 0; j < T; j++)
            first += (double)table_value(weights, i, j) * (double)table_value(x, j, 0);
        assert_true(fabs(first - (double)table_value(output, i, 0)) < 1e-5);
    }
}

static void test_names_that_others_rely_on(void **state) {
    Bench *bench = *state;
    static const char *const stages[] = {"tokens", "x",       "scores", "scaled",
                                         "masked", "weights", "output"};
    static const char *const knobs[] = {"text",    "unit",  "stage",   "score-scale", "temperature",
                                        "mask",    "order", "seed",    "embeddings",  "values",
                                        "palette", "range", "skip-key"};
    for (int i = 0; i < 7; i++) assert_int_equal(scene_stage_index(&scene_raw, stages[i]), i);
    for (size_t i = 0; i < sizeof knobs / sizeof knobs[0]; i++)
        assert_non_null(knob_find(scene_raw.knobs, knobs[i], NULL));
    assert_string_equal(scene_raw.main_stage, "weights");
    BENCH_MAKE(bench, &scene_raw, "stage", "x");
    assert_string_equal(bench_table(bench, "x")->rows.name, "token");
    assert_string_equal(bench_table(bench, "x")->columns.name, "feature");
    BENCH_MAKE(bench, &scene_raw, "unit", "pieces", "order", "shuffled", "seed", "3", "range",
               "log", "values", "off", "mask", "causal");
    assert_string_equal(bench_table(bench, "weights")->rows.name, "query");
    assert_string_equal(bench_table(bench, "weights")->columns.name, "key");
}

/* One number a pair, wherever the two tokens stand. Only the sum of a row, whose terms come in
 * another order, may differ in its last bit. */
static void test_attention_does_not_know_order(void **state) {
    Bench *bench = *state;
    Arena kept = arena_open(bench_full);
    BENCH_MAKE(bench, &scene_raw, "stage", "weights");
    const Table *typed = bench_table(bench, "weights"), *scores = bench_table(bench, "scores");
    int T = typed->rows.count;
    size_t cells = (size_t)T * (size_t)T;
    float *weights = ARENA_ARRAY(&kept, float, cells), *raw = ARENA_ARRAY(&kept, float, cells);
    memcpy(weights, typed->values, cells * sizeof *weights);
    memcpy(raw, scores->values, cells * sizeof *raw);
    BENCH_MAKE(bench, &scene_raw, "order", "reversed");
    typed = bench_table(bench, "weights");
    scores = bench_table(bench, "scores");
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++) {
            int there = (T - 1 - i) * T + T - 1 - j;
            assert_true(table_value(scores, i, j) == raw[there]);
            assert_true(fabsf(table_value(typed, i, j) - weights[there]) < 1e-7f);
        }
    assert_non_null(strstr(typed->notes[1], "does not know order"));
    BENCH_MAKE(bench, &scene_raw, "order", "reversed", "mask", "causal"); /* a mask does know */
    assert_non_null(strstr(bench_table(bench, "weights")->notes[1], "hides other keys"));
    arena_close(&kept);
}

static void test_causal_mask(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "mask", "causal");
    const Table *weights = bench_table(bench, "weights"), *scaled = bench_table(bench, "scaled");
    const Table *masked = bench_table(bench, "masked");
    for (int i = 0; i < weights->rows.count; i++)
        for (int j = 0; j < weights->columns.count; j++) {
            CellState want = j > i ? CELL_BLOCKED : CELL_OK;
            assert_int_equal(table_state(weights, i, j), want);
            assert_int_equal(table_state(masked, i, j), want);
            assert_int_equal(table_state(scaled, i, j), CELL_OK);
            if (j > i) assert_true(table_value(weights, i, j) == 0);
        }
    assert_true(table_value(weights, 0, 0) == 1);
    Probe probe = bench_probe(bench, 0, 5);
    assert_int_equal(probe.state, CELL_BLOCKED);
    bench_line(&probe, "mask", "−∞, blocked");
    assert_non_null(strstr(probe.sentence, "Blocked"));
    probe = bench_probe(bench, 2, 0);
    assert_int_equal(probe.bar_count, 3);
}

static void test_score_scale(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "score-scale", "none");
    const Table *scores = bench_table(bench, "scores"), *scaled = bench_table(bench, "scaled");
    assert_true(table_value(scores, 1, 2) == table_value(scaled, 1, 2));
    BENCH_MAKE(bench, &scene_raw, "score-scale", "0.5");
    scores = bench_table(bench, "scores");
    scaled = bench_table(bench, "scaled");
    assert_true(table_value(scores, 1, 2) * 0.5f == table_value(scaled, 1, 2));
    Probe probe = bench_probe(bench, 1, 2);
    bool named = false;
    for (int i = 0; i < probe.line_count; i++)
        named = named || strcmp(probe.lines[i].name, "× 0.5") == 0;
    assert_true(named);
}

/* What the inspector says is the way to the weight: exp over the row's sum. */
static void test_arithmetic_of_a_weight(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "stage", "weights");
    Probe probe = bench_probe(bench, 10, 1);
    assert_string_equal(probe.title, "warm → film");
    double weight = bench_number(&probe, "exp(s − max)") / bench_number(&probe, "sum of row");
    assert_true(fabs(weight - (double)probe.value) < 1e-4);
    assert_true(fabs(bench_number(&probe, "q · k") / sqrt(384) - bench_number(&probe, "÷ √384")) <
                1e-3);
    assert_true(probe.lines[probe.line_count - 1].hot);
    assert_int_equal(probe.bar_count, 6);
    assert_string_equal(probe.bars_title, "strongest keys of warm");
    assert_true(probe.bars[0].value >= probe.bars[1].value);
    bench_line(&probe, "row sum", "1.0000");
    assert_string_equal(scene_raw.facts(bench->state, &bench->assets), "12 tokens · d = 384");
}

static void test_C1_repeated_tokens(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "text", "the cat the");
    assert_int_equal(bench_table(bench, "weights")->rows.count, 3);
    assert_string_equal(bench_probe(bench, 2, 0).title, "the (2) → the (0)");
    assert_string_equal(bench_probe(bench, 1, 1).title, "cat → cat");
}

static void test_C3_C4_pieces_of_a_character(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "text", "\xE6\x9D\xB1 \xF0\x9F\x99\x82", "unit", "pieces");
    const Table *table = bench_table(bench, "weights");
    assert_string_equal(table->rows.labels[0].text, "<E6>");
    assert_string_equal(table->rows.labels[0].group_text, "\xE6\x9D\xB1");
    assert_string_equal(table->columns.labels[5].group_text, "\xF0\x9F\x99\x82");
    Probe probe = bench_probe(bench, 0, 4);
    bench_line(&probe, "query <E6>", "part of \xE6\x9D\xB1");
    bench_line(&probe, "key <F0>", "part of \xF0\x9F\x99\x82");
}

static void test_tokens_and_vectors(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "stage", "tokens", "text", "not a finale");
    const Table *tokens = bench_table(bench, "tokens");
    assert_string_equal(tokens->columns.name, "piece");
    assert_int_equal(tokens->kind, TABLE_COUNTS);
    Probe probe = bench_probe(bench, 0, 0);
    assert_string_equal(probe.title, "not");
    BENCH_MAKE(bench, &scene_raw, "stage", "x", "text", "not a finale");
    probe = bench_probe(bench, 2, 7);
    assert_string_equal(probe.title, "finale → feature 7");
    assert_true(probe.lines[probe.line_count - 1].hot);
}

/* The mask is always named, whatever else is. */
static void test_E15_the_caption_names_the_mask(void **state) {
    Bench *bench = *state;
    static const char *const rows[][3] = {
        {"weights", "none", "weights after softmax · no mask"},
        {"weights", "causal", "weights after softmax · causal mask"},
        {"scaled", "causal", "scaled scores · before the causal mask"},
        {"output", "causal", "output A V · causal mask"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        BENCH_MAKE(bench, &scene_raw, "stage", rows[i][0], "mask", rows[i][1]);
        const char *caption = scene_raw.caption(bench->state, &bench->assets);
        if (!strstr(caption, rows[i][2])) fail_msg("%s", caption);
    }
    BENCH_MAKE(bench, &scene_raw, "temperature", "2", "order", "shuffled", "score-scale", "none");
    assert_string_equal(scene_raw.caption(bench->state, &bench->assets),
                        "Raw self-attention: weights after softmax · no mask · scale none · "
                        "temperature 2 · tokens shuffled (1)");
}

/* Bands of rows meet: 130 tokens are two whole bands and a part of one. */
static void test_many_tokens(void **state) {
    Bench *bench = *state;
    Text text = text_open(&bench->assets);
    for (int i = 0; i < 130; i++) text_addf(&text, "w%d ", i % 77);
    BENCH_MAKE(bench, &scene_raw, "text", text.bytes, "stage", "x");
    const Table *x = bench_table(bench, "x");
    int D = x->columns.count;
    float *copy = ARENA_ARRAY(&bench->assets, float, 130 * D);
    memcpy(copy, x->values, (size_t)(130 * D) * sizeof *copy);
    BENCH_MAKE(bench, &scene_raw, "text", text.bytes, "stage", "weights");
    const Table *scores = bench_table(bench, "scores");
    for (int i = 0; i < 130; i++)
        for (int j = 0; j < 130; j += 13) {
            double dot = 0;
            for (int d = 0; d < D; d++) dot += (double)copy[i * D + d] * (double)copy[j * D + d];
            assert_true(fabs(dot - (double)table_value(scores, i, j)) < 1e-4);
        }
}

static void test_refused(void **state) {
    Bench *bench = *state;
    assert_string_equal(BENCH_FAIL(bench, &scene_raw, "text", "  "),
                        "the text has no words; type at least one");
    assert_string_equal(BENCH_FAIL(bench, &scene_raw, "text", "h\xE9"),
                        "text is not UTF-8: byte 0xE9 at offset 1; save it as UTF-8");
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_raw, "embeddings", "/nowhere/v.txt"), "/nowhere/v.txt"));
}

/* What was refused leaves the state as it was shown. */
static void test_a_refusal_changes_nothing(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_raw, "text", "a warm film");
    const Table *before = bench_table(bench, "weights");
    Arena other = arena_open(bench_full);
    assert_true(bench_set(bench, "text", " "));
    assert_false(scene_raw.compute(bench->state, &other, &bench->err));
    assert_ptr_equal(bench_table(bench, "weights"), before);
    arena_close(&other);
}

/* A text that grew under the hands has the very numbers of one that came at once. */
static void test_typing_changes_no_bit(void **state) {
    static const char *const texts[] = {"a warm film",
                                        "a warm filn",
                                        "a very warm filn",
                                        "a very warm filn and a warm plot",
                                        "very warm filn and a warm plot",
                                        "plot",
                                        "the film is not bad at all",
                                        "the film, it is not bad at all"};
    Bench *typing = *state, *fresh = bench_open();
    bench_scene(typing, &scene_raw);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_true(bench_set(typing, "text", texts[i]) && bench_compute(typing));
        fresh->stage.scores = (Memo){0};
        BENCH_MAKE(fresh, &scene_raw, "text", texts[i]);
        const Table *got = bench_table(typing, "weights"), *want = bench_table(fresh, "weights");
        int T = want->rows.count;
        assert_int_equal(got->rows.count, T);
        assert_memory_equal(got->values, want->values, (size_t)(T * T) * sizeof(float));
    }
    bench_close(fresh);
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
        TEST(test_every_step_follows_from_the_last),
        TEST(test_names_that_others_rely_on),
        TEST(test_attention_does_not_know_order),
        TEST(test_causal_mask),
        TEST(test_score_scale),
        TEST(test_arithmetic_of_a_weight),
        TEST(test_C1_repeated_tokens),
        TEST(test_C3_C4_pieces_of_a_character),
        TEST(test_tokens_and_vectors),
        TEST(test_E15_the_caption_names_the_mask),
        TEST(test_many_tokens),
        TEST(test_refused),
        TEST(test_a_refusal_changes_nothing),
        TEST(test_typing_changes_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
