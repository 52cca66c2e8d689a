/* Whole networks of blocks: an encoder whose masked mean gives one logit (a classifier), a causal
 * language model, and an encoder with a decoder that reads it. One sequence at a time; padding
 * tokens are masked as keys and left out of the mean. */
#ifndef CORE_ENCODER_H
#define CORE_ENCODER_H

#include "core/block.h"
#include "core/position.h"

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* How a network tells where a token stood. */
typedef enum EncoderPosition {
    ENCODER_NONE,
    ENCODER_SINUSOIDAL, /* added once to the embeddings, base 10000, interleaved */
    ENCODER_LEARNED,    /* a table, added once */
    ENCODER_ROPE        /* in every layer, queries and keys turned */
} EncoderPosition;

typedef struct Encoder {
    int V, D, L;        /* vocabulary, width, layers */
    const float *embed; /* [V,D] */
    float embed_scale;  /* factor on the embeddings, usually 1 */
    EncoderPosition position;
    LearnedTable learned;   /* of ENCODER_LEARNED */
    double rope_base;       /* of ENCODER_ROPE */
    bool causal;            /* a language model */
    int pad_id;             /* the id of padding, -1: none */
    const Block *blocks;    /* [L] */
    const Norm *final_norm; /* or NULL */
    int outputs;            /* 1 for a classifier, V for a language model */
    Linear head;            /* D -> outputs */
} Encoder;

typedef struct EncoderTrace {
    int T, D, L, outputs;
    uint8_t *valid;      /* [T] 1 where the token is no padding */
    int *positions;      /* [T], see multihead_positions */
    float *embedded;     /* [T,D] */
    float *entry;        /* [T,D] embedded with positions added: what block 0 reads */
    BlockTrace *blocks;  /* [L] */
    const float *last;   /* [T,D] what the last block gave */
    const float *hidden; /* [T,D] behind the final norm, where there is one */
    float *pooled;       /* [D] mean of the hidden rows that are no padding; NULL if causal */
    float *logits;       /* [outputs]; [T,outputs] if causal */
} EncoderTrace;

/* Runs ids[T]. Refuses T < 1, ids outside 0 .. V-1, and positions that a learned table lacks. */
bool encoder_forward(Arena *arena, const Encoder *net, const int *ids, int T, EncoderTrace *trace,
                     Err *err);

/* The share of "positive": 1 / (1 + exp(-logit)). */
float encoder_probability(float logit);

/* Adds "embedded", "entry", "block0.self.norm" ..., "hidden", "pooled", "logits". */
void encoder_list(KeptList *list, const Encoder *net, const EncoderTrace *trace);

/* An encoder of L blocks with random weights by seed and no vocabulary: block l gets seed + l. */
Block *encoder_seeded_blocks(Arena *arena, int D, int H, int L, uint64_t seed);

/* Runs blocks[L] over vectors x[T,D], all under one rule: traces[L]. */
BlockTrace *encoder_run_blocks(Arena *arena, const Block *blocks, int L, const float *x, int T,
                               const MultiHeadRule *rule);

/* An encoder block over the source, a norm, and a decoder block that is causal over the target and
 * reads the whole source. RoPE turns both self-attentions and never the cross-attention. */
typedef struct EncoderDecoder {
    Block encoder; /* without cross-attention */
    Norm memory_norm;
    Block decoder;    /* with cross-attention */
    double rope_base; /* 0: no RoPE */
} EncoderDecoder;

typedef struct EncoderDecoderTrace {
    BlockTrace encoder, decoder;
    float *memory; /* [S,D] what the decoder reads */
} EncoderDecoderTrace;

/* source[S,D] with valid[S] (NULL: no padding), target[T,D]. */
EncoderDecoderTrace encoder_decoder_forward(Arena *arena, const EncoderDecoder *net,
                                            const float *source, const uint8_t *valid, int S,
                                            const float *target, int T);

#endif
