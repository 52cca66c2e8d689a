/* Where everything is. Margins take what labels, bar and legend need, cells get whole pixels of
 * what is left, and the type follows the cells; since type decides margins and margins decide
 * cells, the layout is made again until cells no longer shrink and the legend has its height. */
#include "draw/heatmap_parts.h"

#include <limits.h>

/* Sizes at scale 1. */
enum {
    EDGE = 4,       /* free around everything */
    LABEL_GAP = 10, /* between labels and matrix */
    NAME_GAP = 6,   /* between the name of an axis and its labels */
    BAR_GAP = 24,
    BAR_WIDTH = 10,
    BAR_TEXT_GAP = 6,
    BAR_LEAST = 64, /* height */
    BAR_FROM = 240, /* width of a place that has room for a bar */
    LEGEND_GAP = 14,
    BELOW_GAP = 6,
    CELL_NATURAL = 40,
    CELL_MOST = 112,
    CELLS_LEAST = 6,    /* of a large place, that a cell leaves room for */
    CELL_GAP_FROM = 10, /* smaller cells touch: a lattice would pale the colours */
    CELL_OBLONG = 64,   /* the longer side of one that is not square */
    CELL_SQUARE = 12,   /* tables that may leave the square do when its cells would be smaller */
    MATRIX_NATURAL = 960,
    LABEL_MOST = 240,
    TYPE_LEAST = 9, /* may stand as close as its size */
    TYPE_STEPPED = 11
};
static const double LINE_PITCH = 1.1; /* distance of neighbouring labels, in sizes of their type */
static const double LABEL_SHARE = 0.3;

typedef struct Layout {
    Canvas *canvas;
    const Table *table;
    const HeatmapStyle *style;
    HeatmapPlan plan;
    Rect inner;
    int edge;
    int left, right, top;       /* without the labels */
    int foot;                   /* under the bar's last number */
    int overhang;               /* that number's lower half */
    int across_room, down_room; /* of the labels */
    double label_share;         /* of the place, that they may take */
    bool labels_cut;            /* one was longer */
    int rows, columns;          /* that zoom leaves in sight */
    HeatmapPlan wish;           /* cells and matrix of natural size */
} Layout;

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

static int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

static int px(const Layout *l, int size) {
    return canvas_px(l->canvas, size);
}

HeatmapStyle heatmap_style(void) {
    return (HeatmapStyle){
        .skip_column = -1, .values = VALUES_AUTO, .zoom = 1, .row = -1, .column = -1};
}

static bool named(const TableAxis *axis) {
    return axis->name && *axis->name;
}

/* How many cells of an axis zoom leaves in sight. */
static int in_sight(int count, double zoom) {
    int shown = zoom > 1 ? (int)ceil(count / zoom) : count;
    return shown < 1 ? least(1, count) : shown;
}

/* Where pan puts them. Squares begin at the first cell of the table, so that a picture that moves
 * shows the same squares; the last one may stand for fewer cells. */
static void see(int count, int sight, int pool, double pan, int *first, int *shown) {
    int squares = divide_up(count, pool), seen = divide_up(sight, pool);
    *first = (int)floor(fmin(1, fmax(0, pan)) * (squares - seen) + 0.5) * pool;
    *shown = least(pool > 1 ? seen * pool : sight, count - *first);
}

static int bar_width(Layout *l) {
    TextStyle mono = {FONT_MONO, FONT_SMALL, 0}, words = {FONT_UI, FONT_SMALL, 0};
    HeatmapTicks ticks = heatmap_ticks(&l->plan, l->table, 8);
    int widest = 0;
    for (int i = 0; i < ticks.count; i++)
        widest = most(widest, font_width(l->canvas, mono, ticks.text[i]));
    l->plan.bar_texts.w = widest;
    int name = l->table->quantity ? font_width(l->canvas, words, l->table->quantity) : 0;
    return most(px(l, BAR_WIDTH) + px(l, BAR_TEXT_GAP) + widest, name);
}

