/* The lines that need the window, or that mean something else in each scene. All others are the
 * commands of the app. */
#include "app/clipboard.h"
#include "app/edit.h"
#include "app/hud_parts.h"
#include "app/lesson.h"
#include "app/note.h"

#include "base/file.h"
#include "base/text.h"
#include "base/words.h"
#include "draw/png.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef bool Doer(App *app, const char *argument, Err *err);

void hud_mode(App *app, HudMode mode) {
    app->hud.mode = mode;
    app->hud.drag = HUD_DRAG_NONE;
    app->picture_dirty = true;
}

static bool toggle(App *app, HudMode mode) {
    hud_mode(app, app->hud.mode == mode ? HUD_FIGURE : mode);
    return true;
}

static bool do_help(App *app, const char *argument, Err *err) {
    (void)argument;
    (void)err;
    app->hud.help_scroll = 0;
    return toggle(app, HUD_HELP);
}

static bool do_palette(App *app, const char *argument, Err *err) {
    (void)argument;
    (void)err;
    edit_start(&app->hud.edit, "");
    app->hud.choice = 0;
    return toggle(app, HUD_PALETTE);
}

static bool do_knobs(App *app, const char *argument, Err *err) {
    (void)argument;
    toggle(app, HUD_KNOBS);
    const Knob *knob = hud_knob(app);
    if (!knob || hud_panel_row(app, knob) < 0) hud_take_knob(app, hud_panel_knob(app, 0));
    app->hud.show_knob = true;
    if (hud_knob(app)) return true;
    hud_mode(app, HUD_FIGURE);
    return err_set(err, "this scene has no knobs");
}

static bool do_edit(App *app, const char *argument, Err *err) {
    (void)argument;
    const Knob *knob = hud_text_knob(app);
    if (!knob) return err_set(err, "this scene has no text to edit");
    edit_start(&app->hud.edit, hud_knob_text(app, knob, &app->scratch));
    hud_mode(app, HUD_TEXT);
    app->hud.refused = false;
    return true;
}

/* What Enter has opened, NULL if nothing is: Escape closes it. */
static const Knob *entered(const App *app) {
    const char *name = app->scene->enter;
    const Knob *knob = name ? knob_find(app->scene->knobs, name, NULL) : NULL;
    return knob && knob->kind == KNOB_SWITCH && !knob_at_start(knob, app->state) ? knob : NULL;
}

static bool do_leave(App *app, const char *argument, Err *err) {
    (void)argument;
    HudMode mode = app->hud.mode;
    bool chosen = scene_view(app->scene, app->state)->row >= 0;
    if (mode == HUD_FIGURE && app->playing) return app_do(app, "pause", err);
    const Knob *open = mode == HUD_FIGURE ? entered(app) : NULL;
    if (open) return app_do_words(app, (const char *[]){"set", open->name, open->start}, 3, err);
    if (mode == HUD_FIGURE && app->presentation && !chosen) return app_do(app, "presentation", err);
    if (mode == HUD_FIGURE) return app_do(app, "select none", err);
    if (mode == HUD_TEXT && app->hud.refused)
        app_say(app, false, "that text was not taken; the one before stands");
    hud_mode(app, mode == HUD_VALUE ? HUD_KNOBS : HUD_FIGURE);
    return true;
}

static bool turn(App *app, const char *name, bool on, Err *err) {
    const char *words[] = {on ? "next" : "prev", name};
    return app_do_words(app, words, 2, err);
}

/* The steps line has two ends; the letter of its knob goes around. */
static bool step(App *app, int direction, Err *err) {
    if (app->scene->left_right) return turn(app, app->scene->left_right, direction > 0, err);
    const Knob *knob = hud_steps_knob(app);
    if (!knob) return err_set(err, "this scene has no steps");
    int next = scene_walk_next(app->scene, app->state, direction);
    app->waited = 0;
    if (next < 0) return true;
    const char *words[] = {"set", knob->name, knob->choices[next].name};
    return app_do_words(app, words, 3, err);
}

static bool do_step(App *app, const char *argument, Err *err) {
    return step(app, strcmp(argument, "back") == 0 ? -1 : 1, err);
}

/* Up is on for a number, but back for a row. */
static bool do_turn(App *app, const char *argument, Err *err) {
    if (app->scene->up_down)
        return turn(app, app->scene->up_down, strcmp(argument, "up") == 0, err);
    const char *words[] = {"row", argument};
    return app_do_words(app, words, 2, err);
}

/* On in a lesson that is held. Without motion of its own a scene takes its next step at once and
 * the others by time; from the last one it begins anew. */
static bool do_go(App *app, const char *argument, Err *err) {
    (void)argument;
    if (app->lesson_held) return lesson_go_on(app, err);
    const Knob *knob = hud_steps_knob(app);
    bool on = !app->playing;
    if (!app_do(app, on ? "play" : "pause", err)) return false;
    if (app->scene->tick || !on) return true;
    const char *words[] = {"next", knob->name};
    bool ok = app_do_words(app, words, 2, err);
    app->playing = ok && scene_walk_next(app->scene, app->state, 1) >= 0;
    return ok;
}

