/* Multi-head attention (Vaswani et al. 2017, sec. 3.2.2) over one sequence, every step kept:
 *
 *   q = x Wq + bq, k = c Wk + bk, v = c Wv + bv    c = x (self-attention) or a context (cross)
 *   split: head h of q owns the columns h K .. h K + K-1
 *   turned: RoPE turns q and k by their positions, never v
 *   attention of each head, with scale 1/sqrt(K), K the width of a head and not of the model
 *   joined: the heads side by side again, then output = joined Wo + bo
 *
 * With grouped heads (Ainslie et al. 2023) G < H heads of keys and values serve H heads of queries:
 * query head h reads key head h / (H/G). A padding mask hides keys, never queries: the row of a
 * padding query is computed like any other. A row with no key allowed has weights of exactly 0 and
 * joined 0, so its output is the bias of the output projection. */
#ifndef CORE_MULTIHEAD_H
#define CORE_MULTIHEAD_H

#include "core/attention.h"
#include "core/kept.h"
#include "core/layers.h"
#include "core/mask.h"
#include "core/rope.h"

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct MultiHead {
    int D;      /* width of x and of the output */
    int C;      /* width of the context; D in self-attention */
    int H;      /* heads of queries */
    int G;      /* heads of keys and values, H or a divisor of it */
    Linear q;   /* D -> H K */
    Linear k;   /* C -> G K */
    Linear v;   /* C -> G K */
    Linear out; /* H K -> D */
} MultiHead;

/* K = D / H. */
int multihead_width(const MultiHead *net);

/* Refuses H < 1, D not divisible by H, G that does not divide H, and with turned (RoPE is used) an
 * odd head width. */
bool multihead_check(int D, int H, int G, bool turned, Err *err);

typedef struct MultiHeadRule {
    bool causal;
    MaskAlign align;        /* of causal, where T != S: MASK_TOP_LEFT (0) or MASK_BOTTOM_RIGHT */
    const uint8_t *valid;   /* [S] 1 for a key that is no padding, or NULL: all */
    const uint8_t *allowed; /* [T,S] narrows what causal and valid allow, or NULL */
    const Rope *rope_q;     /* T rows, or NULL: queries are not turned */
    const Rope *rope_k;     /* S rows, or NULL */
    RopePairing pairing;    /* ROPE_ADJACENT is 0 */
    const float *bias;      /* [H,T,S] added to the scaled scores (ALiBi, T5), or NULL */
    float scale;            /* 0: 1/sqrt(K) */
    float temperature;      /* divides the scores before softmax; 0: 1 */
} MultiHeadRule;

typedef struct MultiHeadTrace {
    int T, S, D, H, G, K;
    const float *x;         /* [T,D] */
    const float *context;   /* [S,C]; x itself in self-attention */
    float *q, *k, *v;       /* [T,H K], [S,G K], [S,G K]: the projections */
    float *q_split;         /* [H,T,K] before RoPE */
    float *k_split;         /* [G,S,K] before RoPE */
    float *q_heads;         /* [H,T,K], turned where there is RoPE; else q_split itself */
    float *k_heads;         /* [G,key_rows,K], the first S rows of each head; the same */
    float *v_heads;         /* [G,key_rows,K], the first S rows of each head */
    int key_rows;           /* S, or more in a cache */
    const uint8_t *allowed; /* [T,S], or NULL: all */
    AttentionTrace *heads;  /* [H] scores, scaled, masked, softmax, weights [T,S], output [T,K] */
    float *weights;         /* [H,T,S], one head behind the other */
    float *joined;          /* [T,H K] */
    float *output;          /* [T,D] */
} MultiHeadTrace;

/* x[T,D]; context[S,C], or NULL for self-attention (then S = T and C = D). Shapes have been
 * checked. */
MultiHeadTrace multihead_forward(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                                 const float *x, int T, const float *context, int S);

/* The two halves of it, for a cache that keeps keys and values between them: from x to the heads
 * (everything up to v_heads), and from the heads to the output. */
MultiHeadTrace multihead_project(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                                 const float *x, int T, const float *context, int S);
void multihead_attend(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                      MultiHeadTrace *trace);

/* The key head that query head h reads. */
int multihead_key_head(const MultiHead *net, int h);

/* positions[T] of tokens where valid[T] (NULL: all) marks padding: the first token that is no
 * padding stands at 0 and every later place counts on; padding in front of it stays at 0. A
 * sequence of only padding counts from its start. */
void multihead_positions(int *positions, const uint8_t *valid, int T);

/* Adds "x", "q", "k", "v", "q_split", ..., "scores", "scaled", "masked", "weights", "joined",
 * "output" behind the prefix; scores, scaled and masked of head h as "scores.h". */
void multihead_list(KeptList *list, const char *prefix, const MultiHeadTrace *trace);

/* Random weights, said to be so: normal values of deviation 1/sqrt(width of the input) by seed,
 * biases zero. They carry no meaning; the same seed gives the same weights. C is the context's
 * width, G heads of keys; bias false leaves the biases out. */
MultiHead multihead_seeded(Arena *arena, int D, int C, int H, int G, bool bias, uint64_t seed);

#endif
