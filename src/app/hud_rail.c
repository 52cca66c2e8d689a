/* The column on the left: the scenes, by group, the first nine with their key. */
#include "app/hud_parts.h"

#include <string.h>

enum { ROW = 26, GROUP = 30, TOP = 55 };

typedef struct RailRow {
    const Scene *scene;
    int number; /* 1 to 9: its key; above: none */
    int group_y, y;
    bool first; /* of its group */
} RailRow;

/* The rows from top to bottom; returns how many. */
static int place_rows(Canvas *canvas, Rect rail, RailRow **rows) {
    int count, shown = 0;
    const Scene **scenes = scene_list(canvas->arena, &count);
    *rows = ARENA_ARRAY(canvas->arena, RailRow, count);
    double y = TOP;
    const char *group = "";
    for (int i = 0; i < count; i++) {
        if (scenes[i]->hidden) continue;
        RailRow *row = &(*rows)[shown++];
        row->scene = scenes[i];
        row->number = shown;
        row->first = strcmp(group, scenes[i]->group) != 0;
        row->group_y = rail.y + canvas_px(canvas, y);
        if (row->first) y += GROUP;
        row->y = rail.y + canvas_px(canvas, y);
        y += ROW;
        group = scenes[i]->group;
    }
    return shown;
}

static void draw_row(App *app, Canvas *canvas, Rect rail, const RailRow *row) {
    const Theme *theme = canvas->theme;
    bool on = row->scene == app->scene;
    int x = rail.x + canvas_px(canvas, 20), h = canvas_px(canvas, ROW);
    int name_x = rail.x + canvas_px(canvas, 39);
    TextStyle number = hud_style(FONT_UI, FONT_BODY, on ? theme->acc : theme->dim);
    TextStyle name = hud_style(on ? FONT_BOLD : FONT_UI, FONT_BODY, on ? theme->acc : theme->ink);
    if (row->number <= 9) {
        const char *digit = arena_printf(canvas->arena, "%d", row->number);
        Rect place = {x - canvas_px(canvas, 3), row->y, canvas_px(canvas, 12), h};
        font_draw_in(canvas, number, place, TEXT_RIGHT, digit);
    }
    Rect place = {name_x, row->y, rail.x + rail.w - name_x - canvas_px(canvas, 4), h};
    font_draw_in(canvas, name, place, TEXT_LEFT, row->scene->menu);
}

void hud_rail_draw(App *app, Canvas *canvas, Rect rail) {
    if (hud_is_empty(rail)) return;
    const Theme *theme = canvas->theme;
    Canvas inside = canvas_clipped(canvas, rail);
    int thick = canvas_px(canvas, theme->line_width);
    canvas_fill(&inside, rail, theme->panel);
    canvas_fill(&inside, (Rect){rail.x + rail.w - thick, rail.y, thick, rail.h}, theme->line);
    int x = rail.x + canvas_px(canvas, 20), w = rail.w - canvas_px(canvas, 28);
    Rect name = {x, rail.y + canvas_px(canvas, 20), w, canvas_px(canvas, 18)};
    font_draw_in(&inside, hud_style(FONT_BOLD, FONT_TEXT, theme->ink), name, TEXT_LEFT, "heed");
    RailRow *rows;
    int count = place_rows(&inside, rail, &rows);
    for (int i = 0; i < count; i++) {
        Rect group = {x, rows[i].group_y + canvas_px(canvas, 12), w, canvas_px(canvas, 14)};
        if (rows[i].first)
            font_draw_in(&inside, hud_style(FONT_UI, FONT_SMALL, theme->dim), group, TEXT_LEFT,
                         rows[i].scene->group);
        draw_row(app, &inside, rail, &rows[i]);
    }
}

const Scene *hud_rail_at(App *app, Canvas *canvas, Rect rail, int x, int y) {
    (void)app;
    if (!rect_contains(rail, x, y)) return NULL;
    RailRow *rows;
    int count = place_rows(canvas, rail, &rows);
    for (int i = 0; i < count; i++)
        if (y >= rows[i].y && y < rows[i].y + canvas_px(canvas, ROW)) return rows[i].scene;
    return NULL;
}
