/* Every change is one replacement of a range; every movement is one function from an offset to an
 * offset. So insert, delete, cut and paste cannot disagree about where characters end. */
#include "app/edit.h"

#include "base/utf8.h"

#include <string.h>

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

/* A character of a word: everything but blanks and ASCII punctuation. */
static bool in_word(const char *text, size_t at) {
    unsigned char byte = (unsigned char)text[at];
    bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    bool digit = byte >= '0' && byte <= '9';
    return byte >= 0x80 || letter || digit || byte == '_' || byte == '\'';
}

static size_t word_left(const char *text, size_t at) {
    while (at > 0 && !in_word(text, utf8_previous(text, at))) at = utf8_previous(text, at);
    while (at > 0 && in_word(text, utf8_previous(text, at))) at = utf8_previous(text, at);
    return at;
}

static size_t word_right(const char *text, size_t length, size_t at) {
    while (at < length && !in_word(text, at)) at = utf8_next(text, length, at);
    while (at < length && in_word(text, at)) at = utf8_next(text, length, at);
    return at;
}

static size_t step_from(const HudEdit *edit, size_t at, EditStep step) {
    size_t length = strlen(edit->text);
    switch (step) {
    case EDIT_LEFT:
        return utf8_previous(edit->text, at);
    case EDIT_RIGHT:
        return utf8_next(edit->text, length, at);
    case EDIT_WORD_LEFT:
        return word_left(edit->text, at);
    case EDIT_WORD_RIGHT:
        return word_right(edit->text, length, at);
    case EDIT_HOME:
        return 0;
    case EDIT_END:
        break;
    }
    return length;
}

/* Writes text as one clean line into out; returns its length, or size when it does not fit. */
static size_t clean_line(const char *text, char *out, size_t size) {
    size_t length = strlen(text), used = 0;
    for (size_t at = 0; at < length;) {
        uint32_t code;
        at += utf8_decode(text + at, length - at, &code, NULL);
        if (code < 0x20 || code == 0x7F || code == 0x2028 || code == 0x2029) code = ' ';
        if (used + 4 >= size) return size;
        used += utf8_encode(code, out + used);
    }
    out[used] = '\0';
    return used;
}

static bool replace(HudEdit *edit, size_t from, size_t to, const char *text, size_t length) {
    size_t old = strlen(edit->text);
    if (old - (to - from) + length >= HUD_EDIT_MAX) return false;
    memmove(edit->text + from + length, edit->text + to, old - to + 1);
    memcpy(edit->text + from, text, length);
    edit->caret = edit->anchor = from + length;
    return true;
}

void edit_start(HudEdit *edit, const char *text) {
    size_t length = smaller(strlen(text), HUD_EDIT_MAX - 1);
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    memcpy(edit->text, text, length);
    edit->text[length] = '\0';
    edit->caret = edit->anchor = length;
}

bool edit_insert(HudEdit *edit, const char *text) {
    char line[HUD_EDIT_MAX];
    size_t length = clean_line(text, line, sizeof line);
    size_t from, to;
    edit_selection(edit, &from, &to);
    return length < sizeof line && replace(edit, from, to, line, length);
}

void edit_move(HudEdit *edit, EditStep step, bool select) {
    size_t from, to;
    edit_selection(edit, &from, &to);
    bool plain = step == EDIT_LEFT || step == EDIT_RIGHT;
    if (!select && from != to && plain)
        edit->caret = step == EDIT_LEFT ? from : to;
    else
        edit->caret = step_from(edit, edit->caret, step);
    if (!select) edit->anchor = edit->caret;
}

bool edit_delete(HudEdit *edit, EditStep step) {
    size_t from, to;
    edit_selection(edit, &from, &to);
    if (from == to) {
        size_t other = step_from(edit, edit->caret, step);
        from = smaller(edit->caret, other);
        to = edit->caret > other ? edit->caret : other;
    }
    return from != to && replace(edit, from, to, "", 0);
}

void edit_place(HudEdit *edit, size_t offset, bool select) {
    offset = smaller(offset, strlen(edit->text));
    while (offset > 0 && ((unsigned char)edit->text[offset] & 0xC0) == 0x80) offset--;
    edit->caret = offset;
    if (!select) edit->anchor = offset;
}

void edit_select_all(HudEdit *edit) {
    edit->anchor = 0;
    edit->caret = strlen(edit->text);
}

void edit_select_word(HudEdit *edit, size_t offset) {
    edit_place(edit, offset, false);
    size_t at = edit->caret, length = strlen(edit->text);
    if (at == length || !in_word(edit->text, at)) at = utf8_previous(edit->text, at);
    if (at == length || !in_word(edit->text, at)) return;
    edit->caret = word_right(edit->text, length, at);
    edit->anchor = word_left(edit->text, edit->caret);
}

bool edit_has_selection(const HudEdit *edit) {
    return edit->caret != edit->anchor;
}

void edit_selection(const HudEdit *edit, size_t *from, size_t *to) {
    bool forward = edit->anchor <= edit->caret;
    *from = forward ? edit->anchor : edit->caret;
    *to = forward ? edit->caret : edit->anchor;
}

const char *edit_selected(const HudEdit *edit, Arena *arena) {
    size_t from, to;
    edit_selection(edit, &from, &to);
    return arena_bytes(arena, edit->text + from, to - from);
}
