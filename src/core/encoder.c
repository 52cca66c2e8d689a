/* Networks of blocks over one sequence. */
#include "core/encoder.h"

#include <math.h>

static const double SINUSOIDAL_BASE = 10000;

static size_t cells(int T, int D) {
    return (size_t)T * (size_t)D;
}

static bool check_ids(const Encoder *net, const int *ids, int T, Err *err) {
    if (T < 1) return err_set(err, "the text has no tokens: give it at least one");
    for (int t = 0; t < T; t++)
        if (ids[t] < 0 || ids[t] >= net->V)
            return err_set(err, "token %d has the id %d, the vocabulary has 0 to %d", t, ids[t],
                           net->V - 1);
    return true;
}

/* The last position, which no table may lack. */
static bool check_positions(const Encoder *net, const int *positions, int T, Err *err) {
    if (net->position != ENCODER_LEARNED || positions[T - 1] < net->learned.count) return true;
    return err_set(err, "the text reaches position %d, the learned table has 0 to %d: shorten it",
                   positions[T - 1], net->learned.count - 1);
}

static void mark_padding(EncoderTrace *trace, const Encoder *net, const int *ids) {
    for (int t = 0; t < trace->T; t++) trace->valid[t] = ids[t] != net->pad_id;
    multihead_positions(trace->positions, trace->valid, trace->T);
}

static void embed(Arena *arena, const Encoder *net, const int *ids, EncoderTrace *trace) {
    int T = trace->T, D = trace->D;
    trace->embedded = ARENA_ARRAY(arena, float, cells(T, D));
    embedding_forward(trace->embedded, net->embed, ids, T, D);
    for (size_t n = 0; n < cells(T, D); n++) trace->embedded[n] *= net->embed_scale;
}

/* pe[D] of one position. */
static const float *position_row(const Encoder *net, int position, float *pe) {
    if (net->position == ENCODER_LEARNED) return net->learned.rows + cells(position, net->D);
    Sinusoidal shape = {.D = net->D, .base = SINUSOIDAL_BASE, .layout = POSITION_INTERLEAVED};
    sinusoidal_rows(pe, shape, position, 1);
    return pe;
}

static void add_positions(Arena *arena, const Encoder *net, EncoderTrace *trace) {
    int T = trace->T, D = trace->D;
    if (net->position != ENCODER_SINUSOIDAL && net->position != ENCODER_LEARNED) {
        trace->entry = trace->embedded;
        return;
    }
    trace->entry = ARENA_ARRAY(arena, float, cells(T, D));
    float *pe = ARENA_ARRAY(arena, float, D);
    for (int t = 0; t < T; t++) {
        size_t at = cells(t, D);
        const float *row = position_row(net, trace->positions[t], pe);
        position_add(trace->entry + at, trace->embedded + at, row, 1, 1, D);
    }
}

/* The tables of all layers: their heads are of one width. */
static Rope rope_of(Arena *arena, double base, int K, const int *positions, int T) {
    double *frequency = ARENA_ARRAY(arena, double, K / 2);
    rope_frequencies(frequency, K, base);
    return rope_build_at(arena, frequency, K / 2, positions, T, 1);
}

BlockTrace *encoder_run_blocks(Arena *arena, const Block *blocks, int L, const float *x, int T,
                               const MultiHeadRule *rule) {
    BlockTrace *traces = ARENA_ARRAY(arena, BlockTrace, L);
    for (int l = 0; l < L; l++) {
        BlockInput input = {.x = l ? traces[l - 1].output : x, .T = T, .self = *rule};
        traces[l] = block_forward(arena, &blocks[l], &input);
    }
    return traces;
}

static void run_blocks(Arena *arena, const Encoder *net, EncoderTrace *trace) {
    int T = trace->T;
    MultiHeadRule rule = {.causal = net->causal, .valid = trace->valid};
    Rope rope;
    if (net->position == ENCODER_ROPE && net->L) {
        int K = multihead_width(&net->blocks[0].self);
        rope = rope_of(arena, net->rope_base, K, trace->positions, T);
        rule.rope_q = rule.rope_k = &rope;
    }
    trace->blocks = encoder_run_blocks(arena, net->blocks, net->L, trace->entry, T, &rule);
    trace->last = net->L ? trace->blocks[net->L - 1].output : trace->entry;
}

static const float *finish(Arena *arena, const Norm *norm, const float *x, int T, int D) {
    if (!norm) return x;
    float *y = ARENA_ARRAY(arena, float, cells(T, D));
    norm_forward(y, norm, x, T, D);
    return y;
}

