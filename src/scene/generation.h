/* Attention weights as a model leaves them that writes token by token: a square for the prompt,
 * then a row or a few for each step, one key longer each time. Together they are one square. */
#ifndef SCENE_GENERATION_H
#define SCENE_GENERATION_H

#include "base/arena.h"
#include "base/err.h"
#include "model/safetensors.h"
#include "scene/typed.h"

#include <stdbool.h>

/* Whether the tensors may be such a run: several, each of three or four dimensions and with a
 * number at the end of its name. */
bool generation_is(const SafeFile *file);

/* tensors in the order of the numbers at the end of their names: [layers, heads, p, p] of the
 * prompt, then [layers, heads, rows, keys] of each step, where keys are all tokens up to the last
 * of its rows; or the same without layers. What a row has no key for is missing, not zero. layer
 * and head choose a matrix; matrix->note says what it was made of. Errors: tensors that do not fit
 * together, with the shape wanted and found; a layer or head that is not there; more than
 * TYPED_SIDE_MAX tokens. */
bool generation_matrix(const SafeFile *file, int layer, int head, Arena *arena, TypedMatrix *matrix,
                       Err *err);

#endif
