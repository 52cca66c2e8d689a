/* The block of the course's exercise: rotary attention without bias, a residual, and a norm behind
 * the sum. What it is given is checked here, because it comes from files and typed lines. */
#include "core/block.h"

#include <string.h>

static const double ROPE_BLOCK_EPS = 1e-5;

/* "[2,5,12]" */
static const char *shape_text(Arena *scratch, BlockArray array) {
    const char *text = "";
    for (int i = 0; i < array.rank; i++)
        text = arena_printf(scratch, "%s%s%d", text, i ? "," : "", array.shape[i]);
    return arena_printf(scratch, "[%s]", text);
}

/* The names and the shapes that are wanted of all arrays but x. */
typedef struct Wanted {
    const char *name;
    BlockArray array;
    int rows, columns;
} Wanted;

static bool check_array(Arena scratch, Wanted wanted, Err *err) {
    BlockArray array = wanted.array;
    if (array.rank == 2 && array.shape[0] == wanted.rows && array.shape[1] == wanted.columns)
        return true;
    return err_set(err, "%s has the shape %s, wanted is [%d,%d]", wanted.name,
                   shape_text(&scratch, array), wanted.rows, wanted.columns);
}

static bool check_x(Arena scratch, BlockArray x, Err *err) {
    bool good = x.rank == 2 || x.rank == 3;
    for (int i = 0; good && i < x.rank; i++) good = x.shape[i] > 0;
    return good || err_set(err,
                           "x has the shape %s, wanted is [tokens,width] or "
                           "[batch,tokens,width]",
                           shape_text(&scratch, x));
}

/* Where x[..,T,D] begins for batch element b. */
static size_t batch_at(const RopeBlock *block, int b) {
    return (size_t)b * (size_t)block->T * (size_t)block->D;
}

static void run_one(Arena *arena, RopeBlock *block, const MultiHead *net, const MultiHeadRule *rule,
                    const float *x, int b) {
    int T = block->T, D = block->D;
    Norm norm = {.kind = NORM_LAYER, .eps = ROPE_BLOCK_EPS};
    size_t cells = (size_t)block->H * (size_t)T * (size_t)T;
    size_t bytes = (size_t)T * (size_t)D * sizeof *x;
    const float *from = x + batch_at(block, b);
    Sublayer sub = sublayer_open(arena, NORM_POST, &norm, from, T, D);
    MultiHeadTrace trace = multihead_forward(arena, net, rule, sub.entry, T, NULL, 0);
    sublayer_close(arena, NORM_POST, &norm, &sub, trace.output, T, D);
    memcpy(block->weights + (size_t)b * cells, trace.weights, cells * sizeof *x);
    memcpy(block->sum + batch_at(block, b), sub.sum, bytes);
    memcpy(block->output + batch_at(block, b), sub.output, bytes);
    block->attention[b] = trace;
}

static void run_batch(Arena *arena, RopeBlock *block, const MultiHead *net, const Rope *rope,
                      const float *x) {
    MultiHeadRule rule = {.rope_q = rope, .rope_k = rope, .pairing = ROPE_ADJACENT};
    size_t size = batch_at(block, block->B), T = (size_t)block->T;
    block->attention = ARENA_ARRAY(arena, MultiHeadTrace, block->B);
    block->weights = ARENA_ARRAY(arena, float, (size_t)block->B *(size_t)block->H *T *T);
    block->sum = ARENA_ARRAY(arena, float, size);
    block->output = ARENA_ARRAY(arena, float, size);
    for (int b = 0; b < block->B; b++) run_one(arena, block, net, &rule, x, b);
}

bool transformer_block_with_rope(Arena *arena, BlockArray x, BlockArray w_q, BlockArray w_k,
                                 BlockArray w_v, BlockArray w_o, int num_heads,
                                 BlockArray freqs_cos, BlockArray freqs_sin, RopeBlock *block,
                                 Err *err) {
    if (!check_x(*arena, x, err)) return false;
    int D = x.shape[x.rank - 1], T = x.shape[x.rank - 2], H = num_heads;
    if (!multihead_check(D, H, H, true, err)) return false;
    int K = D / H;
    const Wanted wanted[] = {{"w_q", w_q, D, D},
                             {"w_k", w_k, D, D},
                             {"w_v", w_v, D, D},
                             {"w_o", w_o, D, D},
                             {"freqs_cos", freqs_cos, T, K / 2},
                             {"freqs_sin", freqs_sin, T, K / 2}};
    for (size_t n = 0; n < sizeof wanted / sizeof wanted[0]; n++)
        if (!check_array(*arena, wanted[n], err)) return false;
    MultiHead net = {.D = D,
                     .C = D,
                     .H = H,
                     .G = H,
                     .q = {.weight = w_q.values, .in_first = true},
                     .k = {.weight = w_k.values, .in_first = true},
                     .v = {.weight = w_v.values, .in_first = true},
                     .out = {.weight = w_o.values, .in_first = true}};
    Rope rope = {.T = T, .pairs = K / 2, .cos = freqs_cos.values, .sin = freqs_sin.values};
    *block = (RopeBlock){.B = x.rank == 3 ? x.shape[0] : 1, .T = T, .D = D, .H = H, .K = K};
    run_batch(arena, block, &net, &rope, x.values);
    return true;
}
