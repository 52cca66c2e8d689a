/* Softmax by rows. Differences, exponentials and sums are doubles that are rounded once at the end,
 * and the exponential is written out here: libm picks its own by processor, and its last bit with
 * it, while the numbers on the screen are to be the same everywhere. */
#include "core/softmax.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 2^n for -1022 <= n <= 1023. */
static double power_of_two(int n) {
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* exp(x) for x <= 0, to about 1e-12 of its value: x = n ln 2 + r with |r| <= ln 2 / 2, then the
 * series of exp(r) up to r^10. Below -104 even the smallest float32 is rounded to 0. */
static double exp_negative(double x) {
    if (x < -104) return 0;
    int n = (int)(x * 1.4426950408889634 - 0.5);
    double r = x - n * 0.6931471805599453;
    double r2 = r * r, r4 = r2 * r2;
    double low = (1 + r) + r2 * (1.0 / 2 + r * (1.0 / 6));
    double middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
    double high = (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800);
    return (low + r4 * (middle + r4 * high)) * power_of_two(n);
}

/* The largest of a row; NaN when the row has one. */
static float row_max(const float *x, int columns) {
    float max = -INFINITY;
    for (int j = 0; j < columns; j++) {
        if (isnan(x[j])) return x[j];
        if (x[j] > max) max = x[j];
    }
    return max;
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

static void softmax_row(float *y, const float *x, int columns, double temperature) {
    float max = row_max(x, columns);
    if (isnan(max) || max == -INFINITY) {
        fill(y, columns, isnan(max) ? max : 0);
        return;
    }
    double sum = 0;
    if (max == INFINITY) {
        sum = mark_infinite(y, x, columns);
    } else {
        for (int j = 0; j < columns; j++) {
            y[j] = (float)exp_negative(((double)x[j] - max) / temperature);
            sum += y[j];
        }
    }
    for (int j = 0; j < columns; j++) y[j] = (float)(y[j] / sum);
}

static void log_softmax_row(float *y, const float *x, int columns, double temperature) {
    float max = row_max(x, columns);
    if (isnan(max) || max == -INFINITY) {
        fill(y, columns, max);
        return;
    }
    if (max == INFINITY) {
        double log_count = log(mark_infinite(y, x, columns));
        for (int j = 0; j < columns; j++) y[j] = y[j] > 0 ? (float)-log_count : -INFINITY;
        return;
    }
    double sum = 0;
    for (int j = 0; j < columns; j++) sum += exp_negative(((double)x[j] - max) / temperature);
    double log_sum = log(sum);
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
