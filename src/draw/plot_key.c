/* All that the still part of a plot depends on, field by field: bytes between fields and pointers
 * that change from frame to frame must not make two equal plots look different. */
#include "draw/plot_parts.h"

#include "base/text.h"

#include <string.h>

static void add_number(Text *key, double value) {
    text_add_bytes(key, (const char *)&value, sizeof value);
}

static void add_color(Text *key, Color color) {
    text_add_bytes(key, (const char *)&color, sizeof color);
}

static void add_words(Text *key, const char *words) {
    text_add_bytes(key, words ? "+" : "-", 1);
    if (words) text_add_bytes(key, words, strlen(words) + 1);
}

static void add_rect(Text *key, Rect rect) {
    int places[] = {rect.x, rect.y, rect.w, rect.h};
    text_add_bytes(key, (const char *)places, sizeof places);
}

static void add_scale(Text *key, const PlotScale *scale) {
    add_number(key, scale->low);
    add_number(key, scale->high);
    add_number(key, scale->log);
    add_number(key, scale->start);
    add_number(key, scale->length);
    add_number(key, scale->tick_step);
    add_number(key, scale->tick_count);
    for (int i = 0; i < scale->tick_count; i++) add_number(key, scale->ticks[i]);
}

/* The numbers of a column of a table lie apart; they are gathered in small parts. */
static void add_floats(Text *key, const float *from, size_t stride, int count) {
    float part[64];
    int filled = 0;
    for (int i = 0; i < count; i++) {
        part[filled++] = from[(size_t)i * stride];
        if (filled < (int)(sizeof part / sizeof *part) && i + 1 < count) continue;
        text_add_bytes(key, (const char *)part, (size_t)filled * sizeof *part);
        filled = 0;
    }
}

static void add_places(Text *key, int count, const double *x, double first, double step) {
    add_number(key, count);
    add_number(key, first);
    add_number(key, step);
    text_add_bytes(key, x ? "+" : "-", 1);
    if (x) text_add_bytes(key, (const char *)x, (size_t)count * sizeof *x);
}

static void add_curve(Text *key, const PlotCurve *curve) {
    add_words(key, curve->label);
    add_words(key, curve->note);
    add_color(key, curve->color);
    add_number(key, curve->shape);
    add_number(key, curve->quiet);
    add_number(key, curve->width);
    add_places(key, curve->count, curve->x, curve->first, curve->step);
    add_floats(key, curve->y, curve->stride ? curve->stride : 1, curve->count);
    text_add_bytes(key, curve->wave ? "+" : "-", 1);
    if (!curve->wave) return;
    add_number(key, curve->wave->amplitude);
    add_number(key, curve->wave->frequency);
    add_number(key, curve->wave->phase);
    add_number(key, curve->wave->middle);
}

static void add_band(Text *key, const PlotBand *band) {
    add_words(key, band->label);
    add_color(key, band->color);
    add_places(key, band->count, band->x, band->first, band->step);
    add_floats(key, band->low, 1, band->count);
    add_floats(key, band->high, 1, band->count);
}

LayerKey plot_key(const Canvas *canvas, const PlotPlan *plan, const Plot *plot, Arena *arena) {
    Text key = text_open(arena);
    const Theme *theme = canvas->theme;
    text_add_bytes(&key, (const char *)&theme, sizeof theme);
    add_number(&key, canvas->scale);
    add_rect(&key, plan->rect);
    add_rect(&key, plan->area);
    add_scale(&key, &plan->x);
    add_scale(&key, &plan->y);
    add_number(&key, plan->label_width);
    add_words(&key, plot->title);
    add_words(&key, plot->x.name);
    add_words(&key, plot->y.name);
    int counts[] = {plot->zone_count, plot->curve_count, plot->band_count, plot->last_on_top};
    text_add_bytes(&key, (const char *)counts, sizeof counts);
    for (int i = 0; i < plot->zone_count; i++) {
        add_number(&key, plot->zones[i].from);
        add_number(&key, plot->zones[i].to);
        add_number(&key, plot->zones[i].plain);
    }
    for (int i = 0; i < plot->curve_count; i++) add_curve(&key, &plot->curves[i]);
    for (int i = 0; i < plot->band_count; i++) add_band(&key, &plot->bands[i]);
    return (LayerKey){key.bytes, key.length};
}
