/* Where everything stands, and the order in which it is drawn. Sizes are those of the drawings at
 * 1280 x 800; below that the columns first shrink, then go, and in a very small window only figure
 * and status line are left. */
#include "app/hud.h"

#include "app/hud_parts.h"
#include "app/palette.h"

#include <string.h>

enum { RAIL_WIDTH = 176, RAIL_NARROW = 148, SIDE_WIDTH = 292, SIDE_NARROW = 252, STATUS = 28 };
enum { TITLE_TOP = 20, TITLE_LINE = 24, LESSON_LINE = 23, STEPS_LINE = 22, TEXT_LINE = 22 };

TextStyle hud_style(FontFace face, double size, Color color) {
    return (TextStyle){.face = face, .size = size, .color = color};
}

bool hud_is_empty(Rect rect) {
    return rect.w <= 0 || rect.h <= 0;
}

void hud_hairline(Canvas *canvas, Rect rect) {
    int thick = canvas_px(canvas, canvas->theme->line_width);
    canvas_fill(canvas, (Rect){rect.x, rect.y, rect.w, thick}, canvas->theme->line);
}

/* The columns' widths at scale 1 for a window so wide. */
static void columns(bool presentation, double width, double *rail, double *side) {
    bool both = !presentation && width >= 1000;
    bool full = width >= 1160;
    *rail = !both ? 0 : full ? RAIL_WIDTH : RAIL_NARROW;
    *side = presentation || width < 760 ? 0 : full ? SIDE_WIDTH : SIDE_NARROW;
}

/* The middle column from top to bottom: what does not fit goes, the figure last. */
static void stack(HudLayout *layout, const Canvas *canvas, bool has_steps, bool columns_shown) {
    double height = layout->main.h / canvas->scale;
    bool titled = height >= 380, taught = height >= 500 && columns_shown;
    int margin = canvas_px(canvas, layout->main.w / canvas->scale < 560 ? 12 : 28);
    int x = layout->main.x + margin, w = layout->main.w - 2 * margin;
    int top = canvas_px(canvas, titled ? TITLE_TOP : 8);
    int end = layout->main.h - canvas_px(canvas, titled ? 16 : 8);
    if (titled) {
        int lines = canvas_px(canvas, TITLE_LINE + (taught ? LESSON_LINE : 0));
        layout->title = (Rect){x, top, w, lines};
        top += lines + canvas_px(canvas, taught ? 16 : 8);
    }
    if (titled && has_steps) {
        layout->steps = (Rect){x, top, w, canvas_px(canvas, STEPS_LINE)};
        top += layout->steps.h + canvas_px(canvas, 8);
    }
    if (titled) {
        layout->text = (Rect){x, end - canvas_px(canvas, TEXT_LINE + 13), w,
                              canvas_px(canvas, TEXT_LINE + 13)};
        end = layout->text.y;
    }
    layout->figure = (Rect){x, top, w, end - top > 0 ? end - top : 0};
}

HudLayout hud_layout(const App *app, const Canvas *canvas) {
    HudLayout layout;
    memset(&layout, 0, sizeof layout);
    double rail, side;
    columns(app->presentation, canvas->width / canvas->scale, &rail, &side);
    int status = canvas_px(canvas, STATUS);
    int height = canvas->height - status > 0 ? canvas->height - status : 0;
    int left = rail > 0 ? canvas_px(canvas, rail) : 0;
    int right = side > 0 ? canvas_px(canvas, side) : 0;
    layout.status = (Rect){0, height, canvas->width, canvas->height - height};
    layout.rail = (Rect){0, 0, left, height};
    layout.side = (Rect){canvas->width - right, 0, right, height};
    layout.main = (Rect){left, 0, canvas->width - left - right, height};
    stack(&layout, canvas, hud_steps_knob(app) != NULL, !app->presentation);
    return layout;
}

