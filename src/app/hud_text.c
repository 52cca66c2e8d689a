/* The line under the figure: the text, with caret and selection while it is edited and the chosen
 * word underlined; or, in a scene without text, a sentence. A line longer than its place is moved
 * so that the caret, or the chosen word, is seen. */
#include "app/edit.h"
#include "app/hud_parts.h"

#include "base/utf8.h"

#include <string.h>

typedef struct Span {
    size_t from, to; /* bytes; equal: nothing */
} Span;

static int width_to(Canvas *canvas, TextStyle style, const char *text, size_t offset) {
    return font_width(canvas, style, arena_bytes(canvas->arena, text, offset));
}

/* How far the line is moved to the left so that the byte at focus is seen. */
static int scroll_of(Canvas *canvas, TextStyle style, const char *text, size_t focus, int width) {
    int whole = font_width(canvas, style, text) + canvas_px(canvas, 4);
    if (whole <= width) return 0;
    int shift = width_to(canvas, style, text, focus) - width * 3 / 4;
    return shift < 0 ? 0 : shift > whole - width ? whole - width : shift;
}

/* Where the token of a row stands in the text: tokens are found one after the other; a token that
 * is not found (another order, an end mark) leaves nothing underlined. */
static Span find_token(const char *text, const TableAxis *axis, int row) {
    size_t at = 0;
    Span span = {0, 0};
    for (int i = 0; i <= row && i < axis->count; i++) {
        const char *token = axis->labels[i].full;
        const char *found = token && *token ? strstr(text + at, token) : NULL;
        if (!found) return (Span){0, 0};
        span.from = (size_t)(found - text);
        span.to = at = span.from + strlen(token);
    }
    return span;
}

static Span chosen_word(App *app, const char *text) {
    Cell cell = hud_cell(app);
    const Table *table = app_table(app);
    if (!table || cell.row < 0 || cell.row >= table->rows.count) return (Span){0, 0};
    const char *knob = hud_text_knob(app)->name; /* the text whose tokens the rows are */
    if (strcmp(knob, "text") != 0 && strcmp(knob, table->rows.name) != 0) return (Span){0, 0};
    return find_token(text, &table->rows, cell.row);
}

static Rect line_of(Canvas *canvas, Rect text) {
    int h = canvas_px(canvas, 22);
    return (Rect){text.x, text.y + text.h - h, text.w, h};
}

static TextStyle text_style(const Canvas *canvas) {
    return hud_style(FONT_UI, FONT_TEXT, canvas->theme->ink);
}

/* Signs that the line goes on beyond its place. */
static void draw_more(Canvas *canvas, Rect line, bool before, bool after) {
    TextStyle style = hud_style(FONT_UI, FONT_TEXT, canvas->theme->dim);
    int w = canvas_px(canvas, 18);
    Rect left = {line.x, line.y, w, line.h}, right = {line.x + line.w - w, line.y, w, line.h};
    if (before) {
        canvas_fill(canvas, left, canvas->theme->bg);
        font_draw_in(canvas, style, left, TEXT_LEFT, "…");
    }
    if (after) {
        canvas_fill(canvas, right, canvas->theme->bg);
        font_draw_in(canvas, style, right, TEXT_RIGHT, "…");
    }
}

static void draw_line(Canvas *canvas, Rect line, const char *text, size_t focus, Span word) {
    TextStyle style = text_style(canvas);
    Canvas inside = canvas_clipped(canvas, line);
    int shift = scroll_of(canvas, style, text, focus, line.w);
    int whole = font_width(canvas, style, text);
    font_draw_in(&inside, style, (Rect){line.x - shift, line.y, whole, line.h}, TEXT_LEFT, text);
    if (word.from != word.to) {
        int from = width_to(canvas, style, text, word.from);
        int to = width_to(canvas, style, text, word.to);
        int thick = canvas_px(canvas, 2);
        Rect under = {line.x - shift + from, line.y + line.h - thick, to - from, thick};
        canvas_fill(&inside, under, canvas->theme->acc);
    }
    draw_more(&inside, line, shift > 0, whole - shift > line.w);
}

void hud_edit_draw(const HudEdit *edit, Canvas *canvas, Rect place, TextStyle style) {
    Canvas inside = canvas_clipped(canvas, place);
    const Theme *theme = canvas->theme;
    int shift = scroll_of(canvas, style, edit->text, edit->caret, place.w);
    int x = place.x - shift, h = font_height(canvas, style);
    int top = place.y + (place.h - h) / 2;
    size_t from, to;
    edit_selection(edit, &from, &to);
    int left = width_to(canvas, style, edit->text, from);
    int right = width_to(canvas, style, edit->text, to);
    canvas_fill(&inside, (Rect){x + left, top, right - left, h},
                color_mix(theme->bg, theme->acc, 0.25));
    Rect whole = {x, place.y, font_width(canvas, style, edit->text), place.h};
    font_draw_in(&inside, style, whole, TEXT_LEFT, edit->text);
    int caret = edit->caret == from ? left : right;
    canvas_fill(&inside, (Rect){x + caret, top, canvas_px(canvas, 1.5), h}, theme->acc);
}

/* What the last step did stands in place of the text, until the text is edited. */
static bool draw_sentence(App *app, Canvas *canvas, Rect line) {
    const Scene *scene = app->scene;
    const char *sentence = scene->sentence ? scene->sentence(app->state, canvas->arena) : NULL;
    if (!sentence) return false;
    TextStyle style = hud_fitting(canvas, text_style(canvas), sentence, line.w);
    font_draw_in(canvas, style, line, TEXT_LEFT, sentence);
    return true;
}

void hud_text_draw(App *app, Canvas *canvas, Rect text) {
    if (hud_is_empty(text)) return;
    canvas_fill(canvas, text, canvas->theme->bg);
    hud_hairline(canvas, text);
    Rect line = line_of(canvas, text);
    const Knob *knob = hud_text_knob(app);
    if (knob && app->hud.mode == HUD_TEXT) {
        hud_edit_draw(&app->hud.edit, canvas, line, text_style(canvas));
    } else if (!draw_sentence(app, canvas, line) && knob) {
        const char *value = hud_knob_text(app, knob, canvas->arena);
        Span word = chosen_word(app, value);
        draw_line(canvas, line, value, word.from, word);
    }
}

size_t hud_text_offset(App *app, Canvas *canvas, Rect text, int x) {
    const HudEdit *edit = &app->hud.edit;
    TextStyle style = text_style(canvas);
    Rect line = line_of(canvas, text);
    int shift = scroll_of(canvas, style, edit->text, edit->caret, line.w);
    return (size_t)font_offset_at(canvas, style, edit->text, x - line.x + shift);
}
