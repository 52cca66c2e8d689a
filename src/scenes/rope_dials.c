/* RoPE seen as clocks: each pair of features of a query at position m and of a key at position n is
 * a hand that has turned by the position times the pair's speed. Their product keeps only the angle
 * between the hands, which m - n decides; a light tells, in numbers, whether that holds. */
#include "base/text.h"
#include "draw/font.h"
#include "scene/dials.h"
#include "scene/inspect.h"
#include "scene/panels.h"
#include "scene/scene.h"

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
enum { DIALS_MAX = 8, SHIFTS = 5, SHIFT_LAST = 97, PAIRINGS = 3, LIGHT_LINE = 24, MARGIN = 12 };

static const int shifts[SHIFTS] = {0, 2, 6, 14, SHIFT_LAST};
static const double POSITIONS_A_SECOND = 4, TOLERANCE = 1e-6;

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
    int first;      /* first position of the waves */
    float *courses; /* [PAIRINGS,SHIFT_LAST+1] the product, both moved on */
    double spread;  /* of the products listed */
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {DIALS_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {DIALS_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice pairings[] = {
    [ROPE_ADJACENT] = {"adjacent", "adjacent pairs"},
    [ROPE_HALVES] = {"halves", "two halves"},
    [ROPE_MIXED] = {"mixed", "mixed, wrong"},
    {NULL, NULL},
};

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
     .choices = pairings,
     .start = "adjacent",
     .key = 'P',
     .help = "which features are a pair: neighbours, one of each half, or a wrong mix of both"},
    {.name = "stage",
     .label = "stage",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, shown),
     .choices = stage_choices,
     .start = "rotated",
     .key = 'S',
     .hidden = true,
     .help = "what is shown of the turned vectors"},
    {.name = "base",
     .label = "base",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, base),
     .min = 1,
     .max = 1e12,
     .step = 10,
     .logarithmic = true,
     .slider_min = 2,
     .slider_max = 1e6,
     .start = "10000",
     .help = "pair i turns by base^(-2i/R) radians a position, R the rotary width"},
    {.name = "head-dim",
     .label = "head width",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, head_dim),
     .min = 1,
     .max = DIALS_WIDTH_MAX,
     .step = 2,
     .slider_min = 2,
     .slider_max = 64,
     .start = "8",
     .help = "features of a query and a key, an even number; typed numbers bring their own"},
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

static Table *add_table(SceneState *state, Arena *arena, DialsStage stage, Table axes,
                        float **values) {
    uint8_t *states;
    Table *made = ARENA_NEW(arena, Table);
    *made = table_new(arena, axes.rows, axes.columns, values, &states);
    made->stage = stages[stage].name;
    made->title = axes.title;
    made->quantity = axes.quantity;
    made->kind = TABLE_SIGNED;
    state->tables[stage] = made;
    return made;
}

static TableAxis named_axis(Arena *arena, const char *name, const char *const *names, int count) {
    Label *labels = ARENA_ARRAY(arena, Label, count);
    for (int i = 0; i < count; i++) labels[i] = label_plain(arena, names[i]);
    return (TableAxis){name, count, labels};
}

static TableAxis feature_axis(const Dials *dials, Arena *arena) {
    const char **names = ARENA_ARRAY(arena, const char *, dials->K);
    for (int i = 0; i < dials->K; i++)
        names[i] = arena_printf(arena, i < dials->R ? "%d" : "%d (not rotated)", i);
    return named_axis(arena, "feature", names, dials->K);
}

static void note_rest(const Dials *dials, Table *table, Arena *arena) {
    if (dials->R == dials->K) return;
    table_note(table, arena_printf(arena,
                                   "Features %d to %d are not rotated, and θ counts the rotary "
                                   "width %d, not the head width %d.",
                                   dials->R, dials->K - 1, dials->R, dials->K));
}

static void note_lengths(const Dials *dials, Table *table, Arena *arena) {
    double before = dials_length(dials, false, false), after = dials_length(dials, false, true);
    bool kept = fabs(before - after) < TOLERANCE * (1 + before);
    table_note(table, arena_printf(arena, "|q| is %.6f before and %.6f after: %s.", before, after,
                                   kept ? "turning keeps lengths"
                                        : "this is no rotation, lengths change"));
}