/* The chosen cell from allowed to blocked, and back. */
static bool do_paint(App *app, const char *argument, Err *err) {
    (void)argument;
    const View *view = scene_view(app->scene, app->state);
    if (!app->scene->paint) return err_set(err, "there is nothing to paint in this scene");
    if (view->row < 0)
        return err_set(err, "choose a cell with Shift and the arrows, then paint it");
    const char *line =
        app->scene->paint(app->state, (Cell){view->row, view->column}, -1, &app->scratch);
    return line ? app_do(app, line, err) : err_set(err, "this stage has no cell to paint");
}

static bool do_clear_paint(App *app, const char *argument, Err *err) {
    (void)argument;
    if (!app->scene->paint) return err_set(err, "there is nothing to paint in this scene");
    const char *line = app->scene->paint(app->state, (Cell){-1, -1}, 0, &app->scratch);
    return !line || app_do(app, line, err);
}

static bool do_scene_number(App *app, const char *argument, Err *err) {
    int number = atoi(argument), count, shown = 0;
    const Scene **scenes = scene_list(&app->scratch, &count);
    for (int i = 0; i < count; i++) {
        if (scenes[i]->hidden || ++shown != number) continue;
        const char *words[] = {"scene", scenes[i]->name};
        return scenes[i] == app->scene || app_do_words(app, words, 2, err);
    }
    return err_set(err, "there is no scene %d: they go from 1 to %d", number, shown);
}

/* The figure as it is on the screen, under a name that is free. */
static bool do_export(App *app, const char *argument, Err *err) {
    const char *stem = arena_printf(&app->scratch, "heed-%s-%s", app->scene->name, app_stage(app));
    const char *path = file_free_name(&app->scratch, app->folder ? app->folder : ".", stem, "png");
    const char *slash = strrchr(path, '/');
    char scale[TEXT_NUMBER_MAX];
    text_float(scale, (float)(app->scale * atof(argument)));
    const char *words[] = {"png", slash ? slash + 1 : path, "--scale", scale};
    return app_do_words(app, words, 4, err);
}

static bool do_type(App *app, const char *argument, Err *err) {
    double scale = app->scale;
    if (!strcmp(argument, "larger")) scale = fmin(scale * 1.25, 4);
    if (!strcmp(argument, "smaller")) scale = fmax(scale / 1.25, 0.5);
    if (!strcmp(argument, "plain")) scale = 1;
    char number[TEXT_NUMBER_MAX];
    text_float(number, (float)scale);
    const char *words[] = {"scale", number};
    return app_do_words(app, words, 2, err);
}

static bool do_copy_line(App *app, const char *argument, Err *err) {
    (void)argument;
    if (!app->hud.window) return err_set(err, "copying needs the window");
    if (!window_clipboard_set(app->hud.window, app_shell_line(app, &app->scratch), err))
        return false;
    app_say(app, false, "copied the command line that exports this picture");
    return true;
}

static bool do_copy_picture(App *app, const char *argument, Err *err) {
    (void)argument;
    if (!app->hud.window) return err_set(err, "copying needs the window");
    const uint8_t *png;
    size_t length;
    Canvas canvas = app_canvas(app, &app->scratch, app->figure_width, app->figure_height);
    Rect all = {0, 0, canvas.width, canvas.height};
    double (*clock)(void) = app->stage.clock;
    app->stage.clock = NULL; /* as in a file: what is computed */
    app_draw_figure(app, &canvas, all);
    app->stage.clock = clock;
    const char *note = note_make(app, &canvas, all, &(PictureOptions){0}, &app->scratch);
    if (!png_encode(&canvas, all, note, &app->scratch, &png, &length, err)) return false;
    if (!clipboard_picture(png, length, err)) return false;
    app_say(app, false, "copied the picture");
    return true;
}

static bool do_full_screen(App *app, const char *argument, Err *err) {
    (void)argument;
    if (!app->hud.window) return err_set(err, "full screen needs the window");
    app->hud.full_screen = !app->hud.full_screen;
    window_full_screen(app->hud.window, app->hud.full_screen);
    return true;
}

static const struct {
    const char *name;
    Doer *run;
} doers[] = {
    {"help", do_help},
    {"palette", do_palette},
    {"knobs", do_knobs},
    {"edit", do_edit},
    {"leave", do_leave},
    {"go", do_go},
    {"step", do_step},
    {"turn", do_turn},
    {"paint", do_paint},
    {"clear-paint", do_clear_paint},
    {"scene-number", do_scene_number},
    {"export", do_export},
    {"type", do_type},
    {"copy-line", do_copy_line},
    {"copy-picture", do_copy_picture},
    {"full-screen", do_full_screen},
};

static Doer *find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof doers / sizeof *doers; i++)
        if (strlen(doers[i].name) == length && !memcmp(doers[i].name, name, length))
            return doers[i].run;
    return NULL;
}

bool hud_do(App *app, const char *line) {
    Err err = {.text = ""};
    size_t length = strcspn(line, " ");
    Doer *run = find(line, length);
    if (run) app->status[0] = '\0';
    const char *argument = line + length + strspn(line + length, " ");
    Arena mark = app->scratch;
    bool ok = run ? run(app, argument, &err) : app_do(app, line, &err);
    app->scratch = mark;
    if (!ok) app_say(app, true, err.text);
    return ok;
}

bool hud_do_words(App *app, const char *const *words, int count) {
    Err err = {.text = ""};
    bool ok = app_do_words(app, words, count, &err);
    if (!ok) app_say(app, true, err.text);
    return ok;
}
