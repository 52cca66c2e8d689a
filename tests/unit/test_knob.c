/* Knobs by their rows: what is typed is what is read back; what is refused says why and changes
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "scene/knob.h"

#include <math.h>
#include <string.h>

struct SceneState {
    int count, mask, head, other, heads;
    double temperature, scale, base;
    bool shown;
    char text[16], path[16];
};

static const KnobChoice masks[] = {{"none", "none"}, {"causal", "causal mask"}, {NULL, NULL}};
static const KnobWord scales[] = {
    {"sqrt", "1/√d", 0}, {"1/sqrt(d)", "1/√d", 0}, {"none", "none", 1}, {NULL, NULL, 0}};

static const KnobWord no_head[] = {{"none", "none", -1}, {NULL, NULL, 0}};

#define AT(field) .at = offsetof(SceneState, field)

static const Knob knobs[] = {
    {.name = "count", .kind = KNOB_INT, AT(count), .min = 1, .max = 9, .step = 2, .start = "3"},
    {.name = "temperature",
     .kind = KNOB_REAL,
     AT(temperature),
     .min = 0.01,
     .max = 100,
     .step = 1.25,
     .logarithmic = true,
     .start = "1"},
    {.name = "score-scale",
     .kind = KNOB_REAL,
     AT(scale),
     .min = 0.001,
     .max = 100,
     .step = 2,
     .logarithmic = true,
     .words = scales,
     .start = "sqrt"},
    {.name = "base",
     .kind = KNOB_REAL,
     AT(base),
     .min = 1,
     .max = 1e9,
     .step = 10,
     .logarithmic = true,
     .start = "10000"},
    {.name = "mask", .kind = KNOB_CHOICE, AT(mask), .choices = masks, .start = "none"},
    {.name = "shown", .kind = KNOB_SWITCH, AT(shown), .start = "on"},
    {.name = "text", .kind = KNOB_TEXT, AT(text), .size = 16, .start = "a b"},
    {.name = "head",
     .kind = KNOB_INT,
     AT(head),
     .max = 31,
     .step = 1,
     .count_at = offsetof(SceneState, heads),
     .start = "0"},
    {.name = "other",
     .kind = KNOB_INT,
     AT(other),
     .max = 31,
     .step = 1,
     .words = no_head,
     .count_at = offsetof(SceneState, heads),
     .start = "none"},
    {.name = "path", .kind = KNOB_FILE, AT(path), .size = 16, .start = ""},
    {.name = NULL},
};

static void full(size_t wanted) {
    (void)wanted;
    abort();
}

typedef struct Bench {
    Arena arena;
    SceneState state;
    Err err;
} Bench;

static Bench bench_open(void) {
    Bench bench = {.arena = arena_open(full)};
    knob_start(knobs, &bench.state);
    return bench;
}

static bool set(Bench *bench, const char *name, const char *value) {
    const Knob *knob = knob_find(knobs, name, &bench->err);
    assert_non_null(knob);
    return knob_set(knob, &bench->state, value, &bench->err);
}

static const char *get(Bench *bench, const char *name) {
    return knob_get(knob_find(knobs, name, NULL), &bench->state, &bench->arena);
}

static const char *show(Bench *bench, const char *name) {
    return knob_show(knob_find(knobs, name, NULL), &bench->state, &bench->arena);
}

static bool step(Bench *bench, const char *name, int direction) {
    return knob_step(knob_find(knobs, name, NULL), &bench->state, direction);
}

static void test_start(void **state) {
    (void)state;
    Bench bench = bench_open();
    for (const Knob *knob = knobs; knob->name; knob++) {
        assert_true(knob_at_start(knob, &bench.state));
        assert_string_equal(knob_get(knob, &bench.state, &bench.arena), knob->start);
    }
    arena_close(&bench.arena);
}

static void test_set_and_get(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"count", "9"},           {"temperature", "0.01"}, {"temperature", "0.1"},
        {"temperature", "33.25"}, {"score-scale", "none"}, {"score-scale", "0.05"},
        {"mask", "causal"},       {"shown", "off"},        {"text", ""},
        {"text", "\xE6\x9D\xB1"}, {"path", "a/b.txt"}};
    Bench bench = bench_open();
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        assert_true(set(&bench, pairs[i][0], pairs[i][1]));
        assert_string_equal(get(&bench, pairs[i][0]), pairs[i][1]);
        const Knob *knob = knob_find(knobs, pairs[i][0], NULL);
        assert_int_equal(knob_at_start(knob, &bench.state), strcmp(pairs[i][1], knob->start) == 0);
    }
    arena_close(&bench.arena);
}

static void test_words(void **state) {
    (void)state;
    Bench bench = bench_open();
    assert_true(set(&bench, "score-scale", "1/sqrt(d)"));
    assert_string_equal(get(&bench, "score-scale"), "sqrt");
    assert_string_equal(show(&bench, "score-scale"), "1/√d");
    assert_true(set(&bench, "score-scale", "1"));
    assert_string_equal(get(&bench, "score-scale"), "none");
    /* the value behind a word is no number of the range */
    assert_false(set(&bench, "score-scale", "0"));
    assert_string_equal(bench.err.text,
                        "score-scale 0: allowed is 0.001 to 100, sqrt, 1/sqrt(d), none");
    arena_close(&bench.arena);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"temperature", "0", "temperature 0: allowed is 0.01 to 100"},
        {"temperature", "101", "temperature 101: allowed is 0.01 to 100"},
        {"temperature", "nan", "temperature nan: allowed is 0.01 to 100"},
        {"temperature", "warm", "temperature warm: allowed is a number from 0.01 to 100"},
        {"temperature", "", "temperature \"\": allowed is a number from 0.01 to 100"},
        {"temperature", " 1", "temperature \" 1\": allowed is a number from 0.01 to 100"},
        {"count", "2.5", "count 2.5: allowed is a whole number from 1 to 9"},
        {"count", "10", "count 10: allowed is a whole number from 1 to 9"},
        {"mask", "cusal", "unknown mask \"cusal\"; did you mean causal?"},
        {"shown", "maybe", "shown \"maybe\": allowed is on or off"},
        {"text", "\xC3(", "text is not UTF-8: byte 0xC3 at offset 0; save it as UTF-8"},
        {"text", "0123456789abcdef", "text is 16 bytes long: at most 15 fit; shorten it"},
    };
    Bench bench = bench_open();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        SceneState before = bench.state;
        assert_false(set(&bench, rows[i][0], rows[i][1]));
        assert_string_equal(bench.err.text, rows[i][2]);
        assert_memory_equal(&before, &bench.state, sizeof before);
    }
    arena_close(&bench.arena);
}

