/* Memory that is freed all at once. An Arena is a small value that points into a chain of blocks:
 * copying it is a mark, and going on with the older copy frees what the newer one took. Blocks are
 * kept for reuse, because giving large ones back to the system after every frame costs more than
 * the arithmetic done in them. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

/* Called when the system has no memory left; must not return. */
typedef void ArenaFull(size_t wanted);

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
    ArenaBlock *block; /* the block being filled */
    size_t used;       /* bytes taken from it */
} Arena;

/* An empty arena. full is called, with the bytes asked for, when malloc fails. */
Arena arena_open(ArenaFull *full);

/* An empty arena of its own with the same full: for what is large and short-lived. */
Arena arena_beside(const Arena *arena);

/* Frees every block of the chain; any copy of the arena will do. */
void arena_close(Arena *arena);

/* size bytes, zeroed, aligned for any type. Size 0 gives a valid pointer. */
void *arena_alloc(Arena *arena, size_t size);

/* count elements of size bytes, zeroed; the product is checked, too large calls full. */
void *arena_array(Arena *arena, size_t count, size_t size);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count)                                                            \
    ((type *)arena_array((arena), (size_t)(count), sizeof(type)))

/* The same, but not zeroed: for large arrays that are written from end to end at once. */
void *arena_room(Arena *arena, size_t count, size_t size);

#define ARENA_ROOM(arena, type, count) ((type *)arena_room((arena), (size_t)(count), sizeof(type)))

/* A copy of length bytes with a NUL behind them. */
char *arena_bytes(Arena *arena, const void *bytes, size_t length);
char *arena_text(Arena *arena, const char *text);

/* printf into the arena. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
char *
arena_printf(Arena *arena, const char *format, ...);

/* Bytes that the whole chain holds, used or not. */
size_t arena_held(const Arena *arena);

#endif
