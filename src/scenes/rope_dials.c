/* RoPE seen as clocks: each pair of features of a query at position m and of a key at position n is
 * a hand that has turned by the position times the pair's speed. Their product keeps only the angle
 * between the hands, which m - n decides; a light tells, in numbers, whether that holds. */
#include "scene/angle_knobs.h"
#include "scene/dials.h"
#include "scene/dials_light.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"
#include "scene/waves.h"

#include <math.h>
#include <string.h>

#define DIALS_STAGES(ROW)                                                                          \
    ROW("rotated", "dials", "Each pair of features is a hand, turned by its position times θ.")    \
    ROW("waves", "waves", "The cosine of each pair's angle over the positions.")                   \
    ROW("vectors", "vectors", "Query and key before and after; the value is never turned.")        \
    ROW("invariance", "invariance",                                                                \
        "The product of query and key wherever both stand, their distance kept.")

typedef enum DialsStage { ROTATED, WAVES, VECTORS, INVARIANCE, COUNT } DialsStage;
typedef enum DialsAngle { ANGLE_POSITION, ANGLE_QUARTER } DialsAngle;

enum { NUMBERS_MAX = 8192, POSITION_LAST = 1000000 };
enum { DIALS_MAX = 8 };

static const double POSITIONS_A_SECOND = 4;

struct SceneState {
    View view;
    char q[NUMBERS_MAX], k[NUMBERS_MAX], v[NUMBERS_MAX];
    int m, n, head_dim, rotary_dim, pairing, angle, pairs, first_pair, length, shown;
    double base;
    double moved; /* part of a position that has passed while playing */
    int width;    /* the head width of the last compute; 0 before the first */
    /* made by compute */
    Dials dials;
    DialsCouple couples[DIALS_MAX];
    int couple_count;     /* hands shown */
    int waves[DIALS_MAX]; /* pairs shown as waves */
    int wave_count;
    int first; /* first position of the waves */
    DialsLight light;
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {DIALS_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {DIALS_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice angles[] = {
    [ANGLE_POSITION] = {"position", "position × θ"},
    [ANGLE_QUARTER] = {"quarter", "a quarter turn"},
    {NULL, NULL},
};

/* Rows for q, k and v. */
#define NUMBERS_KNOB(name_, label_, field, help_)                                                  \
    {                                                                                              \
        .name = name_, .label = label_, .kind = KNOB_TEXT, .at = offsetof(SceneState, field),      \
        .size = NUMBERS_MAX, .start = "example", .help = help_                                     \
    }

static const Knob knobs[] = {
    {.name = "m",
     .label = "m (query)",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, m),
     .max = POSITION_LAST,
     .step = 1,
     .start = "7",
     .slider_max = 64,
     .help = "position of the query"},
    {.name = "n",
     .label = "n (key)",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, n),
     .max = POSITION_LAST,
     .step = 1,
     .start = "3",
     .slider_max = 64,
     .help = "position of the key"},
    {.name = "pairing",
     .label = "pairing",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, pairing),
     .choices = dials_pairings,
     .start = "adjacent",
     .key = 'P',
     .help = "which features are a pair: neighbours, one of each half, or a wrong mix of both"},
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "rotated",
                     "what is shown of the turned vectors"),
    BASE_KNOB(SceneState, base, 1e6,
              "pair i turns by base^(-2i/R) radians a position, R the rotary width"),
    HEAD_DIM_KNOB(SceneState, head_dim, DIALS_WIDTH_MAX, 64, "8",
                  "features of a query and a key, an even number; typed numbers bring their own"),
    {.name = "rotary-dim",
     .label = "rotary width",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, rotary_dim),
     .max = DIALS_WIDTH_MAX,
     .step = 2,
     .slider_max = 64,
     .start = "0",
     .help = "how many of the first features turn; 0 is all of them"},
    {.name = "angle",
     .label = "angle",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, angle),
     .choices = angles,
     .start = "position",
     .key = 'A',
     .help = "position x frequency, or a quarter turn for every pair: cosine 0, sine 1"},
    {.name = "pairs",
     .label = "pairs shown",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, pairs),
     .min = 1,
     .max = DIALS_MAX,
     .step = 1,
     .start = "4",
     .key = 'W',
     .help = "how many pairs are shown as dials"},
    {.name = "first-pair",
     .label = "first pair",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, first_pair),
     .max = DIALS_WIDTH_MAX / 2 - 1,
     .step = 1,
     .slider_max = 31,
     .start = "0",
     .help = "the first pair that is shown"},
    {.name = "length",
     .label = "length",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, length),
     .min = 2,
     .max = 4096,
     .step = 16,
     .slider_min = 2,
     .slider_max = 512,
     .start = "64",
     .help = "positions under the waves"},
    NUMBERS_KNOB("q", "q", q, "the query: numbers, @FILE, or example"),
    NUMBERS_KNOB("k", "k", k, "the key: numbers, @FILE, or example"),
    NUMBERS_KNOB("v", "v", v, "the value, which is not turned: numbers, @FILE, or example"),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

