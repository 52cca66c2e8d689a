/* Activations: what stands between two linear layers. y may be x in the forward functions; the
 * backward ones add to dx, which the caller zeroes. Each value is computed in double and rounded
 * once. n elements everywhere. */
#ifndef CORE_ACT_H
#define CORE_ACT_H

/* ReLU: max(x, 0). */
void relu_forward(float *y, const float *x, int n);
void relu_backward(float *dx, const float *x, const float *dy, int n);

/* GELU by the error function: x/2 (1 + erf(x/sqrt(2))) (Hendrycks and Gimpel 2016). */
void gelu_forward(float *y, const float *x, int n);
void gelu_backward(float *dx, const float *x, const float *dy, int n);

/* The tanh form of GELU that GPT-2 uses: x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))). */
void gelu_tanh_forward(float *y, const float *x, int n);
void gelu_tanh_backward(float *dx, const float *x, const float *dy, int n);

/* SiLU, also called swish: x / (1 + exp(-x)) (Elfwing et al. 2018). */
void silu_forward(float *y, const float *x, int n);
void silu_backward(float *dx, const float *x, const float *dy, int n);

/* The gated product inside SwiGLU (Shazeer 2020): y = silu(gate) * up. y may be gate or up. */
void swiglu_forward(float *y, const float *gate, const float *up, int n);
void swiglu_backward(float *dgate, float *dup, const float *gate, const float *up, const float *dy,
                     int n);

#endif
