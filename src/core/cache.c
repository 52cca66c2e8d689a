/* The cache is two arrays in which each head has room for all the tokens, so that appending moves
 * nothing and the rows of a head stay together. */
#include "core/cache.h"

#include <string.h>

Cache cache_open(Arena *arena, const MultiHead *net, int room) {
    int K = multihead_width(net);
    size_t size = (size_t)net->G * (size_t)room * (size_t)K;
    return (Cache){.G = net->G,
                   .K = K,
                   .room = room,
                   .k = ARENA_ARRAY(arena, float, size),
                   .v = ARENA_ARRAY(arena, float, size)};
}

/* The T new rows of each head behind those that are there. */
static void append(const Cache *cache, float *to, const float *heads, int T) {
    size_t row = (size_t)cache->K;
    for (size_t g = 0; g < (size_t)cache->G; g++)
        memcpy(to + (g * (size_t)cache->room + (size_t)cache->length) * row,
               heads + g * (size_t)T * row, (size_t)T * row * sizeof *to);
}

static bool check_room(const Cache *cache, int T, Err *err) {
    if (T < 1) return err_set(err, "a step of the cache needs at least one token, found %d", T);
    if (T > cache->room - cache->length)
        return err_set(err, "the cache has room for %d tokens and holds %d: %d more do not fit",
                       cache->room, cache->length, T);
    return true;
}

bool cache_step(Arena *arena, Cache *cache, const MultiHead *net, const CacheRule *rule,
                const float *x, int T, MultiHeadTrace *trace, Err *err) {
    if (!check_room(cache, T, err)) return false;
    if (rule->rope_base != 0 && !rope_check(cache->K, cache->K, rule->rope_base, err)) return false;
    MultiHeadRule step = {
        .causal = true, .align = MASK_BOTTOM_RIGHT, .valid = rule->valid, .pairing = rule->pairing};
    Rope rope;
    if (rule->rope_base != 0) {
        int first = rule->restart ? 0 : cache->length;
        rope = rope_build(arena, cache->K, rule->rope_base, first, T);
        step.rope_q = step.rope_k = &rope;
    }
    *trace = multihead_project(arena, net, &step, x, T, NULL, 0);
    append(cache, cache->k, trace->k_heads, T);
    append(cache, cache->v, trace->v_heads, T);
    cache->length += T;
    trace->S = cache->length;
    trace->k_heads = cache->k;
    trace->v_heads = cache->v;
    trace->key_rows = cache->room;
    multihead_attend(arena, net, &step, trace);
    return true;
}

void cache_map(float *map, uint8_t *given, int n, const MultiHeadTrace *step, int h) {
    size_t S = (size_t)step->S;
    for (int i = 0; i < step->T; i++) {
        size_t at = (size_t)(step->S - step->T + i) * (size_t)n;
        memcpy(map + at, step->heads[h].weights + (size_t)i * S, S * sizeof *map);
        memset(given + at, 1, S);
    }
}
