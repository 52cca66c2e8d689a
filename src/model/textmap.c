/* Open addressing with linear probing over a table of numbers; the texts stand in their own array,
 * so growing moves only numbers. */
#include "model/textmap.h"

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>

enum { TEXTMAP_SMALLEST = 16 };

/* FNV-1a, 64 bits, with the high half folded in for the mask. */
static uint32_t hash(const char *text, size_t length) {
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)text[i]) * 0x100000001B3u;
    return (uint32_t)(h ^ h >> 32);
}

static void take_room(TextMap *map, int room) {
    const char **texts = ARENA_ARRAY(map->arena, const char *, room);
    size_t *lengths = ARENA_ARRAY(map->arena, size_t, room);
    if (map->count > 0) {
        memcpy(texts, map->texts, (size_t)map->count * sizeof *texts);
        memcpy(lengths, map->lengths, (size_t)map->count * sizeof *lengths);
    }
    map->texts = texts;
    map->lengths = lengths;
    map->room = room;
    map->slot_count = 2 * room;
    map->slots = ARENA_ARRAY(map->arena, int, map->slot_count);
}

/* The slot that holds the text, or the empty one where it belongs. */
static int slot_of(const TextMap *map, const char *text, size_t length) {
    uint32_t mask = (uint32_t)map->slot_count - 1;
    uint32_t slot = hash(text, length) & mask;
    for (; map->slots[slot] != 0; slot = (slot + 1) & mask) {
        int number = map->slots[slot] - 1;
        if (map->lengths[number] == length && memcmp(map->texts[number], text, length) == 0) break;
    }
    return (int)slot;
}

static void grow(TextMap *map) {
    assert(map->room <= INT_MAX / 4);
    take_room(map, 2 * map->room);
    for (int i = 0; i < map->count; i++)
        map->slots[slot_of(map, map->texts[i], map->lengths[i])] = i + 1;
}

TextMap textmap_open(Arena *arena, int expected) {
    TextMap map = {.arena = arena};
    int room = TEXTMAP_SMALLEST;
    while (room < expected && room <= INT_MAX / 4) room *= 2;
    take_room(&map, room);
    return map;
}

int textmap_find(const TextMap *map, const char *text, size_t length) {
    return map->slots[slot_of(map, text, length)] - 1;
}

int textmap_add(TextMap *map, const char *text, size_t length, bool *added) {
    int slot = slot_of(map, text, length);
    bool is_new = map->slots[slot] == 0;
    if (added) *added = is_new;
    if (!is_new) return map->slots[slot] - 1;
    if (map->count == map->room) {
        grow(map);
        slot = slot_of(map, text, length);
    }
    map->texts[map->count] = text;
    map->lengths[map->count] = length;
    map->slots[slot] = ++map->count;
    return map->count - 1;
}
