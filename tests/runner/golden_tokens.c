/* The tokenizer: word classes, learning, encoding and decoding. The reference has texts as bytes
 * and offsets, string i being bytes offsets[i] .. offsets[i+1]. */
#include "golden.h"

#include "model/bpe.h"

#include "base/text.h"

#include <string.h>

/* Strings as they are gathered: their bytes and where each ends. */
typedef struct Strings {
    Text bytes;
    int32_t *offsets; /* [count + 1] */
    int count;
} Strings;

static Strings strings_new(Golden *golden, int limit) {
    return (Strings){.bytes = text_open(golden->arena),
                     .offsets = ARENA_ARRAY(golden->arena, int32_t, limit + 1)};
}

static void strings_add(Strings *strings, const char *bytes, size_t length) {
    text_add_bytes(&strings->bytes, bytes, length);
    strings->offsets[++strings->count] = (int32_t)strings->bytes.length;
}

static void strings_give(Golden *golden, const char *name, const Strings *strings) {
    const char *ends_name = arena_printf(golden->arena, "%s_offsets", name);
    const int length = (int)strings->bytes.length, ends = strings->count + 1;
    golden_give_bytes(golden, name, (const uint8_t *)strings->bytes.bytes, 1, &length);
    golden_give_ints(golden, ends_name, strings->offsets, 1, &ends);
}

static void give_alphabet(Golden *golden) {
    Strings letters = strings_new(golden, BPE_BYTES);
    for (int byte = 0; byte < BPE_BYTES; byte++) {
        char letter[3];
        bpe_byte_letter((uint8_t)byte, letter);
        strings_add(&letters, letter, strlen(letter));
    }
    strings_give(golden, "alphabet", &letters);
}

static void give_merges(Golden *golden, const Bpe *bpe) {
    int count = bpe_merge_count(bpe);
    Strings lefts = strings_new(golden, count), rights = strings_new(golden, count);
    int32_t *counts = ARENA_ARRAY(golden->arena, int32_t, count);
    for (int n = 0; n < count; n++) {
        const char *left, *right;
        int64_t pairs;
        bpe_merge(bpe, n, &left, &right, &pairs);
        strings_add(&lefts, left, strlen(left));
        strings_add(&rights, right, strlen(right));
        counts[n] = (int32_t)pairs;
    }
    strings_give(golden, "merge_left", &lefts);
    strings_give(golden, "merge_right", &rights);
    golden_give_ints(golden, "merge_counts", counts, 1, &count);
}

/* All symbols but the padding, which the reference does not have. */
static void give_vocabulary(Golden *golden, const Bpe *bpe) {
    int count = bpe_padding(bpe);
    Strings symbols = strings_new(golden, count);
    for (int id = 0; id < count; id++)
        strings_add(&symbols, bpe_symbol(bpe, id), strlen(bpe_symbol(bpe, id)));
    strings_give(golden, "vocab", &symbols);
}

/* What all samples gave, one after the other. */
typedef struct Encoded {
    Strings words, decoded;
    int32_t *ids, *word_ends, *id_ends; /* [..], [samples + 1], [samples + 1] */
    int id_count;
} Encoded;

static bool encode_sample(Golden *golden, const Bpe *bpe, const char *text, size_t length,
                          Encoded *out, Err *err) {
    int words = 0, pieces = 0, sample = out->decoded.count;
    const BpeWord *word = bpe_words(golden->arena, text, length, &words);
    for (int n = 0; n < words; n++)
        strings_add(&out->words, text + word[n].start, word[n].end - word[n].start);
    const BpePiece *piece = bpe_encode(bpe, golden->arena, text, length, &pieces);
    for (int n = 0; n < pieces; n++) out->ids[out->id_count + n] = piece[n].id;
    char *decoded;
    size_t size;
    if (!bpe_decode(bpe, golden->arena, out->ids + out->id_count, pieces, &decoded, &size, err))
        return false;
    strings_add(&out->decoded, decoded, size);
    out->id_count += pieces;
    out->word_ends[sample + 1] = out->words.count;
    out->id_ends[sample + 1] = out->id_count;
    return true;
}

