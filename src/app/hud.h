/* What surrounds the figure: the list of scenes, the knobs, the inspector, the steps line, the text
 * line, the status line; and on top of them, when asked for, the sheet of keys and the command
 * palette. It draws the app and turns events into command lines.
 *
 * Most lines that it makes are the commands of command.h; those that need the window, or that mean
 * "whatever this scene has there", are done here by hud_do: help, palette, knobs, edit, leave, go,
 * step on|back, turn up|down, scene-number N, export SCALE, type larger|smaller|plain, copy-line,
 * copy-picture, full-screen. The canvas of a presentation (app->presentation) has a larger scale;
 * app_canvas sees to it. */
#ifndef APP_HUD_H
#define APP_HUD_H

#include "app/window.h"
#include "draw/canvas.h"
#include "scene/scene.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct App App;

typedef enum HudMode {
    HUD_FIGURE,
    HUD_TEXT, /* the text line is edited */
    HUD_KNOBS,
    HUD_HELP,
    HUD_PALETTE,
    HUD_VALUE /* a knob's value is typed */
} HudMode;

enum { HUD_EDIT_MAX = 16384 };

/* A line of text being edited: the sentence, a knob's value, the palette's query. */
typedef struct HudEdit {
    char text[HUD_EDIT_MAX];
    size_t caret, anchor; /* byte offsets; a selection when they differ */
} HudEdit;

typedef struct Hud {
    HudMode mode;
    HudEdit edit;
    int knob;   /* the row of the scene's table that Tab or the pointer chose, -1 none */
    int choice; /* the line chosen in the palette */
    Cell hover; /* under the pointer; row -1: none */
    int pointer_x, pointer_y;  /* -1 outside the window */
    int drag;                  /* what is being dragged: 0 nothing, else HUD_DRAG_ */
    int drag_x, drag_y;        /* where it began */
    int pan_x, pan_y;          /* how far the figure has followed */
    Cell painted;              /* the last cell that a drag painted */
    int paint_want;            /* what it does to cells: 1 allows, 0 blocks */
    int scroll;                /* of the column on the right, in pixels */
    int scroll_end;            /* as far as it can go, set by drawing */
    int help_scroll, help_end; /* the same of the sheet of keys */
    Window *window;            /* NULL without one: no clipboard, no full screen */
    bool full_screen;
    bool dirty;        /* only what surrounds the figure has changed */
    bool refused;      /* the text in the line is one that the scene does not take */
    bool show_knob;    /* the column on the right is to be moved so that the chosen knob is seen */
    bool swallow_text; /* the characters of a key that was a command are not typed as well */
    Rect hover_mark;   /* the hovered cell on the canvas, found by asking where it ends */
    Rect marked;       /* where its frame was drawn, */
    uint32_t *under;   /* over these pixels; NULL: nowhere. In the canvas's arena */
} Hud;

/* Where everything stands for a window of this size; columns have no width in presentation mode. */
typedef struct HudLayout {
    Rect rail, main, side, status, title, steps, figure, text;
} HudLayout;

HudLayout hud_layout(const App *app, const Canvas *canvas);
/* The figure and all around it. */
void hud_draw(App *app, Canvas *canvas);
/* Only what is around it, over the last drawing; its canvas and arena must still be there. */
void hud_draw_around(App *app, Canvas *canvas);

/* Looks for the cell under the pointer; anew: the figure may have changed, so that the same cell
 * may stand elsewhere. */
void hud_point(App *app, Canvas *canvas, bool anew);

/* One line: those that need the window here, all others by app_do. What fails is said in the status
 * line, and false comes back. */
bool hud_do(App *app, const char *line);

/* Turns an event into command lines and does them; what fails is said in the status line. */
void hud_event(App *app, Canvas *canvas, const Event *event);

#endif
