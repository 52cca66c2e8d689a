/* Files of numbers that a scene asks for at every turn of a knob: each is read once and kept while
 * it is as it was, whatever its size and format. */
#ifndef SCENE_NUMBER_FILES_H
#define SCENE_NUMBER_FILES_H

#include "base/err.h"
#include "base/file.h"
#include "model/numbers.h"
#include "scene/stage.h"

#include <stdbool.h>

typedef struct NumberFile {
    struct NumberFile *next;
    const char *path, *tensor; /* tensor NULL: not named */
    FileStamp stamp;
    bool stamped;  /* a regular file; others, as a pipe, can be read only once */
    unsigned used; /* the turn in which it was asked for last */
    Arena arena;   /* what follows, and what parsing makes */
    FileBytes bytes;
    bool parsed;
    Numbers numbers;
} NumberFile;

/* The file as it is now. It stays until number_files_settle finds it unused. Errors: file_read's.
 */
bool number_file(Stage *stage, const char *path, const char *tensor, NumberFile **file, Err *err);

/* Its numbers; limit as in numbers_parse, whose errors these are. */
bool number_file_parse(NumberFile *file, int limit, Err *err);

/* What was asked for since the last settling is what is shown from now on: other files are given
 * back. To be called at the end of a compute that has succeeded. */
void number_files_settle(Stage *stage);

void number_files_close(Stage *stage);

#endif
