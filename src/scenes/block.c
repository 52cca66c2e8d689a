/* One block as a walk along its data: every step has its numbers and its shape, and the row of the
 * chosen token can be followed from the input to the output. Norm and feed-forward layer can be
 * exchanged, and what that changes is said in numbers. */
#include "core/block.h"
#include "base/text.h"
#include "core/tensor.h"
#include "scene/blockmodel.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define BLOCK_STAGES(ROW)                                                                          \
    ROW("norm", "norm", "Each row is brought to one length.")                                      \
    ROW("q", "Q", "What each token looks for: the row times Wq, for all heads at once.")           \
    ROW("k", "K", "What each token offers to be found by: the row times Wk.")                      \
    ROW("v", "V", "What each token hands over: the row times Wv.")                                 \
    ROW("scores", "QKᵀ", "In each head every query is multiplied with every key, and scaled.")     \
    ROW("weights", "softmax", "Each row of a head becomes shares of attention that sum to 1.")     \
    ROW("concat", "concat", "Each head's mean of its values, the heads side by side again.")       \
    ROW("projection", "Wo", "The output projection mixes the heads.")                              \
    ROW("residual", "+ x", "What attention found is added to what was there.")                     \
    ROW("norm2", "norm", "Each row is brought to one length again.")                               \
    ROW("feedforward", "FFN", "Each row alone goes up to a wider layer and down again.")           \
    ROW("residual2", "+ norm", "What the feed-forward layer found is added to what it read.")      \
    ROW("output", "output", "The last sum, or with post-norm its norm: the block is done.")

typedef enum BlockStage {
    NORM,
    Q,
    K,
    V,
    SCORES,
    WEIGHTS,
    CONCAT,
    PROJECTION,
    RESIDUAL,
    NORM2,
    FEEDFORWARD,
    RESIDUAL2,
    OUTPUT,
    COUNT
} BlockStage;

struct SceneState {
    View view;
    Stage *stage;
    BlockChoice choice;
    int shown, head, place, norm, feed;
    /* made by compute */
    BlockSetting setting;
    BlockTrace trace;
    double change[COUNT]; /* largest difference of a step to pre-norm, LayerNorm and GELU */
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {BLOCK_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {BLOCK_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice places[] = {
    [NORM_PRE] = {"pre", "before each part"},
    [NORM_POST] = {"post", "behind each sum"},
    {NULL, NULL},
};
static const KnobChoice norms[] = {
    [NORM_LAYER] = {"layer", "LayerNorm"},
    [NORM_RMS] = {"rms", "RMSNorm"},
    {NULL, NULL},
};
static const KnobChoice feeds[] = {
    [FEED_GELU] = {"gelu", "GELU"},
    [FEED_GELU_TANH] = {"gelu-tanh", "GELU (tanh)"},
    [FEED_SWIGLU] = {"swiglu", "SwiGLU"},
    {NULL, NULL},
};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "norm", "the step whose numbers are shown"),
    {.name = "norm-place",
     .label = "norm stands",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, place),
     .choices = places,
     .start = "pre",
     .key = 'O',
     .help = "pre: y = x + F(norm(x)); post: y = norm(x + F(x))"},
    {.name = "norm",
     .label = "norm",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, norm),
     .choices = norms,
     .start = "layer",
     .key = 'K',
     .help = "LayerNorm takes the mean away, RMSNorm only divides by the root mean square"},
    {.name = "feed",
     .label = "FFN",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, feed),
     .choices = feeds,
     .start = "gelu",
     .key = 'F',
     .help = "what stands between the two layers of the feed-forward part"},
    STAGE_HEAD_KNOB(SceneState, head, setting.model.shape.H, 31,
                    "the head whose scores and weights are shown, counted from 0"),
    BLOCKMODEL_KNOBS(SceneState),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* models are read when they are needed */
    state->stage = stage;
    return true;
}

/* ---- numbers ---- */

static const float *values_of(const BlockTrace *t, int chosen, BlockStage stage) {
    const AttentionTrace *head = &t->self.heads[chosen];
    const float *const values[COUNT] = {
        [NORM] = t->self_sub.normed,
        [Q] = t->self.q,
        [K] = t->self.k,
        [V] = t->self.v,
        [SCORES] = head->scaled,
        [WEIGHTS] = head->weights,
        [CONCAT] = t->self.joined,
        [PROJECTION] = t->self.output,
        [RESIDUAL] = t->self_sub.sum,
        [NORM2] = t->feed_sub.normed,
        [FEEDFORWARD] = t->feed.output,
        [RESIDUAL2] = t->feed_sub.sum,
        [OUTPUT] = t->output,
    };
    return values[stage];
}

