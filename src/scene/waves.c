/* Pairs, wavelengths and clock hands. */
#include "scene/waves.h"

#include "scene/inspect.h"

#include <math.h>
#include <stdio.h>

static const double TURN = 6.28318530717958647693; /* 2 pi */
static const double POSITIONS_A_SECOND = 6;

/* The last pair that makes half a turn or more; later ones look like straight lines. */
static int last_moving(const double *frequency, int pairs, int T) {
    int last = 0;
    while (last + 1 < pairs && position_wavelength(frequency[last + 1]) <= 2.0 * T) last++;
    return last;
}

int waves_choose(WavesChoice choice, const double *frequency, int pairs, int T,
                 int list[WAVES_PAIRS_MAX]) {
    int first = choice.first < pairs ? choice.first : pairs - 1, count = 0;
    int most = choice.count < pairs - first ? choice.count : pairs - first;
    int last = last_moving(frequency, pairs, T);
    if (last < first + most - 1) last = first + most - 1;
    for (int i = 0; i < most; i++) {
        int pair = first + i * choice.step;
        if (choice.step == 0) pair = most > 1 ? first + i * (last - first) / (most - 1) : first;
        if (pair < pairs) list[count++] = pair;
    }
    return count;
}

/* "19.87" positions. */
static const char *wave_length_words(Arena *arena, double frequency) {
    double length = position_wavelength(frequency);
    if (length < 1e4) return arena_printf(arena, "%.4g", length);
    return arena_printf(arena, length < 1e7 ? "%.0f" : "%.2e", length);
}

const char *waves_turns(Arena *arena, double turns) {
    if (turns > 0 && turns < 0.005) return "< 0.01";
    return arena_printf(arena, turns < 100 ? "%.2f" : "%.0f", turns);
}

const char *waves_note(Arena *arena, double frequency, int T) {
    return arena_printf(arena, "λ %s · %s turns", wave_length_words(arena, frequency),
                        waves_turns(arena, T * frequency / TURN));
}

const char *waves_slow(Arena *arena, const double *frequency, int pairs, int T) {
    int turning = 0;
    while (turning < pairs && position_wavelength(frequency[turning]) <= T) turning++;
    const char *within = arena_printf(arena, "a turn within %d position%s", T, T == 1 ? "" : "s");
    if (turning == pairs) return arena_printf(arena, "Every pair completes %s.", within);
    if (turning == 0) return arena_printf(arena, "No pair completes %s.", within);
    if (turning == pairs - 1)
        return arena_printf(arena, "Of %d pairs, pair %d never completes %s.", pairs, turning,
                            within);
    return arena_printf(arena, "Of %d pairs, %d %s %d never complete %s.", pairs, turning,
                        turning == pairs - 2 ? "and" : "to", pairs - 1, within);
}

const char *waves_sentence(Arena *arena, const double *frequency, const int *chosen, int count,
                           int position) {
    int fast = chosen[0], slow = chosen[count - 1];
    const char *turns = waves_turns(arena, position * frequency[fast] / TURN);
    if (fast == slow)
        return arena_printf(arena, "Position %d: pair %d has made %s turns.", position, fast,
                            turns);
    return arena_printf(arena, "Position %d: pair %d has made %s turns, pair %d has made %s.",
                        position, fast, turns, slow,
                        waves_turns(arena, position * frequency[slow] / TURN));
}

void waves_set_dials(PlotFigure *figure, Arena *arena, const Theme *theme, const double *frequency,
                     const int *chosen, int count, const WavesSpan *span, const int *columns) {
    Dial *dials = ARENA_ARRAY(arena, Dial, count);
    Cell *cells = ARENA_ARRAY(arena, Cell, count);
    int position = span->first + waves_row(span);
    for (int i = 0; i < count; i++) {
        double angle = position * frequency[chosen[i]];
        const char *turns = waves_turns(arena, angle / TURN);
        dials[i] =
            (Dial){.title = arena_printf(arena, "pair %d", chosen[i]),
                   .line = arena_printf(arena, "%s turns", turns),
                   .hands = {{.angle = angle, .length = 1, .color = plot_hue(theme, i, count)}},
                   .hand_count = 1,
                   .shade = true,
                   .turn = angle};
        cells[i] = (Cell){waves_row(span), columns[i]};
    }
    figure->dials = dials;
    figure->dial_count = count;
    figure->dial_cells = cells;
}

Plot *waves_plot(Arena *arena, const Theme *theme, const WavesSpan *span, const View *view,
                 double top, bool brief) {
    Plot *plot = ARENA_NEW(arena, Plot);
    PlotMarker *marker = ARENA_NEW(arena, PlotMarker);
    int position = span->first + waves_row(span);
    PlotAxis across = {"position", span->first, span->first + span->length - 1, false, true};
    const char *words = brief ? NULL : arena_printf(arena, "position %d", position);
    *marker = (PlotMarker){position, words, theme->acc};
    *plot = (Plot){.x = brief ? across : panels_zoomed(across, view, true),
                   .y = {NULL, -top, top, false, false},
                   .markers = marker,
                   .marker_count = 1,
                   .last_on_top = true, /* slow waves would be lost behind many turns */
                   .chosen_curve = -1,
                   .chosen_point = view->row};
    return plot;
}

void waves_inspect_theta(Probe *probe, double base, int pair, int width, double frequency,
                         Arena *arena) {
    inspect_line(probe, arena_printf(arena, "θ = %.6g^(−%d/%d)", base, 2 * pair, width),
                 arena_printf(arena, "%.6g", frequency));
}

void waves_inspect_angle(Probe *probe, double frequency, int position, Arena *arena) {
    inspect_line(probe, arena_printf(arena, "%d × θ", position),
                 arena_printf(arena, "%.6g rad", position * frequency));
    inspect_line(probe, "modulo 2π",
                 arena_printf(arena, "%.6g rad", position_angle(frequency, position)));
}

void waves_inspect_value(Probe *probe, bool cosine, double magnitude, double frequency,
                         int position, Arena *arena) {
    const char *factor = magnitude == 1 ? "" : arena_printf(arena, "%.6g × ", magnitude);
    const char *formula =
        arena_printf(arena, "%s%s(%d × %.6g)", factor, cosine ? "cos" : "sin", position, frequency);
    inspect_number(probe, arena, formula, (double)probe->value)->hot = true;
}

void waves_inspect_turns(Probe *probe, double frequency, int T, Arena *arena) {
    inspect_line(probe, "wavelength, 2π ÷ θ",
                 arena_printf(arena, "%s positions", wave_length_words(arena, frequency)))
        ->rule = true;
    inspect_line(probe, arena_printf(arena, "turns within %d", T),
                 waves_turns(arena, T * frequency / TURN));
}

TableAxis waves_positions(Arena *arena, const WavesSpan *span) {
    return (TableAxis){"position", span->length, label_numbers(arena, span->first, span->length)};
}

int waves_row(const WavesSpan *span) {
    int row = span->position - span->first;
    return row < 0 ? 0 : row < span->length ? row : span->length - 1;
}

View waves_view(const View *view, const WavesSpan *span, bool brief) {
    View out = brief ? stage_view() : *view;
    out.palette = view->palette;
    if (out.row >= 0) return out;
    out.row = waves_row(span);
    out.column = -1;
    return out;
}

bool waves_tick(WavesSpan *span, double dt) {
    span->moved += dt * POSITIONS_A_SECOND;
    int steps = (int)span->moved;
    if (steps == 0) return false;
    span->moved -= steps;
    int row = (waves_row(span) + steps) % span->length;
    span->position = span->first + row;
    return true;
}
