/* The network that scenes of heads and blocks look into: a few blocks in a row, and what brings the
 * vectors of a sentence to their width. Until there is a trained one its weights are random by a
 * seed, and whoever shows it says so. */
#ifndef SCENE_BLOCKMODEL_H
#define SCENE_BLOCKMODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "core/block.h"
#include "scene/knob.h"
#include "scene/sentence.h"
#include "scene/stage.h"

#include <stdbool.h>
#include <stdint.h>

/* The sentence that stands under every figure made of random weights. */
#define BLOCKMODEL_RANDOM "The projections are random: this pattern carries no meaning yet."

enum { BLOCKMODEL_LAYERS_MAX = 24 };

typedef struct BlockModelShape {
    int in;     /* width of the sentence's vectors */
    int D;      /* d_model, width of the blocks */
    int H;      /* heads of a layer */
    int L;      /* layers */
    bool cross; /* the blocks have cross-attention onto a context of width D */
} BlockModelShape;

typedef struct BlockModel {
    BlockModelShape shape;
    const float *entry; /* [D,in]: x W^T brings the vectors to width D; NULL: in = D, as they are */
    const Block *blocks; /* [L] */
    bool random;         /* not trained */
} BlockModel;

/* Random weights by seed: block l is block_seeded of seed + l, and the entry has normal values of
 * deviation 1/sqrt(in), which keeps dot products about as they were; with D = in there is no entry.
 * turned: RoPE will be used. Refuses what multihead_check refuses. */
bool blockmodel_seeded(Arena *arena, BlockModelShape shape, bool turned, uint64_t seed,
                       BlockModel *model, Err *err);

/* A safetensors file. The metadata's "heads" is H; the tensors are, for the layers l0, l1 ...
 *   l0.self.q.weight [D,D] as PyTorch has it, .bias [D]; the same for k, v, o
 *   l0.norm1.weight, .bias [D]; norm2
 *   l0.ff1.weight [F,D], .bias [F]; ff2.weight [D,F], .bias [D]
 *   entry.weight [D,in], unless D = in
 * Errors name the tensor with wanted and found shape. */
bool blockmodel_read(Arena *arena, const char *path, int in, bool turned, BlockModel *model,
                     Err *err);

/* The first block with other parts: where the norms stand, what they are, what the feed-forward
 * layer is. SwiGLU needs a gate, random by seed where the model is; a model from a file has none,
 * which is refused. */
typedef struct BlockVariant {
    NormPlace place;
    NormKind norm;
    FeedKind feed;
} BlockVariant;
bool blockmodel_variant(Arena *arena, const BlockModel *model, BlockVariant variant, uint64_t seed,
                        Block *block, Err *err);

/* What the first block reads, [T,D], from the sentence's vectors x[T,in]. */
const float *blockmodel_entry(Arena *arena, const BlockModel *model, const float *x, int T);

/* ---- what scenes of heads and blocks let a hand choose ---- */

typedef struct BlockChoice {
    char text[SENTENCE_TEXT_MAX];
    char embeddings[SENTENCE_PATH_MAX], file[SENTENCE_PATH_MAX];
    int unit, d_model, heads, seed, mask;
    bool rope;
} BlockChoice;

/* Rows for a knob table, for a state with a field `BlockChoice choice`: the text and the shape, the
 * rule of attention, the weights and what they read; BLOCKMODEL_KNOBS is all three. */
#define BLOCKMODEL_SHAPE_KNOBS(State)                                                              \
    SENTENCE_TEXT_KNOB(State, choice.text, SENTENCE_EXAMPLE),                                      \
        {.name = "d-model",                                                                        \
         .label = "d_model",                                                                       \
         .kind = KNOB_INT,                                                                         \
         .at = offsetof(State, choice.d_model),                                                    \
         .min = 1,                                                                                 \
         .max = 512,                                                                               \
         .step = 32,                                                                               \
         .start = "128",                                                                           \
         .slider_min = 32,                                                                         \
         .slider_max = 512,                                                                        \
         .help = "width of the random model; 384 takes the embeddings as they are"},               \
    {                                                                                              \
        .name = "heads", .label = "heads", .kind = KNOB_INT, .at = offsetof(State, choice.heads),  \
        .min = 1, .max = 32, .step = 1, .start = "4", .slider_min = 1, .slider_max = 16,           \
        .help = "heads of a layer; d_model is split among them"                                    \
    }

#define BLOCKMODEL_RULE_KNOBS(State)                                                               \
    STAGE_CAUSAL_KNOB(State, choice.mask), {                                                       \
        .name = "rope", .label = "RoPE", .kind = KNOB_SWITCH, .at = offsetof(State, choice.rope),  \
        .start = "off", .key = 'R', .help = "turn queries and keys by their positions"             \
    }

#define BLOCKMODEL_WEIGHT_KNOBS(State)                                                             \
    STAGE_SEED_KNOB(State, choice.seed, 'N', NULL, "number of the random weights"),                \
        {.name = "model",                                                                          \
         .label = "model",                                                                         \
         .kind = KNOB_FILE,                                                                        \
         .at = offsetof(State, choice.file),                                                       \
         .size = SENTENCE_PATH_MAX,                                                                \
         .start = "",                                                                              \
         .help = "a safetensors file of a model; without one the weights are random by seed"},     \
        SENTENCE_UNIT_KNOB(State, choice.unit), SENTENCE_EMBEDDINGS_KNOB(State, choice.embeddings)

#define BLOCKMODEL_KNOBS(State)                                                                    \
    BLOCKMODEL_SHAPE_KNOBS(State), BLOCKMODEL_RULE_KNOBS(State), BLOCKMODEL_WEIGHT_KNOBS(State)

typedef struct BlockSetting {
    Sentence sentence;
    BlockModel model;
    const float *x; /* [T,D] what the first block reads */
    MultiHeadRule rule;
} BlockSetting;

/* From the choice to what block_forward needs, with `layers` layers where the weights are random.
 * The model's arrays are kept by the stage until another model is wanted, so they serve no longer
 * than the compute that asked. Refuses what sentence_read, multihead_check and blockmodel_read
 * refuse, and what would take more than a gigabyte. */
bool blockmodel_open(const BlockChoice *choice, int layers, Stage *stage, Arena *arena,
                     BlockSetting *setting, Err *err);

/* The blocks run over the sentence. */
typedef struct BlockRun {
    BlockSetting setting;
    const BlockTrace *traces; /* [L]; the last one ends behind its attention */
} BlockRun;

/* What blockmodel_open makes, run; or the same run as before, where the choice is that of one that
 * is kept. It lives until a second one has been made; what has been shown, by blockmodel_show,
 * lives until another one is. */
bool blockmodel_run(const BlockChoice *choice, int layers, Stage *stage, const BlockRun **run,
                    Err *err);
void blockmodel_show(Stage *stage, const BlockRun *run);

/* Frees what the stage keeps. */
void blockmodel_forget(Stage *stage);

/* Two whole sentences at most, for under a figure: whether the weights are random, and how the
 * vectors came to width D. NULL where there is nothing to say. */
const char *blockmodel_note(const BlockModel *model);
const char *blockmodel_entry_note(Arena *arena, const BlockModel *model);

#endif
