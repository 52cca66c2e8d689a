/* The tokenizer: classes, words, learning with ties, encoding, decoding, files good and bad, and
 * the vocabulary that is shipped. The reference case checks the same at length. */
#include "model/bpe.h"

#include "token_tools.h"

static const char learned_from[] =
    "The movie was not bad at all; in fact the movie was better than the trailer promised. The "
    "cast is charming, the\nscript is thin, and the script repeats the same scenes until the story "
    "loses energy. I didn't expect to like it, but I did.\n";

typedef struct Fixture {
    Arena arena;
    Bpe *bpe; /* learned from the text above */
} Fixture;

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_open(out_of_memory);
    fixture->bpe = bpe_learn(&fixture->arena, learned_from, strlen(learned_from), 20);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    arena_close(&fixture->arena);
    free(fixture);
    return 0;
}

static void expect_words(Arena *arena, const char *text, const char *joined) {
    int count;
    BpeWord *words = bpe_words(arena, text, strlen(text), &count);
    char found[256] = "";
    for (int i = 0; i < count; i++) {
        if (i > 0) strcat(found, "|");
        strncat(found, text + words[i].start, words[i].end - words[i].start);
    }
    assert_string_equal(found, joined);
}

static void test_words(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    expect_words(arena, "", "");
    expect_words(arena, " \n\t\x1c", "");
    expect_words(arena, "didn't", "didn|'|t");
    expect_words(arena, "snake_case 10,000.50", "snake_case|10|,|000|.|50");
    expect_words(arena,
                 "a\xc2\xa0"
                 "b\xc2\x85"
                 "c\x1f"
                 "d",
                 "a|b|c|d");
    expect_words(arena, "cafe\xcc\x81!", "cafe|\xcc\x81|!");
    expect_words(arena, "\xe6\x9d\xb1\xf0\x9f\x99\x82", "\xe6\x9d\xb1|\xf0\x9f\x99\x82");
    expect_words(arena, "\xc2\xbd\xe2\x85\xa3", "\xc2\xbd\xe2\x85\xa3"); /* a half, Roman four */
}

