/* What a cell without a number looks like. Each state has a shape of its own, so that they stay
 * apart in greyscale: blocked rises like '/', undefined falls like '\' and is denser, missing is
 * an empty cell with a dot, NaN and the infinities are written, or drawn as a cross and as arrow
 * heads where letters do not fit. */
#include "draw/heatmap_parts.h"

static int smaller(int a, int b) {
    return a < b ? a : b;
}

const char *heatmap_mark_text(CellState state) {
    switch (state) {
    case CELL_NAN:
        return "NaN";
    case CELL_PLUS_INF:
        return "+∞";
    case CELL_MINUS_INF:
        return "−∞";
    default:
        return "";
    }
}

/* An empty cell with a dot; where a dot would fill the cell, a wide lattice. */
static void draw_missing(Canvas *canvas, Rect rect, Rect like) {
    const Theme *theme = canvas->theme;
    int side = smaller(like.w, like.h), spacing = canvas_px(canvas, 8);
    if (side >= canvas_px(canvas, 5)) {
        double radius = fmax(canvas->scale * 0.8, side / 14.0);
        canvas_disc(canvas, rect.x + rect.w / 2.0, rect.y + rect.h / 2.0, radius, theme->dim);
        return;
    }
    for (int rising = 0; rising < 2; rising++)
        canvas_hatch(canvas, rect, spacing, canvas_px(canvas, 1), rising, theme->hatch);
}

/* The largest size of type with which text fits into rect; 0 when even the smallest does not. */
static double fitting_size(Canvas *canvas, Rect rect, const char *text) {
    int margin = canvas_px(canvas, 1);
    for (double size = FONT_SMALL; size >= 8; size -= 1) {
        TextStyle style = {FONT_MONO_BOLD, size, canvas->theme->warn};
        if (font_width(canvas, style, text) <= rect.w - 2 * margin &&
            canvas_px(canvas, size) <= rect.h)
            return size;
    }
    return 0;
}

static void draw_cross(Canvas *canvas, Rect r, double width, Color color) {
    double in = fmax(1, smaller(r.w, r.h) / 5.0);
    canvas_line(canvas, r.x + in, r.y + in, r.x + r.w - in, r.y + r.h - in, width, color);
    canvas_line(canvas, r.x + in, r.y + r.h - in, r.x + r.w - in, r.y + in, width, color);
}

static void draw_arrow_head(Canvas *canvas, Rect r, bool up, double width, Color color) {
    double in = fmax(1, smaller(r.w, r.h) / 5.0), middle = r.x + r.w / 2.0;
    double tip = up ? r.y + in : r.y + r.h - in, foot = up ? r.y + r.h - in : r.y + in;
    canvas_line(canvas, r.x + in, foot, middle, tip, width, color);
    canvas_line(canvas, middle, tip, r.x + r.w - in, foot, width, color);
}

/* For a few pixels: all of the cell for NaN, its upper or lower half for an infinity. */
static void fill_tiny(Canvas *canvas, Rect rect, CellState state) {
    int half = (rect.h + 1) / 2;
    if (state == CELL_MINUS_INF) rect.y += rect.h - half;
    if (state != CELL_NAN) rect.h = half;
    canvas_fill(canvas, rect, canvas->theme->warn);
}

static void draw_sign(Canvas *canvas, Rect rect, CellState state, Rect like) {
    const char *text = heatmap_mark_text(state);
    Color color = canvas->theme->warn;
    double size = fitting_size(canvas, like, text);
    if (size > 0) {
        TextStyle style = {FONT_MONO_BOLD, size, color};
        int width = font_width(canvas, style, text), height = font_height(canvas, style);
        font_draw(canvas, style, rect.x + (rect.w - width) / 2, rect.y + (rect.h - height) / 2,
                  text);
        return;
    }
    if (smaller(like.w, like.h) < 5) {
        fill_tiny(canvas, rect, state);
        return;
    }
    double width = fmax(1, canvas->scale * 1.2);
    if (state == CELL_NAN)
        draw_cross(canvas, rect, width, color);
    else
        draw_arrow_head(canvas, rect, state == CELL_PLUS_INF, width, color);
}

int heatmap_mark_width(Canvas *canvas, CellState state, Rect like) {
    const char *text = heatmap_mark_text(state);
    double size = *text ? fitting_size(canvas, like, text) : 0;
    TextStyle style = {FONT_MONO_BOLD, size, 0};
    return size > 0 ? font_width(canvas, style, text) + canvas_px(canvas, 6) : 0;
}

void heatmap_mark_state(Canvas *canvas, Rect rect, CellState state, Rect like) {
    const Theme *theme = canvas->theme;
    int thickness = canvas_px(canvas, 1);
    canvas_fill(canvas, rect, theme->bg);
    switch (state) {
    case CELL_BLOCKED:
        canvas_hatch(canvas, rect, canvas_px(canvas, 6), thickness, true, theme->hatch);
        break;
    case CELL_UNDEFINED:
        canvas_hatch(canvas, rect, canvas_px(canvas, 4), thickness, false,
                     color_mix(theme->hatch, theme->dim, 0.6));
        break;
    case CELL_NAN:
    case CELL_PLUS_INF:
    case CELL_MINUS_INF:
        draw_sign(canvas, rect, state, like);
        break;
    default:
        draw_missing(canvas, rect, like);
        break;
    }
}

void heatmap_mark_clipped(Canvas *canvas, Rect rect, bool over, Color ground) {
    Color color = color_text_on(ground);
    int side = smaller(canvas_px(canvas, 7), smaller(rect.w, rect.h) / 3);
    for (int i = 0; i < side; i++) {
        Rect line = over ? (Rect){rect.x + rect.w - side + i, rect.y + i, side - i, 1}
                         : (Rect){rect.x, rect.y + rect.h - side + i, i + 1, 1};
        canvas_fill(canvas, line, color);
    }
}
