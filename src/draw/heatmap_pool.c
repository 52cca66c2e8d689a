/* Squares and cells. When not pooled a square is a cell; else it stands for a block of cells and
 * shows one value for them: the maximum (of signed values the one farthest from zero, so that
 * peaks to both sides stay), or the mean. Cells without a number are passed over, unless the block
 * has nothing else; a NaN or an infinity in a block is never hidden. */
#include "draw/heatmap_parts.h"

#include <string.h>

int heatmap_squares_across(const HeatmapPlan *plan) {
    return (plan->shown_columns + plan->pool_x - 1) / plan->pool_x;
}

int heatmap_squares_down(const HeatmapPlan *plan) {
    return (plan->shown_rows + plan->pool_y - 1) / plan->pool_y;
}

typedef struct Span {
    int row, row_end, column, column_end;
} Span;

static int least(int a, int b) {
    return a < b ? a : b;
}

static Span block_span(const HeatmapPlan *plan, int down, int across) {
    Span span = {.row = plan->first_row + down * plan->pool_y,
                 .column = plan->first_column + across * plan->pool_x};
    span.row_end = least(span.row + plan->pool_y, plan->first_row + plan->shown_rows);
    span.column_end = least(span.column + plan->pool_x, plan->first_column + plan->shown_columns);
    return span;
}

static size_t cell_at(const Table *table, int row, int column) {
    return (size_t)row * (size_t)table->columns.count + (size_t)column;
}

/* NaN before infinities before numbers; without any of them, what says most. */
static CellState state_of_block(unsigned states) {
    static const CellState order[] = {CELL_NAN,       CELL_PLUS_INF, CELL_OK,     CELL_MINUS_INF,
                                      CELL_UNDEFINED, CELL_BLOCKED,  CELL_MISSING};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (states & 1u << order[i]) return order[i];
    return CELL_MISSING;
}

typedef struct Pool {
    float best, height; /* what stands out most, and by how much */
    double sum;
    int count; /* numbers in the sum */
    unsigned states;
} Pool;

/* The cells [from, to) of a row. What is rare is asked last: NaN fails the comparison too, and -inf
 * stands out from nothing. */
static void pool_cells(const Table *table, size_t from, size_t to, bool mean, Pool *pool) {
    bool both_sides = table->kind == TABLE_SIGNED;
    for (size_t at = from; at < to; at++) {
        CellState state = (CellState)table->states[at];
        pool->states |= 1u << state;
        if (state != CELL_OK) continue;
        float value = table->values[at], height = both_sides ? fabsf(value) : value;
        if (mean && isfinite(value)) pool->sum += (double)value, pool->count++;
        bool tie = height == pool->height && value > pool->best; /* +x before -x */
        if (height <= pool->height && !tie) continue;
        if (isfinite(value))
            pool->best = value, pool->height = height;
        else
            pool->states |= 1u << heatmap_state(table, at);
    }
}

static HeatmapBlock pool_block(const Table *table, HeatmapPool how, Span span) {
    bool mean = how == POOL_MEAN;
    Pool pool = {.height = -INFINITY};
    for (int row = span.row; row < span.row_end; row++)
        pool_cells(table, cell_at(table, row, span.column), cell_at(table, row, span.column_end),
                   mean, &pool);
    CellState state = state_of_block(pool.states);
    if (state == CELL_OK && pool.height == -INFINITY) state = CELL_MINUS_INF;
    float shown = mean && pool.count ? (float)(pool.sum / pool.count) : pool.best;
    return (HeatmapBlock){.state = state, .value = shown};
}

/* The rows of a line of squares laid over one another, column by column. */
typedef struct Strip {
    float *high, *low; /* the largest and the smallest number */
    float *odd;        /* 0 where all of them are finite, else NaN */
    uint8_t *states;   /* all bits of the states, */
    uint8_t *shared;   /* and those that all of them have */
} Strip;

/* Loops without branches: nearly all cells are finite numbers, millions of them in a picture. */
static void lay_row(Strip *strip, const float *values, const uint8_t *states, int count) {
    for (int i = 0; i < count; i++) {
        float value = values[i];
        strip->high[i] = value > strip->high[i] ? value : strip->high[i];
        strip->low[i] = value < strip->low[i] ? value : strip->low[i];
        strip->odd[i] += value - value;
    }
    for (int i = 0; i < count; i++) strip->states[i] |= states[i];
    for (int i = 0; i < count; i++) strip->shared[i] &= states[i];
}

static Strip lay_rows(const Table *table, Span span, Arena *scratch) {
    int count = span.column_end - span.column;
    Strip strip = {ARENA_ARRAY(scratch, float, count), ARENA_ARRAY(scratch, float, count),
                   ARENA_ARRAY(scratch, float, count), ARENA_ARRAY(scratch, uint8_t, count),
                   ARENA_ARRAY(scratch, uint8_t, count)};
    memset(strip.shared, 0xFF, (size_t)count);
    for (int i = 0; i < count; i++) strip.high[i] = -INFINITY, strip.low[i] = INFINITY;
    for (int row = span.row; row < span.row_end; row++) {
        size_t at = cell_at(table, row, span.column);
        lay_row(&strip, table->values + at, table->states + at, count);
    }
    return strip;
}

