/* Two maps of the same queries and keys, and what lies between them: three maps side by side as a
 * grid of maps, each on its own scale. */
#ifndef SCENE_COMPARED_H
#define SCENE_COMPARED_H

#include "base/arena.h"
#include "base/table.h"
#include "scene/grid_of_maps.h"
#include "scene/stage.h"

/* sides: of one shape; their titles stand above them. apart: the left one minus the right one. The
 * notes of all three stand below; the PNG's note is that of the left one. */
GridOfMaps compared_maps(const char *caption, const char *facts, const Table *const sides[2],
                         const Table *apart, const View *view, Arena *arena);

#endif
