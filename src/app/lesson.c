/* A stack of files with a place in each: a lesson may open another, but only so deep, for one that
 * opens itself is an error and no loop. Holding is leaving the stack as it is. */
#include "app/lesson.h"

#include "base/file.h"

#include <string.h>

enum { LESSON_BYTES_MAX = 4 << 20 };

static void close_last(App *app) {
    arena_close(&app->lessons[--app->lesson_depth].arena);
}

static void close_to(App *app, int depth) {
    while (app->lesson_depth > depth) close_last(app);
}

void lesson_end(App *app) {
    close_to(app, 0);
    app->lesson_held = false;
}

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

/* The next line, cut off from the rest; NULL at the end. */
static const char *take_line(AppLesson *lesson) {
    char *line = lesson->rest;
    if (!line) return NULL;
    char *end = strchr(line, '\n');
    if (end) *end = '\0';
    lesson->rest = end ? end + 1 : NULL;
    lesson->line++;
    return line + strspn(line, " \t");
}

/* Plays until only so many are open. */
static bool play_to(App *app, int depth, Err *err) {
    while (app->lesson_depth > depth && !app->lesson_held) {
        AppLesson *lesson = &app->lessons[app->lesson_depth - 1];
        const char *line = app->quit ? NULL : take_line(lesson);
        if (!line) {
            close_last(app);
        } else if (*line != '#' && !app_do(app, line, err)) {
            err_at(err, "%s:%d", lesson->path, lesson->line);
            close_to(app, depth);
            return false;
        }
    }
    return true;
}

bool lesson_play(App *app, const char *path, Err *err) {
    const char *text;
    size_t length;
    if (app->lesson_held) lesson_end(app);
    if (app->lesson_depth == APP_LESSONS_MAX)
        return err_set(err, "lessons open each other more than %d deep", (int)APP_LESSONS_MAX);
    AppLesson *lesson = &app->lessons[app->lesson_depth];
    *lesson = (AppLesson){.arena = arena_open(app_memory_full)};
    if (!file_read_text(path, LESSON_BYTES_MAX, &lesson->arena, &text, &length, err) ||
        !check_text(path, text, length, err)) {
        arena_close(&lesson->arena);
        return false;
    }
    lesson->path = arena_text(&lesson->arena, path);
    lesson->rest = arena_bytes(&lesson->arena, text, length);
    app->lesson_depth++;
    return play_to(app, app->lesson_depth - 1, err);
}

bool lesson_go_on(App *app, Err *err) {
    app->lesson_held = false;
    if (!play_to(app, 0, err)) return false;
    if (!app->lesson_held && !app->status[0]) app_say(app, false, "the lesson is at its end");
    return true;
}
