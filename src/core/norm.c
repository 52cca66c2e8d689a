/* Normalisation of rows, forward and backward. */
#include "core/norm.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The mean of a row that is taken off, and the factor 1 / sqrt(variance + eps). */
typedef struct RowScale {
    double mean, factor;
} RowScale;

/* In two passes: the squares are those of what is left when the mean is gone. */
static RowScale layer_scale(const float *x, double eps, int D) {
    double sum = 0, squares = 0;
    for (int d = 0; d < D; d++) sum += x[d];
    double mean = sum / D;
    for (int d = 0; d < D; d++) squares += (x[d] - mean) * (x[d] - mean);
    return (RowScale){mean, 1 / sqrt(squares / D + eps)};
}

/* The root mean square is the same with a mean of 0. */
static RowScale rms_scale(const float *x, double eps, int D) {
    double squares = 0;
    for (int d = 0; d < D; d++) squares += (double)x[d] * x[d];
    return (RowScale){0, 1 / sqrt(squares / D + eps)};
}

static void scale_row(float *y, const float *x, RowScale row, const float *weight,
                      const float *bias, int D) {
    for (int d = 0; d < D; d++) {
        double value = (x[d] - row.mean) * row.factor;
        if (weight) value *= weight[d];
        if (bias) value += bias[d];
        y[d] = (float)value;
    }
}

void layer_norm_forward(float *y, const float *x, const float *weight, const float *bias,
                        double eps, int N, int D) {
    for (int n = 0; n < N; n++, x += D, y += D)
        scale_row(y, x, layer_scale(x, eps, D), weight, bias, D);
}

void rms_norm_forward(float *y, const float *x, const float *weight, double eps, int N, int D) {
    for (int n = 0; n < N; n++, x += D, y += D)
        scale_row(y, x, rms_scale(x, eps, D), weight, NULL, D);
}

static void parameters_backward(float *dweight, float *dbias, const float *x, RowScale row,
                                const float *dy, int D) {
    for (int d = 0; d < D && dweight; d++)
        dweight[d] += (float)(dy[d] * (x[d] - row.mean) * row.factor);
    for (int d = 0; d < D && dbias; d++) dbias[d] += dy[d];
}

/* With n the normalised row and g = dy * weight: dx = factor (g - mean(g) - n mean(g n)). Without
 * centred (RMSNorm takes no mean off) the term mean(g) falls away. */
static void row_backward(float *dx, const float *x, RowScale row, const float *weight,
                         const float *dy, int D, bool centred) {
    double sum = 0, along = 0;
    for (int d = 0; d < D; d++) {
        double g = weight ? (double)dy[d] * weight[d] : dy[d];
        sum += g;
        along += g * (x[d] - row.mean) * row.factor;
    }
    double mean = centred ? sum / D : 0;
    along /= D;
    for (int d = 0; d < D; d++) {
        double g = weight ? (double)dy[d] * weight[d] : dy[d];
        double normed = (x[d] - row.mean) * row.factor;
        dx[d] += (float)(row.factor * (g - mean - normed * along));
    }
}

void layer_norm_backward(float *dx, float *dweight, float *dbias, const float *x,
                         const float *weight, const float *dy, double eps, int N, int D) {
    for (int n = 0; n < N; n++, x += D, dy += D) {
        RowScale row = layer_scale(x, eps, D);
        parameters_backward(dweight, dbias, x, row, dy, D);
        if (dx) row_backward(dx + (size_t)n * (size_t)D, x, row, weight, dy, D, true);
    }
}

void rms_norm_backward(float *dx, float *dweight, const float *x, const float *weight,
                       const float *dy, double eps, int N, int D) {
    for (int n = 0; n < N; n++, x += D, dy += D) {
        RowScale row = rms_scale(x, eps, D);
        parameters_backward(dweight, NULL, x, row, dy, D);
        if (dx) row_backward(dx + (size_t)n * (size_t)D, x, row, weight, dy, D, false);
    }
}

void norm_forward(float *y, const Norm *norm, const float *x, int N, int D) {
    if (norm->kind == NORM_RMS)
        rms_norm_forward(y, x, norm->weight, norm->eps, N, D);
    else
        layer_norm_forward(y, x, norm->weight, norm->bias, norm->eps, N, D);
}
