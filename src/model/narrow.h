/* From the doubles of a file to the float32 that is computed with. A finite number beyond float32
 * becomes the end of its range, not an infinity: a mask's stand-in of -1.8e308 stays a stand-in. */
#ifndef MODEL_NARROW_H
#define MODEL_NARROW_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Whether value is finite and beyond float32. */
static inline bool narrow_loses(double value) {
    return isfinite(value) && !isfinite((float)value);
}

static inline float narrow_double(double value) {
    if (narrow_loses(value)) return value < 0 ? -FLT_MAX : FLT_MAX;
    return (float)value;
}

#endif
