/* The work is cut into bands of rows that fit into a processor's own cache: scores, softmax and the
 * product with the values are done with a band before the next one is begun, and the bands are
 * shared out among threads. Each band is one call of a single-threaded sgemm, so that its bits do
 * not depend on how many threads there are. */
#include "core/large.h"

#include "core/blas.h"
#include "core/crew.h"
#include "core/quick.h"
#include "core/tensor.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { BAND = 128 };

/* ---- products ---- */

typedef struct Product {
    Blas blas;
    float *out;         /* [m,n] */
    const float *a, *b; /* [m,k] and [k,n], or [n,k] when turned */
    int m, n, k;
    bool turned;
    float factor; /* on the product */
} Product;

static int bands(int rows) {
    return (rows + BAND - 1) / BAND;
}

/* How many rows band has. */
static int band_rows(int band, int rows) {
    return rows - band * BAND < BAND ? rows - band * BAND : BAND;
}

static void multiply(const Product *of) {
    if (of->blas.sgemm) {
        of->blas.sgemm(BLAS_ROW_MAJOR, BLAS_AS_IS, of->turned ? BLAS_TURNED : BLAS_AS_IS, of->m,
                       of->n, of->k, of->factor, of->a, of->k, of->b, of->turned ? of->k : of->n, 0,
                       of->out, of->n);
        return;
    }
    if (of->turned)
        tensor_product_nt(of->out, of->a, of->b, of->m, of->n, of->k);
    else
        tensor_product(of->out, of->a, of->b, of->m, of->n, of->k);
    size_t cells = (size_t)of->m * (size_t)of->n;
    for (size_t i = 0; of->factor != 1 && i < cells; i++) of->out[i] *= of->factor;
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
    Product of = {.out = out, .a = a, .b = b, .m = m, .n = n, .k = k, .turned = true, .factor = 1};
    if (is_large(m, n))
        product_in_bands(of);
    else
        multiply(&of);
}

void large_product(float *out, const float *a, const float *b, int m, int n, int k) {
    Product of = {.out = out, .a = a, .b = b, .m = m, .n = n, .k = k, .factor = 1};
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

/* From scaled scores to weights, in place; query is the row's place in the rule's arrays. */
static void weigh_row(float *row, const AttentionRule *rule, int query, int S) {
    AttentionRule own = *rule;
    size_t first = (size_t)query * (size_t)S;
    if (own.allowed) own.allowed += first;
    if (own.bias) own.bias += first;
    if (own.allowed || own.bias)
        for (int j = 0; j < S; j++) row[j] = attention_masked(&own, (size_t)j, row[j]);
    quick_softmax(row, S, own.temperature);
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
                        .turned = true,
                        .factor = of->rule.scale});
    for (int i = 0; i < rows; i++)
        weigh_row(weights + (size_t)i * S, &of->rule, band * BAND + i, shape.S);
    multiply(&(Product){.blas = heads->blas,
                        .out = of->output + row * Kv,
                        .a = weights,
                        .b = of->v + head * S * Kv,
                        .m = rows,
                        .n = shape.Kv,
                        .k = shape.S,
                        .factor = 1});
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
