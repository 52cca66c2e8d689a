/* Three bytes are four groups of six bits. */
#include "base/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_add(Text *out, FileBytes file) {
    for (size_t at = 0; at < file.length; at += 3) {
        size_t left = file.length - at;
        uint32_t bits = (uint32_t)file.bytes[at] << 16;
        if (left > 1) bits |= (uint32_t)file.bytes[at + 1] << 8;
        if (left > 2) bits |= file.bytes[at + 2];
        char letters[4];
        for (int i = 0; i < 4; i++) letters[i] = alphabet[bits >> (18 - 6 * i) & 63];
        if (left < 3) letters[3] = '=';
        if (left < 2) letters[2] = '=';
        text_add_bytes(out, letters, 4);
    }
}

/* The six bits of a letter, -1 for none of the 64. */
static int bits_of(char letter) {
    const char *place = letter ? strchr(alphabet, letter) : NULL;
    return place ? (int)(place - alphabet) : -1;
}

bool base64_read(const char *letters, Arena *arena, FileBytes *file) {
    size_t length = strlen(letters), padding = 0;
    if (length % 4 != 0) return false;
    while (padding < 2 && padding < length && letters[length - 1 - padding] == '=') padding++;
    uint8_t *bytes = arena_alloc(arena, length / 4 * 3 + 1);
    size_t made = 0;
    for (size_t at = 0; at < length; at += 4) {
        uint32_t bits = 0;
        for (size_t i = at; i < at + 4; i++) {
            int six = i < length - padding ? bits_of(letters[i]) : 0;
            if (six < 0) return false;
            bits = bits << 6 | (uint32_t)six;
        }
        for (int i = 0; i < 3; i++) bytes[made++] = (uint8_t)(bits >> (16 - 8 * i));
    }
    bytes[made - padding] = 0;
    *file = (FileBytes){.bytes = bytes, .length = made - padding};
    return true;
}
