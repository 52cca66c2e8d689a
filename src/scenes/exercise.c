/* The course's exercise on arrays that a person types: a post-norm block whose queries and keys are
 * turned by tables of cosines and sines. Beside it stands the same block without turning, which it
 * equals where the tables are those of no rotation. */
#include "base/text.h"
#include "core/block.h"
#include "core/rope.h"
#include "scene/inspect.h"
#include "scene/pair.h"
#include "scene/scene.h"
#include "scene/typed.h"

#include <math.h>
#include <string.h>

#define EXERCISE_STAGES(ROW)                                                                       \
    ROW("rotated", "Q, K turned", "Adjacent pairs of every query and key turn by the tables.")     \
    ROW("weights", "weights", "Each head compares the turned queries and keys.")                   \
    ROW("output", "output", "The heads merged, times Wo, plus x, and each row normalised.")

typedef enum ExerciseStage { ROTATED, WEIGHTS, OUTPUT, COUNT } ExerciseStage;
typedef enum Tables { TABLES_IDENTITY, TABLES_BASE, TABLES_GIVEN } Tables;

enum { LIMIT = 256, TYPED_MAX = 65536, HEADS_MAX = 64 };

static const double EPSILON = 1e-5;

struct SceneState {
    View view;
    char x[TYPED_MAX], wq[TYPED_MAX], wk[TYPED_MAX], wv[TYPED_MAX], wo[TYPED_MAX];
    char cos[TYPED_MAX], sin[TYPED_MAX];
    int shown, heads, head, choice;
    double base;
    /* made by compute */
    Tables tables_used;
    Rope rope;
    const float *input; /* [T,D] */
    RopeBlock block;
    BlockTrace plain; /* the same block, nothing turned */
    const Table *tables[COUNT], *plain_tables[COUNT];
};

static const SceneStage stages[] = {EXERCISE_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {EXERCISE_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice table_choices[] = {
    [TABLES_IDENTITY] = {"identity", "cos 1, sin 0"},
    [TABLES_BASE] = {"base", "from a base"},
    {NULL, NULL},
};

#define ARRAY_KNOB(name_, field_, start_, help_)                                                   \
    {                                                                                              \
        .name = name_, .label = name_, .kind = KNOB_TEXT, .at = offsetof(SceneState, field_),      \
        .size = TYPED_MAX, .start = start_, .help = help_                                          \
    }

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "output",
                     "the step whose numbers are shown"),
    ARRAY_KNOB("x", x, "1 0 .5 -1; 0 1 -.5 .5; 1 1 0 0; -1 .5 1 0",
               "the input, a row a token, rows parted by ; or new lines; or @FILE"),
    ARRAY_KNOB("wq", wq, "1 0 0 .5; 0 1 .5 0; 0 .5 1 0; .5 0 0 1",
               "queries = x times this; empty: the identity; or @FILE"),
    ARRAY_KNOB("wk", wk, "1 .5 0 0; 0 1 0 0; 0 0 1 -.5; 0 0 0 1",
               "keys = x times this; empty: the identity; or @FILE"),
    ARRAY_KNOB("wv", wv, "", "values = x times this; empty: the identity; or @FILE"),
    ARRAY_KNOB("wo", wo, "", "output = merged heads times this; empty: the identity; or @FILE"),
    {.name = "heads",
     .label = "heads",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, heads),
     .min = 1,
     .max = HEADS_MAX,
     .step = 1,
     .slider_min = 1,
     .slider_max = 8,
     .start = "2",
     .help = "the columns of x are split among them; each needs an even number"},
    STAGE_HEAD_KNOB(SceneState, head, heads, HEADS_MAX - 1,
                    "the head whose weights are shown, counted from 0"),
    {.name = "tables",
     .label = "tables",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, choice),
     .choices = table_choices,
     .start = "identity",
     .key = 'R',
     .help = "where the angles come from, when cos and sin are not given"},
    {.name = "base",
     .label = "base",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, base),
     .min = 1,
     .max = 1e12,
     .step = 10,
     .logarithmic = true,
     .start = "10000",
     .slider_min = 2,
     .slider_max = 1e6,
     .help = "of tables from a base: pair i turns by position × base^(−2i/d_k)"},
    ARRAY_KNOB("cos", cos, "", "cosines, a row a position and a column a pair; used as given"),
    ARRAY_KNOB("sin", sin, "", "sines of the same shape"),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