/* Query and key walk on together; at the end of the waves the first of them is back at 0. */
static bool tick(SceneState *state, double dt) {
    state->moved += dt * POSITIONS_A_SECOND;
    int steps = (int)state->moved;
    if (steps == 0) return false;
    state->moved -= steps;
    int low = state->m < state->n ? state->m : state->n;
    int high = state->m < state->n ? state->n : state->m;
    int by =
        high + steps > (high - low < state->length ? state->length : POSITION_LAST) ? -low : steps;
    state->m += by;
    state->n += by;
    return true;
}

/* ---- numbers ---- */

static void choose_couples(SceneState *state) {
    const Dials *dials = &state->dials;
    int all = dials->K / 2, first = state->first_pair < all ? state->first_pair : all - 1;
    state->couple_count = state->pairs < all - first ? state->pairs : all - first;
    state->wave_count = 0;
    for (int i = 0; i < state->couple_count; i++) {
        state->couples[i] = dials_couple(dials, first + i);
        if (state->couples[i].turned) state->waves[state->wave_count++] = first + i;
    }
    if (state->wave_count == 0) state->waves[state->wave_count++] = dials->R / 2 - 1;
}

static void add_table(SceneState *state, Arena *arena, DialsStage stage, const char *title,
                      Table table) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    made->title = title;
    made->kind = TABLE_SIGNED;
    state->tables[stage] = made;
}

static void add_vectors(SceneState *state, Arena *arena) {
    static const int turned[] = {DIALS_Q_TURNED, DIALS_K_TURNED};
    static const int all[] = {DIALS_Q, DIALS_Q_TURNED, DIALS_K, DIALS_K_TURNED, DIALS_V};
    add_table(state, arena, ROTATED, "query and key turned by their positions",
              dials_vectors(&state->dials, turned, 2, arena));
    add_table(state, arena, VECTORS, "vectors before and after turning",
              dials_vectors(&state->dials, all, 5, arena));
}

static void add_waves(SceneState *state, Arena *arena) {
    int last = state->m > state->n ? state->m : state->n, count = state->wave_count;
    Label *names = ARENA_ARRAY(arena, Label, count);
    float *values;
    uint8_t *states;
    state->first = last < state->length ? 0 : last + 1 - state->length;
    for (int i = 0; i < count; i++)
        names[i] = label_plain(arena, arena_printf(arena, "pair %d", state->waves[i]));
    TableAxis rows = {"position", state->length, label_numbers(arena, state->first, state->length)};
    Table table = table_new(arena, rows, (TableAxis){"pair", count, names}, &values, &states);
    table.quantity = "cosine";
    for (int t = 0; t < state->length; t++)
        for (int i = 0; i < count; i++)
            values[t * count + i] =
                (float)cos((state->first + t) * state->dials.frequency[state->waves[i]]);
    table_seal(&table, states);
    add_table(state, arena, WAVES, "cos(position · θ)", table);
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    DialsRule rule = {.q = state->q,
                      .k = state->k,
                      .v = state->v,
                      .head_dim = state->head_dim,
                      .usual_dim = state->width ? state->width : DIALS_WIDTH_START,
                      .rotary_dim = state->rotary_dim,
                      .base = state->base,
                      .pairing = (RopePairing)state->pairing,
                      .quarter = state->angle == ANGLE_QUARTER,
                      .m = state->m,
                      .n = state->n};
    if (!dials_read(rule, arena, &state->dials, err)) return false;
    state->head_dim = state->width = state->dials.K;
    choose_couples(state);
    add_vectors(state, arena);
    add_waves(state, arena);
    state->light = dials_light(&state->dials, arena);
    add_table(state, arena, INVARIANCE, state->light.table.title, state->light.table);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- pictures ---- */

static const char *caption(const SceneState *state, Arena *arena) {
    const char *pairing = dials_pairings[state->pairing].label;
    if (state->angle == ANGLE_QUARTER)
        return arena_printf(arena, "RoPE dials: a quarter turn for every pair · %s", pairing);
    return arena_printf(arena, "RoPE dials: query at %d, key at %d · %s", state->m, state->n,
                        pairing);
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "head width: %d · rotary width: %d · base: %.6g", state->dials.K,
                        state->dials.R, state->base);
}

