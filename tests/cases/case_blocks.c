/* Heads, block and exercise end to end, and what models leave behind: typed maps, padding, runs of
 * generation, what is refused. */
#include "tool.h"

#include "model/safetensors.h"

#include <string.h>

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

static void assert_row(const json_t *numbers, int row, const char *allowed) {
    for (int j = 0; allowed[j]; j++)
        assert_string_equal(json_state(numbers, row, j), allowed[j] == 'x'   ? "ok"
                                                         : allowed[j] == '-' ? "undefined"
                                                                             : "blocked");
}

static void test_A6_two_alignments(void **state) {
    json_t *few = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e", "--queries", "2",
                            "--keys", "5");
    assert_row(few, 0, "x....");
    assert_row(few, 1, "xx...");
    few = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e", "--queries", "2", "--keys",
                    "5", "--align", "bottom-right");
    assert_row(few, 0, "xxxx.");
    assert_row(few, 1, "xxxxx");
    json_t *many = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e", "--queries", "5",
                             "--keys", "2", "--align", "bottom-right");
    for (int i = 0; i < 3; i++) assert_row(many, i, "--");
    assert_row(many, 3, "x.");
    assert_row(many, 4, "xx");
    many = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e", "--queries", "5", "--keys",
                     "2");
    assert_row(many, 0, "x.");
    for (int i = 1; i < 5; i++) assert_row(many, i, "xx");
    json_t *one = HEED_JSON(*state, "numbers", "masks", "--text", "a b c d e f g h", "--queries",
                            "1", "--keys", "8", "--align", "bottom-right");
    assert_row(one, 0, "xxxxxxxx");
}

static void test_A10_left_padding(void **state) {
    json_t *plain = HEED_JSON(*state, "numbers", "masks", "--text", "a b", "--mask", "causal");
    json_t *padded = HEED_JSON(*state, "numbers", "masks", "--text", "a b", "--mask",
                               "causal+padding", "--pad", "2", "--pad-side", "left");
    assert_row(padded, 0, "----");
    assert_row(padded, 1, "----");
    assert_row(padded, 2, "..x.");
    assert_row(padded, 3, "..xx");
    assert_close(json_cell(padded, 2, 2), json_cell(plain, 0, 0), 0);
    for (int j = 0; j < 2; j++)
        assert_close(json_cell(padded, 3, 2 + j), json_cell(plain, 1, j), 0);
    bool said = false;
    for (size_t i = 0; i < json_array_size(json_object_get(padded, "notes")); i++)
        said = said || strstr(json_text(padded, "notes", (int)i), "row 2 is position 0");
    assert_true(said);
}

static void test_A11_padding_hides_keys(void **state) {
    json_t *weights = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0",
                                "--mask", "padding", "--pad", "1");
    for (int i = 0; i < 3; i++) {
        assert_row(weights, i, "xx.");
        for (int j = 0; j < 2; j++) assert_close(json_cell(weights, i, j), 0.5, 0);
    }
}

/* A run of two heads: a prompt of two tokens, then three steps, written in another order. wide:
 * keys of the second step. */
static void write_run(Tool *tool, int wide) {
    static const float prompt[] = {1, 0, .5f, .5f, 1, 0, .25f, .75f};
    static const float one[] = {.5f, .25f, .25f, .25f, .25f, .5f};
    static const float two[] = {.25f, .25f, .25f, .25f, .125f, .125f, .25f, .5f, 0, 0};
    static const float three[] = {.2f, .2f, .2f, .2f, .2f, .5f, .125f, .125f, .125f, .125f};
    SafeOut tensors[] = {{"attentions.10", SAFE_F32, 4, {1, 2, 1, 5}, three},
                         {"attentions.9", SAFE_F32, 4, {1, 2, 1, wide}, two},
                         {"attentions.1", SAFE_F32, 4, {1, 2, 1, 3}, one},
                         {"attentions.0", SAFE_F32, 4, {1, 2, 2, 2}, prompt}};
    Err err;
    assert_true(safetensors_write(tool_path(tool, "run.safetensors"), tensors, 4, NULL, 0, &err));
}

