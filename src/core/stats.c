/* What one row of weights says of itself, in double. */
#include "core/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static const double LN2 = 0.69314718055994530942;

/* Entropy over the largest that count keys can have; 0 when there is nothing to choose. */
static double relative(double nats, int count) {
    return count > 1 ? nats / log(count) : 0;
}

/* Nothing is larger or smaller than NaN, so without its own rule it would part the list in two. */
static bool is_before(float a, float b) {
    return a > b || (isnan(b) && !isnan(a));
}

RowStats stats_row(const float *weights, const uint8_t *allowed, int i, int S) {
    RowStats row = {.max = S > 0 ? weights[0] : 0};
    for (int j = 0; j < S; j++) {
        double p = weights[j];
        row.sum += p;
        if (p != 0) row.entropy_nats -= p * log(p); /* NaN for a negative "weight" */
        row.mean_distance += p * abs(i - j);
        row.allowed += !allowed || allowed[j];
        if (is_before(weights[j], row.max)) {
            row.max = weights[j];
            row.argmax = j;
        }
    }
    row.entropy_bits = row.entropy_nats / LN2;
    row.entropy_of_all = relative(row.entropy_nats, S);
    row.entropy_of_allowed = relative(row.entropy_nats, row.allowed);
    return row;
}

int stats_top_keys(const float *weights, int S, int *order, int count) {
    int found = 0;
    for (int j = 0; j < S; j++) {
        int at = found;
        while (at > 0 && is_before(weights[j], weights[order[at - 1]])) at--;
        if (at == count) continue;
        if (found < count) found++;
        for (int n = found - 1; n > at; n--) order[n] = order[n - 1];
        order[at] = j;
    }
    return found;
}
