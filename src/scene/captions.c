/* One pen fills lines with whole items, as many as fit; only an item that is longer than a line is
 * broken at its spaces. */
#include "scene/captions.h"

#include <string.h>

enum { LINE_GAP = 2 };

static const char PART[] = " · ";

typedef struct Pen {
    Canvas *canvas;
    TextStyle style;
    Rect rect;
    const char *between; /* what parts two items of a line */
    const char *line;    /* not yet drawn; NULL: none */
    int used;            /* its width */
    int height;          /* of the lines so far */
    bool draw;
} Pen;

TextStyle captions_title_style(const Canvas *canvas) {
    return (TextStyle){FONT_BOLD, FONT_BODY, canvas->theme->ink};
}

TextStyle captions_small_style(const Canvas *canvas) {
    return (TextStyle){FONT_UI, FONT_SMALL, canvas->theme->dim};
}

static void end_line(Pen *pen) {
    if (!pen->line) return;
    Rect rest = pen->rect;
    rest.y += pen->height;
    pen->height += font_paragraph(pen->canvas, pen->style, rest, pen->line, pen->draw) +
                   canvas_px(pen->canvas, LINE_GAP);
    pen->line = NULL;
}

static void add_item(Pen *pen, const char *item) {
    int width = font_width(pen->canvas, pen->style, item);
    int wide = pen->used + font_width(pen->canvas, pen->style, pen->between) + width;
    if (pen->line && wide > pen->rect.w) end_line(pen);
    pen->used = pen->line ? wide : width;
    pen->line = pen->line
                    ? arena_printf(pen->canvas->arena, "%s%s%s", pen->line, pen->between, item)
                    : item;
}

static Pen pen_at(Canvas *canvas, Rect rect, const char *between, bool draw) {
    return (Pen){.canvas = canvas,
                 .style = captions_small_style(canvas),
                 .rect = rect,
                 .between = between,
                 .draw = draw};
}

int captions_title(Canvas *canvas, Rect rect, const char *title, bool draw) {
    return font_paragraph(canvas, captions_title_style(canvas), rect, title, draw);
}

int captions_facts(Canvas *canvas, Rect rect, const char *facts, bool draw) {
    if (!facts || !*facts) return 0;
    Pen pen = pen_at(canvas, rect, PART, draw);
    for (const char *end; (end = strstr(facts, PART)) != NULL; facts = end + strlen(PART))
        add_item(&pen, arena_bytes(canvas->arena, facts, (size_t)(end - facts)));
    add_item(&pen, facts);
    end_line(&pen);
    return pen.height;
}

int captions_notes(Canvas *canvas, Rect rect, const Table *table, int most, bool draw) {
    int count = table ? table->note_count : 0;
    if (most && most < count) count = most;
    Pen pen = pen_at(canvas, rect, "  ", draw);
    for (int i = 0; i < count; i++) add_item(&pen, table->notes[i]);
    end_line(&pen);
    return pen.height;
}
