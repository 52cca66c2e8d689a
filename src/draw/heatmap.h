/* A table as a picture: cells, labels, colour bar, legend. The plan says where everything is;
 * drawing, hit-testing and the PNG's note all read the same plan. Cells have integer sizes; when
 * the matrix has more cells than the place has pixels, equal blocks are pooled (maximum, or mean by
 * choice) and the figure says so. */
#ifndef DRAW_HEATMAP_H
#define DRAW_HEATMAP_H

#include "base/table.h"
#include "draw/canvas.h"

#include <stdbool.h>

typedef enum HeatmapRange {
    RANGE_UNIT, /* weights 0..1; signed values symmetric around 0 */
    RANGE_MAX,  /* to the largest value of the table */
    RANGE_LOG,  /* logarithm of weights, from the smallest positive (at least 1e-6) to 1 */
    RANGE_SKIP  /* to the largest value when skip_column is left out; that column is marked as over
                   range */
} HeatmapRange;

typedef enum HeatmapValues { VALUES_OFF, VALUES_AUTO, VALUES_ON } HeatmapValues;
typedef enum HeatmapPool { POOL_MAX, POOL_MEAN } HeatmapPool;

typedef struct HeatmapStyle {
    int palette; /* PaletteName */
    HeatmapRange range;
    int skip_column; /* for RANGE_SKIP */
    HeatmapValues values;
    HeatmapPool pool;
    double zoom;         /* 1 = all of it; larger zooms in */
    double pan_x, pan_y; /* 0..1, which part is seen when zoomed */
    int row, column; /* the chosen cell, -1 none: row frame and cell frame, labels in the accent */
    bool natural;    /* no room given: cells get their natural size (heatmap_natural) */
    unsigned states; /* bit 1 << CellState for what the legend explains besides what occurs */
    bool labels_below; /* whole text of shortened labels under the figure */
    bool bar_apart;    /* no colour bar: one for several maps is drawn elsewhere */
    bool at_top;       /* at the top of its place, not in the middle */
    bool oblong; /* the axes are of unlike kinds: cells may leave the square to fill a place */
} HeatmapStyle;

HeatmapStyle heatmap_style(void); /* auto, unit, -1, auto, max, 1, 0 0, -1 -1 */

typedef struct HeatmapPlan {
    Rect rect;          /* all that was given */
    Rect matrix;        /* the cells */
    int cell;           /* cell size in pixels when cells are square and not pooled, else 0 */
    int pool;           /* the larger of pool_x and pool_y, 1 when not pooled */
    int cell_w, cell_h; /* pixels of a square: of a cell, or of a block when pooled */
    int pool_x, pool_y; /* columns and rows in a block */
    int gap;            /* last pixels of a square that stay in the ground's colour */
    int first_row, first_column, shown_rows, shown_columns; /* what is seen, in table cells */
    HeatmapRange range;                                     /* the one in force */
    float low, high;   /* values at the ends of the colour scale */
    bool over, under;  /* the table has values beyond them */
    unsigned states;   /* bit 1 << CellState for each state that the table has */
    int palette;       /* resolved */
    bool values;       /* numbers are written in the cells */
    bool values_unfit; /* they were asked for and have no room */
    int decimals;
    double value_size; /* of the numbers, at scale 1 */
    Rect content;      /* of rect, what the picture takes with its labels, bar and legend */
    Rect bar;          /* colour bar, empty if there is none */
    Rect bar_texts;    /* its numbers */
    Rect row_labels, column_labels;
    int row_label_step,
        column_label_step; /* 1: every label is written; n: every nth, and the figure says so */
    double row_label_size, column_label_size; /* at scale 1 */
    bool row_numbers, column_numbers;         /* the labels just count up: a numbered axis */
    int legend_y;
    Rect legend; /* cell states and remarks */
    Rect below;  /* whole text of shortened labels */
} HeatmapPlan;

/* Size in pixels of the canvas that rect needs so that every cell can carry its number (up to a
 * limit), for exports without --size. */
void heatmap_natural(Canvas *canvas, const Table *table, const HeatmapStyle *style, int *width,
                     int *height);

/* What heatmaps keep beside a canvas from one drawing to the next: the plans and pooled squares of
 * sealed tables, so that moving about in millions of cells, or asking what stands under a pointer,
 * reads each of them once. Tables are known by their places in memory, so whoever owns the cache
 * says when the numbers are new. */
enum { HEATMAP_PLANS_KEPT = 8 };
struct HeatmapCache {
    Arena arena;
    struct HeatmapKept *kept;
    struct HeatmapPlanned {
        Table table; /* as it was: its numbers are not looked at */
        HeatmapStyle style;
        Rect rect;
        double scale;
        const Theme *theme;
        HeatmapPlan plan;
    } plans[HEATMAP_PLANS_KEPT];
    int plan_count; /* made so far; the newest take the place of the oldest */
};
HeatmapCache heatmap_cache(ArenaFull *full);
void heatmap_forget(HeatmapCache *cache);
void heatmap_cache_close(HeatmapCache *cache);

HeatmapPlan heatmap_plan(Canvas *canvas, Rect rect, const Table *table, const HeatmapStyle *style);
void heatmap_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const HeatmapStyle *style);

/* Small multiples: only the cells, their numbers and frames, from the top left of rect on; labels,
 * bar and legend are shared by all maps and drawn once. */
HeatmapPlan heatmap_plan_bare(Canvas *canvas, Rect rect, const Table *table,
                              const HeatmapStyle *style);
void heatmap_draw_bare(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                       const HeatmapStyle *style);
/* The bar of a bare plan, as high as bar, with its numbers to the right and the quantity above. */
void heatmap_draw_bar(Canvas *canvas, const HeatmapPlan *plan, Rect bar, const Table *table);
/* The legend of a bare plan; its height. */
int heatmap_draw_legend(Canvas *canvas, const HeatmapPlan *plan, Rect rect, const Table *table,
                        const HeatmapStyle *style, bool draw);

/* The cell at a point of the canvas; false outside the matrix. Pooled: the cell of the block that
 * its colour shows (for a mean, the one nearest to it). */
bool heatmap_locate(const HeatmapPlan *plan, const Table *table, const HeatmapStyle *style, int x,
                    int y, int *row, int *column);

/* Where a cell is drawn; empty when it is not seen. Pooled: where its block is drawn. */
Rect heatmap_cell(const HeatmapPlan *plan, int row, int column);

/* The colour of a value on the plan's scale; beyond the ends, and for what is no number, that of
 * the nearest end. */
Color heatmap_color(const HeatmapPlan *plan, const HeatmapStyle *style, float value);

/* Lines for a PNG's note, with which anyone can read the numbers back from the colours:
 * "matrix X Y W H", "cell W H", "pool X Y max|mean", "first ROW COLUMN shown ROWS COLUMNS",
 * "range LOW HIGH", "scale unit|max|log|skip", "palette NAME", each ended by a newline. */
const char *heatmap_geometry(const HeatmapPlan *plan, const HeatmapStyle *style, Arena *arena);

/* The line of another map of the same figure, which differs from that one in its place, its range
 * and its title alone: "beside X Y W H range LOW HIGH TITLE". */
const char *heatmap_beside(const HeatmapPlan *plan, const char *title, Arena *arena);

/* The scale in force in a few words, for the line under a figure: "0 to 0.40, the largest". */
const char *heatmap_scale_words(const HeatmapPlan *plan, const Table *table,
                                const HeatmapStyle *style, Arena *arena);

#endif
