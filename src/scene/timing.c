/* A slice takes bands of queries of one length: scores, softmax and the mean of the values, each as
 * core does them. Only these are timed; making the numbers that are multiplied is not. */
#include "scene/timing.h"

#include "core/attention.h"
#include "core/softmax.h"
#include "core/tensor.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double SLICE_SECONDS = 0.008;

enum { BAND_ROWS = 16 }; /* queries at once: enough for the products to run at their speed */

static int kept_place(const TimingKept *kept, int K, int n) {
    int at = 0;
    while (at < kept->count && (kept->lengths[at].K != K || kept->lengths[at].n != n)) at++;
    return at;
}

void timing_fit(Timing *timing, const TimingKept *kept, int K, const int *lengths, int count) {
    Timing made = {.K = K, .count = count};
    for (int i = 0; i < count; i++) {
        int at = kept_place(kept, K, lengths[i]);
        made.lengths[i] =
            at < kept->count ? kept->lengths[at] : (TimedLength){.K = K, .n = lengths[i]};
        if (K != timing->K || lengths[i] != timing->n) continue;
        made.n = timing->n;
        made.row = timing->row;
        made.spent = timing->spent;
    }
    *timing = made;
}

void timing_keep(const Timing *timing, TimingKept *kept) {
    for (int i = 0; i < timing->count; i++) {
        const TimedLength *length = &timing->lengths[i];
        int at = kept_place(kept, length->K, length->n);
        if (at == kept->count && length->runs == 0) continue;
        if (at == TIMING_KEPT_MAX) {
            at = kept->next;
            kept->next = (kept->next + 1) % TIMING_KEPT_MAX;
        } else if (at == kept->count) {
            kept->count++;
        }
        kept->lengths[at] = *length;
    }
}

void timing_clear(Timing *timing, TimingKept *kept) {
    for (int i = 0; i < timing->count; i++) timing->lengths[i].runs = 0;
    timing->n = timing->row = 0;
    timing->spent = 0;
    timing_keep(timing, kept);
}

int timing_next(const Timing *timing) {
    int at = 0;
    while (at < timing->count && timing->lengths[at].runs == TIMING_RUNS) at++;
    return at;
}

int timing_runs(const Timing *timing) {
    int runs = 0;
    for (int i = 0; i < timing->count; i++) runs += timing->lengths[i].runs;
    return runs;
}

const TimedLength *timing_find(const Timing *timing, int n) {
    for (int i = 0; i < timing->count; i++)
        if (timing->lengths[i].n == n && timing->lengths[i].runs > 0) return &timing->lengths[i];
    return NULL;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double timing_median(const TimedLength *length) {
    double sorted[TIMING_RUNS];
    int runs = length->runs;
    memcpy(sorted, length->seconds, sizeof sorted);
    qsort(sorted, (size_t)runs, sizeof *sorted, by_size);
    return (sorted[(runs - 1) / 2] + sorted[runs / 2]) / 2;
}

/* Numbers between -1 and 1; their values do not matter for the time. */
static float *any_numbers(Arena *arena, int rows, int K) {
    size_t count = (size_t)rows * (size_t)K;
    float *numbers = ARENA_ARRAY(arena, float, count);
    uint32_t bits = 1;
    for (size_t i = 0; i < count; i++) {
        bits = bits * 1664525 + 1013904223; /* Numerical Recipes' quick generator */
        numbers[i] = (float)(bits >> 8) / 8388608.0F - 1;
    }
    return numbers;
}

typedef struct Band {
    float *q, *k, *v; /* [BAND_ROWS,K], [n,K], [n,K] */
    float *weights;   /* [BAND_ROWS,n] */
    float *output;    /* [BAND_ROWS,K] */
} Band;

static Band make_band(Arena *arena, int n, int K) {
    return (Band){.q = any_numbers(arena, BAND_ROWS, K),
                  .k = any_numbers(arena, n, K),
                  .v = any_numbers(arena, n, K),
                  .weights = ARENA_ARRAY(arena, float, (size_t)BAND_ROWS *(size_t)n),
                  .output = ARENA_ARRAY(arena, float, (size_t)BAND_ROWS *(size_t)K)};
}

static void attend(const Band *band, int rows, int n, int K) {
    size_t cells = (size_t)rows * (size_t)n;
    float scale = attention_scale(K);
    tensor_product_nt(band->weights, band->q, band->k, rows, n, K);
    for (size_t i = 0; i < cells; i++) band->weights[i] *= scale;
    softmax_rows(band->weights, band->weights, rows, n, 1);
    tensor_product(band->output, band->weights, band->v, rows, K, n);
}

/* The run begun is over: it belongs to its length, and the next one begins. */
static void end_run(Timing *timing, TimedLength *length) {
    length->seconds[length->runs++] = timing->spent;
    timing->row = 0;
    timing->spent = 0;
}

bool timing_slice(Timing *timing, double (*clock)(void), Arena scratch) {
    int at = timing_next(timing), K = timing->K;
    if (at == timing->count) return false;
    TimedLength *length = &timing->lengths[at];
    int n = length->n;
    if (timing->n != n) {
        timing->n = n;
        timing->row = 0;
        timing->spent = 0;
    }
    Band band = make_band(&scratch, n, K);
    bool ended = false;
    double begun = clock(), now = begun;
    while (now - begun < SLICE_SECONDS && length->runs < TIMING_RUNS) {
        int rows = n - timing->row < BAND_ROWS ? n - timing->row : BAND_ROWS;
        double before = now;
        attend(&band, rows, n, K);
        now = clock();
        timing->spent += now - before;
        timing->row += rows;
        if (timing->row < n) continue;
        end_run(timing, length);
        ended = true;
    }
    return ended;
}
