/* The window against the exports: what is on the screen is what `heed export` writes, whichever
 * hand, key or line brought it there. */
#include "screen.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static void expect_end(void) {
    int code = screen_wait_end(&screen);
    if (code != 0) fail_msg("ended with %d: %s", code, screen.said);
}

static void quit(void) {
    screen_key(&screen, "ctrl+q");
    expect_end();
}

static void test_first_frame_equals_frame_export(void **state) {
    screen_open(&screen, *state);
    static const char *const themes[] = {"light", "dark", "print"};
    for (int i = 0; i < 3; i++) {
        Picture want = HEED_PICTURE(*state, "frame.png", "raw", "--frame", "--size", "1000x700",
                                    "--theme", themes[i]);
        SCREEN_HEED(&screen, "view", "raw", "--size", "1000x700", "--theme", themes[i]);
        screen_until(&screen, &want, themes[i]);
        quit();
    }
}

static void test_resize_equals_frame_export(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1000x700");
    static const char *const sizes[][2] = {{"1300", "900"}, {"820", "610"}, {"400", "300"}};
    for (int i = 0; i < 3; i++) {
        SCREEN_DO(&screen, "search", "--name", "heed", "windowsize", sizes[i][0], sizes[i][1]);
        const char *size =
            arena_printf(&((Tool *)*state)->arena, "%sx%s", sizes[i][0], sizes[i][1]);
        Picture want = HEED_PICTURE(*state, "frame.png", "raw", "--frame", "--size", size);
        screen_until(&screen, &want, size);
    }
}

/* E writes the figure that is on the screen, and the same bytes come without a display. */
static void test_E10_key_e_exports_what_is_shown(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760", "--text", "a warm film");
    screen_wait_frame(&screen);
    screen_key(&screen, "e");
    while (!tool_exists(tool, "heed-raw-weights.png")) screen_wait_frame(&screen);
    Picture figure = tool_picture(tool, "heed-raw-weights.png");
    int x, y;
    screen_until_holds(&screen, &figure, "the figure in the window", &x, &y);
    HEED_PICTURE(tool, "again.png", "raw", "--text", "a warm film", "--size",
                 arena_printf(&tool->arena, "%dx%d", figure.width, figure.height));
    const char *const words[] = {"cmp", "again.png", "heed-raw-weights.png", NULL};
    Run run = tool_command(tool, words);
    if (run.code != 0) fail_msg("%s", run.out);
    screen_key(&screen, "e"); /* never over the first */
    while (!tool_exists(tool, "heed-raw-weights-2.png")) screen_wait_frame(&screen);
    screen_key(&screen, "shift+e");
    while (!tool_exists(tool, "heed-raw-weights-3.png")) screen_wait_frame(&screen);
    Picture twice = tool_picture(tool, "heed-raw-weights-3.png");
    assert_int_equal(twice.width, 2 * figure.width);
    assert_int_equal(twice.height, 2 * figure.height);
}

/* The figure's size in a window of this test, found by the key E. */
static const char *figure_size(Tool *tool) {
    screen_key(&screen, "e");
    while (!tool_exists(tool, "heed-raw-weights.png")) screen_wait_frame(&screen);
    Picture figure = tool_picture(tool, "heed-raw-weights.png");
    return arena_printf(&tool->arena, "%dx%d", figure.width, figure.height);
}

/* Presses the keys and waits until the window shows the figure that the knob's value makes. */
static void expect_after(Tool *tool, const char *size, const char *keys, const char *knob,
                         const char *value) {
    char list[128];
    snprintf(list, sizeof list, "%s", keys);
    for (char *key = strtok(list, " "); key; key = strtok(NULL, " ")) screen_key(&screen, key);
    int x, y;
    Picture want = HEED_PICTURE(tool, "want.png", "raw", "--size", size, knob, value);
    screen_until_holds(&screen, &want, keys, &x, &y);
}

