/* What surrounds the figure: nothing overlaps at any size and scale, every event becomes the right
 * line, and the palette finds what is meant. The scene is the template, which needs no model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/hud_parts.h"
#include "app/palette.h"

typedef struct Fixture {
    App app;
    Arena arena, scratch;
    Canvas canvas;
} Fixture;

static void resize(Fixture *it, int width, int height) {
    it->scratch = it->arena;
    it->canvas = app_canvas(&it->app, &it->scratch, width, height);
    it->canvas.arena = &it->scratch;
}

static int set_up(void **state) {
    static Fixture it;
    Err err = {.text = ""};
    if (!app_start(&it.app, "assets", &err) || !app_fonts(&it.app, &err) ||
        !app_do(&it.app, "scene blank", &err)) {
        fprintf(stderr, "%s\n", err.text);
        return -1;
    }
    it.arena = it.scratch = arena_open(app_memory_full);
    it.app.hud.pointer_x = it.app.hud.pointer_y = -1;
    resize(&it, APP_WIDTH, APP_HEIGHT);
    *state = &it;
    return 0;
}

static int tear_down(void **state) {
    Fixture *it = *state;
    arena_close(&it->scratch);
    app_close(&it->app);
    return 0;
}

static void press_key(Fixture *it, uint32_t key, unsigned mods) {
    Event event = {.kind = EVENT_KEY, .key = key, .mods = mods, .digit = -1};
    hud_event(&it->app, &it->canvas, &event);
}

static void type_text(Fixture *it, const char *text) {
    Event event = {.kind = EVENT_TEXT, .digit = -1};
    snprintf(event.text, sizeof event.text, "%s", text);
    hud_event(&it->app, &it->canvas, &event);
}

static void point(Fixture *it, EventKind kind, int x, int y) {
    Event event = {.kind = kind, .x = x, .y = y, .button = 1, .clicks = 1, .digit = -1};
    hud_event(&it->app, &it->canvas, &event);
}

static const char *value(Fixture *it, const char *name) {
    const Knob *knob = knob_find(it->app.scene->knobs, name, NULL);
    return knob_get(knob, it->app.state, &it->scratch);
}

static bool apart(Rect a, Rect b) {
    Rect both = rect_intersect(a, b);
    return both.w <= 0 || both.h <= 0;
}

static bool inside(Rect outer, Rect inner) {
    return hud_is_empty(inner) ||
           (inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.w <= outer.x + outer.w &&
            inner.y + inner.h <= outer.y + outer.h);
}

static void check_layout(Fixture *it) {
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    Rect window = {0, 0, it->canvas.width, it->canvas.height};
    Rect outer[] = {layout.rail, layout.main, layout.side, layout.status};
    Rect inner[] = {layout.title, layout.steps, layout.figure, layout.text};
    for (int i = 0; i < 4; i++) {
        assert_true(inside(window, outer[i]));
        assert_true(inside(layout.main, inner[i]));
        for (int j = i + 1; j < 4; j++) {
            assert_true(apart(outer[i], outer[j]));
            assert_true(apart(inner[i], inner[j]));
        }
    }
    assert_true(layout.figure.w > layout.main.w / 2 && layout.figure.h > layout.main.h / 3);
}

static void test_layout_never_overlaps(void **state) {
    Fixture *it = *state;
    const double scales[] = {1, 1.25, 1.5, 2};
    for (int s = 0; s < 4; s++)
        for (int width = 640; width <= 2560; width += 97)
            for (int height = 400; height <= 1440; height += 91)
                for (int presentation = 0; presentation < 2; presentation++) {
                    it->app.scale = scales[s];
                    it->app.presentation = presentation;
                    it->app.window_width = (int)(width / scales[s]);
                    it->app.window_height = (int)(height / scales[s]);
                    it->canvas.scale = app_canvas_scale(&it->app);
                    it->canvas.width = width;
                    it->canvas.height = height;
                    check_layout(it);
                }
}

/* The drawings of the look are 1280 x 800: these are their places. */
static void test_layout_of_the_drawings(void **state) {
    Fixture *it = *state;
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    assert_int_equal(layout.rail.w, 176);
    assert_int_equal(layout.side.w, 292);
    assert_int_equal(layout.status.y, 772);
    assert_int_equal(layout.figure.x, 204);
    assert_int_equal(layout.figure.y, 113);
    assert_int_equal(layout.figure.x + layout.figure.w, 960);
    assert_int_equal(layout.text.y, 721);
}

