/* Each step is run in scratch memory, and only what is looked at is kept of it. */
#include "scene/decoding.h"

#include "core/cost.h"
#include "core/norm.h"

#include <math.h>
#include <string.h>

static const double ROPE_BASE = 10000; /* as in blockmodel_open */
static const double EQUAL = 1e-6;

int decoding_last(int T, int prompt) {
    return prompt < T ? T - prompt : 0;
}

int decoding_length(const Decoding *decoding, int step) {
    return decoding->plan.prompt + step;
}

int decoding_step_of(const Decoding *decoding, int t) {
    return t < decoding->plan.prompt ? 0 : t - decoding->plan.prompt + 1;
}

int decoding_position_of(const Decoding *decoding, int t) {
    return decoding->plan.restart && decoding_step_of(decoding, t) > 0 ? 0 : t;
}

static double largest_difference(const float *a, const float *b, int count, double largest) {
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
    return largest;
}

/* Weights of all heads and output of the rows of a step, against those of the full run. */
static void compare(Decoding *d, const MultiHeadTrace *step) {
    size_t S = (size_t)step->S, T = (size_t)d->T, D = (size_t)step->D;
    size_t first = S - (size_t)step->T;
    for (int h = 0; h < step->H; h++)
        for (size_t i = 0; i < (size_t)step->T; i++)
            d->apart =
                largest_difference(step->heads[h].weights + i * S,
                                   d->full.heads[h].weights + (first + i) * T, step->S, d->apart);
    d->apart_output = largest_difference(step->output, d->full.output + first * D,
                                         step->T * step->D, d->apart_output);
}

static void keep(Decoding *d, const MultiHeadTrace *step) {
    size_t K = (size_t)d->K, rows = (size_t)step->T;
    d->first = step->S - step->T;
    d->length = step->S;
    memcpy(d->queries + (size_t)d->first * K, step->q_heads + (size_t)d->plan.head * rows * K,
           rows * K * sizeof(float));
    cache_map(d->map, d->given, d->T, step, d->plan.head);
    compare(d, step);
}

static bool run_steps(Arena *arena, Decoding *d, const MultiHead *net, const float *x, Err *err) {
    CacheRule rule = {.rope_base = d->plan.rope ? ROPE_BASE : 0, .restart = d->plan.restart};
    Cache cache = cache_open(arena, net, d->T);
    size_t head = (size_t)d->plan.head * (size_t)d->T * (size_t)d->K;
    d->keys = cache.k + head;
    d->values = cache.v + head;
    for (int s = 0; s <= d->plan.step; s++) {
        Arena scratch = *arena;
        MultiHeadTrace step;
        const float *rows = x + (size_t)cache.length * (size_t)net->D;
        if (!cache_step(&scratch, &cache, net, &rule, rows, s ? 1 : d->plan.prompt, &step, err))
            return false;
        keep(d, &step);
    }
    return true;
}

/* What the attention of the block reads. */
static const float *normed(Arena *arena, const BlockSetting *setting, const Block *block) {
    int T = setting->sentence.T;
    if (block->place != NORM_PRE) return setting->x;
    float *x = ARENA_ARRAY(arena, float, (size_t)T *(size_t)block->D);
    norm_forward(x, &block->norm_self, setting->x, T, block->D);
    return x;
}

bool decoding_run(Arena *arena, const BlockSetting *setting, DecodingPlan plan, Decoding *decoding,
                  Err *err) {
    const Block *block = &setting->model.blocks[0];
    const MultiHead *net = &block->self;
    int T = setting->sentence.T, K = multihead_width(net);
    size_t cells = (size_t)T * (size_t)T;
    if (plan.prompt > T) plan.prompt = T;
    Decoding made = {.plan = plan, .T = T, .K = K, .H = net->H, .labels = setting->sentence.labels};
    const float *x = normed(arena, setting, block);
    MultiHeadRule rule = setting->rule;
    rule.causal = true;
    made.full = multihead_forward(arena, net, &rule, x, T, NULL, 0);
    made.full_map = made.full.heads[plan.head].weights;
    made.queries = ARENA_ARRAY(arena, float, (size_t)T *(size_t)K);
    made.map = ARENA_ARRAY(arena, float, cells);
    made.given = ARENA_ARRAY(arena, uint8_t, cells);
    if (!run_steps(arena, &made, net, x, err)) return false;
    *decoding = made;
    return true;
}

const char *decoding_equality(const Decoding *decoding, Arena *arena) {
    bool equal = decoding->apart < EQUAL && decoding->apart_output < EQUAL;
    return arena_printf(arena,
                        "%s one full causal run: the largest difference of the weights of all "
                        "heads is %.3g, of the output %.3g.",
                        equal ? "Equal to" : "Not equal to", decoding->apart,
                        decoding->apart_output);
}

