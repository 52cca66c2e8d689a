/* From top to bottom: caption, heatmap, facts, notes. Text is wrapped, never cut, and the heatmap
 * gives way to it; but in a very small place the notes and then the facts are left out, and the
 * caption is shortened to one line, so that the numbers keep most of the height. */
#include "scene/figure.h"

#include "draw/font.h"
#include "draw/heatmap.h"
#include "scene/captions.h"

#include <string.h>

/* Sizes of the design at scale 1. */
enum { FIGURE_GAP = 8, FIGURE_NARROWEST = 420 };

static const double SMALL_WEIGHT = 0.2;

typedef struct FigurePlan {
    Rect caption, facts, notes; /* as high as their text */
    Rect below;                 /* what the scene draws itself */
    const char *facts_text;
    HeatmapStyle style;
    HeatmapPlan heatmap;
} FigurePlan;

/* Tokens against numbers of a vector: no diagonal, no distance, so no need for squares. */
static bool of_features(const Table *table) {
    static const char *const names[] = {"feature", "dimension", "pair"};
    const char *name = table->columns.name ? table->columns.name : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}

HeatmapStyle figure_style(const View *view, const Table *table) {
    bool chosen = view->row < table->rows.count && view->column < table->columns.count;
    HeatmapStyle style = heatmap_style();
    style.palette = view->palette;
    style.range = (HeatmapRange)view->range;
    if (style.range == RANGE_SKIP) style.skip_column = view->skip_key;
    style.values = (HeatmapValues)view->values;
    style.pool = (HeatmapPool)view->pool;
    style.zoom = view->zoom;
    style.pan_x = view->pan_x;
    style.pan_y = view->pan_y;
    style.row = chosen ? view->row : -1;
    style.column = chosen ? view->column : -1;
    style.labels_below = true;
    style.oblong = of_features(table);
    return style;
}

static HeatmapStyle style_of(const Figure *figure) {
    HeatmapStyle style = figure_style(figure->view, figure->table);
    style.states = figure->states;
    style.at_top = figure->brief;
    return style;
}

/* Draws the table's notes, or only measures them; returns their height. */
static int notes(Canvas *canvas, Rect rect, const Figure *figure, bool draw) {
    return captions_notes(canvas, rect, figure->table, figure->brief ? -1 : figure->notes, draw);
}

/* Many keys make every weight small; the reader should know that pale is not empty. */
static const char *small_weights(Arena *arena, const Table *table, const HeatmapPlan *plan) {
    float low, high;
    bool unit = table->kind == TABLE_WEIGHTS && plan->range == RANGE_UNIT;
    if (!unit || !table_range(table, -1, &low, &high) || (double)high >= SMALL_WEIGHT) return "";
    return arena_printf(arena, " (the largest weight here is %.2g)", (double)high);
}

static const char *facts_text(Canvas *canvas, const Figure *figure, const HeatmapStyle *style,
                              const HeatmapPlan *plan) {
    const char *scale = heatmap_scale_words(plan, figure->table, style, canvas->arena);
    scale = arena_printf(canvas->arena, "%s%s", scale,
                         small_weights(canvas->arena, figure->table, plan));
    if (figure->facts && !*figure->facts) return "";
    if (!figure->facts) return arena_printf(canvas->arena, "colours: %s", scale);
    return arena_printf(canvas->arena, "%s · colours: %s", figure->facts, scale);
}

/* Heights of the texts for a figure rect.w wide; their places are set from the top of rect. */
static FigurePlan measure(Canvas *canvas, Rect rect, const Figure *figure) {
    FigurePlan plan = {.style = style_of(figure)};
    /* The words for the scale come from the numbers alone: no need to lay anything out. */
    HeatmapStyle bare = plan.style;
    bare.values = VALUES_OFF;
    plan.heatmap = heatmap_plan_bare(canvas, rect, figure->table, &bare);
    plan.facts_text = facts_text(canvas, figure, &plan.style, &plan.heatmap);
    plan.caption = plan.facts = plan.notes = rect;
    plan.caption.h = captions_title(canvas, rect, figure->caption, false);
    plan.facts.h = captions_facts(canvas, rect, plan.facts_text, false);
    plan.notes.h = notes(canvas, rect, figure, false);
    return plan;
}

