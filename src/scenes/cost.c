/* What attention costs as the text grows: score entries, multiply-adds and bytes, counted for any
 * length, and the time of one head, measured on this machine when it is asked for. Beside it how
 * far apart two tokens are in a network that is recurrent, convolutional, or made of attention. */
#include "core/cost.h"
#include "base/text.h"
#include "scene/growth.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"
#include "scene/sheet.h"
#include "scene/timing.h"

#include <math.h>
#include <string.h>

#define COST_STAGES(ROW)                                                                           \
    ROW("entries", "scores", "Every token is compared with every other: n × n scores a head.")     \
    ROW("multiply-adds", "multiply-adds",                                                          \
        "QKᵀ and A V grow with n², the projections of q, k, v and output with n.")                 \
    ROW("bytes", "bytes", "The weights of all heads, if they are kept; keys and values.")          \
    ROW("time", "time", "One head on this machine, against the line of n²; Space measures it.")    \
    ROW("path", "path", "The steps that a signal takes between two tokens that stand n apart.")

typedef enum CostPrecision { FLOAT64, FLOAT32, FLOAT16, INT8 } CostPrecision;

struct SceneState {
    View view;
    Stage *stage;
    int shown, n, heads, head_dim, layers, precision, kernel; /* shown: GrowthKind */
    Timing timing;
    /* made by compute */
    Growth growth;
    double x[GROWTH_ROWS_MAX];
    const Table *tables[GROWTH_COUNT];
    const Table *measured; /* the stage time with what was measured; NULL: nothing yet */
};

static const SceneStage stages[] = {COST_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {COST_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice precisions[] = {
    [FLOAT64] = {"float64", "float64, 8 bytes"},
    [FLOAT32] = {"float32", "float32, 4 bytes"},
    [FLOAT16] = {"float16", "float16, 2 bytes"},
    [INT8] = {"int8", "int8, 1 byte"},
    {NULL, NULL},
};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "entries", "what is counted"),
    {.name = "n",
     .label = "tokens n",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, n),
     .min = 1,
     .max = GROWTH_LENGTH_MAX,
     .step = 2,
     .logarithmic = true,
     .slider_min = 1,
     .slider_max = GROWTH_LENGTH_MAX,
     .start = "1024",
     .help = "the length that is marked; Up and Down double and halve it"},
    {.name = "heads",
     .label = "heads",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, heads),
     .min = 1,
     .max = 256,
     .step = 1,
     .slider_min = 1,
     .slider_max = 64,
     .start = "12",
     .key = 'H',
     .help = "heads of a layer"},
    {.name = "head-dim",
     .label = "head width",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, head_dim),
     .min = 1,
     .max = 512,
     .step = 8,
     .slider_min = 8,
     .slider_max = 256,
     .start = "64",
     .key = 'D',
     .help = "features of a head; d_model = heads × head width"},
    {.name = "layers",
     .label = "layers",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, layers),
     .min = 1,
     .max = 256,
     .step = 1,
     .slider_min = 1,
     .slider_max = 96,
     .start = "12",
     .key = 'L',
     .help = "layers of the network"},
    {.name = "precision",
     .label = "numbers",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, precision),
     .choices = precisions,
     .start = "float32",
     .key = 'B',
     .help = "bytes of a number that is kept"},
    {.name = "kernel",
     .label = "kernel k",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, kernel),
     .min = 2,
     .max = 1024,
     .step = 1,
     .slider_min = 2,
     .slider_max = 32,
     .start = "3",
     .key = 'K',
     .help = "tokens that a layer of the convolution sees"},
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* nothing is read */
    state->stage = stage;
    if (!stage->timings) stage->timings = ARENA_NEW(stage->arena, TimingKept);
    return true;
}

/* ---- measuring ---- */

static bool finished(const SceneState *state) {
    return timing_next(&state->timing) == state->timing.count;
}

