/* The parts of a block: norms, activations, the gated layer, and where a norm stands. */
#include "golden_nets.h"

#include "core/act.h"
#include "core/norm.h"

static float *zeros(Golden *golden, int count) {
    return ARENA_ARRAY(golden->arena, float, count);
}

/* x[..,D] and weight[D], bias[D] where the case has them. */
typedef struct NormCase {
    GoldenArray x, weight, bias;
    int N, D;
    double eps;
} NormCase;

static bool read_vector(Golden *golden, const char *name, int D, GoldenArray *vector) {
    *vector = (GoldenArray){0};
    if (!golden_has(golden, name)) return true;
    if (!golden_input(golden, name, 1, vector)) return false;
    return vector->count == D || golden_break(golden, "sizes differ:", name);
}

static bool read_norm(Golden *golden, NormCase *norm, double eps) {
    if (!golden_input(golden, "x", -1, &norm->x)) return false;
    norm->D = golden_last(&norm->x, 0);
    norm->N = golden_leading(&norm->x, 1);
    norm->eps = golden_number(golden, "eps", eps);
    return read_vector(golden, "weight", norm->D, &norm->weight) &&
           read_vector(golden, "bias", norm->D, &norm->bias);
}

static bool read_dy(Golden *golden, const NormCase *norm, GoldenArray *dy) {
    return golden_input(golden, "dy", norm->x.rank, dy) &&
           (dy->count == norm->x.count || golden_break(golden, "sizes differ:", "dy"));
}

static bool run_layer_norm(Golden *golden, Err *err) {
    (void)err;
    NormCase at;
    if (!read_norm(golden, &at, 1e-5)) return false;
    float *y = zeros(golden, at.x.count);
    layer_norm_forward(y, at.x.floats, at.weight.floats, at.bias.floats, at.eps, at.N, at.D);
    golden_give_like(golden, "y", y, &at.x);
    return true;
}

static bool run_grad_layer_norm(Golden *golden, Err *err) {
    NormCase at;
    GoldenArray dy;
    if (!run_layer_norm(golden, err) || !read_norm(golden, &at, 1e-5) || !read_dy(golden, &at, &dy))
        return false;
    float *dx = zeros(golden, at.x.count), *dweight = zeros(golden, at.D);
    float *dbias = zeros(golden, at.D);
    layer_norm_backward(dx, dweight, dbias, at.x.floats, at.weight.floats, dy.floats, at.eps, at.N,
                        at.D);
    golden_give_like(golden, "d_x", dx, &at.x);
    golden_give(golden, "d_weight", dweight, 1, &at.D);
    golden_give(golden, "d_bias", dbias, 1, &at.D);
    return true;
}

static bool run_rms_norm(Golden *golden, Err *err) {
    (void)err;
    NormCase at;
    if (!read_norm(golden, &at, 1e-6)) return false;
    float *y = zeros(golden, at.x.count);
    rms_norm_forward(y, at.x.floats, at.weight.floats, at.eps, at.N, at.D);
    golden_give_like(golden, "y", y, &at.x);
    return true;
}

static bool run_grad_rms_norm(Golden *golden, Err *err) {
    NormCase at;
    GoldenArray dy;
    if (!run_rms_norm(golden, err) || !read_norm(golden, &at, 1e-6) || !read_dy(golden, &at, &dy))
        return false;
    float *dx = zeros(golden, at.x.count), *dweight = zeros(golden, at.D);
    rms_norm_backward(dx, dweight, at.x.floats, at.weight.floats, dy.floats, at.eps, at.N, at.D);
    golden_give_like(golden, "d_x", dx, &at.x);
    golden_give(golden, "d_weight", dweight, 1, &at.D);
    return true;
}

static bool run_activations(Golden *golden, Err *err) {
    (void)err;
    GoldenArray x;
    if (!golden_input(golden, "x", -1, &x)) return false;
    float *y = zeros(golden, x.count);
    gelu_forward(y, x.floats, x.count);
    golden_give_like(golden, "gelu_erf", y, &x);
    gelu_tanh_forward(y, x.floats, x.count);
    golden_give_like(golden, "gelu_tanh", y, &x);
    silu_forward(y, x.floats, x.count);
    golden_give_like(golden, "silu", y, &x);
    return true;
}

typedef void ActForward(float *y, const float *x, int n);
typedef void ActBackward(float *dx, const float *x, const float *dy, int n);

static bool run_grad_act(Golden *golden, ActForward *forward, ActBackward *backward) {
    GoldenArray x, dy;
    if (!golden_input(golden, "x", -1, &x) || !golden_input(golden, "dy", x.rank, &dy))
        return false;
    if (x.count != dy.count) return golden_break(golden, "sizes differ:", "dy");
    float *y = zeros(golden, x.count), *dx = zeros(golden, x.count);
    forward(y, x.floats, x.count);
    backward(dx, x.floats, dy.floats, x.count);
    golden_give_like(golden, "y", y, &x);
    golden_give_like(golden, "d_x", dx, &x);
    return true;
}

