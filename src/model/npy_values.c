/* Elements of an NPY array as float32. Each is copied out byte by byte into a whole number, so
 * neither alignment nor the order of bytes matters. */
#include "model/half.h"
#include "model/narrow.h"
#include "model/npy.h"

#include <math.h>
#include <string.h>

static uint64_t bits_at(const uint8_t *at, int size, bool big) {
    uint64_t bits = 0;
    for (int i = 0; i < size; i++) bits = bits << 8 | at[big ? i : size - 1 - i];
    return bits;
}

/* The long double of x86: 64 bits of fraction with its leading 1, then 15 of exponent and a sign;
 * six bytes are filling. */
static double extended_at(const uint8_t *at, bool big) {
    enum { BIAS = 16383, HIGHEST = 0x7FFF };
    uint64_t fraction = bits_at(big ? at + 8 : at, 8, big);
    int upper = (int)bits_at(big ? at + 6 : at + 8, 2, big), exponent = upper & HIGHEST;
    double size;
    if (exponent == HIGHEST)
        size = fraction << 1 ? (double)NAN : (double)INFINITY;
    else
        size = ldexp((double)fraction, exponent - BIAS - 63);
    return upper >> 15 ? -size : size;
}

static float float_of(uint64_t bits, int size) {
    if (size == 2) return half_to_float((uint16_t)bits);
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* Of 8 bytes or 16. */
static bool is_wide(const Npy *npy) {
    return npy->kind == 'f' && npy->size >= 8;
}

static double wide_at(const Npy *npy, size_t place) {
    const uint8_t *at = npy->bytes + place * (size_t)npy->size;
    if (npy->size == 16) return extended_at(at, npy->big);
    uint64_t bits = bits_at(at, npy->size, npy->big);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float signed_of(uint64_t bits, int size) {
    int unused = 64 - 8 * size;
    return (float)((int64_t)(bits << unused) >> unused);
}

static float element(const Npy *npy, size_t place) {
    if (is_wide(npy)) return narrow_double(wide_at(npy, place));
    uint64_t bits = bits_at(npy->bytes + place * (size_t)npy->size, npy->size, npy->big);
    switch (npy->kind) {
    case 'f':
        return float_of(bits, npy->size);
    case 'i':
        return signed_of(bits, npy->size);
    case 'b':
        return bits != 0;
    default:
        return (float)bits;
    }
}

/* Steps through the elements of a Fortran array in the order of C: index counts up as digits do,
 * and place follows by strides. */
static void fortran_floats(const Npy *npy, size_t first, size_t count, float *floats) {
    size_t index[NPY_RANK_MAX] = {0}, stride[NPY_RANK_MAX], place = 0, step = 1;
    for (int i = 0; i < npy->rank; i++) {
        stride[i] = step;
        step *= (size_t)npy->shape[i];
    }
    size_t rest = first;
    for (int i = npy->rank - 1; i >= 0; i--) {
        index[i] = rest % (size_t)npy->shape[i];
        rest /= (size_t)npy->shape[i];
        place += index[i] * stride[i];
    }
    for (size_t n = 0; n < count; n++) {
        floats[n] = element(npy, place);
        int i = npy->rank - 1;
        for (; i >= 0 && index[i] + 1 == (size_t)npy->shape[i]; i--) {
            place -= index[i] * stride[i];
            index[i] = 0;
        }
        if (i < 0) return;
        index[i]++;
        place += stride[i];
    }
}

static bool machine_is_little(void) {
    const uint16_t one = 1;
    uint8_t low;
    memcpy(&low, &one, 1);
    return low == 1;
}

bool npy_is_float32(const Npy *npy) {
    return npy->kind == 'f' && npy->size == 4 && !npy->big && machine_is_little() &&
           (!npy->fortran || npy->rank < 2);
}

size_t npy_beyond(const Npy *npy) {
    size_t beyond = 0;
    for (size_t n = 0; is_wide(npy) && n < npy->count; n++) beyond += narrow_loses(wide_at(npy, n));
    return beyond;
}

void npy_floats(const Npy *npy, size_t first, size_t count, float *floats) {
    if (count == 0) return;
    if (npy->fortran && npy->rank > 1) {
        fortran_floats(npy, first, count, floats);
        return;
    }
    if (npy_is_float32(npy)) {
        memcpy(floats, npy->bytes + first * 4, count * 4);
        return;
    }
    for (size_t n = 0; n < count; n++) floats[n] = element(npy, first + n);
}
