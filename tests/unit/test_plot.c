/* Plots: scales and ticks, curves as coverage, and that every point of a curve can be pointed at.
 */
#include "draw/plot_parts.h"
#include "heatmap_tool.h"

static const double PI = 3.14159265358979323846;

enum { POINTS = 101 };

/* A canvas of one theme's ground. */
static Canvas make_canvas(Tool *tool, int width, int height, const char *theme) {
    Canvas canvas = {.width = width,
                     .height = height,
                     .stride = width,
                     .clip = {0, 0, width, height},
                     .scale = 1,
                     .theme = theme_find(theme),
                     .fonts = tool->fonts,
                     .arena = &tool->arena};
    canvas.pixels = ARENA_ARRAY(&tool->arena, uint32_t, width * height);
    canvas_fill(&canvas, canvas.clip, canvas.theme->bg);
    return canvas;
}

static Color pixel(const Canvas *canvas, int x, int y) {
    return canvas->pixels[y * canvas->stride + x];
}

/* How much of black lies on a pixel of white, 0..1. */
static double ink(const Canvas *canvas, int x, int y) {
    return 1 - (pixel(canvas, x, y) & 0xFF) / 255.0;
}

static Plot plot_of(const PlotCurve *curves, int count) {
    return (Plot){.curves = curves,
                  .curve_count = count,
                  .chosen_curve = -1,
                  .chosen_point = -1,
                  .x = {"position", 0, 100, false, true},
                  .y = {NULL, -1.2, 1.2, false, false}};
}

static PlotCurve curve_of(Tool *tool, double slope, double start) {
    float *y = ARENA_ARRAY(&tool->arena, float, POINTS);
    for (int i = 0; i < POINTS; i++) y[i] = (float)(start + slope * i);
    return (PlotCurve){.count = POINTS, .step = 1, .y = y, .color = 0};
}

static PlotCurve wave_of(Tool *tool, const PlotWave *wave) {
    float *y = ARENA_ARRAY(&tool->arena, float, POINTS);
    for (int i = 0; i < POINTS; i++)
        y[i] = (float)(wave->middle + wave->amplitude * cos(wave->frequency * i + wave->phase));
    return (PlotCurve){.count = POINTS, .step = 1, .y = y, .color = 0, .wave = wave};
}

/* A plan of an area alone, without texts, on white. */
static PlotPlan bare_plan(Rect area, double low, double high) {
    return (PlotPlan){.rect = area,
                      .area = area,
                      .x = {.low = 0, .high = 100, .start = area.x, .length = area.w},
                      .y = {.low = low, .high = high, .start = area.y + area.h, .length = -area.h}};
}

static void test_ticks_are_round_and_inside(void **state) {
    (void)state;
    static const double ends[][2] = {{0, 100}, {-1.12, 1.12}, {0, 1},
                                     {3, 7.5}, {0, 4095},     {-64, 64}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        PlotScale scale = {.low = ends[i][0], .high = ends[i][1], .length = 400};
        PlotAxis axis = {.whole = i % 2 == 0};
        plot_ticks(&scale, &axis, 50);
        assert_true(scale.tick_count >= 2 && scale.tick_count <= 9);
        double leading = scale.tick_step / pow(10, floor(log10(scale.tick_step) + 1e-9));
        assert_true(fabs(leading - 1) < 1e-6 || fabs(leading - 2) < 1e-6 ||
                    fabs(leading - 5) < 1e-6);
        for (int n = 0; n < scale.tick_count; n++) {
            assert_true(scale.ticks[n] >= scale.low - 1e-9 && scale.ticks[n] <= scale.high + 1e-9);
            if (n) assert_true(fabs(scale.ticks[n] - scale.ticks[n - 1] - scale.tick_step) < 1e-9);
            if (axis.whole) assert_true(scale.ticks[n] == round(scale.ticks[n]));
        }
    }
}

