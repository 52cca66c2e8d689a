/* The mask laboratory: what every scene needs that puts a mask over scores. It holds the rows for
 * the knobs, builds the mask with what was painted over it, computes every stage with its notes,
 * draws the figure (one map, or two to compare), explains a cell and turns painting into a command
 * line. A scene brings scores, or finished weights, and labels. */
#ifndef SCENE_MASKLAB_H
#define SCENE_MASKLAB_H

#include "base/arena.h"
#include "base/err.h"
#include "base/table.h"
#include "core/attention.h"
#include "core/health.h"
#include "core/mask.h"
#include "draw/canvas.h"
#include "scene/knob.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>
#include <stdint.h>

#define MASKLAB_STAGES(ROW)                                                                        \
    ROW("scores", "scores", "How well each query and key fit, before anything is done to them.")   \
    ROW("scaled", "scaled", "The scores divided by √d, so that softmax stays soft.")               \
    ROW("masked", "masked", "Keys that a query may not see get the fill instead of a score.")      \
    ROW("softmax", "softmax", "What softmax makes of the masked scores, and nothing else.")        \
    ROW("weights", "weights", "The mask once more: a blocked key has exactly 0.")                  \
    ROW("output", "output", "Each query gets the mean of all values, weighted by its row.")        \
    ROW("compare", "compare", "The same weights without and with the mask, on one scale.")         \
    ROW("difference", "difference", "What the mask has changed: with the mask minus without.")

typedef enum MaskStage {
    MASKLAB_SCORES,
    MASKLAB_SCALED,
    MASKLAB_MASKED,
    MASKLAB_SOFTMAX,
    MASKLAB_WEIGHTS,
    MASKLAB_OUTPUT,
    MASKLAB_COMPARE,
    MASKLAB_DIFFERENCE,
    MASKLAB_STAGE_COUNT
} MaskStage;

/* In the order of the knob's choices. */
typedef enum MaskKind {
    MASKLAB_NONE,
    MASKLAB_CAUSAL,
    MASKLAB_PADDING,
    MASKLAB_CAUSAL_PADDING,
    MASKLAB_WINDOW,
    MASKLAB_PREFIX,
    MASKLAB_DOCUMENTS
} MaskKind;

extern const SceneStage masklab_stages[]; /* ends with a name of NULL */
extern const KnobChoice masklab_stage_choices[], masklab_kinds[], masklab_aligns[],
    masklab_pad_sides[], masklab_fills[];

enum { MASKLAB_PAINT_MAX = 16384, MASKLAB_KEYS_MAX = 4096, MASKLAB_NOTES_MAX = 12 };

/* What the knobs hold: a field `MaskLab lab` of the scene's state. */
typedef struct MaskLab {
    int stage, kind, align, pad_side, fill; /* choices */
    int window, window_right, prefix, pad;
    int upto; /* rows shown, 0: all */
    bool counts_self;
    double temperature;
    char blocked[MASKLAB_PAINT_MAX], allowed[MASKLAB_PAINT_MAX]; /* "0,2;1,3": query,key */
} MaskLab;

/* What a scene brings. */
typedef struct MaskInput {
    TableAxis queries, keys; /* T and S are their counts */
    const float *scores;     /* [T,S]; NULL with finished weights */
    float factor;            /* what they are multiplied by before the mask; 1: taken as they are */
    const float *bias;       /* [T,S] added to the scaled scores, or NULL */
    const uint8_t *padding;  /* [S]: 1 where the key is padding; NULL: the first or last pad keys,
                                with a mask that knows padding */
    const uint8_t *keep;     /* [T,S]: a mask of the scene's own, laid over the lab's; or NULL */
    const char *keep_name;   /* for captions: "mask of the file" */
    const float *weights;    /* [T,S]: finished ones, shown as they are; or NULL */
    const uint8_t *missing;  /* [T,S]: 1 where they have no number; NULL: they have all */
    const float *values;     /* [S,features.count] or NULL: no output */
    TableAxis features;
    const int *documents; /* lengths [document_count] that sum to S; NULL: two halves */
    int document_count;
    const char *scale; /* for the facts: "1/√384"; NULL: none */
    const char *notes[MASKLAB_NOTES_MAX];
    int note_count; /* whole sentences of the scene's own, behind the lab's */
} MaskInput;

/* Painted cells that show a key after the query, and how much weight they have. */
typedef struct MaskLeak {
    int cells, row, column; /* the first one */
    double weight;
} MaskLeak;

/* What is known of a row of weights. */
typedef struct MaskRow {
    HealthRow health;
    TableSummary summary; /* of its cells, seen alone */
    double slipped;       /* weight that softmax left to blocked keys */
    bool open;            /* a key is allowed whose score is not minus infinity */
} MaskRow;

