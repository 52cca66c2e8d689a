/* Dials: hands where their angles are, the shaded turn, places in rows. */
#include "draw/dial.h"
#include "heatmap_tool.h"

static const double PI = 3.14159265358979323846;

enum { SIZE = 200, RED = 0xFF0000, BLUE = 0x0000FF };

static Canvas make_canvas(Tool *tool, int width, int height) {
    Canvas canvas = {.width = width,
                     .height = height,
                     .stride = width,
                     .clip = {0, 0, width, height},
                     .scale = 1,
                     .theme = &color_themes[0],
                     .fonts = tool->fonts,
                     .arena = &tool->arena};
    canvas.pixels = ARENA_ARRAY(&tool->arena, uint32_t, width * height);
    canvas_fill(&canvas, canvas.clip, canvas.theme->bg);
    return canvas;
}

/* Without text the circle stands in the middle, 10 pixels from the sides. */
static Color at_angle(const Canvas *canvas, double angle, double away) {
    int x = (int)floor(SIZE / 2 + away * cos(angle));
    int y = (int)floor(SIZE / 2 - away * sin(angle));
    return canvas->pixels[y * canvas->stride + x];
}

static void test_hands_point_to_their_angles(void **state) {
    Tool *tool = *state;
    static const double angles[] = {0.3, 2, 3.5, 5, -1.2, 100.3, 1e6};
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++) {
        Canvas canvas = make_canvas(tool, SIZE, SIZE);
        Dial dial = {.hands = {{.angle = angles[i], .length = 1, .color = RED}}, .hand_count = 1};
        dial_draw(&canvas, canvas.clip, &dial);
        assert_int_equal(at_angle(&canvas, angles[i], 90), RED);
        assert_int_equal(at_angle(&canvas, angles[i], 5), RED);
        assert_int_not_equal(at_angle(&canvas, angles[i] + PI, 60), RED);
    }
}

static void test_the_first_hand_lies_on_top(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, SIZE, SIZE);
    Dial dial = {.hands = {{1, 1, RED, NULL}, {1, 1, BLUE, NULL}}, .hand_count = 2};
    dial_draw(&canvas, canvas.clip, &dial);
    assert_int_equal(at_angle(&canvas, 1, 90), RED);
    dial.hands[0].length = 0.5;
    dial_draw(&canvas, canvas.clip, &dial);
    assert_int_equal(at_angle(&canvas, 1, 90), BLUE);
    assert_int_equal(at_angle(&canvas, 1, 45), RED);
}

/* The turn begins at the second hand and goes against the clock; backwards when it is negative. */
static void test_the_turn_is_shaded(void **state) {
    Tool *tool = *state;
    static const double turns[] = {4, 1, -1, -4.5};
    for (int i = 0; i < 4; i++) {
        Canvas canvas = make_canvas(tool, SIZE, SIZE);
        Color ground = canvas.theme->bg;
        double begin = 3, turn = turns[i], middle = begin + turn / 2;
        Dial dial = {.hands = {{begin + turn, 1, RED, NULL}, {begin, 1, BLUE, NULL}},
                     .hand_count = 2,
                     .shade = true,
                     .turn = turn};
        dial_draw(&canvas, canvas.clip, &dial);
        assert_int_not_equal(at_angle(&canvas, middle, 20), ground);
        assert_int_equal(at_angle(&canvas, middle + PI, 20), ground);
        assert_int_equal(at_angle(&canvas, middle, 60), ground);
    }
}

static void test_whole_turns_fill_the_disc(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, SIZE, SIZE);
    Dial dial = {.hands = {{.angle = 2 * PI + 1, .length = 1, .color = RED}},
                 .hand_count = 1,
                 .shade = true,
                 .turn = 2 * PI + 1};
    dial_draw(&canvas, canvas.clip, &dial);
    Color once = at_angle(&canvas, 4, 20), twice = at_angle(&canvas, 0.5, 20);
    assert_int_not_equal(once, canvas.theme->bg);
    assert_int_not_equal(once, twice);
    assert_true(color_luminance(twice) < color_luminance(once));
}

static void test_places_fill_the_rectangle(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 8, 8);
    static const Rect rects[] = {{10, 20, 700, 200}, {0, 0, 300, 500}, {5, 5, 50, 400}};
    for (int n = 0; n < 3; n++)
        for (int count = 1; count <= 16; count++)
            for (int i = 0; i < count; i++) {
                Rect place = dial_place(&canvas, rects[n], count, i);
                Rect inside = rect_intersect(place, rects[n]);
                assert_true(inside.w == place.w && inside.h == place.h);
                int x = place.x + place.w / 2, y = place.y + place.h / 2;
                assert_int_equal(dial_locate(&canvas, rects[n], count, x, y), i);
            }
    assert_true(dial_place(&canvas, rects[0], 4, 0).y == dial_place(&canvas, rects[0], 4, 3).y);
    assert_true(dial_place(&canvas, rects[2], 4, 0).x == dial_place(&canvas, rects[2], 4, 3).x);
    assert_int_equal(dial_locate(&canvas, rects[0], 4, 5, 5), -1);
}

static void test_nothing_outside_the_place(void **state) {
    Tool *tool = *state;
    static const Rect places[] = {{30, 20, 120, 150}, {30, 20, 40, 40}, {30, 20, 3, 2}};
    for (int n = 0; n < 3; n++) {
        Canvas canvas = make_canvas(tool, SIZE, SIZE);
        Dial dial = {.title = "a long title of a pair",
                     .line = "θ = 1.000   4.000 rad",
                     .hands = {{1, 1, RED, "query"}, {-2, 1, BLUE, "key"}},
                     .hand_count = 2,
                     .shade = true,
                     .turn = 3,
                     .faint = true};
        dial_draw(&canvas, places[n], &dial);
        for (int y = 0; y < SIZE; y++)
            for (int x = 0; x < SIZE; x++)
                if (!rect_contains(places[n], x, y))
                    assert_int_equal(canvas.pixels[y * SIZE + x], canvas.theme->bg);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tool_open, tool_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_hands_point_to_their_angles), TEST(test_the_first_hand_lies_on_top),
        TEST(test_the_turn_is_shaded),          TEST(test_whole_turns_fill_the_disc),
        TEST(test_places_fill_the_rectangle),   TEST(test_nothing_outside_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
