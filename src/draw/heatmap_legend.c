/* The colour bar with its numbers, and under the matrix the states that occur in the table and
 * what the reader must know of the picture: pooled squares, labels left out, numbers without room.
 */
#include "draw/heatmap_parts.h"

#include <stdio.h>

enum { ITEMS_MAX = 16, TEXT_MAX = 96 };

typedef struct Item {
    enum { ITEM_WORDS, ITEM_STATE, ITEM_OVER, ITEM_UNDER } kind;
    CellState state;
    char text[TEXT_MAX];
} Item;

typedef struct Legend {
    Item items[ITEMS_MAX];
    int count;
} Legend;

static Item *add(Legend *legend, const char *text) {
    Item *item = &legend->items[legend->count++];
    snprintf(item->text, TEXT_MAX, "%s", text);
    return item;
}

static void add_states(Legend *legend, unsigned states) {
    static const struct {
        CellState state;
        const char *text;
    } rows[] = {{CELL_BLOCKED, "blocked"},        {CELL_UNDEFINED, "undefined: no key allowed"},
                {CELL_MISSING, "missing"},        {CELL_NAN, "not a number"},
                {CELL_PLUS_INF, "plus infinity"}, {CELL_MINUS_INF, "minus infinity"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!(states & 1u << rows[i].state)) continue;
        Item *item = add(legend, rows[i].text);
        item->kind = ITEM_STATE;
        item->state = rows[i].state;
    }
}

static void add_pool(Legend *legend, const HeatmapPlan *plan, const Table *table,
                     const HeatmapStyle *style) {
    const char *how = style->pool == POOL_MEAN      ? "mean"
                      : table->kind == TABLE_SIGNED ? "value farthest from 0"
                                                    : "maximum";
    Item *item = add(legend, "");
    snprintf(item->text, TEXT_MAX, "each square is the %s of %d × %d cells", how, plan->pool_y,
             plan->pool_x);
}

static const char *ordinal_end(int n) {
    if (n % 100 / 10 == 1) return "th";
    return n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
}

static void add_step(Legend *legend, int step, const char *axis) {
    Item *item = add(legend, "");
    snprintf(item->text, TEXT_MAX, "every %d%s %s%slabel", step, ordinal_end(step), axis,
             *axis ? " " : "");
}

static void add_steps(Legend *legend, const HeatmapPlan *plan, const Table *table) {
    int down = plan->row_numbers ? 1 : plan->row_label_step;
    int across = plan->column_numbers ? 1 : plan->column_label_step;
    if (down > 1 && down == across) {
        add_step(legend, down, "");
        return;
    }
    if (down > 1) add_step(legend, down, table->rows.name);
    if (across > 1) add_step(legend, across, table->columns.name);
}

/* Rows in grey. */
static void add_padding(Legend *legend, const HeatmapPlan *plan, const Table *table) {
    const Label *labels = table->rows.labels + plan->first_row;
    bool any = false;
    for (int i = 0; i < plan->shown_rows; i++) any = any || labels[i].padding;
    if (!any) return;
    const char *row = table->rows.name && *table->rows.name ? table->rows.name : "row";
    Item *item = add(legend, "");
    snprintf(item->text, TEXT_MAX, "grey row: the %s is padding", row);
}

static Legend make_legend(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style) {
    Legend legend = {0};
    add_states(&legend, plan->states);
    if (plan->over) add(&legend, "above the scale")->kind = ITEM_OVER;
    if (plan->under) add(&legend, "below the scale")->kind = ITEM_UNDER;
    if (plan->pool > 1) add_pool(&legend, plan, table, style);
    add_padding(&legend, plan, table);
    add_steps(&legend, plan, table);
    if (plan->values_unfit) add(&legend, "values do not fit");
    return legend;
}

static TextStyle words_style(const Canvas *canvas) {
    return (TextStyle){FONT_UI, FONT_NUMBER, canvas->theme->dim};
}

static Rect cell_like(const HeatmapPlan *plan) {
    return (Rect){0, 0, plan->cell_w - plan->gap, plan->cell_h - plan->gap};
}

static int sample_width(Canvas *canvas, const HeatmapPlan *plan, const Item *item) {
    if (item->kind == ITEM_WORDS) return 0;
    int least = canvas_px(canvas, 14);
    int letters =
        item->kind == ITEM_STATE ? heatmap_mark_width(canvas, item->state, cell_like(plan)) : 0;
    return letters > least ? letters : least;
}

