/* The window under Wayland, where SDL shows plain memory in another way than under X: Weston runs
 * as a window of the screen that nobody sees. Skipped where Weston is not installed. */
#include "screen.h"

#include <signal.h>
#include <time.h>

/* Until the compositor listens. */
static void wait_for_socket(Tool *tool) {
    const struct timespec moment = {.tv_nsec = 20000000};
    for (int i = 0; i < 500; i++) {
        if (tool_exists(tool, "heed-test")) return;
        if (!screen_alive(&screen)) skip();
        nanosleep(&moment, NULL);
    }
    fail_msg("Weston did not start");
}

static void test_E10_wayland_shows_the_frame(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    const char *const probe[] = {"sh", "-c", "command -v weston", NULL};
    if (tool_command(tool, probe).code != 0) skip();
    tool_environment(tool, arena_printf(&tool->arena, "XDG_RUNTIME_DIR=%s", tool->folder));
    const char *const weston[] = {"weston",
                                  "--backend=x11-backend.so",
                                  "--use-pixman",
                                  "--width=1600",
                                  "--height=1000",
                                  "--no-config",
                                  "--socket=heed-test",
                                  NULL};
    screen_start(&screen, weston);
    wait_for_socket(tool);
    tool_environment(tool, "WAYLAND_DISPLAY=heed-test");
    tool_environment(tool, "SDL_VIDEODRIVER=wayland");
    Picture want = HEED_PICTURE(tool, "frame.png", "raw", "--frame", "--size", "1000x700");
    const char *const heed[] = {tool->heed, "view", "raw", "--size", "1000x700", NULL};
    screen_start(&screen, heed);
    int x, y;
    screen_until_holds(&screen, &want, "the frame in the compositor", &x, &y);
    kill(screen.heed, SIGTERM);
    assert_int_equal(screen_wait_end(&screen), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {SCREEN_TEST(test_E10_wayland_shows_the_frame)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
