/* Kept pictures: a plot drawn over one is the plot drawn anew, whatever has changed in between. */
#include "draw/layer.h"
#include "draw/plot.h"
#include "heatmap_tool.h"

enum { WIDTH = 420, HEIGHT = 300, POINTS = 40 };

static Canvas make_canvas(Tool *tool, Layers *layers) {
    Canvas canvas = {.width = WIDTH,
                     .height = HEIGHT,
                     .stride = WIDTH,
                     .clip = {0, 0, WIDTH, HEIGHT},
                     .scale = 1,
                     .theme = theme_find("light"),
                     .fonts = tool->fonts,
                     .layers = layers,
                     .arena = &tool->arena};
    canvas.pixels = ARENA_ARRAY(&tool->arena, uint32_t, WIDTH * HEIGHT);
    canvas_fill(&canvas, canvas.clip, canvas.theme->bg);
    return canvas;
}

typedef struct Scenery {
    float y[2 * POINTS];
    PlotCurve curves[2];
    PlotWave wave;
    PlotMarker marker;
    PlotZone zone;
    Plot plot;
} Scenery;

/* Two curves whose points lie in turn, a marker and a zone; variant changes one thing. */
static void make_scenery(Scenery *it, int variant) {
    static const char *const labels[] = {"one", "two"};
    *it = (Scenery){.wave = {1, variant == 1 ? 0.4 : 0.3, 0, 0},
                    .marker = {variant == 2 ? 9 : 20, "here", 0xC03000},
                    .zone = {variant == 3 ? 12 : 10, 30, "zone", false, NULL}};
    for (int i = 0; i < POINTS; i++) {
        it->y[2 * i] = (float)cos(it->wave.frequency * i);
        it->y[2 * i + 1] = (float)i / POINTS - (variant == 4 && i == POINTS / 2 ? 0.5F : 0);
    }
    for (int i = 0; i < 2; i++)
        it->curves[i] = (PlotCurve){.label = variant == 5 && i == 1 ? "else" : labels[i],
                                    .color = variant == 6 ? 0x204080 : 0x802040,
                                    .count = POINTS,
                                    .step = 1,
                                    .y = it->y + i,
                                    .stride = 2,
                                    .wave = i == 0 ? &it->wave : NULL};
    it->plot = (Plot){.title = variant == 7 ? "other" : "title",
                      .x = {"position", 0, POINTS - 1, false, true},
                      .y = {NULL, variant == 8 ? -2 : -1.2, 1.2, false, false},
                      .curves = it->curves,
                      .curve_count = 2,
                      .markers = &it->marker,
                      .marker_count = 1,
                      .zones = &it->zone,
                      .zone_count = 1,
                      .chosen_curve = variant == 9 ? 1 : -1,
                      .chosen_point = 3};
}

static const uint32_t *draw(Tool *tool, Layers *layers, int variant, Rect clip) {
    Scenery scenery;
    make_scenery(&scenery, variant);
    Canvas canvas = make_canvas(tool, layers);
    canvas.clip = clip;
    PlotPlan plan = plot_plan(&canvas, (Rect){10, 10, WIDTH - 20, HEIGHT - 20}, &scenery.plot);
    plot_draw(&canvas, &plan, &scenery.plot);
    return canvas.pixels;
}

static void test_a_kept_picture_is_the_one_drawn_anew(void **state) {
    Tool *tool = *state;
    Layers *layers = layers_open();
    Rect all = {0, 0, WIDTH, HEIGHT}, some = {60, 0, 200, HEIGHT};
    assert_non_null(layers);
    for (int round = 0; round < 2; round++)
        for (int variant = 0; variant < 10; variant++) {
            size_t bytes = WIDTH * HEIGHT * sizeof(uint32_t);
            assert_memory_equal(draw(tool, layers, variant, all), draw(tool, NULL, variant, all),
                                bytes);
            assert_memory_equal(draw(tool, layers, variant, all), draw(tool, NULL, variant, all),
                                bytes);
            assert_memory_equal(draw(tool, layers, variant, some), draw(tool, NULL, variant, some),
                                bytes);
        }
    layers_close(layers);
}

static void test_kept_by_key_and_size(void **state) {
    Tool *tool = *state;
    Layers *layers = layers_open();
    Canvas canvas = make_canvas(tool, layers);
    Rect place = {20, 20, 30, 10}, other = {100, 50, 30, 10}, wider = {100, 50, 31, 10};
    LayerKey key = {"a plot", 6}, unlike = {"a plan", 6}, longer = {"a plot of", 9};
    canvas_fill(&canvas, place, 0x123456);
    assert_false(layer_draw(&canvas, place, key));
    layer_keep(&canvas, place, key);
    assert_false(layer_draw(&canvas, other, unlike));
    assert_false(layer_draw(&canvas, other, longer));
    assert_false(layer_draw(&canvas, wider, key));
    assert_true(layer_draw(&canvas, other, key));
    assert_int_equal(canvas.pixels[59 * WIDTH + 129], 0x123456);
    Canvas part = canvas_clipped(&canvas, (Rect){100, 50, 29, 10});
    assert_false(layer_draw(&part, other, key));
    canvas.layers = NULL;
    assert_false(layer_draw(&canvas, other, key));
    layers_close(layers);
}

/* The one used last stays when there are more than there is room for. */
static void test_the_longest_unused_goes(void **state) {
    Tool *tool = *state;
    Layers *layers = layers_open();
    Canvas canvas = make_canvas(tool, layers);
    Rect place = {20, 20, 30, 10};
    LayerKey first = {"first", 5};
    layer_keep(&canvas, place, first);
    for (int i = 0; i < 12; i++) {
        assert_true(layer_draw(&canvas, place, first));
        layer_keep(&canvas, place, (LayerKey){&i, sizeof i});
    }
    int gone = 0;
    assert_false(layer_draw(&canvas, place, (LayerKey){&gone, sizeof gone}));
    layers_close(layers);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tool_open, tool_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_kept_picture_is_the_one_drawn_anew),
        TEST(test_kept_by_key_and_size),
        TEST(test_the_longest_unused_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
