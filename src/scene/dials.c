/* Hands are as long as their pair is, against the longest pair of the same vector. */
#include "scene/dials.h"

#include "draw/plot.h"
#include "scene/typed.h"

#include <math.h>
#include <string.h>

const KnobChoice dials_pairings[] = {
    [ROPE_ADJACENT] = {"adjacent", "adjacent pairs"},
    [ROPE_HALVES] = {"halves", "two halves"},
    [ROPE_MIXED] = {"mixed", "mixed, wrong"},
    {NULL, NULL},
};

/* What "example" stands for, repeated to the head width. */
enum { EXAMPLE = 8 };
static const float example_q[EXAMPLE] = {1, 0.5F, -0.3F, 0.8F, 0.6F, -0.4F, 0.9F, 0.2F};
static const float example_k[EXAMPLE] = {0.2F, -0.7F, 0.9F, 0.4F, 0.8F, 0.3F, 0.7F, -0.6F};
static const float example_v[EXAMPLE] = {0.5F, -1, 0.3F, 0.7F, -0.2F, 0.9F, 0.4F, -0.6F};

static const double PI = 3.14159265358979323846;

/* One of q, k and v; NULL numbers for the example. *count: 0 while none has been typed. */
static bool read_numbers(const char *name, const char *text, Arena *arena, const float **numbers,
                         int *count, Err *err) {
    Grid grid;
    *numbers = NULL;
    if (strcmp(text, "example") == 0) return true;
    if (!typed_grid(name, text, DIALS_WIDTH_MAX, arena, &grid, err)) return false;
    if (grid.rows != 1)
        return err_set(err, "%s has %d rows of numbers, but is one vector; write it in one row",
                       name, grid.rows);
    for (int i = 0; i < grid.columns; i++)
        if (!isfinite(grid.values[i]))
            return err_set(err, "%s: number %d is not finite and cannot be turned", name, i);
    if (*count && grid.columns != *count)
        return err_set(err, "%s has %d number%s and the vector before it %d; type as many for each",
                       name, grid.columns, grid.columns == 1 ? "" : "s", *count);
    *count = grid.columns;
    *numbers = grid.values;
    return true;
}

static const float *repeated(Arena *arena, const float *example, int K) {
    float *numbers = ARENA_ARRAY(arena, float, K);
    for (int i = 0; i < K; i++) numbers[i] = example[i % EXAMPLE];
    return numbers;
}

static bool read_vectors(Dials *dials, Arena *arena, Err *err) {
    const DialsRule *rule = &dials->rule;
    int typed = 0;
    if (!read_numbers("q", rule->q, arena, &dials->q, &typed, err) ||
        !read_numbers("k", rule->k, arena, &dials->k, &typed, err) ||
        !read_numbers("v", rule->v, arena, &dials->v, &typed, err))
        return false;
    if (typed && typed != rule->head_dim && rule->head_dim != rule->usual_dim)
        return err_set(err,
                       "%d numbers are typed, but the head width is %d; type %d or set "
                       "head-dim to %d",
                       typed, rule->head_dim, rule->head_dim, typed);
    dials->K = typed ? typed : rule->head_dim;
    dials->R = rule->rotary_dim ? rule->rotary_dim : dials->K;
    if (!rope_check(dials->K, dials->R, rule->base, err)) return false;
    if (!dials->q) dials->q = repeated(arena, example_q, dials->K);
    if (!dials->k) dials->k = repeated(arena, example_k, dials->K);
    if (!dials->v) dials->v = repeated(arena, example_v, dials->K);
    return true;
}

/* Tables of two rows, for the query and the key. */
static Rope tables(const Dials *dials, Arena *arena) {
    int pairs = dials->R / 2, positions[] = {dials->rule.m, dials->rule.n};
    if (!dials->rule.quarter) return rope_build_at(arena, dials->frequency, pairs, positions, 2, 1);
    float *cosine = ARENA_ARRAY(arena, float, 2 * pairs);
    float *sine = ARENA_ARRAY(arena, float, 2 * pairs);
    for (int i = 0; i < 2 * pairs; i++) sine[i] = 1;
    return (Rope){.T = 2, .pairs = pairs, .cos = cosine, .sin = sine};
}

bool dials_read(DialsRule rule, Arena *arena, Dials *dials, Err *err) {
    Dials made = {.rule = rule};
    if (!read_vectors(&made, arena, err)) return false;
    double *frequency = ARENA_ARRAY(arena, double, made.R / 2);
    float *turned = ARENA_ARRAY(arena, float, 2 * made.K);
    rope_frequencies(frequency, made.R, rule.base);
    made.frequency = frequency;
    Rope rope = tables(&made, arena);
    rope_apply_row(turned, made.q, &rope, 0, rule.pairing, made.K);
    rope_apply_row(turned + made.K, made.k, &rope, 1, rule.pairing, made.K);
    made.turned[0] = turned;
    made.turned[1] = turned + made.K;
    *dials = made;
    return true;
}

