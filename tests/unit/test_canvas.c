/* Primitives: cut at the clip and at the canvas, exact where edges are straight, covered by the
 * right share where they are not. */
#include "draw/canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

enum { WIDTH = 40, HEIGHT = 30, GUARD = 0x123456 };

/* The pixels have a border of guards around them, as rows are longer than the canvas is wide. */
typedef struct Paper {
    uint32_t pixels[(HEIGHT + 2) * (WIDTH + 8)];
    Canvas canvas;
} Paper;

static Paper *paper_new(Paper *paper) {
    for (size_t i = 0; i < sizeof paper->pixels / sizeof *paper->pixels; i++)
        paper->pixels[i] = GUARD;
    paper->canvas = (Canvas){.pixels = paper->pixels + (WIDTH + 8) + 4,
                             .width = WIDTH,
                             .height = HEIGHT,
                             .stride = WIDTH + 8,
                             .clip = {0, 0, WIDTH, HEIGHT},
                             .scale = 1,
                             .theme = &color_themes[0]};
    canvas_fill(&paper->canvas, paper->canvas.clip, 0);
    return paper;
}

static uint32_t at(const Canvas *canvas, int x, int y) {
    return canvas->pixels[y * canvas->stride + x];
}

static void assert_guards(const Paper *paper) {
    for (int y = -1; y <= HEIGHT; y++)
        for (int x = -4; x < WIDTH + 4; x++)
            if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT)
                assert_int_equal(at(&paper->canvas, x, y), GUARD);
}

/* Pixels that are not 0, and the sum of the blue channel in pixels of full colour. */
static int painted(const Canvas *canvas) {
    int count = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) count += at(canvas, x, y) != 0;
    return count;
}

static double area(const Canvas *canvas) {
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) sum += (at(canvas, x, y) & 0xFF) / 255.0;
    return sum;
}

static void test_rectangles(void **state) {
    (void)state;
    Rect cut = rect_intersect((Rect){0, 0, 10, 10}, (Rect){4, 6, 10, 2});
    assert_true(cut.x == 4 && cut.y == 6 && cut.w == 6 && cut.h == 2);
    Rect apart = rect_intersect((Rect){0, 0, 3, 3}, (Rect){8, 8, 3, 3});
    assert_true(apart.w == 0 && apart.h == 0);
    Rect inset = rect_inset((Rect){1, 1, 10, 4}, 2, 3);
    assert_true(inset.x == 3 && inset.y == 4 && inset.w == 6 && inset.h == 0);
    assert_true(rect_contains((Rect){2, 3, 4, 5}, 2, 3));
    assert_true(rect_contains((Rect){2, 3, 4, 5}, 5, 7));
    assert_false(rect_contains((Rect){2, 3, 4, 5}, 6, 7));
    assert_false(rect_contains((Rect){2, 3, 4, 5}, 5, 8));
}

static void test_lengths_scale_and_never_vanish(void **state) {
    (void)state;
    Canvas canvas = {.scale = 2};
    assert_int_equal(canvas_px(&canvas, 13), 26);
    canvas.scale = 0.25;
    assert_int_equal(canvas_px(&canvas, 1), 1);
    assert_int_equal(canvas_px(&canvas, 10), 3);
    assert_int_equal(canvas_px(&canvas, 0), 0);
}

static void test_fill_is_cut(void **state) {
    (void)state;
    Paper paper;
    Canvas *canvas = &paper_new(&paper)->canvas;
    Canvas part = canvas_clipped(canvas, (Rect){5, 5, 10, 10});
    canvas_fill(&part, (Rect){-100, -100, 1000, 1000}, 0xFF);
    assert_int_equal(painted(canvas), 100);
    assert_int_equal(at(canvas, 5, 5), 0xFF);
    assert_int_equal(at(canvas, 14, 14), 0xFF);
    part = canvas_clipped(&part, (Rect){12, 12, 100, 100});
    assert_true(part.clip.w == 3 && part.clip.h == 3);
}

static void test_nothing_is_written_outside(void **state) {
    (void)state;
    Paper paper;
    Canvas *canvas = &paper_new(&paper)->canvas;
    canvas->clip = (Rect){-50, -50, 500, 500};
    const Rect large = {-7, -7, 60, 60};
    canvas_fill(canvas, large, 1);
    canvas_frame(canvas, rect_inset(large, 6, 6), 3, 2);
    canvas_round(canvas, large, 20, 3);
    canvas_disc(canvas, 0, HEIGHT, 12, 4);
    canvas_disc(canvas, 1e300, 5, 12, 4);
    canvas_line(canvas, -20, -20, 70, 55, 6, 5);
    canvas_line(canvas, -1e9, 3, 1e9, 3, 2, 5);
    canvas_line(canvas, NAN, 3, 10, INFINITY, 2, 5);
    canvas_hatch(canvas, large, 5, 2, true, 6);
    for (int i = -2; i < WIDTH + 2; i++) canvas_blend(canvas, i, i, 0xFFFFFF, 255);
    assert_guards(&paper);
}

static void test_frame_is_inside(void **state) {
    (void)state;
    Paper paper;
    Canvas *canvas = &paper_new(&paper)->canvas;
    canvas_frame(canvas, (Rect){3, 4, 10, 8}, 2, 0xFF);
    assert_int_equal(painted(canvas), 10 * 8 - 6 * 4);
    assert_int_equal(at(canvas, 3, 4), 0xFF);
    assert_int_equal(at(canvas, 12, 11), 0xFF);
    assert_int_equal(at(canvas, 5, 6), 0);
    canvas_frame(canvas, (Rect){20, 4, 3, 3}, 5, 0xFF);
    assert_int_equal(painted(canvas), 10 * 8 - 6 * 4 + 9);
}

