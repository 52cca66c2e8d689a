/* A curve as coverage, column by column. Each pixel column is cut into a few slices; in each slice
 * a pen of the line's width, moved along the curve, covers one stretch from top to bottom, and the
 * mean of the slices is the pixel's coverage. That costs the same for a steep wave as for a flat
 * one, and a wave with many turns a pixel becomes the filled band that it is. Columns are made in
 * small blocks, which are then blended row by row: memory is laid out by rows. */
#include "draw/plot_parts.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 16 }; /* columns */

static const double LINE_WIDTH = 1.75, DASH = 6, DASH_GAP = 4, BAND_SHARE = 0.18;

/* Where something lies in each slice of the columns, in pixels downwards; top > bottom: nowhere. */
typedef struct Slices {
    int per_column, margin, count; /* margin: slices before the first column and behind the last */
    double *top, *bottom;          /* [count] */
} Slices;

/* No NaN comes here, and fmin minds them. */
static double least(double a, double b) {
    return a < b ? a : b;
}

static double most(double a, double b) {
    return a > b ? a : b;
}

static Slices slices_new(Arena *arena, int columns, int per_column, int margin) {
    Slices slices = {per_column, margin, columns * per_column + 2 * margin, NULL, NULL};
    slices.top = ARENA_ARRAY(arena, double, slices.count);
    slices.bottom = ARENA_ARRAY(arena, double, slices.count);
    for (int i = 0; i < slices.count; i++) {
        slices.top[i] = INFINITY;
        slices.bottom[i] = -INFINITY;
    }
    return slices;
}

/* The middle of a slice as a place on the canvas, and the slice, not cut to those there are, that
 * holds a place. */
static double slice_middle(const Slices *slices, int left, int slice) {
    return left + (slice - slices->margin + 0.5) / slices->per_column;
}

static double slice_of(const Slices *slices, int left, double place) {
    return floor((place - left) * slices->per_column) + slices->margin;
}

static void cover(Slices *slices, int slice, double y) {
    if (y < slices->top[slice]) slices->top[slice] = y;
    if (y > slices->bottom[slice]) slices->bottom[slice] = y;
}

/* A straight line between two places, and its end in the slice that holds it, so that no peak falls
 * between two middles. */
static void cover_segment(Slices *slices, int left, double x0, double y0, double x1, double y1) {
    double from = slice_of(slices, left, x0), to = slice_of(slices, left, x1);
    if (to < 0 || from >= slices->count) return;
    if (to < slices->count) cover(slices, (int)to, y1);
    int first = from < 0 ? 0 : (int)from;
    int last = to >= slices->count ? slices->count - 1 : (int)to;
    double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    for (int i = first; i <= last; i++) {
        double x = slice_middle(slices, left, i);
        if (x >= x0 && x <= x1) cover(slices, i, y0 + slope * (x - x0));
    }
}

/* Places far outside would only lose digits; the clip cuts them anyway. */
static double within_reach(double place) {
    return least(most(place, -1e6), 1e6);
}

typedef struct Points {
    int count;
    const double *x;
    double first, step;
    const float *y;
    size_t stride;
} Points;

static bool point_at(const PlotPlan *plan, const Points *points, int i, double *x, double *y) {
    double value = points->x ? points->x[i] : points->first + i * points->step;
    *x = plot_place(&plan->x, value);
    *y = plot_place(&plan->y, (double)points->y[(size_t)i * points->stride]);
    if (!isfinite(*x) || !isfinite(*y)) return false;
    *y = within_reach(*y);
    return true;
}

static void trace_points(Slices *slices, const PlotPlan *plan, const Points *points) {
    double x = 0, y = 0, x_before = 0, y_before = 0;
    bool before = false;
    for (int i = 0; i < points->count; i++) {
        bool here = point_at(plan, points, i, &x, &y);
        if (here && before)
            cover_segment(slices, plan->area.x, x_before, y_before, x, y);
        else if (here)
            cover_segment(slices, plan->area.x, x, y, x, y);
        before = here;
        x_before = x;
        y_before = y;
    }
}

/* The wave over a slice: a point where it is slow, else all that it reaches there. */
static void cover_wave(Slices *slices, int slice, const PlotPlan *plan, const PlotWave *wave,
                       double from, double to) {
    const double slow = 0.25, pi = 3.14159265358979323846;
    double start = wave->frequency * from + wave->phase, end = wave->frequency * to + wave->phase;
    double low = least(start, end), high = most(start, end);
    if (high - low < slow) {
        double value = wave->middle + wave->amplitude * cos((low + high) / 2);
        cover(slices, slice, within_reach(plot_place(&plan->y, value)));
        return;
    }
    double ends[] = {cos(low), cos(high), 1, -1};
    double peak = ceil(low / (2 * pi)) * 2 * pi, trough = ceil((low - pi) / (2 * pi)) * 2 * pi + pi;
    for (int i = 0; i < 4; i++) {
        if ((i == 2 && peak > high) || (i == 3 && trough > high)) continue;
        double value = wave->middle + wave->amplitude * ends[i];
        cover(slices, slice, within_reach(plot_place(&plan->y, value)));
    }
}

