/* Absolute positions: what is added to an embedding so that attention can tell where it stood.
 *
 * Sinusoidal (Vaswani et al. 2017, sec. 3.5), for the position p and the pair i of columns:
 *
 *   frequency_i = base^(-2i/D)          radians a position; base 10000 in the paper
 *   sine_i(p)   = sin(p * frequency_i)
 *   cosine_i(p) = cos(p * frequency_i)
 *
 * Frequencies and angles are doubles, rounded to float once, behind sine and cosine: with floats
 * a position of 5000 is wrong in the fifth digit. */
#ifndef CORE_POSITION_H
#define CORE_POSITION_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { POSITION_MAX = 1 << 24 };

typedef enum PositionLayout {
    POSITION_INTERLEAVED, /* sine, cosine, sine, cosine ... (the paper's formula) */
    POSITION_CONCATENATED /* all sines, then all cosines (tensor2tensor's code) */
} PositionLayout;

typedef struct Sinusoidal {
    int D;       /* columns; even, or the last sine has no cosine */
    double base; /* > 0 */
    PositionLayout layout;
} Sinusoidal;

/* Refuses T < 1, first < 0 and a last position above POSITION_MAX. */
bool position_check(int first, int T, Err *err);

/* Refuses a base that is not a finite number above 0. */
bool position_check_base(double base, Err *err);

/* Refuses D < 1, an odd D unless allow_odd, and the base. */
bool sinusoidal_check(Sinusoidal shape, bool allow_odd, Err *err);

/* Pairs of columns, an unpaired sine counted: (D + 1) / 2. */
int sinusoidal_pairs(Sinusoidal shape);

/* Radians a position of pair i. */
double sinusoidal_frequency(Sinusoidal shape, int pair);

/* What a column holds. */
typedef struct SinusoidalColumn {
    int pair;
    bool cosine;
    bool alone; /* the sine of an odd D, which has no cosine */
} SinusoidalColumn;

SinusoidalColumn sinusoidal_column(Sinusoidal shape, int column);

/* The column of a pair's sine or cosine; -1 for the cosine that an odd D lacks. */
int sinusoidal_column_of(Sinusoidal shape, int pair, bool cosine);

/* pe[T,D] for the positions first .. first+T-1. */
void sinusoidal_rows(float *pe, Sinusoidal shape, int first, int T);

/* Positions that one turn takes: 2 pi / frequency. */
double position_wavelength(double frequency);

/* position * frequency modulo 2 pi, in [0, 2 pi). */
double position_angle(double frequency, int position);

/* A learned table (Gehring et al. 2017): one row a position, and none beyond the last. */
typedef struct LearnedTable {
    const float *rows; /* [count,D] */
    int count, D;
} LearnedTable;

/* *pe = the rows [T,D] of the positions first .. first+T-1, inside the table. Refuses positions
 * that the table lacks. */
bool learned_rows(LearnedTable table, int first, int T, const float **pe, Err *err);

/* An untrained table[count,D]: normal values of deviation 0.02 (the start of GPT-2's), by seed. */
void learned_seeded(float *table, int count, int D, uint64_t seed);

/* y[B,T,D] = x[B,T,D] + pe[T,D]; y may be x. */
void position_add(float *y, const float *x, const float *pe, int B, int T, int D);

#endif
