/* Several heads, several layers: joining the maps of heads, how alike two heads are, and attention
 * rollout. */
#ifndef CORE_ROLLOUT_H
#define CORE_ROLLOUT_H

#include "base/arena.h"

typedef enum HeadFuse { FUSE_MEAN, FUSE_MAX } HeadFuse;

/* out[T,S] = mean or maximum over the heads of weights[H,T,S]. The mean of heads is no head: two
 * sharp heads can have a flat mean. A maximum has rows that do not sum to 1. */
void heads_fuse(float *out, const float *weights, int H, int T, int S, HeadFuse fuse);

/* out[T,S] = head a - head b of weights[H,T,S]. */
void heads_difference(float *out, const float *weights, int T, int S, int a, int b);

typedef struct HeadAgreement {
    float *cosine;         /* [H,H] mean over query rows of cos(row_a, row_b) */
    float *js_bits;        /* [H,H] mean over rows of the Jensen-Shannon divergence, log2: 0..1 */
    float *top1;           /* [H,H] share of rows with the same largest key */
    float mean_offdiag[3]; /* cosine, js_bits, top1 over the ordered pairs a != b; 0 for one head */
} HeadAgreement;

/* Fills the arrays that agreement points to, from weights[H,T,S]. Rows in which either head sees no
 * key (all zeros) are left out; with no row left the three are 0. */
void heads_agreement(HeadAgreement *agreement, const float *weights, int H, int T, int S);

/* One layer of attention rollout (Abnar and Zuidema 2020), for a[T,T] from weights[H,T,T]:
 * a = rownorm(alpha fuse_h(W) + (1 - alpha) I). alpha 0.5 stands for the residual; each row is
 * divided by its own sum. */
void rollout_layer(float *a, const float *weights, int H, int T, HeadFuse fuse, double alpha);

/* layers[L,T,T] become running products: R_0 = A_0, R_l = A_l R_{l-1}, so that the last is the
 * rollout of all layers: row i says which input tokens query i is made of. Sums in double. */
void rollout_chain(Arena scratch, float *layers, int L, int T);

#endif
