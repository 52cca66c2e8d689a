/* One pass a row gathers facts, one pass over the rows turns them into sentences. */
#include "core/health.h"

#include "base/text.h"
#include "core/stats.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

enum { ROWS_NAMED = 3 };

/* How far a row may be from 1: float32 and printed digits, not mistakes. */
static const double SUM_TOLERANCE = 1e-3, ROUNDED = 0.02;

/* Weights times 1/(1-p): above twice is no dropout that people use. */
static const double DROPOUT_MOST = 2.05;

static const float STAND_IN = -1000, BLOCKED_SCORE = -9999, SLIPPED = 1e-6f;

typedef struct Facts {
    int T, S;
    const float *weights;
    const HealthRow *rows;
} Facts;

static void say(Health *health, bool wrong, const char *sentence) {
    if (health->count == HEALTH_LINES_MAX) return;
    int at = wrong ? health->wrong++ : health->count;
    for (int i = health->count; i > at; i--) health->lines[i] = health->lines[i - 1];
    health->lines[at] = sentence;
    health->count++;
}

static bool is_finite(const HealthRow *row) {
    return row->nans == 0 && row->infinities == 0;
}

/* Nothing to share out: a row of zeros. */
static bool is_empty(const HealthRow *row) {
    return is_finite(row) && (row->sum == 0 || row->allowed == 0) && !row->negative;
}

static bool is_off(const HealthRow *row) {
    return is_finite(row) && !is_empty(row) && fabs(row->sum - 1) > SUM_TOLERANCE;
}

HealthRow health_row(const float *weights, const uint8_t *allowed, int S) {
    HealthRow row = {.share = -1};
    for (int j = 0; j < S; j++) {
        bool open = !allowed || allowed[j];
        double value = (double)weights[j];
        row.nans += isnan(value) ? 1 : 0;
        row.infinities += isinf(value) ? 1 : 0; /* isinf may be -1 */
        row.zeros += open && value == 0;
        row.negative = row.negative || value < 0;
        row.allowed += open;
        row.sum += value;
        row.under += open ? 0 : value;
    }
    bool choice = is_finite(&row) && !row.negative && !is_off(&row) && row.allowed > 1;
    if (choice && !is_empty(&row)) row.share = stats_row(weights, allowed, 0, S).entropy_of_allowed;
    return row;
}

static bool columns_sum_to_one(const Facts *facts) {
    size_t T = (size_t)facts->T, S = (size_t)facts->S;
    for (size_t j = 0; j < S; j++) {
        double sum = 0;
        for (size_t i = 0; i < T; i++) sum += (double)facts->weights[i * S + j];
        if (!(fabs(sum - 1) <= SUM_TOLERANCE)) return false;
    }
    return T > 1 && S > 1;
}

/* empty[S]: 1 for a column of nothing but zeros. */
static const uint8_t *empty_columns(const Facts *facts, Arena *arena) {
    size_t T = (size_t)facts->T, S = (size_t)facts->S;
    uint8_t *empty = ARENA_ARRAY(arena, uint8_t, S);
    for (size_t j = 0; j < S; j++) empty[j] = 1;
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j < S; j++)
            if (facts->weights[i * S + j] != 0) empty[j] = 0;
    return empty;
}

/* Whether the row has zeros only at its ends or in columns of zeros, as a mask leaves them. */
static bool is_mask_like(const float *row, const uint8_t *empty, int S) {
    int first = 0, last = S - 1;
    while (first < S && row[first] == 0) first++;
    while (last >= 0 && row[last] == 0) last--;
    for (int j = first; j <= last; j++)
        if (row[j] == 0 && !empty[j]) return false;
    return true;
}

