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
#include "scene/figure.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct PlotFigure {
    const char *caption; /* bold at the top */
    const char *facts;   /* the line under the plot; NULL: none */
    const Plot *plot;
    const int *curve_columns; /* the table's column of each curve; NULL: its number */
    const Dial *dials;        /* in a row above the plot */
    int dial_count;
    const Cell *dial_cells; /* [dial_count] the cell that a dial stands for; NULL: none */
    const Table *table;     /* its notes stand below; NULL: none */
    bool brief;             /* no facts and no notes: for a figure at the side */
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

/* Where a dial of a figure drawn into rect stands; false while there is no room for dials. */
bool plot_figure_dial(Canvas *canvas, Rect rect, const PlotFigure *figure, int dial, Rect *place);

/* Lines for the PNG's note, as plot_geometry has them. */
const char *plot_figure_geometry(Canvas *canvas, Rect rect, const PlotFigure *figure, Arena *arena);

/* The part of an axis from low to high that the view's zoom and pan leave; x: across, else down. */
PlotAxis panels_zoomed(PlotAxis axis, const View *view, bool across);

/* One of the figures of a scene: a plot, or a heatmap when curves.plot is NULL. Where the first is
 * one of a pair of maps, the pair is all that is drawn; matrix is the map on its right. */
typedef struct Panel {
    PlotFigure curves;
    Figure matrix;
    const struct Pair *pair;
} Panel;

enum { PANELS_MAX = 4 };

/* The first panel large and the others small in a column on its right, when the place leaves the
 * first one large enough; else the first alone. The small ones should be brief. */
void panels_draw(Canvas *canvas, Rect rect, const Panel *panels, int count);

/* How many panels stand beside the first in rect. */
int panels_beside(const Canvas *canvas, Rect rect, const Panel *panels, int count);

/* The cell of the first panel at a point: of a curve, the point as row and the curve as column. */
bool panels_locate(Canvas *canvas, Rect rect, const Panel *panels, int count, int x, int y,
                   Cell *cell);

/* Lines for the PNG's note about the first panel. */
const char *panels_geometry(Canvas *canvas, Rect rect, const Panel *panels, int count,
                            Arena *arena);

/* Natural size in pixels of the canvas; panels_size is for what may be a pair. */
void panels_natural(const Canvas *canvas, int count, int *width, int *height);
void panels_size(Canvas *canvas, const Panel *panels, int count, int *width, int *height);
/* The width with which a first panel of that width has the others beside it. */
int panels_width(const Canvas *canvas, int first);

/* The functions of a scene of several panels, from its
 * `static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list)`,
 * which returns how many of PANELS_MAX it has written; PANELS_ROWS names them in the scene's table.
 */
#define PANELS_FUNCTIONS                                                                           \
    static void draw(const SceneState *state, Canvas *canvas, Rect rect) {                         \
        Panel list[PANELS_MAX];                                                                    \
        int count = panels(state, canvas->theme, canvas->arena, list);                             \
        panels_draw(canvas, rect, list, count);                                                    \
    }                                                                                              \
    static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {        \
        Panel list[PANELS_MAX];                                                                    \
        int count = panels(state, canvas->theme, canvas->arena, list);                             \
        panels_size(canvas, list, count, width, height);                                           \
    }                                                                                              \
    static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y,           \
                       Cell *cell) {                                                               \
        Panel list[PANELS_MAX];                                                                    \
        int count = panels(state, canvas->theme, canvas->arena, list);                             \
        return panels_locate(canvas, rect, list, count, x, y, cell);                               \
    }                                                                                              \
    static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect,                \
                                Arena *arena) {                                                    \
        Panel list[PANELS_MAX];                                                                    \
        int count = panels(state, canvas->theme, arena, list);                                     \
        return panels_geometry(canvas, rect, list, count, arena);                                  \
    }

#define PANELS_ROWS .draw = draw, .natural = natural, .locate = locate, .geometry = geometry

#endif
