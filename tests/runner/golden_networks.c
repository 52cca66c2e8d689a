/* Whole networks: the classifier, the language model, and the encoder with its decoder. */
#include "golden_nets.h"

#include "core/encoder.h"
#include "core/softmax.h"

#include <string.h>

static const double ROPE_BASE = 10000; /* of the cases that have RoPE but name no base */

static bool read_position(Golden *golden, const char *word, Encoder *net) {
    static const char *const words[] = {"none", "absolute", "learned", "rope"};
    static const EncoderPosition positions[] = {ENCODER_NONE, ENCODER_SINUSOIDAL, ENCODER_LEARNED,
                                                ENCODER_ROPE};
    int n = 0;
    while (n < 4 && strcmp(word, words[n]) != 0) n++;
    if (n == 4) return golden_break(golden, "unknown positions", word);
    double base = nets_rope_base(golden);
    net->position = positions[n];
    net->rope_base = base > 0 ? base : ROPE_BASE;
    if (net->position != ENCODER_LEARNED) return true;
    GoldenArray table;
    if (!golden_input(golden, "pos.weight", 2, &table)) return false;
    net->learned = (LearnedTable){table.floats, table.shape[0], table.shape[1]};
    return table.shape[1] == net->D || golden_break(golden, "sizes differ:", "pos.weight");
}

static bool read_layers(Golden *golden, Encoder *net, Err *err) {
    net->L = (int)golden_number(golden, "layers", 1);
    Block *blocks = ARENA_ARRAY(golden->arena, Block, net->L);
    for (int l = 0; l < net->L; l++) {
        const char *prefix = arena_printf(golden->arena, "l%d.", l);
        if (!nets_block(golden, prefix, net->D, false, &blocks[l], err)) return false;
        if (net->position == ENCODER_ROPE &&
            !multihead_check(net->D, blocks[l].self.H, blocks[l].self.G, true, err))
            return false;
    }
    net->blocks = blocks;
    return true;
}

/* position: of the parameter pos, or one that the function itself names. */
static bool read_encoder(Golden *golden, const char *position, bool causal, Encoder *net,
                         Err *err) {
    GoldenArray embed;
    if (!golden_input(golden, "embed.weight", 2, &embed)) return false;
    *net = (Encoder){.V = embed.shape[0],
                     .D = embed.shape[1],
                     .embed = embed.floats,
                     .embed_scale = (float)golden_number(golden, "embed_scale", 1),
                     .causal = causal,
                     .pad_id = causal ? -1 : 0};
    net->pad_id = (int)golden_number(golden, "pad_id", net->pad_id);
    net->outputs = causal ? net->V : 1;
    if (!read_position(golden, position, net) || !read_layers(golden, net, err)) return false;
    if (golden_switch(golden, "final_norm", true)) {
        Norm *norm = ARENA_NEW(golden->arena, Norm);
        if (!nets_norm(golden, "norm.", net->D, norm)) return false;
        net->final_norm = norm;
    }
    return nets_linear(golden, "head.", net->D, net->outputs, &net->head);
}

static bool read_ids(Golden *golden, const char *name, GoldenArray *ids) {
    if (!golden_input(golden, name, 2, ids)) return false;
    return ids->ints || golden_break(golden, "not whole numbers:", name);
}

/* Results of a batch of texts. */
typedef struct Texts {
    int B, T;
    NetsRows logits, pooled, hidden;
    float *weights; /* [L,B,H,T,T] */
    float *prob;    /* [B] */
} Texts;

static void keep_weights(Texts *texts, const EncoderTrace *trace, int H, int b) {
    int size = H * texts->T * texts->T;
    for (int l = 0; l < trace->L; l++)
        memcpy(texts->weights + (l * texts->B + b) * size, trace->blocks[l].self.weights,
               (size_t)size * sizeof(float));
}

