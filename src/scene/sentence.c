/* Words and pieces go the same way: a list of tokens, each with its bytes and its piece ids; the
 * vector of a token is the mean over its ids. */
#include "scene/sentence.h"

#include "base/rng.h"
#include "base/text.h"
#include "core/layers.h"

#include <string.h>

enum { UNKNOWN_SHOWN = 5 };

static const char END_OF_WORD[] = "</w>";

const KnobChoice sentence_units[] = {
    [SENTENCE_WORDS] = {"words", "words"},
    [SENTENCE_PIECES] = {"pieces", "pieces"},
    {NULL, NULL},
};

const KnobChoice sentence_orders[] = {
    [SENTENCE_TYPED] = {"typed", "as typed"},
    [SENTENCE_REVERSED] = {"reversed", "reversed"},
    [SENTENCE_SHUFFLED] = {"shuffled", "shuffled"},
    {NULL, NULL},
};

static bool check_count(int count, const char *what, const char *advice, Err *err) {
    if (count == 0) return err_set(err, "the text has no words; type at least one");
    if (count > SENTENCE_TOKENS_MAX)
        return err_set(err, "the text has %d %s, at most %d fit; %s", count, what,
                       SENTENCE_TOKENS_MAX, advice);
    return true;
}

static LabelBytes bytes_of(const char *text, size_t start, size_t end) {
    return (LabelBytes){.bytes = (const uint8_t *)text + start, .length = end - start};
}

static const Label *word_labels(Arena *arena, const char *text, const BpeWord *words, int count) {
    LabelBytes *tokens = ARENA_ARRAY(arena, LabelBytes, count);
    for (int i = 0; i < count; i++) tokens[i] = bytes_of(text, words[i].start, words[i].end);
    return label_tokens(arena, tokens, count);
}

static bool ends_word(const char *symbol) {
    size_t length = strlen(symbol), tail = sizeof END_OF_WORD - 1;
    return length >= tail && strcmp(symbol + length - tail, END_OF_WORD) == 0;
}

/* "</w>" is written as such: it is a symbol of the vocabulary, and the same piece with and without
 * it has different vectors. */
static const Label *piece_labels(Arena *arena, const Bpe *bpe, const char *text,
                                 const BpePiece *pieces, int count) {
    LabelBytes *tokens = ARENA_ARRAY(arena, LabelBytes, count);
    for (int i = 0; i < count; i++) tokens[i] = bytes_of(text, pieces[i].start, pieces[i].end);
    Label *labels = label_tokens(arena, tokens, count);
    for (int i = 0; i < count; i++) {
        if (!ends_word(bpe_symbol(bpe, pieces[i].id))) continue;
        bool alone = tokens[i].length == 0;
        labels[i].text = arena_printf(arena, "%s%s", alone ? "" : labels[i].text, END_OF_WORD);
        labels[i].full = arena_printf(arena, "%s%s", alone ? "" : labels[i].full, END_OF_WORD);
    }
    return labels;
}

/* ids[T,slots] of pieces whose token is token[i], which does not fall. */
static void collect_ids(Sentence *sentence, const BpePiece *pieces, const int *token, int count,
                        Arena *arena) {
    int run = 0;
    for (int i = 0; i < count; i++) {
        run = i > 0 && token[i] == token[i - 1] ? run + 1 : 1;
        if (run > sentence->slots) sentence->slots = run;
    }
    size_t slots = (size_t)sentence->slots, size = (size_t)sentence->T * slots;
    int *ids = ARENA_ARRAY(arena, int, size);
    for (size_t i = 0; i < size; i++) ids[i] = -1;
    for (int i = 0; i < count; i++) {
        run = i > 0 && token[i] == token[i - 1] ? run + 1 : 0;
        ids[(size_t)token[i] * slots + (size_t)run] = pieces[i].id;
    }
    sentence->ids = ids;
}

/* x[T,D]: the mean of the vectors of each token's pieces. */
static void average(Sentence *sentence, const DanTable *table, Arena *arena) {
    int D = table->D;
    float *x = ARENA_ARRAY(arena, float, (size_t)sentence->T *(size_t)D);
    float *vector = ARENA_ARRAY(arena, float, D);
    for (int t = 0; t < sentence->T; t++) {
        const int *ids = sentence->ids + (size_t)t * (size_t)sentence->slots;
        float *row = x + (size_t)t * (size_t)D;
        int count = 0;
        for (; count < sentence->slots && ids[count] >= 0; count++) {
            dan_table_row(table, ids[count], vector);
            for (int d = 0; d < D; d++) row[d] += vector[d];
        }
        for (int d = 0; d < D; d++) row[d] /= (float)count;
    }
    sentence->D = D;
    sentence->x = x;
}

static bool read_pieces(const char *text, SentenceUnit unit, Stage *stage, Arena *arena,
                        Sentence *sentence, Err *err) {
    const Bpe *bpe = NULL;
    const DanTable *embedding = NULL;
    if (!stage_bpe(stage, &bpe, err) || !stage_embedding(stage, &embedding, err)) return false;
    int count = 0, words = 0;
    const BpeWord *word = bpe_words(arena, text, strlen(text), &words);
    bool as_words = unit == SENTENCE_WORDS;
    if (!check_count(words, "words", "shorten it", err)) return false;
    const BpePiece *pieces = bpe_encode(bpe, arena, text, strlen(text), &count);
    if (!as_words &&
        !check_count(count, "pieces", "shorten it, or take words as tokens: --unit words", err))
        return false;
    int *token = ARENA_ARRAY(arena, int, count);
    for (int i = 0; i < count; i++) token[i] = as_words ? pieces[i].word : i;
    Sentence read = {.T = as_words ? words : count, .bpe = bpe, .embedding = embedding};
    read.labels = as_words ? word_labels(arena, text, word, words)
                           : piece_labels(arena, bpe, text, pieces, count);
    read.note = as_words ? "Each word is the mean of the vectors of its pieces, which heed's "
                           "averaging network learned from film reviews."
                         : "Each piece has a vector that heed's averaging network learned from "
                           "film reviews; </w> ends a word.";
    collect_ids(&read, pieces, token, count, arena);
    average(&read, embedding, arena);
    *sentence = read;
    return true;
}

