/* One sentence in a fixed buffer: no allocation can fail while a failure is being told. */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* vsnprintf cuts at a byte; take away what it left of a broken UTF-8 character. */
static void cut_at_character(char *text) {
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80) start--;
    if (start == 0) return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t want = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < want) text[start - 1] = '\0';
}

/* A name with a line end in it must not make two lines of one sentence, nor an escape sequence
 * reach a terminal. */
static void replace_controls(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7F) *text = '?';
}

static void write_sentence(Err *err, bool usage, const char *format, va_list args) {
    vsnprintf(err->text, sizeof err->text, format, args);
    replace_controls(err->text);
    cut_at_character(err->text);
    err->usage = usage;
}

bool err_set(Err *err, const char *format, ...) {
    if (!err) return false;
    va_list args;
    va_start(args, format);
    write_sentence(err, false, format, args);
    va_end(args);
    return false;
}

bool err_usage(Err *err, const char *format, ...) {
    if (!err) return false;
    va_list args;
    va_start(args, format);
    write_sentence(err, true, format, args);
    va_end(args);
    return false;
}

bool err_at(Err *err, const char *format, ...) {
    if (!err) return false;
    char tail[ERR_TEXT_MAX];
    memcpy(tail, err->text, sizeof tail);
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, ": %s", tail);
    replace_controls(err->text);
    cut_at_character(err->text);
    return false;
}
