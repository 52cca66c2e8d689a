/* Labels at the ends of the curves, each beside its curve as far as the others leave room. When
 * there are more than fit, the last line says how many are not written. */
#include "draw/plot_parts.h"

#include <math.h>
#include <stdlib.h>

enum { LABEL_GAP = 8, LABEL_LEFT = 8, LABEL_NARROWEST = 48 };

/* Least squares under "rising by at least gap": neighbours that are too close become a group, which
 * stands where its members are on the mean. */
void plot_spread(double *places, int count, double gap, double low, double high, Arena scratch) {
    if (count < 1) return;
    if (count > 1 && gap * (count - 1) > high - low) gap = (high - low) / (count - 1);
    double *mean = ARENA_ARRAY(&scratch, double, count);
    int *size = ARENA_ARRAY(&scratch, int, count), groups = 0;
    for (int i = 0; i < count; i++) {
        mean[groups] = places[i] - i * gap;
        size[groups++] = 1;
        while (groups > 1 && mean[groups - 2] >= mean[groups - 1]) {
            int a = size[groups - 2], b = size[groups - 1];
            mean[groups - 2] = (mean[groups - 2] * a + mean[groups - 1] * b) / (a + b);
            size[groups - 2] = a + b;
            groups--;
        }
    }
    double highest = high - (count - 1) * gap;
    for (int g = 0, i = 0; g < groups; g++)
        for (int n = 0; n < size[g]; n++, i++)
            places[i] = fmin(fmax(mean[g], low), highest) + i * gap;
}

/* In the colour of the curve, brought nearer to the ink when it is too pale for small type. */
static TextStyle label_style(const Canvas *canvas, const PlotCurve *curve) {
    const Theme *theme = canvas->theme;
    Color color = curve->color;
    for (int i = 0; i < 10 && color_contrast(color, theme->bg) < 4.5; i++)
        color = color_mix(color, theme->ink, 0.15);
    return (TextStyle){FONT_BOLD, FONT_SMALL, color};
}

static TextStyle note_style(const Canvas *canvas) {
    return (TextStyle){FONT_MONO, FONT_SMALL, canvas->theme->dim};
}

/* Where the notes begin, beside the widest label that has one, so that they stand in a column. */
static int notes_left(Canvas *canvas, const Plot *plot) {
    int left = 0;
    for (int i = 0; i < plot->curve_count; i++) {
        const PlotCurve *curve = &plot->curves[i];
        if (!curve->label || !curve->note) continue;
        int width = font_width(canvas, label_style(canvas, curve), curve->label);
        if (width > left) left = width;
    }
    return left ? left + canvas_px(canvas, LABEL_GAP) : 0;
}

int plot_labels_width(Canvas *canvas, const Plot *plot) {
    int widest = 0, left = notes_left(canvas, plot);
    for (int i = 0; i < plot->curve_count; i++) {
        const PlotCurve *curve = &plot->curves[i];
        int width = 0;
        if (curve->note)
            width = left + font_width(canvas, note_style(canvas), curve->note);
        else if (curve->label)
            width = font_width(canvas, label_style(canvas, curve), curve->label);
        if (width > widest) widest = width;
    }
    for (int i = 0; i < plot->band_count; i++) {
        TextStyle style = {FONT_UI, FONT_SMALL, canvas->theme->dim};
        const char *label = plot->bands[i].label;
        int width = label ? font_width(canvas, style, label) : 0;
        if (width > widest) widest = width;
    }
    return widest ? widest + canvas_px(canvas, LABEL_LEFT) : 0;
}

typedef struct EndLabel {
    int curve; /* bands follow the curves */
    double end, place;
} EndLabel;

static int by_end(const void *a, const void *b) {
    const EndLabel *left = a, *right = b;
    if (left->end != right->end) return left->end < right->end ? -1 : 1;
    return left->curve - right->curve;
}

/* Where a curve leaves the area on the right. */
static double curve_end(const PlotPlan *plan, const PlotCurve *curve) {
    double right = plan->area.x + plan->area.w + 0.5;
    for (int i = curve->count - 1; i >= 0; i--) {
        double y = plot_place(&plan->y, plot_point_y(curve, i));
        if (isfinite(y) && plot_place(&plan->x, plot_point_x(curve, i)) <= right) return y;
    }
    return plan->area.y + plan->area.h / 2.0;
}

static double band_end(const PlotPlan *plan, const PlotBand *band) {
    for (int i = band->count - 1; i >= 0; i--) {
        double middle = ((double)band->low[i] + (double)band->high[i]) / 2;
        double y = plot_place(&plan->y, middle);
        if (isfinite(y)) return y;
    }
    return plan->area.y + plan->area.h / 2.0;
}

