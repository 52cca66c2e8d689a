/* Title, lesson and the steps line: the choices of one knob in a row, the one that stands filled
 * with the accent. A line that is longer than its place is moved so that this one is seen; a step
 * that is not all inside shows as an ellipsis. */
#include "app/hud_parts.h"

#include <string.h>

/* As many whole sentences of the lesson as fit into one line. */
static const char *lesson_that_fits(Canvas *canvas, TextStyle style, const char *lesson,
                                    int width) {
    char *text = arena_text(canvas->arena, lesson);
    while (font_width(canvas, style, text) > width) {
        size_t end = strlen(text);
        while (end > 1 && !(text[end - 1] == ' ' && text[end - 2] == '.')) end--;
        if (end <= 1) return lesson;
        text[end - 1] = '\0';
    }
    return text;
}

void hud_title_draw(App *app, Canvas *canvas, Rect title) {
    if (hud_is_empty(title)) return;
    const Theme *theme = canvas->theme;
    Rect name = {title.x, title.y, title.w, canvas_px(canvas, 24)};
    Rect lesson = {title.x, title.y + canvas_px(canvas, 28), title.w, canvas_px(canvas, 19)};
    canvas_fill(canvas, title, theme->bg);
    font_draw_in(canvas, hud_style(FONT_BOLD, FONT_TITLE, theme->ink), name, TEXT_LEFT,
                 app->scene->title);
    if (lesson.y + lesson.h > title.y + title.h) return;
    TextStyle style = hud_style(FONT_UI, FONT_BODY, theme->dim);
    const char *text = lesson_that_fits(canvas, style, app->scene->lesson, lesson.w);
    font_draw_in(canvas, hud_fitting(canvas, style, text, lesson.w), lesson, TEXT_LEFT, text);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* The label has the same width whether it is chosen or not, so that nothing moves when stepping. */
static int chip_width(Canvas *canvas, const char *label) {
    int plain = font_width(canvas, hud_style(FONT_UI, FONT_BODY, 0), label);
    int bold = font_width(canvas, hud_style(FONT_BOLD, FONT_BODY, 0), label);
    return larger(plain, bold) + 2 * canvas_px(canvas, 10);
}

static int gap_width(Canvas *canvas) {
    return canvas_px(canvas, 8);
}

/* The chips of the choices that are walked through. */
typedef struct Chips {
    int count, chosen; /* chosen: the chip that stands */
    int choice[SCENE_STEPS_MAX];
    int x[SCENE_STEPS_MAX + 1]; /* left ends, the end of the last one behind them */
} Chips;

static Chips chips_of(App *app, Canvas *canvas, Rect steps, const Knob *knob) {
    Chips chips = {.chosen = 0};
    int n = chips.count = scene_walk(app->scene, app->state, chips.choice), *x = chips.x;
    for (int i = 0; i < n; i++) {
        int gap = i + 1 < n ? gap_width(canvas) : 0;
        x[i + 1] = x[i] + chip_width(canvas, knob->choices[chips.choice[i]].label) + gap;
        if (chips.choice[i] == knob_choice(knob, app->state)) chips.chosen = i;
    }
    int beyond = larger(x[n] - steps.w, 0);
    int middle = (x[chips.chosen] + x[chips.chosen + 1]) / 2 - steps.w / 2;
    int shift = middle < 0 ? 0 : middle > beyond ? beyond : middle;
    for (int i = 0; i <= n; i++) x[i] += steps.x - shift;
    return chips;
}

static void draw_chip(Canvas *canvas, Rect chip, const char *label, bool on) {
    const Theme *theme = canvas->theme;
    if (on) canvas_round(canvas, chip, canvas_px(canvas, 3), theme->acc);
    TextStyle style = hud_style(on ? FONT_BOLD : FONT_UI, FONT_BODY, on ? theme->bg : theme->dim);
    font_draw_in(canvas, style, chip, TEXT_CENTER, label);
}

void hud_steps_draw(App *app, Canvas *canvas, Rect steps) {
    const Knob *knob = hud_steps_knob(app);
    if (hud_is_empty(steps) || !knob) return;
    Canvas inside = canvas_clipped(canvas, steps);
    canvas_fill(&inside, steps, canvas->theme->bg);
    Chips chips = chips_of(app, &inside, steps, knob);
    const int *x = chips.x;
    TextStyle sign = hud_style(FONT_UI, FONT_BODY, canvas->theme->line2);
    for (int i = 0; i < chips.count; i++) {
        int gap = i + 1 < chips.count ? gap_width(canvas) : 0;
        Rect chip = {x[i], steps.y, x[i + 1] - x[i] - gap, steps.h};
        const char *label = knob->choices[chips.choice[i]].label;
        Rect seen = rect_intersect(chip, steps);
        bool on = i == chips.chosen, whole = seen.w == chip.w || on;
        bool room = seen.w >= canvas_px(canvas, 14);
        if (whole || room) draw_chip(&inside, whole ? chip : seen, whole ? label : "…", on);
        Rect place = {x[i + 1] - gap, steps.y, gap, steps.h};
        bool between = gap && rect_intersect(place, steps).w == gap;
        if (between) font_draw_in(&inside, sign, place, TEXT_CENTER, "›");
    }
}

int hud_steps_at(App *app, Canvas *canvas, Rect steps, int x, int y) {
    const Knob *knob = hud_steps_knob(app);
    if (!knob || !rect_contains(steps, x, y)) return -1;
    Chips chips = chips_of(app, canvas, steps, knob);
    for (int i = 0; i < chips.count; i++)
        if (x >= chips.x[i] && x < chips.x[i + 1]) return chips.choice[i];
    return -1;
}
