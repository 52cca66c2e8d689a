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
#include "draw/heatmap.h"
#include "draw/layer.h"
#include "scene/scene.h"
#include "scene/stage.h"

#include <stdbool.h>

enum { APP_UNDO_MAX = 200, APP_WIDTH = 1280, APP_HEIGHT = 800, APP_STEP_SECONDS = 1 };
enum { APP_LESSONS_MAX = 4 };

/* A step of undo: the line that makes the state. */
typedef struct AppHistory {
    char *lines[APP_UNDO_MAX]; /* malloc */
    int count, at;             /* lines[at] is the present one */
    bool merge; /* set while a slider is dragged or a word typed: changes of the same knob replace
                   the last step instead of adding one */
    const Knob *last; /* the knob of the last step, NULL when it was something else */
} AppHistory;

/* A lesson file that is open. */
typedef struct AppLesson {
    Arena arena;
    const char *path;
    char *rest; /* the lines to come; NULL: none */
    int line;   /* the number of the last one taken */
} AppLesson;

typedef struct App {
    Arena arena;                    /* lives as long as the program: stage, fonts' names, paths */
    Arena scene_arena;              /* the scene's state; starts over with each scene */
    Arena frame;                    /* what the last compute made */
    Arena scene_spare, frame_spare; /* where the next is made, so that a failure loses nothing */
    Arena scratch;                  /* for the length of one command */
    HeatmapCache heatmaps;          /* of what the last compute made */
    Stage stage;
    Fonts *fonts;   /* NULL until app_fonts */
    Layers *layers; /* of the fonts' canvases; NULL: nothing is kept */
    const Theme *theme;
    double scale;
    const Scene *scene; /* NULL before the first `scene` line */
    SceneState *state;
    bool picture_dirty; /* something shown has changed */
    bool quit;
    bool playing;                    /* Space: what moves, moves; else step follows step */
    double waited;                   /* seconds since the last such step */
    bool presentation;               /* F11 */
    int window_width, window_height; /* of the window and of --frame, in pixels at scale 1 */
    int figure_width, figure_height; /* the figure on the screen in pixels, set by hud_draw; 0 0
                                        without a window: pictures then get their natural size */
    const char *folder;              /* where `png` and `csv` write; NULL: as the path says */
    bool overwrite; /* files that are there may be replaced: the user has named them */
    AppLesson lessons[APP_LESSONS_MAX]; /* each opened by the one before it */
    int lesson_depth;                   /* how many are open */
    bool watched;                       /* a person looks on: a lesson waits where it says so, */
    bool lesson_held;                   /* as it does now */
    char status[ERR_TEXT_MAX];          /* the last message; "" none */
    bool status_is_error;
    AppHistory history;
    Hud hud;
} App;

/* Finds the assets and makes an app without fonts and without a scene: enough for numbers.
 * assets: NULL to look beside the program, in the build tree and where it was installed. */
bool app_start(App *app, const char *assets, Err *err);
/* Loads the fonts: needed to draw. */
bool app_fonts(App *app, Err *err);
/* All of it: app_start, app_fonts, and the first scene. */
bool app_open(App *app, const char *assets, Err *err);
void app_close(App *app);

/* One command line; see command.h for the commands. On error nothing has changed. */
bool app_do(App *app, const char *line, Err *err);
/* The same for words that need no splitting. */
bool app_do_words(App *app, const char *const *words, int count, Err *err);

/* Lets time pass: animation, or in a scene where nothing moves a step of the steps line a second,
 * to the last. Returns true when something moved. */
bool app_step(App *app, double dt);

/* The whole window into the canvas: columns, steps line, figure, text line, status line. */
void app_draw(App *app, Canvas *canvas);

/* Only the figure, into rect: what is exported. It is painted through a canvas of its own that
 * begins at rect, so that its pixels do not depend on where rect stands. */
void app_draw_figure(App *app, Canvas *canvas, Rect rect);

/* The scale of a canvas: the app's, larger in a presentation. */
double app_canvas_scale(const App *app);

/* A canvas of the app's theme, fonts and that scale over pixels from arena, filled with the ground
 * colour. */
Canvas app_canvas(App *app, Arena *arena, int width, int height);

/* The stage that is shown: what the knob of that name says, else the scene's main stage. */
const char *app_stage(const App *app);
/* Its numbers; NULL when the knobs leave it without any. */
const Table *app_table(const App *app);

/* The shell command that exports the present picture: `heed export raw --text '...' -o raw.png`. */
const char *app_shell_line(App *app, Arena *arena);

/* Sentence about the characters that no font has, when fonts_missing is not empty. */
const char *app_missing(App *app);

/* Says something in the status line. */
void app_say(App *app, bool error, const char *sentence);

/* For arena_open: says that memory has run out and ends the program. */
void app_memory_full(size_t wanted);

#endif
