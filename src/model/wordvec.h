/* Word vectors that the user has: GloVe or word2vec text, "word x1 x2 ... xD" a line, word2vec with
 * a first line "count D". */
#ifndef MODEL_WORDVEC_H
#define MODEL_WORDVEC_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

typedef struct WordVectors {
    int count, D;
    const char **words;
    const float *vectors; /* [count, D] */
    int *slots;           /* hash table of indices, for wordvec_find */
    int slot_count;
} WordVectors;

/* Errors name the line and, where it matters, the number found: ragged rows, text where a number
 * belongs, not UTF-8, empty. */
bool wordvec_read(const char *path, Arena *arena, WordVectors *vectors, Err *err);

/* The row of word, then of its ASCII lower case; -1 when there is neither. */
int wordvec_find(const WordVectors *vectors, const char *word);

#endif
