/* The app's life and its two ways to draw. What changes it is in change.c, by the commands of
 * command.c. */
#include "app/app.h"

#include "app/assets.h"
#include "app/change.h"
#include "app/history.h"
#include "app/hud_parts.h"
#include "app/lesson.h"
#include "app/picture.h"
#include "base/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void app_memory_full(size_t wanted) {
    fprintf(stderr, "heed: out of memory: %zu bytes were wanted\n", wanted);
    exit(1);
}

bool app_start(App *app, const char *assets, Err *err) {
    *app = (App){
        .arena = arena_open(app_memory_full),
        .scene_arena = arena_open(app_memory_full),
        .frame = arena_open(app_memory_full),
        .scene_spare = arena_open(app_memory_full),
        .frame_spare = arena_open(app_memory_full),
        .scratch = arena_open(app_memory_full),
        .heatmaps = heatmap_cache(app_memory_full),
        .theme = &color_themes[0],
        .scale = 1,
        .window_width = APP_WIDTH,
        .window_height = APP_HEIGHT,
        .hud = {.knob = -1, .hover = {-1, -1}},
    };
    app->stage.arena = &app->arena;
    if (assets_find(assets, &app->arena, &app->stage.assets, err)) return true;
    app_close(app);
    return false;
}

bool app_fonts(App *app, Err *err) {
    if (app->fonts) return true;
    if (!fonts_open(app->stage.assets, &app->fonts, err)) return false;
    app->layers = layers_open();
    return true;
}

bool app_open(App *app, const char *assets, Err *err) {
    if (!app_start(app, assets, err)) return false;
    if (app_fonts(app, err) && app_do(app, "next-scene", err)) return true;
    app_close(app);
    return false;
}

void app_close(App *app) {
    history_free(app);
    lesson_end(app);
    if (app->fonts) fonts_close(app->fonts);
    layers_close(app->layers);
    stage_close(&app->stage);
    Arena *arenas[] = {&app->arena,       &app->scene_arena, &app->frame,
                       &app->scene_spare, &app->frame_spare, &app->scratch};
    for (size_t i = 0; i < sizeof arenas / sizeof arenas[0]; i++) arena_close(arenas[i]);
    heatmap_cache_close(&app->heatmaps);
    *app = (App){0};
}

/* One step of the steps line; the last ends the playing. */
static bool play_step(App *app) {
    const Knob *knob = hud_steps_knob(app);
    int next = scene_walk_next(app->scene, app->state, 1);
    Err err = {.text = ""};
    bool moved = next >= 0 &&
                 change_knobs(app, (const char *[]){knob->name, knob->choices[next].name}, 2, &err);
    if (err.text[0]) app_say(app, true, err.text);
    app->waited = 0;
    app->playing = moved && scene_walk_next(app->scene, app->state, 1) >= 0;
    app->picture_dirty = true; /* the status line says what Space does now */
    return moved;
}

static bool tick(App *app, double dt) {
    bool moved = change_tick(app, dt);
    if (!moved || !app->scene->finished || !app->scene->finished(app->state)) return moved;
    app->playing = false;
    app->picture_dirty = true;
    return true;
}

bool app_step(App *app, double dt) {
    if (!app->playing || !app->scene) return false;
    if (app->scene->tick) return tick(app, dt);
    app->waited += dt;
    return app->waited >= APP_STEP_SECONDS && play_step(app);
}

/* Type grows with the window, for on a wall a screen of more pixels is not larger; at the least so
 * far as the figure does not get smaller than beside the columns of the usual view. */
static double presentation_scale(const App *app) {
    double across = (double)app->window_width / APP_WIDTH;
    double down = (double)app->window_height / APP_HEIGHT;
    return 1.25 * fmax(fmin(across, down), 1);
}

double app_canvas_scale(const App *app) {
    double scale = app->presentation ? app->scale * presentation_scale(app) : app->scale;
    return fmin(scale, PICTURE_SCALE_MAX);
}

