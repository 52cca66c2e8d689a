/* Two maps of the same rows and columns side by side on one scale: the weights of both are drawn
 * from 0 to 1, whatever range is chosen, so that the same number has the same colour in both. */
#ifndef SCENE_PAIR_H
#define SCENE_PAIR_H

#include "base/table.h"
#include "draw/canvas.h"
#include "scene/panels.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct Pair {
    const char *caption;        /* over both */
    const char *facts;          /* the line under both */
    const char *titles[2];      /* over each */
    const Table *sides[2];      /* of one shape */
    const Table *both;          /* whose notes stand below; columns of the left, then the right */
    int notes;                  /* only so many of them; 0: all, -1: none */
    const View *view;           /* a chosen cell counts columns as both does */
    const uint8_t *marked;      /* on the right side; NULL: none */
    const PlotFigure *below[2]; /* one under each map, where there is room; NULL: none */
} Pair;

void pair_draw(Canvas *canvas, Rect rect, const Pair *pair);
void pair_natural(Canvas *canvas, const Pair *pair, int *width, int *height);

/* The cell of `both` at a point. */
bool pair_locate(Canvas *canvas, Rect rect, const Pair *pair, int x, int y, Cell *cell);

/* The lines for the PNG's note: the left map's, and the right one's beside it. */
const char *pair_geometry(Canvas *canvas, Rect rect, const Pair *pair, Arena *arena);

#endif
