/* Positions: sinusoidal, learned, rotary with their scalings, and biases by distance. */
#include "golden_heads.h"

#include "core/position.h"
#include "core/relative.h"
#include "core/rope.h"
#include "core/rope_decay.h"
#include "core/rope_scaling.h"
#include "core/tensor.h"

#include <string.h>

static void give_row(Golden *golden, const char *name, const double *values, int count) {
    float *rounded = ARENA_ARRAY(golden->arena, float, count);
    for (int n = 0; n < count; n++) rounded[n] = (float)values[n];
    golden_give(golden, name, rounded, 1, &count);
}

static bool run_sinusoidal(Golden *golden, Err *err) {
    int T = golden_whole(golden, "seq_len", 0), first = golden_whole(golden, "first_position", 0);
    const char *layout = golden_word(golden, "layout", "interleaved");
    Sinusoidal shape = {.D = golden_whole(golden, "d_model", 0),
                        .base = golden_number(golden, "base", 10000),
                        .layout = strcmp(layout, "concatenated") == 0 ? POSITION_CONCATENATED
                                                                      : POSITION_INTERLEAVED};
    if (!sinusoidal_check(shape, false, err) || !position_check(first, T, err)) return false;
    float *pe = ARENA_ARRAY(golden->arena, float, T *shape.D);
    sinusoidal_rows(pe, shape, first, T);
    golden_give(golden, "pe", pe, 2, (int[]){T, shape.D});
    return true;
}

/* A case that is to be refused has lengths, but no tensors. */
static bool run_learned(Golden *golden, Err *err) {
    GoldenArray tokens = {0}, rows = {0};
    if (golden_has(golden, "tokens") &&
        (!golden_input(golden, "tokens", -1, &tokens) || !golden_input(golden, "table", 2, &rows)))
        return false;
    int T = golden_whole(golden, "seq_len", golden_last(&tokens, 1)), D = golden_last(&tokens, 0);
    if (rows.floats && rows.shape[1] != D)
        return golden_break(golden, "not the width of the tokens:", "table");
    LearnedTable table = {rows.floats,
                          rows.floats ? rows.shape[0] : golden_whole(golden, "max_len", 0), D};
    const float *pe;
    if (!learned_rows(table, golden_whole(golden, "first_position", 0), T, &pe, err)) return false;
    if (!pe) return golden_break(golden, "the file lacks the tensor", "table");
    float *x = ARENA_ARRAY(golden->arena, float, tokens.count);
    position_add(x, tokens.floats, pe, golden_leading(&tokens, 2), T, D);
    golden_give(golden, "pos", pe, 2, (int[]){T, D});
    golden_give_like(golden, "x", x, &tokens);
    return true;
}

static bool read_pairing(Golden *golden, RopePairing *pairing) {
    const char *word = golden_word(golden, "pairing", "interleaved");
    *pairing = strcmp(word, "half") == 0 ? ROPE_HALVES : ROPE_ADJACENT;
    return *pairing == ROPE_HALVES || strcmp(word, "interleaved") == 0 ||
           golden_break(golden, "unknown pairing", word);
}

static void give_repeated(Golden *golden, const char *name, const float *table, int T, int R,
                          RopePairing pairing) {
    float *wide = ARENA_ARRAY(golden->arena, float, T *R);
    for (int t = 0; t < T; t++) rope_repeat(wide + t * R, table + t * (R / 2), pairing, R);
    golden_give(golden, name, wide, 2, (int[]){T, R});
}

static bool run_build_rope(Golden *golden, Err *err) {
    int R = golden_whole(golden, "head_dim", 0), T = golden_whole(golden, "seq_len", 0);
    int first = golden_whole(golden, "first_position", 0);
    double base = golden_number(golden, "base", 10000);
    if (!rope_check(R, R, base, err) || !position_check(first, T, err)) return false;
    double *frequency = ARENA_ARRAY(golden->arena, double, R / 2);
    rope_frequencies(frequency, R, base);
    Rope rope = rope_build(golden->arena, R, base, first, T);
    give_row(golden, "inv_freq", frequency, R / 2);
    golden_give(golden, "cos", rope.cos, 2, (int[]){T, R / 2});
    golden_give(golden, "sin", rope.sin, 2, (int[]){T, R / 2});
    give_repeated(golden, "cos_interleaved", rope.cos, T, R, ROPE_ADJACENT);
    give_repeated(golden, "sin_interleaved", rope.sin, T, R, ROPE_ADJACENT);
    give_repeated(golden, "cos_half", rope.cos, T, R, ROPE_HALVES);
    give_repeated(golden, "sin_half", rope.sin, T, R, ROPE_HALVES);
    return true;
}

