/* A table as a sheet of written numbers: a header, then a line a row, columns right-aligned in the
 * mono face. For numbers that a colour would tell little of; the words of each cell are the
 * scene's. */
#ifndef SCENE_SHEET_H
#define SCENE_SHEET_H

#include "base/table.h"
#include "draw/canvas.h"
#include "scene/scene.h"

#include <stdbool.h>

typedef struct Sheet {
    const Table *table;
    const char *const *words; /* [rows.count, columns.count], as written */
    int row, column;          /* chosen, in the accent; -1: none */
} Sheet;

/* Pixels of the canvas that all lines take. */
int sheet_height(Canvas *canvas, const Sheet *sheet);

void sheet_draw(Canvas *canvas, Rect rect, const Sheet *sheet);

/* The cell at a point, for a sheet drawn into rect. */
bool sheet_locate(Canvas *canvas, Rect rect, const Sheet *sheet, int x, int y, Cell *cell);

#endif
