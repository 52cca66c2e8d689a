/* Pictures kept from one drawing to the next, so that what stands still behind something that moves
 * is rasterised once. A picture is found by a key: all that its pixels depend on, byte for byte. A
 * canvas without layers draws everything anew, to the same pixels. */
#ifndef DRAW_LAYER_H
#define DRAW_LAYER_H

#include "draw/canvas.h"

#include <stdbool.h>
#include <stddef.h>

Layers *layers_open(void); /* NULL when there is no memory: nothing is kept then */
void layers_close(Layers *layers);

typedef struct LayerKey {
    const void *bytes;
    size_t length;
} LayerKey;

/* Puts the picture of this key and of the size of rect there; false when none is kept. A rect that
 * is not wholly inside the canvas's clip is never kept. The pixels must not depend on where rect
 * stands, or the key must say it. */
bool layer_draw(Canvas *canvas, Rect rect, LayerKey key);

/* Keeps what has just been drawn in rect; the picture unused for longest makes room. */
void layer_keep(const Canvas *canvas, Rect rect, LayerKey key);

#endif
