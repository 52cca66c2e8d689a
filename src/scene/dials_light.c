/* Products of one distance at a few places, near and far. */
#include "scene/dials_light.h"

#include "base/text.h"
#include "draw/font.h"
#include "scene/inspect.h"
#include "scene/panels.h"

#include <math.h>

/* Sizes of the design at scale 1. */
enum { LIGHT_LINE = 24, MARGIN = 12, LAMP = 5 };

enum { SHIFTS = 5, SHIFT_LAST = 97, PAIRINGS = 3 };
static const int shifts[SHIFTS] = {0, 2, 6, 14, SHIFT_LAST};

static const double TOLERANCE = 1e-6;

static const float *all_courses(const Dials *dials, Arena *arena) {
    float *courses = ARENA_ARRAY(arena, float, PAIRINGS *(SHIFT_LAST + 1));
    for (int p = 0; p < PAIRINGS; p++)
        for (int s = 0; s <= SHIFT_LAST; s++)
            courses[p * (SHIFT_LAST + 1) + s] = (float)dials_product(dials, (RopePairing)p, s);
    return courses;
}

DialsLight dials_light(const Dials *dials, Arena *arena) {
    DialsLight light = {.dials = dials, .low = INFINITY, .high = -INFINITY};
    Label *places = ARENA_ARRAY(arena, Label, SHIFTS), *product = ARENA_NEW(arena, Label);
    float *values;
    uint8_t *states;
    for (int i = 0; i < SHIFTS; i++)
        places[i] = label_plain(arena, arena_printf(arena, "m %d, n %d", dials->rule.m + shifts[i],
                                                    dials->rule.n + shifts[i]));
    *product = label_plain(arena, "q · k");
    light.table = table_new(arena, (TableAxis){"positions", SHIFTS, places},
                            (TableAxis){"product", 1, product}, &values, &states);
    light.table.title = "q · k at one distance";
    light.table.quantity = "product";
    for (int i = 0; i < SHIFTS; i++) {
        double value = dials_product(dials, dials->rule.pairing, shifts[i]);
        values[i] = (float)value;
        light.low = fmin(light.low, value);
        light.high = fmax(light.high, value);
    }
    table_seal(&light.table, states);
    if (dials->rule.pairing == ROPE_MIXED)
        table_note(&light.table, "Mixed: the pairs are those of two halves, but their angles stand "
                                 "in the order of adjacent pairs, so no pair is truly rotated.");
    light.courses = all_courses(dials, arena);
    return light;
}

/* The products agree up to the rounding of doubles. */
static bool light_holds(const DialsLight *light) {
    double size =
        dials_length(light->dials, false, false) * dials_length(light->dials, true, false);
    return light->high - light->low <= TOLERANCE * fmax(1, size);
}

static const char *six(Arena *arena, double value) {
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    text_panel(out, value, 6);
    return out;
}

/* "same distance, same product: q · k = 1.309413 at m − n = 4" */
static const char *light_words(const DialsLight *light, Arena *arena) {
    int distance = light->dials->rule.m - light->dials->rule.n;
    const char *sign = distance < 0 ? "−" : "";
    distance = distance < 0 ? -distance : distance;
    if (light_holds(light))
        return arena_printf(arena, "same distance, same product: q · k = %s at m − n = %s%d",
                            six(arena, (double)light->table.values[0]), sign, distance);
    return arena_printf(arena,
                        "same distance, different products: q · k from %s to %s at m − n = %s%d",
                        six(arena, light->low), six(arena, light->high), sign, distance);
}

Rect dials_light_above(const Canvas *canvas, Rect rect) {
    int line = canvas_px(canvas, LIGHT_LINE);
    if (rect.h > 8 * line) rect.h -= line;
    return rect;
}

void dials_light_draw(Canvas *canvas, Rect rect, const DialsLight *light) {
    if (dials_light_above(canvas, rect).h == rect.h) return;
    const Theme *theme = canvas->theme;
    int line = canvas_px(canvas, LIGHT_LINE), margin = canvas_px(canvas, MARGIN);
    int lamp = canvas_px(canvas, LAMP);
    Color color = light_holds(light) ? theme->good : theme->warn;
    Rect place = {rect.x + margin + 3 * lamp, rect.y + rect.h - line - margin / 2,
                  rect.w - 2 * margin - 3 * lamp, line};
    canvas_disc(canvas, rect.x + margin + lamp, place.y + line / 2.0, lamp, color);
    font_draw_in(canvas, (TextStyle){FONT_BOLD, FONT_BODY, color}, place, TEXT_LEFT,
                 light_words(light, canvas->arena));
}

void dials_light_inspect(const DialsLight *light, int row, Probe *probe, Arena *arena) {
    bool holds = light_holds(light);
    for (int i = 0; i < SHIFTS; i++)
        inspect_line(probe, light->table.rows.labels[i].text,
                     six(arena, (double)light->table.values[i]))
            ->hot = i == row;
    inspect_line(probe, holds ? "same distance, same product" : "same distance, different products",
                 "")
        ->light = holds ? PROBE_HOLDS : PROBE_BROKEN;
    static const char *const names[] = {"|q| before", "|q| turned", "|k| before", "|k| turned"};
    for (int i = 0; i < 4; i++)
        inspect_line(probe, names[i], six(arena, dials_length(light->dials, i >= 2, i % 2 == 1)))
            ->rule = i == 0;
}

Plot *dials_light_plot(const DialsLight *light, const View *view, const Theme *theme,
                       Arena *arena) {
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotCurve *curves = ARENA_ARRAY(arena, PlotCurve, 1 + PAIRINGS);
    double *places = ARENA_ARRAY(arena, double, SHIFTS);
    int m = light->dials->rule.m;
    for (int i = 0; i < SHIFTS; i++) places[i] = m + shifts[i];
    curves[0] = (PlotCurve){.name = "q · k",
                            .color = theme->acc,
                            .shape = PLOT_POINTS,
                            .width = 4,
                            .count = SHIFTS,
                            .x = places,
                            .y = light->table.values};
    for (int p = 0; p < PAIRINGS; p++) {
        bool own = p == (int)light->dials->rule.pairing;
        curves[1 + p] = (PlotCurve){.name = dials_pairings[p].label,
                                    .label = dials_pairings[p].label,
                                    .color = own ? theme->acc : plot_faint(theme, theme->ink),
                                    .shape = own ? PLOT_LINE : PLOT_DASHED,
                                    .count = SHIFT_LAST + 1,
                                    .first = m,
                                    .step = 1,
                                    .y = light->courses + p * (SHIFT_LAST + 1)};
    }
    PlotAxis across = {"position of the query, the key follows", m, m + SHIFT_LAST, false, true};
    *plot =
        (Plot){.title = arena_printf(arena, "q · k while m − n stays %d", m - light->dials->rule.n),
               .x = panels_zoomed(across, view, true),
               .curves = curves,
               .curve_count = 1 + PAIRINGS,
               .chosen_curve = view->column == 0 ? 0 : -1,
               .chosen_point = view->row};
    return plot;
}
