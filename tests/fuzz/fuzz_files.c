/* The readers that take a path: word vectors, merges, labels, reviews. Each gets the same bytes as
 * a file in a folder that is removed at the end, and refuses them in one sentence or keeps what it
 * promises. */
#include "fuzz.h"

#include "base/file.h"
#include "model/bpe.h"
#include "model/wordvec.h"
#include "scene/number_files.h"
#include "scene/typed.h"
#include "train/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char file_name[] = "merges.txt"; /* as bpe_read wants it */

static void memory_full(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    exit(1);
}

static char *folder(void) {
    static char path[] = "/tmp/heed-fuzz-XXXXXX";
    static bool made;
    if (!made && !mkdtemp(path)) exit(1);
    made = true;
    return path;
}

static void remove_folder(void) {
    Arena arena = arena_open(memory_full);
    unlink(file_join(&arena, folder(), file_name));
    rmdir(folder());
    arena_close(&arena);
}

static void refused(const Err *err) {
    if (!err->text[0]) abort();
}

static void try_vectors(const char *path, Arena *arena) {
    WordVectors vectors;
    Err err = {0};
    if (!wordvec_read(path, arena, &vectors, &err)) {
        refused(&err);
        return;
    }
    for (int i = 0; i < vectors.count; i++) {
        int found = wordvec_find(&vectors, vectors.words[i]);
        if (found < 0 || strcmp(vectors.words[found], vectors.words[i]) != 0) abort();
        for (int d = 0; d < vectors.D; d++)
            if (!isfinite(vectors.vectors[(size_t)i * (size_t)vectors.D + (size_t)d])) abort();
    }
}

static void try_merges(Arena *arena) {
    static const char text[] = "the cat sat on \xE6\x9D\xB1";
    Bpe *bpe;
    Err err = {0};
    if (!bpe_read(folder(), arena, &bpe, &err)) {
        refused(&err);
        return;
    }
    int count;
    BpePiece *pieces = bpe_encode(bpe, arena, text, sizeof text - 1, &count);
    for (int i = 0; i < count; i++)
        if (!bpe_symbol(bpe, pieces[i].id) || pieces[i].end > sizeof text - 1) abort();
}

static void try_labels(const char *path, Arena *arena) {
    const Label *labels;
    Stage stage = {.arena = arena};
    const char *value = arena_printf(arena, "@%s", path);
    for (int count = 1; count < 4; count++) {
        Err err = {0};
        if (!typed_labels("labels", value, "row", count, &stage, arena, &labels, &err))
            refused(&err);
        number_files_close(&stage);
    }
}

static void try_reviews(const char *path, Arena *arena) {
    Reviews reviews;
    Err err = {0};
    if (!reviews_read(path, arena, &reviews, &err)) refused(&err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static bool begun;
    if (!begun) begun = atexit(remove_folder) == 0;
    Arena arena = arena_open(memory_full);
    const char *path = file_join(&arena, folder(), file_name);
    FILE *file = fopen(path, "wb"); /* file_write would wait for the disk each time */
    if (!file || fwrite(bytes, 1, length, file) != length || fclose(file) != 0) exit(1);
    try_vectors(path, &arena);
    try_merges(&arena);
    try_labels(path, &arena);
    try_reviews(path, &arena);
    arena_close(&arena);
    return 0;
}

#define SAMPLE(text)                                                                               \
    { text, sizeof(text) - 1 }

const FuzzSample fuzz_samples[] = {SAMPLE("film 1 2 3\nwarm -1e-3 2 .5\nNew York 1 1 1\n"),
                                   SAMPLE("2 3\nfilm 1 2 3\nwarm 4 5 6\n"),
                                   SAMPLE("#version: 0.2\nt h\nth e\ne </w>\nthe </w>\n"),
                                   SAMPLE(" \n\t\na\xE6\x9D\xB1\r\n"),
                                   SAMPLE("1\tgood <br />film\n0\t7\tbad\n"),
                                   {NULL, 0}};
