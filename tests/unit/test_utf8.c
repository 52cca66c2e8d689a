/* UTF-8 against the standard's table of well-formed byte sequences (Unicode 15, table 3-7). */
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_every_scalar_value_comes_back(void **state) {
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        if (code >= 0xD800 && code <= 0xDFFF) continue;
        char bytes[4];
        size_t size = utf8_encode(code, bytes);
        uint32_t back;
        bool valid;
        if (utf8_decode(bytes, size, &back, &valid) != size || back != code || !valid)
            fail_msg("U+%04X did not come back", (unsigned)code);
    }
}

static void test_wrong_sequences(void **state) {
    (void)state;
    const char *const wrong[] = {"\x80",
                                 "\xBF",
                                 "\xC0\x80",
                                 "\xC1\xBF",
                                 "\xC3",
                                 "\xE6\x9D",
                                 "\xE0\x9F\xBF",
                                 "\xED\xA0\x80",
                                 "\xED\xBF\xBF",
                                 "\xF0\x9F\x99",
                                 "\xF0\x8F\xBF\xBF",
                                 "\xF4\x90\x80\x80",
                                 "\xF5\x80\x80\x80",
                                 "\xFE",
                                 "\xFF",
                                 "\xC3\x28",
                                 "\xE2\x28\xA1"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint32_t code;
        bool valid;
        size_t bad = 99;
        assert_int_equal(utf8_decode(wrong[i], strlen(wrong[i]), &code, &valid), 1);
        assert_int_equal(code, UTF8_REPLACEMENT);
        assert_false(valid);
        assert_false(utf8_valid(wrong[i], strlen(wrong[i]), &bad));
        assert_int_equal(bad, 0);
    }
}

static void test_never_reads_behind_the_end(void **state) {
    (void)state;
    uint32_t code;
    bool valid;
    /* The bytes behind the length would complete the character. */
    assert_int_equal(utf8_decode("\xE6\x9D\xB1", 2, &code, &valid), 1);
    assert_false(valid);
}

static void test_place_of_the_wrong_byte(void **state) {
    (void)state;
    size_t bad = 0;
    assert_false(utf8_valid("h\xC3\xA9\xFFx", 5, &bad));
    assert_int_equal(bad, 3);
    assert_true(utf8_valid("h\xC3\xA9x", 4, NULL));
    assert_true(utf8_valid("", 0, NULL));
}

static void test_counting_and_walking(void **state) {
    (void)state;
    const char *text = "aé東🙂\xFF.";
    const size_t length = strlen(text);
    assert_int_equal(utf8_count(text, length), 6);
    const size_t places[] = {0, 1, 3, 6, 10, 11, 12};
    for (size_t i = 0; i + 1 < sizeof places / sizeof *places; i++) {
        assert_int_equal(utf8_next(text, length, places[i]), places[i + 1]);
        assert_int_equal(utf8_previous(text, places[i + 1]), places[i]);
    }
    assert_int_equal(utf8_next(text, length, length), length);
    assert_int_equal(utf8_previous(text, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scalar_value_comes_back),
        cmocka_unit_test(test_wrong_sequences),
        cmocka_unit_test(test_never_reads_behind_the_end),
        cmocka_unit_test(test_place_of_the_wrong_byte),
        cmocka_unit_test(test_counting_and_walking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
