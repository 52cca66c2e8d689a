/* How the product of turned vectors falls with distance: the exact curve for equal vectors, a band
 * for random ones, and on demand the waves whose sum one point of the curve is. It is a tendency
 * of many waves that no longer agree, and the curve rises again wherever they happen to. */
#include "core/rope_decay.h"
#include "base/text.h"
#include "core/rope.h"
#include "scene/angle_knobs.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

#define DECAY_STAGES(ROW)                                                                          \
    ROW("decay", "decay", "The mean product of a pair of features against the distance.")          \
    ROW("widths", "head widths", "The same for several head widths.")                              \
    ROW("bases", "bases", "The same for several bases: a larger one falls later.")                 \
    ROW("waves", "cancelling waves",                                                               \
        "The waves whose mean the curve is, up to the distance "                                   \
        "followed.")

typedef enum DecayStage { DECAY, WIDTHS, BASES, WAVES, COUNT } DecayStage;

enum { WIDTH_MAX = 512, LENGTH_MAX = 2048, FIXED_MAX = 4, WAVES_SHOWN = 8 };
enum { FAMILY_MAX = WAVES_SHOWN + 1, DRAWS_MAX = 400 };

/* What the chosen width and base are compared with. */
static const double fixed_widths[FIXED_MAX] = {16, 64, 128, 512};
static const double fixed_bases[FIXED_MAX] = {100, 10000, 500000, 1e7};
static const double DISTANCES_A_SECOND = 8;

/* The columns of the stage decay. */
typedef enum DecayColumn { EXACT, MEAN, LOW, HIGH, DECAY_COLUMNS } DecayColumn;

struct SceneState {
    View view;
    int head_dim, length, distance, vectors, draws, seed, shown;
    double base;
    double moved; /* part of a distance that has passed while playing */
    /* made by compute */
    double *frequency; /* [head_dim/2] */
    float *low, *high; /* [length] the band */
    const Table *tables[COUNT];
    int own[COUNT]; /* of several curves of a stage the one that the knobs have chosen */
};

static const SceneStage stages[] = {DECAY_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {DECAY_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice vectors[] = {
    [ROPE_DRAW_EQUAL] = {"equal", "k = q"},
    [ROPE_DRAW_INDEPENDENT] = {"independent", "k by itself"},
    {NULL, NULL},
};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "decay", "what the curves compare"),
    {.name = "distance",
     .label = "distance",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, distance),
     .max = LENGTH_MAX - 1,
     .step = 1,
     .slider_max = 255,
     .start = "40",
     .key = 'N',
     .help = "the distance that is followed; Space moves it"},
    HEAD_DIM_KNOB(SceneState, head_dim, WIDTH_MAX, 256, "64", "features of a head, an even number"),
    BASE_KNOB(SceneState, base, 1e7, "pair i turns by base^(-2i/width) radians a position"),
    {.name = "length",
     .label = "length",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, length),
     .min = 2,
     .max = LENGTH_MAX,
     .step = 32,
     .slider_min = 2,
     .slider_max = 1024,
     .start = "256",
     .help = "how many distances are shown, from 0 on"},
    {.name = "vectors",
     .label = "random",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, vectors),
     .choices = vectors,
     .start = "equal",
     .key = 'U',
     .help = "what the random vectors of the band are: a key equal to its query, or by itself"},
    {.name = "draws",
     .label = "draws",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, draws),
     .min = 2,
     .max = DRAWS_MAX,
     .step = 10,
     .start = "100",
     .help = "how many random vectors the band is made from"},
    STAGE_SEED_KNOB(SceneState, seed, 'D', NULL, "number of the random vectors"),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static int followed(const SceneState *state) {
    return state->distance < state->length ? state->distance : state->length - 1;
}

static bool tick(SceneState *state, double dt) {
    state->moved += dt * DISTANCES_A_SECOND;
    int steps = (int)state->moved;
    if (steps == 0) return false;
    state->moved -= steps;
    state->distance = (followed(state) + steps) % state->length;
    return true;
}

static double *frequencies(Arena *arena, int width, double base) {
    double *frequency = ARENA_ARRAY(arena, double, width / 2);
    rope_frequencies(frequency, width, base);
    return frequency;
}

