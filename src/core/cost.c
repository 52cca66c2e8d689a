/* Counts of what attention costs. */
#include "core/cost.h"

#include <math.h>

enum { FLOAT_BYTES = 4 };

Cost cost_rectangle(CostShape shape, double T, double S) {
    double entries = shape.H * T * S;
    return (Cost){.score_entries = entries,
                  .multiply_adds = 2 * entries * shape.K,
                  .bytes = FLOAT_BYTES * entries};
}

Cost cost_attention(CostShape shape, double n) {
    return cost_rectangle(shape, n, n);
}

double cost_projection(CostShape shape, double T) {
    double D = (double)shape.H * shape.K;
    return 4 * T * D * D;
}

double cost_step_cached(CostShape shape, double t) {
    return cost_projection(shape, 1) + cost_rectangle(shape, 1, t + 1).multiply_adds;
}

double cost_step_again(CostShape shape, double t) {
    return cost_projection(shape, t + 1) + cost_attention(shape, t + 1).multiply_adds;
}

double cost_cache_bytes(CostShape shape, double n) {
    return 2 * FLOAT_BYTES * n * shape.H * shape.K;
}

double cost_path_recurrent(double n) {
    return n;
}

double cost_path_convolution(double n, int kernel) {
    return ceil(n / kernel);
}

double cost_path_attention(double n) {
    return n > 0 ? 1 : 0;
}