static bool in_ranges(const BpeRange *ranges, int count, uint32_t code) {
    for (int i = 0; i < count; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    return false;
}

static void test_classes(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    int words, spaces;
    const BpeRange *word = bpe_word_ranges(arena, &words);
    const BpeRange *space = bpe_space_ranges(arena, &spaces);
    assert_int_equal(spaces, 10);
    assert_int_equal(word[0].first, '0');
    assert_int_equal(word[0].last, '9');
    assert_true(in_ranges(word, words, '_') && in_ranges(word, words, 0x1D538));
    assert_false(in_ranges(word, words, 0x301) || in_ranges(word, words, 0x200D));
    assert_true(in_ranges(space, spaces, 0x1C) && in_ranges(space, spaces, 0x85));
    assert_false(in_ranges(space, spaces, 0x200B));
}

/* As the course's own code learns from the same text. */
static void test_learns_in_order(void **state) {
    const Bpe *bpe = ((Fixture *)*state)->bpe;
    static const struct {
        const char *left, *right;
        int count;
    } wanted[] = {
        {"e", "</w>", 12},  {"t", "</w>", 10}, {"h", "e</w>", 8}, {"s", "</w>", 7},
        {"t", "he</w>", 6}, {"d", "</w>", 4},  {"n", "</w>", 4},  {",", "</w>", 3},
        {".", "</w>", 3},   {"e", "r", 3},     {"s", "c", 3},     {"I", "</w>", 2},
        {"T", "he</w>", 2}, {"a", "s</w>", 2}, {"c", "t</w>", 2}, {"d", "i", 2},
        {"e", "n", 2},      {"e", "s</w>", 2}, {"er", "</w>", 2}, {"h", "a", 2},
    };
    assert_int_equal(bpe_merge_count(bpe), 20);
    for (int i = 0; i < (int)(sizeof wanted / sizeof *wanted); i++) {
        const char *left, *right;
        int64_t count;
        bpe_merge(bpe, i, &left, &right, &count);
        assert_string_equal(left, wanted[i].left);
        assert_string_equal(right, wanted[i].right);
        assert_int_equal(count, wanted[i].count);
    }
}

static void test_learning_ends_when_no_pair_is_left(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    const Bpe *bpe = bpe_learn(arena, "ab ab", 5, 100);
    assert_int_equal(bpe_merge_count(bpe), 2);
    assert_int_equal(bpe_vocabulary(bpe), 260);
    assert_int_equal(bpe_padding(bpe), 259);
    assert_string_equal(bpe_symbol(bpe, 258), "ab</w>");
    assert_string_equal(bpe_symbol(bpe, 259), "[PAD]");
    assert_null(bpe_symbol(bpe, 260));
    assert_null(bpe_symbol(bpe, -1));
    assert_int_equal(bpe_merge_count(bpe_learn(arena, "", 0, 5)), 0);
}

/* "aaa": both pairs are counted, the left one is merged. */
static void test_overlapping_pairs(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    const Bpe *bpe = bpe_learn(arena, "aaa aaa", 7, 1);
    const char *left, *right;
    int64_t times;
    int count;
    bpe_merge(bpe, 0, &left, &right, &times);
    assert_int_equal(times, 4);
    const BpePiece *pieces = bpe_encode(bpe, arena, "aaa", 3, &count);
    assert_int_equal(count, 3);
    assert_int_equal(pieces[0].id, BPE_FIRST_MERGE);
    assert_int_equal(pieces[1].id, 'a');
    assert_int_equal(pieces[2].id, BPE_END_OF_WORD);
}

static void expect_pieces(const Fixture *fixture, const char *text, const char *joined) {
    Arena scratch = fixture->arena;
    int count;
    const BpePiece *pieces = bpe_encode(fixture->bpe, &scratch, text, strlen(text), &count);
    char found[512] = "";
    for (int i = 0; i < count; i++) {
        if (i > 0) strcat(found, " ");
        strcat(found, bpe_symbol(fixture->bpe, pieces[i].id));
    }
    assert_string_equal(found, joined);
}

static void test_encodes(void **state) {
    expect_pieces(*state, "the cast", "the</w> c a s t</w>");
    expect_pieces(*state, "The story is thin.", "The</w> s t o r y </w> i s</w> t h i n</w> .</w>");
    expect_pieces(*state, "", "");
    expect_pieces(*state, "\xe6\x9d\xb1", "\xc3\xa6 \xc4\xbf \xc2\xb1 </w>");
}

static void test_pieces_cover_their_bytes(void **state) {
    Fixture *fixture = *state;
    const char *text = " the \xf0\x9f\x99\x82 movie, didn't";
    int count;
    const BpePiece *pieces = bpe_encode(fixture->bpe, &fixture->arena, text, strlen(text), &count);
    int words;
    const BpeWord *word = bpe_words(&fixture->arena, text, strlen(text), &words);
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        bool first = i == 0 || pieces[i].word != pieces[i - 1].word;
        if (first) at = word[pieces[i].word].start;
        assert_int_equal(pieces[i].start, at);
        at = pieces[i].end;
        bool last = i + 1 == count || pieces[i + 1].word != pieces[i].word;
        if (last) assert_int_equal(at, word[pieces[i].word].end);
        if (pieces[i].id < BPE_BYTES)
            assert_int_equal(pieces[i].id, (unsigned char)text[pieces[i].start]);
    }
    assert_int_equal(pieces[count - 1].word, words - 1);
}

static void test_last_pieces(void **state) {
    Fixture *fixture = *state;
    const char *text = "the movie was not bad at all";
    int all, some;
    const BpePiece *every = bpe_encode(fixture->bpe, &fixture->arena, text, strlen(text), &all);
    for (int limit = 0; limit <= all + 1; limit++) {
        const BpePiece *last =
            bpe_encode_last(fixture->bpe, &fixture->arena, text, strlen(text), limit, &some);
        assert_int_equal(some, limit < all ? limit : all);
        for (int i = 0; i < some; i++) {
            assert_int_equal(last[i].id, every[all - some + i].id);
            assert_int_equal(last[i].word, every[all - some + i].word);
            assert_int_equal(last[i].start, every[all - some + i].start);
        }
    }
}

