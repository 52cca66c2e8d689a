/* Numbers that a person types: scores, which softmax turns into weights, or finished weights, which
 * are shown as they are and never put right in silence. */
#include "base/text.h"
#include "core/attention.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/scene.h"
#include "scene/typed.h"

#include <math.h>
#include <string.h>

#define MATRIX_STAGES(ROW)                                                                         \
    ROW("scores", "scores", "The scores as they were typed: neither scaled nor masked.")           \
    ROW("weights", "softmax", "Each row becomes shares of attention that sum to 1.")

typedef enum MatrixStage { SCORES, WEIGHTS, COUNT } MatrixStage;

enum { MATRIX_LIMIT = 512, MATRIX_TEXT_MAX = 65536, ROWS_NAMED = 3 };

#define MATRIX_EXAMPLE "4 1 0 1; 1 3 2 0; 0 0 0 0; -2 2 -inf 1"

/* How far a row of weights may be from 1: float32 and printed digits, not mistakes. */
static const double SUM_TOLERANCE = 1e-3;

struct SceneState {
    View view;
    char scores[MATRIX_TEXT_MAX], weights[MATRIX_TEXT_MAX];
    char query_labels[MATRIX_TEXT_MAX], key_labels[MATRIX_TEXT_MAX];
    double temperature;
    int shown;
    /* made by compute */
    const Table *tables[COUNT];
    bool finished; /* the weights were typed */
};

static const SceneStage stages[] = {MATRIX_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {MATRIX_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const Knob knobs[] = {
    {.name = "scores",
     .label = "scores",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, scores),
     .size = MATRIX_TEXT_MAX,
     .start = MATRIX_EXAMPLE,
     .help = "numbers before softmax, rows parted by ; or new lines; or @FILE"},
    {.name = "weights",
     .label = "weights",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, weights),
     .size = MATRIX_TEXT_MAX,
     .start = "",
     .help = "finished weights instead of scores; or @FILE"},
    {.name = "stage",
     .label = "stage",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, shown),
     .choices = stage_choices,
     .start = "weights",
     .key = 'S',
     .hidden = true,
     .help = "the step whose numbers are shown"},
    {.name = "temperature",
     .label = "temperature",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, temperature),
     .min = 1e-38,
     .max = 1e38,
     .step = 1.25,
     .logarithmic = true,
     .slider_min = 0.01,
     .slider_max = 100,
     .start = "1",
     .help = "divides the scores before softmax: low is sharp, high is flat"},
    {.name = "query-labels",
     .label = "queries",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, query_labels),
     .size = MATRIX_TEXT_MAX,
     .start = "",
     .help = "a label for each row, parted by spaces (\\s space, \\n, \\t, \\e empty, \\xE6 a "
             "byte); or @FILE, one a line"},
    {.name = "key-labels",
     .label = "keys",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, key_labels),
     .size = MATRIX_TEXT_MAX,
     .start = "",
     .help = "a label for each column, in the same way"},
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

/* What a row that does not sum to 1 looks like. */
static const char *row_suspicion(const Table *table, int row, double sum) {
    bool zero = false, negative = false;
    for (int j = 0; j < table->columns.count; j++) {
        float value = table_value(table, row, j);
        zero = zero || value == 0;
        negative = negative || value < 0;
    }
    if (negative) return "these are not probabilities: some are below 0";
    if (sum == 0) return "no key was allowed";
    if (fabs(sum - 1) < 0.02) return "perhaps rounded";
    if (sum < 1) return "it looks like a mask set after softmax, or dropout left in";
    return zero && sum <= 2 ? "it looks like dropout left in" : "these are not probabilities";
}

static bool row_is_finite(const Table *table, int row) {
    for (int j = 0; j < table->columns.count; j++)
        if (table_state(table, row, j) != CELL_OK) return false;
    return true;
}