/* The square of the columns [from, to) of a strip that holds numbers only, or nothing but cells of
 * one other state; false for a mixture. */
static bool plain_square(const Strip *strip, int from, int to, bool both_sides,
                         HeatmapBlock *square) {
    float high = -INFINITY, low = INFINITY, odd = 0;
    unsigned states = 0, shared = 0xFF;
    for (int i = from; i < to; i++) {
        high = strip->high[i] > high ? strip->high[i] : high;
        low = strip->low[i] < low ? strip->low[i] : low;
        odd += strip->odd[i];
        states |= strip->states[i];
        shared &= strip->shared[i];
    }
    *square = (HeatmapBlock){.state = (CellState)states};
    if (states != CELL_OK) return states == shared;
    square->value = both_sides && -low > high ? low : high;
    return odd == 0;
}

void heatmap_pool_line(const Table *table, const HeatmapPlan *plan, HeatmapPool how, int row,
                       int column, int count, Arena scratch, HeatmapBlock *squares) {
    int pool = plan->pool_x, row_end = least(row + plan->pool_y, table->rows.count);
    Span line = {row, row_end, column, least(column + count * pool, table->columns.count)};
    Strip strip = {.high = NULL};
    if (how == POOL_MAX) strip = lay_rows(table, line, &scratch);
    for (int i = 0; i < count; i++) {
        Span span = {row, row_end, column + i * pool, 0};
        span.column_end = least(span.column + pool, line.column_end);
        bool plain = how == POOL_MAX && plain_square(&strip, i * pool, span.column_end - column,
                                                     table->kind == TABLE_SIGNED, &squares[i]);
        if (!plain) squares[i] = pool_block(table, how, span);
    }
}

HeatmapBlock heatmap_block(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style,
                           int down, int across) {
    Span span = block_span(plan, down, across);
    if (plan->pool > 1) return pool_block(table, style->pool, span);
    size_t at = cell_at(table, span.row, span.column);
    return (HeatmapBlock){.state = heatmap_state(table, at), .value = table->values[at]};
}

/* The cell of the block that its colour shows: the first of that state, and of numbers the one
 * nearest to the value shown. */
static void find_shown(const Table *table, Span span, HeatmapBlock block, int *row, int *column) {
    float nearest = INFINITY;
    *row = span.row, *column = span.column;
    for (int r = span.row; r < span.row_end; r++) {
        for (int c = span.column; c < span.column_end; c++) {
            size_t at = cell_at(table, r, c);
            if (heatmap_state(table, at) != block.state) continue;
            float distance = block.state == CELL_OK ? fabsf(table->values[at] - block.value) : 0;
            if (!(distance < nearest)) continue;
            nearest = distance;
            *row = r, *column = c;
        }
    }
}

bool heatmap_locate(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style, int x,
                    int y, int *row, int *column) {
    if (!rect_contains(plan->matrix, x, y)) return false;
    int down = (y - plan->matrix.y) / plan->cell_h, across = (x - plan->matrix.x) / plan->cell_w;
    HeatmapBlock block = heatmap_block(plan, table, style, down, across);
    find_shown(table, block_span(plan, down, across), block, row, column);
    return true;
}

Rect heatmap_cell(const HeatmapPlan *plan, int row, int column) {
    int down = row - plan->first_row, across = column - plan->first_column;
    if (down < 0 || across < 0 || down >= plan->shown_rows || across >= plan->shown_columns)
        return (Rect){0};
    return (Rect){plan->matrix.x + across / plan->pool_x * plan->cell_w,
                  plan->matrix.y + down / plan->pool_y * plan->cell_h, plan->cell_w, plan->cell_h};
}

const char *heatmap_geometry(const HeatmapPlan *plan, const HeatmapStyle *style, Arena *arena) {
    static const char *const ranges[] = {"unit", "max", "log", "skip"};
    char low[TEXT_NUMBER_MAX], high[TEXT_NUMBER_MAX];
    text_float(low, plan->low);
    text_float(high, plan->high);
    return arena_printf(arena,
                        "matrix %d %d %d %d\ncell %d %d\npool %d %d %s\n"
                        "first %d %d shown %d %d\nrange %s %s\nscale %s\npalette %s\n",
                        plan->matrix.x, plan->matrix.y, plan->matrix.w, plan->matrix.h,
                        plan->cell_w, plan->cell_h, plan->pool_x, plan->pool_y,
                        style->pool == POOL_MEAN ? "mean" : "max", plan->first_row,
                        plan->first_column, plan->shown_rows, plan->shown_columns, low, high,
                        ranges[plan->range], palette_name(plan->palette));
}

const char *heatmap_beside(const HeatmapPlan *plan, const char *title, Arena *arena) {
    char low[TEXT_NUMBER_MAX], high[TEXT_NUMBER_MAX];
    text_float(low, plan->low);
    text_float(high, plan->high);
    return arena_printf(arena, "beside %d %d %d %d range %s %s %s\n", plan->matrix.x,
                        plan->matrix.y, plan->matrix.w, plan->matrix.h, low, high, title);
}
