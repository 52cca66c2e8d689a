/* What is kept of a product is a frame: the rows and columns before the first change and behind the
 * last one. Between them lie a band of rows and a band of columns that are multiplied anew. */
#include "core/memo.h"

#include "core/tensor.h"

#include <string.h>

typedef struct Factors {
    const float *a, *b; /* [m,k], [n,k] */
    int m, n, k;
    bool self; /* a with itself: the product is its own mirror image */
} Factors;

/* Which rows of a factor are those of last time. */
typedef struct Same {
    int front, back; /* how many, from either end */
    int fresh;       /* rows between them */
} Same;

static bool same_row(const float *x, int row, const float *old, int old_row, int k) {
    size_t width = (size_t)k;
    return memcmp(x + (size_t)row * width, old + (size_t)old_row * width, width * sizeof *x) == 0;
}

static Same same_rows(const float *x, int rows, const float *old, int old_rows, int k) {
    int most = rows < old_rows ? rows : old_rows, front = 0, back = 0;
    while (front < most && same_row(x, front, old, front, k)) front++;
    while (back < most - front && same_row(x, rows - 1 - back, old, old_rows - 1 - back, k)) back++;
    return (Same){front, back, rows - front - back};
}

/* Row i of out, but for the fresh columns, from the row that it was. */
static void copy_row(float *out, int n, const Memo *memo, int i, int old_i, Same columns) {
    float *to = out + (size_t)i * (size_t)n;
    const float *from = memo->out + (size_t)old_i * (size_t)memo->n;
    memcpy(to, from, (size_t)columns.front * sizeof *to);
    memcpy(to + n - columns.back, from + memo->n - columns.back, (size_t)columns.back * sizeof *to);
}

/* The fresh columns of row i; in a mirror image they are there already, as fresh rows. */
static void fresh_columns(float *out, const Factors *of, int i, Same columns) {
    size_t n = (size_t)of->n, k = (size_t)of->k, first = (size_t)columns.front;
    float *to = out + (size_t)i * n + first;
    if (of->self)
        for (int j = 0; j < columns.fresh; j++) to[j] = out[(first + (size_t)j) * n + (size_t)i];
    else
        tensor_product_nt(to, of->a + (size_t)i * k, of->b + first * k, 1, columns.fresh, of->k);
}

/* Returns how many dot products were multiplied. */
static size_t fill(const Memo *memo, float *out, const Factors *of) {
    Same rows = same_rows(of->a, of->m, memo->a, memo->m, of->k), columns = rows;
    if (!of->self) columns = same_rows(of->b, of->n, memo->b, memo->n, of->k);
    size_t n = (size_t)of->n, first = (size_t)rows.front;
    tensor_product_nt(out + first * n, of->a + first * (size_t)of->k, of->b, rows.fresh, of->n,
                      of->k);
    for (int i = 0; i < of->m; i++) {
        bool front = i < rows.front, back = i >= of->m - rows.back;
        if (!front && !back) continue;
        copy_row(out, of->n, memo, i, front ? i : i - of->m + memo->m, columns);
        fresh_columns(out, of, i, columns);
    }
    size_t kept = (size_t)(rows.front + rows.back);
    return (size_t)rows.fresh * n + (of->self ? 0 : kept * (size_t)columns.fresh);
}

static void keep(Memo *memo, Arena *arena, const float *out, const Factors *of) {
    size_t left = (size_t)of->m * (size_t)of->k,
           right = of->self ? 0 : (size_t)of->n * (size_t)of->k;
    size_t cells = (size_t)of->m * (size_t)of->n, size = left + right + cells;
    if (size > memo->room) {
        /* Twice as much: a text grows word by word, and what is left behind is not given back. */
        memo->room = 2 * size;
        memo->a = ARENA_ARRAY(arena, float, memo->room);
    }
    memo->b = memo->a + (of->self ? 0 : left);
    memo->out = memo->a + left + right;
    memcpy(memo->a, of->a, left * sizeof(float));
    memcpy(memo->b, of->b, right * sizeof(float));
    memcpy(memo->out, out, cells * sizeof(float));
    memo->m = of->m;
    memo->n = of->n;
    memo->k = of->k;
    memo->self = of->self;
}

size_t memo_product_nt(Memo *memo, Arena *arena, float *out, const float *a, const float *b, int m,
                       int n, int k) {
    Factors of = {a, b, m, n, k, a == b && m == n};
    size_t products = (size_t)m * (size_t)n;
    if (memo->a && memo->k == k && memo->self == of.self)
        products = fill(memo, out, &of);
    else
        tensor_product_nt(out, a, b, m, n, k);
    bool same = products == 0 && memo->m == m && memo->n == n; /* it is what is kept already */
    if (!same) keep(memo, arena, out, &of);
    return products;
}
