/* The laboratory's weights, row by row. A row depends on its scores, its bias, its part of the mask
 * and the rule; where all of them are as they were, painting one cell among a quarter of a million
 * must not cost all the others again: the row is copied. */
#include "core/softmax.h"
#include "scene/masklab_parts.h"

#include <math.h>
#include <string.h>

static size_t start_of(const MaskResult *result, int row) {
    return (size_t)row * (size_t)result->S;
}

AttentionTrace masklab_row(const MaskResult *result, int row, const uint8_t *allowed,
                           Arena *arena) {
    size_t at = start_of(result, row);
    float *scaled = ARENA_ARRAY(arena, float, result->S);
    for (int j = 0; j < result->S; j++)
        scaled[j] = result->scores[at + (size_t)j] * result->rule.scale;
    AttentionRule rule = result->rule;
    rule.allowed = allowed;
    rule.bias = result->bias ? result->bias + at : NULL;
    return attention_from_scores(arena, 1, result->S, rule, scaled);
}

const uint8_t *masklab_open(const AttentionTrace *row, const uint8_t *allowed, int S,
                            Arena *arena) {
    uint8_t *open = ARENA_ARRAY(arena, uint8_t, S);
    for (int j = 0; j < S; j++) open[j] = allowed[j] && row->masked[j] != -INFINITY;
    return open;
}

static bool same_bytes(const void *a, const void *b, size_t size) {
    return a == b || (a && b && memcmp(a, b, size) == 0);
}

static const float *row_of(const float *matrix, size_t at) {
    return matrix ? matrix + at : NULL;
}

static bool same_rule(const MaskResult *a, const MaskResult *b) {
    return a->T == b->T && a->S == b->S && a->scores && b->scores &&
           a->rule.scale == b->rule.scale && a->rule.fill == b->rule.fill &&
           a->rule.temperature == b->rule.temperature;
}

static bool same_scores(const MaskResult *a, const MaskResult *b, size_t at) {
    size_t size = (size_t)a->S * sizeof *a->scores;
    return same_bytes(a->scores + at, b->scores + at, size) &&
           same_bytes(row_of(a->bias, at), row_of(b->bias, at), size);
}

static MaskRow facts_of(const uint8_t *allowed, const AttentionTrace *trace, int S, Arena scratch) {
    MaskRow row = {.health =
                       health_row(trace->weights, masklab_open(trace, allowed, S, &scratch), S)};
    uint8_t *states = ARENA_ARRAY(&scratch, uint8_t, S);
    row.open = row.health.allowed > 0;
    for (int j = 0; j < S; j++) {
        row.slipped += allowed[j] ? 0 : (double)trace->softmax[j];
        states[j] = allowed[j] ? CELL_OK : CELL_BLOCKED;
    }
    row.summary = table_row_summary(trace->weights, states, S);
    return row;
}

void masklab_attend(MaskResult *result, const MaskResult *last, bool plain, Arena *arena) {
    size_t S = (size_t)result->S, cells = (size_t)result->T * S;
    float *weights = ARENA_ARRAY(arena, float, cells);
    float *without = plain ? ARENA_ARRAY(arena, float, cells) : NULL;
    MaskRow *rows = ARENA_ARRAY(arena, MaskRow, result->T);
    bool comparable = same_rule(result, last);
    for (int i = 0; i < result->T; i++) {
        Arena scratch = *arena;
        size_t at = start_of(result, i);
        const uint8_t *allowed = result->allowed + at;
        bool same = comparable && same_scores(result, last, at);
        if (same && memcmp(allowed, last->allowed + at, S) == 0) {
            memcpy(weights + at, last->weights + at, S * sizeof *weights);
            rows[i] = last->rows[i];
        } else {
            AttentionTrace trace = masklab_row(result, i, allowed, &scratch);
            memcpy(weights + at, trace.weights, S * sizeof *weights);
            rows[i] = facts_of(allowed, &trace, result->S, scratch);
        }
        if (!plain) continue;
        const float *row =
            same && last->plain ? last->plain + at : masklab_row(result, i, NULL, &scratch).weights;
        memcpy(without + at, row, S * sizeof *without);
    }
    result->weights = weights;
    result->plain = without;
    result->rows = rows;
}

void masklab_read_rows(MaskResult *result, const uint8_t *counted, Arena *arena) {
    MaskRow *rows = ARENA_ARRAY(arena, MaskRow, result->T);
    for (int i = 0; i < result->T; i++) {
        size_t at = start_of(result, i);
        rows[i].health = health_row(result->weights + at, counted ? counted + at : NULL, result->S);
        for (int j = 0; result->given && j < result->S; j++)
            rows[i].health.missing += !result->given[at + (size_t)j];
    }
    result->rows = rows;
}
