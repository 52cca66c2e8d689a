/* From top to bottom: caption, strip of shapes, maps with their labels and bar, facts, notes. Every
 * map gets a place of the same size; how many stand in a row is what makes them largest. */
#include "scene/grid_of_maps.h"

#include "draw/font.h"
#include "draw/heatmap.h"
#include "scene/captions.h"

#include <limits.h>
#include <math.h>

/* Sizes of the design at scale 1. */
enum { MARGIN = 12, GAP = 8, BETWEEN = 16, LABEL_GAP = 6, LABEL_MOST = 110 };
enum {
    BAR_GAP = 24,
    BAR = 10,
    BAR_TEXTS = 40,
    BAR_LEAST = 140,
    LABEL_LEAST = 9,
    LINE = 14,
    OWN_BAR = 48
};
enum { CELL_MOST = 112, WORDS = 110, CORNER = 46, NATURAL_MAP = 260 };
enum { NATURAL_WIDTH = 640, NATURAL_WORDS = 140, NATURAL_MOST = 1600 };

static const double SMALL_WEIGHT = 0.2;
static const double LABEL_PITCH = 1.1; /* distance of neighbouring labels, in sizes of their type */

typedef struct Plan {
    Rect caption, split, facts, notes, legend;
    Rect maps;              /* without labels and bar */
    int columns, rows;      /* of the grid */
    int across, down;       /* distance from one map to the next */
    int map_w, map_h;       /* the place of a map's cells */
    int title, lines;       /* heights above and below a map */
    int line, joined;       /* height of a line; width of a map's lines when they stand on one */
    bool one_line;          /* as they do where there is room */
    int side, beside;       /* width of the lines at the side of a map; 0: they cannot, do not */
    int labels_w, labels_h; /* of the token labels, 0: cells too small */
    const char *facts_text;
    HeatmapStyle style;
    bool shared; /* the ends of the colour scale are the same for every map */
} Plan;

static HeatmapStyle style_of(const GridOfMaps *grid) {
    HeatmapStyle style = heatmap_style();
    style.palette = grid->view->palette;
    style.range = (HeatmapRange)grid->view->range;
    if (style.range == RANGE_SKIP) style.skip_column = grid->view->skip_key;
    style.values = (HeatmapValues)grid->view->values;
    style.pool = (HeatmapPool)grid->view->pool;
    style.zoom = grid->view->zoom;
    style.pan_x = grid->view->pan_x;
    style.pan_y = grid->view->pan_y;
    style.row = grid->view->row;
    style.column = grid->view->column;
    return style;
}

