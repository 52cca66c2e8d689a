/* Gradients of the layers, the loss and the optimisers. The reference's loss is sum(y * dy) unless
 * it says otherwise, so dy is the gradient that comes in. */
#include "golden.h"

#include "core/layers.h"
#include "core/softmax.h"
#include "train/loss.h"
#include "train/optim.h"

#include <string.h>

static float *zeros(Golden *golden, int count) {
    return ARENA_ARRAY(golden->arena, float, count);
}

/* Two inputs that must have as many elements as each other. */
static bool read_pair(Golden *golden, const char *one, GoldenArray *x, const char *other,
                      GoldenArray *y) {
    if (!golden_input(golden, one, -1, x) || !golden_input(golden, other, -1, y)) return false;
    return x->count == y->count || golden_break(golden, "sizes differ:", other);
}

static bool run_softmax(Golden *golden, Err *err) {
    (void)err;
    GoldenArray x, dy;
    if (!read_pair(golden, "x", &x, "dy", &dy)) return false;
    float temperature = (float)golden_number(golden, "temperature", 1);
    float *y = zeros(golden, x.count), *dx = zeros(golden, x.count);
    int rows = golden_leading(&x, 1), columns = golden_last(&x, 0);
    softmax_rows(y, x.floats, rows, columns, temperature);
    softmax_rows_backward(dx, y, dy.floats, rows, columns, temperature);
    golden_give_like(golden, "y", y, &x);
    golden_give_like(golden, "d_x", dx, &x);
    return true;
}

static bool run_linear(Golden *golden, Err *err) {
    (void)err;
    GoldenArray x, weight, bias = {0}, dy;
    if (!golden_input(golden, "x", -1, &x) || !golden_input(golden, "weight", 2, &weight) ||
        !golden_input(golden, "dy", x.rank, &dy))
        return false;
    bool biased = golden_has(golden, "bias");
    if (biased && !golden_input(golden, "bias", 1, &bias)) return false;
    int I = golden_last(&weight, 0), O = golden_last(&weight, 1), N = golden_leading(&x, 1);
    if (golden_last(&x, 0) != I || dy.count != N * O || (biased && bias.count != O))
        return golden_break(golden, "shapes do not fit each other:", "x, weight, bias, dy");
    float *y = zeros(golden, N * O), *dx = zeros(golden, N * I);
    float *dweight = zeros(golden, O * I), *dbias = zeros(golden, O);
    linear_forward(y, x.floats, weight.floats, bias.floats, N, I, O);
    linear_backward(dx, dweight, dbias, x.floats, weight.floats, dy.floats, N, I, O);
    golden_give_like(golden, "y", y, &dy);
    golden_give_like(golden, "d_x", dx, &x);
    golden_give_like(golden, "d_weight", dweight, &weight);
    golden_give_like(golden, "d_bias", dbias, &bias);
    return true;
}

static bool run_embedding(Golden *golden, Err *err) {
    (void)err;
    GoldenArray ids, table, dy;
    if (!golden_input(golden, "ids", -1, &ids) || !golden_input(golden, "table", 2, &table) ||
        !golden_input(golden, "dy", -1, &dy))
        return false;
    int V = golden_last(&table, 1), D = golden_last(&table, 0);
    bool good = ids.ints && dy.count == ids.count * D;
    for (int n = 0; good && n < ids.count; n++) good = ids.ints[n] >= 0 && ids.ints[n] < V;
    if (!good) return golden_break(golden, "do not fit the table:", "ids, dy");
    float *y = zeros(golden, dy.count), *dtable = zeros(golden, table.count);
    int padding = (int)golden_number(golden, "padding_idx", -1);
    embedding_forward(y, table.floats, ids.ints, ids.count, D);
    embedding_backward(dtable, dy.floats, ids.ints, ids.count, D, padding);
    golden_give_like(golden, "y", y, &dy);
    golden_give_like(golden, "d_table", dtable, &table);
    return true;
}

