/* Sinusoidal positions, seen three ways: as waves with the hands of a clock for each pair, as the
 * matrix that is added to the embeddings, and as dot products of positions, which depend on their
 * distance alone. */
#include "base/text.h"
#include "core/position.h"
#include "core/tensor.h"
#include "scene/angle_knobs.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"
#include "scene/waves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SINUSOIDAL_STAGES(ROW)                                                                     \
    ROW("waves", "waves",                                                                          \
        "Each pair of dimensions is a sine and a cosine of one wavelength over the positions.")    \
    ROW("matrix", "matrix", "All dimensions of all positions: row p is added to token p.")         \
    ROW("similarity", "similarity",                                                                \
        "The dot product of every two positions depends on their distance alone.")

typedef enum SinusoidalStage { WAVES, MATRIX, SIMILARITY, COUNT } SinusoidalStage;

enum { CURVES_MAX = 2 * WAVES_PAIRS_MAX, WIDTH_MAX = 4096 };

/* Multiplications up to which the dot products are there in every stage. */
static const double PRODUCTS_CHEAP = 4e6;
static const double HALF_PI = 1.57079632679489661923;
static const double TURN = 6.28318530717958647693;

struct SceneState {
    View view;
    WavesSpan span;
    int d_model, layout, shown;
    double base;
    bool allow_odd;
    WavesChoice choice;
    /* made by compute */
    Sinusoidal shape;
    double *frequency; /* [(D + 1) / 2] */
    int pairs, chosen[WAVES_PAIRS_MAX], chosen_count;
    int columns[CURVES_MAX], column_count; /* dimensions of the waves shown */
    const Table *tables[COUNT];
    double spread; /* largest difference of dot products at one distance */
};

static const SceneStage stages[] = {SINUSOIDAL_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {SINUSOIDAL_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice layouts[] = {
    [POSITION_INTERLEAVED] = {"interleaved", "interleaved"},
    [POSITION_CONCATENATED] = {"concatenated", "concatenated"},
    {NULL, NULL},
};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "matrix", "what is shown of the encoding"),
    WAVES_SPAN_KNOBS(SceneState, "100"),
    {.name = "d-model",
     .label = "d_model",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, d_model),
     .min = 1,
     .max = WIDTH_MAX,
     .step = 2,
     .start = "128",
     .slider_min = 2,
     .slider_max = 512,
     .help = "dimensions of a position's vector: an even number"},
    {.name = "allow-odd",
     .label = "odd d_model",
     .kind = KNOB_SWITCH,
     .at = offsetof(SceneState, allow_odd),
     .start = "off",
     .help = "take an odd d_model too: its last sine has no cosine"},
    BASE_KNOB(SceneState, base, 1e6, "the wavelengths go from 2π to nearly 2π × base"),
    {.name = "layout",
     .label = "layout",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, layout),
     .choices = layouts,
     .start = "interleaved",
     .key = 'L',
     .help = "sine and cosine in turn, or all sines and then all cosines"},
    WAVES_KNOBS(SceneState),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool tick(SceneState *state, double dt) {
    return waves_tick(&state->span, dt);
}

static const char *column_words(const SceneState *state, int column, Arena *arena) {
    SinusoidalColumn it = sinusoidal_column(state->shape, column);
    if (it.alone) return arena_printf(arena, "pair %d, sine without a cosine", it.pair);
    return arena_printf(arena, "pair %d, %s", it.pair, it.cosine ? "cosine" : "sine");
}

/* Labels of dimensions; the sine that has no partner says so. */
static TableAxis dimension_axis(const SceneState *state, const int *columns, int count,
                                Arena *arena) {
    Label *labels = ARENA_ARRAY(arena, Label, count);
    for (int i = 0; i < count; i++) {
        int column = columns ? columns[i] : i;
        bool alone = sinusoidal_column(state->shape, column).alone;
        labels[i] = label_plain(arena, arena_printf(arena, alone ? "%d (unpaired)" : "%d", column));
    }
    return (TableAxis){"dimension", count, labels};
}

