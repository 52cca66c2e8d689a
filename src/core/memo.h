/* A product that is asked for again and again while little of it changes, as the scores of a text
 * under the hands of somebody who types: rows that are bit by bit those of last time keep their dot
 * products, and the others are multiplied again. */
#ifndef CORE_MEMO_H
#define CORE_MEMO_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* The last product and its factors, in an arena that outlives the product. {0}: nothing yet. */
typedef struct Memo {
    float *a, *b, *out; /* [m,k], [n,k], [m,n] */
    int m, n, k;
    bool self;   /* a was multiplied with itself: b is a */
    size_t room; /* floats behind a */
} Memo;

/* out[m,n] = a[m,k] b[n,k]^T, with the very bits of tensor_product_nt. Rows are looked for from the
 * front and from the back, so that a row put in, taken out or changed costs itself alone. arena is
 * the memo's own; it grows when a product is larger than any before. Returns how many dot products
 * were multiplied. */
size_t memo_product_nt(Memo *memo, Arena *arena, float *out, const float *a, const float *b, int m,
                       int n, int k);

#endif
