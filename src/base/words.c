/* Splitting works in place on a copy of the line: a word never gets longer by taking its quotes and
 * backslashes away. */
#include "base/words.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { NEAREST_SHOWN = 3, NEAREST_DISTANCE = 4, LIST_MAX = 400, TYPED_SHOWN = 60, FOLDED_MAX = 64 };

static bool blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char escaped(char c) {
    return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* Moves one word from *from to to, both inside the copy; returns where the next may be written. */
static bool take_word(char **from, char **to, Err *err) {
    bool quoted = false;
    char *in = *from, *out = *to;
    for (; *in && (quoted || !blank(*in)); in++) {
        if (*in == '"') {
            quoted = !quoted;
        } else if (*in == '\\') {
            if (!*++in) return err_usage(err, "the line ends in a backslash; write \\\\ for one");
            *out++ = escaped(*in);
        } else {
            *out++ = *in;
        }
    }
    if (quoted) return err_usage(err, "a double quote is not closed");
    while (blank(*in)) in++;
    *out++ = '\0';
    *from = in;
    *to = out;
    return true;
}

bool words_split(const char *line, Arena *arena, const char ***words, int *count, Err *err) {
    size_t length = strlen(line), bad;
    if (!utf8_valid(line, length, &bad))
        return err_usage(err, "the line is not UTF-8: byte %zu is 0x%02X", bad + 1,
                         (unsigned char)line[bad]);
    char *copy = arena_bytes(arena, line, length + 1);
    const char **list = ARENA_ARRAY(arena, const char *, length / 2 + 2);
    int found = 0;
    char *from = copy, *to = copy;
    while (blank(*from)) from++;
    while (*from) {
        list[found++] = to;
        if (!take_word(&from, &to, err)) return false;
    }
    *words = list;
    *count = found;
    return true;
}

static bool needs_quotes(const char *word) {
    if (!*word || *word == '#') return true;
    for (; *word; word++)
        if (blank(*word) || *word == '"' || *word == '\\') return true;
    return false;
}

void words_add(Text *line, const char *word) {
    if (line->length) text_add(line, " ");
    if (!needs_quotes(word)) {
        text_add(line, word);
        return;
    }
    text_add(line, "\"");
    for (; *word; word++) {
        const char *pair = *word == '\n'   ? "\\n"
                           : *word == '\t' ? "\\t"
                           : *word == '\r' ? "\\r"
                           : *word == '"'  ? "\\\""
                           : *word == '\\' ? "\\\\"
                                           : NULL;
        if (pair)
            text_add(line, pair);
        else
            text_add_bytes(line, word, 1);
    }
    text_add(line, "\"");
}

/* A word as it is compared: without the dashes before it, in small letters, '_' as '-'. "" when it
 * is longer than any name. */
static void fold(const char *word, char out[FOLDED_MAX]) {
    word += strspn(word, "-");
    size_t length = strlen(word);
    if (length >= FOLDED_MAX) length = 0;
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        out[i] = c == '_' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    out[length] = '\0';
}

/* How far the name is from what was typed; -1 when too far to be offered. It may be a third of its
 * letters away, or one, but not all of them; the beginning of a name is near, and so are three
 * letters from inside it. */
static int distance_to(const char *typed, const char *name) {
    char wanted[FOLDED_MAX], offered[FOLDED_MAX];
    fold(typed, wanted);
    fold(name, offered);
    int length = (int)strlen(offered), typed_length = (int)strlen(wanted);
    bool starts = typed_length > 1 && strncmp(offered, wanted, strlen(wanted)) == 0;
    if (starts || (typed_length > 2 && strstr(offered, wanted))) return 0;
    int distance = text_distance(wanted, offered);
    int allowed = length < 6 ? 1 : length / 3;
    return typed_length && distance <= allowed && distance < length ? distance : -1;
}

/* The nearest first; among equals the one that stands first in the list. */
static int near_names(const char *typed, const char *const *names, int count,
                      const char *near[NEAREST_SHOWN]) {
    int found = 0;
    for (int distance = 0; distance <= NEAREST_DISTANCE; distance++)
        for (int i = 0; i < count && found < NEAREST_SHOWN; i++)
            if (distance_to(typed, names[i]) == distance) near[found++] = names[i];
    return found;
}

/* False when they are too many for out. */
static bool join(char *out, size_t size, const char *const *names, int count, const char *last) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i == count - 1 ? last : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", before, names[i]);
    }
    return used < size;
}

int words_shown(const char *typed) {
    size_t length = strlen(typed), at = 0;
    if (length <= TYPED_SHOWN) return (int)length;
    for (size_t next; (next = utf8_next(typed, length, at)) <= TYPED_SHOWN;) at = next;
    return (int)at;
}

bool words_unknown(Err *err, const char *what, const char *name, const char *const *names,
                   int count) {
    const char *near[NEAREST_SHOWN];
    char list[LIST_MAX];
    int found = near_names(name, names, count, near);
    int bytes = words_shown(name);
    if (found && join(list, sizeof list, near, found, " or "))
        return err_usage(err, "unknown %s \"%.*s\"; did you mean %s?", what, bytes, name, list);
    if (!join(list, sizeof list, names, count, ", "))
        return err_usage(err, "unknown %s \"%.*s\"", what, bytes, name);
    return err_usage(err, "unknown %s \"%.*s\"; there are: %s", what, bytes, name, list);
}