static bool run_grad_gelu(Golden *golden, Err *err) {
    (void)err;
    return run_grad_act(golden, gelu_forward, gelu_backward);
}

static bool run_grad_gelu_tanh(Golden *golden, Err *err) {
    (void)err;
    return run_grad_act(golden, gelu_tanh_forward, gelu_tanh_backward);
}

/* x[N,D], w_gate[F,D], w_up[F,D], w_down[D,F]; no biases. */
typedef struct GatedCase {
    GoldenArray x, gate, up, down;
    int N, D;
    FeedForward feed;
    FeedTrace trace;
} GatedCase;

/* Reads the case, runs it and gives y. */
static bool run_gated(Golden *golden, GatedCase *at) {
    if (!golden_input(golden, "x", -1, &at->x) || !golden_input(golden, "w_gate", 2, &at->gate) ||
        !golden_input(golden, "w_up", 2, &at->up) || !golden_input(golden, "w_down", 2, &at->down))
        return false;
    int D = at->D = golden_last(&at->x, 0), F = at->gate.shape[0];
    at->N = golden_leading(&at->x, 1);
    if (at->gate.shape[1] != D || at->up.shape[0] != F || at->up.shape[1] != D ||
        at->down.shape[0] != D || at->down.shape[1] != F)
        return golden_break(golden, "shapes do not fit each other:", "w_gate, w_up, w_down");
    at->feed = (FeedForward){.kind = FEED_SWIGLU,
                             .F = F,
                             .gate = {.weight = at->gate.floats},
                             .up = {.weight = at->up.floats},
                             .down = {.weight = at->down.floats}};
    at->trace = feed_forward(golden->arena, &at->feed, at->x.floats, at->N, D);
    golden_give_like(golden, "y", at->trace.output, &at->x);
    return true;
}

static bool run_swiglu(Golden *golden, Err *err) {
    (void)err;
    GatedCase at;
    return run_gated(golden, &at);
}

static bool run_grad_swiglu(Golden *golden, Err *err) {
    (void)err;
    GatedCase at;
    GoldenArray dy;
    if (!run_gated(golden, &at) || !golden_input(golden, "dy", -1, &dy)) return false;
    if (dy.count != at.x.count) return golden_break(golden, "sizes differ:", "dy");
    int N = at.N, D = at.D, F = at.feed.F;
    float *dx = zeros(golden, N * D), *ddown = zeros(golden, D * F),
          *dhidden = zeros(golden, N * F);
    float *dgate = zeros(golden, N * F), *dup = zeros(golden, N * F);
    float *dw_gate = zeros(golden, F * D), *dw_up = zeros(golden, F * D);
    linear_backward(dhidden, ddown, NULL, at.trace.hidden, at.down.floats, dy.floats, N, F, D);
    swiglu_backward(dgate, dup, at.trace.gate, at.trace.up, dhidden, N * F);
    linear_backward(dx, dw_gate, NULL, at.x.floats, at.gate.floats, dgate, N, D, F);
    linear_backward(dx, dw_up, NULL, at.x.floats, at.up.floats, dup, N, D, F);
    golden_give_like(golden, "d_x", dx, &at.x);
    golden_give_like(golden, "d_w_gate", dw_gate, &at.gate);
    golden_give_like(golden, "d_w_up", dw_up, &at.up);
    golden_give_like(golden, "d_w_down", ddown, &at.down);
    return true;
}

/* F is linear; the norm stands in front of it or behind the sum. */
static bool run_norm_placement(Golden *golden, Err *err) {
    (void)err;
    static const struct {
        NormPlace place;
        const char *output;
    } places[] = {{NORM_PRE, "pre_norm"}, {NORM_POST, "post_norm"}};
    GoldenArray x;
    Linear f;
    Norm norm;
    if (!golden_input(golden, "x", -1, &x)) return false;
    int D = golden_last(&x, 0), N = golden_leading(&x, 1);
    if (!nets_linear(golden, "f.", D, D, &f) || !nets_norm(golden, "norm.", D, &norm)) return false;
    for (int n = 0; n < 2; n++) {
        NormPlace place = places[n].place;
        float *branch = zeros(golden, x.count);
        Sublayer sub = sublayer_open(golden->arena, place, &norm, x.floats, N, D);
        linear_run(branch, &f, sub.entry, N, D, D);
        sublayer_close(golden->arena, place, &norm, &sub, branch, N, D);
        golden_give_like(golden, places[n].output, sub.output, &x);
    }
    return true;
}

const GoldenFunction golden_parts[] = {{"layer_norm", run_layer_norm},
                                       {"rms_norm", run_rms_norm},
                                       {"activations", run_activations},
                                       {"swiglu", run_swiglu},
                                       {"norm_placement", run_norm_placement},
                                       {"grad_layer_norm", run_grad_layer_norm},
                                       {"grad_rms_norm", run_grad_rms_norm},
                                       {"grad_gelu_erf", run_grad_gelu},
                                       {"grad_gelu_tanh", run_grad_gelu_tanh},
                                       {"grad_swiglu", run_grad_swiglu},
                                       {NULL, NULL}};
