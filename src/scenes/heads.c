/* All heads of a layer: a grid of maps on one scale, one of them large, their mean or maximum, the
 * difference of two; entropy and distance of every row, how alike the heads are, and what the
 * layers make of the input tokens together. */
#include "base/text.h"
#include "core/health.h"
#include "scene/blockmodel.h"
#include "scene/figure.h"
#include "scene/grid_of_maps.h"
#include "scene/headmaps.h"
#include "scene/inspect.h"
#include "scene/scene.h"

#include <string.h>

#define HEADS_STAGES(ROW)                                                                          \
    ROW("weights", "weights", "Each head has its own queries and keys, and so its own map.")       \
    ROW("entropy", "entropy",                                                                      \
        "How widely each query of a head spreads its attention: 0 is a single key.")               \
    ROW("distance", "distance", "How far away the keys are on average, counted in tokens.")        \
    ROW("agreement", "agreement", "How alike the rows of every two heads are.")                    \
    ROW("rollout", "rollout",                                                                      \
        "All layers multiplied, residuals included: which input tokens a position is made of.")

typedef enum HeadsStage { WEIGHTS, ENTROPY, DISTANCE, AGREEMENT, ROLLOUT, COUNT } HeadsStage;

enum { MAPS_TEXT_MAX = 65536, LAYERS_MAX = 12, HEADS_MAX = 32 };
enum { PROBE_HEADS = 12 };

struct SceneState {
    View view;
    Stage *stage;
    BlockChoice choice;
    char maps_text[MAPS_TEXT_MAX];
    HeadPick pick;
    int shown, layers, measure;
    double residual;
    bool large, all_layers;
    /* made by compute */
    BlockSetting setting; /* of a model */
    HeadMaps maps;
    GridMap *grid;         /* the maps of the layer, or of all layers */
    int first, grid_count; /* the first layer in it, and how many maps */
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {HEADS_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {HEADS_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice reductions[] = {
    [REDUCE_NONE] = {"none", "each head"},
    [REDUCE_MEAN] = {"mean", "mean of heads"},
    [REDUCE_MAX] = {"max", "maximum of heads"},
    {NULL, NULL},
};

static const KnobChoice measures[] = {
    [MEASURE_COSINE] = {"cosine", "cosine"},
    [MEASURE_JS] = {"divergence", "divergence"},
    [MEASURE_TOP] = {"top", "same top key"},
    {NULL, NULL},
};

static const KnobWord head_words[] = {{"none", "none", HEADMAPS_NO_HEAD}, {NULL, NULL, 0}};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "weights", "what is shown of the heads"),
    {.name = "layer",
     .label = "layer",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, pick.layer),
     .min = 0,
     .max = LAYERS_MAX - 1,
     .step = 1,
     .count_at = offsetof(SceneState, maps.L),
     .start = "0",
     .key = 'L',
     .help = "the layer whose heads are shown, counted from 0"},
    {.name = "all-layers",
     .label = "all layers",
     .kind = KNOB_SWITCH,
     .at = offsetof(SceneState, all_layers),
     .start = "off",
     .key = 'W',
     .help = "the heads of all layers at once, a row of maps for each layer"},
    STAGE_HEAD_KNOB(SceneState, pick.head, maps.H, HEADS_MAX - 1,
                    "the chosen head, counted from 0"),
    {.name = "large",
     .label = "large",
     .kind = KNOB_SWITCH,
     .at = offsetof(SceneState, large),
     .start = "off",
     .help = "open the chosen head large, and back to all of them"},
    {.name = "reduce",
     .label = "heads as",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, pick.reduce),
     .choices = reductions,
     .start = "none",
     .key = 'A',
     .help = "each head, or the mean or maximum of the heads of a layer in one map"},
    {.name = "minus",
     .label = "minus head",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, pick.minus),
     .min = 0,
     .max = HEADS_MAX - 1,
     .step = 1,
     .words = head_words,
     .count_at = offsetof(SceneState, maps.H),
     .start = "none",
     .key = 'D',
     .help = "the chosen head minus this one"},
    {.name = "measure",
     .label = "agreement",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, measure),
     .choices = measures,
     .start = "cosine",
     .help = "of two heads: cosine of rows, Jensen-Shannon divergence in bits, same largest key"},
    {.name = "residual",
     .label = "share",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, residual),
     .min = 0,
     .max = 1,
     .step = 0.1,
     .start = "0.5",
     .help = "rollout: share of attention, the rest is the residual; 1 leaves the residual out"},
    {.name = "layers",
     .label = "layers",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, layers),
     .min = 1,
     .max = LAYERS_MAX,
     .step = 1,
     .start = "4",
     .help = "layers of the random model"},
    BLOCKMODEL_KNOBS(SceneState),
    {.name = "maps",
     .label = "your maps",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, maps_text),
     .size = MAPS_TEXT_MAX,
     .start = "",
     .help = "weights of your own: the rows of head 0, then of head 1 ...; or @FILE"},
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* models are read when they are needed */
    state->stage = stage;
    return true;
}

