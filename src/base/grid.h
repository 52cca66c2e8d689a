/* Matrices as text: rows that a person types, and tables of fields (CSV, TSV) as programs write
 * them. */
#ifndef BASE_GRID_H
#define BASE_GRID_H

#include "base/arena.h"
#include "base/err.h"
#include "base/label.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Grid {
    int rows, columns;
    float *values;    /* [rows, columns] */
    uint8_t *missing; /* the same shape, 1 where a field is empty; NULL: none is */
    const LabelBytes *row_labels, *column_labels; /* NULL: the text has none */
} Grid;

/* Reads all of text, which is valid UTF-8: "1 2 3; 0 0 0". Numbers are parted by blanks or commas,
 * rows by a semicolon or a new line. "nan", "inf" and "-inf" are numbers too; a row without
 * numbers is passed over, so that a text may end with a semicolon or a new line. Errors name the
 * line and the column, both counted from 1 (columns in characters): no number, none between two
 * commas, too large for float32, rows of different length, more than limit rows or columns, nothing
 * at all; and semicolons in a text of several lines that look like a table's. */
bool grid_parse(const char *text, int limit, Arena *arena, Grid *grid, Err *err);

/* What parts the fields of a table: a comma, or a tab where there is no comma or only tabs are as
 * many in every line ("," may be a token's label); '\0' for rows as they are typed (with a
 * semicolon, or with neither). What stands in quotes does not count. */
char grid_separator(const char *text);

/* Reads a table of fields (RFC 4180; blanks around a field are dropped). Empty lines are passed
 * over. A first row of nothing but words, or of fields in quotes, labels the columns; such a first
 * column labels the rows. Where the first field is empty, or "query" as heed writes it, both do,
 * whatever is in them. An empty field is missing. Errors as grid_parse, and quotes that do not
 * close. */
bool grid_parse_fields(const char *text, char separator, int limit, Arena *arena, Grid *grid,
                       Err *err);

/* Whether length bytes at text are a number, if perhaps too large a one for float32. */
bool grid_is_number(const char *text, size_t length);

/* The number in length bytes at text, which stand at line and column. */
bool grid_number(const char *text, size_t length, int line, int column, float *value, Err *err);

#endif
