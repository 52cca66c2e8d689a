/* Numbers from a file of any bytes, text above all: refused in one sentence, or a matrix whose
 * every number and label can be read. */
#include "fuzz.h"

#include "model/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 64 };

static void memory_full(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    exit(1);
}

static size_t bytes_of(const LabelBytes *labels, int count) {
    size_t sum = 0;
    for (int i = 0; labels && i < count; i++)
        for (size_t at = 0; at < labels[i].length; at++) sum += labels[i].bytes[at];
    return sum;
}

static void check_text(const Numbers *numbers, Arena *arena) {
    const Grid *grid = &numbers->grid;
    bool fits = grid->rows > 0 && grid->rows <= SIDE_MAX && grid->columns > 0 &&
                grid->columns <= SIDE_MAX && numbers->shape[0] == grid->rows;
    if (!fits || numbers->rank != 2 || numbers->shape[1] != grid->columns) abort();
    size_t count = (size_t)grid->rows * (size_t)grid->columns;
    const float *values = numbers_floats(numbers, 0, count, arena);
    for (size_t i = 0; i < count; i++)
        if (grid->missing && grid->missing[i] && values[i] != 0) abort();
    size_t rows = bytes_of(grid->row_labels, grid->rows);
    size_t columns = bytes_of(grid->column_labels, grid->columns);
    if (rows + columns > SIZE_MAX / 2) abort(); /* so that the sums are wanted */
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    Arena arena = arena_open(memory_full);
    uint8_t *text = malloc(length + 1); /* exactly this long, so that a step beyond is seen */
    if (!text) exit(1);
    if (length) memcpy(text, bytes, length);
    text[length] = 0;
    Numbers numbers;
    Err err = {0};
    if (!numbers_parse(text, length, NULL, SIDE_MAX, &arena, &numbers, &err)) {
        if (!err.text[0]) abort();
    } else if (numbers.format == NUMBERS_TEXT) {
        check_text(&numbers, &arena);
    }
    free(text);
    arena_close(&arena);
    return 0;
}

#define SAMPLE(text)                                                                               \
    { text, sizeof(text) - 1 }

const FuzzSample fuzz_samples[] = {SAMPLE("1 2 3; 0 0 0"),
                                   SAMPLE("1,2\r\n-inf, nan\r\n"),
                                   SAMPLE("query,the,\"c,\"\"at\"\nthe,1,\ncat,,4\n"),
                                   SAMPLE("\xEF\xBB\xBF"
                                          "1\t2\n\n3\t4\n"),
                                   SAMPLE("a,b\n0.5,.25e-3\n"),
                                   {NULL, 0}};
