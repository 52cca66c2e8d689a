/* Decoding with a cache of keys and values: each new token is projected alone, its key and value
 * are put behind those of the tokens before it, and its query attends to all of them. The result
 * is the row that a full causal run would give, as long as positions go on where they stopped. */
#ifndef CORE_CACHE_H
#define CORE_CACHE_H

#include "core/multihead.h"

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct Cache {
    int G, K;
    int room;     /* tokens that fit */
    int length;   /* tokens in it */
    float *k, *v; /* [G,room,K]; keys are turned already */
} Cache;

Cache cache_open(Arena *arena, const MultiHead *net, int room);

typedef struct CacheRule {
    double rope_base;     /* 0: no RoPE */
    RopePairing pairing;  /* ROPE_ADJACENT is 0 */
    bool restart;         /* wrong on purpose: every call counts its positions from 0 again */
    const uint8_t *valid; /* [length + T] of keys that are no padding, or NULL */
} CacheRule;

/* Appends x[T,D] and attends, causal from the bottom right. The trace has S = cache->length keys;
 * its k_heads and v_heads are the cache's own. Refuses what does not fit, and an empty x. */
bool cache_step(Arena *arena, Cache *cache, const MultiHead *net, const CacheRule *rule,
                const float *x, int T, MultiHeadTrace *trace, Err *err);

/* Puts the weights of head h, which belong to the queries S-T .. S-1, into map[n,n], n >= S, and
 * marks their cells in given[n,n]. Cells that no step gave stay as they are: missing, not zero. */
void cache_map(float *map, uint8_t *given, int n, const MultiHeadTrace *step, int h);

#endif
