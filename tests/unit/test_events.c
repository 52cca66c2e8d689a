/* Events that meet a state nobody thought of. Any events in any order, as a cat on the keyboard
 * makes them: nothing may end the program, and after each the window can be drawn; with the
 * sanitizers this finds what points into a scene that has been left. And the ones that went wrong
 * once, each by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/hud_parts.h"
#include "app/picture.h"
#include "base/rng.h"

enum { EVENTS = 3000, SEED = 1 };

/* Without e and q, that would write a file or end it. */
static const char letters[] = "abcdfghijklmnoprstuvwxyz0123456789 '-=";
static const char *const texts[] = {"a", "+",    "-",        "?",
                                    " ", "word", "\xC3\xA9", "\xF0\x9F\x99\x82"};

static uint32_t some_key(Rng *rng) {
    if (rng_below(rng, 3) == 0) return (uint32_t)letters[rng_below(rng, sizeof letters - 1)];
    return KEY_LEFT + rng_below(rng, KEY_F12 - KEY_LEFT + 1);
}

static Event some_event(Rng *rng, const Canvas *canvas) {
    static const EventKind kinds[] = {
        EVENT_KEY,   EVENT_KEY,     EVENT_KEY,   EVENT_KEY,   EVENT_KEY,    EVENT_KEY,
        EVENT_TEXT,  EVENT_TEXT,    EVENT_MOVE,  EVENT_MOVE,  EVENT_MOVE,   EVENT_PRESS,
        EVENT_PRESS, EVENT_RELEASE, EVENT_WHEEL, EVENT_LEAVE, EVENT_RESIZE, EVENT_EXPOSE};
    Event event = {.kind = kinds[rng_below(rng, sizeof kinds / sizeof *kinds)], .digit = -1};
    event.x = (int)rng_below(rng, (uint32_t)canvas->width + 40) - 20;
    event.y = (int)rng_below(rng, (uint32_t)canvas->height + 40) - 20;
    event.button = 1 + (int)(rng_below(rng, 6) == 0 ? rng_below(rng, 3) : 0);
    event.clicks = 1 + (int)rng_below(rng, 3);
    event.wheel = (int)rng_below(rng, 7) - 3;
    if (rng_below(rng, 3) == 0) event.mods = rng_below(rng, 8);
    if (event.kind == EVENT_KEY) event.key = some_key(rng);
    if (event.kind == EVENT_TEXT)
        snprintf(event.text, sizeof event.text, "%s",
                 texts[rng_below(rng, sizeof texts / sizeof *texts)]);
    return event;
}

/* What has the keyboard is there in the scene that is shown. */
static void check(App *app) {
    bool knob = app->hud.mode == HUD_KNOBS || app->hud.mode == HUD_VALUE;
    if (knob && hud_panel_row(app, hud_knob(app)) < 0)
        fail_msg("%s: a knob is turned that is not there", app->scene->name);
    if (app->hud.mode == HUD_TEXT && !hud_text_knob(app))
        fail_msg("%s: a text is edited that is not there", app->scene->name);
}

static void draw(App *app, Arena *scratch, Canvas *canvas, int width, int height) {
    *canvas = app_canvas(app, scratch, width, height);
    canvas->arena = scratch;
    hud_point(app, canvas, true);
    app_draw(app, canvas);
}

static void open_app(App *app) {
    Err err = {.text = ""};
    if (!app_open(app, "assets", &err)) fail_msg("%s", err.text);
    app->hud.pointer_x = app->hud.pointer_y = -1;
}

static void test_any_events(void **state) {
    (void)state;
    App app;
    open_app(&app);
    Arena arena = arena_open(app_memory_full), scratch = arena;
    Rng rng = rng_seed(SEED);
    Canvas canvas;
    draw(&app, &scratch, &canvas, APP_WIDTH, APP_HEIGHT);
    for (int i = 0; i < EVENTS && !app.quit; i++) {
        Event event = some_event(&rng, &canvas);
        hud_event(&app, &canvas, &event);
        check(&app);
        if (rng_below(&rng, 5)) continue;
        app_step(&app, 0.05);
        scratch = arena;
        draw(&app, &scratch, &canvas, 300 + (int)rng_below(&rng, 1000),
             200 + (int)rng_below(&rng, 600));
    }
    arena_close(&scratch);
    app_close(&app);
}

