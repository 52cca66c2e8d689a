/* What scenes of curves draw: a caption, a row of dials, a plot, one line of facts and the table's
 * notes, like a Figure with a plot instead of a heatmap; and the places of two or three figures
 * that stand side by side where there is room for them. */
#ifndef SCENE_PANELS_H
#define SCENE_PANELS_H

#include "base/arena.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "draw/dial.h"
#include "draw/plot.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct PlotFigure {
    const char *caption; /* bold at the top */
    const char *facts;   /* the line under the plot; NULL: none */
    const Plot *plot;
    const Dial *dials; /* in a row above the plot */
    int dial_count;
    const Table *table; /* its notes stand below; NULL: none */
    bool brief;         /* no facts and no notes: for a figure at the side */
} PlotFigure;

void plot_figure_draw(Canvas *canvas, Rect rect, const PlotFigure *figure);

/* What is at a point of a figure drawn into rect: a point of a curve, or a dial (then hit.curve is
 * -1). False where there is neither. */
typedef struct PlotFigureHit {
    PlotHit hit;
    int dial; /* -1: none */
} PlotFigureHit;
bool plot_figure_locate(Canvas *canvas, Rect rect, const PlotFigure *figure, int x, int y,
                        PlotFigureHit *found);

/* Lines for the PNG's note, as plot_geometry has them. */
const char *plot_figure_geometry(Canvas *canvas, Rect rect, const PlotFigure *figure, Arena *arena);

/* The part of an axis from low to high that the view's zoom and pan leave; x: across, else down. */
PlotAxis panels_zoomed(PlotAxis axis, const View *view, bool across);

/* Cuts rect into a large place for the main figure and up to count smaller ones in a column on its
 * right. Returns how many of those there is room for: none when the main one would become too
 * small, and then main is all of rect. */
int panels_split(const Canvas *canvas, Rect rect, int count, Rect *main, Rect side[]);

/* Natural size of a figure of curves, with a side column or without, in pixels of the canvas. */
void panels_natural(const Canvas *canvas, bool side, int *width, int *height);

#endif