static bool is_pairs(BlockStage stage) {
    return stage == SCORES || stage == WEIGHTS;
}

/* What stands in the title; the same step means something else in post-norm. */
static const char *stage_title(const SceneState *state, BlockStage stage, Arena *arena) {
    bool pre = state->place == NORM_PRE;
    const char *norm = norms[state->norm].label, *feed = feeds[state->feed].label;
    switch (stage) {
    case NORM:
        return arena_printf(arena, pre ? "%s(x)" : "%s(x + attention)", norm);
    case Q:
        return "queries Q";
    case K:
        return "keys K";
    case V:
        return "values V";
    case SCORES:
        return arena_printf(arena, "scaled scores of head %d", state->head);
    case WEIGHTS:
        return arena_printf(arena, "weights of head %d", state->head);
    case CONCAT:
        return "heads side by side";
    case PROJECTION:
        return "attention, projected by Wo";
    case RESIDUAL:
        return "x + attention";
    case NORM2:
        return arena_printf(arena, pre ? "%s(x + attention)" : "%s(norm + feed-forward)", norm);
    case FEEDFORWARD:
        return arena_printf(arena, "feed-forward, %s", feed);
    case RESIDUAL2:
        return pre ? "sum + feed-forward" : "norm + feed-forward";
    default:
        if (pre) return "output of the block";
        return arena_printf(arena, "output of the block, %s(norm + feed-forward)", norm);
    }
}

static const char *shape_words(const SceneState *state, BlockStage stage, Arena *arena) {
    int T = state->trace.T, D = state->trace.D, H = state->trace.self.H;
    if (is_pairs(stage)) return arena_printf(arena, "%d × %d, one of %d heads", T, T, H);
    if (stage >= Q && stage <= CONCAT)
        return arena_printf(arena, "%d × %d = %d heads × %d × %d", T, D, H, T, D / H);
    if (stage == FEEDFORWARD)
        return arena_printf(arena, "%d × %d, through %d × %d", T, D, T, state->trace.feed.F);
    return arena_printf(arena, "%d × %d", T, D);
}

static void add_notes(const SceneState *state, BlockStage stage, Table *table, Arena *arena) {
    const char *random = blockmodel_note(&state->setting.model);
    const char *entry = blockmodel_entry_note(arena, &state->setting.model);
    bool usual = state->place == NORM_PRE && state->norm == NORM_LAYER && state->feed == FEED_GELU;
    const char *here = "";
    if (stage != OUTPUT)
        here = arena_printf(arena, "this step differs by at most %.4f, ", state->change[stage]);
    if (!usual)
        table_note(table, arena_printf(arena,
                                       "Against pre-norm, LayerNorm and GELU %sthe output%s by at "
                                       "most %.4f.",
                                       here, *here ? "" : " differs", state->change[OUTPUT]));
    if (random) table_note(table, random);
    if (entry) table_note(table, entry);
}

static void add_stage(SceneState *state, BlockStage stage, Arena *arena) {
    const float *values = values_of(&state->trace, state->head, stage);
    int T = state->trace.T;
    bool pairs = is_pairs(stage), weights = stage == WEIGHTS;
    int columns = pairs ? T : state->trace.D;
    const Label *labels = state->setting.sentence.labels;
    const uint8_t *allowed = state->trace.self.allowed;
    Table *made = ARENA_NEW(arena, Table);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, (size_t)T * (size_t)columns);
    for (int i = 0; pairs && allowed && i < T * T; i++)
        if (!allowed[i]) states[i] = CELL_BLOCKED;
    *made = (Table){.stage = stages[stage].name,
                    .title = stage_title(state, stage, arena),
                    .quantity = weights ? "weight"
                                : pairs ? "score"
                                        : "value",
                    .kind = weights ? TABLE_WEIGHTS : TABLE_SIGNED,
                    .rows = {pairs ? "query" : "token", T, labels},
                    .columns = {pairs ? "key" : "feature", columns,
                                pairs ? labels : label_numbers(arena, 0, columns)},
                    .values = values,
                    .states = states,
                    .sums = weights};
    table_seal(made, states);
    add_notes(state, stage, made, arena);
    state->tables[stage] = made;
}