static void test_unknown_knob(void **state) {
    (void)state;
    Err err = {.text = ""};
    assert_null(knob_find(knobs, "temprature", &err));
    assert_string_equal(err.text, "unknown knob \"temprature\"; did you mean temperature?");
    assert_true(err.usage);
}

static void test_step(void **state) {
    (void)state;
    Bench bench = bench_open();
    assert_true(step(&bench, "mask", 1));
    assert_string_equal(get(&bench, "mask"), "causal");
    assert_true(step(&bench, "mask", 1));
    assert_string_equal(get(&bench, "mask"), "none");
    assert_true(step(&bench, "mask", -1));
    assert_string_equal(get(&bench, "mask"), "causal");
    assert_true(step(&bench, "count", 1));
    assert_int_equal(bench.state.count, 5);
    for (int i = 0; i < 5; i++) step(&bench, "count", 1);
    assert_int_equal(bench.state.count, 9);
    assert_false(step(&bench, "count", 1));
    assert_true(step(&bench, "temperature", -1));
    assert_string_equal(get(&bench, "temperature"), "0.8");
    assert_true(step(&bench, "shown", 1));
    assert_false(bench.state.shown);
    assert_false(step(&bench, "text", 1));
    arena_close(&bench.arena);
}

static void test_step_over_words(void **state) {
    (void)state;
    Bench bench = bench_open();
    assert_true(step(&bench, "score-scale", 1)); /* over both names of 1/sqrt(d) */
    assert_string_equal(get(&bench, "score-scale"), "none");
    assert_true(step(&bench, "score-scale", -1));
    assert_string_equal(get(&bench, "score-scale"), "0.5");
    for (int i = 0; i < 20; i++) step(&bench, "score-scale", -1);
    assert_string_equal(get(&bench, "score-scale"), "sqrt");
    assert_false(step(&bench, "score-scale", -1));
    arena_close(&bench.arena);
}

