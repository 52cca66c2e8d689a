/* Labels of tokens: nothing merged, nothing blank, bytes of a character joined. */
#include "base/label.h"
#include "base/rng.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TOKENS_MAX = 16 };

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

static Label *labels_of(Arena *arena, const char *const *tokens, int count) {
    LabelBytes bytes[TOKENS_MAX];
    for (int i = 0; i < count; i++)
        bytes[i] = (LabelBytes){(const uint8_t *)tokens[i], strlen(tokens[i])};
    return label_tokens(arena, bytes, count);
}

static void test_C1_equal_tokens_stay_apart(void **state) {
    const char *const tokens[] = {"the", "cat", "the"};
    Label *labels = labels_of(*state, tokens, 3);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(labels[i].text, tokens[i]);
        assert_string_equal(labels[i].full, tokens[i]);
        assert_int_equal(labels[i].group, LABEL_NO_GROUP);
        assert_null(labels[i].group_text);
    }
}

static void test_C3_bytes_of_a_character(void **state) {
    const char *const tokens[] = {"\xE6\x9D", "\xB1", "x"};
    Label *labels = labels_of(*state, tokens, 3);
    assert_string_equal(labels[0].text, "<E6 9D>");
    assert_string_equal(labels[1].text, "<B1>");
    assert_int_equal(labels[0].group, labels[1].group);
    assert_int_not_equal(labels[0].group, LABEL_NO_GROUP);
    assert_string_equal(labels[0].group_text, "東");
    assert_string_equal(labels[1].group_text, "東");
    assert_int_equal(labels[2].group, LABEL_NO_GROUP);
}

static void test_C4_emoji_in_two_tokens(void **state) {
    const char *const tokens[] = {"\xF0\x9F", "\x99\x82"};
    Label *labels = labels_of(*state, tokens, 2);
    assert_string_equal(labels[0].text, "<F0 9F>");
    assert_string_equal(labels[1].text, "<99 82>");
    assert_string_equal(labels[0].group_text, "🙂");
    assert_string_equal(label_code_points(*state, labels[0].group_text), "U+1F642");
}

static void test_groups_beside_and_in_chains(void **state) {
    const char *const tokens[] = {"\xE6", "\x9D", "\xB1", "a\xE6", "\x9D\xB1\xC3", "", "\xA9."};
    Label *labels = labels_of(*state, tokens, 7);
    assert_string_equal(labels[1].text, "<9D>");
    assert_int_equal(labels[0].group, labels[2].group);
    assert_string_equal(labels[0].group_text, "東");
    assert_string_equal(labels[3].text, "a<E6>");
    assert_string_equal(labels[4].text, "<9D B1 C3>");
    assert_string_equal(labels[6].text, "<A9>.");
    assert_int_not_equal(labels[3].group, labels[2].group);
    assert_int_equal(labels[3].group, labels[4].group);
    assert_string_equal(labels[3].group_text, "a東é.");
    /* The empty token stands between two halves of a character, and the bracket spans it. */
    for (int i = 4; i < 7; i++) assert_int_equal(labels[i].group, labels[3].group);
    assert_string_equal(labels[5].text, "∅");
}

static void test_C8_blank_tokens(void **state) {
    const char *const tokens[] = {" ", "\n", "\t", "", "a", "\r", "\a", "   "};
    const char *const want[] = {"␣", "⏎", "⇥", "∅", "a", "⇤", "U+0007", "␣␣␣"};
    Label *labels = labels_of(*state, tokens, 8);
    for (int i = 0; i < 8; i++) {
        assert_string_equal(labels[i].text, want[i]);
        assert_string_equal(labels[i].full, tokens[i]);
    }
    assert_string_equal(label_code_points(*state, labels[1].full), "U+000A");
}

static void test_C8_spaces_around_letters(void **state) {
    const char *const tokens[] = {" the",         "the ",     "new york",     "a\nb",
                                  "\xE2\x80\x8B", "\xC2\xA0", "\xE2\x80\xAEx"};
    const char *const want[] = {"␣the", "the␣", "new york", "a⏎b", "U+200B", "U+00A0", "U+202Ex"};
    Label *labels = labels_of(*state, tokens, 7);
    for (int i = 0; i < 7; i++) assert_string_equal(labels[i].text, want[i]);
}

static void test_joiners_stay_inside_words(void **state) {
    const char *family = "👩\xE2\x80\x8D👧";
    assert_string_equal(label_plain(*state, family).text, family);
    assert_string_equal(label_plain(*state, "\xE2\x80\x8D").text, "U+200D");
}

static void test_nul_and_wrong_bytes(void **state) {
    const LabelBytes tokens[] = {{(const uint8_t *)"a\0b", 3}, {(const uint8_t *)"\xFF\xC3", 2}};
    Label *labels = label_tokens(*state, tokens, 2);
    assert_string_equal(labels[0].text, "aU+0000b");
    assert_string_equal(labels[0].full, "aU+0000b");
    assert_string_equal(labels[1].text, "<FF C3>");
    assert_string_equal(labels[1].full, "<FF C3>");
    assert_int_equal(labels[1].group, LABEL_NO_GROUP);
}

/* Whatever the bytes: valid text, never empty, one line, and groups are runs of neighbours. */
static void test_any_bytes_give_readable_labels(void **state) {
    Rng rng = rng_seed(5);
    for (int round = 0; round < 2000; round++) {
        Arena arena = *(Arena *)*state;
        uint8_t bytes[64];
        LabelBytes tokens[TOKENS_MAX];
        int count = (int)rng_below(&rng, TOKENS_MAX + 1);
        const uint8_t some[] = {0xE6, 0x9D, 0xB1, 0xF0, 0x9F, 0x99, 0x82, 'a', ' ', '\n', 0xC3, 0};
        for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = some[rng_below(&rng, sizeof some)];
        for (int i = 0; i < count; i++) tokens[i] = (LabelBytes){bytes + 4 * i, rng_below(&rng, 5)};
        Label *labels = label_tokens(&arena, tokens, count);
        for (int i = 0; i < count; i++) {
            assert_true(labels[i].text[0] != '\0');
            assert_true(utf8_valid(labels[i].text, strlen(labels[i].text), NULL));
            assert_true(utf8_valid(labels[i].full, strlen(labels[i].full), NULL));
            assert_null(strpbrk(labels[i].text, "\r\n\t"));
            assert_true((labels[i].group == LABEL_NO_GROUP) == (labels[i].group_text == NULL));
            if (labels[i].group_text)
                assert_true((i > 0 && labels[i - 1].group == labels[i].group) ||
                            (i + 1 < count && labels[i + 1].group == labels[i].group));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_C1_equal_tokens_stay_apart, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_C3_bytes_of_a_character, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_C4_emoji_in_two_tokens, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_groups_beside_and_in_chains, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_C8_blank_tokens, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_C8_spaces_around_letters, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_joiners_stay_inside_words, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_nul_and_wrong_bytes, open_arena, close_arena),
        cmocka_unit_test_setup_teardown(test_any_bytes_give_readable_labels, open_arena,
                                        close_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
