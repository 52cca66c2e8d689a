/* Error sentences: cut at whole characters, one line, with a place in front. */
#include "base/err.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_set_and_usage(void **state) {
    (void)state;
    Err err = {0};
    assert_false(err_set(&err, "file %s has %d bytes", "a", 3));
    assert_string_equal(err.text, "file a has 3 bytes");
    assert_false(err.usage);
    assert_false(err_usage(&err, "no such knob"));
    assert_true(err.usage);
    assert_false(err_set(NULL, "nobody listens"));
    assert_false(err_usage(NULL, "nobody listens"));
    assert_false(err_at(NULL, "nobody listens"));
}

static void test_at_puts_a_place_in_front(void **state) {
    (void)state;
    Err err = {0};
    err_usage(&err, "not a number");
    assert_false(err_at(&err, "row %d", 2));
    assert_string_equal(err.text, "row 2: not a number");
    assert_true(err.usage);
}

static void test_long_sentence_is_cut_at_a_character(void **state) {
    (void)state;
    for (int lead = 0; lead < 4; lead++) {
        char text[3 * ERR_TEXT_MAX] = "abc";
        text[lead] = '\0';
        while (strlen(text) < 2 * ERR_TEXT_MAX) strcat(text, "注");
        Err err = {0};
        err_set(&err, "%s", text);
        assert_true(strlen(err.text) >= ERR_TEXT_MAX - 4);
        assert_true(utf8_valid(err.text, strlen(err.text), NULL));
        err_at(&err, "file %s", text + lead);
        assert_true(utf8_valid(err.text, strlen(err.text), NULL));
    }
}

static void test_always_one_line(void **state) {
    (void)state;
    Err err = {0};
    err_set(&err, "no file %s", "a\nb\x1b[2J");
    assert_string_equal(err.text, "no file a?b?[2J");
    err_at(&err, "x\ry");
    assert_string_equal(err.text, "x?y: no file a?b?[2J");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_set_and_usage),
        cmocka_unit_test(test_at_puts_a_place_in_front),
        cmocka_unit_test(test_long_sentence_is_cut_at_a_character),
        cmocka_unit_test(test_always_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