/* x[..,T,K] and the tables of its T positions, by the parameters or the tensor positions. */
typedef struct Turning {
    GoldenArray x;
    int T, K;
    Rope rope;
} Turning;

static bool read_turning(Golden *golden, Turning *turning, Err *err) {
    GoldenArray *x = &turning->x, positions = {0};
    *x = (GoldenArray){0};
    if (golden_has(golden, "x") && !golden_input(golden, "x", -1, x)) return false;
    int K = x->floats ? golden_last(x, 0) : golden_whole(golden, "head_dim", 0);
    int T = golden_last(x, 1), R = golden_whole(golden, "rotary_dim", K);
    int first = golden_whole(golden, "first_position", 0);
    double base = golden_number(golden, "base", 10000);
    turning->T = T;
    turning->K = K;
    if (!rope_check(K, R, base, err) || !position_check(first, T, err)) return false;
    if (!x->floats) return golden_break(golden, "the file lacks the tensor", "x");
    turning->rope = rope_build(golden->arena, R, base, first, T);
    if (!golden_has(golden, "positions")) return true;
    if (!golden_input(golden, "positions", 1, &positions)) return false;
    if (!positions.ints || positions.count != T)
        return golden_break(golden, "not a position for each row:", "positions");
    double *frequency = ARENA_ARRAY(golden->arena, double, R / 2);
    rope_frequencies(frequency, R, base);
    turning->rope = rope_build_at(golden->arena, frequency, R / 2, positions.ints, T, 1);
    return true;
}

/* Every plane [T,K] of x, turned. */
static float *turned(Golden *golden, const Turning *turning, RopePairing pairing) {
    float *y = ARENA_ARRAY(golden->arena, float, turning->x.count);
    int plane = turning->T * turning->K;
    for (int n = 0; n < golden_leading(&turning->x, 2); n++)
        rope_apply(y + n * plane, turning->x.floats + n * plane, &turning->rope, pairing,
                   turning->K);
    return y;
}

static bool run_apply_rope(Golden *golden, Err *err) {
    Turning turning;
    RopePairing pairing;
    if (!read_pairing(golden, &pairing) || !read_turning(golden, &turning, err)) return false;
    golden_give_like(golden, "y", turned(golden, &turning, pairing), &turning.x);
    return true;
}

static bool run_apply_rope_tables(Golden *golden, Err *err) {
    (void)err;
    Turning turning;
    RopePairing pairing;
    GoldenArray cosine, sine;
    if (!read_pairing(golden, &pairing) || !golden_input(golden, "x", -1, &turning.x) ||
        !golden_input(golden, "cos", 2, &cosine) || !golden_input(golden, "sin", 2, &sine))
        return false;
    turning.T = golden_last(&turning.x, 1);
    turning.K = golden_last(&turning.x, 0);
    turning.rope = (Rope){cosine.shape[0], cosine.shape[1], cosine.floats, sine.floats};
    if (sine.shape[0] != turning.rope.T || sine.shape[1] != turning.rope.pairs ||
        turning.T != turning.rope.T || 2 * turning.rope.pairs > turning.K)
        return golden_break(golden, "shapes do not fit each other:", "x, cos, sin");
    golden_give_like(golden, "y", turned(golden, &turning, pairing), &turning.x);
    return true;
}

static bool run_grad_apply_rope(Golden *golden, Err *err) {
    Turning turning;
    RopePairing pairing;
    GoldenArray dy;
    if (!read_pairing(golden, &pairing) || !read_turning(golden, &turning, err) ||
        !golden_input(golden, "dy", turning.x.rank, &dy))
        return false;
    if (dy.count != turning.x.count) return golden_break(golden, "not the shape of x:", "dy");
    float *dx = ARENA_ARRAY(golden->arena, float, dy.count);
    int plane = turning.T * turning.K;
    for (int n = 0; n < golden_leading(&dy, 2); n++)
        rope_backward(dx + n * plane, dy.floats + n * plane, &turning.rope, pairing, turning.K);
    golden_give_like(golden, "y", turned(golden, &turning, pairing), &turning.x);
    golden_give_like(golden, "d_x", dx, &turning.x);
    return true;
}

