/* A command line of any bytes: refused in one sentence, or its words come back from the line that
 * they are written into. */
#include "fuzz.h"

#include "base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void memory_full(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    exit(1);
}

static void check_again(const char *const *words, int count, Arena *arena) {
    Text line = text_open(arena);
    for (int i = 0; i < count; i++) words_add(&line, words[i]);
    const char **again;
    int found;
    if (strchr(line.bytes, '\n') || !words_split(line.bytes, arena, &again, &found, NULL)) abort();
    if (found != count) abort();
    for (int i = 0; i < count; i++)
        if (strcmp(words[i], again[i]) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static const char *const names[] = {"scene", "set", "next", "rope_waves", "--theme", "-o"};
    Arena arena = arena_open(memory_full);
    const char *line = arena_bytes(&arena, bytes, length);
    const char **words;
    int count;
    Err err = {0};
    if (words_split(line, &arena, &words, &count, &err)) {
        check_again(words, count, &arena);
        if (count) words_unknown(&err, "word", words[0], names, 6);
    }
    if (count && !err.text[0]) abort();
    arena_close(&arena);
    return 0;
}

#define SAMPLE(text)                                                                               \
    { text, sizeof(text) - 1 }

const FuzzSample fuzz_samples[] = {
    SAMPLE("scene raw --text \"a \\\"b\\\" \\\\ c\\n\" --mask causal"),
    SAMPLE(" set\tvalues on\r"),
    SAMPLE("# \"\" \xE6\x9D\xB1 --x=y\\ z"),
    {NULL, 0}};