static void test_E3_generation(void **state) {
    write_run(*state, 4);
    json_t *run =
        HEED_JSON(*state, "numbers", "matrix", "--weights", "@run.safetensors", "--head", "1");
    static const int keys[] = {2, 2, 3, 4, 5};
    static const double last[] = {.5, .125, .125, .125, .125}, third[] = {.125, .125, .25, .5};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            assert_string_equal(json_state(run, i, j), j < keys[i] ? "ok" : "missing");
    for (int j = 0; j < 5; j++) assert_close(json_cell(run, 4, j), last[j], 0);
    for (int j = 0; j < 4; j++) assert_close(json_cell(run, 3, j), third[j], 0);
    assert_close(json_cell(run, 1, 1), .75, 0);
    Run csv =
        HEED_OK(*state, "numbers", "matrix", "--weights", "@run.safetensors", "--format", "csv");
    assert_non_null(strstr(csv.out, "\n2,0.5,0.25,0.25,,\n"));
    HEED_REFUSES(*state, 1, "there are 2 heads", "numbers", "matrix", "--weights",
                 "@run.safetensors", "--head", "2");
    write_run(*state, 5);
    HEED_REFUSES(*state, 1, "[1, 2, 1, 5], but behind 3 tokens [1, 2, 1, 4] is wanted", "numbers",
                 "matrix", "--weights", "@run.safetensors");
}

/* A model of one layer of width 8 whose projection of keys is `wide` columns wide. */
static void write_model(Tool *tool, int wide) {
    enum { D = 8, IN = 384 };
    static const float zeros[D * IN] = {0};
    SafeOut tensors[] = {{"l0.self.q.weight", SAFE_F32, 2, {D, D}, zeros},
                         {"l0.self.k.weight", SAFE_F32, 2, {D, wide}, zeros},
                         {"l0.self.v.weight", SAFE_F32, 2, {D, D}, zeros},
                         {"l0.self.o.weight", SAFE_F32, 2, {D, D}, zeros},
                         {"entry.weight", SAFE_F32, 2, {D, IN}, zeros}};
    const char *metadata[] = {"heads", "2"};
    Err err;
    assert_true(
        safetensors_write(tool_path(tool, "model.safetensors"), tensors, 5, metadata, 1, &err));
}

static void test_a_model_of_ones_own(void **state) {
    write_model(*state, 8);
    json_t *weights = HEED_JSON(*state, "numbers", "heads", "--model", "model.safetensors",
                                "--text", "a warm film", "--head", "1");
    for (int i = 0; i < 9; i++) assert_close(json_cell(weights, i / 3, i % 3), 1.0 / 3, 1e-6);
    write_model(*state, 6);
    HEED_REFUSES(*state, 1, "\"l0.self.k.weight\" has the shape [8, 6], but [8, 8] is wanted",
                 "numbers", "heads", "--model", "model.safetensors");
    HEED_REFUSES(*state, 1, "l0.self.k.weight", "export", "block", "--model", "model.safetensors",
                 "-o", "no.png");
}

/* The names that lessons and scripts rely on. */
static void test_stages_by_name(void **state) {
    static const char *const heads[] = {"weights", "entropy", "distance", "agreement", "rollout"};
    static const char *const exercise[] = {"rotated", "weights", "output"};
    for (int i = 0; i < 5; i++)
        HEED_OK(*state, "numbers", "heads", "--stage", heads[i], "--layer", "1", "--head", "2",
                "--reduce", "max");
    for (int i = 0; i < 3; i++)
        HEED_OK(*state, "numbers", "exercise", "--stage", exercise[i], "--x", "1 2; 3 4", "--wq",
                "", "--wk", "", "--wv", "1 0; 0 1", "--wo", "0 1; 1 0", "--heads", "1", "--cos",
                "1; 0", "--sin", "0; 1");
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
        TOOL_TEST(test_A6_two_alignments),       TOOL_TEST(test_A10_left_padding),
        TOOL_TEST(test_A11_padding_hides_keys),  TOOL_TEST(test_E3_generation),
        TOOL_TEST(test_a_model_of_ones_own),     TOOL_TEST(test_stages_by_name),
        TOOL_TEST(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