/* The side of the first scene's matrix in the window, from the geometry that an export notes. */
static int matrix_side(Fixture *it, bool presentation) {
    int x, y, w, h;
    it->app.presentation = presentation;
    resize(it, it->app.window_width, it->app.window_height);
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    Rect own = {0, 0, layout.figure.w, layout.figure.h};
    const char *geometry = it->app.scene->geometry(it->app.state, &it->canvas, own, &it->scratch);
    assert_int_equal(sscanf(strstr(geometry, "matrix"), "matrix %d %d %d %d", &x, &y, &w, &h), 4);
    return h;
}

static void test_presentation_is_not_smaller(void **state) {
    Fixture *it = *state;
    const int sizes[][2] = {{1280, 720}, {1280, 800}, {1366, 768}};
    assert_true(app_do(&it->app, "scene raw", NULL));
    for (int i = 0; i < 3; i++) {
        it->app.window_width = sizes[i][0];
        it->app.window_height = sizes[i][1];
        int usual = matrix_side(it, false);
        int presented = matrix_side(it, true);
        if (presented < usual)
            fail_msg("%d wide: %d pixels, usually %d", sizes[i][0], presented, usual);
        assert_true(app_canvas_scale(&it->app) >= 1.25);
    }
}

/* Nothing of a lesson is lost in the window of the drawings. */
static void test_lessons_fit_their_line(void **state) {
    Fixture *it = *state;
    int count, width = hud_layout(&it->app, &it->canvas).title.w;
    const Scene **scenes = scene_list(&it->scratch, &count);
    for (int i = 0; i < count; i++) {
        int taken = font_width(&it->canvas, hud_style(FONT_UI, FONT_BODY, 0), scenes[i]->lesson);
        if (taken > width)
            fail_msg("the lesson of %s takes %d of %d pixels", scenes[i]->name, taken, width);
    }
}

/* In a scene without motion Space steps on at once, then once a second to the last step. */
static void test_space_plays_the_steps(void **state) {
    Fixture *it = *state;
    assert_true(app_do(&it->app, "scene raw", NULL));
    assert_true(app_do(&it->app, "set stage scaled", NULL));
    press_key(it, ' ', 0);
    assert_string_equal(value(it, "stage"), "masked");
    assert_true(it->app.playing);
    assert_false(app_step(&it->app, 0.6));
    press_key(it, ' ', 0);
    assert_false(app_step(&it->app, 0.6));
    press_key(it, KEY_LEFT, 0);
    press_key(it, ' ', 0);
    assert_string_equal(value(it, "stage"), "masked");
    assert_false(app_step(&it->app, 0.6));
    assert_true(app_step(&it->app, 0.6));
    assert_string_equal(value(it, "stage"), "weights");
    assert_false(app_step(&it->app, 0.6));
    assert_true(app_step(&it->app, 0.6));
    assert_string_equal(value(it, "stage"), "output");
    assert_false(it->app.playing || app_step(&it->app, 2));
    press_key(it, ' ', 0);
    assert_string_equal(value(it, "stage"), "tokens");
}

/* Keys and Space know no step that the numbers do not have. */
static void test_steps_that_are_not_there(void **state) {
    Fixture *it = *state;
    assert_true(app_do(&it->app, "scene matrix --weights \"1 0; .5 .5\"", NULL));
    const uint32_t keys[] = {KEY_LEFT, KEY_RIGHT, 's', ' '};
    for (int i = 0; i < 4; i++) {
        press_key(it, keys[i], 0);
        assert_string_equal(value(it, "stage"), "weights");
        assert_false(it->app.status_is_error && it->app.status[0]);
        assert_false(it->app.playing);
    }
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    Rect steps = layout.steps;
    int first = hud_steps_at(&it->app, &it->canvas, steps, steps.x + 2, steps.y + 2);
    assert_int_equal(first, scene_stage_index(it->app.scene, "weights"));
    assert_int_equal(hud_steps_at(&it->app, &it->canvas, steps, steps.x + steps.w - 1, steps.y + 2),
                     -1);
}