static void note_odd(const SceneState *state, Table *table, Arena *arena) {
    if (state->d_model % 2 == 0) return;
    int alone = sinusoidal_column_of(state->shape, state->pairs - 1, false);
    table_note(table, arena_printf(arena,
                                   "Dimension %d is unpaired: a sine without its cosine, because "
                                   "d_model is odd.",
                                   alone));
}

static void add_table(SceneState *state, Arena *arena, SinusoidalStage stage, Table table) {
    size_t cells = (size_t)table.rows.count * (size_t)table.columns.count;
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    made->kind = TABLE_SIGNED;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    made->states = states;
    table_seal(made, states);
    state->tables[stage] = made;
    if (stage != SIMILARITY)
        table_note(made, waves_slow(arena, state->frequency, state->pairs, state->span.length));
    note_odd(state, made, arena);
}

static const float *add_matrix(SceneState *state, Arena *arena) {
    int T = state->span.length, D = state->d_model;
    float *pe = ARENA_ARRAY(arena, float, (size_t)T *(size_t)D);
    sinusoidal_rows(pe, state->shape, state->span.first, T);
    Table table = {.title = "matrix, positions × dimensions",
                   .quantity = "value",
                   .rows = waves_positions(arena, &state->span),
                   .columns = dimension_axis(state, NULL, D, arena),
                   .values = pe};
    add_table(state, arena, MATRIX, table);
    return pe;
}

static void choose_columns(SceneState *state) {
    state->chosen_count = waves_choose(state->choice, state->frequency, state->pairs,
                                       state->span.length, state->chosen);
    state->column_count = 0;
    for (int i = 0; i < state->chosen_count; i++)
        for (int cosine = 0; cosine < 2; cosine++) {
            int column = sinusoidal_column_of(state->shape, state->chosen[i], cosine);
            if (column >= 0) state->columns[state->column_count++] = column;
        }
}

static void add_waves(SceneState *state, Arena *arena, const float *pe) {
    int T = state->span.length, count;
    choose_columns(state);
    count = state->column_count;
    float *values = ARENA_ARRAY(arena, float, (size_t)T *(size_t)count);
    for (int t = 0; t < T; t++)
        for (int i = 0; i < count; i++)
            values[(size_t)t * (size_t)count + (size_t)i] =
                pe[(size_t)t * (size_t)state->d_model + (size_t)state->columns[i]];
    Table table = {.title = "waves over the positions",
                   .quantity = "value",
                   .rows = waves_positions(arena, &state->span),
                   .columns = dimension_axis(state, state->columns, count, arena),
                   .values = values};
    add_table(state, arena, WAVES, table);
}

