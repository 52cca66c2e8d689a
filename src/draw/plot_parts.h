/* What the files of the plot share and nobody else needs. */
#ifndef DRAW_PLOT_PARTS_H
#define DRAW_PLOT_PARTS_H

#include "draw/font.h"
#include "draw/layer.h"
#include "draw/plot.h"

/* plot_scale.c: the ends of an axis and its ticks. */

/* Sets low, high and log of both scales from the axes and the numbers. */
void plot_scales(PlotPlan *plan, const Plot *plot);
/* Fills the ticks of a scale whose length is set, at least room pixels apart. */
void plot_ticks(PlotScale *scale, const PlotAxis *axis, int room);
/* The text of a tick. */
const char *plot_tick_text(const PlotScale *scale, double value, Arena *arena);

double plot_point_x(const PlotCurve *curve, int point);
double plot_point_y(const PlotCurve *curve, int point);

/* plot_curve.c: coverage by columns. */
void plot_curve_draw(Canvas *canvas, const PlotPlan *plan, const PlotCurve *curve);
void plot_band_draw(Canvas *canvas, const PlotPlan *plan, const PlotBand *band);

/* plot_key.c: what the still part of a plot, all but its markers, zone labels and chosen point,
 * depends on. */
LayerKey plot_key(const Canvas *canvas, const PlotPlan *plan, const Plot *plot, Arena *arena);

/* plot_labels.c */

/* Moves places[count], rising, as little as it takes to have them gap apart within low..high; when
 * there is no room for that, as far apart as there is. */
void plot_spread(double *places, int count, double gap, double low, double high, Arena scratch);
/* Pixels that the labels at the ends need, 0 when there are none. */
int plot_labels_width(Canvas *canvas, const Plot *plot);
void plot_labels_draw(Canvas *canvas, const PlotPlan *plan, const Plot *plot);
/* The curve whose end label is at a point, -1 none. */
int plot_label_at(Canvas *canvas, const PlotPlan *plan, const Plot *plot, int x, int y);

#endif
