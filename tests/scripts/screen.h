/* The viewer on a screen that nobody sees: Xvfb shows it, xdotool types and points, Xlib takes the
 * screenshots. Nothing sleeps: heed tells each frame on stderr (HEED_LOG), and a test waits for
 * that or for the picture that it expects. */
#ifndef SCRIPTS_SCREEN_H
#define SCRIPTS_SCREEN_H

#include "../cases/tool.h"

typedef struct TestScreen {
    Tool *tool;
    pid_t server, heed;
    int log; /* heed's stderr */
    int frames;
    char said[65536]; /* all that heed has said on stderr so far */
    size_t said_length;
} TestScreen;

/* Starts Xvfb in the test's environment; skips the test where there is none. */
void screen_open(TestScreen *screen, Tool *tool);
void screen_close(TestScreen *screen);

/* Starts heed and waits for its first frame. */
#define SCREEN_HEED(screen, ...) screen_heed((screen), (const char *const[]){__VA_ARGS__, NULL})
void screen_heed(TestScreen *screen, const char *const *arguments);

/* Starts a program under the screen as it is, without waiting for anything. */
void screen_start(TestScreen *screen, const char *const *words);

/* Waits until heed has shown a frame that was not there at the last wait. */
void screen_wait_frame(TestScreen *screen);

/* xdotool with these words. */
#define SCREEN_DO(screen, ...) screen_do((screen), (const char *const[]){__VA_ARGS__, NULL})
void screen_do(TestScreen *screen, const char *const *words);

/* Presses a key, as xdotool names it ("ctrl+q", "Right"). */
void screen_key(TestScreen *screen, const char *key);

/* What heed's window shows. */
Picture screen_shot(TestScreen *screen);

/* Waits until the window shows exactly this picture, or fails the test. */
void screen_until(TestScreen *screen, const Picture *want, const char *what);

/* Waits until the window holds this picture somewhere; says where. */
void screen_until_holds(TestScreen *screen, const Picture *want, const char *what, int *x, int *y);

bool screen_alive(TestScreen *screen);

/* Waits for heed to end; its exit code, or 128 + signal. */
int screen_wait_end(TestScreen *screen);

#endif
