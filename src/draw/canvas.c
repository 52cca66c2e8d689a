/* Painting into plain memory. Everything is cut at canvas->clip first, so no loop below needs to
 * ask again; curved and slanted edges are blended by how much of the pixel they cover, taken from
 * the distance of its centre to the edge. */
#include "draw/canvas.h"

#include <assert.h>
#include <math.h>
#include <string.h>

int canvas_px(const Canvas *canvas, double size) {
    int pixels = (int)lround(size * canvas->scale);
    return pixels == 0 && size > 0 ? 1 : pixels;
}

static int min_int(int a, int b) {
    return a < b ? a : b;
}

static int max_int(int a, int b) {
    return a > b ? a : b;
}

Rect rect_inset(Rect rect, int dx, int dy) {
    return (Rect){rect.x + dx, rect.y + dy, max_int(rect.w - 2 * dx, 0),
                  max_int(rect.h - 2 * dy, 0)};
}

bool rect_contains(Rect rect, int x, int y) {
    return x >= rect.x && y >= rect.y && x - rect.x < rect.w && y - rect.y < rect.h;
}

Rect rect_intersect(Rect a, Rect b) {
    int x = max_int(a.x, b.x), y = max_int(a.y, b.y);
    int right = min_int(a.x + a.w, b.x + b.w), bottom = min_int(a.y + a.h, b.y + b.h);
    return (Rect){x, y, max_int(right - x, 0), max_int(bottom - y, 0)};
}

/* The part of rect that may be written. */
static Rect writable(const Canvas *canvas, Rect rect) {
    Rect all = {0, 0, canvas->width, canvas->height};
    return rect_intersect(rect, rect_intersect(canvas->clip, all));
}

static uint32_t *pixel_at(const Canvas *canvas, int x, int y) {
    return canvas->pixels + (size_t)y * (size_t)canvas->stride + x;
}

Canvas canvas_clipped(const Canvas *canvas, Rect clip) {
    Canvas copy = *canvas;
    copy.clip = rect_intersect(canvas->clip, clip);
    return copy;
}

void canvas_fill(Canvas *canvas, Rect rect, Color color) {
    Rect part = writable(canvas, rect);
    if (part.w < 1 || part.h < 1) return;
    uint32_t *first = pixel_at(canvas, part.x, part.y);
    for (int x = 0; x < part.w; x++) first[x] = color;
    for (int y = part.y + 1; y < part.y + part.h; y++)
        memcpy(pixel_at(canvas, part.x, y), first, (size_t)part.w * sizeof *first);
}

void canvas_frame(Canvas *canvas, Rect rect, int thickness, Color color) {
    int across = min_int(thickness, rect.w), down = min_int(thickness, rect.h);
    canvas_fill(canvas, (Rect){rect.x, rect.y, rect.w, down}, color);
    canvas_fill(canvas, (Rect){rect.x, rect.y + rect.h - down, rect.w, down}, color);
    canvas_fill(canvas, (Rect){rect.x, rect.y, across, rect.h}, color);
    canvas_fill(canvas, (Rect){rect.x + rect.w - across, rect.y, across, rect.h}, color);
}

/* Each channel becomes (under * (255 - coverage) + over * coverage + 127) / 255. Red and blue share
 * a word, 16 bits each, and x / 255 is (x + 1 + x / 256) / 256 for all x that can occur. */
static inline void blend_pixel(uint32_t *pixel, Color color, unsigned coverage) {
    const uint32_t two = 0xFF00FF;
    if (coverage == 255) {
        *pixel = color & 0xFFFFFF;
        return;
    }
    uint32_t under = *pixel, rest = 255 - coverage;
    uint32_t outer = (under & two) * rest + (color & two) * coverage + 0x7F007F;
    uint32_t inner = (under >> 8 & 0xFF) * rest + (color >> 8 & 0xFF) * coverage + 127;
    outer = (outer + 0x10001 + (outer >> 8 & two)) >> 8 & two;
    *pixel = outer | (inner + 1 + (inner >> 8)) >> 8 << 8;
}

void canvas_blend(Canvas *canvas, int x, int y, Color color, unsigned coverage) {
    assert(coverage <= 255);
    Rect part = writable(canvas, (Rect){x, y, 1, 1});
    if (part.w && part.h) blend_pixel(pixel_at(canvas, x, y), color, coverage);
}

/* A row of coverage that lies byte by byte; most of it is empty, which eight bytes at once show. */
static void mask_row(uint32_t *row, const uint8_t *from, int width, Color color) {
    for (int left = 0; left < width; left += 8) {
        int end = left + 8 < width ? left + 8 : width;
        uint64_t eight = 1;
        if (end == left + 8) memcpy(&eight, from + left, sizeof eight);
        if (eight == 0) continue;
        for (int x = left; x < end; x++)
            if (from[x]) blend_pixel(&row[x], color, from[x]);
    }
}

void canvas_mask(Canvas *canvas, Rect rect, const uint8_t *coverage, ptrdiff_t across,
                 ptrdiff_t down, Color color) {
    Rect part = writable(canvas, rect);
    for (int y = part.y; y < part.y + part.h; y++) {
        const uint8_t *from = coverage + (y - rect.y) * down + (part.x - rect.x) * across;
        uint32_t *row = pixel_at(canvas, part.x, y);
        if (across == 1) {
            mask_row(row, from, part.w, color);
            continue;
        }
        for (int x = 0; x < part.w; x++)
            if (from[x * across]) blend_pixel(&row[x], color, from[x * across]);
    }
}

