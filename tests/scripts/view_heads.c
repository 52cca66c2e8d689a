/* Heads by keys: Enter opens one large and goes back, H and L step, A joins them; each frame is the
 * one that the same line exports. */
#include "screen.h"

static TestScreen screen;

static int open_screen(void **state) {
    if (tool_open(state) != 0) return -1;
    screen = (TestScreen){.log = -1};
    return 0;
}

static int close_screen(void **state) {
    screen_close(&screen);
    return tool_close(state);
}

#define SCREEN_TEST(function) cmocka_unit_test_setup_teardown(function, open_screen, close_screen)

#define FRAME(tool, ...)                                                                           \
    HEED_PICTURE(tool, "frame.png", "heads", "--frame", "--size", "1100x760", __VA_ARGS__)

static void test_keys_of_heads(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    Picture want = FRAME(tool, "--head", "1");
    SCREEN_HEED(&screen, "view", "heads", "--size", "1100x760");
    screen_key(&screen, "h");
    screen_until(&screen, &want, "the next head");
    want = FRAME(tool, "--head", "1", "--large", "on");
    screen_key(&screen, "Return");
    screen_until(&screen, &want, "one head large");
    want = FRAME(tool, "--head", "1", "--large", "on", "--layer", "1");
    screen_key(&screen, "l");
    screen_until(&screen, &want, "the next layer");
    want = FRAME(tool, "--head", "1", "--layer", "1");
    screen_key(&screen, "Return");
    screen_until(&screen, &want, "all heads again");
    want = FRAME(tool, "--head", "1", "--layer", "1", "--reduce", "mean");
    screen_key(&screen, "a");
    screen_until(&screen, &want, "the mean");
    want = FRAME(tool, "--head", "1", "--layer", "1", "--reduce", "mean", "--stage", "entropy");
    screen_key(&screen, "Right");
    screen_until(&screen, &want, "entropy");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {SCREEN_TEST(test_keys_of_heads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
