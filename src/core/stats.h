/* What one row of weights says of itself. Rows are taken as given, never renormalised. */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include <stdint.h>

typedef struct RowStats {
    double sum;
    double entropy_nats; /* -sum p ln p, 0 ln 0 = 0 */
    double entropy_bits;
    double entropy_of_all;     /* nats over ln(S); 0 when S = 1 */
    double entropy_of_allowed; /* nats over ln(keys allowed); 0 when fewer than 2 are */
    double mean_distance;      /* sum_j p_j |i - j| */
    int argmax;                /* the first largest, NaN left out; 0 for a row of zeros */
    float max;                 /* NaN where there is nothing else */
    int allowed;               /* keys allowed */
} RowStats;

/* weights[S] is row i; allowed[S] may be NULL (all). */
RowStats stats_row(const float *weights, const uint8_t *allowed, int i, int S);

/* The keys of a row by falling weight, ties by position, NaN last; writes at most count indices to
 * order, returns how many. */
int stats_top_keys(const float *weights, int S, int *order, int count);

#endif
