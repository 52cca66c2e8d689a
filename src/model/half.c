/* A half is sign, exponent and fraction, put together by ldexp. */
#include "model/half.h"

#include <math.h>

float half_to_float(uint16_t half) {
    int exponent = half >> 10 & 31, fraction = half & 1023;
    float size;
    if (exponent == 31)
        size = fraction ? NAN : INFINITY;
    else if (exponent == 0)
        size = ldexpf((float)fraction, -24);
    else
        size = ldexpf((float)(fraction + 1024), exponent - 25);
    return half >> 15 ? -size : size;
}
