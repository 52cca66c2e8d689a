/* One walk over the words gives each its line and place; measuring, drawing and pointing ask it. A
 * word is a small plate of the weight's colour with its letters in black or white, whichever reads
 * better. The legend is the colour scale lying down, behind the title. */
#include "scene/shaded.h"

#include "draw/font.h"

/* Sizes of the design at scale 1. */
enum { LINE = 29, PLATE = 25, GAP = 4, PADDING = 6, TITLE = 22, RADIUS = 3, HATCH = 6 };
enum { SCALE_WIDTH = 64, SCALE_HEIGHT = 8, MORE = 18 };

static TextStyle word_style(Color color) {
    return (TextStyle){FONT_UI, FONT_TEXT, color};
}

static TextStyle title_style(const Canvas *canvas) {
    return (TextStyle){FONT_UI, FONT_NUMBER, canvas->theme->dim};
}

typedef struct Flow {
    Canvas *canvas;
    const Label *labels;
    int width;   /* of a line */
    int at;      /* the word that place belongs to */
    int line, x; /* where the next word may begin */
    Rect place;  /* of the word, from the left end of line 0 */
} Flow;

static Flow flow_start(Canvas *canvas, const Shaded *shaded, int width) {
    return (Flow){
        .canvas = canvas, .labels = shaded->table->columns.labels, .width = width, .at = -1};
}

/* On to the next word: a line of its own begins where it does not fit behind the last one. */
static void flow_next(Flow *flow) {
    Canvas *canvas = flow->canvas;
    const char *text = flow->labels[++flow->at].text;
    int padding = canvas_px(canvas, PADDING), line = canvas_px(canvas, LINE);
    int width = font_width(canvas, word_style(0), text) + 2 * padding;
    if (width > flow->width) width = flow->width;
    if (flow->x > 0 && flow->x + width > flow->width) flow->line++, flow->x = 0;
    flow->place = (Rect){flow->x, flow->line * line, width, canvas_px(canvas, PLATE)};
    flow->x += width + canvas_px(canvas, GAP);
}

static int line_of(Canvas *canvas, const Shaded *shaded, int width, int word) {
    Flow flow = flow_start(canvas, shaded, width);
    while (flow.at < word) flow_next(&flow);
    return flow.line;
}

static int line_count(Canvas *canvas, const Shaded *shaded, int width) {
    return line_of(canvas, shaded, width, shaded->table->columns.count - 1) + 1;
}

int shaded_height(Canvas *canvas, int width, const Shaded *shaded) {
    return canvas_px(canvas, TITLE) + line_count(canvas, shaded, width) * canvas_px(canvas, LINE);
}

/* The lines that are seen. */
typedef struct Part {
    int first, count;
    bool all;
    int top; /* where the first one stands */
} Part;

static Part part_of(Canvas *canvas, Rect rect, const Shaded *shaded) {
    int line = canvas_px(canvas, LINE), top = rect.y + canvas_px(canvas, TITLE);
    int lines = line_count(canvas, shaded, rect.w), fit = (rect.y + rect.h - top) / line;
    if (fit >= lines) return (Part){0, lines, true, top};
    fit = (rect.y + rect.h - top - canvas_px(canvas, MORE)) / line; /* a remark follows */
    if (fit < 1) fit = 1;
    int first = line_of(canvas, shaded, rect.w, shaded->focus) - fit / 2;
    if (first > lines - fit) first = lines - fit;
    return (Part){first < 0 ? 0 : first, fit, false, top};
}

/* The word's place on the canvas; false when its line is not seen. */
static bool place_of(const Flow *flow, Rect rect, Part part, Rect *place) {
    if (flow->line < part.first || flow->line >= part.first + part.count) return false;
    *place = flow->place;
    place->x += rect.x;
    place->y += part.top - part.first * canvas_px(flow->canvas, LINE);
    return true;
}

/* A key that may not be seen: hatched as in the matrix, its letters on plain ground. */
static void draw_blocked(Canvas *canvas, Rect place, const char *text) {
    const Theme *theme = canvas->theme;
    int padding = canvas_px(canvas, PADDING), air = canvas_px(canvas, 2);
    canvas_fill(canvas, place, theme->bg);
    canvas_hatch(canvas, place, canvas_px(canvas, HATCH), canvas_px(canvas, 1), true, theme->hatch);
    Rect plain = rect_inset(place, padding - air, canvas_px(canvas, 3));
    canvas_fill(canvas, plain, theme->bg);
    font_draw_in(canvas, word_style(theme->dim), rect_inset(place, padding, 0), TEXT_CENTER, text);
}

