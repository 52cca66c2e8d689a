/* RoPE frequencies for texts longer than the trained length. */
#include "core/rope_scaling.h"

#include "core/rope.h"

#include <math.h>

static const double TURN = 6.28318530717958647693; /* 2 pi */

static bool check_pair_factors(const float *factors, int R, Err *err) {
    if (!factors)
        return err_set(err, "longrope needs a factor for each of the %d pairs, found none", R / 2);
    for (int i = 0; i < R / 2; i++)
        if (!(factors[i] > 0) || !isfinite(factors[i]))
            return err_set(err, "longrope's factor of pair %d must be above 0, found %g", i,
                           (double)factors[i]);
    return true;
}

static int least_trained_length(RopeScalingKind kind) {
    if (kind == ROPE_SCALING_LONGROPE) return 2; /* ln L divides */
    return kind == ROPE_SCALING_DYNAMIC_NTK || kind == ROPE_SCALING_YARN;
}

bool rope_scaling_check(RopeScaling scaling, int R, double base, Err *err) {
    RopeScalingKind kind = scaling.kind;
    if (kind == ROPE_SCALING_NONE) return true;
    if (!(scaling.factor >= 1) || !isfinite(scaling.factor))
        return err_set(err, "the scaling factor must be 1 or more, found %g", scaling.factor);
    int least = least_trained_length(kind);
    if (scaling.trained_length < least && least > 0)
        return err_set(err, "the trained length must be at least %d, found %d", least,
                       scaling.trained_length);
    if ((kind == ROPE_SCALING_NTK || kind == ROPE_SCALING_DYNAMIC_NTK) && R < 4)
        return err_set(err,
                       "ntk scaling needs a rotary width of at least 4, found %d: a single pair "
                       "does not depend on the base",
                       R);
    if (kind == ROPE_SCALING_YARN && base <= 1)
        return err_set(err, "yarn needs a base above 1, found %g: it counts turns by its logarithm",
                       base);
    if (kind == ROPE_SCALING_YARN && !(scaling.beta_fast >= scaling.beta_slow))
        return err_set(err, "yarn needs a beta fast of at least beta slow, found %g and %g",
                       scaling.beta_fast, scaling.beta_slow);
    return kind != ROPE_SCALING_LONGROPE || check_pair_factors(scaling.pair_factors, R, err);
}

static double ntk_base(double base, double stretch, int R) {
    return base * pow(stretch, R / (R - 2.0));
}

/* How far a dynamic base is stretched: 1 up to the trained length. */
static double dynamic_stretch(RopeScaling scaling) {
    double trained = scaling.trained_length, length = fmax(scaling.length, trained);
    return scaling.factor * length / trained - (scaling.factor - 1);
}

/* The pair, as a fraction, that turns this many times within the trained length. */
static double pair_of_turns(double turns, int R, double base, int trained_length) {
    return R * log(trained_length / (turns * TURN)) / (2 * log(base));
}

static void yarn_range(RopeScaled *scaled, RopeScaling scaling, int R, double base) {
    double fast = scaling.beta_fast > 0 ? scaling.beta_fast : 32;
    double slow = scaling.beta_slow > 0 ? scaling.beta_slow : 1;
    int L = scaling.trained_length;
    scaled->low = (int)fmax(floor(pair_of_turns(fast, R, base, L)), 0);
    scaled->high = (int)fmin(ceil(pair_of_turns(slow, R, base, L)), R - 1);
}

static double yarn_ramp(const RopeScaled *scaled, int pair) {
    double width = scaled->high == scaled->low ? 0.001 : scaled->high - scaled->low;
    return fmin(fmax((pair - scaled->low) / width, 0), 1);
}

static double magnitude_of(RopeScaling scaling) {
    if (scaling.kind == ROPE_SCALING_YARN) return 0.1 * log(scaling.factor) + 1;
    if (scaling.kind == ROPE_SCALING_LONGROPE)
        return sqrt(1 + log(scaling.factor) / log(scaling.trained_length));
    return 1;
}

RopeScaled rope_scaling_frequencies(double *frequency, double *ramp, RopeScaling scaling, int R,
                                    double base) {
    RopeScalingKind kind = scaling.kind;
    RopeScaled scaled = {.base = base, .magnitude = magnitude_of(scaling)};
    if (kind == ROPE_SCALING_NTK) scaled.base = ntk_base(base, scaling.factor, R);
    if (kind == ROPE_SCALING_DYNAMIC_NTK) scaled.base = ntk_base(base, dynamic_stretch(scaling), R);
    if (kind == ROPE_SCALING_YARN) yarn_range(&scaled, scaling, R, base);
    rope_frequencies(frequency, R, scaled.base);
    for (int i = 0; i < R / 2; i++) {
        double share = kind == ROPE_SCALING_YARN ? yarn_ramp(&scaled, i) : 0;
        if (ramp) ramp[i] = share;
        if (kind == ROPE_SCALING_LINEAR) frequency[i] /= scaling.factor;
        if (kind == ROPE_SCALING_YARN)
            frequency[i] = frequency[i] / scaling.factor * share + frequency[i] * (1 - share);
        if (kind == ROPE_SCALING_LONGROPE) frequency[i] /= scaling.pair_factors[i];
    }
    return scaled;
}

void rope_longrope_standin(float *factors, int R, double factor) {
    int last = R / 2 - 1;
    for (int i = 0; i <= last; i++)
        factors[i] = (float)(1 + (factor - 1) * (last ? (double)i / last : 0));
}