/* A window may become smaller than what stands around the numbers. */
static void test_every_stage_in_small_windows(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {300, 60}, {60, 300}, {420, 170}};
    App app;
    open_app(&app);
    Arena arena = arena_open(app_memory_full), list = arena_open(app_memory_full), scratch = arena;
    int count;
    const Scene **scenes = scene_list(&list, &count);
    for (int i = 0; i < count; i++) {
        Err err = {.text = ""};
        assert_true(app_do_words(&app, (const char *[]){"scene", scenes[i]->name}, 2, &err));
        for (const SceneStage *stage = scenes[i]->stages; stage->name; stage++) {
            app_do_words(&app, (const char *[]){"set", "stage", stage->name}, 3, &err);
            for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
                scratch = arena;
                Canvas canvas = app_canvas(&app, &scratch, sizes[size][0], sizes[size][1]);
                app_draw_figure(&app, &canvas, canvas.clip);
            }
        }
    }
    arena_close(&scratch);
    arena_close(&list);
    app_close(&app);
}

typedef struct Fixture {
    App app;
    Arena arena;
    Canvas canvas;
} Fixture;

static int set_up(void **state) {
    static Fixture it;
    open_app(&it.app);
    it.arena = arena_open(app_memory_full);
    it.canvas = app_canvas(&it.app, &it.arena, APP_WIDTH, APP_HEIGHT);
    it.canvas.arena = &it.arena;
    *state = &it;
    return 0;
}

static int tear_down(void **state) {
    Fixture *it = *state;
    arena_close(&it->arena);
    app_close(&it->app);
    return 0;
}

static void press(Fixture *it, uint32_t key, unsigned mods) {
    Event event = {.kind = EVENT_KEY, .key = key, .mods = mods, .digit = -1};
    hud_event(&it->app, &it->canvas, &event);
}

static void type(Fixture *it, const char *text) {
    Event event = {.kind = EVENT_TEXT, .digit = -1};
    snprintf(event.text, sizeof event.text, "%s", text);
    hud_event(&it->app, &it->canvas, &event);
}

static void do_line(Fixture *it, const char *line) {
    Err err = {.text = ""};
    if (!app_do(&it->app, line, &err)) fail_msg("%s: %s", line, err.text);
}

static const char *value(Fixture *it, const char *name) {
    return knob_get(knob_find(it->app.scene->knobs, name, NULL), it->app.state, &it->arena);
}

/* The last knob of a scene with many is beyond the end of the next scene's table. */
static void test_a_knob_does_not_outlive_its_scene(void **state) {
    Fixture *it = *state;
    do_line(it, "scene matrix");
    press(it, KEY_TAB, 0);
    press(it, KEY_UP, 0);
    press(it, KEY_PAGE_DOWN, 0);
    assert_string_equal(it->app.scene->name, "sinusoidal");
    check(&it->app);
    assert_int_equal(it->app.hud.mode, HUD_KNOBS);
    press(it, KEY_RIGHT, 0);
    press(it, KEY_ENTER, 0); /* a value is typed, and undo leaves the scene */
    if (it->app.hud.mode != HUD_VALUE) fail_msg("no value is typed");
    for (int i = 0; i < 4 && strcmp(it->app.scene->name, "raw") != 0; i++) press(it, 'z', MOD_CTRL);
    check(&it->app);
    assert_int_equal(it->app.hud.mode, HUD_FIGURE);
}

static void test_undo_to_a_scene_without_text(void **state) {
    Fixture *it = *state;
    do_line(it, "scene cost");
    do_line(it, "scene raw");
    press(it, 't', 0);
    press(it, 'z', MOD_CTRL);
    assert_string_equal(it->app.scene->name, "cost");
    assert_int_equal(it->app.hud.mode, HUD_FIGURE);
}

/* While a scene refuses the text in the line, the reason stays: moving the caret does not take it
 * away. Undo brings back the text of the picture, and leaving says which text stands. */
