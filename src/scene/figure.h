/* What several scenes draw: a caption, a table as a heatmap, one line that names mask, scale and
 * range, and the table's notes. Drawing, hit-testing, natural size and the PNG's geometry read the
 * same plan. */
#ifndef SCENE_FIGURE_H
#define SCENE_FIGURE_H

#include "base/arena.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct Figure {
    const char
        *caption;      /* bold at the top: "Raw self-attention: weights after softmax · no mask" */
    const char *facts; /* begins the line under the heatmap: "mask: none · scale: 1/√384"; NULL */
    const Table *table;
    const View *view;
} Figure;

void figure_draw(Canvas *canvas, Rect rect, const Figure *figure);

/* Size in pixels of the canvas that lets every cell carry its number, up to a limit. */
void figure_natural(Canvas *canvas, const Figure *figure, int *width, int *height);

/* The cell at a point, for a figure drawn into rect. */
bool figure_locate(Canvas *canvas, Rect rect, const Figure *figure, int x, int y, Cell *cell);

/* Lines for the PNG's note, as heatmap_geometry has them, for a figure drawn into rect. */
const char *figure_geometry(Canvas *canvas, Rect rect, const Figure *figure, Arena *arena);

#endif