const Knob *hud_steps_knob(const App *app) {
    const char *name = app->scene ? app->scene->steps : NULL;
    return name ? knob_find(app->scene->knobs, name, NULL) : NULL;
}

const Knob *hud_text_knob(const App *app) {
    const Knob *first = NULL;
    for (const Knob *knob = app->scene->knobs; knob->name; knob++) {
        if (knob->kind == KNOB_TEXT && !strcmp(knob->name, "text")) return knob;
        if (knob->kind == KNOB_TEXT && !first) first = knob;
    }
    return first;
}

bool hud_in_panel(const App *app, const Knob *knob) {
    return !knob->hidden && knob != hud_steps_knob(app) && knob != hud_text_knob(app);
}

int hud_panel_count(const App *app) {
    int count = 0;
    for (const Knob *knob = app->scene->knobs; knob->name; knob++)
        if (hud_in_panel(app, knob)) count++;
    return count;
}

const Knob *hud_panel_knob(const App *app, int row) {
    for (const Knob *knob = app->scene->knobs; knob->name; knob++)
        if (hud_in_panel(app, knob) && row-- == 0) return knob;
    return NULL;
}

Cell hud_cell(const App *app) {
    if (app->hud.hover.row >= 0) return app->hud.hover;
    const View *view = scene_view(app->scene, app->state);
    return (Cell){view->row, view->column};
}

static bool same_cell(App *app, Canvas *canvas, Rect figure, int x, int y, Cell cell) {
    Cell there;
    return app->scene->locate(app->state, canvas, figure, x, y, &there) && there.row == cell.row &&
           there.column == cell.column;
}

/* How many pixels further in a direction the same cell still is, by doubling and halving. */
static int reach(App *app, Canvas *canvas, Rect figure, int x, int y, int dx, int dy, Cell cell) {
    int far = 0, step = 1;
    while (step < 4096 && same_cell(app, canvas, figure, x + dx * (far + step),
                                    y + dy * (far + step), cell)) {
        far += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (same_cell(app, canvas, figure, x + dx * (far + step), y + dy * (far + step), cell))
            far += step;
    return far;
}

Rect hud_cell_rect(App *app, Canvas *canvas, Rect figure, int x, int y) {
    Cell cell;
    if (!app->scene->locate || !app->scene->locate(app->state, canvas, figure, x, y, &cell))
        return (Rect){0, 0, 0, 0};
    int left = reach(app, canvas, figure, x, y, -1, 0, cell);
    int right = reach(app, canvas, figure, x, y, 1, 0, cell);
    int up = reach(app, canvas, figure, x, y, 0, -1, cell);
    int down = reach(app, canvas, figure, x, y, 0, 1, cell);
    return (Rect){x - left, y - up, left + right + 1, up + down + 1};
}

/* The frame of the hovered cell is one pixel wide and lies inside it; below 5 pixels it would hide
 * what it marks. */
static void hover_draw(App *app, Canvas *canvas) {
    Rect mark = app->hud.hover_mark;
    if (app->hud.hover.row < 0 || mark.w < 5 || mark.h < 5) return;
    canvas_frame(canvas, mark, canvas_px(canvas, 1), canvas->theme->acc);
}

void hud_draw(App *app, Canvas *canvas) {
    HudLayout layout = hud_layout(app, canvas);
    app->figure_width = layout.figure.w;
    app->figure_height = layout.figure.h;
    hud_rail_draw(app, canvas, layout.rail);
    hud_title_draw(app, canvas, layout.title);
    hud_steps_draw(app, canvas, layout.steps);
    hud_text_draw(app, canvas, layout.text);
    hud_side_draw(app, canvas, layout.side);
    hud_status_draw(app, canvas, layout.status);
    hover_draw(app, canvas);
    Rect window = {0, 0, canvas->width, layout.status.y};
    if (app->hud.mode == HUD_HELP) help_draw(app, canvas, window);
    if (app->hud.mode == HUD_PALETTE) palette_draw(app, canvas, window);
}
