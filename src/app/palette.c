/* The list is made anew from the tables each time it is asked for: a few hundred short strings. */
#include "app/palette.h"

#include "app/command.h"
#include "app/edit.h"
#include "app/hud_parts.h"
#include "app/keymap.h"

#include <stdlib.h>
#include <string.h>

enum { ITEMS_MAX = 1024, WIDTH = 640, ROW = 26, HEAD = 44, ROWS_MAX = 14 };

typedef struct List {
    Arena *arena;
    PaletteItem *items;
    int count;
} List;

static void add(List *list, const char *line, const char *label, const char *keys) {
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].line, line)) return;
    if (list->count < ITEMS_MAX) list->items[list->count++] = (PaletteItem){line, label, keys};
}

static void add_keys(List *list) {
    for (const KeyRow *row = keymap_rows(); row->help; row++)
        add(list, row->line, row->help, keymap_name(row->key, row->mods, list->arena));
}

static void add_scenes(List *list) {
    int count;
    const Scene **scenes = scene_list(list->arena, &count);
    for (int i = 0; i < count; i++)
        if (!scenes[i]->hidden)
            add(list, arena_printf(list->arena, "scene %s", scenes[i]->name), scenes[i]->title, "");
}

static void add_set(List *list, const Knob *knob, const char *value, const char *label) {
    const char *line = arena_printf(list->arena, "set %s %s", knob->name, value);
    add(list, line, arena_printf(list->arena, "%s: %s", knob->label, label), "");
}

static void add_knobs(List *list, const Scene *scene) {
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        for (const KnobChoice *choice = knob->choices; choice && choice->name; choice++)
            add_set(list, knob, choice->name, choice->label);
        for (const KnobWord *word = knob->words; word && word->name; word++)
            add_set(list, knob, word->name, word->label);
        if (knob->kind == KNOB_SWITCH) {
            add_set(list, knob, "on", "on");
            add_set(list, knob, "off", "off");
        } else if (knob->kind != KNOB_CHOICE) {
            add_set(list, knob, "", knob->help);
        }
    }
}

