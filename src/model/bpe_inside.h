/* What bpe.c, bpe_words.c and bpe_learn.c share; nobody else looks in here. */
#ifndef MODEL_BPE_INSIDE_H
#define MODEL_BPE_INSIDE_H

#define PCRE2_CODE_UNIT_WIDTH 8

#include "model/bpe.h"
#include "model/textmap.h"

#include <pcre2.h>

typedef struct BpeSymbol {
    const char *text;    /* in byte letters */
    const char *decoded; /* its bytes, then a space when it ends a word */
    size_t length;       /* of decoded */
    bool ends_word;
} BpeSymbol;

typedef struct BpeMerge {
    int left, right, result; /* symbols */
    int64_t count;
} BpeMerge;

struct Bpe {
    Arena *arena;
    pcre2_code *pattern;
    TextMap ids; /* symbol texts */
    BpeSymbol *symbols;
    int symbol_count, symbol_room; /* without [PAD] */
    BpeMerge *merges;
    int merge_count, merge_room;
    int *pair_slots; /* merge number + 1 by pair of symbols; made by bpe_index */
    uint32_t pair_mask;
};

/* The 256 bytes and "</w>", no merges. */
Bpe *bpe_start(Arena *arena);

/* Adds a merge and returns its result: a new symbol, unless an earlier merge spells the same. */
int bpe_add_merge(Bpe *bpe, int left, int right, int64_t count);

/* Makes the table that encoding looks pairs up in; after the last merge. */
void bpe_index(Bpe *bpe);

/* The word pattern, compiled into the arena. */
pcre2_code *bpe_pattern(Arena *arena);

/* Goes through the words of valid UTF-8 text; scratch is filled with what matching needs. */
typedef struct WordScan {
    const pcre2_code *pattern;
    pcre2_match_data *match;
    const char *text;
    size_t length, at;
} WordScan;

WordScan word_scan_open(const pcre2_code *pattern, Arena *arena, const char *text, size_t length);
bool word_scan_next(WordScan *scan, BpeWord *word);

/* All words. */
BpeWord *word_list(const pcre2_code *pattern, Arena *arena, const char *text, size_t length,
                   int *count);

#endif
