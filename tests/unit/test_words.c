/* Lines into words and back, and nearest names. */
#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void full(size_t wanted) {
    (void)wanted;
    abort();
}

static int open_arena(void **state) {
    static Arena arena;
    arena = arena_open(full);
    *state = &arena;
    return 0;
}

static int close_arena(void **state) {
    arena_close(*state);
    return 0;
}

static void check_words(Arena *arena, const char *line, int count, const char *const *want) {
    const char **words;
    int found;
    Err err = {0};
    assert_true(words_split(line, arena, &words, &found, &err));
    assert_string_equal(err.text, "");
    assert_int_equal(found, count);
    for (int i = 0; i < count; i++) assert_string_equal(words[i], want[i]);
}

static void test_blanks_part_words(void **state) {
    check_words(*state, "set mask causal", 3, (const char *[]){"set", "mask", "causal"});
    check_words(*state, " \t set  mask\tcausal \r", 3, (const char *[]){"set", "mask", "causal"});
    check_words(*state, "", 0, NULL);
    check_words(*state, "   ", 0, NULL);
    check_words(*state, "é 注意", 2, (const char *[]){"é", "注意"});
}

static void test_quotes_and_backslashes(void **state) {
    check_words(*state, "set text \"a  b\"", 3, (const char *[]){"set", "text", "a  b"});
    check_words(*state, "a \"\" b", 3, (const char *[]){"a", "", "b"});
    check_words(*state, "\"\"", 1, (const char *[]){""});
    check_words(*state, "x\"y z\"w", 1, (const char *[]){"xy zw"});
    check_words(*state, "\"say \\\"no\\\"\" c\\ d e\\\\f", 3,
                (const char *[]){"say \"no\"", "c d", "e\\f"});
    check_words(*state, "\"one\\ntwo\\tthree\"", 1, (const char *[]){"one\ntwo\tthree"});
}

static void check_refused(Arena *arena, const char *line, const char *part) {
    const char **words;
    int count;
    Err err = {0};
    assert_false(words_split(line, arena, &words, &count, &err));
    assert_non_null(strstr(err.text, part));
    assert_true(err.usage);
}

static void test_broken_lines_are_refused(void **state) {
    check_refused(*state, "set text \"a b", "not closed");
    check_refused(*state, "set text a\\", "backslash");
    check_refused(*state, "set text \"a\\\"", "not closed");
    check_refused(*state, "set text \xff", "UTF-8");
    check_refused(*state, "set text \xe6\x9d", "byte 10 is 0xE6");
}

static void test_a_line_of_words_reads_back(void **state) {
    static const char *const words[] = {"plain",       "",     "two words", " lead",  "a\"b",
                                        "back\\slash", "#no",  "a\nb\t",    "\r",     "-1 2; 3",
                                        "注意 é",      "\\\"", "\"",        "--x=y z"};
    enum { COUNT = sizeof words / sizeof words[0] };
    Text line = text_open(*state);
    for (int i = 0; i < COUNT; i++) words_add(&line, words[i]);
    assert_null(strchr(line.bytes, '\n'));
    check_words(*state, line.bytes, COUNT, words);
}

static void test_nearest_names(void **state) {
    (void)state;
    static const char *const names[] = {"none", "causal", "padding", "window"};
    Err err = {0};
    assert_false(words_unknown(&err, "mask", "casual", names, 4));
    assert_string_equal(err.text, "unknown mask \"casual\"; did you mean causal?");
    assert_true(err.usage);
    words_unknown(&err, "mask", "zzzzzzzz", names, 4);
    assert_non_null(strstr(err.text, "none, causal, padding, window"));
    words_unknown(&err, "mask", "win", names, 4);
    assert_non_null(strstr(err.text, "did you mean window?"));
    static const struct {
        const char *typed, *said;
    } near[] = {
        {"CAUSAL", "did you mean causal?"}, {"--causal", "did you mean causal?"},
        {"ind", "did you mean window?"},    {"", "there are: none, causal, padding, window"},
        {"---", "there are: none"},
    };
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        words_unknown(&err, "mask", near[i].typed, names, 4);
        if (!strstr(err.text, near[i].said)) fail_msg("%s: %s", near[i].typed, err.text);
    }
    char name[4096];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    words_unknown(&err, "mask", name, names, 4);
    assert_true(strlen(err.text) < 200);
}

/* One letter is not near to another one, and many names are told as long as a sentence holds them.
 */
static void test_names_that_are_not_near(void **state) {
    (void)state;
    static const char *const letters[] = {"x", "-o", "rope_waves"};
    Err err = {0};
    words_unknown(&err, "stage", "y", letters, 3);
    assert_string_equal(err.text, "unknown stage \"y\"; there are: x, -o, rope_waves");
    words_unknown(&err, "option", "-v", letters, 3);
    assert_non_null(strstr(err.text, "there are: x"));
    words_unknown(&err, "scene", "rope-waves", letters, 3);
    assert_non_null(strstr(err.text, "did you mean rope_waves?"));
    const char *many[100];
    for (int i = 0; i < 100; i++) many[i] = "padding";
    words_unknown(&err, "mask", "zzz", many, 20);
    assert_non_null(strstr(err.text, "there are: padding, padding"));
    words_unknown(&err, "mask", "zzz", many, 100);
    assert_string_equal(err.text, "unknown mask \"zzz\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_blanks_part_words, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_quotes_and_backslashes, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_broken_lines_are_refused, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_a_line_of_words_reads_back, open_arena, close_arena),
        cmocka_unit_test(test_nearest_names),
        cmocka_unit_test(test_names_that_are_not_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
