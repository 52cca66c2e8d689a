/* Decoding with a cache of keys and values, step by step: the prompt is run at once, then each
 * token brings one query, one key and one value, and reads those before it from the cache. The rows
 * are those of one full causal run, unless positions are made to start again at each step. */
#include "base/text.h"
#include "core/attention.h"
#include "core/cost.h"
#include "core/tensor.h"
#include "scene/blockmodel.h"
#include "scene/decoding.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define CACHE_STAGES(ROW)                                                                          \
    ROW("queries", "Q", "Only the new tokens have queries: those of earlier steps are not kept.")  \
    ROW("keys", "K", "The new tokens' keys are put behind those that the cache holds.")            \
    ROW("values", "V", "Their values too; what is in the cache is never computed again.")          \
    ROW("weights", "softmax", "Each step adds a row: its query onto all keys in the cache.")       \
    ROW("difference", "difference", "The rows of the steps minus those of one full causal run.")   \
    ROW("cost", "cost", "Multiply-adds of each step, with the cache and without.")

typedef enum CacheStage { QUERIES, KEYS, VALUES, WEIGHTS, DIFFERENCE, COST, COUNT } CacheStage;
typedef enum CachePositions { CONTINUED, RESTARTED } CachePositions;

static const double SECONDS_A_STEP = 0.8;

struct SceneState {
    View view;
    Stage *stage;
    BlockChoice choice;
    int shown, step, prompt, head, positions;
    int step_before; /* what the last compute made of step; its start before the first */
    double waited;   /* seconds since the last step while playing */
    /* made by compute */
    BlockSetting setting;
    Decoding decoding;
    const Table *tables[COUNT], *full_table;
};

static const SceneStage stages[] = {CACHE_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {CACHE_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice position_choices[] = {
    [CONTINUED] = {"continued", "go on"},
    [RESTARTED] = {"restarted", "restart at 0"},
    {NULL, NULL},
};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "weights", "what is shown of the step"),
    {.name = "step",
     .label = "decode step",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, step),
     .min = 0,
     .max = SENTENCE_TOKENS_MAX - 1,
     .step = 1,
     .start = "3",
     .slider_max = 15,
     .help = "0 runs the prompt, each further step decodes one token; Space plays them"},
    {.name = "prompt",
     .label = "prompt",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, prompt),
     .min = 1,
     .max = SENTENCE_TOKENS_MAX,
     .step = 1,
     .start = "4",
     .slider_min = 1,
     .slider_max = 16,
     .help = "tokens that are run together in step 0, at most all of the text"},
    {.name = "positions",
     .label = "positions",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, positions),
     .choices = position_choices,
     .start = "continued",
     .key = 'P',
     .help = "continued, or wrong on purpose: restarted counts each step's positions from 0"},
    {.name = "rope",
     .label = "RoPE",
     .kind = KNOB_SWITCH,
     .at = offsetof(SceneState, choice.rope),
     .start = "on",
     .key = 'R',
     .help = "turn queries and keys by their positions; without it positions change nothing"},
    STAGE_HEAD_KNOB(SceneState, head, decoding.H, 31, "the head that is shown, counted from 0"),
    BLOCKMODEL_SHAPE_KNOBS(SceneState),
    BLOCKMODEL_WEIGHT_KNOBS(SceneState),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* models are read when they are needed */
    state->stage = stage;
    state->step_before = state->step;
    return true;
}

/* ---- steps ---- */

static int last_step(const SceneState *state) {
    return decoding_last(state->decoding.T, state->prompt);
}

static bool tick(SceneState *state, double dt) {
    state->waited += dt;
    if (state->waited < SECONDS_A_STEP) return false;
    state->waited = 0;
    state->step = state->step < last_step(state) ? state->step + 1 : 0;
    return true;
}

static bool finished(const SceneState *state) {
    return state->step >= last_step(state);
}

