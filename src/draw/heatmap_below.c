/* Shortened labels in full, under the figure: "key 2: ..." with as many lines as it takes. */
#include "draw/heatmap_parts.h"

#include <string.h>

typedef struct Below {
    Canvas *canvas;
    TextStyle style;
    Rect rect;
    int y;
    bool draw;
} Below;

/* Bytes of text that fit into the width, at least one character: a name of sixty letters has no
 * space to break at. */
static size_t line_length(Below *below, const char *text) {
    if (font_width(below->canvas, below->style, text) <= below->rect.w) return strlen(text);
    int margin = canvas_px(below->canvas, 12);
    int offset = font_offset_at(below->canvas, below->style, text, below->rect.w - margin);
    return offset > 0 ? (size_t)offset : strlen(text);
}

static void add_entry(Below *below, const char *text) {
    int height = font_height(below->canvas, below->style);
    while (*text) {
        size_t length = line_length(below, text);
        if (below->draw && below->y + height <= below->rect.y + below->rect.h) {
            const char *line = arena_bytes(below->canvas->arena, text, length);
            font_draw(below->canvas, below->style, below->rect.x, below->y, line);
        }
        below->y += height;
        text += length;
    }
}

/* In self-attention both axes carry the same tokens; one entry serves both. */
static bool said_for_rows(const HeatmapSide *rows, Canvas *canvas, int index, const char *text) {
    return index >= rows->first && index < rows->first + rows->shown &&
           strcmp(rows->axis->labels[index].text, text) == 0 &&
           heatmap_side_shortened(canvas, rows, index);
}

static void add_side(Below *below, const HeatmapSide *side, const HeatmapSide *rows) {
    for (int i = side->first; i < side->first + side->shown; i++) {
        if (!heatmap_side_shortened(below->canvas, side, i)) continue;
        const char *text = side->axis->labels[i].text;
        if (!side->down && said_for_rows(rows, below->canvas, i, text)) continue;
        add_entry(below, arena_printf(below->canvas->arena, "%s %d: %s",
                                      side->axis->name ? side->axis->name : "", i, text));
    }
}

int heatmap_below(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const HeatmapStyle *style, Rect rect, bool draw) {
    if (!style->labels_below) return 0;
    Below below = {.canvas = canvas,
                   .style = {FONT_UI, FONT_SMALL, canvas->theme->dim},
                   .rect = rect,
                   .y = rect.y,
                   .draw = draw};
    HeatmapSide rows = heatmap_side(plan, table, style, true);
    HeatmapSide columns = heatmap_side(plan, table, style, false);
    add_side(&below, &rows, &rows);
    add_side(&below, &columns, &rows);
    return below.y - rect.y;
}
