/* Eight lanes, each with its own maximum and sum. Processors with AVX2 hold them in one register
 * and the others in two: the same operations in the same order, so that the bits do not tell which.
 */
#include "core/quick.h"

#include "core/softmax.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 8 };

typedef float Oct __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t OctBits __attribute__((vector_size(LANES * sizeof(int32_t))));

/* Inlined into functions for this and that processor; by pointers, because how such vectors are
 * passed depends on it too. */
#define INLINE static inline __attribute__((always_inline))

/* The next of a row of which count are left; rest in the lanes behind its end. */
INLINE void load(Oct *to, const float *from, int count, float rest) {
    if (count >= LANES) {
        memcpy(to, from, sizeof *to);
        return;
    }
    float padded[LANES];
    for (int l = 0; l < LANES; l++) padded[l] = l < count ? from[l] : rest;
    memcpy(to, padded, sizeof *to);
}

INLINE void store(float *to, const Oct *from, int count) {
    if (count >= LANES)
        memcpy(to, from, sizeof *from);
    else
        memcpy(to, from, (size_t)count * sizeof *to);
}

/* x <= 0 becomes exp(x) within 2e-7 of its value, 0 below the smallest normal number: the series of
 * Cephes' expf around a multiple of ln 2. */
INLINE void exp_negative(Oct *of) {
    const float rounder = 12582912.0f; /* 1.5 * 2^23: what is added to it loses its fraction */
    Oct x = *of, shifted = x * 1.44269504f + rounder, n = shifted - rounder;
    Oct r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    Oct p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = (p * r) * r + r + 1;
    Oct power = (Oct)(((OctBits)shifted + 127) << 23); /* 2^n */
    *of = (Oct)((OctBits)(p * power) & (x >= -87.3f));
}

/* The largest; NaN when there is one. */
INLINE float largest(const float *x, int count) {
    float result = -INFINITY;
    Oct max = result - (Oct){0};
    OctBits nan = {0};
    for (int j = 0; j < count; j += LANES) {
        Oct next;
        load(&next, x + j, count - j, result);
        nan |= next != next;
        OctBits more = next > max;
        max = (Oct)(((OctBits)next & more) | ((OctBits)max & ~more));
    }
    for (int l = 0; l < LANES; l++) {
        if (nan[l]) return NAN;
        if (max[l] > result) result = max[l];
    }
    return result;
}

/* False, with nothing done, when the row has no finite maximum. */
INLINE bool softmax(float *x, int count, float factor) {
    float max = largest(x, count);
    if (!isfinite(max)) return false;
    Oct sums = {0}, e;
    for (int j = 0; j < count; j += LANES) {
        load(&e, x + j, count - j, -INFINITY);
        e = (e - max) * factor;
        exp_negative(&e);
        store(x + j, &e, count - j);
        sums += e;
    }
    float sum = 0;
    for (int l = 0; l < LANES; l++) sum += sums[l];
    for (int j = 0; j < count; j += LANES) {
        load(&e, x + j, count - j, 0);
        e *= 1 / sum;
        store(x + j, &e, count - j);
    }
    return true;
}

static bool softmax_anywhere(float *x, int count, float factor) {
    return softmax(x, count, factor);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static bool softmax_avx2(float *x, int count, float factor) {
    return softmax(x, count, factor);
}
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define softmax_avx2 softmax_anywhere
#define HAS_AVX2     false
#endif

/* Temperatures near either end of what a float can hold are left to doubles. */
void quick_softmax(float *x, int count, float temperature) {
    float factor = 1 / temperature;
    bool done = isnormal(factor) && (HAS_AVX2 ? softmax_avx2 : softmax_anywhere)(x, count, factor);
    if (!done) softmax_rows(x, x, 1, count, temperature);
}
