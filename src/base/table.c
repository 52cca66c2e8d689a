/* A labelled matrix and its three written forms. */
#include "base/table.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *cell_state_name(CellState state) {
    static const char *const names[CELL_STATE_COUNT] = {"ok",  "blocked", "undefined", "missing",
                                                        "nan", "+inf",    "-inf"};
    return names[state];
}

static size_t cell_index(const Table *table, int row, int column) {
    return (size_t)row * (size_t)table->columns.count + (size_t)column;
}

static size_t cell_count(const Table *table) {
    return (size_t)table->rows.count * (size_t)table->columns.count;
}

Table table_new(Arena *arena, TableAxis rows, TableAxis columns, float **values, uint8_t **states) {
    Table table = {.rows = rows, .columns = columns};
    *values = ARENA_ARRAY(arena, float, cell_count(&table));
    *states = ARENA_ARRAY(arena, uint8_t, cell_count(&table));
    table.values = *values;
    table.states = *states;
    return table;
}

static CellState state_of(CellState state, float value) {
    if (state != CELL_OK || isfinite(value)) return state;
    return isnan(value) ? CELL_NAN : value > 0 ? CELL_PLUS_INF : CELL_MINUS_INF;
}

float table_value(const Table *table, int row, int column) {
    return table->values[cell_index(table, row, column)];
}

CellState table_state(const Table *table, int row, int column) {
    size_t i = cell_index(table, row, column);
    return state_of((CellState)table->states[i], table->values[i]);
}

double table_row_sum(const Table *table, int row) {
    double sum = 0;
    for (int column = 0; column < table->columns.count; column++)
        if (table_state(table, row, column) == CELL_OK)
            sum += (double)table_value(table, row, column);
    return sum;
}

static void summary_add(TableSummary *summary, CellState state, float value) {
    summary->states |= 1u << state;
    if (state != CELL_OK) return;
    summary->low = value < summary->low ? value : summary->low;
    summary->high = value > summary->high ? value : summary->high;
    if (value > 0 && value < summary->least) summary->least = value;
}

static const TableSummary nothing_seen = {
    .known = true, .low = INFINITY, .high = -INFINITY, .least = INFINITY};

TableSummary table_row_summary(const float *values, const uint8_t *states, int count) {
    TableSummary summary = nothing_seen;
    for (int i = 0; i < count; i++)
        summary_add(&summary, state_of((CellState)states[i], values[i]), values[i]);
    return summary;
}

TableSummary table_join(TableSummary a, TableSummary b) {
    return (TableSummary){.known = a.known && b.known,
                          .low = fminf(a.low, b.low),
                          .high = fmaxf(a.high, b.high),
                          .least = fminf(a.least, b.least),
                          .states = a.states | b.states};
}

void table_seal(Table *table, uint8_t *states) {
    for (size_t i = 0; i < cell_count(table); i++)
        states[i] = (uint8_t)state_of((CellState)states[i], table->values[i]);
    table->summary = nothing_seen;
    for (int row = 0; row < table->rows.count; row++) {
        size_t at = cell_index(table, row, 0);
        TableSummary summary =
            table_row_summary(table->values + at, states + at, table->columns.count);
        table->summary = table_join(table->summary, summary);
    }
}

TableSummary table_summary(const Table *table, int skip_column) {
    bool skips = skip_column >= 0 && skip_column < table->columns.count;
    if (table->summary.known && !skips) return table->summary;
    TableSummary summary = nothing_seen;
    for (int row = 0; row < table->rows.count; row++)
        for (int column = 0; column < table->columns.count; column++)
            if (!skips || column != skip_column)
                summary_add(&summary, table_state(table, row, column),
                            table_value(table, row, column));
    return summary;
}

bool table_range(const Table *table, int skip_column, float *low, float *high) {
    TableSummary summary = table_summary(table, skip_column);
    if (summary.low > summary.high) return false;
    *low = summary.low;
    *high = summary.high;
    return true;
}

