/* A product that is remembered against one that is not: the bits of every element, and how many dot
 * products it took. */
#include "core/memo.h"

#include "core/tensor.h"

#include "base/rng.h"
#include "numbers.h"

#include <string.h>

enum { WIDTH = 37, ROWS_MAX = 40 };

/* A text: rows that are put in, taken out and changed. */
typedef struct Rows {
    float x[ROWS_MAX * WIDTH];
    int count;
} Rows;

static float *row_at(Rows *rows, int i) {
    return rows->x + (size_t)i * WIDTH;
}

static void write_row(Rows *rows, int i, Rng *rng) {
    for (int d = 0; d < WIDTH; d++) row_at(rows, i)[d] = (float)rng_normal(rng);
}

static void open_row(Rows *rows, int i, Rng *rng) {
    memmove(row_at(rows, i + 1), row_at(rows, i),
            (size_t)(rows->count - i) * WIDTH * sizeof(float));
    rows->count++;
    write_row(rows, i, rng);
}

static void close_row(Rows *rows, int i) {
    rows->count--;
    memmove(row_at(rows, i), row_at(rows, i + 1),
            (size_t)(rows->count - i) * WIDTH * sizeof(float));
}

static Rows *rows_of(Arena *arena, int count, Rng *rng) {
    Rows *rows = ARENA_NEW(arena, Rows);
    for (int i = 0; i < count; i++) open_row(rows, i, rng);
    return rows;
}

/* Returns how many dot products it took. */
static size_t check(Arena *arena, Memo *memo, Rows *a, Rows *b, int k) {
    Arena scratch = arena_beside(arena);
    int m = a->count, n = b->count;
    float *got = ARENA_ARRAY(&scratch, float, m *n), *want = ARENA_ARRAY(&scratch, float, m *n);
    size_t products = memo_product_nt(memo, arena, got, a->x, b->x, m, n, k);
    tensor_product_nt(want, a->x, b->x, m, n, k);
    assert_memory_equal(got, want, (size_t)m * (size_t)n * sizeof *got);
    arena_close(&scratch);
    return products;
}

static void test_a_changed_row_costs_itself(void **state) {
    Arena *arena = *state;
    Rng rng = rng_seed(1);
    Memo memo = {0};
    Rows *x = rows_of(arena, 30, &rng);
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 30 * 30);
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 0);
    write_row(x, 29, &rng);
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 30);
    write_row(x, 11, &rng);
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 30);
    open_row(x, 11, &rng);
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 31);
    close_row(x, 3);
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 0);
}

static void test_two_factors(void **state) {
    Arena *arena = *state;
    Rng rng = rng_seed(2);
    Memo memo = {0};
    Rows *q = rows_of(arena, 9, &rng), *k = rows_of(arena, 21, &rng);
    assert_int_equal(check(arena, &memo, q, k, WIDTH), 9 * 21);
    write_row(q, 4, &rng);
    open_row(k, 20, &rng);
    assert_int_equal(check(arena, &memo, q, k, WIDTH), 22 + 8);
    /* The keys as queries: nothing of a product of two may stand for one of a matrix with itself.
     */
    assert_int_equal(check(arena, &memo, k, k, WIDTH), 22 * 22);
    assert_int_equal(check(arena, &memo, q, k, WIDTH), 9 * 22);
    /* Other widths of the same memory. */
    assert_int_equal(check(arena, &memo, q, k, WIDTH - 1), 9 * 22);
}

/* A zero of the other sign is another number, and one that is none is multiplied like any. */
static void test_bits_decide(void **state) {
    Arena *arena = *state;
    Rng rng = rng_seed(3);
    Memo memo = {0};
    Rows *x = rows_of(arena, 12, &rng);
    for (int d = 0; d < WIDTH; d++) row_at(x, 5)[d] = 0;
    check(arena, &memo, x, x, WIDTH);
    row_at(x, 5)[2] = -0.0f;
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 12);
    row_at(x, 5)[2] = INFINITY;
    assert_int_equal(check(arena, &memo, x, x, WIDTH), 12);
}

static void test_any_edits(void **state) {
    Arena *arena = *state;
    Rng rng = rng_seed(4);
    Memo memo = {0};
    Rows *x = rows_of(arena, 5, &rng);
    for (int step = 0; step < 300; step++) {
        int edits = 1 + (int)rng_below(&rng, 3);
        for (int e = 0; e < edits; e++) {
            int i = (int)rng_below(&rng, (uint32_t)x->count);
            uint32_t kind = rng_below(&rng, 3);
            if (kind == 0) write_row(x, i, &rng);
            if (kind == 1 && x->count < ROWS_MAX) open_row(x, i, &rng);
            if (kind == 2 && x->count > 1) close_row(x, i);
        }
        check(arena, &memo, x, x, WIDTH);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_a_changed_row_costs_itself),
                                       WITH_ARENA(test_two_factors), WITH_ARENA(test_bits_decide),
                                       WITH_ARENA(test_any_edits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
