/* The words that the three share are written once. */
#include "scene/compared.h"

#include "scene/inspect.h"

#include <string.h>

enum { MAPS = 3 };

static void add_notes(Table *all, const Table *from) {
    for (int i = 0; i < from->note_count; i++) {
        bool known = false;
        for (int n = 0; n < all->note_count; n++)
            known = known || strcmp(all->notes[n], from->notes[i]) == 0;
        if (!known) table_note(all, from->notes[i]);
    }
}

GridOfMaps compared_maps(const char *caption, const char *facts, const Table *const sides[2],
                         const Table *apart, const View *view, Arena *arena) {
    const Table *tables[MAPS] = {sides[0], sides[1], apart};
    GridMap *maps = ARENA_ARRAY(arena, GridMap, MAPS);
    Table *notes = ARENA_NEW(arena, Table);
    for (int i = 0; i < MAPS; i++) {
        float low, high;
        maps[i] = (GridMap){.table = tables[i], .title = tables[i]->title};
        if (table_range(tables[i], -1, &low, &high))
            maps[i].lines[0] =
                arena_printf(arena, "from %s to %s", inspect_digits(arena, (double)low),
                             inspect_digits(arena, (double)high));
        add_notes(notes, tables[i]);
    }
    return (GridOfMaps){.caption = caption,
                        .facts = facts,
                        .maps = maps,
                        .count = MAPS,
                        .notes = notes,
                        .own_scales = true,
                        .view = view};
}
