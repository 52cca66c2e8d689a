/* argv taken apart, and the commands that need no window. */
#include "app/assets.h"
#include "app/headless.h"
#include "app/listing.h"
#include "app/picture.h"
#include "base/file.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 16 };

typedef struct Fixture {
    Arena arena;
    char folder[64];
    Cli cli;
    Err err;
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    if (!fixture) return -1;
    strcpy(fixture->folder, "/tmp/heed-test-XXXXXX");
    if (!mkdtemp(fixture->folder)) return -1;
    fixture->arena = arena_open(app_memory_full);
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    char command[128];
    arena_close(&fixture->arena);
    snprintf(command, sizeof command, "rm -r '%s'", fixture->folder);
    int code = system(command);
    free(fixture);
    return code;
}

/* Words end with NULL. */
static bool parse(Fixture *fixture, const char *const *words) {
    char *argv[WORDS_MAX] = {arena_text(&fixture->arena, "heed")};
    int argc = 1;
    for (; words[argc - 1]; argc++) argv[argc] = arena_text(&fixture->arena, words[argc - 1]);
    fixture->err = (Err){0};
    return cli_parse(argc, argv, &fixture->arena, &fixture->cli, &fixture->err);
}

#define PARSE(fixture, ...) parse((fixture), (const char *const[]){__VA_ARGS__, NULL})

static void check_usage(Fixture *fixture, bool done, const char *part) {
    assert_false(done);
    if (!strstr(fixture->err.text, part))
        fail_msg("\"%s\" does not say \"%s\"", fixture->err.text, part);
    assert_true(fixture->err.usage);
}

static const char *in_folder(Fixture *fixture, const char *name) {
    return file_join(&fixture->arena, fixture->folder, name);
}

static FileBytes bytes_of(Fixture *fixture, const char *path) {
    FileBytes file = {NULL, 0};
    Err err = {0};
    if (!file_read(path, 1 << 24, &fixture->arena, &file, &err)) fail_msg("%s", err.text);
    return file;
}

static void test_options_stand_anywhere(void **state) {
    Fixture *fixture = *state;
    const Cli *cli = &fixture->cli;
    assert_true(PARSE(fixture, "--theme", "dark", "export", "--mask=causal", "--size=10x20", "raw",
                      "--scale", "2", "-o", "a.png", "--frame", "--select", "1,2"));
    assert_string_equal(cli->command, "export");
    assert_string_equal(cli->subject, "raw");
    assert_string_equal(cli->theme->name, "dark");
    assert_true(cli->width == 10 && cli->height == 20 && cli->scale == 2 && cli->frame);
    assert_string_equal(cli->output, "a.png");
    assert_string_equal(cli->select, "1,2");
    assert_int_equal(cli->knob_count, 1);
    assert_string_equal(cli->knobs[0], "--mask=causal");
}

static void test_a_value_may_begin_with_a_dash(void **state) {
    Fixture *fixture = *state;
    assert_true(PARSE(fixture, "numbers", "matrix", "--scores", "-1 2; 3 4", "--temperature",
                      "-0.5", "--query-labels", "--a"));
    assert_int_equal(fixture->cli.knob_count, 6);
    assert_string_equal(fixture->cli.knobs[1], "-1 2; 3 4");
    assert_string_equal(fixture->cli.knobs[3], "-0.5");
    assert_string_equal(fixture->cli.knobs[5], "--a");
    assert_true(PARSE(fixture, "numbers", "matrix", "--query-labels=--frame"));
    assert_false(fixture->cli.frame);
    assert_false(PARSE(fixture, "numbers", "matrix", "--query-labels", "--frame"));
}

static void test_stage_is_a_knob_but_for_numbers(void **state) {
    Fixture *fixture = *state;
    assert_true(PARSE(fixture, "export", "raw", "--stage", "x"));
    assert_int_equal(fixture->cli.knob_count, 2);
    assert_null(fixture->cli.stage);
    assert_true(PARSE(fixture, "numbers", "raw", "--stage", "x"));
    assert_int_equal(fixture->cli.knob_count, 0);
    assert_string_equal(fixture->cli.stage, "x");
}

static void test_other_commands_keep_their_words(void **state) {
    Fixture *fixture = *state;
    assert_true(PARSE(fixture, "train", "dan", "--reviews", "r", "--assets", "a", "-o", "b"));
    assert_int_equal(fixture->cli.rest_count, 5);
    assert_string_equal(fixture->cli.rest[4], "b");
    assert_string_equal(fixture->cli.assets, "a");
}

