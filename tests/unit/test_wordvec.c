/* Word vectors: both forms of the file, what real files hold, and sentences for what is wrong. */
#include "model/wordvec.h"

#include "token_tools.h"

#include <math.h>

typedef struct Fixture {
    Arena arena;
    const char *folder;
} Fixture;

static const char *const file_names[] = {"v.txt"};

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_open(out_of_memory);
    fixture->folder = new_folder(&fixture->arena);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    drop_folder(&fixture->arena, fixture->folder, file_names, 1);
    arena_close(&fixture->arena);
    free(fixture);
    return 0;
}

static bool read_text(Fixture *fixture, const char *text, WordVectors *vectors, Err *err) {
    const char *path = put_file(&fixture->arena, fixture->folder, file_names[0], text);
    return wordvec_read(path, &fixture->arena, vectors, err);
}

static void test_glove(void **state) {
    WordVectors vectors;
    Err err = {0};
    assert_true(
        read_text(*state, "the 0.418 -0.25 1e-3\r\n, 1 .5 -2.\ncaf\xc3\xa9 3 4 5", &vectors, &err));
    assert_int_equal(vectors.count, 3);
    assert_int_equal(vectors.D, 3);
    assert_string_equal(vectors.words[2], "caf\xc3\xa9");
    const float wanted[9] = {0.418f, -0.25f, 1e-3f, 1, 0.5f, -2, 3, 4, 5};
    for (int i = 0; i < 9; i++) assert_true(vectors.vectors[i] == wanted[i]);
}

/* The fast way for short numbers gives the same float as strtod. */
static void test_numbers_are_exact(void **state) {
    static const char *const numbers[] = {
        "0.13292",           "-0.000001234", "123456.789012",        "0.1234567890123456789",
        "-7.0064923216e-45", "3.4028234e38", "000000000000000000.5", "999999999999999"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Fixture *fixture = *state;
        WordVectors vectors;
        Err err = {0};
        const char *text = arena_printf(&fixture->arena, "w %s\n", numbers[i]);
        assert_true(read_text(fixture, text, &vectors, &err));
        assert_true(vectors.vectors[0] == (float)strtod(numbers[i], NULL));
    }
}

static void test_word2vec_header(void **state) {
    WordVectors vectors;
    Err err = {0};
    assert_true(read_text(*state, "2 3\nthe 1 2 3 \ncat 4 5 6 \n", &vectors, &err));
    assert_int_equal(vectors.count, 2);
    assert_int_equal(vectors.D, 3);
    assert_int_equal(wordvec_find(&vectors, "cat"), 1);
    assert_false(read_text(*state, "3 3\nthe 1 2 3\ncat 4 5 6\n", &vectors, &err));
    assert_has(err.text, "line 1 says 3 words, but 2 follow");
}

/* A number can be a word, and a line of two fields need not be a header. */
static void test_narrow_file_without_header(void **state) {
    WordVectors vectors;
    Err err = {0};
    assert_true(read_text(*state, "the 1\n1999 2\n", &vectors, &err));
    assert_int_equal(vectors.D, 1);
    assert_int_equal(wordvec_find(&vectors, "1999"), 1);
}

static void test_find(void **state) {
    WordVectors vectors;
    Err err = {0};
    assert_true(read_text(*state, "the 1\ncat 2\nUS 3\nus 4\ncat 9\n", &vectors, &err));
    assert_int_equal(vectors.count, 4);
    assert_int_equal(wordvec_find(&vectors, "the"), 0);
    assert_int_equal(wordvec_find(&vectors, "The"), 0);
    assert_int_equal(wordvec_find(&vectors, "US"), 2);
    assert_int_equal(wordvec_find(&vectors, "us"), 3);
    assert_int_equal(wordvec_find(&vectors, "dog"), -1);
    assert_int_equal(wordvec_find(&vectors, ""), -1);
    assert_true(vectors.vectors[1] == 2);
    assert_true(vectors.vectors[3] == 4);
}

