/* Hues of curves. Those of the look's drawing (accent, violet, blue) with stops between them that
 * fall in lightness from warm to cold, so that neighbours differ in grey too. */
#include "draw/plot.h"

enum { STOPS = 4 };

static const Color on_paper[STOPS] = {0xB9430E, 0x94296F, 0x5B45A8, 0x24497A};
static const Color on_black[STOPS] = {0xFF9457, 0xE8729A, 0xA993F5, 0x7DB4EA};
static const double FAINT = 0.45; /* share of the ground */

static bool is_dark(const Theme *theme) {
    return color_luminance(theme->bg) < 0.2;
}

Color plot_hue(const Theme *theme, int index, int count) {
    const Color *stops = is_dark(theme) ? on_black : on_paper;
    if (count < 2) return stops[0];
    double place = (double)index * (STOPS - 1) / (count - 1);
    int stop = (int)place < STOPS - 1 ? (int)place : STOPS - 2;
    return color_mix(stops[stop], stops[stop + 1], place - stop);
}

Color plot_faint(const Theme *theme, Color color) {
    return color_mix(color, theme->bg, FAINT);
}
