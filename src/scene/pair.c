/* Caption on top, facts and notes below, each over the whole width; between them two maps of equal
 * size, each under its own title, and one colour bar on the right for both; under each map a plot,
 * where there is one and room for it. */
#include "scene/pair.h"

#include "scene/captions.h"
#include "scene/figure.h"

enum { MARGIN = 12, GAP = 8, TITLE_GAP = 6, BETWEEN = 16, EDGE = 8, BAR_GAP = 16, BAR = 10 };
enum { BAR_TEXTS = 44, BAR_LEAST = 64, PLOT_LOWEST = 150 };

static const double MAPS_SHARE = 0.55; /* of the height, where plots stand below them */

typedef struct Plan {
    Rect caption, facts, notes, sides[2], below[2]; /* below: no height without room */
    HeatmapStyle style[2];
    HeatmapPlan map[2];
} Plan;

/* The same row in both; the chosen column is shown in both too. Equal legends keep the maps at one
 * height. */
static HeatmapStyle style_of(const Pair *pair, int side) {
    const Table *table = pair->sides[side];
    View view = *pair->view;
    view.range = 0;
    if (view.column >= 0) view.column %= pair->sides[0]->columns.count;
    HeatmapStyle style = figure_style(&view, table);
    style.states = table_summary(pair->both, -1).states;
    style.bar_apart = true;
    return style;
}

static int title_height(Canvas *canvas) {
    return font_height(canvas, captions_title_style(canvas)) + canvas_px(canvas, TITLE_GAP);
}

static int bar_width(Canvas *canvas) {
    return canvas_px(canvas, BAR_GAP + BAR + BAR_TEXTS);
}

/* Takes the lower part of both sides for what stands below them. */
static void cut_below(const Canvas *canvas, Plan *plan) {
    for (int i = 0; i < 2; i++) {
        Rect *side = &plan->sides[i];
        int height = side->h - (int)(side->h * MAPS_SHARE);
        if (height < canvas_px(canvas, PLOT_LOWEST)) return;
        side->h -= height;
        plan->below[i] = (Rect){side->x, side->y + side->h, side->w, height};
    }
}

static Plan plan_words(Canvas *canvas, Rect rect, const Pair *pair) {
    int margin = canvas_px(canvas, MARGIN);
    Rect in = rect_inset(rect, margin, margin);
    Plan plan = {.caption = in, .facts = in, .notes = in};
    plan.caption.h = captions_title(canvas, in, pair->caption, false);
    plan.facts.h = captions_facts(canvas, in, pair->facts, false);
    plan.notes.h = captions_notes(canvas, in, pair->both, pair->notes, false);
    if (plan.notes.h + plan.facts.h + plan.caption.h > in.h / 3) plan.notes.h = 0;
    plan.notes.y = in.y + in.h - plan.notes.h;
    plan.facts.y = plan.notes.y - plan.facts.h;
    int gap = canvas_px(canvas, GAP), between = canvas_px(canvas, BETWEEN);
    int top = in.y + plan.caption.h + gap + title_height(canvas);
    int width = (in.w - bar_width(canvas) - between) / 2;
    for (int i = 0; i < 2; i++)
        plan.sides[i] = (Rect){in.x + i * (width + between), top, width, plan.facts.y - gap - top};
    if (pair->below[0]) cut_below(canvas, &plan);
    return plan;
}

static void plan_maps(Canvas *canvas, Plan *plan, const Pair *pair) {
    for (int i = 0; i < 2; i++) {
        plan->style[i] = style_of(pair, i);
        plan->map[i] = heatmap_plan(canvas, plan->sides[i], pair->sides[i], &plan->style[i]);
    }
}

/* Maps that leave room at their sides move together, and both to the middle. */
static Plan plan_pair(Canvas *canvas, Rect rect, const Pair *pair) {
    Plan plan = plan_words(canvas, rect, pair);
    plan_maps(canvas, &plan, pair);
    int width = 0, most = plan.sides[0].w, edges = 2 * canvas_px(canvas, EDGE);
    for (int i = 0; i < 2; i++) {
        int used = plan.map[i].content.w + edges;
        if (used > width) width = used;
    }
    if (width >= most) return plan;
    int between = canvas_px(canvas, BETWEEN);
    int left = plan.sides[0].x + most - width;
    for (int i = 0; i < 2; i++) {
        plan.sides[i].x = left + i * (width + between);
        plan.sides[i].w = width;
    }
    plan_maps(canvas, &plan, pair);
    return plan;
}

