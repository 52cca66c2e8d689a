/* A normal half becomes a float by moving its fields: the exponent's bias is 112 larger there, the
 * fraction 13 bits longer. A table of embeddings is read that way each time the program starts. */
#include "model/half.h"

#include <math.h>
#include <string.h>

static float normal(uint32_t exponent, uint32_t fraction) {
    uint32_t bits = (exponent + 112) << 23 | fraction << 13;
    float size;
    memcpy(&size, &bits, sizeof size);
    return size;
}

float half_to_float(uint16_t half) {
    uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    float size;
    if (exponent == 31)
        size = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        size = (float)fraction * 0x1p-24F; /* subnormal, and zero */
    else
        size = normal(exponent, fraction);
    return half >> 15 ? -size : size;
}