/* The first slice turns to the stage where it can be watched. */
static bool tick(SceneState *state, double dt) {
    (void)dt; /* a slice takes the time that it takes */
    Timing *timing = &state->timing;
    if (!state->stage->clock) return false;
    if (finished(state)) timing_clear(timing, state->stage->timings);
    bool begins = timing_runs(timing) == 0 && timing->row == 0 && state->shown != GROWTH_TIME;
    if (begins) state->shown = GROWTH_TIME;
    bool ended = timing_slice(timing, state->stage->clock, *state->stage->arena);
    if (ended) timing_keep(timing, state->stage->timings);
    return ended || begins;
}

/* Lengths that were measured, and whether they may be shown. */
static bool measured(const SceneState *state) {
    return state->stage->clock && state->measured;
}

/* ---- numbers ---- */

static const Table *make_table(const SceneState *state, GrowthKind kind, const Timing *timing,
                               Arena *arena) {
    Table *made = ARENA_NEW(arena, Table);
    *made = growth_table(arena, &state->growth, kind, timing);
    made->stage = stages[kind].name;
    return made;
}

static void fit_timing(SceneState *state) {
    const Growth *growth = &state->growth;
    int count = 0;
    while (count < growth->rows && growth->lengths[count] <= TIMING_LONGEST) count++;
    timing_fit(&state->timing, state->stage->timings, state->head_dim, growth->lengths, count);
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    (void)err; /* the knobs' ranges leave nothing to refuse */
    Growth *growth = &state->growth;
    *growth = (Growth){.heads = state->heads,
                       .head_dim = state->head_dim,
                       .layers = state->layers,
                       .bytes = 8 >> state->precision,
                       .kernel = state->kernel};
    growth_lengths(growth, state->n);
    for (int i = 0; i < growth->rows; i++) state->x[i] = growth->lengths[i];
    fit_timing(state);
    for (int i = 0; i < GROWTH_COUNT; i++)
        state->tables[i] = make_table(state, (GrowthKind)i, NULL, arena);
    bool any = timing_runs(&state->timing) > 0;
    state->measured = any ? make_table(state, GROWTH_TIME, &state->timing, arena) : NULL;
    return true;
}

static const Table *table_of(const SceneState *state, int kind) {
    return kind == GROWTH_TIME && measured(state) ? state->measured : state->tables[kind];
}

static const Table *table(const SceneState *state, const char *stage) {
    bool time = strcmp(stage, stages[GROWTH_TIME].name) == 0;
    return time ? table_of(state, GROWTH_TIME) : scene_table(stages, state->tables, stage);
}

/* ---- words ---- */

static const char *byte_words(Arena *arena, double bytes) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    int unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++) bytes /= 1024;
    return arena_printf(arena, "%.4g %s", bytes, units[unit]);
}

static const char *cell_words(const SceneState *state, const Table *shown, int row, int column,
                              Arena *arena) {
    double value = (double)table_value(shown, row, column), counted[GROWTH_COLUMNS_MAX];
    if (table_state(shown, row, column) != CELL_OK) return "–";
    growth_count(&state->growth, (GrowthKind)state->shown, state->growth.lengths[row], counted);
    if (state->shown != GROWTH_TIME || column < TIME_MEASURED) value = counted[column];
    if (state->shown == GROWTH_BYTES) return byte_words(arena, value);
    if (state->shown != GROWTH_TIME || column == TIME_COUNTED) return text_count(arena, value);
    return arena_printf(arena, value < 100 ? "%.3g" : "%.0f", value);
}

static const char *caption(const SceneState *state, Arena *arena) {
    Text text = text_open(arena);
    text_addf(&text, "Cost: %s", state->tables[state->shown]->title);
    if (state->shown == GROWTH_ENTRIES || state->shown == GROWTH_MULTIPLY_ADDS ||
        state->shown == GROWTH_BYTES)
        text_addf(&text, " · %d layers × %d heads × %d", state->layers, state->heads,
                  state->head_dim);
    if (state->shown == GROWTH_BYTES) text_addf(&text, " · %s", precisions[state->precision].name);
    if (state->shown == GROWTH_TIME) text_addf(&text, " · width %d", state->head_dim);
    if (state->shown == GROWTH_PATH) text_addf(&text, " · kernel %d", state->kernel);
    return text.bytes;
}

