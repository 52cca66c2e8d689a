/* Two passes over the fields: the first measures and finds out what is a label, the second fills.
 * Fields are not kept, because a large table has millions of them. */
#include "base/grid.h"
#include "base/text.h"
#include "base/utf8.h"

#include <string.h>

typedef struct Fields {
    const char *at, *line_start;
    int line; /* from 1 */
    char separator;
} Fields;

typedef struct Field {
    const char *text; /* without its quotes */
    size_t length;
    bool quoted, last; /* last of its row */
    int line, column;
} Field;

/* What the first row, or the first column, holds beside the first field of all. */
typedef struct Edge {
    int words, numbers;
} Edge;

typedef struct Layout {
    int rows, columns; /* with labels */
    Field corner;
    Edge first_row, first_column;
    bool header, side; /* the first row, the first column are labels */
} Layout;

/* How often a separator stands in the lines of a table. */
typedef struct Separators {
    int first, here; /* in the first line that has text, in this one */
    bool even;       /* all lines so far have as many */
} Separators;

static void end_line(Separators *seen, bool first) {
    if (first) seen->first = seen->here;
    seen->even = (first || seen->even) && seen->here == seen->first;
    seen->here = 0;
}

char grid_separator(const char *text) {
    Separators commas = {0}, tabs = {0};
    bool quoted = false, written = false, first = true;
    for (;; text++) {
        if (*text == '"') quoted = !quoted;
        if (*text && quoted) continue;
        if (*text == ';') return '\0';
        commas.here += *text == ',';
        tabs.here += *text == '\t';
        written = written || (*text && !strchr(" \r\n", *text));
        if ((*text == '\n' || !*text) && written) {
            end_line(&commas, first);
            end_line(&tabs, first);
            first = written = false;
        }
        if (!*text) break;
    }
    bool comma = commas.first && (commas.even || !tabs.first || !tabs.even);
    return comma ? ',' : tabs.first ? '\t' : '\0';
}

static bool is_blank(const Fields *in, char c) {
    return c == ' ' || c == '\r' || (c == '\t' && in->separator != '\t');
}

static bool ends_field(const Fields *in, char c) {
    return c == '\0' || c == '\n' || c == in->separator;
}

static void pass_blanks(Fields *in) {
    while (is_blank(in, *in->at)) in->at++;
}

static void start_line(Fields *in) {
    in->line++;
    in->line_start = in->at + 1;
}

/* From behind the opening quote to behind the closing one. */
static bool read_quoted(Fields *in, Field *field, Err *err) {
    field->quoted = true;
    field->text = ++in->at;
    for (; *in->at; in->at++) {
        if (*in->at == '\n') start_line(in);
        if (*in->at != '"') continue;
        if (in->at[1] != '"') break;
        in->at++;
    }
    if (!*in->at)
        return err_set(err, "line %d, column %d: the quote that opens here is never closed",
                       field->line, field->column);
    field->length = (size_t)(in->at++ - field->text);
    pass_blanks(in);
    if (ends_field(in, *in->at)) return true;
    return err_set(err, "line %d, column %d: text behind a closing quote; write \"\" for a quote",
                   field->line, field->column);
}

static bool read_field(Fields *in, Field *field, Err *err) {
    pass_blanks(in);
    size_t before = (size_t)(in->at - in->line_start);
    *field = (Field){
        .text = in->at, .line = in->line, .column = (int)utf8_count(in->line_start, before) + 1};
    if (*in->at == '"') {
        if (!read_quoted(in, field, err)) return false;
    } else {
        while (!ends_field(in, *in->at)) in->at++;
        field->length = (size_t)(in->at - field->text);
        while (field->length && is_blank(in, field->text[field->length - 1])) field->length--;
    }
    field->last = *in->at != in->separator;
    if (*in->at == '\n') start_line(in);
    if (*in->at) in->at++;
    return true;
}

/* A line with nothing on it. */
static bool is_empty_row(const Field *first) {
    return first->last && !first->quoted && first->length == 0;
}

static bool is_number(const Field *field) {
    return !field->quoted && grid_is_number(field->text, field->length);
}

static void look(Edge *edge, const Field *field) {
    bool empty = field->length == 0 && !field->quoted;
    edge->words += !empty && !is_number(field);
    edge->numbers += is_number(field);
}