/* What does not depend on the cells. */
static Layout layout_open(Canvas *canvas, Rect rect, const Table *table,
                          const HeatmapStyle *style) {
    Layout l = {.canvas = canvas, .table = table, .style = style, .plan = {.rect = rect}};
    HeatmapPlan *plan = &l.plan;
    heatmap_scale(plan, canvas, table, style);
    l.rows = in_sight(table->rows.count, style->zoom);
    l.columns = in_sight(table->columns.count, style->zoom);
    plan->row_numbers = heatmap_side_counts(&table->rows);
    plan->column_numbers = heatmap_side_counts(&table->columns);
    l.edge = most(3, px(&l, EDGE)); /* no glyph touches the outer 2 pixels */
    l.inner = rect_inset(rect, l.edge, l.edge);
    int small = font_height(canvas, (TextStyle){FONT_UI, FONT_SMALL, 0});
    l.left = px(&l, LABEL_GAP) + (named(&table->rows) ? small + px(&l, NAME_GAP) : 0);
    l.top = px(&l, LABEL_GAP) + (named(&table->columns) ? small + px(&l, NAME_GAP) : 0);
    bool has_bar = !style->bar_apart && (style->natural || rect.w >= px(&l, BAR_FROM));
    l.right = has_bar ? px(&l, BAR_GAP) + bar_width(&l) : px(&l, 2);
    l.overhang = px(&l, 6);
    plan->bar.w = has_bar ? px(&l, BAR_WIDTH) : 0;
    return l;
}

/* 1, 2, 5, 10, 20, 50 ...: the next that is not smaller. */
static int round_step(int step) {
    int decade = 1;
    while (decade * 10 <= step) decade *= 10;
    int front = divide_up(step, decade);
    return decade * (front <= 1 ? 1 : front <= 2 ? 2 : front <= 5 ? 5 : 10);
}

static int number_pitch(Layout *l, const TableAxis *axis, bool down) {
    TextStyle style = {FONT_MONO, FONT_SMALL, 0};
    if (down || axis->count == 0) return px(l, FONT_SMALL + 2);
    return font_width(l->canvas, style, axis->labels[axis->count - 1].text) + px(l, 6);
}

/* Size of the type and which labels are written, for squares of `cell` pixels. */
static void choose_type(Layout *l, const TableAxis *axis, bool down, double *size, int *step) {
    const HeatmapPlan *plan = &l->plan;
    int cell = down ? plan->cell_h : plan->cell_w, pool = down ? plan->pool_y : plan->pool_x;
    bool numbers = down ? plan->row_numbers : plan->column_numbers;
    if (numbers) {
        *size = FONT_SMALL;
        *step = round_step(divide_up(number_pitch(l, axis, down) * pool, cell));
        return;
    }
    double pitch = cell / l->canvas->scale, fits = floor(pitch / LINE_PITCH * 2) / 2;
    *size = fmin(FONT_BODY, fmax(TYPE_LEAST, fits));
    *step = 1;
    if (pool == 1 && pitch >= TYPE_LEAST) return;
    *size = TYPE_STEPPED;
    *step = divide_up((int)(px(l, TYPE_STEPPED) * LINE_PITCH * pool + 0.5), cell);
}

static void choose_types(Layout *l) {
    HeatmapPlan *plan = &l->plan;
    choose_type(l, &l->table->rows, true, &plan->row_label_size, &plan->row_label_step);
    choose_type(l, &l->table->columns, false, &plan->column_label_size, &plan->column_label_step);
}

/* Longest label allowed: a share of the place, or what a matrix of natural size leaves over. */
static int label_limit(const Layout *l, int place, int fixed, int wished) {
    int over = place - fixed - wished;
    return least(px(l, LABEL_MOST), most((int)(place * l->label_share), over));
}

