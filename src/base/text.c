/* Growing text, and numbers to and from text. printf and strtod follow the locale only once
 * setlocale was called; heed never calls it, so a decimal point is a point everywhere. */
#include "base/text.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_FIRST_SIZE = 256, DISTANCE_MAX = 64 };

Text text_open(Arena *arena) {
    return (Text){.arena = arena,
                  .bytes = arena_alloc(arena, TEXT_FIRST_SIZE),
                  .length = 0,
                  .size = TEXT_FIRST_SIZE};
}

/* Room for more bytes and a NUL; the old bytes stay in the arena unused, less than the new ones. */
static void reserve(Text *text, size_t more) {
    if (more < text->size - text->length) return;
    size_t size = text->size * 2;
    while (more >= size - text->length) size *= 2;
    char *bytes = arena_alloc(text->arena, size);
    memcpy(bytes, text->bytes, text->length);
    text->bytes = bytes;
    text->size = size;
}

void text_add_bytes(Text *text, const char *bytes, size_t length) {
    reserve(text, length);
    if (length) memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_add(Text *text, const char *piece) {
    text_add_bytes(text, piece, strlen(piece));
}

void text_addf(Text *text, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0);
    reserve(text, (size_t)length);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
    va_end(again);
    text->length += (size_t)length;
}

void text_float(char out[TEXT_NUMBER_MAX], float value) {
    if (isnan(value) || isinf(value)) {
        snprintf(out, TEXT_NUMBER_MAX, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    /* Six digits always survive a normal float32; the smallest numbers carry fewer. */
    int digits = fabsf(value) >= 0x1p-126f ? 6 : 1;
    do snprintf(out, TEXT_NUMBER_MAX, "%.*g", digits, (double)value);
    while (strtof(out, NULL) != value && ++digits <= 9);
}

/* Whether all that is written rounds to zero, so that a minus sign before it would be a lie. */
static bool all_zero(const char *number) {
    return strpbrk(number, "123456789") == NULL;
}

static void write_rounded(char out[TEXT_NUMBER_MAX], double value, int decimals) {
    const char *format = fabs(value) < TEXT_PLAIN_MAX ? "%.*f" : "%.*e";
    snprintf(out, TEXT_NUMBER_MAX, format, decimals, value);
    if (out[0] == '-' && all_zero(out)) memmove(out, out + 1, strlen(out));
}

static bool write_not_finite(char out[TEXT_NUMBER_MAX], double value) {
    if (isfinite(value)) return false;
    snprintf(out, TEXT_NUMBER_MAX, "%s", isnan(value) ? "NaN" : value > 0 ? "∞" : "−∞");
    return true;
}

void text_cell(char out[TEXT_NUMBER_MAX], float value, int decimals) {
    if (write_not_finite(out, (double)value)) return;
    bool whole = value == 0 || value == 1 || value == -1;
    write_rounded(out, (double)value, whole ? 0 : decimals);
    if (whole) return;
    char *digits = out[0] == '-' ? out + 1 : out;
    if (digits[0] == '0' && digits[1] == '.') memmove(digits, digits + 1, strlen(digits));
}

void text_panel(char out[TEXT_NUMBER_MAX], double value, int decimals) {
    if (write_not_finite(out, value)) return;
    char plain[TEXT_NUMBER_MAX];
    write_rounded(plain, value, decimals);
    bool negative = plain[0] == '-';
    snprintf(out, TEXT_NUMBER_MAX, "%s%.28s", negative ? "−" : "", negative ? plain + 1 : plain);
}

const char *text_count(Arena *arena, double value) {
    if (!(value >= 0 && value < 1e15)) return arena_printf(arena, "%.3g", value);
    const char *digits = arena_printf(arena, "%.0f", value);
    size_t length = strlen(digits), at = 0;
    char *out = arena_alloc(arena, TEXT_NUMBER_MAX);
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0) out[at++] = ',';
        out[at++] = digits[i];
    }
    return out;
}

static const char *skip_digits(const char *text) {
    while (*text >= '0' && *text <= '9') text++;
    return text;
}

/* Digits with an optional point and exponent, and nothing else. strtod alone would also take
 * blanks in front, hexadecimal numbers and nan(...). */
static bool is_decimal(const char *text) {
    const char *whole = text;
    const char *at = skip_digits(whole);
    size_t digits = (size_t)(at - whole);
    if (*at == '.') {
        const char *fraction = at + 1;
        at = skip_digits(fraction);
        digits += (size_t)(at - fraction);
    }
    if (digits == 0) return false;
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1;
        if (*power == '+' || *power == '-') power++;
        at = skip_digits(power);
        if (at == power) return false;
    }
    return *at == '\0';
}

/* Whether text is word in any case. */
static bool is_word(const char *text, const char *word) {
    for (; *word; text++, word++) {
        char lower = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
        if (lower != *word) return false;
    }
    return *text == '\0';
}

bool text_to_double(const char *text, double *value) {
    bool negative = text[0] == '-';
    const char *number = negative || text[0] == '+' ? text + 1 : text;
    double magnitude;
    if (is_word(number, "nan")) {
        magnitude = NAN;
    } else if (is_word(number, "inf")) {
        magnitude = INFINITY;
    } else {
        if (!is_decimal(number)) return false;
        magnitude = strtod(number, NULL);
        if (isinf(magnitude)) return false; /* more than a double holds */
    }
    *value = negative ? -magnitude : magnitude;
    return true;
}

bool text_to_int(const char *text, int *value) {
    const char *digits = text[0] == '-' || text[0] == '+' ? text + 1 : text;
    if (digits[0] == '\0' || *skip_digits(digits) != '\0') return false;
    errno = 0;
    long number = strtol(text, NULL, 10);
    if (errno == ERANGE || number < INT_MIN || number > INT_MAX) return false;
    *value = (int)number;
    return true;
}

static int smallest(int a, int b, int c) {
    int ab = a < b ? a : b;
    return ab < c ? ab : c;
}

int text_distance(const char *a, const char *b) {
    int rows = (int)strlen(a), columns = (int)strlen(b);
    /* No name is that long, so what was typed is near to none of them. */
    if (rows >= DISTANCE_MAX || columns >= DISTANCE_MAX) return rows > columns ? rows : columns;
    int cost[DISTANCE_MAX][DISTANCE_MAX];
    for (int i = 0; i <= rows; i++) cost[i][0] = i;
    for (int j = 0; j <= columns; j++) cost[0][j] = j;
    for (int i = 1; i <= rows; i++) {
        for (int j = 1; j <= columns; j++) {
            int replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            int best = smallest(cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && cost[i - 2][j - 2] + 1 < best) best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[rows][columns];
}
