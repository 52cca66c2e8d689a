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
    bool carried;  /* brought along, whatever is on the disk */
    unsigned used; /* the turn in which it was asked for last */
    Arena arena;   /* what follows, and what parsing makes */
    FileBytes bytes;
    bool parsed;
    Numbers numbers;
} NumberFile;

/* The file as it is now. It stays until number_files_settle finds it unused. Errors: file_read's.
 */
bool number_file(Stage *stage, const char *path, const char *tensor, NumberFile **file, Err *err);

/* Puts these bytes, which are copied, in the place of the file until it is found unused: a picture
 * brings along what it was made from. */
void number_file_carry(Stage *stage, const char *path, const char *tensor, FileBytes bytes);

/* The last file that was read or carried: what number_files_back_to goes back to when what was
 * carried since then is not wanted after all. */
NumberFile *number_files_last(const Stage *stage);
void number_files_back_to(Stage *stage, const NumberFile *last);

/* What was read of a file that is shown, though it may have changed since; false when it is not
 * among them. */
bool number_file_bytes(const Stage *stage, const char *path, const char *tensor, FileBytes *bytes);

/* Its numbers; limit as in numbers_parse, whose errors these are. */
bool number_file_parse(NumberFile *file, int limit, Err *err);

/* What was asked for since the last settling is what is shown from now on: other files are given
 * back. To be called at the end of a compute that has succeeded. */
void number_files_settle(Stage *stage);

void number_files_close(Stage *stage);

#endif