/* The line, its keys and its chips go the way of the data. */
static void test_steps_as_the_data_walks(void **state) {
    Fixture *it = *state;
    assert_true(app_do(&it->app, "scene block --norm-place post --stage projection", NULL));
    static const char *const on[] = {"residual", "norm", "feedforward", "residual2", "output"};
    for (int i = 0; i < 5; i++) {
        press_key(it, i % 2 ? KEY_RIGHT : 's', 0);
        assert_string_equal(value(it, "stage"), on[i]);
    }
    press_key(it, KEY_RIGHT, 0);
    assert_string_equal(value(it, "stage"), "output");
    press_key(it, 's', 0);
    assert_string_equal(value(it, "stage"), "q");
    Rect steps = hud_layout(&it->app, &it->canvas).steps;
    point(it, EVENT_PRESS, steps.x + 2, steps.y + 2);
    assert_string_equal(value(it, "stage"), "q");
}

/* Motion that has an end ends the playing; before that Escape does, and leaves what is chosen. */
static void test_playing_ends_by_itself_and_by_escape(void **state) {
    Fixture *it = *state;
    assert_true(app_do(&it->app, "scene cache --step 6", NULL));
    assert_true(app_do(&it->app, "select 1,0", NULL));
    press_key(it, ' ', 0);
    assert_true(app_step(&it->app, 1));
    assert_string_equal(value(it, "step"), "7");
    assert_true(it->app.playing);
    press_key(it, KEY_ESCAPE, 0);
    assert_false(it->app.playing || app_step(&it->app, 1));
    assert_int_equal(scene_view(it->app.scene, it->app.state)->row, 1);
    press_key(it, ' ', 0);
    assert_true(app_step(&it->app, 1));
    assert_string_equal(value(it, "step"), "8");
    assert_false(it->app.playing);
    press_key(it, ' ', 0);
    assert_true(it->app.playing && app_step(&it->app, 1));
    assert_string_equal(value(it, "step"), "0");
}

static void test_columns_go_in_small_windows(void **state) {
    Fixture *it = *state;
    resize(it, 900, 700);
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    assert_int_equal(layout.rail.w, 0);
    assert_true(layout.side.w > 0);
    resize(it, 640, 400);
    layout = hud_layout(&it->app, &it->canvas);
    assert_int_equal(layout.side.w, 0);
    assert_true(hud_is_empty(layout.title) && hud_is_empty(layout.text));
    assert_true(layout.figure.w >= 600 && layout.figure.h >= 340);
}

static void test_drawing_at_any_size(void **state) {
    Fixture *it = *state;
    const int sizes[][2] = {{1280, 800}, {640, 400}, {320, 200}, {801, 533}, {1, 1}};
    const HudMode modes[] = {HUD_FIGURE, HUD_TEXT, HUD_KNOBS, HUD_HELP, HUD_PALETTE, HUD_VALUE};
    for (int i = 0; i < 5; i++)
        for (int m = 0; m < 6; m++) {
            if (modes[m] == HUD_TEXT) continue; /* the template has no text */
            it->app.hud.mode = modes[m];
            resize(it, sizes[i][0], sizes[i][1]);
            hud_draw(&it->app, &it->canvas);
            hud_draw_around(&it->app, &it->canvas);
        }
}

