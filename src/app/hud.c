/* Where everything stands, and the order in which it is drawn. Sizes are those of the drawings at
 * 1280 x 800; below that the columns first shrink, then go, and in a very small window only figure
 * and status line are left. */
#include "app/hud.h"

#include "app/hud_parts.h"
#include "app/palette.h"

#include <string.h>

enum { RAIL_WIDTH = 176, RAIL_NARROW = 152, SIDE_WIDTH = 292, SIDE_NARROW = 272, STATUS = 28 };
enum { TITLE_TOP = 20, TITLE_LINE = 24, LESSON_LINE = 23, STEPS_LINE = 22, TEXT_LINE = 22 };

TextStyle hud_style(FontFace face, double size, Color color) {
    return (TextStyle){.face = face, .size = size, .color = color};
}

TextStyle hud_fitting(Canvas *canvas, TextStyle style, const char *text, int width) {
    while (style.size > FONT_SMALL && font_width(canvas, style, text) > width) style.size--;
    return style;
}

bool hud_is_empty(Rect rect) {
    return rect.w <= 0 || rect.h <= 0;
}

void hud_hairline(Canvas *canvas, Rect rect) {
    int thick = canvas_px(canvas, canvas->theme->line_width);
    canvas_fill(canvas, (Rect){rect.x, rect.y, rect.w, thick}, canvas->theme->line);
}

static bool walks_knobs(const App *app) {
    return app->hud.mode == HUD_KNOBS || app->hud.mode == HUD_VALUE;
}

/* The columns' widths at scale 1 for a window so wide. Knobs are always seen while they are turned.
 */
static void columns(const App *app, double width, double *rail, double *side) {
    bool both = !app->presentation && width >= 1000;
    bool full = width >= 1160;
    bool knobs = walks_knobs(app) || (!app->presentation && width >= 760);
    *rail = !both ? 0 : full ? RAIL_WIDTH : RAIL_NARROW;
    *side = !knobs ? 0 : full ? SIDE_WIDTH : SIDE_NARROW;
    if (*side > width) *side = width;
}

/* The middle column from top to bottom: what does not fit goes, the figure last; but the text is
 * seen while it is edited. */
static void stack(const App *app, HudLayout *layout, const Canvas *canvas) {
    double height = layout->main.h / canvas->scale;
    bool titled = height >= 380, taught = height >= 500;
    bool narrow = !titled || layout->main.w / canvas->scale < 560;
    int margin = canvas_px(canvas, narrow ? 12 : 28);
    int x = layout->main.x + margin, w = layout->main.w - 2 * margin;
    bool airy = titled && !app->presentation;
    int top = canvas_px(canvas, airy ? TITLE_TOP : 8);
    int end = layout->main.h - canvas_px(canvas, airy ? 16 : 8);
    if (airy) { /* the figure says itself what it is */
        int lines = canvas_px(canvas, TITLE_LINE + (taught ? LESSON_LINE : 0));
        layout->title = (Rect){x, top, w, lines};
        top += lines + canvas_px(canvas, taught ? 16 : 8);
    }
    if (titled && hud_steps_knob(app)) {
        layout->steps = (Rect){x, top, w, canvas_px(canvas, STEPS_LINE)};
        top += layout->steps.h + canvas_px(canvas, 8);
    }
    if (titled || app->hud.mode == HUD_TEXT) {
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
    columns(app, canvas->width / canvas->scale, &rail, &side);
    int status = canvas_px(canvas, STATUS);
    int height = canvas->height - status > 0 ? canvas->height - status : 0;
    int left = rail > 0 ? canvas_px(canvas, rail) : 0;
    int right = side > 0 ? canvas_px(canvas, side) : 0;
    layout.status = (Rect){0, height, canvas->width, canvas->height - height};
    layout.rail = (Rect){0, 0, left, height};
    layout.side = (Rect){canvas->width - right, 0, right, height};
    layout.main = (Rect){left, 0, canvas->width - left - right, height};
    stack(app, &layout, canvas);
    return layout;
}

const Knob *hud_steps_knob(const App *app) {
    return app->scene ? scene_steps(app->scene) : NULL;
}

const Knob *hud_text_knob(const App *app) {
    const Knob *first = NULL;
    for (const Knob *knob = app->scene->knobs; knob->name; knob++) {
        if (knob->kind == KNOB_TEXT && !strcmp(knob->name, "text")) return knob;
        if (knob->kind == KNOB_TEXT && !first) first = knob;
    }
    return app->scene->sentence ? NULL : first; /* the sentence stands in the text's place */
}

const char *hud_knob_text(const App *app, const Knob *knob, Arena *arena) {
    const Scene *scene = app->scene;
    const char *text = scene->text ? scene->text(app->state, knob, arena) : NULL;
    return text ? text : knob_get(knob, app->state, arena);
}

static bool in_panel(const App *app, const Knob *knob) {
    return !knob->hidden && knob != hud_steps_knob(app) && knob != hud_text_knob(app);
}

/* Whether a word of the list, parted by blanks, is name. */
static bool lists(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, name, length) == 0) return true;
        at += word;
    }
    return false;
}

