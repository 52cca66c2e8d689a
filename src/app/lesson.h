/* A lesson is a text file of command lines; what stands behind # at the start of a line is a
 * comment. Where a person looks on (app->watched) the line `wait` holds it, until Space goes on. */
#ifndef APP_LESSON_H
#define APP_LESSON_H

#include "app/app.h"

/* Plays all lines, or those up to the first `wait`; a lesson that is held ends. The first line that
 * fails ends it: "lesson.heed:3: ..."; what was written before stays. */
bool lesson_play(App *app, const char *path, Err *err);

/* From where it is held, as lesson_play. */
bool lesson_go_on(App *app, Err *err);

/* Forgets the lessons that are held. */
void lesson_end(App *app);

#endif
