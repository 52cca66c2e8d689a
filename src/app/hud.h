/* What surrounds the figure: the list of scenes, the knobs, the inspector, the steps line, the text
 * line, the status line; and on top of them, when asked for, the sheet of keys and the command
 * palette. It draws the app and turns events into command lines. */
#ifndef APP_HUD_H
#define APP_HUD_H

#include "app/window.h"
#include "draw/canvas.h"
#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct App App;

typedef enum HudMode { HUD_FIGURE, HUD_TEXT, HUD_KNOBS, HUD_HELP, HUD_PALETTE } HudMode;

enum { HUD_EDIT_MAX = 16384 };

/* A line of text being edited: the sentence, a knob's value, the palette's query. */
typedef struct HudEdit {
    char text[HUD_EDIT_MAX];
    size_t caret, anchor; /* byte offsets; a selection when they differ */
} HudEdit;

typedef struct Hud {
    HudMode mode;
    HudEdit edit;
    int knob;   /* the row that Tab chose, -1 none */
    int choice; /* the line chosen in the palette */
    Cell hover; /* under the pointer; row -1: none */
    int pointer_x, pointer_y;
    int drag;   /* what is being dragged: 0 nothing, else hud.c's own numbers */
    int scroll; /* of a list that is longer than its place */
} Hud;

/* Where everything stands for a window of this size; columns have no width in presentation mode. */
typedef struct HudLayout {
    Rect rail, main, side, status, title, steps, figure, text;
} HudLayout;

HudLayout hud_layout(const App *app, const Canvas *canvas);
void hud_draw(App *app, Canvas *canvas);

/* Turns an event into command lines and does them; what fails is said in the status line. */
void hud_event(App *app, Canvas *canvas, const Event *event);

#endif