/* Adjacent pairs on permuted features are halves. */
static bool run_rope_pairings(Golden *golden, Err *err) {
    Turning turning;
    if (!read_turning(golden, &turning, err)) return false;
    int R = 2 * turning.rope.pairs;
    int *order = ARENA_ARRAY(golden->arena, int, R);
    rope_halves_order(order, R);
    golden_give_ints(golden, "perm", order, 1, &R);
    golden_give_like(golden, "y_interleaved", turned(golden, &turning, ROPE_ADJACENT), &turning.x);
    golden_give_like(golden, "y_half", turned(golden, &turning, ROPE_HALVES), &turning.x);
    return true;
}

/* Rows of q at positions m times rows of k at positions n, turned as floats. */
static float *relative_dots(Golden *golden, const GoldenArray *q, const GoldenArray *k,
                            const int *m, const int *n, int shift, RopePairing pairing) {
    int T = q->shape[0], K = q->shape[1];
    double *frequency = ARENA_ARRAY(golden->arena, double, K / 2);
    int *positions = ARENA_ARRAY(golden->arena, int, T);
    float *turned_q = ARENA_ARRAY(golden->arena, float, q->count);
    float *turned_k = ARENA_ARRAY(golden->arena, float, k->count);
    float *dots = ARENA_ARRAY(golden->arena, float, T);
    rope_frequencies(frequency, K, golden_number(golden, "base", 10000));
    for (int t = 0; t < T; t++) positions[t] = m[t] + shift;
    Rope rope = rope_build_at(golden->arena, frequency, K / 2, positions, T, 1);
    rope_apply(turned_q, q->floats, &rope, pairing, K);
    for (int t = 0; t < T; t++) positions[t] = n[t] + shift;
    rope = rope_build_at(golden->arena, frequency, K / 2, positions, T, 1);
    rope_apply(turned_k, k->floats, &rope, pairing, K);
    for (int t = 0; t < T; t++) dots[t] = tensor_dot(turned_q + t * K, turned_k + t * K, K);
    return dots;
}

static bool run_rope_relative(Golden *golden, Err *err) {
    GoldenArray q, k, m, n;
    RopePairing pairing;
    double base = golden_number(golden, "base", 10000);
    int width = golden_whole(golden, "head_dim", 0);
    if (!golden_has(golden, "q") && !rope_check(width, width, base, err)) return false;
    if (!read_pairing(golden, &pairing) || !golden_input(golden, "q", 2, &q) ||
        !golden_input(golden, "k", 2, &k) || !golden_input(golden, "m", 1, &m) ||
        !golden_input(golden, "n", 1, &n))
        return false;
    int T = q.shape[0], K = q.shape[1], shift = golden_whole(golden, "shift", 0);
    if (k.shape[0] != T || k.shape[1] != K || !m.ints || m.count != T || !n.ints || n.count != T)
        return golden_break(golden, "shapes do not fit each other:", "q, k, m, n");
    if (!rope_check(K, K, base, err)) return false;
    golden_give(golden, "dot", relative_dots(golden, &q, &k, m.ints, n.ints, 0, pairing), 1, &T);
    golden_give(golden, "dot_shifted",
                relative_dots(golden, &q, &k, m.ints, n.ints, shift, pairing), 1, &T);
    return true;
}

static bool read_scaling(Golden *golden, RopeScaling *scaling) {
    static const char *const kinds[] = {"none", "linear", "ntk", "dynamic_ntk", "yarn", "longrope"};
    const char *word = golden_word(golden, "kind", "");
    int kind = 0, kind_count = (int)(sizeof kinds / sizeof kinds[0]);
    while (kind < kind_count && strcmp(word, kinds[kind]) != 0) kind++;
    if (kind == kind_count) return golden_break(golden, "unknown kind of scaling", word);
    GoldenArray factors = {0};
    if (golden_has(golden, "ext_factors") && !golden_input(golden, "ext_factors", 1, &factors))
        return false;
    if (factors.floats && factors.count != golden_whole(golden, "head_dim", 0) / 2)
        return golden_break(golden, "not a factor for each pair:", "ext_factors");
    *scaling = (RopeScaling){
        .kind = (RopeScalingKind)kind,
        .factor = golden_number(golden, "factor", 1),
        .trained_length = golden_whole(golden, "orig_max_pos", golden_whole(golden, "max_pos", 0)),
        .length = golden_whole(golden, "seq_len", 0),
        .beta_fast = golden_number(golden, "beta_fast", 32),
        .beta_slow = golden_number(golden, "beta_slow", 1),
        .pair_factors = factors.floats};
    return true;
}

