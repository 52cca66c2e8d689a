/* Maps of several heads and layers. */
#include "golden.h"

#include "core/rollout.h"

static bool run_agreement(Golden *golden, Err *err) {
    (void)err;
    GoldenArray weights;
    if (!golden_input(golden, "weights", 3, &weights)) return false;
    int H = weights.shape[0], T = weights.shape[1], S = weights.shape[2];
    HeadAgreement agreement = {.cosine = ARENA_ARRAY(golden->arena, float, H *H),
                               .js_bits = ARENA_ARRAY(golden->arena, float, H *H),
                               .top1 = ARENA_ARRAY(golden->arena, float, H *H)};
    heads_agreement(&agreement, weights.floats, H, T, S);
    golden_give(golden, "cosine", agreement.cosine, 2, (int[]){H, H});
    golden_give(golden, "js_bits", agreement.js_bits, 2, (int[]){H, H});
    golden_give(golden, "top1", agreement.top1, 2, (int[]){H, H});
    golden_give(golden, "mean_offdiag", agreement.mean_offdiag, 1, (int[]){3});
    return true;
}

static bool run_rollout(Golden *golden, Err *err) {
    (void)err;
    GoldenArray weights;
    if (!golden_input(golden, "weights", 4, &weights)) return false;
    int L = weights.shape[0], H = weights.shape[1], T = weights.shape[2], size = T * T;
    double alpha = golden_number(golden, "alpha", 0.5);
    if (weights.shape[3] != T || L < 1) return golden_break(golden, "not square:", "weights");
    float *layers = ARENA_ARRAY(golden->arena, float, L *size);
    for (int l = 0; l < L; l++)
        rollout_layer(layers + l * size, weights.floats + l * H * size, H, T, FUSE_MEAN, alpha);
    rollout_chain(*golden->arena, layers, L, T);
    golden_give(golden, "per_layer", layers, 3, (int[]){L, T, T});
    golden_give(golden, "rollout", layers + (L - 1) * size, 2, (int[]){T, T});
    return true;
}

const GoldenFunction golden_maps[] = {
    {"head_agreement", run_agreement}, {"attention_rollout", run_rollout}, {NULL, NULL}};