static void add_vectors(SceneState *state, Arena *arena) {
    static const char *const turned[] = {"q", "k"};
    static const char *const all[] = {"q", "q turned", "k", "k turned", "v"};
    const Dials *dials = &state->dials;
    const float *rows[] = {dials->q, dials->turned[0], dials->k, dials->turned[1], dials->v};
    size_t size = (size_t)dials->K * sizeof(float);
    float *values;
    Table axes = {.title = "query and key turned by their positions",
                  .quantity = "value",
                  .rows = named_axis(arena, "vector", turned, 2),
                  .columns = feature_axis(dials, arena)};
    Table *table = add_table(state, arena, ROTATED, axes, &values);
    for (int i = 0; i < 2; i++) memcpy(values + i * dials->K, dials->turned[i], size);
    note_lengths(dials, table, arena);
    note_rest(dials, table, arena);
    axes.title = "vectors before and after turning";
    axes.rows = named_axis(arena, "vector", all, 5);
    table = add_table(state, arena, VECTORS, axes, &values);
    for (int i = 0; i < 5; i++) memcpy(values + i * dials->K, rows[i], size);
    table_note(table, "v is not turned: what is passed on carries no position.");
    note_lengths(dials, table, arena);
    note_rest(dials, table, arena);
}

static void add_waves(SceneState *state, Arena *arena) {
    int last = state->m > state->n ? state->m : state->n, count = state->wave_count;
    const char *names[DIALS_MAX];
    float *values;
    state->first = last < state->length ? 0 : last + 1 - state->length;
    for (int i = 0; i < count; i++) names[i] = arena_printf(arena, "pair %d", state->waves[i]);
    Table axes = {
        .title = "cos(position · θ)",
        .quantity = "cosine",
        .rows = {"position", state->length, label_numbers(arena, state->first, state->length)},
        .columns = named_axis(arena, "pair", names, count)};
    add_table(state, arena, WAVES, axes, &values);
    for (int t = 0; t < state->length; t++)
        for (int i = 0; i < count; i++)
            values[t * count + i] =
                (float)cos((state->first + t) * state->dials.frequency[state->waves[i]]);
}

static void add_products(SceneState *state, Arena *arena) {
    const char *names[SHIFTS];
    const Dials *dials = &state->dials;
    static const char *const column[] = {"q · k"};
    float *values;
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < SHIFTS; i++)
        names[i] = arena_printf(arena, "m %d, n %d", state->m + shifts[i], state->n + shifts[i]);
    Table axes = {.title = "q · k at one distance",
                  .quantity = "product",
                  .rows = named_axis(arena, "positions", names, SHIFTS),
                  .columns = named_axis(arena, "product", column, 1)};
    Table *table = add_table(state, arena, INVARIANCE, axes, &values);
    for (int i = 0; i < SHIFTS; i++) {
        double value = dials_product(dials, dials->rule.pairing, shifts[i]);
        values[i] = (float)value;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    state->spread = high - low;
    if (state->pairing == ROPE_MIXED)
        table_note(table, "Mixed: the pairs are those of two halves, but their angles stand in the "
                          "order of adjacent pairs, so no pair is truly rotated.");
    state->courses = ARENA_ARRAY(arena, float, PAIRINGS *(SHIFT_LAST + 1));
    for (int p = 0; p < PAIRINGS; p++)
        for (int s = 0; s <= SHIFT_LAST; s++)
            state->courses[p * (SHIFT_LAST + 1) + s] =
                (float)dials_product(dials, (RopePairing)p, s);
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
    add_products(state, arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(stages[i].name, stage) == 0) return state->tables[i];
    return NULL;
}

/* Whether the product of one distance is one number. */
static bool invariant(const SceneState *state) {
    double size =
        dials_length(&state->dials, false, false) * dials_length(&state->dials, true, false);
    return state->spread <= TOLERANCE * fmax(1, size);
}

/* ---- pictures ---- */

