/* The cosines and sines by which rotary positions turn queries and keys, pair by pair over the
 * positions; what becomes of them beyond the trained length, and what the ways to stretch them do.
 */
#include "base/text.h"
#include "core/position.h"
#include "core/rope.h"
#include "core/rope_scaling.h"
#include "draw/heatmap.h"
#include "scene/angle_knobs.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"
#include "scene/typed.h"
#include "scene/waves.h"

#include <math.h>
#include <string.h>

#define ROPE_WAVES_STAGES(ROW)                                                                     \
    ROW("cos", "cos", "The cosine of each pair's angle: position × θ.")                            \
    ROW("sin", "sin", "The sine of each pair's angle.")                                            \
    ROW("angle", "angle", "The angle itself, modulo one turn.")

typedef enum RopeStage { COSINE, SINE, ANGLE, COUNT } RopeStage;

enum { WIDTH_MAX = 1024, ROTARY_ALL = 0, CURVES_MAX = 2 * WAVES_PAIRS_MAX };

static const double HALF_PI = 1.57079632679489661923;
static const double TURN = 6.28318530717958647693;

struct SceneState {
    View view;
    WavesSpan span;
    WavesChoice choice;
    int head_dim, rotary_dim, scaling, trained_length, shown;
    double base, factor, beta_fast, beta_slow;
    char long_factors[4096];
    /* made by compute */
    int R, pairs;
    double *plain, *frequency; /* [R/2] before and after scaling */
    RopeScaled scaled;
    int chosen[WAVES_PAIRS_MAX], chosen_count;
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {ROPE_WAVES_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {ROPE_WAVES_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice scalings[] = {
    [ROPE_SCALING_NONE] = {"none", "none"},
    [ROPE_SCALING_LINEAR] = {"linear", "linear"},
    [ROPE_SCALING_NTK] = {"ntk", "NTK"},
    [ROPE_SCALING_DYNAMIC_NTK] = {"dynamic-ntk", "dynamic NTK"},
    [ROPE_SCALING_YARN] = {"yarn", "YaRN"},
    [ROPE_SCALING_LONGROPE] = {"longrope", "LongRoPE"},
    {NULL, NULL},
};

static const KnobWord rotary_words[] = {{"all", "all", ROTARY_ALL}, {NULL, NULL, 0}};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "cos", "what is shown of the angles"),
    WAVES_SPAN_KNOBS(SceneState, "128"),
    HEAD_DIM_KNOB(SceneState, head_dim, WIDTH_MAX, 128, "8", "features of a head: an even number"),
    {.name = "rotary-dim",
     .label = "rotary width",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, rotary_dim),
     .min = 1,
     .max = WIDTH_MAX,
     .step = 2,
     .words = rotary_words,
     .start = "all",
     .slider_min = 2,
     .slider_max = 128,
     .help = "features that turn, the first ones of the head; all: every feature"},
    BASE_KNOB(SceneState, base, 1e6, "pair i turns by base^(-2i/R) radians a position"),
    {.name = "scaling",
     .label = "scaling",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, scaling),
     .choices = scalings,
     .start = "none",
     .key = 'F',
     .help = "how the angles are stretched for longer texts"},
    {.name = "factor",
     .label = "factor",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, factor),
     .min = 1,
     .max = 1000,
     .step = 2,
     .logarithmic = true,
     .start = "2",
     .slider_min = 1,
     .slider_max = 64,
     .with = "linear ntk dynamic-ntk yarn longrope",
     .help = "how many times longer than trained the texts may be"},
    {.name = "trained-length",
     .label = "trained length",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, trained_length),
     .min = 1,
     .max = POSITION_MAX,
     .step = 16,
     .start = "64",
     .slider_min = 1,
     .slider_max = 512,
     .help = "positions that the model has seen in training"},
    {.name = "beta-fast",
     .label = "YaRN β fast",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, beta_fast),
     .min = 0.01,
     .max = 1000,
     .step = 2,
     .logarithmic = true,
     .start = "32",
     .with = "yarn",
     .help = "YaRN keeps pairs with more turns within the trained length as they are"},
    {.name = "beta-slow",
     .label = "YaRN β slow",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, beta_slow),
     .min = 0.01,
     .max = 1000,
     .step = 2,
     .logarithmic = true,
     .start = "1",
     .with = "yarn",
     .help = "YaRN stretches pairs with fewer turns by the whole factor"},
    {.name = "long-factors",
     .label = "pair factors",
     .kind = KNOB_FILE,
     .at = offsetof(SceneState, long_factors),
     .size = sizeof((SceneState *)NULL)->long_factors,
     .start = "",
     .with = "longrope",
     .help = "file with LongRoPE's factor of each pair, parted by blanks"},
    WAVES_KNOBS(SceneState),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool tick(SceneState *state, double dt) {
    return waves_tick(&state->span, dt);
}

