/* The numbers that the course texts print. Where a parameter is a sentence, its numbers are read
 * out of it; the shapes of the small masks, and the lengths behind the padding mask, stand only in
 * the reference itself. */
#include "golden.h"

#include "core/mask.h"
#include "core/softmax.h"
#include "core/stats.h"
#include "core/tensor.h"

#include <ctype.h>
#include <stdlib.h>

/* The whole numbers of a parameter's text, in order; at most limit. */
static int text_numbers(Golden *golden, const char *name, int32_t *numbers, int limit) {
    int count = 0;
    for (const char *at = golden_word(golden, name, ""); *at && count < limit;) {
        char *end = NULL;
        if (isdigit((unsigned char)*at)) numbers[count++] = (int32_t)strtol(at, &end, 10);
        at = end ? end : at + 1;
    }
    return count;
}

enum { NUMBERS_MAX = 16 };

/* "512/8, 128/4": the width of a head. */
static void give_head_widths(Golden *golden) {
    int32_t numbers[NUMBERS_MAX], widths[NUMBERS_MAX / 2];
    int count = text_numbers(golden, "head_dims", numbers, NUMBERS_MAX) / 2;
    for (int n = 0; n < count; n++)
        widths[n] = numbers[2 * n + 1] ? numbers[2 * n] / numbers[2 * n + 1] : 0;
    golden_give_ints(golden, "head_dims", widths, 1, &count);
}

/* "n,2n,4n": how the number of scores grows. A bare n counts as 1. */
static void give_growth(Golden *golden) {
    int32_t growth[NUMBERS_MAX];
    int count = 0;
    const char *text = golden_word(golden, "n2_growth", "");
    for (const char *at = text; *at && count < NUMBERS_MAX; at++) {
        if (at != text && at[-1] != ',') continue;
        int32_t factor = isdigit((unsigned char)*at) ? (int32_t)strtol(at, NULL, 10) : 1;
        growth[count++] = factor * factor;
    }
    golden_give_ints(golden, "n2_growth", growth, 1, &count);
}

static void give_score_entries(Golden *golden) {
    int32_t entries[NUMBERS_MAX];
    int count = text_numbers(golden, "score_entries", entries, NUMBERS_MAX);
    for (int n = 0; n < count; n++) entries[n] *= entries[n];
    golden_give_ints(golden, "score_entries", entries, 1, &count);
}

/* "query 3, key 1": the relative position key - query, and its opposite. */
static void give_relative(Golden *golden) {
    int32_t at[2] = {0};
    const int two = 2;
    text_numbers(golden, "rel_key_minus_query", at, 2);
    const int32_t relative[2] = {at[1] - at[0], at[0] - at[1]};
    golden_give_ints(golden, "rel_key_minus_query", relative, 1, &two);
}

static bool give_causal(Golden *golden, const char *name) {
    GoldenArray want;
    if (!golden_wants(golden, name)) return true;
    if (!golden_reference(golden, name, &want)) return false;
    int T = golden_last(&want, 1), S = golden_last(&want, 0);
    uint8_t *allowed = ARENA_ARRAY(golden->arena, uint8_t, T * S);
    mask_all(allowed, T, S);
    mask_causal(allowed, T, S, MASK_TOP_LEFT);
    golden_give_bytes(golden, name, allowed, 2, want.shape);
    return true;
}

/* Rows of padded texts: the first keys are valid, as many as the reference's row has. */
static bool give_padding(Golden *golden) {
    GoldenArray want;
    if (!golden_wants(golden, "pad_mask")) return true;
    if (!golden_reference(golden, "pad_mask", &want)) return false;
    if (!want.bytes) return golden_break(golden, "not BOOL:", "pad_mask");
    int B = golden_last(&want, 1), S = golden_last(&want, 0);
    uint8_t *allowed = ARENA_ARRAY(golden->arena, uint8_t, B * S);
    uint8_t *valid = ARENA_ARRAY(golden->arena, uint8_t, S);
    mask_all(allowed, B, S);
    for (int b = 0; b < B; b++) {
        int length = mask_row_count(want.bytes, b, S);
        for (int j = 0; j < S; j++) valid[j] = j < length;
        mask_padding(allowed + b * S, valid, 1, S);
    }
    golden_give_bytes(golden, "pad_mask", allowed, 2, want.shape);
    return true;
}

static bool give_products(Golden *golden) {
    GoldenArray scores, q, keys, printed;
    if (!golden_input(golden, "raw_scores", 1, &scores) || !golden_input(golden, "q", 1, &q) ||
        !golden_input(golden, "keys", 2, &keys) ||
        !golden_input(golden, "printed_matrix", 2, &printed))
        return false;
    int rows = golden_last(&keys, 1), T = golden_last(&printed, 1), S = golden_last(&printed, 0);
    if (golden_last(&keys, 0) != q.count) return golden_break(golden, "sizes differ:", "q, keys");
    float *softmax = ARENA_ARRAY(golden->arena, float, scores.count);
    float *dot = ARENA_ARRAY(golden->arena, float, rows);
    float *sums = ARENA_ARRAY(golden->arena, float, T);
    softmax_rows(softmax, scores.floats, 1, scores.count, 1);
    tensor_product_nt(dot, q.floats, keys.floats, 1, rows, q.count);
    for (int i = 0; i < T; i++) sums[i] = (float)stats_row(printed.floats + i * S, NULL, i, S).sum;
    golden_give_like(golden, "softmax", softmax, &scores);
    golden_give(golden, "dot", dot, 1, &rows);
    golden_give(golden, "printed_matrix_row_sums", sums, 1, &T);
    return true;
}

static bool run_worked(Golden *golden, Err *err) {
    (void)err;
    give_head_widths(golden);
    give_growth(golden);
    give_score_entries(golden);
    give_relative(golden);
    return give_products(golden) && give_causal(golden, "tril5") && give_causal(golden, "tril4") &&
           give_padding(golden);
}

const GoldenFunction golden_worked[] = {{"worked_numbers", run_worked}, {NULL, NULL}};
