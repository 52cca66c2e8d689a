/* A window with no toolkit in it: events come in as plain data, a finished canvas goes out.
 * window_sdl.c is the only file that knows SDL's video and events; tests feed the same Event
 * values. */
#ifndef APP_WINDOW_H
#define APP_WINDOW_H

#include "base/err.h"
#include "draw/canvas.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum EventKind {
    EVENT_NONE, /* the wait ran out */
    EVENT_KEY,
    EVENT_TEXT, /* characters typed, UTF-8 */
    EVENT_MOVE, /* pointer moved, button held or not */
    EVENT_PRESS,
    EVENT_RELEASE,
    EVENT_WHEEL,
    EVENT_LEAVE, /* pointer left the window */
    EVENT_RESIZE,
    EVENT_EXPOSE,
    EVENT_DROP, /* a file was dropped: path in text */
    EVENT_QUIT
} EventKind;

enum { MOD_SHIFT = 1, MOD_CTRL = 2, MOD_ALT = 4 };

/* Printable keys are their unshifted character on the user's layout ('a', '1', '+'); the others: */
typedef enum KeyCode {
    KEY_NONE = 0,
    KEY_LEFT = 0x110000,
    KEY_RIGHT,
    KEY_UP,
    KEY_DOWN,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_HOME,
    KEY_END,
    KEY_ENTER,
    KEY_ESCAPE,
    KEY_TAB,
    KEY_BACKSPACE,
    KEY_DELETE,
    KEY_INSERT,
    KEY_F1,
    KEY_F2,
    KEY_F3,
    KEY_F4,
    KEY_F5,
    KEY_F6,
    KEY_F7,
    KEY_F8,
    KEY_F9,
    KEY_F10,
    KEY_F11,
    KEY_F12
} KeyCode;

typedef struct Event {
    EventKind kind;
    uint32_t key; /* a character or a KeyCode */
    int digit;    /* 0..9 when the key stands where a digit stands (AZERTY too), else -1 */
    unsigned mods;
    bool repeat;
    int x, y;   /* pointer, in canvas pixels */
    int button; /* 1 left, 2 middle, 3 right */
    int clicks; /* 2: a double click */
    int wheel;  /* + up */
    int width, height;
    char text[4096]; /* EVENT_TEXT, EVENT_DROP: as long as a path can be */
} Event;

typedef struct Window Window;

/* Errors: no display (says so and names `heed export`), SDL's own words otherwise. */
bool window_open(int width, int height, const char *title, Window **window, Err *err);
/* Takes the window away; the program opens no other one. */
void window_close(Window *window);

/* Sleeps until something happens or timeout_ms passes (-1: for ever). */
void window_wait(Window *window, Event *event, int timeout_ms);

/* The memory that the window shows, so that a canvas can be painted there and need not be copied:
 * sets the canvas's pixels, width, height and stride. False when it has another format than a
 * canvas. Valid until the window's size changes; asking again gives the same memory till then. */
bool window_memory(Window *window, Canvas *canvas);

/* Shows part of the canvas (an empty part: all of it). */
void window_show(Window *window, const Canvas *canvas, Rect part);

/* Size in pixels. */
void window_size(Window *window, int *width, int *height);
void window_full_screen(Window *window, bool on);
double window_seconds(void); /* a monotonic clock */

/* The text clipboard; get gives NULL when it holds no text. */
bool window_clipboard_set(Window *window, const char *text, Err *err);
const char *window_clipboard_get(Window *window, Arena *arena);

#endif
