/* Of a table whose cells depend on key minus query alone, such as the buckets of T5: one number for
 * each relative position, in a line. It has room where the table itself has not. */
#ifndef SCENE_OFFSETS_H
#define SCENE_OFFSETS_H

#include "base/table.h"
#include "draw/canvas.h"
#include "scene/scene.h"

/* Pixels of the canvas that the two lines take: positions, and below them the numbers. */
int offsets_height(Canvas *canvas);

/* The relative positions around 0 that have room in rect, or all of table[T,T]'s. name: what the
 * numbers are; chosen: a cell of the table whose position stands in the accent, row -1: none. */
void offsets_draw(Canvas *canvas, Rect rect, const Table *table, const char *name, Cell chosen);

#endif
