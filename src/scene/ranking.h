/* The strongest keys of a row of weights, as bars with their numbers. */
#ifndef SCENE_RANKING_H
#define SCENE_RANKING_H

#include "base/table.h"
#include "draw/canvas.h"

typedef struct Ranking {
    const char *title; /* "what film listens to" */
    const Table *table;
    int row;
    int chosen;  /* a column in the accent, -1 none */
    double full; /* the value of a bar as long as its place */
} Ranking;

/* Height in pixels of the title and so many bars, or fewer where there are fewer keys. */
int ranking_height(Canvas *canvas, const Ranking *ranking, int bars);

/* As many bars as the place has room for, the largest first. Blocked keys have none. */
void ranking_draw(Canvas *canvas, Rect rect, const Ranking *ranking);

/* The column of the bar at a point, -1 none. */
int ranking_at(Canvas *canvas, Rect rect, const Ranking *ranking, int x, int y);

#endif
