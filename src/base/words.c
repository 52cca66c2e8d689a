/* Splitting works in place on a copy of the line: a word never gets longer by taking its quotes and
 * backslashes away. */
#include "base/words.h"

#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { NEAREST_SHOWN = 3, NEAREST_DISTANCE = 4, ALL_SHOWN = 12, TYPED_SHOWN = 60 };

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

/* How far a name may be from what was typed to be offered: a third of its letters, at least 1. */
static int distance_allowed(const char *name) {
    int allowed = (int)strlen(name) / 3;
    return allowed < 1 ? 1 : allowed;
}

static int distance_to(const char *typed, const char *name) {
    size_t length = strlen(typed);
    bool starts = length > 1 && strncmp(name, typed, length) == 0;
    return starts ? 0 : text_distance(typed, name);
}

/* The nearest first; among equals the one that stands first in the list. */
static int near_names(const char *typed, const char *const *names, int count,
                      const char *near[NEAREST_SHOWN]) {
    int found = 0;
    for (int distance = 0; distance <= NEAREST_DISTANCE; distance++)
        for (int i = 0; i < count && found < NEAREST_SHOWN; i++) {
            bool near_enough = distance <= distance_allowed(names[i]);
            if (near_enough && distance_to(typed, names[i]) == distance) near[found++] = names[i];
        }
    return found;
}

static void join(char *out, size_t size, const char *const *names, int count, const char *last) {
    size_t used = 0;
    out[0] = '\0';
    for (int i = 0; i < count && used < size; i++) {
        const char *before = i == 0 ? "" : i == count - 1 ? last : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", before, names[i]);
    }
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
    char list[320];
    int found = near_names(name, names, count, near);
    int bytes = words_shown(name);
    if (found) {
        join(list, sizeof list, near, found, " or ");
        return err_usage(err, "unknown %s \"%.*s\"; did you mean %s?", what, bytes, name, list);
    }
    if (count > ALL_SHOWN) return err_usage(err, "unknown %s \"%.*s\"", what, bytes, name);
    join(list, sizeof list, names, count, ", ");
    return err_usage(err, "unknown %s \"%.*s\"; there are: %s", what, bytes, name, list);
}