/* LongRoPE's factors: from the file, or those that stand in for it. */
static bool pair_factors(const SceneState *state, int R, Arena *arena, const float **factors,
                         Err *err) {
    if (!*state->long_factors) {
        float *made = ARENA_ARRAY(arena, float, R / 2);
        rope_longrope_standin(made, R, state->factor);
        *factors = made;
        return true;
    }
    Grid grid;
    const char *value = arena_printf(arena, "@%s", state->long_factors);
    if (!typed_grid("long-factors", value, WIDTH_MAX, arena, &grid, err)) return false;
    if (grid.rows * grid.columns != R / 2)
        return err_set(err, "%s has %d factors, and there are %d pairs: give one for each",
                       state->long_factors, grid.rows * grid.columns, R / 2);
    *factors = grid.values;
    return true;
}

static bool read_scaling(const SceneState *state, int R, Arena *arena, RopeScaling *scaling,
                         Err *err) {
    *scaling = (RopeScaling){.kind = (RopeScalingKind)state->scaling,
                             .factor = state->factor,
                             .trained_length = state->trained_length,
                             .length = state->span.first + state->span.length,
                             .beta_fast = state->beta_fast,
                             .beta_slow = state->beta_slow};
    bool needs_factors = scaling->kind == ROPE_SCALING_LONGROPE;
    if (needs_factors && !pair_factors(state, R, arena, &scaling->pair_factors, err)) return false;
    return rope_scaling_check(*scaling, R, state->base, err);
}

static const char *scaling_note(const SceneState *state, Arena *arena) {
    const RopeScaled *scaled = &state->scaled;
    switch ((RopeScalingKind)state->scaling) {
    case ROPE_SCALING_NONE:
        return NULL;
    case ROPE_SCALING_LINEAR:
        return arena_printf(arena, "Linear: every angle is divided by %.4g.", state->factor);
    case ROPE_SCALING_NTK:
    case ROPE_SCALING_DYNAMIC_NTK:
        return arena_printf(arena,
                            "%s: the base %.6g becomes %.6g, so that slow pairs are "
                            "stretched and fast ones hardly.",
                            state->scaling == ROPE_SCALING_NTK ? "NTK" : "Dynamic NTK", state->base,
                            scaled->base);
    case ROPE_SCALING_YARN:
        return arena_printf(arena,
                            "YaRN: pairs up to %d stay, from %d on they are divided by %.4g, and "
                            "cosine and sine are multiplied by %.6g.",
                            scaled->low, scaled->high, state->factor, scaled->magnitude);
    case ROPE_SCALING_LONGROPE:
        return arena_printf(
            arena,
            "LongRoPE: each pair has its own factor%s; cosine and sine are "
            "multiplied by %.6g.",
            *state->long_factors ? "" : ", here rising evenly instead of found by a search",
            scaled->magnitude);
    }
    return NULL;
}

static void add_table(SceneState *state, Arena *arena, RopeStage stage, const char *title,
                      const float *values) {
    int T = state->span.length;
    Table *made = ARENA_NEW(arena, Table);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, (size_t)T * (size_t)state->pairs);
    *made = (Table){.stage = stages[stage].name,
                    .title = title,
                    .quantity = stage == ANGLE ? "radians" : "value",
                    .kind = stage == ANGLE ? TABLE_WEIGHTS : TABLE_SIGNED,
                    .rows = waves_positions(arena, &state->span),
                    .columns = {"pair", state->pairs, label_numbers(arena, 0, state->pairs)},
                    .values = values,
                    .states = states};
    table_seal(made, states);
    table_note(made, waves_slow(arena, state->frequency, state->pairs, T));
    if (state->R < state->head_dim)
        table_note(made, arena_printf(arena, "Features %d to %d are not rotated.", state->R,
                                      state->head_dim - 1));
    const char *scaling = scaling_note(state, arena);
    if (scaling) table_note(made, scaling);
    state->tables[stage] = made;
}

