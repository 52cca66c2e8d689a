/* Why scores are divided by the root of the width: products of random queries and keys spread as
 * sqrt(d), a softmax of such scores gives all to one key, and then it no longer learns. The same
 * random vectors serve every width, cut to it, so that only the width differs. */
#include "core/scaling.h"
#include "base/text.h"
#include "draw/heatmap.h"
#include "scene/inspect.h"
#include "scene/pair.h"
#include "scene/panels.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define SCALING_STAGES(ROW)                                                                        \
    ROW("products", "q · k", "Products of random queries and keys: how far they spread.")          \
    ROW("spread", "spread", "The spread of the products grows as the root of the width.")          \
    ROW("undivided", "not divided", "Softmax of the products themselves, a row for each width.")   \
    ROW("weights", "divided", "The same rows, softmax taken after the division.")                  \
    ROW("saturation", "saturation", "How much the largest weight takes, and what gradient is left.")

typedef enum ScalingStage { PRODUCTS, SPREAD, UNDIVIDED, WEIGHTS, SATURATION, COUNT } ScalingStage;
typedef enum ScalingDivide { DIVIDE_HEAD, DIVIDE_NONE, DIVIDE_MODEL } ScalingDivide;

enum { BINS = 33, KEYS = SCALING_KEYS, PAIRS = SCALING_PAIRS };
enum { SPREAD_CURVES = 3, SATURATION_CURVES = 6 };

/* The histogram covers this many times sqrt(d) to either side; 1 in 16,000 lies beyond. */
static const double REACH = 4.125;
static const double ROOT_OF_TURN = 2.50662827463100050242; /* sqrt(2 pi) */

struct SceneState {
    View view;
    int shown, width, heads, seed, divide;
    double temperature;
    /* made by compute */
    ScalingFacts facts[SCALING_WIDTHS_MAX];
    int count, chosen; /* widths, and the place of the chosen one */
    const double *bin_x, *spread_x;
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {SCALING_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {SCALING_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice divides[] = {
    [DIVIDE_HEAD] = {"sqrt-d", "√d, of a head"},
    [DIVIDE_NONE] = {"none", "nothing"},
    [DIVIDE_MODEL] = {"sqrt-d-model", "√d_model"},
    {NULL, NULL},
};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "weights", "what is shown"),
    {.name = "width",
     .label = "width d",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, width),
     .min = 2,
     .max = SCALING_WIDTH_MAX,
     .step = 1,
     .start = "64",
     .key = 'D',
     .help = "numbers in a query and in a key: the width of a head"},
    {.name = "divide",
     .label = "divide by",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, divide),
     .choices = divides,
     .start = "sqrt-d",
     .key = 'B',
     .help = "what the scores are divided by; sqrt-d-model is the common slip"},
    {.name = "heads",
     .label = "heads",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, heads),
     .min = 1,
     .max = 64,
     .step = 1,
     .start = "8",
     .key = 'H',
     .help = "heads of a layer, which make d_model = heads × d for sqrt-d-model"},
    {.name = "temperature",
     .label = "temperature",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, temperature),
     .min = 0.01,
     .max = 100,
     .step = 1.25,
     .logarithmic = true,
     .start = "1",
     .help = "divides once more: √d is a temperature too"},
    STAGE_SEED_KNOB(SceneState, seed, 'N', NULL, "number of the random queries and keys"),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

/* What the scores of a width are divided by. */
static double divisor(const SceneState *state, int width) {
    if (state->divide == DIVIDE_NONE) return 1;
    return sqrt((double)width * (state->divide == DIVIDE_MODEL ? state->heads : 1));
}

static const char *divisor_words(const SceneState *state, Arena *arena) {
    if (state->divide == DIVIDE_NONE) return "nothing";
    if (state->divide == DIVIDE_HEAD) return arena_printf(arena, "√%d", state->width);
    return arena_printf(arena, "√d_model = √%d", state->width * state->heads);
}

/* ---- tables ---- */

static Table *add_table(SceneState *state, Arena *arena, ScalingStage stage, Table table) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    size_t cells = (size_t)table.rows.count * (size_t)table.columns.count;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    made->states = states;
    table_seal(made, states);
    state->tables[stage] = made;
    return made;
}

