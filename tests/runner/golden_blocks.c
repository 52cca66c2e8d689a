/* Multi-head attention, blocks and the cache, batch element by batch element. */
#include "golden_nets.h"

#include "core/cache.h"

#include <string.h>

/* A case that must be refused has sizes instead of tensors. */
static bool check_sizes(Golden *golden, bool turned, Err *err) {
    int D = (int)golden_number(golden, "d_model", 0),
        H = (int)golden_number(golden, "num_heads", 0);
    return multihead_check(D, H, H, turned, err) &&
           golden_break(golden, "has neither inputs nor sizes to refuse", "");
}

/* What attention over a batch gave. */
typedef struct BatchRows {
    NetsRows output, weights, q, k, v, joined;
} BatchRows;

static BatchRows batch_rows(Golden *golden, const MultiHead *net, int B, int T, int S) {
    int D = net->D, K = multihead_width(net), keys = B * net->G * S * K;
    return (BatchRows){.output = nets_rows(golden, B * T * D),
                       .weights = nets_rows(golden, B * net->H * T * S),
                       .q = nets_rows(golden, B * T * D),
                       .k = nets_rows(golden, keys),
                       .v = nets_rows(golden, keys),
                       .joined = nets_rows(golden, B * T * D)};
}

static void batch_append(BatchRows *rows, const MultiHeadTrace *trace) {
    int T = trace->T, S = trace->S, H = trace->H, G = trace->G, K = trace->K;
    nets_append(&rows->output, trace->output, T * trace->D);
    nets_append(&rows->weights, trace->weights, H * T * S);
    nets_append(&rows->q, trace->q_heads, H * T * K);
    nets_append(&rows->k, trace->k_heads, G * S * K);
    nets_append(&rows->v, trace->v_heads, G * S * K);
    nets_append(&rows->joined, trace->joined, T * H * K);
}

static void batch_give(Golden *golden, const BatchRows *rows, const MultiHead *net, int B, int T,
                       int S) {
    int D = net->D, H = net->H, G = net->G, K = multihead_width(net);
    golden_give(golden, "output", rows->output.values, 3, (int[]){B, T, D});
    golden_give(golden, "weights", rows->weights.values, 4, (int[]){B, H, T, S});
    golden_give(golden, "q_heads", rows->q.values, 4, (int[]){B, H, T, K});
    golden_give(golden, "k_heads", rows->k.values, 4, (int[]){B, G, S, K});
    golden_give(golden, "v_heads", rows->v.values, 4, (int[]){B, G, S, K});
    golden_give(golden, "joined", rows->joined.values, 3, (int[]){B, T, D});
}

/* x[B,T,D] and, for cross-attention, context[B,S,C]. */
typedef struct Sequences {
    GoldenArray x, context;
    int B, T, D, S, C;
    bool cross;
} Sequences;

static bool read_sequences(Golden *golden, Sequences *in) {
    *in = (Sequences){.cross = golden_switch(golden, "cross", golden_has(golden, "context"))};
    if (!golden_input(golden, "x", 3, &in->x)) return false;
    in->B = in->x.shape[0];
    in->S = in->T = in->x.shape[1];
    in->C = in->D = in->x.shape[2];
    if (!in->cross) return true;
    if (!golden_input(golden, "context", 3, &in->context)) return false;
    in->S = in->context.shape[1];
    in->C = in->context.shape[2];
    return in->context.shape[0] == in->B ||
           golden_break(golden, "shapes do not fit each other:", "x, context");
}

static const float *x_of(const Sequences *in, int b) {
    return in->x.floats + b * in->T * in->D;
}

static const float *context_of(const Sequences *in, int b) {
    return in->cross ? in->context.floats + b * in->S * in->C : NULL;
}

/* Runs all of the batch; valid[B,S] may be NULL. */
static void run_heads(Golden *golden, const MultiHead *net, const Sequences *in, MultiHeadRule rule,
                      const uint8_t *valid) {
    BatchRows rows = batch_rows(golden, net, in->B, in->T, in->S);
    for (int b = 0; b < in->B; b++) {
        rule.valid = valid ? valid + b * in->S : NULL;
        MultiHeadTrace trace = multihead_forward(golden->arena, net, &rule, x_of(in, b), in->T,
                                                 context_of(in, b), in->S);
        batch_append(&rows, &trace);
    }
    batch_give(golden, &rows, net, in->B, in->T, in->S);
}

