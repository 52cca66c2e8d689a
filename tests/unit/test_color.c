/* Colours keep what they promise: maps rise or fall steadily, stay apart for colour-blind eyes and
 * carry readable text; themes have contrast. */
#include "draw/color.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static double linear_channel(Color color, int shift) {
    double value = (color >> shift & 0xFF) / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* CIE L*a*b* (D65) of linear RGB. */
static void lab(const double rgb[3], double out[3]) {
    const double white[3] = {0.95047, 1.0, 1.08883};
    const double m[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                            {0.2126729, 0.7151522, 0.0721750},
                            {0.0193339, 0.1191920, 0.9503041}};
    double f[3];
    for (int i = 0; i < 3; i++) {
        double t = (m[i][0] * rgb[0] + m[i][1] * rgb[1] + m[i][2] * rgb[2]) / white[i];
        f[i] = t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
    }
    out[0] = 116 * f[1] - 16;
    out[1] = 500 * (f[0] - f[1]);
    out[2] = 200 * (f[1] - f[2]);
}

/* Matrices on linear RGB for a complete lack of one cone: Machado, Oliveira and Fernandes, 2009. */
static const double deuteranopia[3][3] = {{0.367322, 0.860646, -0.227968},
                                          {0.280085, 0.672501, 0.047413},
                                          {-0.011820, 0.042940, 0.968881}};
static const double protanopia[3][3] = {{0.152286, 1.052583, -0.204868},
                                        {0.114503, 0.786281, 0.099216},
                                        {-0.003882, -0.048116, 1.051998}};

/* Colour difference (Delta E 1976) as an eye with that lack sees it. */
static double seen_difference(const double eye[3][3], Color a, Color b) {
    const Color colors[2] = {a, b};
    double seen[2][3];
    for (int k = 0; k < 2; k++) {
        double rgb[3], out[3];
        for (int i = 0; i < 3; i++) rgb[i] = linear_channel(colors[k], 16 - 8 * i);
        for (int i = 0; i < 3; i++) {
            double v = eye[i][0] * rgb[0] + eye[i][1] * rgb[1] + eye[i][2] * rgb[2];
            out[i] = v < 0 ? 0 : v > 1 ? 1 : v;
        }
        lab(out, seen[k]);
    }
    return sqrt(pow(seen[0][0] - seen[1][0], 2) + pow(seen[0][1] - seen[1][1], 2) +
                pow(seen[0][2] - seen[1][2], 2));
}

static void test_D6_sequential_maps_are_strict(void **state) {
    (void)state;
    for (int p = 0; p < PALETTE_COUNT; p++) {
        if (palette_diverging(p)) continue;
        const Color *table = palette_table(p);
        bool rises = color_luminance(table[255]) > color_luminance(table[0]);
        for (int i = 1; i < PALETTE_STEPS; i++) {
            double step = color_luminance(table[i]) - color_luminance(table[i - 1]);
            if (rises ? step <= 0 : step >= 0) fail_msg("%s: step %d", palette_name(p), i);
        }
    }
}

static void test_D6_diverging_maps_are_symmetric(void **state) {
    (void)state;
    int seen = 0;
    for (int p = 0; p < PALETTE_COUNT; p++) {
        if (!palette_diverging(p)) continue;
        seen++;
        const Color *table = palette_table(p);
        assert_int_equal(table[127], table[128]);
        bool rises = color_luminance(table[255]) > color_luminance(table[128]);
        for (int i = 0; i < 128; i++) {
            double cold = color_luminance(table[i]), warm = color_luminance(table[255 - i]);
            if (fabs(cold - warm) > 0.005 * (0.05 + warm)) fail_msg("%s: %d", palette_name(p), i);
            if (i == 0) continue;
            double step = cold - color_luminance(table[i - 1]);
            if (rises ? step >= 0 : step <= 0) fail_msg("%s: step %d", palette_name(p), i);
        }
    }
    assert_int_equal(seen, 3);
}

