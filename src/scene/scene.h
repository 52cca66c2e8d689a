/* The contract of a scene: a const table of a name, a lesson, knobs, stages and a few functions. A
 * scene file in src/scenes/ completes struct SceneState for itself and exports one symbol,
 * scene_<file>; nothing else needs to know that it exists. */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "scene/knob.h"
#include "scene/stage.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct SceneState SceneState; /* completed by each scene */

/* A stage: a step of the computation that can be looked at, has a table, and can be named by
 * --stage. */
typedef struct SceneStage {
    const char *name;  /* "weights" */
    const char *label; /* on the steps line: "softmax" */
    const char *help;  /* one sentence: what this step did */
} SceneStage;

/* The rows of SceneStage and KnobChoice from one list of stages:
 *   #define STAGES(ROW) ROW("scores", "QKᵀ", "every query times every key") ROW(...)
 *   static const SceneStage stages[] = {STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
 *   static const KnobChoice stage_choices[] = {STAGES(SCENE_CHOICE_ROW){NULL, NULL}}; */
#define SCENE_STAGE_ROW(name_, label_, help_)  {name_, label_, help_},
#define SCENE_CHOICE_ROW(name_, label_, help_) {name_, label_},

/* The row of the knob `stage` for a scene whose steps line it is. field: int; start: as typed. */
#define SCENE_STAGE_KNOB(State, field, choices_, start_, help_)                                    \
    {                                                                                              \
        .name = "stage", .label = "stage", .kind = KNOB_CHOICE, .at = offsetof(State, field),      \
        .choices = choices_, .start = start_, .key = 'S', .hidden = true, .help = help_            \
    }

/* A cell of a stage's table; row -1: no cell. */
typedef struct Cell {
    int row, column;
} Cell;

enum { SCENE_STEPS_MAX = 32 };
enum { PROBE_LINES_MAX = 24, PROBE_BARS_MAX = 8 };

/* A line that judges says so in words, and in the theme's colour for what holds or is wrong. */
typedef enum ProbeLight { PROBE_PLAIN, PROBE_HOLDS, PROBE_BROKEN } ProbeLight;

/* What is under the pointer, as data and as lines for the inspector. */
typedef struct Probe {
    const char *stage;
    Cell cell;
    float value;
    CellState state;
    const char *title; /* "warm → film" */
    struct ProbeLine {
        const char *name, *value;
        bool hot; /* the result: in the accent */
        ProbeLight light;
        bool rule; /* a hairline above */
    } lines[PROBE_LINES_MAX];
    int line_count;
    const char *bars_title; /* "strongest keys of warm" */
    struct ProbeBar {
        const char *name;
        float value;
    } bars[PROBE_BARS_MAX];
    int bar_count;
    struct ProbeLine foot[4]; /* row sum, entropy */
    int foot_count;
    const char *sentence; /* dim paragraph at the end, or NULL */
} Probe;

