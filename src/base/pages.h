/* Memory for what is large. Every first touch of a small page is a call into the system, and in a
 * virtual machine every later one is a slow look-up: a picture or a map in pages of 4 kB costs more
 * to touch than to compute. Large pages make both vanish. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* size bytes, not zeroed, to be freed by free; NULL when there is no memory. From 1 MB on the
 * system is asked for large pages, which may round the memory in use up to the next 2 MB. */
void *pages_alloc(size_t size);

#endif