/* ---- the arrays ---- */

static bool check_finite(const char *name, const Grid *grid, Err *err) {
    for (int n = 0; n < grid->rows * grid->columns; n++)
        if (!isfinite(grid->values[n]))
            return err_set(err, "%s: row %d, column %d is %g; every number must be finite", name,
                           n / grid->columns + 1, n % grid->columns + 1, (double)grid->values[n]);
    return true;
}

static bool read_array(const char *name, const char *value, Arena *arena, BlockArray *array,
                       Err *err) {
    Grid grid;
    if (!typed_grid(name, value, LIMIT, arena, &grid, err) || !check_finite(name, &grid, err))
        return false;
    *array = (BlockArray){.values = grid.values, .rank = 2, .shape = {grid.rows, grid.columns}};
    return true;
}

static bool read_weights(const char *name, const char *value, int D, Arena *arena,
                         BlockArray *array, Err *err) {
    if (*value) return read_array(name, value, arena, array, err);
    float *identity = ARENA_ARRAY(arena, float, (size_t)D *(size_t)D);
    for (int i = 0; i < D; i++) identity[(size_t)i * (size_t)D + (size_t)i] = 1;
    *array = (BlockArray){.values = identity, .rank = 2, .shape = {D, D}};
    return true;
}

typedef struct Arrays {
    BlockArray x, wq, wk, wv, wo, cos, sin;
} Arrays;

/* Tables that are not given; what a wrong number of heads means is left to the block. */
static void make_tables(const SceneState *state, Arena *arena, Arrays *arrays) {
    int T = arrays->x.shape[0], K = arrays->x.shape[1] / state->heads;
    int pairs = K / 2 > 0 ? K / 2 : 1;
    Rope rope = rope_build(arena, 2 * pairs, state->base, 0, T);
    if (state->choice == TABLES_IDENTITY) {
        float *ones = ARENA_ARRAY(arena, float, (size_t)T *(size_t)pairs);
        for (int i = 0; i < T * pairs; i++) ones[i] = 1;
        rope.cos = ones;
        rope.sin = ARENA_ARRAY(arena, float, (size_t)T *(size_t)pairs);
    }
    arrays->cos = (BlockArray){.values = rope.cos, .rank = 2, .shape = {T, pairs}};
    arrays->sin = (BlockArray){.values = rope.sin, .rank = 2, .shape = {T, pairs}};
}

static bool read_tables(const SceneState *state, Arena *arena, Arrays *arrays, Err *err) {
    if (!*state->cos != !*state->sin)
        return err_set(err, "%s is given and %s is not; give both tables or neither",
                       *state->cos ? "cos" : "sin", *state->cos ? "sin" : "cos");
    if (!*state->cos) {
        make_tables(state, arena, arrays);
        return true;
    }
    return read_array("cos", state->cos, arena, &arrays->cos, err) &&
           read_array("sin", state->sin, arena, &arrays->sin, err);
}

static bool read_arrays(const SceneState *state, Arena *arena, Arrays *arrays, Err *err) {
    if (!read_array("x", state->x, arena, &arrays->x, err)) return false;
    int D = arrays->x.shape[1];
    return read_weights("wq", state->wq, D, arena, &arrays->wq, err) &&
           read_weights("wk", state->wk, D, arena, &arrays->wk, err) &&
           read_weights("wv", state->wv, D, arena, &arrays->wv, err) &&
           read_weights("wo", state->wo, D, arena, &arrays->wo, err) &&
           read_tables(state, arena, arrays, err);
}

/* The block of core/block.h, by its other door: post-norm, no feed-forward, nothing turned. */
static BlockTrace run_plain(const Arrays *arrays, int H, Arena *arena) {
    int D = arrays->x.shape[1];
    MultiHead self = {.D = D,
                      .C = D,
                      .H = H,
                      .G = H,
                      .q = {.weight = arrays->wq.values, .in_first = true},
                      .k = {.weight = arrays->wk.values, .in_first = true},
                      .v = {.weight = arrays->wv.values, .in_first = true},
                      .out = {.weight = arrays->wo.values, .in_first = true}};
    Block block = {
        .D = D, .place = NORM_POST, .norm_self = {NORM_LAYER, EPSILON, NULL, NULL}, .self = self};
    BlockInput input = {.x = arrays->x.values, .T = arrays->x.shape[0]};
    return block_forward(arena, &block, &input);
}

