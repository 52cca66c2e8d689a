/* Every wait has an end: after it the test fails and says what did not come. */
#include "screen.h"

#include "base/text.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 30000, LOOK_AGAIN_MS = 20 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A child that dies with the test, in the test's folder; fd becomes its descriptor number as. */
static pid_t start(const Tool *tool, const char *const *words, int fd, int as) {
    pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    tool_apply_environment(tool);
    int null = open("/dev/null", O_RDWR);
    for (int i = 0; i < 3; i++) dup2(null, i);
    dup2(fd, as);
    if (chdir(tool->folder) == 0) execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

TestScreen screen;

int screen_set_up(void **state) {
    if (tool_open(state) != 0) return -1;
    screen = (TestScreen){.log = -1};
    return 0;
}

int screen_tear_down(void **state) {
    screen_close(&screen);
    return tool_close(state);
}

void screen_open(TestScreen *on, Tool *tool) {
    *on = (TestScreen){.tool = tool, .log = -1};
    const char *const probe[] = {"sh", "-c", "command -v Xvfb && command -v xdotool", NULL};
    if (tool_command(tool, probe).code != 0) skip();
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const char *const words[] = {"Xvfb",         "-displayfd", "9",   "-screen",  "0",
                                 "1920x1200x24", "-nolisten",  "tcp", "-noreset", NULL};
    on->server = start(tool, words, ends[1], 9);
    close(ends[1]);
    char number[16] = "";
    ssize_t got = 0, length = 0;
    while (length < 15 && !strchr(number, '\n') &&
           (got = read(ends[0], number + length, 15 - (size_t)length)) > 0)
        length += got;
    close(ends[0]);
    if (!strchr(number, '\n')) fail_msg("Xvfb did not start");
    *strchr(number, '\n') = '\0';
    tool_environment(tool, arena_printf(&tool->arena, "DISPLAY=:%s", number));
    tool_environment(tool, "HEED_LOG=1");
    setenv("DISPLAY", arena_printf(&tool->arena, ":%s", number), 1); /* for the screenshots */
    /* Out of the way: a pointer over the figure is a hover. */
    SCREEN_DO(on, "mousemove", "1919", "1199");
}

static void end_process(pid_t *process) {
    if (*process <= 0) return;
    kill(*process, SIGKILL);
    waitpid(*process, NULL, 0);
    *process = 0;
}

void screen_close(TestScreen *on) {
    end_process(&on->heed);
    end_process(&on->server);
    if (on->log >= 0) close(on->log);
    unsetenv("DISPLAY");
}

void screen_start(TestScreen *on, const char *const *words) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    on->heed = start(on->tool, words, ends[1], 2);
    close(ends[1]);
    if (on->log >= 0) close(on->log);
    on->log = ends[0];
    on->frames = 0;
    on->said_length = 0;
}

/* Takes in what heed has said; waits at most until the deadline for the first byte. False at the
 * end of the stream or when nothing came. */
static bool hear(TestScreen *on, double deadline) {
    double left = deadline - seconds();
    struct pollfd ready = {.fd = on->log, .events = POLLIN};
    if (poll(&ready, 1, left > 0 ? (int)(left * 1000) : 0) <= 0) return false;
    size_t room = sizeof on->said - 1 - on->said_length;
    if (room == 0) { /* forget the older half */
        size_t half = sizeof on->said / 2;
        memmove(on->said, on->said + half, on->said_length - half);
        on->said_length -= half;
        room = half;
    }
    char *at = on->said + on->said_length;
    ssize_t got = read(on->log, at, room);
    if (got <= 0) return false;
    on->said_length += (size_t)got;
    at[got] = '\0';
    return true;
}

/* The number in the last whole line "heed: frame N". */
static int last_frame(const TestScreen *on) {
    int last = strstr(on->said, "heed: first frame\n") ? 1 : 0;
    for (const char *at = on->said; (at = strstr(at, "heed: frame ")) != NULL; at++)
        if (strchr(at, '\n')) last = atoi(at + strlen("heed: frame "));
    return last;
}

void screen_wait_frame(TestScreen *on) {
    const double deadline = seconds() + WAIT_MS / 1000.0;
    while (last_frame(on) <= on->frames)
        if (!hear(on, deadline)) fail_msg("no frame came; heed said: %s", on->said);
    on->frames = last_frame(on);
}

void screen_heed(TestScreen *on, const char *const *arguments) {
    int count = 0;
    while (arguments[count]) count++;
    const char **words = ARENA_ARRAY(&on->tool->arena, const char *, count + 2);
    words[0] = on->tool->heed;
    for (int i = 0; i < count; i++) words[i + 1] = arguments[i];
    screen_start(on, words);
    screen_wait_frame(on);
    SCREEN_DO(on, "search", "--sync", "--onlyvisible", "--name", "heed", "windowfocus", "--sync");
}

