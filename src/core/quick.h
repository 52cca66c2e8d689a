/* Softmax for large maps: in float32 throughout, and several elements at a time. */
#ifndef CORE_QUICK_H
#define CORE_QUICK_H

/* A row of softmax_rows, in place, within 1e-6; the bits are the same on every x86-64. */
void quick_softmax(float *x, int count, float temperature);

#endif
