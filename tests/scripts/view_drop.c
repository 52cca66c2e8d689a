/* Files dropped onto the window, as a file manager does it by XDND (freedesktop.org, version 5):
 * enter, position, drop; the target asks for the list of names by a selection request and says when
 * it is done. */
#include "screen.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <poll.h>
#include <string.h>

enum { WAIT_MS = 10000 };

typedef struct Drag {
    Display *display;
    Window source, target;
    Atom list; /* the kind of what is dragged */
    const char *uris;
} Drag;

static Atom atom(Drag *drag, const char *name) {
    return XInternAtom(drag->display, name, False);
}

static void say(Drag *drag, const char *message, long b, long c, long d, long e) {
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = drag->target,
                                .message_type = atom(drag, message),
                                .format = 32}};
    long words[5] = {(long)drag->source, b, c, d, e};
    memcpy(event.xclient.data.l, words, sizeof words);
    XSendEvent(drag->display, drag->target, False, NoEventMask, &event);
    XFlush(drag->display);
}

static void answer(Drag *drag, const XSelectionRequestEvent *asked) {
    XChangeProperty(drag->display, asked->requestor, asked->property, drag->list, 8,
                    PropModeReplace, (const unsigned char *)drag->uris, (int)strlen(drag->uris));
    XEvent event = {.xselection = {.type = SelectionNotify,
                                   .requestor = asked->requestor,
                                   .selection = asked->selection,
                                   .target = asked->target,
                                   .property = asked->property,
                                   .time = asked->time}};
    XSendEvent(drag->display, asked->requestor, False, NoEventMask, &event);
    XFlush(drag->display);
}

/* Until the target has said `message`; what it asks meanwhile is answered. */
static void wait_for(Drag *drag, const char *message) {
    Atom wanted = atom(drag, message);
    struct pollfd ready = {.fd = ConnectionNumber(drag->display), .events = POLLIN};
    while (XPending(drag->display) || poll(&ready, 1, WAIT_MS) > 0) {
        XEvent event;
        XNextEvent(drag->display, &event);
        if (event.type == SelectionRequest) answer(drag, &event.xselectionrequest);
        if (event.type == ClientMessage && event.xclient.message_type == wanted) return;
    }
    fail_msg("the window did not answer with %s", message);
}

/* Drops what a text/uri-list says onto heed's window. */
static void drop(const char *uris) {
    Drag drag = {.display = XOpenDisplay(NULL), .uris = uris};
    assert_non_null(drag.display);
    Window root = DefaultRootWindow(drag.display);
    drag.source = XCreateSimpleWindow(drag.display, root, 0, 0, 1, 1, 0, 0, 0);
    drag.target = screen_window(drag.display);
    drag.list = atom(&drag, "text/uri-list");
    XSetSelectionOwner(drag.display, atom(&drag, "XdndSelection"), drag.source, CurrentTime);
    say(&drag, "XdndEnter", 5L << 24, (long)drag.list, 0, 0);
    say(&drag, "XdndPosition", 0, 200L << 16 | 200, CurrentTime,
        (long)atom(&drag, "XdndActionCopy"));
    wait_for(&drag, "XdndStatus");
    say(&drag, "XdndDrop", 0, CurrentTime, 0, 0);
    wait_for(&drag, "XdndFinished");
    XCloseDisplay(drag.display);
}

static const char *uri(Tool *tool, const char *name) {
    return arena_printf(&tool->arena, "file://%s/%s\r\n", tool->folder, name);
}

static void open_window(Tool *tool) {
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1000x700");
}

static void expect_window(Tool *tool, const char *what, const char *scene, const char *knob,
                          const char *value, const char *other, const char *other_value) {
    Picture want = HEED_PICTURE(tool, "want.png", scene, knob, value, other, other_value, "--frame",
                                "--size", "1000x700");
    screen_until(&screen, &want, what);
}

/* Also while the text is edited: what comes is not overwritten by the next key. */
static void test_a_picture_is_dropped(void **state) {
    Tool *tool = *state;
    open_window(tool);
    HEED_PICTURE(tool, "a b.png", "raw", "--text", "not bad", "--mask", "causal");
    screen_key(&screen, "t");
    drop(uri(tool, "a%20b.png"));
    expect_window(tool, "the picture's state", "raw", "--text", "not bad", "--mask", "causal");
}

static void test_numbers_are_dropped(void **state) {
    Tool *tool = *state;
    open_window(tool);
    tool_write(tool, "a.csv", "1,2\n3,4\n", 8);
    drop(uri(tool, "a.csv"));
    const char *file = arena_printf(&tool->arena, "@%s/a.csv", tool->folder);
    expect_window(tool, "the numbers", "matrix", "--scores", file, "--stage", "scores");
}

static void test_a_lesson_and_a_text_are_dropped(void **state) {
    Tool *tool = *state;
    open_window(tool);
    static const char lesson[] = "scene masks\nset mask window\n", text[] = "a warm film\n";
    tool_write(tool, "a.heed", lesson, sizeof lesson - 1);
    tool_write(tool, "a.txt", text, sizeof text - 1);
    drop(uri(tool, "a.heed"));
    expect_window(tool, "the lesson", "masks", "--mask", "window", "--align", "top-left");
    drop(uri(tool, "a.txt"));
    expect_window(tool, "the text", "masks", "--mask", "window", "--text", "a warm film");
}

/* What cannot be opened is said, and what is shown stays. */
static void test_no_picture_is_dropped(void **state) {
    Tool *tool = *state;
    open_window(tool);
    tool_write(tool, "a.pdf", "no picture", 10);
    drop(uri(tool, "a.pdf"));
    screen_wait_frame(&screen);
    screen_key(&screen, "Escape");
    expect_window(tool, "as it was", "raw", "--mask", "none", "--unit", "words");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_a_picture_is_dropped),
        SCREEN_TEST(test_numbers_are_dropped),
        SCREEN_TEST(test_a_lesson_and_a_text_are_dropped),
        SCREEN_TEST(test_no_picture_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
