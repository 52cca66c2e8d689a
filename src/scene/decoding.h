/* The attention of one layer over a sentence, decoded with a cache and looked at after any step:
 * the prompt is run at once in step 0, then each step brings one token. Beside it one full causal
 * run over all tokens, which the steps should equal, and what both ways cost. */
#ifndef SCENE_DECODING_H
#define SCENE_DECODING_H

#include "base/arena.h"
#include "base/table.h"
#include "core/cache.h"
#include "core/multihead.h"
#include "scene/blockmodel.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DecodingPlan {
    int prompt;   /* tokens of step 0; more than the text has: all of it */
    int step;     /* the last step that is done */
    int head;     /* the one that is looked at */
    bool rope;    /* queries and keys are turned by their positions */
    bool restart; /* wrong on purpose: every step counts its positions from 0 */
} DecodingPlan;

typedef struct Decoding {
    DecodingPlan plan;     /* prompt is at most T */
    int T, K, H;           /* tokens, head width, heads */
    const Label *labels;   /* [T] */
    int first;             /* the first token of the last step */
    int length;            /* tokens in the cache behind it */
    MultiHeadTrace full;   /* the full causal run */
    float *queries;        /* [T,K] of the head, of all steps, turned; and of the cache: */
    const float *keys;     /* [T,K] turned */
    const float *values;   /* [T,K] */
    float *map;            /* [T,T] weights of the head by steps */
    uint8_t *given;        /* [T,T] 1 where a step gave a weight */
    const float *full_map; /* [T,T] of the full run */
    /* largest differences from the full run, over all steps: of all heads' weights, of the output
     */
    double apart, apart_output;
} Decoding;

/* The step behind which all T tokens are decoded. */
int decoding_last(int T, int prompt);

/* setting is that of blockmodel_open, with RoPE as plan says; its first block is used. The head and
 * the step have been checked. */
bool decoding_run(Arena *arena, const BlockSetting *setting, DecodingPlan plan, Decoding *decoding,
                  Err *err);

/* The step that computed token t, and where that token was taken to stand. */
int decoding_step_of(const Decoding *decoding, int t);
int decoding_position_of(const Decoding *decoding, int t);

/* Tokens in the cache behind a step. */
int decoding_length(const Decoding *decoding, int step);

/* Whether steps and full run agree, as a sentence with both differences. */
const char *decoding_equality(const Decoding *decoding, Arena *arena);

/* [T,K] of which the rows from .. length-1 are there, the others missing. */
Table decoding_rows(Arena *arena, const Decoding *decoding, const char *title, const float *values,
                    int from);

/* [T,T]: cells that no step gave are missing, those that the causal mask hides within the prompt
 * are blocked. The full run has all of them. */
Table decoding_map(Arena *arena, const Decoding *decoding);
Table decoding_full_map(Arena *arena, const Decoding *decoding);
Table decoding_difference(Arena *arena, const Decoding *decoding);

/* Multiply-adds of a step with the cache and without, and those of all steps up to it. */
typedef struct DecodingCost {
    double cached, again, cached_sum, again_sum;
} DecodingCost;
DecodingCost decoding_cost(const Decoding *decoding, int step);

/* [last + 1, 4]: the four of every step. */
enum { DECODING_COSTS = 4 };
Table decoding_costs(Arena *arena, const Decoding *decoding);

#endif