Canvas app_canvas(App *app, Arena *arena, int width, int height) {
    Canvas canvas = {
        .pixels = ARENA_ROOM(arena, uint32_t, (size_t)width * (size_t)height), /* filled below */
        .width = width,
        .height = height,
        .stride = width,
        .clip = {0, 0, width, height},
        .scale = app_canvas_scale(app),
        .theme = app->theme,
        .fonts = app->fonts,
        .layers = app->layers,
        .heatmaps = &app->heatmaps,
        .arena = arena,
    };
    canvas_fill(&canvas, canvas.clip, app->theme->bg);
    return canvas;
}

void app_draw_figure(App *app, Canvas *canvas, Rect rect) {
    rect = rect_intersect(rect, (Rect){0, 0, canvas->width, canvas->height});
    if (!app->scene || rect.w < 1 || rect.h < 1) return;
    Canvas figure = *canvas;
    figure.pixels += (size_t)rect.y * (size_t)canvas->stride + (size_t)rect.x;
    figure.width = rect.w;
    figure.height = rect.h;
    figure.clip = (Rect){0, 0, rect.w, rect.h};
    canvas_fill(&figure, figure.clip, app->theme->bg);
    app->scene->draw(app->state, &figure, figure.clip);
}

void app_draw(App *app, Canvas *canvas) {
    hud_draw(app, canvas);
    app->picture_dirty = false;
}

const char *app_stage(const App *app) {
    const Knob *knob = knob_find(app->scene->knobs, "stage", NULL);
    if (!knob || knob->kind != KNOB_CHOICE) return app->scene->main_stage;
    return knob->choices[knob_choice(knob, app->state)].name;
}

const Table *app_table(const App *app) {
    return app->scene->table(app->state, app_stage(app));
}

/* Whether a shell takes the word as it is. */
static bool plain_word(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./,:@%+=";
    return *word && strspn(word, plain) == strlen(word);
}

/* Single quotes hold everything but a single quote, which stands between two quoted parts. */
static void add_shell_word(Text *line, const char *word) {
    text_add(line, " ");
    if (plain_word(word)) {
        text_add(line, word);
        return;
    }
    text_add(line, "'");
    for (; *word; word++)
        if (*word == '\'')
            text_add(line, "'\\''");
        else
            text_add_bytes(line, word, 1);
    text_add(line, "'");
}

const char *app_shell_line(App *app, Arena *arena) {
    const char **words;
    int count;
    Text line = text_open(arena);
    text_add(&line, "heed export");
    if (words_split(scene_line(app->scene, app->state, arena), arena, &words, &count, NULL))
        for (int i = 0; i < count; i++) add_shell_word(&line, words[i]);
    const View *view = scene_view(app->scene, app->state);
    if (view->row >= 0) text_addf(&line, " --select %d,%d", view->row, view->column);
    if (view->zoom > 1)
        text_addf(&line, " --zoom %.9g,%.9g,%.9g", view->zoom, view->pan_x, view->pan_y);
    if (app->theme != &color_themes[0]) text_addf(&line, " --theme %s", app->theme->name);
    double scale = app_canvas_scale(app);
    if (scale != 1) text_addf(&line, " --scale %.9g", scale);
    if (app->figure_width)
        text_addf(&line, " --size %dx%d", (int)(app->figure_width / scale),
                  (int)(app->figure_height / scale));
    text_addf(&line, " -o %s.png", app->scene->name);
    return line.bytes;
}

const char *app_missing(App *app) {
    return arena_printf(&app->scratch, "no installed font has %s: code points stand for them",
                        fonts_missing(app->fonts));
}

void app_say(App *app, bool error, const char *sentence) {
    snprintf(app->status, sizeof app->status, "%s", sentence);
    app->status_is_error = error;
    app->picture_dirty = true;
}
