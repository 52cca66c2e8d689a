/* Adam (Kingma and Ba 2015) and AdamW (Loshchilov and Hutter 2019), as PyTorch defines them. */
#ifndef TRAIN_OPTIM_H
#define TRAIN_OPTIM_H

#include <stdbool.h>

typedef struct OptimRule {
    double lr, beta1, beta2, eps, weight_decay;
    bool decoupled; /* AdamW: p *= 1 - lr decay; otherwise Adam: g += decay p */
} OptimRule;

/* lr 1e-3, betas 0.9 and 0.999, eps 1e-8, no decay, decoupled. */
OptimRule optim_rule(void);

/* One step, counted from 1, over n parameters p with gradient g and moments m and v (zeros before
 * step 1). */
void optim_step(const OptimRule *rule, int step, float *p, const float *g, float *m, float *v,
                int n);

#endif