static bool has_grid(const SceneState *state) {
    return state->shown == WEIGHTS && !state->large && headmaps_single(&state->pick);
}

/* The chosen map's place in the grid. */
static int chosen_place(const SceneState *state) {
    return (state->pick.layer - state->first) * state->maps.H + state->pick.head;
}

/* Which head a cell that locate gave belongs to. Maps other than the chosen one lie to its right:
 * the columns of the first begin behind the last of the chosen one. */
static HeadPick pick_at(const SceneState *state, Cell cell) {
    HeadPick pick = state->pick;
    int place = cell.column / state->maps.T - 1;
    if (!has_grid(state) || place < 0 || place >= state->grid_count) return pick;
    pick.layer = state->first + place / state->maps.H;
    pick.head = place % state->maps.H;
    return pick;
}

/* ---- numbers ---- */

/* *run stays NULL where the maps are typed. */
static bool read_maps(SceneState *state, Arena *arena, HeadMaps *maps, const BlockRun **run,
                      Err *err) {
    if (*state->maps_text)
        return headmaps_typed(arena, state->maps_text, state->choice.heads, maps, err);
    if (!blockmodel_run(&state->choice, state->layers, state->stage, run, err)) return false;
    const BlockSetting *setting = &(*run)->setting;
    *maps = headmaps_run(arena, (*run)->traces, setting->model.shape.L, setting->sentence.labels);
    return true;
}

static void add_notes(const SceneState *state, Table *table, Arena *arena) {
    if (*state->maps_text) {
        table_note(table, "These maps were typed; nothing is renormalised.");
        return;
    }
    const char *note = blockmodel_note(&state->setting.model);
    const char *entry = blockmodel_entry_note(arena, &state->setting.model);
    if (note) table_note(table, note);
    if (entry) table_note(table, entry);
}

static void add_table(SceneState *state, Arena *arena, HeadsStage stage, Table table) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    add_notes(state, made, arena);
    state->tables[stage] = made;
}

static const char *head_name(const SceneState *state, int layer, int head, Arena *arena) {
    return headmaps_name(arena, layer, head, state->all_layers);
}

static HeadFuse fuse_of(const SceneState *state) {
    return state->pick.reduce == REDUCE_MAX ? FUSE_MAX : FUSE_MEAN;
}

static void note_weights(const SceneState *state, Table *table, Arena *arena) {
    const HeadMaps *maps = &state->maps;
    const HeadPick *pick = &state->pick;
    bool one = maps->H == 1; /* then its mean and its maximum are the head itself */
    if (pick->reduce == REDUCE_MAX && !one)
        table_note(table, "A maximum has rows that do not sum to 1.");
    else if (pick->reduce == REDUCE_MEAN && !one)
        table_note(table, headmaps_mean_note(arena, maps, pick->layer, table->values));
    else if ((headmaps_single(pick) && !has_grid(state)) || (one && pick->reduce != REDUCE_NONE))
        table_note(table, headmaps_note(arena, maps, table->values));
    if (!*state->maps_text || !headmaps_single(pick)) return;
    Health health = health_weights(arena, table->values, NULL, maps->T, maps->T);
    for (int i = 0; i < health.wrong; i++) table_note(table, health.lines[i]);
}

static void add_weights(SceneState *state, Arena *arena) {
    Table table = headmaps_picked(arena, &state->maps, &state->pick);
    note_weights(state, &table, arena);
    add_table(state, arena, WEIGHTS, table);
}

