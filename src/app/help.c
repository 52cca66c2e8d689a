/* The sheet of all keys, made from the key table, the mouse and the scene's own letters; groups
 * flow down as many columns as the window is wide, at the largest line height that fits. In a small
 * window it is one long column that scrolls. */
#include "app/hud_parts.h"
#include "app/keymap.h"

#include <string.h>

enum { LINES_MAX = 128, COLUMN = 360, KEYS = 136, KEYS_GAP = 12, COLUMN_GAP = 24 };

typedef struct HelpLine {
    const char *keys; /* NULL: a heading */
    const char *words;
    bool folded; /* takes two rows, set when the width of a column is known */
} HelpLine;

typedef struct Sheet {
    Arena *arena;
    HelpLine lines[LINES_MAX];
    int count;
} Sheet;

static const HelpLine mouse[] = {
    {"point", "what a cell is made of", false},
    {"click", "a cell, step, scene or knob", false},
    {"drag", "a slider; the figure when zoomed in", false},
    {"click, drag", "paint cells, where a mask is shown", false},
    {"wheel", "zoom; over a knob: turn it", false},
    {"Ctrl+wheel", "larger and smaller type", false},
    {"drop", "a PNG of heed, a lesson, numbers, a text", false},
};

static void add(Sheet *sheet, const char *keys, const char *words) {
    if (sheet->count < LINES_MAX) sheet->lines[sheet->count++] = (HelpLine){keys, words, false};
}

/* Neighbours with the same words become one line: "Ctrl+Z Ctrl+Y", "1 … 9", "Shift+← → ↑ ↓". */
static const KeyRow *add_rows(Sheet *sheet, const KeyRow *row) {
    const KeyRow *first = row;
    const char *keys = keymap_name(row->key, row->mods, sheet->arena);
    int many = 0;
    for (const KeyRow *next = first; next->help && !strcmp(next->help, first->help); next++) many++;
    bool range = first->key >= '1' && first->key <= '9';
    for (int i = 1; i < many; i++) {
        row = first + i;
        unsigned mods = row->mods & ~(first->mods & (unsigned)MOD_SHIFT);
        const char *name = keymap_name(row->key, mods, sheet->arena);
        if (!range) keys = arena_printf(sheet->arena, "%s  %s", keys, name);
        if (range && i == many - 1) keys = arena_printf(sheet->arena, "%s … %s", keys, name);
    }
    add(sheet, keys, first->help);
    return first + many;
}

static void add_scene(Sheet *sheet, const Scene *scene) {
    add(sheet, NULL, scene->title);
    if (scene->enter) add(sheet, "Enter", knob_find(scene->knobs, scene->enter, NULL)->help);
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        if (!knob->key) continue;
        const char *name = keymap_name((uint32_t)(knob->key | 0x20), 0, sheet->arena);
        add(sheet, arena_printf(sheet->arena, "%s  Shift+%s", name, name),
            arena_printf(sheet->arena, "%s", knob->help));
    }
}

static void collect(App *app, Sheet *sheet) {
    const char *group = "";
    for (const KeyRow *row = keymap_rows(); row->help;) {
        if (keymap_paints(row) && !app->scene->paint) {
            row++;
            continue;
        }
        if (strcmp(group, row->group) != 0) add(sheet, NULL, row->group);
        group = row->group;
        row = add_rows(sheet, row);
    }
    add_scene(sheet, app->scene);
    add(sheet, NULL, "Mouse");
    for (size_t i = 0; i < sizeof mouse / sizeof *mouse; i++)
        add(sheet, mouse[i].keys, mouse[i].words);
}

/* Lines of a group from its heading on, and the rows that they take. */
static int group_length(const Sheet *sheet, int at, int *rows) {
    int end = at + 1;
    for (*rows = 1; end < sheet->count && sheet->lines[end].keys; end++)
        *rows += 1 + sheet->lines[end].folded;
    return end - at;
}

static Rect words_place(Canvas *canvas, Rect row, const HelpLine *line, TextStyle keys) {
    int w = canvas_px(canvas, KEYS), used = font_width(canvas, keys, line->keys);
    int left = (used > w ? used : w) + canvas_px(canvas, KEYS_GAP);
    return (Rect){row.x + left, row.y, row.w - left, row.h};
}

/* What does not fit into a column so wide in small type takes two rows. */
static void fold(Canvas *canvas, Sheet *sheet, int width) {
    TextStyle keys = hud_style(FONT_BOLD, FONT_BODY - 1, 0),
              words = hud_style(FONT_UI, FONT_SMALL, 0);
    for (int i = 0; i < sheet->count; i++) {
        HelpLine *line = &sheet->lines[i];
        if (!line->keys) continue;
        Rect place = words_place(canvas, (Rect){0, 0, width, 1}, line, keys);
        line->folded = font_width(canvas, words, line->words) > place.w;
    }
}

