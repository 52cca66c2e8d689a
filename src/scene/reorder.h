/* A sentence whose words change places: reversed, shuffled, two of them swapped. */
#ifndef SCENE_REORDER_H
#define SCENE_REORDER_H

#include "base/arena.h"
#include "base/err.h"
#include "scene/knob.h"
#include "scene/sentence.h"

#include <stdbool.h>

enum { REORDER_SWAP_MAX = 64 };

typedef struct ReorderRule {
    int order, seed;             /* SentenceOrder, and the number of the shuffle */
    char swap[REORDER_SWAP_MAX]; /* two tokens that change places after that: "1 4"; "" none */
} ReorderRule;

/* Rows for a knob table, for a state with a field `ReorderRule field`. */
#define REORDER_KNOBS(State, field)                                                                \
    SENTENCE_ORDER_KNOBS(State, field.order, field.seed), {                                        \
        .name = "swap", .label = "swap", .kind = KNOB_TEXT, .at = offsetof(State, field.swap),     \
        .size = REORDER_SWAP_MAX, .start = "",                                                     \
        .help = "two tokens that change places, counted from 0: 1 4"                               \
    }

typedef struct Reordered {
    Sentence shown;   /* in the order chosen */
    const int *place; /* [T] where each token was typed */
    bool moved;
} Reordered;

/* typed must live as long as the result. Errors: swap is not two places of the sentence. */
bool reorder(const Sentence *typed, const ReorderRule *rule, Arena *arena, Reordered *out,
             Err *err);

/* " · tokens reversed · tokens 1 4 swapped" for a caption; "" for the order typed. */
const char *reorder_words(const ReorderRule *rule, Arena *arena);

#endif