/* Logits of every token, or of the mean of those that are no padding. */
static void read_out(Arena *arena, const Encoder *net, EncoderTrace *trace) {
    int T = trace->T, D = trace->D;
    const float *from = trace->hidden;
    if (!net->causal) {
        trace->pooled = ARENA_ARRAY(arena, float, D);
        masked_mean_forward(trace->pooled, trace->hidden, trace->valid, 1, T, D);
        from = trace->pooled;
        T = 1;
    }
    trace->logits = ARENA_ARRAY(arena, float, cells(T, net->outputs));
    linear_run(trace->logits, &net->head, from, T, D, net->outputs);
}

bool encoder_forward(Arena *arena, const Encoder *net, const int *ids, int T, EncoderTrace *trace,
                     Err *err) {
    if (!check_ids(net, ids, T, err)) return false;
    EncoderTrace run = {.T = T, .D = net->D, .L = net->L, .outputs = net->outputs};
    run.valid = ARENA_ARRAY(arena, uint8_t, T);
    run.positions = ARENA_ARRAY(arena, int, T);
    mark_padding(&run, net, ids);
    if (!check_positions(net, run.positions, T, err)) return false;
    embed(arena, net, ids, &run);
    add_positions(arena, net, &run);
    run_blocks(arena, net, &run);
    run.hidden = finish(arena, net->final_norm, run.last, T, net->D);
    read_out(arena, net, &run);
    *trace = run;
    return true;
}

float encoder_probability(float logit) {
    return (float)(1 / (1 + exp(-(double)logit)));
}

void encoder_list(KeptList *list, const Encoder *net, const EncoderTrace *trace) {
    int T = trace->T, D = trace->D;
    kept_add(list, "", "embedded", "TD", T, D, 0, trace->embedded);
    kept_add(list, "", "entry", "TD", T, D, 0, trace->entry);
    for (int l = 0; l < trace->L; l++)
        block_list(list, arena_printf(list->arena, "block%d.", l), &net->blocks[l],
                   &trace->blocks[l]);
    kept_add(list, "", "hidden", "TD", T, D, 0, trace->hidden);
    kept_add(list, "", "pooled", "D", D, 0, 0, trace->pooled);
    if (net->causal)
        kept_add(list, "", "logits", "TV", T, trace->outputs, 0, trace->logits);
    else
        kept_add(list, "", "logits", "V", trace->outputs, 0, 0, trace->logits);
}

Block *encoder_seeded_blocks(Arena *arena, int D, int H, int L, uint64_t seed) {
    Block *blocks = ARENA_ARRAY(arena, Block, L);
    for (int l = 0; l < L; l++) blocks[l] = block_seeded(arena, D, H, false, seed + (uint64_t)l);
    return blocks;
}

/* Turned by positions that count from 0, or from the first token that is no padding. */
static void turn_self(Arena *arena, MultiHeadRule *rule, Rope *rope, double base,
                      const MultiHead *net, const uint8_t *valid, int T) {
    if (base <= 0) return;
    int *positions = ARENA_ARRAY(arena, int, T);
    multihead_positions(positions, valid, T);
    *rope = rope_of(arena, base, multihead_width(net), positions, T);
    rule->rope_q = rule->rope_k = rope;
}

EncoderDecoderTrace encoder_decoder_forward(Arena *arena, const EncoderDecoder *net,
                                            const float *source, const uint8_t *valid, int S,
                                            const float *target, int T) {
    EncoderDecoderTrace trace;
    Rope rope_source, rope_target;
    int D = net->encoder.D;
    BlockInput read = {.x = source, .T = S, .self = {.valid = valid}};
    turn_self(arena, &read.self, &rope_source, net->rope_base, &net->encoder.self, valid, S);
    trace.encoder = block_forward(arena, &net->encoder, &read);
    trace.memory = ARENA_ARRAY(arena, float, cells(S, D));
    norm_forward(trace.memory, &net->memory_norm, trace.encoder.output, S, D);
    BlockInput write = {.x = target,
                        .T = T,
                        .self = {.causal = true},
                        .context = trace.memory,
                        .S = S,
                        .cross = {.valid = valid}};
    turn_self(arena, &write.self, &rope_target, net->rope_base, &net->decoder.self, NULL, T);
    trace.decoder = block_forward(arena, &net->decoder, &write);
    return trace;
}