/* Whether a choice stands that this knob has something to do with. */
static bool needed(const App *app, const Knob *knob) {
    if (!knob->with) return true;
    for (const Knob *other = app->scene->knobs; other->name; other++)
        if (other->kind == KNOB_CHOICE &&
            lists(knob->with, other->choices[knob_choice(other, app->state)].name))
            return true;
    return false;
}

/* While nobody walks through the knobs, those of the view that stand at their start, texts and
 * files that are not given, and knobs that no choice needs, make room for the inspector; only what
 * the colours mean is always told. */
static bool folded(const App *app, const Knob *knob) {
    bool absent = (knob->kind == KNOB_TEXT || knob->kind == KNOB_FILE) && !*knob->start;
    return !walks_knobs(app) && (knob->view || absent || !needed(app, knob)) &&
           strcmp(knob->name, "range") != 0 && knob_at_start(knob, app->state);
}

int hud_panel_count(const App *app) {
    int count = 0;
    while (hud_panel_knob(app, count)) count++;
    return count;
}

bool hud_panel_folded(const App *app) {
    for (const Knob *knob = app->scene->knobs; knob->name; knob++)
        if (in_panel(app, knob) && folded(app, knob)) return true;
    return false;
}

const Knob *hud_panel_knob(const App *app, int row) {
    for (const Knob *knob = app->scene->knobs; knob->name; knob++)
        if (in_panel(app, knob) && !folded(app, knob) && row-- == 0) return knob;
    return NULL;
}

int hud_panel_row(const App *app, const Knob *knob) {
    for (int row = 0; hud_panel_knob(app, row); row++)
        if (hud_panel_knob(app, row) == knob) return row;
    return -1;
}

const Knob *hud_knob(const App *app) {
    return app->hud.knob < 0 ? NULL : app->scene->knobs + app->hud.knob;
}

void hud_take_knob(App *app, const Knob *knob) {
    app->hud.knob = knob ? (int)(knob - app->scene->knobs) : -1;
}

Cell hud_cell(const App *app) {
    if (app->hud.hover.row >= 0) return app->hud.hover;
    const View *view = scene_view(app->scene, app->state);
    return (Cell){view->row, view->column};
}

/* The scene draws through a canvas that begins at the figure, so it is asked in those places. */
static bool locate(App *app, Canvas *canvas, Rect figure, int x, int y, Cell *cell) {
    Rect own = {0, 0, figure.w, figure.h};
    return app->scene->locate && rect_contains(figure, x, y) &&
           app->scene->locate(app->state, canvas, own, x - figure.x, y - figure.y, cell);
}

typedef struct Walk {
    App *app;
    Canvas *canvas;
    Rect figure;
    int x, y;
    Cell cell;
} Walk;

static bool same_cell(const Walk *walk, int dx, int dy) {
    Cell there;
    return locate(walk->app, walk->canvas, walk->figure, walk->x + dx, walk->y + dy, &there) &&
           there.row == walk->cell.row && there.column == walk->cell.column;
}

/* How many pixels further in a direction the same cell still is, by doubling and halving. */
static int reach(const Walk *walk, int dx, int dy) {
    int far = 0, step = 1;
    while (step < 4096 && same_cell(walk, dx * (far + step), dy * (far + step))) {
        far += step;
        step *= 2;
    }
    for (; step > 0; step /= 2)
        if (same_cell(walk, dx * (far + step), dy * (far + step))) far += step;
    return far;
}

