/* Themes, luminance and contrast. The light and dark themes are those of the drawings the look
 * began with; print has a white ground, black ink, darker lines and no shade behind panels. */
#include "draw/color.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const Theme color_themes[THEME_COUNT] = {
    {.name = "light",
     .bg = 0xFCFCFA,
     .panel = 0xF5F4F0,
     .ink = 0x1D1D1B,
     .dim = 0x6D6C66,
     .line = 0xE3E1DA,
     .line2 = 0xC9C6BD,
     .acc = 0xB9430E,
     .barc = 0x2D4F7C,
     .warn = 0xA3243B,
     .good = 0x2C6E3F,
     .hatch = 0xC9C6BD,
     .line_width = 1,
     .map_sequential = PALETTE_INK,
     .map_diverging = PALETTE_BALANCE},
    {.name = "dark",
     .bg = 0x141517,
     .panel = 0x1A1C1F,
     .ink = 0xE9E6DF,
     .dim = 0x94928B,
     .line = 0x292C30,
     .line2 = 0x41454B,
     .acc = 0xFF9457,
     .barc = 0xC8577E,
     .warn = 0xFF7D87,
     .good = 0x86C994,
     .hatch = 0x4A4E54,
     .line_width = 1,
     .map_sequential = PALETTE_EMBER,
     .map_diverging = PALETTE_BALANCE_DARK},
    {.name = "print",
     .bg = 0xFFFFFF,
     .panel = 0xFFFFFF,
     .ink = 0x000000,
     .dim = 0x4A4A4A,
     .line = 0xB4B4B4,
     .line2 = 0x7D7D7D,
     .acc = 0x9A3206,
     .barc = 0x2D4F7C,
     .warn = 0x8E1026,
     .good = 0x14532A,
     .hatch = 0x8C8C8C,
     .line_width = 1.5,
     .map_sequential = PALETTE_INK_PRINT,
     .map_diverging = PALETTE_BALANCE_PRINT},
};

const Theme *theme_find(const char *name) {
    for (int i = 0; i < THEME_COUNT; i++)
        if (strcmp(color_themes[i].name, name) == 0) return &color_themes[i];
    return NULL;
}

/* One channel of sRGB as linear light, 0..1. */
static double linear(Color channel) {
    double value = (channel & 0xFF) / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double color_luminance(Color color) {
    return 0.2126 * linear(color >> 16) + 0.7152 * linear(color >> 8) + 0.0722 * linear(color);
}

double color_contrast(Color a, Color b) {
    double first = color_luminance(a) + 0.05, second = color_luminance(b) + 0.05;
    return first > second ? first / second : second / first;
}

/* The better of the two is at least the root of 21 = 4.58 on any ground. */
Color color_text_on(Color ground) {
    return color_contrast(ground, 0x000000) >= color_contrast(ground, 0xFFFFFF) ? 0x000000
                                                                                : 0xFFFFFF;
}

static Color mix_channel(Color a, Color b, int shift, double share) {
    double from = a >> shift & 0xFF, to = b >> shift & 0xFF;
    return (Color)lround(from + (to - from) * share) << shift;
}

Color color_mix(Color a, Color b, double share_of_b) {
    double share = share_of_b < 0 ? 0 : share_of_b > 1 ? 1 : share_of_b;
    return mix_channel(a, b, 16, share) | mix_channel(a, b, 8, share) | mix_channel(a, b, 0, share);
}

Color color_grey(Color color) {
    double light = color_luminance(color);
    double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (Color)lround(255 * value) * 0x010101u;
}
