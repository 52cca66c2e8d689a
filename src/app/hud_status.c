/* The status line: what the keys do here, or the last message; on the right the facts of the scene,
 * or the hovered cell in full (labels that the figure had to shorten stand here whole). */
#include "app/hud_parts.h"
#include "app/keymap.h"

#include "base/text.h"

#include <string.h>

typedef struct Hint {
    const char *keys, *word;
} Hint;

enum { HINTS_MAX = 12 };

static const Hint text_hints[] = {
    {"Esc", "done"}, {"Ctrl+← →", "by word"}, {"Shift", "selects"}, {"Ctrl+Z", "undo"}, {"", ""}};
static const Hint knob_hints[] = {
    {"↑ ↓", "knob"}, {"← →", "turn"}, {"Enter", "type a value"}, {"Esc", "done"}, {"", ""}};
static const Hint value_hints[] = {{"Enter", "set"}, {"Esc", "leave as it was"}, {"", ""}};
static const Hint help_hints[] = {{"Esc", "back to the figure"}, {"Ctrl+P", "commands"}, {"", ""}};
static const Hint scroll_hints[] = {{"↑ ↓", "scroll"}, {"Esc", "back to the figure"}, {"", ""}};
static const Hint palette_hints[] = {
    {"↑ ↓", "choose"}, {"Enter", "do it"}, {"Esc", "close"}, {"", ""}};

static int copy_hints(Hint *out, const Hint *from) {
    int count = 0;
    while (*from[count].keys) {
        out[count] = from[count];
        count++;
    }
    return count;
}

static int figure_hints(const App *app, Arena *arena, Hint *out) {
    int count = 0;
    const Scene *scene = app->scene;
    const Knob *steps = hud_steps_knob(app);
    if (scene->left_right)
        out[count++] = (Hint){"← →", knob_find(scene->knobs, scene->left_right, NULL)->label};
    else if (steps)
        out[count++] = (Hint){"← →", "step"};
    if (scene->up_down)
        out[count++] = (Hint){"↑ ↓", knob_find(scene->knobs, scene->up_down, NULL)->label};
    else if (scene->locate)
        out[count++] = (Hint){"↑ ↓", "query"};
    if (scene->enter)
        out[count++] = (Hint){"Enter", knob_find(scene->knobs, scene->enter, NULL)->label};
    if (scene->paint) out[count++] = (Hint){"Enter", "paint cell"};
    if (scene->paint) out[count++] = (Hint){"X", "clear paint"};
    const char *play = scene->play ? scene->play : "play";
    const char *pause = scene->pause ? scene->pause : "pause";
    if (app->lesson_held)
        out[count++] = (Hint){"Space", "on in the lesson"};
    else if (scene->tick || steps)
        out[count++] = (Hint){"Space", app->playing ? pause : play};
    if (hud_text_knob(app)) out[count++] = (Hint){"T", "edit text"};
    for (const Knob *knob = scene->knobs; knob->name && count < 6; knob++)
        if (knob->key && !knob->view && knob != steps)
            out[count++] = (Hint){keymap_name((uint32_t)(knob->key | 0x20), 0, arena), knob->label};
    out[count++] = (Hint){"Tab", "knobs"};
    out[count++] = (Hint){"E", "export PNG"};
    out[count++] = (Hint){"?", "all keys"};
    return count;
}

static int hints_now(const App *app, Arena *arena, Hint *out) {
    switch (app->hud.mode) {
    case HUD_TEXT:
        return copy_hints(out, text_hints);
    case HUD_KNOBS:
        return copy_hints(out, knob_hints);
    case HUD_VALUE:
        return copy_hints(out, value_hints);
    case HUD_HELP:
        return copy_hints(out, app->hud.help_end ? scroll_hints : help_hints);
    case HUD_PALETTE:
        return copy_hints(out, palette_hints);
    case HUD_FIGURE:
        break;
    }
    return figure_hints(app, arena, out);
}

