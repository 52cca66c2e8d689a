/* The vectors of the dials as tables, and how each of their features comes about. */
#include "scene/dials.h"
#include "scene/inspect.h"
#include "scene/waves.h"

#include <math.h>
#include <string.h>

static const double TOLERANCE = 1e-6;

static TableAxis feature_axis(const Dials *dials, Arena *arena) {
    Label *labels = ARENA_ARRAY(arena, Label, dials->K);
    for (int i = 0; i < dials->K; i++)
        labels[i] =
            label_plain(arena, arena_printf(arena, i < dials->R ? "%d" : "%d (not rotated)", i));
    return (TableAxis){"feature", dials->K, labels};
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

Table dials_vectors(const Dials *dials, const int *which, int count, Arena *arena) {
    static const char *const names[] = {"q", "q turned", "k", "k turned", "v"};
    const float *vectors[] = {dials->q, dials->turned[0], dials->k, dials->turned[1], dials->v};
    Label *labels = ARENA_ARRAY(arena, Label, count);
    float *values;
    uint8_t *states;
    bool passed_on = false;
    for (int i = 0; i < count; i++) {
        labels[i] = label_plain(arena, names[which[i]]);
        passed_on = passed_on || which[i] == DIALS_V;
    }
    Table table = table_new(arena, (TableAxis){"vector", count, labels}, feature_axis(dials, arena),
                            &values, &states);
    for (int i = 0; i < count; i++)
        memcpy(values + i * dials->K, vectors[which[i]], (size_t)dials->K * sizeof *values);
    table_seal(&table, states);
    table.quantity = "value";
    if (passed_on) table_note(&table, "v is not turned: what is passed on carries no position.");
    note_lengths(dials, &table, arena);
    note_rest(dials, &table, arena);
    return table;
}

void dials_inspect_feature(const Dials *dials, bool key, int feature, Probe *probe, Arena *arena) {
    const float *x = key ? dials->k : dials->q;
    int position = key ? dials->rule.n : dials->rule.m;
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
        waves_inspect_theta(probe, dials->rule.base, pair, dials->R, dials->frequency[pair], arena);
        waves_inspect_angle(probe, dials->frequency[pair], position, arena);
    }
    inspect_number(probe, arena, "a", (double)x[it.a])->rule = true;
    inspect_number(probe, arena, "b", (double)x[it.b]);
    inspect_number(probe, arena, "c, cosine", dials->rule.quarter ? 0 : cos(angle));
    inspect_number(probe, arena, "s, sine", dials->rule.quarter ? 1 : sin(angle));
    inspect_number(probe, arena, feature == it.a ? "a c − b s" : "a s + b c", (double)probe->value)
        ->hot = true;
}

void dials_inspect_wave(const Dials *dials, int pair, int position, Probe *probe, Arena *arena) {
    double frequency = dials->frequency[pair];
    probe->title = arena_printf(arena, "pair %d, position %d", pair, position);
    waves_inspect_theta(probe, dials->rule.base, pair, dials->R, frequency, arena);
    waves_inspect_angle(probe, frequency, position, arena);
    waves_inspect_value(probe, true, 1, frequency, position, arena);
}
