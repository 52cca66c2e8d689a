/* What one query listens to, below a map: its keys as running text shaded by their weights, and the
 * strongest of them as bars; side by side where there is room, else one above the other. */
#ifndef SCENE_HEARD_H
#define SCENE_HEARD_H

#include "base/table.h"
#include "draw/canvas.h"
#include "scene/figure.h"

/* A figure smaller than this at scale 1 leaves its place to the map. */
enum { HEARD_NARROWEST = 460, HEARD_LOWEST = 440 };

typedef struct Heard {
    const Table *table;
    int row;          /* the query */
    int column;       /* a chosen key, -1 none */
    const char *text; /* what the keys are: "the review" */
} Heard;

/* Height in pixels in a figure so large; 0 where it is too small. */
int heard_height(Canvas *canvas, int width, int height, const Heard *heard);

/* The same in a figure so wide and as high as it takes for a map and texts of `map` pixels. */
int heard_natural(Canvas *canvas, int width, int map, const Heard *heard);

void heard_draw(Canvas *canvas, const Heard *heard, const FigureBelow *below);

/* The key at a point, -1 none. */
int heard_at(Canvas *canvas, const Heard *heard, const FigureBelow *below, int x, int y);

#endif