typedef struct MaskResult {
    int T, S;
    TableAxis queries, keys;
    const uint8_t *allowed; /* [T,S]: mask and paint */
    const uint8_t *mask;    /* [T,S]: before painting */
    const uint8_t *paint;   /* [T,S]: 0 not painted, 1 blocked, 2 allowed */
    const Cell *painted;    /* those that are, each once */
    int painted_count;
    const uint8_t *padding; /* [S]: 1 where the key is padding */
    AttentionRule rule;     /* of one row: scale as the scores are multiplied; no mask, no bias */
    const float *scores;    /* [T,S] as they came; NULL with finished weights */
    const float *bias;      /* [T,S] as it came, or NULL */
    const float *weights;   /* [T,S] */
    const float *plain;     /* [T,S]: weights without any mask; NULL where not compared */
    const MaskRow *rows;    /* [T] */
    MaskLeak leak;
    int documents;         /* how many */
    const Table *sides[2]; /* without and with the mask, to compare; NULL otherwise */
    const uint8_t *opened; /* [T,S]: what the last row shown opened, with upto; else NULL */
    bool finished;
    const uint8_t *given; /* [T,S]: 1 where finished weights have a number; NULL: everywhere */
    const char *scale;
    const char *keep_name;
    Table *tables[MASKLAB_STAGE_COUNT]; /* NULL: no numbers */
    const char *const *findings;        /* of the weights, in plain words */
    int finding_count;
    int own_notes; /* notes of the stage shown before the findings that bring no bad news */
} MaskResult;

/* Everything for the stage shown, all in arena. *result may hold what the last compute made: rows
 * whose scores and mask are the same as then are copied. Errors: more padding than keys, a prefix
 * longer than the keys, documents that do not sum to the keys, painted cells that are no cells or
 * stand in both lists, a stage that finished weights do not have. */
bool masklab_compute(const MaskLab *lab, const MaskInput *input, Arena *arena, MaskResult *result,
                     Err *err);

/* What is drawn: from the scene's `static MaskFigure lab(const SceneState *state)`. */
typedef struct MaskFigure {
    const char *title; /* begins the caption: "Masks" */
    const MaskLab *lab;
    const MaskResult *result;
    const View *view;
} MaskFigure;

void masklab_draw(const MaskFigure *figure, Canvas *canvas, Rect rect);
void masklab_natural(const MaskFigure *figure, Canvas *canvas, int *width, int *height);
bool masklab_locate(const MaskFigure *figure, Canvas *canvas, Rect rect, int x, int y, Cell *cell);
const char *masklab_geometry(const MaskFigure *figure, Canvas *canvas, Rect rect, Arena *arena);
const char *masklab_caption(const MaskFigure *figure, Arena *arena);

/* Title and lines of a cell of the stage shown; false outside. */
bool masklab_probe(const MaskFigure *figure, Arena *arena, Cell cell, Probe *probe);

/* What the last step changed. */
const char *masklab_sentence(const MaskFigure *figure, Arena *arena);

/* The command line that paints a cell of the stage shown, as Scene.paint. */
const char *masklab_paint(const MaskFigure *figure, Cell cell, int want, Arena *arena);

/* The steps that there are: with finished weights these alone. As Scene.walk; NULL: all. */
const int *masklab_walk(const MaskResult *result);

/* The functions of a scene that shows the laboratory, and their rows; like FIGURE_FUNCTIONS. */
#define MASKLAB_FUNCTIONS                                                                          \
    static void draw(const SceneState *state, Canvas *canvas, Rect rect) {                         \
        MaskFigure shown = lab(state);                                                             \
        masklab_draw(&shown, canvas, rect);                                                        \
    }                                                                                              \
    static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {        \
        MaskFigure shown = lab(state);                                                             \
        masklab_natural(&shown, canvas, width, height);                                            \
    }                                                                                              \
    static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y,           \
                       Cell *cell) {                                                               \
        MaskFigure shown = lab(state);                                                             \
        return masklab_locate(&shown, canvas, rect, x, y, cell);                                   \
    }                                                                                              \
    static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect,                \
                                Arena *arena) {                                                    \
        MaskFigure shown = lab(state);                                                             \
        return masklab_geometry(&shown, canvas, rect, arena);                                      \
    }                                                                                              \
    static const char *caption(const SceneState *state, Arena *arena) {                            \
        MaskFigure shown = lab(state);                                                             \
        return masklab_caption(&shown, arena);                                                     \
    }                                                                                              \
    static const char *sentence(const SceneState *state, Arena *arena) {                           \
        MaskFigure shown = lab(state);                                                             \
        return masklab_sentence(&shown, arena);                                                    \
    }                                                                                              \
    static const char *paint(const SceneState *state, Cell cell, int want, Arena *arena) {         \
        MaskFigure shown = lab(state);                                                             \
        return masklab_paint(&shown, cell, want, arena);                                           \
    }                                                                                              \
    static const char *const *findings(const SceneState *state, int *count) {                      \
        *count = lab(state).result->finding_count;                                                 \
        return lab(state).result->findings;                                                        \
    }                                                                                              \
    static const Table *table(const SceneState *state, const char *stage) {                        \
        int at = -1;                                                                               \
        for (int i = 0; i < MASKLAB_STAGE_COUNT; i++)                                              \
            if (strcmp(masklab_stages[i].name, stage) == 0) at = i;                                \
        return at < 0 ? NULL : lab(state).result->tables[at];                                      \
    }