void table_note(Table *table, const char *sentence) {
    if (table->note_count < TABLE_NOTES_MAX) table->notes[table->note_count++] = sentence;
}

void text_add_json(Text *out, const char *text) {
    text_add(out, "\"");
    size_t length = strlen(text);
    for (size_t at = 0; at < length;) {
        uint32_t code;
        bool valid;
        size_t size = utf8_decode(text + at, length - at, &code, &valid);
        if (code == '"' || code == '\\')
            text_addf(out, "\\%c", (char)code);
        else if (code == '\n')
            text_add(out, "\\n");
        else if (code == '\t')
            text_add(out, "\\t");
        else if (code < 0x20 || code == 0x7F || !valid)
            text_addf(out, "\\u%04X", (unsigned)code);
        else
            text_add_bytes(out, text + at, size);
        at += size;
    }
    text_add(out, "\"");
}

static void add_labels(const TableAxis *axis, Text *out) {
    text_add_json(out, axis->name);
    text_add(out, ": [");
    for (int i = 0; i < axis->count; i++) {
        if (i) text_add(out, ", ");
        text_add_json(out, axis->labels[i].full);
    }
    text_add(out, "],\n");
}

/* Digits that come back as the same float32; whole counts and amounts in all their digits, since
 * 603979776 is what was counted and 6.039798e+08 is not. */
static void write_value(char out[TEXT_NUMBER_MAX], const Table *table, int row, int column) {
    float value = table_value(table, row, column);
    double count = table->counts ? table->counts[cell_index(table, row, column)] : (double)value;
    bool counted = table->kind == TABLE_COUNTS || table->kind == TABLE_AMOUNTS;
    if (counted && floor(count) == count && fabs(count) < 0x1p53)
        snprintf(out, TEXT_NUMBER_MAX, "%.0f", count);
    else
        text_float(out, value);
}

static void add_json_value(const Table *table, int row, int column, Text *out) {
    char number[TEXT_NUMBER_MAX] = "null";
    if (table_state(table, row, column) == CELL_OK) write_value(number, table, row, column);
    text_add(out, number);
}

static void add_json_state(const Table *table, int row, int column, Text *out) {
    text_addf(out, "\"%s\"", cell_state_name(table_state(table, row, column)));
}

/* "name": a line per row of the table, each cell written by add. */
static void add_rows(const Table *table, const char *name,
                     void (*add)(const Table *table, int row, int column, Text *out), Text *out) {
    text_addf(out, "\"%s\": [", name);
    for (int row = 0; row < table->rows.count; row++) {
        text_add(out, row ? ",\n  [" : "\n  [");
        for (int column = 0; column < table->columns.count; column++) {
            if (column) text_add(out, ", ");
            add(table, row, column, out);
        }
        text_add(out, "]");
    }
    text_add(out, "\n],\n");
}

/* Shortest digits that come back as the same double. */
static void add_double(Text *out, double value) {
    char number[TEXT_NUMBER_MAX];
    int digits = 15;
    do snprintf(number, sizeof number, "%.*g", digits, value);
    while (strtod(number, NULL) != value && ++digits <= 17);
    text_add(out, number);
}

/* null where a sum of the rows means nothing. */
static void add_row_sums(const Table *table, Text *out) {
    if (!table->sums) {
        text_add(out, "\"row_sums\": null,\n");
        return;
    }
    text_add(out, "\"row_sums\": [");
    for (int row = 0; row < table->rows.count; row++) {
        if (row) text_add(out, ", ");
        add_double(out, table_row_sum(table, row));
    }
    text_add(out, "],\n");
}

static void add_notes(const Table *table, Text *out) {
    text_add(out, "\"notes\": [");
    for (int i = 0; i < table->note_count; i++) {
        if (i) text_add(out, ", ");
        text_add_json(out, table->notes[i]);
    }
    text_add(out, "]");
}