static bool run_texts(Golden *golden, const Encoder *net, const GoldenArray *ids, Texts *texts,
                      Err *err) {
    int B = ids->shape[0], T = ids->shape[1], D = net->D, H = net->L ? net->blocks[0].self.H : 0;
    int logits = net->causal ? T * net->outputs : net->outputs;
    *texts = (Texts){.B = B,
                     .T = T,
                     .logits = nets_rows(golden, B * logits),
                     .pooled = nets_rows(golden, B * D),
                     .hidden = nets_rows(golden, B * T * D),
                     .weights = ARENA_ARRAY(golden->arena, float, net->L *B *H *T *T),
                     .prob = ARENA_ARRAY(golden->arena, float, B)};
    for (int b = 0; b < B; b++) {
        EncoderTrace trace;
        if (!encoder_forward(golden->arena, net, ids->ints + b * T, T, &trace, err)) return false;
        nets_append(&texts->logits, trace.logits, logits);
        nets_append(&texts->hidden, trace.hidden, T * D);
        if (trace.pooled) nets_append(&texts->pooled, trace.pooled, D);
        texts->prob[b] = encoder_probability(trace.logits[0]);
        keep_weights(texts, &trace, H, b);
    }
    return true;
}

static bool run_classifier(Golden *golden, Err *err) {
    Encoder net;
    GoldenArray ids;
    Texts texts;
    if (!read_encoder(golden, golden_word(golden, "pos", "absolute"), false, &net, err) ||
        !read_ids(golden, "ids", &ids) || !run_texts(golden, &net, &ids, &texts, err))
        return false;
    int B = texts.B, T = texts.T, H = net.L ? net.blocks[0].self.H : 0;
    golden_give(golden, "logits", texts.logits.values, 1, &B);
    golden_give(golden, "prob", texts.prob, 1, &B);
    golden_give(golden, "pooled", texts.pooled.values, 2, (int[]){B, net.D});
    golden_give(golden, "hidden", texts.hidden.values, 3, (int[]){B, T, net.D});
    golden_give(golden, "weights", texts.weights, 5, (int[]){net.L, B, H, T, T});
    return true;
}

/* The logits of in.NAME under a position encoding: of a batch of one text, one number. */
static bool logits_of(Golden *golden, const char *position, const char *name, bool causal,
                      Texts *texts, Err *err) {
    Encoder net;
    GoldenArray ids;
    return read_encoder(golden, position, causal, &net, err) && read_ids(golden, name, &ids) &&
           run_texts(golden, &net, &ids, texts, err);
}

static bool run_padding(Golden *golden, Err *err) {
    const char *position = golden_word(golden, "pos", "absolute");
    Texts plain, padded;
    if (!logits_of(golden, position, "ids", false, &plain, err) ||
        !logits_of(golden, position, "ids_padded", false, &padded, err))
        return false;
    golden_give(golden, "logit", plain.logits.values, 1, &plain.B);
    golden_give(golden, "logit_padded", padded.logits.values, 1, &padded.B);
    return true;
}

static bool run_order(Golden *golden, Err *err) {
    static const char *const positions[] = {"none", "absolute", "rope"};
    for (int n = 0; n < 3; n++) {
        Texts plain, permuted;
        if (!logits_of(golden, positions[n], "ids", false, &plain, err) ||
            !logits_of(golden, positions[n], "ids_permuted", false, &permuted, err))
            return false;
        const float logits[] = {plain.logits.values[0], permuted.logits.values[0]};
        golden_give(golden, arena_printf(golden->arena, "logits_%s", positions[n]), logits, 1,
                    (int[]){2});
    }
    return true;
}

/* Mean over all tokens but the last of a text of -log softmax(logits) of the next one. */
static float next_token_loss(Golden *golden, const Texts *texts, const GoldenArray *ids, int V) {
    int rows = texts->B * texts->T;
    float *logs = ARENA_ARRAY(golden->arena, float, rows *V);
    log_softmax_rows(logs, texts->logits.values, rows, V, 1);
    double sum = 0;
    for (int n = 0; n < rows; n++)
        if ((n + 1) % texts->T) sum -= logs[n * V + ids->ints[n + 1]];
    return (float)(sum / (texts->B * (texts->T - 1)));
}

