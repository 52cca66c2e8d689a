/* RoPE beyond the length that a model was trained on: the frequencies are changed, and for some
 * kinds cosine and sine are multiplied. R is the rotary width, f_i the plain frequency of pair i,
 * s the factor, L the trained length.
 *
 *   linear       f_i / s                            (Chen et al. 2023, arXiv 2306.15595)
 *   NTK          base' = base * s^(R/(R-2))          (bloc97 2023)
 *   dynamic NTK  base' = base * (s n/L - (s-1))^(R/(R-2)), n = max(length, L)
 *                (Hugging Face transformers, _compute_dynamic_ntk_parameters)
 *   YaRN         f_i/s * ramp_i + f_i * (1 - ramp_i), times 0.1 ln s + 1
 *                ramp_i = clamp((i - low)/(high - low), 0, 1), c(n) = R ln(L/(2 pi n))/(2 ln base),
 *                low = max(floor(c(beta_fast)), 0), high = min(ceil(c(beta_slow)), R-1), and 0.001
 *                more when both are equal (Peng et al. 2023, arXiv 2309.00071; their code and
 *                transformers, _compute_yarn_parameters)
 *   LongRoPE     1 / (e_i base^(2i/R)), times sqrt(1 + ln s / ln L), e_i found by a search
 *                (Ding et al. 2024, arXiv 2402.13753; transformers, _compute_longrope_parameters)
 */
#ifndef CORE_ROPE_SCALING_H
#define CORE_ROPE_SCALING_H

#include "base/err.h"

#include <stdbool.h>

typedef enum RopeScalingKind {
    ROPE_SCALING_NONE,
    ROPE_SCALING_LINEAR,
    ROPE_SCALING_NTK,
    ROPE_SCALING_DYNAMIC_NTK,
    ROPE_SCALING_YARN,
    ROPE_SCALING_LONGROPE
} RopeScalingKind;

typedef struct RopeScaling {
    RopeScalingKind kind;
    double factor;               /* >= 1; not read by none */
    int trained_length;          /* dynamic NTK, YaRN, LongRoPE */
    int length;                  /* dynamic NTK: positions in use */
    double beta_fast, beta_slow; /* YaRN: turns within the trained length; 0 means 32 and 1 */
    const float *pair_factors;   /* LongRoPE: [R/2], each > 0 */
} RopeScaling;

typedef struct RopeScaled {
    double base;      /* the changed one for NTK and dynamic NTK, else as given */
    double magnitude; /* of cosine and sine; 1 but for YaRN and LongRoPE */
    int low, high;    /* YaRN: the pairs between which its ramp rises; else 0 */
} RopeScaled;

/* Refuses a factor below 1, a trained length that the kind cannot use, R = 2 for the NTK kinds
 * (R-2 divides), a base of at most 1 for YaRN (ln base divides), missing or bad pair factors. R and
 * base themselves: rope_check. */
bool rope_scaling_check(RopeScaling scaling, int R, double base, Err *err);

/* frequency[R/2], radians a position, to be used with rope_build_at and the magnitude. ramp[R/2]
 * may be NULL: YaRN's share of interpolation, 0 for other kinds. */
RopeScaled rope_scaling_frequencies(double *frequency, double *ramp, RopeScaling scaling, int R,
                                    double base);

/* factors[R/2] that stand in for LongRoPE's where none were searched for: rising evenly from 1 to
 * factor. */
void rope_longrope_standin(float *factors, int R, double factor);

#endif
