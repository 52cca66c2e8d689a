/* A sentence on its way into attention: text, tokens, labels, and X, one vector a token. */
#ifndef SCENE_SENTENCE_H
#define SCENE_SENTENCE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/label.h"
#include "scene/knob.h"
#include "scene/stage.h"

#include <stdbool.h>
#include <stdint.h>

enum { SENTENCE_TOKENS_MAX = 512, SENTENCE_TEXT_MAX = 16384, SENTENCE_PATH_MAX = 4096 };

typedef enum SentenceUnit { SENTENCE_WORDS, SENTENCE_PIECES } SentenceUnit;
typedef enum SentenceOrder { SENTENCE_TYPED, SENTENCE_REVERSED, SENTENCE_SHUFFLED } SentenceOrder;

/* Choices in the order of the enums. */
extern const KnobChoice sentence_units[], sentence_orders[];

/* Rows for a knob table: the sentence, what a token of it is, and where its vectors come from. Each
 * names its field: char [SENTENCE_TEXT_MAX], int, char [SENTENCE_PATH_MAX]. */
#define SENTENCE_EXAMPLE "The film is not bad at all, a surprisingly warm finale"

#define SENTENCE_TEXT_KNOB(State, field, start_)                                                   \
    {                                                                                              \
        .name = "text", .label = "text", .kind = KNOB_TEXT, .at = offsetof(State, field),          \
        .size = SENTENCE_TEXT_MAX, .start = start_, .hidden = true,                                \
        .help = "the sentence, at most 512 tokens"                                                 \
    }

#define SENTENCE_UNIT_KNOB(State, field)                                                           \
    {                                                                                              \
        .name = "unit", .label = "tokens", .kind = KNOB_CHOICE, .at = offsetof(State, field),      \
        .choices = sentence_units, .start = "words", .key = 'U',                                   \
        .help = "what a token is: a word (the mean of its pieces) or a piece of the vocabulary"    \
    }

#define SENTENCE_EMBEDDINGS_KNOB(State, field)                                                     \
    {                                                                                              \
        .name = "embeddings", .label = "embeddings", .kind = KNOB_FILE,                            \
        .at = offsetof(State, field), .size = SENTENCE_PATH_MAX, .start = "",                      \
        .help = "file of word vectors (GloVe or word2vec text) instead of heed's own"              \
    }

/* The order of the tokens, int, and the number of the shuffle, int. */
#define SENTENCE_ORDER_KNOBS(State, field, seed_field)                                             \
    {.name = "order",                                                                              \
     .label = "order",                                                                             \
     .kind = KNOB_CHOICE,                                                                          \
     .at = offsetof(State, field),                                                                 \
     .choices = sentence_orders,                                                                   \
     .start = "typed",                                                                             \
     .key = 'O',                                                                                   \
     .help = "order of the tokens; attention does not know it"},                                   \
    {                                                                                              \
        .name = "seed", .label = "shuffle", .kind = KNOB_INT, .at = offsetof(State, seed_field),   \
        .min = 0, .max = 9999, .step = 1, .start = "1", .key = 'N',                                \
        .help = "number of the shuffle"                                                            \
    }

typedef struct Sentence {
    int T, D;
    const Label *labels; /* [T] */
    const float *x;      /* [T,D] */
    int slots;           /* most pieces in a token */
    const int *ids;      /* [T,slots]: the pieces of each token (or its row in the file of word
                            vectors), -1 behind the last */
    const char *note;    /* a whole sentence: where the vectors come from */
    const Bpe *bpe;      /* what the ids belong to; NULL with word vectors of a file */
    const DanTable *embedding; /* the vectors of the pieces; NULL with word vectors of a file */
} Sentence;

/* text is NUL-terminated UTF-8; vectors: path of a file of word vectors, or "" for heed's own
 * embeddings, where a word is the mean of its pieces' vectors ("</w>" counts as one). Errors: no
 * words, more than SENTENCE_TOKENS_MAX tokens, words that the file does not have (named), pieces
 * wanted from a file, files missing or damaged. */
bool sentence_read(const char *text, SentenceUnit unit, const char *vectors, Stage *stage,
                   Arena *arena, Sentence *sentence, Err *err);

/* What is read for an id: "sur", "ing</w>", "<E6>"; for a file's row "row 17". */
const char *sentence_piece(const Sentence *sentence, int id, Arena *arena);

/* The tokens in another order; seed is for SENTENCE_SHUFFLED. place[T], if not NULL, gets where
 * each token was typed. */
Sentence sentence_ordered(const Sentence *typed, SentenceOrder order, uint64_t seed, Arena *arena,
                          int *place);

/* The tokens in any order: token i is the one typed at place[i], place[T] a permutation. */
Sentence sentence_permuted(const Sentence *typed, const int *place, Arena *arena);

#endif