static bool run_multi_head(Golden *golden, Err *err) {
    if (!golden_has(golden, "x")) return check_sizes(golden, nets_rope_base(golden) > 0, err);
    Sequences in;
    MultiHead net;
    const uint8_t *valid;
    if (!read_sequences(golden, &in) || !nets_heads(golden, "", in.D, in.C, &net, err) ||
        !nets_valid(golden, "key_mask", in.B, in.S, &valid))
        return false;
    int K = multihead_width(&net), first = (int)golden_number(golden, "first_position", 0);
    double base = nets_rope_base(golden);
    MultiHeadRule rule = {.causal = golden_switch(golden, "causal", false),
                          .rope_q = nets_rope(golden, base, K, first, in.T),
                          .rope_k = nets_rope(golden, base, K, first, in.S)};
    run_heads(golden, &net, &in, rule, valid);
    return true;
}

static bool read_square(Golden *golden, const char *name, int D, Linear *layer) {
    GoldenArray array;
    if (!golden_input(golden, name, 2, &array)) return false;
    *layer = (Linear){.weight = array.floats, .in_first = true};
    return (array.shape[0] == D && array.shape[1] == D) ||
           golden_break(golden, "not a matrix of the width of x:", name);
}

static bool run_nobias(Golden *golden, Err *err) {
    if (!golden_has(golden, "x")) return check_sizes(golden, false, err);
    Sequences in;
    const uint8_t *valid;
    int H = (int)golden_number(golden, "num_heads", 1);
    if (!read_sequences(golden, &in) || !multihead_check(in.D, H, H, false, err) ||
        !nets_valid(golden, "key_mask", in.B, in.S, &valid))
        return false;
    MultiHead net = {.D = in.D, .C = in.C, .H = H, .G = H};
    if (!read_square(golden, "w_q", in.D, &net.q) || !read_square(golden, "w_k", in.C, &net.k) ||
        !read_square(golden, "w_v", in.C, &net.v) || !read_square(golden, "w_o", in.D, &net.out))
        return false;
    MultiHeadRule rule = {.causal = golden_switch(golden, "causal", false)};
    run_heads(golden, &net, &in, rule, valid);
    return true;
}

/* Parameters of a block's masks. */
typedef struct BlockCase {
    Sequences in;
    Block block;
    const uint8_t *valid, *context_valid; /* [B,T], [B,S] or NULL */
    MultiHeadRule self;
} BlockCase;

static bool read_block(Golden *golden, BlockCase *at, Err *err) {
    Sequences *in = &at->in;
    if (!read_sequences(golden, in) || !nets_block(golden, "", in->D, in->cross, &at->block, err) ||
        !nets_valid(golden, "mask", in->B, in->T, &at->valid) ||
        !nets_valid(golden, "context_mask", in->B, in->S, &at->context_valid))
        return false;
    if (golden_switch(golden, "cross_uses_rope", false))
        return golden_break(golden, "RoPE is never in cross-attention here:", "cross_uses_rope");
    int K = multihead_width(&at->block.self);
    const Rope *rope = nets_rope(golden, nets_rope_base(golden), K, 0, in->T);
    at->self = (MultiHeadRule){
        .causal = golden_switch(golden, "causal", false), .rope_q = rope, .rope_k = rope};
    return true;
}

static BlockTrace run_block_of(Golden *golden, const BlockCase *at, int b) {
    const Sequences *in = &at->in;
    BlockInput input = {
        .x = x_of(in, b), .T = in->T, .self = at->self, .context = context_of(in, b), .S = in->S};
    if (at->valid) input.self.valid = at->valid + b * in->T;
    if (at->context_valid) input.cross.valid = at->context_valid + b * in->S;
    return block_forward(golden->arena, &at->block, &input);
}

static bool run_block(Golden *golden, Err *err) {
    if (!golden_has(golden, "x")) return check_sizes(golden, nets_rope_base(golden) > 0, err);
    BlockCase at;
    if (!read_block(golden, &at, err)) return false;
    int B = at.in.B, T = at.in.T, S = at.in.S, D = at.in.D, H = at.block.self.H;
    NetsRows output = nets_rows(golden, B * T * D), self = nets_rows(golden, B * H * T * T);
    NetsRows cross = nets_rows(golden, B * H * T * S);
    for (int b = 0; b < B; b++) {
        BlockTrace trace = run_block_of(golden, &at, b);
        nets_append(&output, trace.output, T * D);
        nets_append(&self, trace.self.weights, H * T * T);
        if (at.in.cross) nets_append(&cross, trace.cross.weights, H * T * S);
    }
    golden_give(golden, "output", output.values, 3, (int[]){B, T, D});
    golden_give(golden, "self_weights", self.values, 4, (int[]){B, H, T, T});
    golden_give(golden, "cross_weights", cross.values, 4, (int[]){B, H, T, S});
    return true;
}

