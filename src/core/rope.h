/* Rotary positions (RoFormer, Su et al. 2021, sec. 3.2): a query or key is cut into pairs of
 * features, and pair i is turned by the angle position * frequency_i:
 *
 *   frequency_i = base^(-2i/R)     R = rotary width, i = 0 .. R/2-1
 *   a' = a cos - b sin             c, s authoritative: tables need not be of length 1
 *   b' = a sin + b cos
 *
 * so that q.k depends on the distance of the two alone, and lengths stay as they were. Only the
 * first R of K features turn; values are never turned. Angles are doubles, the tables are rounded
 * once, and the products are summed in double. */
#ifndef CORE_ROPE_H
#define CORE_ROPE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

typedef enum RopePairing {
    ROPE_ADJACENT, /* (0,1), (2,3) ... (the paper, GPT-J) */
    ROPE_HALVES,   /* (0,R/2), (1,R/2+1) ... (GPT-NeoX, Llama as Hugging Face stores it) */
    ROPE_MIXED     /* wrong on purpose: pairs of halves, but the angles stand in adjacent order */
} RopePairing;

/* Refuses K < 2 or odd, R < 2, odd or above K, and a base that is not a number above 0. */
bool rope_check(int K, int R, double base, Err *err);

/* frequency[R/2], radians a position. */
void rope_frequencies(double *frequency, int R, double base);

typedef struct Rope {
    int T;                  /* rows: positions */
    int pairs;              /* R/2 */
    const float *cos, *sin; /* [T,pairs] */
} Rope;

/* The tables of plain RoPE for the positions first .. first+T-1. */
Rope rope_build(Arena *arena, int R, double base, int first, int T);

/* The tables of given frequencies[pairs] at any positions[T]. magnitude multiplies cosine and sine
 * (1; YaRN and LongRoPE have others, see core/rope_scaling.h). */
Rope rope_build_at(Arena *arena, const double *frequency, int pairs, const int *positions, int T,
                   double magnitude);

/* The pair whose angle column (0 .. R-1) is given. For ROPE_MIXED the two columns of a pair are
 * given different ones, which is what is wrong with it. */
int rope_angle_of(RopePairing pairing, int R, int column);

/* The columns that pair i joins. */
void rope_columns(RopePairing pairing, int R, int pair, int *a, int *b);

/* order[R]: column c of the halves is column order[c] of the adjacent pairs, so that
 * halves(x[order]) = adjacent(x)[order]. */
void rope_halves_order(int *order, int R);

/* table[R] of a row of pairs: the value of each column's angle (both repeated layouts). */
void rope_repeat(float *table, const float *pairs, RopePairing pairing, int R);

/* y[K] = x[K] turned by row t of the tables; features from 2*pairs on are copied. y may be x. */
void rope_apply_row(float *y, const float *x, const Rope *rope, int t, RopePairing pairing, int K);

/* y[T,K] = x[T,K], row t by row t of the tables. y may be x. */
void rope_apply(float *y, const float *x, const Rope *rope, RopePairing pairing, int K);

/* dx[T,K] += the gradient of rope_apply: dy[T,K] turned by the negative angles. dx is not dy. */
void rope_backward(float *dx, const float *dy, const Rope *rope, RopePairing pairing, int K);

/* q[K] at position m times k[K] at position n, both turned; in double throughout, without tables.
 */
double rope_dot(const float *q, const float *k, int K, const double *frequency, int pairs,
                RopePairing pairing, int m, int n);

#endif