DialsCouple dials_couple(const Dials *dials, int index) {
    DialsCouple it = {index, 2 * index, 2 * index + 1, index < dials->R / 2};
    if (it.turned) rope_columns(dials->rule.pairing, dials->R, index, &it.a, &it.b);
    return it;
}

DialsCouple dials_couple_of(const Dials *dials, int feature) {
    DialsCouple it = dials_couple(dials, 0);
    for (int i = 0; i < dials->K / 2 && it.a != feature && it.b != feature; i++)
        it = dials_couple(dials, i);
    return it;
}

static double pair_length(const float *x, DialsCouple it) {
    return hypot((double)x[it.a], (double)x[it.b]);
}

static double pair_angle(const float *x, DialsCouple it) {
    return atan2((double)x[it.b], (double)x[it.a]);
}

static DialHand hand(const Dials *dials, const float *x, DialsCouple it, Color color,
                     const char *name) {
    double longest = 0;
    for (int i = 0; i < dials->K / 2; i++)
        longest = fmax(longest, pair_length(x, dials_couple(dials, i)));
    double length = longest > 0 ? pair_length(x, it) / longest : 0;
    return (DialHand){pair_angle(x, it), length, color, name};
}

/* Between -pi and pi. */
static double principal(double angle) {
    return remainder(angle, 2 * PI);
}

/* From the key's hand to the query's, whole turns included. */
static double turn_between(const Dials *dials, DialsCouple it) {
    double now = pair_angle(dials->turned[0], it) - pair_angle(dials->turned[1], it);
    double before = principal(pair_angle(dials->q, it) - pair_angle(dials->k, it));
    bool moved = it.turned && !dials->rule.quarter && dials->rule.pairing != ROPE_MIXED;
    if (!moved) return principal(now);
    return before + (dials->rule.m - dials->rule.n) * dials->frequency[it.index];
}

Color dials_query_color(const Theme *theme) {
    return plot_hue(theme, 0, 2);
}

Color dials_key_color(const Theme *theme) {
    return plot_hue(theme, 1, 2);
}

static const char *dial_line(const Dials *dials, DialsCouple it, Arena *arena) {
    if (!it.turned) return "not rotated";
    if (dials->rule.quarter) return "cos 0, sin 1";
    double frequency = dials->frequency[it.index];
    return arena_printf(arena, "θ = %.3f  %.3f rad", frequency,
                        (dials->rule.m - dials->rule.n) * frequency);
}

/* Without θ, where there is little room. */
static const char *dial_brief(const Dials *dials, DialsCouple it, Arena *arena) {
    if (!it.turned || dials->rule.quarter) return NULL;
    return arena_printf(arena, "%.3f rad",
                        (dials->rule.m - dials->rule.n) * dials->frequency[it.index]);
}

Dial dials_dial(const Dials *dials, DialsCouple it, const Theme *theme, Arena *arena) {
    const char *title = it.turned ? arena_printf(arena, "pair %d", it.index)
                                  : arena_printf(arena, "features %d, %d", it.a, it.b);
    return (Dial){.title = title,
                  .line = dial_line(dials, it, arena),
                  .brief = dial_brief(dials, it, arena),
                  .hands = {hand(dials, dials->turned[0], it, dials_query_color(theme), "q"),
                            hand(dials, dials->turned[1], it, dials_key_color(theme), "k")},
                  .hand_count = 2,
                  .shade = it.turned,
                  .turn = turn_between(dials, it),
                  .faint = !it.turned};
}

bool dials_nearer_key(const Dials *dials, DialsCouple it, double angle) {
    double query = fabs(principal(angle - pair_angle(dials->turned[0], it)));
    return fabs(principal(angle - pair_angle(dials->turned[1], it))) < query;
}

double dials_product(const Dials *dials, RopePairing pairing, int shift) {
    double sum = 0;
    if (!dials->rule.quarter)
        return rope_dot(dials->q, dials->k, dials->K, dials->frequency, dials->R / 2, pairing,
                        dials->rule.m + shift, dials->rule.n + shift);
    for (int i = 0; i < dials->K; i++)
        sum += (double)dials->turned[0][i] * (double)dials->turned[1][i];
    return sum;
}

double dials_length(const Dials *dials, bool key, bool turned) {
    const float *x = key ? dials->k : dials->q;
    int position = key ? dials->rule.n : dials->rule.m;
    int pairs = turned && !dials->rule.quarter ? dials->R / 2 : 0;
    return sqrt(
        rope_dot(x, x, dials->K, dials->frequency, pairs, dials->rule.pairing, position, position));
}
