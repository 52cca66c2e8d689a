/* The commands: everything a hand can do as a line of text. Keys, palette, command line, lessons
 * and tests all end here, and the help sheet and the palette are made from the same list. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "app/app.h"

typedef struct Command {
    const char *name;
    const char *arguments; /* "KNOB VALUE", "" none */
    const char *help;      /* one line */
    /* words[0] is the name. NULL: only the window can do it (full screen, clipboard), see hud_do.
     */
    bool (*run)(App *app, const char *const *words, int count, Err *err);
} Command;

const Command *command_list(int *count);

/* NULL and an error that offers the nearest names. */
const Command *command_find(const char *name, Err *err);

#endif
