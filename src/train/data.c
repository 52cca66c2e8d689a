/* Reviews are read file by file and line by line; a table of the texts that were seen keeps repeats
 * out, so that no text stands in two parts of a split. */
#include "train/data.h"

#include "base/file.h"
#include "base/rng.h"
#include "model/textmap.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LINE_BREAK "<br />"

enum { FILE_BYTES_MAX = 1 << 30, EXPECTED = 1 << 10 };

/* What reading goes on with from line to line. */
typedef struct Reader {
    Arena *arena;
    Reviews *reviews;
    TextMap seen;
    int room;
    const char *path; /* of the file being read */
    int line;
    bool has_ids; /* its lines have a second column */
} Reader;

/* A copy of the text in which each "<br />" is a space. */
static char *without_breaks(Arena *arena, const char *text, size_t length, size_t *kept) {
    const size_t mark = strlen(LINE_BREAK);
    char *out = arena_alloc(arena, length + 1);
    size_t at = 0;
    for (size_t i = 0; i < length;) {
        bool found = length - i >= mark && memcmp(text + i, LINE_BREAK, mark) == 0;
        out[at++] = found ? ' ' : text[i];
        i += found ? mark : 1;
    }
    *kept = at;
    return out;
}

static void add_review(Reader *reader, const char *text, size_t length, int label) {
    Reviews *reviews = reader->reviews;
    bool added;
    size_t kept;
    char *clean = without_breaks(reader->arena, text, length, &kept);
    textmap_add(&reader->seen, clean, kept, &added);
    if (!added) {
        reviews->repeats++;
        return;
    }
    if (reviews->count == reader->room) {
        Review *larger = ARENA_ARRAY(reader->arena, Review, 2 * (size_t)reader->room);
        memcpy(larger, reviews->items, (size_t)reviews->count * sizeof *larger);
        reviews->items = larger;
        reader->room *= 2;
    }
    reviews->items[reviews->count++] = (Review){.text = clean, .length = kept, .label = label};
}

static bool read_line(Reader *reader, const char *line, size_t length, Err *err) {
    const char *tab = memchr(line, '\t', length);
    if (!tab)
        return err_set(err, "%s, line %d: no tab; a line is \"label TAB text\", label 0 or 1",
                       reader->path, reader->line);
    if (tab - line != 1 || (*line != '0' && *line != '1'))
        return err_set(err, "%s, line %d: label \"%.*s\", where 0 or 1 is allowed", reader->path,
                       reader->line, tab - line > 40 ? 40 : (int)(tab - line), line);
    const char *text = tab + 1;
    size_t rest = length - (size_t)(text - line);
    if (reader->has_ids) {
        tab = memchr(text, '\t', rest);
        if (!tab)
            return err_set(err, "%s, line %d: one tab, where line 1 has two (label, id, text)",
                           reader->path, reader->line);
        rest -= (size_t)(tab + 1 - text);
        text = tab + 1;
    }
    if (rest == 0) return err_set(err, "%s, line %d: no text", reader->path, reader->line);
    add_review(reader, text, rest, *line - '0');
    return true;
}

static bool two_tabs(const char *line, size_t length) {
    const char *tab = memchr(line, '\t', length);
    return tab && memchr(tab + 1, '\t', length - (size_t)(tab + 1 - line));
}

static bool read_file(Reader *reader, const char *path, Err *err) {
    const char *text;
    size_t length;
    if (!file_read_text(path, FILE_BYTES_MAX, reader->arena, &text, &length, err)) return false;
    reader->path = path;
    reader->line = 0;
    for (size_t at = 0; at < length;) {
        const char *line = text + at;
        const char *end = memchr(line, '\n', length - at);
        size_t size = end ? (size_t)(end - line) : length - at;
        at += size + 1;
        if (size > 0 && line[size - 1] == '\r') size--;
        if (reader->line++ == 0) reader->has_ids = two_tabs(line, size);
        if (!read_line(reader, line, size, err)) return false;
    }
    reader->reviews->files++;
    return true;
}

