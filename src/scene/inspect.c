/* The arithmetic is done again here in double, from the float32 numbers that the picture shows. */
#include "scene/inspect.h"

#include "base/text.h"
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
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    text_panel(out, value, size < 10 ? 4 : size < 100 ? 3 : size < 1e5 ? 2 : 1);
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

/* Indices of the terms with the largest size, largest first; returns how many. */
static int largest_terms(const float *a, const float *b, size_t stride, int count,
                         int top[TERMS_SHOWN]) {
    double sizes[TERMS_SHOWN] = {0};
    int found = 0;
    for (int n = 0; n < count; n++) {
        double size = fabs((double)a[n] * (double)b[(size_t)n * stride]);
        int at = found;
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

void inspect_terms(Probe *probe, Arena *arena, const TableAxis *axis, const float *a,
                   const float *b, size_t stride) {
    int top[TERMS_SHOWN];
    if (axis->count < 2) return;
    int found = largest_terms(a, b, stride, axis->count, top);
    double rest = 0;
    for (int n = 0; n < axis->count; n++) rest += (double)a[n] * (double)b[(size_t)n * stride];
    for (int i = 0; i < found; i++) {
        double left = (double)a[top[i]], right = (double)b[(size_t)top[i] * stride];
        char x[TEXT_NUMBER_MAX], y[TEXT_NUMBER_MAX], product[TEXT_NUMBER_MAX];
        text_panel(x, left, 2);
        text_panel(y, right, 2);
        text_panel(product, left * right, 2);
        inspect_line(probe, inspect_name(arena, axis, top[i]),
                     arena_printf(arena, "%s × %s = %s", x, y, product));
        rest -= left * right;
    }
    if (axis->count > found)
        inspect_number(probe, arena, arena_printf(arena, "%d others", axis->count - found), rest);
}

void inspect_softmax(Probe *probe, Arena *arena, const float *scores, int S, int key,
                     double temperature) {
    double max = -INFINITY, sum = 0;
    for (int j = 0; j < S; j++)
        if ((double)scores[j] > max) max = (double)scores[j];
    for (int j = 0; j < S; j++) sum += exp(((double)scores[j] - max) / temperature);
    const char *name = temperature == 1 ? "exp(s − max)" : "exp((s − max) ÷ t)";
    inspect_number(probe, arena, name, exp(((double)scores[key] - max) / temperature));
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