static void test_decodes_words(void **state) {
    Fixture *fixture = *state;
    const char *text = "the  movie didn't\n\xe6\x9d\xb1!";
    int count;
    const BpePiece *pieces = bpe_encode(fixture->bpe, &fixture->arena, text, strlen(text), &count);
    int *ids = ARENA_ARRAY(&fixture->arena, int, count + 1);
    for (int i = 0; i < count; i++) ids[i] = pieces[i].id;
    ids[count] = bpe_padding(fixture->bpe);
    char *decoded;
    size_t length;
    Err err = {0};
    assert_true(bpe_decode(fixture->bpe, &fixture->arena, ids, count + 1, &decoded, &length, &err));
    assert_string_equal(decoded, "the movie didn ' t \xe6\x9d\xb1 !");
    assert_int_equal(length, strlen(decoded));
    assert_true(bpe_decode(fixture->bpe, &fixture->arena, ids, 0, &decoded, &length, &err));
    assert_int_equal(length, 0);
    ids[1] = bpe_vocabulary(fixture->bpe);
    assert_false(bpe_decode(fixture->bpe, &fixture->arena, ids, 2, &decoded, &length, &err));
    assert_has(err.text, "id 278 at place 1 is outside the vocabulary, 0 to 277");
}

static void test_byte_letters(void **state) {
    (void)state;
    static const struct {
        uint8_t byte;
        const char *letter;
    } wanted[] = {{0, "\xc4\x80"},   {' ', "\xc4\xa0"}, {'!', "!"},        {'~', "~"},
                  {127, "\xc4\xa1"}, {160, "\xc5\x82"}, {161, "\xc2\xa1"}, {173, "\xc5\x83"},
                  {174, "\xc2\xae"}, {255, "\xc3\xbf"}};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char letter[3];
        bpe_byte_letter(wanted[i].byte, letter);
        assert_string_equal(letter, wanted[i].letter);
    }
}

static void test_files_there_and_back(void **state) {
    Fixture *fixture = *state;
    const char *folder = new_folder(&fixture->arena);
    Err err = {0};
    Bpe *read;
    assert_true(bpe_write(fixture->bpe, folder, fixture->arena, &err));
    assert_true(bpe_read(folder, &fixture->arena, &read, &err));
    assert_int_equal(bpe_vocabulary(read), bpe_vocabulary(fixture->bpe));
    for (int id = 0; id < bpe_vocabulary(read); id++)
        assert_string_equal(bpe_symbol(read, id), bpe_symbol(fixture->bpe, id));
    const char *text;
    size_t length;
    assert_true(file_read_text(file_join(&fixture->arena, folder, "vocab.json"), 1 << 20,
                               &fixture->arena, &text, &length, &err));
    assert_has(text, "\"\\\"\": 34");
    assert_has(text, "\"[PAD]\": 277");
    const char *const names[] = {"merges.txt", "vocab.json"};
    drop_folder(&fixture->arena, folder, names, 2);
}

/* When two merges spell the same symbol, it has one id, and order still decides. */
static void test_symbol_spelled_twice(void **state) {
    Fixture *fixture = *state;
    const char *folder = new_folder(&fixture->arena);
    put_file(&fixture->arena, folder, "merges.txt", "b c\na bc\na b\nab c\nabc d\n");
    Err err = {0};
    Bpe *bpe;
    int count;
    assert_true(bpe_read(folder, &fixture->arena, &bpe, &err));
    assert_int_equal(bpe_merge_count(bpe), 5);
    assert_int_equal(bpe_vocabulary(bpe), 257 + 4 + 1);
    const BpePiece *pieces = bpe_encode(bpe, &fixture->arena, "abcd", 4, &count);
    assert_int_equal(count, 2);
    assert_string_equal(bpe_symbol(bpe, pieces[0].id), "abcd");
    const char *const names[] = {"merges.txt"};
    drop_folder(&fixture->arena, folder, names, 1);
}

