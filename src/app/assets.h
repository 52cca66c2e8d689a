/* Where fonts, models and merges lie. */
#ifndef APP_ASSETS_H
#define APP_ASSETS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

/* The folder that holds fonts/, in arena: named by the user, or else ../share/heed beside the
 * program's folder (installed), or else assets/ in a folder above the program (built). The error
 * says where it looked. */
bool assets_find(const char *named, Arena *arena, const char **folder, Err *err);

#endif
