/* xoshiro256** and what is drawn from it. */
#include "base/rng.h"

#include <math.h>

static uint64_t rotate(uint64_t x, int k) {
    return x << k | x >> (64 - k);
}

static uint64_t splitmix(uint64_t *x) {
    uint64_t z = *x += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

Rng rng_seed(uint64_t seed) {
    Rng rng;
    for (int i = 0; i < 4; i++) rng.state[i] = splitmix(&seed);
    return rng;
}

uint64_t rng_next(Rng *rng) {
    uint64_t *s = rng->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

double rng_uniform(Rng *rng) {
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}

uint32_t rng_below(Rng *rng, uint32_t below) {
    /* Throw away the part of the range that does not divide evenly. */
    uint32_t limit = UINT32_MAX - UINT32_MAX % below;
    uint32_t draw;
    do draw = (uint32_t)(rng_next(rng) >> 32);
    while (draw >= limit);
    return draw % below;
}

double rng_normal(Rng *rng) {
    double x, y, square;
    do {
        x = 2 * rng_uniform(rng) - 1;
        y = 2 * rng_uniform(rng) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}

void rng_permutation(Rng *rng, int *order, int count) {
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        int j = (int)rng_below(rng, (uint32_t)i + 1);
        int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}
