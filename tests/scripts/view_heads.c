/* Heads by keys and pointer: Enter opens one large and goes back, H and L step, A joins them, a
 * click chooses one; block and exercise by keys. Each frame is the one that the same line exports.
 */
#include "screen.h"

enum { WIDTH = 1100, HEIGHT = 760, LEFT = (1920 - WIDTH) / 2, TOP = (1200 - HEIGHT) / 2 };

#define SIZE "1100x760"
#define FRAME(tool, ...)                                                                           \
    HEED_PICTURE(tool, "frame.png", "heads", "--frame", "--size", SIZE, __VA_ARGS__)

static void test_keys_of_heads(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    Picture want = FRAME(tool, "--head", "1");
    SCREEN_HEED(&screen, "view", "heads", "--size", SIZE);
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

/* Clicks into a cell of the map that the picture's geometry tells of. The window stands in the
 * middle of the screen. */
static void click_cell(Tool *tool, const Picture *map, int row, int column) {
    int x = LEFT + map->x + column * map->cell_w + map->cell_w / 2;
    int y = TOP + map->y + row * map->cell_h + map->cell_h / 2;
    SCREEN_DO(&screen, "mousemove", arena_printf(&tool->arena, "%d", x),
              arena_printf(&tool->arena, "%d", y), "click", "1");
    SCREEN_DO(&screen, "mousemove", "1919", "1199");
}

static void test_a_click_chooses_a_head(void **state) {
    Tool *tool = *state;
    screen_open(&screen, tool);
    Picture map = FRAME(tool, "--head", "3"), want = FRAME(tool, "--head", "0");
    SCREEN_HEED(&screen, "view", "heads", "--size", SIZE);
    screen_until(&screen, &want, "head 0");
    want = FRAME(tool, "--head", "3", "--select", "2,5");
    click_cell(tool, &map, 2, 5);
    screen_until(&screen, &want, "a cell of head 3");
    want = FRAME(tool, "--head", "3", "--select", "2,5", "--large", "on");
    screen_key(&screen, "Return");
    screen_until(&screen, &want, "head 3 large");
    want = FRAME(tool, "--head", "3", "--select", "2,5");
    screen_key(&screen, "Escape");
    screen_until(&screen, &want, "back in the grid");
    want = FRAME(tool, "--head", "3");
    screen_key(&screen, "Escape");
    screen_until(&screen, &want, "no cell chosen");
    map = FRAME(tool, "--head", "1", "--layer", "2", "--all-layers", "on");
    screen_key(&screen, "w");
    click_cell(tool, &map, 0, 0);
    want = FRAME(tool, "--head", "1", "--layer", "2", "--all-layers", "on", "--select", "0,0");
    screen_until(&screen, &want, "a cell of another layer");
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

typedef struct KeyStep {
    const char *key;
    const char *knobs[8]; /* what the frame is exported with */
} KeyStep;

static void walk(Tool *tool, const char *scene, const KeyStep *steps, int count) {
    screen_open(&screen, tool);
    SCREEN_HEED(&screen, "view", scene, "--size", SIZE);
    for (int i = 0; i < count; i++) {
        const char *words[16] = {scene, "--frame", "--size", SIZE};
        for (int n = 0; n < 8 && steps[i].knobs[n]; n++) words[4 + n] = steps[i].knobs[n];
        Picture want = tool_export(tool, "frame.png", words);
        screen_key(&screen, steps[i].key);
        screen_until(&screen, &want, steps[i].key);
    }
    screen_key(&screen, "ctrl+q");
    assert_int_equal(screen_wait_end(&screen), 0);
}

static void test_keys_of_block(void **state) {
    static const KeyStep steps[] = {
        {"Right", {"--stage", "q"}},
        {"o", {"--stage", "q", "--norm-place", "post"}},
        {"k", {"--stage", "q", "--norm-place", "post", "--norm", "rms"}},
        {"Right", {"--stage", "k", "--norm-place", "post", "--norm", "rms"}},
        {"shift+k", {"--stage", "k", "--norm-place", "post"}},
        {"f", {"--stage", "k", "--norm-place", "post", "--feed", "gelu-tanh"}},
    };
    walk(*state, "block", steps, sizeof steps / sizeof steps[0]);
}

static void test_keys_of_exercise(void **state) {
    static const KeyStep steps[] = {
        {"Left", {"--stage", "weights"}},
        {"r", {"--stage", "weights", "--tables", "base"}},
        {"h", {"--stage", "weights", "--tables", "base", "--head", "1"}},
        {"Left", {"--stage", "rotated", "--tables", "base", "--head", "1"}},
    };
    walk(*state, "exercise", steps, sizeof steps / sizeof steps[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCREEN_TEST(test_keys_of_heads),
        SCREEN_TEST(test_a_click_chooses_a_head),
        SCREEN_TEST(test_keys_of_block),
        SCREEN_TEST(test_keys_of_exercise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
