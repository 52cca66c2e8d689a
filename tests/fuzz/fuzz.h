/* A fuzz target is a function of bytes that must neither crash nor hang, whatever the bytes are.
 * With fuzz_main.c it is a program: `fuzz_x SEED COUNT` feeds it damaged copies of its samples,
 * `fuzz_x FILE...` what made it fail before. With clang -fsanitize=fuzzer, and without fuzz_main.c,
 * libFuzzer drives it. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

typedef struct FuzzSample {
    const char *bytes;
    size_t length;
} FuzzSample;

/* What the damage begins with; closed by a row of NULL. Each target has its own. */
extern const FuzzSample fuzz_samples[];

#endif
