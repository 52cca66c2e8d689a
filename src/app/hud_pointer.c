/* The pointer: what is under it when it is pressed decides what dragging and letting go mean. */
#include "app/edit.h"
#include "app/hud_parts.h"
#include "app/palette.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sliders ---- */

/* The value at a place of the slider, found on a copy of the state: the state itself only changes
 * by command lines. */
static void slide(App *app, Canvas *canvas, int x) {
    const Knob *knob = hud_knob(app);
    HudLayout layout = hud_layout(app, canvas);
    int row = knob ? hud_panel_row(app, knob) : -1;
    if (row < 0 || hud_is_empty(layout.side)) return;
    Arena mark = app->scratch;
    Rect line = hud_side_slider(canvas, layout.side, row, app->hud.scroll);
    double place = line.w > 0 ? fmin(fmax((x - line.x) / (double)line.w, 0), 1) : 0;
    SceneState *copy = (SceneState *)arena_bytes(&app->scratch, app->state, app->scene->state_size);
    knob_put(knob, copy, place);
    const char *words[] = {"set", knob->name, knob_get(knob, copy, &app->scratch)};
    hud_do_words(app, words, 3);
    app->history.merge = true;
    app->scratch = mark;
}

static void press_knob(App *app, Canvas *canvas, int row, const Event *event) {
    const Knob *knob = hud_panel_knob(app, row);
    if (!knob) {
        hud_do(app, "knobs");
        return;
    }
    Arena scratch = app->scratch;
    Rect line = hud_side_slider(canvas, hud_layout(app, canvas).side, row, app->hud.scroll);
    int reach = canvas_px(canvas, 8);
    bool on_line = event->x >= line.x - reach && event->x < line.x + line.w + reach;
    hud_take_knob(app, knob);
    if (hud_has_slider(knob, app->state, &scratch) && on_line) {
        app->hud.drag = HUD_DRAG_SLIDER;
        slide(app, canvas, event->x);
    } else if (event->button == 3 && (knob->kind == KNOB_CHOICE || knob->kind == KNOB_SWITCH)) {
        const char *words[] = {"prev", knob->name};
        hud_do_words(app, words, 2);
    } else {
        hud_start_value(app, knob);
    }
}

/* ---- the text line ---- */

static void press_text(App *app, Canvas *canvas, Rect text, const Event *event) {
    if (app->hud.mode != HUD_TEXT && !hud_do(app, "edit")) return;
    size_t at = hud_text_offset(app, canvas, text, event->x);
    if (event->clicks > 2)
        edit_select_all(&app->hud.edit);
    else if (event->clicks == 2)
        edit_select_word(&app->hud.edit, at);
    else
        edit_place(&app->hud.edit, at, event->mods & MOD_SHIFT);
    app->hud.drag = event->clicks >= 2 ? HUD_DRAG_NONE : HUD_DRAG_TEXT;
    app->hud.dirty = true;
}

/* ---- the figure ---- */

/* One cell; all cells of one drag are one step of undo. */
static bool paint_cell(App *app, Cell cell, int want) {
    Arena mark = app->scratch;
    const char *line = app->scene->paint(app->state, cell, want, &app->scratch);
    bool ok = line && hud_do(app, line);
    app->scratch = mark;
    app->history.merge = ok;
    app->hud.painted = cell;
    return ok;
}

/* The first cell changes sides, and all others of the drag follow it. */
static bool press_paint(App *app, Canvas *canvas, const Event *event) {
    Cell cell;
    bool zoomed = scene_view(app->scene, app->state)->zoom > 1;
    bool paints = app->scene->paint && event->button == 1 && (!zoomed || event->mods & MOD_SHIFT);
    if (!paints || !hud_locate(app, canvas, event->x, event->y, &cell)) return false;
    Arena scratch = app->scratch;
    const char *over = app->scene->paint(app->state, cell, -1, &scratch);
    const char *on = app->scene->paint(app->state, cell, 1, &scratch);
    if (!over) return false;
    app->hud.paint_want = strcmp(over, on) == 0;
    if (!paint_cell(app, cell, app->hud.paint_want)) return false;
    app->hud.drag = HUD_DRAG_PAINT;
    return true;
}