static void test_keys_become_lines(void **state) {
    Fixture *it = *state;
    press_key(it, 'c', 0);
    assert_string_equal(value(it, "palette"), "ink");
    press_key(it, 'c', MOD_SHIFT);
    assert_string_equal(value(it, "palette"), "auto");
    press_key(it, 'z', MOD_CTRL);
    assert_string_equal(value(it, "palette"), "ink");
    press_key(it, 'y', MOD_CTRL);
    assert_string_equal(value(it, "palette"), "auto");
    press_key(it, KEY_DOWN, 0);
    press_key(it, KEY_RIGHT, MOD_SHIFT);
    const View *view = scene_view(it->app.scene, it->app.state);
    assert_int_equal(view->row, 0);
    assert_int_equal(view->column, 1);
    press_key(it, KEY_ESCAPE, 0);
    assert_int_equal(view->row, -1);
    press_key(it, KEY_F2, 0);
    assert_string_equal(it->app.theme->name, "dark");
    press_key(it, 'q', MOD_CTRL);
    assert_true(it->app.quit);
}

static void test_signs_come_as_text(void **state) {
    Fixture *it = *state;
    const View *view = scene_view(it->app.scene, it->app.state);
    press_key(it, '=', MOD_SHIFT);
    type_text(it, "+");
    assert_true(view->zoom > 1);
    press_key(it, '0', 0);
    type_text(it, "0");
    assert_true(view->zoom == 1);
    press_key(it, '/', MOD_SHIFT);
    type_text(it, "?");
    assert_int_equal(it->app.hud.mode, HUD_HELP);
    press_key(it, KEY_ESCAPE, 0);
    assert_int_equal(it->app.hud.mode, HUD_FIGURE);
}

static void test_errors_stand_until_the_next_key(void **state) {
    Fixture *it = *state;
    press_key(it, 't', 0); /* the template has no text */
    assert_true(it->app.status_is_error && it->app.status[0]);
    press_key(it, KEY_NONE, MOD_SHIFT); /* Shift alone is no key */
    assert_true(it->app.status[0]);
    press_key(it, KEY_LEFT, 0);
    assert_int_equal(it->app.status[0], 0);
}

static void test_knobs_by_keys(void **state) {
    Fixture *it = *state;
    press_key(it, KEY_TAB, 0);
    assert_int_equal(it->app.hud.mode, HUD_KNOBS);
    assert_string_equal(hud_knob(&it->app)->name, "count");
    press_key(it, KEY_RIGHT, 0);
    assert_string_equal(value(it, "count"), "10");
    press_key(it, KEY_ENTER, 0);
    type_text(it, "3");
    press_key(it, KEY_ENTER, 0);
    assert_string_equal(value(it, "count"), "3");
    assert_int_equal(it->app.hud.mode, HUD_KNOBS);
    press_key(it, KEY_ENTER, 0);
    type_text(it, "999");
    press_key(it, KEY_ENTER, 0);
    assert_int_equal(it->app.hud.mode, HUD_VALUE); /* refused: stays, and says so */
    assert_true(it->app.status_is_error);
    assert_string_equal(value(it, "count"), "3");
    press_key(it, KEY_ESCAPE, 0);
    press_key(it, KEY_UP, 0);
    assert_string_not_equal(hud_knob(&it->app)->name, "count");
    press_key(it, KEY_ESCAPE, 0);
    assert_int_equal(it->app.hud.mode, HUD_FIGURE);
}

static void test_slider_and_undo(void **state) {
    Fixture *it = *state;
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    const Knob *knob = knob_find(it->app.scene->knobs, "count", NULL);
    Rect line = hud_side_slider(&it->canvas, layout.side, hud_panel_row(&it->app, knob), 0);
    int y = line.y + line.h / 2;
    point(it, EVENT_PRESS, line.x, y);
    assert_string_equal(value(it, "count"), "1");
    point(it, EVENT_MOVE, line.x + line.w / 2, y);
    point(it, EVENT_MOVE, line.x + 2 * line.w, y);
    assert_string_equal(value(it, "count"), "64");
    point(it, EVENT_LEAVE, 0, 0);
    assert_string_equal(value(it, "count"), "64");
    point(it, EVENT_RELEASE, line.x + line.w, y);
    point(it, EVENT_MOVE, line.x, y);
    assert_string_equal(value(it, "count"), "64");
    hud_do(&it->app, "undo");
    assert_string_not_equal(value(it, "count"), "64");
}

