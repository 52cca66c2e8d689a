/* The reference runner. A case has parameters and inputs and wants outputs; a function of the
 * program is run on them and gives what it computed, which is compared at once. Each topic has a
 * file with a table {name of the function, what runs it}. */
#ifndef RUNNER_GOLDEN_H
#define RUNNER_GOLDEN_H

#include "base/arena.h"
#include "base/err.h"
#include "model/safetensors.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct GoldenOutput GoldenOutput;

typedef struct Golden {
    const char *name;
    const json_t *params;
    SafeFile file;
    Arena *arena; /* dropped behind the case */
    GoldenOutput *outputs;
    int output_count;
    int failures; /* lines printed */
    bool broken;  /* the case asks for what the runner cannot do, or lacks an input */
} Golden;

/* Runs a case. False: the program refused it, err says why; right where the case expects an error.
 */
typedef bool GoldenRun(Golden *golden, Err *err);

typedef struct GoldenFunction {
    const char *name;
    GoldenRun *run;
} GoldenFunction;

/* The tables, each closed by a row of NULL. */
extern const GoldenFunction golden_attention[], golden_position[], golden_relative[],
    golden_train[], golden_tokens[], golden_worked[], golden_parts[], golden_blocks[],
    golden_networks[], golden_maps[];

/* Parameters. A missing one gives the default; one of another kind breaks the case. */
double golden_number(Golden *golden, const char *name, double otherwise);
int golden_whole(Golden *golden, const char *name, int otherwise); /* cut to a whole number */
bool golden_switch(Golden *golden, const char *name, bool otherwise);
const char *golden_word(Golden *golden, const char *name, const char *otherwise);

typedef struct GoldenArray {
    int rank;
    int shape[SAFE_RANK_MAX];
    int count; /* elements */
    float *floats;
    int32_t *ints;  /* NULL for floats */
    uint8_t *bytes; /* U8 and BOOL, else NULL */
} GoldenArray;

/* Whether the file has in.NAME. */
bool golden_has(const Golden *golden, const char *name);

/* in.NAME; a missing one, or one of another rank (-1: any), breaks the case and gives false. */
bool golden_input(Golden *golden, const char *name, int rank, GoldenArray *array);

/* out.NAME: for a case whose parameters do not hold all that its result depends on. */
bool golden_reference(Golden *golden, const char *name, GoldenArray *array);

/* Says that this runner cannot do the case, and returns false. */
bool golden_break(Golden *golden, const char *why, const char *what);

/* Dimension i counted from the last one (0), 1 where there is none; the product of the dimensions
 * in front of the last n. */
int golden_last(const GoldenArray *array, int i);
int golden_leading(const GoldenArray *array, int n);

/* Element [b,h,i,j] of an array whose missing or 1-wide dimensions stand for any, and whether it
 * can be read so with sizes [B,H,T,S]; if not, the case is broken. */
int golden_at(const GoldenArray *array, int b, int h, int i, int j);
bool golden_fits(Golden *golden, const char *name, const GoldenArray *array, int B, int H, int T,
                 int S);

/* Whether the case wants this output. */
bool golden_wants(const Golden *golden, const char *name);

/* Compares with out.NAME. An output that the case does not want is passed over. */
void golden_give(Golden *golden, const char *name, const float *values, int rank, const int *shape);
void golden_give_ints(Golden *golden, const char *name, const int32_t *values, int rank,
                      const int *shape);
void golden_give_bytes(Golden *golden, const char *name, const uint8_t *values, int rank,
                       const int *shape);

/* The same in the shape of an array. */
void golden_give_like(Golden *golden, const char *name, const float *values,
                      const GoldenArray *like);

#endif
