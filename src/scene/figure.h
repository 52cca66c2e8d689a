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

void figure_draw(const Figure *figure, Canvas *canvas, Rect rect);

/* Size in pixels of the canvas that lets every cell carry its number, up to a limit. */
void figure_natural(const Figure *figure, Canvas *canvas, int *width, int *height);

/* The cell at a point, for a figure drawn into rect. */
bool figure_locate(const Figure *figure, Canvas *canvas, Rect rect, int x, int y, Cell *cell);

/* Lines for the PNG's note, places relative to rect: "matrix X Y W H", "cell SIZE", "pool N",
 * "shown ROW COLUMN ROWS COLUMNS", "range LOW HIGH" and "scale linear|log", "palette NAME". */
const char *figure_geometry(const Figure *figure, Canvas *canvas, Rect rect, Arena *arena);

#endif
