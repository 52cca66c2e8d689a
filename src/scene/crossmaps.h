/* The attention maps of a question that listens to a review: under raw embeddings, and in a block
 * of a decoder, where the question first attends to itself (causal, RoPE) and then to the whole
 * review (no causal mask, no positions). Padding behind the review is blocked. */
#ifndef SCENE_CROSSMAPS_H
#define SCENE_CROSSMAPS_H

#include "base/arena.h"
#include "base/table.h"
#include "core/attention.h"
#include "core/block.h"
#include "scene/blockmodel.h"
#include "scene/sentence.h"

#include <stdint.h>

/* In the order of the stages of the scene. */
typedef enum CrossMap { CROSS_RAW, CROSS_SELF, CROSS_CROSS, CROSS_MAPS } CrossMap;

enum { CROSS_MEAN = -1 };

typedef struct CrossInput {
    Sentence question, review; /* of one width */
    int pad;                   /* keys of padding behind the review */
    double temperature;
    const BlockModel *model; /* one block with cross-attention; NULL: only the raw map */
    int head;                /* whose weights the tables have, or CROSS_MEAN */
} CrossInput;

typedef struct CrossMaps {
    int H;                              /* heads of the block; 0: there is none */
    TableAxis queries;                  /* [T] */
    TableAxis keys, own;                /* the review's [S], padding included; the question's [T] */
    const float *context;               /* [S,in]: the review's vectors, those of padding zero */
    AttentionTrace raw;                 /* [T,S] */
    BlockTrace block;                   /* self [H,T,T], cross [H,T,S] */
    const uint8_t *allowed[CROSS_MAPS]; /* [T,S], [T,T], [T,S] */
    const Table *tables[CROSS_MAPS];    /* "raw", "self", "cross"; NULL: not computed */
} CrossMaps;

CrossMaps crossmaps_make(Arena *arena, const CrossInput *input);

/* "mean of 4 heads", "head 2 of 0 … 3". */
const char *crossmaps_heads(Arena *arena, int head, int H);

#endif
