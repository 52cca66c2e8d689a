/* What the runner's main file and its comparison share. */
#ifndef RUNNER_GOLDEN_INSIDE_H
#define RUNNER_GOLDEN_INSIDE_H

#include "golden.h"

struct GoldenOutput {
    const char *name;
    double abs, rel;
    bool exact; /* integers and booleans */
    bool exact_zeros, must_differ;
    bool given; /* compared */
};

#endif
