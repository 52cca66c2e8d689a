/* malloc, and for large sizes memory whose pages are made in one go: the first touch of each page
 * of 4 kB is a fault, and on a virtual machine those cost more than what is done with the page. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { SMALL_PAGE = 4096, LARGE_PAGE = 2 << 20, FILL_FROM = 128 << 10, LARGE_FROM = 2 << 20 };

/* In pages of 2 MB, the last of which may stay empty for the most part. */
static void *in_large_pages(size_t size) {
    size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, rounded);
#ifdef MADV_HUGEPAGE
    if (memory) madvise(memory, rounded, MADV_HUGEPAGE); /* a wish: refusing it does no harm */
#endif
    return memory;
}

void *pages_alloc(size_t size) {
    if (size >= LARGE_FROM && size <= SIZE_MAX - LARGE_PAGE) return in_large_pages(size);
    void *memory = malloc(size);
#ifdef MADV_POPULATE_WRITE
    uintptr_t start = (uintptr_t)memory, into = start % SMALL_PAGE;
    if (memory && size >= FILL_FROM)
        madvise((unsigned char *)memory - into, size + into, MADV_POPULATE_WRITE);
#endif
    return memory;
}
