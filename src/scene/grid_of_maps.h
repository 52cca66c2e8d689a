/* Small multiples: maps of one shape in a grid, such as the heads of a layer, on one shared colour
 * scale with one bar, or each on its own and saying so. Token labels stand once a row and once a
 * column of the grid; under each map, or at its side, stand lines of its own. */
#ifndef SCENE_GRID_OF_MAPS_H
#define SCENE_GRID_OF_MAPS_H

#include "base/arena.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "scene/scene.h"
#include "scene/split.h"
#include "scene/stage.h"

#include <stdbool.h>

enum { GRID_LINES = 2 };

typedef struct GridMap {
    const Table *table;            /* of the same shape as the others */
    const char *title;             /* above it: "head 0" */
    const char *lines[GRID_LINES]; /* below it, or beside it: "entropy 1.60" */
} GridMap;

typedef struct GridOfMaps {
    const char *caption; /* bold at the top */
    const char *facts;   /* the line under the maps */
    const GridMap *maps;
    int count;
    int columns;        /* of the grid; 0: as many as make the cells largest */
    int chosen;         /* the map that the scene's table holds; its title is in the accent */
    const Table *notes; /* its notes stand below */
    const Split *split; /* the strip of shapes under the caption; NULL: none */
    bool own_scales;    /* each map on its own scale, whatever the view's range */
    const View *view;
} GridOfMaps;

void grid_of_maps_draw(Canvas *canvas, Rect rect, const GridOfMaps *grid);
void grid_of_maps_natural(Canvas *canvas, const GridOfMaps *grid, int *width, int *height);
/* The cell at a point, in whichever map. */
bool grid_of_maps_locate(Canvas *canvas, Rect rect, const GridOfMaps *grid, int x, int y,
                         Cell *cell);
/* The same, and which map; -1 when there is no cell. */
int grid_of_maps_find(Canvas *canvas, Rect rect, const GridOfMaps *grid, int x, int y, Cell *cell);
/* Lines for the PNG's note: those of the chosen map, then the others' beside it. */
const char *grid_of_maps_geometry(Canvas *canvas, Rect rect, const GridOfMaps *grid, Arena *arena);

#endif
