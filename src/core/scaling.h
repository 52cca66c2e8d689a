/* Why scores are divided by the root of the width, measured: products of random queries and keys,
 * their spread, and what softmax makes of them with and without a division (Vaswani et al. 2017,
 * section 3.2.1 and its footnote). */
#ifndef CORE_SCALING_H
#define CORE_SCALING_H

#include "base/arena.h"

#include <stdint.h>

/* So many random queries and keys of unit variance; a row of softmax has SCALING_KEYS of the keys.
 */
enum { SCALING_QUERIES = 96, SCALING_ALL_KEYS = 96, SCALING_KEYS = 16, SCALING_WIDTH_MAX = 1024 };
enum { SCALING_WIDTHS_MAX = 11 };
enum {
    SCALING_PAIRS = SCALING_QUERIES * SCALING_ALL_KEYS,
    SCALING_ROWS = SCALING_PAIRS / SCALING_KEYS
};

/* What the products of one width come to, undivided [0] and divided [1]. */
typedef struct ScalingFacts {
    int width;
    const float *products;          /* [SCALING_PAIRS] */
    double mean, spread;            /* of the products; spread is their standard deviation */
    double largest[2];              /* weight of a row, mean over SCALING_ROWS */
    double entropy[2];              /* as a share of ln SCALING_KEYS, mean */
    double gradient[2];             /* Frobenius norm of the Jacobian of softmax, mean */
    float weights[2][SCALING_KEYS]; /* of the first row */
} ScalingFacts;

/* The widths 2, 4, ... 1024, and among them, in their order, the chosen one (2..1024), whose place
 * is returned in *place. Returns how many; all else of facts is 0. */
int scaling_widths(ScalingFacts facts[SCALING_WIDTHS_MAX], int chosen, int *place);

/* Fills the products of facts[count], whose widths are set and rise, at most SCALING_WIDTH_MAX. All
 * widths share the same vectors, cut to the width, so that only the width differs. */
void scaling_multiply(ScalingFacts *facts, int count, uint64_t seed, Arena *arena);

/* Fills the rest from the products; by divides them for [1]; temperature > 0 divides both. */
void scaling_measure(ScalingFacts *facts, double by, double temperature, Arena scratch);

/* The Frobenius norm of diag(p) - p p^T, the Jacobian of softmax at weights p[count]: the root of
 * sum p^2 - 2 sum p^3 + (sum p^2)^2. */
double scaling_jacobian_norm(const float *p, int count);

#endif
