/* malloc, and for large sizes memory that can be laid in pages of 2 MB. */
#define _DEFAULT_SOURCE /* madvise */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20, LARGE_FROM = 1 << 20 };

void *pages_alloc(size_t size) {
    if (size < LARGE_FROM || size > SIZE_MAX - LARGE_PAGE) return malloc(size);
    size_t rounded = (size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    void *memory = aligned_alloc(LARGE_PAGE, rounded);
#ifdef MADV_HUGEPAGE
    if (memory) madvise(memory, rounded, MADV_HUGEPAGE); /* a wish: refusing it does no harm */
#endif
    return memory;
}
