/* Positions that act on the scores: a bias by the distance of key and query. The relative position
 * is everywhere key minus query, j - (i + first): first is the position of query 0, above 0 when
 * keys of a cache stand before the queries. None of them replaces a causal mask. */
#ifndef CORE_RELATIVE_H
#define CORE_RELATIVE_H

#include "base/err.h"

#include <stdbool.h>

/* The places of a map of T queries and S keys. */
typedef struct RelativeMap {
    int T, S;
    int first; /* position of query 0; that of key 0 is 0 */
} RelativeMap;

/* j - (i + first). */
int relative_position(RelativeMap map, int i, int j);

/* --- ALiBi (Press et al. 2021) --- */

/* Refuses H < 1. */
bool alibi_check(int H, Err *err);

/* slopes[H] for any H >= 1 by the authors' code (attention_with_linear_biases, get_slopes): with n
 * the largest power of two up to H, 2^(-8h/n) for h = 1 .. n, then every second one of those of 2n
 * heads. The paper's text has one geometric row for every H and differs when H is no power of 2. */
void alibi_slopes(float *slopes, int H);

typedef enum AlibiForm {
    ALIBI_SYMMETRIC, /* -slope |j - i| */
    ALIBI_SIGNED     /* slope (j - i): the same up to the query itself, a reward for future keys */
} AlibiForm;

/* bias[T,S], to be added to the scaled scores of the head with this slope. */
void alibi_bias(float *bias, float slope, RelativeMap map, AlibiForm form);

/* --- T5 (Raffel et al. 2020; Mesh TensorFlow, _relative_position_bucket) --- */

typedef struct T5Buckets {
    bool bidirectional; /* an encoder: half of the buckets are for keys behind the query */
    int buckets;        /* 32 in T5 */
    int max_distance;   /* 128 in T5: from here on one bucket */
} T5Buckets;

/* Refuses too few buckets (2; 4 and even when bidirectional) and a max_distance that is not above
 * the distances that have a bucket of their own. */
bool t5_check(T5Buckets rule, Err *err);

/* The bucket 0 .. buckets-1 of a relative position. With n buckets a direction, distances below n/2
 * have their own, larger ones n/2 + floor(ln(distance/(n/2)) / ln(max_distance/(n/2)) (n - n/2)).
 * Keys ahead of the query: + n when bidirectional, else bucket 0. */
int t5_bucket(T5Buckets rule, int relative);

/* bias[T,S] of head h from table[buckets,H], to be added to the scores. T5 has it in self-attention
 * only, and does not scale its scores. */
void t5_bias(float *bias, const float *table, int H, int h, T5Buckets rule, RelativeMap map);

/* --- Clipped relative positions (Shaw et al. 2018) --- */

/* Refuses max_distance < 0. */
bool shaw_check(int max_distance, Err *err);

/* clip(relative, -max_distance, max_distance) + max_distance: row of a table of 2 max_distance + 1
 * rows; max_distance >= 0. */
int shaw_index(int relative, int max_distance);

/* bias[T,S] of head h from table[2 max_distance + 1, H]. */
void shaw_bias(float *bias, const float *table, int H, int h, int max_distance, RelativeMap map);

/* bias[T,S] = scale * q[T,K] . rel_k[index,K]: what the relative keys add to the scaled scores. */
void shaw_key_bias(float *bias, const float *q, const float *rel_k, int K, float scale,
                   int max_distance, RelativeMap map);

/* output[T,Kv] += sum_j weights[T,S] rel_v[index,Kv]: what the relative values add. */
void shaw_value_add(float *output, const float *weights, const float *rel_v, int Kv,
                    int max_distance, RelativeMap map);

#endif