static void draw_word(Canvas *canvas, Rect place, const Shaded *shaded, int word,
                      const HeatmapPlan *plan, const HeatmapStyle *style) {
    const Table *table = shaded->table;
    const char *text = table->columns.labels[word].text;
    if (table_state(table, shaded->row, word) != CELL_OK) {
        draw_blocked(canvas, place, text);
    } else {
        Color ground = heatmap_color(plan, style, table_value(table, shaded->row, word));
        canvas_fill(canvas, place, ground);
        font_draw_in(canvas, word_style(color_text_on(ground)),
                     rect_inset(place, canvas_px(canvas, PADDING), 0), TEXT_CENTER, text);
    }
    if (word == shaded->chosen)
        canvas_frame(canvas, place, canvas_px(canvas, 2), canvas->theme->acc);
}

static void draw_gradient(Canvas *canvas, Rect bar, const HeatmapPlan *plan) {
    const Color *colors = palette_table(plan->palette);
    for (int x = 0; x < bar.w; x++)
        canvas_fill(canvas, (Rect){bar.x + x, bar.y, 1, bar.h},
                    colors[x * (PALETTE_STEPS - 1) / (bar.w > 1 ? bar.w - 1 : 1)]);
    canvas_frame(canvas, bar, canvas_px(canvas, 1), canvas->theme->line2);
}

/* Title, then "0 ▭ 1" behind it. */
static void draw_title(Canvas *canvas, Rect line, const char *title, const HeatmapPlan *plan) {
    TextStyle digits = {FONT_MONO, FONT_SMALL, canvas->theme->dim};
    const char *low = arena_printf(canvas->arena, "%.2g", (double)plan->low);
    const char *high = arena_printf(canvas->arena, "%.3g", (double)plan->high);
    int gap = canvas_px(canvas, PADDING), width = canvas_px(canvas, SCALE_WIDTH);
    int before = font_width(canvas, digits, low), after = font_width(canvas, digits, high);
    Rect words = line;
    words.w -= before + width + after + 5 * gap;
    int x = words.x + font_draw_in(canvas, title_style(canvas), words, TEXT_LEFT, title) + 3 * gap;
    int top = line.y + (line.h - font_height(canvas, digits)) / 2;
    x += font_draw(canvas, digits, x, top, low) + gap;
    int height = canvas_px(canvas, SCALE_HEIGHT);
    Rect bar = {x, line.y + (line.h - height) / 2, width, height};
    draw_gradient(canvas, bar, plan);
    font_draw(canvas, digits, bar.x + bar.w + gap, top, high);
}

static void draw_more(Canvas *canvas, Rect rect, Part part, int first, int last, int count) {
    Rect line = {rect.x, part.top + part.count * canvas_px(canvas, LINE), rect.w,
                 canvas_px(canvas, MORE)};
    font_draw_in(
        canvas, title_style(canvas), line, TEXT_LEFT,
        arena_printf(canvas->arena, "words %d to %d of %d are shown", first + 1, last + 1, count));
}

void shaded_draw(Canvas *canvas, Rect rect, const Shaded *shaded, const HeatmapPlan *plan,
                 const HeatmapStyle *style) {
    Canvas inside = canvas_clipped(canvas, rect_intersect(rect, canvas->clip));
    Part part = part_of(&inside, rect, shaded);
    Rect title = {rect.x, rect.y, rect.w, canvas_px(canvas, TITLE)};
    title.h -= canvas_px(canvas, GAP);
    draw_title(&inside, title, shaded->title, plan);
    int count = shaded->table->columns.count, first = -1, last = 0;
    for (Flow flow = flow_start(&inside, shaded, rect.w); flow.at + 1 < count;) {
        Rect place;
        flow_next(&flow);
        if (!place_of(&flow, rect, part, &place)) continue;
        if (first < 0) first = flow.at;
        last = flow.at;
        draw_word(&inside, place, shaded, flow.at, plan, style);
    }
    if (!part.all) draw_more(&inside, rect, part, first, last, count);
}

int shaded_at(Canvas *canvas, Rect rect, const Shaded *shaded, int x, int y) {
    Part part = part_of(canvas, rect, shaded);
    for (Flow flow = flow_start(canvas, shaded, rect.w);
         flow.at + 1 < shaded->table->columns.count;) {
        Rect place;
        flow_next(&flow);
        if (place_of(&flow, rect, part, &place) && rect_contains(place, x, y)) return flow.at;
    }
    return -1;
}
