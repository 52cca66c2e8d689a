/* Colours, themes and colour maps. Maps rise in luminance (or fall, on paper) steadily and stay
 * apart for colour-blind eyes; zero-centred ones are symmetric around zero. */
#ifndef DRAW_COLOR_H
#define DRAW_COLOR_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t Color; /* 0x00RRGGBB */

typedef struct Theme {
    const char *name; /* light, dark, print */
    Color bg, panel, ink, dim, line, line2, acc, barc;
    Color warn, good;   /* text for what is wrong and for what holds */
    Color hatch;        /* stripes of a blocked cell, on bg */
    double line_width;  /* of hairlines at scale 1; print has thicker ones */
    int map_sequential; /* palette number that "auto" means for weights */
    int map_diverging;  /* for signed values */
} Theme;

enum { THEME_COUNT = 3 };
extern const Theme color_themes[THEME_COUNT];
const Theme *theme_find(const char *name); /* NULL if unknown */

/* The palettes by number. 0 is "auto": the theme's own. */
typedef enum PaletteName {
    PALETTE_AUTO,
    PALETTE_INK,   /* paper to deep blue: look/README's light map */
    PALETTE_EMBER, /* near black through magma's reds: the dark map */
    PALETTE_CIVIDIS,
    PALETTE_VIRIDIS,
    PALETTE_MAGMA,
    PALETTE_GREYS,
    PALETTE_BALANCE, /* zero-centred: blue, paper, orange-brown */
    PALETTE_BALANCE_DARK,
    PALETTE_INK_PRINT, /* the same from white instead of paper, for print */
    PALETTE_BALANCE_PRINT,
    PALETTE_COUNT
} PaletteName;
const char *palette_name(int palette);
bool palette_diverging(int palette);

enum { PALETTE_STEPS = 256 };
/* The table of a palette, [PALETTE_STEPS]; built once at compile time, never written. */
const Color *palette_table(int palette);

/* The palette that is meant: auto becomes the theme's, and a sequential choice for signed values
 * stays as chosen. */
int palette_resolve(int palette, bool is_signed, const Theme *theme);

/* Relative luminance (WCAG 2.1) in 0..1, the contrast of two colours 1..21, and black or white,
 * whichever reads better. */
double color_luminance(Color color);
double color_contrast(Color a, Color b);
Color color_text_on(Color ground);
Color color_mix(Color a, Color b, double share_of_b);
/* The grey that is as light. */
Color color_grey(Color color);

#endif