/* Only asked where rows are off, so what it costs does not matter. */
static const char *suspicion(const Facts *facts, Arena scratch) {
    bool negative = false, above = false, zeros = true, ends = true, rounded = true;
    double most = 0;
    const uint8_t *empty = empty_columns(facts, &scratch);
    for (int i = 0; i < facts->T; i++) {
        const HealthRow *row = &facts->rows[i];
        negative = negative || row->negative;
        if (!is_off(row)) continue;
        above = above || row->sum > 1;
        zeros = zeros && row->zeros > 0;
        ends = ends && is_mask_like(facts->weights + (size_t)i * (size_t)facts->S, empty, facts->S);
        rounded = rounded && fabs(row->sum - 1) <= ROUNDED;
        most = fmax(most, row->sum);
    }
    if (negative) return "these are not probabilities, some are below 0";
    if (columns_sum_to_one(facts)) return "every column does, so softmax went along the wrong axis";
    if (zeros && !above && ends) return "it looks like a mask applied after softmax";
    if (zeros && most <= DROPOUT_MOST) return "it looks like dropout left in";
    return rounded ? "perhaps rounded" : "these are not probabilities";
}

static void say_sums(Health *health, Arena *arena, const Facts *facts) {
    Text text = text_open(arena);
    int off = 0, good = 0;
    for (int i = 0; i < facts->T; i++) {
        const HealthRow *row = &facts->rows[i];
        good += is_finite(row) && !is_empty(row) && !is_off(row);
        if (!is_off(row)) continue;
        if (off < ROWS_NAMED)
            text_addf(&text, "%s %d sums to %.4g", off ? ", row" : "Row", i, row->sum);
        off++;
    }
    if (!off) {
        bool negative = false;
        for (int i = 0; i < facts->T; i++) negative = negative || facts->rows[i].negative;
        if (negative) say(health, true, "Some weights are below 0: these are not probabilities.");
        if (good == facts->T) say(health, false, "Every row sums to 1.");
        if (good && good < facts->T) say(health, false, "Every other row sums to 1.");
        return;
    }
    if (off > ROWS_NAMED) text_addf(&text, ", and %d more are not 1", off - ROWS_NAMED);
    text_addf(&text, ": %s. Nothing is renormalised.", suspicion(facts, *arena));
    say(health, true, text.bytes);
}

static void say_empty(Health *health, Arena *arena, const Facts *facts) {
    int first = -1, found = 0;
    for (int i = 0; i < facts->T; i++) {
        if (!is_empty(&facts->rows[i])) continue;
        if (found++ == 0) first = i;
    }
    if (found == 1)
        say(health, true,
            arena_printf(arena,
                         "Row %d has no key allowed: there is nothing to share out, and its "
                         "weights are 0.",
                         first));
    if (found > 1)
        say(health, true,
            arena_printf(arena,
                         "%d rows have no key allowed, the first is row %d: their weights are 0.",
                         found, first));
}

static void say_under(Health *health, Arena *arena, const Facts *facts) {
    double under = 0;
    int worst = 0, blocked = 0;
    for (int i = 0; i < facts->T; i++) {
        const HealthRow *row = &facts->rows[i];
        blocked += facts->S - row->allowed - row->missing;
        under += row->under;
        if (row->under > facts->rows[worst].under) worst = i;
    }
    if (!blocked) return;
    if (under == 0)
        say(health, false, "There is no weight under the mask.");
    else
        say(health, true,
            arena_printf(arena, "%.4g of weight lies under the mask, most of it in row %d (%.4g).",
                         under, worst, facts->rows[worst].under));
}

static void say_not_finite(Health *health, Arena *arena, const Facts *facts) {
    int nans = 0, infinities = 0;
    for (int i = 0; i < facts->T; i++) {
        nans += facts->rows[i].nans;
        infinities += facts->rows[i].infinities;
    }
    if (nans + infinities == 0)
        say(health, false, "No NaN, no infinity.");
    else
        say(health, true,
            arena_printf(arena, "%d NaN and %d infinite among %.0f numbers.", nans, infinities,
                         (double)facts->T * facts->S));
}