static int longest_label(Canvas *canvas, const TableAxis *axis) {
    int widest = 0;
    for (int i = 0; i < axis->count; i++) {
        int width = font_width(canvas, captions_small_style(canvas), axis->labels[i].text);
        if (width > widest) widest = width;
    }
    int most = canvas_px(canvas, LABEL_MOST);
    return (widest < most ? widest : most) + canvas_px(canvas, LABEL_GAP);
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* "entropy 1.60 · distance 2.1"; NULL for none. */
static const char *joined_lines(Arena *arena, const GridMap *map) {
    if (!map->lines[0] || !map->lines[1]) return map->lines[0];
    return arena_printf(arena, "%s · %s", map->lines[0], map->lines[1]);
}

static void measure_lines(Canvas *canvas, Plan *plan, const GridOfMaps *grid) {
    TextStyle style = captions_small_style(canvas);
    plan->joined = plan->side = 0;
    for (int i = 0; i < grid->count; i++) {
        const GridMap *map = &grid->maps[i];
        const char *text = joined_lines(canvas->arena, map);
        int width = text ? font_width(canvas, style, text) : 0;
        if (width > plan->joined) plan->joined = width;
        for (int n = 0; n < GRID_LINES; n++) {
            width = map->lines[n] ? font_width(canvas, style, map->lines[n]) : 0;
            if (width > plan->side) plan->side = width;
        }
    }
    if (plan->side) plan->side += canvas_px(canvas, LABEL_GAP);
    if (!plan->shared) plan->side = 0; /* each scale stands under its map */
}

/* Height of what stands below a map that has so much width. */
static int below(const Plan *plan, int width) {
    int count = !plan->joined ? 0 : plan->joined <= width ? 1 : GRID_LINES;
    return plan->line * (count + !plan->shared);
}

/* In 1/16 pixels, so that many maps still differ. */
static int cell_in(const Table *table, int width, int height) {
    return smaller(16 * width / table->columns.count, 16 * height / table->rows.count);
}

/* Cells of a place for `columns` maps in a row, with the words below them or at their side. */
static int cell_of(const Plan *plan, const GridOfMaps *grid, Rect room, int gap, int columns) {
    const Table *table = grid->maps[0].table;
    int rows = (grid->count + columns - 1) / columns;
    int w = (room.w - (columns - 1) * gap) / columns;
    int h = (room.h - (rows - 1) * gap) / rows - plan->title;
    int over = cell_in(table, w, h - below(plan, w));
    int left = plan->side ? cell_in(table, w - plan->side, h) : over;
    return over > left ? over : left;
}

static int cell_chosen(const Plan *plan, const Table *table) {
    return cell_in(table, plan->map_w, plan->map_h);
}

/* Where maps are too low for their places, the lines below them move to their side. */
static void move_lines(Plan *plan, const Table *table) {
    Plan moved = *plan;
    moved.beside = plan->side;
    moved.map_w -= moved.beside;
    moved.map_h += plan->lines;
    moved.lines = 0;
    moved.one_line = false;
    bool larger = cell_chosen(&moved, table) / 16 > cell_chosen(plan, table) / 16;
    if (plan->side && larger) *plan = moved;
}

static void choose_columns(Plan *plan, const GridOfMaps *grid, Rect room, int gap) {
    int best = INT_MIN; /* below 0 where the room is too small for what stands beside a map */
    plan->columns = grid->columns;
    for (int columns = 1; !grid->columns && columns <= grid->count; columns++) {
        int cell = cell_of(plan, grid, room, gap, columns);
        if (cell > best) {
            best = cell;
            plan->columns = columns;
        }
    }
    plan->rows = (grid->count + plan->columns - 1) / plan->columns;
    plan->across = (room.w + gap) / plan->columns;
    plan->down = (room.h + gap) / plan->rows;
    plan->map_w = plan->across - gap;
    plan->lines = below(plan, plan->map_w);
    plan->one_line = plan->joined && plan->joined <= plan->map_w;
    plan->map_h = plan->down - gap - plan->title - plan->lines;
    if (plan->map_w < 1) plan->map_w = 1;
    if (plan->map_h < 1) plan->map_h = 1;
    plan->maps = room;
    plan->beside = 0;
    move_lines(plan, grid->maps[0].table);
}

/* What a map that wide takes with its words. */
static int width_taken(const Canvas *canvas, const Plan *plan, int map) {
    int words = canvas_px(canvas, WORDS);
    if (plan->one_line && plan->joined > words) words = plan->joined;
    if (plan->beside) words = map + plan->beside;
    return map > words ? map : words;
}

/* Maps move together when their cells, of whole pixels and square, leave room between them, and
 * all of them to the middle of their place. */
static void close_up(Canvas *canvas, Plan *plan, const Table *table) {
    int cell = smaller(plan->map_w / table->columns.count, plan->map_h / table->rows.count);
    int most = canvas_px(canvas, CELL_MOST), gap = 2 * canvas_px(canvas, BETWEEN);
    if (cell < 1) return;
    if (cell > most) cell = most;
    int w = cell * table->columns.count, h = cell * table->rows.count;
    int taken = width_taken(canvas, plan, w);
    plan->across = smaller(plan->across, taken + gap);
    plan->down = smaller(plan->down, h + plan->title + plan->lines + gap);
    int used = (plan->columns - 1) * plan->across + taken;
    if (plan->maps.w > used) plan->maps.x += (plan->maps.w - used) / 2;
    int high = (plan->rows - 1) * plan->down + h + plan->title + plan->lines;
    if (plan->maps.h > high) plan->maps.y += (plan->maps.h - high) / 2;
}

/* With labels, and once more without them when the cells turn out too small to be labelled. */
static void place_maps(Canvas *canvas, Plan *plan, const GridOfMaps *grid, Rect between) {
    const Table *table = grid->maps[0].table;
    int gap = canvas_px(canvas, BETWEEN), least = 16 * canvas_px(canvas, LABEL_LEAST);
    int bar = plan->shared ? canvas_px(canvas, BAR_GAP + BAR + BAR_TEXTS) : 0;
    Rect room = between;
    plan->title = canvas_px(canvas, LINE) + canvas_px(canvas, 4);
    plan->line = canvas_px(canvas, LINE);
    measure_lines(canvas, plan, grid);
    room.w -= bar;
    int corner = canvas_px(canvas, CORNER);
    plan->labels_w = longest_label(canvas, &table->rows);
    if (plan->labels_w < corner) plan->labels_w = corner;
    plan->labels_h = longest_label(canvas, &table->columns);
    Rect labelled = {room.x + plan->labels_w, room.y + plan->labels_h, room.w - plan->labels_w,
                     room.h - plan->labels_h};
    choose_columns(plan, grid, labelled, gap);
    if (cell_chosen(plan, table) < least) {
        plan->labels_w = plan->labels_h = 0;
        choose_columns(plan, grid, room, gap);
    }
    close_up(canvas, plan, table);
}

/* Many keys make every weight small; the reader should know that pale is not empty. */
static const char *small_weights(Arena *arena, const GridOfMaps *grid) {
    float largest = 0, low, high;
    for (int i = 0; i < grid->count; i++)
        if (table_range(grid->maps[i].table, -1, &low, &high) && high > largest) largest = high;
    if ((double)largest >= SMALL_WEIGHT) return "";
    return arena_printf(arena, " (the largest weight here is %.2g)", (double)largest);
}

/* unlabelled: there is no room for the labels, and the reader is told. */
static const char *facts_text(Canvas *canvas, const GridOfMaps *grid, const Plan *plan,
                              bool unlabelled) {
    const Table *table = grid->maps[grid->chosen].table;
    HeatmapPlan map = heatmap_plan_bare(canvas, plan->maps, table, &plan->style);
    const char *scale =
        plan->shared ? arena_printf(canvas->arena, "%s, shared%s",
                                    heatmap_scale_words(&map, table, &plan->style, canvas->arena),
                                    small_weights(canvas->arena, grid))
                     : "each map has its own scale, written under it";
    return arena_printf(canvas->arena, "%s · %s down, %s across%s · colours: %s", grid->facts,
                        table->rows.name, table->columns.name, unlabelled ? ", unlabelled" : "",
                        scale);
}

static int legend(Canvas *canvas, const Plan *plan, const GridOfMaps *grid, bool draw) {
    const Table *table = grid->maps[grid->chosen].table;
    HeatmapPlan map =
        heatmap_plan_bare(canvas, (Rect){0, 0, plan->map_w, plan->map_h}, table, &plan->style);
    return heatmap_draw_legend(canvas, &map, plan->legend, table, &plan->style, draw);
}

static Plan plan_with(Canvas *canvas, Rect rect, const GridOfMaps *grid, bool unlabelled) {
    int margin = canvas_px(canvas, MARGIN), gap = canvas_px(canvas, GAP);
    rect = rect_inset(rect, margin, margin);
    Plan plan = {.style = style_of(grid), .maps = rect};
    plan.shared = plan.style.range == RANGE_UNIT && !grid->own_scales;
    plan.caption = plan.facts = plan.notes = plan.split = plan.legend = rect;
    plan.facts_text = facts_text(canvas, grid, &plan, unlabelled);
    plan.caption.h = captions_title(canvas, rect, grid->caption, false);
    plan.notes.h = captions_notes(canvas, rect, grid->notes, 0, false);
    plan.facts.h = captions_facts(canvas, rect, plan.facts_text, false);
    plan.notes.y = rect.y + rect.h - plan.notes.h;
    plan.facts.y = plan.notes.y - plan.facts.h;
    plan.split.y += plan.caption.h + gap;
    plan.split.h = grid->split ? split_height(canvas, rect.w) : 0;
    Rect between = rect;
    between.y = plan.split.y + plan.split.h + (plan.split.h ? gap : 0);
    between.h = plan.facts.y - gap - between.y;
    place_maps(canvas, &plan, grid, between);
    plan.legend.h = legend(canvas, &plan, grid, false);
    if (!plan.legend.h) return plan;
    between.h -= plan.legend.h + gap;
    plan.legend.y = between.y + between.h + gap;
    place_maps(canvas, &plan, grid, between);
    return plan;
}

static Plan plan_grid(Canvas *canvas, Rect rect, const GridOfMaps *grid) {
    Plan plan = plan_with(canvas, rect, grid, false);
    return plan.labels_w ? plan : plan_with(canvas, rect, grid, true);
}

/* The place of a map's cells. */
static Rect place_of(const Plan *plan, int map) {
    return (Rect){plan->maps.x + map % plan->columns * plan->across,
                  plan->maps.y + map / plan->columns * plan->down + plan->title, plan->map_w,
                  plan->map_h};
}

static HeatmapPlan map_plan(Canvas *canvas, const Plan *plan, const GridOfMaps *grid, int map) {
    return heatmap_plan_bare(canvas, place_of(plan, map), grid->maps[map].table, &plan->style);
}

/* Type that follows the cells, as far as it can be read. */
static TextStyle label_style(const Canvas *canvas, int cell) {
    TextStyle style = captions_small_style(canvas);
    double fits = floor(cell / canvas->scale / LABEL_PITCH * 2) / 2;
    style.size = fmin(style.size, fmax(LABEL_LEAST, fits));
    return style;
}

static void draw_row_labels(Canvas *canvas, const Plan *plan, const HeatmapPlan *map,
                            const Table *table) {
    TextStyle style = label_style(canvas, map->cell_h);
    int gap = canvas_px(canvas, LABEL_GAP);
    for (int i = 0; i < map->shown_rows; i++) {
        Rect cell = heatmap_cell(map, map->first_row + i, map->first_column);
        style.color =
            map->first_row + i == plan->style.row ? canvas->theme->acc : canvas->theme->dim;
        font_draw_in(canvas, style,
                     (Rect){map->matrix.x - plan->labels_w, cell.y, plan->labels_w - gap, cell.h},
                     TEXT_RIGHT, table->rows.labels[map->first_row + i].text);
    }
}

static void draw_column_labels(Canvas *canvas, const Plan *plan, const HeatmapPlan *map,
                               const Table *table) {
    TextStyle style = label_style(canvas, map->cell_w);
    int bottom = map->matrix.y - canvas_px(canvas, 4), height = font_height(canvas, style);
    for (int j = 0; j < map->shown_columns; j++) {
        Rect cell = heatmap_cell(map, map->first_row, map->first_column + j);
        const char *text = table->columns.labels[map->first_column + j].text;
        text = font_shorten(canvas, style, text, plan->labels_h - canvas_px(canvas, LABEL_GAP));
        style.color =
            map->first_column + j == plan->style.column ? canvas->theme->acc : canvas->theme->dim;
        font_draw_up(canvas, style, cell.x + (cell.w - height) / 2, bottom, text);
    }
}

/* A bar that lies under the map's words, between the two ends of its scale. */
static void draw_own_scale(Canvas *canvas, const HeatmapPlan *map, Rect line) {
    const Color *colors = palette_table(map->palette);
    TextStyle mono = {FONT_MONO, FONT_SMALL, canvas->theme->dim};
    int gap = canvas_px(canvas, 4), width = canvas_px(canvas, OWN_BAR);
    const char *low =
        arena_printf(canvas->arena, "%s%.2g", map->low < 0 ? "−" : "", fabs((double)map->low));
    const char *high = arena_printf(canvas->arena, "%.2g", (double)map->high);
    int x = line.x + font_draw(canvas, mono, line.x, line.y, low) + gap;
    for (int i = 0; i < width; i++)
        canvas_fill(canvas, (Rect){x + i, line.y + gap, 1, line.h - 2 * gap},
                    colors[i * (PALETTE_STEPS - 1) / width]);
    font_draw(canvas, mono, x + width + gap, line.y, high);
}

static void draw_words(Canvas *canvas, const Plan *plan, const HeatmapPlan *plan_of_map,
                       const GridOfMaps *grid, int at) {
    const GridMap *map = &grid->maps[at];
    Rect place = place_of(plan, at);
    int line = canvas_px(canvas, LINE);
    bool chosen = at == grid->chosen && grid->count > 1;
    TextStyle title = {FONT_BOLD, FONT_SMALL, chosen ? canvas->theme->acc : canvas->theme->ink};
    int above = at < plan->columns ? plan->title + plan->labels_h : plan->title;
    Rect text = {place.x, place.y - above, plan->across - canvas_px(canvas, BETWEEN), line};
    font_draw_in(canvas, title, text, TEXT_LEFT, map->title);
    text.w = plan->across - canvas_px(canvas, LABEL_GAP);
    text.y = plan_of_map->matrix.y + plan_of_map->matrix.h + canvas_px(canvas, 2);
    if (plan->beside) {
        int right = plan_of_map->matrix.x + plan_of_map->matrix.w + canvas_px(canvas, LABEL_GAP);
        text = (Rect){right, plan_of_map->matrix.y, plan->beside, line};
    }
    const char *one = plan->one_line ? joined_lines(canvas->arena, map) : NULL;
    int count = plan->one_line ? 1 : plan->joined ? GRID_LINES : 0;
    for (int i = 0; i < count; i++, text.y += line) {
        const char *words = one ? one : map->lines[i];
        if (words) font_draw_in(canvas, captions_small_style(canvas), text, TEXT_LEFT, words);
    }
    if (!plan->shared) draw_own_scale(canvas, plan_of_map, text);
}

static void draw_map(Canvas *canvas, const Plan *plan, const GridOfMaps *grid, int at) {
    const Table *table = grid->maps[at].table;
    HeatmapPlan map = map_plan(canvas, plan, grid, at);
    heatmap_draw_bare(canvas, &map, table, &plan->style);
    draw_words(canvas, plan, &map, grid, at);
    if (plan->labels_w && at % plan->columns == 0) draw_row_labels(canvas, plan, &map, table);
    if (plan->labels_h && at < plan->columns) draw_column_labels(canvas, plan, &map, table);
}

/* The names of the axes, in the corner between the labels of rows and columns. */
static void draw_corner(Canvas *canvas, const Plan *plan, const GridOfMaps *grid) {
    const Table *table = grid->maps[0].table;
    Rect matrix = map_plan(canvas, plan, grid, 0).matrix;
    int line = canvas_px(canvas, LINE), gap = canvas_px(canvas, LABEL_GAP);
    Rect text = {matrix.x - plan->labels_w, matrix.y - 2 * line - canvas_px(canvas, 2),
                 plan->labels_w - gap, line};
    if (plan->labels_h < 2 * line) return;
    font_draw_in(canvas, captions_small_style(canvas), text, TEXT_RIGHT,
                 arena_printf(canvas->arena, "%s →", table->columns.name));
    text.y += line;
    font_draw_in(canvas, captions_small_style(canvas), text, TEXT_RIGHT,
                 arena_printf(canvas->arena, "%s ↓", table->rows.name));
}

static void draw_bar(Canvas *canvas, const Plan *plan, const GridOfMaps *grid) {
    HeatmapPlan first = map_plan(canvas, plan, grid, 0);
    Rect last = place_of(plan, smaller(plan->columns, grid->count) - 1);
    int width = smaller(width_taken(canvas, plan, first.matrix.w), plan->map_w + plan->beside);
    int height = first.matrix.h, least = canvas_px(canvas, BAR_LEAST);
    if (height < least) height = smaller(least, (plan->rows - 1) * plan->down + first.matrix.h);
    Rect bar = {last.x + width + canvas_px(canvas, BAR_GAP), first.matrix.y, canvas_px(canvas, BAR),
                height};
    heatmap_draw_bar(canvas, &first, bar, grid->maps[0].table);
}

void grid_of_maps_draw(Canvas *canvas, Rect rect, const GridOfMaps *grid) {
    Canvas inside = canvas_clipped(canvas, rect);
    Plan plan = plan_grid(&inside, rect, grid);
    captions_title(&inside, plan.caption, grid->caption, true);
    if (plan.split.h) split_draw(&inside, plan.split, grid->split);
    for (int i = 0; i < grid->count; i++) draw_map(&inside, &plan, grid, i);
    draw_corner(&inside, &plan, grid);
    if (plan.shared) draw_bar(&inside, &plan, grid);
    if (plan.legend.h) legend(&inside, &plan, grid, true);
    captions_facts(&inside, plan.facts, plan.facts_text, true);
    captions_notes(&inside, plan.notes, grid->notes, 0, true);
}

void grid_of_maps_natural(Canvas *canvas, const GridOfMaps *grid, int *width, int *height) {
    const Table *table = grid->maps[0].table;
    int columns = grid->columns, margin = 2 * canvas_px(canvas, MARGIN);
    while (!grid->columns && columns * columns < grid->count) columns++;
    int rows = (grid->count + columns - 1) / columns;
    int narrowest = canvas_px(canvas, NATURAL_WIDTH), most = canvas_px(canvas, NATURAL_MOST);
    int map = smaller(canvas_px(canvas, NATURAL_MAP), most / (columns > rows ? columns : rows));
    *width = margin + columns * (map + canvas_px(canvas, BETWEEN)) +
             longest_label(canvas, &table->rows) + canvas_px(canvas, BAR_GAP + BAR + BAR_TEXTS);
    *height = margin + rows * (map + canvas_px(canvas, BETWEEN + (GRID_LINES + 2) * LINE)) +
              longest_label(canvas, &table->columns) + canvas_px(canvas, NATURAL_WORDS);
    if (*width < narrowest) *width = narrowest;
    *width = smaller(*width, most);
    *height = smaller(*height, most);
}

int grid_of_maps_find(Canvas *canvas, Rect rect, const GridOfMaps *grid, int x, int y, Cell *cell) {
    Plan plan = plan_grid(canvas, rect, grid);
    for (int i = 0; i < grid->count; i++) {
        if (!rect_contains(place_of(&plan, i), x, y)) continue;
        HeatmapPlan map = map_plan(canvas, &plan, grid, i);
        if (heatmap_locate(&map, grid->maps[i].table, &plan.style, x, y, &cell->row, &cell->column))
            return i; /* places overlap where maps have moved together */
    }
    return -1;
}

bool grid_of_maps_locate(Canvas *canvas, Rect rect, const GridOfMaps *grid, int x, int y,
                         Cell *cell) {
    return grid_of_maps_find(canvas, rect, grid, x, y, cell) >= 0;
}

const char *grid_of_maps_geometry(Canvas *canvas, Rect rect, const GridOfMaps *grid, Arena *arena) {
    Plan plan = plan_grid(canvas, rect, grid);
    HeatmapPlan map = map_plan(canvas, &plan, grid, grid->chosen);
    Text lines = text_open(arena);
    text_add(&lines, heatmap_geometry(&map, &plan.style, arena));
    for (int i = 0; i < grid->count; i++) {
        if (i == grid->chosen) continue;
        map = map_plan(canvas, &plan, grid, i);
        text_add(&lines, heatmap_beside(&map, grid->maps[i].title, arena));
    }
    return lines.bytes;
}