static void test_click_chooses_a_cell(void **state) {
    Fixture *it = *state;
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    int x = layout.figure.x + layout.figure.w / 2, y = layout.figure.y + layout.figure.h / 2;
    Cell cell;
    assert_true(hud_locate(&it->app, &it->canvas, x, y, &cell));
    point(it, EVENT_MOVE, x, y);
    assert_int_equal(it->app.hud.hover.row, cell.row);
    Rect mark = it->app.hud.hover_mark;
    assert_true(rect_contains(mark, x, y));
    Cell beyond = {-1, -1};
    assert_false(hud_locate(&it->app, &it->canvas, mark.x + mark.w, y, &beyond) &&
                 beyond.column == cell.column);
    point(it, EVENT_PRESS, x, y);
    point(it, EVENT_RELEASE, x, y);
    const View *view = scene_view(it->app.scene, it->app.state);
    assert_int_equal(view->row, cell.row);
    assert_int_equal(view->column, cell.column);
    point(it, EVENT_LEAVE, 0, 0);
    assert_int_equal(it->app.hud.hover.row, -1);
}

/* A hover leaves no trace on the picture. */
static void test_hover_mark_is_taken_away(void **state) {
    Fixture *it = *state;
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    hud_draw(&it->app, &it->canvas);
    size_t size = (size_t)it->canvas.stride * (size_t)it->canvas.height * sizeof(uint32_t);
    void *before = arena_bytes(&it->scratch, it->canvas.pixels, size);
    point(it, EVENT_MOVE, layout.figure.x + layout.figure.w / 2,
          layout.figure.y + layout.figure.h / 2);
    hud_draw_around(&it->app, &it->canvas);
    assert_memory_not_equal(before, it->canvas.pixels, size);
    point(it, EVENT_LEAVE, 0, 0);
    hud_draw_around(&it->app, &it->canvas);
    assert_memory_equal(before, it->canvas.pixels, size);
}

static void test_wheel_zooms_under_the_pointer(void **state) {
    Fixture *it = *state;
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    Event event = {.kind = EVENT_WHEEL, .digit = -1, .wheel = 3};
    event.x = layout.figure.x + layout.figure.w - 1;
    event.y = layout.figure.y + layout.figure.h - 1;
    hud_event(&it->app, &it->canvas, &event);
    const View *view = scene_view(it->app.scene, it->app.state);
    assert_true(view->zoom > 1.5 && view->pan_x > 0.95 && view->pan_y > 0.95);
    event.wheel = -9;
    hud_event(&it->app, &it->canvas, &event);
    assert_true(view->zoom == 1);
}

static const char *first_found(Fixture *it, const char *query) {
    int count;
    PaletteItem *items = palette_find(&it->app, query, &it->scratch, &count);
    return items[0].line;
}

static void test_palette_finds(void **state) {
    Fixture *it = *state;
    assert_string_equal(first_found(it, "pool mean"), "set pool mean");
    assert_string_equal(first_found(it, "VIRI"), "set palette viridis");
    assert_string_equal(first_found(it, "theme pr"), "theme print");
    assert_string_equal(first_found(it, "twice"), "export 2");
    assert_string_equal(first_found(it, "set count 12"), "set count 12");
}

static void test_palette_runs(void **state) {
    Fixture *it = *state;
    press_key(it, 'p', MOD_CTRL);
    type_text(it, "viridis");
    press_key(it, KEY_ENTER, 0);
    assert_int_equal(it->app.hud.mode, HUD_FIGURE);
    assert_string_equal(value(it, "palette"), "viridis");
    press_key(it, 'p', MOD_CTRL);
    type_text(it, "numbers ea");
    press_key(it, KEY_ENTER, 0);
    assert_string_equal(it->app.hud.edit.text, "set count ");
    type_text(it, "12");
    press_key(it, KEY_ENTER, 0);
    assert_string_equal(value(it, "count"), "12");
    press_key(it, 'p', MOD_CTRL);
    type_text(it, "set count 1000");
    press_key(it, KEY_ENTER, 0);
    assert_int_equal(it->app.hud.mode, HUD_PALETTE);
    assert_true(it->app.status_is_error);
}

