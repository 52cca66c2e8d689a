/* Three brief figures; the words that they share are written once. */
#include "scene/compared.h"

#include "draw/font.h"
#include "scene/figure.h"

/* Sizes of the design at scale 1. */
enum { MARGIN = 12, GAP = 4, LINE_GAP = 2, NARROWEST = 330, LOWEST_NOTES = 40 };
enum { MAPS = 3 };

typedef struct Plan {
    Rect caption, words, maps[MAPS];
} Plan;

static TextStyle caption_style(const Canvas *canvas) {
    return (TextStyle){FONT_BOLD, FONT_BODY, canvas->theme->ink};
}

static TextStyle small_style(const Canvas *canvas) {
    return (TextStyle){FONT_UI, FONT_SMALL, canvas->theme->dim};
}

static const Table *map(const Compared *three, int index) {
    return index < 2 ? three->sides[index] : three->apart;
}

static Figure figure(const Compared *three, int index) {
    const Table *table = map(three, index);
    return (Figure){.caption = table->title, .table = table, .view = three->view, .brief = true};
}

/* Draws facts and notes of the left map, then of the others, or only measures them. */
static int words(Canvas *canvas, Rect rect, const Compared *three, bool draw) {
    int top = rect.y, gap = canvas_px(canvas, LINE_GAP);
    TextStyle style = small_style(canvas);
    rect.y += font_paragraph(canvas, style, rect, three->facts, draw) + gap;
    for (int i = 0; i < MAPS; i++)
        for (int n = 0; n < map(three, i)->note_count; n++)
            rect.y += font_paragraph(canvas, style, rect, map(three, i)->notes[n], draw) + gap;
    return rect.y - top;
}

/* In a row, with the words below. */
static void plan_row(Canvas *canvas, Rect in, Rect rect, const Compared *three, Plan *plan) {
    plan->words.h = words(canvas, in, three, false);
    plan->words.y = in.y + in.h - plan->words.h;
    int width = rect.w / MAPS, height = plan->words.y - in.y;
    for (int i = 0; i < MAPS; i++) plan->maps[i] = (Rect){rect.x + i * width, in.y, width, height};
}

/* Two above, the difference and the words below. */
static void plan_square(const Canvas *canvas, Rect in, Rect rect, Plan *plan) {
    int width = rect.w / 2, height = (rect.y + rect.h - in.y) / 2,
        margin = canvas_px(canvas, MARGIN);
    for (int i = 0; i < MAPS; i++)
        plan->maps[i] = (Rect){rect.x + i % 2 * width, in.y + i / 2 * height, width, height};
    plan->words =
        rect_inset((Rect){rect.x + width, in.y + height, width, height}, margin, 3 * margin);
}

static Plan plan_three(Canvas *canvas, Rect rect, const Compared *three) {
    int margin = canvas_px(canvas, MARGIN);
    Rect in = rect_inset(rect, margin, margin);
    Plan plan = {.caption = in, .words = in};
    plan.caption.h = font_paragraph(canvas, caption_style(canvas), in, three->caption, false);
    int used = plan.caption.h + canvas_px(canvas, GAP);
    in.y += used;
    in.h -= used;
    if (rect.w >= MAPS * canvas_px(canvas, NARROWEST))
        plan_row(canvas, in, rect, three, &plan);
    else
        plan_square(canvas, in, rect, &plan);
    return plan;
}

void compared_draw(Canvas *canvas, Rect rect, const Compared *three) {
    Canvas inside = canvas_clipped(canvas, rect);
    Plan plan = plan_three(&inside, rect, three);
    font_paragraph(&inside, caption_style(canvas), plan.caption, three->caption, true);
    for (int i = 0; i < MAPS; i++) {
        Figure one = figure(three, i);
        figure_draw(&inside, plan.maps[i], &one);
    }
    Canvas place = canvas_clipped(&inside, plan.words);
    if (plan.words.h >= canvas_px(canvas, LOWEST_NOTES) || plan.words.w == plan.caption.w)
        words(&place, plan.words, three, true);
}

void compared_natural(Canvas *canvas, const Compared *three, int *width, int *height) {
    int w = canvas_px(canvas, NARROWEST), h = 0;
    for (int i = 0; i < MAPS; i++) {
        Figure one = figure(three, i);
        int one_w, one_h;
        figure_natural(canvas, &one, &one_w, &one_h);
        w = one_w > w ? one_w : w;
        h = one_h > h ? one_h : h;
    }
    Rect rect = {0, 0, MAPS * w, 4 * h};
    Plan plan = plan_three(canvas, rect, three);
    *width = rect.w;
    *height = h + rect.h - plan.maps[0].h;
}

bool compared_locate(Canvas *canvas, Rect rect, const Compared *three, int x, int y, Cell *cell) {
    Plan plan = plan_three(canvas, rect, three);
    for (int i = 0; i < MAPS; i++) {
        Figure one = figure(three, i);
        if (rect_contains(plan.maps[i], x, y))
            return figure_locate(canvas, plan.maps[i], &one, x, y, cell);
    }
    return false;
}

const char *compared_geometry(Canvas *canvas, Rect rect, const Compared *three, Arena *arena) {
    Plan plan = plan_three(canvas, rect, three);
    Figure left = figure(three, 0);
    return figure_geometry(canvas, plan.maps[0], &left, arena);
}