void screen_do(TestScreen *on, const char *const *words) {
    int count = 0;
    while (words[count]) count++;
    const char **all = ARENA_ARRAY(&on->tool->arena, const char *, count + 2);
    all[0] = "xdotool";
    for (int i = 0; i < count; i++) all[i + 1] = words[i];
    Run run = tool_command(on->tool, all);
    if (run.code != 0) fail_msg("xdotool %s: %s", words[0], run.err);
}

void screen_key(TestScreen *on, const char *key) {
    SCREEN_DO(on, "key", key);
}

Window screen_window(Display *display) {
    Window root, parent, *children = NULL, best = 0;
    unsigned count = 0;
    int best_area = 0;
    XQueryTree(display, DefaultRootWindow(display), &root, &parent, &children, &count);
    for (unsigned i = 0; i < count; i++) {
        XWindowAttributes about;
        if (!XGetWindowAttributes(display, children[i], &about)) continue;
        int area = about.map_state == IsViewable ? about.width * about.height : 0;
        if (area > best_area) {
            best_area = area;
            best = children[i];
        }
    }
    if (children) XFree(children);
    return best;
}

static Picture picture_of(Tool *tool, XImage *image) {
    Picture picture = {.width = image->width, .height = image->height, .note = ""};
    uint8_t *rgb = ARENA_ARRAY(&tool->arena, uint8_t, 3 * image->width * image->height);
    picture.rgb = rgb;
    for (int y = 0; y < image->height; y++)
        for (int x = 0; x < image->width; x++) {
            unsigned long pixel = XGetPixel(image, x, y);
            *rgb++ = (uint8_t)(pixel >> 16 & 0xFF);
            *rgb++ = (uint8_t)(pixel >> 8 & 0xFF);
            *rgb++ = (uint8_t)(pixel & 0xFF);
        }
    return picture;
}

Picture screen_shot(TestScreen *on) {
    Display *display = XOpenDisplay(NULL);
    assert_non_null(display);
    Window window = screen_window(display);
    XWindowAttributes about;
    if (!window || !XGetWindowAttributes(display, window, &about)) fail_msg("no window is there");
    XImage *image = XGetImage(display, window, 0, 0, (unsigned)about.width, (unsigned)about.height,
                              AllPlanes, ZPixmap);
    assert_non_null(image);
    Picture picture = picture_of(on->tool, image);
    XDestroyImage(image);
    XCloseDisplay(display);
    return picture;
}

/* Left and top of the picture in the shot; false when it is not in there. */
static bool find(const Picture *shot, const Picture *want, int *left, int *top) {
    for (*top = 0; *top + want->height <= shot->height; ++*top)
        for (*left = 0; *left + want->width <= shot->width; ++*left) {
            int y = 0;
            while (y < want->height &&
                   memcmp(shot->rgb + 3 * ((*top + y) * shot->width + *left),
                          want->rgb + 3 * y * want->width, 3 * (size_t)want->width) == 0)
                y++;
            if (y == want->height) return true;
        }
    return false;
}

/* For the person who reads the failure: where two pictures of one size differ. */
static const char *difference(Tool *tool, const Picture *a, const Picture *b) {
    if (a->width != b->width || a->height != b->height)
        return arena_printf(&tool->arena, "%dx%d, not %dx%d", a->width, a->height, b->width,
                            b->height);
    int left = a->width, top = a->height, right = -1, bottom = -1, count = 0;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            if (picture_pixel(a, x, y) != picture_pixel(b, x, y)) {
                count++;
                left = x < left ? x : left;
                right = x > right ? x : right;
                top = y < top ? y : top;
                bottom = y;
            }
    return arena_printf(&tool->arena, "%d pixels differ between %d, %d and %d, %d", count, left,
                        top, right, bottom);
}

void screen_until_holds(TestScreen *on, const Picture *want, const char *what, int *x, int *y) {
    const double deadline = seconds() + WAIT_MS / 1000.0;
    for (;;) {
        Arena mark = on->tool->arena;
        Picture shot = screen_shot(on);
        if (find(&shot, want, x, y)) return;
        if (seconds() > deadline || !screen_alive(on))
            fail_msg("%s: %s", what, difference(on->tool, &shot, want));
        on->tool->arena = mark;
        hear(on, seconds() + LOOK_AGAIN_MS / 1000.0); /* a frame, or a little later again */
    }
}

void screen_until(TestScreen *on, const Picture *want, const char *what) {
    int x, y;
    screen_until_holds(on, want, what, &x, &y);
    Picture shot = screen_shot(on);
    if (!pictures_equal(&shot, want)) fail_msg("%s: %s", what, difference(on->tool, &shot, want));
}

bool screen_alive(TestScreen *on) {
    siginfo_t about = {0};
    waitid(P_PID, (id_t)on->heed, &about, WEXITED | WNOHANG | WNOWAIT);
    return about.si_pid == 0;
}

int screen_wait_end(TestScreen *on) {
    const double deadline = seconds() + WAIT_MS / 1000.0;
    while (seconds() < deadline && hear(on, deadline)) {}
    if (screen_alive(on) && seconds() >= deadline) fail_msg("heed did not end");
    int status;
    assert_int_equal(waitpid(on->heed, &status, 0), on->heed);
    on->heed = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
