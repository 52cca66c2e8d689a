/* What one query listens to, below a map: its keys as running text shaded by their weights, and the
 * strongest of them as bars; side by side where there is room, else one above the other. */
#ifndef SCENE_HEARD_H
#define SCENE_HEARD_H

#include "base/table.h"
#include "draw/canvas.h"
#include "scene/figure.h"

typedef struct Heard {
    const Table *table;
    int row;          /* the query */
    int column;       /* a chosen key, -1 none */
    const char *text; /* what the keys are: "the review" */
} Heard;

/* Height in pixels in a figure so large. */
int heard_height(Canvas *canvas, int width, int height, const Heard *heard);

void heard_draw(Canvas *canvas, const Heard *heard, const FigureBelow *below);

/* The key at a point, -1 none. */
int heard_at(Canvas *canvas, const Heard *heard, const FigureBelow *below, int x, int y);

#endif