/* The product of vectors of ones, a feature: 1 at distance 0. */
static double mean_product(const double *frequency, int width, int distance) {
    return rope_decay_dot(frequency, width / 2, distance) / width;
}

/* A table of distances and named curves. */
static Table *add_table(SceneState *state, Arena *arena, DecayStage stage, const char *title,
                        const char *const *names, int count, float **values) {
    uint8_t *states;
    TableAxis rows = {"distance", state->length, label_numbers(arena, 0, state->length)};
    TableAxis columns = {"curve", count, label_list(arena, names, count)};
    Table *made = ARENA_NEW(arena, Table);
    *made = table_new(arena, rows, columns, values, &states);
    made->stage = stages[stage].name;
    made->title = title;
    made->quantity = "mean product";
    made->kind = TABLE_SIGNED;
    state->tables[stage] = made;
    table_note(made, "A soft tendency, not a guarantee: the curve is no slope, and far away the "
                     "waves may agree again.");
    return made;
}

static void add_decay(SceneState *state, Arena *arena) {
    static const char *const names[] = {"equal vectors, exact", "random vectors, mean",
                                        "mean − deviation", "mean + deviation"};
    int pairs = state->head_dim / 2;
    float *values;
    Table *table = add_table(state, arena, DECAY, "mean product against distance", names,
                             DECAY_COLUMNS, &values);
    RopeBand band = rope_decay_band(arena, state->frequency, pairs, state->length, state->draws,
                                    (RopeDraw)state->vectors, (uint64_t)state->seed);
    state->low = ARENA_ARRAY(arena, float, state->length);
    state->high = ARENA_ARRAY(arena, float, state->length);
    for (int d = 0; d < state->length; d++) {
        float *row = values + d * DECAY_COLUMNS;
        row[EXACT] = (float)mean_product(state->frequency, state->head_dim, d);
        row[MEAN] = band.mean[d];
        row[LOW] = state->low[d] = band.mean[d] - band.deviation[d];
        row[HIGH] = state->high[d] = band.mean[d] + band.deviation[d];
    }
    table_note(table, arena_printf(arena,
                                   "Band: one standard deviation over %d random vectors, "
                                   "seed %d, %s.",
                                   state->draws, state->seed,
                                   state->vectors == ROPE_DRAW_EQUAL
                                       ? "each key equal to its query"
                                       : "keys drawn by themselves, where nothing decays"));
}

/* The fixed values of a family and the chosen one among them, rising. Returns how many. */
static int family(double list[FIXED_MAX + 1], const double *fixed, double chosen) {
    int count = 0;
    bool placed = false;
    for (int i = 0; i < FIXED_MAX; i++) {
        if (!placed && chosen <= fixed[i]) {
            if (chosen < fixed[i]) list[count++] = chosen;
            placed = true;
        }
        list[count++] = fixed[i];
    }
    if (!placed) list[count++] = chosen;
    return count;
}

static void add_family(SceneState *state, Arena *arena, DecayStage stage, const char *title) {
    bool bases = stage == BASES;
    double list[FIXED_MAX + 1], chosen = bases ? state->base : state->head_dim;
    const char *names[FIXED_MAX + 1] = {NULL};
    int count = family(list, bases ? fixed_bases : fixed_widths, chosen);
    float *values;
    for (int i = 0; i < count; i++) {
        const char *name = bases ? "base" : "width";
        bool whole = list[i] == floor(list[i]);
        names[i] = whole ? arena_printf(arena, "%s %.0f", name, list[i])
                         : arena_printf(arena, "%s %.6g", name, list[i]);
        if (list[i] == chosen) state->own[stage] = i;
    }
    add_table(state, arena, stage, title, names, count, &values);
    for (int i = 0; i < count; i++) {
        int width = bases ? state->head_dim : (int)list[i];
        double *frequency = frequencies(arena, width, bases ? list[i] : state->base);
        for (int d = 0; d < state->length; d++)
            values[d * count + i] = (float)mean_product(frequency, width, d);
    }
}

/* Pairs shown as waves: evenly spread. */
static int wave_count(const SceneState *state) {
    return state->head_dim / 2 < WAVES_SHOWN ? state->head_dim / 2 : WAVES_SHOWN;
}

static int wave_pair(const SceneState *state, int index) {
    return index * (state->head_dim / 2) / wave_count(state);
}

