/* softmax(x)_j = exp((x_j - max) / t) / sum_k exp((x_k - max) / t). The maximum is subtracted
 * before dividing by the temperature, so neither large scores nor a tiny temperature overflow. */
#ifndef CORE_SOFTMAX_H
#define CORE_SOFTMAX_H

/* y[rows,columns] from x; y may be x. temperature > 0. -INFINITY gives exactly 0; a row of nothing
 * but -INFINITY gives zeros (there is no key to attend to). A NaN in a row makes the row NaN.
 * +INFINITY shares the row among the +INFINITYs. */
void softmax_rows(float *y, const float *x, int rows, int columns, float temperature);

/* The largest of a row; NaN when the row has one, -INFINITY when it is empty. */
float softmax_max(const float *x, int columns);

/* log softmax: (x_j - max)/t - log sum, finite even where softmax is too small for a float32;
 * -INFINITY where x is, and in all of a row that is nothing else. */
void log_softmax_rows(float *y, const float *x, int rows, int columns, float temperature);

/* dx += J^T dy, from the softmax y: dx_j += y_j (dy_j - sum_k y_k dy_k) / t. */
void softmax_rows_backward(float *dx, const float *y, const float *dy, int rows, int columns,
                           float temperature);

#endif
