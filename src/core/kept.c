/* The list of what was kept. It grows by doubling in its arena; the old items stay behind there,
 * which costs less than counting beforehand. */
#include "core/kept.h"

#include <assert.h>
#include <string.h>

enum { KEPT_ROOM = 64 };

KeptList kept_open(Arena *arena) {
    return (KeptList){
        .arena = arena, .items = ARENA_ARRAY(arena, Kept, KEPT_ROOM), .room = KEPT_ROOM};
}

static void grow(KeptList *list) {
    Kept *items = ARENA_ARRAY(list->arena, Kept, 2 * list->room);
    memcpy(items, list->items, (size_t)list->count * sizeof *items);
    list->items = items;
    list->room *= 2;
}

void kept_add(KeptList *list, const char *prefix, const char *name, const char *axes, int a, int b,
              int c, const float *values) {
    if (!values) return;
    int rank = (int)strlen(axes);
    assert(rank >= 1 && rank <= KEPT_RANK_MAX);
    if (list->count == list->room) grow(list);
    list->items[list->count++] = (Kept){.name = arena_printf(list->arena, "%s%s", prefix, name),
                                        .axes = axes,
                                        .rank = rank,
                                        .shape = {a, b, c},
                                        .values = values};
}

const Kept *kept_find(const KeptList *list, const char *name) {
    for (int n = 0; n < list->count; n++)
        if (strcmp(list->items[n].name, name) == 0) return &list->items[n];
    return NULL;
}

const char *kept_shape(const KeptList *list, const Kept *kept) {
    const int *shape = kept->shape;
    if (kept->rank == 1) return arena_printf(list->arena, "[%d]", shape[0]);
    if (kept->rank == 2) return arena_printf(list->arena, "[%d,%d]", shape[0], shape[1]);
    return arena_printf(list->arena, "[%d,%d,%d]", shape[0], shape[1], shape[2]);
}