static void note_sums(Table *table, Arena *arena) {
    Text text = text_open(arena);
    const char *suspicion = NULL;
    int found = 0;
    for (int i = 0; i < table->rows.count; i++) {
        double sum = table_row_sum(table, i);
        if (!row_is_finite(table, i) || fabs(sum - 1) <= SUM_TOLERANCE) continue;
        if (!suspicion) suspicion = row_suspicion(table, i, sum);
        if (found < ROWS_NAMED)
            text_addf(&text, "%s %d sums to %.4g", found ? ", row" : "Row", i, sum);
        found++;
    }
    if (!found) return;
    if (found > ROWS_NAMED) text_addf(&text, ", and %d more are not 1", found - ROWS_NAMED);
    text_addf(&text, ": %s. Nothing is renormalised.", suspicion);
    table_note(table, text.bytes);
}

static void note_undefined(Table *table, Arena *arena, uint8_t *states, const float *scores) {
    int S = table->columns.count, first = -1, found = 0;
    for (int i = 0; i < table->rows.count; i++) {
        const float *row = scores + (size_t)i * (size_t)S;
        int j = 0;
        while (j < S && row[j] == -INFINITY) j++;
        if (j < S) continue;
        memset(states + (size_t)i * (size_t)S, CELL_UNDEFINED, (size_t)S);
        if (found++ == 0) first = i;
    }
    if (found == 1)
        table_note(table, arena_printf(arena,
                                       "Row %d has no key allowed: there is nothing to share "
                                       "out, and its weights are 0.",
                                       first));
    if (found > 1)
        table_note(table, arena_printf(arena,
                                       "%d rows have no key allowed, the first is row %d: "
                                       "their weights are 0.",
                                       found, first));
}

/* A table over values[rows,columns] of the shape of axes. */
static Table *add_table(SceneState *state, Arena *arena, MatrixStage stage, const Table *axes,
                        const float *values, uint8_t **states) {
    size_t cells = (size_t)axes->rows.count * (size_t)axes->columns.count;
    Table *made = ARENA_NEW(arena, Table);
    *states = ARENA_ARRAY(arena, uint8_t, cells);
    *made = *axes;
    made->stage = stages[stage].name;
    made->title = stage == SCORES   ? "scores as typed"
                  : state->finished ? "weights as typed"
                                    : "weights after softmax";
    made->quantity = stage == SCORES ? "score" : "weight";
    made->kind = stage == SCORES ? TABLE_SIGNED : TABLE_WEIGHTS;
    made->sums = stage == WEIGHTS;
    made->values = values;
    made->states = *states;
    table_mark_not_finite(made, *states);
    state->tables[stage] = made;
    return made;
}

static void attend(SceneState *state, Arena *arena, const Table *axes, const float *scores) {
    uint8_t *states;
    AttentionRule rule = attention_plain(1);
    rule.temperature = (float)state->temperature;
    AttentionTrace trace =
        attention_from_scores(arena, axes->rows.count, axes->columns.count, rule, scores);
    add_table(state, arena, SCORES, axes, scores, &states);
    Table *weights = add_table(state, arena, WEIGHTS, axes, trace.weights, &states);
    note_undefined(weights, arena, states, scores);
}

static bool check_sources(const SceneState *state, Err *err) {
    bool scores = *state->scores && strcmp(state->scores, MATRIX_EXAMPLE) != 0;
    if (*state->weights && scores)
        return err_set(err, "scores and weights are both given; leave one of them empty");
    if (*state->weights && state->shown == SCORES)
        return err_set(err, "finished weights have no scores to show; take --stage weights");
    return true;
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    Grid grid;
    Table axes = {.rows.name = "query", .columns.name = "key"};
    bool finished = *state->weights != '\0';
    if (!check_sources(state, err) ||
        !typed_grid(finished ? "weights" : "scores", finished ? state->weights : state->scores,
                    MATRIX_LIMIT, arena, &grid, err) ||
        !typed_labels("query-labels", state->query_labels, "rows", grid.rows, arena,
                      &axes.rows.labels, err) ||
        !typed_labels("key-labels", state->key_labels, "columns", grid.columns, arena,
                      &axes.columns.labels, err))
        return false;
    axes.rows.count = grid.rows;
    axes.columns.count = grid.columns;
    memset(state->tables, 0, sizeof state->tables);
    state->finished = finished;
    if (finished) {
        uint8_t *states;
        note_sums(add_table(state, arena, WEIGHTS, &axes, grid.values, &states), arena);
    } else {
        attend(state, arena, &axes, grid.values);
    }
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(stages[i].name, stage) == 0) return state->tables[i];
    return NULL;
}

