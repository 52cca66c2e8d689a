/* A list in the stage; each file has memory of its own, so that it can go when it is no longer
 * shown. */
#include "scene/number_files.h"

#include <string.h>

static const size_t FILE_LIMIT = (size_t)1 << 30;

static bool same_text(const char *a, const char *b) {
    return (!a && !b) || (a && b && strcmp(a, b) == 0);
}

static bool same_stamp(const FileStamp *a, const FileStamp *b) {
    return a->size == b->size && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->inode == b->inode;
}

static NumberFile *find(Stage *stage, const char *path, const char *tensor) {
    FileStamp stamp;
    bool stamped = file_stamp(path, &stamp);
    for (NumberFile *file = stage->number_files; file; file = file->next)
        if (strcmp(file->path, path) == 0 && same_text(file->tensor, tensor) &&
            (file->carried ||
             (file->stamped == stamped && (!stamped || same_stamp(&file->stamp, &stamp)))))
            return file;
    return NULL;
}

/* Keeps what was read, whose bytes lie in its own arena. */
static NumberFile *keep(Stage *stage, NumberFile read, const char *path, const char *tensor) {
    read.path = arena_text(&read.arena, path);
    read.tensor = tensor ? arena_text(&read.arena, tensor) : NULL;
    read.next = stage->number_files;
    NumberFile *kept = ARENA_NEW(&read.arena, NumberFile);
    *kept = read;
    stage->number_files = kept;
    return kept;
}

bool number_file(Stage *stage, const char *path, const char *tensor, NumberFile **file, Err *err) {
    NumberFile *kept = find(stage, path, tensor);
    if (!kept) {
        NumberFile read = {.arena = arena_beside(stage->arena)};
        read.stamped = file_stamp(path, &read.stamp);
        if (!file_read(path, FILE_LIMIT, &read.arena, &read.bytes, err)) {
            arena_close(&read.arena);
            return false;
        }
        kept = keep(stage, read, path, tensor);
    }
    kept->used = stage->number_turn;
    *file = kept;
    return true;
}

void number_file_carry(Stage *stage, const char *path, const char *tensor, FileBytes bytes) {
    NumberFile read = {.arena = arena_beside(stage->arena), .carried = true};
    uint8_t *copy = arena_alloc(&read.arena, bytes.length + 1);
    if (bytes.length) memcpy(copy, bytes.bytes, bytes.length);
    read.bytes = (FileBytes){.bytes = copy, .length = bytes.length};
    keep(stage, read, path, tensor)->used = stage->number_turn;
}

bool number_file_bytes(const Stage *stage, const char *path, const char *tensor, FileBytes *bytes) {
    for (const NumberFile *file = stage->number_files; file; file = file->next)
        if (strcmp(file->path, path) == 0 && same_text(file->tensor, tensor)) {
            *bytes = file->bytes;
            return true;
        }
    return false;
}

bool number_file_parse(NumberFile *file, int limit, Err *err) {
    Arena mark = file->arena;
    if (!file->parsed)
        file->parsed = numbers_parse(file->bytes.bytes, file->bytes.length, file->tensor, limit,
                                     &file->arena, &file->numbers, err);
    if (!file->parsed) file->arena = mark;
    return file->parsed;
}

static void drop(Stage *stage, bool all) {
    NumberFile **link = &stage->number_files;
    while (*link) {
        NumberFile *file = *link;
        if (!all && file->used == stage->number_turn) {
            link = &file->next;
            continue;
        }
        Arena arena = file->arena; /* the file itself lies in it */
        *link = file->next;
        arena_close(&arena);
    }
}

NumberFile *number_files_last(const Stage *stage) {
    return stage->number_files;
}

void number_files_back_to(Stage *stage, const NumberFile *last) {
    while (stage->number_files && stage->number_files != last) {
        Arena arena = stage->number_files->arena;
        stage->number_files = stage->number_files->next;
        arena_close(&arena);
    }
}

void number_files_settle(Stage *stage) {
    drop(stage, false);
    stage->number_turn++;
}

void number_files_close(Stage *stage) {
    drop(stage, true);
}
