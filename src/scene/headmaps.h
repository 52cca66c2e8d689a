/* The attention maps of all heads of all layers, from a model or typed, with what each says of
 * itself: entropy and mean distance. */
#ifndef SCENE_HEADMAPS_H
#define SCENE_HEADMAPS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/table.h"
#include "core/block.h"
#include "core/rollout.h"
#include "scene/grid_of_maps.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HeadMaps {
    int L, H, T;
    const float *const *weights; /* [L] of [H,T,T] */
    const uint8_t *allowed;      /* [T,T], or NULL: all */
    const BlockTrace *traces;    /* [L]; NULL for typed maps */
    TableAxis queries, keys;
} HeadMaps;

/* From a run of a model: traces[L] under one mask. */
HeadMaps headmaps_run(Arena *arena, const BlockTrace *traces, int L, const Label *labels);

/* Typed rows or "@FILE": the T rows of head 0 of layer 0, then of head 1 ..., then of layer 1; T
 * columns. Refuses what makes no whole layers of H heads, and numbers that are no weights. */
bool headmaps_typed(Arena *arena, const char *value, int H, HeadMaps *maps, Err *err);

/* What is looked at: a head of a layer, its difference to another one, or the layer's heads as one
 * map. */
typedef enum HeadReduce { REDUCE_NONE, REDUCE_MEAN, REDUCE_MAX } HeadReduce;
enum { HEADMAPS_NO_HEAD = -1 };
typedef struct HeadPick {
    int layer, head;
    int minus;  /* or HEADMAPS_NO_HEAD */
    int reduce; /* HeadReduce */
} HeadPick;

/* Refuses layers and heads that are not there, and minus together with reduce. */
bool headmaps_check(const HeadMaps *maps, const HeadPick *pick, Err *err);

/* Whether it is the map of one head, as it is. */
bool headmaps_single(const HeadPick *pick);

/* "weights of head 2", "mean of 4 heads", "head 1 minus head 3". */
const char *headmaps_title(Arena *arena, const HeadMaps *maps, const HeadPick *pick);

/* [T,T] with its title. */
Table headmaps_picked(Arena *arena, const HeadMaps *maps, const HeadPick *pick);

/* [T,T] of a head. */
const float *headmaps_of(const HeadMaps *maps, int layer, int head);

/* A table over map[T,T], its blocked cells marked. */
Table headmaps_table(Arena *arena, const HeadMaps *maps, const float *map);

/* "head 2", or "layer 1, head 2". */
const char *headmaps_name(Arena *arena, int layer, int head, bool with_layer);

/* count maps for a grid, from head 0 of layer first on, each with its title, and with its entropy
 * and distance, means over its rows. More than one layer: the titles name it. */
GridMap *headmaps_grid(Arena *arena, const HeadMaps *maps, int first, int count);

/* What a map says of itself in a sentence; the mean of a layer's heads beside those heads. */
const char *headmaps_note(Arena *arena, const HeadMaps *maps, const float *map);
const char *headmaps_mean_note(Arena *arena, const HeadMaps *maps, int layer, const float *mean);

/* [rows,T]: entropy, or mean distance, of every query's row in list[rows] of maps[T,T]. */
Table headmaps_rows(Arena *arena, const HeadMaps *maps, bool distance, TableAxis rows,
                    const float *const *list);

/* [H,H] of a layer, with the mean over different heads as a note. */
typedef enum HeadMeasure { MEASURE_COSINE, MEASURE_JS, MEASURE_TOP } HeadMeasure;
Table headmaps_agreement(Arena *arena, const HeadMaps *maps, int layer, HeadMeasure measure);

/* [T,T]: what each position is made of behind all layers, see core/rollout.h. */
Table headmaps_rollout(Arena *arena, const HeadMaps *maps, HeadFuse fuse, double alpha);

#endif
