/* Maps of several heads and layers; sums in double, rounded once. */
#include "core/rollout.h"

#include <math.h>
#include <stdbool.h>

/* The mean or the maximum over the heads of one cell; size cells lie between two heads. */
static double fuse_cell(const float *weights, int H, size_t size, HeadFuse fuse) {
    double sum = 0, max = weights[0];
    for (size_t h = 0; h < (size_t)H; h++) {
        double w = weights[h * size];
        sum += w;
        if (w > max) max = w;
    }
    return fuse == FUSE_MAX ? max : sum / H;
}

void heads_fuse(float *out, const float *weights, int H, int T, int S, HeadFuse fuse) {
    size_t size = (size_t)T * (size_t)S;
    for (size_t n = 0; n < size; n++) out[n] = (float)fuse_cell(weights + n, H, size, fuse);
}

void heads_difference(float *out, const float *weights, int T, int S, int a, int b) {
    size_t size = (size_t)T * (size_t)S;
    const float *of_a = weights + (size_t)a * size, *of_b = weights + (size_t)b * size;
    for (size_t n = 0; n < size; n++) out[n] = of_a[n] - of_b[n];
}

/* How alike two rows are. */
typedef struct Alike {
    double cosine, js, top1;
} Alike;

static bool row_is_empty(const float *row, int S) {
    for (int j = 0; j < S; j++)
        if (row[j] != 0) return false;
    return true;
}

static double row_cosine(const float *a, const float *b, int S) {
    double dot = 0, aa = 0, bb = 0;
    for (int j = 0; j < S; j++) {
        dot += (double)a[j] * b[j];
        aa += (double)a[j] * a[j];
        bb += (double)b[j] * b[j];
    }
    return dot / (sqrt(aa) * sqrt(bb));
}

/* p log2(p / m), 0 where p is 0. */
static double divergence_term(double p, double m) {
    return p > 0 ? p * log2(p / m) : 0;
}

static double row_js(const float *a, const float *b, int S) {
    double sum = 0;
    for (int j = 0; j < S; j++) {
        double m = 0.5 * ((double)a[j] + b[j]);
        sum += 0.5 * (divergence_term(a[j], m) + divergence_term(b[j], m));
    }
    return sum;
}

static int row_top(const float *row, int S) {
    int top = 0;
    for (int j = 1; j < S; j++)
        if (row[j] > row[top]) top = j;
    return top;
}

static Alike heads_alike(const float *a, const float *b, int T, int S) {
    Alike mean = {0};
    int count = 0;
    for (int i = 0; i < T; i++, a += S, b += S) {
        if (row_is_empty(a, S) || row_is_empty(b, S)) continue;
        mean.cosine += row_cosine(a, b, S);
        mean.js += row_js(a, b, S);
        mean.top1 += row_top(a, S) == row_top(b, S);
        count++;
    }
    double factor = count ? 1.0 / count : 0;
    return (Alike){mean.cosine * factor, mean.js * factor, mean.top1 * factor};
}

void heads_agreement(HeadAgreement *agreement, const float *weights, int H, int T, int S) {
    size_t size = (size_t)T * (size_t)S;
    Alike sum = {0};
    for (int a = 0; a < H; a++)
        for (int b = 0; b < H; b++) {
            Alike alike = heads_alike(weights + (size_t)a * size, weights + (size_t)b * size, T, S);
            size_t at = (size_t)a * (size_t)H + (size_t)b;
            agreement->cosine[at] = (float)alike.cosine;
            agreement->js_bits[at] = (float)alike.js;
            agreement->top1[at] = (float)alike.top1;
            if (a == b) continue;
            sum.cosine += alike.cosine;
            sum.js += alike.js;
            sum.top1 += alike.top1;
        }
    double factor = H > 1 ? 1.0 / ((double)H * (H - 1)) : 0;
    agreement->mean_offdiag[0] = (float)(sum.cosine * factor);
    agreement->mean_offdiag[1] = (float)(sum.js * factor);
    agreement->mean_offdiag[2] = (float)(sum.top1 * factor);
}

/* The cell (i,j) before its row is normalised. */
static double residual_cell(const float *weights, int H, int T, int i, int j, HeadFuse fuse,
                            double alpha) {
    size_t size = (size_t)T * (size_t)T, at = (size_t)i * (size_t)T + (size_t)j;
    return alpha * fuse_cell(weights + at, H, size, fuse) + (i == j ? 1 - alpha : 0);
}

void rollout_layer(float *a, const float *weights, int H, int T, HeadFuse fuse, double alpha) {
    for (int i = 0; i < T; i++, a += T) {
        double sum = 0;
        for (int j = 0; j < T; j++) sum += residual_cell(weights, H, T, i, j, fuse, alpha);
        for (int j = 0; j < T; j++) {
            double cell = residual_cell(weights, H, T, i, j, fuse, alpha);
            a[j] = sum != 0 ? (float)(cell / sum) : 0;
        }
    }
}

/* Row r[T] becomes r times before[T,T]; the product of a row needs all of it, hence the sums. */
static void row_times(float *r, const float *before, double *sums, int T) {
    for (int j = 0; j < T; j++) sums[j] = 0;
    for (int k = 0; k < T; k++)
        for (int j = 0; j < T; j++)
            sums[j] += (double)r[k] * before[(size_t)k * (size_t)T + (size_t)j];
    for (int j = 0; j < T; j++) r[j] = (float)sums[j];
}

void rollout_chain(Arena scratch, float *layers, int L, int T) {
    double *sums = ARENA_ARRAY(&scratch, double, T);
    size_t size = (size_t)T * (size_t)T;
    for (int l = 1; l < L; l++) {
        float *layer = layers + (size_t)l * size;
        for (int i = 0; i < T; i++) row_times(layer + (size_t)i * (size_t)T, layer - size, sums, T);
    }
}