/* The parameter positions, a list of whole numbers. */
static bool read_positions(Golden *golden, int **positions, int *T) {
    const json_t *list = json_object_get(golden->params, "positions"), *position;
    if (!json_is_array(list)) return golden_break(golden, "no list in parameter", "positions");
    *T = (int)json_array_size(list);
    *positions = ARENA_ARRAY(golden->arena, int, *T);
    size_t t;
    json_array_foreach(list, t, position) {
        if (!json_is_integer(position))
            return golden_break(golden, "not all whole numbers:", "positions");
        (*positions)[t] = (int)json_integer_value(position);
    }
    return true;
}

static bool run_rope_scaling(Golden *golden, Err *err) {
    RopeScaling scaling;
    int R = golden_whole(golden, "head_dim", 0), *positions = NULL, T = 0;
    double base = golden_number(golden, "base", 10000);
    if (!read_scaling(golden, &scaling)) return false;
    if (!rope_check(R, R, base, err) || !rope_scaling_check(scaling, R, base, err)) return false;
    if (!read_positions(golden, &positions, &T)) return false;
    double *frequency = ARENA_ARRAY(golden->arena, double, R / 2);
    double *ramp = ARENA_ARRAY(golden->arena, double, R / 2);
    RopeScaled scaled = rope_scaling_frequencies(frequency, ramp, scaling, R, base);
    Rope rope = rope_build_at(golden->arena, frequency, R / 2, positions, T, scaled.magnitude);
    give_row(golden, "inv_freq", frequency, R / 2);
    golden_give(golden, "cos", rope.cos, 2, (int[]){T, R / 2});
    golden_give(golden, "sin", rope.sin, 2, (int[]){T, R / 2});
    give_row(golden, "ramp", ramp, R / 2);
    golden_give_ints(golden, "low_high", (int32_t[]){scaled.low, scaled.high}, 1, (int[]){2});
    give_row(golden, "mscale", &scaled.magnitude, 1);
    give_row(golden, "scaled_base", &scaled.base, 1);
    return true;
}

static bool run_rope_decay(Golden *golden, Err *err) {
    int R = golden_whole(golden, "d", 0), count = golden_whole(golden, "max_offset", 0) + 1;
    double base = golden_number(golden, "base", 10000);
    if (!rope_check(R, R, base, err) || !position_check(0, count, err)) return false;
    double *frequency = ARENA_ARRAY(golden->arena, double, R / 2);
    double *dot = ARENA_ARRAY(golden->arena, double, count);
    double *mean = ARENA_ARRAY(golden->arena, double, count);
    double *bound = ARENA_ARRAY(golden->arena, double, count);
    rope_frequencies(frequency, R, base);
    for (int m = 0; m < count; m++) {
        dot[m] = rope_decay_dot(frequency, R / 2, m);
        mean[m] = dot[m] / R;
        bound[m] = rope_decay_bound(frequency, R / 2, m);
    }
    give_row(golden, "dot", dot, count);
    give_row(golden, "dot_over_d", mean, count);
    give_row(golden, "mean_abs_partial_sums", bound, count);
    return true;
}

const GoldenFunction golden_position[] = {{"sinusoidal_position_encoding", run_sinusoidal},
                                          {"learned_positional_embedding", run_learned},
                                          {"build_rope", run_build_rope},
                                          {"apply_rope", run_apply_rope},
                                          {"apply_rope_tables", run_apply_rope_tables},
                                          {"grad_apply_rope", run_grad_apply_rope},
                                          {"rope_pairings", run_rope_pairings},
                                          {"rope_relative", run_rope_relative},
                                          {"rope_scaling", run_rope_scaling},
                                          {"rope_decay", run_rope_decay},
                                          {NULL, NULL}};