/* Every cell on the way from the last place: a fast hand leaves none out. */
static void drag_paint(App *app, Canvas *canvas, const Event *event) {
    enum { STEPS = 16 };
    int x = app->hud.pan_x, y = app->hud.pan_y;
    for (int i = 1; i <= STEPS; i++) {
        Cell cell;
        if (!hud_locate(app, canvas, x + (event->x - x) * i / STEPS, y + (event->y - y) * i / STEPS,
                        &cell))
            continue;
        bool same = cell.row == app->hud.painted.row && cell.column == app->hud.painted.column;
        if (!same) paint_cell(app, cell, app->hud.paint_want);
    }
    app->hud.pan_x = event->x;
    app->hud.pan_y = event->y;
}

static void press_figure(App *app, Canvas *canvas, const Event *event) {
    app->hud.drag_x = app->hud.pan_x = event->x;
    app->hud.drag_y = app->hud.pan_y = event->y;
    if (!press_paint(app, canvas, event)) app->hud.drag = HUD_DRAG_FIGURE;
}

static void do_numbers(App *app, const char *verb, const double *numbers, int count) {
    char digits[3][TEXT_NUMBER_MAX];
    const char *words[4] = {verb};
    for (int i = 0; i < count; i++) {
        text_float(digits[i], (float)numbers[i]);
        words[i + 1] = digits[i];
    }
    hud_do_words(app, words, count + 1);
}

static void drag_figure(App *app, Canvas *canvas, const Event *event) {
    const View *view = scene_view(app->scene, app->state);
    Rect figure = hud_layout(app, canvas).figure;
    if (view->zoom <= 1 || hud_is_empty(figure)) return;
    double hidden = view->zoom - 1; /* in widths of the figure */
    double by[2] = {-(event->x - app->hud.pan_x) / (figure.w * hidden),
                    -(event->y - app->hud.pan_y) / (figure.h * hidden)};
    do_numbers(app, "pan", by, 2);
    app->hud.pan_x = event->x;
    app->hud.pan_y = event->y;
}

static double clamped(double value) {
    return fmin(fmax(value, 0), 1);
}

/* Zooms so that what is under the pointer stays there. */
static void wheel_figure(App *app, Rect figure, const Event *event) {
    const View *view = scene_view(app->scene, app->state);
    double old = view->zoom, zoom = fmax(old * pow(1.25, event->wheel), 1);
    double at[2] = {(event->x - figure.x) / (double)figure.w,
                    (event->y - figure.y) / (double)figure.h};
    double pan[2] = {view->pan_x, view->pan_y}, numbers[3] = {zoom, 0, 0};
    for (int i = 0; i < 2 && zoom > 1; i++) {
        double under = pan[i] * (1 - 1 / old) + at[i] / old;
        numbers[i + 1] = clamped((under - at[i] / zoom) / (1 - 1 / zoom));
    }
    do_numbers(app, "zoom", numbers, 3);
}

/* Of a figure of several maps the one under the pointer, too, becomes the chosen one. */
static void choose_cell(App *app, Cell cell) {
    const Scene *scene = app->scene;
    Arena mark = app->scratch;
    const char *line = scene->choose ? scene->choose(app->state, cell, &app->scratch) : NULL;
    if (scene->part) scene->part(app->state, &cell);
    if (!line || hud_do(app, line))
        hud_do(app, arena_printf(&app->scratch, "select %d,%d", cell.row, cell.column));
    app->scratch = mark;
}

/* A click that did not drag chooses the cell under it, or nothing. */
static void release_figure(App *app, Canvas *canvas, const Event *event) {
    int slack = canvas_px(canvas, 4);
    if (abs(event->x - app->hud.drag_x) > slack || abs(event->y - app->hud.drag_y) > slack) return;
    Cell cell;
    if (hud_locate(app, canvas, event->x, event->y, &cell))
        choose_cell(app, cell);
    else
        hud_do(app, "select none");
}

/* ---- events ---- */

