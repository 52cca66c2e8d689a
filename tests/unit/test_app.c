/* The app as a whole, without a window: lines change it, a line that fails leaves it as it was. */
#include "app/app.h"
#include "app/command.h"
#include "app/lesson.h"
#include "app/picture.h"
#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"
#include "draw/png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct Fixture {
    App app;
    Arena arena;
    char folder[64];
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = malloc(sizeof *fixture);
    Err err = {0};
    if (!fixture) return -1;
    strcpy(fixture->folder, "/tmp/heed-test-XXXXXX");
    if (!mkdtemp(fixture->folder)) return -1;
    fixture->arena = arena_open(app_memory_full);
    if (!app_start(&fixture->app, NULL, &err) || !app_fonts(&fixture->app, &err) ||
        !app_do(&fixture->app, "scene matrix --scores \"1 2 3; 4 5 6; 7 8 9\"", &err)) {
        print_error("%s\n", err.text);
        return -1;
    }
    *state = fixture;
    return 0;
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    char command[128];
    app_close(&fixture->app);
    arena_close(&fixture->arena);
    snprintf(command, sizeof command, "rm -r '%s'", fixture->folder);
    int code = system(command);
    free(fixture);
    return code;
}

static void good(App *app, const char *line) {
    Err err = {0};
    if (!app_do(app, line, &err)) fail_msg("%s: %s", line, err.text);
}

static void bad(App *app, const char *line, const char *part) {
    Err err = {0};
    if (app_do(app, line, &err)) fail_msg("%s: no error", line);
    if (!strstr(err.text, part)) fail_msg("%s: \"%s\" does not say \"%s\"", line, err.text, part);
    assert_null(strchr(err.text, '\n'));
}

static const char *in_folder(Fixture *fixture, const char *name) {
    return file_join(&fixture->arena, fixture->folder, name);
}

static const char *value_of(Fixture *fixture, const char *name) {
    const Knob *knob = knob_find(fixture->app.scene->knobs, name, NULL);
    return knob_get(knob, fixture->app.state, &fixture->arena);
}

static const char *line_of(Fixture *fixture) {
    return scene_line(fixture->app.scene, fixture->app.state, &fixture->arena);
}

static const View *view_of(App *app) {
    return scene_view(app->scene, app->state);
}

static FileBytes bytes_of(Fixture *fixture, const char *path) {
    FileBytes file = {NULL, 0};
    Err err = {0};
    if (!file_read(path, 1 << 24, &fixture->arena, &file, &err)) fail_msg("%s", err.text);
    return file;
}

static void check_same_file(Fixture *fixture, const char *a, const char *b) {
    FileBytes one = bytes_of(fixture, a), other = bytes_of(fixture, b);
    assert_int_equal(one.length, other.length);
    assert_memory_equal(one.bytes, other.bytes, one.length);
}

static void test_lines_change_knobs(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "set temperature 2");
    assert_non_null(strstr(line_of(fixture), "--temperature 2"));
    float cold = table_value(app_table(app), 0, 2);
    good(app, "set temperature 0.5");
    assert_true(table_value(app_table(app), 0, 2) > cold);
    good(app, "next stage");
    assert_string_equal(app_stage(app), "output");
    good(app, "");
    good(app, "reset");
    assert_string_equal(line_of(fixture), "matrix");
}

