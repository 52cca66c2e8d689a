/* The shapes of multi-head attention as a strip of boxes with true numbers: the width of a token is
 * split among the heads, each head attends, and the heads are merged again. */
#ifndef SCENE_SPLIT_H
#define SCENE_SPLIT_H

#include "base/arena.h"
#include "draw/canvas.h"

typedef struct Split {
    int T, S;    /* queries, keys */
    int D, H, K; /* width, heads, width of a head: D = H K */
} Split;

/* "128 = 4 heads × 32". */
const char *split_words(Arena *arena, const Split *split);

/* Height in pixels, 0 where the strip does not fit the width. */
int split_height(Canvas *canvas, int width);
void split_draw(Canvas *canvas, Rect rect, const Split *split);

#endif
