/* Positions ahead are read from the table's first row, those behind from its first column. */
#include "scene/offsets.h"

#include "draw/font.h"

enum { NUMBER_WIDTH = 28, NAME_WIDTH = 70, LINE = 17 }; /* at scale 1 */

int offsets_height(Canvas *canvas) {
    return 2 * canvas_px(canvas, LINE);
}

static int value_at(const Table *table, int relative) {
    int row = relative < 0 ? -relative : 0, column = relative > 0 ? relative : 0;
    return (int)table_value(table, row, column);
}

static const char *signed_number(Arena *arena, int number) {
    const char *sign = number < 0 ? "−" : number > 0 ? "+" : "";
    return arena_printf(arena, "%s%d", sign, number < 0 ? -number : number);
}

void offsets_draw(Canvas *canvas, Rect rect, const Table *table, const char *name, Cell chosen) {
    const Theme *theme = canvas->theme;
    int left = canvas_px(canvas, NAME_WIDTH), across = canvas_px(canvas, NUMBER_WIDTH);
    int room = (rect.w - left) / across, farthest = table->rows.count - 1;
    int reach = room < 1 ? 0 : (room - 1) / 2, line = canvas_px(canvas, LINE);
    if (reach > farthest) reach = farthest;
    TextStyle small = {FONT_UI, FONT_SMALL, theme->dim};
    Rect above = {rect.x, rect.y, left, line}, below = {rect.x, rect.y + line, left, line};
    font_draw_in(canvas, small, above, TEXT_LEFT, "key − query");
    font_draw_in(canvas, small, below, TEXT_LEFT, name);
    above.w = below.w = across;
    for (int relative = -reach; relative <= reach; relative++) {
        bool here = chosen.row >= 0 && chosen.column - chosen.row == relative;
        TextStyle number = {here ? FONT_MONO_BOLD : FONT_MONO, FONT_SMALL,
                            here ? theme->acc : theme->ink};
        TextStyle position = number;
        if (!here) position.color = theme->dim;
        above.x = below.x = rect.x + left + (relative + reach) * across;
        font_draw_in(canvas, position, above, TEXT_RIGHT, signed_number(canvas->arena, relative));
        font_draw_in(canvas, number, below, TEXT_RIGHT,
                     arena_printf(canvas->arena, "%d", value_at(table, relative)));
    }
}
