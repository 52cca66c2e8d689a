/* The order is found anew each time: a few keys of one row. */
#include "scene/ranking.h"

#include "core/stats.h"
#include "draw/font.h"
#include "scene/inspect.h"

#include <math.h>

/* Sizes of the design at scale 1. */
enum { TITLE = 22, ROW = 20, BAR = 8, NAME = 90, NUMBER = 54, GAP = 8, BARS_MAX = 64 };

static int key_count(const Ranking *ranking) {
    int count = 0;
    for (int j = 0; j < ranking->table->columns.count; j++)
        count += table_state(ranking->table, ranking->row, j) == CELL_OK;
    return count;
}

int ranking_height(Canvas *canvas, const Ranking *ranking, int bars) {
    int keys = key_count(ranking);
    return canvas_px(canvas, TITLE) + (keys < bars ? keys : bars) * canvas_px(canvas, ROW);
}

/* The columns in the order of their bars; returns how many are shown. */
static int order_of(Canvas *canvas, Rect rect, const Ranking *ranking, int order[BARS_MAX]) {
    const Table *table = ranking->table;
    int S = table->columns.count, keys = key_count(ranking);
    int room = (rect.h - canvas_px(canvas, TITLE)) / canvas_px(canvas, ROW);
    if (room > keys) room = keys;
    if (room > BARS_MAX) room = BARS_MAX;
    const float *row = table->values + (size_t)ranking->row * (size_t)S;
    int found = room > 0 ? stats_top_keys(row, S, order, room) : 0, count = 0;
    for (int i = 0; i < found; i++)
        if (table_state(table, ranking->row, order[i]) == CELL_OK) order[count++] = order[i];
    return count;
}

static Rect row_rect(const Canvas *canvas, Rect rect, int row) {
    int height = canvas_px(canvas, ROW);
    return (Rect){rect.x, rect.y + canvas_px(canvas, TITLE) + row * height, rect.w, height};
}

static void draw_bar(Canvas *canvas, Rect row, const Ranking *ranking, int column) {
    const Theme *theme = canvas->theme;
    const Table *table = ranking->table;
    bool chosen = column == ranking->chosen;
    float value = table_value(table, ranking->row, column);
    int name = canvas_px(canvas, NAME), number = canvas_px(canvas, NUMBER);
    int gap = canvas_px(canvas, GAP), height = canvas_px(canvas, BAR);
    TextStyle words = {FONT_UI, FONT_BODY, chosen ? theme->acc : theme->ink};
    TextStyle digits = {FONT_MONO, FONT_NUMBER, chosen ? theme->acc : theme->ink};
    Rect left = {row.x, row.y, name - gap, row.h};
    Rect right = {row.x + row.w - number, row.y, number, row.h};
    font_draw_in(canvas, words, left, TEXT_LEFT,
                 inspect_name(canvas->arena, &table->columns, column));
    font_draw_in(canvas, digits, right, TEXT_RIGHT, inspect_digits(canvas->arena, (double)value));
    int room = row.w - name - number - gap;
    int width = (int)lround(fmin((double)value / ranking->full, 1) * room);
    if (value > 0 && width < 1) width = 1;
    canvas_fill(canvas, (Rect){row.x + name, row.y + (row.h - height) / 2, width, height},
                theme->barc);
}

void ranking_draw(Canvas *canvas, Rect rect, const Ranking *ranking) {
    int order[BARS_MAX], count = order_of(canvas, rect, ranking, order);
    TextStyle style = {FONT_UI, FONT_NUMBER, canvas->theme->dim};
    Rect title = {rect.x, rect.y, rect.w, canvas_px(canvas, TITLE) - canvas_px(canvas, GAP) / 2};
    font_draw_in(canvas, style, title, TEXT_LEFT, ranking->title);
    for (int i = 0; i < count; i++) draw_bar(canvas, row_rect(canvas, rect, i), ranking, order[i]);
}

int ranking_at(Canvas *canvas, Rect rect, const Ranking *ranking, int x, int y) {
    int order[BARS_MAX], count = order_of(canvas, rect, ranking, order);
    for (int i = 0; i < count; i++)
        if (rect_contains(row_rect(canvas, rect, i), x, y)) return order[i];
    return -1;
}
