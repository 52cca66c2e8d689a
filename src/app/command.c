/* Each command is a row of one table and a small function that reads its words. What changes the
 * scene goes through change.c, what writes files through picture.c and numbers.c. */
#include "app/command.h"

#include "app/change.h"
#include "app/history.h"
#include "app/lesson.h"
#include "app/note.h"
#include "app/numbers.h"
#include "app/picture.h"
#include "base/file.h"
#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { OPEN_TEXT_MAX = 1 << 20 };

#define ZOOM_STEP 1.25
#define ZOOM_MAX  64.0

static bool need_scene(const App *app, Err *err) {
    return app->scene || err_set(err, "no scene is open; begin with a line such as: scene raw");
}

/* ---- scene and knobs ---- */

static bool do_scene(App *app, const char *const *words, int count, Err *err) {
    if (count < 2) return err_usage(err, "scene needs a name; `heed scenes` lists them");
    const Scene *scene = scene_find(words[1], err);
    return scene && change_scene(app, scene, words + 2, count - 2, err);
}

static bool do_set(App *app, const char *const *words, int count, Err *err) {
    if (!need_scene(app, err)) return false;
    if (count < 3 || count % 2 == 0)
        return err_usage(err, "set takes a knob and a value; a value with blanks stands in quotes");
    return change_knobs(app, words + 1, count - 1, err);
}

static bool do_step(App *app, const char *const *words, int count, Err *err) {
    if (!need_scene(app, err)) return false;
    if (count != 2) return err_usage(err, "%s takes the name of a knob", words[0]);
    const Knob *knob = knob_find(app->scene->knobs, words[1], err);
    if (!knob) return false;
    if (knob->kind == KNOB_TEXT || knob->kind == KNOB_FILE)
        return err_usage(err, "%s has no next value; use: set %s VALUE", knob->name, knob->name);
    return change_step(app, knob, strcmp(words[0], "next") == 0 ? 1 : -1, err);
}

static bool do_reset(App *app, const char *const *words, int count, Err *err) {
    (void)words;
    (void)count;
    return need_scene(app, err) && change_scene(app, app->scene, NULL, 0, err);
}

static bool do_scene_step(App *app, const char *const *words, int count, Err *err) {
    (void)count;
    int scenes, at = 0, shown = 0;
    Arena scratch = app->scratch;
    const Scene **list = scene_list(&scratch, &scenes);
    while (shown < scenes && !list[shown]->hidden) shown++;
    while (at < shown && list[at] != app->scene) at++;
    int by = strcmp(words[0], "next-scene") == 0 ? 1 : shown - 1;
    return change_scene(app, list[at < shown ? (at + by) % shown : 0], NULL, 0, err);
}

static bool do_undo(App *app, const char *const *words, int count, Err *err) {
    (void)count;
    return history_move(app, strcmp(words[0], "undo") == 0 ? -1 : 1, err);
}

/* ---- the chosen cell, and how much is seen ---- */

static bool do_select(App *app, const char *const *words, int count, Err *err) {
    if (!need_scene(app, err)) return false;
    Cell cell = {-1, -1};
    int end = 0;
    if (count == 2 && strcmp(words[1], "none") == 0) return change_select(app, cell, err);
    bool digits = count == 2 && strspn(words[1], "0123456789,") == strlen(words[1]);
    if (!digits || sscanf(words[1], "%7d,%7d%n", &cell.row, &cell.column, &end) != 2 ||
        words[1][end])
        return err_usage(err, "select takes QUERY,KEY counted from 0, as 3,4, or none");
    return change_select(app, cell, err);
}

static int wrapped(int value, int by, int count) {
    return value < 0 ? (by < 0 ? count - 1 : 0) : (value + by + count) % count;
}

/* `row up`, `cell left`: around at the ends; where nothing is chosen, the first or the last. */
static bool do_move(App *app, const char *const *words, int count, Err *err) {
    if (!need_scene(app, err)) return false;
    const char *way = count == 2 ? words[1] : "";
    int down = strcmp(way, "down") == 0 ? 1 : strcmp(way, "up") == 0 ? -1 : 0;
    int right = strcmp(way, "right") == 0 ? 1 : strcmp(way, "left") == 0 ? -1 : 0;
    bool sideways = strcmp(words[0], "cell") == 0;
    if (!down && (!right || !sideways))
        return err_usage(err, "%s takes up%s or down", words[0], sideways ? ", left, right" : "");
    const Table *table = app_table(app);
    if (!table || !table->rows.count || !table->columns.count)
        return err_set(err, "there are no numbers to choose from");
    const View *view = scene_view(app->scene, app->state);
    Cell cell = {view->row, view->column};
    cell.row = down || cell.row < 0 ? wrapped(cell.row, down, table->rows.count) : cell.row;
    cell.column =
        right || cell.column < 0 ? wrapped(cell.column, right, table->columns.count) : cell.column;
    return change_select(app, cell, err);
}

