/* A dial is painted pixel by pixel inside its circle's square: the shaded sector by the angle of
 * the pixel, its edges by coverage; rim, axes and hands lie over it. */
#include "draw/dial.h"

#include "draw/font.h"

#include <assert.h>
#include <math.h>

/* Sizes of the design at scale 1. */
enum { TEXT_GAP = 6, AXIS_OVER = 5, MARGIN = 10, SMALLEST_RADIUS = 6 };

static const double TIP = 4, HAND_WIDTH = 2.25, SECTOR = 0.36, PI = 3.14159265358979323846;

static TextStyle title_style(const Canvas *canvas, const Dial *dial) {
    const Theme *theme = canvas->theme;
    Color color = dial->chosen ? theme->acc : dial->faint ? theme->dim : theme->ink;
    return (TextStyle){FONT_BOLD, FONT_BODY, color};
}

static TextStyle line_style(const Canvas *canvas) {
    return (TextStyle){FONT_MONO, FONT_SMALL, canvas->theme->dim};
}

int dial_text_height(Canvas *canvas) {
    Dial plain = {.title = NULL};
    return canvas_px(canvas, TEXT_GAP) + font_height(canvas, title_style(canvas, &plain)) +
           font_height(canvas, line_style(canvas));
}

typedef struct Circle {
    double x, y, radius;
} Circle;

static int text_height(Canvas *canvas, const Dial *dial) {
    int height = 0;
    if (dial->title || dial->line) height += canvas_px(canvas, TEXT_GAP);
    if (dial->title) height += font_height(canvas, title_style(canvas, dial));
    if (dial->line) height += font_height(canvas, line_style(canvas));
    return height;
}

static Circle circle_of(Canvas *canvas, Rect rect, const Dial *dial) {
    int below = text_height(canvas, dial), margin = canvas_px(canvas, MARGIN);
    int height = rect.h - below;
    double radius = (rect.w < height ? rect.w : height) / 2.0 - margin;
    double smallest = SMALLEST_RADIUS * canvas->scale;
    if (radius < smallest) radius = smallest;
    double top = rect.y + (rect.h - below - 2 * (radius + margin)) / 2;
    return (Circle){rect.x + rect.w / 2.0, top + radius + margin, radius};
}

/* angle brought into 0 .. 2 pi, however large it is. */
static double one_turn(double angle) {
    double rest = fmod(angle, 2 * PI);
    return rest < 0 ? rest + 2 * PI : rest;
}

typedef struct Sector {
    double from, width; /* radians against the clock */
} Sector;

/* How much of a pixel at (x, y) from the middle lies in the sector: its edges are softened by how
 * far away they are, which is the angle to them times the distance from the middle. */
static double sector_share(Sector sector, double x, double y, double distance) {
    double into = one_turn(atan2(-y, x) - sector.from);
    double beyond = into - sector.width;
    double before = 2 * PI - into;
    double past = beyond < before ? beyond : before; /* > 0: outside, by the nearer edge */
    if (beyond <= 0) past = -fmin(into, -beyond);
    return fmin(fmax(0.5 - past * distance, 0), 1);
}

static void draw_sector(Canvas *canvas, Circle circle, double radius, Sector sector, Color color) {
    int left = (int)floor(circle.x - radius - 1), right = (int)ceil(circle.x + radius + 1);
    int top = (int)floor(circle.y - radius - 1), bottom = (int)ceil(circle.y + radius + 1);
    for (int y = top; y < bottom; y++)
        for (int x = left; x < right; x++) {
            double dx = x + 0.5 - circle.x, dy = y + 0.5 - circle.y, away = hypot(dx, dy);
            double inside = fmin(fmax(radius + 0.5 - away, 0), 1);
            if (inside <= 0) continue;
            double share = inside * sector_share(sector, dx, dy, away);
            if (share > 0) canvas_blend(canvas, x, y, color, (unsigned)lround(share * 255));
        }
}

/* Whole turns fill the disc; what is left over lies on it. */
static void draw_turn(Canvas *canvas, Circle circle, const Dial *dial) {
    const Theme *theme = canvas->theme;
    double size = fabs(dial->turn), rest = fmod(size, 2 * PI);
    double begin = dial->hand_count > 1 ? dial->hands[1].angle : 0;
    double radius = circle.radius * SECTOR;
    Color first = color_mix(theme->bg, theme->line2, 0.6);
    Color second = color_mix(theme->bg, theme->line2, 1);
    bool whole = size >= 2 * PI;
    if (whole) canvas_disc(canvas, circle.x, circle.y, radius, first);
    Sector sector = {one_turn(dial->turn < 0 ? begin - rest : begin), rest};
    if (rest > 0) draw_sector(canvas, circle, radius, sector, whole ? second : first);
}