static void add_tables(SceneState *state, Arena *arena) {
    int T = state->span.length, pairs = state->pairs;
    int *positions = ARENA_ARRAY(arena, int, T);
    for (int t = 0; t < T; t++) positions[t] = state->span.first + t;
    Rope rope =
        rope_build_at(arena, state->frequency, pairs, positions, T, state->scaled.magnitude);
    float *angles = ARENA_ARRAY(arena, float, (size_t)T *(size_t)pairs);
    for (int t = 0; t < T; t++)
        for (int i = 0; i < pairs; i++)
            angles[(size_t)t * (size_t)pairs + (size_t)i] =
                (float)position_angle(state->frequency[i], positions[t]);
    add_table(state, arena, COSINE, "cosine of each pair", rope.cos);
    add_table(state, arena, SINE, "sine of each pair", rope.sin);
    add_table(state, arena, ANGLE, "angles modulo 2π", angles);
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    int R = state->rotary_dim == ROTARY_ALL ? state->head_dim : state->rotary_dim;
    RopeScaling scaling;
    if (!position_check(state->span.first, state->span.length, err) ||
        !rope_check(state->head_dim, R, state->base, err) ||
        !read_scaling(state, R, arena, &scaling, err))
        return false;
    state->R = R;
    state->pairs = R / 2;
    state->plain = ARENA_ARRAY(arena, double, state->pairs);
    state->frequency = ARENA_ARRAY(arena, double, state->pairs);
    rope_frequencies(state->plain, R, state->base);
    state->scaled = rope_scaling_frequencies(state->frequency, NULL, scaling, R, state->base);
    state->chosen_count = waves_choose(state->choice, state->frequency, state->pairs,
                                       state->span.length, state->chosen);
    add_tables(state, arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

static const char *caption(const SceneState *state, Arena *arena) {
    Text text = text_open(arena);
    text_addf(&text, "RoPE waves: %s", state->tables[state->shown]->title);
    if (state->scaling != ROPE_SCALING_NONE)
        text_addf(&text, " · scaling %s × %.4g", scalings[state->scaling].label, state->factor);
    if (state->R < state->head_dim)
        text_addf(&text, " · %d of %d features turn", state->R, state->head_dim);
    return text.bytes;
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "head width: %d · rotary width: %d · base: %.6g · scaling: %s",
                        state->head_dim, state->R, state->base, scalings[state->scaling].label);
}

/* Positions that the model has seen in training, and those beyond. */
static void set_zones(const SceneState *state, Plot *plot, bool brief, Arena *arena) {
    double first = state->span.first, last = first + state->span.length - 1;
    double border = state->trained_length - 0.5;
    PlotZone *zones = ARENA_ARRAY(arena, PlotZone, 2);
    const char *trained = arena_printf(arena, "trained: 0 to %d", state->trained_length - 1);
    if (border > first)
        zones[plot->zone_count++] =
            (PlotZone){first, fmin(border, last), brief ? NULL : trained, true, "trained"};
    if (border < last)
        zones[plot->zone_count++] = (PlotZone){fmax(border, first), last,
                                               brief ? NULL : "beyond training", false, "beyond"};
    plot->zones = zones;
}

/* The curve of a pair; that of the plain angles is dashed and only there to compare with. */
static PlotCurve make_curve(const SceneState *state, RopeStage stage, int index, bool plain,
                            bool brief, const Theme *theme, Arena *arena) {
    int pair = state->chosen[index];
    double frequency = plain ? state->plain[pair] : state->frequency[pair];
    PlotWave *wave = ARENA_NEW(arena, PlotWave);
    *wave =
        (PlotWave){plain ? 1 : state->scaled.magnitude, frequency, stage == SINE ? -HALF_PI : 0, 0};
    const char *name = arena_printf(arena, "pair %d", pair);
    Color color = plot_hue(theme, index, state->chosen_count);
    bool labels = !plain && !brief;
    return (PlotCurve){.name = name,
                       .label = labels ? name : NULL,
                       .note = labels ? waves_note(arena, frequency, state->span.length) : NULL,
                       .color = plain ? plot_faint(theme, color) : color,
                       .shape = plain ? PLOT_DASHED : PLOT_LINE_POINTS,
                       .width = plain ? 1.25 : 0,
                       .count = state->span.length,
                       .first = state->span.first,
                       .step = 1,
                       .y = state->tables[stage]->values + pair,
                       .stride = (size_t)state->pairs,
                       .wave = wave,
                       .quiet = plain};
}

static int chosen_curve(const SceneState *state) {
    for (int i = 0; i < state->chosen_count; i++)
        if (state->view.row >= 0 && state->chosen[i] == state->view.column) return i;
    return -1;
}

static Plot *make_plot(const SceneState *state, RopeStage stage, bool brief, const Theme *theme,
                       Arena *arena) {
    bool compared = state->scaling != ROPE_SCALING_NONE;
    int count = state->chosen_count;
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, CURVES_MAX);
    for (int i = 0; i < count; i++) {
        curves[i] = make_curve(state, stage, i, false, brief, theme, arena);
        curves[count + i] = make_curve(state, stage, i, true, brief, theme, arena);
    }
    double top = 1.12 * fmax(state->scaled.magnitude, 1);
    Plot *plot = waves_plot(arena, theme, &state->span, &state->view, top, brief);
    plot->curves = curves;
    plot->curve_count = compared ? 2 * count : count;
    set_zones(state, plot, brief, arena);
    if (brief) return plot;
    plot->chosen_curve = chosen_curve(state);
    const char *title = stage == SINE ? "sin(position · θ)" : "cos(position · θ)";
    if (compared) title = arena_printf(arena, "%s · dashed: without scaling", title);
    plot->title = title;
    return plot;
}