/* A tensor with whatever shape it has: the function itself refuses what does not fit. */
static bool read_shaped(Golden *golden, const char *name, BlockArray *array) {
    GoldenArray input;
    if (!golden_input(golden, name, -1, &input)) return false;
    if (input.rank < 1 || input.rank > 3)
        return golden_break(golden, "not the rank that is known here:", name);
    *array = (BlockArray){.values = input.floats, .rank = input.rank};
    memcpy(array->shape, input.shape, (size_t)input.rank * sizeof input.shape[0]);
    return true;
}

static bool run_rope_block(Golden *golden, Err *err) {
    if (!golden_has(golden, "x")) return check_sizes(golden, true, err);
    static const char *const names[] = {"x", "w_q", "w_k", "w_v", "w_o", "freqs_cos", "freqs_sin"};
    BlockArray in[7];
    RopeBlock block;
    for (int n = 0; n < 7; n++)
        if (!read_shaped(golden, names[n], &in[n])) return false;
    int heads = (int)golden_number(golden, "num_heads", 1);
    if (!transformer_block_with_rope(golden->arena, in[0], in[1], in[2], in[3], in[4], heads, in[5],
                                     in[6], &block, err))
        return false;
    golden_give(golden, "output", block.output, in[0].rank, in[0].shape);
    golden_give(golden, "weights", block.weights, 4, (int[]){block.B, block.H, block.T, block.T});
    return true;
}

/* The lengths of the steps; one token a step where the case does not say. */
static bool read_chunks(Golden *golden, int T, int *chunks, int *count) {
    const json_t *list = json_object_get(golden->params, "chunks"), *entry;
    size_t n;
    int total = 0;
    *count = 0;
    if (!json_is_array(list)) return golden_break(golden, "no list in parameter", "chunks");
    json_array_foreach(list, n, entry) {
        json_int_t length = json_is_integer(entry) ? json_integer_value(entry) : 0;
        if (length < 1 || length > T - total)
            return golden_break(golden, "do not fit x:", "chunks");
        chunks[(*count)++] = (int)length;
        total += (int)length;
    }
    return total == T || golden_break(golden, "do not fit x:", "chunks");
}

static bool decode(Golden *golden, const MultiHead *net, const GoldenArray *x, const int *chunks,
                   int count, Cache *cache, float *output, Err *err) {
    CacheRule rule = {.rope_base = nets_rope_base(golden)};
    int D = net->D, at = 0;
    for (int n = 0; n < count; n++) {
        MultiHeadTrace step;
        if (!cache_step(golden->arena, cache, net, &rule, x->floats + at * D, chunks[n], &step,
                        err))
            return false;
        memcpy(output + at * D, step.output, (size_t)(chunks[n] * D) * sizeof *output);
        at += chunks[n];
    }
    return true;
}

static bool run_cache(Golden *golden, Err *err) {
    Sequences in;
    MultiHead net;
    if (!read_sequences(golden, &in)) return false;
    if (in.B != 1) return golden_break(golden, "a cache holds one sequence:", "x");
    int *chunks = ARENA_ARRAY(golden->arena, int, in.T), count;
    if (!nets_heads(golden, "", in.D, in.D, &net, err) ||
        !read_chunks(golden, in.T, chunks, &count))
        return false;
    int T = in.T, K = multihead_width(&net);
    const Rope *rope = nets_rope(golden, nets_rope_base(golden), K, 0, T);
    MultiHeadRule rule = {.causal = true, .rope_q = rope, .rope_k = rope};
    MultiHeadTrace full = multihead_forward(golden->arena, &net, &rule, in.x.floats, T, NULL, 0);
    golden_give_like(golden, "full_output", full.output, &in.x);
    golden_give(golden, "full_weights", full.weights, 4, (int[]){1, net.H, T, T});
    Cache cache = cache_open(golden->arena, &net, T);
    float *output = ARENA_ARRAY(golden->arena, float, T *in.D);
    if (!decode(golden, &net, &in.x, chunks, count, &cache, output, err)) return false;
    golden_give_like(golden, "step_output", output, &in.x);
    golden_give_like(golden, "restarted_positions_output", output, &in.x);
    golden_give(golden, "k_cache", cache.k, 4, (int[]){1, net.G, T, K});
    golden_give(golden, "v_cache", cache.v, 4, (int[]){1, net.G, T, K});
    return true;
}

const GoldenFunction golden_blocks[] = {
    {"multi_head_attention", run_multi_head}, {"multi_head_attention_nobias", run_nobias},
    {"transformer_block", run_block},         {"transformer_block_with_rope", run_rope_block},
    {"kv_cache_decode", run_cache},           {NULL, NULL}};
