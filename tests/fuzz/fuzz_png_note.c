/* Any bytes at all as a PNG whose note is asked for. The checksums of the parts are mended first,
 * as nothing behind them would ever be reached by chance.
 *   clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -D_POSIX_C_SOURCE=200809L -Isrc \
 *       $(pkg-config --cflags stb) tests/fuzz/fuzz_png_note.c src/draw/png.c src/base/arena.c \
 *       src/base/err.c src/base/file.c src/base/utf8.c -ldeflate -lm -o build/fuzz_png_note */
#include "fuzz.h"

#include "base/utf8.h"
#include "draw/png.h"

#include <assert.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

static void memory_full(size_t wanted) {
    (void)wanted;
    abort();
}

static void mend_checksums(uint8_t *bytes, size_t size) {
    for (size_t at = 8; at + 12 <= size;) {
        size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 |
                        (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        if (length > size - at - 12) return;
        uint32_t sum = libdeflate_crc32(0, bytes + at + 4, length + 4);
        for (size_t i = 0; i < 4; i++) bytes[at + 8 + length + i] = (uint8_t)(sum >> (24 - 8 * i));
        at += 12 + length;
    }
}

static void read_note(const uint8_t *bytes, size_t size) {
    Arena arena = arena_open(memory_full);
    const char *note = NULL;
    Err err = {0};
    bool read = png_note_of("a.png", (FileBytes){bytes, size}, &arena, &note, &err);
    assert(read == (note != NULL) && read == (err.text[0] == '\0'));
    assert(!read || utf8_valid(note, strlen(note), NULL));
    arena_close(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1); /* exactly this long, so that a step beyond is seen */
    if (!copy) return 0;
    memcpy(copy, data, size);
    read_note(copy, size);
    mend_checksums(copy, size);
    read_note(copy, size);
    free(copy);
    return 0;
}

/* One pixel and the note "scene raw". */
static const char sample[] = "\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001"
                             "\000\000\000\001\010\002\000\000\000\220wS\336\000\000\000\023iTX"
                             "theed\000\000\000\000\000scene raw\012"
                             "k\300\264A\000\000\000\014IDATx\234c`db\006\000"
                             "\000\016\000\007\327o\344x\000\000\000\000IEND\256B`\202";

const FuzzSample fuzz_samples[] = {{sample, sizeof sample - 1}, {NULL, 0}};
