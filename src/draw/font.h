/* Text by SDL2_ttf, the only file that knows it. Two faces are shipped (Inter, DejaVu Sans Mono);
 * other scripts come from installed fonts through fontconfig, and a character that no font has is
 * written as U+6CE8, never as a blank or a box. */
#ifndef DRAW_FONT_H
#define DRAW_FONT_H

#include "base/err.h"
#include "draw/canvas.h"

typedef enum FontFace { FONT_UI, FONT_BOLD, FONT_MONO, FONT_MONO_BOLD, FONT_FACE_COUNT } FontFace;

/* Sizes of the design in points at scale 1 (1 point = 1 pixel there). */
enum { FONT_SMALL = 11, FONT_NUMBER = 12, FONT_BODY = 13, FONT_TEXT = 15, FONT_TITLE = 20 };

typedef struct TextStyle {
    FontFace face;
    double size; /* at scale 1 */
    Color color;
} TextStyle;

/* Opens the shipped faces in FOLDER/fonts. Errors: a file is missing or damaged (which, and what to
 * do). */
bool fonts_open(const char *assets, Fonts **fonts, Err *err);
void fonts_close(Fonts *fonts);

/* Width of text and height of its line at the canvas's scale. "" is 0 wide. Descenders may reach
 * one pixel below the line. */
int font_width(Canvas *canvas, TextStyle style, const char *text);
int font_height(Canvas *canvas, TextStyle style);

/* Draws one line with its left end at x and the top of the line at y; returns its width. Blended by
 * coverage. Invalid UTF-8 becomes U+FFFD, control characters U+0007. Hebrew and Arabic runs are
 * shaped right to left; the order of tokens is the caller's. */
int font_draw(Canvas *canvas, TextStyle style, int x, int y, const char *text);

typedef enum TextAlign { TEXT_LEFT, TEXT_CENTER, TEXT_RIGHT } TextAlign;
/* The same inside rect, centred vertically; shortened in the middle with an ellipsis when it is too
 * long. Returns the width drawn. */
int font_draw_in(Canvas *canvas, TextStyle style, Rect rect, TextAlign align, const char *text);

/* Turned by 90 degrees to read from bottom to top; (x, y) is where the text starts, the bottom
 * left. An exact transpose of font_draw. */
int font_draw_up(Canvas *canvas, TextStyle style, int x, int y, const char *text);

/* text shortened in the middle with "…" so that it is at most width wide, in the canvas's arena;
 * text itself if it fits. */
const char *font_shorten(Canvas *canvas, TextStyle style, const char *text, int width);

/* The byte offset of the character boundary nearest to x pixels from the text's start (for a click
 * into a text line). */
int font_offset_at(Canvas *canvas, TextStyle style, const char *text, int x);

/* Breaks text at spaces into lines at most width wide; draws them from y down when draw is true;
 * returns the height. */
int font_paragraph(Canvas *canvas, TextStyle style, Rect rect, const char *text, bool draw);

/* Characters that had no glyph since fonts_open, as "U+1D538 U+1F642"; "" when there were none. */
const char *fonts_missing(Fonts *fonts);

/* Library versions for the record beside reference pictures: "SDL_ttf 2.20.1, FreeType 2.12.1,
 * HarfBuzz 6.0.0". */
const char *fonts_versions(Fonts *fonts);

#endif