/* As many as fit, always with the last: it tells where all the others are. */
static void draw_hints(App *app, Canvas *canvas, Rect place) {
    Hint hints[HINTS_MAX];
    int count = hints_now(app, canvas->arena, hints);
    TextStyle bold = hud_style(FONT_BOLD, FONT_NUMBER, canvas->theme->ink);
    TextStyle plain = hud_style(FONT_UI, FONT_NUMBER, canvas->theme->dim);
    int between = canvas_px(canvas, 22), inside = canvas_px(canvas, 5), widths[HINTS_MAX];
    for (int i = 0; i < count; i++)
        widths[i] = font_width(canvas, bold, hints[i].keys) + inside +
                    font_width(canvas, plain, hints[i].word) + between;
    int x = place.x, end = place.x + place.w;
    for (int i = 0; i < count; i++) {
        bool last = i == count - 1;
        int reserved = last ? 0 : widths[count - 1];
        if (x + widths[i] - between + reserved > end) continue;
        Rect keys = {x, place.y, widths[i], place.h};
        int w = font_draw_in(canvas, bold, keys, TEXT_LEFT, hints[i].keys) + inside;
        Rect word = {x + w, place.y, widths[i], place.h};
        font_draw_in(canvas, plain, word, TEXT_LEFT, hints[i].word);
        x += widths[i];
    }
}

/* "the (2)": equal tokens stay apart; one that is only blanks says its code points. */
static const char *label_words(const TableAxis *axis, int at, Arena *arena) {
    const Label *label = &axis->labels[at];
    bool blank = label->full[strspn(label->full, " \t\r\n")] == '\0';
    if (!blank) return arena_printf(arena, "%s (%d)", label->full, at);
    const char *points = *label->full ? label_code_points(arena, label->full) : "empty";
    return arena_printf(arena, "%s %s (%d)", label->text, points, at);
}

static const char *cell_words(App *app, Arena *arena) {
    Cell cell = app->hud.hover;
    const Table *table =
        app->scene->part && cell.row >= 0 ? app->scene->part(app->state, &cell) : app_table(app);
    if (!table || cell.row < 0 || cell.row >= table->rows.count || cell.column < 0 ||
        cell.column >= table->columns.count)
        return NULL;
    char number[TEXT_NUMBER_MAX];
    CellState state = table_state(table, cell.row, cell.column);
    text_panel(number, (double)table_value(table, cell.row, cell.column), 4);
    return arena_printf(arena, "%s → %s: %s", label_words(&table->rows, cell.row, arena),
                        label_words(&table->columns, cell.column, arena),
                        state == CELL_OK ? number : cell_state_name(state));
}

static const char *facts(App *app, Arena *arena) {
    const char *hovered = cell_words(app, arena);
    if (hovered) return hovered;
    return app->scene->facts ? app->scene->facts(app->state, arena) : "";
}

void hud_status_draw(App *app, Canvas *canvas, Rect status) {
    if (hud_is_empty(status)) return;
    const Theme *theme = canvas->theme;
    Canvas inside = canvas_clipped(canvas, status);
    canvas_fill(&inside, status, theme->panel);
    hud_hairline(&inside, status);
    Rect line = rect_inset(status, canvas_px(canvas, 20), 0);
    TextStyle dim = hud_style(FONT_UI, FONT_NUMBER, theme->dim);
    if (app->status[0]) {
        TextStyle style =
            hud_style(FONT_UI, FONT_NUMBER, app->status_is_error ? theme->warn : theme->ink);
        font_draw_in(&inside, style, line, TEXT_LEFT, app->status);
        return;
    }
    const char *right = facts(app, canvas->arena);
    right = font_shorten(&inside, dim, right, line.w * 3 / 5);
    int used = font_draw_in(&inside, dim, line, TEXT_RIGHT, right);
    line.w -= used ? used + canvas_px(canvas, 22) : 0;
    draw_hints(app, &inside, line);
}
