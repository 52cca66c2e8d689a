/* The inner part of tensor_product_nt with vectors of eight floats, for processors that have them.
 * Every sum takes the same products in the same order, so the bits are those of the vectors of
 * four. */
#ifndef CORE_TENSOR_WIDE_H
#define CORE_TENSOR_WIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Whether this processor can. */
bool tensor_wide(void);

/* out[m,columns] with row length n: a[m,k] times the rows of b[columns,k]. */
void tensor_wide_nt(float *out, size_t n, const float *a, const float *b, int m, size_t k,
                    int columns);

#endif
