/* The column on the right: first the knobs, then what the cell under the pointer is made of. A pen
 * goes down the column; with nothing chosen it says what the stage shown does. */
#include "app/edit.h"
#include "app/hud_parts.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { TOP = 20, MARGIN = 20, ROW = 24, LABEL = 92, VALUE = 44, LINE = 21, BAR_ROW = 20 };

typedef struct Pen {
    Canvas *canvas;
    int x, y, w;
    int end; /* where the sign for what lies below begins: the first line that would cross it */
} Pen;

static Rect inner(Canvas *canvas, Rect side) {
    int margin = canvas_px(canvas, MARGIN), line = canvas_px(canvas, 1);
    return (Rect){side.x + line + margin, side.y + canvas_px(canvas, TOP),
                  side.w - line - 2 * margin, side.h};
}

static Rect row_rect(Canvas *canvas, Rect side, int row, int scroll) {
    Rect in = inner(canvas, side);
    int h = canvas_px(canvas, ROW);
    return (Rect){in.x, in.y + row * h - scroll, in.w, h};
}

/* Moves the pen over a line, or over a paragraph of lines a pitch apart. */
static void pass(Pen *pen, int height, int pitch) {
    for (int y = pen->y; y < pen->y + height; y += pitch)
        if (y < pen->end && y + pitch > pen->end) pen->end = y;
    pen->y += height;
}

static Rect take_line(Pen *pen, double height) {
    Rect line = {pen->x, pen->y, pen->w, canvas_px(pen->canvas, height)};
    pass(pen, line.h, line.h);
    return line;
}

static void rule(Pen *pen, double margin) {
    pen->y += canvas_px(pen->canvas, margin);
    hud_hairline(pen->canvas, (Rect){pen->x, pen->y, pen->w, 1});
    pen->y += canvas_px(pen->canvas, margin + 1);
}

/* Whether a real knob stands on a word ("none") rather than on a number. */
static bool on_a_word(const Knob *knob, const SceneState *state, Arena *arena) {
    const char *value = knob_get(knob, state, arena);
    for (const KnobWord *word = knob->words; word && word->name; word++)
        if (!strcmp(word->name, value)) return true;
    return false;
}

bool hud_has_slider(const Knob *knob, const SceneState *state, Arena *arena) {
    if (knob->kind != KNOB_INT && knob->kind != KNOB_REAL) return false;
    double low = knob->slider_min, high = knob->slider_max;
    if (low == high) {
        low = knob->min;
        high = knob->max;
    }
    bool aimable = knob->logarithmic || (knob->step > 0 && (high - low) / knob->step <= 1000);
    return aimable && !on_a_word(knob, state, arena);
}

/* The line of the slider; its y and h are those of the row. */
static Rect slider_rect(Canvas *canvas, Rect row) {
    int left = canvas_px(canvas, LABEL), right = canvas_px(canvas, VALUE);
    return (Rect){row.x + left, row.y, row.w - left - right, row.h};
}

Rect hud_side_slider(Canvas *canvas, Rect side, int row, int scroll) {
    return slider_rect(canvas, row_rect(canvas, side, row, scroll));
}

static void draw_slider(App *app, Canvas *canvas, Rect row, const Knob *knob) {
    const Theme *theme = canvas->theme;
    Rect line = slider_rect(canvas, row);
    int thick = canvas_px(canvas, 2), y = row.y + (row.h - thick) / 2;
    double place = knob_place(knob, app->state);
    double filled = place * line.w;
    canvas_fill(canvas, (Rect){line.x, y, line.w, thick}, theme->line2);
    canvas_fill(canvas, (Rect){line.x, y, (int)filled, thick}, theme->acc);
    canvas_disc(canvas, line.x + filled, y + thick / 2.0, canvas_px(canvas, 5), theme->acc);
}

static bool is_number(const Knob *knob) {
    return knob->kind == KNOB_INT || knob->kind == KNOB_REAL;
}