static void measure_labels(Layout *l, bool limited) {
    HeatmapSide rows = heatmap_side(&l->plan, l->table, l->style, true);
    HeatmapSide columns = heatmap_side(&l->plan, l->table, l->style, false);
    int across = px(l, LABEL_MOST), down = across;
    if (limited) {
        across = label_limit(l, l->inner.w, l->left + l->right, l->wish.matrix.w);
        down = label_limit(l, l->inner.h, l->top + l->overhang + l->foot, l->wish.matrix.h);
    }
    int longest_across = heatmap_side_room(l->canvas, &rows);
    int longest_down = heatmap_side_room(l->canvas, &columns);
    if (longest_across > across || longest_down > down) l->labels_cut = true;
    l->across_room = least(across, longest_across);
    l->down_room = least(down, longest_down);
    l->plan.row_labels.w = l->across_room;
    l->plan.column_labels.h = l->down_room;
}

static void fit_axis(int room, int count, int limit, int *cell, int *pool) {
    *pool = divide_up(most(1, count), most(1, room));
    *cell = most(1, least(limit, room / divide_up(most(1, count), *pool)));
}

/* A table that may leave the square does where squares would be small, and one so long that it must
 * where they would be tiny. */
static bool leaves_square(const Layout *l, int width, int height) {
    int rows = l->rows, columns = l->columns;
    bool is_long = columns > 4 * rows || rows > 4 * columns;
    int square = least(width / most(1, columns), height / most(1, rows));
    return (l->style->oblong && square < px(l, CELL_NATURAL)) ||
           (is_long && square < px(l, CELL_SQUARE));
}

static void finish_cells(Layout *l) {
    HeatmapPlan *plan = &l->plan;
    see(l->table->rows.count, l->rows, plan->pool_y, l->style->pan_y, &plan->first_row,
        &plan->shown_rows);
    see(l->table->columns.count, l->columns, plan->pool_x, l->style->pan_x, &plan->first_column,
        &plan->shown_columns);
    plan->pool = most(plan->pool_x, plan->pool_y);
    plan->cell = plan->pool == 1 && plan->cell_w == plan->cell_h ? plan->cell_w : 0;
    plan->gap = least(plan->cell_w, plan->cell_h) >= px(l, CELL_GAP_FROM) ? px(l, 1) : 0;
    plan->matrix.w = heatmap_squares_across(plan) * plan->cell_w;
    plan->matrix.h = heatmap_squares_down(plan) * plan->cell_h;
}

/* Cells of the seen part in a place of width x height, none larger than its limit. */
static void choose_cells(Layout *l, int width, int height, int limit_w, int limit_h) {
    HeatmapPlan *plan = &l->plan;
    int rows = most(1, l->rows), columns = most(1, l->columns);
    if (leaves_square(l, width, height)) {
        fit_axis(width, columns, least(limit_w, px(l, CELL_OBLONG)), &plan->cell_w, &plan->pool_x);
        fit_axis(height, rows, least(limit_h, px(l, CELL_OBLONG)), &plan->cell_h, &plan->pool_y);
    } else {
        int pool = most(divide_up(columns, most(1, width)), divide_up(rows, most(1, height)));
        int cell = least(width / divide_up(columns, pool), height / divide_up(rows, pool));
        cell = most(1, least(cell, least(limit_w, limit_h)));
        plan->cell_w = plan->cell_h = cell;
        plan->pool_x = plan->pool_y = pool;
    }
    finish_cells(l);
}

/* Cells of natural size, and from then on the wish that labels leave room for. */
static void wish_cells(Layout *l) {
    int room = px(l, MATRIX_NATURAL), cell = px(l, CELL_NATURAL);
    choose_cells(l, room, room, cell, cell);
    l->wish = l->plan;
}

static void fit_cells(Layout *l, int width, int height) {
    int largest = most(px(l, CELL_MOST), l->inner.h / CELLS_LEAST);
    int limit = (int)(largest * fmin(fmax(1, l->style->zoom), 8));
    bool natural = l->style->natural;
    choose_cells(l, width, height, natural ? l->wish.cell_w : limit,
                 natural ? l->wish.cell_h : limit);
}