static void test_an_error_changes_nothing(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "set temperature 2");
    good(app, "select 1,2");
    good(app, "theme dark");
    const char *line = line_of(fixture);
    const Table *table = app_table(app);
    float value = table_value(table, 1, 2);
    int steps = app->history.count;
    static const struct {
        const char *line, *says;
    } lines[] = {
        {"scnee raw", "scene"},
        {"scene matirx", "matrix"},
        {"scene matrix --temprature 1", "temperature"},
        {"scene matrix --temperature hot", "temperature"},
        {"scene matrix --temperature", "needs a value"},
        {"scene matrix loose", "loose"},
        {"scene matrix --scores \"1 2; 3\"", "2"},
        {"set temperature", "value"},
        {"set temperature -1", "temperature"},
        {"set scores \"1 2; x\"", "x"},
        {"set scores \"\"", ""},
        {"set stage wights", "weights"},
        {"set query-labels \"a b\"", "3"},
        {"next scores", "set scores"},
        {"select 3,0", "0 to 2"},
        {"select 0,3", "0 to 2"},
        {"select -1,0", "QUERY,KEY"},
        {"select 1", "QUERY,KEY"},
        {"row left", "up or down"},
        {"zoom far", "zoom"},
        {"pan 1", "shares"},
        {"theme dork", "dark"},
        {"scale 99", "0.5 to 8"},
        {"scale nan", "number"},
        {"png /nonexistent/folder/a.png", "/nonexistent"},
        {"png a.png --size 10", "size"},
        {"png a.png --sise 10x10", "--size"},
        {"png a.png b.png", "b.png"},
        {"csv /nonexistent/folder/a.csv", "/nonexistent"},
        {"open /nonexistent/a.png", "/nonexistent"},
        {"open /nonexistent/a.heed", "/nonexistent"},
        {"undo now", "now"},
        {"full-screen", "window"},
        {"set text \"a", "quote"},
        {"redo", "redo"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        bad(app, lines[i].line, lines[i].says);
        assert_string_equal(line_of(fixture), line);
        assert_true(view_of(app)->row == 1 && view_of(app)->column == 2);
        assert_string_equal(app->theme->name, "dark");
        assert_int_equal(app->history.count, steps);
        assert_true(app->scale == 1 && view_of(app)->zoom == 1);
        assert_ptr_equal(app_table(app), table);
        assert_true(table_value(table, 1, 2) == value);
    }
    assert_false(file_exists("a.png"));
}

static void test_undo_and_redo(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    const char *first = line_of(fixture);
    bad(app, "undo", "nothing to undo");
    good(app, "set temperature 2");
    good(app, "set palette magma");
    good(app, "select 2,2");
    const char *last = line_of(fixture);
    good(app, "scene matrix");
    assert_int_equal(view_of(app)->row, -1);
    good(app, "select 2,2");
    good(app, "undo");
    assert_string_equal(line_of(fixture), last);
    good(app, "undo");
    good(app, "undo");
    assert_string_equal(line_of(fixture), first);
    bad(app, "undo", "nothing to undo");
    good(app, "redo");
    good(app, "redo");
    assert_string_equal(line_of(fixture), last);
    assert_int_equal(view_of(app)->row, 2);
    good(app, "undo");
    good(app, "set temperature 3");
    bad(app, "redo", "nothing to redo");
}

static void test_the_oldest_steps_are_forgotten(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    char line[64];
    for (int i = 1; i <= APP_UNDO_MAX + 50; i++) {
        snprintf(line, sizeof line, "set temperature %d", i);
        good(app, line);
    }
    Err err = {0};
    int back = 0;
    while (app_do(app, "undo", &err)) back++;
    assert_int_equal(back, APP_UNDO_MAX - 1);
    assert_non_null(strstr(line_of(fixture), "--temperature 51"));
}

static void test_typing_a_word_is_one_step(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "set query-labels \"a b c\"");
    int steps = app->history.count;
    good(app, "set query-labels \"a b ca\"");
    good(app, "set query-labels \"a b caf\"");
    good(app, "set query-labels \"a b cafè\"");
    good(app, "set query-labels \"a b café\"");
    assert_int_equal(app->history.count, steps + 1);
    good(app, "undo");
    assert_non_null(strstr(line_of(fixture), "cafè"));
    good(app, "undo");
    assert_null(strstr(line_of(fixture), "a b c\""));
}

static void test_dragging_is_one_step(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "set temperature 1.5");
    int steps = app->history.count;
    app->history.merge = true;
    good(app, "set temperature 2");
    good(app, "set temperature 3");
    good(app, "set skip-key 1");
    app->history.merge = false;
    assert_int_equal(app->history.count, steps + 1);
}

static void test_the_chosen_cell_moves_around(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "row down");
    assert_true(view_of(app)->row == 0 && view_of(app)->column == 0);
    good(app, "row up");
    assert_int_equal(view_of(app)->row, 2);
    good(app, "cell right");
    good(app, "cell right");
    good(app, "cell right");
    assert_int_equal(view_of(app)->column, 0);
    good(app, "cell left");
    assert_true(view_of(app)->row == 2 && view_of(app)->column == 2);
    good(app, "set scores \"1 2; 3 4\"");
    assert_int_equal(view_of(app)->row, -1);
    good(app, "select 1,1");
    good(app, "select none");
    assert_int_equal(view_of(app)->row, -1);
}

static void test_zoom_stays_in_its_range(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    for (int i = 0; i < 100; i++) good(app, "zoom in");
    assert_true(view_of(app)->zoom == 64);
    good(app, "pan 9 -9");
    assert_true(view_of(app)->pan_x == 1 && view_of(app)->pan_y == 0);
    good(app, "zoom 0");
    assert_true(view_of(app)->zoom == 1 && view_of(app)->pan_x == 0);
}