static void draw_value(App *app, Canvas *canvas, Rect row, const Knob *knob, bool focused) {
    const Theme *theme = canvas->theme;
    int left = canvas_px(canvas, LABEL);
    Rect place = {row.x + left, row.y, row.w - left, row.h};
    bool slider = hud_has_slider(knob, app->state, canvas->arena);
    if (focused && app->hud.mode == HUD_VALUE) {
        hud_edit_draw(&app->hud.edit, canvas, place, hud_style(FONT_MONO, FONT_NUMBER, theme->ink));
        int thick = canvas_px(canvas, 1);
        canvas_fill(canvas, (Rect){place.x, row.y + row.h - thick, place.w, thick}, theme->acc);
        return;
    }
    bool mono = is_number(knob) && (slider || !on_a_word(knob, app->state, canvas->arena));
    FontFace face = mono ? FONT_MONO : FONT_UI;
    TextStyle style = hud_style(face, mono ? FONT_NUMBER : FONT_BODY, theme->ink);
    const char *value = knob->kind == KNOB_TEXT ? hud_knob_text(app, knob, canvas->arena)
                                                : knob_show(knob, app->state, canvas->arena);
    if (!*value) {
        value = "none";
        style.color = theme->dim;
    }
    if (slider) {
        draw_slider(app, canvas, row, knob);
        place = (Rect){row.x + row.w - canvas_px(canvas, 38), row.y, canvas_px(canvas, 38), row.h};
    }
    font_draw_in(canvas, style, place, slider ? TEXT_RIGHT : TEXT_LEFT, value);
}

static void draw_knob(App *app, Pen *pen, const Knob *knob, bool focused) {
    Canvas *canvas = pen->canvas;
    const Theme *theme = canvas->theme;
    Rect row = take_line(pen, ROW);
    Rect label = {row.x, row.y, canvas_px(canvas, LABEL - 6), row.h};
    if (focused) {
        int w = canvas_px(canvas, 3), inset = canvas_px(canvas, 4);
        canvas_fill(canvas,
                    (Rect){row.x - canvas_px(canvas, 10), row.y + inset, w, row.h - 2 * inset},
                    theme->acc);
    }
    font_draw_in(
        canvas,
        hud_style(focused ? FONT_BOLD : FONT_UI, FONT_BODY, focused ? theme->acc : theme->dim),
        label, TEXT_LEFT, knob->label);
    draw_value(app, canvas, row, knob, focused);
}

static void draw_knobs(App *app, Pen *pen) {
    bool walking = app->hud.mode == HUD_KNOBS || app->hud.mode == HUD_VALUE;
    const Knob *knob;
    for (int i = 0; (knob = hud_panel_knob(app, i)) != NULL; i++)
        draw_knob(app, pen, knob, walking && knob == hud_knob(app));
    if (!hud_panel_folded(app)) return;
    TextStyle style = hud_style(FONT_UI, FONT_BODY, pen->canvas->theme->dim);
    font_draw_in(pen->canvas, style, take_line(pen, ROW), TEXT_LEFT, "more …");
}

static void draw_title(Pen *pen, const char *title) {
    TextStyle style = hud_style(FONT_BOLD, FONT_TEXT, pen->canvas->theme->ink);
    font_draw_in(pen->canvas, style, take_line(pen, 18), TEXT_LEFT, title);
    pen->y += canvas_px(pen->canvas, 8);
}

static void draw_words(Pen *pen, const char *text, Color color) {
    TextStyle style = hud_style(FONT_UI, FONT_BODY, color);
    Rect place = {pen->x, pen->y, pen->w, canvas_px(pen->canvas, 400)};
    int height = font_paragraph(pen->canvas, style, place, text, true);
    pass(pen, height, font_paragraph(pen->canvas, style, place, "x", false));
}

static void draw_paragraph(Pen *pen, const char *text) {
    draw_words(pen, text, pen->canvas->theme->dim);
}

