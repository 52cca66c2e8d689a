/* A chain of blocks. When an older copy of the arena goes on, the blocks behind its own are still
 * linked and are filled again; one that is too small for the next request is passed over by linking
 * a larger one before it. */
#include "base/arena.h"

#include "base/pages.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_FIRST_BLOCK = 64 * 1024, ARENA_LARGEST_BLOCK = 16 * 1024 * 1024 };

struct ArenaBlock {
    ArenaBlock *first; /* start of the chain, so that any copy can close it */
    ArenaBlock *next;
    ArenaFull *full;
    size_t size; /* bytes behind this header */
    alignas(max_align_t) unsigned char bytes[];
};

static ArenaBlock *block_new(ArenaBlock *first, ArenaFull *full, size_t size) {
    ArenaBlock *block = size > SIZE_MAX - sizeof *block ? NULL : pages_alloc(sizeof *block + size);
    if (!block) {
        full(size);
        abort(); /* full must not return */
    }
    block->first = first ? first : block;
    block->next = NULL;
    block->full = full;
    block->size = size;
    return block;
}

Arena arena_open(ArenaFull *full) {
    assert(full);
    return (Arena){.block = block_new(NULL, full, ARENA_FIRST_BLOCK), .used = 0};
}

Arena arena_beside(const Arena *arena) {
    return arena_open(arena->block->full);
}

void arena_close(Arena *arena) {
    ArenaBlock *block = arena->block ? arena->block->first : NULL;
    while (block) {
        ArenaBlock *next = block->next;
        free(block);
        block = next;
    }
    *arena = (Arena){0};
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

/* Blocks double, so that there are few of them; but a small request behind a picture does not get a
 * block of a picture's size, of which the first touch would take a large page. */
static size_t block_size_for(const ArenaBlock *before, size_t size) {
    size_t doubled = smaller(before->size, ARENA_LARGEST_BLOCK / 2) * 2;
    size_t of_its_kind = larger(smaller(size, ARENA_LARGEST_BLOCK) * 8, ARENA_FIRST_BLOCK);
    return larger(size, smaller(doubled, of_its_kind));
}

static void next_block(Arena *arena, size_t size) {
    ArenaBlock *block = arena->block;
    if (!block->next || block->next->size < size) {
        size_t fresh_size = block_size_for(block, size);
        ArenaBlock *fresh = block_new(block->first, block->full, fresh_size);
        fresh->next = block->next;
        block->next = fresh;
    }
    arena->block = block->next;
    arena->used = 0;
}

static void *take(Arena *arena, size_t size) {
    const size_t grain = alignof(max_align_t);
    if (size > SIZE_MAX - grain) arena->block->full(size);
    size_t rounded = (size + grain - 1) / grain * grain;
    if (rounded > arena->block->size - arena->used) next_block(arena, rounded);
    void *bytes = arena->block->bytes + arena->used;
    arena->used += rounded;
    return bytes;
}

void *arena_alloc(Arena *arena, size_t size) {
    return memset(take(arena, size), 0, size);
}

void *arena_room(Arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) arena->block->full(SIZE_MAX);
    return take(arena, count * size);
}

void *arena_array(Arena *arena, size_t count, size_t size) {
    return memset(arena_room(arena, count, size), 0, count * size);
}

char *arena_bytes(Arena *arena, const void *bytes, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    if (length) memcpy(copy, bytes, length);
    return copy;
}

char *arena_text(Arena *arena, const char *text) {
    return arena_bytes(arena, text, strlen(text));
}

char *arena_printf(Arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert(length >= 0);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

size_t arena_held(const Arena *arena) {
    size_t held = 0;
    for (const ArenaBlock *block = arena->block->first; block; block = block->next)
        held += block->size;
    return held;
}
