/* Waves in the window: Up and Down move the position, Space plays, and what is shown is what
 * `heed export` writes of the same position. */
#include "screen.h"

static void test_arrows_move_the_position(void **state) {
    static const char *const scenes[] = {"sinusoidal", "rope_waves"};
    screen_open(&screen, *state);
    for (int i = 0; i < 2; i++) {
        SCREEN_HEED(&screen, "view", scenes[i], "--size", "1280x800");
        for (int step = 0; step < 3; step++) screen_key(&screen, "Down");
        screen_key(&screen, "Up");
        Picture want = HEED_PICTURE(*state, "frame.png", scenes[i], "--frame", "--size", "1280x800",
                                    "--position", "18");
        screen_until(&screen, &want, scenes[i]);
        screen_key(&screen, "ctrl+q");
        assert_int_equal(screen_wait_end(&screen), 0);
    }
}

/* From the first stage on, key by key. */
static void test_keys_step_the_stages(void **state) {
    static const char *const stages[] = {"similarity", "matrix", "waves"};
    static const char *const keys[] = {"Right", "Left", "Left"};
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "sinusoidal", "--size", "1500x900");
    for (int i = 0; i < 3; i++) {
        screen_key(&screen, keys[i]);
        Picture want = HEED_PICTURE(*state, "frame.png", "sinusoidal", "--frame", "--size",
                                    "1500x900", "--stage", stages[i]);
        screen_until(&screen, &want, stages[i]);
    }
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

/* Space begins and ends the movement: frames come by themselves, and then no more do. */
static void test_space_plays(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "rope_waves", "--size", "1280x800");
    screen_key(&screen, "space");
    for (int i = 0; i < 4; i++) screen_wait_frame(&screen);
    screen_key(&screen, "space");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

/* The pointer on a curve is told at the side, and leaves nothing behind when it goes. */
static void test_pointing_at_a_wave(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "rope_waves", "--size", "1280x800");
    Picture plain =
        HEED_PICTURE(*state, "frame.png", "rope_waves", "--frame", "--size", "1280x800");
    screen_until(&screen, &plain, "nothing pointed at");
    SCREEN_DO(&screen, "mousemove", "824", "670"); /* the window is in the middle of the screen */
    Picture hovered = screen_shot(&screen);
    while (pictures_equal(&hovered, &plain)) {
        screen_wait_frame(&screen); /* which fails when no frame comes any more */
        hovered = screen_shot(&screen);
    }
    SCREEN_DO(&screen, "mousemove", "1919", "1199");
    screen_until(&screen, &plain, "the pointer gone");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_arrows_move_the_position),
        SCREEN_TEST(test_keys_step_the_stages),
        SCREEN_TEST(test_space_plays),
        SCREEN_TEST(test_pointing_at_a_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
