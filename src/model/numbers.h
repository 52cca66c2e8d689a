/* Numbers from a file, whatever its format: NPY, safetensors, or text (CSV, TSV, rows as they are
 * typed). The format is told by the first bytes, never by the name. */
#ifndef MODEL_NUMBERS_H
#define MODEL_NUMBERS_H

#include "base/grid.h"
#include "model/npy.h"
#include "model/safetensors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum NumbersFormat { NUMBERS_TEXT, NUMBERS_NPY, NUMBERS_SAFETENSORS } NumbersFormat;

typedef struct Numbers {
    NumbersFormat format;
    int rank; /* of text always 2 */
    int64_t shape[NPY_RANK_MAX];
    Grid grid; /* of text */
    Npy npy;
    SafeTensor tensor;
    size_t beyond; /* finite numbers beyond float32, which become the ends of its range */
} Numbers;

/* bytes, behind which stands a NUL, must outlive numbers. tensor names one of a safetensors file;
 * NULL is right when there is only one. limit is the most rows and columns of text. Errors: those
 * of the formats; a tensor that is not there, or one of several that was not named (their names are
 * said); archives and pickles, with what to do instead. */
bool numbers_parse(const uint8_t *bytes, size_t length, const char *tensor, int limit, Arena *arena,
                   Numbers *numbers, Err *err);

/* Whether the first bytes are those of safetensors. */
bool numbers_is_safetensors(const uint8_t *bytes, size_t length);

/* Elements first .. first + count - 1, the last index running fastest, as float32: in place where
 * they lie as float32 already, else in arena. */
const float *numbers_floats(const Numbers *numbers, size_t first, size_t count, Arena *arena);

/* "[2, 3, 5]"; "[]" for a single number. */
const char *numbers_shape(const Numbers *numbers, Arena *arena);

#endif