/* Type from the cells, margins from the type, cells from the margins; a second round with the
 * smaller type gives room back, and one more follows when other labels turned out longer. */
static void fit_rounds(Layout *l) {
    const HeatmapPlan *plan = &l->plan;
    l->labels_cut = false;
    fit_cells(l, l->inner.w, l->inner.h);
    bool shrunk = true;
    for (int round = 0; shrunk && round < 4; round++) {
        int cell_w = plan->cell_w, cell_h = plan->cell_h, pool = plan->pool;
        choose_types(l);
        measure_labels(l, true);
        fit_cells(l, l->inner.w - l->left - l->right - l->across_room,
                  l->inner.h - l->top - l->overhang - l->foot - l->down_room);
        shrunk = plan->cell_w < cell_w || plan->cell_h < cell_h || plan->pool > pool;
    }
}

static bool leaves_labels_out(const HeatmapPlan *plan) {
    return (!plan->row_numbers && plan->row_label_step > 1) ||
           (!plan->column_numbers && plan->column_label_step > 1);
}

/* Long labels are shortened more before any label is left out for them. */
static void lay_out(Layout *l) {
    l->label_share = LABEL_SHARE;
    fit_rounds(l);
    if (!l->labels_cut || !leaves_labels_out(&l->plan)) return;
    Layout generous = *l;
    l->label_share = LABEL_SHARE / 2;
    fit_rounds(l);
    if (leaves_labels_out(&l->plan)) *l = generous;
}

static int bar_height(const Layout *l) {
    return l->plan.bar.w ? most(l->plan.matrix.h, px(l, BAR_LEAST)) : l->plan.matrix.h;
}

/* The legend begins under the matrix, unless it needs all the width. */
static int total_width(const Layout *l) {
    int legend = heatmap_legend_width(l->canvas, &l->plan, l->table, l->style);
    int content = l->left + l->across_room + most(l->plan.matrix.w + l->right, legend);
    bool fits = l->style->natural || content <= l->inner.w;
    return fits ? content : l->left + l->across_room + l->plan.matrix.w + l->right;
}

static int total_height(const Layout *l) {
    return l->top + l->down_room + bar_height(l) + l->overhang + l->foot;
}

/* Gives every part its place, the whole in the middle of rect, or at its top. */
static void place(Layout *l) {
    HeatmapPlan *plan = &l->plan;
    int x = l->inner.x + most(0, l->inner.w - total_width(l)) / 2;
    int over = most(0, l->inner.h - total_height(l));
    int y = l->inner.y + (l->style->at_top ? 0 : over / 2);
    plan->content = (Rect){x, y, total_width(l), total_height(l)};
    plan->matrix.x = x + l->left + l->across_room;
    plan->matrix.y = y + l->top + l->down_room;
    int gap = px(l, LABEL_GAP);
    plan->row_labels = (Rect){plan->matrix.x - gap - l->across_room, plan->matrix.y, l->across_room,
                              plan->matrix.h};
    plan->column_labels =
        (Rect){plan->matrix.x, plan->matrix.y - gap - l->down_room, plan->matrix.w, l->down_room};
    int bar_x = plan->matrix.x + plan->matrix.w - plan->gap + px(l, BAR_GAP);
    int text_x = bar_x + plan->bar.w + px(l, BAR_TEXT_GAP);
    if (plan->bar.w)
        plan->bar = (Rect){bar_x, plan->matrix.y, plan->bar.w, bar_height(l) - plan->gap};
    plan->bar_texts = (Rect){text_x, plan->bar.y, plan->bar_texts.w, plan->bar.h};
    plan->legend_y = plan->matrix.y + bar_height(l) + l->overhang;
}

static Rect foot_rect(const Layout *l) {
    Rect rect = {l->inner.x, l->plan.legend_y, l->inner.w, 0};
    int end = l->inner.x + l->inner.w;
    int widest = heatmap_legend_width(l->canvas, &l->plan, l->table, l->style);
    if (widest <= end - l->plan.matrix.x) {
        rect.x = l->plan.matrix.x;
        rect.w = end - rect.x;
    }
    return rect;
}

