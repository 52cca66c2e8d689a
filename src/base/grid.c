/* Two passes over the same tokens: the first counts and checks, the second fills. */
#include "base/grid.h"

#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <string.h>

enum { NUMBER_LONGEST = 63 };

typedef struct Reader {
    const char *at;
    const char *line_start;
    int line; /* from 1 */
} Reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

static bool ends_row(char c) {
    return c == ';' || c == '\n';
}

static void pass_row_end(Reader *reader) {
    if (*reader->at++ != '\n') return;
    reader->line++;
    reader->line_start = reader->at;
}

static size_t token_length(const char *at) {
    size_t length = 0;
    while (at[length] && !is_blank(at[length]) && !ends_row(at[length])) length++;
    return length;
}

static int column_of(const Reader *reader) {
    return (int)utf8_count(reader->line_start, (size_t)(reader->at - reader->line_start)) + 1;
}

/* token gets the text with a NUL behind it. */
static bool token_number(const char *text, size_t length, char token[NUMBER_LONGEST + 1],
                        double *number) {
    if (length > NUMBER_LONGEST) return false;
    memcpy(token, text, length);
    token[length] = '\0';
    return text_to_double(token, number);
}

bool grid_is_number(const char *text, size_t length) {
    char token[NUMBER_LONGEST + 1];
    double number;
    return token_number(text, length, token, &number);
}

bool grid_number(const char *text, size_t length, int line, int column, float *value, Err *err) {
    char token[NUMBER_LONGEST + 1];
    size_t shown = length;
    if (shown > 20) shown = utf8_previous(text, 21);
    double number;
    if (!token_number(text, length, token, &number))
        return err_set(err,
                       "line %d, column %d: \"%.*s%s\" is no number; write numbers such as "
                       "0.5, -2, 1e3, nan or -inf",
                       line, column, (int)shown, text, shown < length ? "..." : "");
    float rounded = (float)number;
    if (isfinite(number) && !isfinite(rounded))
        return err_set(err, "line %d, column %d: %s is too large; the largest float32 is 3.4e38",
                       line, column, token);
    *value = rounded;
    return true;
}

/* The number at the reader, which moves behind it. */
static bool read_number(Reader *reader, float *value, Err *err) {
    size_t length = token_length(reader->at);
    if (!grid_number(reader->at, length, reader->line, column_of(reader), value, err)) return false;
    reader->at += length;
    return true;
}

/* Moves to the next number or the row's end. A comma parts numbers or ends them all; between two
 * commas, or before the first number, one is missing. */
static bool pass_to_number(Reader *reader, int before, Err *err) {
    int commas = before > 0 ? 0 : 1;
    for (; is_blank(*reader->at); reader->at++)
        if (*reader->at == ',' && ++commas > 1)
            return err_set(err,
                           "line %d, column %d: a comma without a number before it; write nan "
                           "or -inf where there is none",
                           reader->line, column_of(reader));
    return true;
}

/* Reads a row up to its end; columns is how many numbers it has. values may be NULL. */
static bool read_row(Reader *reader, int limit, float *values, int *columns, Err *err) {
    for (*columns = 0;; ++*columns) {
        if (!pass_to_number(reader, *columns, err)) return false;
        if (!*reader->at || ends_row(*reader->at)) return true;
        if (*columns == limit)
            return err_set(err, "line %d, column %d: more than %d numbers in a row; at most %d fit",
                           reader->line, column_of(reader), limit, limit);
        float value = 0;
        if (!read_number(reader, &value, err)) return false;
        if (values) values[*columns] = value;
    }
}

/* Semicolons within several lines are likely a table whose fields they part, with a number, or one
 * with a decimal comma, in each: read as rows it would be another matrix. */
static bool check_semicolons(const char *text, const Grid *grid, int lines, Err *err) {
    bool within = lines > 1 && grid->rows > lines;
    if (!within || (grid->columns > 1 && !strchr(text, ','))) return true;
    return err_set(err,
                   "semicolons and line ends both part rows here; write commas or tabs between "
                   "the fields of a row, and decimals with a point");
}

static bool measure(Reader reader, int limit, Grid *grid, Err *err) {
    const char *text = reader.at;
    int lines = 0, counted = 0;
    while (*reader.at) {
        int line = reader.line, columns;
        if (!read_row(&reader, limit, NULL, &columns, err)) return false;
        if (columns && grid->rows && columns != grid->columns)
            return err_set(err,
                           "line %d: row %d has %d number%s, row 0 has %d; every row needs "
                           "the same",
                           line, grid->rows, columns, columns == 1 ? "" : "s", grid->columns);
        if (columns && grid->rows == limit)
            return err_set(err, "line %d: more than %d rows; at most %d fit", line, limit, limit);
        if (columns) {
            grid->rows++;
            grid->columns = columns;
            lines += line != counted;
            counted = line;
        }
        if (*reader.at) pass_row_end(&reader);
    }
    if (grid->rows == 0)
        return err_set(err, "there are no numbers; write rows such as \"1 2 3; 0 0 0\"");
    return check_semicolons(text, grid, lines, err);
}

bool grid_parse(const char *text, int limit, Arena *arena, Grid *grid, Err *err) {
    Reader reader = {.at = text, .line_start = text, .line = 1};
    Grid read = {0};
    if (!measure(reader, limit, &read, err)) return false;
    read.values = ARENA_ARRAY(arena, float, (size_t)read.rows *(size_t)read.columns);
    for (int row = 0; row < read.rows;) {
        int columns;
        if (!read_row(&reader, limit, read.values + (size_t)row * (size_t)read.columns, &columns,
                      err))
            return false;
        if (columns) row++;
        if (*reader.at) pass_row_end(&reader);
    }
    *grid = read;
    return true;
}
