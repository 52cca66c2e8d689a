/* Labels from bytes. The tokens are laid end to end and read as one UTF-8 text, so that a character
 * whose bytes were parted among tokens is found; then each token is written on its own. */
#include "base/label.h"
#include "base/text.h"
#include "base/utf8.h"

#include <string.h>

typedef enum ByteKind {
    BYTE_WHOLE,  /* of a character that lies inside one token */
    BYTE_PARTED, /* of a character that several tokens share */
    BYTE_WRONG   /* of no character */
} ByteKind;

typedef struct Joined {
    uint8_t *bytes;
    uint8_t *kinds; /* [length], ByteKind */
    int *owners;    /* [length]: the token of each byte */
    size_t length;
} Joined;

static Joined join_tokens(Arena *arena, const LabelBytes *tokens, int count) {
    Joined joined = {0};
    for (int i = 0; i < count; i++) joined.length += tokens[i].length;
    joined.bytes = ARENA_ARRAY(arena, uint8_t, joined.length);
    joined.kinds = ARENA_ARRAY(arena, uint8_t, joined.length);
    joined.owners = ARENA_ARRAY(arena, int, joined.length);
    size_t at = 0;
    for (int i = 0; i < count; i++)
        for (size_t j = 0; j < tokens[i].length; j++, at++) {
            joined.bytes[at] = tokens[i].bytes[j];
            joined.owners[at] = i;
        }
    return joined;
}

/* Fills the kinds, and links[i] for every token i that a character joins to the one before it; an
 * empty token between two halves of a character is joined too. */
static void find_characters(Joined *joined, bool *links) {
    for (size_t at = 0; at < joined->length;) {
        uint32_t code;
        bool valid;
        size_t size =
            utf8_decode((const char *)joined->bytes + at, joined->length - at, &code, &valid);
        bool parted = joined->owners[at] != joined->owners[at + size - 1];
        ByteKind kind = !valid ? BYTE_WRONG : parted ? BYTE_PARTED : BYTE_WHOLE;
        for (size_t i = at; i < at + size; i++) {
            joined->kinds[i] = (uint8_t)kind;
            if (i == at) continue;
            for (int owner = joined->owners[i - 1]; owner < joined->owners[i]; owner++)
                links[owner + 1] = true;
        }
        at += size;
    }
}

/* Joins letters into other shapes or picks an emoji's variant; of no width by itself. */
static bool is_joiner(uint32_t code) {
    return code == 0x200C || code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F);
}

static bool is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

/* Spaces other than U+0020, marks without width, and marks that would reorder a line. */
static bool is_unseen(uint32_t code) {
    return code == 0xA0 || code == 0xAD || code == 0x034F || code == 0x061C || code == 0x115F ||
           code == 0x1160 || code == 0x1680 || code == 0x180E ||
           (code >= 0x2000 && code <= 0x200F && !is_joiner(code)) ||
           (code >= 0x2028 && code <= 0x202F) || (code >= 0x205F && code <= 0x206F) ||
           code == 0x2800 || code == 0x3000 || code == 0x3164 || code == 0xFEFF || code == 0xFFA0 ||
           (code >= 0xE0000 && code <= 0xE007F);
}

/* How the characters of one token are written. */
typedef struct Writing {
    bool marks;           /* blanks as marks (the text), or as they are (the full token) */
    bool visible;         /* the token has something to see */
    size_t first, behind; /* where the visible part begins and ends; spaces outside get marks */
} Writing;

static void write_character(Text *out, const char *bytes, size_t size, uint32_t code, bool outside,
                            const Writing *writing) {
    if (code == 0 ||
        (writing->marks && code != '\n' && code != '\t' && code != '\r' &&
         (is_control(code) || is_unseen(code) || (is_joiner(code) && !writing->visible))))
        text_addf(out, "U+%04X", (unsigned)code);
    else if (!writing->marks)
        text_add_bytes(out, bytes, size);
    else if (code == ' ' && outside)
        text_add(out, "␣");
    else if (code == '\n')
        text_add(out, "⏎");
    else if (code == '\t')
        text_add(out, "⇥");
    else if (code == '\r')
        text_add(out, "⇤");
    else
        text_add_bytes(out, bytes, size);
}

/* Bytes of no whole character from at on, as "<E6 9D>"; returns how many. */
static size_t write_bytes(Text *out, const uint8_t *bytes, const uint8_t *kinds, size_t length) {
    size_t count = 0;
    text_add(out, "<");
    for (; count < length && kinds[count] != BYTE_WHOLE; count++)
        text_addf(out, "%s%02X", count ? " " : "", (unsigned)bytes[count]);
    text_add(out, ">");
    return count;
}