static double clamped(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static bool read_share(const char *word, double *share) {
    return text_to_double(word, share) && isfinite(*share);
}

static bool do_zoom(App *app, const char *const *words, int count, Err *err) {
    if (!need_scene(app, err)) return false;
    View *view = scene_view(app->scene, app->state);
    double zoom, x = view->pan_x, y = view->pan_y;
    const char *how = count > 1 ? words[1] : "";
    bool in = strcmp(how, "in") == 0, out = strcmp(how, "out") == 0;
    if (in || out)
        zoom = view->zoom * (in ? ZOOM_STEP : 1 / ZOOM_STEP);
    else if (!read_share(how, &zoom))
        return err_usage(err, "zoom takes in, out, 0 for all of it, or FACTOR [X Y]");
    if (count == 4 && !(read_share(words[2], &x) && read_share(words[3], &y)))
        return err_usage(err, "zoom takes X and Y as shares from 0 to 1");
    view->zoom = clamped(zoom, 1, ZOOM_MAX);
    view->pan_x = view->zoom > 1 ? clamped(x, 0, 1) : 0;
    view->pan_y = view->zoom > 1 ? clamped(y, 0, 1) : 0;
    app->picture_dirty = true;
    return true;
}

static bool do_pan(App *app, const char *const *words, int count, Err *err) {
    if (!need_scene(app, err)) return false;
    double x, y;
    if (count != 3 || !read_share(words[1], &x) || !read_share(words[2], &y))
        return err_usage(err, "pan takes two shares of the figure, as 0.1 -0.1");
    View *view = scene_view(app->scene, app->state);
    if (view->zoom <= 1) return true;
    view->pan_x = clamped(view->pan_x + x, 0, 1);
    view->pan_y = clamped(view->pan_y + y, 0, 1);
    app->picture_dirty = true;
    return true;
}

/* ---- files ---- */

/* Where a file that a command names goes: into the app's folder, and not over one that is there
 * unless it was told. NULL stem: the name is given. */
static bool target_path(App *app, const char *name, const char *ext, bool force, const char **path,
                        Err *err) {
    const char *folder = app->folder ? app->folder : ".";
    if (!name) {
        *path = file_free_name(&app->scratch, folder, app->scene->name, ext);
        if (!app->folder) *path += strlen("./");
        return true;
    }
    bool outside = name[0] == '/' || strncmp(name, "../", 3) == 0 || strstr(name, "/../");
    if (app->folder && outside)
        return err_set(err, "%s lies outside the folder %s that a lesson may write to", name,
                       app->folder);
    *path = app->folder ? file_join(&app->scratch, app->folder, name) : name;
    struct stat about;
    bool there = stat(*path, &about) == 0 && S_ISREG(about.st_mode);
    if (there && !force && !app->overwrite)
        return err_set(err, "%s is there already; add --force to replace it", *path);
    return true;
}

static void say_written(App *app, const char *path) {
    char sentence[ERR_TEXT_MAX];
    snprintf(sentence, sizeof sentence, "wrote %s", path);
    app_say(app, false, sentence);
}

typedef struct FileWords {
    const char *name; /* NULL: none given */
    bool force;
    PictureOptions picture;
} FileWords;

static bool read_picture_option(const char *name, const char *value, PictureOptions *picture,
                                Err *err) {
    static const char *const names[] = {"--size", "--scale", "--theme", "--frame", "--force"};
    bool size = strcmp(name, "--size") == 0, scale = strcmp(name, "--scale") == 0;
    if (!size && !scale && strcmp(name, "--theme") != 0)
        return words_unknown(err, "option", name, names, 5);
    if (!value) return err_usage(err, "%s needs a value", name);
    if (size) return picture_size(value, &picture->width, &picture->height, err);
    if (scale) return picture_scale(value, &picture->scale, err);
    return picture_theme(value, &picture->theme, err);
}

static bool read_file_words(const char *const *words, int count, FileWords *out, Err *err) {
    *out = (FileWords){0};
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (strcmp(word, "--force") == 0) {
            out->force = true;
        } else if (strcmp(word, "--frame") == 0) {
            out->picture.frame = true;
        } else if (strncmp(word, "--", 2) == 0) {
            const char *value = i + 1 < count ? words[++i] : NULL;
            if (!read_picture_option(word, value, &out->picture, err)) return false;
        } else if (out->name) {
            return err_usage(err, "%s takes one file; \"%.*s\" is a second", words[0],
                             words_shown(word), word);
        } else {
            out->name = word;
        }
    }
    return true;
}