static TableAxis width_axis(const SceneState *state, Arena *arena) {
    Label *labels = ARENA_ARRAY(arena, Label, state->count);
    for (int i = 0; i < state->count; i++)
        labels[i] = label_plain(arena, arena_printf(arena, "d = %d", state->facts[i].width));
    return (TableAxis){"width", state->count, labels};
}

static double bin_width(const SceneState *state) {
    return 2 * REACH * sqrt(state->width) / BINS;
}

/* Share of the products in each bin, and what a normal distribution of spread sqrt(d) would have
 * there. */
static void add_products(SceneState *state, Arena *arena) {
    static const char *const columns[] = {"share", "normal"};
    const ScalingFacts *facts = &state->facts[state->chosen];
    double step = bin_width(state), root = sqrt(state->width);
    float *values = ARENA_ARRAY(arena, float, 2 * BINS);
    int *counts = ARENA_ARRAY(arena, int, BINS);
    double *x = ARENA_ARRAY(arena, double, BINS);
    Label *labels = ARENA_ARRAY(arena, Label, BINS);
    for (int n = 0; n < PAIRS; n++) {
        int bin = (int)floor((double)facts->products[n] / step + BINS / 2.0);
        if (bin >= 0 && bin < BINS) counts[bin]++;
    }
    for (int i = 0; i < BINS; i++) {
        x[i] = (i - BINS / 2) * step;
        double z = x[i] / root;
        values[2 * i] = (float)((double)counts[i] / PAIRS);
        values[2 * i + 1] = (float)(step * exp(-z * z / 2) / (root * ROOT_OF_TURN));
        labels[i] = label_plain(arena, arena_printf(arena, "%.4g", x[i]));
    }
    state->bin_x = x;
    Table *table = add_table(state, arena, PRODUCTS,
                             (Table){.title = "products of random queries and keys",
                                     .quantity = "share",
                                     .kind = TABLE_WEIGHTS,
                                     .rows = {"product", BINS, labels},
                                     .columns = {"curve", 2, label_list(arena, columns, 2)},
                                     .values = values});
    table_note(table, arena_printf(arena,
                                   "%d products of width %d have a spread (standard deviation) of "
                                   "%.4g; √%d is %.4g.",
                                   PAIRS, state->width, facts->spread, state->width, root));
    table_note(table, "Queries and keys are random with unit variance, so each term of a product "
                      "adds 1 to its variance.");
}

static void add_spread(SceneState *state, Arena *arena) {
    static const char *const columns[] = {"measured", "√d", "divided"};
    float *values = ARENA_ARRAY(arena, float, SPREAD_CURVES * state->count);
    double *x = ARENA_ARRAY(arena, double, state->count);
    for (int i = 0; i < state->count; i++) {
        const ScalingFacts *facts = &state->facts[i];
        float *row = values + SPREAD_CURVES * i;
        x[i] = facts->width;
        row[0] = (float)facts->spread;
        row[1] = (float)sqrt(facts->width);
        row[2] = (float)(facts->spread / divisor(state, facts->width));
    }
    state->spread_x = x;
    const ScalingFacts *chosen = &state->facts[state->chosen];
    Table *table = add_table(
        state, arena, SPREAD,
        (Table){.title = "spread of the products by width",
                .quantity = "spread",
                .kind = TABLE_SIGNED,
                .rows = width_axis(state, arena),
                .columns = {"curve", SPREAD_CURVES, label_list(arena, columns, SPREAD_CURVES)},
                .values = values});
    table_note(table,
               arena_printf(arena, "At width %d the spread is %.4g, and %.4g after dividing by %s.",
                            state->width, chosen->spread,
                            chosen->spread / divisor(state, state->width),
                            divisor_words(state, arena)));
}

static void note_slip(const SceneState *state, Table *table, Arena *arena) {
    const ScalingFacts *facts = &state->facts[state->chosen];
    table_note(table,
               arena_printf(arena,
                            "At width %d the largest of %d weights is %.3f on average undivided, "
                            "%.3f divided by %s; the gradient of softmax is %.3f and %.3f.",
                            state->width, KEYS, facts->largest[0], facts->largest[1],
                            divisor_words(state, arena), facts->gradient[0], facts->gradient[1]));
    if (state->divide == DIVIDE_MODEL && state->heads > 1)
        table_note(table, arena_printf(arena,
                                       "The slip: d_model = %d is not the width of a head. √%d "
                                       "divides √%d = %.3g times too much, and the rows become "
                                       "too even.",
                                       state->width * state->heads, state->width * state->heads,
                                       state->heads, sqrt(state->heads)));
    if (state->temperature != 1)
        table_note(table, arena_printf(arena, "Temperature %.4g divides all scores once more.",
                                       state->temperature));
}

