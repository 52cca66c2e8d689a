/* What a network computed on its way, under names and with shapes, for whoever looks: a list of
 * arrays such as "block0.self.weights" [H,T,S]. The list points into the traces; it copies
 * nothing. */
#ifndef CORE_KEPT_H
#define CORE_KEPT_H

#include "base/arena.h"

enum { KEPT_RANK_MAX = 3 };

typedef struct Kept {
    const char *name; /* "self.weights", behind the prefix of the list */
    const char *axes; /* a letter of core/tensor.h per dimension: "HTS"; G heads of keys, F width of
                         the feed-forward layer */
    int rank;
    int shape[KEPT_RANK_MAX];
    const float *values;
} Kept;

typedef struct KeptList {
    Arena *arena; /* of the names and the items */
    Kept *items;
    int count, room;
} KeptList;

KeptList kept_open(Arena *arena);

/* Adds prefix + name, where values is not NULL. axes has a letter per dimension; dimensions beyond
 * it are ignored. */
void kept_add(KeptList *list, const char *prefix, const char *name, const char *axes, int a, int b,
              int c, const float *values);

/* By its whole name; NULL when there is none. */
const Kept *kept_find(const KeptList *list, const char *name);

/* "[4,12,32]" in the list's arena. */
const char *kept_shape(const KeptList *list, const Kept *kept);

#endif
