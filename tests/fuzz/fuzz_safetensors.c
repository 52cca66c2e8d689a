/* safetensors from any bytes: refused in one sentence, or every element can be read. */
#include "fuzz.h"

#include "model/safetensors.h"

#include <stdio.h>
#include <stdlib.h>

static void memory_full(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    exit(1);
}

/* A parsed file must be consistent in itself: sizes by shape, bytes within the input. */
static void check_tensor(const SafeTensor *tensor, const uint8_t *bytes, size_t length,
                         Arena *arena) {
    size_t count = 1;
    for (int i = 0; i < tensor->rank; i++) count *= (size_t)tensor->shape[i];
    size_t size = count * safetensors_type_size(tensor->type);
    if (count != tensor->count || tensor->bytes < bytes || tensor->bytes + size > bytes + length)
        abort();
    Err err = {0};
    int32_t *ints;
    safetensors_floats(tensor, arena);
    if (!safetensors_ints(tensor, arena, &ints, &err) && !err.text[0]) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    Arena arena = arena_open(memory_full);
    SafeFile file;
    Err err = {0};
    if (safetensors_parse(bytes, length, &arena, &file, &err))
        for (int n = 0; n < file.count; n++) check_tensor(&file.tensors[n], bytes, length, &arena);
    else if (!err.text[0])
        abort();
    arena_close(&arena);
    return 0;
}

/* The first byte is the length of the header. */
#define SAMPLE(length, text)                                                                       \
    { length "\0\0\0\0\0\0\0" text, sizeof(length "\0\0\0\0\0\0\0" text) - 1 }

const FuzzSample fuzz_samples[] = {
    SAMPLE("\x02", "{}"),
    SAMPLE("\x3c", "{\"test\":{\"dtype\":\"I32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}"
                   "aaaabbbbccccdddd"),
    SAMPLE("\x85", "{\"__metadata__\":{\"a\":\"b\"},\"x\":{\"dtype\":\"F16\",\"shape\":[3],"
                   "\"data_offsets\":[0,6]},\"y\":{\"dtype\":\"U8\",\"shape\":[0,7],"
                   "\"data_offsets\":[6,6]}}abcdef"),
    {NULL, 0}};
