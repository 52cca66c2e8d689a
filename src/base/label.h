/* How a token is written beside a matrix. A token is bytes; a label is what a person reads: blanks
 * get visible marks, bytes that are only part of a character are shown as <E6 9D> and joined to the
 * character that they spell together. */
#ifndef BASE_LABEL_H
#define BASE_LABEL_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LABEL_NO_GROUP = -1 };

typedef struct Label {
    const char *text; /* drawn: valid UTF-8, never empty, one line, blanks as marks */
    const char
        *full; /* in numbers, CSV and hover: the token itself, escaped only where it is not UTF-8 */
    int group; /* neighbours with one group are joined by a bracket; else LABEL_NO_GROUP */
    const char
        *group_text; /* what the group spells, e.g. the character U+6771; NULL without a group */
    bool padding;    /* a padding token: drawn grey */
} Label;

typedef struct LabelBytes {
    const uint8_t *bytes;
    size_t length;
} LabelBytes;

/* Labels of count tokens in a row: one label a token, equal tokens stay apart. Space U+2420 style
 * marks: space "␣", newline "⏎", tab "⇥", carriage return "⇤", empty "∅", other control characters
 * "U+0007". Inside a token with visible letters a leading or trailing space is marked too. Tokens
 * that end or begin inside a character become "<E6 9D>", and the neighbours that complete it share
 * a group. */
Label *label_tokens(Arena *arena, const LabelBytes *tokens, int count);

/* Labels that count up: first, first + 1, ... */
Label *label_numbers(Arena *arena, int first, int count);

/* One label of plain valid text. */
Label label_plain(Arena *arena, const char *text);

/* One such label for each of count texts. */
Label *label_list(Arena *arena, const char *const *texts, int count);

/* "U+1F642" or several joined by spaces: the code points of text, for a hover line. */
const char *label_code_points(Arena *arena, const char *text);

#endif