static int set_up_text(void **state) {
    if (set_up(state) != 0) return -1;
    Fixture *it = *state;
    return app_do(&it->app, "scene matrix", NULL) ? 0 : -1;
}

static void test_text_follows_typing(void **state) {
    Fixture *it = *state;
    const char *before = value(it, "scores");
    press_key(it, 't', 0);
    type_text(it, "t"); /* the character of the key that opened the editor */
    assert_int_equal(it->app.hud.mode, HUD_TEXT);
    assert_string_equal(it->app.hud.edit.text, before);
    press_key(it, 'a', MOD_CTRL);
    type_text(it, "5");
    type_text(it, " ");
    type_text(it, "6");
    assert_string_equal(value(it, "scores"), "5 6");
    press_key(it, KEY_LEFT, MOD_SHIFT);
    press_key(it, KEY_BACKSPACE, 0);
    press_key(it, KEY_BACKSPACE, 0);
    assert_string_equal(value(it, "scores"), "5");
    press_key(it, KEY_ESCAPE, 0);
    assert_int_equal(it->app.hud.mode, HUD_FIGURE);
    type_text(it, "0");
    assert_string_equal(value(it, "scores"), "5");
}

/* What the scene refuses stays in the editor and is said; the last good picture stays too. */
static void test_refused_text_stays(void **state) {
    Fixture *it = *state;
    press_key(it, 't', 0);
    press_key(it, 'a', MOD_CTRL);
    type_text(it, "1 2");
    press_key(it, 'x', 0);
    type_text(it, "x");
    assert_string_equal(it->app.hud.edit.text, "1 2x");
    assert_string_equal(value(it, "scores"), "1 2");
    assert_true(it->app.status_is_error && it->app.status[0]);
    hud_draw(&it->app, &it->canvas);
    press_key(it, KEY_BACKSPACE, 0);
    assert_int_equal(it->app.status[0], 0);
    assert_string_equal(value(it, "scores"), "1 2");
}

static void test_undo_while_editing(void **state) {
    Fixture *it = *state;
    press_key(it, 't', 0);
    press_key(it, 'a', MOD_CTRL);
    type_text(it, "1 2");
    press_key(it, 'a', MOD_CTRL);
    type_text(it, "3 4; 5 6");
    press_key(it, 'z', MOD_CTRL);
    assert_int_equal(it->app.hud.mode, HUD_TEXT);
    assert_string_equal(it->app.hud.edit.text, value(it, "scores"));
    assert_string_equal(it->app.hud.edit.text, "1 2");
    press_key(it, 'y', MOD_CTRL);
    assert_string_equal(it->app.hud.edit.text, "3 4; 5 6");
}

/* Clicking into the line puts the caret there; a double click takes the word. */
static void test_text_by_mouse(void **state) {
    Fixture *it = *state;
    app_do(&it->app, "set scores \"11 22; 33 44\"", NULL);
    Rect text = hud_layout(&it->app, &it->canvas).text;
    point(it, EVENT_PRESS, text.x + 1, text.y + text.h - 8);
    assert_int_equal(it->app.hud.mode, HUD_TEXT);
    assert_int_equal(it->app.hud.edit.caret, 0);
    point(it, EVENT_MOVE, text.x + text.w - 1, text.y + text.h - 8);
    point(it, EVENT_RELEASE, text.x + text.w - 1, text.y + text.h - 8);
    assert_int_equal(it->app.hud.edit.caret, strlen("11 22; 33 44"));
    assert_int_equal(it->app.hud.edit.anchor, 0);
    Event twice = {.kind = EVENT_PRESS, .button = 1, .clicks = 2, .digit = -1};
    twice.x = text.x + 2;
    twice.y = text.y + text.h - 8;
    hud_event(&it->app, &it->canvas, &twice);
    assert_int_equal(it->app.hud.edit.anchor, 0);
    assert_int_equal(it->app.hud.edit.caret, 2);
}

/* A line far longer than its place keeps its caret in sight: the pixel column of the caret is
 * drawn inside the line. */
