/* Line by line: the last D fields are the numbers, what stands before them is the word. The table
 * is taken in one piece, as large as lines and bytes of the file allow. */
#include "model/wordvec.h"

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

enum { DIMENSIONS_MAX = 1 << 16, NUMBER_MAX = 64, SHOWN_MAX = 40, WORD_MAX = 256 };

static const size_t FILE_BYTES_MAX = (size_t)4 << 30;

/* A part of the file's bytes. */
typedef struct Span {
    const char *start, *end;
} Span;

/* What reading goes on with from line to line. */
typedef struct Source {
    const char *path;
    Span rest;
    int line; /* the number of the last line taken, from 1 */
} Source;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static Span trimmed(Span span) {
    while (span.start < span.end && is_blank(*span.start)) span.start++;
    while (span.end > span.start && is_blank(span.end[-1])) span.end--;
    return span;
}

/* The next line that is not blank. */
static bool next_line(Source *source, Span *line) {
    for (Span *rest = &source->rest; rest->start < rest->end;) {
        const char *end = memchr(rest->start, '\n', (size_t)(rest->end - rest->start));
        *line = trimmed((Span){rest->start, end ? end : rest->end});
        rest->start = end ? end + 1 : rest->end;
        source->line++;
        if (line->start < line->end) return true;
    }
    return false;
}

/* Takes the last field off the span. */
static Span last_field(Span *span) {
    *span = trimmed(*span);
    Span field = {span->end, span->end};
    while (field.start > span->start && !is_blank(field.start[-1])) field.start--;
    span->end = field.start;
    return field;
}

static int count_fields(Span span) {
    int count = 0;
    for (; span.start < span.end; count++) last_field(&span);
    return count;
}

/* Up to 15 digits and a point: exact in double, and ten times as fast as the general way, which
 * counts in files of a hundred million numbers. */
static bool short_number(Span field, float *value) {
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *at = field.start;
    bool minus = at < field.end && *at == '-', point = false;
    uint64_t digits = 0;
    int count = 0, behind = 0;
    for (at += minus; at < field.end; at++) {
        if (*at == '.' && !point) {
            point = true;
            continue;
        }
        if (*at < '0' || *at > '9' || ++count > 15) return false;
        digits = digits * 10 + (uint64_t)(*at - '0');
        behind += point;
    }
    double exact = (double)digits / powers[behind];
    *value = (float)(minus ? -exact : exact);
    return count > 0;
}

static bool to_number(Span field, float *value) {
    if (short_number(field, value)) return true;
    char copy[NUMBER_MAX];
    double general;
    size_t length = (size_t)(field.end - field.start);
    if (length >= NUMBER_MAX) return false;
    memcpy(copy, field.start, length);
    copy[length] = '\0';
    if (!text_to_double(copy, &general)) return false;
    *value = (float)general;
    return isfinite(*value);
}

static bool wrong_line(const Source *source, Err *err, const char *problem) {
    return err_set(err, "%s, line %d: %s", source->path, source->line, problem);
}

static bool wrong_number(const Source *source, Span field, Err *err) {
    size_t length = (size_t)(field.end - field.start);
    if (!utf8_valid(field.start, length, NULL)) return wrong_line(source, err, "it is not UTF-8");
    return err_set(err, "%s, line %d: \"%.*s\" stands where a finite float32 number belongs",
                   source->path, source->line, (int)(length < SHOWN_MAX ? length : SHOWN_MAX),
                   field.start);
}

static bool ragged(const Source *source, int found, int D, Err *err) {
    return err_set(err, "%s, line %d: %d numbers, where every line has %d", source->path,
                   source->line, found, D);
}

/* Splits line into the word and D numbers. */
static bool read_line(const Source *source, Span line, int D, Span *word, float *row, Err *err) {
    Span rest = line;
    for (int d = D - 1; d >= 0; d--) {
        Span field = last_field(&rest);
        if (trimmed(rest).start == trimmed(rest).end) return ragged(source, D - 1 - d, D, err);
        if (!to_number(field, &row[d])) return wrong_number(source, field, err);
    }
    *word = trimmed(rest);
    /* A word with spaces must not be a row with too many numbers. */
    Span before = *word, field = last_field(&before);
    float number;
    if (field.start > word->start && to_number(field, &number))
        return ragged(source, count_fields(line) - 1, D, err);
    size_t length = (size_t)(word->end - word->start);
    if (!utf8_valid(word->start, length, NULL)) return wrong_line(source, err, "it is not UTF-8");
    if (length > WORD_MAX) return wrong_line(source, err, "the word is longer than 256 bytes");
    if (memchr(word->start, '\0', length)) return wrong_line(source, err, "a NUL byte in the word");
    return true;
}