static void test_log_axis(void **state) {
    Tool *tool = *state;
    PlotScale scale = {.low = 1, .high = 1e6, .log = true, .start = 10, .length = 600};
    PlotAxis axis = {.log = true};
    plot_ticks(&scale, &axis, 50);
    assert_int_equal(scale.tick_count, 7);
    for (int i = 0; i < 7; i++) assert_float_equal(scale.ticks[i] / pow(10, i), 1, 1e-9);
    assert_float_equal(plot_place(&scale, 1000), 310, 1e-9);
    assert_float_equal(plot_value(&scale, 310), 1000, 1e-6);
    assert_true(isnan(plot_place(&scale, 0)) && isnan(plot_place(&scale, -5)));
    assert_string_equal(plot_tick_text(&scale, 1e6, &tool->arena), "10⁶");
    /* beside a far power the others are powers too */
    assert_string_equal(plot_tick_text(&scale, 100, &tool->arena), "10²");
    PlotScale near = {.low = 0.01, .high = 1e5, .log = true, .start = 10, .length = 600};
    plot_ticks(&near, &axis, 50);
    assert_string_equal(plot_tick_text(&near, 1e5, &tool->arena), "100000");
    assert_string_equal(plot_tick_text(&near, 100, &tool->arena), "100");
    assert_string_equal(plot_tick_text(&near, 0.01, &tool->arena), "0.01");
    plot_ticks(&scale, &axis, 200);
    assert_int_equal(scale.tick_count, 4);
    scale.low = 2;
    scale.high = 30;
    plot_ticks(&scale, &axis, 50);
    assert_int_equal(scale.tick_count, 4); /* 2 5 10 20 */
}

static void test_ends_come_from_the_numbers(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 400, 300, "light");
    PlotCurve curve = curve_of(tool, 2, 10);
    ((float *)curve.y)[50] = NAN;
    Plot plot = plot_of(&curve, 1);
    plot.x.high = plot.y.low = plot.y.high = 0;
    PlotPlan plan = plot_plan(&canvas, canvas.clip, &plot);
    assert_true(plan.x.low == 0 && plan.x.high == 100);
    assert_true(plan.y.low < 10 && plan.y.low > -20 && plan.y.high > 210 && plan.y.high < 240);
    plot.curve_count = 0;
    plan = plot_plan(&canvas, canvas.clip, &plot);
    assert_true(plan.x.low < plan.x.high && plan.y.low < plan.y.high);
    plot_draw(&canvas, &plan, &plot);
}

static void test_places_and_values_are_inverse(void **state) {
    (void)state;
    PlotPlan plan = bare_plan((Rect){20, 10, 300, 200}, -3, 5);
    for (double value = -3; value <= 5; value += 0.25)
        assert_float_equal(plot_value(&plan.y, plot_place(&plan.y, value)), value, 1e-12);
    assert_float_equal(plot_place(&plan.y, -3), 210, 1e-12);
    assert_float_equal(plot_place(&plan.y, 5), 10, 1e-12);
    assert_float_equal(plot_place(&plan.x, 100), 320, 1e-12);
}

/* Coverage against sixteen lines a pixel: the vertical extent of a slanted stroke, exactly. */
static void test_lines_are_anti_aliased(void **state) {
    Tool *tool = *state;
    static const double slopes[] = {0, 0.003, 0.011, 0.04, 0.3};
    for (size_t n = 0; n < sizeof slopes / sizeof slopes[0]; n++) {
        Canvas canvas = make_canvas(tool, 200, 200, "print");
        PlotPlan plan = bare_plan((Rect){0, 0, 200, 200}, 0, 10);
        PlotCurve curve = curve_of(tool, slopes[n], 1.03);
        plot_curve_draw(&canvas, &plan, &curve);
        double tilt = slopes[n] * 100 / 10, half = 1.75 / 2 * 1.5 * sqrt(1 + tilt * tilt),
               error = 0; /* print has thicker lines */
        for (int y = 0; y < 200; y++)
            for (int x = 20; x < 180; x++) {
                double want = 0;
                for (int i = 0; i < 16; i++) {
                    double at = x + (i + 0.5) / 16;
                    double middle = 200 - (1.03 + slopes[n] * at / 2) * 20;
                    want += fmax(fmin(middle + half, y + 1) - fmax(middle - half, y), 0) / 16;
                }
                error += pow(want - ink(&canvas, x, y), 2);
            }
        assert_true(sqrt(error / (200 * 160)) < 0.02);
    }
}