static void test_long_text_keeps_the_caret_in_sight(void **state) {
    Fixture *it = *state;
    press_key(it, 't', 0);
    press_key(it, 'a', MOD_CTRL);
    for (int i = 0; i < 200; i++) type_text(it, "1 ");
    HudLayout layout = hud_layout(&it->app, &it->canvas);
    const uint32_t accent = it->app.theme->acc;
    for (int end = 0; end < 2; end++) {
        press_key(it, end ? KEY_END : KEY_HOME, 0);
        hud_draw(&it->app, &it->canvas);
        int y = layout.text.y + layout.text.h - canvas_px(&it->canvas, 11), found = 0;
        for (int x = layout.text.x; x < layout.text.x + layout.text.w; x++)
            found += it->canvas.pixels[y * it->canvas.stride + x] == accent;
        assert_true(found > 0);
    }
}

/* A sentence too long for its line gets smaller type, as far as it can be read. */
static void test_sentences_get_smaller_before_they_are_cut(void **state) {
    Fixture *it = *state;
    TextStyle style = hud_style(FONT_UI, FONT_TEXT, 0);
    const char *text = "Position 20: pair 0 has made 3.18 turns, pair 24 has made 0.10.";
    int whole = font_width(&it->canvas, style, text);
    assert_true(hud_fitting(&it->canvas, style, text, whole).size == FONT_TEXT);
    TextStyle smaller = hud_fitting(&it->canvas, style, text, whole - 1);
    assert_true(smaller.size < FONT_TEXT);
    assert_true(font_width(&it->canvas, smaller, text) < whole);
    assert_true(hud_fitting(&it->canvas, style, text, 1).size == FONT_SMALL);
}

/* Where the column is too high for the window, its last line is whole and says so. */
static void test_column_says_that_it_goes_on(void **state) {
    Fixture *it = *state;
    int beyond = 0;
    for (int height = 120; height < 400; height += 3) {
        resize(it, APP_WIDTH, height);
        Rect side = hud_layout(&it->app, &it->canvas).side;
        hud_side_draw(&it->app, &it->canvas, side);
        if (it->app.hud.scroll_end <= 8) continue; /* nothing but air is below */
        beyond++;
        for (int y = side.y + side.h - 5; y < side.y + side.h; y++)
            for (int x = side.x + 20; x < side.x + side.w; x++)
                assert_int_equal(it->canvas.pixels[y * it->canvas.stride + x],
                                 it->canvas.theme->panel);
    }
    assert_true(beyond > 10);
}

#define WITH_TEXT(test) cmocka_unit_test_setup_teardown(test, set_up_text, tear_down)
#define WITH_APP(test)  cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_APP(test_sentences_get_smaller_before_they_are_cut),
        WITH_APP(test_column_says_that_it_goes_on),
        WITH_APP(test_layout_never_overlaps),
        WITH_APP(test_layout_of_the_drawings),
        WITH_APP(test_presentation_is_not_smaller),
        WITH_APP(test_lessons_fit_their_line),
        WITH_APP(test_space_plays_the_steps),
        WITH_APP(test_steps_that_are_not_there),
        WITH_APP(test_steps_as_the_data_walks),
        WITH_APP(test_playing_ends_by_itself_and_by_escape),
        WITH_APP(test_columns_go_in_small_windows),
        WITH_APP(test_drawing_at_any_size),
        WITH_APP(test_keys_become_lines),
        WITH_APP(test_signs_come_as_text),
        WITH_APP(test_errors_stand_until_the_next_key),
        WITH_APP(test_knobs_by_keys),
        WITH_APP(test_slider_and_undo),
        WITH_APP(test_click_chooses_a_cell),
        WITH_APP(test_hover_mark_is_taken_away),
        WITH_APP(test_wheel_zooms_under_the_pointer),
        WITH_APP(test_palette_finds),
        WITH_APP(test_palette_runs),
        WITH_TEXT(test_text_follows_typing),
        WITH_TEXT(test_refused_text_stays),
        WITH_TEXT(test_undo_while_editing),
        WITH_TEXT(test_text_by_mouse),
        WITH_TEXT(test_long_text_keeps_the_caret_in_sight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