static void test_blend(void **state) {
    (void)state;
    Paper paper;
    Canvas *canvas = &paper_new(&paper)->canvas;
    canvas_fill(canvas, canvas->clip, 0x204060);
    canvas_blend(canvas, 1, 1, 0xFFFFFF, 0);
    canvas_blend(canvas, 2, 1, 0xFF80FE, 255);
    canvas_blend(canvas, 3, 1, 0xE0C0A0, 51);
    assert_int_equal(at(canvas, 1, 1), 0x204060);
    assert_int_equal(at(canvas, 2, 1), 0xFF80FE);
    assert_int_equal(at(canvas, 3, 1), 0x465A6D);
}

static void test_disc_has_its_area(void **state) {
    (void)state;
    for (double radius = 1.5; radius < 12; radius += 2.3) {
        Paper paper;
        Canvas *canvas = &paper_new(&paper)->canvas;
        canvas_disc(canvas, 19.3, 14.6, radius, 0xFF);
        double want = 3.14159265 * radius * radius;
        assert_true(fabs(area(canvas) - want) < 0.02 * want + 0.3);
    }
}

static void test_round_has_its_area_and_straight_sides(void **state) {
    (void)state;
    Paper paper;
    Canvas *canvas = &paper_new(&paper)->canvas;
    canvas_round(canvas, (Rect){4, 5, 24, 16}, 5, 0xFF);
    double want = 24 * 16 - (4 - 3.14159265) * 25;
    assert_true(fabs(area(canvas) - want) < 1);
    assert_int_equal(at(canvas, 15, 5), 0xFF);
    assert_int_equal(at(canvas, 4, 12), 0xFF);
    assert_int_equal(at(canvas, 27, 12), 0xFF);
    assert_int_equal(at(canvas, 4, 5), 0);
    assert_int_equal(at(canvas, 6, 6), at(canvas, 25, 19));
    assert_int_equal(at(canvas, 3, 12), 0);
    assert_int_equal(at(canvas, 28, 12), 0);
}

static void test_line_on_pixels_is_sharp(void **state) {
    (void)state;
    Paper paper;
    Canvas *canvas = &paper_new(&paper)->canvas;
    canvas_line(canvas, 5, 10.5, 30, 10.5, 1, 0xFF);
    for (int x = 5; x < 30; x++) assert_int_equal(at(canvas, x, 10), 0xFF);
    assert_int_equal(at(canvas, 15, 9), 0);
    assert_int_equal(at(canvas, 15, 11), 0);
    canvas_line(canvas, 20, 2, 20, 28, 2, 0xFF);
    assert_int_equal(at(canvas, 19, 20), 0xFF);
    assert_int_equal(at(canvas, 20, 20), 0xFF);
    assert_int_equal(at(canvas, 18, 20), 0);
    assert_int_equal(at(canvas, 21, 20), 0);
}

/* In every direction, a line covers its length times its width and two half-round ends. */
static void test_line_has_its_area(void **state) {
    (void)state;
    for (int turn = 0; turn < 24; turn++) {
        for (double width = 0.5; width < 5; width += 1.1) {
            Paper paper;
            Canvas *canvas = &paper_new(&paper)->canvas;
            double dx = 11 * cos(turn * 0.2618), dy = 11 * sin(turn * 0.2618);
            canvas_line(canvas, 20.2 - dx, 15.1 - dy, 20.2 + dx, 15.1 + dy, width, 0xFF);
            double want = 22 * width + 3.14159265 * width * width / 4;
            if (fabs(area(canvas) - want) > 0.14 * want + 0.3)
                fail_msg("turn %d, width %g: %g, not %g", turn, width, area(canvas), want);
        }
    }
}

static void test_hatch_is_anchored_and_two_ways(void **state) {
    (void)state;
    Paper whole, tiles, falling;
    paper_new(&whole);
    paper_new(&tiles);
    paper_new(&falling);
    canvas_hatch(&whole.canvas, (Rect){0, 0, WIDTH, HEIGHT}, 6, 1, true, 0xFF);
    for (int y = 0; y < HEIGHT; y += 7)
        for (int x = 0; x < WIDTH; x += 9)
            canvas_hatch(&tiles.canvas, (Rect){x, y, 9, 7}, 6, 1, true, 0xFF);
    canvas_hatch(&falling.canvas, (Rect){0, 0, WIDTH, HEIGHT}, 6, 1, false, 0xFF);
    assert_memory_equal(whole.pixels, tiles.pixels, sizeof whole.pixels);
    assert_memory_not_equal(whole.pixels, falling.pixels, sizeof whole.pixels);
    assert_int_equal(at(&whole.canvas, 6, 0), 0xFF);
    assert_int_equal(at(&whole.canvas, 5, 1), 0xFF);
    assert_int_equal(at(&falling.canvas, 6, 0), 0xFF);
    assert_int_equal(at(&falling.canvas, 7, 1), 0xFF);
    assert_int_equal(at(&whole.canvas, 3, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_lengths_scale_and_never_vanish),
        cmocka_unit_test(test_fill_is_cut),
        cmocka_unit_test(test_nothing_is_written_outside),
        cmocka_unit_test(test_frame_is_inside),
        cmocka_unit_test(test_blend),
        cmocka_unit_test(test_disc_has_its_area),
        cmocka_unit_test(test_round_has_its_area_and_straight_sides),
        cmocka_unit_test(test_line_on_pixels_is_sharp),
        cmocka_unit_test(test_line_has_its_area),
        cmocka_unit_test(test_hatch_is_anchored_and_two_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
