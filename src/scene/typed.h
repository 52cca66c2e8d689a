/* What a person types into a knob: a matrix of numbers, a list of labels; or "@FILE" for either. */
#ifndef SCENE_TYPED_H
#define SCENE_TYPED_H

#include "base/arena.h"
#include "base/err.h"
#include "base/grid.h"
#include "base/label.h"

#include <stdbool.h>

/* value: numbers as grid_parse reads them, or "@FILE" with such numbers. name is the knob's, for
 * errors. */
bool typed_grid(const char *name, const char *value, int limit, Arena *arena, Grid *grid, Err *err);

/* count labels for the rows or columns ("rows") of a matrix. value: "" for 0, 1, 2 ...; a list
 * parted by spaces, in which \s is a space, \n a new line, \t a tab, \e an empty token, \xE6 a byte
 * and \\ a backslash; or "@FILE" with one a line, taken as they are. Errors: another number of
 * labels than rows, unknown escapes, an unreadable file. */
bool typed_labels(const char *name, const char *value, const char *what, int count, Arena *arena,
                  const Label **labels, Err *err);

#endif