static void draw_arithmetic(Pen *pen, const struct ProbeLine *line) {
    const Theme *theme = pen->canvas->theme;
    if (line->rule) rule(pen, 6);
    Rect place = take_line(pen, LINE);
    bool lit = line->light != PROBE_PLAIN;
    FontFace face = line->hot ? FONT_MONO_BOLD : FONT_MONO;
    TextStyle style = hud_style(face, FONT_NUMBER, line->hot ? theme->acc : theme->ink);
    TextStyle name = hud_style(lit ? FONT_BOLD : FONT_UI, FONT_NUMBER, theme->dim);
    if (lit) name.color = line->light == PROBE_HOLDS ? theme->good : theme->warn;
    int used = 0;
    if (line->value && *line->value)
        used = font_draw_in(pen->canvas, style, place, TEXT_RIGHT, line->value) +
               canvas_px(pen->canvas, 8);
    place.w -= used;
    font_draw_in(pen->canvas, name, place, TEXT_LEFT, line->name);
}

/* Weights are measured against 1, so that bars of different rows can be compared; larger values
 * against the largest. */
static double bar_unit(const Probe *probe) {
    double unit = 1.0;
    for (int i = 0; i < probe->bar_count; i++)
        if (isfinite(probe->bars[i].value)) unit = fmax(unit, fabs((double)probe->bars[i].value));
    return unit;
}

static void draw_bar(Pen *pen, const struct ProbeBar *bar, double unit) {
    Canvas *canvas = pen->canvas;
    const Theme *theme = canvas->theme;
    Rect row = take_line(pen, BAR_ROW);
    int left = canvas_px(canvas, 78), right = canvas_px(canvas, 62), h = canvas_px(canvas, 8);
    Rect name = {row.x, row.y, canvas_px(canvas, 72), row.h};
    font_draw_in(canvas, hud_style(FONT_UI, FONT_BODY, theme->ink), name, TEXT_LEFT, bar->name);
    double share = isfinite(bar->value) ? fabs((double)bar->value) / unit : 0;
    int w = (int)lround(share * (row.w - left - right));
    if (w > 0)
        canvas_fill(canvas, (Rect){row.x + left, row.y + (row.h - h) / 2, w, h}, theme->barc);
    char number[TEXT_NUMBER_MAX];
    text_panel(number, (double)bar->value, 4);
    font_draw_in(canvas, hud_style(FONT_MONO, FONT_NUMBER, theme->ink), row, TEXT_RIGHT, number);
}

static void draw_bars(Pen *pen, const Probe *probe) {
    if (!probe->bar_count) return;
    rule(pen, 14);
    if (probe->bars_title)
        font_draw_in(pen->canvas, hud_style(FONT_UI, FONT_BODY, pen->canvas->theme->dim),
                     take_line(pen, 19), TEXT_LEFT, probe->bars_title);
    for (int i = 0; i < probe->bar_count; i++) draw_bar(pen, &probe->bars[i], bar_unit(probe));
}

static void draw_probe(Pen *pen, const Probe *probe) {
    if (probe->title) draw_title(pen, probe->title);
    for (int i = 0; i < probe->line_count; i++) draw_arithmetic(pen, &probe->lines[i]);
    draw_bars(pen, probe);
    if (probe->foot_count) rule(pen, 14);
    for (int i = 0; i < probe->foot_count; i++) draw_arithmetic(pen, &probe->foot[i]);
    if (!probe->sentence) return;
    rule(pen, 14);
    draw_paragraph(pen, probe->sentence);
}

/* With no cell to explain: the stage that is shown. */
static void draw_stage(App *app, Pen *pen) {
    int at = scene_stage_index(app->scene, app_stage(app));
    if (at < 0) return;
    draw_title(pen, app->scene->stages[at].label);
    if (app->scene->stages[at].help) draw_paragraph(pen, app->scene->stages[at].help);
    if (!app->scene->probe) return;
    pen->y += canvas_px(pen->canvas, 8);
    draw_paragraph(pen,
                   "Point at a cell, or choose one with the arrow keys, to see what it is made "
                   "of.");
}

