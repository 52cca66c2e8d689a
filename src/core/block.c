/* A block as a walk: each part reads what the last one left, and everything on the way is kept. */
#include "core/block.h"

#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

static const double BLOCK_EPS = 1e-5;

static float *rows(Arena *arena, int T, int D) {
    return ARENA_ROOM(arena, float, (size_t)T *(size_t)D);
}

static float *normed(Arena *arena, const Norm *norm, const float *x, int T, int D) {
    float *y = rows(arena, T, D);
    norm_forward(y, norm, x, T, D);
    return y;
}

Sublayer sublayer_open(Arena *arena, NormPlace place, const Norm *norm, const float *x, int T,
                       int D) {
    Sublayer sub = {.input = x, .entry = x};
    if (place == NORM_PRE) sub.entry = sub.normed = normed(arena, norm, x, T, D);
    return sub;
}

void sublayer_close(Arena *arena, NormPlace place, const Norm *norm, Sublayer *sub,
                    const float *branch, int T, int D) {
    sub->branch = branch;
    sub->sum = rows(arena, T, D);
    for (size_t n = 0; n < (size_t)T * (size_t)D; n++) sub->sum[n] = sub->input[n] + branch[n];
    sub->output = sub->sum;
    if (place == NORM_POST) sub->output = sub->normed = normed(arena, norm, sub->sum, T, D);
}

static void activate(float *y, const FeedForward *net, const FeedTrace *trace, int n) {
    if (net->kind == FEED_SWIGLU)
        swiglu_forward(y, trace->gate, trace->up, n);
    else
        (net->kind == FEED_GELU ? gelu_forward : gelu_tanh_forward)(y, trace->up, n);
}

FeedTrace feed_forward(Arena *arena, const FeedForward *net, const float *x, int T, int D) {
    int F = net->F;
    FeedTrace trace = {.F = F, .up = rows(arena, T, F)};
    linear_run(trace.up, &net->up, x, T, D, F);
    if (net->kind == FEED_SWIGLU) {
        trace.gate = rows(arena, T, F);
        linear_run(trace.gate, &net->gate, x, T, D, F);
    }
    trace.hidden = rows(arena, T, F);
    activate(trace.hidden, net, &trace, T * F);
    trace.output = rows(arena, T, D);
    linear_run(trace.output, &net->down, trace.hidden, T, F, D);
    return trace;
}

static const float *run_self(Arena *arena, const Block *block, const BlockInput *input,
                             BlockTrace *trace, const float *x) {
    int T = trace->T, D = trace->D;
    trace->self_sub = sublayer_open(arena, block->place, &block->norm_self, x, T, D);
    trace->self =
        multihead_forward(arena, &block->self, &input->self, trace->self_sub.entry, T, NULL, 0);
    sublayer_close(arena, block->place, &block->norm_self, &trace->self_sub, trace->self.output, T,
                   D);
    return trace->self_sub.output;
}

static const float *run_cross(Arena *arena, const Block *block, const BlockInput *input,
                              BlockTrace *trace, const float *x) {
    int T = trace->T, D = trace->D;
    assert(input->context && input->S > 0);
    trace->cross_sub = sublayer_open(arena, block->place, &block->norm_cross, x, T, D);
    trace->cross = multihead_forward(arena, &block->cross, &input->cross, trace->cross_sub.entry, T,
                                     input->context, input->S);
    sublayer_close(arena, block->place, &block->norm_cross, &trace->cross_sub, trace->cross.output,
                   T, D);
    return trace->cross_sub.output;
}

static const float *run_feed(Arena *arena, const Block *block, BlockTrace *trace, const float *x) {
    int T = trace->T, D = trace->D;
    trace->feed_sub = sublayer_open(arena, block->place, &block->norm_feed, x, T, D);
    trace->feed = feed_forward(arena, &block->feed, trace->feed_sub.entry, T, D);
    sublayer_close(arena, block->place, &block->norm_feed, &trace->feed_sub, trace->feed.output, T,
                   D);
    return trace->feed_sub.output;
}

