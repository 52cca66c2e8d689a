/* From text to tokens, labels and vectors. */
#include "scene_bench.h"

#include "scene/sentence.h"

#include <math.h>

static Sentence read_text(Bench *bench, const char *text, SentenceUnit unit) {
    Sentence sentence = {0};
    if (!sentence_read(text, unit, "", &bench->stage, &bench->arena, &sentence, &bench->err))
        fail_msg("%s", bench->err.text);
    return sentence;
}

static const char *refusal(Bench *bench, const char *text, SentenceUnit unit, const char *vectors) {
    Sentence sentence = {.T = 7};
    assert_false(
        sentence_read(text, unit, vectors, &bench->stage, &bench->arena, &sentence, &bench->err));
    assert_int_equal(sentence.T, 7);
    return bench->err.text;
}

static void test_words_are_means_of_pieces(void **state) {
    Bench *bench = *state;
    Sentence words = read_text(bench, "a finale,", SENTENCE_WORDS);
    Sentence pieces = read_text(bench, "finale", SENTENCE_PIECES);
    assert_int_equal(words.T, 3);
    assert_int_equal(words.D, BENCH_WIDTH);
    assert_string_equal(words.labels[1].text, "finale");
    assert_string_equal(words.labels[2].text, ",");
    for (int d = 0; d < words.D; d++) {
        double mean = 0;
        for (int i = 0; i < pieces.T; i++) mean += (double)pieces.x[i * words.D + d] / pieces.T;
        assert_true(fabs(mean - (double)words.x[words.D + d]) < 1e-6);
    }
    for (int i = 0; i < pieces.T; i++) assert_int_equal(words.ids[words.slots + i], pieces.ids[i]);
    if (pieces.T < words.slots) assert_int_equal(words.ids[words.slots + pieces.T], -1);
}

static void test_pieces_show_the_end_of_a_word(void **state) {
    Bench *bench = *state;
    Sentence sentence = read_text(bench, "xyz the", SENTENCE_PIECES);
    assert_string_equal(sentence.labels[0].text, "x");
    assert_string_equal(sentence.labels[3].text, "</w>"); /* a piece of its own */
    const char *last = sentence.labels[sentence.T - 1].text;
    assert_string_equal(last, "the</w>"); /* learned as one piece */
    const int *ids = sentence.ids;
    assert_string_equal(sentence_piece(&sentence, ids[3], &bench->arena), "</w>");
    assert_string_equal(sentence_piece(&sentence, ids[sentence.T - 1], &bench->arena), "the</w>");
}

static void test_C3_C4_bytes_of_a_character(void **state) {
    Bench *bench = *state;
    Sentence sentence = read_text(bench, "\xE6\x9D\xB1 \xF0\x9F\x99\x82", SENTENCE_PIECES);
    static const char *const want[] = {"<E6>", "<9D>", "<B1>", "</w>", "<F0>",
                                       "<9F>", "<99>", "<82>", "</w>"};
    assert_int_equal(sentence.T, 9);
    for (int i = 0; i < 9; i++) assert_string_equal(sentence.labels[i].text, want[i]);
    assert_string_equal(sentence.labels[2].group_text, "\xE6\x9D\xB1");
    assert_int_equal(sentence.labels[0].group, sentence.labels[2].group);
    assert_int_equal(sentence.labels[3].group, LABEL_NO_GROUP);
    assert_string_equal(sentence.labels[7].group_text, "\xF0\x9F\x99\x82");
    assert_string_equal(sentence_piece(&sentence, sentence.ids[0], &bench->arena), "<E6>");
}

static void test_order(void **state) {
    Bench *bench = *state;
    Sentence typed = read_text(bench, "the film is warm", SENTENCE_WORDS);
    int place[4], seen = 0;
    Sentence back = sentence_ordered(&typed, SENTENCE_REVERSED, 0, &bench->arena, place);
    assert_string_equal(back.labels[0].text, "warm");
    assert_int_equal(place[0], 3);
    assert_memory_equal(back.x, typed.x + 3 * typed.D, (size_t)typed.D * sizeof(float));
    Sentence mixed = sentence_ordered(&typed, SENTENCE_SHUFFLED, 5, &bench->arena, place);
    for (int i = 0; i < 4; i++) {
        seen |= 1 << place[i];
        assert_string_equal(mixed.labels[i].text, typed.labels[place[i]].text);
        assert_memory_equal(mixed.ids + i * typed.slots, typed.ids + place[i] * typed.slots,
                            (size_t)typed.slots * sizeof(int));
    }
    assert_int_equal(seen, 15);
}