/* Whether the offsets rise from 0 to the end of the bytes. */
static bool offsets_fit(const GoldenArray *offsets, int length) {
    bool fit = offsets->ints && offsets->count > 0 && offsets->ints[0] == 0;
    for (int n = 1; fit && n < offsets->count; n++) fit = offsets->ints[n - 1] <= offsets->ints[n];
    return fit && offsets->ints[offsets->count - 1] == length;
}

static void give_encoded(Golden *golden, const Encoded *out) {
    const int ends = out->decoded.count + 1;
    strings_give(golden, "words", &out->words);
    strings_give(golden, "decoded", &out->decoded);
    golden_give_ints(golden, "ids", out->ids, 1, &out->id_count);
    golden_give_ints(golden, "sample_word_offsets", out->word_ends, 1, &ends);
    golden_give_ints(golden, "sample_id_offsets", out->id_ends, 1, &ends);
}

static bool give_samples(Golden *golden, const Bpe *bpe, Err *err) {
    GoldenArray samples, offsets;
    if (!golden_input(golden, "samples", 1, &samples) ||
        !golden_input(golden, "samples_offsets", 1, &offsets))
        return false;
    if (!samples.bytes || !offsets_fit(&offsets, samples.count))
        return golden_break(golden, "offsets do not fit:", "samples");
    int count = offsets.count - 1;
    /* Every byte can be a word of its own, with "</w>" behind it. */
    Encoded out = {.words = strings_new(golden, samples.count),
                   .decoded = strings_new(golden, count),
                   .ids = ARENA_ARRAY(golden->arena, int32_t, 2 * samples.count),
                   .word_ends = ARENA_ARRAY(golden->arena, int32_t, count + 1),
                   .id_ends = ARENA_ARRAY(golden->arena, int32_t, count + 1)};
    for (int n = 0; n < count; n++) {
        const char *text = (const char *)samples.bytes + offsets.ints[n];
        size_t length = (size_t)(offsets.ints[n + 1] - offsets.ints[n]);
        if (!encode_sample(golden, bpe, text, length, &out, err)) return false;
    }
    give_encoded(golden, &out);
    return true;
}

/* As many merges are learned as the parameters list. */
static bool run_bpe(Golden *golden, Err *err) {
    GoldenArray train;
    if (!golden_input(golden, "train_text", 1, &train)) return false;
    if (!train.bytes) return golden_break(golden, "not U8:", "train_text");
    int merges = (int)json_array_size(json_object_get(golden->params, "merges"));
    const Bpe *bpe =
        bpe_learn(golden->arena, (const char *)train.bytes, (size_t)train.count, merges);
    give_alphabet(golden);
    give_merges(golden, bpe);
    give_vocabulary(golden, bpe);
    return give_samples(golden, bpe, err);
}

static void give_ranges(Golden *golden, const char *name, const BpeRange *ranges, int count) {
    const int shape[2] = {count, 2};
    int32_t *ends = ARENA_ARRAY(golden->arena, int32_t, 2 * count);
    for (int n = 0; n < count; n++) {
        ends[2 * n] = (int32_t)ranges[n].first;
        ends[2 * n + 1] = (int32_t)ranges[n].last;
    }
    golden_give_ints(golden, name, ends, 2, shape);
}

static bool run_classes(Golden *golden, Err *err) {
    (void)err;
    int words = 0, spaces = 0;
    const BpeRange *word = bpe_word_ranges(golden->arena, &words);
    const BpeRange *space = bpe_space_ranges(golden->arena, &spaces);
    give_ranges(golden, "word_ranges", word, words);
    give_ranges(golden, "space_ranges", space, spaces);
    return true;
}

const GoldenFunction golden_tokens[] = {
    {"bpe", run_bpe}, {"unicode_classes", run_classes}, {NULL, NULL}};
