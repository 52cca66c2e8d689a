/* Seeded weights come from core; the entry is a random projection (Johnson and Lindenstrauss 1984).
 * A file is read tensor by tensor, each with the shape that the first ones ask for. */
#include "scene/blockmodel.h"

#include "base/rng.h"
#include "base/text.h"
#include "core/layers.h"
#include "model/safetensors.h"

#include <math.h>
#include <string.h>

/* Keep the numbers of entry and gate apart from those of the blocks. */
enum { ENTRY_SEED = 7919, GATE_SEED = 15485863 };

static const double EPSILON = 1e-5;

/* [out,in], normal with deviation 1/sqrt(in). */
static const float *random_matrix(Arena *arena, int out, int in, uint64_t seed) {
    size_t count = (size_t)out * (size_t)in;
    float *matrix = ARENA_ARRAY(arena, float, count);
    Rng rng = rng_seed(seed);
    for (size_t i = 0; i < count; i++) matrix[i] = (float)(rng_normal(&rng) / sqrt(in));
    return matrix;
}

bool blockmodel_seeded(Arena *arena, BlockModelShape shape, bool turned, uint64_t seed,
                       BlockModel *model, Err *err) {
    if (!multihead_check(shape.D, shape.H, shape.H, turned, err)) return false;
    Block *blocks = ARENA_ARRAY(arena, Block, shape.L);
    for (int l = 0; l < shape.L; l++)
        blocks[l] = block_seeded(arena, shape.D, shape.H, shape.cross, seed + (uint64_t)l);
    *model = (BlockModel){.shape = shape, .blocks = blocks, .random = true};
    if (shape.in != shape.D)
        model->entry = random_matrix(arena, shape.D, shape.in, seed + ENTRY_SEED);
    return true;
}

/* ---- a file ---- */

typedef struct Reader {
    Arena *arena;
    SafeFile file;
    Err *err;
    int layer;
} Reader;

static const char *tensor_name(const Reader *reader, const char *part, const char *kind) {
    return arena_printf(reader->arena, "l%d.%s.%s", reader->layer, part, kind);
}

static bool has(const Reader *reader, const char *part, const char *kind) {
    return safetensors_find(&reader->file, tensor_name(reader, part, kind)) != NULL;
}

static bool want(const Reader *reader, const char *part, const char *kind, int rank,
                 const int64_t *shape, const float **values) {
    float *floats = NULL;
    const char *name = tensor_name(reader, part, kind);
    if (!safetensors_want(&reader->file, name, rank, shape, reader->arena, &floats, reader->err))
        return false;
    *values = floats;
    return true;
}

static bool read_linear(const Reader *reader, const char *part, int in, int out, Linear *linear) {
    if (!want(reader, part, "weight", 2, (int64_t[]){out, in}, &linear->weight)) return false;
    return !has(reader, part, "bias") ||
           want(reader, part, "bias", 1, (int64_t[]){out}, &linear->bias);
}

static bool read_norm(const Reader *reader, const char *part, int D, Norm *norm) {
    *norm = (Norm){.kind = NORM_LAYER, .eps = EPSILON};
    return (!has(reader, part, "weight") ||
            want(reader, part, "weight", 1, (int64_t[]){D}, &norm->weight)) &&
           (!has(reader, part, "bias") ||
            want(reader, part, "bias", 1, (int64_t[]){D}, &norm->bias));
}

static bool read_feed(const Reader *reader, int D, Block *block) {
    const SafeTensor *up = safetensors_find(&reader->file, tensor_name(reader, "ff1", "weight"));
    if (!up) return true;
    int F = up->rank == 2 ? (int)up->shape[0] : -1;
    block->has_feed = true;
    block->feed = (FeedForward){.kind = FEED_GELU, .F = F};
    return read_linear(reader, "ff1", D, F, &block->feed.up) &&
           read_linear(reader, "ff2", F, D, &block->feed.down);
}

