/* The user's own numbers: scores, or queries and keys, or vectors and projections, or finished
 * weights, which are shown as they are and never put right in silence. The mask laboratory does
 * the rest, as it does for sentences. */
#include "base/text.h"
#include "core/attention.h"
#include "core/large.h"
#include "core/tensor.h"
#include "scene/masklab.h"
#include "scene/number_files.h"
#include "scene/scene.h"
#include "scene/typed.h"

#include <math.h>
#include <string.h>

enum { MATRIX_TEXT_MAX = 65536, MATRIX_HEADS_MAX = 4096, IDENTITY_MAX = 512 };

/* Shown until something is given; values of an example do not serve other scores. */
#define EXAMPLE_SCORES "4 1 0 1; 1 3 2 0; 0 0 0 0; -2 2 -inf 1"
#define EXAMPLE_VALUES "1 0; 0 1; 1 1; 0 0"

typedef enum MaskMeans { MASK_KEEP, MASK_IGNORE } MaskMeans;

struct SceneState {
    View view;
    Stage *stage;
    MaskLab lab;
    char scores[MATRIX_TEXT_MAX], weights[MATRIX_TEXT_MAX], bias[MATRIX_TEXT_MAX];
    char q[MATRIX_TEXT_MAX], k[MATRIX_TEXT_MAX], v[MATRIX_TEXT_MAX], x[MATRIX_TEXT_MAX];
    char wq[MATRIX_TEXT_MAX], wk[MATRIX_TEXT_MAX], wv[MATRIX_TEXT_MAX];
    char query_labels[MATRIX_TEXT_MAX], key_labels[MATRIX_TEXT_MAX];
    char mask_file[4096];
    int mask_means, heads, layer, head;
    /* made by compute */
    MaskResult result;
    int head_width; /* d_k, 0 where there are no queries and keys */
    int layers_found, heads_found;
    size_t states[CELL_STATE_COUNT]; /* how many cells of the stage shown have each */
};

static const KnobChoice mask_means[] = {
    [MASK_KEEP] = {"keep", "1 = keep"}, [MASK_IGNORE] = {"ignore", "1 = ignore"}, {NULL, NULL}};

#define NUMBERS_KNOB(field, word, start_, help_)                                                   \
    {                                                                                              \
        .name = word, .label = word, .kind = KNOB_TEXT, .at = offsetof(SceneState, field),         \
        .size = MATRIX_TEXT_MAX, .start = start_, .help = help_                                    \
    }

#define COUNT_KNOB(field, from, count_, letter, start_, help_)                                     \
    {                                                                                              \
        .name = #field, .label = #field, .kind = KNOB_INT, .at = offsetof(SceneState, field),      \
        .min = from, .max = MATRIX_HEADS_MAX, .step = 1, .slider_min = from, .slider_max = 32,     \
        .count_at = count_, .start = start_, .key = letter, .help = help_                          \
    }

static const Knob knobs[] = {
    NUMBERS_KNOB(scores, "scores", EXAMPLE_SCORES,
                 "numbers before softmax, rows parted by ; or new lines; or @FILE"),
    MASKLAB_KNOBS(SceneState, true, "none", "how many keys are padding"),
    NUMBERS_KNOB(weights, "weights", "", "finished weights instead of scores; or @FILE"),
    NUMBERS_KNOB(bias, "bias", "", "added to the scores before softmax; or @FILE"),
    NUMBERS_KNOB(q, "q", "", "queries, one a row, instead of scores; or @FILE"),
    NUMBERS_KNOB(k, "k", "", "keys, one a row; or @FILE"),
    NUMBERS_KNOB(v, "v", EXAMPLE_VALUES, "values, one a row, for the output; or @FILE"),
    NUMBERS_KNOB(x, "x", "", "vectors that queries, keys and values come from; or @FILE"),
    NUMBERS_KNOB(wq, "wq", "", "queries are x times this; without it, x itself; or @FILE"),
    NUMBERS_KNOB(wk, "wk", "", "keys are x times this; or @FILE"),
    NUMBERS_KNOB(wv, "wv", "", "values are x times this; or @FILE"),
    COUNT_KNOB(heads, 1, 0, 0, "1", "heads that the width of q, k and v is shared out to"),
    COUNT_KNOB(layer, 0, offsetof(SceneState, layers_found), 'L', "0",
               "which layer of numbers that have layers"),
    COUNT_KNOB(head, 0, offsetof(SceneState, heads_found), 'H', "0",
               "which head of numbers that have heads"),
    NUMBERS_KNOB(query_labels, "query-labels", "",
                 "a label for each row, parted by spaces (\\s space, \\n, \\t, \\e empty, \\xE6 a "
                 "byte); or @FILE, one a line"),
    NUMBERS_KNOB(key_labels, "key-labels", "", "a label for each column, in the same way"),
    {.name = "mask-file",
     .label = "mask file",
     .kind = KNOB_FILE,
     .at = offsetof(SceneState, mask_file),
     .size = sizeof((SceneState *)NULL)->mask_file,
     .start = "",
     .help = "a mask of 0 and 1 for each query and key, or one row for all queries"},
    {.name = "mask-means",
     .label = "mask says",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, mask_means),
     .choices = mask_means,
     .start = "keep",
     .help = "what a 1 of the mask file means: keep the key, or ignore it"},
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* what is missing is said when it is needed */
    state->stage = stage;
    return true;
}