/* The largest difference between two products of one distance. */
static double diagonal_spread(const float *products, int T) {
    double largest = 0;
    for (int distance = 0; distance < T; distance++) {
        float low = INFINITY, high = -INFINITY;
        for (int p = 0; p + distance < T; p++) {
            float value = products[(size_t)p * (size_t)T + (size_t)(p + distance)];
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        largest = fmax(largest, (double)high - (double)low);
    }
    return largest;
}

static void add_similarity(SceneState *state, Arena *arena, const float *pe) {
    int T = state->span.length, D = state->d_model;
    bool cheap = (double)T * T * D <= PRODUCTS_CHEAP;
    if (state->shown != SIMILARITY && !cheap) return;
    float *products = ARENA_ARRAY(arena, float, (size_t)T *(size_t)T);
    tensor_product_nt(products, pe, pe, T, T, D);
    state->spread = diagonal_spread(products, T);
    TableAxis others = waves_positions(arena, &state->span);
    others.name = "other position";
    Table table = {.title = "dot product of every two positions",
                   .quantity = "dot product",
                   .rows = waves_positions(arena, &state->span),
                   .columns = others,
                   .values = products};
    bool odd = state->d_model % 2;
    table_note(&table, odd ? "Without its cosine the last sine does not depend on the distance "
                             "alone, and neither do the products."
                           : "Along a diagonal the distance is the same, and so is the product.");
    table_note(&table, arena_printf(arena,
                                    "The largest difference between two products of one distance "
                                    "is %.6f.",
                                    state->spread));
    add_table(state, arena, SIMILARITY, table);
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    Sinusoidal shape = {state->d_model, state->base, (PositionLayout)state->layout};
    if (!position_check(state->span.first, state->span.length, err) ||
        !sinusoidal_check(shape, state->allow_odd, err))
        return false;
    memset(state->tables, 0, sizeof state->tables);
    state->shape = shape;
    state->pairs = sinusoidal_pairs(shape);
    state->frequency = ARENA_ARRAY(arena, double, state->pairs);
    for (int i = 0; i < state->pairs; i++) state->frequency[i] = sinusoidal_frequency(shape, i);
    const float *pe = add_matrix(state, arena);
    add_waves(state, arena, pe);
    add_similarity(state, arena, pe);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

static const char *stage_caption(const SceneState *state, SinusoidalStage stage, Arena *arena) {
    const char *odd = state->d_model % 2 ? " · odd width" : "";
    if (stage == SIMILARITY)
        return arena_printf(arena, "Sinusoidal positions: %s%s", state->tables[stage]->title, odd);
    return arena_printf(arena, "Sinusoidal positions: %s · %s%s", state->tables[stage]->title,
                        layouts[state->layout].label, odd);
}

static const char *caption(const SceneState *state, Arena *arena) {
    return stage_caption(state, (SinusoidalStage)state->shown, arena);
}

static Figure matrix_figure(const SceneState *state, SinusoidalStage stage, bool brief,
                            Arena *arena) {
    View *view = ARENA_NEW(arena, View);
    *view = waves_view(&state->view, &state->span, brief);
    const char *facts =
        arena_printf(arena, "d_model: %d · base: %.6g", state->d_model, state->base);
    return (Figure){.caption =
                        brief ? state->tables[stage]->title : stage_caption(state, stage, arena),
                    .facts = brief ? NULL : facts,
                    .table = state->tables[stage],
                    .view = view,
                    .brief = brief};
}

/* The curves of the dimensions shown: a sine strong and its cosine pale in one hue. */
static PlotCurve *make_curves(const SceneState *state, const Theme *theme, bool brief,
                              Arena *arena) {
    int count = state->column_count;
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, count);
    PlotWave *waves = ARENA_ARRAY(arena, PlotWave, count);
    for (int i = 0, hue = -1; i < count; i++) {
        SinusoidalColumn it = sinusoidal_column(state->shape, state->columns[i]);
        if (!it.cosine) hue++;
        Color color = plot_hue(theme, hue, state->chosen_count);
        double frequency = state->frequency[it.pair];
        waves[i] = (PlotWave){1, frequency, it.cosine ? 0 : -HALF_PI, 0};
        const char *name =
            arena_printf(arena, "dim %s", state->tables[WAVES]->columns.labels[i].text);
        curves[i] =
            (PlotCurve){.name = name,
                        .label = brief ? NULL : name,
                        .note = brief ? NULL : waves_note(arena, frequency, state->span.length),
                        .color = it.cosine ? plot_faint(theme, color) : color,
                        .shape = PLOT_LINE_POINTS,
                        .count = state->span.length,
                        .first = state->span.first,
                        .step = 1,
                        .y = state->tables[WAVES]->values + i,
                        .stride = (size_t)count,
                        .wave = &waves[i]};
    }
    return curves;
}

static Plot *make_plot(const SceneState *state, const Theme *theme, bool brief, Arena *arena) {
    Plot *plot = waves_plot(arena, theme, &state->span, &state->view, 1.12, brief);
    plot->curves = make_curves(state, theme, brief, arena);
    plot->curve_count = state->column_count;
    if (brief) return plot;
    plot->title = "strong: sine · pale: cosine · one hue a pair";
    plot->chosen_curve = state->view.column;
    return plot;
}

static PlotFigure waves_figure(const SceneState *state, const Theme *theme, bool brief,
                               Arena *arena) {
    int *columns = ARENA_ARRAY(arena, int, state->chosen_count);
    for (int i = 0; i < state->chosen_count; i++) columns[i] = 2 * i;
    const char *facts = arena_printf(arena,
                                     "d_model: %d · base: %.6g · λ in positions, turns within %d "
                                     "positions · hands: cosine to the right, sine upwards",
                                     state->d_model, state->base, state->span.length);
    PlotFigure figure = {.caption = brief ? state->tables[WAVES]->title
                                          : stage_caption(state, WAVES, arena),
                         .facts = facts,
                         .plot = make_plot(state, theme, brief, arena),
                         .table = state->tables[WAVES],
                         .brief = brief};
    if (!brief)
        waves_set_dials(&figure, arena, theme, state->frequency, state->chosen, state->chosen_count,
                        &state->span, columns);
    return figure;
}

static Panel make_panel(const SceneState *state, SinusoidalStage stage, bool brief,
                        const Theme *theme, Arena *arena) {
    if (stage == WAVES) return (Panel){.curves = waves_figure(state, theme, brief, arena)};
    return (Panel){.matrix = matrix_figure(state, stage, brief, arena)};
}

/* The stage shown, and beside it the others as far as they have numbers. */
static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    int count = 0;
    list[count++] = make_panel(state, (SinusoidalStage)state->shown, false, theme, arena);
    for (int i = 0; i < COUNT; i++)
        if (i != state->shown && state->tables[i])
            list[count++] = make_panel(state, (SinusoidalStage)i, true, theme, arena);
    return count;
}