BlockTrace block_forward(Arena *arena, const Block *block, const BlockInput *input) {
    BlockTrace trace = {.T = input->T, .D = block->D};
    const float *x = run_self(arena, block, input, &trace, input->x);
    if (block->has_cross) x = run_cross(arena, block, input, &trace, x);
    if (block->has_feed) x = run_feed(arena, block, &trace, x);
    trace.output = x;
    return trace;
}

/* "PREFIXpart." */
static const char *part_prefix(KeptList *list, const char *prefix, const char *part) {
    return arena_printf(list->arena, "%s%s.", prefix, part);
}

static void list_norm(KeptList *list, const char *prefix, const Sublayer *sub, int T, int D) {
    kept_add(list, prefix, "norm", "TD", T, D, 0, sub->normed);
}

static void list_sum(KeptList *list, const char *prefix, const Sublayer *sub, int T, int D) {
    kept_add(list, prefix, "sum", "TD", T, D, 0, sub->sum);
}

/* The norm is listed where it is computed: in front of the part, or behind its sum. */
static void list_attention(KeptList *list, const char *prefix, NormPlace place, const Sublayer *sub,
                           const MultiHeadTrace *attention) {
    int T = attention->T, D = attention->D;
    if (place == NORM_PRE) list_norm(list, prefix, sub, T, D);
    multihead_list(list, prefix, attention);
    list_sum(list, prefix, sub, T, D);
    if (place == NORM_POST) list_norm(list, prefix, sub, T, D);
}

static void list_feed(KeptList *list, const char *prefix, NormPlace place,
                      const BlockTrace *trace) {
    int T = trace->T, D = trace->D;
    const FeedTrace *feed = &trace->feed;
    if (place == NORM_PRE) list_norm(list, prefix, &trace->feed_sub, T, D);
    kept_add(list, prefix, "gate", "TF", T, feed->F, 0, feed->gate);
    kept_add(list, prefix, "up", "TF", T, feed->F, 0, feed->up);
    kept_add(list, prefix, "hidden", "TF", T, feed->F, 0, feed->hidden);
    kept_add(list, prefix, "output", "TD", T, D, 0, feed->output);
    list_sum(list, prefix, &trace->feed_sub, T, D);
    if (place == NORM_POST) list_norm(list, prefix, &trace->feed_sub, T, D);
}

void block_list(KeptList *list, const char *prefix, const Block *block, const BlockTrace *trace) {
    list_attention(list, part_prefix(list, prefix, "self"), block->place, &trace->self_sub,
                   &trace->self);
    if (block->has_cross)
        list_attention(list, part_prefix(list, prefix, "cross"), block->place, &trace->cross_sub,
                       &trace->cross);
    if (block->has_feed) list_feed(list, part_prefix(list, prefix, "feed"), block->place, trace);
    kept_add(list, prefix, "output", "TD", trace->T, trace->D, 0, trace->output);
}

Block block_seeded(Arena *arena, int D, int H, bool cross, uint64_t seed) {
    Rng rng = rng_seed(seed);
    Norm norm = {.kind = NORM_LAYER, .eps = BLOCK_EPS};
    Block block = {.D = D, .place = NORM_PRE, .has_cross = cross, .has_feed = true};
    block.norm_self = block.norm_cross = block.norm_feed = norm;
    block.self = multihead_seeded(arena, D, D, H, H, true, rng_next(&rng));
    if (cross) block.cross = multihead_seeded(arena, D, D, H, H, true, rng_next(&rng));
    block.feed = feed_seeded(arena, FEED_GELU, D, 4 * D, rng_next(&rng));
    return block;
}

FeedForward feed_seeded(Arena *arena, FeedKind kind, int D, int F, uint64_t seed) {
    Rng rng = rng_seed(seed);
    FeedForward feed = {.kind = kind, .F = F};
    bool bias = kind != FEED_SWIGLU;
    feed.up = linear_seeded(arena, &rng, D, F, bias);
    feed.down = linear_seeded(arena, &rng, F, D, bias);
    if (kind == FEED_SWIGLU) feed.gate = linear_seeded(arena, &rng, D, F, bias);
    return feed;
}