/* What is counted is gone around, both ways; a word below 0 is one of them. */
static void test_step_around_what_is_counted(void **state) {
    (void)state;
    static const char *const on[] = {"1", "2", "0", "1"}, *const other[] = {"0", "1", "2", "none"};
    Bench bench = bench_open();
    bench.state.heads = 3;
    for (int i = 0; i < 4; i++) {
        assert_true(step(&bench, "head", 1));
        assert_string_equal(get(&bench, "head"), on[i]);
        assert_true(step(&bench, "other", 1));
        assert_string_equal(get(&bench, "other"), other[i]);
    }
    for (int i = 2; i >= 0; i--) {
        assert_true(step(&bench, "other", -1));
        assert_string_equal(get(&bench, "other"), other[i]);
    }
    set(&bench, "head", "0");
    assert_true(step(&bench, "head", -1));
    assert_string_equal(get(&bench, "head"), "2");
    bench.state.heads = 1;
    set(&bench, "head", "0");
    assert_false(step(&bench, "head", 1));
    arena_close(&bench.arena);
}

static void test_step_before_anything_is_counted(void **state) {
    (void)state;
    Bench bench = bench_open();
    assert_true(step(&bench, "head", 1));
    assert_string_equal(get(&bench, "head"), "1");
    set(&bench, "head", "31");
    assert_false(step(&bench, "head", 1));
    arena_close(&bench.arena);
}

static void test_slider_ends_with_what_is_counted(void **state) {
    (void)state;
    Bench bench = bench_open();
    const Knob *knob = knob_find(knobs, "head", NULL);
    bench.state.heads = 4;
    knob_put(knob, &bench.state, 1);
    assert_string_equal(get(&bench, "head"), "3");
    assert_true(fabs(knob_place(knob, &bench.state) - 1) < 1e-12);
    knob_put(knob, &bench.state, 0);
    assert_string_equal(get(&bench, "head"), "0");
    arena_close(&bench.arena);
}

static void test_slider(void **state) {
    (void)state;
    Bench bench = bench_open();
    const Knob *knob = knob_find(knobs, "temperature", NULL);
    assert_true(fabs(knob_place(knob, &bench.state) - 0.5) < 1e-12);
    knob_put(knob, &bench.state, 0);
    assert_string_equal(get(&bench, "temperature"), "0.01");
    knob_put(knob, &bench.state, 1);
    assert_string_equal(get(&bench, "temperature"), "100");
    knob_put(knob, &bench.state, 0.75);
    assert_string_equal(get(&bench, "temperature"), "10");
    knob = knob_find(knobs, "count", NULL);
    knob_put(knob, &bench.state, 0.5);
    assert_int_equal(bench.state.count, 5);
    assert_true(fabs(knob_place(knob, &bench.state) - 0.5) < 1e-12);
    arena_close(&bench.arena);
}

static void test_show(void **state) {
    (void)state;
    Bench bench = bench_open();
    assert_string_equal(show(&bench, "temperature"), "1.00");
    set(&bench, "temperature", "0.0125");
    assert_string_equal(show(&bench, "temperature"), "0.0125");
    assert_string_equal(show(&bench, "base"), "10000");
    set(&bench, "base", "1e7");
    assert_string_equal(show(&bench, "base"), "10000000");
    set(&bench, "base", "1e8");
    assert_string_equal(show(&bench, "base"), "1e+08");
    set(&bench, "mask", "causal");
    assert_string_equal(show(&bench, "mask"), "causal mask");
    assert_string_equal(show(&bench, "shown"), "on");
    arena_close(&bench.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_start),
        cmocka_unit_test(test_set_and_get),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_unknown_knob),
        cmocka_unit_test(test_step),
        cmocka_unit_test(test_step_over_words),
        cmocka_unit_test(test_step_around_what_is_counted),
        cmocka_unit_test(test_step_before_anything_is_counted),
        cmocka_unit_test(test_slider_ends_with_what_is_counted),
        cmocka_unit_test(test_slider),
        cmocka_unit_test(test_show),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
