/* Half precision, as files hold it. */
#ifndef MODEL_HALF_H
#define MODEL_HALF_H

#include <stdint.h>

/* IEEE 754 half: 1 sign, 5 exponent (bias 15), 10 fraction bits. Every half is exact as float32. */
float half_to_float(uint16_t half);

#endif
