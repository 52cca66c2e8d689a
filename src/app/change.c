/* A state is a plain block of memory, so keeping the old one is a copy and going back is a copy.
 * Numbers live in two frames: one is shown, the other is computed into, and they change places. */
#include "app/change.h"

#include "app/history.h"
#include "base/utf8.h"
#include "base/words.h"

#include <string.h>

static void swap(Arena *a, Arena *b) {
    Arena kept = *a;
    *a = *b;
    *b = kept;
}

static bool compute(App *app, const Scene *scene, SceneState *state, Err *err) {
    Arena work = app->frame_spare;
    if (!scene->compute(state, &work, err)) return false;
    swap(&app->frame, &app->frame_spare);
    heatmap_forget(&app->heatmaps);
    return true;
}

/* What was chosen may lie outside a table that has become smaller. */
static void keep_choice_inside(App *app) {
    View *view = scene_view(app->scene, app->state);
    const Table *table = app_table(app);
    bool inside = table && view->row < table->rows.count && view->column < table->columns.count;
    if (!inside) view->row = view->column = -1;
}

static void changed(App *app, const Knob *knob, bool merge) {
    keep_choice_inside(app);
    app->picture_dirty = true;
    history_add(app, knob, merge);
}

bool change_read_option(const Scene *scene, const char *const *words, int count, int *at,
                        Arena *arena, const Knob **knob, const char **value, Err *err) {
    const char *word = words[*at];
    if (strncmp(word, "--", 2) != 0 || !word[2])
        return err_usage(err, "\"%.*s\" stands alone; knobs are given as --name value",
                         words_shown(word), word);
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) - 2 : strlen(word) - 2;
    *knob = knob_find(scene->knobs, arena_bytes(arena, word + 2, length), err);
    if (!*knob) return false;
    bool last = *at + 1 == count, alone = last || strncmp(words[*at + 1], "--", 2) == 0;
    if (!equals && alone && (*knob)->kind == KNOB_SWITCH) {
        *value = "on";
        ++*at;
        return true;
    }
    if (!equals && last) return err_usage(err, "--%s needs a value", (*knob)->name);
    *value = equals ? equals + 1 : words[++*at];
    ++*at;
    return true;
}

static bool set_options(App *app, const Scene *scene, SceneState *state, const char *const *options,
                        int count, Err *err) {
    for (int at = 0; at < count;) {
        Arena scratch = app->scratch;
        const Knob *knob = NULL;
        const char *value = NULL;
        if (!change_read_option(scene, options, count, &at, &scratch, &knob, &value, err))
            return false;
        if (!knob_set(knob, state, value, err)) return false;
    }
    return true;
}

static void keep_view(View *view, const View *old) {
    view->zoom = old->zoom;
    view->pan_x = old->pan_x;
    view->pan_y = old->pan_y;
    view->row = old->row;
    view->column = old->column;
}

/* keep: what is seen and chosen stays as it is. */
static bool open_scene(App *app, const Scene *scene, const char *const *options, int count,
                       bool keep, Err *err) {
    Arena work = app->scene_spare;
    SceneState *state = scene_new(scene, &app->stage, &work, err);
    if (!state || !set_options(app, scene, state, options, count, err)) return false;
    if (keep && app->scene == scene)
        keep_view(scene_view(scene, state), scene_view(scene, app->state));
    if (!compute(app, scene, state, err)) return false;
    swap(&app->scene_arena, &app->scene_spare);
    if (app->scene != scene) app->playing = false;
    app->scene = scene;
    app->state = state;
    return true;
}

bool change_scene(App *app, const Scene *scene, const char *const *options, int count, Err *err) {
    if (!open_scene(app, scene, options, count, false, err)) return false;
    changed(app, NULL, false);
    return true;
}

bool change_back_to(App *app, const char *line, Err *err) {
    const char **words;
    int count;
    Arena mark = app->scratch;
    bool ok = words_split(line, &app->scratch, &words, &count, err);
    const Scene *scene = ok ? scene_find(words[0], err) : NULL;
    ok = scene && open_scene(app, scene, words + 1, count - 1, true, err);
    app->scratch = mark;
    if (ok) {
        keep_choice_inside(app);
        app->picture_dirty = true;
    }
    return ok;
}