static void trace_wave(Slices *slices, const PlotPlan *plan, const PlotCurve *curve) {
    double first = plot_place(&plan->x, plot_point_x(curve, 0));
    double last = plot_place(&plan->x, plot_point_x(curve, curve->count - 1));
    double half = 0.5 / slices->per_column;
    double from = 0, to = plot_value(&plan->x, slice_middle(slices, plan->area.x, 0) - half);
    for (int i = 0; i < slices->count; i++) {
        double x = slice_middle(slices, plan->area.x, i);
        from = to;
        to = plot_value(&plan->x, x + half);
        if (x < first - half || x > last + half) continue;
        cover_wave(slices, i, plan, curve->wave, from, to);
    }
}

/* Takes out what lies between the dashes, by the length of the way along the curve. */
static void cut_dashes(Slices *slices, double dash, double gap) {
    double way = 0, before = NAN, across = 1.0 / slices->per_column;
    for (int i = 0; i < slices->count; i++) {
        if (slices->top[i] > slices->bottom[i]) continue;
        double y = (slices->top[i] + slices->bottom[i]) / 2;
        way += isnan(before) ? 0 : hypot(across, y - before);
        before = y;
        if (fmod(way, dash + gap) < dash) continue;
        slices->top[i] = INFINITY;
        slices->bottom[i] = -INFINITY;
    }
}

/* A round pen of width 2*half along the slices: what it covers in a slice is the farthest that it
 * reaches from any slice that it touches. */
static Slices pen(Arena *arena, const Slices *path, double half) {
    int columns = (path->count - 2 * path->margin) / path->per_column, reach = path->margin;
    Slices out = slices_new(arena, columns, path->per_column, 0);
    double *rise = ARENA_ARRAY(arena, double, 2 * reach + 1);
    for (int t = -reach; t <= reach; t++) {
        double away = (double)t / path->per_column;
        rise[t + reach] = away * away < half * half ? sqrt(half * half - away * away) : -1;
    }
    for (int t = 0; t <= 2 * reach; t++) {
        if (rise[t] < 0) continue;
        const double *top = path->top + t, *bottom = path->bottom + t, up = rise[t];
        for (int i = 0; i < out.count; i++) {
            out.top[i] = least(out.top[i], top[i] - up);
            out.bottom[i] = most(out.bottom[i], bottom[i] + up);
        }
    }
    return out;
}

/* Coverage of one column as differences from row to row. */
static void add_edge(float *change, double y, float weight) {
    int row = (int)y;
    float below = (float)(y - row);
    change[row] += weight * (1 - below);
    change[row + 1] += weight * below;
}

/* One column of a block; returns the rows touched by first and last. */
static void fill_column(const Slices *slices, int column, Rect clip, float *change,
                        uint8_t *coverage, int *first, int *last) {
    float weight = 1.0f / (float)slices->per_column;
    int top = clip.h, bottom = -1;
    for (int i = column * slices->per_column; i < (column + 1) * slices->per_column; i++) {
        double from = most(slices->top[i] - clip.y, 0);
        double to = least(slices->bottom[i] - clip.y, clip.h);
        if (!(from < to)) continue;
        add_edge(change, from, weight);
        add_edge(change, to, -weight);
        if ((int)from < top) top = (int)from;
        if ((int)to > bottom) bottom = (int)to;
    }
    if (bottom >= clip.h) bottom = clip.h - 1;
    float sum = 0;
    for (int y = top; y <= bottom; y++) {
        sum += change[y];
        float share = sum < 0 ? 0 : sum > 1 ? 1 : sum;
        coverage[(size_t)y * BLOCK] = (uint8_t)(share * 255 + 0.5f);
    }
    if (bottom >= top) memset(change + top, 0, (size_t)(bottom - top + 3) * sizeof *change);
    if (top < *first) *first = top;
    if (bottom > *last) *last = bottom;
}

