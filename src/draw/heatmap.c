/* A table as a picture: the parts in their order, and the names of the axes. */
#include "draw/heatmap_parts.h"

static void draw_row_name(Canvas *canvas, const HeatmapPlan *plan, const Table *table) {
    TextStyle style = {FONT_UI, FONT_SMALL, canvas->theme->dim};
    const char *name = table->rows.name;
    if (!name || !*name) return;
    const char *text = arena_printf(canvas->arena, "← %s", name);
    int width = font_width(canvas, style, text), height = font_height(canvas, style);
    int x = plan->row_labels.x - canvas_px(canvas, 6) - height;
    /* A name longer than a low matrix grows upwards, away from the legend. */
    int end = plan->matrix.y + (plan->bar.h > plan->matrix.h ? plan->bar.h : plan->matrix.h);
    int start = plan->matrix.y + width;
    font_draw_up(canvas, style, x, start < end ? start : end, text);
}

static void draw_column_name(Canvas *canvas, const HeatmapPlan *plan, const Table *table) {
    TextStyle style = {FONT_UI, FONT_SMALL, canvas->theme->dim};
    const char *name = table->columns.name;
    if (!name || !*name) return;
    const char *text = arena_printf(canvas->arena, "%s →", name);
    int y = plan->column_labels.y - canvas_px(canvas, 6) - font_height(canvas, style);
    int room = plan->rect.x + plan->rect.w - 3 - plan->matrix.x;
    font_draw(canvas, style, plan->matrix.x, y, font_shorten(canvas, style, text, room));
}

void heatmap_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const HeatmapStyle *style) {
    heatmap_cells_draw(canvas, plan, table, style);
    heatmap_values_draw(canvas, plan, table);
    heatmap_frames_draw(canvas, plan, style);
    HeatmapSide rows = heatmap_side(plan, table, style, true);
    HeatmapSide columns = heatmap_side(plan, table, style, false);
    heatmap_labels_draw(canvas, plan, &rows);
    heatmap_labels_draw(canvas, plan, &columns);
    draw_row_name(canvas, plan, table);
    draw_column_name(canvas, plan, table);
    heatmap_label_chosen(canvas, plan, &rows);
    heatmap_label_chosen(canvas, plan, &columns);
    heatmap_bar_draw(canvas, plan, table);
    heatmap_legend(canvas, plan, table, style, plan->legend, true);
    heatmap_below(canvas, plan, table, style, plan->below, true);
}
