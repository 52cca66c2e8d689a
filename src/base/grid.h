/* Typed numbers: "1 2 3; 0 0 0". Numbers are parted by blanks or commas, rows by a semicolon or a
 * new line. */
#ifndef BASE_GRID_H
#define BASE_GRID_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

typedef struct Grid {
    int rows, columns;
    float *values; /* [rows, columns] */
} Grid;

/* Reads all of text, which is valid UTF-8. "nan", "inf" and "-inf" are numbers too; a row without
 * numbers is passed over, so that a text may end with a semicolon or a new line. Errors name the
 * line and the column, both counted from 1 (columns in characters): no number, too large for
 * float32, rows of different length, more than limit rows or columns, nothing at all. */
bool grid_parse(const char *text, int limit, Arena *arena, Grid *grid, Err *err);

#endif