#define MASKLAB_ROWS                                                                               \
    .draw = draw, .natural = natural, .locate = locate, .geometry = geometry, .caption = caption,  \
    .sentence = sentence, .paint = paint, .findings = findings, .table = table

/* Rows for a knob table, for a state with a field `MaskLab lab`. stage_hidden: whether the stage
 * stands on the steps line, and so not in the panel; mask_start: the mask to begin with; pad_help:
 * what padding is in this scene. */
#define MASKLAB_KNOBS(State, stage_hidden, mask_start, pad_help)                                   \
    {.name = "stage",                                                                              \
     .label = "stage",                                                                             \
     .kind = KNOB_CHOICE,                                                                          \
     .at = offsetof(State, lab.stage),                                                             \
     .choices = masklab_stage_choices,                                                             \
     .start = "weights",                                                                           \
     .key = 'S',                                                                                   \
     .hidden = stage_hidden,                                                                       \
     .help = "the step whose numbers are shown"},                                                  \
        MASKLAB_CHOICE(State, kind, "mask", "mask", masklab_kinds, mask_start, 'M', NULL,          \
                       "which keys a query may see"),                                              \
        MASKLAB_CHOICE(State, fill, "fill", "fill", masklab_fills, "-inf", 'F', NULL,              \
                       "what stands where a key is blocked, before softmax"),                      \
        MASKLAB_CHOICE(State, align, "align", "align", masklab_aligns, "top-left", 'A', "",        \
                       "where the diagonal stands when queries and keys are not as many"),         \
        MASKLAB_COUNT(State, window, "window", "window", 1, "3", 'W', "window",                    \
                      "keys of the window before the query, itself counted or not"),               \
        {.name = "window-counts-self",                                                             \
         .label = "counts self",                                                                   \
         .kind = KNOB_SWITCH,                                                                      \
         .at = offsetof(State, lab.counts_self),                                                   \
         .start = "on",                                                                            \
         .with = "window",                                                                         \
         .help = "whether the query itself is one of the window's keys"},                          \
        MASKLAB_COUNT(State, window_right, "window-right", "to the right", 0, "0", 0, "window",    \
                      "keys of the window after the query; 0: causal"),                            \
        MASKLAB_COUNT(State, prefix, "prefix", "prefix", 0, "3", 0, "prefix",                      \
                      "first keys that every query sees; the rest is causal"),                     \
        MASKLAB_COUNT(State, pad, "pad", "padding", 0, "2", 0, "padding causal+padding",           \
                      pad_help),                                                                   \
        MASKLAB_CHOICE(State, pad_side, "pad-side", "padded on", masklab_pad_sides, "right", 0,    \
                       "padding causal+padding", "the side of the words that padding stands on"),  \
        MASKLAB_COUNT(State, upto, "upto", "queries to", 0, "0", 'N', NULL,                        \
                      "only the first queries, the last one's newly seen keys marked; 0: all"),    \
        STAGE_TEMPERATURE_KNOB(State, lab.temperature, ""),                                        \
        MASKLAB_PAINT(State, blocked,                                                              \
                      "cells painted as blocked, query,key counted from 0: "                       \
                      "0,2;1,3"),                                                                  \
        MASKLAB_PAINT(State, allowed, "cells painted as allowed, in the same way")

/* What the rows of MASKLAB_KNOBS have in common. */
#define MASKLAB_CHOICE(State, field, name_, label_, choices_, start_, letter, with_, help_)        \
    {                                                                                              \
        .name = name_, .label = label_, .kind = KNOB_CHOICE, .at = offsetof(State, lab.field),     \
        .choices = choices_, .start = start_, .key = letter, .with = with_, .help = help_          \
    }

#define MASKLAB_COUNT(State, field, name_, label_, from, start_, letter, with_, help_)             \
    {                                                                                              \
        .name = name_, .label = label_, .kind = KNOB_INT, .at = offsetof(State, lab.field),        \
        .min = from, .max = MASKLAB_KEYS_MAX, .step = 1, .slider_min = from, .slider_max = 32,     \
        .start = start_, .key = letter, .with = with_, .help = help_                               \
    }

#define MASKLAB_PAINT(State, field, help_)                                                         \
    {                                                                                              \
        .name = #field, .label = #field, .kind = KNOB_TEXT, .at = offsetof(State, lab.field),      \
        .size = MASKLAB_PAINT_MAX, .start = "", .hidden = true, .help = help_                      \
    }

#endif