/* ---- the tables of the stages ---- */

/* values[T,2D]: all heads of q beside one another, then those of k. */
static const float *beside(const MultiHeadTrace *trace, Arena *arena) {
    size_t T = (size_t)trace->T, K = (size_t)trace->K, D = (size_t)trace->D;
    float *values = ARENA_ARRAY(arena, float, 2 * T * D);
    for (size_t h = 0; h < (size_t)trace->H; h++)
        for (size_t t = 0; t < T; t++) {
            float *row = values + t * 2 * D + h * K;
            memcpy(row, trace->q_heads + (h * T + t) * K, K * sizeof *row);
            memcpy(row + D, trace->k_heads + (h * T + t) * K, K * sizeof *row);
        }
    return values;
}

static TableAxis feature_axis(const MultiHeadTrace *trace, bool both, Arena *arena) {
    int D = trace->D, count = both ? 2 * D : D;
    Label *labels = ARENA_ARRAY(arena, Label, count);
    for (int i = 0; i < count; i++)
        labels[i] = label_plain(arena, both ? arena_printf(arena, "%c %d", i < D ? 'q' : 'k', i % D)
                                            : arena_printf(arena, "%d", i));
    return (TableAxis){"feature", count, labels};
}

static Table stage_table(const SceneState *state, ExerciseStage stage, const MultiHeadTrace *trace,
                         const float *output, Arena *arena) {
    size_t T = (size_t)trace->T;
    bool weights = stage == WEIGHTS;
    const Label *tokens = label_numbers(arena, 0, trace->T);
    Table table = {.stage = stages[stage].name,
                   .quantity = weights ? "weight" : "value",
                   .kind = weights ? TABLE_WEIGHTS : TABLE_SIGNED,
                   .rows = {weights ? "query" : "position", trace->T, tokens},
                   .columns = weights ? (TableAxis){"key", trace->T, tokens}
                                      : feature_axis(trace, stage == ROTATED, arena),
                   .sums = weights};
    table.values = weights            ? trace->weights + (size_t)state->head * T * T
                   : stage == ROTATED ? beside(trace, arena)
                                      : output;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, T * (size_t)table.columns.count);
    table.states = states;
    table_seal(&table, states);
    return table;
}

/* The scale of a table comes from its summary: both get one that holds the numbers of both. */
static void share_scale(Table *a, Table *b) {
    a->summary.low = b->summary.low = fminf(a->summary.low, b->summary.low);
    a->summary.high = b->summary.high = fmaxf(a->summary.high, b->summary.high);
    a->summary.least = b->summary.least = fminf(a->summary.least, b->summary.least);
}

static double largest_difference(const Table *a, const Table *b) {
    double largest = 0;
    for (int i = 0; i < a->rows.count * a->columns.count; i++)
        largest = fmax(largest, fabs((double)a->values[i] - (double)b->values[i]));
    return largest;
}

static void note_difference(const SceneState *state, Table *table, const Table *plain,
                            Arena *arena) {
    double largest = largest_difference(table, plain);
    const char *digits =
        largest == 0 ? "0" : arena_printf(arena, largest < 1e-4 ? "%.2g" : "%.6f", largest);
    const char *what = state->tables_used == TABLES_IDENTITY ? "With cos 1 and sin 0 nothing turns"
                                                             : "The tables turn queries and keys";
    table_note(table, arena_printf(arena,
                                   "%s: the largest difference to the block without rotation is "
                                   "%s.",
                                   what, digits));
}

