/* Softmax, attention with every kind of mask, dropout, and what rows of weights say. */
#include "golden_heads.h"

#include "core/softmax.h"
#include "core/stats.h"

#include <float.h>
#include <string.h>

typedef void SoftmaxRows(float *y, const float *x, int rows, int columns, float temperature);

/* Along any axis: each row is gathered, computed, and put back. */
static float *along_axis(Golden *golden, const GoldenArray *x, int axis, SoftmaxRows *softmax,
                         float temperature) {
    int length = x->shape[axis], inner = 1;
    for (int d = axis + 1; d < x->rank; d++) inner *= x->shape[d];
    float *y = ARENA_ARRAY(golden->arena, float, x->count);
    float *row = ARENA_ARRAY(golden->arena, float, length);
    for (int n = 0; length && n < x->count / length; n++) {
        size_t at = (size_t)(n / inner) * (size_t)(length * inner) + (size_t)(n % inner);
        for (int p = 0; p < length; p++) row[p] = x->floats[at + (size_t)(p * inner)];
        softmax(row, row, 1, length, temperature);
        for (int p = 0; p < length; p++) y[at + (size_t)(p * inner)] = row[p];
    }
    return y;
}

static bool run_softmax(Golden *golden, Err *err) {
    (void)err;
    GoldenArray x;
    if (!golden_input(golden, "x", -1, &x)) return false;
    int axis = (int)golden_number(golden, "axis", -1);
    float temperature = (float)golden_number(golden, "temperature", 1);
    if (axis < 0) axis += x.rank;
    if (axis < 0 || axis >= x.rank) return golden_break(golden, "no such axis in", "x");
    golden_give_like(golden, "y", along_axis(golden, &x, axis, softmax_rows, temperature), &x);
    if (golden_wants(golden, "log_y"))
        golden_give_like(golden, "log_y",
                         along_axis(golden, &x, axis, log_softmax_rows, temperature), &x);
    return true;
}

static bool run_attention(Golden *golden, Err *err) {
    (void)err;
    Heads heads;
    if (!heads_read(golden, &heads)) return false;
    heads_run(golden, &heads);
    heads_give(golden, &heads, "weights", heads.weights, heads.shape.S);
    heads_give(golden, &heads, "output", heads.output, heads.shape.Kv);
    golden_mask_give(golden, &heads.mask);
    return true;
}

/* Filled with the type's lowest value before softmax, zeroed after it. */
static bool run_double_mask(Golden *golden, Err *err) {
    (void)err;
    Heads heads;
    if (!heads_read(golden, &heads) || !heads_read_dropout(golden, &heads, "dropout_p"))
        return false;
    heads.rule.fill = -FLT_MAX;
    heads_run(golden, &heads);
    int S = heads.shape.S;
    heads_give(golden, &heads, "weights_before_second_mask", heads.softmax, S);
    heads_give(golden, &heads, "weights", heads.keep.bytes ? heads.dropped : heads.weights, S);
    heads_give(golden, &heads, "output", heads.output, heads.shape.Kv);
    golden_mask_give(golden, &heads.mask);
    return true;
}

static bool run_dropout(Golden *golden, Err *err) {
    (void)err;
    Heads heads;
    if (!heads_read(golden, &heads) || !heads_read_dropout(golden, &heads, "p")) return false;
    heads_run(golden, &heads);
    heads_give(golden, &heads, "weights", heads.weights, heads.shape.S);
    heads_give(golden, &heads, "weights_dropped", heads.dropped, heads.shape.S);
    heads_give(golden, &heads, "output", heads.output, heads.shape.Kv);
    return true;
}

/* Reorders the queries or keys of every plane: row i becomes row order[i]. */
static float *permuted(Golden *golden, const GoldenArray *x, const int32_t *order) {
    int rows = golden_last(x, 1), width = golden_last(x, 0);
    float *y = ARENA_ARRAY(golden->arena, float, x->count);
    for (int n = 0; n < golden_leading(x, 1); n++) {
        int from = n / rows * rows + order[n % rows];
        memcpy(y + n * width, x->floats + from * width, (size_t)width * sizeof *y);
    }
    return y;
}

static bool read_permutation(Golden *golden, int T, GoldenArray *order) {
    if (!golden_input(golden, "perm", 1, order)) return false;
    bool good = order->ints && order->count == T;
    for (int i = 0; good && i < T; i++) good = order->ints[i] >= 0 && order->ints[i] < T;
    return good || golden_break(golden, "no permutation of the queries:", "perm");
}