const char *sentence_piece(const Sentence *sentence, int id, Arena *arena) {
    if (!sentence->bpe) return arena_printf(arena, "row %d", id);
    char *text = NULL;
    size_t length = 0;
    const char *end = ends_word(bpe_symbol(sentence->bpe, id)) ? END_OF_WORD : "";
    if (!bpe_decode(sentence->bpe, arena, &id, 1, &text, &length, NULL) || length == 0)
        return END_OF_WORD;
    LabelBytes bytes = bytes_of(text, 0, length);
    return arena_printf(arena, "%s%s", label_tokens(arena, &bytes, 1)->text, end);
}

static bool refuse_unknown(const Label *labels, const int *rows, int count, const char *path,
                           Arena scratch, Err *err) {
    Text list = text_open(&scratch);
    int unknown = 0;
    for (int i = 0; i < count; i++) {
        if (rows[i] >= 0) continue;
        if (unknown < UNKNOWN_SHOWN) text_addf(&list, "%s%s", unknown ? ", " : "", labels[i].text);
        unknown++;
    }
    if (unknown > UNKNOWN_SHOWN) text_addf(&list, " and %d more", unknown - UNKNOWN_SHOWN);
    return err_set(err, "%s has no vector for %s; write other words or take another file", path,
                   list.bytes);
}

static bool read_vectors(const char *text, const char *path, Stage *stage, Arena *arena,
                         Sentence *sentence, Err *err) {
    const WordVectors *vectors = NULL;
    if (!stage_vectors(stage, path, &vectors, err)) return false;
    int count = 0;
    const BpeWord *words = bpe_words(arena, text, strlen(text), &count);
    if (!check_count(count, "words", "shorten it", err)) return false;
    Sentence read = {.T = count, .slots = 1};
    read.labels = word_labels(arena, text, words, count);
    int *rows = ARENA_ARRAY(arena, int, count);
    bool known = true;
    for (int i = 0; i < count; i++) {
        size_t length = words[i].end - words[i].start;
        rows[i] = wordvec_find(vectors, arena_bytes(arena, text + words[i].start, length));
        if (rows[i] < 0) known = false;
    }
    if (!known) return refuse_unknown(read.labels, rows, count, path, *arena, err);
    const char *slash = strrchr(path, '/');
    read.note = arena_printf(arena, "Each word has its vector from %s.", slash ? slash + 1 : path);
    read.ids = rows;
    float *x = ARENA_ARRAY(arena, float, (size_t)count *(size_t)vectors->D);
    embedding_forward(x, vectors->vectors, rows, count, vectors->D);
    read.D = vectors->D;
    read.x = x;
    *sentence = read;
    return true;
}

bool sentence_read(const char *text, SentenceUnit unit, const char *vectors, Stage *stage,
                   Arena *arena, Sentence *sentence, Err *err) {
    if (!*vectors) return read_pieces(text, unit, stage, arena, sentence, err);
    if (unit == SENTENCE_PIECES)
        return err_set(err, "a file of word vectors has no pieces; with --embeddings take words "
                            "as tokens: --unit words");
    return read_vectors(text, vectors, stage, arena, sentence, err);
}

/* A character whose pieces no longer stand side by side has no bracket. */
static void part_groups(Label *labels, const Label *typed, int count) {
    for (int i = 0, next; i < count; i = next) {
        int group = labels[i].group, members = 0;
        for (next = i + 1; next < count && group >= 0 && labels[next].group == group; next++) {}
        for (int j = 0; j < count && group >= 0; j++) members += typed[j].group == group;
        if (next - i == members) continue;
        for (int j = i; j < next; j++) {
            labels[j].group = LABEL_NO_GROUP;
            labels[j].group_text = NULL;
        }
    }
}

Sentence sentence_permuted(const Sentence *typed, const int *place, Arena *arena) {
    size_t T = (size_t)typed->T, D = (size_t)typed->D, slots = (size_t)typed->slots;
    Label *labels = ARENA_ARRAY(arena, Label, T);
    float *x = ARENA_ARRAY(arena, float, T *D);
    int *ids = ARENA_ARRAY(arena, int, T *slots);
    for (size_t i = 0; i < T; i++) {
        size_t at = (size_t)place[i];
        labels[i] = typed->labels[at];
        memcpy(x + i * D, typed->x + at * D, D * sizeof *x);
        memcpy(ids + i * slots, typed->ids + at * slots, slots * sizeof *ids);
    }
    part_groups(labels, typed->labels, typed->T);
    Sentence ordered = *typed;
    ordered.labels = labels;
    ordered.x = x;
    ordered.ids = ids;
    return ordered;
}

Sentence sentence_ordered(const Sentence *typed, SentenceOrder order, uint64_t seed, Arena *arena,
                          int *place) {
    int *from = place ? place : ARENA_ARRAY(arena, int, typed->T);
    Rng rng = rng_seed(seed);
    if (order == SENTENCE_SHUFFLED) rng_permutation(&rng, from, typed->T);
    for (int i = 0; i < typed->T && order != SENTENCE_SHUFFLED; i++)
        from[i] = order == SENTENCE_REVERSED ? typed->T - 1 - i : i;
    return order == SENTENCE_TYPED ? *typed : sentence_permuted(typed, from, arena);
}
