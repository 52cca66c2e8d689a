/* Activations. exp and erf come from libm in double; one rounding to float hides its last bits. */
#include "core/act.h"

#include <math.h>

void relu_forward(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) y[i] = x[i] > 0 ? x[i] : 0;
}

void relu_backward(float *dx, const float *x, const float *dy, int n) {
    for (int i = 0; i < n; i++)
        if (x[i] > 0) dx[i] += dy[i];
}

static const double SQRT_HALF = 0.70710678118654752440;
static const double DENSITY_AT_0 = 0.39894228040143267794; /* 1 / sqrt(2 pi) */

/* The share of the standard normal distribution below x. */
static double normal_below(double x) {
    return 0.5 * (1 + erf(x * SQRT_HALF));
}

void gelu_forward(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) y[i] = (float)(x[i] * normal_below(x[i]));
}

void gelu_backward(float *dx, const float *x, const float *dy, int n) {
    for (int i = 0; i < n; i++) {
        double at = x[i], density = DENSITY_AT_0 * exp(-at * at / 2);
        dx[i] += (float)(dy[i] * (normal_below(at) + at * density));
    }
}

static const double TANH_FACTOR = 0.79788456080286535588; /* sqrt(2 / pi) */
static const double TANH_CUBIC = 0.044715;

void gelu_tanh_forward(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) {
        double at = x[i];
        y[i] = (float)(0.5 * at * (1 + tanh(TANH_FACTOR * (at + TANH_CUBIC * at * at * at))));
    }
}

void gelu_tanh_backward(float *dx, const float *x, const float *dy, int n) {
    for (int i = 0; i < n; i++) {
        double at = x[i], t = tanh(TANH_FACTOR * (at + TANH_CUBIC * at * at * at));
        double inner = TANH_FACTOR * (1 + 3 * TANH_CUBIC * at * at);
        dx[i] += (float)(dy[i] * (0.5 * (1 + t) + 0.5 * at * (1 - t * t) * inner));
    }
}

/* exp(-x) is infinite below -709, and 1 / infinity is the 0 that is wanted. */
static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

void silu_forward(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) y[i] = (float)(x[i] * sigmoid(x[i]));
}

/* d silu / dx = s + x s (1 - s). */
static double silu_slope(double x) {
    double s = sigmoid(x);
    return s + x * s * (1 - s);
}

void silu_backward(float *dx, const float *x, const float *dy, int n) {
    for (int i = 0; i < n; i++) dx[i] += (float)(dy[i] * silu_slope(x[i]));
}

void swiglu_forward(float *y, const float *gate, const float *up, int n) {
    for (int i = 0; i < n; i++) y[i] = (float)(gate[i] * sigmoid(gate[i]) * up[i]);
}

void swiglu_backward(float *dgate, float *dup, const float *gate, const float *up, const float *dy,
                     int n) {
    for (int i = 0; i < n; i++) {
        double g = gate[i], dy_at = dy[i];
        dgate[i] += (float)(dy_at * up[i] * silu_slope(g));
        dup[i] += (float)(dy_at * g * sigmoid(g));
    }
}
