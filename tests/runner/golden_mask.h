/* The mask that a case names by words ("causal_padding", "window_causal_br" ...) and tensors. */
#ifndef RUNNER_GOLDEN_MASK_H
#define RUNNER_GOLDEN_MASK_H

#include "golden.h"

#include "core/mask.h"

typedef struct GoldenMask {
    int B, H, T, S;
    bool any; /* something may be blocked */
    bool causal, window, symmetric, padding, cells;
    MaskAlign align;
    int width;
    GoldenArray key_mask;  /* [B,S] of padding */
    GoldenArray attn_mask; /* of cells, any of [T,S], [H,T,S], [B,H,T,S] */
} GoldenMask;

/* Reads the parameters mask and window and the tensors that they need. */
bool golden_mask_read(Golden *golden, int B, int H, int T, int S, GoldenMask *mask);

/* allowed[T,S] of batch element b and head h. */
void golden_mask_fill(const GoldenMask *mask, int b, int h, uint8_t *allowed);

/* Gives the output mask where it is wanted: [B,T,S] with padding, else [T,S]. */
void golden_mask_give(Golden *golden, const GoldenMask *mask);

#endif