static FigurePlan plan_figure(Canvas *canvas, Rect rect, const Figure *figure) {
    int margin = canvas_px(canvas, FIGURE_MARGIN), gap = canvas_px(canvas, FIGURE_GAP);
    rect = rect_inset(rect, margin, margin);
    FigurePlan plan = measure(canvas, rect, figure);
    int line = font_height(canvas, captions_title_style(canvas));
    if (plan.caption.h > rect.h / 4) plan.caption.h = line;
    int below = figure->below ? figure->below + gap : 0;
    int room = (rect.h - below) / 2 - plan.caption.h - 2 * gap; /* for facts and notes */
    if (plan.facts.h + plan.notes.h > room) plan.notes.h = 0;
    if (plan.facts.h > room) plan.facts.h = 0;
    plan.notes.y = rect.y + rect.h - plan.notes.h;
    plan.facts.y = plan.notes.y - plan.facts.h;
    Rect between = rect;
    between.y += plan.caption.h + gap;
    between.h = plan.facts.y - gap - below - between.y;
    if (between.h < 1) between.h = 1;
    plan.heatmap = heatmap_plan(canvas, between, figure->table, &plan.style);
    int end = plan.heatmap.content.y + plan.heatmap.content.h + gap;
    if (figure->brief && end < plan.facts.y) plan.facts.y = end;
    plan.below = (Rect){rect.x, plan.facts.y - below, rect.w, figure->below};
    return plan;
}

static void draw_caption(Canvas *canvas, Rect rect, const char *caption) {
    TextStyle style = captions_title_style(canvas);
    if (rect.h > font_height(canvas, style))
        captions_title(canvas, rect, caption, true);
    else
        font_draw_in(canvas, style, rect, TEXT_LEFT, caption);
}

void figure_marks(Canvas *canvas, const HeatmapPlan *plan, const Table *table,
                  const uint8_t *marked) {
    int columns = table->columns.count, thick = canvas_px(canvas, 2);
    for (int i = 0; marked && i < table->rows.count; i++)
        for (int j = 0; j < columns; j++) {
            if (!marked[(size_t)i * (size_t)columns + (size_t)j]) continue;
            Rect cell = heatmap_cell(plan, i, j);
            if (cell.w > 2 * thick && cell.h > 2 * thick)
                canvas_frame(canvas, cell, thick, canvas->theme->acc);
        }
}

/* Around the part of the rows that is seen. */
static void draw_frame(Canvas *canvas, const HeatmapPlan *plan, const Figure *figure) {
    int left = plan->first_column, right = left + plan->shown_columns - 1;
    int top = figure->framed_from, end = top + figure->framed_rows;
    if (top < plan->first_row) top = plan->first_row;
    if (end > plan->first_row + plan->shown_rows) end = plan->first_row + plan->shown_rows;
    if (end <= top) return;
    Rect a = heatmap_cell(plan, top, left), b = heatmap_cell(plan, end - 1, right);
    Rect all = {a.x, a.y, b.x + b.w - a.x, b.y + b.h - a.y};
    int thick = canvas_px(canvas, 2);
    if (all.h < 6 * thick) all = rect_inset(all, -thick, -thick); /* outside, not over the cells */
    canvas_frame(canvas, all, thick, canvas->theme->acc);
}

void figure_draw(Canvas *canvas, Rect rect, const Figure *figure) {
    Canvas inside = canvas_clipped(canvas, rect);
    FigurePlan plan = plan_figure(&inside, rect, figure);
    draw_caption(&inside, plan.caption, figure->caption);
    heatmap_draw(&inside, &plan.heatmap, figure->table, &plan.style);
    figure_marks(&inside, &plan.heatmap, figure->table, figure->marked);
    draw_frame(&inside, &plan.heatmap, figure);
    if (plan.facts.h) captions_facts(&inside, plan.facts, plan.facts_text, true);
    if (plan.notes.h) notes(&inside, plan.notes, figure, true);
}

void figure_natural(Canvas *canvas, const Figure *figure, int *width, int *height) {
    int margin = canvas_px(canvas, FIGURE_MARGIN), gap = canvas_px(canvas, FIGURE_GAP);
    int narrowest = canvas_px(canvas, FIGURE_NARROWEST);
    HeatmapStyle style = style_of(figure);
    int w = 0, h = 0;
    heatmap_natural(canvas, figure->table, &style, &w, &h);
    Rect rect = {0, 0, w > narrowest ? w : narrowest, h};
    FigurePlan plan = measure(canvas, rect, figure);
    *width = rect.w + 2 * margin;
    *height = plan.caption.h + gap + h + gap + plan.facts.h + plan.notes.h + 2 * margin;
    if (figure->below) *height += figure->below + gap;
}

FigureBelow figure_below(Canvas *canvas, Rect rect, const Figure *figure) {
    FigurePlan plan = plan_figure(canvas, rect, figure);
    return (FigureBelow){plan.below, plan.heatmap, plan.style};
}

bool figure_locate(Canvas *canvas, Rect rect, const Figure *figure, int x, int y, Cell *cell) {
    FigurePlan plan = plan_figure(canvas, rect, figure);
    return heatmap_locate(&plan.heatmap, figure->table, &plan.style, x, y, &cell->row,
                          &cell->column);
}

const char *figure_geometry(Canvas *canvas, Rect rect, const Figure *figure, Arena *arena) {
    FigurePlan plan = plan_figure(canvas, rect, figure);
    return heatmap_geometry(&plan.heatmap, &plan.style, arena);
}
