/* Running text whose words are shaded by weights, in the colours of a heatmap beside it: words flow
 * in lines like a paragraph. Where not all lines fit, those around the word looked at are seen, and
 * the place says which. */
#ifndef SCENE_SHADED_H
#define SCENE_SHADED_H

#include "base/table.h"
#include "draw/canvas.h"
#include "draw/heatmap.h"

typedef struct Shaded {
    const char *title; /* above the words: "the review as film hears it" */
    const Table *table;
    int row;    /* whose weights: the columns are the words */
    int chosen; /* a word in a frame, -1 none */
    int focus;  /* the word that is seen in any case */
} Shaded;

/* Height in pixels that title and all words need in a place so wide. */
int shaded_height(Canvas *canvas, int width, const Shaded *shaded);

/* plan and style: of the heatmap of the same table. */
void shaded_draw(Canvas *canvas, Rect rect, const Shaded *shaded, const HeatmapPlan *plan,
                 const HeatmapStyle *style);

/* The word at a point, -1 none. */
int shaded_at(Canvas *canvas, Rect rect, const Shaded *shaded, int x, int y);

#endif