/* ---- the figure: a plot with both axes logarithmic, and the same numbers as a sheet ---- */

enum { SHEET_MARGIN = 12, PLOT_LOWEST = 200, NATURAL_WIDTH = 760, NATURAL_PLOT = 400 };

static int chosen_row(const SceneState *state) {
    return state->view.row >= 0 ? state->view.row : state->growth.row;
}

/* The columns that are drawn as curves. */
static int curve_columns(const SceneState *state, int *columns) {
    static const int all[] = {0, 1, 2}, time[] = {TIME_SQUARE, TIME_GROWN};
    bool two = state->shown == GROWTH_MULTIPLY_ADDS || state->shown == GROWTH_BYTES;
    if (state->shown == GROWTH_TIME) {
        memcpy(columns, time, sizeof time);
        return measured(state) ? 2 : 1;
    }
    memcpy(columns, all, sizeof all);
    return two ? 2 : 3;
}

static PlotFigure plot_figure(const SceneState *state, const Theme *theme, Arena *arena) {
    const Table *shown = table_of(state, state->shown);
    int *columns = ARENA_ARRAY(arena, int, GROWTH_COLUMNS_MAX),
        count = curve_columns(state, columns);
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, count);
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotMarker *marker = ARENA_NEW(arena, PlotMarker);
    *marker = (PlotMarker){state->n, arena_printf(arena, "n = %d", state->n), theme->acc};
    *plot = (Plot){.x = {"tokens n", state->x[0], state->x[state->growth.rows - 1], true, false},
                   .y = {NULL, 0, 0, true, false},
                   .curves = curves,
                   .curve_count = count,
                   .markers = marker,
                   .marker_count = 1,
                   .chosen_curve = -1,
                   .chosen_point = chosen_row(state)};
    if (state->shown == GROWTH_TIME)
        plot->title = arena_printf(arena, "times as long as n = %d", state->growth.lengths[0]);
    for (int i = 0; i < count; i++) {
        const char *name = shown->columns.labels[columns[i]].text;
        bool line = state->shown == GROWTH_TIME && i == 0;
        if (state->shown == GROWTH_TIME) name = line ? "n²" : "measured";
        curves[i] = (PlotCurve){.name = name,
                                .label = name,
                                .color = plot_hue(theme, i, count),
                                .shape = line ? PLOT_DASHED : PLOT_LINE_POINTS,
                                .count = state->growth.rows,
                                .x = state->x,
                                .y = shown->values + columns[i],
                                .stride = (size_t)shown->columns.count};
        if (state->view.row >= 0 && state->view.column == columns[i]) plot->chosen_curve = i;
    }
    return (PlotFigure){
        .caption = caption(state, arena), .plot = plot, .curve_columns = columns, .table = shown};
}

static Sheet sheet_of(const SceneState *state, Arena *arena) {
    const Table *shown = table_of(state, state->shown);
    int columns = shown->columns.count;
    const char **words = ARENA_ARRAY(arena, const char *, shown->rows.count *columns);
    for (int i = 0; i < shown->rows.count * columns; i++)
        words[i] = cell_words(state, shown, i / columns, i % columns, arena);
    bool chosen = state->view.row >= 0;
    return (Sheet){shown, words, chosen_row(state), chosen ? state->view.column : -1};
}

/* The place of the plot, and under it that of the sheet, unless the plot would be too low. */
static bool split(Canvas *canvas, Rect rect, const Sheet *sheet, Rect *plot, Rect *below) {
    int margin = canvas_px(canvas, SHEET_MARGIN), height = sheet_height(canvas, sheet) + margin;
    *plot = rect;
    if (rect.h - height < canvas_px(canvas, PLOT_LOWEST)) return false;
    plot->h -= height;
    *below = (Rect){rect.x + margin, rect.y + plot->h, rect.w - 2 * margin, height - margin};
    return true;
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    Sheet sheet = sheet_of(state, canvas->arena);
    PlotFigure figure = plot_figure(state, canvas->theme, canvas->arena);
    Rect plot, below;
    if (split(canvas, rect, &sheet, &plot, &below)) sheet_draw(canvas, below, &sheet);
    plot_figure_draw(canvas, plot, &figure);
}