static int item_width(Canvas *canvas, const HeatmapPlan *plan, const Item *item) {
    int sample = sample_width(canvas, plan, item);
    return sample + (sample ? canvas_px(canvas, 6) : 0) +
           font_width(canvas, words_style(canvas), item->text);
}

static void draw_sample(Canvas *canvas, const HeatmapPlan *plan, const Item *item, Rect rect) {
    if (item->kind == ITEM_STATE) {
        heatmap_mark_state(canvas, rect, item->state, cell_like(plan));
    } else {
        bool over = item->kind == ITEM_OVER;
        Color ground = palette_table(plan->palette)[over ? PALETTE_STEPS - 1 : 0];
        canvas_fill(canvas, rect, ground);
        heatmap_mark_clipped(canvas, rect, over, ground);
    }
    canvas_frame(canvas, rect, canvas_px(canvas, 1), canvas->theme->line2);
}

static void draw_item(Canvas *canvas, const HeatmapPlan *plan, const Item *item, Rect line) {
    TextStyle style = words_style(canvas);
    int sample = sample_width(canvas, plan, item), side = canvas_px(canvas, 14);
    Rect words = line;
    if (sample) {
        draw_sample(canvas, plan, item, (Rect){line.x, line.y + (line.h - side) / 2, sample, side});
        words.x += sample + canvas_px(canvas, 6);
        words.w -= sample + canvas_px(canvas, 6);
    }
    font_draw_in(canvas, style, words, TEXT_LEFT, item->text);
}

int heatmap_legend(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                   const HeatmapStyle *style, Rect rect, bool draw) {
    Legend legend = make_legend(plan, table, style);
    int line = canvas_px(canvas, 20), space = canvas_px(canvas, 20);
    int x = rect.x, y = rect.y;
    for (int i = 0; i < legend.count; i++) {
        const Item *item = &legend.items[i];
        int width = item_width(canvas, plan, item);
        if (x > rect.x && x + width > rect.x + rect.w) x = rect.x, y += line;
        if (width > rect.w) width = rect.w;
        if (draw && y + line <= rect.y + rect.h)
            draw_item(canvas, plan, item, (Rect){x, y, width, line});
        x += width + space;
    }
    return legend.count ? y + line - rect.y : 0;
}

int heatmap_legend_width(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                         const HeatmapStyle *style) {
    Legend legend = make_legend(plan, table, style);
    int widest = 0;
    for (int i = 0; i < legend.count; i++) {
        int width = item_width(canvas, plan, &legend.items[i]);
        if (width > widest) widest = width;
    }
    return widest;
}

static void draw_gradient(Canvas *canvas, const HeatmapPlan *plan) {
    Rect bar = plan->bar;
    const Color *colors = palette_table(plan->palette);
    for (int y = 0; y < bar.h; y++) {
        double share = bar.h > 1 ? 1 - (double)y / (bar.h - 1) : 1;
        canvas_fill(canvas, (Rect){bar.x, bar.y + y, bar.w, 1},
                    colors[(int)(share * (PALETTE_STEPS - 1) + 0.5)]);
    }
}

void heatmap_bar_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table) {
    Rect bar = plan->bar, texts = plan->bar_texts;
    if (bar.w <= 0) return;
    draw_gradient(canvas, plan);
    TextStyle style = {FONT_MONO, FONT_SMALL, canvas->theme->dim};
    int height = font_height(canvas, style), most = bar.h / (height + canvas_px(canvas, 2)) + 1;
    HeatmapTicks ticks = heatmap_ticks(plan, table, most < 2 ? 2 : most < 8 ? most : 8);
    for (int i = 0; i < ticks.count; i++) {
        int y = bar.y + (int)((1 - heatmap_share(plan, ticks.value[i])) * (bar.h - 1) + 0.5);
        int width = font_width(canvas, style, ticks.text[i]);
        int x = plan->range == RANGE_LOG ? texts.x : texts.x + texts.w - width;
        font_draw(canvas, style, x, y - height / 2, ticks.text[i]);
    }
    TextStyle name = {FONT_UI, FONT_SMALL, canvas->theme->dim};
    if (table->quantity)
        font_draw(canvas, name, bar.x, bar.y - canvas_px(canvas, 8) - font_height(canvas, name),
                  table->quantity);
}
