/* Elements of safetensors as float32 and int32. They may stand at any address, so each is copied
 * out, never read in place. */
#include "model/half.h"
#include "model/narrow.h"
#include "model/safetensors.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* bfloat16 is the upper half of a float32. */
static float from_bfloat(uint16_t upper) {
    uint32_t bits = (uint32_t)upper << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Copies one element out of the file. */
#define ELEMENT(type, value)                                                                       \
    type value;                                                                                    \
    memcpy(&value, at, sizeof value)

static float float_at(SafeType type, const uint8_t *at) {
    switch (type) {
    case SAFE_F64: {
        ELEMENT(double, value);
        return narrow_double(value);
    }
    case SAFE_F32: {
        ELEMENT(float, value);
        return value;
    }
    case SAFE_F16: {
        ELEMENT(uint16_t, value);
        return half_to_float(value);
    }
    case SAFE_BF16: {
        ELEMENT(uint16_t, value);
        return from_bfloat(value);
    }
    case SAFE_I64: {
        ELEMENT(int64_t, value);
        return (float)value;
    }
    case SAFE_I32: {
        ELEMENT(int32_t, value);
        return (float)value;
    }
    case SAFE_U8:
        return *at;
    case SAFE_BOOL:
        return *at != 0;
    }
    return NAN;
}

static int64_t integer_at(SafeType type, const uint8_t *at) {
    if (type == SAFE_I64) {
        ELEMENT(int64_t, value);
        return value;
    }
    if (type == SAFE_I32) {
        ELEMENT(int32_t, value);
        return value;
    }
    return type == SAFE_BOOL ? *at != 0 : *at;
}

void safetensors_part(const SafeTensor *tensor, size_t first, size_t count, float *floats) {
    assert(first <= tensor->count && count <= tensor->count - first);
    size_t size = safetensors_type_size(tensor->type);
    const uint8_t *from = tensor->bytes + first * size;
    if (tensor->type == SAFE_F32 && count)
        memcpy(floats, from, count * size);
    else if (tensor->type == SAFE_F16)
        half_to_floats(floats, from, count);
    else
        for (size_t n = 0; n < count; n++) floats[n] = float_at(tensor->type, from + n * size);
}

size_t safetensors_beyond(const SafeTensor *tensor) {
    size_t beyond = 0;
    for (size_t n = 0; tensor->type == SAFE_F64 && n < tensor->count; n++) {
        const uint8_t *at = tensor->bytes + n * sizeof(double);
        ELEMENT(double, value);
        beyond += narrow_loses(value);
    }
    return beyond;
}

float *safetensors_floats(const SafeTensor *tensor, Arena *arena) {
    float *floats = ARENA_ARRAY(arena, float, tensor->count);
    safetensors_part(tensor, 0, tensor->count, floats);
    return floats;
}

static bool is_integer(SafeType type) {
    return type == SAFE_I64 || type == SAFE_I32 || type == SAFE_U8 || type == SAFE_BOOL;
}

bool safetensors_ints(const SafeTensor *tensor, Arena *arena, int32_t **ints, Err *err) {
    if (!is_integer(tensor->type))
        return err_set(err, "tensor \"%s\" holds %s, but whole numbers are wanted", tensor->name,
                       safetensors_type_name(tensor->type));
    int32_t *values = ARENA_ARRAY(arena, int32_t, tensor->count);
    size_t size = safetensors_type_size(tensor->type);
    for (size_t n = 0; n < tensor->count; n++) {
        int64_t value = integer_at(tensor->type, tensor->bytes + n * size);
        if (value < INT32_MIN || value > INT32_MAX)
            return err_set(err, "element %zu of tensor \"%s\" is %lld, beyond 32 bits", n,
                           tensor->name, (long long)value);
        values[n] = (int32_t)value;
    }
    *ints = values;
    return true;
}

/* "[2, ?, 5]", -1 as "?". */
static const char *shape_text(Arena *arena, int rank, const int64_t *shape) {
    const char *text = "[";
    for (int i = 0; i < rank; i++) {
        const char *comma = i ? ", " : "";
        text = shape[i] < 0 ? arena_printf(arena, "%s%s?", text, comma)
                            : arena_printf(arena, "%s%s%lld", text, comma, (long long)shape[i]);
    }
    return arena_printf(arena, "%s]", text);
}

static bool shape_fits(const SafeTensor *tensor, int rank, const int64_t *shape) {
    bool fits = tensor->rank == rank;
    for (int i = 0; fits && i < rank; i++) fits = shape[i] < 0 || shape[i] == tensor->shape[i];
    return fits;
}

bool safetensors_fitting(const SafeFile *file, const char *name, int rank, const int64_t *shape,
                         Arena scratch, const SafeTensor **found, Err *err) {
    const SafeTensor *tensor = safetensors_find(file, name);
    if (!tensor)
        return err_set(err, "there is no tensor \"%s\" among the %d of the file", name,
                       file->count);
    if (!shape_fits(tensor, rank, shape))
        return err_set(err, "tensor \"%s\" has the shape %s, but %s is wanted", name,
                       shape_text(&scratch, tensor->rank, tensor->shape),
                       shape_text(&scratch, rank, shape));
    *found = tensor;
    return true;
}

bool safetensors_want(const SafeFile *file, const char *name, int rank, const int64_t *shape,
                      Arena *arena, float **floats, Err *err) {
    const SafeTensor *tensor;
    if (!safetensors_fitting(file, name, rank, shape, *arena, &tensor, err)) return false;
    *floats = safetensors_floats(tensor, arena);
    return true;
}