/* Over the rows that have a choice: two keys or more, and a sum of 1. */
static void say_entropy(Health *health, Arena *arena, const Facts *facts) {
    double sum = 0, least = 2, most = -1;
    int rows = 0, sharpest = 0, flattest = 0;
    for (int i = 0; i < facts->T; i++) {
        double share = facts->rows[i].share;
        if (share < 0) continue;
        if (share < least) sharpest = i;
        if (share > most) flattest = i;
        least = fmin(least, share);
        most = fmax(most, share);
        sum += share;
        rows++;
    }
    if (!rows) return;
    say(health, false,
        arena_printf(arena,
                     "Entropy is %.0f %% of log(keys allowed) on average, from %.0f %% (row %d) to "
                     "%.0f %% (row %d).",
                     100 * sum / rows, 100 * least, sharpest, 100 * most, flattest));
}

Health health_of_rows(Arena *arena, const HealthRow *rows, const float *weights, int T, int S) {
    Health health = {.count = 0};
    Facts facts = {T, S, weights, rows};
    say_empty(&health, arena, &facts);
    say_sums(&health, arena, &facts);
    say_under(&health, arena, &facts);
    say_not_finite(&health, arena, &facts);
    say_entropy(&health, arena, &facts);
    return health;
}

Health health_weights(Arena *arena, const float *weights, const uint8_t *allowed, int T, int S) {
    HealthRow *rows = ARENA_ARRAY(arena, HealthRow, T);
    for (int i = 0; i < T; i++) {
        size_t at = (size_t)i * (size_t)S;
        rows[i] = health_row(weights + at, allowed ? allowed + at : NULL, S);
    }
    return health_of_rows(arena, rows, weights, T, S);
}

/* The first row in which every value is limit or less and not all are -INFINITY; -1 none. */
static int blocked_row(const float *values, float limit, int T, int S, int *found, float *value) {
    int first = -1;
    for (int i = 0; i < T; i++) {
        const float *row = values + (size_t)i * (size_t)S;
        float largest = -INFINITY;
        int j = 0;
        for (; j < S && row[j] <= limit; j++) largest = row[j] > largest ? row[j] : largest;
        if (j < S || largest == -INFINITY) continue;
        if ((*found)++ > 0) continue;
        first = i;
        *value = largest;
    }
    return first;
}

static void say_blocked(Health *health, Arena *arena, int first, int found, float value) {
    if (!found) return;
    const char *more = found > 1 ? arena_printf(arena, " (and in %d more)", found - 1) : "";
    say(health, true,
        arena_printf(arena,
                     "In row %d%s all keys are blocked by a finite value (%.6g): softmax still "
                     "shares out 1. With -inf the row is undefined.",
                     first, more, (double)value));
}

void health_blocked_scores(Health *health, Arena *arena, const float *scores, int T, int S) {
    int found = 0;
    float value = 0;
    int first = blocked_row(scores, BLOCKED_SCORE, T, S, &found, &value);
    say_blocked(health, arena, first, found, value);
}

void health_stand_in(Health *health, Arena *arena, const float *mask, const float *weights, int T,
                     int S) {
    int found = 0, slips = 0, row = 0, key = 0;
    float value = 0;
    int first = blocked_row(mask, STAND_IN, T, S, &found, &value);
    say_blocked(health, arena, first, found, value);
    for (int i = 0; i < T; i++) {
        const float *added = mask + (size_t)i * (size_t)S, *got = weights + (size_t)i * (size_t)S;
        bool open = false;
        for (int j = 0; j < S; j++) open = open || added[j] > STAND_IN;
        for (int j = 0; open && j < S; j++) {
            if (!(added[j] <= STAND_IN) || added[j] == -INFINITY || !(got[j] > SLIPPED)) continue;
            if (slips++ > 0) continue;
            row = i;
            key = j;
        }
    }
    if (!slips) return;
    size_t at = (size_t)row * (size_t)S + (size_t)key;
    say(health, true,
        arena_printf(arena,
                     "The stand-in %.6g is too small: key %d of row %d, which it should block, has "
                     "weight %.4g.",
                     (double)mask[at], key, row, (double)weights[at]));
}
