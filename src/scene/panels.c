/* From top to bottom: caption, dials, plot, facts, notes. Only dials and plot give way when the
 * place is small. */
#include "scene/panels.h"

#include "scene/captions.h"
#include "scene/pair.h"

/* Sizes of the design at scale 1. */
enum { MARGIN = 12, GAP = 8, SIDE_GAP = 24 };
enum { DIALS_LOWEST = 72, DIALS_HIGHEST = 240, FEW_DIALS = 2, PLOT_LOWEST = 60 };
enum { SIDE_WIDTH = 300, MAIN_NARROWEST = 580, MAIN_FEW = 400, FEW_COLUMNS = 6 };
enum { PLOT_SHARE = 2, MATRIX_SHARE = 3 }; /* of the height of the column */
enum {
    NATURAL_WIDTH = 760,
    NATURAL_SIDE = 340,
    NATURAL_HEIGHT = 600,
    NATURAL_BESIDE = 740,
    NATURAL_NUMBERS = 420 /* a matrix at the side with room for numbers */
};

static const double DIALS_SHARE = 0.36, FEW_DIALS_SHARE = 0.48, SIDE_SHARE = 0.33;

typedef struct Plan {
    Rect caption, dials, plot, facts, notes;
    PlotPlan plan;
} Plan;

/* Draws the notes, or only measures them; returns their height. */
static int notes(Canvas *canvas, Rect rect, const PlotFigure *figure, bool draw) {
    return captions_notes(canvas, rect, figure->table, figure->brief ? -1 : 0, draw);
}

/* Dials get their share of the height, more when there are few of them, and none when they would be
 * too small to read. */
static int dials_height(Canvas *canvas, Rect between, const PlotFigure *figure) {
    if (figure->dial_count < 1) return 0;
    int text = dial_text_height(canvas);
    double share = figure->dial_count <= FEW_DIALS ? FEW_DIALS_SHARE : DIALS_SHARE;
    int height = (int)(between.h * share);
    int across = between.w / figure->dial_count + text;
    if (height > across) height = across;
    int highest = canvas_px(canvas, DIALS_HIGHEST) + text;
    if (height > highest) height = highest;
    return height < canvas_px(canvas, DIALS_LOWEST) + text ? 0 : height;
}

static Plan plan_figure(Canvas *canvas, Rect rect, const PlotFigure *figure) {
    int margin = canvas_px(canvas, MARGIN), gap = canvas_px(canvas, GAP);
    bool facts = figure->facts && !figure->brief;
    rect = rect_inset(rect, margin, margin);
    Plan plan = {.caption = rect, .facts = rect, .notes = rect};
    plan.caption.h = captions_title(canvas, rect, figure->caption, false);
    plan.notes.h = notes(canvas, rect, figure, false);
    plan.facts.h = facts ? captions_facts(canvas, rect, figure->facts, false) : 0;
    plan.notes.y = rect.y + rect.h - plan.notes.h;
    plan.facts.y = plan.notes.y - plan.facts.h;
    Rect between = rect;
    between.y += plan.caption.h + gap;
    between.h = plan.facts.y - gap - between.y;
    if (between.h < canvas_px(canvas, PLOT_LOWEST)) between.h = canvas_px(canvas, PLOT_LOWEST);
    plan.dials = plan.plot = between;
    plan.dials.h = dials_height(canvas, between, figure);
    int used = plan.dials.h ? plan.dials.h + gap : 0;
    plan.plot.y += used;
    plan.plot.h -= used;
    plan.plan = plot_plan(canvas, plan.plot, figure->plot);
    return plan;
}

void plot_figure_draw(Canvas *canvas, Rect rect, const PlotFigure *figure) {
    Canvas inside = canvas_clipped(canvas, rect);
    Plan plan = plan_figure(&inside, rect, figure);
    captions_title(&inside, plan.caption, figure->caption, true);
    for (int i = 0; plan.dials.h && i < figure->dial_count; i++)
        dial_draw(&inside, dial_place(&inside, plan.dials, figure->dial_count, i),
                  &figure->dials[i]);
    plot_draw(&inside, &plan.plan, figure->plot);
    if (plan.facts.h) captions_facts(&inside, plan.facts, figure->facts, true);
    notes(&inside, plan.notes, figure, true);
}

bool plot_figure_locate(Canvas *canvas, Rect rect, const PlotFigure *figure, int x, int y,
                        PlotFigureHit *found) {
    Plan plan = plan_figure(canvas, rect, figure);
    PlotFigureHit here = {.hit = {.curve = -1}, .dial = -1};
    if (plan.dials.h) here.dial = dial_locate(canvas, plan.dials, figure->dial_count, x, y);
    bool hit = here.dial >= 0 || plot_locate(canvas, &plan.plan, figure->plot, x, y, &here.hit);
    if (hit) *found = here;
    return hit;
}

bool plot_figure_dial(Canvas *canvas, Rect rect, const PlotFigure *figure, int dial, Rect *place) {
    Plan plan = plan_figure(canvas, rect, figure);
    if (!plan.dials.h) return false;
    *place = dial_place(canvas, plan.dials, figure->dial_count, dial);
    return true;
}

const char *plot_figure_geometry(Canvas *canvas, Rect rect, const PlotFigure *figure,
                                 Arena *arena) {
    Plan plan = plan_figure(canvas, rect, figure);
    return plot_geometry(&plan.plan, figure->plot, arena);
}

