/* Adam and AdamW. The arithmetic of a step is double; parameters and moments are stored as
 * float32. */
#include "train/optim.h"

#include <assert.h>
#include <math.h>

OptimRule optim_rule(void) {
    return (OptimRule){.lr = 1e-3, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .decoupled = true};
}

void optim_step(const OptimRule *rule, int step, float *p, const float *g, float *m, float *v,
                int n) {
    assert(step >= 1);
    double beta1 = rule->beta1, beta2 = rule->beta2;
    double rate = rule->lr / (1 - pow(beta1, step));
    double root = 1 / sqrt(1 - pow(beta2, step));
    double keep = rule->decoupled ? 1 - rule->lr * rule->weight_decay : 1;
    double pull = rule->decoupled ? 0 : rule->weight_decay;
    for (int i = 0; i < n; i++) {
        double gradient = g[i] + pull * p[i];
        double mean = beta1 * m[i] + (1 - beta1) * gradient;
        double square = beta2 * v[i] + (1 - beta2) * gradient * gradient;
        m[i] = (float)mean;
        v[i] = (float)square;
        p[i] = (float)(keep * p[i] - rate * mean / (sqrt(square) * root + rule->eps));
    }
}
