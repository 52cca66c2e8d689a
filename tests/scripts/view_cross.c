/* Cross-attention by keys: arrows step the stages and the words of the question, H the heads, R the
 * records, P the padding, T edits the question; each frame is the one that the same line exports.
 */
#include "screen.h"

#define FRAME(tool, ...)                                                                           \
    HEED_PICTURE(tool, "frame.png", "cross", "--frame", "--size", "1100x760", __VA_ARGS__)

static void press(const char *key, const Picture *want) {
    screen_key(&screen, key);
    screen_until(&screen, want, key);
}

static void test_stages_heads_and_words(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cross", "--size", "1100x760");
    Picture want = FRAME(tool, "--stage", "raw");
    screen_until(&screen, &want, "the first frame");
    want = FRAME(tool, "--stage", "self");
    press("Right", &want);
    want = FRAME(tool, "--stage", "cross");
    press("Right", &want);
    want = FRAME(tool, "--stage", "cross", "--head", "0");
    press("h", &want);
    want = FRAME(tool, "--stage", "cross", "--head", "1");
    press("h", &want);
    want = FRAME(tool, "--stage", "cross", "--head", "1", "--select", "0,0");
    press("Down", &want);
    want = FRAME(tool, "--stage", "cross", "--head", "1", "--select", "1,0");
    press("Down", &want);
    want = FRAME(tool, "--stage", "cross", "--head", "1", "--select", "1,1");
    press("shift+Right", &want);
    want = FRAME(tool, "--stage", "self", "--head", "1", "--select", "1,1");
    press("Left", &want);
    want = FRAME(tool, "--stage", "raw", "--head", "1", "--select", "1,1");
    press("Left", &want);
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

static void test_records_padding_and_an_own_question(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cross", "--size", "1100x760");
    Picture want = FRAME(tool, "--record", "2");
    press("r", &want);
    want = FRAME(tool, "--record", "2", "--pad", "1");
    press("p", &want);
    screen_key(&screen, "t"); /* editing begins with the record's question */
    screen_key(&screen, "ctrl+a");
    SCREEN_DO(&screen, "type", "is it warm");
    want = FRAME(tool, "--record", "2", "--pad", "1", "--query", "is it warm");
    press("Return", &want);
    want = FRAME(tool, "--record", "3", "--pad", "1", "--query", "is it warm");
    press("r", &want);
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

/* The review stands among the knobs; editing begins with the record's. */
static void test_an_own_review(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cross", "--size", "1100x760");
    static const char *const keys[] = {"Tab", "Down", "Return", "ctrl+a"};
    for (int i = 0; i < 4; i++) screen_key(&screen, keys[i]);
    SCREEN_DO(&screen, "type", "a thin story");
    screen_key(&screen, "Return");
    Picture want = FRAME(tool, "--context", "a thin story");
    press("Escape", &want);
    want = FRAME(tool, "--stage", "raw");
    press("ctrl+z", &want);
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

/* E writes the figure that the window shows. */
static void test_the_figure_equals_its_export(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "cross", "--size", "1100x760", "--stage", "cross", "--theme",
                "dark");
    screen_key(&screen, "e");
    while (!tool_exists(tool, "heed-cross-cross.png")) screen_wait_frame(&screen);
    Picture figure = tool_picture(tool, "heed-cross-cross.png");
    int x, y;
    screen_until_holds(&screen, &figure, "the figure in the window", &x, &y);
    Picture again =
        HEED_PICTURE(tool, "again.png", "cross", "--stage", "cross", "--theme", "dark", "--size",
                     arena_printf(&tool->arena, "%dx%d", figure.width, figure.height));
    assert_true(pictures_equal(&figure, &again));
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_stages_heads_and_words),
        SCREEN_TEST(test_records_padding_and_an_own_question),
        SCREEN_TEST(test_an_own_review),
        SCREEN_TEST(test_the_figure_equals_its_export),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
