/* OpenBLAS, for large products. It is opened when the first of them is wanted, and not linked:
 * loading it and starting its threads takes longer than heed needs for a whole picture of a
 * sentence. Where it is not installed, core's own products do the same work more slowly. */
#ifndef CORE_BLAS_H
#define CORE_BLAS_H

#include <stdbool.h>

/* As cblas_sgemm: C[m,n] = alpha op(A) op(B) + beta C with row lengths lda, ldb, ldc. */
typedef void BlasSgemm(int order, int turn_a, int turn_b, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb, float beta, float *c,
                       int ldc);

enum { BLAS_ROW_MAJOR = 101, BLAS_AS_IS = 111, BLAS_TURNED = 112 };

typedef struct Blas {
    BlasSgemm *sgemm;           /* NULL: OpenBLAS is not there */
    bool from_threads;          /* whether several threads may call it at once */
    void (*set_threads)(int n); /* how many it uses itself for one call; NULL: as it likes */
} Blas;

/* Slow the first time, a look-up afterwards. */
Blas blas_open(void);

#endif
