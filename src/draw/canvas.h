/* One canvas of plain memory, 32-bit XRGB. Scenes paint into it, the window shows it, the PNG
 * stores it, tests compare it. Whoever draws gets the theme, the fonts and the scale from the
 * canvas; sizes are in pixels of this canvas, and canvas_px turns a size of the design (at scale 1)
 * into them. */
#ifndef DRAW_CANVAS_H
#define DRAW_CANVAS_H

#include "base/arena.h"
#include "draw/color.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Rect {
    int x, y, w, h;
} Rect;

typedef struct Fonts Fonts;
typedef struct HeatmapCache HeatmapCache;
typedef struct Layers Layers;

typedef struct Canvas {
    uint32_t *pixels; /* [height, stride], 0x00RRGGBB */
    int width, height;
    int stride; /* in pixels */
    Rect clip;  /* nothing outside is written */
    double scale;
    const Theme *theme;
    Fonts *fonts;
    Layers *layers;         /* pictures kept from drawing to drawing; NULL: none */
    HeatmapCache *heatmaps; /* what heatmaps keep; NULL: nothing */
    Arena *arena;           /* for what lives no longer than this drawing */
} Canvas;

/* A size at scale 1 in pixels of this canvas, rounded; a line of the design is never thinner
 * than 1. */
int canvas_px(const Canvas *canvas, double size);

/* canvas seen through a smaller clip; drop the copy to go back. */
Canvas canvas_clipped(const Canvas *canvas, Rect clip);

Rect rect_inset(Rect rect, int dx, int dy);
bool rect_contains(Rect rect, int x, int y);
Rect rect_intersect(Rect a, Rect b);

void canvas_fill(Canvas *canvas, Rect rect, Color color);
/* The four sides, thickness pixels wide, inside rect. */
void canvas_frame(Canvas *canvas, Rect rect, int thickness, Color color);
/* A filled rectangle with round corners, anti-aliased. */
void canvas_round(Canvas *canvas, Rect rect, int radius, Color color);
/* A filled disc and a straight line, anti-aliased by coverage; places and widths in pixels. */
void canvas_disc(Canvas *canvas, double x, double y, double radius, Color color);
void canvas_line(Canvas *canvas, double x0, double y0, double x1, double y1, double width,
                 Color color);
/* Diagonal stripes over rect, anchored to the canvas so that neighbours meet: what blocked and
 * undefined cells carry. rising: like '/', else like '\'. */
void canvas_hatch(Canvas *canvas, Rect rect, int spacing, int thickness, bool rising, Color color);
/* color over the pixel with coverage 0..255. */
void canvas_blend(Canvas *canvas, int x, int y, Color color, unsigned coverage);

/* color over rect with a coverage 0..255 a pixel: that of column i and row j of rect is
 * coverage[i * across + j * down], so that steps can turn or mirror it. */
void canvas_mask(Canvas *canvas, Rect rect, const uint8_t *coverage, ptrdiff_t across,
                 ptrdiff_t down, Color color);
/* The same with a picture of 0xAARRGGBB, not premultiplied. */
void canvas_picture(Canvas *canvas, Rect rect, const uint32_t *picture, ptrdiff_t across,
                    ptrdiff_t down);

#endif