static BlockTrace run(const BlockSetting *setting, const Block *block, Arena *arena) {
    BlockInput input = {.x = setting->x, .T = setting->sentence.T, .self = setting->rule};
    return block_forward(arena, block, &input);
}

static double largest_difference(const float *a, const float *b, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) largest = fmax(largest, fabs((double)a[i] - (double)b[i]));
    return largest;
}

/* What was exchanged, told in numbers: the block as it usually is, run over the same rows. */
static void compare(SceneState *state, Arena scratch) {
    int T = state->trace.T, D = state->trace.D;
    BlockTrace usual = run(&state->setting, &state->setting.model.blocks[0], &scratch);
    for (int i = 0; i < COUNT; i++) {
        BlockStage stage = (BlockStage)i;
        state->change[i] = largest_difference(values_of(&state->trace, state->head, stage),
                                              values_of(&usual, state->head, stage),
                                              T * (is_pairs(stage) ? T : D));
    }
}

/* The way of the data. What the output is by another name, the sum of pre-norm and the norm of
 * post-norm, is no step of its own. */
static const int *walk(const SceneState *state) {
    static const int pre[] = {NORM,       Q,        K,     V,           SCORES, WEIGHTS, CONCAT,
                              PROJECTION, RESIDUAL, NORM2, FEEDFORWARD, OUTPUT, -1};
    static const int post[] = {Q,        K,    V,           SCORES,    WEIGHTS, CONCAT, PROJECTION,
                               RESIDUAL, NORM, FEEDFORWARD, RESIDUAL2, OUTPUT,  -1};
    return state->place == NORM_PRE ? pre : post;
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    BlockSetting setting;
    Block block;
    BlockVariant variant = {(NormPlace)state->place, (NormKind)state->norm, (FeedKind)state->feed};
    if (!blockmodel_open(&state->choice, 1, state->stage, arena, &setting, err) ||
        !blockmodel_variant(arena, &setting.model, variant, (uint64_t)state->choice.seed, &block,
                            err))
        return false;
    if (state->head >= setting.model.shape.H)
        return err_set(err, "head %d: there are %d heads, counted from 0", state->head,
                       setting.model.shape.H);
    if (!block.has_feed)
        return err_set(err, "%s has no feed-forward layer in its first block (l0.ff1)",
                       state->choice.file);
    if (state->shown == (state->place == NORM_PRE ? RESIDUAL2 : NORM2)) state->shown = OUTPUT;
    memset(state->tables, 0, sizeof state->tables);
    state->setting = setting;
    state->trace = run(&setting, &block, arena);
    compare(state, *arena);
    for (int i = 0; i < COUNT; i++) add_stage(state, (BlockStage)i, arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- the figure ---- */

static double row_length(const float *values, int row, int D) {
    const float *at = values + (size_t)row * (size_t)D;
    return sqrt((double)tensor_dot(at, at, D));
}

/* The chosen token's way through the block, as the length of its row behind each part. */
static const char *way_of_row(const SceneState *state, int row, Arena *arena) {
    const BlockTrace *t = &state->trace;
    const char *name = inspect_name(arena, &state->tables[NORM]->rows, row);
    const char *pre = "length of %s: x %.2f → norm %.2f → attention %.2f → sum %.2f → norm %.2f → "
                      "FFN %.2f → output %.2f";
    const char *post = "length of %s: x %.2f → attention %.2f → sum %.2f → norm %.2f → FFN %.2f → "
                       "sum %.2f → output %.2f";
    double x = row_length(t->self_sub.input, row, t->D);
    double norm = row_length(t->self_sub.normed, row, t->D);
    double attention = row_length(t->self.output, row, t->D);
    double sum = row_length(t->self_sub.sum, row, t->D);
    double norm2 = row_length(t->feed_sub.normed, row, t->D);
    double feed = row_length(t->feed.output, row, t->D);
    double output = row_length(t->output, row, t->D);
    if (state->place == NORM_PRE)
        return arena_printf(arena, pre, name, x, norm, attention, sum, norm2, feed, output);
    return arena_printf(arena, post, name, x, attention, sum, norm, feed,
                        row_length(t->feed_sub.sum, row, t->D), output);
}

static const char *caption(const SceneState *state, Arena *arena) {
    const Table *shown = state->tables[state->shown];
    return arena_printf(arena, "Block: %s · %s%s", shown->title,
                        shape_words(state, (BlockStage)state->shown, arena),
                        state->setting.rule.causal ? " · causal mask" : "");
}

static Figure figure(const SceneState *state, Arena *arena) {
    int row = state->view.row >= 0 && state->view.row < state->trace.T ? state->view.row : 0;
    const char *order = state->place == NORM_PRE ? "pre-norm" : "post-norm";
    return (Figure){.caption = caption(state, arena),
                    .facts = arena_printf(arena, "%s · %s", order, way_of_row(state, row, arena)),
                    .table = state->tables[state->shown],
                    .view = &state->view};
}

FIGURE_FUNCTIONS

/* ---- the inspector ---- */

/* What the row of a step is like: length, mean and deviation of its features. */
static void probe_row(Probe *probe, Arena *arena, const float *row, int D) {
    double mean = 0, squares = 0;
    for (int d = 0; d < D; d++) mean += (double)row[d] / D;
    for (int d = 0; d < D; d++) squares += ((double)row[d] - mean) * ((double)row[d] - mean) / D;
    inspect_number(probe, arena, "length of the row", row_length(row, 0, D))->rule = true;
    inspect_number(probe, arena, "mean of the row", mean);
    inspect_number(probe, arena, "deviation of the row", sqrt(squares));
}

/* The same feature before, and what was done to it. */
static void probe_feature(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const BlockTrace *t = &state->trace;
    size_t at = (size_t)cell.row * (size_t)t->D + (size_t)cell.column;
    BlockStage stage = (BlockStage)state->shown;
    int width = t->D / t->self.H;
    bool pre = state->place == NORM_PRE;
    if (stage == NORM)
        inspect_number(probe, arena, pre ? "x" : "x + attention",
                       (double)(pre ? t->self_sub.input : t->self_sub.sum)[at]);
    if (stage >= Q && stage <= CONCAT)
        inspect_line(probe, "head, feature",
                     arena_printf(arena, "%d, %d", cell.column / width, cell.column % width));
    if (stage == RESIDUAL) {
        inspect_number(probe, arena, "x", (double)t->self_sub.input[at]);
        inspect_number(probe, arena, "attention", (double)t->self.output[at]);
    }
    if (stage == NORM2 || (stage == OUTPUT && !pre))
        inspect_number(probe, arena, "before",
                       (double)(pre ? t->feed_sub.input : t->feed_sub.sum)[at]);
    if (stage == RESIDUAL2 || (stage == OUTPUT && pre)) {
        inspect_number(probe, arena, "before", (double)t->feed_sub.input[at]);
        inspect_number(probe, arena, "feed-forward", (double)t->feed.output[at]);
    }
    inspect_number(probe, arena, "value", (double)probe->value)->hot = true;
    probe_row(probe, arena,
              values_of(&state->trace, state->head, stage) + (size_t)cell.row * (size_t)t->D, t->D);
}

static void probe_pair(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const MultiHeadTrace *self = &state->trace.self;
    const AttentionTrace *head = &self->heads[state->head];
    size_t row = (size_t)cell.row * (size_t)self->T, at = row + (size_t)cell.column;
    inspect_number(probe, arena, "q · k", (double)head->scores[at]);
    inspect_number(probe, arena, arena_printf(arena, "÷ √%d", self->K), (double)head->scaled[at])
        ->hot = state->shown == SCORES;
    if (state->shown == SCORES) return;
    if (probe->state == CELL_OK)
        inspect_softmax(probe, arena, head->masked + row, self->T, cell.column, 1);
    inspect_number(probe, arena, "weight", (double)probe->value)->hot = true;
    inspect_row(probe, arena, state->tables[WEIGHTS], self->allowed ? self->allowed + row : NULL,
                cell.row);
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    if (is_pairs((BlockStage)state->shown))
        probe_pair(state, arena, cell, out);
    else
        probe_feature(state, arena, cell, out);
    return true;
}

static const char *facts(const SceneState *state, Arena *arena) {
    const BlockTrace *t = &state->trace;
    return arena_printf(arena, "%d tokens · d_model = %d · %d heads", t->T, t->D, t->self.H);
}

const Scene scene_block = {
    .name = "block",
    .title = "One block, step by step",
    .menu = "Block",
    .group = "blocks",
    .lesson = "Attention mixes the tokens, the feed-forward layer works on each alone; both only "
              "add to what is there.",
    .order = 100,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "output",
    .steps = "stage",
    .walk = walk,
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    FIGURE_ROWS,
    .probe = probe,
    .table = table,
    .facts = facts,
};
