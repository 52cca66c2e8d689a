/* Caption on top, facts and notes below, each over the whole width; between them two brief figures
 * of equal size, and under each of them a plot. */
#include "scene/pair.h"

#include "draw/font.h"
#include "scene/figure.h"

enum { MARGIN = 12, GAP = 8, LINE_GAP = 2, SIDE_GAP = 24, PLOT_LOWEST = 150 };

static const double MAPS_SHARE = 0.55; /* of the height, where plots stand below them */

typedef struct Plan {
    Rect caption, facts, notes, sides[2], below[2]; /* below: no height without room */
    View view[2];
} Plan;

static TextStyle caption_style(const Canvas *canvas) {
    return (TextStyle){FONT_BOLD, FONT_BODY, canvas->theme->ink};
}

static TextStyle small_style(const Canvas *canvas) {
    return (TextStyle){FONT_UI, FONT_SMALL, canvas->theme->dim};
}

/* Draws the notes, or only measures them; returns their height. */
static int notes(Canvas *canvas, Rect rect, const Pair *pair, bool draw) {
    int top = rect.y, all = pair->both->note_count;
    int count = pair->notes && pair->notes < all ? pair->notes : all;
    for (int i = 0; i < count; i++) {
        rect.y += font_paragraph(canvas, small_style(canvas), rect, pair->both->notes[i], draw);
        rect.y += canvas_px(canvas, LINE_GAP);
    }
    return rect.y - top;
}

/* The same row in both; the chosen column is shown in both too. */
static View side_view(const Pair *pair) {
    View view = *pair->view;
    int columns = pair->sides[0]->columns.count;
    view.range = 0;
    if (view.column >= 0) view.column %= columns;
    return view;
}

/* The states of both sides: equal legends keep the maps at one height. */
static unsigned states_of(const Table *both) {
    return table_summary(both, -1).states;
}

static Figure side_figure(const Pair *pair, const View *view, int side) {
    return (Figure){.caption = pair->titles[side],
                    .facts = "",
                    .states = states_of(pair->both),
                    .table = pair->sides[side],
                    .view = view,
                    .marked = side == 1 ? pair->marked : NULL,
                    .brief = true};
}

/* Takes the lower part of both sides for what stands below them. */
static void cut_below(const Canvas *canvas, Plan *plan) {
    int gap = canvas_px(canvas, SIDE_GAP);
    for (int i = 0; i < 2; i++) {
        Rect *side = &plan->sides[i];
        int height = side->h - (int)(side->h * MAPS_SHARE);
        if (height < canvas_px(canvas, PLOT_LOWEST)) return;
        side->h -= height;
        plan->below[i] =
            (Rect){side->x + i * gap / 2, side->y + side->h, side->w - gap / 2, height};
    }
}

static Plan plan_pair(Canvas *canvas, Rect rect, const Pair *pair) {
    int margin = canvas_px(canvas, MARGIN), gap = canvas_px(canvas, GAP);
    Rect in = rect_inset(rect, margin, margin);
    Plan plan = {.caption = in, .facts = in, .notes = in};
    plan.caption.h = font_paragraph(canvas, caption_style(canvas), in, pair->caption, false);
    plan.facts.h = font_paragraph(canvas, small_style(canvas), in, pair->facts, false);
    plan.notes.h = notes(canvas, in, pair, false);
    if (plan.notes.h + plan.facts.h + plan.caption.h > in.h / 3) plan.notes.h = 0;
    plan.notes.y = in.y + in.h - plan.notes.h;
    plan.facts.y = plan.notes.y - plan.facts.h - canvas_px(canvas, LINE_GAP);
    int top = in.y + plan.caption.h + gap, width = rect.w / 2;
    for (int i = 0; i < 2; i++)
        plan.sides[i] = (Rect){rect.x + i * width, top, width, plan.facts.y - top};
    if (pair->below[0]) cut_below(canvas, &plan);
    return plan;
}

void pair_draw(Canvas *canvas, Rect rect, const Pair *pair) {
    Canvas inside = canvas_clipped(canvas, rect);
    Plan plan = plan_pair(&inside, rect, pair);
    View view = side_view(pair);
    font_paragraph(&inside, caption_style(canvas), plan.caption, pair->caption, true);
    for (int i = 0; i < 2; i++) {
        Figure figure = side_figure(pair, &view, i);
        figure_draw(&inside, plan.sides[i], &figure);
        if (plan.below[i].h) plot_figure_draw(&inside, plan.below[i], pair->below[i]);
    }
    font_paragraph(&inside, small_style(canvas), plan.facts, pair->facts, true);
    if (plan.notes.h) notes(&inside, plan.notes, pair, true);
}

void pair_natural(Canvas *canvas, const Pair *pair, int *width, int *height) {
    View view = side_view(pair);
    int w = 0, h = 0;
    for (int i = 0; i < 2; i++) {
        Figure figure = side_figure(pair, &view, i);
        int side_w = 0, side_h = 0;
        figure_natural(canvas, &figure, &side_w, &side_h);
        w = side_w > w ? side_w : w;
        h = side_h > h ? side_h : h;
    }
    *width = 2 * w;
    Rect rect = {0, 0, *width, 4 * h};
    Plan plan = plan_pair(canvas, rect, pair);
    *height = h + rect.h - plan.sides[0].h - plan.below[0].h;
    if (pair->below[0]) *height += (int)(h / MAPS_SHARE) - h;
}

bool pair_locate(Canvas *canvas, Rect rect, const Pair *pair, int x, int y, Cell *cell) {
    Plan plan = plan_pair(canvas, rect, pair);
    View view = side_view(pair);
    for (int i = 0; i < 2; i++) {
        Figure figure = side_figure(pair, &view, i);
        if (!rect_contains(plan.sides[i], x, y)) continue;
        if (!figure_locate(canvas, plan.sides[i], &figure, x, y, cell)) return false;
        cell->column += i * pair->sides[0]->columns.count;
        return true;
    }
    return false;
}

const char *pair_geometry(Canvas *canvas, Rect rect, const Pair *pair, Arena *arena) {
    Plan plan = plan_pair(canvas, rect, pair);
    View view = side_view(pair);
    Figure figure = side_figure(pair, &view, 0);
    return figure_geometry(canvas, plan.sides[0], &figure, arena);
}