static void add_weights(SceneState *state, Arena *arena, ScalingStage stage) {
    int way = stage == WEIGHTS;
    float *values = ARENA_ARRAY(arena, float, KEYS * state->count);
    for (int i = 0; i < state->count; i++)
        memcpy(values + KEYS * i, state->facts[i].weights[way], sizeof state->facts[i].weights[0]);
    static const char *const divided[] = {[DIVIDE_HEAD] = "a row of weights, scores divided by √d",
                                          [DIVIDE_NONE] = "a row of weights, divided by nothing",
                                          [DIVIDE_MODEL] =
                                              "a row of weights, scores divided by √d_model"};
    Table *table = add_table(
        state, arena, stage,
        (Table){.title = way ? divided[state->divide] : "a row of weights, scores not divided",
                .quantity = "weight",
                .kind = TABLE_WEIGHTS,
                .rows = width_axis(state, arena),
                .columns = {"key", KEYS, label_numbers(arena, 0, KEYS)},
                .values = values,
                .sums = true});
    note_slip(state, table, arena);
}

static void add_saturation(SceneState *state, Arena *arena) {
    static const char *const columns[] = {"largest, undivided",  "largest, divided",
                                          "entropy, undivided",  "entropy, divided",
                                          "gradient, undivided", "gradient, divided"};
    float *values = ARENA_ARRAY(arena, float, SATURATION_CURVES * state->count);
    for (int i = 0; i < state->count; i++)
        for (int way = 0; way < 2; way++) {
            float *row = values + SATURATION_CURVES * i + way;
            row[0] = (float)state->facts[i].largest[way];
            row[2] = (float)state->facts[i].entropy[way];
            row[4] = (float)state->facts[i].gradient[way];
        }
    Table *table = add_table(state, arena, SATURATION,
                             (Table){.title = "how softmax saturates",
                                     .quantity = "value",
                                     .kind = TABLE_WEIGHTS,
                                     .rows = width_axis(state, arena),
                                     .columns = {"curve", SATURATION_CURVES,
                                                 label_list(arena, columns, SATURATION_CURVES)},
                                     .values = values});
    table_note(table, arena_printf(arena,
                                   "Means over %d rows of %d keys: the largest weight; the entropy "
                                   "as a share of ln %d; the norm of the Jacobian of softmax.",
                                   SCALING_ROWS, KEYS, KEYS));
    note_slip(state, table, arena);
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    (void)err; /* every value of the knobs is good */
    state->count = scaling_widths(state->facts, state->width, &state->chosen);
    scaling_multiply(state->facts, state->count, (uint64_t)state->seed, arena);
    for (int i = 0; i < state->count; i++)
        scaling_measure(&state->facts[i], divisor(state, state->facts[i].width), state->temperature,
                        *arena);
    add_products(state, arena);
    add_spread(state, arena);
    add_weights(state, arena, UNDIVIDED);
    add_weights(state, arena, WEIGHTS);
    add_saturation(state, arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- figures ---- */

static const char *stage_caption(const SceneState *state, ScalingStage stage, Arena *arena) {
    const char *title = state->tables[stage]->title;
    if (stage == PRODUCTS)
        return arena_printf(arena, "Why divide by √d: %s · d = %d", title, state->width);
    if (state->temperature != 1 && stage != SPREAD)
        return arena_printf(arena, "Why divide by √d: %s · temperature %.4g", title,
                            state->temperature);
    return arena_printf(arena, "Why divide by √d: %s", title);
}

static const char *caption(const SceneState *state, Arena *arena) {
    return stage_caption(state, (ScalingStage)state->shown, arena);
}

/* Bars are a band with a step at the edge of each bin. */
static PlotBand *bars(const SceneState *state, Color color, Arena *arena) {
    PlotBand *band = ARENA_NEW(arena, PlotBand);
    double *x = ARENA_ARRAY(arena, double, 2 * BINS), half = bin_width(state) / 2;
    float *low = ARENA_ARRAY(arena, float, 2 * BINS), *high = ARENA_ARRAY(arena, float, 2 * BINS);
    for (int i = 0; i < BINS; i++) {
        x[2 * i] = state->bin_x[i] - half;
        x[2 * i + 1] = state->bin_x[i] + half;
        high[2 * i] = high[2 * i + 1] = state->tables[PRODUCTS]->values[2 * i];
    }
    *band = (PlotBand){.color = color, .count = 2 * BINS, .x = x, .low = low, .high = high};
    return band;
}

/* Undivided and theory dashed, what is divided whole; one hue a quantity. */
static PlotCurve *make_curves(const SceneState *state, ScalingStage stage, const Theme *theme,
                              Arena *arena) {
    const Table *table = state->tables[stage];
    int count = table->columns.count;
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, count);
    for (int i = 0; i < count; i++) {
        const char *name = table->columns.labels[i].text;
        curves[i] = (PlotCurve){.name = name,
                                .label = name,
                                .shape = PLOT_LINE_POINTS,
                                .color = plot_hue(theme, i, count),
                                .count = table->rows.count,
                                .x = stage == PRODUCTS ? state->bin_x : state->spread_x,
                                .y = table->values + i,
                                .stride = (size_t)count};
        if (stage == PRODUCTS) curves[i].shape = i == 0 ? PLOT_POINTS : PLOT_DASHED;
        if (stage == SPREAD && i == 1) curves[i].shape = PLOT_DASHED;
        if (stage != SATURATION) continue;
        curves[i].shape = i % 2 ? PLOT_LINE_POINTS : PLOT_DASHED;
        curves[i].color = plot_hue(theme, i / 2, count / 2);
    }
    return curves;
}

static Plot *make_plot(const SceneState *state, ScalingStage stage, const Theme *theme, bool brief,
                       Arena *arena) {
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotMarker *marker = ARENA_NEW(arena, PlotMarker);
    bool products = stage == PRODUCTS;
    const char *words = products ? arena_printf(arena, "√%d", state->width)
                                 : arena_printf(arena, "d = %d", state->width);
    *marker = (PlotMarker){products ? sqrt(state->width) : state->width, words, theme->acc};
    double reach = REACH * sqrt(state->width);
    *plot = (Plot){.x = {"width d", 2, SCALING_WIDTH_MAX, true, false},
                   .y = {NULL, 0, 0, stage == SPREAD, false},
                   .curves = make_curves(state, stage, theme, arena),
                   .curve_count = state->tables[stage]->columns.count,
                   .markers = marker,
                   .marker_count = 1,
                   .chosen_curve = brief ? -1 : state->view.column,
                   .chosen_point = state->view.row};
    if (stage == SATURATION) plot->y = (PlotAxis){NULL, 0, 1.04, false, false};
    if (!products) return plot;
    PlotAxis across = {"q · k", -reach, reach, false, false};
    plot->x = brief ? across : panels_zoomed(across, &state->view, true);
    plot->bands = bars(state, theme->acc, arena);
    plot->band_count = 1;
    return plot;
}

/* The first two curves of how softmax saturates. */
static PlotFigure largest_weights(const SceneState *state, const Theme *theme, Arena *arena) {
    Plot *plot = make_plot(state, SATURATION, theme, true, arena);
    PlotCurve *curves = make_curves(state, SATURATION, theme, arena);
    curves[0].label = "undivided";
    curves[1].label = "divided";
    plot->curves = curves;
    plot->curve_count = 2;
    return (PlotFigure){.caption = "the largest weight of a row", .plot = plot, .brief = true};
}

static Panel make_panel(const SceneState *state, ScalingStage stage, bool brief, const Theme *theme,
                        Arena *arena) {
    const Table *shown = state->tables[stage];
    const char *text = brief ? shown->title : stage_caption(state, stage, arena);
    if (brief && stage == SATURATION)
        return (Panel){.curves = largest_weights(state, theme, arena)};
    if (stage == UNDIVIDED || stage == WEIGHTS)
        return (Panel){
            .matrix = {.caption = text,
                       .facts = arena_printf(arena, "unit-variance q and k · divided by %s",
                                             divisor_words(state, arena)),
                       .table = shown,
                       .view = &state->view}};
    return (Panel){.curves = {.caption = text,
                              .plot = make_plot(state, stage, theme, brief, arena),
                              .table = shown,
                              .brief = brief}};
}

/* The same rows undivided on the left and divided on the right, a plot under each. */
static const Pair *compared(const SceneState *state, const Panel *list, Arena *arena) {
    Pair *pair = ARENA_NEW(arena, Pair);
    *pair = (Pair){.caption = list[0].matrix.caption,
                   .facts = arena_printf(arena, "%s · colours: 0 to 1", list[0].matrix.facts),
                   .titles = {state->tables[UNDIVIDED]->title, state->tables[WEIGHTS]->title},
                   .sides = {state->tables[UNDIVIDED], state->tables[WEIGHTS]},
                   .both = state->tables[WEIGHTS],
                   .view = &state->view,
                   .below = {&list[1].curves, &list[2].curves}};
    return pair;
}

/* The stage shown, and beside it the two that explain it. */
static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    static const ScalingStage beside[COUNT][2] = {[PRODUCTS] = {SPREAD, SATURATION},
                                                  [SPREAD] = {PRODUCTS, SATURATION},
                                                  [UNDIVIDED] = {PRODUCTS, SPREAD},
                                                  [WEIGHTS] = {PRODUCTS, SATURATION},
                                                  [SATURATION] = {PRODUCTS, SPREAD}};
    ScalingStage shown = (ScalingStage)state->shown;
    list[0] = make_panel(state, shown, false, theme, arena);
    for (int i = 0; i < 2; i++)
        list[i + 1] = make_panel(state, beside[shown][i], true, theme, arena);
    if (shown == WEIGHTS) list[0].pair = compared(state, list, arena);
    return 3;
}

