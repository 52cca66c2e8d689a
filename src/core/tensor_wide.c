/* A dot product has eight partial sums, one for each place of a vector; a block of four rows and
 * two columns keeps enough of them in flight. */
#include "core/tensor_wide.h"

#include <string.h>

#ifdef __x86_64__

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define UNROLL
#else
#pragma GCC target("avx2")
#define UNROLL _Pragma("GCC unroll 8")
#endif

enum { LANES = 8, ROWS = 4, COLUMNS = 2 };

typedef float Oct __attribute__((vector_size(LANES * sizeof(float))));

#define OCT_INLINE static inline __attribute__((always_inline))

bool tensor_wide(void) {
    return __builtin_cpu_supports("avx2");
}

/* The next count elements of a row; zeros in the places that are left. */
OCT_INLINE Oct oct_load(const float *from, int count) {
    float padded[LANES] = {0};
    Oct oct;
    if (count < LANES) from = memcpy(padded, from, (size_t)count * sizeof *from);
    memcpy(&oct, from, sizeof oct);
    return oct;
}

/* Neighbours four apart, then two, then one. */
OCT_INLINE float oct_sum(Oct oct) {
    return ((oct[0] + oct[4]) + (oct[2] + oct[6])) + ((oct[1] + oct[5]) + (oct[3] + oct[7]));
}

typedef struct Sums {
    Oct sum[ROWS][COLUMNS];
} Sums;

/* Adds the products of the next count elements of k, LANES or fewer. */
OCT_INLINE void step(Sums *sums, const float *a, const float *b, size_t k, int count, int rows,
                     int columns) {
    Oct right[COLUMNS];
    UNROLL
    for (int j = 0; j < columns; j++) right[j] = oct_load(b + (size_t)j * k, count);
    UNROLL
    for (int i = 0; i < rows; i++) {
        Oct left = oct_load(a + (size_t)i * k, count);
        for (int j = 0; j < columns; j++) sums->sum[i][j] += left * right[j];
    }
}

OCT_INLINE void block(float *out, size_t n, const float *a, const float *b, size_t k, int rows,
                      int columns) {
    Sums sums = {0};
    size_t p = 0;
    for (; p + LANES <= k; p += LANES) step(&sums, a + p, b + p, k, LANES, rows, columns);
    if (p < k) step(&sums, a + p, b + p, k, (int)(k - p), rows, columns);
    UNROLL
    for (int m = 0; m < rows * columns; m++)
        out[(size_t)(m / columns) * n + (size_t)(m % columns)] =
            oct_sum(sums.sum[m / columns][m % columns]);
}

OCT_INLINE void some_rows(float *out, size_t n, const float *a, const float *b, size_t k, int rows,
                          int columns) {
    int j = 0;
    for (; j + COLUMNS <= columns; j += COLUMNS)
        block(out + j, n, a, b + (size_t)j * k, k, rows, COLUMNS);
    for (; j < columns; j++) block(out + j, n, a, b + (size_t)j * k, k, rows, 1);
}

void tensor_wide_nt(float *out, size_t n, const float *a, const float *b, int m, size_t k,
                    int columns) {
    int i = 0;
    for (; i + ROWS <= m; i += ROWS)
        some_rows(out + (size_t)i * n, n, a + (size_t)i * k, b, k, ROWS, columns);
    for (; i < m; i++) some_rows(out + (size_t)i * n, n, a + (size_t)i * k, b, k, 1, columns);
}

#ifdef __clang__
#pragma clang attribute pop
#endif

#else

bool tensor_wide(void) {
    return false;
}

void tensor_wide_nt(float *out, size_t n, const float *a, const float *b, int m, size_t k,
                    int columns) {
    (void)out, (void)n, (void)a, (void)b, (void)m, (void)k, (void)columns;
}

#endif
