/* A few slots, searched one by one: a window shows few plots at a time. */
#include "draw/layer.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 };

static const size_t PIXELS_MOST = (size_t)1 << 24; /* of one picture */

typedef struct Layer {
    void *key;
    size_t key_length;
    uint32_t *pixels; /* NULL: the slot is free */
    int width, height;
    unsigned long used;
} Layer;

struct Layers {
    Layer slots[SLOTS];
    unsigned long now;
};

static void layer_free(Layer *layer) {
    free(layer->key);
    free(layer->pixels);
    *layer = (Layer){0};
}

Layers *layers_open(void) {
    return calloc(1, sizeof(Layers));
}

void layers_close(Layers *layers) {
    if (!layers) return;
    for (int i = 0; i < SLOTS; i++) layer_free(&layers->slots[i]);
    free(layers);
}

static bool is_whole(const Canvas *canvas, Rect rect) {
    Rect seen = rect_intersect(rect, canvas->clip);
    seen = rect_intersect(seen, (Rect){0, 0, canvas->width, canvas->height});
    return rect.w > 0 && rect.h > 0 && seen.w == rect.w && seen.h == rect.h;
}

static Layer *find(Layers *layers, Rect rect, LayerKey key) {
    for (int i = 0; i < SLOTS; i++) {
        Layer *layer = &layers->slots[i];
        if (layer->pixels && layer->width == rect.w && layer->height == rect.h &&
            layer->key_length == key.length && memcmp(layer->key, key.bytes, key.length) == 0)
            return layer;
    }
    return NULL;
}

static uint32_t *row_of(const Canvas *canvas, Rect rect, int y) {
    return canvas->pixels + (size_t)(rect.y + y) * (size_t)canvas->stride + rect.x;
}

bool layer_draw(Canvas *canvas, Rect rect, LayerKey key) {
    if (!canvas->layers || !is_whole(canvas, rect)) return false;
    Layer *layer = find(canvas->layers, rect, key);
    if (!layer) return false;
    layer->used = ++canvas->layers->now;
    size_t width = (size_t)rect.w;
    for (int y = 0; y < rect.h; y++)
        memcpy(row_of(canvas, rect, y), layer->pixels + (size_t)y * width,
               width * sizeof *layer->pixels);
    return true;
}

void layer_keep(const Canvas *canvas, Rect rect, LayerKey key) {
    Layers *layers = canvas->layers;
    if (!layers || !is_whole(canvas, rect)) return;
    size_t width = (size_t)rect.w, count = width * (size_t)rect.h;
    if (count > PIXELS_MOST) return;
    Layer *oldest = &layers->slots[0];
    for (int i = 1; i < SLOTS; i++)
        if (layers->slots[i].used < oldest->used) oldest = &layers->slots[i];
    layer_free(oldest);
    Layer made = {
        malloc(key.length + 1), key.length, malloc(count * sizeof *made.pixels), rect.w, rect.h,
        ++layers->now};
    if (made.key && made.pixels) {
        memcpy(made.key, key.bytes, key.length);
        for (int y = 0; y < rect.h; y++)
            memcpy(made.pixels + (size_t)y * width, row_of(canvas, rect, y),
                   width * sizeof *made.pixels);
        *oldest = made;
    } else {
        layer_free(&made);
    }
}