static const char *caption(const SceneState *state, Arena *arena) {
    const char *pairing = pairings[state->pairing].label;
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

/* The products listed as points, and below them how they run under each pairing. */
static Plot *product_plot(const SceneState *state, const Theme *theme, Arena *arena) {
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, 1 + PAIRINGS);
    double *places = ARENA_ARRAY(arena, double, SHIFTS);
    for (int i = 0; i < SHIFTS; i++) places[i] = state->m + shifts[i];
    curves[0] = (PlotCurve){.name = "q · k",
                            .color = theme->acc,
                            .shape = PLOT_POINTS,
                            .width = 4,
                            .count = SHIFTS,
                            .x = places,
                            .y = state->tables[INVARIANCE]->values};
    for (int p = 0; p < PAIRINGS; p++)
        curves[1 + p] =
            (PlotCurve){.name = pairings[p].label,
                        .label = pairings[p].label,
                        .color = p == state->pairing ? theme->acc : plot_faint(theme, theme->ink),
                        .shape = p == state->pairing ? PLOT_LINE : PLOT_DASHED,
                        .count = SHIFT_LAST + 1,
                        .first = state->m,
                        .step = 1,
                        .y = state->courses + p * (SHIFT_LAST + 1)};
    PlotAxis across = {"position of the query, the key follows", state->m, state->m + SHIFT_LAST,
                       false, true};
    *plot = (Plot){.title =
                       arena_printf(arena, "q · k while m − n stays %d", state->m - state->n),
                   .x = panels_zoomed(across, &state->view, true),
                   .curves = curves,
                   .curve_count = 1 + PAIRINGS,
                   .chosen_curve = state->view.column == 0 ? 0 : -1,
                   .chosen_point = state->view.row};
    return plot;
}

static int panels(const SceneState *state, const Theme *theme, Arena *arena, Panel *list) {
    if (state->shown == VECTORS)
        list[0] = (Panel){.matrix = {.caption = caption(state, arena),
                                     .facts = figure_facts(state, arena),
                                     .table = state->tables[VECTORS],
                                     .view = &state->view}};
    else if (state->shown == INVARIANCE)
        list[0] = (Panel){.curves = {.caption = caption(state, arena),
                                     .facts = figure_facts(state, arena),
                                     .plot = product_plot(state, theme, arena),
                                     .table = state->tables[INVARIANCE]}};
    else
        list[0] = (Panel){.curves = wave_figure(state, theme, state->shown == ROTATED, arena)};
    return 1;
}

