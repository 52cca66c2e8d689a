/* What scenes share and what outlives them: assets, the tokenizer, embeddings; and the view, which
 * every heatmap scene has. */
#ifndef SCENE_STAGE_H
#define SCENE_STAGE_H

#include "base/arena.h"
#include "base/err.h"
#include "core/memo.h"
#include "model/bpe.h"
#include "model/dan.h"
#include "model/wordvec.h"
#include "scene/knob.h"

#include <stdbool.h>

typedef struct Stage {
    Arena *arena;             /* of the app: what is loaded stays */
    const char *assets;       /* the folder with fonts, models, bpe */
    Bpe *bpe;                 /* NULL until stage_bpe */
    DanTable embedding;       /* of heed's averaging network; rows NULL until stage_embedding */
    WordVectors vectors;      /* the last file of --embeddings */
    const char *vectors_path; /* NULL: none read */
    double (*clock)(void);    /* seconds of processor time, for what is measured; a window sets it,
                                 and it is NULL without one and while a picture or numbers are
                                 written */
    Memo scores;              /* Q K^T of the text shown last, in arena; the scenes of one text
                                 share it */
    struct NumberFile *number_files;  /* of scene/number_files.h; the last one read comes first */
    unsigned number_turn;             /* computes that have asked for some */
    struct TimingKept *timings;       /* of scene/timing.h: what was measured; NULL: nothing yet */
    struct BlockMemory *block_memory; /* of scene/blockmodel.h; NULL until a model is wanted */
} Stage;

/* Frees what has memory of its own; the rest goes with the stage's arena. */
void stage_close(Stage *stage);

/* Gives the memory of mapped files back until they are read again. */
void stage_rest(const Stage *stage);

/* Loads at the first call, then lends. */
bool stage_bpe(Stage *stage, const Bpe **bpe, Err *err);
bool stage_embedding(Stage *stage, const DanTable **embedding, Err *err);
bool stage_vectors(Stage *stage, const char *path, const WordVectors **vectors, Err *err);

/* How the numbers are looked at; no knob in here changes one. Selection comes by --select and the
 * keys. */
typedef struct View {
    int palette; /* PaletteName, without the last: choice */
    int range;   /* HeatmapRange */
    int skip_key;
    int values; /* HeatmapValues */
    int pool;   /* HeatmapPool */
    double zoom, pan_x, pan_y;
    int row, column; /* chosen cell, -1 none */
} View;

/* Choices of the view's knobs, in the order of the enums that they stand for. */
extern const KnobChoice stage_palettes[], stage_ranges[], stage_values[], stage_pools[];

/* No mask, and the causal one. */
extern const KnobChoice stage_masks[];

/* The view before any knob is set: all of it, nothing chosen. */
View stage_view(void);

/* Rows for a knob table, for a state with a field `View view`. */
#define STAGE_VIEW_KNOBS(State)                                                                    \
    {.name = "palette",                                                                            \
     .label = "palette",                                                                           \
     .kind = KNOB_CHOICE,                                                                          \
     .at = offsetof(State, view.palette),                                                          \
     .choices = stage_palettes,                                                                    \
     .start = "auto",                                                                              \
     .key = 'C',                                                                                   \
     .view = true,                                                                                 \
     .help = "colour map"},                                                                        \
        {.name = "range",                                                                          \
         .label = "colours",                                                                       \
         .kind = KNOB_CHOICE,                                                                      \
         .at = offsetof(State, view.range),                                                        \
         .choices = stage_ranges,                                                                  \
         .start = "unit",                                                                          \
         .key = 'G',                                                                               \
         .view = true,                                                                             \
         .help = "what the ends of the colour scale mean"},                                        \
        {.name = "skip-key",                                                                       \
         .label = "skip key",                                                                      \
         .kind = KNOB_INT,                                                                         \
         .at = offsetof(State, view.skip_key),                                                     \
         .min = 0,                                                                                 \
         .max = 4095,                                                                              \
         .step = 1,                                                                                \
         .start = "0",                                                                             \
         .view = true,                                                                             \
         .help = "the key that --range skip leaves out"},                                          \
        {.name = "values",                                                                         \
         .label = "values",                                                                        \
         .kind = KNOB_CHOICE,                                                                      \
         .at = offsetof(State, view.values),                                                       \
         .choices = stage_values,                                                                  \
         .start = "auto",                                                                          \
         .key = 'V',                                                                               \
         .view = true,                                                                             \
         .help = "numbers in the cells"},                                                          \
    {                                                                                              \
        .name = "pool", .label = "pooling", .kind = KNOB_CHOICE, .at = offsetof(State, view.pool), \
        .choices = stage_pools, .start = "max", .view = true,                                      \
        .help = "what a pixel shows when it stands for several cells"                              \
    }

/* The row of a temperature, double. with_: NULL, or "" to show it only where it is not 1. */
#define STAGE_TEMPERATURE_KNOB(State, field, with_)                                                \
    {                                                                                              \
        .name = "temperature", .label = "temperature", .kind = KNOB_REAL,                          \
        .at = offsetof(State, field), .min = 1e-38, .max = 1e38, .step = 1.25,                     \
        .logarithmic = true, .slider_min = 0.01, .slider_max = 100, .start = "1", .with = with_,   \
        .help = "divides the scores before softmax: low is sharp, high is flat"                    \
    }

/* The row of the knob `head`: which of as many heads as the int count_ says, once compute has left
 * it there. field: int; most_: the last head that there can be. */
#define STAGE_HEAD_KNOB(State, field, count_, most_, help_)                                        \
    {                                                                                              \
        .name = "head", .label = "head", .kind = KNOB_INT, .at = offsetof(State, field),           \
        .max = most_, .step = 1, .count_at = offsetof(State, count_), .start = "0", .key = 'H',    \
        .help = help_                                                                              \
    }

/* The row of the knob `mask`, int: 1 is causal. */
#define STAGE_CAUSAL_KNOB(State, field)                                                            \
    {                                                                                              \
        .name = "mask", .label = "mask", .kind = KNOB_CHOICE, .at = offsetof(State, field),        \
        .choices = stage_masks, .start = "none", .key = 'M',                                       \
        .help = "which keys a query may see; causal: itself and those before it"                   \
    }

/* The row of the knob `seed`, int: with_ as in Knob. */
#define STAGE_SEED_KNOB(State, field, letter, with_, help_)                                        \
    {                                                                                              \
        .name = "seed", .label = "seed", .kind = KNOB_INT, .at = offsetof(State, field),           \
        .max = 9999, .step = 1, .start = "1", .key = letter, .with = with_, .help = help_          \
    }

#endif
