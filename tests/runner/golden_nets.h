/* Weights of linear layers, norms, attention and blocks, read from the inputs of a case by the
 * prefix of their names: "l0.self." has q.weight, q.bias ... */
#ifndef RUNNER_GOLDEN_NETS_H
#define RUNNER_GOLDEN_NETS_H

#include "golden.h"

#include "core/block.h"

/* PREFIXweight[O,I] and PREFIXbias[O]; the bias may be missing. Breaks the case on other shapes; O
 * or I of 0 takes what is there. */
bool nets_linear(Golden *golden, const char *prefix, int I, int O, Linear *layer);

/* LayerNorm PREFIXweight[D], PREFIXbias[D]; eps from the parameters, 1e-5 where they are silent. */
bool nets_norm(Golden *golden, const char *prefix, int D, Norm *norm);

/* PREFIXq, k, v, o. The heads and whether RoPE turns them are parameters of the case. False with
 * err: the program refuses them. */
bool nets_heads(Golden *golden, const char *prefix, int D, int C, MultiHead *net, Err *err);

/* PREFIXnorm1, self, (normc, cross,) norm2, ff1, ff2. */
bool nets_block(Golden *golden, const char *prefix, int D, bool cross, Block *block, Err *err);

/* The parameter rope_base, 0 when it is null or missing. */
double nets_rope_base(Golden *golden);

/* Tables for T positions from first on; NULL without a base. */
const Rope *nets_rope(Golden *golden, double base, int K, int first, int T);

/* in.NAME as valid[B,T], or NULL when there is no such input; a false breaks the case. */
bool nets_valid(Golden *golden, const char *name, int B, int T, const uint8_t **valid);

/* Results of several sequences, one behind the other. */
typedef struct NetsRows {
    float *values;
    int used;
} NetsRows;

NetsRows nets_rows(Golden *golden, int count);
void nets_append(NetsRows *rows, const float *values, int count);

#endif