typedef struct Scene {
    const char *name;   /* as typed: "raw" */
    const char *title;  /* "Raw self-attention" */
    const char *menu;   /* in the list on the left: "Raw attention" */
    const char *group;  /* "attention", "position", "blocks" */
    const char *lesson; /* one sentence */
    int order;          /* place in the list */
    bool hidden;        /* not in menu and lists, but found by its name and tested: the template */

    size_t state_size;
    const Knob *knobs;        /* ends with a row whose name is NULL */
    const SceneStage *stages; /* ends with a row whose name is NULL */
    const char *main_stage;   /* what `heed numbers` gives without --stage */
    const char *steps;        /* the choice knob on the steps line: "stage" */
    /* The choices of the steps line in the order in which the data walks, by their places in its
     * knob, -1 behind the last. What the numbers have no place for is left out, but never the one
     * that stands. NULL: all of them, as the knob has them. */
    const int *(*walk)(const SceneState *state);
    const char *left_right; /* a number that Left and Right turn instead of the steps line; NULL */
    const char *up_down;    /* a number that Up and Down turn instead of the query row; NULL */
    const char *enter;      /* the knob that Enter turns on, as from a grid to one map; NULL */
    const char *play;       /* in the status line, what Space begins: "measure"; NULL: "play" */
    const char *pause;      /* and what it ends: "stop measuring"; NULL: "pause" */
    size_t view;            /* offsetof the View in SceneState */
    bool carries; /* all its files come by scene/number_files.h: a picture can bring them along */

    /* All but compute, draw and table may be NULL. stage outlives the state. */
    bool (*open)(SceneState *state, Stage *stage, Err *err);
    /* Time enters here alone. A scene that measures does a slice of a few milliseconds a tick and
     * times it by stage->clock; where that is NULL, nothing is measured and nothing measured is
     * shown, so that pictures and numbers hold what is computed and two of them agree. */
    bool (*tick)(SceneState *state, double dt);
    /* Whether what tick has just moved has come to its end: playing ends with it, and the next tick
     * begins anew. NULL: it has no end. */
    bool (*finished)(const SceneState *state);
    /* The numbers, into arena, which lives until the next compute has succeeded: what the last one
     * made can be read, and rows that stay the same copied, while the next is made. Called after
     * every change of a knob that is not a view knob. On false the state keeps what it showed; the
     * caller puts the old knobs back. */
    bool (*compute)(SceneState *state, Arena *arena, Err *err);
    /* The figure: title, matrix, labels, bar, legend, line of notes, all inside rect. */
    void (*draw)(const SceneState *state, Canvas *canvas, Rect rect);
    /* What stands above the figure: the scene, the stage, the mask, and what is not as usual. */
    const char *(*caption)(const SceneState *state, Arena *arena);
    /* Natural size of the figure in pixels of the canvas. NULL: 760 x 600 at scale 1. */
    void (*natural)(const SceneState *state, Canvas *canvas, int *width, int *height);
    /* The cell of the stage shown at a point, for a figure drawn into rect. */
    bool (*locate)(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell);
    /* In a figure of several maps locate gives cells of all of them side by side: the table of the
     * map that such a cell is in, and the cell becomes one of that table. NULL: there is one map.
     */
    const Table *(*part)(const SceneState *state, Cell *cell);
    /* The command line by which a click on such a cell chooses its map, "set head 2"; NULL when it
     * is chosen already. */
    const char *(*choose)(const SceneState *state, Cell cell, Arena *arena);
    /* What that cell is made of, in arena. Asked with row -1 while no cell is chosen: then false,
     * or what there is to say about the whole figure. */
    bool (*probe)(const SceneState *state, Arena *arena, Cell cell, Probe *probe);
    /* The numbers of a stage; NULL if the knobs leave it without any. */
    const Table *(*table)(const SceneState *state, const char *stage);
    /* A sentence under the figure, while no text is edited: what the last step did. NULL: the text
     * stands there. */
    const char *(*sentence)(const SceneState *state, Arena *arena);
    /* What a text knob stands for, where that is not what it holds: the line under the figure shows
     * it, and editing begins with it. NULL: what it holds. */
    const char *(*text)(const SceneState *state, const Knob *knob, Arena *arena);
    /* The command line that paints a cell of the stage shown, "set blocked \"0,2\" allowed \"\"":
     * want 1 allows, 0 blocks, -1 toggles; a cell of row -1 clears all paint. NULL when the cell is
     * none that can be painted. */
    const char *(*paint)(const SceneState *state, Cell cell, int want, Arena *arena);
    /* What the numbers say of themselves: whole sentences for the column at the side. They live as
     * long as the computed numbers. */
    const char *const *(*findings)(const SceneState *state, int *count);
    /* Short facts for the right end of the status line: "12 tokens · d = 384". */
    const char *(*facts)(const SceneState *state, Arena *arena);
    /* Lines for the PNG's note about the figure's geometry ("matrix 100 80 480 480" ...), for a
     * figure in rect. */
    const char *(*geometry)(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena);
} Scene;

/* All scenes by order (hidden ones last), made from the folder src/scenes; the array is in arena.
 */
const Scene **scene_list(Arena *arena, int *count);

/* NULL and an error that offers the nearest names. */
const Scene *scene_find(const char *name, Err *err);

/* The state with every knob at its start value, in arena; then open. */
SceneState *scene_new(const Scene *scene, Stage *stage, Arena *arena, Err *err);

View *scene_view(const Scene *scene, SceneState *state);

/* The command line that makes this state: "raw --text \"a b\" --mask causal": only knobs that
 * differ from their start. Quoted so that command_split reads it back. */
const char *scene_line(const Scene *scene, const SceneState *state, Arena *arena);

/* What a scene's table() gives when it keeps tables[] in the order of its stages; NULL for a stage
 * without numbers or without a place in the list. */
const Table *scene_table(const SceneStage *stages, const Table *const *tables, const char *stage);

/* The knob of the steps line; NULL: the scene has none. */
const Knob *scene_steps(const Scene *scene);

/* The choices on the steps line, as they are walked through; returns how many. */
int scene_walk(const Scene *scene, const SceneState *state, int walk[SCENE_STEPS_MAX]);

/* The choice behind the one that stands on the steps line (direction 1), or before it (-1); -1: it
 * is at the end, or the scene has no steps line. */
int scene_walk_next(const Scene *scene, const SceneState *state, int direction);

/* knob_step; that of the steps line goes around as it is walked through. */
bool scene_step(const Scene *scene, SceneState *state, const Knob *knob, int direction);

/* Index of a stage by name, -1 if there is none. */
int scene_stage_index(const Scene *scene, const char *name);

#endif