/* Whether a place lies within reach of the curve y = 50 - 40 cos(x/4 - 0.3), in pixels. */
static bool near_wave(double x, double y, double reach) {
    for (double at = x - reach; at <= x + reach; at += 0.05)
        if (hypot(at - x, 50 - 40 * cos(at / 4 - 0.3) - y) <= reach) return true;
    return false;
}

/* A wave is drawn as it is between its points: against sixteen places in every pixel. */
static void test_waves_are_smooth(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 200, 100, "print");
    PlotPlan plan = bare_plan((Rect){0, 0, 200, 100}, -1.25, 1.25);
    PlotWave wave = {1, 0.5, -0.3, 0}; /* two pixels a position */
    PlotCurve curve = wave_of(tool, &wave);
    plot_curve_draw(&canvas, &plan, &curve);
    double error = 0;
    for (int y = 0; y < 100; y++)
        for (int x = 4; x < 196; x++) {
            double want = 0;
            for (int i = 0; i < 16; i++)
                want +=
                    near_wave(x + (i % 4 + 0.5) / 4, y + (i / 4 + 0.5) / 4, 1.75 / 2 * 1.5) / 16.0;
            error += pow(want - ink(&canvas, x, y), 2);
        }
    error = sqrt(error / (100 * 192));
    if (error >= 0.03) fail_msg("the difference is %g", error);
}

/* Thousands of turns in a pixel are a band, not a pattern. */
static void test_many_turns_a_pixel_fill_a_band(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 300, 200, "print");
    PlotPlan plan = bare_plan((Rect){0, 0, 300, 200}, -2, 2);
    PlotWave wave = {1, 5000, 0, 0};
    PlotCurve curve = wave_of(tool, &wave);
    plot_curve_draw(&canvas, &plan, &curve);
    for (int x = 2; x < 298; x++) {
        for (int y = 52; y < 148; y++) assert_int_equal(pixel(&canvas, x, y), 0);
        assert_int_equal(pixel(&canvas, x, 40), 0xFFFFFF);
        assert_int_equal(pixel(&canvas, x, 160), 0xFFFFFF);
    }
}

static void test_what_is_no_number_leaves_a_gap(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 200, 100, "print");
    PlotPlan plan = bare_plan((Rect){0, 0, 200, 100}, -1, 1);
    PlotCurve curve = curve_of(tool, 0, 0);
    float *y = (float *)curve.y;
    for (int i = 40; i < 60; i++) y[i] = i % 2 ? NAN : INFINITY;
    y[50] = 0; /* alone: a dot */
    plot_curve_draw(&canvas, &plan, &curve);
    assert_true(ink(&canvas, 70, 50) > 0.8);
    assert_int_equal(pixel(&canvas, 85, 50), 0xFFFFFF);
    assert_true(ink(&canvas, 100, 50) > 0.5);
    assert_int_equal(pixel(&canvas, 110, 50), 0xFFFFFF);
    assert_true(ink(&canvas, 125, 50) > 0.8);
}

static void test_dashes(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 200, 100, "print");
    PlotPlan plan = bare_plan((Rect){0, 0, 200, 100}, -1, 1);
    PlotCurve curve = curve_of(tool, 0, 0);
    curve.shape = PLOT_DASHED;
    plot_curve_draw(&canvas, &plan, &curve);
    int changes = 0;
    for (int x = 1; x < 200; x++)
        changes += (ink(&canvas, x, 50) > 0.5) != (ink(&canvas, x - 1, 50) > 0.5);
    assert_in_range(changes, 36, 44); /* a dash and a gap are 10 pixels */
}

