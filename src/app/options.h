/* Options of a command that is no scene: `--name value` or `--name=value`, by a table of rows. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum OptionKind {
    OPTION_TEXT, /* const char * */
    OPTION_INT,  /* int */
    OPTION_REAL, /* double */
} OptionKind;

typedef struct Option {
    const char *name; /* with its dashes */
    OptionKind kind;
    size_t at;       /* offset in the struct that is filled */
    double min, max; /* of numbers */
} Option;

/* Fills values, a struct that the offsets point into, from argv[count]. What is no option is an
 * error, unless plain (may be NULL) takes the one such word; behind "--" nothing is an option.
 * Errors: unknown names (the nearest are
 * offered), a value that is missing, no number, or out of range. */
bool options_parse(const Option *options, int option_count, void *values, const char **plain,
                   int count, char **argv, Err *err);

#endif
