/* The layers that networks are made of, forward and backward. A backward function adds to the
 * gradients that it is given; the caller zeroes them. Gradients may be NULL where they are not
 * wanted. */
#ifndef CORE_LAYERS_H
#define CORE_LAYERS_H

#include "core/act.h"

#include "base/arena.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* y[N,D] = rows ids[N] of table[V,D]. */
void embedding_forward(float *y, const float *table, const int *ids, int N, int D);

/* dtable[V,D] += dy[N,D] by ids; the row padding_id (-1: none) gets nothing. */
void embedding_backward(float *dtable, const float *dy, const int *ids, int N, int D,
                        int padding_id);

/* y[B,D] = mean over the T rows of x[B,T,D] whose mask[B,T] is 1, over max(count, 1): zeros for an
 * empty row. */
void masked_mean_forward(float *y, const float *x, const uint8_t *mask, int B, int T, int D);
void masked_mean_backward(float *dx, const float *dy, const uint8_t *mask, int B, int T, int D);

/* y[N,O] = x[N,I] weight[O,I]^T + bias[O]; bias may be NULL. */
void linear_forward(float *y, const float *x, const float *weight, const float *bias, int N, int I,
                    int O);
void linear_backward(float *dx, float *dweight, float *dbias, const float *x, const float *weight,
                     const float *dy, int N, int I, int O);

/* A linear layer as it is stored: PyTorch's weight[O,I] (y = x W^T + b), or with in_first the
 * course text's weight[I,O] (y = x W + b). bias[O] may be NULL. */
typedef struct Linear {
    const float *weight, *bias;
    bool in_first;
} Linear;

/* Random weights for whoever has no trained ones: normal values of deviation 1/sqrt(I), bias zero
 * or none. They carry no meaning. */
Linear linear_seeded(Arena *arena, Rng *rng, int I, int O, bool bias);

/* y[N,O] from x[N,I]. */
void linear_run(float *y, const Linear *layer, const float *x, int N, int I, int O);

#endif