/* A row for each head of the layers shown, and one for their mean where that is asked for. */
static void add_rows(SceneState *state, Arena *arena) {
    const HeadMaps *maps = &state->maps;
    int count = state->grid_count;
    const float **list = ARENA_ARRAY(arena, const float *, count + 1);
    Label *labels = ARENA_ARRAY(arena, Label, count + 1);
    for (int i = 0; i < count; i++) {
        int layer = state->first + i / maps->H, head = i % maps->H;
        list[i] = headmaps_of(maps, layer, head);
        labels[i] = label_plain(arena, head_name(state, layer, head, arena));
    }
    if (state->pick.reduce == REDUCE_MEAN && !state->all_layers) {
        list[count] = state->tables[WEIGHTS]->values;
        labels[count++] = label_plain(arena, state->tables[WEIGHTS]->title);
    }
    TableAxis rows = {"head", count, labels};
    add_table(state, arena, (HeadsStage)state->shown,
              headmaps_rows(arena, maps, state->shown == DISTANCE, rows, list));
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    HeadMaps maps;
    const BlockRun *run = NULL;
    if (!read_maps(state, arena, &maps, &run, err) || !headmaps_check(&maps, &state->pick, err))
        return false;
    memset(state->tables, 0, sizeof state->tables);
    state->maps = maps;
    if (run) {
        state->setting = run->setting;
        blockmodel_show(state->stage, run);
    }
    state->first = state->all_layers ? 0 : state->pick.layer;
    state->grid_count = (state->all_layers ? maps.L : 1) * maps.H;
    add_weights(state, arena);
    if (has_grid(state)) state->grid = headmaps_grid(arena, &maps, state->first, state->grid_count);
    if (state->shown == ENTROPY || state->shown == DISTANCE) add_rows(state, arena);
    if (state->shown == AGREEMENT)
        add_table(state, arena, AGREEMENT,
                  headmaps_agreement(arena, &maps, state->pick.layer, (HeadMeasure)state->measure));
    if (state->shown == ROLLOUT)
        add_table(state, arena, ROLLOUT,
                  headmaps_rollout(arena, &maps, fuse_of(state), state->residual));
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- the figure ---- */

static const char *mask_words(const SceneState *state) {
    if (*state->maps_text) return "";
    return state->setting.rule.causal ? " · causal mask" : " · no mask";
}

static const char *layer_words_of(const SceneState *state, Arena *arena) {
    const HeadMaps *maps = &state->maps;
    if (state->shown == ROLLOUT) return "";
    bool many = has_grid(state) || state->shown == ENTROPY || state->shown == DISTANCE;
    if (state->all_layers && many)
        return arena_printf(arena, " · %d layers of %d heads", maps->L, maps->H);
    return arena_printf(arena, " · layer %d of 0 … %d", state->pick.layer, maps->L - 1);
}

static const char *caption(const SceneState *state, Arena *arena) {
    const char *title = state->tables[state->shown]->title;
    if (has_grid(state))
        title = state->grid_count == 1
                    ? "weights of one head"
                    : arena_printf(arena, "weights of %d heads", state->grid_count);
    const char *fused = state->shown != ROLLOUT      ? ""
                        : fuse_of(state) == FUSE_MAX ? " · maximum of heads"
                        : state->maps.H > 1          ? " · mean of heads"
                                                     : "";
    return arena_printf(arena, "Heads: %s%s%s%s", title, layer_words_of(state, arena), fused,
                        mask_words(state));
}

static Split split_of(const SceneState *state) {
    const BlockModelShape *shape = &state->setting.model.shape;
    return (Split){state->maps.T, state->maps.T, shape->D, shape->H, shape->D / shape->H};
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    if (*state->maps_text) return "typed maps";
    Split split = split_of(state);
    const char *rope = state->choice.rope ? " · RoPE" : "";
    return arena_printf(arena, "%s · scale: 1/√%d%s", split_words(arena, &split), split.K, rope);
}

static Figure figure(const SceneState *state, Arena *arena) {
    return (Figure){.caption = caption(state, arena),
                    .facts = figure_facts(state, arena),
                    .table = state->tables[state->shown],
                    .view = &state->view};
}

static GridOfMaps grid_of(const SceneState *state, Arena *arena) {
    GridOfMaps grid = {.caption = caption(state, arena),
                       .facts = arena_printf(arena, "%s · entropy in nats, distance in tokens",
                                             figure_facts(state, arena)),
                       .maps = state->grid,
                       .count = state->grid_count,
                       .columns = state->all_layers ? state->maps.H : 0,
                       .chosen = chosen_place(state),
                       .notes = state->tables[WEIGHTS],
                       .view = &state->view};
    if (*state->maps_text || state->all_layers) return grid; /* many maps need all the room */
    Split *split = ARENA_NEW(arena, Split);
    *split = split_of(state);
    grid.split = split;
    return grid;
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    if (has_grid(state)) {
        GridOfMaps grid = grid_of(state, canvas->arena);
        grid_of_maps_draw(canvas, rect, &grid);
    } else {
        Figure shown = figure(state, canvas->arena);
        figure_draw(canvas, rect, &shown);
    }
}

static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    if (has_grid(state)) {
        GridOfMaps grid = grid_of(state, canvas->arena);
        grid_of_maps_natural(canvas, &grid, width, height);
    } else {
        Figure shown = figure(state, canvas->arena);
        figure_natural(canvas, &shown, width, height);
    }
}

