/* Byte-level BPE of the course: words by \w+|[^\w\s] with Python's Unicode classes (PCRE2), the
 * bytes of a word as printable letters, "</w>" as a last symbol of its own, then every merge once,
 * in the order in which it was learned. */
#ifndef MODEL_BPE_H
#define MODEL_BPE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BPE_BYTES = 256, BPE_END_OF_WORD = 256, BPE_FIRST_MERGE = 257 };

typedef struct Bpe Bpe;

/* A word: bytes [start, end) of the text. */
typedef struct BpeWord {
    size_t start, end;
} BpeWord;

/* A piece: an id, the word that it belongs to, and the bytes [start, end) of the text that it
 * covers; "</w>" covers none. */
typedef struct BpePiece {
    int id;
    int word;
    size_t start, end;
} BpePiece;

/* The words of valid UTF-8 text, in order. */
BpeWord *bpe_words(Arena *arena, const char *text, size_t length, int *count);

/* The classes of the word pattern, as inclusive ranges of code points in rising order: \w is what
 * Python calls alphanumeric, and "_"; \s is what Python calls space. */
typedef struct BpeRange {
    uint32_t first, last;
} BpeRange;

BpeRange *bpe_word_ranges(Arena *arena, int *count);
BpeRange *bpe_space_ranges(Arena *arena, int *count);

/* Learns up to merges merges from text: pairs counted over words by frequency, the highest count
 * first, ties to the smallest (left, right) pair in code-point order; fewer when no pair is left.
 */
Bpe *bpe_learn(Arena *arena, const char *text, size_t length, int merges);

/* FOLDER/merges.txt: "#version" line, then "left right" a line; ids follow their order, [PAD] is
 * the last id. */
bool bpe_read(const char *folder, Arena *arena, Bpe **bpe, Err *err);
/* Writes merges.txt and vocab.json into folder. */
bool bpe_write(const Bpe *bpe, const char *folder, Arena scratch, Err *err);

/* 256 + 1 + one for each different result of a merge + 1 for [PAD] */
int bpe_vocabulary(const Bpe *bpe);
int bpe_padding(const Bpe *bpe); /* the id of [PAD] */
int bpe_merge_count(const Bpe *bpe);

/* Merge number index, from 0: its two symbols, and how often the pair stood in the text that it was
 * learned from (0 when it was read from a file). */
void bpe_merge(const Bpe *bpe, int index, const char **left, const char **right, int64_t *count);

/* The symbol in byte letters, as "th" or "e</w>", or "[PAD]"; NULL outside the vocabulary. */
const char *bpe_symbol(const Bpe *bpe, int id);

/* The printable letter of a byte, 1 or 2 bytes of UTF-8 and a NUL. */
void bpe_byte_letter(uint8_t byte, char out[3]);

/* The pieces of valid UTF-8 text. */
BpePiece *bpe_encode(const Bpe *bpe, Arena *arena, const char *text, size_t length, int *count);

/* The last pieces, at most limit; their words are numbered as in the whole text. */
BpePiece *bpe_encode_last(const Bpe *bpe, Arena *arena, const char *text, size_t length, int limit,
                          int *count);

/* The words, joined by single spaces; *length bytes (a cut piece may be no UTF-8). Ids outside the
 * vocabulary are an error; [PAD] stands for nothing. */
bool bpe_decode(const Bpe *bpe, Arena *arena, const int *ids, int count, char **text,
                size_t *length, Err *err);

#endif