/* What the numbers say of themselves. */
static void draw_findings(App *app, Pen *pen) {
    int count = 0;
    const Scene *scene = app->scene;
    const char *const *lines = scene->findings ? scene->findings(app->state, &count) : NULL;
    if (!count) return;
    rule(pen, 14);
    TextStyle dim = hud_style(FONT_UI, FONT_BODY, pen->canvas->theme->dim);
    font_draw_in(pen->canvas, dim, take_line(pen, 19), TEXT_LEFT, "health");
    for (int i = 0; i < count; i++) {
        draw_words(pen, lines[i], pen->canvas->theme->ink);
        pen->y += canvas_px(pen->canvas, 3);
    }
}

/* The place at the bottom where the column says that it goes on below. */
static int more_top(Canvas *canvas, Rect side) {
    return side.y + side.h - canvas_px(canvas, ROW + 4);
}

/* Moves the column so that the row of the chosen knob is inside. */
static void show_knob(App *app, Canvas *canvas, Rect side) {
    Rect row = row_rect(canvas, side, hud_panel_row(app, hud_knob(app)), app->hud.scroll);
    int above = side.y + canvas_px(canvas, TOP) - row.y;
    int below = row.y + row.h - more_top(canvas, side);
    if (below > 0) app->hud.scroll += below;
    if (above > 0) app->hud.scroll -= above;
    app->hud.show_knob = false;
}

/* pen: where the column has come to. */
static void draw_more(Canvas *canvas, Rect side, const Pen *pen) {
    int bottom = side.y + side.h;
    if (pen->y <= bottom) return;
    const Theme *theme = canvas->theme;
    Rect in = inner(canvas, side);
    canvas_fill(canvas, (Rect){in.x, pen->end, in.w, bottom - pen->end}, theme->panel);
    font_draw_in(canvas, hud_style(FONT_UI, FONT_BODY, theme->dim),
                 (Rect){in.x, more_top(canvas, side), in.w, canvas_px(canvas, ROW)}, TEXT_LEFT,
                 "↓ more: turn the wheel here");
}

void hud_side_draw(App *app, Canvas *canvas, Rect side) {
    if (hud_is_empty(side)) return;
    if (app->hud.show_knob && hud_knob(app)) show_knob(app, canvas, side);
    const Theme *theme = canvas->theme;
    Canvas inside = canvas_clipped(canvas, side);
    Rect in = inner(canvas, side);
    canvas_fill(&inside, side, theme->panel);
    int thick = canvas_px(canvas, theme->line_width);
    canvas_fill(&inside, (Rect){side.x, side.y, thick, side.h}, theme->line);
    Pen pen = {&inside, in.x, in.y - app->hud.scroll, in.w, more_top(canvas, side)};
    draw_knobs(app, &pen);
    if (hud_panel_count(app)) rule(&pen, 14);
    Probe probe;
    memset(&probe, 0, sizeof probe);
    Cell cell = hud_cell(app);
    bool explained =
        app->scene->probe && app->scene->probe(app->state, canvas->arena, cell, &probe);
    if (explained)
        draw_probe(&pen, &probe);
    else
        draw_stage(app, &pen);
    draw_findings(app, &pen);
    int beyond = pen.y + app->hud.scroll + canvas_px(canvas, 8) - (side.y + side.h);
    app->hud.scroll_end = beyond > 0 ? beyond : 0;
    if (app->hud.scroll <= app->hud.scroll_end) {
        draw_more(&inside, side, &pen);
        return;
    }
    app->hud.scroll = app->hud.scroll_end; /* what is to be read has become shorter */
    hud_side_draw(app, canvas, side);
}

int hud_side_row_at(App *app, Canvas *canvas, Rect side, int x, int y) {
    if (!rect_contains(side, x, y)) return -1;
    int rows = hud_panel_count(app) + (hud_panel_folded(app) ? 1 : 0);
    for (int row = 0; row < rows; row++)
        if (rect_contains(row_rect(canvas, side, row, app->hud.scroll), x, y)) return row;
    return -1;
}
