/* Losses: the number to make small, and its gradient. */
#ifndef TRAIN_LOSS_H
#define TRAIN_LOSS_H

/* Mean over N of max(z,0) - z y + log(1 + exp(-|z|)): binary cross-entropy of logits z[N] and
 * targets y[N] in 0..1, stable for any |z|. dlogits[N] += gradient of the mean; may be NULL. */
double bce_with_logits(float *dlogits, const float *logits, const float *targets, int N);

#endif