/* A text that has become shorter takes the step back with it; one that is asked for is refused. */
static bool check_places(SceneState *state, int T, int H, Err *err) {
    int last = decoding_last(T, state->prompt);
    if (state->head >= H)
        return err_usage(err, "head %d: there are %d heads, counted from 0", state->head, H);
    if (state->step > last && state->step != state->step_before)
        return err_usage(err,
                         "step %d: the text has %d tokens and the prompt %d of them, so the steps "
                         "go from 0 to %d",
                         state->step, T, T - last, last);
    if (state->step > last) state->step = last;
    state->step_before = state->step;
    return true;
}

/* ---- numbers ---- */

static const char *positions_note(const SceneState *state) {
    if (!state->choice.rope)
        return "Without RoPE no position enters the weights: how they are counted changes "
               "nothing.";
    return state->positions == RESTARTED
               ? "Wrong on purpose: each step counts its positions from 0 again."
               : "Positions go on where the cache ends.";
}

static void add_table(SceneState *state, Arena *arena, CacheStage stage, Table table) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    const char *random = blockmodel_note(&state->setting.model);
    const char *entry = blockmodel_entry_note(arena, &state->setting.model);
    if (stage == WEIGHTS || stage == DIFFERENCE)
        table_note(made, decoding_equality(&state->decoding, arena));
    if (stage != COST && stage != VALUES) table_note(made, positions_note(state));
    if (random && stage != COST) table_note(made, random);
    if (entry && stage < WEIGHTS) table_note(made, entry);
    state->tables[stage] = made;
}

static void add_rows(SceneState *state, Arena *arena, CacheStage stage, const char *what,
                     const float *values, int from) {
    const char *title = arena_printf(arena, "%s of head %d", what, state->head);
    add_table(state, arena, stage, decoding_rows(arena, &state->decoding, title, values, from));
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    BlockSetting setting;
    if (!blockmodel_open(&state->choice, 1, state->stage, arena, &setting, err) ||
        !check_places(state, setting.sentence.T, setting.model.shape.H, err))
        return false;
    DecodingPlan plan = {.prompt = state->prompt,
                         .step = state->step,
                         .head = state->head,
                         .rope = state->choice.rope,
                         .restart = state->positions == RESTARTED};
    if (!decoding_run(arena, &setting, plan, &state->decoding, err)) return false;
    state->setting = setting;
    const Decoding *decoding = &state->decoding;
    add_rows(state, arena, QUERIES, "queries", decoding->queries, decoding->first);
    add_rows(state, arena, KEYS, "keys", decoding->keys, 0);
    add_rows(state, arena, VALUES, "values", decoding->values, 0);
    add_table(state, arena, WEIGHTS, decoding_map(arena, decoding));
    add_table(state, arena, DIFFERENCE, decoding_difference(arena, decoding));
    add_table(state, arena, COST, decoding_costs(arena, decoding));
    Table *full = ARENA_NEW(arena, Table);
    *full = decoding_full_map(arena, decoding);
    full->stage = stages[WEIGHTS].name;
    state->full_table = full;
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- figures ---- */

static const char *caption(const SceneState *state, Arena *arena) {
    Text text = text_open(arena);
    text_addf(&text, "Decoding with a cache: %s · step %d of 0 … %d",
              state->tables[state->shown]->title, state->step, last_step(state));
    if (!state->choice.rope) text_add(&text, " · no RoPE");
    if (state->choice.rope && state->positions == RESTARTED)
        text_add(&text, " · positions restarted");
    return text.bytes;
}

static const char *figure_facts(const SceneState *state) {
    if (state->shown == QUERIES) return "frame: computed in this step · missing: not kept, not yet";
    if (state->shown < WEIGHTS)
        return "frame: computed in this step · no frame: read from the cache · missing: to come";
    return "frame: the rows of this step · missing: no weight was computed";
}

static Figure matrix(const SceneState *state, const Table *shown, bool brief, Arena *arena) {
    View *view = ARENA_NEW(arena, View);
    *view = brief ? stage_view() : state->view;
    if (brief) view->palette = state->view.palette;
    return (Figure){.caption = brief ? shown->title : caption(state, arena),
                    .facts = brief ? NULL : figure_facts(state),
                    .table = shown,
                    .view = view,
                    .brief = brief,
                    .framed_from = state->decoding.first,
                    .framed_rows = state->decoding.length - state->decoding.first};
}

/* What each step costs, or all steps so far: a curve for each way. */
static PlotFigure cost_figure(const SceneState *state, bool sums, const Theme *theme,
                              Arena *arena) {
    const Table *costs = state->tables[COST];
    int from = sums ? 2 : 0, last = last_step(state);
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, 2);
    for (int i = 0; i < 2; i++) {
        const char *name = costs->columns.labels[from + i].text;
        curves[i] = (PlotCurve){.name = name,
                                .label = sums ? NULL : name,
                                .color = plot_hue(theme, 1 - i, 2),
                                .shape = PLOT_LINE_POINTS,
                                .count = costs->rows.count,
                                .step = 1,
                                .y = costs->values + from + i,
                                .stride = DECODING_COSTS};
    }
    PlotAxis across = {"step", 0, last > 0 ? last : 1, false, true};
    PlotMarker *marker = ARENA_NEW(arena, PlotMarker);
    *marker = (PlotMarker){state->step, sums ? NULL : arena_printf(arena, "step %d", state->step),
                           theme->acc};
    Plot *plot = ARENA_NEW(arena, Plot);
    *plot = (Plot){.x = sums ? across : panels_zoomed(across, &state->view, true),
                   .y = {NULL, 0, 1.05 * (double)table_value(costs, last, from + 1), false, false},
                   .curves = curves,
                   .curve_count = 2,
                   .markers = marker,
                   .marker_count = 1,
                   .chosen_curve = sums || state->view.column > 1 ? -1 : state->view.column,
                   .chosen_point = state->view.row};
    return (PlotFigure){.caption = sums ? "all steps so far" : caption(state, arena),
                        .plot = plot,
                        .table = costs,
                        .brief = sums};
}