static void test_why_a_text_is_refused_stays_said(void **state) {
    Fixture *it = *state;
    do_line(it, "set text \"a warm film\"");
    press(it, 't', 0);
    press(it, 'a', MOD_CTRL);
    press(it, KEY_BACKSPACE, 0);
    assert_string_equal(value(it, "text"), "a warm film");
    char why[ERR_TEXT_MAX];
    snprintf(why, sizeof why, "%s", it->app.status);
    assert_true(why[0] && it->app.status_is_error);
    press(it, KEY_HOME, 0);
    assert_string_equal(it->app.status, why);
    press(it, 'z', MOD_CTRL);
    assert_string_equal(it->app.hud.edit.text, "a warm film");
    assert_string_equal(it->app.status, "");
    press(it, 'a', MOD_CTRL);
    press(it, KEY_DELETE, 0);
    press(it, KEY_ESCAPE, 0);
    assert_string_equal(value(it, "text"), "a warm film");
    assert_non_null(strstr(it->app.status, "not taken"));
    press(it, 't', 0);
    type(it, "t");
    type(it, "s");
    assert_string_equal(value(it, "text"), "a warm films");
    assert_string_equal(it->app.status, "");
}

/* Ctrl and + writes a + on many keyboards: it is the size of the type alone, also while a text is
 * edited. */
static void test_what_control_writes_is_not_typed(void **state) {
    Fixture *it = *state;
    Event plus = {.kind = EVENT_TEXT, .mods = MOD_CTRL | MOD_SHIFT, .digit = -1, .text = "+"};
    press(it, '=', MOD_CTRL | MOD_SHIFT);
    hud_event(&it->app, &it->canvas, &plus);
    assert_true(it->app.scale > 1);
    assert_true(scene_view(it->app.scene, it->app.state)->zoom == 1);
    press(it, 't', 0);
    press(it, '=', MOD_CTRL | MOD_SHIFT);
    hud_event(&it->app, &it->canvas, &plus);
    assert_null(strchr(it->app.hud.edit.text, '+'));
}

static void test_three_clicks_take_the_whole_text(void **state) {
    Fixture *it = *state;
    Rect text = hud_layout(&it->app, &it->canvas).text;
    for (int clicks = 1; clicks <= 3; clicks++) {
        Event event = {.kind = EVENT_PRESS, .button = 1, .clicks = clicks, .digit = -1};
        event.x = text.x + 20;
        event.y = text.y + text.h - 8;
        hud_event(&it->app, &it->canvas, &event);
        event.kind = EVENT_RELEASE;
        hud_event(&it->app, &it->canvas, &event);
    }
    assert_int_equal(it->app.hud.edit.anchor, 0);
    assert_int_equal(it->app.hud.edit.caret, strlen(it->app.hud.edit.text));
}

static void test_wheel_with_control_is_the_size_of_type(void **state) {
    Fixture *it = *state;
    Rect figure = hud_layout(&it->app, &it->canvas).figure;
    Event event = {.kind = EVENT_WHEEL, .mods = MOD_CTRL, .wheel = 1, .digit = -1};
    event.x = figure.x + figure.w / 2;
    event.y = figure.y + figure.h / 2;
    hud_event(&it->app, &it->canvas, &event);
    assert_true(it->app.scale > 1);
    assert_true(scene_view(it->app.scene, it->app.state)->zoom == 1);
    event.wheel = -1;
    hud_event(&it->app, &it->canvas, &event);
    assert_true(it->app.scale == 1);
}

/* In a presentation and in a small window the column comes while knobs are turned, and moves so
 * that the chosen one is seen. */
