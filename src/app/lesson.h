/* A lesson is a text file of command lines; what stands behind # at the start of a line is a
 * comment. */
#ifndef APP_LESSON_H
#define APP_LESSON_H

#include "app/app.h"

/* Plays all lines. The first that fails ends it: "lesson.heed:3: ..."; what was written before
 * stays. */
bool lesson_play(App *app, const char *path, Err *err);

#endif