PANELS_FUNCTIONS

/* ---- the inspector ---- */

static void probe_width(const SceneState *state, Arena *arena, const ScalingFacts *facts,
                        Probe *probe) {
    inspect_number(probe, arena, "spread of q · k", facts->spread);
    inspect_number(probe, arena, arena_printf(arena, "√%d", facts->width), sqrt(facts->width));
    inspect_number(probe, arena, "divided by", divisor(state, facts->width));
    inspect_line(probe, "", "undivided, divided")->rule = true;
    const char *const names[] = {"largest weight", "entropy, of ln 16", "gradient norm"};
    const double *const values[] = {facts->largest, facts->entropy, facts->gradient};
    for (int i = 0; i < 3; i++)
        inspect_line(probe, names[i],
                     arena_printf(arena, "%s, %s", inspect_digits(arena, values[i][0]),
                                  inspect_digits(arena, values[i][1])));
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    out->title = arena_printf(arena, "%s, %s", shown->rows.labels[cell.row].text,
                              inspect_name(arena, &shown->columns, cell.column));
    inspect_number(out, arena, shown->quantity, (double)out->value)->hot = true;
    if (state->shown == PRODUCTS) {
        inspect_number(out, arena, "products around", state->bin_x[cell.row]);
        return true;
    }
    const ScalingFacts *facts = &state->facts[cell.row];
    if (state->shown == WEIGHTS || state->shown == UNDIVIDED) {
        double by = state->shown == WEIGHTS ? divisor(state, facts->width) : 1;
        inspect_number(out, arena, "q · k", (double)facts->products[cell.column]);
        inspect_number(out, arena, "score", (double)facts->products[cell.column] / by);
        inspect_row(out, arena, shown, NULL, cell.row);
    }
    probe_width(state, arena, facts, out);
    return true;
}

static const char *sentence(const SceneState *state, Arena *arena) {
    const ScalingFacts *facts = &state->facts[state->chosen];
    return arena_printf(arena,
                        "Width %d: products spread %.3g wide. The largest of %d weights is %.2f "
                        "undivided, %.2f divided by %s.",
                        state->width, facts->spread, KEYS, facts->largest[0], facts->largest[1],
                        divisor_words(state, arena));
}

const Scene scene_scaling = {
    .name = "scaling",
    .title = "Why divide by √d",
    .menu = "Why divide by √d",
    .group = "attention",
    .lesson = "Products of wide vectors are large; without the division softmax gives all to one "
              "key and stops learning.",
    .order = 25,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "weights",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .compute = compute,
    PANELS_ROWS,
    .caption = caption,
    .probe = probe,
    .table = table,
    .sentence = sentence,
};
