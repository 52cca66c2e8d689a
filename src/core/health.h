/* What a matrix of attention weights says of itself, in plain words. Only the numbers are read,
 * never how they were made, so that weights of any origin can be looked over: sums of rows, weight
 * under a mask, what is no number, entropy; and where rows do not sum to 1, what such rows usually
 * come from. */
#ifndef CORE_HEALTH_H
#define CORE_HEALTH_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { HEALTH_LINES_MAX = 8 };

typedef struct Health {
    const char *lines[HEALTH_LINES_MAX]; /* whole sentences; what is wrong stands first */
    int count;
    int wrong; /* how many of them are no good news */
} Health;

/* What one row says. A scene in which few rows change keeps those of the others. */
typedef struct HealthRow {
    double sum, under; /* weight of all keys, and of those under the mask */
    double share;      /* entropy over log(keys allowed); -1 where the row has no choice, or is no
                          probabilities */
    int nans, infinities, zeros, allowed;
    int missing; /* cells without a number, which count as not allowed; 0 until it is told */
    bool negative;
} HealthRow;

/* weights[S]; allowed[S] or NULL: all. */
HealthRow health_row(const float *weights, const uint8_t *allowed, int S);

/* weights[T,S] as they came; allowed[T,S] or NULL: all. Rows are counted from 0. A row that does
 * not sum to 1 within 0.001 is named, the first three of them. Suspected are, in this order: no
 * probabilities (a value below 0), softmax along the wrong axis (every column sums to 1), a mask
 * set after softmax (sums below 1, zeros at the ends of rows or in whole columns), dropout left in
 * (zeros, sums up to 2), no probabilities. */
Health health_weights(Arena *arena, const float *weights, const uint8_t *allowed, int T, int S);

/* The same from rows[T] that are there already. */
Health health_of_rows(Arena *arena, const HealthRow *rows, const float *weights, int T, int S);

/* Adds what a finite stand-in for minus infinity in an additive mask[T,S] has done to weights[T,S]:
 * a row in which it blocks every key, a key that got weight all the same. Values of -1000 and below
 * are taken for stand-ins. */
void health_stand_in(Health *health, Arena *arena, const float *mask, const float *weights, int T,
                     int S);

/* The same for scores[T,S] to which a mask may have been added already: rows of nothing but values
 * of -10000 and below. */
void health_blocked_scores(Health *health, Arena *arena, const float *scores, int T, int S);

#endif
