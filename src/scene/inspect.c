/* The arithmetic is done again here in double, from the float32 numbers that the picture shows. */
#include "scene/inspect.h"

#include "base/text.h"
#include "core/softmax.h"
#include "core/stats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BARS_SHOWN = 6, TERMS_SHOWN = 3 };

static bool counts_up(const TableAxis *axis) {
    char number[16];
    for (int i = 0; i < axis->count; i++) {
        snprintf(number, sizeof number, "%d", i);
        if (strcmp(axis->labels[i].full, number) != 0) return false;
    }
    return true;
}

const char *inspect_name(Arena *arena, const TableAxis *axis, int index) {
    if (counts_up(axis)) return arena_printf(arena, "%s %d", axis->name, index);
    const Label *label = &axis->labels[index];
    for (int i = 0; i < axis->count; i++)
        if (i != index && strcmp(axis->labels[i].full, label->full) == 0)
            return arena_printf(arena, "%s (%d)", label->text, index);
    return label->text;
}

Probe inspect_cell(Arena *arena, const Table *table, Cell cell) {
    const char *row = inspect_name(arena, &table->rows, cell.row);
    const char *column = inspect_name(arena, &table->columns, cell.column);
    return (Probe){.stage = table->stage,
                   .cell = cell,
                   .value = table_value(table, cell.row, cell.column),
                   .state = table_state(table, cell.row, cell.column),
                   .title = arena_printf(arena, "%s → %s", row, column)};
}

struct ProbeLine *inspect_line(Probe *probe, const char *name, const char *value) {
    if (probe->line_count == PROBE_LINES_MAX) probe->line_count--;
    struct ProbeLine *line = &probe->lines[probe->line_count++];
    *line = (struct ProbeLine){.name = name, .value = value};
    return line;
}

const char *inspect_digits(Arena *arena, double value) {
    double size = fabs(value);
    bool power = size >= TEXT_PLAIN_MAX;
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    text_panel(out, value, size < 10 || power ? 4 : size < 100 ? 3 : size < 1e5 ? 2 : 1);
    return out;
}

/* Three decimals; a power of ten where these would write a factor as 0. */
static const char *factor_digits(Arena *arena, double value) {
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    if (value != 0 && fabs(value) < 0.0005)
        return arena_printf(arena, "%s%.2e", value < 0 ? "−" : "", fabs(value));
    text_panel(out, value, 3);
    return out;
}

struct ProbeLine *inspect_number(Probe *probe, Arena *arena, const char *name, double value) {
    return inspect_line(probe, name, inspect_digits(arena, value));
}

struct ProbeLine *inspect_count(Probe *probe, Arena *arena, const char *name, double value) {
    return inspect_line(probe, name, text_count(arena, value));
}

void inspect_label(Probe *probe, Arena *arena, const char *axis, const Label *label) {
    if (label->group != LABEL_NO_GROUP)
        inspect_line(probe, arena_printf(arena, "%s %s", axis, label->text),
                     arena_printf(arena, "part of %s", label->group_text));
    else if (*label->full && strcmp(label->text, label->full) != 0)
        inspect_line(probe, arena_printf(arena, "%s %s", axis, label->text),
                     label_code_points(arena, label->full));
}

/* What sorts a term: NaN stands first, for it decides the sum. */
static double size_of(double term) {
    return isnan(term) ? INFINITY : fabs(term);
}

/* Indices of the terms with the largest size, largest first, none of them 0; returns how many. */
static int largest_terms(const float *a, const float *b, size_t stride, int count,
                         int top[TERMS_SHOWN]) {
    double sizes[TERMS_SHOWN] = {0};
    int found = 0;
    for (int n = 0; n < count; n++) {
        double size = size_of((double)a[n] * (double)b[(size_t)n * stride]);
        int at = found;
        if (size == 0) continue;
        for (; at > 0 && sizes[at - 1] < size; at--) {
            if (at == TERMS_SHOWN) continue;
            sizes[at] = sizes[at - 1];
            top[at] = top[at - 1];
        }
        if (at == TERMS_SHOWN) continue;
        sizes[at] = size;
        top[at] = n;
        if (found < TERMS_SHOWN) found++;
    }
    return found;
}

