/* The products of all widths come out of one pass over the dimensions: a wider product is a
 * narrower one and more terms. */
#include "core/scaling.h"

#include "base/rng.h"
#include "core/softmax.h"
#include "core/stats.h"

#include <math.h>
#include <string.h>

enum { QUERIES = SCALING_QUERIES, ALL_KEYS = SCALING_ALL_KEYS };

int scaling_widths(ScalingFacts facts[SCALING_WIDTHS_MAX], int chosen, int *place) {
    int count = 0, at = -1;
    for (int width = 2; width <= SCALING_WIDTH_MAX; width *= 2) {
        if (at < 0 && chosen < width) {
            at = count;
            facts[count++] = (ScalingFacts){.width = chosen};
        }
        if (chosen == width) at = count;
        facts[count++] = (ScalingFacts){.width = width};
    }
    *place = at;
    return count;
}

/* In double, so that the order of the sum does not show. */
void scaling_multiply(ScalingFacts *facts, int count, uint64_t seed, Arena *arena) {
    Rng rng = rng_seed(seed);
    double *sums = ARENA_ARRAY(arena, double, SCALING_PAIRS);
    double q[QUERIES], k[ALL_KEYS];
    for (int d = 1, at = 0; at < count; d++) {
        for (int i = 0; i < QUERIES; i++) q[i] = rng_normal(&rng);
        for (int j = 0; j < ALL_KEYS; j++) k[j] = rng_normal(&rng);
        for (int i = 0; i < QUERIES; i++)
            for (int j = 0; j < ALL_KEYS; j++) sums[i * ALL_KEYS + j] += q[i] * k[j];
        if (d != facts[at].width) continue;
        float *products = ARENA_ARRAY(arena, float, SCALING_PAIRS);
        for (int n = 0; n < SCALING_PAIRS; n++) products[n] = (float)sums[n];
        facts[at++].products = products;
    }
}

static void measure_spread(ScalingFacts *facts) {
    double sum = 0, squares = 0;
    for (int n = 0; n < SCALING_PAIRS; n++) sum += (double)facts->products[n];
    facts->mean = sum / SCALING_PAIRS;
    for (int n = 0; n < SCALING_PAIRS; n++) {
        double from = (double)facts->products[n] - facts->mean;
        squares += from * from;
    }
    facts->spread = sqrt(squares / SCALING_PAIRS);
}

double scaling_jacobian_norm(const float *p, int count) {
    double squares = 0, cubes = 0;
    for (int j = 0; j < count; j++) {
        double value = (double)p[j];
        squares += value * value;
        cubes += value * value * value;
    }
    double norm = squares - 2 * cubes + squares * squares;
    return norm > 0 ? sqrt(norm) : 0;
}

/* Softmax of every row of scores / by, and what it comes to on average. */
static void measure_rows(ScalingFacts *facts, int way, double by, double temperature,
                         Arena scratch) {
    float *weights = ARENA_ARRAY(&scratch, float, SCALING_PAIRS);
    for (int n = 0; n < SCALING_PAIRS; n++) weights[n] = (float)((double)facts->products[n] / by);
    softmax_rows(weights, weights, SCALING_ROWS, SCALING_KEYS, (float)temperature);
    memcpy(facts->weights[way], weights, sizeof facts->weights[way]);
    for (int row = 0; row < SCALING_ROWS; row++) {
        const float *p = weights + row * SCALING_KEYS;
        RowStats stats = stats_row(p, NULL, 0, SCALING_KEYS);
        facts->largest[way] += (double)stats.max / SCALING_ROWS;
        facts->entropy[way] += stats.entropy_of_all / SCALING_ROWS;
        facts->gradient[way] += scaling_jacobian_norm(p, SCALING_KEYS) / SCALING_ROWS;
    }
}

void scaling_measure(ScalingFacts *facts, double by, double temperature, Arena scratch) {
    measure_spread(facts);
    measure_rows(facts, 0, 1, temperature, scratch);
    measure_rows(facts, 1, by, temperature, scratch);
}
