/* The viewer on a screen that nobody sees: Xvfb shows it, xdotool types and points, Xlib takes the
 * screenshots. Nothing sleeps: heed tells each frame on stderr (HEED_LOG), and a test waits for
 * that or for the picture that it expects. */
#ifndef SCRIPTS_SCREEN_H
#define SCRIPTS_SCREEN_H

#include "../cases/tool.h"

#include <X11/Xlib.h>

typedef struct TestScreen {
    Tool *tool;
    pid_t server, heed;
    int log; /* heed's stderr */
    int frames;
    char said[65536]; /* all that heed has said on stderr so far */
    size_t said_length;
} TestScreen;

/* The screen of the test that runs: a test program has one at a time, and it is closed behind each
 * test, also behind one that fails. */
extern TestScreen screen;
int screen_set_up(void **state);
int screen_tear_down(void **state);
#define SCREEN_TEST(function)                                                                      \
    cmocka_unit_test_setup_teardown(function, screen_set_up, screen_tear_down)

/* Starts Xvfb in the test's environment; skips the test where there is none. */
void screen_open(TestScreen *on, Tool *tool);
void screen_close(TestScreen *on);

/* Starts heed and waits for its first frame. */
#define SCREEN_HEED(screen, ...) screen_heed((screen), (const char *const[]){__VA_ARGS__, NULL})
void screen_heed(TestScreen *on, const char *const *arguments);

/* Starts a program under the screen as it is, without waiting for anything. */
void screen_start(TestScreen *on, const char *const *words);

/* Waits until heed has shown a frame that was not there at the last wait. */
void screen_wait_frame(TestScreen *on);

/* xdotool with these words. */
#define SCREEN_DO(screen, ...) screen_do((screen), (const char *const[]){__VA_ARGS__, NULL})
void screen_do(TestScreen *on, const char *const *words);

/* Presses a key, as xdotool names it ("ctrl+q", "Right"). */
void screen_key(TestScreen *on, const char *key);

/* The largest window on the root that is mapped: heed's; 0 when there is none. */
Window screen_window(Display *display);

/* What heed's window shows. */
Picture screen_shot(TestScreen *on);

/* Waits until the window shows exactly this picture, or fails the test. */
void screen_until(TestScreen *on, const Picture *want, const char *what);

/* Waits until the window holds this picture somewhere; says where. */
void screen_until_holds(TestScreen *on, const Picture *want, const char *what, int *x, int *y);

bool screen_alive(TestScreen *on);

/* Waits for heed to end; its exit code, or 128 + signal. */
int screen_wait_end(TestScreen *on);

#endif
