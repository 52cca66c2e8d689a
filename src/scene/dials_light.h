/* The light of the dials: whether the product of query and key is one number wherever both stand,
 * their distance kept. It is green when a few places agree, red when they do not, and always says
 * so in words and numbers. */
#ifndef SCENE_DIALS_LIGHT_H
#define SCENE_DIALS_LIGHT_H

#include "base/arena.h"
#include "base/table.h"
#include "draw/canvas.h"
#include "draw/plot.h"
#include "scene/dials.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct DialsLight {
    const Dials *dials;
    Table table;          /* a row for each of a few places, one column: the product */
    const float *courses; /* the product under every pairing while both move on */
    double low, high;     /* of the table's products */
} DialsLight;

/* dials must live as long as the light. */
DialsLight dials_light(const Dials *dials, Arena *arena);

/* The figure's place without the line that the light takes at its lower end, and that line. */
Rect dials_light_above(const Canvas *canvas, Rect rect);
void dials_light_draw(Canvas *canvas, Rect rect, const DialsLight *light);

/* Products as points, the one of row hot; then the lengths before and after turning. */
void dials_light_inspect(const DialsLight *light, int row, Probe *probe, Arena *arena);

/* The products listed as points, and how they run under each pairing. */
Plot *dials_light_plot(const DialsLight *light, const View *view, const Theme *theme, Arena *arena);

#endif
