/* Rendered pieces of text and the memory they are kept in: 8-bit coverage, blended in any colour.
 * There are two generations; when the young one is full, the old one is freed and the young one
 * grows old. */
#ifndef DRAW_FONT_PIECE_H
#define DRAW_FONT_PIECE_H

#include "draw/canvas.h"

#include <stddef.h>
#include <stdint.h>

enum { PIECE_MAX = 256 }; /* bytes of text that are rendered together */

/* A piece of text in one face and size. */
typedef struct Piece {
    struct Piece *next;
    uint64_t hash;
    int face, pixels;
    int width;
    int rise;          /* rows above the top of the line */
    int height;        /* of the pictures, from rise above the line on */
    uint8_t *coverage; /* [height, width], NULL until it is drawn */
    uint32_t *colors;  /* the same of 0xAARRGGBB, of glyphs with colours of their own; else NULL */
    size_t length;
    char text[]; /* with a NUL behind it */
} Piece;

typedef struct PieceCache PieceCache;

PieceCache *piece_cache_open(void); /* NULL when there is no memory */
void piece_cache_close(PieceCache *cache);

/* The piece of that text; a new one (is_new) still has to be measured. It lives until two calls
 * later at least. NULL when there is no memory. */
Piece *piece_find(PieceCache *cache, int face, int pixels, const char *text, size_t length,
                  bool *is_new);

/* Gives a measured piece its coverage of zeros; false when there is no memory. */
bool piece_make_room(PieceCache *cache, Piece *piece);

/* Pixels of 0xAARRGGBB, not premultiplied. */
typedef struct Picture {
    const uint32_t *pixels; /* [height, stride] */
    int width, height, stride;
} Picture;

/* Puts a picture into a piece at place (from its left, and from rise above the line), shrunk or
 * grown to it by the mean of blocks. Pictures with colours go to piece->colors. */
void piece_put(PieceCache *cache, Piece *piece, const Picture *picture, Rect place);

/* Draws with the left end at x and the top of the line at y, or turned with the bottom left there.
 */
void piece_draw(Canvas *canvas, const Piece *piece, int x, int y, Color color);
void piece_draw_up(Canvas *canvas, const Piece *piece, int x, int y, Color color);

#endif