static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    Sheet sheet = sheet_of(state, canvas->arena);
    *width = canvas_px(canvas, NATURAL_WIDTH);
    *height = canvas_px(canvas, NATURAL_PLOT + SHEET_MARGIN) + sheet_height(canvas, &sheet);
}

static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    Sheet sheet = sheet_of(state, canvas->arena);
    PlotFigure figure = plot_figure(state, canvas->theme, canvas->arena);
    PlotFigureHit found;
    Rect plot, below;
    if (split(canvas, rect, &sheet, &plot, &below) &&
        sheet_locate(canvas, below, &sheet, x, y, cell))
        return true;
    if (!plot_figure_locate(canvas, plot, &figure, x, y, &found)) return false;
    *cell = (Cell){found.hit.point, figure.curve_columns[found.hit.curve]};
    return true;
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    Sheet sheet = sheet_of(state, arena);
    PlotFigure figure = plot_figure(state, canvas->theme, arena);
    Rect plot, below;
    split(canvas, rect, &sheet, &plot, &below);
    return plot_figure_geometry(canvas, plot, &figure, arena);
}

/* ---- the inspector ---- */

static void probe_entries(const SceneState *state, Arena *arena, double n, Probe *probe) {
    double head = n * n, all = head * state->heads;
    inspect_count(probe, arena, "n × n", head)->hot = probe->cell.column == 0;
    inspect_count(probe, arena, arena_printf(arena, "× %d heads", state->heads), all)->hot =
        probe->cell.column == 1;
    inspect_count(probe, arena, arena_printf(arena, "× %d layers", state->layers),
                  all * state->layers)
        ->hot = probe->cell.column == 2;
}

static void probe_multiply_adds(const SceneState *state, Arena *arena, double n, Probe *probe) {
    CostShape shape = {state->heads, state->head_dim};
    double attention = cost_attention(shape, n).multiply_adds;
    double projections = cost_projection(shape, n);
    int D = state->heads * state->head_dim;
    inspect_count(probe, arena, "QKᵀ and A V: 2 n² d", attention);
    inspect_count(probe, arena, "projections: 4 n d²", projections);
    inspect_line(probe, "d_model", arena_printf(arena, "%d", D));
    const double layer[] = {attention, projections, attention + projections};
    static const char *const names[] = {"attention", "projections", "both"};
    for (int i = 0; i < 3; i++)
        inspect_count(probe, arena, arena_printf(arena, "%s × %d layers", names[i], state->layers),
                      layer[i] * state->layers)
            ->hot = probe->cell.column == i;
    inspect_number(probe, arena, "share of attention", attention / (attention + projections));
}

static void probe_bytes(const SceneState *state, Arena *arena, double n, Probe *probe) {
    double row[GROWTH_COLUMNS_MAX];
    growth_count(&state->growth, GROWTH_BYTES, n, row);
    inspect_line(probe, "bytes of a number", arena_printf(arena, "%d", state->growth.bytes));
    inspect_line(probe, "weights, of all heads", byte_words(arena, row[0]));
    inspect_line(probe, "keys and values", byte_words(arena, row[1]));
    inspect_count(probe, arena, "bytes", row[probe->cell.column])->hot = true;
    inspect_number(probe, arena, "weights ÷ keys and values", row[0] / row[1]);
}