static void test_parted_character_has_no_bracket(void **state) {
    Bench *bench = *state;
    Sentence typed = read_text(bench, "\xE6\x9D\xB1 ab", SENTENCE_PIECES);
    Sentence back = sentence_ordered(&typed, SENTENCE_REVERSED, 0, &bench->arena, NULL);
    assert_int_equal(back.labels[back.T - 1].group, typed.labels[0].group);
    bool parted = false;
    for (uint64_t seed = 0; seed < 9; seed++) {
        int place[16];
        Sentence mixed = sentence_ordered(&typed, SENTENCE_SHUFFLED, seed, &bench->arena, place);
        int first = mixed.T, last = -1;
        for (int i = 0; i < mixed.T; i++) {
            if (place[i] > 2) continue;
            if (i < first) first = i;
            last = i;
        }
        bool together = last - first == 2;
        for (int i = first; i <= last; i++)
            if (place[i] <= 2) assert_int_equal(mixed.labels[i].group != LABEL_NO_GROUP, together);
        parted = parted || !together;
    }
    assert_true(parted);
}

static void test_refused(void **state) {
    Bench *bench = *state;
    const char *none = "the text has no words; type at least one";
    assert_string_equal(refusal(bench, "", SENTENCE_WORDS, ""), none);
    assert_string_equal(refusal(bench, " \t\xC2\xA0\n", SENTENCE_WORDS, ""), none);
    Text text = text_open(&bench->arena);
    for (int i = 0; i < 513; i++) text_add(&text, "a ");
    assert_string_equal(refusal(bench, text.bytes, SENTENCE_WORDS, ""),
                        "the text has 513 words, at most 512 fit; shorten it");
    text.bytes[1024] = '\0';
    assert_int_equal(read_text(bench, text.bytes, SENTENCE_WORDS).T, 512);
    Text long_word = text_open(&bench->arena);
    for (int i = 0; i < 600; i++) text_add(&long_word, "\xE6\x9D\xB1");
    assert_string_equal(refusal(bench, long_word.bytes, SENTENCE_PIECES, ""),
                        "the text has 1801 pieces, at most 512 fit; shorten it, or take words as "
                        "tokens: --unit words");
}

static void test_word_vectors(void **state) {
    Bench *bench = *state;
    const char *path = bench_file(bench, "a.txt", "the 1 2\nfilm 3 4\n");
    Sentence sentence;
    assert_true(sentence_read("The film", SENTENCE_WORDS, path, &bench->stage, &bench->arena,
                              &sentence, &bench->err));
    assert_int_equal(sentence.D, 2);
    static const float want[] = {1, 2, 3, 4};
    assert_memory_equal(sentence.x, want, sizeof want);
    assert_string_equal(sentence.note, "Each word has its vector from a.txt.");
    assert_string_equal(sentence_piece(&sentence, 1, &bench->arena), "row 1");
    assert_string_equal(refusal(bench, "the warm film is 1 2 3 4", SENTENCE_WORDS, path),
                        arena_printf(&bench->arena,
                                     "%s has no vector for warm, is, 1, 2, 3 and 1 more; write "
                                     "other words or take another file",
                                     path));
    assert_string_equal(refusal(bench, "the", SENTENCE_PIECES, path),
                        "a file of word vectors has no pieces; with --embeddings take words as "
                        "tokens: --unit words");
}

static void test_missing_model(void **state) {
    Bench *bench = *state;
    bench->stage.assets = "/nowhere";
    assert_non_null(strstr(refusal(bench, "the", SENTENCE_WORDS, ""), "/nowhere/bpe"));
}

static int set_up(void **state) {
    *state = bench_open();
    return 0;
}

static int tear_down(void **state) {
    bench_close(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_words_are_means_of_pieces),
        TEST(test_pieces_show_the_end_of_a_word),
        TEST(test_C3_C4_bytes_of_a_character),
        TEST(test_order),
        TEST(test_parted_character_has_no_bracket),
        TEST(test_refused),
        TEST(test_word_vectors),
        TEST(test_missing_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
