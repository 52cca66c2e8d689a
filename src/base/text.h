/* Text that is built piece by piece, and numbers as a person reads them. Independent of the locale.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* A growing NUL-terminated text in an arena. */
typedef struct Text {
    Arena *arena;
    char *bytes;
    size_t length;
    size_t size;
} Text;

Text text_open(Arena *arena);
void text_add(Text *text, const char *piece);
void text_add_bytes(Text *text, const char *bytes, size_t length);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void text_addf(Text *text, const char *format, ...);

enum { TEXT_NUMBER_MAX = 32 };

/* From this size on a number is written with an exponent, so that it fits a cell and
 * TEXT_NUMBER_MAX. */
enum { TEXT_PLAIN_MAX = 10000000 };

/* The shortest decimal digits that come back as the same float32 (6 to 9 significant); "nan",
 * "inf", "-inf". */
void text_float(char out[TEXT_NUMBER_MAX], float value);

/* The number as a cell of a heatmap has it, rounded to decimals (1 to 6): weights lose their
 * leading zero (".07", "-.5" never "-.00"), a whole 0 or 1 of a weight is "0" or "1" only when it
 * is exactly that. */
void text_cell(char out[TEXT_NUMBER_MAX], float value, int decimals);

/* The number for a panel: decimals places, a true minus sign U+2212, "NaN", "∞", "−∞". */
void text_panel(char out[TEXT_NUMBER_MAX], double value, int decimals);

/* A count with its thousands apart, "12,582,912"; from 1e15 on "1.23e+15". */
const char *text_count(Arena *arena, double value);

/* Reads a whole decimal number ("nan", "inf", "-inf" too, any case) from all of text; false when
 * anything else is there. */
bool text_to_double(const char *text, double *value);
bool text_to_int(const char *text, int *value);

/* The edit distance of two short names (insert, delete, replace, swap neighbours), for "did you
 * mean". */
int text_distance(const char *a, const char *b);

#endif
