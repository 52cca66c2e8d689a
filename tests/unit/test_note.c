/* The note of a PNG brings its state back; a note from a stranger cannot do more than that. */
#include "app/app.h"
#include "app/note.h"
#include "base/file.h"
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
    const char *png;
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = malloc(sizeof *fixture);
    Err err = {0};
    if (!fixture) return -1;
    strcpy(fixture->folder, "/tmp/heed-test-XXXXXX");
    if (!mkdtemp(fixture->folder)) return -1;
    fixture->arena = arena_open(app_memory_full);
    fixture->png = file_join(&fixture->arena, fixture->folder, "a.png");
    *state = fixture;
    if (app_start(&fixture->app, NULL, &err) && app_fonts(&fixture->app, &err) &&
        app_do(&fixture->app, "scene matrix", &err))
        return 0;
    print_error("%s\n", err.text);
    return -1;
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
    if (app_do(app, line, &err)) fail_msg("%s was done", line);
    assert_non_null(strstr(err.text, part));
}

static const char *line_of(Fixture *fixture) {
    return scene_line(fixture->app.scene, fixture->app.state, &fixture->arena);
}

static void write_png(Fixture *fixture, const char *note) {
    Err err = {0};
    Canvas canvas = app_canvas(&fixture->app, &fixture->arena, 20, 20);
    Rect all = {0, 0, 20, 20};
    if (!png_write(fixture->png, &canvas, all, note, &fixture->arena, &err))
        fail_msg("%s", err.text);
}

static void check_refused(Fixture *fixture, const char *part) {
    Err err = {0};
    const char *before = line_of(fixture);
    if (note_open(&fixture->app, fixture->png, &err)) fail_msg("no error; wanted: %s", part);
    if (!strstr(err.text, part)) fail_msg("\"%s\" does not say \"%s\"", err.text, part);
    assert_non_null(strstr(err.text, "a.png"));
    assert_string_equal(line_of(fixture), before);
    assert_string_equal(fixture->app.theme->name, "light");
}

static void check_note_refused(Fixture *fixture, const char *note, const char *part) {
    write_png(fixture, note);
    check_refused(fixture, part);
}

static void test_a_picture_brings_its_state_back(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    app->folder = fixture->folder;
    app->overwrite = true;
    good(app,
         "scene matrix --scores \"1 2 3; 4 5 6\" --query-labels \"two words\" --temperature 0.7");
    good(app, "select 1,2");
    good(app, "zoom 2 0.25 0.75");
    good(app, "theme dark");
    const char *line = line_of(fixture);
    good(app, "png a.png --scale 2 --size 500x400");
    const char *note;
    Err err = {0};
    assert_true(png_read_note(fixture->png, &fixture->arena, &note, &err));
    assert_int_equal(strncmp(note, "heed " HEED_VERSION "\nscene matrix ", 19), 0);
    const char *const lines[] = {"\nselect 1,2\n", "\nzoom 2 0.25 0.75\n", "\ntheme dark\n",
                                 "\nscale 2\n",    "\nsize 500x400\n",     "\nmatrix "};
    for (int i = 0; i < 6; i++) assert_non_null(strstr(note, lines[i]));
    good(app, "scene blank");
    good(app, "theme light");
    assert_true(note_open(app, fixture->png, &err));
    assert_string_equal(line_of(fixture), line);
    assert_string_equal(app->theme->name, "dark");
    const View *view = scene_view(app->scene, app->state);
    assert_true(view->row == 1 && view->column == 2);
    assert_true(view->zoom == 2 && view->pan_x == 0.25 && view->pan_y == 0.75);
    assert_true(app->scale == 1);
}

static void test_what_was_chosen_before_goes(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    Err err = {0};
    good(app, "select 1,1");
    good(app, "zoom 3");
    write_png(fixture, "heed 0.1.0\nscene matrix\ntheme light\n");
    assert_true(note_open(app, fixture->png, &err));
    assert_int_equal(scene_view(app->scene, app->state)->row, -1);
    assert_true(scene_view(app->scene, app->state)->zoom == 1);
}

static void test_strange_notes_are_refused(void **state) {
    Fixture *fixture = *state;
    check_note_refused(fixture, NULL, "");
    check_note_refused(fixture, "", "");
    check_note_refused(fixture, "scene matrix\n", "version");
    check_note_refused(fixture, "heed 99.0.0\nscene matrix\n", "newer");
    check_note_refused(fixture, "heed 0.1.0\nselect 1,1\n", "no scene");
    check_note_refused(fixture, "heed 0.1.0\nscene nosuch\n", "unknown scene");
    check_note_refused(fixture, "heed 0.1.0\nscene matrix --scores 1;x\n", "x");
    check_note_refused(fixture, "heed 0.1.0\nscene matrix --scores \"1\n", "quote");
    check_note_refused(fixture, "heed 0.1.0\nscene matrix\nselect 50,50\n", "no cell");
    check_note_refused(fixture, "heed 0.1.0\nscene matrix\ntheme pink\n", "theme");
    Err err = {0};
    assert_true(file_write(fixture->png, "not a picture", 13, &err));
    check_refused(fixture, "");
}

/* Only scene, select, zoom and theme are done. */
static void test_a_note_cannot_write_files(void **state) {
    Fixture *fixture = *state;
    const char *target = file_join(&fixture->arena, fixture->folder, "stolen.png");
    Err err = {0};
    write_png(fixture, arena_printf(&fixture->arena,
                                    "heed 0.1.0\nscene matrix --temperature 3\npng %s --force\n"
                                    "quit\nopen /dev/zero\ncsv %s\n",
                                    target, target));
    assert_true(note_open(&fixture->app, fixture->png, &err));
    assert_non_null(strstr(line_of(fixture), "--temperature 3"));
    assert_false(file_exists(target));
    assert_false(fixture->app.quit);
}

