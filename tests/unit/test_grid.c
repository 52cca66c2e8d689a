/* Typed numbers: what is read, and where an error is said to stand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/grid.h"

#include <math.h>
#include <string.h>

static void full(size_t wanted) {
    (void)wanted;
    abort();
}

static void test_rows(void **state) {
    (void)state;
    static const char *const same[] = {"1 2 3; 0 -0.5 1e2", "1,2,3\n0, -0.5, 1e2\n",
                                       "\n 1\t2 3 ;\r\n\r\n0 -.5 100;;", "1 2 3;0 -0.5 100",
                                       "1, 2, 3, ; 0 , -0.5 , 100,"};
    static const float want[] = {1, 2, 3, 0, -0.5f, 100};
    Arena arena = arena_open(full);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        Grid grid = {0};
        assert_true(grid_parse(same[i], 8, &arena, &grid, NULL));
        assert_int_equal(grid.rows, 2);
        assert_int_equal(grid.columns, 3);
        assert_memory_equal(grid.values, want, sizeof want);
    }
    arena_close(&arena);
}

static void test_not_finite(void **state) {
    (void)state;
    Arena arena = arena_open(full);
    Grid grid = {0};
    assert_true(grid_parse("nan inf -inf NaN", 8, &arena, &grid, NULL));
    assert_true(isnan(grid.values[0]) && isnan(grid.values[3]));
    assert_true(grid.values[1] == INFINITY && grid.values[2] == -INFINITY);
    arena_close(&arena);
}

static void test_errors(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"", "there are no numbers; write rows such as \"1 2 3; 0 0 0\""},
        {"1,,2", "line 1, column 3: a comma without a number before it; write nan or -inf where "
                 "there is none"},
        {"1 2\n, 3", "line 2, column 1: a comma without a number before it; write nan or -inf "
                     "where there is none"},
        {"1;2\n3;4", "semicolons and line ends both part rows here; write commas or tabs between "
                     "the fields of a row, and decimals with a point"},
        {"0,5;1,5\n2,5;3,5", "semicolons and line ends both part rows here; write commas or tabs "
                             "between the fields of a row, and decimals with a point"},
        {" ;\n ", "there are no numbers; write rows such as \"1 2 3; 0 0 0\""},
        {"1 2\n3 x", "line 2, column 3: \"x\" is no number; write numbers such as 0.5, -2, 1e3, "
                     "nan or -inf"},
        {"1 2; \xC3\xA9 0x3", "line 1, column 6: \"\xC3\xA9\" is no number; write numbers such as "
                              "0.5, -2, 1e3, nan or -inf"},
        {"1 2; 3", "line 1: row 1 has 1 number, row 0 has 2; every row needs the same"},
        {"1 1e39", "line 1, column 3: 1e39 is too large; the largest float32 is 3.4e38"},
        {"1 2 3 4 5", "line 1, column 9: more than 4 numbers in a row; at most 4 fit"},
        {"1\n2\n3\n4\n5", "line 5: more than 4 rows; at most 4 fit"},
        {"1.0.0.0.0.0.0.0.0.0.0.0", "line 1, column 1: \"1.0.0.0.0.0.0.0.0.0....\" is no number; "
                                    "write numbers such as 0.5, -2, 1e3, nan or -inf"},
    };
    Arena arena = arena_open(full);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Grid grid = {.rows = 7};
        Err err = {.text = ""};
        assert_false(grid_parse(rows[i][0], 4, &arena, &grid, &err));
        assert_string_equal(err.text, rows[i][1]);
        assert_int_equal(grid.rows, 7);
    }
    arena_close(&arena);
}

/* No text, however long its tokens, is read beyond its end. */
static void test_long_token(void **state) {
    (void)state;
    Arena arena = arena_open(full);
    char *text = arena_alloc(&arena, 10001);
    memset(text, '1', 10000);
    Grid grid;
    Err err = {.text = ""};
    assert_false(grid_parse(text, 4, &arena, &grid, &err));
    assert_non_null(strstr(err.text, "is no number"));
    arena_close(&arena);
}

/* ---- tables of fields ---- */

static Grid fields(Arena *arena, const char *text) {
    Grid grid = {0};
    Err err = {.text = ""};
    char separator = grid_separator(text);
    assert_int_not_equal(separator, 0);
    if (!grid_parse_fields(text, separator, 8, arena, &grid, &err)) fail_msg("%s", err.text);
    return grid;
}

static void assert_label(const LabelBytes *label, const char *want) {
    assert_int_equal(label->length, strlen(want));
    assert_memory_equal(label->bytes, want, label->length);
}