static int listed(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot != entry->d_name && (strcmp(dot, ".tsv") == 0 || strcmp(dot, ".txt") == 0);
}

/* By bytes, which no locale changes. */
static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool read_folder(Reader *reader, const char *folder, Err *err) {
    struct dirent **entries;
    int count = scandir(folder, &entries, listed, by_name);
    if (count < 0) return err_set(err, "cannot read the folder %s: %s", folder, strerror(errno));
    bool good = true;
    for (int i = 0; i < count; i++) {
        if (good)
            good = read_file(reader, file_join(reader->arena, folder, entries[i]->d_name), err);
        free(entries[i]);
    }
    free(entries);
    if (count == 0) return err_set(err, "no .tsv or .txt file with reviews in %s", folder);
    return good;
}

bool reviews_read(const char *path, Arena *arena, Reviews *reviews, Err *err) {
    Reviews read = {.items = ARENA_ARRAY(arena, Review, EXPECTED)};
    Reader reader = {
        .arena = arena, .reviews = &read, .seen = textmap_open(arena, EXPECTED), .room = EXPECTED};
    struct stat status;
    bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (!(folder ? read_folder(&reader, path, err) : read_file(&reader, path, err))) return false;
    if (read.count == 0) return err_set(err, "no review in %s", path);
    *reviews = read;
    return true;
}

ReviewSplit reviews_split(Arena *arena, int count, uint64_t seed) {
    ReviewSplit split = {.order = ARENA_ARRAY(arena, int, count)};
    Rng rng = rng_seed(seed);
    rng_permutation(&rng, split.order, count);
    bool enough = count >= SPLIT_TRAIN + SPLIT_VALID + SPLIT_VALID / 2;
    split.valid = enough ? SPLIT_VALID : count / 10;
    split.train = enough ? SPLIT_TRAIN : count - 2 * split.valid;
    split.test = count - split.train - split.valid;
    return split;
}

char *reviews_text(const Reviews *reviews, const int *order, int count, Arena *arena,
                   size_t *length) {
    size_t total = 0;
    for (int i = 0; i < count; i++) total += reviews->items[order[i]].length + 1;
    char *text = arena_alloc(arena, total + 1);
    *length = 0;
    for (int i = 0; i < count; i++) {
        const Review *review = &reviews->items[order[i]];
        memcpy(text + *length, review->text, review->length);
        text[*length + review->length] = '\n';
        *length += review->length + 1;
    }
    return text;
}

/* The pieces themselves are scratch. */
static int fill_row(const Bpe *bpe, const Review *review, int tokens, int32_t *ids, uint8_t *mask,
                    Arena scratch) {
    int count;
    const BpePiece *pieces =
        bpe_encode_last(bpe, &scratch, review->text, review->length, tokens, &count);
    for (int t = 0; t < tokens; t++) {
        ids[t] = t < count ? pieces[t].id : bpe_padding(bpe);
        mask[t] = t < count;
    }
    return count;
}

TokenRows token_rows(const Bpe *bpe, const Reviews *reviews, const int *order, int count,
                     int tokens, Arena *arena) {
    size_t cells = (size_t)count * (size_t)tokens;
    TokenRows rows = {.count = count,
                      .tokens = tokens,
                      .ids = ARENA_ARRAY(arena, int32_t, cells),
                      .mask = ARENA_ARRAY(arena, uint8_t, cells),
                      .targets = ARENA_ARRAY(arena, float, count)};
    for (int i = 0; i < count; i++) {
        const Review *review = &reviews->items[order[i]];
        size_t at = (size_t)i * (size_t)tokens;
        rows.pieces += fill_row(bpe, review, tokens, rows.ids + at, rows.mask + at, *arena);
        rows.targets[i] = (float)review->label;
    }
    return rows;
}
