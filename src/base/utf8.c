/* A decoder by lead byte and smallest allowed code, so that overlong forms fall out of one
 * comparison. */
#include "base/utf8.h"

static size_t wrong_byte(uint32_t *code, bool *valid) {
    *code = UTF8_REPLACEMENT;
    if (valid) *valid = false;
    return 1;
}

size_t utf8_decode(const char *text, size_t length, uint32_t *code, bool *valid) {
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned lead = bytes[0];
    if (valid) *valid = true;
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || size > length) return wrong_byte(code, valid);
    uint32_t value = lead & (0x7Fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80) return wrong_byte(code, valid);
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest[size] || value > 0x10FFFF || surrogate) return wrong_byte(code, valid);
    *code = value;
    return size;
}

size_t utf8_encode(uint32_t code, char out[4]) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t size = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = size - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (code & 0x3F));
        code >>= 6;
    }
    const unsigned lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(lead[size] | code);
    return size;
}

bool utf8_valid(const char *text, size_t length, size_t *bad) {
    for (size_t at = 0; at < length;) {
        uint32_t code;
        bool valid;
        size_t size = utf8_decode(text + at, length - at, &code, &valid);
        if (!valid) {
            if (bad) *bad = at;
            return false;
        }
        at += size;
    }
    return true;
}

size_t utf8_count(const char *text, size_t length) {
    size_t count = 0;
    for (size_t at = 0; at < length; count++) at = utf8_next(text, length, at);
    return count;
}

size_t utf8_next(const char *text, size_t length, size_t offset) {
    uint32_t code;
    return offset >= length ? length
                            : offset + utf8_decode(text + offset, length - offset, &code, NULL);
}

size_t utf8_previous(const char *text, size_t offset) {
    if (offset == 0) return 0;
    size_t start = offset - 1;
    while (start > 0 && offset - start < 4 && ((unsigned char)text[start] & 0xC0) == 0x80) start--;
    uint32_t code;
    bool valid;
    size_t size = utf8_decode(text + start, offset - start, &code, &valid);
    return valid && start + size == offset ? start : offset - 1;
}