static void test_knobs_are_seen_while_they_are_turned(void **state) {
    Fixture *it = *state;
    do_line(it, "scene matrix");
    Canvas small = app_canvas(&it->app, &it->arena, 640, 480);
    small.arena = &it->arena;
    for (int presentation = 0; presentation < 2; presentation++) {
        it->app.presentation = presentation;
        assert_true(hud_is_empty(hud_layout(&it->app, &small).side));
        press(it, KEY_TAB, 0);
        Rect side = hud_layout(&it->app, &small).side;
        assert_false(hud_is_empty(side));
        press(it, KEY_UP, 0); /* the last of many */
        hud_draw(&it->app, &small);
        int row = hud_panel_row(&it->app, hud_knob(&it->app));
        Rect line = hud_side_slider(&small, side, row, it->app.hud.scroll);
        assert_true(line.y >= side.y && line.y + line.h <= side.y + side.h);
        press(it, KEY_ESCAPE, 0);
        assert_true(hud_is_empty(hud_layout(&it->app, &small).side));
    }
}

static void test_space_goes_on_in_a_lesson(void **state) {
    Fixture *it = *state;
    it->app.watched = true;
    do_line(it, "open samples/lessons/masks.heed"); /* held before it writes anything */
    assert_true(it->app.lesson_held);
    assert_string_equal(value(it, "mask"), "none");
    it->app.folder = "/nowhere"; /* so that its first picture fails, which ends it */
    press(it, ' ', 0);
    assert_string_equal(value(it, "mask"), "causal");
    assert_true(it->app.status_is_error && strstr(it->app.status, "masks.heed:6"));
    assert_false(it->app.playing);
    press(it, ' ', 0);
    assert_true(it->app.playing);
}

static void test_a_text_is_seen_while_it_is_edited(void **state) {
    Fixture *it = *state;
    Canvas small = app_canvas(&it->app, &it->arena, 320, 200);
    assert_true(hud_is_empty(hud_layout(&it->app, &small).text));
    press(it, 't', 0);
    Rect text = hud_layout(&it->app, &small).text;
    assert_true(text.w > 0 && text.h > 0 && text.y + text.h <= small.height);
}

/* On a wall a screen of more pixels is not larger: the same part of it is type. */
static void test_presentation_type_grows_with_the_screen(void **state) {
    Fixture *it = *state;
    it->app.presentation = true;
    it->app.window_width = 3840;
    it->app.window_height = 2400;
    double large = app_canvas_scale(&it->app);
    it->app.window_width = 1280;
    it->app.window_height = 800;
    assert_true(large == 3 * app_canvas_scale(&it->app));
    it->app.scale = 8;
    assert_true(app_canvas_scale(&it->app) <= PICTURE_SCALE_MAX);
}

/* No label is cut at an end of the steps line, however narrow it is. */
static void test_no_step_is_cut(void **state) {
    Fixture *it = *state;
    do_line(it, "scene matrix");
    for (int width = 400; width < 720; width += 3) {
        Arena scratch = it->arena;
        Canvas canvas = app_canvas(&it->app, &it->arena, width, 480);
        canvas.arena = &it->arena;
        Rect steps = hud_layout(&it->app, &canvas).steps;
        assert_false(hud_is_empty(steps));
        hud_steps_draw(&it->app, &canvas, steps);
        const int ends[] = {steps.x, steps.x + steps.w - 1};
        for (int end = 0; end < 2; end++)
            for (int y = steps.y; y < steps.y + steps.h; y++)
                if (canvas.pixels[y * canvas.stride + ends[end]] != it->app.theme->bg)
                    fail_msg("%d wide: something is cut at %d", width, ends[end]);
        it->arena = scratch;
    }
}

#define WITH_APP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_events),
        cmocka_unit_test(test_every_stage_in_small_windows),
        WITH_APP(test_a_knob_does_not_outlive_its_scene),
        WITH_APP(test_undo_to_a_scene_without_text),
        WITH_APP(test_why_a_text_is_refused_stays_said),
        WITH_APP(test_what_control_writes_is_not_typed),
        WITH_APP(test_three_clicks_take_the_whole_text),
        WITH_APP(test_wheel_with_control_is_the_size_of_type),
        WITH_APP(test_knobs_are_seen_while_they_are_turned),
        WITH_APP(test_no_step_is_cut),
        WITH_APP(test_space_goes_on_in_a_lesson),
        WITH_APP(test_a_text_is_seen_while_it_is_edited),
        WITH_APP(test_presentation_type_grows_with_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