static bool read_block(const Reader *reader, int D, int H, Block *block) {
    MultiHead self = {.D = D, .C = D, .H = H, .G = H};
    *block = (Block){.D = D, .place = NORM_PRE, .self = self};
    return read_norm(reader, "norm1", D, &block->norm_self) &&
           read_norm(reader, "norm2", D, &block->norm_feed) &&
           read_linear(reader, "self.q", D, D, &block->self.q) &&
           read_linear(reader, "self.k", D, D, &block->self.k) &&
           read_linear(reader, "self.v", D, D, &block->self.v) &&
           read_linear(reader, "self.o", D, D, &block->self.out) && read_feed(reader, D, block);
}

static bool read_heads(const SafeFile *file, int *heads, Err *err) {
    for (int i = 0; i < file->metadata_count; i++)
        if (strcmp(file->metadata[2 * i], "heads") == 0 &&
            text_to_int(file->metadata[2 * i + 1], heads))
            return true;
    return err_set(err, "the metadata has no \"heads\", a whole number; write how many heads a "
                        "layer has");
}

/* Width from the first projection, layers by counting; then every tensor by what these say. */
static bool read_model(Reader *reader, int in, bool turned, BlockModel *model) {
    const SafeTensor *first = safetensors_find(&reader->file, "l0.self.q.weight");
    BlockModelShape shape = {.in = in, .D = first && first->rank == 2 ? (int)first->shape[1] : in};
    if (!read_heads(&reader->file, &shape.H, reader->err) ||
        !multihead_check(shape.D, shape.H, shape.H, turned, reader->err))
        return false;
    Block *blocks = ARENA_ARRAY(reader->arena, Block, BLOCKMODEL_LAYERS_MAX);
    for (; reader->layer < BLOCKMODEL_LAYERS_MAX; reader->layer++) {
        if (reader->layer && !has(reader, "self.q", "weight")) break;
        if (!read_block(reader, shape.D, shape.H, &blocks[reader->layer])) return false;
    }
    shape.L = reader->layer;
    float *entry = NULL;
    if ((safetensors_find(&reader->file, "entry.weight") || shape.D != in) &&
        !safetensors_want(&reader->file, "entry.weight", 2, (int64_t[]){shape.D, in}, reader->arena,
                          &entry, reader->err))
        return false;
    *model = (BlockModel){.shape = shape, .entry = entry, .blocks = blocks};
    return true;
}

bool blockmodel_read(Arena *arena, const char *path, int in, bool turned, BlockModel *model,
                     Err *err) {
    Reader reader = {.arena = arena, .err = err};
    if (!safetensors_read(path, arena, &reader.file, err)) return false;
    return read_model(&reader, in, turned, model) || err_at(err, "%s", path);
}

bool blockmodel_variant(Arena *arena, const BlockModel *model, BlockVariant variant, uint64_t seed,
                        Block *block, Err *err) {
    Block made = model->blocks[0];
    if (variant.feed == FEED_SWIGLU && !made.feed.gate.weight) {
        if (!model->random || !made.has_feed)
            return err_set(err, "the model of this file has no gate, which SwiGLU needs; take "
                                "--feed gelu");
        made.feed.gate =
            (Linear){.weight = random_matrix(arena, made.feed.F, made.D, seed + GATE_SEED)};
    }
    made.place = variant.place;
    made.norm_self.kind = made.norm_feed.kind = variant.norm;
    made.feed.kind = variant.feed;
    *block = made;
    return true;
}

const float *blockmodel_entry(Arena *arena, const BlockModel *model, const float *x, int T) {
    if (!model->entry) return x;
    int D = model->shape.D, in = model->shape.in;
    float *entry = ARENA_ARRAY(arena, float, (size_t)T *(size_t)D);
    linear_forward(entry, x, model->entry, NULL, T, in, D);
    return entry;
}

/* ---- words ---- */

const char *blockmodel_note(const BlockModel *model) {
    return model->random ? BLOCKMODEL_RANDOM : NULL;
}

const char *blockmodel_entry_note(Arena *arena, const BlockModel *model) {
    if (!model->entry) return NULL;
    return arena_printf(arena, "The vectors of width %d are brought to width %d by a %s matrix.",
                        model->shape.in, model->shape.D, model->random ? "random" : "learned");
}