static PlotCurve *wave_curves(const SceneState *state, const Theme *theme, Arena *arena) {
    const Table *table = state->tables[WAVES];
    int count = state->wave_count;
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, count);
    PlotWave *waves = ARENA_ARRAY(arena, PlotWave, count);
    for (int i = 0; i < count; i++) {
        waves[i] = (PlotWave){1, state->dials.frequency[state->waves[i]], 0, 0};
        curves[i] = (PlotCurve){.name = table->columns.labels[i].text,
                                .label = table->columns.labels[i].text,
                                .color = plot_hue(theme, i, count),
                                .shape = PLOT_LINE,
                                .count = state->length,
                                .first = state->first,
                                .step = 1,
                                .y = table->values + i,
                                .stride = (size_t)count,
                                .wave = &waves[i]};
    }
    return curves;
}

static Plot *wave_plot(const SceneState *state, const Theme *theme, Arena *arena) {
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotMarker *markers = ARENA_ARRAY(arena, PlotMarker, 2);
    int last = state->first + state->length - 1, count = 0;
    bool chosen = state->shown == WAVES;
    if (state->n >= state->first)
        markers[count++] = (PlotMarker){state->n, "n", dials_key_color(theme)};
    if (state->m >= state->first)
        markers[count++] = (PlotMarker){state->m, "m", dials_query_color(theme)};
    PlotAxis across = {"position", state->first, last, false, true};
    *plot = (Plot){.title = "cos(position · θ), one curve a pair",
                   .x = panels_zoomed(across, &state->view, true),
                   .y = {NULL, -1.12, 1.12, false, false},
                   .curves = wave_curves(state, theme, arena),
                   .curve_count = state->wave_count,
                   .markers = markers,
                   .marker_count = count,
                   .chosen_curve = chosen ? state->view.column : -1,
                   .chosen_point = chosen ? state->view.row : -1};
    return plot;
}

static PlotFigure wave_figure(const SceneState *state, const Theme *theme, bool with_dials,
                              Arena *arena) {
    int count = state->couple_count;
    Dial *dials = ARENA_ARRAY(arena, Dial, count);
    Cell *cells = ARENA_ARRAY(arena, Cell, count);
    for (int i = 0; i < count; i++) {
        DialsCouple it = state->couples[i];
        int column = state->view.column;
        dials[i] = dials_dial(&state->dials, it, theme, arena);
        dials[i].chosen = state->view.row >= 0 && (column == it.a || column == it.b);
        cells[i] = (Cell){0, it.a};
    }
    return (PlotFigure){.caption = caption(state, arena),
                        .facts = figure_facts(state, arena),
                        .plot = wave_plot(state, theme, arena),
                        .dials = dials,
                        .dial_count = with_dials ? count : 0,
                        .dial_cells = cells,
                        .table = state->tables[with_dials ? ROTATED : WAVES]};
}

static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    if (state->shown == VECTORS)
        list[0] = (Panel){.matrix = {.caption = caption(state, arena),
                                     .facts = figure_facts(state, arena),
                                     .table = state->tables[VECTORS],
                                     .view = &state->view}};
    else if (state->shown == INVARIANCE)
        list[0] =
            (Panel){.curves = {.caption = caption(state, arena),
                               .facts = figure_facts(state, arena),
                               .plot = dials_light_plot(&state->light, &state->view, theme, arena),
                               .table = state->tables[INVARIANCE]}};
    else
        list[0] = (Panel){.curves = wave_figure(state, theme, state->shown == ROTATED, arena)};
    return 1;
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    Panel list[PANELS_MAX];
    Canvas inside = canvas_clipped(canvas, rect);
    int count = panels(state, canvas->theme, canvas->arena, list);
    panels_draw(&inside, dials_light_above(canvas, rect), list, count);
    dials_light_draw(&inside, rect, &state->light);
}