static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    Figure shown = figure(state, canvas->arena);
    if (!has_grid(state)) return figure_locate(canvas, rect, &shown, x, y, cell);
    GridOfMaps grid = grid_of(state, canvas->arena);
    int place = grid_of_maps_find(canvas, rect, &grid, x, y, cell);
    if (place < 0) return false;
    if (place != grid.chosen) cell->column += (place + 1) * state->maps.T;
    return true;
}

static const Table *part(const SceneState *state, Cell *cell) {
    if (!has_grid(state)) return state->tables[state->shown];
    HeadPick pick = pick_at(state, *cell);
    cell->column %= state->maps.T;
    return state->grid[(pick.layer - state->first) * state->maps.H + pick.head].table;
}

static const char *choose(const SceneState *state, Cell cell, Arena *arena) {
    HeadPick pick = pick_at(state, cell);
    if (pick.layer == state->pick.layer && pick.head == state->pick.head) return NULL;
    return arena_printf(arena, "set layer %d head %d", pick.layer, pick.head);
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    Figure shown = figure(state, arena);
    if (!has_grid(state)) return figure_geometry(canvas, rect, &shown, arena);
    GridOfMaps grid = grid_of(state, arena);
    return grid_of_maps_geometry(canvas, rect, &grid, arena);
}

/* ---- the inspector ---- */

/* The same cell in every head of the layer, the one pointed at hot; then how that came about. */
static void probe_heads(const SceneState *state, Arena *arena, HeadPick pick, Probe *probe) {
    const HeadMaps *maps = &state->maps;
    size_t at = (size_t)probe->cell.row * (size_t)maps->T + (size_t)probe->cell.column;
    bool single = headmaps_single(&pick);
    for (int h = 0; h < maps->H && h < PROBE_HEADS; h++)
        inspect_number(probe, arena, head_name(state, pick.layer, h, arena),
                       (double)headmaps_of(maps, pick.layer, h)[at])
            ->hot = single && h == pick.head;
    if (!single)
        inspect_number(probe, arena, headmaps_title(arena, maps, &pick), (double)probe->value)
            ->hot = true;
    if (!single || !maps->traces || probe->state != CELL_OK) return;
    const MultiHeadTrace *self = &maps->traces[pick.layer].self;
    const AttentionTrace *head = &self->heads[pick.head];
    inspect_number(probe, arena, arena_printf(arena, "q · k, head %d", pick.head),
                   (double)head->scores[at])
        ->rule = true;
    inspect_number(probe, arena, arena_printf(arena, "÷ √%d", self->K), (double)head->scaled[at]);
    inspect_line(probe, "d_k = d_model ÷ heads", arena_printf(arena, "%d", self->K));
}

static void probe_weights(const SceneState *state, Arena *arena, HeadPick pick, const Table *shown,
                          Probe *out) {
    const HeadMaps *maps = &state->maps;
    const uint8_t *allowed = maps->allowed;
    if (allowed) allowed += (size_t)out->cell.row * (size_t)maps->T;
    probe_heads(state, arena, pick, out);
    if (pick.minus == HEADMAPS_NO_HEAD) inspect_row(out, arena, shown, allowed, out->cell.row);
    if (out->state == CELL_BLOCKED)
        out->sentence = "Blocked: this key comes after the query, and the causal mask hides it.";
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    if (cell.row < 0 || cell.column < 0) return false;
    HeadPick pick = pick_at(state, cell);
    const Table *shown = part(state, &cell);
    if (cell.row >= shown->rows.count || cell.column >= shown->columns.count) return false;
    *out = inspect_cell(arena, shown, cell);
    if (state->shown == WEIGHTS)
        probe_weights(state, arena, pick, shown, out);
    else
        inspect_number(out, arena, shown->quantity, (double)out->value)->hot = true;
    if (state->shown == ROLLOUT) inspect_row(out, arena, shown, NULL, cell.row);
    return true;
}

static const char *facts(const SceneState *state, Arena *arena) {
    const HeadMaps *maps = &state->maps;
    return arena_printf(arena, "%d tokens · %d layers · %d heads", maps->T, maps->L, maps->H);
}

const Scene scene_heads = {
    .name = "heads",
    .title = "Heads of a layer",
    .menu = "Heads",
    .group = "blocks",
    .lesson = "Each head looks with its own eyes: d_model is split among them, and each has a map "
              "of its own.",
    .order = 90,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "weights",
    .steps = "stage",
    .enter = "large",
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    .draw = draw,
    .caption = caption,
    .natural = natural,
    .locate = locate,
    .geometry = geometry,
    .part = part,
    .choose = choose,
    .probe = probe,
    .table = table,
    .facts = facts,
};
