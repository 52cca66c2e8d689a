/* Networks from the inputs of a case. */
#include "golden_nets.h"

#include <string.h>

static const char *join(Golden *golden, const char *prefix, const char *name) {
    return arena_printf(golden->arena, "%s%s", prefix, name);
}

/* One input of rank 1 or 2 whose sizes are known. */
static bool read_sized(Golden *golden, const char *name, int rank, int first, int second,
                       const float **values) {
    GoldenArray array;
    if (!golden_input(golden, name, rank, &array)) return false;
    if (array.shape[0] != first || (rank == 2 && array.shape[1] != second))
        return golden_break(golden, "shape does not fit the others:", name);
    *values = array.floats;
    return true;
}

bool nets_linear(Golden *golden, const char *prefix, int I, int O, Linear *layer) {
    const char *bias = join(golden, prefix, "bias");
    *layer = (Linear){0};
    if (!read_sized(golden, join(golden, prefix, "weight"), 2, O, I, &layer->weight)) return false;
    return !golden_has(golden, bias) || read_sized(golden, bias, 1, O, 0, &layer->bias);
}

bool nets_norm(Golden *golden, const char *prefix, int D, Norm *norm) {
    *norm = (Norm){.kind = NORM_LAYER, .eps = golden_number(golden, "eps", 1e-5)};
    return read_sized(golden, join(golden, prefix, "weight"), 1, D, 0, &norm->weight) &&
           read_sized(golden, join(golden, prefix, "bias"), 1, D, 0, &norm->bias);
}

bool nets_heads(Golden *golden, const char *prefix, int D, int C, MultiHead *net, Err *err) {
    GoldenArray k;
    int H = (int)golden_number(golden, "num_heads", 1);
    if (!multihead_check(D, H, H, nets_rope_base(golden) > 0, err) ||
        !golden_input(golden, join(golden, prefix, "k.weight"), 2, &k))
        return false;
    int G = k.shape[0] / (D / H); /* fewer heads of keys make fewer rows */
    if (!multihead_check(D, H, G, false, err)) return false;
    *net = (MultiHead){.D = D, .C = C, .H = H, .G = G};
    int keys = G * multihead_width(net);
    return nets_linear(golden, join(golden, prefix, "q."), D, D, &net->q) &&
           nets_linear(golden, join(golden, prefix, "k."), C, keys, &net->k) &&
           nets_linear(golden, join(golden, prefix, "v."), C, keys, &net->v) &&
           nets_linear(golden, join(golden, prefix, "o."), D, D, &net->out);
}

static bool read_feed(Golden *golden, const char *prefix, int D, FeedForward *feed) {
    GoldenArray weight;
    const char *activation = golden_word(golden, "activation", "gelu_erf");
    bool tanh_form = strcmp(activation, "gelu_tanh") == 0;
    if (!tanh_form && strcmp(activation, "gelu_erf") != 0)
        return golden_break(golden, "unknown activation", activation);
    if (!golden_input(golden, join(golden, prefix, "ff1.weight"), 2, &weight)) return false;
    *feed = (FeedForward){.kind = tanh_form ? FEED_GELU_TANH : FEED_GELU, .F = weight.shape[0]};
    return nets_linear(golden, join(golden, prefix, "ff1."), D, feed->F, &feed->up) &&
           nets_linear(golden, join(golden, prefix, "ff2."), feed->F, D, &feed->down);
}

bool nets_block(Golden *golden, const char *prefix, int D, bool cross, Block *block, Err *err) {
    const char *norm = golden_word(golden, "norm", "pre");
    bool post = strcmp(norm, "post") == 0;
    if (!post && strcmp(norm, "pre") != 0)
        return golden_break(golden, "unknown place of the norm", norm);
    *block = (Block){.D = D, .place = post ? NORM_POST : NORM_PRE};
    block->has_cross = cross;
    block->has_feed = true;
    if (cross && (!nets_norm(golden, join(golden, prefix, "normc."), D, &block->norm_cross) ||
                  !nets_heads(golden, join(golden, prefix, "cross."), D, D, &block->cross, err)))
        return false;
    return nets_norm(golden, join(golden, prefix, "norm1."), D, &block->norm_self) &&
           nets_heads(golden, join(golden, prefix, "self."), D, D, &block->self, err) &&
           nets_norm(golden, join(golden, prefix, "norm2."), D, &block->norm_feed) &&
           read_feed(golden, prefix, D, &block->feed);
}

double nets_rope_base(Golden *golden) {
    if (json_is_null(json_object_get(golden->params, "rope_base"))) return 0;
    return golden_number(golden, "rope_base", 0);
}

const Rope *nets_rope(Golden *golden, double base, int K, int first, int T) {
    if (base <= 0) return NULL;
    Rope *rope = ARENA_NEW(golden->arena, Rope);
    *rope = rope_build(golden->arena, K, base, first, T);
    return rope;
}

bool nets_valid(Golden *golden, const char *name, int B, int T, const uint8_t **valid) {
    GoldenArray array;
    *valid = NULL;
    if (!golden_has(golden, name)) return true;
    if (!golden_input(golden, name, 2, &array)) return false;
    if (!array.bytes || array.shape[0] != B || array.shape[1] != T)
        return golden_break(golden, "not BOOL of the wanted shape:", name);
    *valid = array.bytes;
    return true;
}

NetsRows nets_rows(Golden *golden, int count) {
    return (NetsRows){.values = ARENA_ARRAY(golden->arena, float, count)};
}

void nets_append(NetsRows *rows, const float *values, int count) {
    memcpy(rows->values + rows->used, values, (size_t)count * sizeof *values);
    rows->used += count;
}