static bool run_masked_mean(Golden *golden, Err *err) {
    (void)err;
    GoldenArray x, mask, dy;
    if (!golden_input(golden, "x", 3, &x) || !golden_input(golden, "mask", 2, &mask) ||
        !golden_input(golden, "dy", 2, &dy))
        return false;
    int B = x.shape[0], T = x.shape[1], D = x.shape[2];
    if (!mask.bytes || mask.count != B * T || dy.count != B * D)
        return golden_break(golden, "shapes do not fit each other:", "x, mask, dy");
    float *y = zeros(golden, B * D), *dx = zeros(golden, x.count);
    masked_mean_forward(y, x.floats, mask.bytes, B, T, D);
    masked_mean_backward(dx, dy.floats, mask.bytes, B, T, D);
    golden_give_like(golden, "y", y, &dy);
    golden_give_like(golden, "d_x", dx, &x);
    return true;
}

static bool run_bce(Golden *golden, Err *err) {
    (void)err;
    GoldenArray logits, targets;
    if (!read_pair(golden, "logits", &logits, "targets", &targets)) return false;
    if (strcmp(golden_word(golden, "reduction", "mean"), "mean") != 0)
        return golden_break(golden, "only the mean is known here:", "reduction");
    const int one = 1;
    float *dlogits = zeros(golden, logits.count);
    float loss = (float)bce_with_logits(dlogits, logits.floats, targets.floats, logits.count);
    golden_give(golden, "y", &loss, 1, &one);
    golden_give_like(golden, "d_logits", dlogits, &logits);
    return true;
}

/* Parameters and moments after each step, [steps,n]. */
static bool run_steps(Golden *golden, bool decoupled) {
    GoldenArray start, grads;
    if (!golden_input(golden, "p0", 1, &start) || !golden_input(golden, "grads", 2, &grads))
        return false;
    int n = start.count, steps = golden_last(&grads, 1);
    if (golden_last(&grads, 0) != n) return golden_break(golden, "sizes differ:", "grads");
    OptimRule rule = optim_rule();
    rule.decoupled = decoupled;
    rule.lr = golden_number(golden, "lr", rule.lr);
    rule.beta1 = golden_number(golden, "beta1", rule.beta1);
    rule.beta2 = golden_number(golden, "beta2", rule.beta2);
    rule.eps = golden_number(golden, "eps", rule.eps);
    rule.weight_decay = golden_number(golden, "weight_decay", rule.weight_decay);
    float *p = zeros(golden, grads.count), *m = zeros(golden, grads.count);
    float *v = zeros(golden, grads.count);
    size_t bytes = (size_t)n * sizeof *p;
    for (int step = 0; step < steps; step++) {
        int at = step * n, before = at - n;
        memcpy(p + at, step ? p + before : start.floats, bytes);
        if (step) memcpy(m + at, m + before, bytes);
        if (step) memcpy(v + at, v + before, bytes);
        optim_step(&rule, step + 1, p + at, grads.floats + at, m + at, v + at, n);
    }
    golden_give_like(golden, "p", p, &grads);
    golden_give_like(golden, "m", m, &grads);
    golden_give_like(golden, "v", v, &grads);
    return true;
}

static bool run_adam(Golden *golden, Err *err) {
    (void)err;
    return run_steps(golden, false);
}

static bool run_adamw(Golden *golden, Err *err) {
    (void)err;
    return run_steps(golden, true);
}

const GoldenFunction golden_train[] = {{"grad_softmax", run_softmax},
                                       {"grad_linear", run_linear},
                                       {"grad_embedding", run_embedding},
                                       {"grad_masked_mean_pool", run_masked_mean},
                                       {"grad_bce_with_logits", run_bce},
                                       {"adam", run_adam},
                                       {"adamw", run_adamw},
                                       {NULL, NULL}};
