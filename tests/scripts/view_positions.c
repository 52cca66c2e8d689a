/* Arrows in the position laboratory: they move the query and the key of the dials, step encodings
 * and follow a distance, and the window shows what `heed export` writes for the same knobs. */
#include "screen.h"

#include <stdio.h>
#include <string.h>

static void test_arrows_move_query_and_key(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "rope_dials", "--size", "1000x700");
    screen_key(&screen, "Right");
    screen_key(&screen, "Right");
    screen_key(&screen, "Up");
    Picture want = HEED_PICTURE(*state, "want.png", "rope_dials", "--frame", "--size", "1000x700",
                                "--m", "9", "--n", "4");
    screen_until(&screen, &want, "Right Right Up");
    screen_key(&screen, "p");
    screen_key(&screen, "Down");
    want = HEED_PICTURE(*state, "want.png", "rope_dials", "--frame", "--size", "1000x700", "--m",
                        "9", "--n", "3", "--pairing", "halves");
    screen_until(&screen, &want, "p Down");
}

static void test_arrows_step_encodings(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "positions", "--size", "1000x700");
    static const char *const names[] = {"sinusoidal", "learned", "rope", "alibi", "t5", "relative"};
    for (int i = 0; i < 6; i++) {
        screen_key(&screen, "Right");
        Picture want = HEED_PICTURE(*state, "want.png", "positions", "--frame", "--size",
                                    "1000x700", "--encoding", names[i]);
        screen_until(&screen, &want, names[i]);
    }
}

/* A mask, another head, the words reversed, a second encoding beside the first. */
static void test_keys_of_the_sentence(void **state) {
    static const char *const keys[] = {"Right", "m", "h", "o", "d"};
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "positions", "--size", "1200x760");
    for (int i = 0; i < 5; i++) screen_key(&screen, keys[i]);
    Picture want = HEED_PICTURE(*state, "want.png", "positions", "--frame", "--size", "1200x760",
                                "--encoding", "sinusoidal", "--mask", "causal", "--head", "1",
                                "--order", "reversed", "--compare", "none");
    screen_until(&screen, &want, "Right m h o d");
    screen_key(&screen, "shift+d");
    screen_key(&screen, "shift+s"); /* from the weights back to the scores */
    want = HEED_PICTURE(*state, "want.png", "positions", "--frame", "--size", "1200x760",
                        "--encoding", "sinusoidal", "--mask", "causal", "--head", "1", "--order",
                        "reversed", "--stage", "scores");
    screen_until(&screen, &want, "Shift+d Shift+s");
}

/* The wrong pairing turns the light red; what plays walks on with the distance kept. */
static void test_the_light_goes_red_and_the_hands_walk(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "rope_dials", "--size", "1000x700");
    screen_key(&screen, "p");
    screen_key(&screen, "p");
    Picture want = HEED_PICTURE(*state, "want.png", "rope_dials", "--frame", "--size", "1000x700",
                                "--pairing", "mixed");
    screen_until(&screen, &want, "p p");
    screen_key(&screen, "space");
    for (int i = 0; i < 3; i++) screen_wait_frame(&screen);
    screen_key(&screen, "space");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

static void test_arrows_follow_a_distance(void **state) {
    screen_open(&screen, *state);
    SCREEN_HEED(&screen, "view", "rope_decay", "--size", "1000x700");
    screen_key(&screen, "Up");
    screen_key(&screen, "Right");
    Picture want = HEED_PICTURE(*state, "want.png", "rope_decay", "--frame", "--size", "1000x700",
                                "--distance", "41", "--stage", "widths");
    screen_until(&screen, &want, "Up Right");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_arrows_move_query_and_key),
        SCREEN_TEST(test_arrows_step_encodings),
        SCREEN_TEST(test_keys_of_the_sentence),
        SCREEN_TEST(test_the_light_goes_red_and_the_hands_walk),
        SCREEN_TEST(test_arrows_follow_a_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
