/* Scaled dot-product attention (Vaswani et al. 2017, eq. 1), kept step by step for whoever looks:
 *
 *   scores  = Q K^T
 *   scaled  = scores * scale
 *   masked  = scaled + bias, or fill where blocked
 *   softmax = softmax(masked / temperature)
 *   weights = softmax, but exactly 0 where blocked
 *   output  = weights V
 *
 * Masking is done twice, as the course text defines it: the fill before softmax, and zero after it,
 * so that a row with no key allowed ends as exact zeros whatever the fill was. */
#ifndef CORE_ATTENTION_H
#define CORE_ATTENTION_H

#include "base/arena.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef struct AttentionShape {
    int T;  /* queries */
    int S;  /* keys */
    int K;  /* width of a query and a key */
    int Kv; /* width of a value */
} AttentionShape;

typedef struct AttentionRule {
    float scale;            /* factor on Q K^T, usually 1/sqrt(K): attention_scale */
    float temperature;      /* > 0 */
    const uint8_t *allowed; /* [T,S] or NULL: all */
    const float *bias;      /* [T,S] added to the scaled scores, or NULL; -INFINITY blocks */
    float fill;             /* put where blocked: -INFINITY, or a stand-in such as -FLT_MAX */
} AttentionRule;

/* What becomes of the scaled score of cell n. A bias of -INFINITY blocks even a score of +INFINITY,
 * whose sum would be NaN. */
static inline float attention_masked(const AttentionRule *rule, size_t n, float scaled) {
    if (rule->allowed && !rule->allowed[n]) return rule->fill;
    if (!rule->bias) return scaled;
    return rule->bias[n] == -INFINITY ? -INFINITY : scaled + rule->bias[n];
}

/* Where a step changes nothing its array is that of the step before: masked is scaled, and weights
 * is softmax, when nothing is masked. */
typedef struct AttentionTrace {
    const float *scores, *scaled, *masked, *softmax, *weights; /* [T,S] each */
    float *output;                                             /* [T,Kv] */
} AttentionTrace;

/* 1/sqrt(K), computed in double and rounded once. */
float attention_scale(int K);

/* The rule of plain attention: scale 1/sqrt(K), temperature 1, no mask, no bias, fill -INFINITY. */
AttentionRule attention_plain(int K);

/* q[T,K], k[S,K], v[S,Kv]; v may be NULL (then output is NULL). */
AttentionTrace attention_trace(Arena *arena, AttentionShape shape, AttentionRule rule,
                               const float *q, const float *k, const float *v);

/* The steps from scores[T,S] on, for scores that were typed in: taken as they are, scale not
 * applied. output is NULL, and scores and scaled are the array given. */
AttentionTrace attention_from_scores(Arena *arena, int T, int S, AttentionRule rule,
                                     const float *scores);

/* Inverted dropout (Srivastava et al. 2014): dropped = keep ? weights / (1 - p) : 0; p = 1 gives
 * zeros. n elements. */
void attention_dropout(float *dropped, const float *weights, const uint8_t *keep, float p, int n);

#endif
