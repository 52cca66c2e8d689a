/* The layers that networks are made of, forward and backward. */
#include "core/layers.h"

#include "core/tensor.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static void add_rows(float *sum, const float *x, int D) {
    for (int d = 0; d < D; d++) sum[d] += x[d];
}

void embedding_forward(float *y, const float *table, const int *ids, int N, int D) {
    for (int n = 0; n < N; n++)
        memcpy(y + (size_t)n * (size_t)D, table + (size_t)ids[n] * (size_t)D,
               (size_t)D * sizeof *y);
}

void embedding_backward(float *dtable, const float *dy, const int *ids, int N, int D,
                        int padding_id) {
    for (int n = 0; n < N; n++)
        if (ids[n] != padding_id)
            add_rows(dtable + (size_t)ids[n] * (size_t)D, dy + (size_t)n * (size_t)D, D);
}

/* 1 over the number of rows that count; 1 for none, so that the mean of nothing is zero. */
static float mean_factor(const uint8_t *mask, int T) {
    int count = 0;
    for (int t = 0; t < T; t++) count += mask[t] != 0;
    return 1.0f / (float)(count ? count : 1);
}

void masked_mean_forward(float *y, const float *x, const uint8_t *mask, int B, int T, int D) {
    for (int b = 0; b < B; b++, y += D, mask += T) {
        memset(y, 0, (size_t)D * sizeof *y);
        for (int t = 0; t < T; t++, x += D)
            if (mask[t]) add_rows(y, x, D);
        float factor = mean_factor(mask, T);
        for (int d = 0; d < D; d++) y[d] *= factor;
    }
}

void masked_mean_backward(float *dx, const float *dy, const uint8_t *mask, int B, int T, int D) {
    for (int b = 0; b < B; b++, dy += D, mask += T) {
        float factor = mean_factor(mask, T);
        for (int t = 0; t < T; t++, dx += D)
            for (int d = 0; d < D && mask[t]; d++) dx[d] += dy[d] * factor;
    }
}

void linear_forward(float *y, const float *x, const float *weight, const float *bias, int N, int I,
                    int O) {
    tensor_product_nt(y, x, weight, N, O, I);
    for (int n = 0; n < N && bias; n++) add_rows(y + (size_t)n * (size_t)O, bias, O);
}

void linear_backward(float *dx, float *dweight, float *dbias, const float *x, const float *weight,
                     const float *dy, int N, int I, int O) {
    if (dx) tensor_product_add(dx, dy, weight, N, I, O);
    if (dweight) tensor_product_tn_add(dweight, dy, x, O, I, N);
    for (int n = 0; n < N && dbias; n++) add_rows(dbias, dy + (size_t)n * (size_t)O, O);
}

Linear linear_seeded(Arena *arena, Rng *rng, int I, int O, bool bias) {
    size_t count = (size_t)I * (size_t)O;
    float *weight = ARENA_ARRAY(arena, float, count);
    double deviation = 1 / sqrt(I);
    for (size_t n = 0; n < count; n++) weight[n] = (float)(deviation * rng_normal(rng));
    return (Linear){.weight = weight, .bias = bias ? ARENA_ARRAY(arena, float, O) : NULL};
}

void linear_run(float *y, const Linear *layer, const float *x, int N, int I, int O) {
    if (!layer->in_first) {
        linear_forward(y, x, layer->weight, layer->bias, N, I, O);
        return;
    }
    tensor_product(y, x, layer->weight, N, O, I);
    for (int n = 0; n < N && layer->bias; n++) add_rows(y + (size_t)n * (size_t)O, layer->bias, O);
}
