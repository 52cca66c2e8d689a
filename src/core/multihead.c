/* Multi-head attention: projections, the split into heads, RoPE, attention head by head, and the
 * way back. Every step writes an array of its own, because each of them is looked at. */
#include "core/multihead.h"

#include "base/rng.h"

#include <assert.h>
#include <string.h>

int multihead_width(const MultiHead *net) {
    return net->D / net->H;
}

int multihead_key_head(const MultiHead *net, int h) {
    return h / (net->H / net->G);
}

bool multihead_check(int D, int H, int G, bool turned, Err *err) {
    if (D < 1 || H < 1)
        return err_set(err, "a model needs a width and heads of at least 1, found %d and %d", D, H);
    if (D % H)
        return err_set(err,
                       "the model width %d is not divisible by %d heads: take a number of heads "
                       "that divides it",
                       D, H);
    if (G < 1 || H % G)
        return err_set(err,
                       "%d heads of keys do not divide %d heads of queries: take a number that "
                       "divides it",
                       G, H);
    if (turned && (D / H) % 2)
        return err_set(err,
                       "the head width %d / %d = %d is odd: RoPE turns features in pairs, take "
                       "an even head width",
                       D, H, D / H);
    return true;
}

/* heads[heads,rows,K] from side[rows, heads K]. */
static float *split(Arena *arena, const float *side, int rows, int heads, int K) {
    float *out = ARENA_ROOM(arena, float, (size_t)rows *(size_t)heads *(size_t)K);
    size_t width = (size_t)K;
    for (int t = 0; t < rows; t++)
        for (int h = 0; h < heads; h++)
            memcpy(out + ((size_t)h * (size_t)rows + (size_t)t) * width,
                   side + ((size_t)t * (size_t)heads + (size_t)h) * width, width * sizeof *out);
    return out;
}

/* Each head turned by the same tables; the heads themselves where there are none. */
static float *turn(Arena *arena, float *heads, const Rope *rope, RopePairing pairing, int count,
                   int rows, int K) {
    if (!rope) return heads;
    assert(rope->T == rows && 2 * rope->pairs <= K);
    size_t plane = (size_t)rows * (size_t)K;
    float *turned = ARENA_ARRAY(arena, float, plane *(size_t)count);
    for (int h = 0; h < count; h++)
        rope_apply(turned + (size_t)h * plane, heads + (size_t)h * plane, rope, pairing, K);
    return turned;
}

static float *project(Arena *arena, const Linear *layer, const float *x, int rows, int I, int O) {
    float *y = ARENA_ROOM(arena, float, (size_t)rows *(size_t)O);
    linear_run(y, layer, x, rows, I, O);
    return y;
}

MultiHeadTrace multihead_project(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                                 const float *x, int T, const float *context, int S) {
    int D = net->D, H = net->H, G = net->G, K = multihead_width(net);
    int C = context ? net->C : D;
    if (!context) S = T;
    MultiHeadTrace trace = {.T = T, .S = S, .D = D, .H = H, .G = G, .K = K, .x = x, .key_rows = S};
    trace.context = context ? context : x;
    trace.q = project(arena, &net->q, x, T, D, H * K);
    trace.k = project(arena, &net->k, trace.context, S, C, G * K);
    trace.v = project(arena, &net->v, trace.context, S, C, G * K);
    trace.q_split = split(arena, trace.q, T, H, K);
    trace.k_split = split(arena, trace.k, S, G, K);
    trace.q_heads = turn(arena, trace.q_split, rule->rope_q, rule->pairing, H, T, K);
    trace.k_heads = turn(arena, trace.k_split, rule->rope_k, rule->pairing, G, S, K);
    trace.v_heads = split(arena, trace.v, S, G, K);
    return trace;
}

/* allowed[T,S], or NULL when nothing is blocked. */
static const uint8_t *allowed_of(Arena *arena, const MultiHeadRule *rule, int T, int S) {
    if (!rule->causal && !rule->valid && !rule->allowed) return NULL;
    uint8_t *allowed = ARENA_ARRAY(arena, uint8_t, (size_t)T * (size_t)S);
    mask_all(allowed, T, S);
    if (rule->causal) mask_causal(allowed, T, S, rule->align);
    if (rule->valid) mask_padding(allowed, rule->valid, T, S);
    if (rule->allowed) mask_and(allowed, rule->allowed, T, S);
    return allowed;
}

static AttentionTrace attend_head(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                                  const MultiHeadTrace *trace, int h) {
    size_t T = (size_t)trace->T, S = (size_t)trace->S, K = (size_t)trace->K;
    size_t keys = (size_t)multihead_key_head(net, h) * (size_t)trace->key_rows * K;
    AttentionRule one = attention_plain(trace->K);
    one.allowed = trace->allowed;
    if (rule->scale > 0) one.scale = rule->scale;
    if (rule->temperature > 0) one.temperature = rule->temperature;
    if (rule->bias) one.bias = rule->bias + (size_t)h * T * S;
    AttentionShape shape = {.T = trace->T, .S = trace->S, .K = trace->K, .Kv = trace->K};
    return attention_trace(arena, shape, one, trace->q_heads + (size_t)h * T * K,
                           trace->k_heads + keys, trace->v_heads + keys);
}