static void test_wrong_command_lines(void **state) {
    Fixture *fixture = *state;
    check_usage(fixture, PARSE(fixture, "exprot"), "export");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--scale"), "--scale needs a value");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--mask"), "--mask needs a value");
    check_usage(fixture, PARSE(fixture, "export", "raw", "-o"), "-o needs a value");
    check_usage(fixture, PARSE(fixture, "export", "raw", "matrix"), "matrix");
    check_usage(fixture, PARSE(fixture, "export", "raw", "-x"), "-x");
    check_usage(fixture, PARSE(fixture, "--mask", "causal", "export"), "--mask");
    check_usage(fixture, PARSE(fixture, "--frame=yes", "export"), "no value");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--theme", "drak"), "dark");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--size", "10"), "WIDTHxHEIGHT");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--size", "10x"), "WIDTHxHEIGHT");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--size", "-1x10"), "WIDTHxHEIGHT");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--size", "0x10"), "1 to");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--size", "9999999x10"), "1 to");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--scale", "0"), "0.5 to 8");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--scale", "big"), "not a number");
    check_usage(fixture, PARSE(fixture, "export", "raw", "--text", "\xc3("), "argument 4");
    check_usage(fixture, PARSE(fixture, "scenes", "--mask", "causal"), "--mask");
    check_usage(fixture, PARSE(fixture, "bench", "fast"), "fast");
}

static bool export(Fixture *fixture) {
    return headless_export(&fixture->cli, &fixture->err);
}

static void test_export_without_a_display(void **state) {
    Fixture *fixture = *state;
    const char *a = in_folder(fixture, "a.png"), *b = in_folder(fixture, "b.png");
    assert_true(PARSE(fixture, "export", "matrix", "--size", "300x200", "--scale", "2", "-o", a));
    assert_true(export(fixture));
    assert_true(PARSE(fixture, "export", "matrix", "--size", "300x200", "--scale", "2", "-o", b));
    assert_true(export(fixture));
    FileBytes one = bytes_of(fixture, a), other = bytes_of(fixture, b);
    assert_int_equal(one.length, other.length);
    assert_memory_equal(one.bytes, other.bytes, one.length);
    /* The header chunk: width and height, big-endian, at byte 16. */
    static const uint8_t size[8] = {0, 0, 600 >> 8, 600 & 255, 0, 0, 400 >> 8, 400 & 255};
    assert_memory_equal(one.bytes + 16, size, 8);
    assert_true(export(fixture)); /* named by the user: replaced */
}

static void check_export_fails(Fixture *fixture, const char *path, bool usage) {
    assert_true(PARSE(fixture, "export", "matrix", "-o", path));
    assert_false(export(fixture));
    assert_true(*fixture->err.text && fixture->err.usage == usage);
}

static void test_export_to_nowhere(void **state) {
    Fixture *fixture = *state;
    check_export_fails(fixture, fixture->folder, false);
    check_export_fails(fixture, "/nonexistent/a.png", false);
    check_export_fails(fixture, "/dev/full", false);
    check_export_fails(fixture, "a.svg", true);
    assert_true(PARSE(fixture, "export", "matrix"));
    check_usage(fixture, export(fixture), "-o FILE.png");
    assert_true(PARSE(fixture, "export", "-o", "a.png"));
    check_usage(fixture, export(fixture), "needs a scene");
}

/* Every small size draws without a fault, and the far ones are refused before memory is taken. */
static void test_E9_sizes_at_both_ends(void **state) {
    Fixture *fixture = *state;
    const char *path = in_folder(fixture, "a.png");
    static const char *const small[] = {"1x1", "2x300", "300x2", "17x23", "64x64"};
    for (int i = 0; i < 5; i++) {
        assert_true(PARSE(fixture, "export", "matrix", "--size", small[i], "-o", path));
        if (!export(fixture)) fail_msg("%s: %s", small[i], fixture->err.text);
    }
    Err err = {0};
    assert_true(file_write(path, "old", 3, &err));
    assert_true(PARSE(fixture, "export", "matrix", "--size", "60000x60000", "-o", path));
    assert_false(export(fixture));
    assert_non_null(strstr(fixture->err.text, "60000"));
    assert_memory_equal(bytes_of(fixture, path).bytes, "old", 4);
}

static json_t *numbers(Fixture *fixture, const char *path) {
    if (!headless_numbers(&fixture->cli, &fixture->err)) fail_msg("%s", fixture->err.text);
    FileBytes file = bytes_of(fixture, path);
    json_error_t error;
    json_t *root = json_loadb((const char *)file.bytes, file.length, 0, &error);
    if (!root) fail_msg("line %d: %s", error.line, error.text);
    return root;
}