/* A few words of the largest GloVe file hold spaces. */
static void test_word_with_spaces(void **state) {
    WordVectors vectors;
    Err err = {0};
    assert_true(read_text(*state, "the 1 2\n. . . 3 4\n", &vectors, &err));
    assert_string_equal(vectors.words[1], ". . .");
}

static void test_bom_and_blank_lines(void **state) {
    WordVectors vectors;
    Err err = {0};
    assert_true(read_text(*state, "\xef\xbb\xbfthe 1 2\n\n  \ncat 3 4\n\n", &vectors, &err));
    assert_int_equal(vectors.count, 2);
    assert_int_equal(wordvec_find(&vectors, "the"), 0);
}

static void test_bad_files(void **state) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "is empty"},
        {"\n \n", "is empty"},
        {"the\n", "line 1: no numbers"},
        {"the 1 2\ncat 1\n", "line 2: 1 numbers, where every line has 2"},
        {"the 1 2\n\ncat 1 2 3\n", "line 3: 3 numbers, where every line has 2"},
        {"the 1 2\ncat 1 x\n", "line 2: \"x\" stands where a finite float32 number belongs"},
        {"the 1 2\ncat 1 nan\n", "line 2: \"nan\" stands where a finite float32 number belongs"},
        {"the 1 2\ncat 1 1e39\n", "line 2: \"1e39\" stands where a finite float32 number belongs"},
        {"the 1 2\ncat 1 0x10\n", "line 2: \"0x10\" stands where a finite float32 number belongs"},
        {"the 1 2\ncat\xff 1 2\n", "line 2: it is not UTF-8"},
        {"the 1 2\ncat 1 \xff\n", "line 2: it is not UTF-8"},
        {"the 1 2\n1 2\n", "line 2: 1 numbers, where every line has 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        WordVectors vectors = {.count = -7};
        Err err = {0};
        assert_false(read_text(*state, bad[i].text, &vectors, &err));
        assert_has(err.text, bad[i].says);
        assert_int_equal(vectors.count, -7);
    }
}

/* Many short lines after a wide one must not ask for lines times width. */
static void test_table_is_no_larger_than_the_file_allows(void **state) {
    Fixture *fixture = *state;
    enum { WIDTH = 20000, LINES = 100000 };
    char *text = arena_alloc(&fixture->arena, 2 + 2 * WIDTH + 2 * LINES + 1);
    size_t at = 0;
    text[at++] = 'w';
    for (int i = 0; i < WIDTH + LINES; i++, at += 2) memcpy(text + at, i < WIDTH ? " 1" : "\nx", 2);
    WordVectors vectors;
    Err err = {0};
    size_t before = arena_held(&fixture->arena);
    assert_false(read_text(fixture, text, &vectors, &err));
    assert_has(err.text, "line 2: 0 numbers, where every line has 20000");
    assert_true(arena_held(&fixture->arena) - before < (size_t)64 << 20);
}

static void test_missing_file(void **state) {
    Fixture *fixture = *state;
    put_file(&fixture->arena, fixture->folder, file_names[0], "");
    WordVectors vectors;
    Err err = {0};
    assert_false(wordvec_read(file_join(&fixture->arena, fixture->folder, "nope"), &fixture->arena,
                              &vectors, &err));
    assert_has(err.text, "nope");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_glove, setup, teardown),
        cmocka_unit_test_setup_teardown(test_numbers_are_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(test_word2vec_header, setup, teardown),
        cmocka_unit_test_setup_teardown(test_narrow_file_without_header, setup, teardown),
        cmocka_unit_test_setup_teardown(test_find, setup, teardown),
        cmocka_unit_test_setup_teardown(test_word_with_spaces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bom_and_blank_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_table_is_no_larger_than_the_file_allows, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_missing_file, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
