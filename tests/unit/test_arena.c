/* The arena: zeroed, aligned, freed by going back to a copy, and asking `full` when there is no
 * more. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static jmp_buf out_of_memory;

static void jump_out(size_t wanted) {
    (void)wanted;
    longjmp(out_of_memory, 1);
}

static void fail_when_full(size_t wanted) {
    fail_msg("asked for %zu bytes that are not there", wanted);
}

static void test_zeroed_and_aligned(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    for (size_t size = 0; size < 300; size += 7) {
        unsigned char *bytes = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)bytes % alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], 0);
        memset(bytes, 0xAA, size);
    }
    arena_close(&arena);
}

static void test_copy_is_a_mark(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    char *kept = arena_text(&arena, "kept");
    Arena scratch = arena;
    char *dropped = arena_alloc(&scratch, 100);
    memset(dropped, 0xFF, 100);
    char *again = arena_alloc(&arena, 100);
    assert_ptr_equal(dropped, again);
    assert_int_equal(again[99], 0);
    assert_string_equal(kept, "kept");
    arena_close(&arena);
}

static void test_a_small_request_behind_a_picture_takes_a_small_block(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    arena_alloc(&arena, 4 << 20);
    size_t held = arena_held(&arena);
    arena_alloc(&arena, 100);
    assert_true(arena_held(&arena) - held < 1 << 20);
    arena_close(&arena);
}

static void test_blocks_are_used_again(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    Arena frame = arena;
    arena_alloc(&frame, 3000000);
    arena_alloc(&frame, 5000000);
    size_t held = arena_held(&arena);
    for (int i = 0; i < 20; i++) {
        frame = arena;
        arena_alloc(&frame, 3000000);
        arena_alloc(&frame, 5000000);
    }
    assert_int_equal(arena_held(&arena), held);
    arena_close(&frame); /* any copy closes the chain */
}

static void test_larger_than_the_next_block(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    Arena mark = arena;
    arena_alloc(&arena, 100000);
    arena = mark;
    unsigned char *large = arena_alloc(&arena, 1000000);
    memset(large, 1, 1000000);
    unsigned char *after = arena_alloc(&arena, 100000);
    memset(after, 2, 100000);
    assert_int_equal(large[999999], 1);
    arena_close(&arena);
}

static void test_full_is_called_for_too_much(void **state) {
    (void)state;
    Arena arena = arena_open(jump_out);
    if (setjmp(out_of_memory) == 0) {
        arena_array(&arena, SIZE_MAX / 2, 4);
        fail_msg("a product that overflows was given out");
    }
    if (setjmp(out_of_memory) == 0) {
        arena_alloc(&arena, SIZE_MAX - 3);
        fail_msg("more than the address space was given out");
    }
    arena_close(&arena);
}

static void test_texts(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    assert_string_equal(arena_printf(&arena, "%d of %s", 3, "four"), "3 of four");
    char *bytes = arena_bytes(&arena, "a\0b", 3);
    assert_memory_equal(bytes, "a\0b", 4);
    arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zeroed_and_aligned),
        cmocka_unit_test(test_copy_is_a_mark),
        cmocka_unit_test(test_a_small_request_behind_a_picture_takes_a_small_block),
        cmocka_unit_test(test_blocks_are_used_again),
        cmocka_unit_test(test_larger_than_the_next_block),
        cmocka_unit_test(test_full_is_called_for_too_much),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
