/* Vectors of four floats, which every x86-64 has, for sums whose order is written out: the bits are
 * then the same for every compiler and processor. */
#ifndef CORE_QUAD_H
#define CORE_QUAD_H

#include <stdint.h>
#include <string.h>

enum { QUAD = 4 };

typedef float Quad __attribute__((vector_size(QUAD * sizeof(float))));
typedef int32_t QuadBits __attribute__((vector_size(QUAD * sizeof(int32_t))));

/* Functions made of quads are inlined where their sizes are constants, or sums would live in
 * memory. */
#define QUAD_INLINE static inline __attribute__((always_inline))

QUAD_INLINE Quad quad_load(const float *from) {
    Quad quad;
    memcpy(&quad, from, sizeof quad);
    return quad;
}

QUAD_INLINE void quad_store(float *to, Quad quad) {
    memcpy(to, &quad, sizeof quad);
}

/* The next of a row of which count are left, with rest in the places behind its end. */
QUAD_INLINE Quad quad_load_some(const float *from, int count, float rest) {
    if (count >= QUAD) return quad_load(from);
    float padded[QUAD] = {rest, rest, rest, rest};
    memcpy(padded, from, (size_t)count * sizeof *from);
    return quad_load(padded);
}

QUAD_INLINE void quad_store_some(float *to, int count, Quad quad) {
    if (count >= QUAD)
        quad_store(to, quad);
    else
        memcpy(to, &quad, (size_t)count * sizeof *to);
}

QUAD_INLINE Quad quad_of(float value) {
    return (Quad){value, value, value, value};
}

/* where is what a comparison of quads gives: all bits set, or none. */
QUAD_INLINE Quad quad_choose(QuadBits where, Quad yes, Quad no) {
    return (Quad)(((QuadBits)yes & where) | ((QuadBits)no & ~where));
}

#endif