static const char *write_token(Arena *arena, const uint8_t *bytes, const uint8_t *kinds,
                               size_t length, const Writing *writing) {
    Text out = text_open(arena);
    for (size_t at = 0; at < length;) {
        if (kinds[at] != BYTE_WHOLE) {
            at += write_bytes(&out, bytes + at, kinds + at, length - at);
            continue;
        }
        uint32_t code;
        const char *here = (const char *)bytes + at;
        size_t size = utf8_decode(here, length - at, &code, NULL);
        bool outside = at < writing->first || at >= writing->behind;
        write_character(&out, here, size, code, outside, writing);
        at += size;
    }
    return out.bytes;
}

/* Where the visible part of a token lies. Wrong bytes count as visible: they get digits. */
static Writing look_at(const uint8_t *bytes, const uint8_t *kinds, size_t length) {
    Writing writing = {.marks = true, .first = length, .behind = 0};
    for (size_t at = 0; at < length;) {
        uint32_t code = UTF8_REPLACEMENT;
        size_t size = 1;
        if (kinds[at] == BYTE_WHOLE)
            size = utf8_decode((const char *)bytes + at, length - at, &code, NULL);
        if (code != ' ' && !is_control(code) && !is_unseen(code) && !is_joiner(code)) {
            if (!writing.visible) writing.first = at;
            writing.visible = true;
            writing.behind = at + size;
        }
        at += size;
    }
    return writing;
}

static Label label_of(Arena *arena, const uint8_t *bytes, const uint8_t *kinds, size_t length) {
    Writing marked = look_at(bytes, kinds, length);
    Writing plain = marked;
    plain.marks = false;
    return (Label){.text = length ? write_token(arena, bytes, kinds, length, &marked) : "∅",
                   .full = write_token(arena, bytes, kinds, length, &plain),
                   .group = LABEL_NO_GROUP};
}

/* Marks the tokens first .. last, which start at byte start of joined and together hold length
 * bytes, as one group. */
static void set_group(Arena *arena, Label *labels, int first, int last, const Joined *joined,
                      size_t start, size_t length) {
    uint8_t *kinds = ARENA_ARRAY(arena, uint8_t, length);
    for (size_t i = 0; i < length; i++) {
        bool wrong = joined->kinds[start + i] == BYTE_WRONG;
        kinds[i] = (uint8_t)(wrong ? BYTE_WRONG : BYTE_WHOLE);
    }
    const char *spelled = label_of(arena, joined->bytes + start, kinds, length).text;
    for (int i = first; i <= last; i++) {
        labels[i].group = first;
        labels[i].group_text = spelled;
    }
}

Label *label_tokens(Arena *arena, const LabelBytes *tokens, int count) {
    Label *labels = ARENA_ARRAY(arena, Label, count);
    bool *links = ARENA_ARRAY(arena, bool, count);
    Joined joined = join_tokens(arena, tokens, count);
    find_characters(&joined, links);
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        labels[i] = label_of(arena, joined.bytes + at, joined.kinds + at, tokens[i].length);
        at += tokens[i].length;
    }
    size_t start = 0;
    for (int i = 0, next; i < count; i = next) {
        size_t length = tokens[i].length;
        for (next = i + 1; next < count && links[next]; next++) length += tokens[next].length;
        if (next > i + 1) set_group(arena, labels, i, next - 1, &joined, start, length);
        start += length;
    }
    return labels;
}

Label *label_numbers(Arena *arena, int first, int count) {
    Label *labels = ARENA_ARRAY(arena, Label, count);
    for (int i = 0; i < count; i++) {
        const char *number = arena_printf(arena, "%d", first + i);
        labels[i] = (Label){.text = number, .full = number, .group = LABEL_NO_GROUP};
    }
    return labels;
}

Label label_plain(Arena *arena, const char *text) {
    LabelBytes token = {.bytes = (const uint8_t *)text, .length = strlen(text)};
    return label_tokens(arena, &token, 1)[0];
}

Label *label_list(Arena *arena, const char *const *texts, int count) {
    Label *labels = ARENA_ARRAY(arena, Label, count);
    for (int i = 0; i < count; i++) labels[i] = label_plain(arena, texts[i]);
    return labels;
}

const char *label_code_points(Arena *arena, const char *text) {
    Text out = text_open(arena);
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t code;
        size_t next = at + utf8_decode(text + at, length - at, &code, NULL);
        text_addf(&out, "%sU+%04X", at ? " " : "", (unsigned)code);
        at = next;
    }
    return out.bytes;
}