/* The stage shown; beside the difference the two maps that it lies between, beside the cost of
 * steps their sum. */
static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    const Table *shown = state->tables[state->shown];
    if (state->shown == COST) {
        list[0] = (Panel){.curves = cost_figure(state, false, theme, arena)};
        list[1] = (Panel){.curves = cost_figure(state, true, theme, arena)};
        return 2;
    }
    list[0] = (Panel){.matrix = matrix(state, shown, false, arena)};
    if (state->shown != DIFFERENCE) return 1;
    list[1] = (Panel){.matrix = matrix(state, state->tables[WEIGHTS], true, arena)};
    list[2] = (Panel){.matrix = matrix(state, state->full_table, true, arena)};
    return 3;
}

PANELS_FUNCTIONS

/* A map alone has the size that its cells need. */
static void natural_size(const SceneState *state, Canvas *canvas, int *width, int *height) {
    Figure alone = matrix(state, state->tables[state->shown], false, canvas->arena);
    if (state->shown < DIFFERENCE)
        figure_natural(canvas, &alone, width, height);
    else
        natural(state, canvas, width, height);
}

/* ---- the inspector ---- */

/* When token t was computed, and where it was taken to stand. */
static void probe_origin(const SceneState *state, Arena *arena, const char *what, int t,
                         Probe *probe) {
    const Decoding *decoding = &state->decoding;
    int step = decoding_step_of(decoding, t), position = decoding_position_of(decoding, t);
    inspect_line(probe, arena_printf(arena, "%s computed in", what),
                 arena_printf(arena, "step %d%s", step, step == state->step ? ", now" : ""));
    if (!state->choice.rope || state->shown == VALUES) return;
    struct ProbeLine *line =
        inspect_line(probe, arena_printf(arena, "position of the %s", what),
                     position == t ? arena_printf(arena, "%d", t)
                                   : arena_printf(arena, "%d instead of %d", position, t));
    if (position != t) line->light = PROBE_BROKEN;
}

