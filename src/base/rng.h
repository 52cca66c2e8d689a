/* Random numbers that are the same everywhere for the same seed: xoshiro256** seeded by splitmix64
 * (Blackman and Vigna, 2018, public domain algorithms). Randomness enters only by a seed that the
 * user can see. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

typedef struct Rng {
    uint64_t state[4];
} Rng;

Rng rng_seed(uint64_t seed);
uint64_t rng_next(Rng *rng);

/* Uniform in [0, 1), 53 bits. */
double rng_uniform(Rng *rng);

/* Uniform in 0 .. below-1, without bias; below > 0. */
uint32_t rng_below(Rng *rng, uint32_t below);

/* Standard normal, by the polar method of Marsaglia. */
double rng_normal(Rng *rng);

/* A uniform permutation of 0 .. count-1 (Fisher-Yates) written to order. */
void rng_permutation(Rng *rng, int *order, int count);

#endif