static void draw_rim(Canvas *canvas, Circle circle, const Dial *dial) {
    enum { STEPS = 120 };
    const Theme *theme = canvas->theme;
    Color color = dial->chosen ? theme->ink : theme->line2;
    double width = theme->line_width * canvas->scale;
    for (int i = 0; i < STEPS; i++) {
        if (dial->faint && i % 4 >= 2) continue;
        double from = 2 * PI * i / STEPS, to = 2 * PI * (i + 1) / STEPS;
        canvas_line(canvas, circle.x + circle.radius * cos(from),
                    circle.y - circle.radius * sin(from), circle.x + circle.radius * cos(to),
                    circle.y - circle.radius * sin(to), width, color);
    }
}

static void draw_axes(Canvas *canvas, Circle circle) {
    const Theme *theme = canvas->theme;
    int over = (int)lround(circle.radius) + canvas_px(canvas, AXIS_OVER);
    int x = (int)lround(circle.x), y = (int)lround(circle.y);
    int thick = canvas_px(canvas, 1); /* thin in every theme: the hands are what is read */
    canvas_fill(canvas, (Rect){x - over, y, 2 * over + 1, thick}, theme->line);
    canvas_fill(canvas, (Rect){x, y - over, thick, 2 * over + 1}, theme->line);
}

static void draw_hand(Canvas *canvas, Circle circle, const DialHand *hand) {
    double away = circle.radius * hand->length;
    double x = circle.x + away * cos(hand->angle), y = circle.y - away * sin(hand->angle);
    double thick = HAND_WIDTH * canvas->scale * canvas->theme->line_width;
    canvas_line(canvas, circle.x, circle.y, x, y, thick, hand->color);
    canvas_disc(canvas, x, y, TIP * canvas->scale, hand->color);
    if (!hand->name) return;
    TextStyle style = {FONT_BOLD, FONT_SMALL, hand->color};
    double out = away + (TIP + 7) * canvas->scale;
    int width = font_width(canvas, style, hand->name), line = font_height(canvas, style);
    int left = (int)lround(circle.x + out * cos(hand->angle) - width / 2.0);
    int top = (int)lround(circle.y - out * sin(hand->angle) - line / 2.0);
    if (top < canvas->clip.y) { /* above a hand that points straight up its name has no room */
        top = canvas->clip.y;
        left = (int)lround(x + (TIP + 3) * canvas->scale);
    }
    font_draw(canvas, style, left, top, hand->name);
}

static void draw_texts(Canvas *canvas, Rect rect, Circle circle, const Dial *dial) {
    int y = (int)lround(circle.y + circle.radius) + canvas_px(canvas, MARGIN);
    y += canvas_px(canvas, TEXT_GAP);
    if (dial->title) {
        int line = font_height(canvas, title_style(canvas, dial));
        font_draw_in(canvas, title_style(canvas, dial), (Rect){rect.x, y, rect.w, line},
                     TEXT_CENTER, dial->title);
        y += line;
    }
    const char *line = dial->line;
    if (line && dial->brief && font_width(canvas, line_style(canvas), line) > rect.w)
        line = dial->brief;
    if (line)
        font_draw_in(canvas, line_style(canvas),
                     (Rect){rect.x, y, rect.w, font_height(canvas, line_style(canvas))},
                     TEXT_CENTER, line);
}

void dial_draw(Canvas *canvas, Rect rect, const Dial *dial) {
    assert(dial->hand_count >= 0 && dial->hand_count <= 2);
    Circle circle = circle_of(canvas, rect, dial);
    Canvas inside = canvas_clipped(canvas, rect);
    if (dial->shade) draw_turn(&inside, circle, dial);
    draw_axes(&inside, circle);
    draw_rim(&inside, circle, dial);
    for (int i = dial->hand_count - 1; i >= 0; i--) draw_hand(&inside, circle, &dial->hands[i]);
    draw_texts(&inside, rect, circle, dial);
}

/* Dials in a row; the last row may be shorter. */
static int best_across(Canvas *canvas, Rect rect, int count) {
    int best = 1, text = dial_text_height(canvas);
    double largest = -1;
    for (int across = 1; across <= count; across++) {
        int down = (count + across - 1) / across;
        double width = (double)rect.w / across, height = (double)rect.h / down - text;
        double size = fmin(width, height);
        if (size <= largest) continue;
        largest = size;
        best = across;
    }
    return best;
}

Rect dial_place(Canvas *canvas, Rect rect, int count, int index) {
    assert(index >= 0 && index < count);
    int across = best_across(canvas, rect, count), down = (count + across - 1) / across;
    int row = index / across, column = index % across;
    int left = (int)((int64_t)rect.w * column / across);
    int right = (int)((int64_t)rect.w * (column + 1) / across);
    int top = (int)((int64_t)rect.h * row / down);
    int bottom = (int)((int64_t)rect.h * (row + 1) / down);
    return (Rect){rect.x + left, rect.y + top, right - left, bottom - top};
}

int dial_locate(Canvas *canvas, Rect rect, int count, int x, int y) {
    for (int i = 0; i < count; i++)
        if (rect_contains(dial_place(canvas, rect, count, i), x, y)) return i;
    return -1;
}
