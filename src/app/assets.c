/* The program finds itself and looks around from there, so that an installed tree can be moved and
 * nothing is compiled in. */
#include "app/assets.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

static bool holds_fonts(const char *folder, Arena scratch) {
    return file_exists(file_join(&scratch, folder, "fonts"));
}

/* Takes the last name off; false when nothing is left. */
static bool go_up(char *path) {
    char *slash = strrchr(path, '/');
    if (!slash || slash == path) return false;
    *slash = '\0';
    return true;
}

static bool try_folder(Arena *arena, const char *base, const char *name, const char **folder) {
    const char *path = file_join(arena, base, name);
    if (!holds_fonts(path, *arena)) return false;
    *folder = path;
    return true;
}

bool assets_find(const char *named, Arena *arena, const char **folder, Err *err) {
    if (named) {
        if (!holds_fonts(named, *arena))
            return err_set(err,
                           "there is no fonts folder in %s; --assets names the folder that "
                           "holds fonts, models and bpe",
                           named);
        *folder = arena_text(arena, named);
        return true;
    }
    char start[PATH_BYTES], path[PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", start, sizeof start - 1);
    if (length < 0) return err_set(err, "the program cannot find itself; say --assets DIR");
    start[length] = '\0';
    go_up(start);
    memcpy(path, start, sizeof path);
    if (go_up(path) && try_folder(arena, path, "share/heed", folder)) return true;
    memcpy(path, start, sizeof path);
    do
        if (try_folder(arena, path, "assets", folder)) return true;
    while (go_up(path));
    return err_set(err,
                   "fonts and models were not found: neither ../share/heed beside %s nor a folder "
                   "assets above it; say --assets DIR",
                   start);
}
