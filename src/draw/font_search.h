/* Installed fonts for the characters that the shipped faces lack, through fontconfig. It is asked
 * for the first time when such a character comes up: reading its configuration costs more than
 * everything else at the start. */
#ifndef DRAW_FONT_SEARCH_H
#define DRAW_FONT_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct FontSearch FontSearch;

typedef struct FontFile {
    const char *path; /* lives as long as the search */
    int index;        /* of the face in its file */
    bool bitmap;      /* pictures of one fixed size, such as colour emoji */
} FontFile;

/* NULL when fontconfig has no usable configuration. */
FontSearch *font_search_open(void);
void font_search_close(FontSearch *search);

/* The number of the first font, from number `from` on, that has the character; -1 if none has. The
 * order depends on nothing but what is installed: not on the locale, not on earlier questions. */
int font_search(const FontSearch *search, uint32_t code, int from);

FontFile font_search_file(const FontSearch *search, int number);

#endif
