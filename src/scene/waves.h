/* What scenes of waves share: which pairs are shown, how a wavelength is written, the clock hand of
 * a pair. A pair is a cosine and a sine of one frequency in radians a position. */
#ifndef SCENE_WAVES_H
#define SCENE_WAVES_H

#include "base/arena.h"
#include "base/table.h"
#include "core/position.h"
#include "draw/dial.h"
#include "draw/plot.h"
#include "scene/knob.h"
#include "scene/panels.h"
#include "scene/scene.h"
#include "scene/stage.h"

enum { WAVES_PAIRS_MAX = 16, WAVES_LENGTH_MAX = 4096 };

/* The positions first .. first + length - 1, and the one that is followed. */
typedef struct WavesSpan {
    int length, first, position;
    double moved; /* part of a position that has passed while playing */
} WavesSpan;

/* Rows for a knob table, for a state with a field `WavesSpan span`. start_length: as typed. */
#define WAVES_SPAN_KNOBS(State, start_length)                                                      \
    {.name = "position",                                                                           \
     .label = "position",                                                                          \
     .kind = KNOB_INT,                                                                             \
     .at = offsetof(State, span.position),                                                         \
     .min = 0,                                                                                     \
     .max = POSITION_MAX,                                                                          \
     .step = 1,                                                                                    \
     .start = "20",                                                                                \
     .key = 'N',                                                                                   \
     .slider_min = 0,                                                                              \
     .slider_max = 127,                                                                            \
     .help = "the position that the hands show; Space moves it"},                                  \
        {.name = "length",                                                                         \
         .label = "length",                                                                        \
         .kind = KNOB_INT,                                                                         \
         .at = offsetof(State, span.length),                                                       \
         .min = 1,                                                                                 \
         .max = WAVES_LENGTH_MAX,                                                                  \
         .step = 10,                                                                               \
         .start = start_length,                                                                    \
         .slider_min = 1,                                                                          \
         .slider_max = 512,                                                                        \
         .help = "number of positions"},                                                           \
    {                                                                                              \
        .name = "offset", .label = "first position", .kind = KNOB_INT,                             \
        .at = offsetof(State, span.first), .min = 0, .max = POSITION_MAX, .step = 10,              \
        .start = "0", .slider_min = 0, .slider_max = 10000,                                        \
        .help = "the position that the sequence begins with, as behind a cache"                    \
    }

/* Moves the position that is followed on, around at the end; true when it moved. */
bool waves_tick(WavesSpan *span, double dt);

/* The row of the position that is followed, held within the sequence. */
int waves_row(const WavesSpan *span);

/* The view of a matrix of positions: the position that is followed is its chosen row when nothing
 * else is chosen. brief: only the palette is taken from view. */
View waves_view(const View *view, const WavesSpan *span, bool brief);

/* The labels first, first + 1 ... of the positions. */
TableAxis waves_positions(Arena *arena, const WavesSpan *span);

/* Which of the pairs are shown. */
typedef struct WavesChoice {
    int count, first;
    int step; /* 0: evenly spread over those that move within the sequence */
} WavesChoice;

/* Rows for a knob table, for a state with a field `WavesChoice choice`. */
#define WAVES_KNOBS(State)                                                                         \
    {.name = "pairs",                                                                              \
     .label = "pairs shown",                                                                       \
     .kind = KNOB_INT,                                                                             \
     .at = offsetof(State, choice.count),                                                          \
     .min = 1,                                                                                     \
     .max = WAVES_PAIRS_MAX,                                                                       \
     .step = 1,                                                                                    \
     .start = "4",                                                                                 \
     .key = 'W',                                                                                   \
     .help = "how many pairs are shown as waves"},                                                 \
        {.name = "first-pair",                                                                     \
         .label = "first pair",                                                                    \
         .kind = KNOB_INT,                                                                         \
         .at = offsetof(State, choice.first),                                                      \
         .min = 0,                                                                                 \
         .max = 2047,                                                                              \
         .step = 1,                                                                                \
         .start = "0",                                                                             \
         .slider_min = 0,                                                                          \
         .slider_max = 63,                                                                         \
         .help = "the fastest pair that is shown"},                                                \
    {                                                                                              \
        .name = "pair-step", .label = "pair step", .kind = KNOB_INT,                               \
        .at = offsetof(State, choice.step), .min = 0, .max = 2047, .step = 1, .start = "0",        \
        .slider_min = 0, .slider_max = 32,                                                         \
        .help = "from one pair shown to the next; 0 spreads them over those that move"             \
    }

/* The pairs shown out of frequency[pairs], into list; returns how many. T: positions. */
int waves_choose(WavesChoice choice, const double *frequency, int pairs, int T,
                 int list[WAVES_PAIRS_MAX]);

/* Turns within T positions: "5.03". */
const char *waves_turns(Arena *arena, double turns);

/* What stands behind a curve: "λ 19.87 · 5.03 turns". */
const char *waves_note(Arena *arena, double frequency, int T);

/* Which of the pairs, sorted from fast to slow, never complete a turn within T positions, as a
 * sentence. */
const char *waves_slow(Arena *arena, const double *frequency, int pairs, int T);

/* How far the fastest and the slowest pair shown have turned at a position, in one sentence. */
const char *waves_sentence(Arena *arena, const double *frequency, const int *chosen, int count,
                           int position);

/* A dial for each of the pairs shown at the position that is followed: one hand, cosine to the
 * right and sine upwards, and the turns that it has made since position 0; and the cells that they
 * stand for. columns: the table's column of each pair shown. */
void waves_set_dials(PlotFigure *figure, Arena *arena, const Theme *theme, const double *frequency,
                     const int *chosen, int count, const WavesSpan *span, const int *columns);

/* A plot without curves yet: the positions across, -top to top upwards, the position that is
 * followed as a marker. brief: no words and no choice, for a small plot at the side. */
Plot *waves_plot(Arena *arena, const Theme *theme, const WavesSpan *span, const View *view,
                 double top, bool brief);

/* ---- lines of the inspector ---- */

/* θ = base^(−2 pair/width). */
void waves_inspect_theta(Probe *probe, double base, int pair, int width, double frequency,
                         Arena *arena);
/* position × θ, and what is left of it without whole turns. */
void waves_inspect_angle(Probe *probe, double frequency, int position, Arena *arena);
/* The value as the formula with its numbers put in: "cos(20 × 0.1)"; magnitude: a factor, 1 none.
 */
void waves_inspect_value(Probe *probe, bool cosine, double magnitude, double frequency,
                         int position, Arena *arena);
/* The wavelength, and the turns within T positions. */
void waves_inspect_turns(Probe *probe, double frequency, int T, Arena *arena);

#endif
