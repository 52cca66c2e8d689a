/* What can be said of text once its width is known: where it is put, where it is shortened or
 * broken, which character a pixel belongs to. */
#include "draw/font.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

/* The first length bytes of text, in the arena. */
static const char *head_of(Canvas *canvas, const char *text, size_t length) {
    return arena_bytes(canvas->arena, text, length);
}

static int head_width(Canvas *canvas, TextStyle style, const char *text, size_t length) {
    Arena before = *canvas->arena;
    int width = font_width(canvas, style, head_of(canvas, text, length));
    *canvas->arena = before;
    return width;
}

/* The first kept/2 and last kept/2 characters around an ellipsis. */
static const char *shortened(Canvas *canvas, const char *text, size_t count, size_t kept) {
    size_t length = strlen(text), head = 0, tail = 0;
    for (size_t i = 0; i < (kept + 1) / 2; i++) head = utf8_next(text, length, head);
    for (size_t i = 0; i < count - kept / 2; i++) tail = utf8_next(text, length, tail);
    return arena_printf(canvas->arena, "%.*s…%s", (int)head, text, text + tail);
}

static bool shortened_fits(Canvas *canvas, TextStyle style, const char *text, size_t count,
                           size_t kept, int width) {
    Arena before = *canvas->arena;
    bool fits = font_width(canvas, style, shortened(canvas, text, count, kept)) <= width;
    *canvas->arena = before;
    return fits;
}

/* Halving: more characters kept is never narrower by more than kerning. */
const char *font_shorten(Canvas *canvas, TextStyle style, const char *text, int width) {
    if (font_width(canvas, style, text) <= width) return text;
    size_t count = utf8_count(text, strlen(text));
    size_t fits = 0, too_many = count;
    if (!shortened_fits(canvas, style, text, count, 0, width)) return "";
    while (too_many - fits > 1) {
        size_t middle = fits + (too_many - fits) / 2;
        if (shortened_fits(canvas, style, text, count, middle, width))
            fits = middle;
        else
            too_many = middle;
    }
    return shortened(canvas, text, count, fits);
}

int font_draw_in(Canvas *canvas, TextStyle style, Rect rect, TextAlign align, const char *text) {
    const char *fitting = font_shorten(canvas, style, text, rect.w);
    int room = rect.w - font_width(canvas, style, fitting);
    int x = rect.x + (align == TEXT_LEFT ? 0 : align == TEXT_CENTER ? room / 2 : room);
    int y = rect.y + (rect.h - font_height(canvas, style)) / 2;
    return font_draw(canvas, style, x, y, fitting);
}

/* Halving over the boundaries of characters: the last one whose text ends at or before x, or the
 * one behind it if that is nearer. */
int font_offset_at(Canvas *canvas, TextStyle style, const char *text, int x) {
    Arena before = *canvas->arena;
    size_t length = strlen(text), count = utf8_count(text, length);
    size_t *bounds = ARENA_ARRAY(canvas->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++) bounds[i + 1] = utf8_next(text, length, bounds[i]);
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = high - (high - low) / 2;
        if (head_width(canvas, style, text, bounds[middle]) <= x)
            low = middle;
        else
            high = middle - 1;
    }
    size_t next = low < count ? low + 1 : low;
    int left = x - head_width(canvas, style, text, bounds[low]);
    int right = head_width(canvas, style, text, bounds[next]) - x;
    size_t offset = bounds[left <= right ? low : next];
    *canvas->arena = before;
    return (int)offset;
}

/* Bytes of text that fit on a line, at least one character: up to the last space before the width
 * is full, or as many characters as go in when a word is longer than the line. */
static size_t line_length(Canvas *canvas, TextStyle style, const char *text, int width) {
    size_t length = strcspn(text, "\n"), fits = 0;
    if (head_width(canvas, style, text, length) <= width) return length; /* as most texts do */
    for (size_t end = 0; end < length;) {
        end += strspn(text + end, " ");
        end += strcspn(text + end, " \n");
        if (head_width(canvas, style, text, end) > width) break;
        fits = end;
    }
    if (fits || !length) return fits;
    size_t end = utf8_next(text, length, 0);
    while (end < length && text[end] != ' ') {
        size_t next = utf8_next(text, length, end);
        if (head_width(canvas, style, text, next) > width) break;
        end = next;
    }
    return end;
}

/* Lines are 1.45 sizes apart. */
int font_paragraph(Canvas *canvas, TextStyle style, Rect rect, const char *text, bool draw) {
    int pitch = canvas_px(canvas, style.size * 1.45), height = 0;
    while (*text) {
        size_t length = line_length(canvas, style, text, rect.w);
        if (draw) {
            Arena before = *canvas->arena;
            int y = rect.y + height + (pitch - font_height(canvas, style)) / 2;
            font_draw(canvas, style, rect.x, y, head_of(canvas, text, length));
            *canvas->arena = before;
        }
        height += pitch;
        text += length;
        text += strspn(text, " ");
        if (*text == '\n') text++;
    }
    return height;
}
