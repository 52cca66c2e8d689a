/* What nobody has trained is drawn from a seed, and the scene says so. */
#include "scene/encoding.h"

#include "base/rng.h"
#include "core/attention.h"
#include "core/mask.h"
#include "core/rope.h"
#include "scene/typed.h"

#include <math.h>
#include <string.h>

enum { TABLE_LIMIT = 4096 }; /* rows and columns of a learned table */

const KnobChoice encoding_choices[] = {
    {"none", "none"},        {"sinusoidal", "sinusoidal"},
    {"learned", "learned"},  {"rope", "RoPE"},
    {"alibi", "ALiBi"},      {"t5", "T5"},
    {"relative", "clipped"}, {NULL, NULL},
};

const KnobChoice encoding_others[] = {
    {"off", "off"},         {"none", "none"},        {"sinusoidal", "sinusoidal"},
    {"learned", "learned"}, {"rope", "RoPE"},        {"alibi", "ALiBi"},
    {"t5", "T5"},           {"relative", "clipped"}, {NULL, NULL},
};

bool encoding_has_bias(EncodingKind kind) {
    return kind == ENCODING_ALIBI || kind == ENCODING_T5 || kind == ENCODING_RELATIVE;
}

static T5Buckets t5_of(const EncodingRule *rule) {
    return (T5Buckets){!rule->causal, rule->buckets, rule->max_distance};
}

static bool check_heads(const EncodingRule *rule, int D, Err *err) {
    if (rule->heads > D)
        return err_set(err, "%d heads are more than the %d features of a vector; take at most %d",
                       rule->heads, D, D);
    if (D % rule->heads)
        return err_set(err,
                       "%d heads do not divide the %d features of a vector; take a number of "
                       "heads that does",
                       rule->heads, D);
    return true;
}

static bool check_learned(const EncodingRule *rule, int T, int D, bool attends, Err *err) {
    const float *rows;
    if (!rule->learned.rows || !attends) return true;
    if (rule->learned.D > D)
        return err_set(err, "the learned table has %d columns, but a vector has only %d features",
                       rule->learned.D, D);
    return learned_rows(rule->learned, 0, T, &rows, err);
}

bool encoding_read_table(const char *text, Arena *arena, LearnedTable *table, Err *err) {
    Grid grid;
    if (!*text) return true;
    if (!typed_grid("table", text, TABLE_LIMIT, arena, &grid, err)) return false;
    for (int i = 0; i < grid.rows * grid.columns; i++)
        if (!isfinite(grid.values[i]))
            return err_set(err, "table: number %d of row %d is not finite", i % grid.columns,
                           i / grid.columns);
    *table = (LearnedTable){grid.values, grid.rows, grid.columns};
    return true;
}

bool encoding_check(const EncodingRule *rule, int T, int D, bool attends, Err *err) {
    bool split = attends || rule->kind == ENCODING_ROPE;
    if (rule->head >= rule->heads)
        return err_set(err, "there is no head %d: %d head%s counted from 0", rule->head,
                       rule->heads, rule->heads == 1 ? " is" : "s are");
    if (split && !check_heads(rule, D, err)) return false;
    if (rule->kind == ENCODING_SINUSOIDAL)
        return sinusoidal_check((Sinusoidal){D, rule->base, POSITION_INTERLEAVED}, false, err);
    if (rule->kind == ENCODING_LEARNED) return check_learned(rule, T, D, attends, err);
    if (rule->kind == ENCODING_ROPE)
        return rope_check(D / rule->heads, D / rule->heads, rule->base, err);
    return rule->kind != ENCODING_T5 || t5_check(t5_of(rule), err);
}

int encoding_bucket(const EncodingRule *rule, int relative) {
    if (rule->kind == ENCODING_T5) return t5_bucket(t5_of(rule), relative);
    return rule->kind == ENCODING_RELATIVE ? shaw_index(relative, rule->clip) : relative;
}