static void test_band_and_points(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 200, 100, "print");
    PlotPlan plan = bare_plan((Rect){0, 0, 200, 100}, -1, 1);
    PlotCurve low = curve_of(tool, 0, -0.5), high = curve_of(tool, 0, 0.5);
    PlotBand band = {.count = POINTS, .step = 1, .low = low.y, .high = high.y, .color = 0};
    plot_band_draw(&canvas, &plan, &band);
    assert_int_equal(pixel(&canvas, 100, 20), 0xFFFFFF);
    assert_true(pixel(&canvas, 100, 50) < 0xE0E0E0 && pixel(&canvas, 100, 50) > 0xA0A0A0);
    assert_int_equal(pixel(&canvas, 100, 30), pixel(&canvas, 100, 70));
    assert_int_equal(pixel(&canvas, 100, 80), 0xFFFFFF);
    PlotCurve dots = curve_of(tool, 0, 0.8);
    dots.shape = PLOT_POINTS;
    dots.step = 20;
    dots.count = 6;
    plot_curve_draw(&canvas, &plan, &dots);
    assert_int_equal(pixel(&canvas, 40, 10), 0);
    assert_int_equal(pixel(&canvas, 60, 10), 0xFFFFFF);
}

/* Curves that meet: every point of each can be pointed at, also where all lie on one another. */
static void test_every_point_can_be_pointed_at(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 700, 300, "light");
    PlotWave waves[6];
    PlotCurve curves[6];
    for (int i = 0; i < 6; i++) {
        waves[i] = (PlotWave){1, pow(10, -i), 0, 0};
        curves[i] = wave_of(tool, &waves[i]);
        curves[i].label = "pair";
        curves[i].note = "λ 6.283";
    }
    Plot plot = plot_of(curves, 6);
    PlotPlan plan = plot_plan(&canvas, canvas.clip, &plot);
    bool seen[6][POINTS] = {{false}};
    int found = 0;
    for (int y = 0; y < 300; y += 3)
        for (int x = 0; x < 700; x += 3) {
            PlotHit hit;
            if (!plot_locate(&canvas, &plan, &plot, x, y, &hit)) continue;
            assert_true(hit.x == hit.point);
            assert_true(hit.y == (double)curves[hit.curve].y[hit.point]);
            found += !seen[hit.curve][hit.point];
            seen[hit.curve][hit.point] = true;
        }
    assert_int_equal(found, 6 * POINTS);
}

static void test_the_nearest_curve_is_hit(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 500, 300, "light");
    PlotCurve curves[] = {curve_of(tool, 0, 0.9), curve_of(tool, 0, -0.9), curve_of(tool, 0, 0)};
    curves[2].quiet = true;
    Plot plot = plot_of(curves, 3);
    PlotPlan plan = plot_plan(&canvas, canvas.clip, &plot);
    int x = (int)plot_place(&plan.x, 37), zero = (int)plot_place(&plan.y, 0);
    PlotHit hit;
    assert_true(plot_locate(&canvas, &plan, &plot, x, zero - 10, &hit));
    assert_true(hit.curve == 0 && hit.point == 37);
    assert_true(plot_locate(&canvas, &plan, &plot, x, zero + 10, &hit));
    assert_int_equal(hit.curve, 1);
    assert_false(plot_locate(&canvas, &plan, &plot, x, 299, &hit));
    plot.curve_count = 0;
    assert_false(plot_locate(&canvas, &plan, &plot, x, zero, &hit));
}

static void test_spread(void **state) {
    Tool *tool = *state;
    double places[] = {10, 11, 12, 50, 90, 90, 91};
    plot_spread(places, 7, 10, 0, 100, tool->arena);
    for (int i = 0; i < 7; i++) {
        assert_true(places[i] >= -1e-9 && places[i] <= 100 + 1e-9);
        if (i) assert_true(places[i] - places[i - 1] >= 10 - 1e-9);
    }
    assert_float_equal(places[1], 11, 1e-9); /* a group keeps its middle */
    assert_float_equal(places[3], 50, 1e-9);
    double many[50];
    for (int i = 0; i < 50; i++) many[i] = 30;
    plot_spread(many, 50, 10, 0, 98, tool->arena);
    assert_float_equal(many[49] - many[0], 98, 1e-9);
}