static void test_D6_colour_blind_eyes_tell_steps_apart(void **state) {
    (void)state;
    const int steps[5] = {0, 64, 128, 191, 255};
    for (int p = 0; p < PALETTE_COUNT; p++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < i; j++) {
                Color a = palette_table(p)[steps[i]], b = palette_table(p)[steps[j]];
                if (seen_difference(deuteranopia, a, b) < 12 ||
                    seen_difference(protanopia, a, b) < 12)
                    fail_msg("%s: steps %d and %d look alike", palette_name(p), steps[j], steps[i]);
            }
}

static void test_D7_text_on_viridis(void **state) {
    (void)state;
    const Color *viridis = palette_table(PALETTE_VIRIDIS);
    assert_int_equal(viridis[0], 0x440154);
    assert_int_equal(viridis[128], 0x21918C);
    assert_int_equal(viridis[255], 0xFDE725);
    assert_int_equal(color_text_on(viridis[0]), 0xFFFFFF);
    assert_int_equal(color_text_on(viridis[128]), 0x000000);
    assert_int_equal(color_text_on(viridis[255]), 0x000000);
    assert_true(fabs(color_contrast(viridis[0], 0xFFFFFF) - 15.2) < 0.05);
    assert_true(fabs(color_contrast(viridis[128], 0x000000) - 5.5) < 0.05);
    assert_true(fabs(color_contrast(viridis[128], 0xFFFFFF) - 3.8) < 0.05);
    assert_true(fabs(color_contrast(viridis[255], 0x000000) - 16.6) < 0.05);
}

static void test_D7_text_on_every_step(void **state) {
    (void)state;
    for (int p = 0; p < PALETTE_COUNT; p++)
        for (int i = 0; i < PALETTE_STEPS; i++) {
            Color ground = palette_table(p)[i];
            if (color_contrast(ground, color_text_on(ground)) < 4.5)
                fail_msg("%s: step %d", palette_name(p), i);
        }
}

static void test_themes_have_contrast(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = &color_themes[i];
        const Color texts[] = {t->ink, t->dim, t->acc, t->warn, t->good};
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            assert_true(color_contrast(texts[k], t->bg) >= 4.5);
            assert_true(color_contrast(texts[k], t->panel) >= 4.5);
        }
        assert_true(color_contrast(t->hatch, t->bg) > 1.5);
        assert_ptr_equal(theme_find(t->name), t);
    }
    assert_null(theme_find("sepia"));
}

static void test_maps_begin_at_the_ground(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = &color_themes[i];
        assert_int_equal(palette_table(palette_resolve(PALETTE_AUTO, false, t))[0], t->bg);
        int diverging = palette_resolve(PALETTE_AUTO, true, t);
        assert_true(palette_diverging(diverging));
        assert_int_equal(palette_table(diverging)[127], t->bg);
        assert_int_equal(palette_resolve(PALETTE_MAGMA, true, t), PALETTE_MAGMA);
    }
}

static void test_names_are_different(void **state) {
    (void)state;
    for (int i = 0; i < PALETTE_COUNT; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(palette_name(i), palette_name(j));
}

static void test_mix(void **state) {
    (void)state;
    assert_int_equal(color_mix(0x000000, 0xFF8000, 0), 0x000000);
    assert_int_equal(color_mix(0x000000, 0xFF8000, 0.5), 0x804000);
    assert_int_equal(color_mix(0x000000, 0xFF8000, 7), 0xFF8000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_D6_sequential_maps_are_strict),
        cmocka_unit_test(test_D6_diverging_maps_are_symmetric),
        cmocka_unit_test(test_D6_colour_blind_eyes_tell_steps_apart),
        cmocka_unit_test(test_D7_text_on_viridis),
        cmocka_unit_test(test_D7_text_on_every_step),
        cmocka_unit_test(test_themes_have_contrast),
        cmocka_unit_test(test_maps_begin_at_the_ground),
        cmocka_unit_test(test_names_are_different),
        cmocka_unit_test(test_mix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