/* The mean of all waves first, then some of them. */
static void add_waves(SceneState *state, Arena *arena) {
    int count = wave_count(state);
    const char *names[FAMILY_MAX] = {"mean of all pairs"};
    float *values;
    for (int i = 0; i < count; i++)
        names[i + 1] = arena_printf(arena, "pair %d", wave_pair(state, i));
    add_table(state, arena, WAVES, "the waves behind the curve", names, count + 1, &values);
    for (int d = 0; d < state->length; d++) {
        float *row = values + d * (count + 1);
        row[0] = (float)mean_product(state->frequency, state->head_dim, d);
        for (int i = 0; i < count; i++)
            row[i + 1] = (float)cos(d * state->frequency[wave_pair(state, i)]);
    }
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    if (!rope_check(state->head_dim, state->head_dim, state->base, err)) return false;
    state->frequency = frequencies(arena, state->head_dim, state->base);
    add_decay(state, arena);
    add_family(state, arena, WIDTHS, "several head widths, equal vectors");
    add_family(state, arena, BASES, "several bases, equal vectors");
    add_waves(state, arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

static const char *caption(const SceneState *state, Arena *arena) {
    const char *title = state->tables[state->shown]->title;
    const char *width = arena_printf(arena, " · head width %d", state->head_dim);
    const char *base = arena_printf(arena, " · base %.6g", state->base);
    return arena_printf(arena, "RoPE decay: %s%s%s", title, state->shown == WIDTHS ? "" : width,
                        state->shown == BASES ? "" : base);
}

/* Curves of the stage shown; of decay only the exact one and the mean. */
static PlotCurve *make_curves(const SceneState *state, const Theme *theme, int count,
                              Arena *arena) {
    const Table *shown = state->tables[state->shown];
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, count);
    PlotWave *waves = ARENA_ARRAY(arena, PlotWave, count);
    for (int i = 0; i < count; i++) {
        const char *name = shown->columns.labels[i].text;
        Color color = plot_hue(theme, i, count);
        bool pale = state->shown == WAVES && i > 0;
        bool strong = state->shown != DECAY && i == state->own[state->shown];
        if (pale) waves[i] = (PlotWave){1, state->frequency[wave_pair(state, i - 1)], 0, 0};
        curves[i] =
            (PlotCurve){.name = name,
                        .label = name,
                        .color = pale ? plot_faint(theme, color) : color,
                        .width = strong ? 3 : 0,
                        .shape = state->shown == DECAY && i == MEAN ? PLOT_DASHED : PLOT_LINE,
                        .count = state->length,
                        .step = 1,
                        .y = shown->values + i,
                        .stride = (size_t)shown->columns.count,
                        .wave = pale ? &waves[i] : NULL};
    }
    return curves;
}

static Plot *make_plot(const SceneState *state, const Theme *theme, Arena *arena) {
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotMarker *marker = ARENA_NEW(arena, PlotMarker);
    PlotBand *band = ARENA_NEW(arena, PlotBand);
    int count = state->shown == DECAY ? 2 : state->tables[state->shown]->columns.count;
    int distance = followed(state);
    PlotAxis across = {"distance of query and key", 0, state->length - 1, false, true};
    *marker = (PlotMarker){distance, arena_printf(arena, "distance %d", distance), theme->acc};
    *band = (PlotBand){.color = plot_hue(theme, 1, 2),
                       .count = state->length,
                       .step = 1,
                       .low = state->low,
                       .high = state->high};
    bool chosen = state->view.column < count;
    *plot = (Plot){.title = "q · k turned, for each feature",
                   .x = panels_zoomed(across, &state->view, true),
                   .curves = make_curves(state, theme, count, arena),
                   .curve_count = count,
                   .bands = band,
                   .band_count = state->shown == DECAY ? 1 : 0,
                   .markers = marker,
                   .marker_count = 1,
                   .chosen_curve = chosen ? state->view.column : -1,
                   .chosen_point = state->view.row};
    return plot;
}

/* For the waves: where each stands at the distance followed, cosine to the right. */
static Dial *make_dials(const SceneState *state, const Theme *theme, int count, Arena *arena) {
    Dial *dials = ARENA_ARRAY(arena, Dial, count);
    for (int i = 0; i < count; i++) {
        int pair = wave_pair(state, i);
        double angle = followed(state) * state->frequency[pair];
        dials[i] = (Dial){
            .title = arena_printf(arena, "pair %d", pair),
            .line = arena_printf(arena, "cos %s%.3f", cos(angle) < 0 ? "−" : "", fabs(cos(angle))),
            .hands = {{angle, 1, plot_hue(theme, i + 1, count + 1), NULL}},
            .hand_count = 1};
    }
    return dials;
}

static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    int dials = state->shown == WAVES ? wave_count(state) : 0;
    Cell *cells = ARENA_ARRAY(arena, Cell, dials + 1);
    for (int i = 0; i < dials; i++) cells[i] = (Cell){followed(state), i + 1};
    const char *facts =
        arena_printf(arena, "mean over %d features · 1 at distance 0 for equal vectors of ones",
                     state->head_dim);
    list[0] = (Panel){.curves = {.caption = caption(state, arena),
                                 .facts = state->shown == WIDTHS ? NULL : facts,
                                 .plot = make_plot(state, theme, arena),
                                 .dials = make_dials(state, theme, dials, arena),
                                 .dial_count = dials,
                                 .dial_cells = cells,
                                 .table = state->tables[state->shown]}};
    return 1;
}

