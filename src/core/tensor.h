/* The letters of every shape comment, and products of matrices in a fixed order. A matrix is a
 * pointer to float32, row-major; its shape stands in the comment above each prototype.
 *
 *   B batch   T queries (tokens)   S keys   D model width   H heads   K head width   V vocabulary
 */
#ifndef CORE_TENSOR_H
#define CORE_TENSOR_H

/* out[m,n] = a[m,k] b[n,k]^T. Each element is summed over k in one fixed order, so that the bits
 * are the same on every x86-64 and for every compiler. A matrix times itself (b is a) costs half.
 */
void tensor_product_nt(float *out, const float *a, const float *b, int m, int n, int k);

/* out[m,n] = a[m,k] b[k,n], summed over k in rising order. */
void tensor_product(float *out, const float *a, const float *b, int m, int n, int k);

/* out[m,n] += a[m,k] b[k,n], the product summed over k in rising order first. */
void tensor_product_add(float *out, const float *a, const float *b, int m, int n, int k);

/* out[m,n] += a[k,m]^T b[k,n], the product summed over k in rising order first (weight
 * gradients). */
void tensor_product_tn_add(float *out, const float *a, const float *b, int m, int n, int k);

/* a . b over n elements, in the same order as tensor_product_nt. */
float tensor_dot(const float *a, const float *b, int n);

#endif