static void fill(Canvas *canvas, const Slices *slices, Rect area, Color color) {
    Rect clip = rect_intersect(area, canvas->clip);
    if (clip.h < 1 || clip.w < 1) return;
    Arena scratch = *canvas->arena;
    float *change = ARENA_ARRAY(&scratch, float, clip.h + 3);
    uint8_t *coverage = ARENA_ARRAY(&scratch, uint8_t, (size_t)clip.h * BLOCK);
    for (int left = clip.x; left < clip.x + clip.w; left += BLOCK) {
        int columns = clip.x + clip.w - left < BLOCK ? clip.x + clip.w - left : BLOCK;
        int first = clip.h, last = -1;
        for (int i = 0; i < columns; i++)
            fill_column(slices, left + i - area.x, clip, change, coverage + i, &first, &last);
        if (last < first) continue;
        uint8_t *rows = coverage + (size_t)first * BLOCK;
        size_t bytes = (size_t)(last - first + 1) * BLOCK;
        canvas_mask(canvas, (Rect){left, clip.y + first, columns, last - first + 1}, rows, 1, BLOCK,
                    color);
        memset(rows, 0, bytes);
    }
}

static void draw_points(Canvas *canvas, const PlotPlan *plan, const PlotCurve *curve,
                        double radius) {
    int more = (int)ceil(radius);
    Canvas inside = canvas_clipped(canvas, rect_inset(plan->area, -more, -more));
    for (int i = 0; i < curve->count; i++) {
        double x = plot_place(&plan->x, plot_point_x(curve, i));
        double y = plot_place(&plan->y, plot_point_y(curve, i));
        if (x < plan->area.x - 0.5 || x > plan->area.x + plan->area.w + 0.5) continue;
        canvas_disc(&inside, x, y, radius, curve->color);
    }
}

static void draw_line(Canvas *canvas, const PlotPlan *plan, const PlotCurve *curve, double width) {
    Arena scratch = *canvas->arena;
    int per_column = width < 3 ? 4 : 2;
    int margin = (int)ceil(width / 2 * per_column);
    Slices path = slices_new(&scratch, plan->area.w, per_column, margin);
    Points points = {curve->count, curve->x, curve->first,
                     curve->step,  curve->y, curve->stride ? curve->stride : 1};
    if (curve->wave)
        trace_wave(&path, plan, curve);
    else
        trace_points(&path, plan, &points);
    if (curve->shape == PLOT_DASHED)
        cut_dashes(&path, DASH * canvas->scale, DASH_GAP * canvas->scale);
    Slices line = pen(&scratch, &path, width / 2);
    /* a line along the edge of the area keeps its width */
    int more = (int)ceil(width / 2);
    Rect area = {plan->area.x, plan->area.y - more, plan->area.w, plan->area.h + 2 * more};
    Canvas here = *canvas;
    here.arena = &scratch;
    fill(&here, &line, area, curve->color);
}

/* Discs that would touch each other say nothing. */
static bool points_have_room(const PlotPlan *plan, const PlotCurve *curve, double radius) {
    if (curve->count < 2) return true;
    double first = plot_place(&plan->x, plot_point_x(curve, 0));
    double last = plot_place(&plan->x, plot_point_x(curve, curve->count - 1));
    return (last - first) / (curve->count - 1) > 3.5 * radius;
}

void plot_curve_draw(Canvas *canvas, const PlotPlan *plan, const PlotCurve *curve) {
    if (curve->count < 1 || plan->area.w < 1 || plan->area.h < 1) return;
    bool points = curve->shape == PLOT_POINTS;
    bool both = curve->shape == PLOT_LINE_POINTS;
    double line = curve->width > 0 && !points ? curve->width : LINE_WIDTH;
    line *= canvas->scale * canvas->theme->line_width;
    double radius = (curve->width > 0 && points ? curve->width : 2.25) * canvas->scale;
    if (!points) draw_line(canvas, plan, curve, line);
    if (points || (both && points_have_room(plan, curve, radius)))
        draw_points(canvas, plan, curve, radius);
}

void plot_band_draw(Canvas *canvas, const PlotPlan *plan, const PlotBand *band) {
    if (band->count < 1 || plan->area.w < 1 || plan->area.h < 1) return;
    Arena scratch = *canvas->arena;
    Slices low = slices_new(&scratch, plan->area.w, 1, 0);
    Slices high = slices_new(&scratch, plan->area.w, 1, 0);
    Points points = {band->count, band->x, band->first, band->step, band->low, 1};
    trace_points(&low, plan, &points);
    points.y = band->high;
    trace_points(&high, plan, &points);
    for (int i = 0; i < low.count; i++) high.bottom[i] = low.bottom[i];
    Canvas here = *canvas;
    here.arena = &scratch;
    fill(&here, &high, plan->area, color_mix(canvas->theme->bg, band->color, BAND_SHARE));
}
