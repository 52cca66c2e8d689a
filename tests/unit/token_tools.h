/* What the tests of tokens and training share: an arena that fails loudly, and files in a folder
 * that is made for one test. */
#ifndef TESTS_TOKEN_TOOLS_H
#define TESTS_TOKEN_TOOLS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void out_of_memory(size_t wanted) {
    fprintf(stderr, "no memory for %zu bytes\n", wanted);
    abort();
}

/* A new folder under TMPDIR or /tmp. */
static inline const char *new_folder(Arena *arena) {
    const char *root = getenv("TMPDIR");
    char *folder = file_join(arena, root ? root : "/tmp", "heed-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

/* Writes text into folder/name and returns the path. */
static inline const char *put_file(Arena *arena, const char *folder, const char *name,
                                   const char *text) {
    const char *path = file_join(arena, folder, name);
    Err err = {0};
    assert_true(file_write(path, text, strlen(text), &err));
    return path;
}

/* Removes the folder and the files named, those that are there. */
static inline void drop_folder(Arena *arena, const char *folder, const char *const *names,
                               int count) {
    for (int i = 0; i < count; i++) unlink(file_join(arena, folder, names[i]));
    assert_int_equal(rmdir(folder), 0);
}

#define assert_has(text, part)                                                                     \
    do {                                                                                           \
        if (!strstr((text), (part))) fail_msg("\"%s\" does not say \"%s\"", (text), (part));       \
    } while (0)

#endif
