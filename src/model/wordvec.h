/* Word vectors that the user has: GloVe or word2vec text, "word x1 x2 ... xD" a line, word2vec with
 * a first line "count D". */
#ifndef MODEL_WORDVEC_H
#define MODEL_WORDVEC_H

#include "base/arena.h"
#include "base/err.h"
#include "model/textmap.h"

#include <stdbool.h>

typedef struct WordVectors {
    int count, D;
    const char **words;
    const float *vectors; /* [count, D] */
    TextMap index;        /* from word to row */
} WordVectors;

/* Reads a file of at most 4 GB. D is that of the first line; of a word that comes again the first
 * row counts; a word may hold spaces, as a few in GloVe do. Errors name the line and, where it
 * matters, the number found: ragged rows, text where a number belongs, not UTF-8, empty. Takes the
 * file's size and the table's. */
bool wordvec_read(const char *path, Arena *arena, WordVectors *vectors, Err *err);

/* The row of word, then of its ASCII lower case; -1 when there is neither. */
int wordvec_find(const WordVectors *vectors, const char *word);

#endif
