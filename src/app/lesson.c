/* A lesson may open another, but only so deep: one that opens itself is an error, not a loop. */
#include "app/lesson.h"

#include "base/file.h"

#include <string.h>

enum { LESSON_BYTES_MAX = 4 << 20, LESSON_DEPTH_MAX = 4 };

/* A byte 0 would end the lesson unseen. */
static bool check_text(const char *path, const char *text, size_t length, Err *err) {
    int line = 1;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\0')
            return err_set(err, "%s:%d: a byte 0 stands here; a lesson is a text file", path, line);
        line += text[i] == '\n';
    }
    return true;
}

static bool play_lines(App *app, const char *path, char *text, Err *err) {
    int number = 1;
    for (char *line = text; line && !app->quit; number++) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        char *start = line + strspn(line, " \t");
        if (*start != '#' && !app_do(app, start, err)) return err_at(err, "%s:%d", path, number);
        line = end ? end + 1 : NULL;
    }
    return true;
}

bool lesson_play(App *app, const char *path, Err *err) {
    const char *text;
    size_t length;
    if (app->lesson_depth == LESSON_DEPTH_MAX)
        return err_set(err, "lessons open each other more than %d deep", (int)LESSON_DEPTH_MAX);
    Arena arena = arena_open(app_memory_full);
    app->lesson_depth++;
    bool ok = file_read_text(path, LESSON_BYTES_MAX, &arena, &text, &length, err) &&
              check_text(path, text, length, err) &&
              play_lines(app, path, arena_bytes(&arena, text, length), err);
    app->lesson_depth--;
    arena_close(&arena);
    return ok;
}
