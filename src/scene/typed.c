/* Labels are read as bytes, so that pieces of a character can be typed too. */
#include "scene/typed.h"

#include "base/file.h"

#include <string.h>

enum { FILE_LIMIT = 32 * 1024 * 1024, ITEM_SHOWN = 40 };

static bool read_file(const char *name, const char *path, Arena *arena, const char **text,
                      Err *err) {
    size_t length = 0;
    if (!file_read_text(path, FILE_LIMIT, arena, text, &length, err))
        return err_at(err, "%s", name);
    if (strlen(*text) != length)
        return err_set(err, "%s: %s has a byte 0 at offset %zu; it must be text", name, path,
                       strlen(*text));
    return true;
}

bool typed_grid(const char *name, const char *value, int limit, Arena *arena, Grid *grid,
                Err *err) {
    const char *text = value;
    bool file = *value == '@';
    if (file && !read_file(name, value + 1, arena, &text, err)) return false;
    if (grid_parse(text, limit, arena, grid, err)) return true;
    return file ? err_at(err, "%s: %s", name, value + 1) : err_at(err, "%s", name);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of "\xE6", -1 if that is not what stands at text. */
static int hex_byte(const char *text) {
    int high = text[1] == 'x' ? hex_digit(text[2]) : -1;
    int low = high < 0 ? -1 : hex_digit(text[3]);
    return low < 0 ? -1 : high * 16 + low;
}

/* An escape of one letter: how many bytes it makes (0 or 1), -1 if there is no such. */
static int letter_escape(char letter, uint8_t *byte) {
    const char *place = letter ? strchr("sntr\\", letter) : NULL;
    if (letter == 'e') return 0;
    if (!place) return -1;
    *byte = (uint8_t) " \n\t\r\\"[place - "sntr\\"];
    return 1;
}

/* The bytes of an item of a list. */
static bool read_item(const char *name, const char *item, size_t length, Arena *arena,
                      LabelBytes *label, Err *err) {
    uint8_t *bytes = arena_alloc(arena, length);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (item[i] != '\\') {
            bytes[used++] = (uint8_t)item[i];
            continue;
        }
        int byte = hex_byte(item + i);
        int made = byte >= 0 ? 1 : letter_escape(item[i + 1], &bytes[used]);
        if (made < 0)
            return err_set(err,
                           "%s: \"%.*s\" has a backslash before something else than s n t r e "
                           "x and \\; write \\\\ for a backslash",
                           name, (int)(length < ITEM_SHOWN ? length : ITEM_SHOWN), item);
        if (byte >= 0) bytes[used] = (uint8_t)byte;
        used += (size_t)made;
        i += byte >= 0 ? 3 : 1;
    }
    *label = (LabelBytes){bytes, used};
    return true;
}

static size_t item_length(const char *text, bool lines) {
    return strcspn(text, lines ? "\n" : " \t\r\n");
}

/* How many items there are; fills tokens unless it is NULL. -1 on error. */
static int read_items(const char *name, const char *text, bool lines, Arena *arena,
                      LabelBytes *tokens, Err *err) {
    int count = 0;
    while (*text) {
        size_t length = item_length(text, lines);
        bool item = lines || length > 0;
        if (item && tokens && lines) {
            bool carriage = length > 0 && text[length - 1] == '\r';
            tokens[count] = (LabelBytes){(const uint8_t *)text, carriage ? length - 1 : length};
        } else if (item && tokens && !read_item(name, text, length, arena, &tokens[count], err)) {
            return -1;
        }
        count += item;
        text += length;
        if (*text) text++;
    }
    return count;
}

bool typed_labels(const char *name, const char *value, const char *what, int count, Arena *arena,
                  const Label **labels, Err *err) {
    const char *text = value;
    bool lines = *value == '@';
    if (!*value) {
        *labels = label_numbers(arena, 0, count);
        return true;
    }
    if (lines && !read_file(name, value + 1, arena, &text, err)) return false;
    int found = read_items(name, text, lines, arena, NULL, err);
    if (found != count)
        return err_set(err, "%s: %d label%s for %d %s; %s", name, found, found == 1 ? "" : "s",
                       count, what, found < count ? "BOS or EOS missing?" : "BOS or EOS too many?");
    LabelBytes *tokens = ARENA_ARRAY(arena, LabelBytes, count);
    if (read_items(name, text, lines, arena, tokens, err) < 0) return false;
    *labels = label_tokens(arena, tokens, count);
    return true;
}