/* Lines of words that mean something, in an order that means nothing: whatever comes, an error
 * changes nothing and every state can be drawn at any size. */
static void test_any_lines(void **state) {
    static const char *const words[] = {
        "scene",     "set",     "next",        "prev",         "reset",       "undo",
        "redo",      "select",  "row",         "cell",         "zoom",        "pan",
        "theme",     "scale",   "play",        "presentation", "matrix",      "blank",
        "stage",     "weights", "scores",      "in",           "out",         "up",
        "down",      "left",    "1,1",         "0,0",          "9,9",         "0.5",
        "-1",        "0",       "1e30",        "nan",          "\"\"",        "on",
        "off",       "palette", "temperature", "range",        "log",         "skip",
        "pool",      "values",  "skip-key",    "--scores",     "\"1 2\"",     "--weights",
        "\"1;2;3\"", "none",    "#",           "\"-inf\"",     "query-labels"};
    enum { COMMANDS = 16, WORDS = sizeof words / sizeof words[0] };
    Fixture *fixture = *state;
    App *app = &fixture->app;
    Rng rng = rng_seed(7);
    int done = 0;
    for (int i = 0; i < 3000; i++) {
        Arena mark = fixture->arena;
        Text line = text_open(&fixture->arena);
        text_add(&line, words[rng_below(&rng, COMMANDS)]);
        for (uint32_t n = rng_below(&rng, 4); n > 0; n--)
            text_addf(&line, " %s", words[rng_below(&rng, WORDS)]);
        const char *before = line_of(fixture);
        Err err = {0};
        if (app_do(app, line.bytes, &err))
            done++;
        else if (strcmp(before, line_of(fixture)) != 0)
            fail_msg("%s: failed, and changed the state", line.bytes);
        if (i % 10 == 0) {
            int width = 1 + (int)rng_below(&rng, 300), height = 1 + (int)rng_below(&rng, 300);
            Canvas canvas = app_canvas(app, &fixture->arena, width, height);
            app_draw_figure(app, &canvas, (Rect){0, 0, width, height});
        }
        fixture->arena = mark;
    }
    assert_in_range(done, 150, 3000);
}

static void test_every_command_has_a_name_and_help(void **state) {
    (void)state;
    int count;
    const Command *commands = command_list(&count);
    assert_true(count > 20);
    for (int i = 0; i < count; i++) {
        Err err = {0};
        assert_true(*commands[i].name && *commands[i].help && commands[i].arguments);
        assert_ptr_equal(command_find(commands[i].name, &err), &commands[i]);
    }
}

/* The figure on the screen and the picture of that size are the same pixels, wherever it stands. */
static void test_figure_is_the_same_anywhere(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "scene matrix --scores \"1 2 3; -inf -inf -inf; 7 nan 9\"");
    good(app, "select 2,2");
    for (int theme = 0; theme < THEME_COUNT; theme++) {
        good(app, "theme next");
        Canvas alone = app_canvas(app, &fixture->arena, 463, 391);
        app_draw_figure(app, &alone, (Rect){0, 0, 463, 391});
        Canvas window = app_canvas(app, &fixture->arena, 700, 600);
        app_draw_figure(app, &window, (Rect){131, 77, 463, 391});
        for (int y = 0; y < 391; y++)
            assert_memory_equal(alone.pixels + (size_t)y * 463,
                                window.pixels + (size_t)(y + 77) * 700 + 131, 463 * 4);
    }
}

/* What the window shows of the figure is what the export of that size holds. */
static void test_frame_holds_the_figure(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    good(app, "select 2,1");
    Canvas window = app_canvas(app, &fixture->arena, 1280, 800);
    app_draw(app, &window);
    Rect rect = hud_layout(app, &window).figure;
    assert_true(rect.w > 400 && rect.h > 300);
    assert_true(app->figure_width == rect.w && app->figure_height == rect.h);
    Canvas figure = app_canvas(app, &fixture->arena, rect.w, rect.h);
    app_draw_figure(app, &figure, (Rect){0, 0, rect.w, rect.h});
    for (int y = 0; y < rect.h; y++)
        assert_memory_equal(figure.pixels + (size_t)y * (size_t)rect.w,
                            window.pixels + (size_t)(rect.y + y) * 1280 + rect.x,
                            (size_t)rect.w * sizeof *figure.pixels);
}

