/* NPY from any bytes: refused in one sentence, or every element can be read. */
#include "fuzz.h"

#include "base/arena.h"
#include "model/npy.h"

#include <stdio.h>
#include <stdlib.h>

static void memory_full(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    exit(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    Npy npy;
    Err err = {.text = ""};
    if (!npy_parse(bytes, length, &npy, &err)) {
        if (!err.text[0]) abort();
        return 0;
    }
    size_t size = npy.count * (size_t)npy.size;
    if (npy.bytes < bytes || npy.bytes + size > bytes + length) abort();
    Arena arena = arena_open(memory_full);
    npy_floats(&npy, 0, npy.count, ARENA_ARRAY(&arena, float, npy.count));
    arena_close(&arena);
    return 0;
}

#define SAMPLE(text)                                                                               \
    { text, sizeof(text) - 1 }

const FuzzSample fuzz_samples[] = {
    SAMPLE("\x93NUMPY\x01\0\x3c\0{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), } "
           "\n123456789012345678901234"),
    SAMPLE("\x93NUMPY\x02\0\x3b\0\0\0{'descr': '>f2', 'fortran_order': False, 'shape': (4,), } "
           "\n12345678"),
    SAMPLE("\x93NUMPY\x01\0\x3b\0{'descr': '<f16', 'fortran_order': False, 'shape': (1,),} "
           "\n1234567890123456"),
    {NULL, 0}};
