/* Normalisation of rows, x[N,D]. Sums are doubles: with a mean of 100, E[x^2] - E[x]^2 in float32
 * has no correct digit left. The variance is that of the population (over D, not D - 1), and eps
 * stands inside the root.
 *
 *   LayerNorm (Ba et al. 2016)          y = (x - mean) / sqrt(var + eps) * weight + bias
 *   RMSNorm (Zhang and Sennrich 2019)   y = x / sqrt(mean(x^2) + eps) * weight
 *
 * weight[D] and bias[D] may be NULL (1 and 0). Backward functions add to the gradients, which the
 * caller zeroes and which may be NULL where they are not wanted. */
#ifndef CORE_NORM_H
#define CORE_NORM_H

/* y may be x. */
void layer_norm_forward(float *y, const float *x, const float *weight, const float *bias,
                        double eps, int N, int D);
void layer_norm_backward(float *dx, float *dweight, float *dbias, const float *x,
                         const float *weight, const float *dy, double eps, int N, int D);

/* y may be x. */
void rms_norm_forward(float *y, const float *x, const float *weight, double eps, int N, int D);
void rms_norm_backward(float *dx, float *dweight, const float *x, const float *weight,
                       const float *dy, double eps, int N, int D);

/* One of the two with what belongs to it. */
typedef enum NormKind { NORM_LAYER, NORM_RMS } NormKind;

typedef struct Norm {
    NormKind kind;
    double eps;          /* 1e-5 is PyTorch's for LayerNorm */
    const float *weight; /* [D] or NULL */
    const float *bias;   /* [D] or NULL; RMSNorm has none */
} Norm;

/* y[N,D]; y may be x. */
void norm_forward(float *y, const Norm *norm, const float *x, int N, int D);

#endif
