/* main of a fuzz target without libFuzzer: damaged samples by a seed, or files. */
#include "fuzz.h"

#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 4096, CHANGES_MAX = 6 };

typedef struct Input {
    uint8_t bytes[ROOM];
    size_t length;
} Input;

/* Bytes that mean something in headers, and numbers at the edge of their types. */
static const char *const pieces[] = {"0",
                                     "9",
                                     "-1",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     ",",
                                     ":",
                                     "\"",
                                     "\\u0000",
                                     "null",
                                     "1e9",
                                     "2147483648",
                                     "4294967296",
                                     "9223372036854775807",
                                     "18446744073709551615",
                                     "\xFF",
                                     "\xC3\xA9",
                                     " "};

static size_t place(Rng *rng, size_t below) {
    return rng_below(rng, (uint32_t)below + 1);
}

static void insert(Input *input, size_t at, const char *piece) {
    size_t length = strlen(piece);
    if (input->length + length > ROOM) return;
    memmove(input->bytes + at + length, input->bytes + at, input->length - at);
    memcpy(input->bytes + at, piece, length);
    input->length += length;
}

static void cut(Input *input, size_t at, size_t length) {
    if (length > input->length - at) length = input->length - at;
    memmove(input->bytes + at, input->bytes + at + length, input->length - at - length);
    input->length -= length;
}

static void damage(Input *input, Rng *rng) {
    size_t at = place(rng, input->length);
    switch (rng_below(rng, 5)) {
    case 0:
        if (at < input->length) input->bytes[at] ^= (uint8_t)(1u << rng_below(rng, 8));
        break;
    case 1:
        insert(input, at, pieces[rng_below(rng, sizeof pieces / sizeof pieces[0])]);
        break;
    case 2:
        cut(input, at, 1 + rng_below(rng, 8));
        break;
    case 3: /* one piece in place of some bytes */
        cut(input, at, 1 + rng_below(rng, 3));
        insert(input, at, pieces[rng_below(rng, sizeof pieces / sizeof pieces[0])]);
        break;
    default: /* the first byte, which is often a length */
        if (input->length) input->bytes[0] = (uint8_t)(input->bytes[0] + rng_below(rng, 41) - 20);
    }
}

/* In a block of exactly its size, so that a sanitizer sees any step beyond it. */
static void feed(const uint8_t *bytes, size_t length) {
    uint8_t *copy = malloc(length ? length : 1);
    if (!copy) exit(1);
    if (length) memcpy(copy, bytes, length);
    LLVMFuzzerTestOneInput(copy, length);
    free(copy);
}

static void feed_damaged(uint64_t seed, int count) {
    int samples = 0;
    while (fuzz_samples[samples].bytes) samples++;
    for (int n = 0; n < count; n++) {
        Rng rng = rng_seed(seed + (uint64_t)n);
        FuzzSample sample = fuzz_samples[rng_below(&rng, (uint32_t)samples)];
        Input input = {.length = sample.length};
        memcpy(input.bytes, sample.bytes, sample.length);
        int changes = 1 + (int)rng_below(&rng, CHANGES_MAX);
        for (int c = 0; c < changes; c++) damage(&input, &rng);
        feed(input.bytes, input.length);
    }
    printf("%d damaged inputs from seed %llu\n", count, (unsigned long long)seed);
}

static void memory_full(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    exit(1);
}

int main(int argc, char **argv) {
    int seed, count, status = 0;
    if (argc == 3 && text_to_int(argv[1], &seed) && text_to_int(argv[2], &count)) {
        feed_damaged((uint64_t)seed, count);
        return 0;
    }
    Arena arena = arena_open(memory_full);
    for (int n = 1; n < argc; n++) {
        Arena scratch = arena;
        FileBytes file;
        Err err = {0};
        if (file_read(argv[n], SIZE_MAX, &scratch, &file, &err)) {
            feed(file.bytes, file.length);
        } else {
            fprintf(stderr, "%s\n", err.text);
            status = 1;
        }
    }
    arena_close(&arena);
    return status;
}