static const char *text_at(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static void test_numbers_are_json(void **state) {
    Fixture *fixture = *state;
    const char *path = in_folder(fixture, "a.json");
    assert_true(PARSE(fixture, "numbers", "matrix", "--scores", "0 0; 0 -inf", "--query-labels",
                      "a \"b\"", "-o", path));
    json_t *root = numbers(fixture, path);
    assert_string_equal(text_at(root, "scene"), "matrix");
    assert_string_equal(text_at(root, "stage"), "weights");
    const json_t *knobs = json_object_get(root, "knobs");
    assert_string_equal(text_at(knobs, "query-labels"), "a \"b\"");
    assert_true(json_is_number(json_object_get(knobs, "temperature")));
    const json_t *row = json_array_get(json_object_get(root, "values"), 0);
    assert_true(json_number_value(json_array_get(row, 1)) == 0.5);
    json_decref(root);
    assert_true(PARSE(fixture, "numbers", "matrix", "--stage", "scores", "-o", path));
    root = numbers(fixture, path);
    assert_string_equal(text_at(root, "stage"), "scores");
    assert_string_equal(text_at(json_object_get(root, "knobs"), "stage"), "scores");
    json_decref(root);
}

static void test_numbers_that_are_not_there(void **state) {
    Fixture *fixture = *state;
    assert_true(PARSE(fixture, "numbers", "matrix", "--stage", "wights"));
    check_usage(fixture, headless_numbers(&fixture->cli, &fixture->err), "weights");
    assert_true(PARSE(fixture, "numbers", "matrix", "--format", "cvs"));
    check_usage(fixture, headless_numbers(&fixture->cli, &fixture->err), "csv");
    assert_true(PARSE(fixture, "numbers", "matrix", "-o", "/dev/full"));
    assert_false(headless_numbers(&fixture->cli, &fixture->err));
    assert_false(fixture->err.usage);
}

static void check_knob(const json_t *knob) {
    assert_true(json_is_string(json_object_get(knob, "name")));
    assert_true(json_is_string(json_object_get(knob, "help")));
    assert_non_null(json_object_get(knob, "start"));
    const char *kind = text_at(knob, "kind");
    bool number = strcmp(kind, "int") == 0 || strcmp(kind, "real") == 0;
    assert_int_equal(json_is_number(json_object_get(knob, "min")), number);
    assert_int_equal(json_is_number(json_object_get(knob, "max")), number);
    assert_int_equal(json_is_array(json_object_get(knob, "choices")), strcmp(kind, "choice") == 0);
}

static void test_scenes_are_json(void **state) {
    Fixture *fixture = *state;
    Text out = text_open(&fixture->arena);
    assert_true(listing_add(&out, NULL, "json", &fixture->err));
    json_t *root = json_loads(out.bytes, 0, NULL);
    const json_t *scenes = json_object_get(root, "scenes");
    assert_true(json_array_size(scenes) >= 2);
    for (size_t i = 0; i < json_array_size(scenes); i++) {
        const json_t *scene = json_array_get(scenes, i), *knobs = json_object_get(scene, "knobs");
        assert_true(text_at(scene, "name") && text_at(scene, "title") && text_at(scene, "lesson"));
        assert_string_not_equal(text_at(scene, "name"), "blank");
        assert_true(json_array_size(json_object_get(scene, "stages")) > 0);
        assert_true(json_is_array(json_object_get(scene, "keys")));
        for (size_t k = 0; k < json_array_size(knobs); k++) check_knob(json_array_get(knobs, k));
    }
    json_decref(root);
    assert_false(listing_add(&out, "rwa", "text", &fixture->err));
    assert_false(listing_add(&out, NULL, "xml", &fixture->err));
}

/* The page in the tree is the one that `make man` writes. */
static void test_the_manual_is_up_to_date(void **state) {
    Fixture *fixture = *state;
    const char *assets;
    assert_true(assets_find(NULL, &fixture->arena, &assets, &fixture->err));
    FileBytes page = bytes_of(fixture, file_join(&fixture->arena, assets, "man/heed.1"));
    Text out = text_open(&fixture->arena);
    assert_true(listing_add(&out, NULL, "man", &fixture->err));
    if (!strstr((const char *)page.bytes, out.bytes)) fail_msg("the page is old: run make man");
}

static void test_a_lesson_writes_into_its_folder(void **state) {
    Fixture *fixture = *state;
    const char *lesson = in_folder(fixture, "a.heed");
    static const char text[] = "scene matrix\npng a.png\ncsv a.csv\npng a.png\nset nosuch 1\n";
    assert_true(file_write(lesson, text, sizeof text - 1, &fixture->err));
    assert_true(PARSE(fixture, "run", lesson, "-o", fixture->folder));
    assert_false(headless_run(&fixture->cli, &fixture->err));
    assert_non_null(strstr(fixture->err.text, "a.heed:5:"));
    assert_true(file_exists(in_folder(fixture, "a.png")));
    assert_true(file_exists(in_folder(fixture, "a.csv")));
    assert_true(PARSE(fixture, "run", lesson, "-o", "/nonexistent"));
    assert_false(headless_run(&fixture->cli, &fixture->err));
    assert_non_null(strstr(fixture->err.text, "/nonexistent"));
    assert_true(PARSE(fixture, "run", lesson, "-o", lesson));
    assert_false(headless_run(&fixture->cli, &fixture->err));
    assert_non_null(strstr(fixture->err.text, "not a folder"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_options_stand_anywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_value_may_begin_with_a_dash, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stage_is_a_knob_but_for_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_commands_keep_their_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_command_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_export_without_a_display, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_export_to_nowhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_E9_sizes_at_both_ends, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_are_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers_that_are_not_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_scenes_are_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_manual_is_up_to_date, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_lesson_writes_into_its_folder, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