static void press_window(App *app, Canvas *canvas, const Event *event) {
    HudLayout layout = hud_layout(app, canvas);
    int x = event->x, y = event->y;
    bool in_text = rect_contains(layout.text, x, y) && hud_text_knob(app);
    const Scene *scene = hud_rail_at(app, canvas, layout.rail, x, y);
    int step = hud_steps_at(app, canvas, layout.steps, x, y);
    int row = hud_side_row_at(app, canvas, layout.side, x, y);
    bool stays = (in_text && app->hud.mode == HUD_TEXT) || (row >= 0 && app->hud.mode == HUD_KNOBS);
    if (app->hud.mode != HUD_FIGURE && !stays) hud_mode(app, HUD_FIGURE);
    if (scene && scene != app->scene) {
        const char *words[] = {"scene", scene->name};
        hud_do_words(app, words, 2);
    } else if (step >= 0) {
        const Knob *knob = hud_steps_knob(app);
        const char *words[] = {"set", knob->name, knob->choices[step].name};
        hud_do_words(app, words, 3);
    } else if (row >= 0) {
        press_knob(app, canvas, row, event);
    } else if (in_text) {
        press_text(app, canvas, layout.text, event);
    } else if (rect_contains(layout.figure, x, y)) {
        press_figure(app, canvas, event);
    }
}

static void press(App *app, Canvas *canvas, const Event *event) {
    Rect window = {0, 0, canvas->width, hud_layout(app, canvas).status.y};
    if (app->hud.mode == HUD_HELP) {
        hud_do(app, "leave");
    } else if (app->hud.mode == HUD_PALETTE) {
        int item = palette_at(app, canvas, window, event->x, event->y);
        if (item == -2) hud_do(app, "leave");
        if (item < 0) return;
        app->hud.choice = item;
        palette_run(app);
    } else {
        press_window(app, canvas, event);
    }
}

static void move(App *app, Canvas *canvas, const Event *event) {
    switch (app->hud.drag) {
    case HUD_DRAG_SLIDER:
        slide(app, canvas, event->x);
        break;
    case HUD_DRAG_FIGURE:
        drag_figure(app, canvas, event);
        break;
    case HUD_DRAG_PAINT:
        drag_paint(app, canvas, event);
        break;
    case HUD_DRAG_TEXT:
        edit_place(&app->hud.edit,
                   hud_text_offset(app, canvas, hud_layout(app, canvas).text, event->x), true);
        app->hud.dirty = true;
        break;
    default:
        hud_point(app, canvas, false);
        break;
    }
}

static void release(App *app, Canvas *canvas, const Event *event) {
    int drag = app->hud.drag;
    app->hud.drag = HUD_DRAG_NONE;
    app->history.merge = false;
    if (drag == HUD_DRAG_FIGURE || drag == HUD_DRAG_PAINT) release_figure(app, canvas, event);
}

static void wheel(App *app, Canvas *canvas, const Event *event) {
    HudLayout layout = hud_layout(app, canvas);
    int row = hud_side_row_at(app, canvas, layout.side, event->x, event->y);
    const Knob *knob = row >= 0 ? hud_panel_knob(app, row) : NULL;
    if (event->mods & MOD_CTRL) {
        if (event->wheel) hud_do(app, event->wheel > 0 ? "type larger" : "type smaller");
    } else if (app->hud.mode == HUD_HELP) {
        hud_scroll_help(app, -event->wheel * canvas_px(canvas, 44));
    } else if (app->hud.mode == HUD_PALETTE) {
        return;
    } else if (knob && knob->kind != KNOB_TEXT && knob->kind != KNOB_FILE) {
        const char *words[] = {event->wheel > 0 ? "next" : "prev", knob->name};
        hud_do_words(app, words, 2);
    } else if (rect_contains(layout.side, event->x, event->y)) {
        int to = app->hud.scroll - event->wheel * canvas_px(canvas, 48);
        app->hud.scroll = to < 0 ? 0 : to > app->hud.scroll_end ? app->hud.scroll_end : to;
        app->hud.dirty = true;
    } else if (rect_contains(layout.figure, event->x, event->y)) {
        wheel_figure(app, layout.figure, event);
    }
}

void hud_pointer(App *app, Canvas *canvas, const Event *event) {
    bool left = event->kind == EVENT_LEAVE;
    if (left && app->hud.drag != HUD_DRAG_NONE) return; /* the hand still holds what it took */
    app->hud.pointer_x = left ? -1 : event->x;
    app->hud.pointer_y = left ? -1 : event->y;
    if (event->kind == EVENT_PRESS && app->status[0]) {
        app->status[0] = '\0';
        app->hud.dirty = true;
    }
    switch (event->kind) {
    case EVENT_PRESS:
        press(app, canvas, event);
        break;
    case EVENT_RELEASE:
        release(app, canvas, event);
        break;
    case EVENT_WHEEL:
        wheel(app, canvas, event);
        break;
    default:
        move(app, canvas, event);
        break;
    }
}