static void test_keys_do_what_lines_do(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760");
    const char *size = figure_size(tool);
    expect_after(tool, size, "Left", "--stage", "masked");
    expect_after(tool, size, "Left Left", "--stage", "scores");
    expect_after(tool, size, "Right Right Right", "--stage", "weights");
    expect_after(tool, size, "Right", "--stage", "output");
    expect_after(tool, size, "Left m", "--mask", "causal");
    expect_after(tool, size, "shift+m", "--mask", "none");
    expect_after(tool, size, "s", "--stage", "output");
    expect_after(tool, size, "shift+s", "--stage", "weights");
    expect_after(tool, size, "ctrl+z ctrl+z", "--stage", "weights");
    expect_after(tool, size, "ctrl+y ctrl+y", "--stage", "weights");
    expect_after(tool, size, "g", "--range", "max");
    expect_after(tool, size, "shift+g", "--range", "unit");
    expect_after(tool, size, "c", "--palette", "ink");
    expect_after(tool, size, "shift+c", "--palette", "auto");
    expect_after(tool, size, "v", "--values", "on");
    expect_after(tool, size, "shift+v", "--values", "auto");
    expect_after(tool, size, "Down", "--select", "0,0");
    expect_after(tool, size, "Down shift+Right", "--select", "1,1");
    expect_after(tool, size, "Escape F2", "--theme", "dark");
}

/* Keys that open and close what is not the figure, and those that scenes share: none ends it. */
static void test_every_key_of_the_table(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760");
    static const char *const keys[] = {"Left",
                                       "Right",
                                       "Up",
                                       "Down",
                                       "shift+Left",
                                       "shift+Right",
                                       "shift+Up",
                                       "shift+Down",
                                       "Next",
                                       "Prior",
                                       "1",
                                       "2",
                                       "9",
                                       "1",
                                       "s",
                                       "shift+s",
                                       "m",
                                       "h",
                                       "l",
                                       "shift+h",
                                       "shift+l",
                                       "space",
                                       "space",
                                       "t",
                                       "a",
                                       "Escape",
                                       "c",
                                       "v",
                                       "g",
                                       "ctrl+c",
                                       "ctrl+shift+c",
                                       "F1",
                                       "Escape",
                                       "question",
                                       "Escape",
                                       "ctrl+p",
                                       "Escape",
                                       "Tab",
                                       "Down",
                                       "Right",
                                       "Escape",
                                       "F2",
                                       "F11",
                                       "F11",
                                       "plus",
                                       "minus",
                                       "0",
                                       "ctrl+plus",
                                       "ctrl+0",
                                       "ctrl+z",
                                       "ctrl+y",
                                       "F5",
                                       "Home",
                                       "End",
                                       "Insert",
                                       "Delete"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        screen_key(&screen, keys[i]);
        if (!screen_alive(&screen)) fail_msg("%s ended it: %s", keys[i], screen.said);
    }
    quit();
}

/* xdotool lends a keycode to letters that the keyboard lacks and takes it back at once, so that the
 * window may miss them; those are typed in the unit tests. */
static void test_typing(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760", "--text", "a warm film");
    const char *size = figure_size(tool);
    screen_key(&screen, "t");
    SCREEN_DO(&screen, "type", "--delay", "1", " at last");
    expect_after(tool, size, "End", "--text", "a warm film at last");
    expect_after(tool, size, "BackSpace BackSpace", "--text", "a warm film at la");
    expect_after(tool, size, "ctrl+BackSpace BackSpace", "--text", "a warm film at");
    expect_after(tool, size, "Home Delete Delete", "--text", "warm film at");
    expect_after(tool, size, "Escape", "--text", "warm film at");
}

static void test_bad_line_changes_nothing(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760");
    const char *size = figure_size(tool);
    static const char *const lines[] = {"set temperature warm", "set mask cuasal", "scene nowhere",
                                        "png /none/where.png"};
    for (int i = 0; i < 4; i++) {
        screen_key(&screen, "ctrl+p");
        SCREEN_DO(&screen, "type", "--delay", "1", lines[i]);
        screen_key(&screen, "Return");
        screen_wait_frame(&screen);
        assert_true(screen_alive(&screen));
        screen_key(&screen, "Escape");
    }
    expect_after(tool, size, "Escape", "--mask", "none");
}

static void test_png_brings_its_state_back(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    HEED_PICTURE(tool, "a.png", "raw", "--text", "not bad", "--mask", "causal", "--theme", "dark");
    Picture want = HEED_PICTURE(tool, "frame.png", "raw", "--text", "not bad", "--mask", "causal",
                                "--theme", "dark", "--frame", "--size", "1000x700");
    SCREEN_HEED(&screen, "view", "a.png", "--size", "1000x700");
    screen_until(&screen, &want, "the state of the picture");
}

static void test_png_without_state_is_refused(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    HEED_PICTURE(tool, "a.png", "raw");
    const char *const strip[] = {"sh", "-c",
                                 "head -c 33 a.png > b.png; printf "
                                 "'\\000\\000\\000\\000IEND\\256B`\\202' >> b.png",
                                 NULL};
    assert_int_equal(tool_command(tool, strip).code, 0);
    HEED_REFUSES(tool, 1, "b.png", "view", "b.png");
    tool_write(tool, "c.png", "no picture", 10);
    HEED_REFUSES(tool, 1, "c.png", "view", "c.png");
}

