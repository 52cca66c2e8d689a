/* What the files of the heatmap share and nobody else needs. */
#ifndef DRAW_HEATMAP_PARTS_H
#define DRAW_HEATMAP_PARTS_H

#include "draw/font.h"
#include "draw/heatmap.h"

#include <math.h>

/* heatmap_scale.c: from the table's numbers to the ends of the colour scale. */

/* Sets range, low, high, over, under, states and palette from the table's summary. */
void heatmap_scale(HeatmapPlan *plan, const Canvas *canvas, const Table *table,
                   const HeatmapStyle *style);

/* Where a value stands on the scale, 0..1, clipped. This and what follows stands here, so that
 * loops over millions of cells need no call. */
static inline double heatmap_share(const HeatmapPlan *plan, double value) {
    double low = plan->low, high = plan->high;
    double share = plan->range == RANGE_LOG ? log(fmax(value, low) / low) / log(high / low)
                                            : (value - low) / (high - low);
    if (!(share > 0)) return 0; /* NaN too: it never becomes an index */
    return share < 1 ? share : 1;
}

/* The step 0..PALETTE_STEPS-1 of a value. */
static inline int heatmap_step(const HeatmapPlan *plan, float value) {
    return (int)(heatmap_share(plan, (double)value) * (PALETTE_STEPS - 1) + 0.5);
}

/* The state of a cell; an ok cell that holds no finite number counts as what it holds. */
static inline CellState heatmap_state(const Table *table, size_t at) {
    CellState state = (CellState)table->states[at];
    float value = table->values[at];
    if (state != CELL_OK || isfinite(value)) return state;
    return isnan(value) ? CELL_NAN : value > 0 ? CELL_PLUS_INF : CELL_MINUS_INF;
}

enum { HEATMAP_TICKS_MAX = 10 };
typedef struct HeatmapTicks {
    int count;
    double value[HEATMAP_TICKS_MAX]; /* falling */
    char text[HEATMAP_TICKS_MAX][TEXT_NUMBER_MAX];
} HeatmapTicks;

/* At most `most` (2 or more) ticks for the bar; both ends are among them. */
HeatmapTicks heatmap_ticks(const HeatmapPlan *plan, const Table *table, int most);

/* heatmap_pool.c: a square on the screen and the cells that it stands for. */

typedef struct HeatmapBlock {
    CellState state;
    float value; /* when state is ok */
} HeatmapBlock;

int heatmap_squares_across(const HeatmapPlan *plan);
int heatmap_squares_down(const HeatmapPlan *plan);
HeatmapBlock heatmap_block(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style,
                           int down, int across);

/* A line of pooled squares: count of them, the first of which begins at that row and column. */
void heatmap_pool_line(const Table *table, const HeatmapPlan *plan, HeatmapPool how, int row,
                       int column, int count, Arena scratch, HeatmapBlock *squares);

/* heatmap_cache.c */

/* The plan of the same table in the same place; NULL when none is kept. */
const HeatmapPlan *heatmap_kept_plan(const Canvas *canvas, Rect rect, const Table *table,
                                     const HeatmapStyle *style);
void heatmap_keep_plan(Canvas *canvas, Rect rect, const Table *table, const HeatmapStyle *style,
                       const HeatmapPlan *plan);

/* The squares of a line that the plan shows: kept ones, or made in room for as many. */
const HeatmapBlock *heatmap_squares(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                                    const HeatmapStyle *style, int down, HeatmapBlock *room);

/* table_summary, which passes over all cells when a column is left out. */
TableSummary heatmap_summary(const Canvas *canvas, const Table *table, int skip_column);

/* heatmap_cells.c */

void heatmap_cells_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                        const HeatmapStyle *style);
void heatmap_frames_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                         const HeatmapStyle *style);

/* heatmap_marks.c: what a cell without a number looks like. */

/* Fills rect with the sign of a state that is not ok, in the shape that it has in a cell of the
 * size of like: a cell passes itself, the legend's sample a cell. */
void heatmap_mark_state(Canvas *canvas, Rect rect, CellState state, Rect like);
/* Pixels that a sign in letters needs around it, 0 when it is drawn without letters. */
int heatmap_mark_width(Canvas *canvas, CellState state, Rect like);
/* The sign in letters of a state, "" for those that are hatched or empty. */
const char *heatmap_mark_text(CellState state);
/* The corner of a cell beyond the scale. */
void heatmap_mark_clipped(Canvas *canvas, Rect rect, bool over, Color ground);

/* heatmap_values.c: the numbers in the cells. */

/* Decides values, values_unfit, decimals and value_size. */
void heatmap_values_plan(Canvas *canvas, HeatmapPlan *plan, const Table *table,
                         const HeatmapStyle *style);
void heatmap_values_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table);

/* heatmap_labels.c: one axis, seen the same way whether it runs down or across. */

typedef struct HeatmapSide {
    const TableAxis *axis;
    bool down;        /* rows */
    int first, shown; /* cells seen */
    int pool;         /* cells in a square */
    int cell;         /* pixels of a square along the axis */
    int start;        /* where the first square begins */
    int step;         /* every step-th label is written */
    double size;      /* of the type at scale 1 */
    bool numbers;     /* labels that count up */
    int room;         /* pixels for the text, across the axis */
    int chosen;       /* -1 none */
} HeatmapSide;

HeatmapSide heatmap_side(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style,
                         bool down);

/* Whether the labels count up by one: features, positions. */
bool heatmap_side_counts(const TableAxis *axis);
/* Pixels that the longest label needs, its bracket included; the chosen one does not change it. */
int heatmap_side_room(Canvas *canvas, const HeatmapSide *side);
bool heatmap_side_written(const HeatmapSide *side, int index);
/* Whether the label has to be shortened. */
bool heatmap_side_shortened(Canvas *canvas, const HeatmapSide *side, int index);
/* All but the chosen one, which comes last because it may lie over others. */
void heatmap_labels_draw(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side);
void heatmap_label_chosen(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side);
/* Where the chosen label is, when it may lie over others; else empty. */
Rect heatmap_label_over(Canvas *canvas, const HeatmapPlan *plan, const HeatmapSide *side);

/* heatmap_below.c: shortened labels in full under the figure. Returns the height that they need;
 * draws what rect holds when draw is set. */
int heatmap_below(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const HeatmapStyle *style, Rect rect, bool draw);

/* heatmap_legend.c */

void heatmap_bar_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table);
/* Height of the legend in rect's width, 0 when there is nothing to say; draws what
 * rect holds when draw is set. */
int heatmap_legend(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                   const HeatmapStyle *style, Rect rect, bool draw);
/* Pixels of the widest thing in the legend. */
int heatmap_legend_width(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                         const HeatmapStyle *style);

#endif