PlotAxis panels_zoomed(PlotAxis axis, const View *view, bool across) {
    double span = axis.high - axis.low, pan = across ? view->pan_x : view->pan_y;
    if (view->zoom <= 1 || axis.log) return axis;
    axis.low += pan * (span - span / view->zoom);
    axis.high = axis.low + span / view->zoom;
    return axis;
}

/* Cuts rect into a place for the first panel and a column for the others; returns how many of those
 * have room. A matrix of few columns needs less width than a plot. */
static int split(const Canvas *canvas, Rect rect, const Panel *panels, int count, Rect *main,
                 Rect *column) {
    int gap = canvas_px(canvas, SIDE_GAP), width = (int)(rect.w * SIDE_SHARE);
    int least = canvas_px(canvas, SIDE_WIDTH), narrowest = canvas_px(canvas, MAIN_NARROWEST);
    const Figure *matrix = &panels[0].matrix;
    if (!panels[0].curves.plot && matrix->table->columns.count <= FEW_COLUMNS) {
        narrowest = canvas_px(canvas, MAIN_FEW);
        if (width < least) width = least;
    }
    *main = rect;
    if (count < 2 || width < least || rect.w - width - gap < narrowest) return 0;
    main->w = rect.w - width - gap;
    *column = (Rect){rect.x + rect.w - width, rect.y, width, rect.h};
    return count - 1;
}

int panels_beside(const Canvas *canvas, Rect rect, const Panel *panels, int count) {
    Rect main, column;
    return split(canvas, rect, panels, count, &main, &column);
}

static int share_of(const Panel *panel) {
    return panel->curves.plot ? PLOT_SHARE : MATRIX_SHARE;
}

static void draw_panel(Canvas *canvas, Rect rect, const Panel *panel) {
    if (panel->curves.plot)
        plot_figure_draw(canvas, rect, &panel->curves);
    else
        figure_draw(canvas, rect, &panel->matrix);
}

void panels_draw(Canvas *canvas, Rect rect, const Panel *panels, int count) {
    if (panels[0].pair) {
        pair_draw(canvas, rect, panels[0].pair);
        return;
    }
    Rect main, column;
    int side = split(canvas, rect, panels, count, &main, &column);
    draw_panel(canvas, main, &panels[0]);
    int all = 0, used = 0;
    for (int i = 1; i <= side; i++) all += share_of(&panels[i]);
    for (int i = 1; i <= side; i++) {
        int top = column.h * used / all;
        used += share_of(&panels[i]);
        int bottom = column.h * used / all;
        draw_panel(canvas, (Rect){column.x, column.y + top, column.w, bottom - top}, &panels[i]);
    }
}

bool panels_locate(Canvas *canvas, Rect rect, const Panel *panels, int count, int x, int y,
                   Cell *cell) {
    Rect main, column;
    if (panels[0].pair) {
        if (!pair_locate(canvas, rect, panels[0].pair, x, y, cell)) return false;
        cell->column %= panels[0].matrix.table->columns.count;
        return true;
    }
    split(canvas, rect, panels, count, &main, &column);
    if (!panels[0].curves.plot) return figure_locate(canvas, main, &panels[0].matrix, x, y, cell);
    const PlotFigure *curves = &panels[0].curves;
    PlotFigureHit found;
    if (!plot_figure_locate(canvas, main, curves, x, y, &found)) return false;
    if (found.dial >= 0 && !curves->dial_cells) return false;
    if (found.dial >= 0) {
        *cell = curves->dial_cells[found.dial];
        return true;
    }
    int curve = found.hit.curve;
    *cell = (Cell){found.hit.point, curves->curve_columns ? curves->curve_columns[curve] : curve};
    return true;
}

const char *panels_geometry(Canvas *canvas, Rect rect, const Panel *panels, int count,
                            Arena *arena) {
    Rect main, column;
    if (panels[0].pair) return pair_geometry(canvas, rect, panels[0].pair, arena);
    split(canvas, rect, panels, count, &main, &column);
    if (panels[0].curves.plot) return plot_figure_geometry(canvas, main, &panels[0].curves, arena);
    return figure_geometry(canvas, main, &panels[0].matrix, arena);
}

void panels_size(Canvas *canvas, const Panel *panels, int count, int *width, int *height) {
    if (panels[0].pair)
        pair_natural(canvas, panels[0].pair, width, height);
    else
        panels_natural(canvas, count, width, height);
    if (panels[0].pair || panels[0].curves.plot) return;
    int across, down, least = canvas_px(canvas, NATURAL_HEIGHT);
    figure_natural(canvas, &panels[0].matrix, &across, &down);
    if (down < least) down = least;
    if (*height > down) *height = down;
}

void panels_natural(const Canvas *canvas, int count, int *width, int *height) {
    *width = canvas_px(canvas, NATURAL_WIDTH + (count > 1 ? NATURAL_SIDE + SIDE_GAP : 0));
    *height = canvas_px(canvas, count > 1 ? NATURAL_BESIDE : NATURAL_HEIGHT);
}

int panels_width(const Canvas *canvas, int first) {
    int narrowest = canvas_px(canvas, MAIN_NARROWEST), gap = canvas_px(canvas, SIDE_GAP);
    if (first < narrowest) first = narrowest;
    int width = (int)((first + gap) / (1 - SIDE_SHARE)) + 1;
    int least = (int)(canvas_px(canvas, NATURAL_NUMBERS) / SIDE_SHARE) + 1;
    return width > least ? width : least;
}
