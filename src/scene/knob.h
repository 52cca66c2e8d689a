/* A knob is a row of a table: name, kind, place in the state, limits, start, key, help. From that
 * one row come the control in the panel, the keys,
 * `--name value`, `set name value`, the lesson file, the PNG's note, `heed scenes`, the manual and
 * the tests. */
#ifndef SCENE_KNOB_H
#define SCENE_KNOB_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct SceneState SceneState;

typedef enum KnobKind {
    KNOB_INT,
    KNOB_REAL,
    KNOB_SWITCH,
    KNOB_CHOICE,
    KNOB_TEXT,
    KNOB_FILE
} KnobKind;

typedef struct KnobChoice {
    const char *name;  /* as typed */
    const char *label; /* as shown */
} KnobChoice;

/* A word that a real knob also takes. Its value may lie outside the knob's range. Two words may
 * stand for one value; the first is the one that is written. */
typedef struct KnobWord {
    const char *name;  /* as typed: "sqrt" */
    const char *label; /* as shown: "1/√d" */
    double value;
} KnobWord;

typedef struct Knob {
    const char *name;  /* "score-scale"; NULL ends the table */
    const char *label; /* in the panel: "scale" */
    KnobKind kind;
    size_t
        at; /* offsetof in SceneState: int, double, bool, int (choice), char[size] (text, file) */
    size_t size;               /* of the char array, for text and file */
    double min, max, step;     /* int and real; step is what an arrow in the panel adds */
    bool logarithmic;          /* real: an arrow multiplies by step */
    const KnobChoice *choices; /* ends with a name of NULL */
    const char *start;         /* as typed */
    char key;                  /* 'M': next, Shift+M previous; 0 none */
    bool view;                 /* changes only how it is shown: repaint without compute */
    bool hidden; /* not in the panel (the text has its own line; stage stands on the steps line) */
    const KnobWord *words; /* what a real knob takes besides numbers; ends with a name of NULL */
    double slider_min, slider_max; /* what the slider covers when the range is far wider; 0 0 */
    size_t count_at;  /* int: offsetof an int that compute leaves in the state, how many
                         things the knob chooses from, counted from 0. A step goes around
                         among them and the slider ends with them; 0: no such count */
    const char *help; /* one line */
    const char *with; /* at its start, the panel shows it only while a choice knob stands on one of
                         these names, parted by blanks; "": never; NULL: always */
} Knob;

/* The row, or NULL and an error that offers the nearest names of this table. */
const Knob *knob_find(const Knob *knobs, const char *name, Err *err);

/* Parses value into the state. Errors: not a number, out of range (range said), unknown choice
 * (nearest offered), text too long or not UTF-8. The state is untouched on error. */
bool knob_set(const Knob *knob, SceneState *state, const char *value, Err *err);

/* The value as knob_set reads it back. */
const char *knob_get(const Knob *knob, const SceneState *state, Arena *arena);

/* The value as the panel shows it (the choice's label, a real with few digits). */
const char *knob_show(const Knob *knob, const SceneState *state, Arena *arena);

/* One step up or down: next choice (around), switch over, number by step within its range, or
 * around where it has a count; a number that stands on a word outside the range goes to the next
 * word, and comes back to it below min. False when it did not move. */
bool knob_step(const Knob *knob, SceneState *state, int direction);

/* Place of a number in its slider's range, 0..1, and the other way (rounded to three digits). */
double knob_place(const Knob *knob, const SceneState *state);
void knob_put(const Knob *knob, SceneState *state, double place);

int knob_choice(const Knob *knob, const SceneState *state);

/* Every knob at its start. */
void knob_start(const Knob *knobs, SceneState *state);

/* Whether the knob stands at its start value. */
bool knob_at_start(const Knob *knob, const SceneState *state);

#endif
