/* Writing safetensors: the header as text, then the tensors in the order given, so that their
 * offsets follow each other. The file is put together in memory and written at once. */
#include "model/safetensors.h"

#include "base/file.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, HEADER_GRAIN = 8 };

/* float32 to IEEE 754 half, to nearest, ties to even. Rounding is done on the bits: a carry out of
 * the fraction goes on into the exponent, up to infinity. */
static uint16_t to_half(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    uint32_t size = bits & 0x7FFFFFFF;
    if (size > 0x7F800000) return sign | 0x7E00;  /* NaN */
    if (size >= 0x47800000) return sign | 0x7C00; /* 65536 and more, infinity */
    int drop = 13;                                /* fraction bits that a half has not */
    uint32_t fraction = size - 0x38000000;        /* the exponent's bias from 127 to 15 */
    if (size < 0x38800000) {                      /* below 2^-14: no leading 1 in the half */
        drop = 126 - (int)(size >> 23);
        if (drop > 24) return sign;
        fraction = (size & 0x7FFFFF) | 0x800000;
    }
    uint32_t kept = fraction >> drop, rest = fraction & ((1u << drop) - 1), tie = 1u << (drop - 1);
    if (rest > tie || (rest == tie && kept & 1)) kept++;
    return (uint16_t)(sign | kept);
}

static size_t element_count(const SafeOut *tensor) {
    size_t count = 1;
    for (int i = 0; i < tensor->rank; i++) count *= (size_t)tensor->shape[i];
    return count;
}

static size_t byte_count(const SafeOut *tensor) {
    return element_count(tensor) * safetensors_type_size(tensor->type);
}

static json_t *metadata_object(const char *const *metadata, int pairs) {
    json_t *object = json_object();
    for (int n = 0; n < pairs; n++)
        json_object_set_new(object, metadata[2 * n], json_string(metadata[2 * n + 1]));
    return object;
}

/* The entry of a tensor whose bytes begin at begin. */
static json_t *entry_object(const SafeOut *tensor, size_t begin) {
    json_t *shape = json_array();
    for (int i = 0; i < tensor->rank; i++)
        json_array_append_new(shape, json_integer(tensor->shape[i]));
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", safetensors_type_name(tensor->type), "shape",
                     shape, "data_offsets", (json_int_t)begin,
                     (json_int_t)(begin + byte_count(tensor)));
}

/* The header as text, to be freed, and the bytes of all tensors behind it. NULL without memory. */
static char *header_text(const SafeOut *tensors, int count, const char *const *metadata, int pairs,
                         size_t *data) {
    json_t *header = json_object();
    if (pairs) json_object_set_new(header, "__metadata__", metadata_object(metadata, pairs));
    *data = 0;
    for (int n = 0; n < count; n++) {
        json_object_set_new(header, tensors[n].name, entry_object(&tensors[n], *data));
        *data += byte_count(&tensors[n]);
    }
    char *text = json_dumps(header, JSON_COMPACT);
    json_decref(header);
    return text;
}

/* Writes the elements to to and returns the byte behind them. */
static uint8_t *put_values(uint8_t *to, const SafeOut *tensor) {
    assert(tensor->type == SAFE_F32 || tensor->type == SAFE_F16);
    size_t count = element_count(tensor), size = safetensors_type_size(tensor->type);
    if (tensor->type == SAFE_F32 && count) memcpy(to, tensor->floats, count * size);
    for (size_t n = 0; tensor->type == SAFE_F16 && n < count; n++) {
        uint16_t half = to_half(tensor->floats[n]);
        memcpy(to + n * size, &half, size);
    }
    return to + count * size;
}

/* Eight bytes of length, the header, and spaces up to the first tensor. */
static uint8_t *put_header(uint8_t *to, const char *header, size_t padded) {
    for (int i = 0; i < LENGTH_BYTES; i++) to[i] = (uint8_t)((uint64_t)padded >> 8 * i & 0xFF);
    memset(to + LENGTH_BYTES, ' ', padded);
    memcpy(to + LENGTH_BYTES, header, strlen(header));
    return to + LENGTH_BYTES + padded;
}

bool safetensors_write(const char *path, const SafeOut *tensors, int count,
                       const char *const *metadata, int pairs, Err *err) {
    size_t data;
    char *header = header_text(tensors, count, metadata, pairs, &data);
    size_t padded = header ? (strlen(header) + HEADER_GRAIN - 1) / HEADER_GRAIN * HEADER_GRAIN : 0;
    size_t length = LENGTH_BYTES + padded + data;
    uint8_t *bytes = header ? malloc(length) : NULL;
    bool written = false;
    if (bytes) {
        uint8_t *to = put_header(bytes, header, padded);
        for (int n = 0; n < count; n++) to = put_values(to, &tensors[n]);
        written = file_write(path, bytes, length, err);
    } else {
        err_set(err, "cannot write %s: no memory for its %zu bytes", path, length);
    }
    free(bytes);
    free(header);
    return written;
}
