/* Changes of the scene and of its knobs, each a transaction: the new numbers are computed beside
 * the old ones and take their place only when all went well. */
#ifndef APP_CHANGE_H
#define APP_CHANGE_H

#include "app/app.h"

/* Opens a scene anew, nothing chosen and all of it seen, with the knobs of `--name value` and
 * `--name=value` words; knobs that are not named stand at their start. One step of undo. */
bool change_scene(App *app, const Scene *scene, const char *const *options, int count, Err *err);

/* Reads the knob and the value at words[*at] and moves *at behind them. A switch without a value is
 * turned on. Errors: no option, unknown knob, no value. */
bool change_read_option(const Scene *scene, const char *const *words, int count, int *at,
                        Arena *arena, const Knob **knob, const char **value, Err *err);

/* Goes to a state of the history, "raw --mask causal", without a new step of undo; what is chosen
 * and seen stays where the scene does. */
bool change_back_to(App *app, const char *line, Err *err);

/* Turns knobs to values: words[count] are their names and values in turn. All or none of them; one
 * step of undo. */
bool change_knobs(App *app, const char *const *words, int count, Err *err);

/* One step up or down; one that is at its end stays there without an error. */
bool change_step(App *app, const Knob *knob, int direction, Err *err);

/* Lets time pass in a scene that moves; false when it stood still. */
bool change_tick(App *app, double dt);

/* Chooses a cell of the stage shown, row -1 none. Errors: no such cell, both sizes said. */
bool change_select(App *app, Cell cell, Err *err);

#endif
