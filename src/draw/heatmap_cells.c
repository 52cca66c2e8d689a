/* The cells. Each row of squares becomes one line of pixels by the colour table and is copied down
 * the canvas; no square is a rectangle of its own. Squares without a number are then covered by
 * their sign, runs of a hatch as one rectangle. */
#include "draw/heatmap_parts.h"

#include <stdlib.h>
#include <string.h>

/* Nearer, as a sum over the three channels, a frame is lost between cells of its own colour. */
enum { FRAME_APART = 150 };

enum { HATCH_WHOLE = 24 }; /* squares from this size on keep their gaps when hatched */

typedef struct Squares {
    Canvas *canvas;
    const HeatmapPlan *plan;
    const HeatmapBlock *blocks; /* one row of them */
    Color *line;                /* [matrix.w] */
    const Color *greys;         /* the palette nearly without hue; NULL until it is needed */
    int across;
} Squares;

static Rect inner_square(const Squares *s, int down, int across, int count) {
    const HeatmapPlan *plan = s->plan;
    return (Rect){plan->matrix.x + across * plan->cell_w, plan->matrix.y + down * plan->cell_h,
                  count * plan->cell_w - plan->gap, plan->cell_h - plan->gap};
}

/* For the rows of padding: what they see is of no use, but it stays readable, signs too. */
static const Color *greys(Squares *s, Arena *arena) {
    if (s->greys) return s->greys;
    const Color *colors = palette_table(s->plan->palette);
    Color *made = ARENA_ARRAY(arena, Color, PALETTE_STEPS);
    for (int i = 0; i < PALETTE_STEPS; i++)
        made[i] = color_mix(colors[i], color_grey(colors[i]), 0.8);
    return s->greys = made;
}

static void fill_line(const Squares *s, const Color *colors) {
    const HeatmapPlan *plan = s->plan;
    Color ground = s->canvas->theme->bg;
    Color *pixel = s->line;
    for (int i = 0; i < s->across; i++) {
        HeatmapBlock block = s->blocks[i];
        Color color = block.state == CELL_OK ? colors[heatmap_step(plan, block.value)] : ground;
        for (int x = 0; x < plan->cell_w - plan->gap; x++) *pixel++ = color;
        for (int x = 0; x < plan->gap; x++) *pixel++ = ground;
    }
}

/* Copies the line down to height rows from y, inside the clip. */
static void copy_line(const Squares *s, int y, int height) {
    const HeatmapPlan *plan = s->plan;
    Canvas *canvas = s->canvas;
    Rect part = rect_intersect(canvas->clip, (Rect){plan->matrix.x, y, plan->matrix.w, height});
    part = rect_intersect(part, (Rect){0, 0, canvas->width, canvas->height});
    if (part.w <= 0) return;
    for (int row = part.y; row < part.y + part.h; row++)
        memcpy(canvas->pixels + (size_t)row * (size_t)canvas->stride + part.x,
               s->line + (part.x - plan->matrix.x), (size_t)part.w * sizeof *s->line);
}

/* Small squares with one hatch meet and are hatched as one, over their gaps: stripes cut every few
 * pixels would not read as stripes. */
static bool joins(const Squares *s, CellState state) {
    bool hatched = state == CELL_BLOCKED || state == CELL_UNDEFINED;
    bool small = s->plan->cell_w < canvas_px(s->canvas, HATCH_WHOLE) ||
                 s->plan->cell_h < canvas_px(s->canvas, HATCH_WHOLE);
    return (hatched && small) || (!s->plan->gap && !*heatmap_mark_text(state));
}

static int run_of(const Squares *s, int from) {
    CellState state = s->blocks[from].state;
    int to = from + 1;
    while (to < s->across && s->blocks[to].state == state && joins(s, state)) to++;
    return to - from;
}

static void cover_states(const Squares *s, int down) {
    for (int i = 0, run = 1; i < s->across; i += run) {
        CellState state = s->blocks[i].state;
        run = 1;
        if (state == CELL_OK) continue;
        run = run_of(s, i);
        Rect rect = inner_square(s, down, i, run);
        if (joins(s, state)) rect.w += s->plan->gap, rect.h += s->plan->gap;
        heatmap_mark_state(s->canvas, rect, state, inner_square(s, down, i, 1));
    }
}