static bool do_png(App *app, const char *const *words, int count, Err *err) {
    FileWords file;
    const char *path;
    if (!need_scene(app, err) || !read_file_words(words, count, &file, err) ||
        !target_path(app, file.name, "png", file.force, &path, err) || !picture_named(path, err) ||
        !picture_write(app, path, &file.picture, err))
        return false;
    say_written(app, path);
    return true;
}

static bool do_csv(App *app, const char *const *words, int count, Err *err) {
    FileWords file;
    const char *path;
    if (!need_scene(app, err) || !read_file_words(words, count, &file, err) ||
        !target_path(app, file.name, "csv", file.force, &path, err) ||
        !numbers_write(app, app_stage(app), "csv", path, err))
        return false;
    say_written(app, path);
    return true;
}

/* The scene that is open if it has a knob of that name, else the first that has one. */
static const Scene *scene_with(App *app, const char *knob) {
    int count;
    const Scene **scenes = scene_list(&app->scratch, &count), *found = app->scene;
    bool has = found && knob_find(found->knobs, knob, NULL);
    for (int i = 0; !has && i < count; i++) {
        found = scenes[i];
        has = !found->hidden && knob_find(found->knobs, knob, NULL);
    }
    return found;
}

/* As they are: finished weights, too, are first seen as numbers. */
static bool open_numbers(App *app, const char *path, Err *err) {
    const char *file = arena_printf(&app->scratch, "@%s", path);
    const char *const options[] = {"--scores", file, "--stage", "scores"};
    return change_scene(app, scene_with(app, "scores"), options, 4, err);
}

static bool open_text(App *app, const char *path, Err *err) {
    const char *text;
    size_t length;
    if (!file_read_text(path, OPEN_TEXT_MAX, &app->scratch, &text, &length, err)) return false;
    while (length > 0 && strchr("\r\n", text[length - 1])) length--;
    const char *line = arena_bytes(&app->scratch, text, length);
    const Scene *scene = scene_with(app, "text");
    if (scene == app->scene) return change_knobs(app, (const char *[]){"text", line}, 2, err);
    return change_scene(app, scene, (const char *[]){"--text", line}, 2, err);
}

