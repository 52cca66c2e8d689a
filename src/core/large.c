/* The work is cut into bands of rows that fit into a processor's own cache: scores, softmax and the
 * product with the values are done with a band before the next one is begun, and the bands are
 * shared out among threads. Each band is one call of a single-threaded sgemm, so that its bits do
 * not depend on how many threads there are. */
#include "core/large.h"

#include "core/blas.h"
#include "core/crew.h"
#include "core/quad.h"
#include "core/softmax.h"
#include "core/tensor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BAND = 64 };

/* ---- products ---- */

typedef struct Product {
    Blas blas;
    float *out;         /* [m,n] */
    const float *a, *b; /* [m,k] and [k,n], or [n,k] when turned */
    int m, n, k;
    bool turned;
} Product;

static int bands(int rows) {
    return (rows + BAND - 1) / BAND;
}

/* How many rows band has. */
static int band_rows(int band, int rows) {
    return rows - band * BAND < BAND ? rows - band * BAND : BAND;
}

static void multiply(const Product *of) {
    if (of->blas.sgemm)
        of->blas.sgemm(BLAS_ROW_MAJOR, BLAS_AS_IS, of->turned ? BLAS_TURNED : BLAS_AS_IS, of->m,
                       of->n, of->k, 1, of->a, of->k, of->b, of->turned ? of->k : of->n, 0, of->out,
                       of->n);
    else if (of->turned)
        tensor_product_nt(of->out, of->a, of->b, of->m, of->n, of->k);
    else
        tensor_product(of->out, of->a, of->b, of->m, of->n, of->k);
}

static void product_band(void *work, int band) {
    Product of = *(const Product *)work;
    size_t first = (size_t)band * BAND;
    of.a += first * (size_t)of.k;
    of.out += first * (size_t)of.n;
    of.m = band_rows(band, of.m);
    multiply(&of);
}

/* OpenBLAS, ready to be called from the crew, whose size is written to *size. */
static Blas open_for_crew(int *size) {
    Blas blas = blas_open();
    bool own = blas.sgemm && !blas.from_threads; /* its threads are no matter of ours */
    if (blas.from_threads) blas.set_threads(1);
    *size = own ? 1 : crew_size();
    return blas;
}

static void product_in_bands(Product of) {
    int size;
    of.blas = open_for_crew(&size);
    crew_run(product_band, &of, bands(of.m), size);
}

static bool is_large(int m, int n) {
    return (size_t)m * (size_t)n > LARGE_CELLS;
}

void large_product_nt(float *out, const float *a, const float *b, int m, int n, int k) {
    Product of = {.out = out, .a = a, .b = b, .m = m, .n = n, .k = k, .turned = true};
    if (is_large(m, n))
        product_in_bands(of);
    else
        multiply(&of);
}

void large_product(float *out, const float *a, const float *b, int m, int n, int k) {
    Product of = {.out = out, .a = a, .b = b, .m = m, .n = n, .k = k};
    if (is_large(m, n))
        product_in_bands(of);
    else
        multiply(&of);
}

const char *large_note(int m, int n) {
    if (!is_large(m, n) || !blas_open().sgemm) return NULL;
    return "The products of this map come from OpenBLAS, whose last digits may differ on another "
           "processor.";
}

/* ---- attention ---- */

/* exp(x) for x <= 0 within 2e-7 of its value, 0 below the smallest normal number: the series of
 * Cephes' expf around a multiple of ln 2. */
QUAD_INLINE Quad exp_quick(Quad x) {
    const Quad lowest = quad_of(-87.3f), rounder = quad_of(12582912.0f); /* 1.5 * 2^23 */
    QuadBits vanishes = x < lowest;
    x = quad_choose(vanishes, lowest, x);
    Quad shifted = x * 1.44269504f + rounder; /* the fraction is rounded off its end */
    Quad n = shifted - rounder, r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
    Quad p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = (p * r) * r + r + 1;
    Quad power = (Quad)(((QuadBits)shifted + 127) << 23);
    return quad_choose(vanishes, quad_of(0), p * power);
}

/* Softmax in place. Rows without a finite maximum, and temperatures near either end of what
 * a float can hold, are left to softmax_rows. */
static void softmax_quick(float *x, int count, float temperature) {
    float max = softmax_max(x, count), factor = 1 / temperature;
    if (!isfinite(max) || !isnormal(factor)) {
        softmax_rows(x, x, 1, count, temperature);
        return;
    }
    Quad sum = quad_of(0);
    for (int j = 0; j < count; j += QUAD) {
        Quad e = exp_quick((quad_load_some(x + j, count - j, -INFINITY) - max) * factor);
        quad_store_some(x + j, count - j, e);
        sum += e;
    }
    float share = 1 / ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (int j = 0; j < count; j++) x[j] *= share;
}

/* From scores to weights, in place; query is the row's place in the rule's arrays. */
static void weigh_row(float *row, const AttentionRule *rule, int query, int S) {
    AttentionRule own = *rule;
    size_t first = (size_t)query * (size_t)S;
    if (own.allowed) own.allowed += first;
    if (own.bias) own.bias += first;
    for (int j = 0; j < S; j++) row[j] *= own.scale;
    if (own.allowed || own.bias)
        for (int j = 0; j < S; j++) row[j] = attention_masked(&own, (size_t)j, row[j]);
    softmax_quick(row, S, own.temperature);
    for (int j = 0; own.allowed && j < S; j++)
        if (!own.allowed[j]) row[j] = 0;
}

typedef struct Heads {
    const LargeAttention *of;
    Blas blas;
} Heads;

static void attend_band(void *work, int piece) {
    const Heads *heads = work;
    const LargeAttention *of = heads->of;
    AttentionShape shape = of->shape;
    size_t head = (size_t)(piece / bands(shape.T)), T = (size_t)shape.T, S = (size_t)shape.S;
    int band = piece % bands(shape.T), rows = band_rows(band, shape.T);
    size_t row = head * T + (size_t)band * BAND, K = (size_t)shape.K, Kv = (size_t)shape.Kv;
    float *weights = of->weights + row * S;
    multiply(&(Product){.blas = heads->blas,
                        .out = weights,
                        .a = of->q + row * K,
                        .b = of->k + head * S * K,
                        .m = rows,
                        .n = shape.S,
                        .k = shape.K,
                        .turned = true});
    for (int i = 0; i < rows; i++)
        weigh_row(weights + (size_t)i * S, &of->rule, band * BAND + i, shape.S);
    multiply(&(Product){.blas = heads->blas,
                        .out = of->output + row * Kv,
                        .a = weights,
                        .b = of->v + head * S * Kv,
                        .m = rows,
                        .n = shape.Kv,
                        .k = shape.S});
}

void large_attention(const LargeAttention *of) {
    int size;
    Heads heads = {.of = of, .blas = open_for_crew(&size)};
    crew_run(attend_band, &heads, of->H * bands(of->shape.T), size);
}

AttentionTrace large_attention_row(Arena *arena, const LargeAttention *of, int head, int query) {
    AttentionShape one = of->shape;
    one.T = 1;
    AttentionRule rule = of->rule;
    size_t row = (size_t)query, S = (size_t)one.S, K = (size_t)one.K;
    if (rule.allowed) rule.allowed += row * S;
    if (rule.bias) rule.bias += row * S;
    const float *q = of->q + ((size_t)head * (size_t)of->shape.T + row) * K;
    return attention_trace(arena, one, rule, q, of->k + (size_t)head * S * K, NULL);
}
