/* The program around the scenes. Everything a hand can do is a line of text: keys, menu, command
 * palette, argv, lessons and tests all end in app_do. app_do, app_step and app_draw are the whole
 * surface; the window is a small loop around them. */
#ifndef APP_APP_H
#define APP_APP_H

#include "app/hud.h"
#include "base/arena.h"
#include "base/err.h"
#include "draw/canvas.h"
#include "draw/font.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

enum { APP_UNDO_MAX = 200, APP_WIDTH = 1280, APP_HEIGHT = 800 };

/* A step of undo: the line that makes the state. */
typedef struct AppHistory {
    char *lines[APP_UNDO_MAX]; /* malloc */
    int count, at;             /* lines[at] is the present one */
} AppHistory;

typedef struct App {
    Arena arena;       /* lives as long as the program: stage, fonts' names, paths */
    Arena scene_arena; /* the scene's state and its frame; starts over with each scene */
    Arena frame;       /* what the last compute made: a copy of scene_arena behind the state */
    Stage stage;
    Fonts *fonts;
    const Theme *theme;
    double scale;
    const Scene *scene;
    SceneState *state;
    bool picture_dirty; /* something shown has changed */
    bool quit;
    bool playing;              /* Space: what moves, moves */
    bool presentation;         /* F11 */
    char status[ERR_TEXT_MAX]; /* the last message; "" none */
    bool status_is_error;
    AppHistory history;
    Hud hud;
} App;

/* Loads fonts and opens the first scene. assets: NULL to look beside the program, in the build tree
 * and where it was installed. */
bool app_open(App *app, const char *assets, Err *err);
void app_close(App *app);

/* One command line; see command.h for the commands. On error nothing has changed. */
bool app_do(App *app, const char *line, Err *err);

/* Lets time pass: animation. Returns true when something moved. */
bool app_step(App *app, double dt);

/* The whole window into the canvas: columns, steps line, figure, text line, status line. */
void app_draw(App *app, Canvas *canvas);

/* Only the figure, into rect: what is exported. */
void app_draw_figure(App *app, Canvas *canvas, Rect rect);

/* A canvas of the app's theme, fonts and scale over pixels from arena, filled with the ground
 * colour. */
Canvas app_canvas(App *app, Arena *arena, int width, int height);

/* The note for a PNG of the figure in rect: version, the line, options, geometry. */
const char *app_note(App *app, Canvas *canvas, Rect rect, Arena *arena);

/* Says something in the status line. */
void app_say(App *app, bool error, const char *sentence);

#endif
