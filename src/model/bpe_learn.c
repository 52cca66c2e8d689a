/* Learning merges: the words of the text with how often each stands there, the counts of all pairs
 * of neighbours, and then, merge by merge, only the words that hold the chosen pair are counted
 * anew. */
#include "model/bpe_inside.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

typedef struct Word {
    int *symbols;
    int length;
    int64_t times;
} Word;

/* Counts of pairs, by open addressing; count 0 in an empty slot as in a pair that is gone. */
typedef struct Pair {
    int left, right;
    int64_t count;
    bool used;
} Pair;

typedef struct Pairs {
    Arena *arena;
    Pair *slots;
    uint32_t mask;
    uint32_t used;
} Pairs;

static uint32_t slot_of(const Pairs *pairs, int left, int right) {
    uint32_t slot = ((uint32_t)left * 0x9E3779B1u ^ (uint32_t)right * 0x85EBCA77u) >> 7;
    for (slot &= pairs->mask; pairs->slots[slot].used; slot = (slot + 1) & pairs->mask)
        if (pairs->slots[slot].left == left && pairs->slots[slot].right == right) break;
    return slot;
}

static void pairs_grow(Pairs *pairs) {
    Pairs larger = {.arena = pairs->arena, .mask = pairs->mask * 2 + 1, .used = pairs->used};
    larger.slots = ARENA_ARRAY(pairs->arena, Pair, (size_t)larger.mask + 1);
    for (uint32_t i = 0; i <= pairs->mask; i++) {
        Pair pair = pairs->slots[i];
        if (pair.used) larger.slots[slot_of(&larger, pair.left, pair.right)] = pair;
    }
    *pairs = larger;
}

static void pairs_add(Pairs *pairs, int left, int right, int64_t times) {
    uint32_t slot = slot_of(pairs, left, right);
    if (!pairs->slots[slot].used) {
        if (2 * pairs->used >= pairs->mask) {
            pairs_grow(pairs);
            slot = slot_of(pairs, left, right);
        }
        pairs->slots[slot] = (Pair){.left = left, .right = right, .used = true};
        pairs->used++;
    }
    pairs->slots[slot].count += times;
}

static void count_word(Pairs *pairs, const Word *word, int64_t times) {
    for (int i = 0; i + 1 < word->length; i++)
        pairs_add(pairs, word->symbols[i], word->symbols[i + 1], times);
}

/* The order of ties: left, then right, by code points, which is the order of UTF-8 bytes. */
static bool stands_before(const Bpe *bpe, const Pair *a, const Pair *b) {
    int order = strcmp(bpe->symbols[a->left].text, bpe->symbols[b->left].text);
    if (order == 0) order = strcmp(bpe->symbols[a->right].text, bpe->symbols[b->right].text);
    return order < 0;
}

static const Pair *best_pair(const Bpe *bpe, const Pairs *pairs) {
    const Pair *best = NULL;
    for (uint32_t i = 0; i <= pairs->mask; i++) {
        const Pair *pair = &pairs->slots[i];
        if (pair->count <= 0) continue;
        bool better = !best || pair->count > best->count ||
                      (pair->count == best->count && stands_before(bpe, pair, best));
        if (better) best = pair;
    }
    return best;
}

static bool holds(const Word *word, int left, int right) {
    for (int i = 0; i + 1 < word->length; i++)
        if (word->symbols[i] == left && word->symbols[i + 1] == right) return true;
    return false;
}

static void replace(Word *word, const BpeMerge *merge) {
    int kept = 0;
    for (int i = 0; i < word->length; i++) {
        bool pair = i + 1 < word->length && word->symbols[i] == merge->left &&
                    word->symbols[i + 1] == merge->right;
        word->symbols[kept++] = pair ? merge->result : word->symbols[i];
        if (pair) i++;
    }
    word->length = kept;
}

static Word word_of(Arena *arena, const char *text, size_t length) {
    assert(length < INT_MAX);
    Word word = {.length = (int)length + 1};
    word.symbols = ARENA_ARRAY(arena, int, word.length);
    for (size_t i = 0; i < length; i++) word.symbols[i] = (unsigned char)text[i];
    word.symbols[length] = BPE_END_OF_WORD;
    return word;
}

/* The different words of the text, in order of appearance. */
static Word *count_words(Arena *arena, const pcre2_code *pattern, const char *text, size_t length,
                         int *count) {
    enum { EXPECTED = 1 << 12 };
    WordScan scan = word_scan_open(pattern, arena, text, length);
    TextMap map = textmap_open(arena, EXPECTED);
    int room = EXPECTED;
    Word *words = ARENA_ARRAY(arena, Word, room);
    for (BpeWord at; word_scan_next(&scan, &at);) {
        bool added;
        int number = textmap_add(&map, text + at.start, at.end - at.start, &added);
        if (added && number == room) {
            Word *larger = ARENA_ARRAY(arena, Word, 2 * room);
            memcpy(larger, words, (size_t)room * sizeof *words);
            words = larger;
            room *= 2;
        }
        if (added) words[number] = word_of(arena, text + at.start, at.end - at.start);
        words[number].times++;
    }
    *count = map.count;
    return words;
}

static void apply(Pairs *pairs, Word *words, int count, const BpeMerge *merge) {
    for (int i = 0; i < count; i++) {
        if (!holds(&words[i], merge->left, merge->right)) continue;
        count_word(pairs, &words[i], -words[i].times);
        replace(&words[i], merge);
        count_word(pairs, &words[i], words[i].times);
    }
}

/* Writes the merges to found[merges] and returns how many there are. All else that it takes is
 * scratch. */
static int learn(Arena scratch, const char *text, size_t length, int merges, BpeMerge *found) {
    enum { SLOTS = 1 << 12 };
    Bpe *bpe = bpe_start(&scratch);
    int count;
    Word *words = count_words(&scratch, bpe->pattern, text, length, &count);
    Pairs pairs = {.arena = &scratch, .mask = SLOTS - 1};
    pairs.slots = ARENA_ARRAY(&scratch, Pair, SLOTS);
    for (int i = 0; i < count; i++) count_word(&pairs, &words[i], words[i].times);
    while (bpe->merge_count < merges) {
        const Pair *best = best_pair(bpe, &pairs);
        if (!best) break;
        bpe_add_merge(bpe, best->left, best->right, best->count);
        const BpeMerge *merge = &bpe->merges[bpe->merge_count - 1];
        found[bpe->merge_count - 1] = *merge;
        apply(&pairs, words, count, merge);
    }
    return bpe->merge_count;
}

Bpe *bpe_learn(Arena *arena, const char *text, size_t length, int merges) {
    assert(merges >= 0);
    BpeMerge *found = ARENA_ARRAY(arena, BpeMerge, merges);
    int count = learn(*arena, text, length, merges, found);
    Bpe *bpe = bpe_start(arena);
    for (int i = 0; i < count; i++)
        bpe_add_merge(bpe, found[i].left, found[i].right, found[i].count);
    bpe_index(bpe);
    return bpe;
}