static void probe_time(const SceneState *state, Arena *arena, int n, Probe *probe) {
    const TimedLength *timed = timing_find(&state->timing, n);
    double work = 2.0 * n * n * state->head_dim;
    inspect_count(probe, arena, "multiply-adds, 2 n² d_k", work);
    if (!measured(state) || !timed) {
        probe->sentence = n > TIMING_LONGEST ? "Lengths above 4,096 are not measured."
                                             : "Not measured yet: Space begins.";
        return;
    }
    double median = timing_median(timed);
    for (int i = 0; i < timed->runs; i++)
        inspect_line(probe, arena_printf(arena, "run %d", i + 1),
                     arena_printf(arena, "%.3f ms", 1000 * timed->seconds[i]));
    inspect_line(probe, "median", arena_printf(arena, "%.3f ms", 1000 * median))->hot = true;
    inspect_count(probe, arena, "multiply-adds a second", work / median);
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = table_of(state, state->shown);
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    int n = state->growth.lengths[cell.row];
    *out = inspect_cell(arena, shown, cell);
    out->title = arena_printf(arena, "n = %d, %s", n, shown->columns.labels[cell.column].text);
    if (state->shown == GROWTH_ENTRIES) probe_entries(state, arena, n, out);
    if (state->shown == GROWTH_MULTIPLY_ADDS) probe_multiply_adds(state, arena, n, out);
    if (state->shown == GROWTH_BYTES) probe_bytes(state, arena, n, out);
    if (state->shown == GROWTH_TIME) probe_time(state, arena, n, out);
    if (state->shown != GROWTH_PATH) return true;
    inspect_count(out, arena, "recurrent steps", cost_path_recurrent(n));
    inspect_count(out, arena, arena_printf(arena, "layers of convolution, ⌈n ÷ %d⌉", state->kernel),
                  cost_path_convolution(n, state->kernel));
    inspect_count(out, arena, "layers of attention", cost_path_attention(n));
    out->lines[cell.column].hot = true;
    return true;
}

/* How far measuring has come. */
static const char *progress(const SceneState *state, Arena *arena) {
    const Timing *timing = &state->timing;
    int at = timing_next(timing);
    const TimedLength *last = &timing->lengths[at == timing->count ? at - 1 : at];
    if (at < timing->count)
        return arena_printf(arena,
                            "Measuring n = %d, run %d of %d; %d of %d lengths are done. Space or "
                            "Esc stops, Space goes on.",
                            last->n, last->runs + 1, TIMING_RUNS, at, timing->count);
    return arena_printf(arena,
                        "Processor time, medians of %d runs: n = %d took %.3g ms a head. Not in an "
                        "exported picture.",
                        TIMING_RUNS, last->n, 1000 * timing_median(last));
}

static const char *sentence(const SceneState *state, Arena *arena) {
    double row[GROWTH_COLUMNS_MAX];
    int n = state->n;
    if (state->shown == GROWTH_TIME && measured(state)) return progress(state, arena);
    growth_count(&state->growth, (GrowthKind)state->shown, n, row);
    switch ((GrowthKind)state->shown) {
    case GROWTH_ENTRIES:
        return arena_printf(arena,
                            "n = %d: %s scores a head. Twice the tokens, four times as many.", n,
                            text_count(arena, row[0]));
    case GROWTH_MULTIPLY_ADDS:
        return arena_printf(arena, "n = %d: attention takes %.0f %% of the multiply-adds.", n,
                            100 * row[0] / row[2]);
    case GROWTH_BYTES:
        return arena_printf(arena, "n = %d: %s of weights, %s of keys and values.", n,
                            byte_words(arena, row[0]), byte_words(arena, row[1]));
    case GROWTH_TIME:
        return "Space measures one head at each length on this machine; the line is n².";
    default:
        return arena_printf(arena,
                            "Tokens %d apart: %s steps of a recurrent network, %s layers of "
                            "convolution, 1 of attention.",
                            n, text_count(arena, row[0]), text_count(arena, row[1]));
    }
}

static const char *facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "%d layers · %d heads × %d", state->layers, state->heads,
                        state->head_dim);
}

const Scene scene_cost = {
    .name = "cost",
    .title = "What attention costs",
    .menu = "Cost",
    .group = "blocks",
    .lesson = "Twice the tokens, four times the scores; in return any two tokens are one step "
              "apart.",
    .order = 130,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "entries",
    .steps = "stage",
    .up_down = "n",
    .play = "measure",
    .pause = "stop measuring",
    .view = offsetof(SceneState, view),
    .open = open,
    .tick = tick,
    .finished = finished,
    .compute = compute,
    .draw = draw,
    .natural = natural,
    .locate = locate,
    .geometry = geometry,
    .caption = caption,
    .probe = probe,
    .table = table,
    .sentence = sentence,
    .facts = facts,
};