/* ---- what is given ---- */

/* What compute collects on its way to the laboratory. */
typedef struct Given {
    SceneState *state;
    Arena *arena;
    Err *err;
    MaskInput input;
    int T, S, layers, heads;
    const LabelBytes *row_labels, *column_labels;
} Given;

static void note(Given *given, const char *sentence) {
    if (sentence) given->input.notes[given->input.note_count++] = sentence;
}

/* A knob's matrix; how many layers and heads it has is remembered, and must agree. */
static bool fetch(Given *given, const char *name, const char *value, TypedMatrix *matrix) {
    const SceneState *state = given->state;
    bool split = state->heads > 1;
    if (!typed_matrix(name, value, state->layer, split ? 0 : state->head, state->stage,
                      given->arena, matrix, given->err))
        return false;
    if (split && matrix->heads > 1)
        return err_set(given->err, "%s has %d heads already; leave --heads at 1", name,
                       matrix->heads);
    if ((given->heads > 1 && matrix->heads > 1 && matrix->heads != given->heads) ||
        (given->layers > 1 && matrix->layers > 1 && matrix->layers != given->layers))
        return err_set(given->err,
                       "%s has %d layers and %d heads, but what came before has %d and %d", name,
                       matrix->layers, matrix->heads, given->layers, given->heads);
    if (matrix->heads > given->heads) given->heads = matrix->heads;
    if (matrix->layers > given->layers) given->layers = matrix->layers;
    note(given, matrix->note);
    return true;
}

static bool want_shape(const Given *given, const char *name, const TypedMatrix *matrix, int rows,
                       int columns, const char *why) {
    if (matrix->rows == rows && (columns < 0 || matrix->columns == columns)) return true;
    if (columns < 0)
        return err_set(given->err, "%s has %d rows, but %d are wanted: %s", name, matrix->rows,
                       rows, why);
    return err_set(given->err, "%s is %d x %d, but %d x %d is wanted: %s", name, matrix->rows,
                   matrix->columns, rows, columns, why);
}

static bool refuse_missing(const Given *given, const char *name, const TypedMatrix *matrix) {
    size_t cells = (size_t)matrix->rows * (size_t)matrix->columns;
    for (size_t n = 0; matrix->missing && n < cells; n++)
        if (matrix->missing[n])
            return err_set(given->err,
                           "%s: row %d, column %d of the numbers is empty; write -inf for a key "
                           "that is not allowed",
                           name, (int)(n / (size_t)matrix->columns),
                           (int)(n % (size_t)matrix->columns));
    return true;
}

static bool fetch_whole(Given *given, const char *name, const char *value, TypedMatrix *matrix) {
    return fetch(given, name, value, matrix) && refuse_missing(given, name, matrix);
}

static bool is_example(const SceneState *state) {
    return !*state->weights && !*state->q && !*state->k && !*state->x &&
           strcmp(state->scores, EXAMPLE_SCORES) == 0;
}