void table_json_fields(const Table *table, Text *out) {
    text_add(out, "\"stage\": ");
    text_add_json(out, table->stage);
    text_add(out, ",\n\"axes\": [");
    text_add_json(out, table->rows.name);
    text_add(out, ", ");
    text_add_json(out, table->columns.name);
    text_add(out, "],\n");
    add_labels(&table->rows, out);
    /* A name may stand in an object only once. */
    if (strcmp(table->rows.name, table->columns.name) != 0) add_labels(&table->columns, out);
    text_addf(out, "\"shape\": [%d, %d],\n", table->rows.count, table->columns.count);
    add_rows(table, "values", add_json_value, out);
    add_rows(table, "state", add_json_state, out);
    add_row_sums(table, out);
    add_notes(table, out);
}

/* A field of RFC 4180: in quotes when it holds a comma, a quote, a line end or outer blanks. */
static void add_csv_field(Text *out, const char *field) {
    size_t length = strlen(field);
    bool blank = length && (strchr(" \t", field[0]) || strchr(" \t", field[length - 1]));
    if (!blank && !strpbrk(field, ",\"\r\n")) {
        text_add_bytes(out, field, length);
        return;
    }
    text_add(out, "\"");
    for (const char *at = field; *at; at++) {
        if (*at == '"') text_add(out, "\"");
        text_add_bytes(out, at, 1);
    }
    text_add(out, "\"");
}

static void add_csv_value(const Table *table, int row, int column, Text *out) {
    char number[TEXT_NUMBER_MAX] = "";
    switch (table_state(table, row, column)) {
    case CELL_OK:
        write_value(number, table, row, column);
        break;
    case CELL_NAN:
        text_float(number, NAN);
        break;
    case CELL_PLUS_INF:
        text_float(number, INFINITY);
        break;
    case CELL_MINUS_INF:
        text_float(number, -INFINITY);
        break;
    default:
        break;
    }
    text_add(out, number);
}

void table_csv(const Table *table, Text *out) {
    add_csv_field(out, table->rows.name);
    for (int column = 0; column < table->columns.count; column++) {
        text_add(out, ",");
        add_csv_field(out, table->columns.labels[column].full);
    }
    text_add(out, "\n");
    for (int row = 0; row < table->rows.count; row++) {
        add_csv_field(out, table->rows.labels[row].full);
        for (int column = 0; column < table->columns.count; column++) {
            text_add(out, ",");
            add_csv_value(table, row, column, out);
        }
        text_add(out, "\n");
    }
}

static float npy_value(const Table *table, int row, int column) {
    switch (table_state(table, row, column)) {
    case CELL_OK:
        return table_value(table, row, column);
    case CELL_PLUS_INF:
        return INFINITY;
    case CELL_MINUS_INF:
        return -INFINITY;
    default:
        return NAN;
    }
}

void table_npy(const Table *table, Text *out) {
    /* Magic, version and the header's length (10 bytes), then the header, padded with blanks and a
     * newline so that the numbers begin at a multiple of 64. */
    enum { NPY_DATA_AT = 128, NPY_HEADER_AT = 10 };
    const size_t start = out->length;
    text_add_bytes(out, "\x93NUMPY\x01\x00", 8);
    text_add_bytes(out, (const char[2]){NPY_DATA_AT - NPY_HEADER_AT, 0}, 2);
    text_addf(out, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
              table->rows.count, table->columns.count);
    while (out->length - start < NPY_DATA_AT - 1) text_add(out, " ");
    text_add(out, "\n");
    for (int row = 0; row < table->rows.count; row++)
        for (int column = 0; column < table->columns.count; column++) {
            float value = npy_value(table, row, column);
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            char bytes[4];
            for (int i = 0; i < 4; i++) bytes[i] = (char)(bits >> 8 * i & 0xFF);
            text_add_bytes(out, bytes, 4);
        }
}