static const float *row_of(const SceneState *state, const float *values, int t) {
    return values + (size_t)t * (size_t)state->decoding.K;
}

static void probe_weight(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    int K = state->decoding.K, keys = cell.row + 1;
    const float *q = row_of(state, state->decoding.queries, cell.row), *k = state->decoding.keys;
    const float *key = row_of(state, k, cell.column);
    float *scores = ARENA_ARRAY(arena, float, keys), scale = attention_scale(K);
    for (int j = 0; j < keys; j++) scores[j] = tensor_dot(q, row_of(state, k, j), K) * scale;
    probe_origin(state, arena, "query", cell.row, probe);
    probe_origin(state, arena, "key", cell.column, probe);
    struct ProbeLine *first = &probe->lines[probe->line_count];
    inspect_terms(probe, arena, &state->tables[KEYS]->columns, q, key, 1);
    inspect_number(probe, arena, "q · k", (double)tensor_dot(q, key, K));
    first->rule = true;
    inspect_number(probe, arena, arena_printf(arena, "÷ √%d", K), (double)scores[cell.column]);
    inspect_softmax(probe, arena, scores, keys, cell.column, 1);
    size_t at = (size_t)cell.row * (size_t)state->decoding.T + (size_t)cell.column;
    inspect_number(probe, arena, "weight", (double)state->decoding.map[at])->hot =
        state->shown == WEIGHTS;
    inspect_number(probe, arena, "in the full run", (double)state->decoding.full_map[at]);
}

static void probe_row(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Table *weights = state->tables[WEIGHTS];
    int T = state->decoding.T;
    uint8_t *seen = ARENA_ARRAY(arena, uint8_t, T);
    for (int j = 0; j < T; j++) seen[j] = table_state(weights, cell.row, j) == CELL_OK;
    inspect_row(probe, arena, weights, seen, cell.row);
}

static const char *absence(const SceneState *state, Cell cell, CellState why) {
    if (why == CELL_BLOCKED)
        return "Blocked: within the prompt the causal mask hides the keys behind the query.";
    if (cell.row >= state->decoding.length) return "Not decoded yet.";
    return "This key was not there when the query was computed: no weight was needed, and none "
           "was computed.";
}

static void probe_pair(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    if (probe->state == CELL_OK)
        probe_weight(state, arena, cell, probe);
    else
        inspect_line(probe, "weight", cell_state_name(probe->state));
    if (state->shown == DIFFERENCE && probe->state == CELL_OK)
        inspect_line(
            probe, "difference",
            arena_printf(arena, "%s%.3g", probe->value < 0 ? "−" : "", fabs((double)probe->value)))
            ->hot = true;
    if (cell.row < state->decoding.length) probe_row(state, arena, cell, probe);
    if (probe->state != CELL_OK) probe->sentence = absence(state, cell, probe->state);
}

static void probe_feature(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Decoding *d = &state->decoding;
    size_t row = (size_t)state->head * (size_t)d->T + (size_t)cell.row;
    size_t at = row * (size_t)d->K + (size_t)cell.column;
    static const char *const names[] = {"query", "key", "value"};
    bool there = probe->state == CELL_OK, turns = state->choice.rope && state->shown != VALUES;
    if (cell.row >= d->length) {
        inspect_line(probe, "value", cell_state_name(probe->state));
        probe->sentence = "Not decoded yet.";
        return;
    }
    probe_origin(state, arena, names[state->shown], cell.row, probe);
    if (there && turns)
        inspect_number(probe, arena, "before RoPE",
                       (double)(state->shown == QUERIES ? d->full.q_split : d->full.k_split)[at]);
    if (there) inspect_number(probe, arena, "value", (double)probe->value)->hot = true;
    int again = state->step - decoding_step_of(d, cell.row);
    if (state->shown == QUERIES && again > 0)
        probe->sentence = "Used once, in its own step, and not kept.";
    else if (state->shown != QUERIES)
        inspect_count(probe, arena, "later steps that read it", again);
}

