/* Labelled tables and their written forms; JSON is read back by jansson. */
#include "base/table.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void fail_when_full(size_t wanted) {
    fail_msg("asked for %zu bytes that are not there", wanted);
}

static int open_arena(void **state) {
    static Arena arena;
    arena = arena_open(fail_when_full);
    *state = &arena;
    return 0;
}

static int close_arena(void **state) {
    arena_close(*state);
    return 0;
}

static TableAxis axis(Arena *arena, const char *name, const char *const *texts, int count) {
    Label *labels = ARENA_ARRAY(arena, Label, count);
    for (int i = 0; i < count; i++) labels[i] = label_plain(arena, texts[i]);
    return (TableAxis){.name = name, .count = count, .labels = labels};
}

/* Two rows with one cell of each state. */
static Table every_state(Arena *arena) {
    const char *const rows[] = {"the, \"end\"", "\n"};
    const char *const columns[] = {"a", "a", " b", "東"};
    float *values;
    uint8_t *states;
    Table table = table_new(arena, axis(arena, "query", rows, 2), axis(arena, "key", columns, 4),
                            &values, &states);
    const float numbers[] = {0.1f, NAN, INFINITY, -INFINITY, 0.25f, 7, 7, 7};
    memcpy(values, numbers, sizeof numbers);
    states[5] = CELL_BLOCKED;
    states[6] = CELL_UNDEFINED;
    states[7] = CELL_MISSING;
    table_seal(&table, states);
    table.stage = "weights";
    table.sums = true;
    return table;
}

static void test_states_and_range(void **state) {
    Table table = every_state(*state);
    const CellState want[] = {CELL_OK, CELL_NAN,     CELL_PLUS_INF,  CELL_MINUS_INF,
                              CELL_OK, CELL_BLOCKED, CELL_UNDEFINED, CELL_MISSING};
    for (int i = 0; i < 8; i++) assert_int_equal(table_state(&table, i / 4, i % 4), want[i]);
    float low, high;
    assert_true(table_range(&table, -1, &low, &high));
    assert_true(low == 0.1f && high == 0.25f);
    assert_false(table_range(&table, 0, &low, &high));
    assert_true(table_row_sum(&table, 1) == 0.25);
}

static json_t *json_of(const Table *table, Arena *arena) {
    Text text = text_open(arena);
    text_add(&text, "{");
    table_json_fields(table, &text);
    text_add(&text, "}");
    json_error_t error;
    json_t *json = json_loadb(text.bytes, text.length, JSON_REJECT_DUPLICATES, &error);
    if (!json) fail_msg("line %d: %s", error.line, error.text);
    return json;
}

static json_t *cell_of(json_t *json, const char *field, size_t row, size_t column) {
    return json_array_get(json_array_get(json_object_get(json, field), row), column);
}

static void test_json(void **state) {
    Table table = every_state(*state);
    table_note(&table, "a \"note\"");
    json_t *json = json_of(&table, *state);
    assert_string_equal(json_string_value(json_object_get(json, "stage")), "weights");
    assert_string_equal(json_string_value(json_array_get(json_object_get(json, "axes"), 1)), "key");
    json_t *queries = json_object_get(json, "query"), *keys = json_object_get(json, "key");
    assert_string_equal(json_string_value(json_array_get(queries, 0)), "the, \"end\"");
    assert_string_equal(json_string_value(json_array_get(queries, 1)), "\n");
    assert_int_equal(json_array_size(keys), 4);
    assert_string_equal(json_string_value(json_array_get(keys, 2)), " b");
    assert_true((float)json_real_value(cell_of(json, "values", 0, 0)) == 0.1f);
    const char *const want[] = {"ok", "nan",     "+inf",      "-inf",
                                "ok", "blocked", "undefined", "missing"};
    for (size_t i = 0; i < 8; i++) {
        bool ok = strcmp(want[i], "ok") == 0;
        assert_string_equal(json_string_value(cell_of(json, "state", i / 4, i % 4)), want[i]);
        assert_true(json_is_null(cell_of(json, "values", i / 4, i % 4)) == !ok);
    }
    assert_int_equal(json_integer_value(json_array_get(json_object_get(json, "shape"), 1)), 4);
    assert_true(json_number_value(json_array_get(json_object_get(json, "row_sums"), 1)) == 0.25);
    assert_string_equal(json_string_value(json_array_get(json_object_get(json, "notes"), 0)),
                        "a \"note\"");
    json_decref(json);
}

static void test_json_without_sums_and_with_equal_axes(void **state) {
    Table table = every_state(*state);
    table.columns.name = "query";
    table.sums = false;
    json_t *json = json_of(&table, *state);
    assert_true(json_is_null(json_object_get(json, "row_sums")));
    json_decref(json);
}

static void test_json_text(void **state) {
    Text text = text_open(*state);
    text_add_json(&text, "a\"\\\n\t\x01\x7F\xFF東");
    assert_string_equal(text.bytes, "\"a\\\"\\\\\\n\\t\\u0001\\u007F\\uFFFD東\"");
}

static void test_csv(void **state) {
    Table table = every_state(*state);
    Text text = text_open(*state);
    table_csv(&table, &text);
    assert_string_equal(text.bytes, "query,a,a,\" b\",東\n"
                                    "\"the, \"\"end\"\"\",0.1,nan,inf,-inf\n"
                                    "\"\n\",0.25,,,\n");
}

static void test_npy(void **state) {
    Table table = every_state(*state);
    Text text = text_open(*state);
    table_npy(&table, &text);
    assert_int_equal(text.length, 128 + 8 * 4);
    assert_memory_equal(text.bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    assert_non_null(strstr(text.bytes + 10, "'shape': (2, 4)"));
    assert_int_equal(text.bytes[127], '\n');
    float values[8];
    memcpy(values, text.bytes + 128, sizeof values);
    assert_true(values[0] == 0.1f && isnan(values[1]) && values[2] == INFINITY);
    assert_true(values[3] == -INFINITY && values[4] == 0.25f);
    for (int i = 5; i < 8; i++) assert_true(isnan(values[i]));
}

static void test_whole_counts_keep_their_digits(void **state) {
    Arena *arena = *state;
    float *values;
    uint8_t *states;
    TableAxis rows = {"n", 1, label_numbers(arena, 0, 1)},
              columns = {"way", 2, label_numbers(arena, 0, 2)};
    Table table = table_new(arena, rows, columns, &values, &states);
    values[0] = 603979776.0f;
    values[1] = 0.25f;
    table.kind = TABLE_AMOUNTS;
    Text text = text_open(arena);
    table_csv(&table, &text);
    assert_non_null(strstr(text.bytes, "0,603979776,0.25"));
}

static void test_too_many_notes_are_dropped(void **state) {
    Table table = every_state(*state);
    for (int i = 0; i < TABLE_NOTES_MAX + 4; i++) table_note(&table, "note");
    assert_int_equal(table.note_count, TABLE_NOTES_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_states_and_range, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_json, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_json_without_sums_and_with_equal_axes, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(test_json_text, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_csv, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_whole_counts_keep_their_digits, open_arena,
                                        close_arena),
        cmocka_unit_test_setup_teardown(test_npy, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_too_many_notes_are_dropped, open_arena, close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
