/* Two maps of the same queries and keys, and what lies between them, as a figure of three: all in a
 * row where there is room, else the difference below the left one and the notes beside it. */
#ifndef SCENE_COMPARED_H
#define SCENE_COMPARED_H

#include "base/arena.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct Compared {
    const char *caption, *facts; /* over and below all */
    const Table *sides[2];       /* of one shape; their titles stand above them */
    const Table *apart;          /* the left one minus the right one */
    const View *view;            /* a chosen cell is chosen in all three */
} Compared;

void compared_draw(Canvas *canvas, Rect rect, const Compared *three);
void compared_natural(Canvas *canvas, const Compared *three, int *width, int *height);

/* The cell at a point of any of the three. */
bool compared_locate(Canvas *canvas, Rect rect, const Compared *three, int x, int y, Cell *cell);

/* The left map's lines for the PNG's note. */
const char *compared_geometry(Canvas *canvas, Rect rect, const Compared *three, Arena *arena);

#endif
