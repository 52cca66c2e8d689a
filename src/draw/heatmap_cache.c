/* What is kept beside a canvas. A plan is asked for again by every question about a place in the
 * picture. Pooled squares are made a line at a time, when it first comes into
 * sight, over the whole width: moving about then makes only what is new. Since squares begin at
 * the table's first cell, however far the picture has moved, they are the same in every frame. */
#include "draw/heatmap_parts.h"

#include <string.h>

enum { NO_COLUMN = -1 };

/* One thing kept of a table: its squares, or its summary without a column. */
typedef struct HeatmapKept HeatmapKept;
struct HeatmapKept {
    HeatmapKept *next;
    const float *numbers; /* the table's */
    const uint8_t *marks;
    int pool_x, pool_y; /* 0 for a summary */
    HeatmapPool how;
    int skip_column;
    HeatmapBlock **lines; /* of squares over the whole width; NULL: not made yet */
    TableSummary summary;
};

HeatmapCache heatmap_cache(ArenaFull *full) {
    return (HeatmapCache){.arena = arena_open(full)};
}

void heatmap_cache_close(HeatmapCache *cache) {
    arena_close(&cache->arena);
    cache->kept = NULL;
}

/* Squares of thousands of tokens take megabytes, which go back to the system. */
void heatmap_forget(HeatmapCache *cache) {
    cache->plan_count = 0;
    if (!cache->kept) return;
    Arena fresh = arena_beside(&cache->arena);
    arena_close(&cache->arena);
    *cache = (HeatmapCache){.arena = fresh};
}

/* ---- plans ---- */

static bool same_axis(const TableAxis *a, const TableAxis *b) {
    return a->name == b->name && a->count == b->count && a->labels == b->labels;
}

static bool same_table(const Table *a, const Table *b) {
    return a->values == b->values && a->states == b->states && a->kind == b->kind &&
           a->quantity == b->quantity && same_axis(&a->rows, &b->rows) &&
           same_axis(&a->columns, &b->columns);
}

static bool same_style(const HeatmapStyle *a, const HeatmapStyle *b) {
    return a->palette == b->palette && a->range == b->range && a->skip_column == b->skip_column &&
           a->values == b->values && a->pool == b->pool && a->zoom == b->zoom &&
           a->pan_x == b->pan_x && a->pan_y == b->pan_y && a->row == b->row &&
           a->column == b->column && a->natural == b->natural && a->states == b->states &&
           a->labels_below == b->labels_below && a->bar_apart == b->bar_apart &&
           a->at_top == b->at_top && a->oblong == b->oblong;
}

static bool same_rect(Rect a, Rect b) {
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

const HeatmapPlan *heatmap_kept_plan(const Canvas *canvas, Rect rect, const Table *table,
                                     const HeatmapStyle *style) {
    const HeatmapCache *cache = canvas->heatmaps;
    if (!cache || !table->summary.known) return NULL;
    for (int i = 0; i < HEATMAP_PLANS_KEPT && i < cache->plan_count; i++) {
        const struct HeatmapPlanned *made = &cache->plans[i];
        if (same_rect(made->rect, rect) && made->scale == canvas->scale &&
            made->theme == canvas->theme && same_table(&made->table, table) &&
            same_style(&made->style, style))
            return &made->plan;
    }
    return NULL;
}

void heatmap_keep_plan(Canvas *canvas, Rect rect, const Table *table, const HeatmapStyle *style,
                       const HeatmapPlan *plan) {
    HeatmapCache *cache = canvas->heatmaps;
    if (!cache || !table->summary.known) return;
    cache->plans[cache->plan_count++ % HEATMAP_PLANS_KEPT] =
        (struct HeatmapPlanned){*table, *style, rect, canvas->scale, canvas->theme, *plan};
}

/* ---- squares ---- */

static HeatmapKept *find(HeatmapCache *cache, const HeatmapKept *like) {
    for (HeatmapKept *kept = cache->kept; kept; kept = kept->next)
        if (kept->numbers == like->numbers && kept->marks == like->marks &&
            kept->pool_x == like->pool_x && kept->pool_y == like->pool_y &&
            kept->how == like->how && kept->skip_column == like->skip_column)
            return kept;
    return NULL;
}

static HeatmapKept *add(HeatmapCache *cache, const HeatmapKept *like) {
    HeatmapKept *kept = ARENA_NEW(&cache->arena, HeatmapKept);
    *kept = *like;
    kept->next = cache->kept;
    return cache->kept = kept;
}

TableSummary heatmap_summary(const Canvas *canvas, const Table *table, int skip_column) {
    bool skips = skip_column >= 0 && skip_column < table->columns.count;
    if (!canvas->heatmaps || !table->summary.known || !skips)
        return table_summary(table, skip_column);
    HeatmapKept like = {
        .numbers = table->values, .marks = table->states, .skip_column = skip_column};
    HeatmapKept *kept = find(canvas->heatmaps, &like);
    if (kept) return kept->summary;
    like.summary = table_summary(table, skip_column);
    return add(canvas->heatmaps, &like)->summary;
}

static int squares_of(int cells, int pool) {
    return (cells + pool - 1) / pool;
}

static HeatmapKept *pooled(HeatmapCache *cache, const HeatmapPlan *plan, const Table *table,
                           const HeatmapStyle *style) {
    HeatmapKept like = {.numbers = table->values,
                        .marks = table->states,
                        .pool_x = plan->pool_x,
                        .pool_y = plan->pool_y,
                        .how = style->pool,
                        .skip_column = NO_COLUMN};
    HeatmapKept *kept = find(cache, &like);
    if (kept) return kept;
    like.lines =
        ARENA_ARRAY(&cache->arena, HeatmapBlock *, squares_of(table->rows.count, plan->pool_y));
    return add(cache, &like);
}

static HeatmapBlock *make_line(HeatmapCache *cache, const HeatmapPlan *plan, const Table *table,
                               HeatmapPool how, int row, Arena scratch) {
    int across = squares_of(table->columns.count, plan->pool_x);
    HeatmapBlock *squares = ARENA_ARRAY(&cache->arena, HeatmapBlock, across);
    heatmap_pool_line(table, plan, how, row, 0, across, scratch, squares);
    return squares;
}

static void read_cells(const HeatmapPlan *plan, const Table *table, int row, int count,
                       HeatmapBlock *squares) {
    size_t at = (size_t)row * (size_t)table->columns.count + (size_t)plan->first_column;
    for (int i = 0; i < count; i++) {
        squares[i].state = heatmap_state(table, at + (size_t)i);
        squares[i].value = table->values[at + (size_t)i];
    }
}

const HeatmapBlock *heatmap_squares(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                                    const HeatmapStyle *style, int down, HeatmapBlock *room) {
    int count = heatmap_squares_across(plan), row = plan->first_row + down * plan->pool_y;
    if (plan->pool == 1) {
        read_cells(plan, table, row, count, room);
        return room;
    }
    if (!canvas->heatmaps || !table->summary.known) {
        heatmap_pool_line(table, plan, style->pool, row, plan->first_column, count, *canvas->arena,
                          room);
        return room;
    }
    HeatmapKept *kept = pooled(canvas->heatmaps, plan, table, style);
    HeatmapBlock **line = &kept->lines[row / plan->pool_y];
    if (!*line) *line = make_line(canvas->heatmaps, plan, table, style->pool, row, *canvas->arena);
    return *line + plan->first_column / plan->pool_x;
}
