/* The command line taken apart: a command, what it is about, knobs, and the options that every
 * command understands. */
#ifndef APP_CLI_H
#define APP_CLI_H

#include "base/arena.h"
#include "base/err.h"
#include "draw/color.h"

#include <stdbool.h>

typedef struct Cli {
    const char *command; /* "view" when none was named */
    const char *subject; /* SCENE, LESSON, FILE; NULL: none */
    const char **knobs;  /* --name value and --name=value words that are no option of all */
    int knob_count;
    char **rest; /* tokenize and train: all words behind the command, but --assets */
    int rest_count;
    const Theme *theme; /* NULL: not given */
    double scale;       /* 0 */
    int width, height;  /* 0 0 */
    bool frame, help, version;
    const char *format, *select, *zoom, *assets, *output, *stage; /* NULL */
} Cli;

/* Errors, all of them wrong usage: an argument that is not UTF-8, an unknown command or option, an
 * option without its value, a value out of range. */
bool cli_parse(int argc, char **argv, Arena *arena, Cli *cli, Err *err);

/* What `heed --help` prints. */
extern const char cli_help[];

#endif
