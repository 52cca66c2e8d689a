/* What several scenes draw: a caption, a table as a heatmap, one line that names mask, scale and
 * range, and the table's notes. Drawing, hit-testing, natural size and the PNG's geometry read the
 * same plan. */
#ifndef SCENE_FIGURE_H
#define SCENE_FIGURE_H

#include "base/arena.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "draw/heatmap.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct Figure {
    const char
        *caption;      /* bold at the top: "Raw self-attention: weights after softmax · no mask" */
    const char *facts; /* begins the line under the heatmap: "mask: none · scale: 1/√384"; NULL:
                          only the scale; "": no such line */
    const Table *table;
    const View *view;
    bool brief;      /* no notes, right under its caption: a small figure at the side of another */
    int notes;       /* only so many of the table's notes; 0: all, -1: none */
    unsigned states; /* bit 1 << CellState for what the legend explains besides what occurs */
    const uint8_t *marked; /* the table's shape: cells with a frame in the accent; NULL: none */
    int framed_from, framed_rows; /* one frame in the accent around so many rows; 0: none */
    int below; /* pixels under the heatmap that stay free for what the scene draws there itself */
} Figure;

/* Air around what a figure draws, at scale 1. It lies inside the figure, so that an export of it
 * alone has air around it. */
enum { FIGURE_MARGIN = 12 };

void figure_draw(Canvas *canvas, Rect rect, const Figure *figure);

/* Size in pixels of the canvas that lets every cell carry its number, up to a limit. */
void figure_natural(Canvas *canvas, const Figure *figure, int *width, int *height);

/* The cell at a point, for a figure drawn into rect. */
bool figure_locate(Canvas *canvas, Rect rect, const Figure *figure, int x, int y, Cell *cell);

/* Lines for the PNG's note, as heatmap_geometry has them, for a figure drawn into rect. */
const char *figure_geometry(Canvas *canvas, Rect rect, const Figure *figure, Arena *arena);

/* What the scene needs to draw below the heatmap of a figure in rect: the place that stays free,
 * and the heatmap's colours. */
typedef struct FigureBelow {
    Rect place;
    HeatmapPlan heatmap;
    HeatmapStyle style;
} FigureBelow;
FigureBelow figure_below(Canvas *canvas, Rect rect, const Figure *figure);

/* How a view has a table drawn; a frame in the accent around each cell of a table that is marked
 * (its shape; NULL: none). For what draws heatmaps of its own. */
HeatmapStyle figure_style(const View *view, const Table *table);
void figure_marks(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const uint8_t *marked);

/* The functions of a scene that shows one figure, from its
 * `static Figure figure(const SceneState *state, Arena *arena)`; FIGURE_ROWS names them in the
 * scene's table. */
#define FIGURE_FUNCTIONS                                                                           \
    static void draw(const SceneState *state, Canvas *canvas, Rect rect) {                         \
        Figure shown = figure(state, canvas->arena);                                               \
        figure_draw(canvas, rect, &shown);                                                         \
    }                                                                                              \
    static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {        \
        Figure shown = figure(state, canvas->arena);                                               \
        figure_natural(canvas, &shown, width, height);                                             \
    }                                                                                              \
    static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y,           \
                       Cell *cell) {                                                               \
        Figure shown = figure(state, canvas->arena);                                               \
        return figure_locate(canvas, rect, &shown, x, y, cell);                                    \
    }                                                                                              \
    static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect,                \
                                Arena *arena) {                                                    \
        Figure shown = figure(state, arena);                                                       \
        return figure_geometry(canvas, rect, &shown, arena);                                       \
    }                                                                                              \
    static const char *figure_caption(const SceneState *state, Arena *arena) {                     \
        return figure(state, arena).caption;                                                       \
    }

#define FIGURE_ROWS                                                                                \
    .draw = draw, .natural = natural, .locate = locate, .geometry = geometry,                      \
    .caption = figure_caption

#endif
