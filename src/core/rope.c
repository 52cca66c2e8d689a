/* Rotary positions. Each column has an angle and a partner; the three pairings differ in these two
 * alone. */
#include "core/rope.h"

#include "core/position.h"

#include <assert.h>
#include <math.h>
#include <string.h>

bool rope_check(int K, int R, double base, Err *err) {
    if (K < 2 || K % 2)
        return err_set(err,
                       "the head width must be even and at least 2, found %d: features are turned "
                       "in pairs",
                       K);
    if (R < 2 || R % 2)
        return err_set(
            err,
            "the rotary width must be even and at least 2, found %d: features are turned "
            "in pairs",
            R);
    if (R > K)
        return err_set(err, "the rotary width %d is above the head width %d: take at most %d", R, K,
                       K);
    return position_check_base(base, err);
}

void rope_frequencies(double *frequency, int R, double base) {
    for (int i = 0; i < R / 2; i++) frequency[i] = pow(base, -2.0 * i / R);
}

/* Row t of the tables, for one position. */
static void fill_row(float *cosine, float *sine, const double *frequency, int pairs, int position,
                     double magnitude) {
    for (int i = 0; i < pairs; i++) {
        double angle = position * frequency[i];
        cosine[i] = (float)(magnitude * cos(angle));
        sine[i] = (float)(magnitude * sin(angle));
    }
}

Rope rope_build_at(Arena *arena, const double *frequency, int pairs, const int *positions, int T,
                   double magnitude) {
    size_t cells = (size_t)T * (size_t)pairs;
    float *cosine = ARENA_ARRAY(arena, float, cells);
    float *sine = ARENA_ARRAY(arena, float, cells);
    for (int t = 0; t < T; t++) {
        size_t at = (size_t)t * (size_t)pairs;
        fill_row(cosine + at, sine + at, frequency, pairs, positions[t], magnitude);
    }
    return (Rope){.T = T, .pairs = pairs, .cos = cosine, .sin = sine};
}

Rope rope_build(Arena *arena, int R, double base, int first, int T) {
    double *frequency = ARENA_ARRAY(arena, double, R / 2);
    int *positions = ARENA_ARRAY(arena, int, T);
    rope_frequencies(frequency, R, base);
    for (int t = 0; t < T; t++) positions[t] = first + t;
    return rope_build_at(arena, frequency, R / 2, positions, T, 1);
}

int rope_angle_of(RopePairing pairing, int R, int column) {
    return pairing == ROPE_HALVES ? column % (R / 2) : column / 2;
}

void rope_columns(RopePairing pairing, int R, int pair, int *a, int *b) {
    *a = pairing == ROPE_ADJACENT ? 2 * pair : pair;
    *b = pairing == ROPE_ADJACENT ? 2 * pair + 1 : pair + R / 2;
}

void rope_halves_order(int *order, int R) {
    for (int pair = 0; pair < R / 2; pair++) {
        order[pair] = 2 * pair;
        order[pair + R / 2] = 2 * pair + 1;
    }
}

void rope_repeat(float *table, const float *pairs, RopePairing pairing, int R) {
    for (int c = 0; c < R; c++) table[c] = pairs[rope_angle_of(pairing, R, c)];
}

/* A pair of columns, and the angles of both as indices of the tables. */
typedef struct Pair {
    int a, b, angle_a, angle_b;
} Pair;

static Pair pair_of(RopePairing pairing, int R, int i) {
    Pair pair;
    rope_columns(pairing, R, i, &pair.a, &pair.b);
    pair.angle_a = rope_angle_of(pairing, R, pair.a);
    pair.angle_b = rope_angle_of(pairing, R, pair.b);
    return pair;
}

void rope_apply_row(float *y, const float *x, const Rope *rope, int t, RopePairing pairing, int K) {
    assert(t >= 0 && t < rope->T && 2 * rope->pairs <= K);
    int R = 2 * rope->pairs;
    const float *cosine = rope->cos + (size_t)t * (size_t)rope->pairs;
    const float *sine = rope->sin + (size_t)t * (size_t)rope->pairs;
    for (int i = 0; i < rope->pairs; i++) {
        Pair at = pair_of(pairing, R, i);
        double a = x[at.a], b = x[at.b];
        y[at.a] = (float)(a * cosine[at.angle_a] - b * sine[at.angle_a]);
        y[at.b] = (float)(a * sine[at.angle_b] + b * cosine[at.angle_b]);
    }
    if (y != x) memcpy(y + R, x + R, (size_t)(K - R) * sizeof *y);
}

void rope_apply(float *y, const float *x, const Rope *rope, RopePairing pairing, int K) {
    for (int t = 0; t < rope->T; t++) {
        size_t at = (size_t)t * (size_t)K;
        rope_apply_row(y + at, x + at, rope, t, pairing, K);
    }
}

/* The transposed map of rope_apply_row. */
static void backward_row(float *dx, const float *dy, const float *cosine, const float *sine,
                         RopePairing pairing, int R, int K) {
    for (int i = 0; i < R / 2; i++) {
        Pair at = pair_of(pairing, R, i);
        double da = dy[at.a], db = dy[at.b];
        dx[at.a] += (float)(da * cosine[at.angle_a] + db * sine[at.angle_b]);
        dx[at.b] += (float)(db * cosine[at.angle_b] - da * sine[at.angle_a]);
    }
    for (int c = R; c < K; c++) dx[c] += dy[c];
}

void rope_backward(float *dx, const float *dy, const Rope *rope, RopePairing pairing, int K) {
    assert(2 * rope->pairs <= K);
    for (int t = 0; t < rope->T; t++) {
        size_t row = (size_t)t * (size_t)K, angles = (size_t)t * (size_t)rope->pairs;
        backward_row(dx + row, dy + row, rope->cos + angles, rope->sin + angles, pairing,
                     2 * rope->pairs, K);
    }
}

/* x's two features of a pair, turned. */
static void turn(const float *x, Pair at, const double *frequency, int position, double *a,
                 double *b) {
    double angle_a = position * frequency[at.angle_a], angle_b = position * frequency[at.angle_b];
    *a = x[at.a] * cos(angle_a) - x[at.b] * sin(angle_a);
    *b = x[at.a] * sin(angle_b) + x[at.b] * cos(angle_b);
}

double rope_dot(const float *q, const float *k, int K, const double *frequency, int pairs,
                RopePairing pairing, int m, int n) {
    double dot = 0;
    for (int i = 0; i < pairs; i++) {
        Pair at = pair_of(pairing, 2 * pairs, i);
        double qa, qb, ka, kb;
        turn(q, at, frequency, m, &qa, &qb);
        turn(k, at, frequency, n, &ka, &kb);
        dot += qa * ka + qb * kb;
    }
    for (int c = 2 * pairs; c < K; c++) dot += (double)q[c] * k[c];
    return dot;
}