void canvas_picture(Canvas *canvas, Rect rect, const uint32_t *picture, ptrdiff_t across,
                    ptrdiff_t down) {
    Rect part = writable(canvas, rect);
    for (int y = part.y; y < part.y + part.h; y++) {
        const uint32_t *from = picture + (y - rect.y) * down + (part.x - rect.x) * across;
        uint32_t *row = pixel_at(canvas, part.x, y);
        for (int x = 0; x < part.w; x++)
            blend_pixel(&row[x], from[x * across] & 0xFFFFFF, from[x * across] >> 24);
    }
}

/* Blends with a coverage in 0..1, which may be out of it by rounding. */
static void blend_share(uint32_t *pixel, Color color, double share) {
    if (share <= 0) return;
    blend_pixel(pixel, color, share >= 1 ? 255 : (unsigned)lround(share * 255));
}

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

/* The distance from a pixel's centre to the rectangle that the corners' centres span decides how
 * much of it is inside. */
void canvas_round(Canvas *canvas, Rect rect, int radius, Color color) {
    radius = max_int(min_int(radius, min_int(rect.w, rect.h) / 2), 0);
    double left = rect.x + radius, right = rect.x + rect.w - radius;
    double top = rect.y + radius, bottom = rect.y + rect.h - radius;
    Rect part = writable(canvas, rect);
    for (int y = part.y; y < part.y + part.h; y++) {
        double dy = y + 0.5 - clamp(y + 0.5, top, bottom);
        for (int x = part.x; x < part.x + part.w; x++) {
            double dx = x + 0.5 - clamp(x + 0.5, left, right);
            double inside = dx == 0 || dy == 0 ? 1 : radius + 0.5 - sqrt(dx * dx + dy * dy);
            blend_share(pixel_at(canvas, x, y), color, inside);
        }
    }
}

/* The smallest rectangle of whole pixels around two points with a margin. Far-away and non-finite
 * places are brought to where int still holds them. */
static Rect bounds(double x0, double y0, double x1, double y1, double margin) {
    const double far = 1 << 29;
    double left = clamp(floor(fmin(x0, x1) - margin), -far, far);
    double right = clamp(ceil(fmax(x0, x1) + margin), -far, far);
    double top = clamp(floor(fmin(y0, y1) - margin), -far, far);
    double bottom = clamp(ceil(fmax(y0, y1) + margin), -far, far);
    return (Rect){(int)left, (int)top, (int)(right - left), (int)(bottom - top)};
}

void canvas_disc(Canvas *canvas, double x, double y, double radius, Color color) {
    if (!isfinite(x) || !isfinite(y) || !(radius > 0)) return;
    Rect part = writable(canvas, bounds(x, y, x, y, radius + 1));
    for (int row = part.y; row < part.y + part.h; row++) {
        for (int column = part.x; column < part.x + part.w; column++) {
            double distance = hypot(column + 0.5 - x, row + 0.5 - y);
            blend_share(pixel_at(canvas, column, row), color, radius + 0.5 - distance);
        }
    }
}

typedef struct Segment {
    double x0, y0, dx, dy; /* start and the way to the end */
    double length_squared;
    double half; /* of the width */
} Segment;

/* How much of a pixel's width the line covers, from the distance of its centre to the segment. */
static double segment_coverage(const Segment *s, int x, int y) {
    double px = x + 0.5 - s->x0, py = y + 0.5 - s->y0;
    double along = s->length_squared > 0 ? (px * s->dx + py * s->dy) / s->length_squared : 0;
    along = clamp(along, 0, 1);
    double distance = hypot(px - along * s->dx, py - along * s->dy);
    return fmin(s->half, distance + 0.5) - fmax(-s->half, distance - 0.5);
}

/* Only the pixels of each row that the line can touch are visited: a long slanted line has a large
 * rectangle around it and few pixels. */
void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, double width,
                 Color color) {
    if (!isfinite(x0) || !isfinite(y0) || !isfinite(x1) || !isfinite(y1) || !(width > 0)) return;
    Segment s = {x0, y0, x1 - x0, y1 - y0, 0, width / 2};
    s.length_squared = s.dx * s.dx + s.dy * s.dy;
    double reach = s.half + 1;
    Rect part = writable(canvas, bounds(x0, y0, x1, y1, reach));
    double slope = s.dy != 0 ? s.dx / s.dy : 0;
    double spread = s.dy != 0 ? reach * sqrt(1 + slope * slope) + fabs(slope) : INFINITY;
    for (int y = part.y; y < part.y + part.h; y++) {
        double middle = x0 + (y + 0.5 - y0) * slope;
        int from = (int)clamp(floor(middle - spread), part.x, part.x + part.w);
        int to = (int)clamp(ceil(middle + spread), part.x, part.x + part.w);
        for (int x = from; x < to; x++)
            blend_share(pixel_at(canvas, x, y), color, segment_coverage(&s, x, y));
    }
}

static int modulo(int value, int period) {
    int rest = value % period;
    return rest < 0 ? rest + period : rest;
}

/* Stripes repeat along a row, so the coverage is a function of x + y (or x - y) modulo spacing;
 * the distance across the stripe is shorter than along the row by the root of two. */
void canvas_hatch(Canvas *canvas, Rect rect, int spacing, int thickness, bool rising, Color color) {
    assert(spacing > 0 && thickness > 0);
    Rect part = writable(canvas, rect);
    for (int y = part.y; y < part.y + part.h; y++) {
        for (int x = part.x; x < part.x + part.w; x++) {
            int phase = modulo(rising ? x + y : x - y, spacing);
            double distance = min_int(phase, spacing - phase) * 0.70710678118654752;
            blend_share(pixel_at(canvas, x, y), color, thickness / 2.0 + 0.5 - distance);
        }
    }
}
