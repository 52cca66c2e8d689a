/* Rows for the knob tables of scenes in which something turns with the position. */
#ifndef SCENE_ANGLE_KNOBS_H
#define SCENE_ANGLE_KNOBS_H

#include "scene/knob.h"

/* A double, `field`. */
#define BASE_KNOB(State, field, slider_max_, help_)                                                \
    {                                                                                              \
        .name = "base", .label = "base", .kind = KNOB_REAL, .at = offsetof(State, field),          \
        .min = 1, .max = 1e12, .step = 10, .logarithmic = true, .start = "10000", .slider_min = 2, \
        .slider_max = slider_max_, .help = help_                                                   \
    }

/* An int, `field`. Odd widths are within the range, so that they are refused with the reason. */
#define HEAD_DIM_KNOB(State, field, max_, slider_max_, start_, help_)                              \
    {                                                                                              \
        .name = "head-dim", .label = "head width", .kind = KNOB_INT, .at = offsetof(State, field), \
        .min = 1, .max = max_, .step = 2, .start = start_, .slider_min = 2,                        \
        .slider_max = slider_max_, .help = help_                                                   \
    }

#endif
