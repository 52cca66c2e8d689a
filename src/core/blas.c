/* The dynamic loader keeps what has been opened, so nothing has to be kept here. */
#include "core/blas.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* What openblas_get_parallel says of a library whose threads are the system's own. */
enum { SYSTEM_THREADS = 1 };

/* ISO C knows no way from a data pointer to a function; POSIX promises that the bits are the same.
 */
#define SYMBOL(library, name, function)                                                            \
    do {                                                                                           \
        void *symbol_ = dlsym(library, name);                                                      \
        memcpy(&(function), &symbol_, sizeof symbol_);                                             \
    } while (0)

Blas blas_open(void) {
    static const char *const names[] = {"libopenblas.so.0", "libopenblas.so"};
    Blas blas = {0};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return blas;
    int (*get_parallel)(void);
    SYMBOL(library, "cblas_sgemm", blas.sgemm);
    SYMBOL(library, "openblas_get_parallel", get_parallel);
    SYMBOL(library, "openblas_set_num_threads", blas.set_threads);
    blas.from_threads = get_parallel && blas.set_threads && get_parallel() == SYSTEM_THREADS;
    return blas;
}
