/* What a person types into a knob: a matrix of numbers, a list of labels; or "@FILE" for either. */
#ifndef SCENE_TYPED_H
#define SCENE_TYPED_H

#include "base/arena.h"
#include "base/err.h"
#include "base/grid.h"
#include "base/label.h"
#include "scene/stage.h"

#include <stdbool.h>

/* value: one matrix, or a row of numbers, of at most limit rows and columns: as grid_parse reads
 * them, or "@FILE" in any format of model/numbers.h. name is the knob's, for errors. */
bool typed_grid(const char *name, const char *value, int limit, Arena *arena, Grid *grid, Err *err);

enum { TYPED_SIDE_MAX = 4096 };

/* The path in "FILE#NAME", in arena; all of it when there is a file of that whole name. *tensor is
 * NULL without a name. */
const char *typed_path(const char *file, Arena *arena, const char **tensor);

/* One matrix of what a knob holds. */
typedef struct TypedMatrix {
    int layers, heads; /* how many the knob's numbers have: 1 of what they have not */
    int rows, columns;
    const float *values;    /* [rows, columns] */
    const uint8_t *missing; /* the same shape, 1 where a field of a table is empty; NULL: none is */
    const LabelBytes *row_labels, *column_labels; /* of a table that has them; else NULL */
    const char *note; /* a whole sentence: what it was put together from, or what float32 made of
                         its largest numbers; else NULL */
} TypedMatrix;

/* value: numbers as grid_parse reads them; "@FILE" with numbers in any format of model/numbers.h;
 * "@FILE#NAME" for one tensor of several; or "@FILE" with the tensors of a run that wrote token by
 * token, which scene/generation.h puts together. Shapes are [rows, columns], [heads, rows, columns]
 * and [layers, heads, rows, columns]; layer and head choose a matrix. name is the knob's, for
 * errors. Errors: those of the files; another rank, no elements or too many (the shape is said); a
 * layer or head that is not there, where there are several. */
bool typed_matrix(const char *name, const char *value, int layer, int head, Stage *stage,
                  Arena *arena, TypedMatrix *matrix, Err *err);

/* count labels for the rows or columns (what: "row") of a matrix. value: "" for 0, 1, 2 ...; a list
 * parted by spaces, in which \s is a space, \n a new line, \t a tab, \e an empty token, \xE6 a byte
 * and \\ a backslash; or "@FILE" with one a line, taken as they are. Errors: another number of
 * labels than rows, unknown escapes, an unreadable file. */
bool typed_labels(const char *name, const char *value, const char *what, int count, Stage *stage,
                  Arena *arena, const Label **labels, Err *err);

#endif
