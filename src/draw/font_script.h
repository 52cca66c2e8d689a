/* What a character asks of the text around it: its script, whether it is read from right to left,
 * whether it hangs on the character before it. */
#ifndef DRAW_FONT_SCRIPT_H
#define DRAW_FONT_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Script {
    char tag[5]; /* ISO 15924, for the shaper */
    bool right_to_left;
} Script;

/* The script of a character; that of Latin for all that needs no shaping of its own. */
const Script *script_of(uint32_t code);

/* Spaces and punctuation, which take the script of what is around them. */
bool code_is_neutral(uint32_t code);

/* Drawn together with the character before it: accents, joiners, variation selectors. */
bool code_is_attached(uint32_t code);

/* Without any picture of its own, whatever the font. */
bool code_is_invisible(uint32_t code);

#endif
