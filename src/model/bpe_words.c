/* Words by the pattern \w+|[^\w\s]. PCRE2's own \w and \s differ from Python's (marks, the
 * separators U+001C to U+001F), so both classes are spelled out. */
#include "base/utf8.h"
#include "model/bpe_inside.h"

#include <assert.h>
#include <string.h>

#define WORD_CLASS "\\p{L}\\p{N}_"
#define SPACE_CLASS                                                                                \
    "\\x{9}-\\x{d}\\x{1c}-\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}"     \
    "\\x{202f}\\x{205f}\\x{3000}"

/* PCRE2 takes its memory from an arena; what it frees goes with the arena. */
static void *take(size_t size, void *arena) {
    return arena_alloc(arena, size);
}

static void leave(void *memory, void *arena) {
    (void)memory;
    (void)arena;
}

static pcre2_code *compile(Arena *arena, const char *pattern) {
    pcre2_general_context *general = pcre2_general_context_create(take, leave, arena);
    pcre2_compile_context *context = pcre2_compile_context_create(general);
    int error;
    PCRE2_SIZE offset;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                                     PCRE2_UTF | PCRE2_UCP, &error, &offset, context);
    assert(code != NULL);
    return code;
}

pcre2_code *bpe_pattern(Arena *arena) {
    return compile(arena, "[" WORD_CLASS "]+|[^" WORD_CLASS SPACE_CLASS "]");
}

WordScan word_scan_open(const pcre2_code *pattern, Arena *arena, const char *text, size_t length) {
    assert(utf8_valid(text, length, NULL));
    pcre2_general_context *general = pcre2_general_context_create(take, leave, arena);
    return (WordScan){.pattern = pattern,
                      .match = pcre2_match_data_create(1, general),
                      .text = text,
                      .length = length};
}

bool word_scan_next(WordScan *scan, BpeWord *word) {
    /* Without NO_UTF_CHECK every call would look through the whole rest of the text. */
    int found = pcre2_match(scan->pattern, (PCRE2_SPTR)scan->text, scan->length, scan->at,
                            PCRE2_NO_UTF_CHECK, scan->match, NULL);
    if (found == PCRE2_ERROR_NOMATCH) return false;
    assert(found > 0);
    const PCRE2_SIZE *ends = pcre2_get_ovector_pointer(scan->match);
    *word = (BpeWord){.start = ends[0], .end = ends[1]};
    scan->at = ends[1];
    return true;
}

static BpeWord *grown(Arena *arena, const BpeWord *words, int count, int room) {
    BpeWord *larger = ARENA_ARRAY(arena, BpeWord, room);
    if (count > 0) memcpy(larger, words, (size_t)count * sizeof *words);
    return larger;
}

BpeWord *word_list(const pcre2_code *pattern, Arena *arena, const char *text, size_t length,
                   int *count) {
    WordScan scan = word_scan_open(pattern, arena, text, length);
    int room = (int)(length / 4) + 4;
    BpeWord *words = ARENA_ARRAY(arena, BpeWord, room);
    *count = 0;
    for (BpeWord word; word_scan_next(&scan, &word);) {
        if (*count == room) words = grown(arena, words, *count, room *= 2);
        words[(*count)++] = word;
    }
    return words;
}

BpeWord *bpe_words(Arena *arena, const char *text, size_t length, int *count) {
    return word_list(bpe_pattern(arena), arena, text, length, count);
}

/* Every code point but the surrogates, which UTF-8 has not, against a pattern of one class. */
static BpeRange *ranges(Arena *arena, const char *pattern, int *count) {
    enum { RANGES_MAX = 4096, LAST_CODE = 0x10FFFF };
    BpeRange *found = ARENA_ARRAY(arena, BpeRange, RANGES_MAX);
    const pcre2_code *code = compile(arena, pattern);
    WordScan scan = word_scan_open(code, arena, "", 0);
    *count = 0;
    bool inside = false;
    for (uint32_t point = 0; point <= LAST_CODE; point++) {
        char bytes[4];
        BpeWord word;
        bool surrogate = point >= 0xD800 && point <= 0xDFFF;
        scan.text = bytes;
        scan.length = surrogate ? 0 : utf8_encode(point, bytes);
        scan.at = 0;
        bool matches = word_scan_next(&scan, &word);
        if (matches && !inside) {
            assert(*count < RANGES_MAX);
            found[(*count)++].first = point;
        }
        if (matches) found[*count - 1].last = point;
        inside = matches;
    }
    return found;
}

BpeRange *bpe_word_ranges(Arena *arena, int *count) {
    return ranges(arena, "[" WORD_CLASS "]", count);
}

BpeRange *bpe_space_ranges(Arena *arena, int *count) {
    return ranges(arena, "[" SPACE_CLASS "]", count);
}