/* The labels from top to bottom with their middles; returns how many there are. */
static int place_labels(Canvas *canvas, const PlotPlan *plan, const Plot *plot, EndLabel **labels) {
    Arena *scratch = canvas->arena;
    int count = 0, line = font_height(canvas, note_style(canvas));
    *labels = ARENA_ARRAY(scratch, EndLabel, plot->curve_count + plot->band_count);
    for (int i = 0; i < plot->curve_count; i++)
        if (plot->curves[i].label || plot->curves[i].note)
            (*labels)[count++] = (EndLabel){i, curve_end(plan, &plot->curves[i]), 0};
    for (int i = 0; i < plot->band_count; i++)
        if (plot->bands[i].label)
            (*labels)[count++] =
                (EndLabel){plot->curve_count + i, band_end(plan, &plot->bands[i]), 0};
    qsort(*labels, (size_t)count, sizeof **labels, by_end);
    double *places = ARENA_ARRAY(scratch, double, count);
    for (int i = 0; i < count; i++) places[i] = (*labels)[i].end;
    plot_spread(places, count, line, plan->area.y, plan->area.y + plan->area.h, *scratch);
    for (int i = 0; i < count; i++) (*labels)[i].place = places[i];
    return count;
}

/* left: where the notes begin. */
static void draw_label(Canvas *canvas, const PlotPlan *plan, const Plot *plot,
                       const EndLabel *label, int left) {
    int line = font_height(canvas, note_style(canvas));
    int x = plan->area.x + plan->area.w + canvas_px(canvas, LABEL_LEFT);
    int room = plan->label_width - canvas_px(canvas, LABEL_LEFT);
    int y = (int)lround(label->place - line / 2.0);
    if (label->curve >= plot->curve_count) {
        TextStyle style = {FONT_UI, FONT_SMALL, canvas->theme->dim};
        font_draw_in(canvas, style, (Rect){x, y, room, line}, TEXT_LEFT,
                     plot->bands[label->curve - plot->curve_count].label);
        return;
    }
    const PlotCurve *curve = &plot->curves[label->curve];
    if (curve->label)
        font_draw_in(canvas, label_style(canvas, curve), (Rect){x, y, room, line}, TEXT_LEFT,
                     curve->label);
    if (curve->note && room - left >= canvas_px(canvas, LABEL_NARROWEST))
        font_draw_in(canvas, note_style(canvas), (Rect){x + left, y, room - left, line}, TEXT_LEFT,
                     curve->note);
}

/* How many labels there is room for; the last line is for the rest of them. */
static int labels_fitting(Canvas *canvas, const PlotPlan *plan, int count) {
    int lines = plan->area.h / font_height(canvas, note_style(canvas)) + 1;
    if (count <= lines) return count;
    return lines > 1 ? lines - 1 : 0;
}

void plot_labels_draw(Canvas *canvas, const PlotPlan *plan, const Plot *plot) {
    if (!plan->label_width) return;
    /* text is measured and drawn with the same scratch memory as the places */
    Arena scratch = *canvas->arena;
    Canvas here = *canvas;
    here.arena = &scratch;
    EndLabel *labels;
    int count = place_labels(&here, plan, plot, &labels);
    int fitting = labels_fitting(&here, plan, count);
    int line = font_height(&here, note_style(&here)), left = notes_left(&here, plot);
    if (fitting == count) {
        for (int i = 0; i < count; i++) draw_label(&here, plan, plot, &labels[i], left);
        return;
    }
    for (int i = 0; i < fitting; i++) {
        EndLabel label = labels[(size_t)i * (size_t)count / (size_t)fitting];
        label.place = plan->area.y + i * line;
        draw_label(&here, plan, plot, &label, left);
    }
    const char *rest = arena_printf(&scratch, "and %d more", count - fitting);
    font_draw(&here, (TextStyle){FONT_UI, FONT_SMALL, canvas->theme->dim},
              plan->area.x + plan->area.w + canvas_px(canvas, LABEL_LEFT),
              plan->area.y + fitting * line - line / 2, rest);
}

int plot_label_at(Canvas *canvas, const PlotPlan *plan, const Plot *plot, int x, int y) {
    int left = plan->area.x + plan->area.w;
    if (x < left || x >= left + plan->label_width) return -1;
    Arena scratch = *canvas->arena;
    Canvas here = *canvas;
    here.arena = &scratch;
    EndLabel *labels;
    int count = place_labels(&here, plan, plot, &labels);
    if (labels_fitting(&here, plan, count) < count) return -1;
    int line = font_height(&here, note_style(&here));
    for (int i = 0; i < count; i++)
        if (fabs(labels[i].place - y) <= line / 2.0)
            return labels[i].curve < plot->curve_count ? labels[i].curve : -1;
    return -1;
}
