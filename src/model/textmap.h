/* From a text to the number under which it was first added: 0, 1, 2 ... in order of arrival. */
#ifndef MODEL_TEXTMAP_H
#define MODEL_TEXTMAP_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct TextMap {
    Arena *arena;
    int count, room;
    const char **texts; /* [count], borrowed from the caller */
    size_t *lengths;    /* [count] */
    int *slots;         /* numbers + 1, 0 empty; a power of two of them, at most half full */
    int slot_count;
} TextMap;

/* Room for about that many texts; grows in the arena when there are more. */
TextMap textmap_open(Arena *arena, int expected);

/* The number of the text, or -1. */
int textmap_find(const TextMap *map, const char *text, size_t length);

/* The number of the text, which is added when it is new (*added, may be NULL). The bytes must live
 * as long as the map. */
int textmap_add(TextMap *map, const char *text, size_t length, bool *added);

#endif