/* A table of biases [count,heads] that nobody has trained: normal, of deviation 1. */
static float *seeded_biases(const EncodingRule *rule, int count, Arena *arena) {
    size_t cells = (size_t)count * (size_t)rule->heads;
    float *table = ARENA_ARRAY(arena, float, cells);
    Rng rng = rng_seed(rule->seed);
    for (size_t i = 0; i < cells; i++) table[i] = (float)rng_normal(&rng);
    return table;
}

static int bias_rows(const EncodingRule *rule) {
    return rule->kind == ENCODING_T5 ? rule->buckets : 2 * rule->clip + 1;
}

/* pe[T,D] of what is added to the embeddings; a narrow table leaves the other features alone. */
static float *added_rows(const EncodingRule *rule, int T, int D, Arena *arena) {
    float *pe = ARENA_ARRAY(arena, float, (size_t)T *(size_t)D);
    const LearnedTable *learned = &rule->learned;
    if (rule->kind == ENCODING_SINUSOIDAL)
        sinusoidal_rows(pe, (Sinusoidal){D, rule->base, POSITION_INTERLEAVED}, 0, T);
    else if (!learned->rows)
        learned_seeded(pe, T, D, rule->seed);
    for (int t = 0; learned->rows && rule->kind == ENCODING_LEARNED && t < T; t++)
        memcpy(pe + (size_t)t * (size_t)D, learned->rows + (size_t)t * (size_t)learned->D,
               (size_t)learned->D * sizeof *pe);
    return pe;
}

static TableAxis counted(Arena *arena, const char *name, int count) {
    return (TableAxis){name, count, label_numbers(arena, 0, count)};
}

static Table table_of(Arena *arena, const char *title, TableAxis rows, TableAxis columns,
                      const float *from) {
    float *values;
    uint8_t *states;
    Table table = table_new(arena, rows, columns, &values, &states);
    size_t cells = (size_t)rows.count * (size_t)columns.count;
    if (from) memcpy(values, from, cells * sizeof *values);
    table.title = title;
    table.quantity = "value";
    table.kind = TABLE_SIGNED;
    return table;
}

static Table bias_table(const EncodingRule *rule, Arena *arena) {
    TableAxis heads = counted(arena, "head", rule->heads);
    if (rule->kind == ENCODING_ALIBI) {
        float *slopes = ARENA_ARRAY(arena, float, rule->heads);
        alibi_slopes(slopes, rule->heads);
        return table_of(arena, "slope of every head", counted(arena, "slope", 1), heads, slopes);
    }
    int count = bias_rows(rule);
    const char *name = rule->kind == ENCODING_T5 ? "bucket" : "row";
    return table_of(arena, "table of biases", counted(arena, name, count), heads,
                    seeded_biases(rule, count, arena));
}

Table encoding_table(const EncodingRule *rule, int T, int D, Arena *arena) {
    const LearnedTable *learned = &rule->learned;
    TableAxis positions = counted(arena, "position", T);
    if (encoding_has_bias(rule->kind)) return bias_table(rule, arena);
    if (rule->kind == ENCODING_ROPE) {
        Rope rope = rope_build(arena, D / rule->heads, rule->base, 0, T);
        return table_of(arena, "cosine of each pair's angle", positions,
                        counted(arena, "pair", rope.pairs), rope.cos);
    }
    if (rule->kind == ENCODING_NONE)
        return table_of(arena, "nothing is added", positions, counted(arena, "dimension", 1), NULL);
    if (rule->kind == ENCODING_LEARNED && learned->rows)
        return table_of(arena, "learned table", counted(arena, "position", learned->count),
                        counted(arena, "dimension", learned->D), learned->rows);
    const char *title =
        rule->kind == ENCODING_LEARNED ? "learned table, seeded" : "sinusoidal vectors";
    return table_of(arena, title, positions, counted(arena, "dimension", D),
                    added_rows(rule, T, D, arena));
}