static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    (void)state; /* dials, waves, vectors and products have one size */
    panels_natural(canvas, 1, width, height);
}

/* The feature at a point of a dial: of the hand that points there, the part along the nearer axis.
 */
static bool locate_hand(const SceneState *state, Canvas *canvas, Rect rect,
                        const PlotFigure *figure, int x, int y, Cell *cell) {
    for (int i = 0; i < state->couple_count; i++) {
        DialsCouple it = state->couples[i];
        Rect place;
        if (!plot_figure_dial(canvas, rect, figure, i, &place) || !rect_contains(place, x, y))
            continue;
        double dx = x - place.x - place.w / 2.0;
        double dy = place.y + (place.h - dial_text_height(canvas)) / 2.0 - y;
        *cell = (Cell){dials_nearer_key(&state->dials, it, atan2(dy, dx)),
                       fabs(dx) >= fabs(dy) ? it.a : it.b};
        return true;
    }
    return false;
}

static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    Panel list[PANELS_MAX];
    Cell found;
    Rect above = dials_light_above(canvas, rect);
    int count = panels(state, canvas->theme, canvas->arena, list);
    if (state->shown == ROTATED)
        return locate_hand(state, canvas, above, &list[0].curves, x, y, cell);
    if (!panels_locate(canvas, above, list, count, x, y, &found)) return false;
    const Table *shown = state->tables[state->shown];
    if (found.row >= shown->rows.count || found.column >= shown->columns.count) return false;
    *cell = found;
    return true;
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    Panel list[PANELS_MAX];
    int count = panels(state, canvas->theme, arena, list);
    return panels_geometry(canvas, dials_light_above(canvas, rect), list, count, arena);
}

/* ---- words ---- */

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    bool none = cell.row < 0 || cell.column < 0;
    if (!none && (cell.row >= shown->rows.count || cell.column >= shown->columns.count))
        return false;
    if (none)
        *out = (Probe){.stage = shown->stage, .cell = {-1, -1}};
    else
        *out = inspect_cell(arena, shown, cell);
    if (none || state->shown == INVARIANCE) {
        out->title = arena_printf(arena, "q · k at distance %d", state->m - state->n);
        dials_light_inspect(&state->light, none ? -1 : cell.row, out, arena);
    } else if (state->shown == WAVES) {
        int pair = state->waves[cell.column];
        dials_inspect_wave(&state->dials, pair, state->first + cell.row, out, arena);
        waves_inspect_turns(out, state->dials.frequency[pair], state->length, arena);
    } else if (state->shown == ROTATED || cell.row % 2 == 1) {
        bool key = cell.row == (state->shown == ROTATED ? 1 : DIALS_K_TURNED);
        dials_inspect_feature(&state->dials, key, cell.column, out, arena);
    } else {
        inspect_number(out, arena, "value", (double)out->value)->hot = true;
        if (cell.row == 4) out->sentence = "The value is passed on as it is: it is never turned.";
    }
    return true;
}

static const char *sentence(const SceneState *state, Arena *arena) {
    if (state->angle == ANGLE_QUARTER)
        return "Every pair makes a quarter turn: cosine 0, sine 1, so [a, b] becomes [−b, a].";
    return arena_printf(arena, "Query at position %d, key at position %d: distance %d.", state->m,
                        state->n, state->m - state->n);
}

static const char *facts(const SceneState *state, Arena *arena) {
    int pairs = state->dials.R / 2;
    return arena_printf(arena, "%d pair%s · base %.6g", pairs, pairs == 1 ? "" : "s", state->base);
}

const Scene scene_rope_dials = {
    .name = "rope_dials",
    .title = "RoPE dials",
    .menu = "RoPE dials",
    .group = "position",
    .lesson = "Each pair of dimensions turns at its own speed. What q · k sees is only the angle "
              "between the hands, m − n.",
    .order = 60,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "rotated",
    .steps = "stage",
    .left_right = "m",
    .up_down = "n",
    .view = offsetof(SceneState, view),
    .tick = tick,
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