static void mark_clipped(const Squares *s, int down) {
    const HeatmapPlan *plan = s->plan;
    if (!plan->gap || (!plan->over && !plan->under)) return;
    for (int i = 0; i < s->across; i++) {
        HeatmapBlock block = s->blocks[i];
        bool over = block.value > plan->high, under = block.value < plan->low;
        if (block.state != CELL_OK || (!over && !under)) continue;
        Color ground = palette_table(plan->palette)[heatmap_step(plan, block.value)];
        heatmap_mark_clipped(s->canvas, inner_square(s, down, i, 1), over, ground);
    }
}

/* Fine cells are often all near the ground's colour; a hairline shows where the matrix ends. */
static void outline(Canvas *canvas, const HeatmapPlan *plan) {
    int line = canvas_px(canvas, canvas->theme->line_width);
    canvas_frame(canvas, rect_inset(plan->matrix, -line, -line), line, canvas->theme->line);
}

void heatmap_cells_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                        const HeatmapStyle *style) {
    if (plan->matrix.w <= 0 || plan->matrix.h <= 0) return;
    /* What draws below also takes from the arena, so all of it takes from the same copy. */
    Arena scratch = *canvas->arena;
    Canvas inside = *canvas;
    inside.arena = &scratch;
    Squares s = {.canvas = &inside, .plan = plan, .across = heatmap_squares_across(plan)};
    if (plan->gap) canvas_fill(&inside, plan->matrix, canvas->theme->bg);
    HeatmapBlock *room = ARENA_ARRAY(&scratch, HeatmapBlock, s.across);
    s.line = ARENA_ARRAY(&scratch, Color, plan->matrix.w);
    for (int down = 0; down < heatmap_squares_down(plan); down++) {
        s.blocks = heatmap_squares(&inside, plan, table, style, down, room);
        bool padding = table->rows.labels[plan->first_row + down * plan->pool_y].padding;
        fill_line(&s, padding ? greys(&s, &scratch) : palette_table(plan->palette));
        copy_line(&s, plan->matrix.y + down * plan->cell_h, plan->cell_h - plan->gap);
        cover_states(&s, down);
        mark_clipped(&s, down);
    }
    if (!plan->gap) outline(canvas, plan);
}

/* A frame around inside; where cells have a gap it lies on the gaps, else around the cells. */
static void frame_around(Canvas *canvas, const HeatmapPlan *plan, Rect inside, int thickness,
                         Color color) {
    int line = plan->gap ? plan->gap : thickness;
    Rect frame = {inside.x - line, inside.y - line, inside.w + line + (plan->gap ? 0 : line),
                  inside.h + line + (plan->gap ? 0 : line)};
    canvas_frame(canvas, frame, thickness, color);
}

static int distance(Color a, Color b) {
    int sum = 0;
    for (int shift = 0; shift <= 16; shift += 8)
        sum += abs((int)(a >> shift & 0xFF) - (int)(b >> shift & 0xFF));
    return sum;
}

/* The accent, or around a cell that is too like it the ink, where that is farther from the cell. */
static Color frame_color(const Canvas *canvas, const HeatmapPlan *plan, const Table *table, int row,
                         int column) {
    Color accent = canvas->theme->acc;
    size_t at = (size_t)row * (size_t)table->columns.count + (size_t)column;
    if (plan->pool > 1 || heatmap_state(table, at) != CELL_OK) return accent;
    Color ground = palette_table(plan->palette)[heatmap_step(plan, table->values[at])];
    Color ink = canvas->theme->ink;
    int apart = distance(accent, ground);
    return apart < FRAME_APART && apart < distance(ink, ground) ? ink : accent;
}

void heatmap_frames_draw(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                         const HeatmapStyle *style) {
    const Theme *theme = canvas->theme;
    if (style->row < 0) return;
    Rect row = heatmap_cell(plan, style->row, plan->first_column);
    if (row.w <= 0) return;
    row.w = plan->matrix.w;
    frame_around(canvas, plan, row, canvas_px(canvas, theme->line_width),
                 color_mix(theme->bg, theme->acc, 0.7));
    Rect cell = heatmap_cell(plan, style->row, style->column);
    if (style->column < 0 || cell.w <= 0) return;
    frame_around(canvas, plan, cell, canvas_px(canvas, (plan->gap ? 2 : 1) * theme->line_width),
                 frame_color(canvas, plan, table, style->row, style->column));
}