/* What a file is its name tells; heed opens it in the way that such a file is used. */
static bool do_open(App *app, const char *const *words, int count, Err *err) {
    static const struct {
        const char *ending;
        bool (*open)(App *app, const char *path, Err *err);
    } kinds[] = {{".heed", lesson_play}, {".txt", open_text},    {".npy", open_numbers},
                 {".csv", open_numbers}, {".tsv", open_numbers}, {".safetensors", open_numbers}};
    if (count != 2)
        return err_usage(err, "open takes one file: a PNG of heed, a lesson, numbers or a text");
    const char *dot = strrchr(words[1], '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (strcasecmp(dot, kinds[i].ending) == 0) return kinds[i].open(app, words[1], err);
    return note_open(app, words[1], err);
}

/* Without an onlooker a lesson does not wait. */
static bool do_wait(App *app, const char *const *words, int count, Err *err) {
    if (count > 2) return err_usage(err, "wait takes one sentence; it stands in quotes");
    if (!app->watched) return true;
    if (!app->lesson_depth) return err_set(err, "only a lesson waits");
    app->lesson_held = true;
    char sentence[ERR_TEXT_MAX];
    snprintf(sentence, sizeof sentence, "Space goes on%s%s", count > 1 ? ": " : "",
             count > 1 ? words[1] : "");
    app_say(app, false, sentence);
    return true;
}

/* ---- the program ---- */

static bool do_theme(App *app, const char *const *words, int count, Err *err) {
    if (count != 2) return err_usage(err, "theme takes a name or next");
    if (strcmp(words[1], "next") == 0)
        app->theme = &color_themes[(app->theme - color_themes + 1) % THEME_COUNT];
    else if (!picture_theme(words[1], &app->theme, err))
        return false;
    app->picture_dirty = true;
    return true;
}

static bool do_scale(App *app, const char *const *words, int count, Err *err) {
    if (count != 2) return err_usage(err, "scale takes a number");
    if (!picture_scale(words[1], &app->scale, err)) return false;
    app->picture_dirty = true;
    return true;
}

static bool do_play(App *app, const char *const *words, int count, Err *err) {
    (void)count;
    if (!need_scene(app, err)) return false;
    if (!app->scene->tick && !app->scene->steps) return err_set(err, "nothing moves in this scene");
    app->playing = strcmp(words[0], "play") == 0;
    app->waited = 0;
    app->picture_dirty = true;
    return true;
}

static bool do_presentation(App *app, const char *const *words, int count, Err *err) {
    (void)words;
    (void)count;
    (void)err;
    app->presentation = !app->presentation;
    app->picture_dirty = true;
    return true;
}

static bool do_quit(App *app, const char *const *words, int count, Err *err) {
    (void)words;
    (void)count;
    (void)err;
    app->quit = true;
    return true;
}

static const Command commands[] = {
    {"scene", "NAME [--KNOB VALUE ...]", "open a scene", do_scene},
    {"next-scene", "", "the next scene", do_scene_step},
    {"prev-scene", "", "the scene before", do_scene_step},
    {"set", "KNOB VALUE [KNOB VALUE ...]", "turn a knob to a value, or several at once", do_set},
    {"next", "KNOB", "one step up: the next choice, a larger number", do_step},
    {"prev", "KNOB", "one step down", do_step},
    {"reset", "", "all knobs to their start", do_reset},
    {"undo", "", "one change back", do_undo},
    {"redo", "", "one change on again", do_undo},
    {"select", "QUERY,KEY | none", "choose a cell, counted from 0", do_select},
    {"row", "up | down", "choose the row above or below", do_move},
    {"cell", "up | down | left | right", "move the chosen cell", do_move},
    {"zoom", "in | out | 0 | FACTOR [X Y]", "see a part larger; 0: all of it", do_zoom},
    {"pan", "DX DY", "move what is seen, in shares of the figure", do_pan},
    {"png", "[FILE] [--size WxH] [--scale S] [--theme NAME] [--frame] [--force]",
     "write the figure, or with --frame the window, as a PNG", do_png},
    {"csv", "[FILE] [--force]", "write the numbers of the stage shown", do_csv},
    {"open", "FILE", "bring back the state in a PNG, play a lesson, show numbers or a text",
     do_open},
    {"wait", "[SENTENCE]", "in a lesson: say it, and hold until Space", do_wait},
    {"theme", "NAME | next", "colours of the program: light, dark, print", do_theme},
    {"scale", "S", "size of everything, 0.5 to 8", do_scale},
    {"play", "", "let it move, or step on once a second", do_play},
    {"pause", "", "hold it", do_play},
    {"presentation", "", "only the figure, in large type, and back", do_presentation},
    {"quit", "", "leave heed", do_quit},
    {"edit", "", "edit the text", NULL},
    {"help", "", "all keys", NULL},
    {"palette", "", "find a command by its name", NULL},
    {"full-screen", "", "the whole screen, and back", NULL},
    {"copy-line", "", "copy the command that exports this picture", NULL},
    {"copy-picture", "", "copy the picture itself", NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const Command *command_list(int *count) {
    *count = COMMAND_COUNT;
    return commands;
}

const Command *command_find(const char *name, Err *err) {
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
        names[i] = commands[i].name;
    }
    words_unknown(err, "command", name, names, COMMAND_COUNT);
    return NULL;
}

bool app_do_words(App *app, const char *const *words, int count, Err *err) {
    if (count == 0) return true;
    const Command *command = command_find(words[0], err);
    if (!command) return false;
    if (!command->run) return err_set(err, "%s needs the window", command->name);
    if (!*command->arguments && count > 1)
        return err_usage(err, "%s stands alone; \"%.*s\" is too much", words[0],
                         words_shown(words[1]), words[1]);
    Arena mark = app->scratch;
    if (app->status[0]) app_say(app, false, "");
    bool ok = command->run(app, words, count, err);
    app->scratch = mark;
    return ok;
}

bool app_do(App *app, const char *line, Err *err) {
    const char **words;
    int count;
    Arena mark = app->scratch;
    bool ok = words_split(line, &app->scratch, &words, &count, err) &&
              app_do_words(app, words, count, err);
    app->scratch = mark;
    return ok;
}
