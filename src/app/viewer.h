/* The window as a small loop around the app: sleep, take an event, draw what has changed, show it.
 */
#ifndef APP_VIEWER_H
#define APP_VIEWER_H

#include "app/app.h"
#include "app/window.h"

typedef struct ViewerOptions {
    int width, height; /* of the window in pixels; 0 0: the app's window size times its scale */
} ViewerOptions;

/* Opens the window on an app with fonts and a scene, and stays until it is closed. options may be
 * NULL. With HEED_LOG set, each frame that was shown is told on stderr, so that a test can wait for
 * it. */
bool viewer_run(App *app, const ViewerOptions *options, Err *err);

/* A canvas for one frame, filled with the ground: in the window's own memory where that can be, so
 * that nothing has to be copied, else in arena. */
Canvas viewer_canvas(App *app, Window *window, Arena *arena);

#endif
