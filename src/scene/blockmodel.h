/* The network that scenes of heads and blocks look into: a few blocks in a row, and what brings the
 * vectors of a sentence to their width. Until there is a trained one its weights are random by a
 * seed, and whoever shows it says so. */
#ifndef SCENE_BLOCKMODEL_H
#define SCENE_BLOCKMODEL_H

#include "base/arena.h"
#include "base/err.h"
#include "core/block.h"

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

/* What the first block reads, [T,D], from the sentence's vectors x[T,in]. */
const float *blockmodel_entry(Arena *arena, const BlockModel *model, const float *x, int T);

#endif
