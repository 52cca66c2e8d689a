/* Whole files in, whole files out. A file is never half-written: what is new is written beside the
 * target and takes its place by rename, so a failure (full disk, no permission) leaves what was
 * there. Devices and pipes are written directly. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct FileBytes {
    const uint8_t *bytes; /* length bytes and a NUL, aligned for any type */
    size_t length;
} FileBytes;

/* Reads all of path. Errors: not there, a directory, not readable, longer than limit bytes (both
 * sizes said). Regular files and pipes ("/dev/stdin", process substitution) alike. */
bool file_read(const char *path, size_t limit, Arena *arena, FileBytes *file, Err *err);

/* The bytes of a regular file where the system keeps them, without a copy and without a NUL behind
 * them: only the parts that are looked at are read. For what is installed, since a file that is
 * made shorter in place takes its bytes away (file_write never does that). Errors as file_read. */
bool file_map(const char *path, FileBytes *file, Err *err);

/* Gives them back; *file is then {0}, of which nothing is given back. */
void file_unmap(FileBytes *file);

/* The memory that mapped bytes take is free for others until they are read again. */
void file_rest(FileBytes file);

/* Reads as file_read does and checks that it is UTF-8 (the byte offset of the first wrong byte is
 * said); a byte order mark is dropped. */
bool file_read_text(const char *path, size_t limit, Arena *arena, const char **text, size_t *length,
                    Err *err);

/* Writes length bytes. Errors: folder not there, a directory as target, not writable, disk full.
 * "-" is standard output. */
bool file_write(const char *path, const void *bytes, size_t length, Err *err);

bool file_exists(const char *path);

/* What tells whether a regular file is still the one that was read. */
typedef struct FileStamp {
    int64_t size, seconds, nanoseconds; /* of the last change */
    uint64_t inode; /* another one where a new file has taken the place of the old */
} FileStamp;

/* False when there is no such regular file. */
bool file_stamp(const char *path, FileStamp *stamp);

/* "folder/name" in the arena. */
char *file_join(Arena *arena, const char *folder, const char *name);

/* The first "stem.ext", "stem-2.ext", "stem-3.ext" ... in folder that does not exist. */
char *file_free_name(Arena *arena, const char *folder, const char *stem, const char *ext);

#endif
