/* The numbers in the cells: as many decimals as the cells have room for, the same for all of them,
 * black or white by the contrast with the cell. */
#include "draw/heatmap_parts.h"

#include "base/utf8.h"

#include <string.h>

enum { SIZE_LEAST = 8, SIZE_SMALL = 9, SIZE_EASY = 10, SHOWN_MOST = 10000 };

/* Weights without their leading zero, other numbers whole, with a true minus sign. */
static void number_text(char out[TEXT_NUMBER_MAX], const Table *table, float value, int decimals) {
    if (table->kind == TABLE_WEIGHTS)
        text_cell(out, value, decimals);
    else
        text_panel(out, (double)value, table->kind == TABLE_COUNTS ? 0 : decimals);
}

/* Characters of the longest number seen. */
static int longest_number(const HeatmapPlan *plan, const Table *table, int decimals) {
    char text[TEXT_NUMBER_MAX];
    size_t longest = 1;
    for (int r = plan->first_row; r < plan->first_row + plan->shown_rows; r++) {
        for (int c = plan->first_column; c < plan->first_column + plan->shown_columns; c++) {
            size_t at = (size_t)r * (size_t)table->columns.count + (size_t)c;
            if (heatmap_state(table, at) != CELL_OK) continue;
            number_text(text, table, table->values[at], decimals);
            size_t length = utf8_count(text, strlen(text));
            if (length > longest) longest = length;
        }
    }
    return (int)longest;
}

/* The largest size, at most the wish and at least `least`, with which so many mono characters fit;
 * 0 when none does. */
static double fitting_size(Canvas *canvas, const HeatmapPlan *plan, int characters, double wish,
                           double least) {
    int room = plan->cell_w - plan->gap - canvas_px(canvas, 3);
    char zeros[TEXT_NUMBER_MAX] = {0};
    memset(zeros, '0', (size_t)characters);
    for (double size = wish; size >= least; size -= 0.5) {
        TextStyle style = {FONT_MONO, size, 0};
        if (canvas_px(canvas, size) <= plan->cell_h - plan->gap &&
            font_width(canvas, style, zeros) <= room)
            return size;
    }
    return 0;
}

/* By the room; one more where the whole scale would be less than ten steps of two decimals. */
static int decimals_wished(const Canvas *canvas, const HeatmapPlan *plan) {
    double width = plan->cell_w / canvas->scale;
    int decimals = width < 48 ? 2 : width < 64 ? 3 : 4;
    return plan->high < 0.1f && decimals < 4 ? decimals + 1 : decimals;
}

/* Typed scores, buckets, distances in tokens: nothing stands behind the point. */
static bool all_whole(const HeatmapPlan *plan, const Table *table) {
    for (int r = plan->first_row; r < plan->first_row + plan->shown_rows; r++)
        for (int c = plan->first_column; c < plan->first_column + plan->shown_columns; c++) {
            size_t at = (size_t)r * (size_t)table->columns.count + (size_t)c;
            float value = table->values[at];
            if (heatmap_state(table, at) == CELL_OK && value != truncf(value)) return false;
        }
    return true;
}

/* Grows with the cell, so that a few large cells do not hold tiny numbers. */
static double size_wished(const Canvas *canvas, const HeatmapPlan *plan) {
    double width = plan->cell_w / canvas->scale;
    return width < 4 * FONT_NUMBER ? fmax(10.5, width / 4)
                                   : fmax(FONT_NUMBER, fmin(FONT_TEXT, width / 6));
}

/* Fewer decimals before smaller type; on a scale that ends below 1 two are kept, for .5 says too
 * little. */
static bool find_fit(Canvas *canvas, HeatmapPlan *plan, const Table *table, bool tight) {
    bool whole = all_whole(plan, table), small = table->kind == TABLE_WEIGHTS || plan->high < 1;
    int most = whole ? 0 : decimals_wished(canvas, plan);
    double wish = size_wished(canvas, plan);
    int fewest = whole ? 0 : small && !tight ? 2 : 1;
    for (int decimals = most; decimals >= fewest; decimals--) {
        int characters = longest_number(plan, table, decimals);
        double least = decimals > fewest ? SIZE_EASY : tight ? SIZE_LEAST : SIZE_SMALL;
        plan->value_size = fitting_size(canvas, plan, characters, wish, least);
        plan->decimals = decimals;
        if (plan->value_size > 0) return true;
    }
    return false;
}

void heatmap_values_plan(Canvas *canvas, HeatmapPlan *plan, const Table *table,
                         const HeatmapStyle *style) {
    plan->values = plan->values_unfit = false;
    if (style->values == VALUES_OFF) return;
    /* A single digit at the least size is wider than 4 pixels; most maps end here. */
    bool room = plan->pool == 1 && plan->cell_w > canvas_px(canvas, 8) &&
                plan->cell_h - plan->gap >= canvas_px(canvas, SIZE_LEAST) &&
                (long)plan->shown_rows * plan->shown_columns <= SHOWN_MOST;
    plan->values = room && find_fit(canvas, plan, table, style->values == VALUES_ON);
    plan->values_unfit = style->values == VALUES_ON && !plan->values;
}

static void draw_number(Canvas *canvas, const HeatmapPlan *plan, Rect cell, const char *text,
                        Color ground) {
    TextStyle style = {FONT_MONO, plan->value_size, color_text_on(ground)};
    int width = font_width(canvas, style, text), height = font_height(canvas, style);
    font_draw(canvas, style, cell.x + (cell.w - plan->gap - width + 1) / 2,
              cell.y + (cell.h - plan->gap - height) / 2, text);
}

void heatmap_values_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table) {
    if (!plan->values) return;
    char text[TEXT_NUMBER_MAX];
    for (int r = plan->first_row; r < plan->first_row + plan->shown_rows; r++) {
        for (int c = plan->first_column; c < plan->first_column + plan->shown_columns; c++) {
            size_t at = (size_t)r * (size_t)table->columns.count + (size_t)c;
            if (heatmap_state(table, at) != CELL_OK) continue;
            Color ground = palette_table(plan->palette)[heatmap_step(plan, table->values[at])];
            number_text(text, table, table->values[at], plan->decimals);
            draw_number(canvas, plan, heatmap_cell(plan, r, c), text, ground);
        }
    }
}
