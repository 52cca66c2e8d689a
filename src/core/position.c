/* Absolute positions. Everything that turns a position into an angle is in double. */
#include "core/position.h"

#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

static const double TURN = 6.28318530717958647693; /* 2 pi */

bool position_check(int first, int T, Err *err) {
    if (T < 1) return err_set(err, "the length must be at least 1 position, found %d", T);
    if (first < 0) return err_set(err, "the first position must be 0 or more, found %d", first);
    if ((int64_t)first + T - 1 > POSITION_MAX)
        return err_set(err, "positions end at %d, found %d from %d on: take fewer", POSITION_MAX, T,
                       first);
    return true;
}

bool position_check_base(double base, Err *err) {
    if (isfinite(base) && base > 0) return true;
    return err_set(err, "the base must be a number above 0, found %g; 10000 is the usual one",
                   base);
}

bool sinusoidal_check(Sinusoidal shape, bool allow_odd, Err *err) {
    if (shape.D < 1) return err_set(err, "d_model must be at least 1, found %d", shape.D);
    if (shape.D % 2 && !allow_odd)
        return err_set(err,
                       "d_model must be even, found %d: every sine stands beside a cosine of the "
                       "same wavelength; take %d",
                       shape.D, shape.D + 1);
    return position_check_base(shape.base, err);
}

int sinusoidal_pairs(Sinusoidal shape) {
    return (shape.D + 1) / 2;
}

double sinusoidal_frequency(Sinusoidal shape, int pair) {
    return pow(shape.base, -2.0 * pair / shape.D);
}

SinusoidalColumn sinusoidal_column(Sinusoidal shape, int column) {
    assert(column >= 0 && column < shape.D);
    int sines = sinusoidal_pairs(shape);
    SinusoidalColumn it = {.pair = column / 2, .cosine = column % 2};
    if (shape.layout == POSITION_CONCATENATED) {
        it.cosine = column >= sines;
        it.pair = it.cosine ? column - sines : column;
    }
    it.alone = shape.D % 2 && !it.cosine && it.pair == sines - 1;
    return it;
}

int sinusoidal_column_of(Sinusoidal shape, int pair, bool cosine) {
    int sines = sinusoidal_pairs(shape);
    assert(pair >= 0 && pair < sines);
    if (cosine && shape.D % 2 && pair == sines - 1) return -1;
    if (shape.layout == POSITION_CONCATENATED) return cosine ? sines + pair : pair;
    return 2 * pair + cosine;
}

void sinusoidal_rows(float *pe, Sinusoidal shape, int first, int T) {
    for (int pair = 0; pair < sinusoidal_pairs(shape); pair++) {
        double frequency = sinusoidal_frequency(shape, pair);
        int sine = sinusoidal_column_of(shape, pair, false);
        int cosine = sinusoidal_column_of(shape, pair, true);
        for (int t = 0; t < T; t++) {
            float *row = pe + (size_t)t * (size_t)shape.D;
            double angle = ((double)first + t) * frequency;
            row[sine] = (float)sin(angle);
            if (cosine >= 0) row[cosine] = (float)cos(angle);
        }
    }
}

double position_wavelength(double frequency) {
    return TURN / frequency;
}

double position_angle(double frequency, int position) {
    double angle = fmod(position * frequency, TURN);
    if (angle < 0) angle += TURN;
    return angle < TURN ? angle : 0; /* a hair below 0 rounds to a whole turn */
}

bool learned_rows(LearnedTable table, int first, int T, const float **pe, Err *err) {
    if (!position_check(first, T, err)) return false;
    if (T > table.count - first)
        return err_set(
            err,
            "a learned table knows the positions 0 to %d, found %d to %d: take a shorter "
            "text or another encoding",
            table.count - 1, first, first + T - 1);
    *pe = table.rows + (size_t)first * (size_t)table.D;
    return true;
}

void learned_seeded(float *table, int count, int D, uint64_t seed) {
    Rng rng = rng_seed(seed);
    size_t cells = (size_t)count * (size_t)D;
    for (size_t n = 0; n < cells; n++) table[n] = (float)(0.02 * rng_normal(&rng));
}

void position_add(float *y, const float *x, const float *pe, int B, int T, int D) {
    size_t cells = (size_t)T * (size_t)D;
    for (int b = 0; b < B; b++)
        for (size_t n = 0; n < cells; n++)
            y[(size_t)b * cells + n] = x[(size_t)b * cells + n] + pe[n];
}