static void test_separators(void **state) {
    (void)state;
    assert_int_equal(grid_separator("1 2\n3 4"), '\0');
    assert_int_equal(grid_separator("1, 2; 3, 4"), '\0');
    assert_int_equal(grid_separator("1,2\n3,4"), ',');
    assert_int_equal(grid_separator("1\t2\n3\t4"), '\t');
    assert_int_equal(grid_separator("\"a;b\",2\n"), ',');
    assert_int_equal(grid_separator("\"a,b\"\t2\n"), '\t');
    assert_int_equal(grid_separator("query\tthe\t,\nthe\t1\t2\n,\t3\t4\n"), '\t');
    assert_int_equal(grid_separator("1,\t2\n\n3,\t4\n"), ',');
    assert_int_equal(grid_separator("1,2\n3"), ',');
}

static void test_fields(void **state) {
    (void)state;
    Arena arena = arena_open(full);
    Grid grid = fields(&arena, "1, 2,-inf\r\n\n4,5,6\n");
    assert_int_equal(grid.rows, 2);
    assert_int_equal(grid.columns, 3);
    assert_true(grid.values[2] == -INFINITY && grid.values[5] == 6);
    assert_null(grid.row_labels);
    assert_null(grid.column_labels);
    assert_null(grid.missing);
    grid = fields(&arena, "1\t\t3\n4\t5\t");
    assert_int_equal(grid.missing[1], 1);
    assert_int_equal(grid.missing[5], 1);
    assert_int_equal(grid.missing[0], 0);
    arena_close(&arena);
}

static void test_field_labels(void **state) {
    (void)state;
    Arena arena = arena_open(full);
    Grid grid = fields(&arena, "query,the,\"c,\"\"at\"\nthe,1,2\ncat,3,4\n");
    assert_int_equal(grid.rows, 2);
    assert_int_equal(grid.columns, 2);
    assert_label(&grid.column_labels[1], "c,\"at");
    assert_label(&grid.row_labels[0], "the");
    assert_true(grid.values[3] == 4);
    grid = fields(&arena, "a,b\n0,1\n1,0");
    assert_int_equal(grid.columns, 2);
    assert_null(grid.row_labels);
    assert_label(&grid.column_labels[0], "a");
    grid = fields(&arena, "a,1,2\nb,3,4");
    assert_int_equal(grid.rows, 2);
    assert_null(grid.column_labels);
    assert_label(&grid.row_labels[1], "b");
    grid = fields(&arena, ",0,1\n0,5,6");
    assert_int_equal(grid.rows, 1);
    assert_label(&grid.column_labels[1], "1");
    assert_label(&grid.row_labels[0], "0");
    grid = fields(&arena, "\"1\",\"2\"\n3,4");
    assert_label(&grid.column_labels[0], "1");
    assert_int_equal(grid.rows, 1);
    arena_close(&arena);
}

static void test_field_errors(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"1,2\n3", "line 2: this row has 1 field, the first has 2; every row needs the same"},
        {"1,2\n3,x", "line 2, column 3: \"x\" is no number; write numbers such as 0.5, -2, 1e3, "
                     "nan or -inf"},
        {"1,x\n3,4", "line 1, column 3: \"x\" is no number; write numbers such as 0.5, -2, 1e3, "
                     "nan or -inf"},
        {"x,1\n3,4", "line 1, column 1: \"x\" is no number; write numbers such as 0.5, -2, 1e3, "
                     "nan or -inf"},
        {"1e300,-1e39\n1,2", "line 1, column 1: 1e300 is too large; the largest float32 is 3.4e38"},
        {"a,b", "there are no numbers; write rows such as \"1 2 3; 0 0 0\""},
        {"1,\"2\n3,4", "line 1, column 3: the quote that opens here is never closed"},
        {"1,\"2\"x\n3,4", "line 1, column 3: text behind a closing quote; write \"\" for a "
                          "quote"},
        {"1,2,3,4,5,6", "line 1, column 11: more than 4 numbers in a row; at most 4 fit"},
        {"1,2\n1,2\n1,2\n1,2\n1,2", "5 x 2 numbers; at most 4 x 4 fit"},
    };
    Arena arena = arena_open(full);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Grid grid = {.rows = 7};
        Err err = {.text = ""};
        assert_false(grid_parse_fields(rows[i][0], ',', 4, &arena, &grid, &err));
        assert_string_equal(err.text, rows[i][1]);
        assert_int_equal(grid.rows, 7);
    }
    arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),         cmocka_unit_test(test_not_finite),
        cmocka_unit_test(test_errors),       cmocka_unit_test(test_long_token),
        cmocka_unit_test(test_separators),   cmocka_unit_test(test_fields),
        cmocka_unit_test(test_field_labels), cmocka_unit_test(test_field_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
