/* Two parts over one table; the words are in the heatmap's colours, and the bars are as long as its
 * scale is. */
#include "scene/heard.h"

#include "core/stats.h"
#include "scene/inspect.h"
#include "scene/ranking.h"
#include "scene/shaded.h"

#include <math.h>

/* Sizes of the design at scale 1. */
enum { BARS = 6, BARS_LEAST = 3, BARS_WIDTH = 270, SIDE_BY_SIDE = 520, GAP = 28 };

static const double SHARE = 0.3; /* of the figure's height at most */

typedef struct Parts {
    Rect words, bars;
    bool stacked;
} Parts;

static const char *listener(Canvas *canvas, const Heard *heard) {
    return inspect_name(canvas->arena, &heard->table->rows, heard->row);
}

static Shaded words_of(Canvas *canvas, const Heard *heard) {
    const Table *table = heard->table;
    const float *row = table->values + (size_t)heard->row * (size_t)table->columns.count;
    int strongest = 0;
    stats_top_keys(row, table->columns.count, &strongest, 1);
    return (Shaded){.title = arena_printf(canvas->arena, "%s as %s hears it", heard->text,
                                          listener(canvas, heard)),
                    .table = table,
                    .row = heard->row,
                    .chosen = heard->column,
                    .focus = heard->column >= 0 ? heard->column : strongest};
}

static Ranking bars_of(Canvas *canvas, const Heard *heard, double full) {
    return (Ranking){.title =
                         arena_printf(canvas->arena, "what %s listens to", listener(canvas, heard)),
                     .table = heard->table,
                     .row = heard->row,
                     .chosen = heard->column,
                     .full = full};
}

static bool side_by_side(Canvas *canvas, int width) {
    return width >= canvas_px(canvas, SIDE_BY_SIDE);
}

static int words_width(Canvas *canvas, int width) {
    return width - canvas_px(canvas, BARS_WIDTH) - canvas_px(canvas, GAP);
}

int heard_height(Canvas *canvas, int width, int height, const Heard *heard) {
    Shaded words = words_of(canvas, heard);
    Ranking bars = bars_of(canvas, heard, 1);
    if (width < canvas_px(canvas, HEARD_NARROWEST) || height < canvas_px(canvas, HEARD_LOWEST))
        return 0;
    width -= 2 * canvas_px(canvas, FIGURE_MARGIN);
    int most = (int)(height * SHARE), wanted;
    if (side_by_side(canvas, width)) {
        int left = shaded_height(canvas, words_width(canvas, width), &words);
        int right = ranking_height(canvas, &bars, BARS);
        wanted = left > right ? left : right;
    } else {
        wanted = shaded_height(canvas, width, &words) + canvas_px(canvas, GAP / 2) +
                 ranking_height(canvas, &bars, BARS_LEAST);
    }
    return wanted < most ? wanted : most;
}

int heard_natural(Canvas *canvas, int width, int map, const Heard *heard) {
    int height = (int)ceil(map / (1 - SHARE)), lowest = canvas_px(canvas, HEARD_LOWEST);
    return heard_height(canvas, width, height > lowest ? height : lowest, heard);
}

static Parts parts_of(Canvas *canvas, const Heard *heard, Rect place) {
    Parts parts = {place, place, !side_by_side(canvas, place.w)};
    if (parts.stacked) {
        Ranking bars = bars_of(canvas, heard, 1);
        parts.bars.h = ranking_height(canvas, &bars, BARS_LEAST);
        parts.bars.y += place.h - parts.bars.h;
        parts.words.h -= parts.bars.h + canvas_px(canvas, GAP / 2);
    } else {
        parts.words.w = words_width(canvas, place.w);
        parts.bars.w = canvas_px(canvas, BARS_WIDTH);
        parts.bars.x += place.w - parts.bars.w;
    }
    return parts;
}

void heard_draw(Canvas *canvas, const Heard *heard, const FigureBelow *below) {
    if (!below->place.h) return;
    Parts parts = parts_of(canvas, heard, below->place);
    Shaded words = words_of(canvas, heard);
    Ranking bars = bars_of(canvas, heard, (double)below->heatmap.high);
    shaded_draw(canvas, parts.words, &words, &below->heatmap, &below->style);
    ranking_draw(canvas, parts.bars, &bars);
}

int heard_at(Canvas *canvas, const Heard *heard, const FigureBelow *below, int x, int y) {
    if (!below->place.h) return -1;
    Parts parts = parts_of(canvas, heard, below->place);
    Shaded words = words_of(canvas, heard);
    Ranking bars = bars_of(canvas, heard, (double)below->heatmap.high);
    int word = shaded_at(canvas, parts.words, &words, x, y);
    return word >= 0 ? word : ranking_at(canvas, parts.bars, &bars, x, y);
}
