/* What attention needs as the text grows: a row for each length, counted by core/cost. */
#ifndef SCENE_GROWTH_H
#define SCENE_GROWTH_H

#include "base/arena.h"
#include "base/table.h"
#include "scene/timing.h"

enum { GROWTH_LENGTH_MAX = 65536, GROWTH_ROWS_MAX = 16, GROWTH_COLUMNS_MAX = 4 };

typedef enum GrowthKind {
    GROWTH_ENTRIES,       /* one head; all heads; all layers */
    GROWTH_MULTIPLY_ADDS, /* attention; projections; both; of all layers */
    GROWTH_BYTES,         /* weights; keys and values; of all layers */
    GROWTH_TIME,          /* of one head: multiply-adds; n² over that of the shortest; measured */
    GROWTH_PATH,          /* recurrent; convolution; attention */
    GROWTH_COUNT
} GrowthKind;

/* The columns of GROWTH_TIME; the last two are measured. */
enum { TIME_COUNTED, TIME_SQUARE, TIME_MEASURED, TIME_GROWN };

typedef struct Growth {
    int heads, head_dim, layers;
    int bytes;  /* of a number */
    int kernel; /* of the convolution */
    int rows;
    int lengths[GROWTH_ROWS_MAX]; /* rising */
    int row;                      /* of the length that is asked for */
} Growth;

/* Lengths doubling from 128 on, up to 4096 or to n, which stands among them. */
void growth_lengths(Growth *growth, int n);

/* What is counted at n, exactly as far as 2^53; measured columns are 0. */
void growth_count(const Growth *growth, GrowthKind kind, double n, double row[GROWTH_COLUMNS_MAX]);

/* [rows, columns]; what timing holds fills the measured columns, NULL: they are missing. */
Table growth_table(Arena *arena, const Growth *growth, GrowthKind kind, const Timing *timing);

#endif
