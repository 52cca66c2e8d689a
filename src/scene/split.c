/* Four boxes in a row; the second is cut into as many pieces as there are heads. Under each box
 * stands what happens there, in it the shape. */
#include "scene/split.h"

#include "draw/font.h"

enum { BOX = 20, LABEL = 15, ARROW = 22, NARROWEST = 560, WIDEST = 900, BOXES = 5 };

static const double SHARES[BOXES] = {0.17, 0.29, 0.2, 0.17, 0.17};

const char *split_words(Arena *arena, const Split *split) {
    return arena_printf(arena, "d_model %d = %d head%s × %d", split->D, split->H,
                        split->H == 1 ? "" : "s", split->K);
}

int split_height(Canvas *canvas, int width) {
    return width < canvas_px(canvas, NARROWEST) ? 0 : canvas_px(canvas, BOX + LABEL);
}

static void draw_box(Canvas *canvas, Rect box, Color ground, const char *text) {
    TextStyle style = {FONT_MONO, FONT_SMALL, color_text_on(ground)};
    canvas_fill(canvas, box, ground);
    canvas_frame(canvas, box, canvas_px(canvas, 1), canvas->theme->line2);
    if (font_width(canvas, style, text) <= box.w - 2)
        font_draw_in(canvas, style, box, TEXT_CENTER, text);
}

/* The pieces of the split: one for each head, while they are wide enough to be seen. */
static void draw_pieces(Canvas *canvas, Rect box, const Split *split, Color ground) {
    int gap = canvas_px(canvas, 2), least = canvas_px(canvas, 4);
    if (box.w / split->H < least) {
        draw_box(canvas, box, ground, arena_printf(canvas->arena, "%d × %d", split->H, split->K));
        return;
    }
    for (int h = 0; h < split->H; h++) {
        int from = box.x + box.w * h / split->H, to = box.x + box.w * (h + 1) / split->H;
        draw_box(canvas, (Rect){from, box.y, to - from - gap, box.h}, ground,
                 arena_printf(canvas->arena, "%d", split->K));
    }
}

void split_draw(Canvas *canvas, Rect rect, const Split *s) {
    Arena *arena = canvas->arena;
    const Theme *theme = canvas->theme;
    TextStyle dim = {FONT_UI, FONT_SMALL, theme->dim};
    Color plain = color_mix(theme->bg, theme->ink, 0.06);
    Color strong = color_mix(theme->bg, theme->acc, 0.16);
    const char *width = arena_printf(arena, "%d × %d", s->T, s->D);
    const char *texts[BOXES] = {width, "", arena_printf(arena, "%d × %d × %d", s->H, s->T, s->S),
                                width, width};
    const char *labels[BOXES] = {"X: tokens × d_model",
                                 arena_printf(arena, "Q, K, V split: %d × %d each", s->H, s->K),
                                 "weights: a map a head", "heads merged", "times Wo"};
    int most = canvas_px(canvas, WIDEST), arrow = canvas_px(canvas, ARROW), x = rect.x;
    int room = (rect.w < most ? rect.w : most) - (BOXES - 1) * arrow;
    for (int i = 0; i < BOXES; i++) {
        Rect box = {x, rect.y, (int)(room * SHARES[i]), canvas_px(canvas, BOX)};
        if (i == 1)
            draw_pieces(canvas, box, s, strong);
        else
            draw_box(canvas, box, i == 2 ? strong : plain, texts[i]);
        Rect label = {box.x, box.y + box.h, box.w + arrow, canvas_px(canvas, LABEL)};
        font_draw_in(canvas, dim, label, TEXT_LEFT, labels[i]);
        x += box.w + arrow;
        if (i + 1 < BOXES)
            font_draw_in(canvas, dim, (Rect){x - arrow, box.y, arrow, box.h}, TEXT_CENTER, "→");
    }
}