static void add_stage(SceneState *state, ExerciseStage stage, Arena *arena) {
    static const char *const titles[] = {"queries and keys, turned", NULL, "norm(x + attention)"};
    Table *made = ARENA_ARRAY(arena, Table, 2);
    made[0] = stage_table(state, stage, state->block.attention, state->block.output, arena);
    made[1] = stage_table(state, stage, &state->plain.self, state->plain.output, arena);
    made[0].title =
        stage == WEIGHTS ? arena_printf(arena, "weights of head %d", state->head) : titles[stage];
    made[1].title = "the same without rotation";
    share_scale(&made[0], &made[1]);
    note_difference(state, &made[0], &made[1], arena);
    if (stage == OUTPUT)
        table_note(&made[0], "Each row has mean 0 and, with 1e-5 inside the root, a variance of "
                             "nearly 1.");
    state->tables[stage] = &made[0];
    state->plain_tables[stage] = &made[1];
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    Arrays arrays;
    RopeBlock block;
    if (!read_arrays(state, arena, &arrays, err) ||
        !transformer_block_with_rope(arena, arrays.x, arrays.wq, arrays.wk, arrays.wv, arrays.wo,
                                     state->heads, arrays.cos, arrays.sin, &block, err))
        return false;
    if (state->head >= block.H)
        return err_set(err, "head %d: there are %d heads, counted from 0", state->head, block.H);
    state->block = block;
    state->plain = run_plain(&arrays, block.H, arena);
    state->input = arrays.x.values;
    state->rope = (Rope){block.T, block.K / 2, arrays.cos.values, arrays.sin.values};
    state->tables_used = *state->cos ? TABLES_GIVEN : (Tables)state->choice;
    for (int i = 0; i < COUNT; i++) add_stage(state, (ExerciseStage)i, arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- the figure ---- */

static const char *tables_words(const SceneState *state, Arena *arena) {
    if (state->tables_used == TABLES_GIVEN) return "given tables";
    if (state->tables_used == TABLES_IDENTITY) return "identity tables";
    return arena_printf(arena, "tables of base %.6g", state->base);
}

static const char *caption(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "Block with RoPE: %s · %s", state->tables[state->shown]->title,
                        tables_words(state, arena));
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    const RopeBlock *block = &state->block;
    return arena_printf(
        arena,
        "%d = %d head%s × %d · scale: 1/√%d · %s down, %s across · colours: one scale for both",
        block->D, block->H, block->H == 1 ? "" : "s", block->K, block->K,
        state->tables[state->shown]->rows.name, state->tables[state->shown]->columns.name);
}

static Pair pair(const SceneState *state, Arena *arena) {
    return (Pair){.caption = caption(state, arena),
                  .facts = figure_facts(state, arena),
                  .titles = {"With rotation", "Without rotation"},
                  .sides = {state->tables[state->shown], state->plain_tables[state->shown]},
                  .both = state->tables[state->shown],
                  .view = &state->view};
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    Pair shown = pair(state, canvas->arena);
    pair_draw(canvas, rect, &shown);
}

static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    Pair shown = pair(state, canvas->arena);
    pair_natural(canvas, &shown, width, height);
}

/* Cells of the right map, beside which they lie, are those of the block without rotation. */
static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    Pair shown = pair(state, canvas->arena);
    return pair_locate(canvas, rect, &shown, x, y, cell);
}

static const Table *part(const SceneState *state, Cell *cell) {
    const Table *left = state->tables[state->shown];
    if (cell->column < left->columns.count) return left;
    cell->column -= left->columns.count;
    return state->plain_tables[state->shown];
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    Pair shown = pair(state, arena);
    return pair_geometry(canvas, rect, &shown, arena);
}

/* ---- the inspector ---- */

/* One of the two blocks that stand side by side. */
typedef struct Side {
    const MultiHeadTrace *attention;
    const float *sum; /* x + attention, [T,D] */
    const Table *table;
    bool turned;
} Side;

static Side side_of(const SceneState *state, bool turned) {
    const BlockTrace *plain = &state->plain;
    if (turned)
        return (Side){state->block.attention, state->block.sum, state->tables[state->shown], true};
    return (Side){&plain->self, plain->self_sub.sum, state->plain_tables[state->shown], false};
}