static void test_a_changed_file_is_refused(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    Err err = {0};
    app->overwrite = true;
    const char *x = file_join(&fixture->arena, fixture->folder, "x.csv");
    assert_true(file_write(x, "1 2\n3 4\n", 8, &err));
    good(app,
         arena_printf(&fixture->arena, "scene exercise --wq \"\" --wk \"\" --heads 1 --x @%s", x));
    good(app, arena_printf(&fixture->arena, "png %s", fixture->png));
    const char *line = line_of(fixture);
    good(app, "scene blank");
    assert_true(note_open(app, fixture->png, &err));
    assert_string_equal(line_of(fixture), line);
    good(app, "scene blank");
    assert_true(file_write(x, "1 2\n3 5\n", 8, &err));
    check_refused(fixture, "has changed");
    assert_int_equal(unlink(x), 0);
    check_refused(fixture, "x.csv");
    check_note_refused(fixture, "heed 0.1.0\nscene matrix --query-labels @/etc/hostname\n",
                       "/etc/hostname");
}

/* One tensor of a file is still the file; one of more than 64 kB does not come along. */
static void test_a_tensor_of_a_changed_file_is_refused(void **state) {
    enum { HEADER = 0x48, BYTES = 200 * 400 };
    Fixture *fixture = *state;
    App *app = &fixture->app;
    Err err = {0};
    static const char header[] =
        "{\"a\":{\"dtype\":\"U8\",\"shape\":[200,400],\"data_offsets\":[0,80000]}}";
    char *file = ARENA_ARRAY(&fixture->arena, char, 8 + HEADER + BYTES);
    file[0] = HEADER;
    memset(file + 8, ' ', HEADER);
    memcpy(file + 8, header, sizeof header - 1);
    app->overwrite = true;
    const char *path = file_join(&fixture->arena, fixture->folder, "a.safetensors");
    assert_true(file_write(path, file, 8 + HEADER + BYTES, &err));
    good(app, arena_printf(&fixture->arena, "scene matrix --weights @%s#a", path));
    good(app, arena_printf(&fixture->arena, "png %s", fixture->png));
    good(app, "scene blank");
    assert_true(note_open(app, fixture->png, &err));
    good(app, "scene blank");
    file[8 + HEADER] = 7;
    assert_true(file_write(path, file, 8 + HEADER + BYTES, &err));
    check_refused(fixture, "has changed");
    assert_int_equal(unlink(path), 0);
}

static FileBytes bytes_of(Fixture *fixture, const char *path) {
    FileBytes file = {0};
    Err err = {0};
    if (!file_read(path, SIZE_MAX, &fixture->arena, &file, &err)) fail_msg("%s", err.text);
    return file;
}

/* A picture of numbers from small files holds them: it is the same wherever it is opened. */
static void test_small_files_come_along(void **state) {
    Fixture *fixture = *state;
    App *app = &fixture->app;
    Err err = {0};
    app->overwrite = true;
    const char *scores = file_join(&fixture->arena, fixture->folder, "s.csv");
    const char *labels = file_join(&fixture->arena, fixture->folder, "labels");
    const char *again = file_join(&fixture->arena, fixture->folder, "again.png");
    assert_true(file_write(scores, "1,2\n3,-inf\n", 11, &err));
    assert_true(file_write(labels, "a\nb b\n", 6, &err));
    good(app, arena_printf(&fixture->arena, "scene matrix --scores @%s --key-labels @%s", scores,
                           labels));
    good(app, arena_printf(&fixture->arena, "png %s", fixture->png));
    FileBytes made = bytes_of(fixture, fixture->png);
    for (int i = 0; i < 2; i++) { /* another file in its place, then none */
        if (i == 0) assert_true(file_write(scores, "5,6\n7,8\n", 8, &err));
        if (i == 1) assert_int_equal(unlink(scores) + unlink(labels), 0);
        good(app, "scene blank");
        good(app, arena_printf(&fixture->arena, "open %s", fixture->png));
        good(app, "set temperature 2 temperature 1");
        good(app, arena_printf(&fixture->arena, "png %s", again));
        FileBytes twice = bytes_of(fixture, again);
        assert_int_equal(twice.length, made.length);
        assert_memory_equal(twice.bytes, made.bytes, made.length);
    }
    /* What was brought along goes with what showed it. */
    good(app, "scene matrix");
    bad(app, arena_printf(&fixture->arena, "set scores @%s", scores), "s.csv");
}

/* The line of data must be what the hash says. */
static void test_data_of_a_stranger_is_refused(void **state) {
    check_note_refused(*state,
                       "heed 0.1.0\nscene matrix --scores @none\nfile 3 0123456789abcdef none\n"
                       "data MSAy\n",
                       "none");
    check_note_refused(*state, "heed 0.1.0\nscene matrix --scores @none\ndata MSAy\n", "none");
    check_note_refused(*state,
                       "heed 0.1.0\nscene matrix --scores @none\nfile 3 0123456789abcdef none\n"
                       "data M*A\n",
                       "none");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_picture_brings_its_state_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_was_chosen_before_goes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_strange_notes_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_note_cannot_write_files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_changed_file_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_tensor_of_a_changed_file_is_refused, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_small_files_come_along, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_data_of_a_stranger_is_refused, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