static Figure figure(const SceneState *state, Arena *arena) {
    const Table *shown = state->tables[state->shown];
    bool softmax = state->shown == WEIGHTS && !state->finished;
    const char *caption = arena_printf(arena, "Your numbers: %s · no mask", shown->title);
    if (softmax && state->temperature != 1)
        caption = arena_printf(arena, "%s · temperature %.4g", caption, state->temperature);
    return (Figure){.caption = caption,
                    .facts = softmax ? arena_printf(arena,
                                                    "mask: none · scale: none · "
                                                    "temperature: %.4g",
                                                    state->temperature)
                                     : "mask: none",
                    .table = shown,
                    .view = &state->view};
}

FIGURE_FUNCTIONS

static void probe_weight(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Table *weights = state->tables[WEIGHTS], *scores = state->tables[SCORES];
    int S = weights->columns.count;
    const float *row = scores ? scores->values + (size_t)cell.row * (size_t)S : NULL;
    if (row) inspect_number(probe, arena, "score", (double)row[cell.column]);
    float largest = 0;
    for (int j = 0; row && j < S; j++) largest = j == 0 || row[j] > largest ? row[j] : largest;
    if (row && isfinite(largest) && probe->state == CELL_OK)
        inspect_softmax(probe, arena, row, S, cell.column, state->temperature);
    if (row && largest == INFINITY)
        probe->sentence = "Scores of +∞ share the row among themselves.";
    inspect_number(probe, arena, "weight", (double)probe->value)->hot = true;
    if (probe->state == CELL_UNDEFINED)
        probe->sentence = "No key is allowed: every score of this row is −∞.";
    else
        inspect_row(probe, arena, weights, NULL, cell.row);
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    inspect_label(out, arena, "query", &shown->rows.labels[cell.row]);
    inspect_label(out, arena, "key", &shown->columns.labels[cell.column]);
    if (state->shown == WEIGHTS)
        probe_weight(state, arena, cell, out);
    else
        inspect_number(out, arena, "score", (double)out->value)->hot = true;
    return true;
}

/* The shape, and how many cells are no ordinary number. */
static const char *facts(const SceneState *state, Arena *arena) {
    static const CellState odd[] = {CELL_NAN, CELL_PLUS_INF, CELL_MINUS_INF, CELL_UNDEFINED};
    static const char *const names[] = {"NaN", "+∞", "−∞", "undefined"};
    const Table *shown = state->tables[state->shown];
    size_t cells = (size_t)shown->rows.count * (size_t)shown->columns.count;
    Text text = text_open(arena);
    text_addf(&text, "%d × %d numbers", shown->rows.count, shown->columns.count);
    for (size_t n = 0; n < sizeof odd / sizeof odd[0]; n++) {
        int count = 0;
        for (size_t i = 0; i < cells; i++) count += shown->states[i] == odd[n];
        if (count) text_addf(&text, " · %d %s", count, names[n]);
    }
    return text.bytes;
}

const Scene scene_matrix = {
    .name = "matrix",
    .title = "Your numbers",
    .menu = "Your numbers",
    .group = "attention",
    .lesson = "Type scores and see what softmax makes of them, or show weights that you have.",
    .order = 30,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "weights",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .compute = compute,
    FIGURE_ROWS,
    .probe = probe,
    .table = table,
    .facts = facts,
};
