/* Nothing moves unless an event or the scene's own time moves it: between frames the program
 * sleeps. The canvas stays from frame to frame, so that what surrounds the figure can be drawn
 * alone. */
#include "app/viewer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FRAME_MS = 16, EVENTS_MAX = 64 };
#define LONGEST_STEP 0.1 /* seconds; after a pause time goes on, it does not jump */

typedef struct Viewer {
    App *app;
    Window *window;
    Arena arena;   /* the canvas's pixels, unless they are the window's; */
    Arena behind;  /* the mark behind them; */
    Arena scratch; /* from there on what one drawing needs */
    Canvas canvas;
    int frames;
    size_t missing; /* length of the list of characters without a glyph that was told */
    bool exposed;   /* the window has lost its pixels, the canvas has not */
    bool log;
} Viewer;

static void say_frame(Viewer *viewer) {
    viewer->frames++;
    if (!viewer->log) return;
    if (viewer->frames == 1)
        fprintf(stderr, "heed: first frame\n");
    else
        fprintf(stderr, "heed: frame %d\n", viewer->frames);
}

Canvas viewer_canvas(App *app, Window *window, Arena *arena) {
    Canvas memory = {.pixels = NULL}, canvas;
    if (window_memory(window, &memory)) {
        canvas = app_canvas(app, arena, 0, 0);
        canvas.pixels = memory.pixels;
        canvas.width = memory.width;
        canvas.height = memory.height;
        canvas.stride = memory.stride;
        canvas.clip = (Rect){0, 0, memory.width, memory.height};
        canvas_fill(&canvas, canvas.clip, canvas.theme->bg);
        return canvas;
    }
    int width, height;
    window_size(window, &width, &height);
    return app_canvas(app, arena, width, height);
}

static void prepare_canvas(Viewer *viewer) {
    App *app = viewer->app;
    int width, height;
    window_size(viewer->window, &width, &height);
    app->window_width = (int)lround(width / app->scale);
    app->window_height = (int)lround(height / app->scale);
    viewer->scratch = viewer->arena;
    viewer->canvas = viewer_canvas(app, viewer->window, &viewer->scratch);
    viewer->behind = viewer->scratch;
}

/* Whether the last frame still lies where the next would be drawn. */
static bool canvas_is_there(const Viewer *viewer) {
    Canvas memory = {.pixels = NULL};
    int width, height;
    window_size(viewer->window, &width, &height);
    bool same = width == viewer->canvas.width && height == viewer->canvas.height;
    return same &&
           (!window_memory(viewer->window, &memory) || memory.pixels == viewer->canvas.pixels);
}

/* Whether drawing has met more characters that no font has; they are told once. */
static bool say_missing(Viewer *viewer) {
    size_t missing = strlen(fonts_missing(viewer->app->fonts));
    bool error_stands = viewer->app->status[0] && viewer->app->status_is_error;
    if (missing == viewer->missing || error_stands) return false;
    viewer->missing = missing;
    Arena mark = viewer->app->scratch;
    app_say(viewer->app, false, app_missing(viewer->app));
    viewer->app->scratch = mark;
    return true;
}

static void draw_all(Viewer *viewer) {
    prepare_canvas(viewer);
    viewer->canvas.arena = &viewer->scratch;
    hud_point(viewer->app, &viewer->canvas, true);
    app_draw(viewer->app, &viewer->canvas);
    if (say_missing(viewer)) app_draw(viewer->app, &viewer->canvas);
    viewer->app->picture_dirty = false;
}

/* What was under the hover's frame lies in the old drawing's memory and is put back before anything
 * is written there. */
static void draw_around(Viewer *viewer) {
    viewer->scratch = viewer->behind;
    hud_draw_around(viewer->app, &viewer->canvas);
}

/* Draws and shows what has changed since the last frame. */
static void refresh(Viewer *viewer) {
    App *app = viewer->app;
    bool shown = app->picture_dirty || app->hud.dirty || viewer->exposed;
    if (app->picture_dirty || (shown && !canvas_is_there(viewer)))
        draw_all(viewer);
    else if (app->hud.dirty)
        draw_around(viewer);
    else if (!shown)
        return;
    viewer->exposed = false;
    window_show(viewer->window, &viewer->canvas, (Rect){0, 0, 0, 0});
    say_frame(viewer);
}

/* Takes the events that are there before anything is drawn, so that typing never waits for a
 * picture that the next key replaces; not without end, or a restless pointer would hold up every
 * picture. */
static void take_events(Viewer *viewer, int timeout_ms) {
    Event event;
    window_wait(viewer->window, &event, timeout_ms);
    for (int taken = 1; event.kind != EVENT_NONE; taken++) {
        if (event.kind == EVENT_EXPOSE) viewer->exposed = true;
        hud_event(viewer->app, &viewer->canvas, &event);
        if (taken == EVENTS_MAX) return;
        window_wait(viewer->window, &event, 0);
    }
}

static void loop(Viewer *viewer) {
    App *app = viewer->app;
    double before = window_seconds();
    app->picture_dirty = true;
    refresh(viewer);
    while (!app->quit) {
        take_events(viewer, app->playing ? FRAME_MS : -1);
        double now = window_seconds();
        if (app->playing && app_step(app, fmin(now - before, LONGEST_STEP)))
            app->picture_dirty = true;
        before = now;
        if (!app->quit) refresh(viewer);
    }
}

/* Of this process alone, so that what is measured does not depend on what else runs. */
static double processor_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

bool viewer_run(App *app, const ViewerOptions *options, Err *err) {
    Viewer viewer = {.app = app, .log = getenv("HEED_LOG") != NULL};
    bool sized = options && options->width > 0 && options->height > 0;
    int width = sized ? options->width : (int)lround(app->window_width * app->scale);
    int height = sized ? options->height : (int)lround(app->window_height * app->scale);
    if (!window_open(width, height, "heed", &viewer.window, err)) return false;
    viewer.arena = arena_open(app_memory_full);
    app->hud.window = viewer.window;
    app->stage.clock = processor_seconds;
    app->hud.pointer_x = app->hud.pointer_y = -1;
    app->hud.hover = (Cell){-1, -1};
    loop(&viewer);
    app->hud.window = NULL;
    app->stage.clock = NULL;
    window_close(viewer.window);
    arena_close(&viewer.scratch);
    return true;
}
