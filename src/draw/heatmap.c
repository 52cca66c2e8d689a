/* A table as a picture: the parts in their order, and the names of the axes. */
#include "draw/heatmap_parts.h"

static bool meets(Rect a, Rect b) {
    Rect both = rect_intersect(a, b);
    return both.w > 0 && both.h > 0;
}

/* over: where the chosen label lies over its margin; the name keeps clear of it. */
static void draw_row_name(Canvas *canvas, const HeatmapPlan *plan, const char *name, Rect over) {
    TextStyle style = {FONT_UI, FONT_SMALL, canvas->theme->dim};
    if (!name || !*name) return;
    const char *text = arena_printf(canvas->arena, "← %s", name);
    int width = font_width(canvas, style, text), height = font_height(canvas, style);
    int x = plan->row_labels.x - canvas_px(canvas, 6) - height;
    /* A name longer than a low matrix grows upwards, away from the legend. */
    int end = plan->matrix.y + (plan->bar.h > plan->matrix.h ? plan->bar.h : plan->matrix.h);
    int start = plan->matrix.y + width;
    if (start > end) start = end;
    if (meets(over, (Rect){x, start - width, height, width}))
        start = over.y + over.h + canvas_px(canvas, 4) + width;
    font_draw_up(canvas, style, x, start, text);
}

static void draw_column_name(Canvas *canvas, const HeatmapPlan *plan, const char *name, Rect over) {
    TextStyle style = {FONT_UI, FONT_SMALL, canvas->theme->dim};
    if (!name || !*name) return;
    const char *text = arena_printf(canvas->arena, "%s →", name);
    int width = font_width(canvas, style, text), height = font_height(canvas, style);
    int x = plan->matrix.x, y = plan->column_labels.y - canvas_px(canvas, 6) - height;
    if (meets(over, (Rect){x, y, width, height})) x = over.x + over.w + canvas_px(canvas, 4);
    int room = plan->rect.x + plan->rect.w - 3 - x;
    font_draw(canvas, style, x, y, font_shorten(canvas, style, text, room));
}

void heatmap_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const HeatmapStyle *style) {
    heatmap_cells_draw(canvas, plan, table, style);
    heatmap_values_draw(canvas, plan, table);
    heatmap_frames_draw(canvas, plan, table, style);
    HeatmapSide rows = heatmap_side(plan, table, style, true);
    HeatmapSide columns = heatmap_side(plan, table, style, false);
    heatmap_labels_draw(canvas, plan, &rows);
    heatmap_labels_draw(canvas, plan, &columns);
    draw_row_name(canvas, plan, table->rows.name, heatmap_label_over(canvas, plan, &rows));
    draw_column_name(canvas, plan, table->columns.name, heatmap_label_over(canvas, plan, &columns));
    heatmap_label_chosen(canvas, plan, &rows);
    heatmap_label_chosen(canvas, plan, &columns);
    heatmap_bar_draw(canvas, plan, table);
    heatmap_legend(canvas, plan, table, style, plan->legend, true);
    heatmap_below(canvas, plan, table, style, plan->below, true);
}

void heatmap_draw_bare(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                       const HeatmapStyle *style) {
    heatmap_cells_draw(canvas, plan, table, style);
    heatmap_values_draw(canvas, plan, table);
    heatmap_frames_draw(canvas, plan, table, style);
}

void heatmap_draw_bar(Canvas *canvas, const HeatmapPlan *plan, Rect bar, const Table *table) {
    HeatmapPlan with = *plan;
    with.bar = bar;
    HeatmapTicks ticks = heatmap_ticks(plan, table, 8);
    with.bar_texts = (Rect){bar.x + bar.w + canvas_px(canvas, 6), bar.y, 0, bar.h};
    for (int i = 0; i < ticks.count; i++) {
        int width = font_width(canvas, (TextStyle){FONT_MONO, FONT_SMALL, 0}, ticks.text[i]);
        if (width > with.bar_texts.w) with.bar_texts.w = width;
    }
    heatmap_bar_draw(canvas, &with, table);
}

int heatmap_draw_legend(Canvas *canvas, const HeatmapPlan *plan, Rect rect, const Table *table,
                        const HeatmapStyle *style, bool draw) {
    return heatmap_legend(canvas, plan, table, style, rect, draw);
}
