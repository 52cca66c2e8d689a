/* UTF-8, strictly: no surrogates, no overlong forms, nothing above U+10FFFF. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_REPLACEMENT = 0xFFFD };

/* Decodes the character at text, of which length > 0 bytes remain, and returns how many bytes it
 * takes. A byte that starts no valid character gives UTF8_REPLACEMENT, takes 1 and sets *valid to
 * false (valid may be NULL). */
size_t utf8_decode(const char *text, size_t length, uint32_t *code, bool *valid);

/* Writes 1 to 4 bytes, no NUL; returns how many. code must be a Unicode scalar value. */
size_t utf8_encode(uint32_t code, char out[4]);

/* Whether all of it is valid UTF-8; if not, *bad (may be NULL) is the offset of the first wrong
 * byte. */
bool utf8_valid(const char *text, size_t length, size_t *bad);

/* Characters in valid or invalid text, a wrong byte counting as one. */
size_t utf8_count(const char *text, size_t length);

/* The offset of the character after or before offset; length and 0 are the ends. */
size_t utf8_next(const char *text, size_t length, size_t offset);
size_t utf8_previous(const char *text, size_t offset);

#endif