/* What the legend says holds for both: it stands once, under the right one. */
static void draw_side(Canvas *canvas, const Plan *plan, const Pair *pair, int side) {
    HeatmapPlan shown = plan->map[side], *map = &shown;
    if (side == 0) map->legend.h = 0;
    TextStyle style = captions_title_style(canvas);
    int h = font_height(canvas, style);
    int end = side ? canvas->clip.x + canvas->clip.w
                   : plan->map[1].content.x - canvas_px(canvas, BETWEEN);
    int x = map->matrix.x;
    if (font_width(canvas, style, pair->titles[side]) > end - x) x = map->content.x;
    Rect title = {x, map->content.y - canvas_px(canvas, TITLE_GAP) - h, end - x, h};
    font_draw_in(canvas, style, title, TEXT_LEFT, pair->titles[side]);
    heatmap_draw(canvas, map, pair->sides[side], &plan->style[side]);
    if (side == 1) figure_marks(canvas, map, pair->sides[side], pair->marked);
}

static void draw_bar(Canvas *canvas, const Plan *plan, const Pair *pair) {
    const HeatmapPlan *map = &plan->map[1];
    int least = canvas_px(canvas, BAR_LEAST), height = map->matrix.h - map->gap;
    Rect bar = {map->matrix.x + map->matrix.w - map->gap + canvas_px(canvas, BAR_GAP),
                map->matrix.y, canvas_px(canvas, BAR), height < least ? least : height};
    heatmap_draw_bar(canvas, map, bar, pair->sides[1]);
}

void pair_draw(Canvas *canvas, Rect rect, const Pair *pair) {
    Canvas inside = canvas_clipped(canvas, rect);
    Plan plan = plan_pair(&inside, rect, pair);
    captions_title(&inside, plan.caption, pair->caption, true);
    for (int i = 0; i < 2; i++) {
        draw_side(&inside, &plan, pair, i);
        if (plan.below[i].h) plot_figure_draw(&inside, plan.below[i], pair->below[i]);
    }
    draw_bar(&inside, &plan, pair);
    captions_facts(&inside, plan.facts, pair->facts, true);
    if (plan.notes.h) captions_notes(&inside, plan.notes, pair->both, pair->notes, true);
}

void pair_natural(Canvas *canvas, const Pair *pair, int *width, int *height) {
    int w = 0, h = 0;
    for (int i = 0; i < 2; i++) {
        HeatmapStyle style = style_of(pair, i);
        int side_w = 0, side_h = 0;
        heatmap_natural(canvas, pair->sides[i], &style, &side_w, &side_h);
        w = side_w > w ? side_w : w;
        h = side_h > h ? side_h : h;
    }
    *width = 2 * (w + canvas_px(canvas, MARGIN)) + canvas_px(canvas, BETWEEN) + bar_width(canvas);
    Rect rect = {0, 0, *width, 4 * h};
    Plan plan = plan_words(canvas, rect, pair);
    *height = h + rect.h - plan.sides[0].h - plan.below[0].h;
    if (pair->below[0]) *height += (int)(h / MAPS_SHARE) - h;
}

bool pair_locate(Canvas *canvas, Rect rect, const Pair *pair, int x, int y, Cell *cell) {
    Plan plan = plan_pair(canvas, rect, pair);
    for (int i = 0; i < 2; i++) {
        if (!heatmap_locate(&plan.map[i], pair->sides[i], &plan.style[i], x, y, &cell->row,
                            &cell->column))
            continue;
        cell->column += i * pair->sides[0]->columns.count;
        return true;
    }
    return false;
}

const char *pair_geometry(Canvas *canvas, Rect rect, const Pair *pair, Arena *arena) {
    Plan plan = plan_pair(canvas, rect, pair);
    return arena_printf(arena, "%s%s", heatmap_geometry(&plan.map[0], &plan.style[0], arena),
                        heatmap_beside(&plan.map[1], pair->titles[1], arena));
}
