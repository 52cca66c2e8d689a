/* Core does the arithmetic; here are the two texts, the padding, and a table for each map. */
#include "scene/crossmaps.h"

#include "core/mask.h"
#include "core/norm.h"
#include "core/rollout.h"

#include <string.h>

static const double ROPE_BASE = 10000, NORM_EPS = 1e-5;

/* The review's tokens and the padding behind them. */
static TableAxis review_axis(Arena *arena, const Sentence *review, int pad) {
    int S = review->T + pad;
    Label *labels = ARENA_ARRAY(arena, Label, S);
    memcpy(labels, review->labels, (size_t)review->T * sizeof *labels);
    for (int j = review->T; j < S; j++) {
        labels[j] = label_plain(arena, "[PAD]");
        labels[j].padding = true;
    }
    return (TableAxis){"key", S, labels};
}

/* [S,in]: a vector of zeros for padding. */
static const float *padded(Arena *arena, const Sentence *review, int S) {
    size_t in = (size_t)review->D;
    float *x = ARENA_ARRAY(arena, float, (size_t)S *in);
    memcpy(x, review->x, (size_t)review->T * in * sizeof *x);
    return x;
}

/* [S]: 1 for a token, 0 for padding. */
static const uint8_t *valid_keys(Arena *arena, const Sentence *review, int S) {
    uint8_t *valid = ARENA_ARRAY(arena, uint8_t, S);
    memset(valid, 1, (size_t)review->T);
    return valid;
}

const char *crossmaps_heads(Arena *arena, int head, int H) {
    if (head != CROSS_MEAN) return arena_printf(arena, "head %d of 0 … %d", head, H - 1);
    return arena_printf(arena, "mean of %d head%s", H, H == 1 ? "" : "s");
}

static const char *title_of(Arena *arena, const CrossMaps *maps, CrossMap map, int head) {
    if (map == CROSS_RAW) return "raw embeddings, question × review";
    return arena_printf(arena, "question × %s, %s", map == CROSS_SELF ? "question" : "review",
                        crossmaps_heads(arena, head, maps->H));
}

static void add_notes(Arena *arena, Table *table, CrossMap map, const CrossInput *input) {
    if (map == CROSS_RAW) {
        table_note(table, "Queries, keys and values are the embeddings themselves: a large weight "
                          "means that two words are alike, not that one answers the other.");
        table_note(table, input->question.note);
        return;
    }
    const char *random = blockmodel_note(input->model);
    const char *entry = blockmodel_entry_note(arena, input->model);
    if (random) table_note(table, random);
    if (map == CROSS_SELF)
        table_note(table, "Queries and keys are turned by their positions (RoPE); a word sees "
                          "itself and the words before it.");
    else
        table_note(table, "Queries come out of the question's self-attention; keys and values are "
                          "the review's, normalised, without positions and causal mask.");
    if (entry) table_note(table, entry);
}

/* weights[T,keys.count] as the table of a map. */
static void add_table(Arena *arena, CrossMaps *maps, CrossMap map, const CrossInput *input,
                      TableAxis keys, const float *weights) {
    static const char *const stages[CROSS_MAPS] = {"raw", "self", "cross"};
    size_t cells = (size_t)maps->queries.count * (size_t)keys.count;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    for (size_t i = 0; i < cells; i++)
        if (!maps->allowed[map][i]) states[i] = CELL_BLOCKED;
    Table *table = ARENA_NEW(arena, Table);
    *table = (Table){.stage = stages[map],
                     .title = title_of(arena, maps, map, input->head),
                     .quantity = "weight",
                     .kind = TABLE_WEIGHTS,
                     .rows = maps->queries,
                     .columns = keys,
                     .values = weights,
                     .states = states,
                     .sums = true};
    add_notes(arena, table, map, input);
    table_seal(table, states);
    maps->tables[map] = table;
}

static void attend_raw(Arena *arena, CrossMaps *maps, const CrossInput *input,
                       const uint8_t *valid) {
    int T = maps->queries.count, S = maps->keys.count, D = input->question.D;
    uint8_t *allowed = ARENA_ARRAY(arena, uint8_t, (size_t)T * (size_t)S);
    mask_all(allowed, T, S);
    mask_padding(allowed, valid, T, S);
    AttentionRule rule = attention_plain(D);
    rule.temperature = (float)input->temperature;
    rule.allowed = maps->allowed[CROSS_RAW] = allowed;
    AttentionShape shape = {.T = T, .S = S, .K = D, .Kv = D};
    maps->raw =
        attention_trace(arena, shape, rule, input->question.x, maps->context, maps->context);
    add_table(arena, maps, CROSS_RAW, input, maps->keys, maps->raw.weights);
}

/* Of one head, or the mean of all: [T,S]. */
static const float *map_of(Arena *arena, const MultiHeadTrace *attention, int head) {
    if (head != CROSS_MEAN) return attention->heads[head].weights;
    float *mean = ARENA_ARRAY(arena, float, (size_t)attention->T *(size_t)attention->S);
    heads_fuse(mean, attention->weights, attention->H, attention->T, attention->S, FUSE_MEAN);
    return mean;
}

/* [S,D]: the review as the block reads it, normalised as what comes out of an encoder is. */
static const float *context_of(Arena *arena, const CrossMaps *maps, const BlockModel *model) {
    int S = maps->keys.count, D = model->shape.D;
    Norm norm = {.kind = NORM_LAYER, .eps = NORM_EPS};
    float *context = ARENA_ARRAY(arena, float, (size_t)S *(size_t)D);
    norm_forward(context, &norm, blockmodel_entry(arena, model, maps->context, S), S, D);
    return context;
}

/* Up to the cross-attention: what the block does behind it is not shown. */
static void attend_block(Arena *arena, CrossMaps *maps, const CrossInput *input,
                         const uint8_t *valid) {
    int T = maps->queries.count, S = maps->keys.count;
    Block block = input->model->blocks[0];
    block.has_feed = false;
    Rope rope = rope_build(arena, multihead_width(&block.self), ROPE_BASE, 0, T);
    float temperature = (float)input->temperature;
    BlockInput run = {
        .x = blockmodel_entry(arena, input->model, input->question.x, T),
        .T = T,
        .self = {.causal = true, .rope_q = &rope, .rope_k = &rope, .temperature = temperature},
        .context = context_of(arena, maps, input->model),
        .S = S,
        .cross = {.valid = valid, .temperature = temperature}};
    maps->block = block_forward(arena, &block, &run);
    maps->H = block.self.H;
    maps->allowed[CROSS_SELF] = maps->block.self.allowed;
    maps->allowed[CROSS_CROSS] = maps->block.cross.allowed;
    add_table(arena, maps, CROSS_SELF, input, maps->own,
              map_of(arena, &maps->block.self, input->head));
    add_table(arena, maps, CROSS_CROSS, input, maps->keys,
              map_of(arena, &maps->block.cross, input->head));
}

CrossMaps crossmaps_make(Arena *arena, const CrossInput *input) {
    const Sentence *question = &input->question;
    CrossMaps maps = {.queries = {"query", question->T, question->labels},
                      .own = {"key", question->T, question->labels},
                      .keys = review_axis(arena, &input->review, input->pad)};
    maps.context = padded(arena, &input->review, maps.keys.count);
    const uint8_t *valid = valid_keys(arena, &input->review, maps.keys.count);
    attend_raw(arena, &maps, input, valid);
    if (input->model) attend_block(arena, &maps, input, valid);
    return maps;
}