static CostShape cost_shape(const SceneState *state) {
    return (CostShape){state->decoding.H, state->decoding.K};
}

static void probe_cost(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    CostShape shape = cost_shape(state);
    DecodingCost cost = decoding_cost(&state->decoding, cell.row);
    bool without = cell.column % 2 == 1, again = without || cell.row == 0;
    int length = decoding_length(&state->decoding, cell.row), D = shape.H * shape.K;
    int rows = again ? length : 1;
    probe->title = arena_printf(arena, "step %d, %s", cell.row,
                                state->tables[COST]->columns.labels[cell.column].text);
    inspect_count(probe, arena, arena_printf(arena, "projections: 4 × %d × %d²", rows, D),
                  cost_projection(shape, rows));
    inspect_count(probe, arena, arena_printf(arena, "attention: 2 × %d × %d × %d", rows, length, D),
                  cost_rectangle(shape, rows, length).multiply_adds);
    inspect_count(probe, arena, "this step", again ? cost.again : cost.cached)->hot =
        cell.column < 2;
    inspect_count(probe, arena, "so far", without ? cost.again_sum : cost.cached_sum)->hot =
        cell.column >= 2;
    inspect_number(probe, arena, "without ÷ with cache, so far", cost.again_sum / cost.cached_sum);
    inspect_count(probe, arena, "bytes in the cache", cost_cache_bytes(shape, length))->rule = true;
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    if (state->shown == COST)
        probe_cost(state, arena, cell, out);
    else if (state->shown < WEIGHTS)
        probe_feature(state, arena, cell, out);
    else
        probe_pair(state, arena, cell, out);
    return true;
}

static const char *cost_sentence(const SceneState *state, Arena *arena) {
    DecodingCost cost = decoding_cost(&state->decoding, state->step);
    return arena_printf(arena, "So far %s multiply-adds with the cache, %s without: %.1f times.",
                        text_count(arena, cost.cached_sum), text_count(arena, cost.again_sum),
                        cost.again_sum / cost.cached_sum);
}

static const char *sentence(const SceneState *state, Arena *arena) {
    const Decoding *d = &state->decoding;
    if (state->shown == COST) return cost_sentence(state, arena);
    if (state->shown == DIFFERENCE) return decoding_equality(d, arena);
    if (state->step == 0)
        return arena_printf(arena, "Step 0, the prompt: %d token%s computed; keys and values kept.",
                            d->length, d->length == 1 ? "" : "s");
    const char *name = inspect_name(arena, &state->tables[KEYS]->rows, d->first);
    return arena_printf(arena,
                        "Step %d: “%s” brings 1 query, 1 key, 1 value; %d keys and values are "
                        "read from the cache.",
                        state->step, name, d->first);
}

static const char *facts(const SceneState *state, Arena *arena) {
    const Decoding *decoding = &state->decoding;
    double bytes = cost_cache_bytes(cost_shape(state), decoding->length);
    return arena_printf(arena, "%d of %d tokens · %d heads × %d · cache %s bytes", decoding->length,
                        decoding->T, decoding->H, decoding->K, text_count(arena, bytes));
}

const Scene scene_cache = {
    .name = "cache",
    .title = "Decoding with a cache",
    .menu = "Cache",
    .group = "blocks",
    .lesson = "A new token asks all earlier keys and values; these do not change, so they are kept "
              "instead of computed again.",
    .order = 120,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "weights",
    .steps = "stage",
    .up_down = "step",
    .view = offsetof(SceneState, view),
    .open = open,
    .tick = tick,
    .finished = finished,
    .compute = compute,
    .draw = draw,
    .natural = natural_size,
    .locate = locate,
    .geometry = geometry,
    .caption = caption,
    .probe = probe,
    .table = table,
    .sentence = sentence,
    .facts = facts,
};