PANELS_FUNCTIONS

static void probe_value(const SceneState *state, Arena *arena, int row, int column, Probe *probe) {
    SinusoidalColumn it = sinusoidal_column(state->shape, column);
    double frequency = state->frequency[it.pair];
    int position = state->span.first + row;
    probe->title = arena_printf(arena, "position %d, dimension %d", position, column);
    inspect_line(probe, "dimension", column_words(state, column, arena));
    waves_inspect_theta(probe, state->base, it.pair, state->d_model, frequency, arena);
    waves_inspect_angle(probe, frequency, position, arena);
    waves_inspect_value(probe, it.cosine, 1, frequency, position, arena);
    waves_inspect_turns(probe, frequency, state->span.length, arena);
    double turns = state->span.length * frequency / TURN;
    if (turns < 1) probe->sentence = "It never completes a turn within these positions.";
    if (it.alone) probe->sentence = "Unpaired: d_model is odd, and its cosine is missing.";
}

/* Two other cells of the same distance show that it alone matters. */
static void probe_product(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Table *products = state->tables[SIMILARITY];
    int distance = abs(cell.row - cell.column), T = state->span.length;
    probe->title = arena_printf(arena, "position %d · position %d", state->span.first + cell.row,
                                state->span.first + cell.column);
    inspect_line(probe, "distance", arena_printf(arena, "%d", distance));
    double sum = 0;
    for (int i = 0; i < state->d_model / 2; i++) sum += cos(distance * state->frequency[i]);
    inspect_line(probe, arena_printf(arena, "Σ cos(%d θ), %d pairs", distance, state->d_model / 2),
                 inspect_digits(arena, sum));
    inspect_number(probe, arena, "dot product", (double)probe->value)->hot = true;
    int others[] = {0, T - 1 - distance};
    for (int i = 0; i < 2; i++) {
        if (others[i] == cell.row || others[i] == cell.column) continue;
        int a = others[i], b = others[i] + distance;
        inspect_number(
            probe, arena,
            arena_printf(arena, "position %d · %d", state->span.first + a, state->span.first + b),
            (double)table_value(products, a, b))
            ->rule = i == 0;
    }
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    if (state->shown == SIMILARITY)
        probe_product(state, arena, cell, out);
    else
        probe_value(state, arena, cell.row,
                    state->shown == WAVES ? state->columns[cell.column] : cell.column, out);
    return true;
}

static const char *sentence(const SceneState *state, Arena *arena) {
    return waves_sentence(arena, state->frequency, state->chosen, state->chosen_count,
                          state->span.first + waves_row(&state->span));
}

static const char *facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "%d position%s · d = %d", state->span.length,
                        state->span.length == 1 ? "" : "s", state->d_model);
}

const Scene scene_sinusoidal = {
    .name = "sinusoidal",
    .title = "Sinusoidal positions",
    .menu = "Sinusoidal waves",
    .group = "position",
    .lesson =
        "Each pair of dimensions is the hand of a clock: fast hands tell neighbours apart, slow "
        "ones near from far.",
    .order = 40,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "matrix",
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