static void add_commands(List *list) {
    for (int i = 0; i < THEME_COUNT; i++)
        add(list, arena_printf(list->arena, "theme %s", color_themes[i].name), "theme", "");
    int count;
    const Command *commands = command_list(&count);
    for (int i = 0; i < count; i++) {
        bool waits = *commands[i].arguments != '\0';
        const char *line = arena_printf(list->arena, waits ? "%s " : "%s", commands[i].name);
        const char *label = arena_printf(list->arena, "%s%s%s", commands[i].help, waits ? ": " : "",
                                         commands[i].arguments);
        add(list, line, label, "");
    }
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Where the first length bytes of word begin in text, whatever the case; -1 nowhere. */
static int find_in(const char *text, const char *word, size_t length) {
    for (int at = 0; text[at]; at++) {
        size_t same = 0;
        while (same < length && lower(text[(size_t)at + same]) == lower(word[same])) same++;
        if (same == length) return at;
    }
    return -1;
}

static bool letters_in_order(const char *text, const char *word, size_t length) {
    size_t found = 0;
    for (; *text && found < length; text++)
        if (lower(*text) == lower(word[found])) found++;
    return found == length;
}

static int word_score(const char *text, const char *word, size_t length) {
    int at = find_in(text, word, length);
    if (at >= 0) {
        bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '-';
        return (begins ? 150 : 100) - (at < 50 ? at : 50);
    }
    return letters_in_order(text, word, length) ? 10 : -1;
}

/* How well a query fits an item; -1 not at all. Each word of the query must occur in it, or at
 * least its letters in their order. */
static int item_score(const char *query, const PaletteItem *item) {
    int score = 0;
    for (const char *at = query; *at;) {
        size_t length = strcspn(at, " ");
        if (length) {
            int line = word_score(item->line, at, length);
            int label = find_in(item->label, at, length) >= 0 ? 60 : -1;
            int best = line > label ? line : label;
            if (best < 0) return -1;
            score += best;
        }
        at += length + strspn(at + length, " ");
    }
    return score;
}

typedef struct Scored {
    PaletteItem item;
    int score, place;
} Scored;

static int better_first(const void *a, const void *b) {
    const Scored *left = a, *right = b;
    return left->score != right->score ? right->score - left->score : left->place - right->place;
}

PaletteItem *palette_find(const App *app, const char *query, Arena *arena, int *count) {
    List list = {arena, ARENA_ARRAY(arena, PaletteItem, ITEMS_MAX), 0};
    add_knobs(&list, app->scene);
    add_scenes(&list);
    add_keys(&list);
    add_commands(&list);
    Scored *scored = ARENA_ARRAY(arena, Scored, list.count + 1);
    int found = 0;
    for (int i = 0; i < list.count; i++) {
        int score = item_score(query, &list.items[i]);
        if (score >= 0) scored[found++] = (Scored){list.items[i], score, i};
    }
    qsort(scored, (size_t)found, sizeof *scored, better_first);
    if (!found) scored[found++] = (Scored){{query, "do this line", ""}, 0, 0};
    for (int i = 0; i < found; i++) list.items[i] = scored[i].item;
    *count = found;
    return list.items;
}

void palette_run(App *app) {
    Arena mark = app->scratch;
    int count;
    PaletteItem *items = palette_find(app, app->hud.edit.text, &app->scratch, &count);
    const char *line = items[app->hud.choice < count ? app->hud.choice : 0].line;
    size_t length = strlen(line);
    if (length && line[length - 1] == ' ') {
        edit_start(&app->hud.edit, line);
        app->hud.choice = 0;
        app->hud.dirty = true;
    } else if (length) {
        hud_mode(app, HUD_FIGURE);
        if (!hud_do(app, line)) app->hud.mode = HUD_PALETTE;
    }
    app->scratch = mark;
}

/* ---- on the screen ---- */

static int rows_shown(Canvas *canvas, Rect window) {
    int fit = (window.h - canvas_px(canvas, HEAD + 48)) / canvas_px(canvas, ROW);
    return fit > ROWS_MAX ? ROWS_MAX : fit < 1 ? 1 : fit;
}

static Rect box_of(Canvas *canvas, Rect window) {
    int w = canvas_px(canvas, WIDTH), most = window.w - canvas_px(canvas, 32);
    if (w > most) w = most;
    int h = canvas_px(canvas, HEAD + 8) + rows_shown(canvas, window) * canvas_px(canvas, ROW);
    int top = (window.h - h) / 4;
    return (Rect){window.x + (window.w - w) / 2, window.y + (top > 0 ? top : 0), w, h};
}

/* The first row shown, so that the chosen one is among them. */
static int first_shown(int chosen, int rows) {
    return chosen < rows ? 0 : chosen - rows + 1;
}

static void draw_item(Canvas *canvas, Rect row, const PaletteItem *item, bool on) {
    const Theme *theme = canvas->theme;
    if (on) canvas_fill(canvas, row, theme->acc);
    int left = canvas_px(canvas, 16), line_w = row.w * 2 / 5;
    Color ink = on ? theme->bg : theme->ink, dim = on ? theme->bg : theme->dim;
    Rect line = {row.x + left, row.y, line_w - left, row.h};
    font_draw_in(canvas, hud_style(FONT_MONO, FONT_NUMBER, ink), line, TEXT_LEFT, item->line);
    Rect rest = {line.x + line.w + left, row.y, row.w - line.w - 3 * left, row.h};
    int used = *item->keys ? font_draw_in(canvas, hud_style(FONT_BOLD, FONT_NUMBER, ink), rest,
                                          TEXT_RIGHT, item->keys) +
                                 left
                           : 0;
    rest.w -= used;
    font_draw_in(canvas, hud_style(FONT_UI, FONT_BODY, dim), rest, TEXT_LEFT, item->label);
}

void palette_draw(App *app, Canvas *canvas, Rect window) {
    const Theme *theme = canvas->theme;
    Rect box = box_of(canvas, window);
    int thick = canvas_px(canvas, 1), left = canvas_px(canvas, 16), h = canvas_px(canvas, ROW);
    Canvas inside = canvas_clipped(canvas, box);
    canvas_fill(&inside, box, theme->panel);
    canvas_frame(&inside, box, thick, theme->line2);
    Rect head = {box.x + left, box.y, box.w - 2 * left, canvas_px(canvas, HEAD)};
    TextStyle style = hud_style(FONT_UI, FONT_TEXT, theme->dim);
    if (!*app->hud.edit.text)
        font_draw_in(&inside, style, rect_inset(head, canvas_px(canvas, 4), 0), TEXT_LEFT,
                     "a command, a knob, a choice, a scene");
    hud_edit_draw(&app->hud.edit, &inside, head, hud_style(FONT_UI, FONT_TEXT, theme->ink));
    hud_hairline(&inside, (Rect){box.x, head.y + head.h - thick, box.w, thick});
    int count, rows = rows_shown(canvas, window), first = first_shown(app->hud.choice, rows);
    PaletteItem *items = palette_find(app, app->hud.edit.text, canvas->arena, &count);
    for (int i = first; i < count && i < first + rows; i++) {
        int y = head.y + head.h + canvas_px(canvas, 4) + (i - first) * h;
        Rect row = {box.x + thick, y, box.w - 2 * thick, h};
        draw_item(&inside, row, &items[i], i == app->hud.choice);
    }
}

int palette_at(App *app, Canvas *canvas, Rect window, int x, int y) {
    Rect box = box_of(canvas, window);
    if (!rect_contains(box, x, y)) return -2;
    int rows = rows_shown(canvas, window);
    int top = box.y + canvas_px(canvas, HEAD) + canvas_px(canvas, 4), h = canvas_px(canvas, ROW);
    if (y < top || y >= top + rows * h) return -1;
    return first_shown(app->hud.choice, rows) + (y - top) / h;
}
