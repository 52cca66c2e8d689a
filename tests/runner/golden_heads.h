/* Attention over batch and heads, as several functions of the reference need it: the functions of
 * the program know one head. */
#ifndef RUNNER_GOLDEN_HEADS_H
#define RUNNER_GOLDEN_HEADS_H

#include "golden_mask.h"

#include "core/attention.h"

/* The inputs, and the results of all heads. */
typedef struct Heads {
    int B, H;
    AttentionShape shape;
    AttentionRule rule; /* without mask and bias, which differ from head to head */
    GoldenArray q, k, v;
    GoldenMask mask;
    bool has_bias;
    GoldenArray bias, keep;             /* keep.bytes NULL: no dropout */
    float p;                            /* of dropout */
    float *weights, *softmax, *dropped; /* [B,H,T,S] */
    float *output; /* [B,H,T,Kv], of the dropped weights where there is dropout */
} Heads;

/* Reads q, k, v (or the tensors that the parameters q, k, v name), scale, temperature, mask, bias.
 */
bool heads_read(Golden *golden, Heads *heads);

/* Reads the keep mask, and p under the name that the function's parameters have for it. */
bool heads_read_dropout(Golden *golden, Heads *heads, const char *p);

void heads_run(Golden *golden, Heads *heads);

/* Gives [..,T,columns] with the leading dimensions of q. */
void heads_give(Golden *golden, const Heads *heads, const char *name, const float *values,
                int columns);

#endif