static void test_E16_pictures_are_the_same_every_time(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    app->folder = fixture->folder;
    good(app, "png a.png --size 600x500 --scale 1.5");
    good(app, "scene blank");
    good(app, "undo");
    good(app, "png b.png --size 600x500 --scale 1.5");
    check_same_file(fixture, in_folder(fixture, "a.png"), in_folder(fixture, "b.png"));
    assert_true(app->scale == 1);
}

static void test_files_are_not_overwritten_unasked(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    app->folder = fixture->folder;
    good(app, "png");
    good(app, "png");
    assert_true(file_exists(in_folder(fixture, "matrix.png")));
    assert_true(file_exists(in_folder(fixture, "matrix-2.png")));
    bad(app, "png matrix.png", "--force");
    bad(app, "csv matrix.png", "--force");
    good(app, "png matrix.png --force");
    good(app, "csv numbers.csv");
    FileBytes csv = bytes_of(fixture, in_folder(fixture, "numbers.csv"));
    assert_non_null(strstr((const char *)csv.bytes, "query"));
    bad(app, "png ../outside.png", "outside");
    bad(app, "png sub/../../outside.png", "outside");
    bad(app, "png /tmp/outside.png", "outside");
}

static void write_text(const char *path, const char *text) {
    Err err = {0};
    if (!file_write(path, text, strlen(text), &err)) fail_msg("%s", err.text);
}

static void test_a_lesson_is_played_line_by_line(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    const char *path = in_folder(fixture, "a.heed");
    app->folder = fixture->folder;
    write_text(path, "# a lesson\r\n\r\nscene matrix --temperature 2\r\n  # more\nselect 1,1\n"
                     "png a.png\nset temprature 3\npng b.png\n");
    char line[256];
    snprintf(line, sizeof line, "open %s", path);
    bad(app, line, "a.heed:7: unknown knob");
    assert_true(file_exists(in_folder(fixture, "a.png")));
    assert_false(file_exists(in_folder(fixture, "b.png")));
    assert_int_equal(view_of(app)->row, 1);
    write_text(path, arena_printf(&fixture->arena, "open %s\n", path));
    bad(app, line, "deep");
    assert_int_equal(app->lesson_depth, 0);
    write_text(path, "scene \xff\n");
    bad(app, line, "UTF-8");
}

/* Where a person looks on, `wait` holds a lesson, also one that another has opened; else it is
 * passed over. */
static void test_a_lesson_waits_for_an_onlooker(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    Err err = {0};
    const char *inner = in_folder(fixture, "in.heed"), *outer = in_folder(fixture, "out.heed");
    const char *line = arena_printf(&fixture->arena, "open %s", outer);
    write_text(inner, "scene matrix\nwait \"look here\"\nset temperature 2\n");
    write_text(outer, arena_printf(&fixture->arena, "open %s\nwait\nset temperature 3\n", inner));
    good(app, line);
    assert_string_equal(value_of(fixture, "temperature"), "3");
    app->watched = true;
    bad(app, "wait", "only a lesson");
    good(app, line);
    assert_true(app->lesson_held && strstr(app->status, "look here"));
    assert_string_equal(value_of(fixture, "temperature"), "1");
    assert_true(lesson_go_on(app, &err));
    assert_string_equal(value_of(fixture, "temperature"), "2");
    good(app, line); /* opening a lesson ends the one that is held */
    assert_int_equal(app->lesson_depth, 2);
    assert_true(lesson_go_on(app, &err) && lesson_go_on(app, &err));
    assert_string_equal(value_of(fixture, "temperature"), "3");
    assert_false(app->lesson_held);
    assert_int_equal(app->lesson_depth, 0);
    assert_non_null(strstr(app->status, "at its end"));
}

static void test_the_sample_lesson_plays(void **state) {
    Fixture *fixture = *state;
    fixture->app.folder = fixture->folder;
    good(&fixture->app, "open samples/lessons/masks.heed");
    assert_true(file_exists(in_folder(fixture, "lesson-weights.png")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_change_knobs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_an_error_changes_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_undo_and_redo, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_oldest_steps_are_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_typing_a_word_is_one_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dragging_is_one_step, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_chosen_cell_moves_around, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_zoom_stays_in_its_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_any_lines, set_up, tear_down),
        cmocka_unit_test(test_every_command_has_a_name_and_help),
        cmocka_unit_test_setup_teardown(test_figure_is_the_same_anywhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_frame_holds_the_figure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_E16_pictures_are_the_same_every_time, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_files_are_not_overwritten_unasked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_lesson_is_played_line_by_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_lesson_waits_for_an_onlooker, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_sample_lesson_plays, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