static PlotFigure waves_figure(const SceneState *state, RopeStage stage, bool brief,
                               const Theme *theme, Arena *arena) {
    PlotFigure figure = {.caption = brief ? state->tables[stage]->title : caption(state, arena),
                         .facts = figure_facts(state, arena),
                         .plot = make_plot(state, stage, brief, theme, arena),
                         .curve_columns = state->chosen,
                         .table = state->tables[stage],
                         .brief = brief};
    if (!brief)
        waves_set_dials(&figure, arena, theme, state->frequency, state->chosen, state->chosen_count,
                        &state->span, state->chosen);
    return figure;
}

/* Angles fill the scale from 0 to one turn. */
static Figure angle_figure(const SceneState *state, bool brief, Arena *arena) {
    View *view = ARENA_NEW(arena, View);
    *view = waves_view(&state->view, &state->span, brief);
    if (view->range == RANGE_UNIT) view->range = RANGE_MAX;
    return (Figure){.caption = brief ? state->tables[ANGLE]->title : caption(state, arena),
                    .facts = brief ? NULL : figure_facts(state, arena),
                    .table = state->tables[ANGLE],
                    .view = view,
                    .brief = brief};
}

static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    for (int i = 0; i < COUNT; i++) {
        RopeStage stage = (RopeStage)((state->shown + i) % COUNT);
        if (stage == ANGLE)
            list[i] = (Panel){.matrix = angle_figure(state, i > 0, arena)};
        else
            list[i] = (Panel){.curves = waves_figure(state, stage, i > 0, theme, arena)};
    }
    return COUNT;
}

PANELS_FUNCTIONS

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    int position = state->span.first + cell.row, pair = cell.column;
    double frequency = state->frequency[pair];
    *out = inspect_cell(arena, shown, cell);
    out->title = arena_printf(arena, "position %d, pair %d", position, pair);
    waves_inspect_theta(out, state->base, pair, state->R, state->plain[pair], arena);
    if (state->scaling != ROPE_SCALING_NONE)
        inspect_line(out, arena_printf(arena, "θ by %s", scalings[state->scaling].label),
                     arena_printf(arena, "%.6g", frequency));
    waves_inspect_angle(out, frequency, position, arena);
    if (state->shown == ANGLE)
        out->lines[out->line_count - 1].hot = true;
    else
        waves_inspect_value(out, state->shown == COSINE, state->scaled.magnitude, frequency,
                            position, arena);
    waves_inspect_turns(out, frequency, state->span.length, arena);
    inspect_line(out, arena_printf(arena, "turns in training, %d", state->trained_length),
                 waves_turns(arena, state->trained_length * state->plain[pair] / TURN));
    out->sentence = position < state->trained_length
                        ? "Within the trained length."
                        : "Beyond the trained length: no such position was seen in training.";
    return true;
}

static const char *sentence(const SceneState *state, Arena *arena) {
    return waves_sentence(arena, state->frequency, state->chosen, state->chosen_count,
                          state->span.first + waves_row(&state->span));
}

static const char *facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "%d pair%s · base %.6g", state->pairs, state->pairs == 1 ? "" : "s",
                        state->base);
}

const Scene scene_rope_waves = {
    .name = "rope_waves",
    .title = "RoPE waves",
    .menu = "RoPE waves",
    .group = "position",
    .lesson =
        "Each pair turns with the position, the first fastest. Beyond the trained length come "
        "angles never seen.",
    .order = 50,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "cos",
    .steps = "stage",
    .up_down = "position",
    .view = offsetof(SceneState, view),
    .tick = tick,
    .compute = compute,
    PANELS_ROWS,
    .caption = caption,
    .probe = probe,
    .table = table,
    .sentence = sentence,
    .facts = facts,
};
