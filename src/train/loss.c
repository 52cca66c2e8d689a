/* Binary cross-entropy of logits. */
#include "train/loss.h"

#include <math.h>

/* 1 / (1 + exp(-z)) without overflow. */
static double sigmoid(double z) {
    double e = exp(-fabs(z));
    return (z >= 0 ? 1 : e) / (1 + e);
}

double bce_with_logits(float *dlogits, const float *logits, const float *targets, int N) {
    double sum = 0;
    for (int n = 0; n < N; n++) {
        double z = logits[n], y = targets[n];
        sum += (z > 0 ? z : 0) - z * y + log1p(exp(-fabs(z)));
        if (dlogits) dlogits[n] += (float)((sigmoid(z) - y) / N);
    }
    return sum / N;
}
