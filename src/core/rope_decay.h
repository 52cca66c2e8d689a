/* How the product of turned vectors falls with their distance (RoFormer sec. 3.4.3). It is a soft
 * tendency and no guarantee: the waves that cancel at one distance may meet again at a larger one.
 * Frequencies are those of core/rope.h; the pairing does not matter here. */
#ifndef CORE_ROPE_DECAY_H
#define CORE_ROPE_DECAY_H

#include "base/arena.h"

#include <stdint.h>

/* Exact, for q = k = all ones: 2 sum_i cos(distance * frequency_i); 2*pairs at distance 0. */
double rope_decay_dot(const double *frequency, int pairs, int distance);

/* The paper's bound up to a factor: mean_i |sum_{j<=i} exp(i distance frequency_j)|. */
double rope_decay_bound(const double *frequency, int pairs, int distance);

/* Over draws of q with standard normal features: mean and standard deviation of q.k / (2 pairs) at
 * the distances 0 .. count-1. */
typedef struct RopeBand {
    float *mean, *deviation; /* [count] */
} RopeBand;

typedef enum RopeDraw {
    ROPE_DRAW_EQUAL,      /* k = q: falls like the exact curve */
    ROPE_DRAW_INDEPENDENT /* k drawn by itself: about 0 at every distance, there is no decay */
} RopeDraw;

RopeBand rope_decay_band(Arena *arena, const double *frequency, int pairs, int count, int draws,
                         RopeDraw draw, uint64_t seed);

#endif