/* Below 5 pixels a frame would hide what it marks; then the ends are not looked for. */
static bool too_small(const Walk *walk) {
    return (!same_cell(walk, 2, 0) && !same_cell(walk, -2, 0)) ||
           (!same_cell(walk, 0, 2) && !same_cell(walk, 0, -2));
}

static Rect cell_rect(const Walk *walk) {
    if (too_small(walk)) return (Rect){walk->x, walk->y, 1, 1};
    int left = reach(walk, -1, 0), up = reach(walk, 0, -1);
    int width = left + reach(walk, 1, 0) + 1, height = up + reach(walk, 0, 1) + 1;
    return (Rect){walk->x - left, walk->y - up, width, height};
}

bool hud_locate(App *app, Canvas *canvas, int x, int y, Cell *cell) {
    return locate(app, canvas, hud_layout(app, canvas).figure, x, y, cell);
}

void hud_point(App *app, Canvas *canvas, bool anew) {
    Hud *hud = &app->hud;
    Walk walk = {app,     canvas, hud_layout(app, canvas).figure, hud->pointer_x, hud->pointer_y,
                 {-1, -1}};
    bool sheet = hud->mode == HUD_HELP || hud->mode == HUD_PALETTE;
    Cell cell;
    if (!sheet && locate(app, canvas, walk.figure, walk.x, walk.y, &cell)) walk.cell = cell;
    bool same = walk.cell.row == hud->hover.row && walk.cell.column == hud->hover.column;
    if (same && !anew) return;
    hud->hover_mark = walk.cell.row >= 0 ? cell_rect(&walk) : (Rect){0, 0, 0, 0};
    hud->dirty = hud->dirty || !same;
    hud->hover = walk.cell;
}

/* The pixels under the frame, so that it can be taken away again without drawing the figure. */
static void keep_under(Canvas *canvas, Rect mark, uint32_t *under) {
    for (int y = 0; y < mark.h; y++)
        memcpy(under + y * mark.w, canvas->pixels + (mark.y + y) * canvas->stride + mark.x,
               (size_t)mark.w * sizeof *under);
}

static void put_back(Canvas *canvas, Rect mark, const uint32_t *under) {
    for (int y = 0; y < mark.h; y++)
        memcpy(canvas->pixels + (mark.y + y) * canvas->stride + mark.x, under + y * mark.w,
               (size_t)mark.w * sizeof *under);
}

/* The frame of the hovered cell lies inside it. */
static void hover_draw(App *app, Canvas *canvas) {
    Hud *hud = &app->hud;
    Rect mark = rect_intersect(hud->hover_mark, (Rect){0, 0, canvas->width, canvas->height});
    if (hud->hover.row < 0 || mark.w < 5 || mark.h < 5) return;
    hud->under = ARENA_ARRAY(canvas->arena, uint32_t, mark.w * mark.h);
    hud->marked = mark;
    keep_under(canvas, mark, hud->under);
    canvas_frame(canvas, mark, canvas_px(canvas, 1), canvas->theme->acc);
}

static void draw_sheets(App *app, Canvas *canvas, HudLayout layout) {
    Rect window = {0, 0, canvas->width, layout.status.y};
    if (app->hud.mode == HUD_HELP) help_draw(app, canvas, window);
    if (app->hud.mode == HUD_PALETTE) palette_draw(app, canvas, window);
}

static void draw_around(App *app, Canvas *canvas) {
    HudLayout layout = hud_layout(app, canvas);
    hud_rail_draw(app, canvas, layout.rail);
    hud_title_draw(app, canvas, layout.title);
    hud_steps_draw(app, canvas, layout.steps);
    hud_text_draw(app, canvas, layout.text);
    hud_side_draw(app, canvas, layout.side);
    draw_sheets(app, canvas, layout);
    hud_status_draw(app, canvas, layout.status); /* last: it knows whether a sheet scrolls */
    app->hud.under = NULL;
    hover_draw(app, canvas);
    app->hud.dirty = false;
}

void hud_draw(App *app, Canvas *canvas) {
    HudLayout layout = hud_layout(app, canvas);
    app->figure_width = layout.figure.w;
    app->figure_height = layout.figure.h;
    app_draw_figure(app, canvas, layout.figure);
    draw_around(app, canvas);
}

void hud_draw_around(App *app, Canvas *canvas) {
    if (app->hud.under) put_back(canvas, app->hud.marked, app->hud.under);
    draw_around(app, canvas);
}
