/* Large products, and attention over maps too large to keep every step of. Up to LARGE_CELLS cells
 * a product has the bits of core/tensor.h; beyond, OpenBLAS multiplies, whose last digits differ
 * between processors (not between numbers of threads), and large_note is what a figure says of it.
 */
#ifndef CORE_LARGE_H
#define CORE_LARGE_H

#include "core/attention.h"

#include "base/arena.h"

enum { LARGE_CELLS = 512 * 512 };

/* out[m,n] = a[m,k] b[n,k]^T. */
void large_product_nt(float *out, const float *a, const float *b, int m, int n, int k);

/* out[m,n] = a[m,k] b[k,n]. */
void large_product(float *out, const float *a, const float *b, int m, int n, int k);

/* A sentence for the notes of a figure whose numbers come from a product of m x n cells; NULL where
 * there is nothing to say. */
const char *large_note(int m, int n);

/* What large_attention reads and writes; nothing else is allocated. */
typedef struct LargeAttention {
    int H;                /* heads */
    AttentionShape shape; /* of each */
    AttentionRule rule;   /* of all: allowed and bias are [T,S] */
    const float *q;       /* [H,T,K] */
    const float *k;       /* [H,S,K] */
    const float *v;       /* [H,S,Kv] */
    float *weights;       /* [H,T,S] made */
    float *output;        /* [H,T,Kv] made */
} LargeAttention;

/* Weights and output of every head, as attention_trace makes them, within 1e-5. */
void large_attention(const LargeAttention *of);

/* The steps that were not kept, of one query: arrays of a single row. output is NULL. */
AttentionTrace large_attention_row(Arena *arena, const LargeAttention *of, int head, int query);

#endif