static bool run_causal_lm(Golden *golden, Err *err) {
    const char *position = golden_word(golden, "pos", "absolute");
    GoldenArray ids, embed;
    Texts texts, changed;
    if (!golden_input(golden, "embed.weight", 2, &embed) || !read_ids(golden, "ids", &ids) ||
        !logits_of(golden, position, "ids", true, &texts, err) ||
        !logits_of(golden, position, "ids_changed_last", true, &changed, err))
        return false;
    int V = embed.shape[0];
    if (texts.T < 2) return golden_break(golden, "has no next token:", "ids");
    float loss = next_token_loss(golden, &texts, &ids, V);
    golden_give(golden, "logits", texts.logits.values, 3, (int[]){texts.B, texts.T, V});
    golden_give(golden, "logits_changed_last", changed.logits.values, 3,
                (int[]){changed.B, changed.T, V});
    golden_give(golden, "loss", &loss, 1, (int[]){1});
    return true;
}

/* Outputs of the encoder with its decoder, over a batch. */
typedef struct Pairs {
    NetsRows memory, output, encoder, decoder, cross;
} Pairs;

static void append_pair(Pairs *pairs, const EncoderDecoderTrace *trace, int S, int T) {
    int D = trace->encoder.D, H = trace->encoder.self.H;
    nets_append(&pairs->memory, trace->memory, S * D);
    nets_append(&pairs->output, trace->decoder.output, T * D);
    nets_append(&pairs->encoder, trace->encoder.self.weights, H * S * S);
    nets_append(&pairs->decoder, trace->decoder.self.weights, H * T * T);
    nets_append(&pairs->cross, trace->decoder.cross.weights, H * T * S);
}

static bool run_encoder_decoder(Golden *golden, Err *err) {
    GoldenArray source, target;
    const uint8_t *valid;
    if (!golden_input(golden, "src", 3, &source) || !golden_input(golden, "tgt", 3, &target))
        return false;
    int B = source.shape[0], S = source.shape[1], D = source.shape[2], T = target.shape[1];
    if (target.shape[0] != B || target.shape[2] != D)
        return golden_break(golden, "shapes do not fit each other:", "src, tgt");
    EncoderDecoder net = {.rope_base = nets_rope_base(golden)};
    if (!nets_valid(golden, "src_mask", B, S, &valid) ||
        !nets_block(golden, "enc.", D, false, &net.encoder, err) ||
        !nets_norm(golden, "encnorm.", D, &net.memory_norm) ||
        !nets_block(golden, "dec.", D, true, &net.decoder, err))
        return false;
    int H = net.encoder.self.H;
    Pairs pairs = {.memory = nets_rows(golden, B * S * D),
                   .output = nets_rows(golden, B * T * D),
                   .encoder = nets_rows(golden, B * H * S * S),
                   .decoder = nets_rows(golden, B * H * T * T),
                   .cross = nets_rows(golden, B * H * T * S)};
    for (int b = 0; b < B; b++) {
        EncoderDecoderTrace trace =
            encoder_decoder_forward(golden->arena, &net, source.floats + b * S * D,
                                    valid ? valid + b * S : NULL, S, target.floats + b * T * D, T);
        append_pair(&pairs, &trace, S, T);
    }
    golden_give(golden, "memory", pairs.memory.values, 3, (int[]){B, S, D});
    golden_give(golden, "output", pairs.output.values, 3, (int[]){B, T, D});
    golden_give(golden, "enc_self_weights", pairs.encoder.values, 4, (int[]){B, H, S, S});
    golden_give(golden, "dec_self_weights", pairs.decoder.values, 4, (int[]){B, H, T, T});
    golden_give(golden, "cross_weights", pairs.cross.values, 4, (int[]){B, H, T, S});
    return true;
}

const GoldenFunction golden_networks[] = {
    {"encoder_classifier", run_classifier},   {"padding_invariance", run_padding},
    {"order_sensitivity", run_order},         {"causal_lm", run_causal_lm},
    {"encoder_decoder", run_encoder_decoder}, {NULL, NULL}};