static bool is_listed(const int *list, int count, int n) {
    for (int i = 0; i < count; i++)
        if (list[i] == n) return true;
    return false;
}

/* The others are summed by themselves: the whole minus the largest would have lost them beside a
 * large term, and be NaN beside an infinite one. */
void inspect_terms(Probe *probe, Arena *arena, const TableAxis *axis, const float *a,
                   const float *b, size_t stride) {
    int top[TERMS_SHOWN], count = axis->count, others = 0;
    if (count < 2) return;
    int found = largest_terms(a, b, stride, count, top);
    double rest = 0;
    for (int n = 0; n < count; n++) {
        if (is_listed(top, found, n)) continue;
        double term = (double)a[n] * (double)b[(size_t)n * stride];
        rest += term;
        others += term != 0;
    }
    for (int i = 0; i < found; i++) {
        double left = (double)a[top[i]], right = (double)b[(size_t)top[i] * stride];
        inspect_line(probe, inspect_name(arena, axis, top[i]),
                     arena_printf(arena, "%s × %s = %s", factor_digits(arena, left),
                                  factor_digits(arena, right),
                                  inspect_digits(arena, left * right)));
    }
    if (others)
        inspect_number(
            probe, arena,
            arena_printf(arena, "%d other%s", count - found, count - found == 1 ? "" : "s"), rest);
}

/* As in core/softmax: +INFINITY shares the row with its like, and nothing has a share where all is
 * -INFINITY. */
static double unshared(double score, double max, double temperature) {
    if (max == INFINITY) return score == INFINITY;
    return max == -INFINITY ? 0 : exp((score - max) / temperature);
}

void inspect_softmax(Probe *probe, Arena *arena, const float *scores, int S, int key,
                     double temperature) {
    double max = (double)softmax_max(scores, S), sum = 0;
    for (int j = 0; j < S; j++) sum += unshared((double)scores[j], max, temperature);
    const char *name = temperature == 1 ? "exp(s − max)" : "exp((s − max) ÷ t)";
    inspect_number(probe, arena, name, unshared((double)scores[key], max, temperature));
    inspect_number(probe, arena, "sum of row", sum);
}

static void add_foot(Probe *probe, const char *name, const char *value) {
    probe->foot[probe->foot_count++] = (struct ProbeLine){.name = name, .value = value};
}

void inspect_row(Probe *probe, Arena *arena, const Table *weights, const uint8_t *allowed,
                 int row) {
    int S = weights->columns.count, order[BARS_SHOWN];
    const float *values = weights->values + (size_t)row * (size_t)S;
    int count = stats_top_keys(values, S, order, BARS_SHOWN);
    probe->bars_title =
        arena_printf(arena, "strongest keys of %s", inspect_name(arena, &weights->rows, row));
    for (int i = 0; i < count; i++) {
        if (table_state(weights, row, order[i]) != CELL_OK) continue;
        probe->bars[probe->bar_count++] = (struct ProbeBar){
            .name = inspect_name(arena, &weights->columns, order[i]), .value = values[order[i]]};
    }
    RowStats stats = stats_row(values, allowed, row, S);
    char bits[TEXT_NUMBER_MAX], most[TEXT_NUMBER_MAX];
    text_panel(bits, stats.entropy_bits, 2);
    text_panel(most, stats.allowed > 0 ? log2(stats.allowed) : 0, 2);
    add_foot(probe, "row sum", inspect_digits(arena, stats.sum));
    add_foot(probe, "entropy", arena_printf(arena, "%s of %s bits", bits, most));
}
