/* Curves over positions: axes with ticks and a hairline grid, several curves with their hues,
 * labels at their ends, bands, dashed markers, shaded zones. The plan says where everything is;
 * drawing, hit-testing and the PNG's note read the same plan. A curve is rasterised column by
 * column, so that its cost follows the width of the picture and not the number of its points. */
#ifndef DRAW_PLOT_H
#define DRAW_PLOT_H

#include "base/arena.h"
#include "draw/canvas.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum PlotShape {
    PLOT_LINE,
    PLOT_DASHED,
    PLOT_POINTS,     /* a disc at every point */
    PLOT_LINE_POINTS /* both */
} PlotShape;

/* What a curve is between its points: middle + amplitude cos(frequency x + phase), drawn exactly
 * however few pixels a turn has. A sine is a cosine with a phase of -pi/2. */
typedef struct PlotWave {
    double amplitude, frequency, phase, middle;
} PlotWave;

typedef struct PlotCurve {
    const char *name;  /* what a hit is called: "pair 0"; may be NULL */
    const char *label; /* at the end of the curve, in its colour; NULL: none */
    const char *note;  /* behind the label in dim mono: "λ 6.28 · 15.9 turns"; NULL: none */
    Color color;
    PlotShape shape;
    double width; /* of the line, or radius of the discs, at scale 1; 0: the usual one */
    int count;    /* points */
    /* Places of the points: x[i], rising; or first + i * step when x is NULL. */
    const double *x;
    double first, step;
    const float *y;       /* y[i * stride]; what is not finite leaves a gap */
    size_t stride;        /* 0: 1 */
    const PlotWave *wave; /* NULL: straight lines between the points */
    bool quiet;           /* only to compare with: it cannot be pointed at */
} PlotCurve;

/* The area between two curves over the same places as a PlotCurve has them. */
typedef struct PlotBand {
    const char *label; /* at its end; NULL: none */
    Color color;       /* mixed with the ground */
    int count;
    const double *x;
    double first, step;
    const float *low, *high; /* [count] */
} PlotBand;

/* A vertical dashed line with a label above the area. */
typedef struct PlotMarker {
    double x;
    const char *label; /* NULL: none */
    Color color;
} PlotMarker;

/* A part of the x axis: its ground is shaded (unless plain) and its label stands above the area:
 * "trained", "beyond". */
typedef struct PlotZone {
    double from, to;
    const char *label; /* NULL: none */
    bool plain;
    const char *brief; /* the label where there is no room for all of it; NULL: it is cut */
} PlotZone;

typedef struct PlotAxis {
    const char *name; /* at the end of the axis: "position"; NULL: none */
    double low, high; /* both 0: from the curves and bands, with some air */
    bool log;         /* values at or below 0 have no place */
    bool whole;       /* ticks at whole numbers only */
} PlotAxis;

typedef struct Plot {
    const char *title; /* small and dim above the area: "cos(pos · θ), one curve a pair"; NULL */
    PlotAxis x, y;
    const PlotCurve *curves;
    int curve_count;
    const PlotBand *bands;
    int band_count;
    const PlotMarker *markers;
    int marker_count;
    const PlotZone *zones;
    int zone_count;
    bool last_on_top; /* else the first curve lies over the others; quiet ones lie below */
    int chosen_curve, chosen_point; /* a ring there; -1: none. Zero is a choice: set them. */
} Plot;

enum { PLOT_TICKS_MAX = 24 };

typedef struct PlotScale {
    double low, high; /* values at the ends of the axis */
    bool log;
    int start, length; /* pixels: start is where low lies; y runs upwards, so start is the bottom */
    int tick_count;
    double ticks[PLOT_TICKS_MAX]; /* rising */
    double tick_step;             /* between two of them, linear axes */
} PlotScale;

typedef struct PlotPlan {
    Rect rect; /* all that was given */
    Rect area; /* inside the axes */
    PlotScale x, y;
    int label_width; /* of the end labels, right of the area */
} PlotPlan;

typedef struct PlotHit {
    int curve, point;
    double x, y; /* of that point */
} PlotHit;

PlotPlan plot_plan(Canvas *canvas, Rect rect, const Plot *plot);
void plot_draw(Canvas *canvas, const PlotPlan *plan, const Plot *plot);

/* The point of a curve nearest to a place of the canvas: in the area the nearest curve at the
 * nearest position, however far it is up or down, so that a hand need not be exact; on an end
 * label, the last point of that curve. False outside and when there is no curve. */
bool plot_locate(Canvas *canvas, const PlotPlan *plan, const Plot *plot, int x, int y,
                 PlotHit *hit);

/* Pixels of a value, and back. A value without a place (log of 0) is NaN. */
double plot_place(const PlotScale *scale, double value);
double plot_value(const PlotScale *scale, double place);

/* The hue of one curve of count: from the accent through violet to blue, as far apart as count
 * allows, legible on the theme's ground. faint: the same hue nearer to the ground, for the partner
 * of a pair. */
Color plot_hue(const Theme *theme, int index, int count);
Color plot_faint(const Theme *theme, Color color);

/* Lines for a PNG's note: "plot X Y W H", "axis x LOW HIGH linear|log", "axis y LOW HIGH
 * linear|log", "curve RRGGBB NAME" for each curve, each ended by a newline. */
const char *plot_geometry(const PlotPlan *plan, const Plot *plot, Arena *arena);

#endif