/* The most that may stand under the matrix: half of the place, or what a matrix of natural size
 * leaves over. */
static int foot_limit(const Layout *l) {
    int matrix = most(l->wish.matrix.h, px(l, BAR_LEAST));
    int over = l->inner.h - l->top - l->down_room - l->overhang - matrix;
    return most(l->inner.h / 2, over);
}

/* Puts a part of the foot below what is there; returns the height of the foot with it. */
static int stack(Rect *part, int foot, int gap, int height, int limit) {
    part->y += foot + gap;
    part->h = most(0, least(height, limit - foot - gap));
    return height ? least(foot + gap + height, most(foot, limit)) : foot;
}

/* Places the legend and the labels in full below it; returns the height of both. */
static int place_foot(Layout *l, int limit) {
    HeatmapPlan *plan = &l->plan;
    Rect rect = foot_rect(l);
    plan->legend = plan->below = rect;
    plan->below.x = most(l->inner.x, plan->matrix.x - l->left - l->across_room);
    plan->below.w = l->inner.x + l->inner.w - plan->below.x;
    int legend = heatmap_legend(l->canvas, plan, l->table, l->style, rect, false);
    int below = heatmap_below(l->canvas, plan, l->table, l->style, plan->below, false);
    int foot = stack(&plan->legend, 0, px(l, LEGEND_GAP), legend, limit);
    plan->legend_y = plan->legend.y;
    foot = stack(&plan->below, foot, px(l, BELOW_GAP), below, limit);
    /* Where even a small matrix is too high, the lines end with the place, not in what follows. */
    int end = l->inner.y + l->inner.h;
    plan->below.h = most(0, least(plan->below.h, end - plan->below.y));
    return foot;
}

/* What stands under the matrix takes room from it, which can add a remark to it. */
static void settle(Layout *l) {
    for (int round = 0; round < 5; round++) {
        lay_out(l);
        heatmap_values_plan(l->canvas, &l->plan, l->table, l->style);
        place(l);
        int foot = place_foot(l, foot_limit(l));
        if (foot <= l->foot) return;
        l->foot = foot;
    }
}

HeatmapPlan heatmap_plan(Canvas *canvas, Rect rect, const Table *table, const HeatmapStyle *style) {
    const HeatmapPlan *kept = heatmap_kept_plan(canvas, rect, table, style);
    if (kept) return *kept;
    Layout l = layout_open(canvas, rect, table, style);
    wish_cells(&l);
    settle(&l);
    heatmap_keep_plan(canvas, rect, table, style, &l.plan);
    return l.plan;
}

void heatmap_natural(Canvas *canvas, const Table *table, const HeatmapStyle *style, int *width,
                     int *height) {
    HeatmapStyle natural = *style;
    natural.natural = true;
    Layout l = layout_open(canvas, (Rect){0}, table, &natural);
    wish_cells(&l);
    choose_types(&l);
    measure_labels(&l, false);
    heatmap_values_plan(canvas, &l.plan, table, &natural);
    l.inner = (Rect){l.edge, l.edge, total_width(&l), 0};
    place(&l);
    l.foot = place_foot(&l, INT_MAX);
    *width = l.inner.w + 2 * l.edge;
    *height = total_height(&l) + 2 * l.edge;
}

HeatmapPlan heatmap_plan_bare(Canvas *canvas, Rect rect, const Table *table,
                              const HeatmapStyle *style) {
    Layout l = layout_open(canvas, rect, table, style);
    int limit = px(&l, CELL_MOST);
    choose_cells(&l, most(1, rect.w), most(1, rect.h), limit, limit);
    l.plan.row_label_step = l.plan.column_label_step = 1;
    l.plan.matrix.x = rect.x;
    l.plan.matrix.y = rect.y;
    l.plan.bar = (Rect){0};
    heatmap_values_plan(canvas, &l.plan, table, style);
    return l.plan;
}
