/* A text as it can be shown: what has no glyph is written out, and every character knows the font
 * and the script it is drawn with. */
#ifndef DRAW_FONT_CLEAN_H
#define DRAW_FONT_CLEAN_H

#include "draw/font.h"
#include "draw/font_piece.h"
#include "draw/font_script.h"

enum {
    /* Bytes that one byte of text may become: a control character with a space before it. */
    CLEAN_GROWTH = 8,
    CLEAN_MAX = PIECE_MAX * CLEAN_GROWTH
};

typedef struct Glyph {
    int offset; /* in the clean text */
    int source; /* the font, as font.c numbers them */
    const Script *script;
    uint32_t code;
    bool written_out; /* a letter of "U+6CE8" */
} Glyph;

typedef struct Clean {
    char text[CLEAN_MAX + 1];
    int length;
    Glyph glyphs[CLEAN_MAX + 1]; /* one a character, and one for the end, of font -1 */
    int count;
} Clean;

void clean_piece(Fonts *fonts, const Piece *piece, Clean *clean);

/* What font.c answers. font_source: the font for a character, -1 when none has it. font_can_turn:
 * whether text of that font can be set from right to left. */
bool font_provides(Fonts *fonts, int source, int pixels, uint32_t code);
int font_source(Fonts *fonts, int face, int pixels, uint32_t code);
bool font_can_turn(Fonts *fonts, int source, int pixels);
void font_note_missing(Fonts *fonts, uint32_t code);

#endif
