/* The block that models are made of: attention, then a feed-forward layer, each added to what came
 * in (a residual), with a normalisation in front of each part or behind each sum:
 *
 *   pre-norm    y = x + F(Norm(x))     (Xiong et al. 2020; GPT-2 and everything since)
 *   post-norm   y = Norm(x + F(x))     (Vaswani et al. 2017)
 *
 * The parts are self-attention, cross-attention onto a context (optional), feed-forward (optional),
 * in this order. */
#ifndef CORE_BLOCK_H
#define CORE_BLOCK_H

#include "core/kept.h"
#include "core/multihead.h"
#include "core/norm.h"

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum NormPlace { NORM_PRE, NORM_POST } NormPlace;

/* One part of a block with its residual and its norm. */
typedef struct Sublayer {
    const float *input;  /* [T,D] */
    float *normed;       /* [T,D]: Norm(input) or Norm(sum) */
    const float *entry;  /* [T,D] what F reads: normed, or input in post-norm */
    const float *branch; /* [T,D] what F gave */
    float *sum;          /* [T,D] input + branch */
    const float *output; /* [T,D] sum, or normed in post-norm */
} Sublayer;

/* Up to entry; then the caller runs F on entry; then the rest, from what F gave. */
Sublayer sublayer_open(Arena *arena, NormPlace place, const Norm *norm, const float *x, int T,
                       int D);
void sublayer_close(Arena *arena, NormPlace place, const Norm *norm, Sublayer *sub,
                    const float *branch, int T, int D);

/* The feed-forward layer: down(act(up(x))), or down(silu(gate(x)) * up(x)) for SwiGLU. */
typedef enum FeedKind { FEED_GELU, FEED_GELU_TANH, FEED_SWIGLU } FeedKind;

typedef struct FeedForward {
    FeedKind kind;
    int F;           /* hidden width */
    Linear up, down; /* D -> F, F -> D */
    Linear gate;     /* D -> F, of SwiGLU only */
} FeedForward;

typedef struct FeedTrace {
    int F;
    float *up;     /* [T,F] before the activation */
    float *gate;   /* [T,F] before the activation; NULL without a gate */
    float *hidden; /* [T,F] behind the activation (and the product) */
    float *output; /* [T,D] */
} FeedTrace;

/* Random weights by seed, as in multihead_seeded; biases of zero, none for SwiGLU. */
FeedForward feed_seeded(Arena *arena, FeedKind kind, int D, int F, uint64_t seed);

FeedTrace feed_forward(Arena *arena, const FeedForward *net, const float *x, int T, int D);

typedef struct Block {
    int D;
    NormPlace place;
    Norm norm_self, norm_cross, norm_feed;
    MultiHead self, cross;
    FeedForward feed;
    bool has_cross, has_feed;
} Block;

typedef struct BlockInput {
    const float *x; /* [T,D] */
    int T;
    MultiHeadRule self;   /* causal, padding, RoPE of self-attention */
    const float *context; /* [S,C] of cross-attention */
    int S;
    MultiHeadRule cross; /* padding of the context; no causal mask, no RoPE */
} BlockInput;

typedef struct BlockTrace {
    int T, D;
    Sublayer self_sub, cross_sub, feed_sub;
    MultiHeadTrace self, cross;
    FeedTrace feed;
    const float *output; /* [T,D] */
} BlockTrace;

BlockTrace block_forward(Arena *arena, const Block *block, const BlockInput *input);

/* Adds "self.norm", "self.x" ... "self.sum", "cross. ...", "feed.norm", "feed.up", "feed.hidden",
 * "feed.sum", "output" behind the prefix. */
void block_list(KeptList *list, const char *prefix, const Block *block, const BlockTrace *trace);

/* A block of random weights by seed: pre-norm, LayerNorm with eps 1e-5 and no weights of its own,
 * GELU of hidden width 4 D; with cross, cross-attention onto a context of width D. */
Block block_seeded(Arena *arena, int D, int H, bool cross, uint64_t seed);

/* ---- the block of the course's exercise ---- */

/* An array with its shape, as it comes from a file or from a typed line. */
typedef struct BlockArray {
    const float *values;
    int rank;     /* 2 or 3 */
    int shape[3]; /* the first rank of them */
} BlockArray;

typedef struct RopeBlock {
    int B, T, D, H, K;
    MultiHeadTrace *attention; /* [B], every step; q_split is q before it is turned */
    float *sum;                /* [B,T,D] x + attention */
    float *weights;            /* [B,H,T,T] */
    float *output;             /* [B,T,D] */
} RopeBlock;

/* Post-norm block without feed-forward and without bias. x[B,T,D] or [T,D]; w_q, w_k, w_v, w_o
 * [D,D] as x @ W; freqs_cos and freqs_sin [T,K/2], used as given. Adjacent pairs of q and k are
 * turned, v is not. output = LayerNorm(x + attention), population variance, 1e-5 inside the root.
 * Refuses shapes that do not fit, D not divisible by num_heads, and an odd head width. */
bool transformer_block_with_rope(Arena *arena, BlockArray x, BlockArray w_q, BlockArray w_k,
                                 BlockArray w_v, BlockArray w_o, int num_heads,
                                 BlockArray freqs_cos, BlockArray freqs_sin, RopeBlock *block,
                                 Err *err);

#endif
