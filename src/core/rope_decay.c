/* Products of turned vectors by distance. Turning both by their positions is turning one by the
 * distance, so a pair gives (q.k) cos + (q x k) sin. */
#include "core/rope_decay.h"

#include "base/rng.h"

#include <assert.h>
#include <math.h>

double rope_decay_dot(const double *frequency, int pairs, int distance) {
    double sum = 0;
    for (int i = 0; i < pairs; i++) sum += cos(distance * frequency[i]);
    return 2 * sum;
}

double rope_decay_bound(const double *frequency, int pairs, int distance) {
    double real = 0, imaginary = 0, sum = 0;
    for (int i = 0; i < pairs; i++) {
        real += cos(distance * frequency[i]);
        imaginary += sin(distance * frequency[i]);
        sum += hypot(real, imaginary);
    }
    return sum / pairs;
}

/* along[draws,pairs] = q.k of each pair, across[draws,pairs] = q x k. */
static void draw_pairs(double *along, double *across, size_t cells, RopeDraw draw, uint64_t seed) {
    Rng rng = rng_seed(seed);
    for (size_t n = 0; n < cells; n++) {
        double qa = rng_normal(&rng), qb = rng_normal(&rng), ka = qa, kb = qb;
        if (draw == ROPE_DRAW_INDEPENDENT) {
            ka = rng_normal(&rng);
            kb = rng_normal(&rng);
        }
        along[n] = qa * ka + qb * kb;
        across[n] = qa * kb - qb * ka;
    }
}

/* q.k / (2 pairs) of one draw, at a distance whose cosines and sines are given. */
static double draw_dot(const double *along, const double *across, const double *cosine,
                       const double *sine, int pairs) {
    double dot = 0;
    for (int i = 0; i < pairs; i++) dot += along[i] * cosine[i] + across[i] * sine[i];
    return dot / (2 * pairs);
}

RopeBand rope_decay_band(Arena *arena, const double *frequency, int pairs, int count, int draws,
                         RopeDraw draw, uint64_t seed) {
    assert(pairs > 0 && draws > 0);
    RopeBand band = {ARENA_ARRAY(arena, float, count), ARENA_ARRAY(arena, float, count)};
    Arena scratch = *arena;
    size_t cells = (size_t)draws * (size_t)pairs;
    double *along = ARENA_ARRAY(&scratch, double, cells);
    double *across = ARENA_ARRAY(&scratch, double, cells);
    double *cosine = ARENA_ARRAY(&scratch, double, pairs);
    double *sine = ARENA_ARRAY(&scratch, double, pairs);
    draw_pairs(along, across, cells, draw, seed);
    for (int distance = 0; distance < count; distance++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < pairs; i++) {
            cosine[i] = cos(distance * frequency[i]);
            sine[i] = sin(distance * frequency[i]);
        }
        for (size_t n = 0; n < cells; n += (size_t)pairs) {
            double dot = draw_dot(along + n, across + n, cosine, sine, pairs);
            sum += dot;
            squares += dot * dot;
        }
        double mean = sum / draws;
        band.mean[distance] = (float)mean;
        band.deviation[distance] = (float)sqrt(fmax(0, squares / draws - mean * mean));
    }
    return band;
}
