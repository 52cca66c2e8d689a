/* Writing and reading of the note. Reading keeps a pointer to each line that matters and does them
 * in an order of its own, whatever order a stranger's file has. */
#include "app/note.h"

#include "app/change.h"
#include "app/history.h"
#include "base/base64.h"
#include "base/words.h"
#include "draw/png.h"
#include "scene/number_files.h"
#include "scene/typed.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { NOTE_MAX = 2 << 20, NOTE_FILES_MAX = 16, CARRIED_MAX = 64 * 1024 };

typedef struct Note {
    const char *scene, *select, *zoom, *theme;                /* whole lines, NULL when not there */
    const char *files[NOTE_FILES_MAX], *data[NOTE_FILES_MAX]; /* what a file held, or NULL */
    int file_count;
} Note;

typedef struct FileMark {
    uint64_t size, hash;
} FileMark;

static const FileMark nothing_read = {.hash = UINT64_C(0xcbf29ce484222325)};

static void mark_bytes(FileMark *mark, const unsigned char *bytes, size_t length) {
    for (size_t i = 0; i < length; i++)
        mark->hash = (mark->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    mark->size += length;
}

/* Size and FNV-1a hash (Fowler, Noll, Vo; 64 bits) of a regular file. */
static bool mark_file(const char *path, FileMark *mark, Err *err) {
    struct stat about;
    if (stat(path, &about) != 0) return err_set(err, "%s: %s", path, strerror(errno));
    if (!S_ISREG(about.st_mode)) return err_set(err, "%s is not a regular file", path);
    FILE *file = fopen(path, "rb");
    if (!file) return err_set(err, "%s: %s", path, strerror(errno));
    unsigned char block[8192];
    *mark = nothing_read;
    for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) mark_bytes(mark, block, got);
    bool ok = !ferror(file);
    fclose(file);
    return ok || err_set(err, "%s could not be read to its end", path);
}

/* The path that a knob's value names: the value of a file knob, what stands behind "@" in a text,
 * without the name of a tensor in it, which is *tensor or NULL; NULL when it names none. */
static const char *named_file(const Knob *knob, const char *value, Arena *arena,
                              const char **tensor) {
    if (knob->kind == KNOB_FILE) return *value ? typed_path(value, arena, tensor) : NULL;
    bool names = knob->kind == KNOB_TEXT && value[0] == '@';
    return names ? typed_path(value + 1, arena, tensor) : NULL;
}

bool note_spares_inputs(App *app, const char *path, Err *err) {
    struct stat target, input;
    if (strcmp(path, "-") == 0 || stat(path, &target) != 0) return true;
    for (const Knob *knob = app->scene->knobs; knob->name; knob++) {
        Arena scratch = app->scratch;
        const char *tensor, *value = knob_get(knob, app->state, &scratch);
        const char *read = named_file(knob, value, &scratch, &tensor);
        bool same = read && stat(read, &input) == 0 && S_ISREG(input.st_mode) &&
                    input.st_ino == target.st_ino && input.st_dev == target.st_dev;
        if (same)
            return err_set(err, "%s is the file that --%s reads; write to another", path,
                           knob->name);
    }
    return true;
}

static void add_file(App *app, const char *path, const char *tensor, Arena *arena, Text *note) {
    FileMark mark = nothing_read;
    FileBytes bytes;
    bool kept = app->scene->carries && number_file_bytes(&app->stage, path, tensor, &bytes);
    if (kept)
        mark_bytes(&mark, bytes.bytes, bytes.length);
    else if (!mark_file(path, &mark, NULL))
        return;
    Text line = text_open(arena);
    words_add(&line, path);
    text_addf(note, "file %" PRIu64 " %016" PRIx64 " %s\n", mark.size, mark.hash, line.bytes);
    if (!kept || bytes.length > CARRIED_MAX) return;
    text_add(note, "data ");
    base64_add(note, bytes);
    text_add(note, "\n");
}

static void add_files(App *app, Arena *arena, Text *note) {
    for (const Knob *knob = app->scene->knobs; knob->name; knob++) {
        const char *tensor;
        const char *path = named_file(knob, knob_get(knob, app->state, arena), arena, &tensor);
        if (path) add_file(app, path, tensor, arena, note);
    }
}

static void add_view(App *app, Text *note) {
    const View *view = scene_view(app->scene, app->state);
    if (view->row >= 0) text_addf(note, "select %d,%d\n", view->row, view->column);
    if (view->zoom > 1)
        text_addf(note, "zoom %.9g %.9g %.9g\n", view->zoom, view->pan_x, view->pan_y);
}

const char *note_make(App *app, Canvas *canvas, Rect figure, const PictureOptions *options,
                      Arena *arena) {
    Text note = text_open(arena);
    text_addf(&note, "heed %s\n", HEED_VERSION);
    text_addf(&note, "scene %s\n", scene_line(app->scene, app->state, arena));
    add_view(app, &note);
    text_addf(&note, "theme %s\nscale %.9g\n", app->theme->name, canvas->scale);
    if (options->width)
        text_addf(&note, "size %dx%d\n", options->width, options->height);
    else
        text_add(&note, "size natural\n");
    if (options->frame) text_add(&note, "frame\n");
    add_files(app, arena, &note);
    text_addf(&note, "figure %d %d %d %d\n", figure.x, figure.y, figure.w, figure.h);
    if (app->scene->geometry)
        text_add(&note, app->scene->geometry(app->state, canvas, figure, arena));
    return note.bytes;
}