/* A turned feature from its pair: a cos − b sin, or a sin + b cos. */
static void probe_rotated(const SceneState *state, Side side, Arena *arena, Probe *probe) {
    const MultiHeadTrace *trace = side.attention;
    Cell cell = probe->cell;
    int D = trace->D, K = trace->K, feature = cell.column % D, h = feature / K;
    int second = feature % K % 2, pair = feature % K / 2;
    const float *split = cell.column < D ? trace->q_split : trace->k_split;
    const float *row = split + (size_t)(h * trace->T + cell.row) * (size_t)K + 2 * pair;
    size_t at = (size_t)cell.row * (size_t)state->rope.pairs + (size_t)pair;
    inspect_line(probe, "head, pair", arena_printf(arena, "%d, %d", h, pair));
    inspect_number(probe, arena, "a", (double)row[0]);
    inspect_number(probe, arena, "b", (double)row[1]);
    if (side.turned) {
        inspect_number(probe, arena, "cos", (double)state->rope.cos[at]);
        inspect_number(probe, arena, "sin", (double)state->rope.sin[at]);
    }
    const char *turned = second ? "a sin + b cos" : "a cos − b sin";
    inspect_number(probe, arena,
                   side.turned ? turned
                   : second    ? "b, not turned"
                               : "a, not turned",
                   (double)probe->value)
        ->hot = true;
}

static void probe_weight(const SceneState *state, Side side, Arena *arena, Probe *probe) {
    const MultiHeadTrace *trace = side.attention;
    const AttentionTrace *head = &trace->heads[state->head];
    Cell cell = probe->cell;
    size_t row = (size_t)cell.row * (size_t)trace->T, at = row + (size_t)cell.column;
    inspect_number(probe, arena, "q · k", (double)head->scores[at]);
    inspect_line(probe, "d_k", arena_printf(arena, "%d", trace->K));
    inspect_number(probe, arena, arena_printf(arena, "÷ √%d", trace->K), (double)head->scaled[at]);
    inspect_softmax(probe, arena, head->masked + row, trace->T, cell.column, 1);
    inspect_number(probe, arena, "weight", (double)probe->value)->hot = true;
    inspect_row(probe, arena, side.table, NULL, cell.row);
}

static void probe_output(const SceneState *state, Side side, Arena *arena, Probe *probe) {
    size_t D = (size_t)state->block.D, row = (size_t)probe->cell.row * D;
    size_t at = row + (size_t)probe->cell.column;
    const float *sum = side.sum + row;
    double mean = 0, variance = 0;
    for (size_t d = 0; d < D; d++) mean += (double)sum[d] / (double)D;
    for (size_t d = 0; d < D; d++)
        variance += ((double)sum[d] - mean) * ((double)sum[d] - mean) / (double)D;
    inspect_number(probe, arena, "x", (double)state->input[at]);
    inspect_number(probe, arena, "attention", (double)side.attention->output[at]);
    inspect_number(probe, arena, "sum", (double)side.sum[at])->rule = true;
    inspect_number(probe, arena, "mean of the row", mean);
    inspect_number(probe, arena, "variance of the row", variance);
    inspect_number(probe, arena, "(sum − mean) ÷ √(var + ε)", (double)probe->value)->hot = true;
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    if (cell.row < 0 || cell.column < 0) return false;
    Side side = side_of(state, cell.column < state->tables[state->shown]->columns.count);
    part(state, &cell);
    if (cell.row >= side.table->rows.count || cell.column >= side.table->columns.count)
        return false;
    *out = inspect_cell(arena, side.table, cell);
    if (!side.turned) out->title = arena_printf(arena, "%s, without rotation", out->title);
    if (state->shown == ROTATED) probe_rotated(state, side, arena, out);
    if (state->shown == WEIGHTS) probe_weight(state, side, arena, out);
    if (state->shown == OUTPUT) probe_output(state, side, arena, out);
    return true;
}

static const char *facts(const SceneState *state, Arena *arena) {
    const RopeBlock *block = &state->block;
    return arena_printf(arena, "x %d × %d · %d heads of %d", block->T, block->D, block->H,
                        block->K);
}

const Scene scene_exercise = {
    .name = "exercise",
    .title = "A block with RoPE, by hand",
    .menu = "Block exercise",
    .group = "blocks",
    .lesson = "Type the arrays of a small block and see every number; with cos 1 and sin 0 it is "
              "the block without rotation.",
    .order = 110,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "output",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .compute = compute,
    .draw = draw,
    .caption = caption,
    .natural = natural,
    .locate = locate,
    .geometry = geometry,
    .part = part,
    .probe = probe,
    .table = table,
    .facts = facts,
};
