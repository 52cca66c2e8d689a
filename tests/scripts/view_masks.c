/* Masks by key and by hand: M and Shift+M through all of them, queries one by one, a leak painted
 * with the mouse and with Enter, a column with one drag; each frame is the one that the same line
 * exports. */
#include "screen.h"

#include <stdio.h>

#define FRAME(tool, ...)                                                                           \
    HEED_PICTURE(tool, "frame.png", "masks", "--frame", "--size", "1100x760", __VA_ARGS__)

/* Presses a key and waits for the frame of these options. */
#define KEY_SHOWS(tool, key, ...)                                                                  \
    do {                                                                                           \
        Picture want_ = FRAME(tool, __VA_ARGS__);                                                  \
        screen_key(&screen, key);                                                                  \
        screen_until(&screen, &want_, key);                                                        \
    } while (0)

static void point(const Picture *frame, int row, int column) {
    char x[16], y[16];
    snprintf(x, sizeof x, "%d", frame->x + column * frame->cell_w + frame->cell_w / 2);
    snprintf(y, sizeof y, "%d", frame->y + row * frame->cell_h + frame->cell_h / 2);
    SCREEN_DO(&screen, "search", "--name", "heed", "mousemove", "--window", "%1", x, y);
}

/* Away from the figure, where a cell under the pointer would be framed. */
static void park(void) {
    SCREEN_DO(&screen, "mousemove", "1919", "1199");
}

static void test_all_masks_by_key(void **state) {
    Tool *tool = *state;
    static const char *const masks[] = {"none",   "causal", "padding",  "causal+padding",
                                        "window", "prefix", "documents"};
    enum { COUNT = sizeof masks / sizeof *masks };
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "masks", "--mask", "none", "--size", "1100x760");
    for (int i = 1; i <= COUNT; i++) KEY_SHOWS(tool, "m", "--mask", masks[i % COUNT]);
    for (int i = COUNT - 1; i >= 0; i--) KEY_SHOWS(tool, "shift+m", "--mask", masks[i]);
    KEY_SHOWS(tool, "Right", "--mask", "causal");
    KEY_SHOWS(tool, "s", "--mask", "causal", "--stage", "output");
    KEY_SHOWS(tool, "s", "--mask", "causal", "--stage", "compare");
    KEY_SHOWS(tool, "s", "--mask", "causal", "--stage", "difference");
    KEY_SHOWS(tool, "shift+s", "--mask", "causal", "--stage", "compare");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

static void test_queries_by_key(void **state) {
    Tool *tool = *state;
    static const char *const upto[] = {"1", "2", "3", "4"};
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "masks", "--size", "1100x760");
    for (int i = 0; i < 4; i++) KEY_SHOWS(tool, "n", "--upto", upto[i]);
    KEY_SHOWS(tool, "shift+n", "--upto", "3");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

static void test_a_leak_is_painted(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    Picture frame = FRAME(tool, "--mask", "causal");
    SCREEN_HEED(&screen, "view", "masks", "--size", "1100x760");
    Picture want = FRAME(tool, "--allowed", "0,2", "--select", "0,2");
    point(&frame, 0, 2);
    SCREEN_DO(&screen, "click", "1");
    park();
    screen_until(&screen, &want, "a leak by mouse");
    KEY_SHOWS(tool, "shift+Right", "--allowed", "0,2", "--select", "0,3");
    KEY_SHOWS(tool, "Return", "--allowed", "0,2;0,3", "--select", "0,3");
    KEY_SHOWS(tool, "Return", "--allowed", "0,2", "--select", "0,3");
    KEY_SHOWS(tool, "x", "--select", "0,3");
    KEY_SHOWS(tool, "ctrl+z", "--allowed", "0,2", "--select", "0,3");
    KEY_SHOWS(tool, "ctrl+y", "--select", "0,3");
    /* one drag down a column, which is one step of undo */
    point(&frame, 3, 1);
    SCREEN_DO(&screen, "mousedown", "1");
    point(&frame, 6, 1);
    SCREEN_DO(&screen, "mouseup", "1");
    park();
    want = FRAME(tool, "--blocked", "3,1;4,1;5,1;6,1", "--select", "0,3");
    screen_until(&screen, &want, "a column by one drag");
    KEY_SHOWS(tool, "ctrl+z", "--select", "0,3");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_all_masks_by_key),
        SCREEN_TEST(test_queries_by_key),
        SCREEN_TEST(test_a_leak_is_painted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
