/* Half precision, as files hold it. */
#ifndef MODEL_HALF_H
#define MODEL_HALF_H

#include <stddef.h>
#include <stdint.h>

/* IEEE 754 half: 1 sign, 5 exponent (bias 15), 10 fraction bits. Every half is exact as float32. */
float half_to_float(uint16_t half);

/* floats[count] from the bytes of as many halves, at any address. */
void half_to_floats(float *floats, const uint8_t *bytes, size_t count);

#endif
