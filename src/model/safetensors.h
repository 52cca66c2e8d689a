/* safetensors: eight bytes of header length, a JSON header, and the bytes of the tensors. Every
 * size and offset is compared with the file before it is used; nothing is allocated by a number
 * that the file only claims. */
#ifndef MODEL_SAFETENSORS_H
#define MODEL_SAFETENSORS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum SafeType {
    SAFE_F64,
    SAFE_F32,
    SAFE_F16,
    SAFE_BF16,
    SAFE_I64,
    SAFE_I32,
    SAFE_U8,
    SAFE_BOOL
} SafeType;

enum { SAFE_RANK_MAX = 8, SAFE_HEADER_MAX = 100 * 1000 * 1000 };

/* "F64" and so on; bytes an element. */
const char *safetensors_type_name(SafeType type);
size_t safetensors_type_size(SafeType type);

typedef struct SafeTensor {
    const char *name;
    SafeType type;
    int rank;
    int64_t shape[SAFE_RANK_MAX];
    size_t count;         /* elements */
    const uint8_t *bytes; /* little-endian, row-major; may be unaligned */
} SafeTensor;

typedef struct SafeFile {
    SafeTensor *tensors; /* in the order of their bytes */
    int count;
    const char **metadata; /* key, value, key, value ... of "__metadata__" */
    int metadata_count;    /* pairs */
} SafeFile;

/* bytes must outlive the file. Errors name what is wrong in the words of the format: header too
 * small, too large, invalid header length, header not UTF-8, not JSON, invalid info, buffer
 * incomplete, overflow. */
bool safetensors_parse(const uint8_t *bytes, size_t length, Arena *arena, SafeFile *file, Err *err);
bool safetensors_read(const char *path, Arena *arena, SafeFile *file, Err *err);

/* NULL when there is no such tensor. */
const SafeTensor *safetensors_find(const SafeFile *file, const char *name);

/* Converts all elements; every type goes to float32 (f64 and i64 round, f64 as narrow_double),
 * integers and booleans also to int32. */
float *safetensors_floats(const SafeTensor *tensor, Arena *arena);
bool safetensors_ints(const SafeTensor *tensor, Arena *arena, int32_t **ints, Err *err);

/* How many elements are finite and beyond float32; these become the ends of its range. */
size_t safetensors_beyond(const SafeTensor *tensor);

/* count elements from `first` on, as float32; first + count at most the tensor's count. */
void safetensors_part(const SafeTensor *tensor, size_t first, size_t count, float *floats);

/* The tensor of that name with that shape (-1: any), or an error that says wanted and found. */
bool safetensors_fitting(const SafeFile *file, const char *name, int rank, const int64_t *shape,
                         Arena scratch, const SafeTensor **found, Err *err);

/* The same as float32. */
bool safetensors_want(const SafeFile *file, const char *name, int rank, const int64_t *shape,
                      Arena *arena, float **floats, Err *err);

typedef struct SafeOut {
    const char *name;
    SafeType type; /* SAFE_F32 or SAFE_F16 (rounded to nearest even) */
    int rank;
    int64_t shape[SAFE_RANK_MAX];
    const float *floats;
} SafeOut;

/* Writes the tensors in the order given, with metadata pairs; the header is padded to 8 bytes. */
bool safetensors_write(const char *path, const SafeOut *tensors, int count,
                       const char *const *metadata, int pairs, Err *err);

#endif