static bool version_known(const char *line, Err *err) {
    int theirs[3], ours[3];
    if (!line || sscanf(line, "heed %6d.%6d.%6d", &theirs[0], &theirs[1], &theirs[2]) != 3)
        return err_set(err, "its note does not begin with the version of heed that wrote it");
    sscanf(HEED_VERSION, "%d.%d.%d", &ours[0], &ours[1], &ours[2]);
    for (int i = 0; i < 3; i++) {
        if (theirs[i] < ours[i]) return true;
        if (theirs[i] > ours[i])
            return err_set(err, "it was written by heed %d.%d.%d, which is newer than this %s",
                           theirs[0], theirs[1], theirs[2], HEED_VERSION);
    }
    return true;
}

static bool starts(const char *line, const char *word) {
    size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length] == ' ';
}

static void take_line(Note *note, const char *line) {
    if (starts(line, "scene"))
        note->scene = line;
    else if (starts(line, "select"))
        note->select = line;
    else if (starts(line, "zoom"))
        note->zoom = line;
    else if (starts(line, "theme"))
        note->theme = line;
    else if (starts(line, "file") && note->file_count < NOTE_FILES_MAX)
        note->files[note->file_count++] = line;
    else if (starts(line, "data") && note->file_count)
        note->data[note->file_count - 1] = line + strlen("data ");
}

static bool read_note(const char *path, Arena *arena, Note *note, Err *err) {
    const char *text;
    if (!png_read_note(path, arena, &text, err)) return false;
    if (strlen(text) > NOTE_MAX)
        return err_set(err, "its note is longer than %d bytes", (int)NOTE_MAX);
    char *rest = arena_text(arena, text), *line = strtok_r(rest, "\n", &rest);
    if (!version_known(line, err)) return err_at(err, "%s", path);
    while ((line = strtok_r(NULL, "\n", &rest))) take_line(note, line);
    if (!note->scene) return err_set(err, "%s: its note names no scene", path);
    return true;
}

/* Whether a line "file SIZE HASH PATH" of the note speaks of path, and what it says. *data: what
 * the file held, NULL when the note does not hold it. */
static bool find_mark(const Note *note, const char *path, Arena *arena, FileMark *mark,
                      const char **data) {
    for (int i = 0; i < note->file_count; i++) {
        const char **words;
        int count;
        if (!words_split(note->files[i], arena, &words, &count, NULL) || count != 4) continue;
        bool numbers = sscanf(words[1], "%20" SCNu64, &mark->size) == 1 &&
                       sscanf(words[2], "%16" SCNx64, &mark->hash) == 1;
        *data = note->data[i];
        if (numbers && strcmp(words[3], path) == 0) return true;
    }
    return false;
}

/* The file as the note holds it, in the place of the one that is gone or has changed. */
static bool carry(App *app, const char *path, const char *tensor, const char *data, FileMark was,
                  Arena *arena) {
    FileBytes bytes;
    FileMark mark = nothing_read;
    if (!data || !base64_read(data, arena, &bytes)) return false;
    mark_bytes(&mark, bytes.bytes, bytes.length);
    if (mark.size != was.size || mark.hash != was.hash) return false;
    number_file_carry(&app->stage, path, tensor, bytes);
    return true;
}

static bool file_unchanged(App *app, const Note *note, const Scene *scene, const Knob *knob,
                           const char *value, Arena *arena, Err *err) {
    FileMark was, is;
    Err missing = {0};
    const char *tensor, *data, *path = named_file(knob, value, arena, &tensor);
    if (!path) return true;
    bool there = mark_file(path, &is, &missing);
    if (!find_mark(note, path, arena, &was, &data)) {
        /* "@home" may be a text that only looks like the name of a file. */
        if (knob->kind == KNOB_TEXT && !there) return true;
        return err_set(err, "the note says nothing of the file %s that it reads", path);
    }
    if (there && was.size == is.size && was.hash == is.hash) return true;
    if (scene->carries && carry(app, path, tensor, data, was, arena)) return true;
    if (!there) return err_set(err, "%s", missing.text);
    return err_set(
        err, "%s has changed since the picture was made: %" PRIu64 " bytes now, %" PRIu64 " then",
        path, is.size, was.size);
}

static bool files_unchanged(App *app, const Note *note, Arena *arena, Err *err) {
    const char **words;
    int count;
    if (!words_split(note->scene, arena, &words, &count, err)) return false;
    const Scene *scene = count > 1 ? scene_find(words[1], err) : NULL;
    if (!scene) return count > 1 ? false : err_set(err, "its note names no scene");
    for (int at = 2; at < count;) {
        const Knob *knob;
        const char *value;
        if (!change_read_option(scene, words, count, &at, arena, &knob, &value, err)) return false;
        if (!file_unchanged(app, note, scene, knob, value, arena, err)) return false;
    }
    return true;
}

static bool do_note(App *app, const Note *note, Err *err) {
    const Theme *theme = app->theme;
    if (note->theme && !picture_theme(note->theme + strlen("theme "), &theme, err)) return false;
    int before = app->history.count;
    if (!app_do(app, note->scene, err)) return false;
    if ((note->select && !app_do(app, note->select, err)) ||
        (note->zoom && !app_do(app, note->zoom, err))) {
        if (before) history_move(app, -1, NULL);
        return false;
    }
    app->theme = theme;
    return true;
}

bool note_open(App *app, const char *path, Err *err) {
    Note note = {0};
    Arena mark = app->scratch;
    const NumberFile *last = number_files_last(&app->stage);
    bool read = read_note(path, &app->scratch, &note, err);
    bool ok = read && files_unchanged(app, &note, &app->scratch, err) && do_note(app, &note, err);
    app->scratch = mark;
    if (!ok) number_files_back_to(&app->stage, last);
    if (read && !ok) err_at(err, "%s", path);
    return ok;
}
