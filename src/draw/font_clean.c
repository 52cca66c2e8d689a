/* Character by character: attached ones stay with the one before them, invisible ones that stand
 * alone and characters without a glyph become code points, spaces inside a right-to-left phrase
 * join it. There is no full bidirectional algorithm: runs stand in the order of the text. */
#include "draw/font_clean.h"

#include "base/utf8.h"

#include <assert.h>
#include <stdio.h>

static Glyph *add_glyph(Clean *clean, uint32_t code, int source, const Script *script) {
    assert(clean->count < CLEAN_MAX && clean->length + 4 <= CLEAN_MAX);
    Glyph *glyph = &clean->glyphs[clean->count++];
    *glyph = (Glyph){clean->length, source, script, code, false};
    clean->length += (int)utf8_encode(code, clean->text + clean->length);
    return glyph;
}

static const Glyph *last_glyph(const Clean *clean) {
    return clean->count ? &clean->glyphs[clean->count - 1] : NULL;
}

static void add_code_point(Clean *clean, uint32_t code, int face) {
    char name[16];
    snprintf(name, sizeof name, "U+%04X", (unsigned)code);
    const Glyph *before = last_glyph(clean);
    if (before && before->written_out)
        add_glyph(clean, ' ', face, script_of(' '))->written_out = true;
    for (const char *c = name; *c; c++)
        add_glyph(clean, (unsigned char)*c, face, script_of(' '))->written_out = true;
}

static bool joins_last(Fonts *fonts, const Clean *clean, int pixels, uint32_t code) {
    const Glyph *before = last_glyph(clean);
    return before && !before->written_out && code_is_attached(code) &&
           (code_is_invisible(code) || font_provides(fonts, before->source, pixels, code));
}

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

static void add_character(Fonts *fonts, Clean *clean, int face, int pixels, uint32_t code) {
    if (joins_last(fonts, clean, pixels, code)) {
        const Glyph *before = last_glyph(clean);
        add_glyph(clean, code, before->source, before->script);
        return;
    }
    if (is_control(code) || code_is_invisible(code)) {
        add_code_point(clean, code, face);
        return;
    }
    int source = font_source(fonts, face, pixels, code);
    const Script *script = script_of(code);
    if (source >= 0 && (!script->right_to_left || font_can_turn(fonts, source, pixels))) {
        add_glyph(clean, code, source, script);
        return;
    }
    font_note_missing(fonts, code);
    add_code_point(clean, code, face);
}

/* The end of the spaces and signs from glyph `from` on that `before` could be followed by. */
static int neutral_end(Fonts *fonts, const Clean *clean, int from, const Glyph *before,
                       int pixels) {
    int end = from;
    while (end < clean->count && !clean->glyphs[end].written_out &&
           code_is_neutral(clean->glyphs[end].code) &&
           font_provides(fonts, before->source, pixels, clean->glyphs[end].code))
        end++;
    return end;
}

static void join_phrases(Fonts *fonts, Clean *clean, int pixels) {
    for (int i = 1; i < clean->count; i++) {
        const Glyph *before = &clean->glyphs[i - 1];
        if (!before->script->right_to_left) continue;
        int end = neutral_end(fonts, clean, i, before, pixels);
        const Glyph *after = &clean->glyphs[end];
        if (end == clean->count || after->script != before->script ||
            after->source != before->source)
            continue;
        for (; i < end; i++) {
            clean->glyphs[i].source = before->source;
            clean->glyphs[i].script = before->script;
        }
    }
}

void clean_piece(Fonts *fonts, const Piece *piece, Clean *clean) {
    clean->length = clean->count = 0;
    for (size_t offset = 0; offset < piece->length;) {
        uint32_t code;
        offset += utf8_decode(piece->text + offset, piece->length - offset, &code, NULL);
        add_character(fonts, clean, piece->face, piece->pixels, code);
    }
    join_phrases(fonts, clean, piece->pixels);
    clean->text[clean->length] = '\0';
    clean->glyphs[clean->count] = (Glyph){clean->length, -1, NULL, 0, false};
}
