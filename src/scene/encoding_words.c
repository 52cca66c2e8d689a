/* What a reader must know about each encoding's numbers. */
#include "base/text.h"
#include "scene/encoding.h"
#include "scene/inspect.h"

static float slope_of(const EncodingRule *rule, Arena *arena) {
    float *slopes = ARENA_ARRAY(arena, float, rule->heads);
    alibi_slopes(slopes, rule->heads);
    return slopes[rule->head];
}

const char *encoding_name(const EncodingRule *rule, Arena *arena) {
    switch (rule->kind) {
    case ENCODING_NONE:
        return "no encoding";
    case ENCODING_SINUSOIDAL:
        return "sinusoidal, added";
    case ENCODING_LEARNED:
        return rule->learned.rows ? "learned table, added" : "learned table, seeded, added";
    case ENCODING_ALIBI:
        return arena_printf(arena, "ALiBi, slope %.4g", (double)slope_of(rule, arena));
    case ENCODING_T5:
        return arena_printf(arena, "T5 relative bias, %s, seeded",
                            rule->causal ? "causal" : "bidirectional");
    case ENCODING_RELATIVE:
        return arena_printf(arena, "relative bias, clipped at %d, seeded", rule->clip);
    default:
        return encoding_choices[rule->kind].label;
    }
}

static void note_seed(const EncodingRule *rule, const char *what, Table *table, Arena *arena) {
    table_note(table,
               arena_printf(arena, "Nobody has trained this %s: its numbers are random, seed %d.",
                            what, (int)rule->seed));
}

static void note_learned(const EncodingRule *rule, Table *table, Arena *arena) {
    if (!rule->learned.rows) {
        note_seed(rule, "learned table", table, arena);
        return;
    }
    table_note(table,
               arena_printf(arena,
                            "Learned table as given: %d position%s × %d dimension%s; the other "
                            "dimensions of a vector stay as they are.",
                            rule->learned.count, rule->learned.count == 1 ? "" : "s",
                            rule->learned.D, rule->learned.D == 1 ? "" : "s"));
    table_note(table, "Sinusoids are another encoding: --compare sinusoidal sets them beside it.");
}

static void note_alibi(const EncodingRule *rule, Table *table, Arena *arena) {
    int power = 1;
    while (power <= rule->heads / 2) power *= 2;
    table_note(table,
               arena_printf(
                   arena, "Slopes of %d head%s by the authors' code: 2^(−8h/%d) for h = 1 … %d%s.",
                   rule->heads, rule->heads == 1 ? "" : "s", power, power,
                   power == rule->heads ? ""
                                        : arena_printf(arena,
                                                       ", then every second slope of %d heads; the "
                                                       "formula in the paper's text differs here",
                                                       2 * power)));
}

void encoding_notes(const EncodingRule *rule, Table *table, Arena *arena) {
    if (rule->kind == ENCODING_LEARNED) note_learned(rule, table, arena);
    if (rule->kind == ENCODING_ALIBI) note_alibi(rule, table, arena);
    if (rule->kind == ENCODING_T5) {
        note_seed(rule, "table of biases", table, arena);
        table_note(table,
                   rule->causal
                       ? "Buckets of a decoder: keys ahead share bucket 0. T5 has them in "
                         "self-attention only, and does not scale its scores."
                       : "Buckets of an encoder: half of them for keys ahead. T5 has them in "
                         "self-attention only, and does not scale its scores.");
    }
    if (rule->kind == ENCODING_RELATIVE) note_seed(rule, "table of biases", table, arena);
}

void encoding_inspect(const EncodingRule *rule, int relative, double bias, Probe *probe,
                      Arena *arena) {
    inspect_line(
        probe, "key − query",
        arena_printf(arena, "%s%d", relative < 0 ? "−" : "", relative < 0 ? -relative : relative));
    if (rule->kind == ENCODING_ALIBI)
        inspect_line(probe, arena_printf(arena, "slope of head %d", rule->head),
                     arena_printf(arena, "%.6g", (double)slope_of(rule, arena)));
    if (rule->kind == ENCODING_T5)
        inspect_line(probe, "bucket", arena_printf(arena, "%d", encoding_bucket(rule, relative)));
    if (rule->kind == ENCODING_RELATIVE)
        inspect_line(probe, "row of the table",
                     arena_printf(arena, "%d", encoding_bucket(rule, relative)));
    inspect_number(probe, arena, encoding_has_bias(rule->kind) ? "bias" : "change of the score",
                   bias);
}