PANELS_FUNCTIONS

/* The sum at a distance in its two parts, and some of the waves in it. */
static void probe_sum(const SceneState *state, Arena *arena, int distance, Probe *probe) {
    int pairs = state->head_dim / 2, up = 0;
    bool alone = probe->line_count == 0; /* no cell is chosen, whose number is marked */
    double plus = 0, minus = 0;
    for (int i = 0; i < pairs; i++) {
        double wave = cos(distance * state->frequency[i]);
        up += wave > 0;
        *(wave > 0 ? &plus : &minus) += wave;
    }
    inspect_number(probe, arena, arena_printf(arena, "%d waves above 0", up), plus);
    inspect_number(probe, arena, arena_printf(arena, "%d waves below 0", pairs - up), minus);
    inspect_number(probe, arena, arena_printf(arena, "sum ÷ %d pairs", pairs),
                   (plus + minus) / pairs)
        ->hot = alone;
    inspect_number(probe, arena, "bound of the paper",
                   rope_decay_bound(state->frequency, pairs, distance));
    for (int i = 0; i < wave_count(state); i++) {
        int pair = wave_pair(state, i);
        const char *name = arena_printf(arena, "pair %d, cos(%d θ)", pair, distance);
        inspect_number(probe, arena, name, cos(distance * state->frequency[pair]))->rule = i == 0;
    }
    probe->sentence = "Waves of both signs cancel. That is a soft tendency, not a guarantee: at "
                      "some larger distances they agree again.";
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    bool none = cell.row < 0 || cell.column < 0;
    if (!none && (cell.row >= shown->rows.count || cell.column >= shown->columns.count))
        return false;
    if (none)
        *out = (Probe){.stage = shown->stage, .cell = {-1, -1}};
    else
        *out = inspect_cell(arena, shown, cell);
    int distance = none ? followed(state) : cell.row;
    out->title = arena_printf(arena, "distance %d", distance);
    if (!none)
        inspect_number(out, arena, shown->columns.labels[cell.column].text, (double)out->value)
            ->hot = true;
    probe_sum(state, arena, distance, out);
    return true;
}

static const char *sentence(const SceneState *state, Arena *arena) {
    int distance = followed(state);
    return arena_printf(arena, "At distance %d equal vectors keep %.3f of their product.", distance,
                        mean_product(state->frequency, state->head_dim, distance));
}

static const char *facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "%d distances · width %d", state->length, state->head_dim);
}

const Scene scene_rope_decay = {
    .name = "rope_decay",
    .title = "RoPE decay",
    .menu = "RoPE decay",
    .group = "position",
    .lesson = "The further apart, the less the waves agree: products tend to fall with distance. "
              "It is a soft tendency, not a guarantee.",
    .order = 70,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "decay",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .up_down = "distance",
    .tick = tick,
    .compute = compute,
    PANELS_ROWS,
    .caption = caption,
    .probe = probe,
    .table = table,
    .sentence = sentence,
    .facts = facts,
};