/* One source, and all of it. */
static bool check_sources(const SceneState *state, Err *err) {
    bool scores = *state->scores && strcmp(state->scores, EXAMPLE_SCORES) != 0;
    const bool sources[] = {scores, *state->weights, *state->q || *state->k, *state->x};
    const char *const names[] = {"scores", "weights", "q and k", "x"}, *first = NULL;
    for (int i = 0; i < 4; i++) {
        if (!sources[i]) continue;
        if (first)
            return err_set(err, "%s and %s are both given; leave one of them empty", first,
                           names[i]);
        first = names[i];
    }
    if (!*state->q != !*state->k)
        return err_set(err, "%s is given without %s; scores need both", *state->q ? "q" : "k",
                       *state->q ? "k" : "q");
    if (!*state->x && (*state->wq || *state->wk || *state->wv))
        return err_set(err, "wq, wk and wv project x, which is not given");
    if (state->heads > 1 && !*state->q && !*state->x)
        return err_set(err, "heads share out the width of q and k or x, and none is given");
    return true;
}

/* ---- from queries and keys to scores ---- */

/* The columns of the head chosen, where --heads shares out the width. */
static bool head_columns(const Given *given, const char *name, TypedMatrix *matrix) {
    const SceneState *state = given->state;
    int width = matrix->columns / state->heads;
    if (state->heads == 1) return true;
    if (matrix->columns % state->heads)
        return err_set(given->err, "%s is %d wide, which %d heads do not share out evenly", name,
                       matrix->columns, state->heads);
    if (state->head >= state->heads)
        return err_set(given->err, "there are %d heads, 0 to %d; there is no head %d", state->heads,
                       state->heads - 1, state->head);
    float *part = ARENA_ARRAY(given->arena, float, (size_t)matrix->rows *(size_t)width);
    for (int i = 0; i < matrix->rows; i++)
        memcpy(part + (size_t)i * (size_t)width,
               matrix->values + (size_t)i * (size_t)matrix->columns +
                   (size_t)state->head * (size_t)width,
               (size_t)width * sizeof *part);
    matrix->values = part;
    matrix->columns = width;
    return true;
}

static bool multiply(Given *given, const TypedMatrix *q, const TypedMatrix *k) {
    int T = q->rows, S = k->rows, K = q->columns;
    size_t cells = (size_t)T * (size_t)S;
    if (q->columns != k->columns)
        return err_set(given->err, "q is %d wide and k %d; a query and a key need one width",
                       q->columns, k->columns);
    float *scores = ARENA_ARRAY(given->arena, float, cells);
    large_product_nt(scores, q->values, k->values, T, S, K);
    note(given, large_note(T, S));
    given->T = T;
    given->S = S;
    given->input.scores = scores;
    given->input.factor = attention_scale(K);
    given->input.scale = arena_printf(given->arena, "1/√%d", K);
    given->state->head_width = K;
    return true;
}

static void set_values(Given *given, const TypedMatrix *v) {
    const Label *labels = label_numbers(given->arena, 0, v->columns);
    given->input.values = v->values;
    given->input.features = (TableAxis){"feature", v->columns, labels};
}

/* x times the projection, or x itself. */
static bool project(Given *given, const char *name, const char *value, const TypedMatrix *x,
                    TypedMatrix *out) {
    TypedMatrix w;
    *out = *x;
    if (!*value) return head_columns(given, "x", out);
    if (!fetch_whole(given, name, value, &w) ||
        !want_shape(given, name, &w, x->columns, -1, "one for each column of x"))
        return false;
    float *product = ARENA_ARRAY(given->arena, float, (size_t)x->rows *(size_t)w.columns);
    tensor_product(product, x->values, w.values, x->rows, w.columns, x->columns);
    out->values = product;
    out->columns = w.columns;
    return head_columns(given, name, out);
}

static bool take_vectors(Given *given) {
    const SceneState *state = given->state;
    TypedMatrix x, q, k, v;
    if (!fetch_whole(given, "x", state->x, &x) || !project(given, "wq", state->wq, &x, &q) ||
        !project(given, "wk", state->wk, &x, &k) || !project(given, "wv", state->wv, &x, &v))
        return false;
    given->row_labels = given->column_labels = x.row_labels;
    set_values(given, &v);
    return multiply(given, &q, &k);
}

static bool take_pair(Given *given) {
    const SceneState *state = given->state;
    TypedMatrix q, k;
    if (!fetch_whole(given, "q", state->q, &q) || !head_columns(given, "q", &q) ||
        !fetch_whole(given, "k", state->k, &k) || !head_columns(given, "k", &k))
        return false;
    given->row_labels = q.row_labels;
    given->column_labels = k.row_labels;
    return multiply(given, &q, &k);
}

