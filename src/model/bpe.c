/* The vocabulary, its files, encoding and decoding. Applying every merge once in the order of
 * learning is done by going, word by word, from one merge that fits to the next later one. */
#include "model/bpe.h"

#include "base/file.h"
#include "base/text.h"
#include "base/utf8.h"
#include "model/bpe_inside.h"

#include <assert.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define END_OF_WORD "</w>"
#define PADDING     "[PAD]"
#define VERSION     "#version"

/* Without a limit on symbols, forty lines that each double one would ask for a terabyte. */
enum { MERGES_BYTES_MAX = 64 * 1024 * 1024, SYMBOL_BYTES_MAX = 1024 };

/* Bytes that print keep their own code; the other 68 follow from U+0100 on. */
static bool prints(int byte) {
    return (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
}

void bpe_byte_letter(uint8_t byte, char out[3]) {
    uint32_t code = byte;
    if (!prints(byte)) {
        code = 0x100;
        for (int other = 0; other < byte; other++) code += !prints(other);
    }
    char letter[4];
    size_t size = utf8_encode(code, letter);
    memcpy(out, letter, size);
    out[size] = '\0';
}

static int add_symbol(Bpe *bpe, BpeSymbol symbol) {
    bool added;
    int id = textmap_add(&bpe->ids, symbol.text, strlen(symbol.text), &added);
    if (!added) return id;
    if (bpe->symbol_count == bpe->symbol_room) {
        BpeSymbol *larger = ARENA_ARRAY(bpe->arena, BpeSymbol, 2 * bpe->symbol_room);
        memcpy(larger, bpe->symbols, (size_t)bpe->symbol_count * sizeof *larger);
        bpe->symbols = larger;
        bpe->symbol_room *= 2;
    }
    bpe->symbols[bpe->symbol_count++] = symbol;
    return id;
}

Bpe *bpe_start(Arena *arena) {
    enum { ROOM = 1024 };
    Bpe *bpe = ARENA_NEW(arena, Bpe);
    bpe->arena = arena;
    bpe->pattern = bpe_pattern(arena);
    bpe->ids = textmap_open(arena, ROOM);
    bpe->symbol_room = bpe->merge_room = ROOM;
    bpe->symbols = ARENA_ARRAY(arena, BpeSymbol, ROOM);
    bpe->merges = ARENA_ARRAY(arena, BpeMerge, ROOM);
    for (int byte = 0; byte < BPE_BYTES; byte++) {
        char letter[3];
        char raw = (char)byte;
        bpe_byte_letter((uint8_t)byte, letter);
        add_symbol(bpe, (BpeSymbol){.text = arena_text(arena, letter),
                                    .decoded = arena_bytes(arena, &raw, 1),
                                    .length = 1});
    }
    add_symbol(bpe,
               (BpeSymbol){.text = END_OF_WORD, .decoded = " ", .length = 1, .ends_word = true});
    return bpe;
}

static BpeSymbol joined(Arena *arena, const BpeSymbol *left, const BpeSymbol *right) {
    char *decoded = arena_alloc(arena, left->length + right->length + 1);
    memcpy(decoded, left->decoded, left->length);
    memcpy(decoded + left->length, right->decoded, right->length);
    return (BpeSymbol){.text = arena_printf(arena, "%s%s", left->text, right->text),
                       .decoded = decoded,
                       .length = left->length + right->length,
                       .ends_word = right->ends_word};
}

int bpe_add_merge(Bpe *bpe, int left, int right, int64_t count) {
    assert(!bpe->symbols[left].ends_word);
    if (bpe->merge_count == bpe->merge_room) {
        BpeMerge *larger = ARENA_ARRAY(bpe->arena, BpeMerge, 2 * bpe->merge_room);
        memcpy(larger, bpe->merges, (size_t)bpe->merge_count * sizeof *larger);
        bpe->merges = larger;
        bpe->merge_room *= 2;
    }
    int result = add_symbol(bpe, joined(bpe->arena, &bpe->symbols[left], &bpe->symbols[right]));
    bpe->merges[bpe->merge_count++] =
        (BpeMerge){.left = left, .right = right, .result = result, .count = count};
    return result;
}

static uint32_t pair_hash(int left, int right) {
    return ((uint32_t)left * 0x9E3779B1u ^ (uint32_t)right * 0x85EBCA77u) >> 7;
}

void bpe_index(Bpe *bpe) {
    uint32_t size = 64;
    while (size < 4 * (uint32_t)bpe->merge_count) size *= 2;
    bpe->pair_mask = size - 1;
    bpe->pair_slots = ARENA_ARRAY(bpe->arena, int, size);
    for (int i = 0; i < bpe->merge_count; i++) {
        uint32_t slot = pair_hash(bpe->merges[i].left, bpe->merges[i].right) & bpe->pair_mask;
        while (bpe->pair_slots[slot] != 0) slot = (slot + 1) & bpe->pair_mask;
        bpe->pair_slots[slot] = i + 1;
    }
}

/* The first merge of the pair behind number after, or INT_MAX. A pair can be there twice: when two
 * merges spell the same symbol, its neighbours may be merged again later. */
static int merge_after(const Bpe *bpe, int left, int right, int after) {
    int best = INT_MAX;
    uint32_t slot = pair_hash(left, right) & bpe->pair_mask;
    for (; bpe->pair_slots[slot] != 0; slot = (slot + 1) & bpe->pair_mask) {
        int number = bpe->pair_slots[slot] - 1;
        const BpeMerge *merge = &bpe->merges[number];
        bool same = merge->left == left && merge->right == right;
        if (same && number > after && number < best) best = number;
    }
    return best;
}

static bool add_line(Bpe *bpe, const char *path, int number, char *line, Err *err) {
    char *space = strchr(line, ' ');
    if (!space || space == line || space[1] == '\0' || strchr(space + 1, ' '))
        return err_set(err, "%s, line %d: \"%s\" is not two symbols parted by one space", path,
                       number, line);
    *space = '\0';
    const char *names[2] = {line, space + 1};
    int ids[2];
    for (int side = 0; side < 2; side++) {
        ids[side] = textmap_find(&bpe->ids, names[side], strlen(names[side]));
        if (ids[side] < 0)
            return err_set(err,
                           "%s, line %d: \"%s\" is no byte letter and no earlier merge made it",
                           path, number, names[side]);
    }
    if (bpe->symbols[ids[0]].ends_word)
        return err_set(err, "%s, line %d: \"%s\" ends a word, so nothing can be merged behind it",
                       path, number, names[0]);
    if (bpe->symbols[ids[0]].length + bpe->symbols[ids[1]].length > SYMBOL_BYTES_MAX)
        return err_set(err, "%s, line %d: the merged symbol is longer than the %d bytes allowed",
                       path, number, SYMBOL_BYTES_MAX);
    bpe_add_merge(bpe, ids[0], ids[1], 0);
    return true;
}

bool bpe_read(const char *folder, Arena *arena, Bpe **bpe, Err *err) {
    const char *path = file_join(arena, folder, "merges.txt");
    const char *text;
    size_t length;
    if (!file_read_text(path, MERGES_BYTES_MAX, arena, &text, &length, err)) return false;
    if (memchr(text, '\0', length)) return err_set(err, "%s holds a NUL byte: not a text", path);
    Bpe *read = bpe_start(arena);
    char *copy = arena_bytes(arena, text, length);
    int number = 1;
    for (char *line = copy; line && *line; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        line[strcspn(line, "\r")] = '\0';
        bool version = number == 1 && strncmp(line, VERSION, strlen(VERSION)) == 0;
        if (!version && !add_line(read, path, number, line, err)) return false;
        line = end ? end + 1 : NULL;
    }
    bpe_index(read);
    *bpe = read;
    return true;
}

static char *vocabulary_json(const Bpe *bpe, Arena *arena) {
    json_t *object = json_object();
    for (int id = 0; id < bpe_vocabulary(bpe); id++)
        json_object_set_new(object, bpe_symbol(bpe, id), json_integer(id));
    char *dumped = json_dumps(object, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    json_decref(object);
    assert(dumped);
    char *text = arena_printf(arena, "%s\n", dumped);
    free(dumped);
    return text;
}

bool bpe_write(const Bpe *bpe, const char *folder, Arena scratch, Err *err) {
    Text merges = text_open(&scratch);
    text_add(&merges, VERSION ": 0.2\n");
    for (int i = 0; i < bpe->merge_count; i++) {
        const char *left, *right;
        bpe_merge(bpe, i, &left, &right, NULL);
        text_addf(&merges, "%s %s\n", left, right);
    }
    const char *vocabulary = vocabulary_json(bpe, &scratch);
    return file_write(file_join(&scratch, folder, "vocab.json"), vocabulary, strlen(vocabulary),
                      err) &&
           file_write(file_join(&scratch, folder, "merges.txt"), merges.bytes, merges.length, err);
}

int bpe_vocabulary(const Bpe *bpe) {
    return bpe->symbol_count + 1;
}

int bpe_padding(const Bpe *bpe) {
    return bpe->symbol_count;
}

int bpe_merge_count(const Bpe *bpe) {
    return bpe->merge_count;
}

void bpe_merge(const Bpe *bpe, int index, const char **left, const char **right, int64_t *count) {
    assert(index >= 0 && index < bpe->merge_count);
    const BpeMerge *merge = &bpe->merges[index];
    *left = bpe->symbols[merge->left].text;
    *right = bpe->symbols[merge->right].text;
    if (count) *count = merge->count;
}

const char *bpe_symbol(const Bpe *bpe, int id) {
    if (id < 0 || id > bpe->symbol_count) return NULL;
    return id == bpe->symbol_count ? PADDING : bpe->symbols[id].text;
}

typedef struct PieceList {
    Arena *arena;
    BpePiece *pieces;
    int count;
    size_t room;
} PieceList;

static void reserve(PieceList *list, size_t more) {
    size_t wanted = (size_t)list->count + more;
    assert(wanted < INT_MAX);
    if (wanted <= list->room) return;
    list->room = 2 * wanted;
    BpePiece *larger = ARENA_ARRAY(list->arena, BpePiece, list->room);
    if (list->count > 0) memcpy(larger, list->pieces, (size_t)list->count * sizeof *larger);
    list->pieces = larger;
}

/* Joins the pairs that merge names, left to right; returns how many pieces are left. */
static int join(BpePiece *pieces, int count, const BpeMerge *merge) {
    int kept = 0;
    for (int i = 0; i < count; i++, kept++) {
        pieces[kept] = pieces[i];
        bool pair =
            i + 1 < count && pieces[i].id == merge->left && pieces[i + 1].id == merge->right;
        if (!pair) continue;
        pieces[kept].id = merge->result;
        pieces[kept].end = pieces[++i].end;
    }
    return kept;
}

static int merge_word(const Bpe *bpe, BpePiece *pieces, int count) {
    for (int last = -1;;) {
        int next = INT_MAX;
        for (int i = 0; i + 1 < count; i++) {
            int merge = merge_after(bpe, pieces[i].id, pieces[i + 1].id, last);
            if (merge < next) next = merge;
        }
        if (next == INT_MAX) return count;
        count = join(pieces, count, &bpe->merges[next]);
        last = next;
    }
}

static void add_word(const Bpe *bpe, PieceList *list, const char *text, BpeWord word, int number) {
    int count = (int)(word.end - word.start) + 1;
    reserve(list, (size_t)count);
    BpePiece *pieces = list->pieces + list->count;
    for (int i = 0; i < count - 1; i++) {
        size_t at = word.start + (size_t)i;
        pieces[i] =
            (BpePiece){.id = (unsigned char)text[at], .word = number, .start = at, .end = at + 1};
    }
    pieces[count - 1] =
        (BpePiece){.id = BPE_END_OF_WORD, .word = number, .start = word.end, .end = word.end};
    list->count += merge_word(bpe, pieces, count);
}

BpePiece *bpe_encode(const Bpe *bpe, Arena *arena, const char *text, size_t length, int *count) {
    return bpe_encode_last(bpe, arena, text, length, INT_MAX, count);
}

BpePiece *bpe_encode_last(const Bpe *bpe, Arena *arena, const char *text, size_t length, int limit,
                          int *count) {
    assert(limit >= 0);
    PieceList list = {.arena = arena};
    int words;
    const BpeWord *word = word_list(bpe->pattern, arena, text, length, &words);
    /* Each word has a piece at least, so the last limit words have enough. */
    reserve(&list, 64);
    for (int number = words > limit ? words - limit : 0; number < words; number++)
        add_word(bpe, &list, text, word[number], number);
    *count = list.count < limit ? list.count : limit;
    return list.pieces + (list.count - *count);
}

bool bpe_decode(const Bpe *bpe, Arena *arena, const int *ids, int count, char **text,
                size_t *length, Err *err) {
    size_t total = 0;
    for (int i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= bpe_vocabulary(bpe))
            return err_set(err, "id %d at place %d is outside the vocabulary, 0 to %d", ids[i], i,
                           bpe_vocabulary(bpe) - 1);
        if (ids[i] != bpe_padding(bpe)) total += bpe->symbols[ids[i]].length;
    }
    char *out = arena_alloc(arena, total + 1);
    size_t at = 0;
    bool word_ended = false;
    for (int i = 0; i < count; i++) {
        if (ids[i] == bpe_padding(bpe)) continue;
        const BpeSymbol *symbol = &bpe->symbols[ids[i]];
        memcpy(out + at, symbol->decoded, symbol->length);
        at += symbol->length;
        word_ended = symbol->ends_word;
    }
    if (word_ended) at--;
    out[at] = '\0';
    *text = out;
    *length = at;
    return true;
}
