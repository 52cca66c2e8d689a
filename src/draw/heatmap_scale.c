/* From numbers to colours. The table's summary has the finite ok cells' ends and the states
 * that occur; the range chosen turns them into the ends of the scale. What lies beyond is clipped,
 * and the plan knows it, so that the figure can say it. */
#include "draw/heatmap_parts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

/* Weights below this are as good as zero for the eye; a scale down to 1e-38 would be all tail. */
static const float LOG_LEAST = 1e-6f;

/* rest: without the column that is skipped. */
typedef struct Scan {
    TableSummary all, rest;
} Scan;

static bool any(TableSummary ends) {
    return ends.low <= ends.high;
}

static void ends_linear(HeatmapPlan *plan, const Table *table, TableSummary ends) {
    if (!any(ends)) ends = (TableSummary){.low = 0, .high = 1};
    switch (table->kind) {
    case TABLE_WEIGHTS:
        plan->low = 0;
        plan->high = plan->range == RANGE_UNIT ? 1 : ends.high;
        break;
    case TABLE_SIGNED:
        plan->high = fmaxf(fabsf(ends.low), fabsf(ends.high));
        plan->low = -plan->high;
        break;
    case TABLE_AMOUNTS:
        plan->low = 0;
        plan->high = ends.high;
        break;
    case TABLE_COUNTS:
        plan->low = ends.low;
        plan->high = ends.high;
        break;
    }
    if (!(plan->high > plan->low)) plan->high = plan->low + 1;
    if (table->kind == TABLE_SIGNED && plan->low == 0) plan->low = -1;
}

static void ends_log(HeatmapPlan *plan, const Table *table, const Scan *scan) {
    plan->high = table->kind == TABLE_WEIGHTS ? 1 : scan->all.high;
    plan->low = fmaxf(scan->rest.least, LOG_LEAST);
    if (!(plan->low < plan->high)) plan->low = plan->high / 10;
}

/* A signed or an all-zero table has no logarithm; its largest value is the honest scale then. */
static HeatmapRange range_in_force(const Table *table, const HeatmapStyle *style,
                                   const Scan *scan) {
    if (style->range == RANGE_LOG && (table->kind == TABLE_SIGNED || !isfinite(scan->rest.least)))
        return RANGE_MAX;
    if (style->range == RANGE_SKIP && !any(scan->rest)) return RANGE_MAX;
    return style->range;
}

void heatmap_scale(HeatmapPlan *plan, const Canvas *canvas, const Table *table,
                   const HeatmapStyle *style) {
    int skipped_column = style->range == RANGE_SKIP ? style->skip_column : -1;
    Scan scan = {heatmap_summary(canvas, table, -1),
                 heatmap_summary(canvas, table, skipped_column)};
    plan->range = range_in_force(table, style, &scan);
    plan->states = scan.all.states | style->states;
    if (plan->range == RANGE_LOG)
        ends_log(plan, table, &scan);
    else
        ends_linear(plan, table, plan->range == RANGE_SKIP ? scan.rest : scan.all);
    plan->over = any(scan.all) && scan.all.high > plan->high;
    plan->under = any(scan.all) && scan.all.low < plan->low;
    plan->palette = palette_resolve(style->palette, table->kind == TABLE_SIGNED, canvas->theme);
}

Color heatmap_color(const HeatmapPlan *plan, const HeatmapStyle *style, float value) {
    (void)style;
    return palette_table(plan->palette)[heatmap_step(plan, value)];
}

/* Decimals that show a step with two digits. */
static int tick_decimals(double step) {
    int decimals = 1 - (int)floor(log10(step));
    return decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
}

static void tick_text(char out[TEXT_NUMBER_MAX], double value, int decimals, double largest) {
    if (largest >= 1e6 || largest < 1e-4)
        snprintf(out, TEXT_NUMBER_MAX, "%.2e", value);
    else
        text_panel(out, value, decimals);
}

static HeatmapTicks ticks_linear(const HeatmapPlan *plan, const Table *table, int most) {
    double low = plan->low, high = plan->high;
    bool whole = table->kind == TABLE_COUNTS;
    int parts = most >= 5 ? 4 : most >= 3 ? 2 : 1;
    while (whole && parts > 1 && high - low < parts) parts /= 2;
    int decimals = whole ? 0 : tick_decimals((high - low) / parts);
    HeatmapTicks ticks = {.count = parts + 1};
    for (int i = 0; i <= parts; i++) {
        double value = high - (high - low) * i / parts;
        ticks.value[i] = whole ? round(value) : value;
        tick_text(ticks.text[i], ticks.value[i], decimals, fmax(fabs(low), fabs(high)));
    }
    return ticks;
}

static void tick_add(HeatmapTicks *ticks, double value) {
    ticks->value[ticks->count] = value;
    snprintf(ticks->text[ticks->count++], TEXT_NUMBER_MAX, "%.2g", value);
}

/* The two ends, and the decades between them that keep clear of the ends. */
static HeatmapTicks ticks_log(const HeatmapPlan *plan, int most) {
    HeatmapTicks ticks = {0};
    int first = (int)floor(log10((double)plan->high)), last = (int)ceil(log10((double)plan->low));
    int stride = 1;
    while ((first - last) / stride + 3 > most && stride < 64) stride++;
    tick_add(&ticks, plan->high);
    for (int e = first; e >= last && ticks.count < HEATMAP_TICKS_MAX - 1; e -= stride) {
        double share = heatmap_share(plan, pow(10, e));
        if (share < 1 - 0.8 / most && share > 0.8 / most) tick_add(&ticks, pow(10, e));
    }
    tick_add(&ticks, plan->low);
    return ticks;
}

HeatmapTicks heatmap_ticks(const HeatmapPlan *plan, const Table *table, int most) {
    assert(most >= 2);
    if (plan->range == RANGE_LOG)
        return ticks_log(plan, most < HEATMAP_TICKS_MAX ? most : HEATMAP_TICKS_MAX);
    return ticks_linear(plan, table, most);
}

static const char *skipped(const Table *table, const HeatmapStyle *style, Arena *arena) {
    int skip = style->skip_column;
    if (skip < 0 || skip >= table->columns.count) return ", the largest";
    const char *axis = table->columns.name ? table->columns.name : "column";
    if (heatmap_side_counts(&table->columns))
        return arena_printf(arena, ", the largest without %s %d", axis, skip);
    return arena_printf(arena, ", the largest without %s %d (%s)", axis, skip,
                        table->columns.labels[skip].text);
}

static const char *short_number(Arena *arena, float value) {
    const char *sign = value < 0 ? "−" : "";
    return arena_printf(arena, "%s%.4g", sign, fabs((double)value));
}

const char *heatmap_scale_words(const HeatmapPlan *plan, const Table *table,
                                const HeatmapStyle *style, Arena *arena) {
    const char *how = ", the largest";
    bool unit = plan->range == RANGE_UNIT && table->kind == TABLE_WEIGHTS;
    if (unit)
        how = "";
    else if (plan->range == RANGE_LOG)
        how = ", logarithmic";
    else if (plan->range == RANGE_SKIP)
        how = skipped(table, style, arena);
    else if (table->kind == TABLE_SIGNED)
        how = ", 0 in the middle";
    return arena_printf(arena, "%s to %s%s", short_number(arena, plan->low),
                        short_number(arena, plan->high), how);
}