static bool take_square(Given *given, bool finished) {
    const SceneState *state = given->state;
    TypedMatrix matrix;
    if (finished ? !fetch(given, "weights", state->weights, &matrix)
                 : !fetch_whole(given, "scores", state->scores, &matrix))
        return false;
    given->T = matrix.rows;
    given->S = matrix.columns;
    given->row_labels = matrix.row_labels;
    given->column_labels = matrix.column_labels;
    if (!finished) {
        given->input.scores = matrix.values;
        return true;
    }
    given->input.weights = matrix.values;
    given->input.missing = matrix.missing;
    return true;
}

/* ---- what goes with them ---- */

/* Without values the identity stands for them, so that the steps can be walked through. */
static void take_identity(Given *given) {
    int S = given->S;
    if (given->input.values || given->state->lab.stage != MASKLAB_OUTPUT || S > IDENTITY_MAX)
        return;
    TypedMatrix v = {.rows = S, .columns = S};
    float *values = ARENA_ARRAY(given->arena, float, (size_t)S *(size_t)S);
    for (size_t j = 0; j < (size_t)S; j++) values[j * (size_t)S + j] = 1;
    v.values = values;
    set_values(given, &v);
    note(given, "No values are given: the identity stands for them, so the output is the weights.");
}

static bool take_values(Given *given) {
    const SceneState *state = given->state;
    TypedMatrix v;
    bool other = strcmp(state->v, EXAMPLE_VALUES) == 0 && !is_example(state);
    if (*state->weights) return true;
    if (!*state->v || other) {
        take_identity(given);
        return true;
    }
    if (!fetch_whole(given, "v", state->v, &v) || !head_columns(given, "v", &v) ||
        !want_shape(given, "v", &v, given->S, -1, "a value for each key"))
        return false;
    set_values(given, &v);
    return true;
}

static bool take_bias(Given *given) {
    const SceneState *state = given->state;
    TypedMatrix bias;
    if (!*state->bias) return true;
    if (*state->weights)
        return err_set(given->err, "a bias is added to scores, but finished weights are given");
    if (!fetch_whole(given, "bias", state->bias, &bias) ||
        !want_shape(given, "bias", &bias, given->T, given->S, "one for each query and key"))
        return false;
    given->input.bias = bias.values;
    return true;
}

/* 0 and 1 into what is kept; one row serves all queries. */
static bool take_mask(Given *given) {
    const SceneState *state = given->state;
    TypedMatrix mask;
    if (!*state->mask_file) return true;
    const char *value = arena_printf(given->arena, "@%s", state->mask_file);
    if (!fetch_whole(given, "mask-file", value, &mask)) return false;
    int rows = mask.rows == 1 ? 1 : given->T;
    if (!want_shape(given, "mask-file", &mask, rows, given->S, "one for each query and key"))
        return false;
    size_t S = (size_t)given->S, cells = (size_t)given->T * S, kept = 0;
    uint8_t *keep = ARENA_ARRAY(given->arena, uint8_t, cells);
    for (size_t n = 0; n < cells; n++) {
        float one = mask.values[rows == 1 ? n % S : n];
        if (one != 0 && one != 1)
            return err_set(given->err,
                           "mask-file holds %g; a mask holds 0 and 1, and numbers to be added "
                           "belong to --bias",
                           (double)one);
        keep[n] = (one == 1) == (state->mask_means == MASK_KEEP);
        kept += keep[n];
    }
    given->input.keep = keep;
    given->input.keep_name = "mask of the file";
    if (kept == 0)
        note(given,
             state->mask_means == MASK_KEEP
                 ? "Warning: the mask of the file blocks every key. Perhaps its 1 means ignore: "
                   "take --mask-means ignore."
                 : "Warning: the mask of the file blocks every key. Perhaps its 1 means keep: "
                   "take --mask-means keep.");
    return true;
}

static bool take_labels(Given *given, const char *name, const char *value, bool rows,
                        TableAxis *axis) {
    const LabelBytes *own = rows ? given->row_labels : given->column_labels;
    axis->name = rows ? "query" : "key";
    axis->count = rows ? given->T : given->S;
    if (*value || !own)
        return typed_labels(name, value, rows ? "row" : "column", axis->count, given->state->stage,
                            given->arena, &axis->labels, given->err);
    axis->labels = label_tokens(given->arena, own, axis->count);
    return true;
}