static void test_bad_files(void **state) {
    Fixture *fixture = *state;
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"#version: 0.2\na b\nx\n", "line 3: \"x\" is not two symbols parted by one space"},
        {"a b c\n", "line 1: \"a b c\" is not two symbols"},
        {"a b\n\nc d\n", "line 2: \"\" is not two symbols"},
        {"a b\nab cd\n", "line 2: \"cd\" is no byte letter and no earlier merge made it"},
        {"a </w>\na</w> b\n", "line 2: \"a</w>\" ends a word"},
        {"a \xff\n", "UTF-8"},
        {"a a\naa aa\naaaa aaaa\naaaaaaaa aaaaaaaa\naaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa\n", NULL},
    };
    const char *folder = new_folder(&fixture->arena);
    const char *const names[] = {"merges.txt"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_file(&fixture->arena, folder, names[0], bad[i].text);
        Err err = {0};
        Bpe *bpe = NULL;
        bool good = bpe_read(folder, &fixture->arena, &bpe, &err);
        assert_int_equal(good, bad[i].says == NULL);
        if (bad[i].says) assert_has(err.text, bad[i].says);
        if (bad[i].says) assert_null(bpe);
    }
    drop_folder(&fixture->arena, folder, names, 1);
    Err err = {0};
    Bpe *bpe;
    assert_false(bpe_read(folder, &fixture->arena, &bpe, &err));
    assert_has(err.text, "merges.txt");
}

/* Lines that each double a symbol must not ask for memory without end. */
static void test_symbols_have_a_longest_length(void **state) {
    Fixture *fixture = *state;
    Arena *arena = &fixture->arena;
    const char *folder = new_folder(arena), *symbol = "a", *lines = "";
    for (int i = 0; i < 11; i++) {
        lines = arena_printf(arena, "%s%s %s\n", lines, symbol, symbol);
        symbol = arena_printf(arena, "%s%s", symbol, symbol);
    }
    put_file(arena, folder, "merges.txt", lines);
    Err err = {0};
    Bpe *bpe;
    assert_false(bpe_read(folder, arena, &bpe, &err));
    assert_has(err.text, "line 11: the merged symbol is longer than the 1024 bytes allowed");
    const char *const names[] = {"merges.txt"};
    drop_folder(arena, folder, names, 1);
}

static void test_shipped_vocabulary(void **state) {
    Fixture *fixture = *state;
    Err err = {0};
    Bpe *bpe;
    assert_true(bpe_read("assets/bpe", &fixture->arena, &bpe, &err));
    assert_int_equal(bpe_merge_count(bpe), 332);
    assert_int_equal(bpe_vocabulary(bpe), 590);
    const char *text = "The film is not bad at all, a surprisingly warm finale";
    int count;
    const BpePiece *pieces = bpe_encode(bpe, &fixture->arena, text, strlen(text), &count);
    assert_int_equal(count, 23);
    assert_string_equal(bpe_symbol(bpe, pieces[1].id), "film</w>");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_classes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_learns_in_order, setup, teardown),
        cmocka_unit_test_setup_teardown(test_learning_ends_when_no_pair_is_left, setup, teardown),
        cmocka_unit_test_setup_teardown(test_overlapping_pairs, setup, teardown),
        cmocka_unit_test_setup_teardown(test_encodes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_pieces_cover_their_bytes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_last_pieces, setup, teardown),
        cmocka_unit_test_setup_teardown(test_decodes_words, setup, teardown),
        cmocka_unit_test_setup_teardown(test_byte_letters, setup, teardown),
        cmocka_unit_test_setup_teardown(test_files_there_and_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_symbol_spelled_twice, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_symbols_have_a_longest_length, setup, teardown),
        cmocka_unit_test_setup_teardown(test_shipped_vocabulary, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