/* The output of head h into its columns of joined[T,H K]. */
static void join(float *joined, const float *output, int h, int H, int T, int K) {
    for (int t = 0; t < T; t++)
        memcpy(joined + ((size_t)t * (size_t)H + (size_t)h) * (size_t)K,
               output + (size_t)t * (size_t)K, (size_t)K * sizeof *joined);
}

void multihead_attend(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                      MultiHeadTrace *trace) {
    int T = trace->T, S = trace->S, H = trace->H, K = trace->K;
    size_t cells = (size_t)T * (size_t)S;
    trace->allowed = allowed_of(arena, rule, T, S);
    trace->heads = ARENA_ARRAY(arena, AttentionTrace, H);
    trace->weights = ARENA_ROOM(arena, float, cells *(size_t)H);
    trace->joined = ARENA_ROOM(arena, float, (size_t)T *(size_t)H *(size_t)K);
    for (int h = 0; h < H; h++) {
        float *weights = trace->weights + (size_t)h * cells;
        trace->heads[h] = attend_head(arena, net, rule, trace, h);
        memcpy(weights, trace->heads[h].weights, cells * sizeof *weights);
        join(trace->joined, trace->heads[h].output, h, H, T, K);
    }
    trace->output = project(arena, &net->out, trace->joined, T, H * K, net->D);
}

MultiHeadTrace multihead_forward(Arena *arena, const MultiHead *net, const MultiHeadRule *rule,
                                 const float *x, int T, const float *context, int S) {
    MultiHeadTrace trace = multihead_project(arena, net, rule, x, T, context, S);
    multihead_attend(arena, net, rule, &trace);
    return trace;
}

void multihead_positions(int *positions, const uint8_t *valid, int T) {
    int first = 0;
    while (valid && first < T && !valid[first]) first++;
    if (first == T) first = 0;
    for (int t = 0; t < T; t++) positions[t] = t > first ? t - first : 0;
}

static void list_heads(KeptList *list, const char *prefix, const MultiHeadTrace *trace) {
    int T = trace->T, S = trace->S;
    for (int h = 0; h < trace->H && trace->heads; h++) {
        const AttentionTrace *head = &trace->heads[h];
        const char *number = arena_printf(list->arena, ".%d", h);
        const char *start = arena_printf(list->arena, "%sscores", prefix);
        kept_add(list, start, number, "TS", T, S, 0, head->scores);
        start = arena_printf(list->arena, "%sscaled", prefix);
        kept_add(list, start, number, "TS", T, S, 0, head->scaled);
        start = arena_printf(list->arena, "%smasked", prefix);
        kept_add(list, start, number, "TS", T, S, 0, head->masked);
    }
}

void multihead_list(KeptList *list, const char *prefix, const MultiHeadTrace *trace) {
    int T = trace->T, S = trace->S, H = trace->H, G = trace->G, K = trace->K;
    kept_add(list, prefix, "x", "TD", T, trace->D, 0, trace->x);
    kept_add(list, prefix, "q", "TD", T, H * K, 0, trace->q);
    kept_add(list, prefix, "k", "SD", S, G * K, 0, trace->k);
    kept_add(list, prefix, "v", "SD", S, G * K, 0, trace->v);
    kept_add(list, prefix, "q_split", "HTK", H, T, K, trace->q_split);
    kept_add(list, prefix, "k_split", "GSK", G, S, K, trace->k_split);
    kept_add(list, prefix, "q_heads", "HTK", H, T, K, trace->q_heads);
    kept_add(list, prefix, "k_heads", "GSK", G, trace->key_rows, K, trace->k_heads);
    kept_add(list, prefix, "v_heads", "GSK", G, trace->key_rows, K, trace->v_heads);
    list_heads(list, prefix, trace);
    kept_add(list, prefix, "weights", "HTS", H, T, S, trace->weights);
    kept_add(list, prefix, "joined", "TD", T, H * K, 0, trace->joined);
    kept_add(list, prefix, "output", "TD", T, trace->D, 0, trace->output);
}

MultiHead multihead_seeded(Arena *arena, int D, int C, int H, int G, bool bias, uint64_t seed) {
    Rng rng = rng_seed(seed);
    MultiHead net = {.D = D, .C = C, .H = H, .G = G};
    int K = multihead_width(&net);
    net.q = linear_seeded(arena, &rng, D, H * K, bias);
    net.k = linear_seeded(arena, &rng, C, G * K, bias);
    net.v = linear_seeded(arena, &rng, C, G * K, bias);
    net.out = linear_seeded(arena, &rng, H * K, D, bias);
    return net;
}