/* "count D" before lines of D numbers. */
static bool read_header(Source *source, int *count, int *D) {
    Source ahead = *source;
    Span first, second;
    float numbers[2];
    if (!next_line(&ahead, &first) || !next_line(&ahead, &second) || count_fields(first) != 2)
        return false;
    Span rest = first;
    for (int i = 1; i >= 0; i--) {
        Span field = last_field(&rest);
        if (memchr(field.start, '.', (size_t)(field.end - field.start)) ||
            !to_number(field, &numbers[i]) || numbers[i] < 1 || numbers[i] > 1 << 24)
            return false;
    }
    *count = (int)numbers[0];
    *D = (int)numbers[1];
    if (count_fields(second) != *D + 1) return false;
    return next_line(source, &first);
}

static bool first_line_width(Source source, int *D, Err *err) {
    Span line;
    if (!next_line(&source, &line))
        return err_set(err, "%s is empty; a line is \"word x1 x2 ... xD\"", source.path);
    *D = count_fields(line) - 1;
    if (*D < 1) return wrong_line(&source, err, "no numbers; a line is \"word x1 x2 ... xD\"");
    return true;
}

/* Rows that the rest can hold: a line each, and two bytes a number. */
static size_t most_rows(Span rest, int D) {
    size_t by_bytes = (size_t)(rest.end - rest.start) / (2 * (size_t)D + 1) + 1, lines = 1;
    while (rest.start < rest.end && lines < by_bytes) {
        const char *end = memchr(rest.start, '\n', (size_t)(rest.end - rest.start));
        if (!end) break;
        rest.start = end + 1;
        lines++;
    }
    return lines < by_bytes ? lines : by_bytes;
}

static bool read_rows(Source *source, int D, Arena *arena, WordVectors *vectors, int *lines,
                      Err *err) {
    size_t room = most_rows(source->rest, D);
    if (room > INT_MAX / 4) return err_set(err, "%s has too many lines", source->path);
    /* A line that fails comes after at most room good ones, and needs a row of its own. */
    float *table = ARENA_ARRAY(arena, float, (room + 1) * (size_t)D);
    TextMap index = textmap_open(arena, (int)room);
    Span line, word;
    for (*lines = 0; next_line(source, &line); ++*lines) {
        float *row = table + (size_t)index.count * (size_t)D;
        if (!read_line(source, line, D, &word, row, err)) return false;
        size_t length = (size_t)(word.end - word.start);
        if (textmap_find(&index, word.start, length) < 0)
            textmap_add(&index, arena_bytes(arena, word.start, length), length, NULL);
    }
    *vectors = (WordVectors){
        .count = index.count, .D = D, .words = index.texts, .vectors = table, .index = index};
    return true;
}

bool wordvec_read(const char *path, Arena *arena, WordVectors *vectors, Err *err) {
    FileBytes file;
    if (!file_read(path, FILE_BYTES_MAX, arena, &file, err)) return false;
    const char *text = (const char *)file.bytes;
    size_t mark = file.length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    Source source = {.path = path, .rest = {text + mark, text + file.length}};
    int claimed = 0, D = 0, lines = 0;
    WordVectors read;
    bool header = read_header(&source, &claimed, &D);
    if (!header && !first_line_width(source, &D, err)) return false;
    if (D > DIMENSIONS_MAX)
        return err_set(err, "%s has %d numbers a line, where at most %d are allowed", path, D,
                       DIMENSIONS_MAX);
    if (!read_rows(&source, D, arena, &read, &lines, err)) return false;
    if (header && lines != claimed)
        return err_set(err, "%s: line 1 says %d words, but %d follow", path, claimed, lines);
    *vectors = read;
    return true;
}

int wordvec_find(const WordVectors *vectors, const char *word) {
    enum { LOWER_MAX = WORD_MAX + 1 };
    size_t length = strlen(word);
    int row = textmap_find(&vectors->index, word, length);
    if (row >= 0 || length >= LOWER_MAX) return row;
    char lower[LOWER_MAX];
    for (size_t i = 0; i < length; i++)
        lower[i] = (char)(word[i] >= 'A' && word[i] <= 'Z' ? word[i] - 'A' + 'a' : word[i]);
    return textmap_find(&vectors->index, lower, length);
}