static bool measure_row(Fields *in, int limit, Layout *layout, Err *err) {
    Field field;
    int line = in->line, count = 0;
    do {
        if (!read_field(in, &field, err)) return false;
        if (count == 0 && is_empty_row(&field)) return true;
        if (count > limit)
            return err_set(err, "line %d, column %d: more than %d numbers in a row; at most %d fit",
                           field.line, field.column, limit, limit);
        if (layout->rows == 0 && count == 0) layout->corner = field;
        if (layout->rows == 0 && count > 0) look(&layout->first_row, &field);
        if (layout->rows > 0 && count == 0) look(&layout->first_column, &field);
        count++;
    } while (!field.last);
    if (layout->rows && count != layout->columns)
        return err_set(err,
                       "line %d: this row has %d field%s, the first has %d; every row needs "
                       "the same",
                       line, count, count == 1 ? "" : "s", layout->columns);
    if (layout->rows > limit)
        return err_set(err, "line %d: more than %d rows; at most %d fit", line, limit, limit);
    layout->columns = count;
    layout->rows++;
    return true;
}

static bool only_words(Edge edge) {
    return edge.words > 0 && edge.numbers == 0;
}

static void find_labels(Layout *layout) {
    const Field *corner = &layout->corner;
    bool empty = corner->length == 0;
    bool axis = corner->length == 5 && memcmp(corner->text, "query", 5) == 0;
    bool several = layout->columns > 1 && layout->rows > 1;
    bool named = several && (empty || axis), word = empty || !is_number(corner);
    bool column_header = layout->columns == 1 && word && !empty;
    layout->header = named || column_header || (word && only_words(layout->first_row));
    layout->side = named || (word && layout->columns > 1 && only_words(layout->first_column));
}

static bool measure(Fields in, int limit, Layout *layout, Err *err) {
    while (*in.at)
        if (!measure_row(&in, limit, layout, err)) return false;
    if (layout->rows) find_labels(layout);
    int rows = layout->rows - layout->header, columns = layout->columns - layout->side;
    if (rows < 1 || columns < 1)
        return err_set(err, "there are no numbers; write rows such as \"1 2 3; 0 0 0\"");
    if (rows > limit || columns > limit)
        return err_set(err, "%d x %d numbers; at most %d x %d fit", rows, columns, limit, limit);
    return true;
}

/* A label with "" made one quote. */
static LabelBytes label_of(const Field *field, Arena *arena) {
    uint8_t *bytes = arena_alloc(arena, field->length + 1);
    size_t used = 0;
    for (size_t i = 0; i < field->length; i++) {
        bytes[used++] = (uint8_t)field->text[i];
        if (field->quoted && field->text[i] == '"') i++;
    }
    return (LabelBytes){bytes, used};
}

typedef struct Fill {
    const Layout *layout;
    Grid grid;
    LabelBytes *rows, *columns; /* NULL without labels */
    Arena *arena;
} Fill;

static bool fill_value(Fill *fill, const Field *field, size_t at, Err *err) {
    Grid *grid = &fill->grid;
    if (field->length > 0 || field->quoted)
        return grid_number(field->text, field->length, field->line, field->column,
                           &grid->values[at], err);
    if (!grid->missing)
        grid->missing =
            ARENA_ARRAY(fill->arena, uint8_t, (size_t)grid->rows * (size_t)grid->columns);
    grid->missing[at] = 1;
    return true;
}

/* row and column of the text, labels among them. */
static bool fill_field(Fill *fill, const Field *field, int row, int column, Err *err) {
    row -= fill->layout->header;
    column -= fill->layout->side;
    if (row < 0 && column < 0) return true;
    if (row < 0)
        fill->columns[column] = label_of(field, fill->arena);
    else if (column < 0)
        fill->rows[row] = label_of(field, fill->arena);
    else
        return fill_value(fill, field, (size_t)row * (size_t)fill->grid.columns + (size_t)column,
                          err);
    return true;
}

static bool fill_rows(Fields in, Fill *fill, Err *err) {
    for (int row = 0; *in.at;) {
        Field field;
        int column = 0;
        do {
            if (!read_field(&in, &field, err)) return false;
            if (column == 0 && is_empty_row(&field)) break;
            if (!fill_field(fill, &field, row, column++, err)) return false;
        } while (!field.last);
        row += column > 0;
    }
    return true;
}

bool grid_parse_fields(const char *text, char separator, int limit, Arena *arena, Grid *grid,
                       Err *err) {
    Fields in = {.at = text, .line_start = text, .line = 1, .separator = separator};
    Layout layout = {0};
    if (!measure(in, limit, &layout, err)) return false;
    int rows = layout.rows - layout.header, columns = layout.columns - layout.side;
    Fill fill = {.layout = &layout, .grid = {.rows = rows, .columns = columns}, .arena = arena};
    fill.grid.values = ARENA_ARRAY(arena, float, (size_t)rows *(size_t)columns);
    if (layout.side) fill.rows = ARENA_ARRAY(arena, LabelBytes, rows);
    if (layout.header) fill.columns = ARENA_ARRAY(arena, LabelBytes, columns);
    if (!fill_rows(in, &fill, err)) return false;
    fill.grid.row_labels = fill.rows;
    fill.grid.column_labels = fill.columns;
    *grid = fill.grid;
    return true;
}
