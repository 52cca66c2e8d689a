/* Undo: every state of the scene is one line, so a step back is a line done again. */
#ifndef APP_HISTORY_H
#define APP_HISTORY_H

#include "app/app.h"

/* Remembers the present state; what was undone before is forgotten. knob: what was turned, NULL
 * when it was something else. merge: the step replaces the last one if that turned the same knob.
 */
void history_add(App *app, const Knob *knob, bool merge);

/* Errors: nothing left to undo or redo. */
bool history_move(App *app, int direction, Err *err);

void history_free(App *app);

#endif
