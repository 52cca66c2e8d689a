/* What attention costs, counted: everything here is arithmetic on the sizes, nothing is measured.
 * Counts are doubles, which hold whole numbers exactly up to 2^53. */
#ifndef CORE_COST_H
#define CORE_COST_H

typedef struct CostShape {
    int H; /* heads */
    int K; /* width of a head */
} CostShape;

typedef struct Cost {
    double score_entries; /* cells of the score matrices of all heads */
    double multiply_adds; /* of Q K^T and of weights V; projections not counted */
    double bytes;         /* of the weights that are kept, float32 */
} Cost;

/* One layer over n tokens: H n^2 entries, 2 H n^2 K multiply-adds, 4 H n^2 bytes. */
Cost cost_attention(CostShape shape, double n);

/* T queries onto S keys: the same with T S in place of n^2. */
Cost cost_rectangle(CostShape shape, double T, double S);

/* Projections of T tokens, q, k, v and out, of width D = H K: 4 T D^2 multiply-adds. */
double cost_projection(CostShape shape, double T);

/* Multiply-adds of step t (the query of token t, counted from 0, onto t + 1 keys): with a cache the
 * new token alone is projected and attends; without one all t + 1 tokens are run again. */
double cost_step_cached(CostShape shape, double t);
double cost_step_again(CostShape shape, double t);

/* Bytes of the keys and values of n tokens in a cache, float32: 2 * 4 n H K. */
double cost_cache_bytes(CostShape shape, double n);

/* Steps that a signal takes between two tokens n apart (Vaswani et al. 2017, table 1): n through a
 * recurrent network, ceil(n / kernel) layers of a convolution, one layer of attention. 0 for
 * n = 0. */
double cost_path_recurrent(double n);
double cost_path_convolution(double n, int kernel);
double cost_path_attention(double n);

#endif
