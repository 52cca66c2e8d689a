/* First the order, then the swap, which counts in the order made. */
#include "scene/reorder.h"

#include "scene/typed.h"

#include <math.h>

static bool swap_two(const char *swap, int T, int *place, Arena *arena, Err *err) {
    Grid grid;
    if (!*swap) return true;
    if (!typed_grid("swap", swap, 2, arena, &grid, err)) return false;
    int at[2] = {-1, -1};
    for (int i = 0; i < 2 && grid.rows * grid.columns == 2; i++) {
        float value = grid.values[i];
        if (value >= 0 && value < (float)T && value == floorf(value)) at[i] = (int)value;
    }
    if (at[0] < 0 || at[1] < 0)
        return err_set(err, "swap takes two tokens from 0 to %d, as \"1 4\", found \"%s\"", T - 1,
                       swap);
    int kept = place[at[0]];
    place[at[0]] = place[at[1]];
    place[at[1]] = kept;
    return true;
}

bool reorder(const Sentence *typed, const ReorderRule *rule, Arena *arena, Reordered *out,
             Err *err) {
    int T = typed->T, *place = ARENA_ARRAY(arena, int, T);
    sentence_ordered(typed, (SentenceOrder)rule->order, (uint64_t)rule->seed, arena, place);
    if (!swap_two(rule->swap, T, place, arena, err)) return false;
    Reordered made = {*typed, place, false};
    for (int i = 0; i < T; i++) made.moved = made.moved || place[i] != i;
    if (made.moved) made.shown = sentence_permuted(typed, place, arena);
    *out = made;
    return true;
}

const char *reorder_words(const ReorderRule *rule, Arena *arena) {
    const char *order = "";
    if (rule->order == SENTENCE_REVERSED) order = " · tokens reversed";
    if (rule->order == SENTENCE_SHUFFLED)
        order = arena_printf(arena, " · tokens shuffled (%d)", rule->seed);
    return *rule->swap ? arena_printf(arena, "%s · tokens %s swapped", order, rule->swap) : order;
}