/* Whether a text has grown by one character that is no blank: typing a word is one step of undo. */
static bool typed_on(const Knob *knob, const SceneState *before, const SceneState *after,
                     Arena scratch) {
    if (knob->kind != KNOB_TEXT) return false;
    const char *old = knob_get(knob, before, &scratch), *new = knob_get(knob, after, &scratch);
    size_t same = 0, length = strlen(new), old_length = strlen(old);
    while (old[same] && old[same] == new[same]) same++;
    /* A character whose first bytes stood there already: back to its beginning. */
    while (same > 0 && ((unsigned char)new[same] & 0xC0) == 0x80) same--;
    size_t end = utf8_next(new, length, same);
    bool one_more = length == old_length + (end - same) && strcmp(new + end, old + same) == 0;
    return one_more && new[same] != ' ';
}

/* After knob has been turned: computes what must be, or puts everything back. */
static bool settle(App *app, const Knob *knob, const void *kept, Err *err) {
    if (memcmp(kept, app->state, app->scene->state_size) == 0) return true;
    bool merge = app->history.merge || typed_on(knob, kept, app->state, app->scratch);
    if (!knob->view && !compute(app, app->scene, app->state, err)) {
        memcpy(app->state, kept, app->scene->state_size);
        return false;
    }
    changed(app, knob, merge);
    return true;
}

static void *keep_state(App *app) {
    return arena_bytes(&app->scratch, app->state, app->scene->state_size);
}

/* Sets all of them, or puts the state back. *last is a knob that changes numbers if there is one.
 */
static bool set_knobs(App *app, const char *const *words, int count, const void *kept,
                      const Knob **last, Err *err) {
    *last = NULL;
    for (int i = 0; i + 1 < count; i += 2) {
        const Knob *knob = knob_find(app->scene->knobs, words[i], err);
        if (!knob || !knob_set(knob, app->state, words[i + 1], err)) {
            memcpy(app->state, kept, app->scene->state_size);
            return false;
        }
        if (!*last || !knob->view) *last = knob;
    }
    return true;
}

bool change_knobs(App *app, const char *const *words, int count, Err *err) {
    Arena mark = app->scratch;
    void *kept = keep_state(app);
    const Knob *knob;
    bool ok =
        set_knobs(app, words, count, kept, &knob, err) && (!knob || settle(app, knob, kept, err));
    app->scratch = mark;
    return ok;
}

bool change_step(App *app, const Knob *knob, int direction, Err *err) {
    Arena mark = app->scratch;
    void *kept = keep_state(app);
    bool ok = !scene_step(app->scene, app->state, knob, direction) || settle(app, knob, kept, err);
    app->scratch = mark;
    return ok;
}

bool change_tick(App *app, double dt) {
    Arena mark = app->scratch;
    void *kept = keep_state(app);
    bool moved = app->scene->tick(app->state, dt);
    if (moved && !compute(app, app->scene, app->state, NULL)) {
        memcpy(app->state, kept, app->scene->state_size);
        moved = app->playing = false;
    }
    app->scratch = mark;
    if (moved) {
        keep_choice_inside(app);
        app->picture_dirty = true;
    }
    return moved;
}

bool change_select(App *app, Cell cell, Err *err) {
    const Table *table = app_table(app);
    if (cell.row >= 0) {
        if (!table) return err_set(err, "there are no numbers to choose from");
        if (cell.row >= table->rows.count || cell.column >= table->columns.count)
            return err_usage(err,
                             "there is no cell %d,%d: %s goes from 0 to %d and %s from 0 to %d",
                             cell.row, cell.column, table->rows.name, table->rows.count - 1,
                             table->columns.name, table->columns.count - 1);
    }
    View *view = scene_view(app->scene, app->state);
    view->row = cell.row;
    view->column = cell.row < 0 ? -1 : cell.column;
    app->picture_dirty = true;
    return true;
}
