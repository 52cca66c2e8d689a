/* Decoding and cost by keys: steps, restarted positions, and measuring that begins, stops, and is
 * in no picture of a file. Frames that hold nothing measured are those of the same line. */
#include "screen.h"

#define FRAME(tool, scene, ...)                                                                    \
    HEED_PICTURE(tool, "frame.png", scene, "--frame", "--size", "1280x800", __VA_ARGS__)

static void quit(void) {
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

static void test_decoding_by_keys(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cache", "--size", "1280x800");
    Picture want = FRAME(tool, "cache", "--step", "4");
    screen_key(&screen, "Up");
    screen_until(&screen, &want, "the next step");
    want = FRAME(tool, "cache", "--step", "3", "--positions", "restarted");
    screen_key(&screen, "Down");
    screen_key(&screen, "p");
    screen_until(&screen, &want, "positions restarted");
    want = FRAME(tool, "cache", "--stage", "difference", "--positions", "restarted");
    screen_key(&screen, "Right");
    screen_until(&screen, &want, "the difference");
    want = FRAME(tool, "cache", "--stage", "difference");
    screen_key(&screen, "p");
    screen_until(&screen, &want, "positions that go on");
    quit();
}

/* Space decodes token after token; at the last one it ends by itself. */
static void test_space_decodes(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cache", "--size", "1280x800", "--text", "a warm film", "--prompt",
                "2", "--step", "0");
    Picture want = FRAME(tool, "cache", "--text", "a warm film", "--prompt", "2", "--step", "1");
    screen_key(&screen, "space");
    screen_until(&screen, &want, "the last step, and no longer playing");
    quit();
}

static void test_measuring_begins_and_stops(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cost", "--size", "1280x800");
    Picture want = FRAME(tool, "cost", "--n", "2048");
    screen_key(&screen, "Up");
    screen_until(&screen, &want, "twice as many tokens");
    screen_key(&screen, "space");
    for (int i = 0; i < 4; i++) screen_wait_frame(&screen);
    screen_key(&screen, "Escape");
    screen_key(&screen, "e");
    while (!tool_exists(tool, "heed-cost-time.png")) screen_wait_frame(&screen);
    Picture figure = tool_picture(tool, "heed-cost-time.png");
    const char *size = arena_printf(&tool->arena, "%dx%d", figure.width, figure.height);
    HEED_PICTURE(tool, "again.png", "cost", "--n", "2048", "--stage", "time", "--size", size);
    const char *const words[] = {"cmp", "again.png", "heed-cost-time.png", NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
    /* The figure alone: the status line goes on saying how much was measured. */
    want =
        HEED_PICTURE(tool, "bytes.png", "cost", "--n", "2048", "--stage", "bytes", "--size", size);
    screen_key(&screen, "Left");
    int x, y;
    screen_until_holds(&screen, &want, "another stage", &x, &y);
    quit();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_decoding_by_keys),
        SCREEN_TEST(test_space_decodes),
        SCREEN_TEST(test_measuring_begins_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
