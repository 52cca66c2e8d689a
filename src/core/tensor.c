/* Products of matrices whose bits do not depend on the compiler or the processor: the order of
 * every sum is written out with vectors of four floats, which every x86-64 has, and multiply and
 * add stay two roundings. A block of sums is kept in registers, because loads, not additions, are
 * what costs here. */
#include "core/tensor.h"

#include "core/quad.h"
#include "core/tensor_wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
    LANES = 8,    /* partial sums of a dot product: two vectors */
    NT_BLOCK = 2, /* rows of a, and rows of b, that are summed together in tensor_product_nt */
    NT_TILE = 16, /* rows of b that stay in the nearest cache while all of a goes by */
    NN_ROWS = 4,  /* rows and vectors of columns of a block in the other products */
    NN_VECTORS = 2
};

/* Blocks are inlined where their sizes are constants and unrolled there, or their sums would live
 * in memory; clang unrolls by itself. */
#ifdef __clang__
#define UNROLL
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

/* Eight neighbours along k. A dot product has a partial sum for each: that of lane p % 8 takes the
 * products of element p, in rising order. */
typedef struct Lanes {
    Quad low, high;
} Lanes;

/* The next count elements of a row; zeros in the lanes that are left. */
QUAD_INLINE Lanes lanes_load(const float *from, int count) {
    if (count == LANES) return (Lanes){quad_load(from), quad_load(from + QUAD)};
    float padded[LANES] = {0};
    memcpy(padded, from, (size_t)count * sizeof *from);
    return (Lanes){quad_load(padded), quad_load(padded + QUAD)};
}

/* Neighbours four apart, then two, then one. */
QUAD_INLINE float lanes_sum(Quad low, Quad high) {
    float v[QUAD];
    quad_store(v, low + high);
    return (v[0] + v[2]) + (v[1] + v[3]);
}

/* The sums of a block of dot products; only [rows][columns] of them are used. */
typedef struct NtSums {
    Quad low[NT_BLOCK][NT_BLOCK], high[NT_BLOCK][NT_BLOCK];
} NtSums;

/* Adds the products of the next count elements of k, LANES or fewer. */
QUAD_INLINE void nt_step(NtSums *sums, const float *a, const float *b, size_t k, int count,
                         int rows, int columns) {
    Lanes left[NT_BLOCK], right[NT_BLOCK];
    UNROLL
    for (int i = 0; i < rows; i++) left[i] = lanes_load(a + (size_t)i * k, count);
    UNROLL
    for (int j = 0; j < columns; j++) right[j] = lanes_load(b + (size_t)j * k, count);
    UNROLL
    for (int n = 0; n < rows * columns; n++) {
        int i = n / columns, j = n % columns;
        sums->low[i][j] += left[i].low * right[j].low;
        sums->high[i][j] += left[i].high * right[j].high;
    }
}

/* out[rows,columns] with row length n, from a few rows of a and of b, all of length k. */
QUAD_INLINE void nt_block(float *out, size_t n, const float *a, const float *b, size_t k, int rows,
                          int columns) {
    NtSums sums = {0};
    size_t p = 0;
    for (; p + LANES <= k; p += LANES) nt_step(&sums, a + p, b + p, k, LANES, rows, columns);
    if (p < k) nt_step(&sums, a + p, b + p, k, (int)(k - p), rows, columns);
    UNROLL
    for (int m = 0; m < rows * columns; m++) {
        int i = m / columns, j = m % columns;
        out[(size_t)i * n + (size_t)j] = lanes_sum(sums.low[i][j], sums.high[i][j]);
    }
}

/* rows rows of a against columns rows of b. */
QUAD_INLINE void nt_rows(float *out, size_t n, const float *a, const float *b, size_t k, int rows,
                         int columns) {
    int j = 0;
    for (; j + NT_BLOCK <= columns; j += NT_BLOCK)
        nt_block(out + j, n, a, b + (size_t)j * k, k, rows, NT_BLOCK);
    for (; j < columns; j++) nt_block(out + j, n, a, b + (size_t)j * k, k, rows, 1);
}

static void nt_tile(float *out, size_t n, const float *a, const float *b, int m, size_t k,
                    int columns) {
    int i = 0;
    for (; i + NT_BLOCK <= m; i += NT_BLOCK)
        nt_rows(out + (size_t)i * n, n, a + (size_t)i * k, b, k, NT_BLOCK, columns);
    for (; i < m; i++) nt_rows(out + (size_t)i * n, n, a + (size_t)i * k, b, k, 1, columns);
}