static const char *light_words(const SceneState *state, Arena *arena) {
    const float *values = state->tables[INVARIANCE]->values;
    float low = values[0], high = values[0];
    for (int i = 1; i < SHIFTS; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    int distance = state->m - state->n;
    if (invariant(state))
        return arena_printf(arena, "same distance, same product: q · k = %.6f at m − n = %d",
                            (double)values[0], distance);
    return arena_printf(arena,
                        "same distance, different products: q · k from %.6f to %.6f at m − n = %d",
                        (double)low, (double)high, distance);
}

/* The light stands under the figure, in words and in the theme's colour. */
static Rect above_light(const Canvas *canvas, Rect rect) {
    int line = canvas_px(canvas, LIGHT_LINE);
    if (rect.h > 8 * line) rect.h -= line;
    return rect;
}

static void draw_light(const SceneState *state, Canvas *canvas, Rect rect) {
    const Theme *theme = canvas->theme;
    int line = canvas_px(canvas, LIGHT_LINE), margin = canvas_px(canvas, MARGIN);
    int lamp = canvas_px(canvas, 5);
    Color color = invariant(state) ? theme->good : theme->warn;
    Rect place = {rect.x + margin + 3 * lamp, rect.y + rect.h - line - margin / 2,
                  rect.w - 2 * margin - 3 * lamp, line};
    canvas_disc(canvas, rect.x + margin + lamp, place.y + line / 2.0, lamp, color);
    font_draw_in(canvas, (TextStyle){FONT_BOLD, FONT_BODY, color}, place, TEXT_LEFT,
                 light_words(state, canvas->arena));
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    Panel list[PANELS_MAX];
    Canvas inside = canvas_clipped(canvas, rect);
    Rect above = above_light(canvas, rect);
    int count = panels(state, canvas->theme, canvas->arena, list);
    panels_draw(&inside, above, list, count);
    if (above.h < rect.h) draw_light(state, &inside, rect);
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
    Rect above = above_light(canvas, rect);
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
    return panels_geometry(canvas, above_light(canvas, rect), list, count, arena);
}

/* ---- words ---- */

static const char *six(Arena *arena, double value) {
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    text_panel(out, value, 6);
    return out;
}

/* The products of one distance, and the light. */
static void probe_light(const SceneState *state, Arena *arena, int row, Probe *probe) {
    const Table *products = state->tables[INVARIANCE];
    bool holds = invariant(state);
    for (int i = 0; i < SHIFTS; i++)
        inspect_line(probe, products->rows.labels[i].text, six(arena, (double)products->values[i]))
            ->hot = i == row;
    inspect_line(probe, holds ? "same distance, same product" : "same distance, different products",
                 "")
        ->light = holds ? PROBE_HOLDS : PROBE_BROKEN;
    static const char *const names[] = {"|q| before", "|q| turned", "|k| before", "|k| turned"};
    for (int i = 0; i < 4; i++)
        inspect_line(probe, names[i], six(arena, dials_length(&state->dials, i >= 2, i % 2 == 1)))
            ->rule = i == 0;
}

/* How one feature of a turned vector comes about. */
static void probe_feature(const SceneState *state, Arena *arena, bool key, int feature,
                          Probe *probe) {
    const Dials *dials = &state->dials;
    const float *x = key ? dials->k : dials->q;
    int position = key ? state->n : state->m;
    DialsCouple it = dials_couple_of(dials, feature);
    if (!it.turned) {
        inspect_number(probe, arena, "value", (double)probe->value)->hot = true;
        probe->sentence = "Not rotated: it lies behind the rotary width.";
        return;
    }
    int pair = rope_angle_of(dials->rule.pairing, dials->R, feature);
    double angle = position * dials->frequency[pair];
    inspect_line(probe, arena_printf(arena, "pair %d", it.index),
                 arena_printf(arena, "features %d, %d", it.a, it.b));
    if (!dials->rule.quarter) {
        inspect_line(probe,
                     arena_printf(arena, "θ = %.6g^(−%d/%d)", state->base, 2 * pair, dials->R),
                     arena_printf(arena, "%.6g", dials->frequency[pair]));
        inspect_line(probe, arena_printf(arena, "%d × θ", position),
                     arena_printf(arena, "%.6g rad", angle));
    }
    inspect_number(probe, arena, "a", (double)x[it.a])->rule = true;
    inspect_number(probe, arena, "b", (double)x[it.b]);
    inspect_number(probe, arena, "c, cosine", dials->rule.quarter ? 0 : cos(angle));
    inspect_number(probe, arena, "s, sine", dials->rule.quarter ? 1 : sin(angle));
    inspect_number(probe, arena, feature == it.a ? "a c − b s" : "a s + b c", (double)probe->value)
        ->hot = true;
}

static void probe_wave(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    int position = state->first + cell.row, pair = state->waves[cell.column];
    double frequency = state->dials.frequency[pair];
    probe->title = arena_printf(arena, "pair %d, position %d", pair, position);
    inspect_line(probe, "θ", arena_printf(arena, "%.6g", frequency));
    inspect_line(probe, arena_printf(arena, "%d × θ", position),
                 arena_printf(arena, "%.6g rad", position * frequency));
    inspect_number(probe, arena, "cosine", (double)probe->value)->hot = true;
    inspect_number(probe, arena, "sine", sin(position * frequency));
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
    if (none || state->shown == INVARIANCE) {
        out->title = arena_printf(arena, "q · k at distance %d", state->m - state->n);
        probe_light(state, arena, none ? -1 : cell.row, out);
    } else if (state->shown == WAVES) {
        probe_wave(state, arena, cell, out);
    } else if (state->shown == ROTATED || cell.row % 2 == 1) {
        probe_feature(state, arena, state->shown == ROTATED ? cell.row == 1 : cell.row == 3,
                      cell.column, out);
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