static void test_hues(void **state) {
    (void)state;
    for (int t = 0; t < THEME_COUNT; t++)
        for (int count = 1; count <= 16; count++)
            for (int i = 0; i < count; i++) {
                Color color = plot_hue(&color_themes[t], i, count);
                assert_true(color_contrast(color, color_themes[t].bg) >= 4);
                assert_true(i == 0 || color != plot_hue(&color_themes[t], i - 1, count));
                Color faint = plot_faint(&color_themes[t], color);
                double contrast = color_contrast(faint, color_themes[t].bg);
                assert_true(contrast >= 1.7 &&
                            contrast < color_contrast(color, color_themes[t].bg));
            }
}

static Plot busy_plot(Tool *tool) {
    static const PlotZone zones[] = {{0, 40, "trained", true, NULL},
                                     {40, 100, "beyond", false, NULL}};
    static const PlotMarker markers[] = {{7, "m", 0xB9430E}, {8, "n", 0x2D4F7C}};
    PlotWave *waves = ARENA_ARRAY(&tool->arena, PlotWave, 40);
    PlotCurve *curves = ARENA_ARRAY(&tool->arena, PlotCurve, 40);
    for (int i = 0; i < 40; i++) {
        waves[i] = (PlotWave){1, 2 * PI / (6 + i), 0, 0};
        curves[i] = wave_of(tool, &waves[i]);
        curves[i].label = arena_printf(&tool->arena, "pair %d", i);
        curves[i].name = curves[i].label;
    }
    Plot plot = plot_of(curves, 40);
    plot.title = "cos(pos · θ)";
    plot.zones = zones;
    plot.zone_count = 2;
    plot.markers = markers;
    plot.marker_count = 2;
    plot.chosen_curve = 0;
    plot.chosen_point = 100;
    return plot;
}

/* All of it stays inside the place that was given, however small. */
static void test_nothing_outside_the_place(void **state) {
    Tool *tool = *state;
    Plot plot = busy_plot(tool);
    static const Rect places[] = {{50, 40, 500, 320}, {50, 40, 120, 90}, {50, 40, 20, 20}};
    for (int n = 0; n < 3; n++) {
        Canvas canvas = make_canvas(tool, 600, 400, "light");
        PlotPlan plan = plot_plan(&canvas, places[n], &plot);
        plot_draw(&canvas, &plan, &plot);
        for (int y = 0; y < 400; y++)
            for (int x = 0; x < 600; x++)
                if (!rect_contains(places[n], x, y))
                    assert_int_equal(pixel(&canvas, x, y), canvas.theme->bg);
    }
}

static void test_zones_and_geometry(void **state) {
    Tool *tool = *state;
    Canvas canvas = make_canvas(tool, 600, 400, "light");
    Plot plot = busy_plot(tool);
    plot.curve_count = 1;
    PlotPlan plan = plot_plan(&canvas, canvas.clip, &plot);
    plot_draw(&canvas, &plan, &plot);
    int y = plan.area.y + 3;
    assert_int_equal(pixel(&canvas, (int)plot_place(&plan.x, 20), y), canvas.theme->bg);
    assert_int_not_equal(pixel(&canvas, (int)plot_place(&plan.x, 60), y), canvas.theme->bg);
    const char *text = plot_geometry(&plan, &plot, &tool->arena);
    const char *area = arena_printf(&tool->arena, "plot %d %d %d %d\n", plan.area.x, plan.area.y,
                                    plan.area.w, plan.area.h);
    assert_memory_equal(text, area, strlen(area));
    assert_non_null(strstr(text, "axis x 0 100 linear\n"));
    assert_non_null(strstr(text, "curve 000000 pair 0\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tool_open, tool_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_ticks_are_round_and_inside),
        TEST(test_log_axis),
        TEST(test_ends_come_from_the_numbers),
        TEST(test_places_and_values_are_inverse),
        TEST(test_lines_are_anti_aliased),
        TEST(test_waves_are_smooth),
        TEST(test_many_turns_a_pixel_fill_a_band),
        TEST(test_what_is_no_number_leaves_a_gap),
        TEST(test_dashes),
        TEST(test_band_and_points),
        TEST(test_every_point_can_be_pointed_at),
        TEST(test_the_nearest_curve_is_hit),
        TEST(test_spread),
        TEST(test_hues),
        TEST(test_nothing_outside_the_place),
        TEST(test_zones_and_geometry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
