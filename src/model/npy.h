/* NPY, the file format of one NumPy array: a magic, a version, the length of a header, the header
 * (a Python dictionary of three keys, read here without evaluating anything), and the numbers.
 * Source: the format's description in numpy/lib/format.py, versions 1.0, 2.0 and 3.0. */
#ifndef MODEL_NPY_H
#define MODEL_NPY_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_RANK_MAX = 32, NPY_HEADER_MAX = 10000, NPY_TYPE_MAX = 16 };

typedef struct Npy {
    char type[NPY_TYPE_MAX]; /* as the header has it: "<f4" */
    char kind;               /* f, i, u, or b for booleans */
    int size;                /* bytes an element: 1, 2, 4, 8; 16 for an x86 long double */
    bool big, fortran;       /* big-endian; the first index runs fastest */
    int rank;
    int64_t shape[NPY_RANK_MAX];
    size_t count;         /* elements, the product of shape */
    const uint8_t *bytes; /* count elements within the input, perhaps unaligned */
} Npy;

/* Whether the bytes begin as an NPY file does. */
bool npy_is(const uint8_t *bytes, size_t length);

/* bytes must outlive npy. One negative size of a shape is worked out from the file, as NumPy does;
 * bytes behind the numbers are passed over. Errors: no NPY, a version or header that is not one, an
 * element type that is no real number (objects, text, complex, dates, records: said by name), a
 * shape beyond the file. */
bool npy_parse(const uint8_t *bytes, size_t length, Npy *npy, Err *err);

/* Elements first .. first + count - 1, counted with the last index running fastest, as float32
 * (rounded where they are wider, and as narrow_double where that does not do; booleans are 0 and
 * 1). */
void npy_floats(const Npy *npy, size_t first, size_t count, float *floats);

/* How many elements are finite and beyond float32. */
size_t npy_beyond(const Npy *npy);

/* Whether the elements lie in the input as this machine has them in a float array, last index
 * running fastest. */
bool npy_is_float32(const Npy *npy);

#endif