static void count_states(SceneState *state) {
    const Table *shown = state->result.tables[state->lab.stage];
    size_t cells = (size_t)shown->rows.count * (size_t)shown->columns.count;
    memset(state->states, 0, sizeof state->states);
    if (shown->summary.states == 1u << CELL_OK) return;
    for (size_t n = 0; n < cells; n++) state->states[shown->states[n]]++;
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    Given given = {.state = state,
                   .arena = arena,
                   .err = err,
                   .layers = 1,
                   .heads = 1,
                   .input = {.factor = 1}};
    int head_width = state->head_width;
    state->head_width = 0;
    bool taken =
        check_sources(state, err) &&
        (*state->x   ? take_vectors(&given)
         : *state->q ? take_pair(&given)
                     : take_square(&given, *state->weights)) &&
        take_values(&given) && take_bias(&given) && take_mask(&given) &&
        take_labels(&given, "query-labels", state->query_labels, true, &given.input.queries) &&
        take_labels(&given, "key-labels", state->key_labels, false, &given.input.keys);
    if (!taken || !masklab_compute(&state->lab, &given.input, arena, &state->result, err)) {
        state->head_width = head_width;
        return false;
    }
    count_states(state);
    number_files_settle(state->stage);
    state->layers_found = given.layers;
    state->heads_found = state->heads > 1 ? state->heads : given.heads;
    return true;
}

static MaskFigure lab(const SceneState *state) {
    return (MaskFigure){.title = "Your numbers",
                        .lab = &state->lab,
                        .result = &state->result,
                        .view = &state->view};
}

MASKLAB_FUNCTIONS

static const int *walk(const SceneState *state) {
    return masklab_walk(&state->result);
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    MaskFigure shown = lab(state);
    if (!masklab_probe(&shown, arena, cell, out)) return false;
    if (out->state == CELL_UNDEFINED && !out->sentence)
        out->sentence = "No key is allowed: every score of this row is −∞.";
    if (!out->sentence) out->sentence = sentence(state, arena);
    return true;
}

/* The example's numbers stand for nothing once others are given. */
static const char *text(const SceneState *state, const Knob *knob, Arena *arena) {
    bool scores = strcmp(knob->name, "scores") == 0, v = strcmp(knob->name, "v") == 0;
    bool example = (scores || v) && strcmp(knob_get(knob, state, arena), knob->start) == 0;
    return example && !is_example(state) ? "" : NULL;
}

/* Shape, width, layer and head, and how many cells are no ordinary number. */
static const char *facts(const SceneState *state, Arena *arena) {
    static const CellState odd[] = {CELL_NAN, CELL_PLUS_INF, CELL_MINUS_INF, CELL_UNDEFINED};
    static const char *const names[] = {"NaN", "+∞", "−∞", "undefined"};
    Text text = text_open(arena);
    text_addf(&text, "%d × %d numbers", state->result.T, state->result.S);
    if (state->head_width) text_addf(&text, " · d_k = %d", state->head_width);
    if (state->layers_found > 1)
        text_addf(&text, " · layer %d of %d", state->layer, state->layers_found);
    if (state->heads_found > 1)
        text_addf(&text, " · head %d of %d", state->head, state->heads_found);
    for (size_t n = 0; n < sizeof odd / sizeof odd[0]; n++)
        if (state->states[odd[n]]) text_addf(&text, " · %zu %s", state->states[odd[n]], names[n]);
    return text.bytes;
}

const Scene scene_matrix = {
    .name = "matrix",
    .title = "Your numbers",
    .menu = "Your numbers",
    .group = "attention",
    .lesson = "Give scores, queries and keys, or finished weights, and see what masks and softmax "
              "make of them.",
    .order = 30,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = masklab_stages,
    .main_stage = "weights",
    .steps = "stage",
    .carries = true,
    .walk = walk,
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    /* all of MASKLAB_ROWS but the sentence, in whose place the scores can be typed */
    .draw = draw,
    .natural = natural,
    .locate = locate,
    .geometry = geometry,
    .caption = caption,
    .paint = paint,
    .findings = findings,
    .table = table,
    .text = text,
    .probe = probe,
    .facts = facts,
};