/* The first rows of out[n,n] from its first columns. */
static void mirror(float *out, size_t n, int rows, int columns) {
    for (size_t j = 0; j < (size_t)columns; j++)
        for (size_t i = 0; i < (size_t)rows; i++) out[j * n + i] = out[i * n + j];
}

void tensor_product_nt(float *out, const float *a, const float *b, int m, int n, int k) {
    bool self = a == b && m == n; /* then the half under the diagonal is enough */
    bool wide = tensor_wide();
    for (int j = 0; j < n; j += NT_TILE) {
        int columns = n - j < NT_TILE ? n - j : NT_TILE, first = self ? j : 0;
        float *tile = out + (size_t)first * (size_t)n + j;
        (wide ? tensor_wide_nt : nt_tile)(tile, (size_t)n, a + (size_t)first * (size_t)k,
                                          b + (size_t)j * (size_t)k, m - first, (size_t)k, columns);
        if (self) mirror(tile, (size_t)n, m - first, columns);
    }
}

float tensor_dot(const float *a, const float *b, int n) {
    float out;
    nt_block(&out, 1, a, b, (size_t)n, 1, 1);
    return out;
}

/* The left matrix of the other products: its element [i,p] stands at a[i * row + p * step]. */
typedef struct Left {
    const float *a;
    size_t row, step;
} Left;

QUAD_INLINE Left left_from(Left left, int row) {
    left.a += (size_t)row * left.row;
    return left;
}

typedef struct NnSums {
    Quad sum[NN_ROWS][NN_VECTORS];
} NnSums;

/* Adds the products with row p of b. */
QUAD_INLINE void nn_step(NnSums *sums, Left left, const float *b, size_t p, int rows, int vectors) {
    Quad right[NN_VECTORS];
    UNROLL
    for (int v = 0; v < vectors; v++) right[v] = quad_load(b + v * QUAD);
    UNROLL
    for (int n = 0; n < rows * vectors; n++) {
        float f = left.a[(size_t)(n / vectors) * left.row + p * left.step];
        sums->sum[n / vectors][n % vectors] += (Quad){f, f, f, f} * right[n % vectors];
    }
}

/* out[rows, vectors * 4] with row length n; written, or added to out. */
QUAD_INLINE void nn_block(float *out, Left left, const float *b, size_t n, int k, bool add,
                          int rows, int vectors) {
    NnSums sums = {0};
    for (size_t p = 0; p < (size_t)k; p++) nn_step(&sums, left, b + p * n, p, rows, vectors);
    UNROLL
    for (int m = 0; m < rows * vectors; m++) {
        float *to = out + (size_t)(m / vectors) * n + m % vectors * QUAD;
        Quad sum = sums.sum[m / vectors][m % vectors];
        quad_store(to, add ? quad_load(to) + sum : sum);
    }
}

/* One element, in the same order: for the columns that fill no vector. */
static void nn_element(float *out, Left left, const float *b, size_t n, int k, bool add) {
    float sum = 0;
    for (size_t p = 0; p < (size_t)k; p++) sum += left.a[p * left.step] * b[p * n];
    *out = add ? *out + sum : sum;
}

QUAD_INLINE void nn_rows(float *out, Left left, const float *b, size_t n, int k, bool add,
                         int rows) {
    size_t j = 0;
    for (; j + NN_VECTORS * QUAD <= n; j += NN_VECTORS * QUAD)
        nn_block(out + j, left, b + j, n, k, add, rows, NN_VECTORS);
    for (; j + QUAD <= n; j += QUAD) nn_block(out + j, left, b + j, n, k, add, rows, 1);
    for (; j < n; j++)
        for (int i = 0; i < rows; i++)
            nn_element(out + (size_t)i * n + j, left_from(left, i), b + j, n, k, add);
}

static void nn(float *out, Left left, const float *b, int m, size_t n, int k, bool add) {
    int i = 0;
    for (; i + NN_ROWS <= m; i += NN_ROWS)
        nn_rows(out + (size_t)i * n, left_from(left, i), b, n, k, add, NN_ROWS);
    for (; i < m; i++) nn_rows(out + (size_t)i * n, left_from(left, i), b, n, k, add, 1);
}

void tensor_product(float *out, const float *a, const float *b, int m, int n, int k) {
    nn(out, (Left){a, (size_t)k, 1}, b, m, (size_t)n, k, false);
}

void tensor_product_add(float *out, const float *a, const float *b, int m, int n, int k) {
    nn(out, (Left){a, (size_t)k, 1}, b, m, (size_t)n, k, true);
}

void tensor_product_tn_add(float *out, const float *a, const float *b, int m, int n, int k) {
    nn(out, (Left){a, 1, (size_t)m}, b, m, (size_t)n, k, true);
}