/* Attention does not know the order of the tokens: permuted in, permuted out. */
static bool run_permutation(Golden *golden, Err *err) {
    (void)err;
    Heads heads;
    GoldenArray order;
    if (!heads_read(golden, &heads) || !read_permutation(golden, heads.shape.T, &order))
        return false;
    if (heads.shape.S != heads.shape.T) return golden_break(golden, "T and S differ:", "q, k");
    heads_run(golden, &heads);
    heads_give(golden, &heads, "weights", heads.weights, heads.shape.S);
    heads_give(golden, &heads, "output", heads.output, heads.shape.Kv);
    heads.q.floats = permuted(golden, &heads.q, order.ints);
    heads.k.floats = permuted(golden, &heads.k, order.ints);
    heads.v.floats = permuted(golden, &heads.v, order.ints);
    heads_run(golden, &heads);
    heads_give(golden, &heads, "weights_permuted", heads.weights, heads.shape.S);
    heads_give(golden, &heads, "output_permuted", heads.output, heads.shape.Kv);
    return true;
}

/* One array a statistic over all rows [..,T]. */
typedef struct Columns {
    float *sum, *nats, *bits, *of_all, *of_allowed, *distance, *max, *head_distance;
    int32_t *argmax;
} Columns;

static Columns columns_new(Arena *arena, int rows) {
    return (Columns){.sum = ARENA_ARRAY(arena, float, rows),
                     .nats = ARENA_ARRAY(arena, float, rows),
                     .bits = ARENA_ARRAY(arena, float, rows),
                     .of_all = ARENA_ARRAY(arena, float, rows),
                     .of_allowed = ARENA_ARRAY(arena, float, rows),
                     .distance = ARENA_ARRAY(arena, float, rows),
                     .max = ARENA_ARRAY(arena, float, rows),
                     .head_distance = ARENA_ARRAY(arena, float, rows),
                     .argmax = ARENA_ARRAY(arena, int32_t, rows)};
}

static void columns_set(Columns *columns, int row, RowStats stats) {
    columns->sum[row] = (float)stats.sum;
    columns->nats[row] = (float)stats.entropy_nats;
    columns->bits[row] = (float)stats.entropy_bits;
    columns->of_all[row] = (float)stats.entropy_of_all;
    columns->of_allowed[row] = (float)stats.entropy_of_allowed;
    columns->distance[row] = (float)stats.mean_distance;
    columns->max[row] = stats.max;
    columns->argmax[row] = stats.argmax;
}

static void columns_give(Golden *golden, const Columns *columns, const GoldenArray *weights) {
    GoldenArray rows = *weights;
    rows.rank--;
    golden_give_like(golden, "row_sum", columns->sum, &rows);
    golden_give_like(golden, "entropy_nats", columns->nats, &rows);
    golden_give_like(golden, "entropy_bits", columns->bits, &rows);
    golden_give_like(golden, "entropy_norm_all", columns->of_all, &rows);
    golden_give_like(golden, "entropy_norm_allowed", columns->of_allowed, &rows);
    golden_give_like(golden, "mean_distance_rows", columns->distance, &rows);
    golden_give_like(golden, "max_weight", columns->max, &rows);
    golden_give_ints(golden, "argmax", columns->argmax, rows.rank, rows.shape);
    rows.rank--;
    golden_give_like(golden, "mean_distance_heads", columns->head_distance, &rows);
}

static bool run_statistics(Golden *golden, Err *err) {
    (void)err;
    GoldenArray weights;
    if (!golden_input(golden, "weights", -1, &weights)) return false;
    if (weights.rank < 2) return golden_break(golden, "no rows in", "weights");
    int T = golden_last(&weights, 1), S = golden_last(&weights, 0);
    int heads = golden_leading(&weights, 2);
    uint8_t *allowed = ARENA_ARRAY(golden->arena, uint8_t, T * S);
    mask_all(allowed, T, S);
    if (golden_switch(golden, "causal", false)) mask_causal(allowed, T, S, MASK_TOP_LEFT);
    Columns columns = columns_new(golden->arena, heads * T);
    for (int h = 0; h < heads; h++) {
        double distance = 0;
        for (int i = 0; i < T; i++) {
            int row = h * T + i;
            RowStats stats = stats_row(weights.floats + row * S, allowed + i * S, i, S);
            columns_set(&columns, row, stats);
            distance += stats.mean_distance;
        }
        columns.head_distance[h] = (float)(distance / T);
    }
    columns_give(golden, &columns, &weights);
    return true;
}

const GoldenFunction golden_attention[] = {{"softmax", run_softmax},
                                           {"scaled_dot_product_attention", run_attention},
                                           {"sdpa_double_mask", run_double_mask},
                                           {"attention_dropout", run_dropout},
                                           {"permutation_equivariance", run_permutation},
                                           {"attention_statistics", run_statistics},
                                           {NULL, NULL}};