/* ---- tables ---- */

Table decoding_rows(Arena *arena, const Decoding *decoding, const char *title, const float *values,
                    int from) {
    int T = decoding->T, K = decoding->K;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, (size_t)T * (size_t)K);
    for (int t = 0; t < T; t++)
        if (t < from || t >= decoding->length)
            memset(states + (size_t)t * (size_t)K, CELL_MISSING, (size_t)K);
    Table table = {.title = title,
                   .quantity = "value",
                   .kind = TABLE_SIGNED,
                   .rows = {"token", T, decoding->labels},
                   .columns = {"feature", K, label_numbers(arena, 0, K)},
                   .values = values,
                   .states = states};
    table_seal(&table, states);
    return table;
}

/* given[T,T], or NULL: all. */
static Table map_of(Arena *arena, const Decoding *d, const char *title, const float *values,
                    const uint8_t *given) {
    size_t T = (size_t)d->T;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, T * T);
    for (size_t i = 0; i < T * T; i++) {
        if (i % T > i / T) states[i] = CELL_BLOCKED;
        if (given && !given[i]) states[i] = CELL_MISSING;
    }
    Table table = {.title = title,
                   .quantity = "weight",
                   .kind = TABLE_WEIGHTS,
                   .rows = {"query", d->T, d->labels},
                   .columns = {"key", d->T, d->labels},
                   .values = values,
                   .states = states,
                   .sums = true};
    table_seal(&table, states);
    return table;
}

Table decoding_map(Arena *arena, const Decoding *decoding) {
    const char *title = arena_printf(arena, "weights of head %d", decoding->plan.head);
    return map_of(arena, decoding, title, decoding->map, decoding->given);
}

Table decoding_full_map(Arena *arena, const Decoding *decoding) {
    return map_of(arena, decoding, "one full causal run", decoding->full_map, NULL);
}

Table decoding_difference(Arena *arena, const Decoding *decoding) {
    size_t cells = (size_t)decoding->T * (size_t)decoding->T;
    float *apart = ARENA_ARRAY(arena, float, cells);
    for (size_t i = 0; i < cells; i++)
        if (decoding->given[i]) apart[i] = decoding->map[i] - decoding->full_map[i];
    Table table = map_of(arena, decoding, "steps minus full run", apart, decoding->given);
    table.quantity = "difference";
    table.kind = TABLE_SIGNED;
    table.sums = false;
    return table;
}

/* ---- cost ---- */

DecodingCost decoding_cost(const Decoding *decoding, int step) {
    CostShape shape = {decoding->H, decoding->K};
    DecodingCost cost = {0};
    for (int s = 0; s <= step; s++) {
        int t = decoding_length(decoding, s) - 1;
        cost.again = cost_step_again(shape, t);
        cost.cached = s ? cost_step_cached(shape, t) : cost.again; /* the prompt costs the same */
        cost.again_sum += cost.again;
        cost.cached_sum += cost.cached;
    }
    return cost;
}

Table decoding_costs(Arena *arena, const Decoding *decoding) {
    static const char *const names[DECODING_COSTS] = {
        "with cache", "without cache", "with cache, so far", "without cache, so far"};
    int steps = decoding_last(decoding->T, decoding->plan.prompt) + 1;
    const Label *labels = label_list(arena, names, DECODING_COSTS);
    float *values;
    uint8_t *states;
    double *counts = ARENA_ARRAY(arena, double, steps *DECODING_COSTS);
    Table table = table_new(arena, (TableAxis){"step", steps, label_numbers(arena, 0, steps)},
                            (TableAxis){"way", DECODING_COSTS, labels}, &values, &states);
    for (int s = 0; s < steps; s++) {
        DecodingCost cost = decoding_cost(decoding, s);
        const double row[DECODING_COSTS] = {cost.cached, cost.again, cost.cached_sum,
                                            cost.again_sum};
        for (int i = 0; i < DECODING_COSTS; i++) {
            counts[s * DECODING_COSTS + i] = row[i];
            values[s * DECODING_COSTS + i] = (float)row[i];
        }
    }
    table.counts = counts;
    table.title = "multiply-adds of each step, one layer";
    table.quantity = "multiply-adds";
    table.kind = TABLE_AMOUNTS;
    table_note(&table, "Counted: the projections of q, k, v and output, 4 d² a token, and QKᵀ and "
                       "A V over whole rectangles, blocked cells too.");
    return table;
}