static void test_copy_the_command_line(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    const char *const probe[] = {"sh", "-c", "command -v xclip", NULL};
    if (tool_command(tool, probe).code != 0) skip();
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760", "--text", "not bad");
    screen_key(&screen, "ctrl+c");
    screen_wait_frame(&screen);
    const char *const words[] = {"xclip", "-selection", "clipboard", "-o", NULL};
    Run run = tool_command(tool, words);
    if (!strstr(run.out, "heed export raw") || !strstr(run.out, "not bad"))
        fail_msg("copied: %s %s", run.out, run.err);
}

/* The copied line makes the bytes that E writes, also with larger type and of a part; and Ctrl with
 * + zooms nothing. */
static void test_the_copied_line_makes_the_same_picture(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    const char *const probe[] = {"sh", "-c", "command -v xclip", NULL};
    if (tool_command(tool, probe).code != 0) skip();
    SCREEN_HEED(&screen, "view", "raw", "--size", "1100x760");
    screen_key(&screen, "ctrl+plus");
    screen_wait_frame(&screen);
    screen_key(&screen, "plus");
    screen_wait_frame(&screen);
    screen_key(&screen, "ctrl+c");
    screen_wait_frame(&screen);
    screen_key(&screen, "e");
    while (!tool_exists(tool, "heed-raw-weights.png")) screen_wait_frame(&screen);
    const char *const line[] = {"xclip", "-selection", "clipboard", "-o", NULL};
    const char *copied = tool_command(tool, line).out;
    if (!strstr(copied, "--zoom 1.25,0,0 --scale 1.25")) fail_msg("%s", copied);
    const char *const words[] = {"sh", "-c",
                                 arena_printf(&tool->arena,
                                              "%s%s && cmp raw.png "
                                              "heed-raw-weights.png",
                                              tool->heed, copied + strlen("heed")),
                                 NULL};
    Run run = tool_command(tool, words);
    if (run.code != 0) fail_msg("%s: %s%s", copied, run.out, run.err);
}

static void test_quit_and_terminate(void **state) {
    screen_open(&screen, *state);
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    for (int i = 0; i < 3; i++) {
        SCREEN_HEED(&screen, "view", "raw");
        kill(screen.heed, signals[i]);
        expect_end();
    }
    SCREEN_HEED(&screen, "view");
    quit();
}

/* The sentence names what was set and cannot be opened. */
static void test_E10_a_display_that_is_not_there(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 1, "set DISPLAY", "view", "raw");
    tool_environment(tool, "DISPLAY=:7654");
    HEED_REFUSES(tool, 1, "DISPLAY is \":7654\"", "view", "raw");
}

static void test_E13_viewer_without_internet_socket(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    const char *const probe[] = {"sh", "-c", "strace -o /dev/null true 2>/dev/null", NULL};
    if (tool_command(tool, probe).code != 0) skip();
    tool_environment(tool, "ASAN_OPTIONS=detect_leaks=0");
    const char *const words[] = {"strace",       "-f",       "-o",   "trace", "-e",
                                 "trace=socket", tool->heed, "view", "raw",   NULL};
    screen_start(&screen, words);
    screen_wait_frame(&screen);
    SCREEN_DO(&screen, "search", "--sync", "--onlyvisible", "--name", "heed", "windowfocus",
              "--sync");
    quit();
    const char *const look[] = {"grep", "-c", "AF_INET", "trace", NULL};
    assert_string_equal(tool_command(tool, look).out, "0\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_first_frame_equals_frame_export),
        SCREEN_TEST(test_resize_equals_frame_export),
        SCREEN_TEST(test_E10_key_e_exports_what_is_shown),
        SCREEN_TEST(test_keys_do_what_lines_do),
        SCREEN_TEST(test_every_key_of_the_table),
        SCREEN_TEST(test_typing),
        SCREEN_TEST(test_bad_line_changes_nothing),
        SCREEN_TEST(test_png_brings_its_state_back),
        SCREEN_TEST(test_png_without_state_is_refused),
        SCREEN_TEST(test_copy_the_command_line),
        SCREEN_TEST(test_the_copied_line_makes_the_same_picture),
        SCREEN_TEST(test_quit_and_terminate),
        SCREEN_TEST(test_E10_a_display_that_is_not_there),
        SCREEN_TEST(test_E13_viewer_without_internet_socket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