/* The column of each line when a column holds `most` lines and groups stay whole; returns the
 * columns used. A heading that is not on top has an empty line above it. */
static int flow(const Sheet *sheet, int most, int *columns, int *places) {
    int column = 0, y = 0;
    for (int at = 0; at < sheet->count;) {
        int rows, length = group_length(sheet, at, &rows);
        if (y > 0 && y + 1 + rows > most) {
            column++;
            y = 0;
        }
        if (y > 0) y++;
        for (int i = 0; i < length; i++, at++) {
            columns[at] = column;
            places[at] = y;
            y += 1 + sheet->lines[at].folded;
        }
    }
    return column + 1;
}

static void draw_line(Canvas *canvas, Rect row, const HelpLine *line) {
    const Theme *theme = canvas->theme;
    double size = row.h < canvas_px(canvas, 18) ? FONT_SMALL : FONT_BODY;
    if (!line->keys) {
        font_draw_in(canvas, hud_style(FONT_BOLD, size, theme->acc), row, TEXT_LEFT, line->words);
        return;
    }
    TextStyle keys = hud_style(FONT_BOLD, size - 1, theme->ink);
    font_draw_in(canvas, keys, row, TEXT_LEFT, line->keys);
    Rect words = words_place(canvas, row, line, keys);
    TextStyle style = hud_style(FONT_UI, size, theme->dim);
    if (font_width(canvas, style, line->words) > words.w) style.size = FONT_SMALL;
    if (line->folded) {
        words.y += (row.h - font_height(canvas, style)) / 2;
        words.h = 2 * row.h;
        font_paragraph(canvas, style, words, line->words, true);
    } else {
        font_draw_in(canvas, style, words, TEXT_LEFT, line->words);
    }
}

/* Line height in pixels and the columns used; in a small window all lines in one column. */
static int choose_line(Canvas *canvas, Rect body, Sheet *sheet, int *columns, int *places,
                       int *used) {
    int fit = body.w / canvas_px(canvas, COLUMN), gap = canvas_px(canvas, COLUMN_GAP);
    fold(canvas, sheet, fit > 1 ? (body.w - (fit - 1) * gap) / fit : body.w);
    for (int line = 24; line >= 15; line--) {
        int height = canvas_px(canvas, line);
        *used = flow(sheet, body.h / height, columns, places);
        if (*used <= fit) return height;
    }
    fold(canvas, sheet, body.w);
    *used = flow(sheet, LINES_MAX * 3, columns, places);
    return canvas_px(canvas, 22);
}

/* Draws the lines and returns how far they can be scrolled, in pixels. */
static int draw_lines(Canvas *canvas, Rect body, Sheet *sheet, int scroll) {
    int columns[LINES_MAX], places[LINES_MAX], used, end = 0;
    int h = choose_line(canvas, body, sheet, columns, places, &used);
    int gap = canvas_px(canvas, COLUMN_GAP), w = (body.w - (used - 1) * gap) / used;
    for (int i = 0; i < sheet->count; i++) {
        Rect row = {body.x + columns[i] * (w + gap), body.y + places[i] * h - scroll, w, h};
        draw_line(canvas, row, &sheet->lines[i]);
        int bottom = (places[i] + 1 + sheet->lines[i].folded) * h;
        if (bottom > end) end = bottom;
    }
    return end > body.h ? end - body.h : 0;
}

void help_draw(App *app, Canvas *canvas, Rect window) {
    Sheet sheet = {.arena = canvas->arena, .count = 0};
    collect(app, &sheet);
    canvas_fill(canvas, window, canvas->theme->panel);
    int margin = canvas_px(canvas, window.w / canvas->scale < 900 ? 20 : 40);
    Rect in = rect_inset(window, margin, margin);
    Rect title = {in.x, in.y - canvas_px(canvas, 8), in.w, canvas_px(canvas, 24)};
    TextStyle style = hud_style(FONT_BOLD, FONT_TITLE, canvas->theme->ink);
    font_draw_in(canvas, style, title, TEXT_LEFT, "Keys");
    int top = title.y + title.h + canvas_px(canvas, 16), room = in.y + in.h - top;
    Rect body = {in.x, top, in.w, room > 0 ? room : 0};
    Canvas inside = canvas_clipped(canvas, body);
    app->hud.help_end = draw_lines(&inside, body, &sheet, app->hud.help_scroll);
}
