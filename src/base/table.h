/* A labelled matrix: the one source of numbers and pictures. Core's results are put into a table;
 * the heatmap draws it, CSV, JSON and NPY write it, the inspector and the tests read it. */
#ifndef BASE_TABLE_H
#define BASE_TABLE_H

#include "base/arena.h"
#include "base/label.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum CellState {
    CELL_OK,
    CELL_BLOCKED,   /* the mask does not allow this key */
    CELL_UNDEFINED, /* the row has no key allowed */
    CELL_MISSING,   /* no number was ever given */
    CELL_NAN,
    CELL_PLUS_INF,
    CELL_MINUS_INF,
    CELL_STATE_COUNT
} CellState;

/* "ok", "blocked", "undefined", "missing", "nan", "+inf", "-inf". */
const char *cell_state_name(CellState state);

/* What the numbers are, which decides the colour scale that they start with. */
typedef enum TableKind {
    TABLE_WEIGHTS, /* shares of attention: 0..1, sequential, no leading zero in cells */
    TABLE_SIGNED,  /* scores, embeddings, encodings: zero-centred, symmetric limits */
    TABLE_COUNTS,  /* counts or ids: sequential from the smallest to the largest, whole numbers */
    TABLE_AMOUNTS  /* entropy, distance, lengths: sequential from 0 to the largest */
} TableKind;

typedef struct TableAxis {
    const char *name; /* "query", "key", "token", "feature", "position" ... */
    int count;
    const Label *labels; /* [count] */
} TableAxis;

enum { TABLE_NOTES_MAX = 16 };

/* What one pass over the cells tells: the ends of the colour scale come from here. */
typedef struct TableSummary {
    bool known;
    float low, high; /* of the ok cells; low above high: there is none */
    float least;     /* the smallest ok value above 0; INFINITY if there is none */
    unsigned states; /* a bit for each CellState that occurs */
} TableSummary;

typedef struct Table {
    const char *stage;    /* the stage's name, as in --stage */
    const char *title;    /* what stands above the figure: "weights after softmax" */
    const char *quantity; /* written above the colour bar: "weight", "score", "value" */
    TableKind kind;
    TableAxis rows, columns;
    const float
        *values; /* [rows.count, columns.count]; a cell whose state is not ok may hold anything */
    const double *counts;  /* the same shape, where a whole number may be beyond 2^24 and float32
                              would change it: what JSON and CSV write; NULL: values */
    const uint8_t *states; /* the same shape, CellState */
    bool sums;             /* whether a row sum means something (weights) */
    const char *notes[TABLE_NOTES_MAX]; /* whole sentences, under the figure and in "notes" */
    int note_count;
    TableSummary summary; /* kept by table_seal, so that repainting needs no pass of its own */
} Table;

/* A table of zeros whose states are ok. values and states are returned writable. */
Table table_new(Arena *arena, TableAxis rows, TableAxis columns, float **values, uint8_t **states);

/* Sets the state of every cell that is ok and not finite to nan, +inf or -inf, and keeps the
 * summary: neither values nor states may change after it. */
void table_seal(Table *table, uint8_t *states);

/* What a row of count cells tells, and what two rows, or parts of a table, tell together. */
TableSummary table_row_summary(const float *values, const uint8_t *states, int count);
TableSummary table_join(TableSummary a, TableSummary b);

/* The summary that was kept, or a pass over all cells; skip_column is left out, -1 none. */
TableSummary table_summary(const Table *table, int skip_column);

float table_value(const Table *table, int row, int column);
CellState table_state(const Table *table, int row, int column);

/* The sum of the ok cells of a row, in double. */
double table_row_sum(const Table *table, int row);

/* Smallest and largest of the ok cells; false when there is none. skip_column leaves a column out,
 * -1 none. */
bool table_range(const Table *table, int skip_column, float *low, float *high);

/* Adds a sentence; those beyond TABLE_NOTES_MAX are dropped. */
void table_note(Table *table, const char *sentence);

/* The fields from "stage" to "notes" of the JSON that `heed numbers` prints (DESIGN section 5),
 * without the outer braces: "stage", "axes", one array of labels per axis name, "shape", "values",
 * "state", "row_sums", "notes". */
void table_json_fields(const Table *table, Text *out);

/* A header row of column labels, then a row label and its values; RFC 4180 quoting; empty where
 * blocked, undefined or missing; nan, inf and -inf as words. */
void table_csv(const Table *table, Text *out);

/* NPY 1.0, '<f4', C order; cells that are not ok are NaN, but infinities stay. The text holds
 * bytes, also NULs. */
void table_npy(const Table *table, Text *out);

/* text as a JSON string with its quotes. */
void text_add_json(Text *out, const char *text);

#endif
