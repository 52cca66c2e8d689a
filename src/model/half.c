/* A half becomes a float by moving its fields: the exponent's bias is 112 larger there, the
 * fraction 13 bits longer. A sentence takes its vectors out of the file's halves with every key
 * typed, so there is no branch in it and compilers convert several at once. */
#include "model/half.h"

#include <string.h>

static inline float convert(uint16_t half) {
    uint32_t sign = (uint32_t)(half & 0x8000) << 16, fields = (uint32_t)(half & 0x7fff) << 13, bits;
    float size;
    memcpy(&size, &fields, sizeof size);
    size *= 0x1p112f; /* the other bias; a multiplication, which makes subnormals normal */
    memcpy(&bits, &size, sizeof bits);
    bits |= fields >= 31U << 23 ? 255U << 23 : 0; /* infinity and NaN: all ones in both */
    bits |= sign;
    memcpy(&size, &bits, sizeof size);
    return size;
}

float half_to_float(uint16_t half) {
    return convert(half);
}

void half_to_floats(float *floats, const uint8_t *bytes, size_t count) {
    for (size_t n = 0; n < count; n++) {
        uint16_t half;
        memcpy(&half, bytes + n * sizeof half, sizeof half);
        floats[n] = convert(half);
    }
}
