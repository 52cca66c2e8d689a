/* Softmax by rows. Differences, exponentials and sums are doubles that are rounded once at the end,
 * and the exponential is written out here: libm picks its own by processor, and its last bit with
 * it, while the numbers on the screen are to be the same everywhere. */
#include "core/softmax.h"

#include "core/quad.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Four elements as doubles. */
typedef double Wide __attribute__((vector_size(QUAD * sizeof(double))));
typedef uint64_t WideBits __attribute__((vector_size(QUAD * sizeof(uint64_t))));

#define WIDE(quad)   __builtin_convertvector(quad, Wide)
#define NARROW(wide) __builtin_convertvector(wide, Quad)

/* x <= 0 becomes exp(x), to about 1e-12 of its value: x = n ln 2 + r with |r| <= ln 2 / 2, then the
 * series of exp(r) up to r^10. Below -104 even the smallest float32 is rounded to 0. */
QUAD_INLINE void exp_negative(Wide *of) {
    const double rounder = 6755399441055744.0; /* 1.5 * 2^52: what is added loses its fraction */
    Wide x = *of, shifted = x * 1.4426950408889634 + rounder, n = shifted - rounder;
    Wide r = x - n * 0.6931471805599453;
    Wide r2 = r * r, r4 = r2 * r2;
    Wide low = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    Wide middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    Wide high = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800);
    Wide power = (Wide)(((WideBits)shifted + 1023) << 52); /* 2^n */
    Wide value = (low + r4 * (middle + r4 * high)) * power;
    *of = (Wide)((WideBits)value & (WideBits)(x >= -104));
}

float softmax_max(const float *x, int columns) {
    Quad max = quad_of(-INFINITY);
    QuadBits nan = {0};
    for (int j = 0; j < columns; j += QUAD) {
        Quad next = quad_load_some(x + j, columns - j, -INFINITY);
        nan |= next != next;
        max = quad_choose(next > max, next, max);
    }
    if (nan[0] | nan[1] | nan[2] | nan[3]) return NAN;
    float largest = max[0];
    for (int l = 1; l < QUAD; l++) largest = max[l] > largest ? max[l] : largest;
    return largest;
}

static void fill(float *y, int columns, float value) {
    for (int j = 0; j < columns; j++) y[j] = value;
}

/* 1 where x is +INFINITY, else 0; returns how many there are. */
static int mark_infinite(float *y, const float *x, int columns) {
    int count = 0;
    for (int j = 0; j < columns; j++) {
        y[j] = x[j] == INFINITY;
        count += y[j] > 0;
    }
    return count;
}

/* sum_j exp((x_j - max) / t), every fourth element first; y, if not NULL, gets the terms. */
QUAD_INLINE double exp_row(float *y, const float *x, int columns, double max, double temperature) {
    Wide sum = {0};
    for (int j = 0; j < columns; j += QUAD) {
        Quad next = quad_load_some(x + j, columns - j, -INFINITY);
        Wide e = (WIDE(next) - max) / temperature;
        exp_negative(&e);
        if (y) quad_store_some(y + j, columns - j, NARROW(e));
        sum += e;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void softmax_row(float *y, const float *x, int columns, double temperature) {
    float max = softmax_max(x, columns);
    if (isnan(max) || max == -INFINITY) {
        fill(y, columns, isnan(max) ? max : 0);
        return;
    }
    double sum =
        max == INFINITY ? mark_infinite(y, x, columns) : exp_row(y, x, columns, max, temperature);
    for (int j = 0; j < columns; j += QUAD) {
        Wide share = WIDE(quad_load_some(y + j, columns - j, 0)) * (1 / sum);
        quad_store_some(y + j, columns - j, NARROW(share));
    }
}

static void log_softmax_row(float *y, const float *x, int columns, double temperature) {
    float max = softmax_max(x, columns);
    if (isnan(max) || max == -INFINITY) {
        fill(y, columns, max);
        return;
    }
    if (max == INFINITY) {
        double log_count = log(mark_infinite(y, x, columns));
        for (int j = 0; j < columns; j++) y[j] = y[j] > 0 ? (float)-log_count : -INFINITY;
        return;
    }
    double log_sum = log(exp_row(NULL, x, columns, max, temperature));
    for (int j = 0; j < columns; j++) y[j] = (float)(((double)x[j] - max) / temperature - log_sum);
}

void softmax_rows(float *y, const float *x, int rows, int columns, float temperature) {
    for (int i = 0; i < rows; i++) {
        size_t at = (size_t)i * (size_t)columns;
        softmax_row(y + at, x + at, columns, temperature);
    }
}

void log_softmax_rows(float *y, const float *x, int rows, int columns, float temperature) {
    for (int i = 0; i < rows; i++) {
        size_t at = (size_t)i * (size_t)columns;
        log_softmax_row(y + at, x + at, columns, temperature);
    }
}

void softmax_rows_backward(float *dx, const float *y, const float *dy, int rows, int columns,
                           float temperature) {
    for (int i = 0; i < rows; i++) {
        size_t at = (size_t)i * (size_t)columns;
        double dot = 0;
        for (int j = 0; j < columns; j++) dot += (double)y[at + (size_t)j] * dy[at + (size_t)j];
        for (int j = 0; j < columns; j++) {
            size_t n = at + (size_t)j;
            dx[n] += (float)(y[n] * (dy[n] - dot) / temperature);
        }
    }
}
