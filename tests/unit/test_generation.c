/* Runs of several tensors that become one square, and those that do not fit together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "scene/generation.h"

#include <string.h>

static void full(size_t wanted) {
    (void)wanted;
    abort();
}

static Arena arena;

static int set_up(void **state) {
    (void)state;
    arena = arena_open(full);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    arena_close(&arena);
    return 0;
}

/* Numbers 1, 2, 3 ... in the shape given. */
static SafeTensor tensor(const char *name, int heads, int rows, int keys) {
    SafeTensor made = {.name = name, .type = SAFE_F32, .rank = 4, .shape = {1, heads, rows, keys}};
    made.count = (size_t)heads * (size_t)rows * (size_t)keys;
    float *values = ARENA_ARRAY(&arena, float, made.count);
    for (size_t i = 0; i < made.count; i++) values[i] = (float)(i + 1);
    made.bytes = (const uint8_t *)values;
    return made;
}

static const char *refusal(SafeTensor *tensors, int count) {
    SafeFile file = {.tensors = tensors, .count = count};
    Err *err = ARENA_NEW(&arena, Err);
    TypedMatrix matrix;
    assert_true(generation_is(&file));
    assert_false(generation_matrix(&file, 0, 0, &arena, &matrix, err));
    return err->text;
}

static void test_E3_rows_of_growing_length(void **state) {
    (void)state;
    SafeTensor tensors[] = {tensor("a.10", 2, 1, 5), tensor("a.0", 2, 2, 2), tensor("a.9", 2, 1, 4),
                            tensor("a.1", 2, 1, 3)};
    SafeFile file = {.tensors = tensors, .count = 4};
    TypedMatrix matrix;
    assert_true(generation_is(&file));
    assert_true(generation_matrix(&file, 0, 1, &arena, &matrix, NULL));
    assert_int_equal(matrix.rows, 5);
    assert_int_equal(matrix.columns, 5);
    assert_int_equal(matrix.heads, 2);
    const float want[] = {5, 6, 0, 0, 0, 7, 8, 0, 0, 0, 4, 5, 6,
                          0, 0, 5, 6, 7, 8, 0, 6, 7, 8, 9, 10};
    const uint8_t missing[] = {0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0,
                               1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
    assert_memory_equal(matrix.values, want, sizeof want);
    assert_memory_equal(matrix.missing, missing, sizeof missing);
    assert_non_null(strstr(matrix.note, "a prompt of 2 tokens and 3 steps"));
}

static void test_tensors_that_do_not_fit_together(void **state) {
    (void)state;
    assert_string_equal(refusal((SafeTensor[]){tensor("a.0", 2, 2, 2), tensor("a.1", 2, 1, 4)}, 2),
                        "tensor \"a.1\" has the shape [1, 2, 1, 4], but behind 2 tokens "
                        "[1, 2, 1, 3] is wanted");
    assert_string_equal(refusal((SafeTensor[]){tensor("a.0", 2, 2, 2), tensor("a.1", 3, 1, 3)}, 2),
                        "tensor \"a.1\" has the shape [1, 3, 1, 3], but behind 2 tokens "
                        "[1, 2, 1, 3] is wanted");
    assert_non_null(
        strstr(refusal((SafeTensor[]){tensor("a.0", 2, 1, 2), tensor("a.1", 2, 1, 3)}, 2),
               "\"a.0\" has the shape [1, 2, 1, 2]; the first of a run"));
    assert_non_null(
        strstr(refusal((SafeTensor[]){tensor("a.0", 2, 2, 2), tensor("b0", 2, 1, 3)}, 2),
               "end with the same number"));
    assert_non_null(
        strstr(refusal((SafeTensor[]){tensor("a.0", 1, 0, 0), tensor("a.1", 1, 1, 1)}, 2),
               "each side must be 1 to 4096"));
}

static void test_what_is_no_run(void **state) {
    (void)state;
    SafeTensor plain[] = {tensor("a", 1, 2, 2), tensor("b", 1, 1, 3)};
    SafeTensor flat[] = {tensor("a.0", 1, 2, 2), tensor("a.1", 1, 1, 3)};
    flat[1].rank = 2;
    assert_false(generation_is(&(SafeFile){.tensors = plain, .count = 2}));
    assert_false(generation_is(&(SafeFile){.tensors = flat, .count = 2}));
    assert_false(generation_is(&(SafeFile){.tensors = flat, .count = 1}));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_E3_rows_of_growing_length),
        TEST(test_tensors_that_do_not_fit_together),
        TEST(test_what_is_no_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
