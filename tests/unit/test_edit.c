/* The line editor: every operation on ASCII and on characters of several bytes, at both ends and
 * at the size limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/edit.h"
#include "base/utf8.h"

static HudEdit started(const char *text) {
    HudEdit edit;
    edit_start(&edit, text);
    return edit;
}

static void test_insert_at_caret(void **state) {
    (void)state;
    HudEdit edit = started("a film");
    edit_move(&edit, EDIT_HOME, false);
    edit_move(&edit, EDIT_RIGHT, false);
    assert_true(edit_insert(&edit, " warm"));
    assert_string_equal(edit.text, "a warm film");
    assert_int_equal(edit.caret, 6);
    assert_int_equal(edit.anchor, 6);
}

static void test_whole_characters(void **state) {
    (void)state;
    HudEdit edit = started("x\xC3\xA9\xF0\x9F\x99\x82"); /* x, e acute, a smile */
    assert_true(edit_delete(&edit, EDIT_LEFT));
    assert_string_equal(edit.text, "x\xC3\xA9");
    edit_move(&edit, EDIT_LEFT, false);
    assert_int_equal(edit.caret, 1);
    assert_true(edit_delete(&edit, EDIT_RIGHT));
    assert_string_equal(edit.text, "x");
    assert_false(edit_delete(&edit, EDIT_RIGHT));
    edit_place(&edit, 99, false);
    assert_int_equal(edit.caret, 1);
}

static void test_word_jumps(void **state) {
    (void)state;
    HudEdit edit = started("not bad, don't \xC3\xA9tat");
    edit_move(&edit, EDIT_WORD_LEFT, false);
    assert_int_equal(edit.caret, 15);
    edit_move(&edit, EDIT_WORD_LEFT, false);
    assert_int_equal(edit.caret, 9);
    edit_move(&edit, EDIT_WORD_LEFT, true);
    assert_int_equal(edit.caret, 4);
    assert_int_equal(edit.anchor, 9);
    edit_move(&edit, EDIT_WORD_RIGHT, false);
    assert_int_equal(edit.caret, 7);
    assert_true(edit_delete(&edit, EDIT_WORD_LEFT));
    assert_string_equal(edit.text, "not , don't \xC3\xA9tat");
}

static void test_selection_is_replaced(void **state) {
    (void)state;
    HudEdit edit = started("one two");
    edit_move(&edit, EDIT_WORD_LEFT, true);
    assert_true(edit_has_selection(&edit));
    assert_true(edit_insert(&edit, "2"));
    assert_string_equal(edit.text, "one 2");
    edit_select_all(&edit);
    assert_true(edit_delete(&edit, EDIT_LEFT));
    assert_string_equal(edit.text, "");
    assert_false(edit_delete(&edit, EDIT_LEFT));
}

static void test_leaving_a_selection(void **state) {
    (void)state;
    HudEdit edit = started("abcdef");
    edit_place(&edit, 2, false);
    edit_place(&edit, 4, true);
    edit_move(&edit, EDIT_LEFT, false);
    assert_int_equal(edit.caret, 2);
    edit_place(&edit, 4, true);
    edit_move(&edit, EDIT_RIGHT, false);
    assert_int_equal(edit.caret, 4);
    assert_false(edit_has_selection(&edit));
}

static void test_paste_becomes_one_line(void **state) {
    (void)state;
    HudEdit edit = started("");
    assert_true(edit_insert(&edit, "a\nb\tc\x01\xFFz"));
    assert_string_equal(edit.text, "a b c \xEF\xBF\xBDz");
}

static void test_too_long_is_refused_whole(void **state) {
    (void)state;
    HudEdit edit = started("keep");
    char text[HUD_EDIT_MAX + 8];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_false(edit_insert(&edit, text));
    assert_string_equal(edit.text, "keep");
    edit_start(&edit, text);
    assert_int_equal(strlen(edit.text), HUD_EDIT_MAX - 1);
    assert_false(edit_insert(&edit, "y"));
}

static void test_start_cuts_at_a_character(void **state) {
    (void)state;
    char text[HUD_EDIT_MAX + 1];
    memset(text, 'x', sizeof text);
    memcpy(text + HUD_EDIT_MAX - 2, "\xC3\xA9", 3);
    HudEdit edit = started(text);
    assert_int_equal(strlen(edit.text), HUD_EDIT_MAX - 2);
    assert_true(utf8_valid(edit.text, strlen(edit.text), NULL));
}

static void test_double_click_takes_a_word(void **state) {
    (void)state;
    HudEdit edit = started("a warm, film");
    size_t from, to;
    edit_select_word(&edit, 4);
    edit_selection(&edit, &from, &to);
    assert_int_equal(from, 2);
    assert_int_equal(to, 6);
    edit_select_word(&edit, 12);
    edit_selection(&edit, &from, &to);
    assert_int_equal(from, 8);
    assert_int_equal(to, 12);
    edit_select_word(&edit, 7);
    assert_false(edit_has_selection(&edit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_insert_at_caret),
        cmocka_unit_test(test_whole_characters),
        cmocka_unit_test(test_word_jumps),
        cmocka_unit_test(test_selection_is_replaced),
        cmocka_unit_test(test_leaving_a_selection),
        cmocka_unit_test(test_paste_becomes_one_line),
        cmocka_unit_test(test_too_long_is_refused_whole),
        cmocka_unit_test(test_start_cuts_at_a_character),
        cmocka_unit_test(test_double_click_takes_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