float *encoding_bias(const EncodingRule *rule, int T, Arena *arena) {
    RelativeMap map = {T, T, 0};
    size_t cells = (size_t)T * (size_t)T;
    float *bias = ARENA_ARRAY(arena, float, cells);
    if (rule->kind == ENCODING_ALIBI) {
        float *slopes = ARENA_ARRAY(arena, float, rule->heads);
        alibi_slopes(slopes, rule->heads);
        alibi_bias(bias, slopes[rule->head], map, rule->form);
    } else if (rule->kind == ENCODING_T5) {
        t5_bias(bias, seeded_biases(rule, bias_rows(rule), arena), rule->heads, rule->head,
                t5_of(rule), map);
    } else if (rule->kind == ENCODING_RELATIVE) {
        shaw_bias(bias, seeded_biases(rule, bias_rows(rule), arena), rule->heads, rule->head,
                  rule->clip, map);
    }
    for (size_t i = 0; i < cells && rule->strength != 1; i++) bias[i] *= (float)rule->strength;
    return bias;
}

/* The head's features of x, with what is added to them, and turned. */
static float *head_vectors(const EncodingRule *rule, const float *x, int T, int D, Arena *arena) {
    int K = D / rule->heads;
    bool adds = rule->kind == ENCODING_SINUSOIDAL || rule->kind == ENCODING_LEARNED;
    const float *pe = adds ? added_rows(rule, T, D, arena) : NULL;
    float *q = ARENA_ARRAY(arena, float, (size_t)T *(size_t)K);
    for (int t = 0; t < T; t++)
        for (int i = 0; i < K; i++) {
            size_t at = (size_t)t * (size_t)D + (size_t)(rule->head * K + i);
            q[(size_t)t * (size_t)K + (size_t)i] =
                adds ? x[at] + (float)rule->strength * pe[at] : x[at];
        }
    if (rule->kind == ENCODING_ROPE) {
        Rope rope = rope_build(arena, K, rule->base, 0, T);
        rope_apply(q, q, &rope, ROPE_ADJACENT, K);
    }
    return q;
}

EncodedHead encoding_attend(const EncodingRule *rule, const float *x, int T, int D, Arena *arena) {
    int K = D / rule->heads;
    size_t cells = (size_t)T * (size_t)T;
    EncodedHead head = {.T = T, .K = K, .q = head_vectors(rule, x, T, D, arena)};
    head.allowed = ARENA_ARRAY(arena, uint8_t, cells);
    mask_all(head.allowed, T, T);
    if (rule->causal) mask_causal(head.allowed, T, T, MASK_TOP_LEFT);
    AttentionRule plain = attention_plain(K);
    plain.allowed = head.allowed;
    if (encoding_has_bias(rule->kind)) plain.bias = encoding_bias(rule, T, arena);
    AttentionTrace trace =
        attention_trace(arena, (AttentionShape){T, T, K, K}, plain, head.q, head.q, NULL);
    float *scores = ARENA_ARRAY(arena, float, cells);
    for (size_t i = 0; i < cells; i++)
        scores[i] = plain.bias ? trace.scaled[i] + plain.bias[i] : trace.scaled[i];
    head.scores = scores;
    head.weights = trace.weights;
    return head;
}

float encoding_change(const EncodingRule *rule, const float *x, const int *place, int T, int D,
                      float *change, Arena *arena) {
    Arena scratch = *arena;
    size_t width = (size_t)D, count = (size_t)T;
    float *moved = ARENA_ARRAY(&scratch, float, count *width), largest = 0;
    for (size_t i = 0; i < count; i++)
        memcpy(moved + i * width, x + (size_t)place[i] * width, width * sizeof *x);
    EncodedHead before = encoding_attend(rule, x, T, D, &scratch);
    EncodedHead after = encoding_attend(rule, moved, T, D, &scratch);
    for (size_t i = 0; i < count; i++) {
        float most = 0;
        const float *typed = before.weights + (size_t)place[i] * count;
        for (size_t j = 0; j < count; j++)
            most = fmaxf(most, fabsf(after.weights[i * count + j] - typed[place[j]]));
        change[place[i]] = most;
        largest = fmaxf(largest, most);
    }
    return largest;
}
