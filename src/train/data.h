/* Labelled texts for learning: reviews from files, without repeats, split by a seed, and cut into
 * rows of pieces. */
#ifndef TRAIN_DATA_H
#define TRAIN_DATA_H

#include "base/arena.h"
#include "base/err.h"
#include "model/bpe.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Review {
    const char *text;
    size_t length;
    int label; /* 1 positive, 0 negative */
} Review;

typedef struct Reviews {
    Review *items;
    int count;
    int repeats; /* texts that were there before, left out */
    int files;
} Reviews;

/* Reads a file, or all .tsv and .txt files of a folder in the order of their names. A line is
 * `label TAB text` or, when the file's first line has two tabs, `label TAB id TAB text`; label is 0
 * or 1. Each "<br />" becomes a space. Of texts that are then equal the first is kept. Errors name
 * file and line. */
bool reviews_read(const char *path, Arena *arena, Reviews *reviews, Err *err);

/* Numbers of reviews in random order: the first train of them to learn from, the next valid to
 * choose the best epoch by, the last test to measure. */
typedef struct ReviewSplit {
    int *order;
    int train, valid, test;
} ReviewSplit;

enum { SPLIT_TRAIN = 40000, SPLIT_VALID = 5000 };

/* 40,000 and 5,000 and the rest; or 80, 10 and 10 percent when there are fewer than 47,500. */
ReviewSplit reviews_split(Arena *arena, int count, uint64_t seed);

/* The texts of order[count], a newline behind each: what merges are learned from. */
char *reviews_text(const Reviews *reviews, const int *order, int count, Arena *arena,
                   size_t *length);

/* Rows of tokens pieces: ids[count, tokens], [PAD] behind the end of short texts, mask 1 where
 * there is a piece. */
typedef struct TokenRows {
    int count, tokens;
    int32_t *ids;   /* [count, tokens] */
    uint8_t *mask;  /* [count, tokens] */
    float *targets; /* [count], 0 or 1 */
    int64_t pieces; /* ones in mask */
} TokenRows;

/* The last pieces of each text of order[count]. */
TokenRows token_rows(const Bpe *bpe, const Reviews *reviews, const int *order, int count,
                     int tokens, Arena *arena);

#endif
