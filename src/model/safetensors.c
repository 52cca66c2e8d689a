/* Reading safetensors. The header is JSON, read by jansson; each tensor's entry is then checked
 * alone, and all of them together must cover the bytes behind the header without hole or overlap.
 * Only after that does anything point into the file. */
#include "model/safetensors.h"

#include "base/file.h"
#include "base/utf8.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH_BYTES = 8, NAME_SHOWN = 80 };

typedef struct TypeRow {
    const char *name;
    size_t size;
} TypeRow;

static const TypeRow TYPES[] = {
    [SAFE_F64] = {"F64", 8},   [SAFE_F32] = {"F32", 4},  [SAFE_F16] = {"F16", 2},
    [SAFE_BF16] = {"BF16", 2}, [SAFE_I64] = {"I64", 8},  [SAFE_I32] = {"I32", 4},
    [SAFE_U8] = {"U8", 1},     [SAFE_BOOL] = {"BOOL", 1}};

enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0] };

const char *safetensors_type_name(SafeType type) {
    return TYPES[type].name;
}

size_t safetensors_type_size(SafeType type) {
    return TYPES[type].size;
}

/* A header that was found, and what is being made of it. */
typedef struct Reader {
    const uint8_t *data; /* behind the header */
    size_t length;       /* of data */
    Arena *arena;
    Err *err;
} Reader;

static bool read_type(const Reader *in, const char *name, const json_t *entry, SafeType *type) {
    const char *word = json_string_value(json_object_get(entry, "dtype"));
    if (!word)
        return err_set(in->err, "invalid info: tensor \"%.*s\" has no dtype", NAME_SHOWN, name);
    for (int t = 0; t < TYPE_COUNT; t++)
        if (strcmp(word, TYPES[t].name) == 0) {
            *type = (SafeType)t;
            return true;
        }
    return err_set(in->err,
                   "invalid info: tensor \"%.*s\" has the dtype %.20s, which is not read here "
                   "(F64, F32, F16, BF16, I64, I32, U8, BOOL are)",
                   NAME_SHOWN, name, word);
}

/* Fills shape, rank and count; *bytes is the size that they need. */
static bool read_shape(const Reader *in, SafeTensor *tensor, const json_t *entry, size_t *bytes) {
    const json_t *shape = json_object_get(entry, "shape");
    if (!json_is_array(shape))
        return err_set(in->err, "invalid info: tensor \"%.*s\" has no shape", NAME_SHOWN,
                       tensor->name);
    size_t rank = json_array_size(shape);
    if (rank > SAFE_RANK_MAX)
        return err_set(in->err, "invalid info: tensor \"%.*s\" has %zu dimensions, at most %d",
                       NAME_SHOWN, tensor->name, rank, SAFE_RANK_MAX);
    tensor->rank = (int)rank;
    *bytes = TYPES[tensor->type].size;
    for (size_t i = 0; i < rank; i++) {
        const json_t *size = json_array_get(shape, i);
        if (!json_is_integer(size) || json_integer_value(size) < 0)
            return err_set(in->err,
                           "invalid info: dimension %zu of tensor \"%.*s\" is no whole number "
                           "from 0 on",
                           i, NAME_SHOWN, tensor->name);
        tensor->shape[i] = json_integer_value(size);
        if (__builtin_mul_overflow(*bytes, (size_t)tensor->shape[i], bytes))
            return err_set(in->err, "overflow: the shape of tensor \"%.*s\" is too large",
                           NAME_SHOWN, tensor->name);
    }
    tensor->count = *bytes / TYPES[tensor->type].size;
    return true;
}

/* Offsets [begin, end) into the data; they must hold exactly the bytes of the shape. */
static bool read_offsets(const Reader *in, SafeTensor *tensor, const json_t *entry, size_t bytes) {
    const json_t *offsets = json_object_get(entry, "data_offsets");
    const json_t *from = json_array_get(offsets, 0), *to = json_array_get(offsets, 1);
    if (json_array_size(offsets) != 2 || !json_is_integer(from) || !json_is_integer(to) ||
        json_integer_value(from) < 0 || json_integer_value(to) < json_integer_value(from))
        return err_set(in->err,
                       "invalid info: data_offsets of tensor \"%.*s\" are not [begin, end] with "
                       "0 <= begin <= end",
                       NAME_SHOWN, tensor->name);
    size_t begin = (size_t)json_integer_value(from), end = (size_t)json_integer_value(to);
    if (end - begin != bytes)
        return err_set(in->err,
                       "invalid info: tensor \"%.*s\" needs %zu bytes for its shape and dtype, its "
                       "data_offsets give it %zu",
                       NAME_SHOWN, tensor->name, bytes, end - begin);
    if (end > in->length)
        return err_set(in->err,
                       "buffer incomplete: tensor \"%.*s\" ends at byte %zu of the data, but the "
                       "file holds only %zu",
                       NAME_SHOWN, tensor->name, end, in->length);
    tensor->bytes = in->data + begin;
    return true;
}

static bool read_tensor(const Reader *in, const char *name, const json_t *entry,
                        SafeTensor *tensor) {
    size_t bytes = 0;
    *tensor = (SafeTensor){.name = arena_text(in->arena, name)};
    if (!json_is_object(entry))
        return err_set(in->err, "invalid info: tensor \"%.*s\" is no JSON object", NAME_SHOWN,
                       name);
    return read_type(in, name, entry, &tensor->type) && read_shape(in, tensor, entry, &bytes) &&
           read_offsets(in, tensor, entry, bytes);
}

static bool read_metadata(const Reader *in, json_t *entry, SafeFile *file) {
    if (!json_is_object(entry))
        return err_set(in->err, "invalid info: __metadata__ is no JSON object");
    file->metadata = ARENA_ARRAY(in->arena, const char *, 2 * json_object_size(entry));
    const char *key;
    json_t *value;
    json_object_foreach(entry, key, value) {
        if (!json_is_string(value))
            return err_set(in->err, "invalid info: \"%.*s\" in __metadata__ is no text", NAME_SHOWN,
                           key);
        const char **pair = file->metadata + 2 * file->metadata_count++;
        pair[0] = arena_text(in->arena, key);
        pair[1] = arena_text(in->arena, json_string_value(value));
    }
    return true;
}

/* By their first byte; empty ones before the one that begins there too. */
static int compare_tensors(const void *left, const void *right) {
    const SafeTensor *a = left, *b = right;
    if (a->bytes != b->bytes) return a->bytes < b->bytes ? -1 : 1;
    return (a->count > 0) - (b->count > 0);
}

/* Every byte of the data must belong to exactly one tensor. */
static bool check_cover(const Reader *in, const SafeFile *file) {
    size_t at = 0;
    for (int n = 0; n < file->count; n++) {
        const SafeTensor *tensor = &file->tensors[n];
        size_t begin = (size_t)(tensor->bytes - in->data);
        if (begin != at)
            return err_set(in->err,
                           "buffer incomplete: tensor \"%.*s\" begins at byte %zu of the data, but "
                           "the one before it ends at %zu",
                           NAME_SHOWN, tensor->name, begin, at);
        at += tensor->count * TYPES[tensor->type].size;
    }
    if (at != in->length)
        return err_set(in->err,
                       "buffer incomplete: the tensors cover %zu bytes, but the file holds %zu", at,
                       in->length);
    return true;
}

static bool read_entries(const Reader *in, json_t *header, SafeFile *file) {
    file->tensors = ARENA_ARRAY(in->arena, SafeTensor, json_object_size(header));
    const char *name;
    json_t *entry;
    json_object_foreach(header, name, entry) {
        bool good = strcmp(name, "__metadata__") == 0
                        ? read_metadata(in, entry, file)
                        : read_tensor(in, name, entry, &file->tensors[file->count++]);
        if (!good) return false;
    }
    if (file->count)
        qsort(file->tensors, (size_t)file->count, sizeof *file->tensors, compare_tensors);
    return check_cover(in, file);
}

/* The header's text as JSON; the caller drops it. */
static json_t *load_header(const char *text, size_t length, Err *err) {
    size_t bad;
    if (!utf8_valid(text, length, &bad)) {
        err_set(err, "invalid header: not UTF-8 at byte %zu of it", bad);
        return NULL;
    }
    json_error_t why;
    json_t *header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    if (!header && json_error_code(&why) == json_error_numeric_overflow)
        err_set(err, "overflow: a number in the header is too large");
    else if (!header && json_error_code(&why) == json_error_duplicate_key)
        err_set(err, "invalid header: two tensors have one name (%.100s)", why.text);
    else if (!header)
        err_set(err, "header is not JSON: %.160s at byte %d of it", why.text, why.position);
    else if (!json_is_object(header))
        err_set(err, "header is not JSON of the right form: it is no object of tensors");
    if (json_is_object(header)) return header;
    json_decref(header);
    return NULL;
}

/* The length of the header, which stands in the first eight bytes. */
static bool header_length(const uint8_t *bytes, size_t length, size_t *header, Err *err) {
    if (length < LENGTH_BYTES)
        return err_set(err, "header too small: the file has %zu bytes, a header needs at least %d",
                       length, LENGTH_BYTES);
    uint64_t claimed = 0;
    for (int i = LENGTH_BYTES - 1; i >= 0; i--) claimed = claimed << 8 | bytes[i];
    if (claimed > SAFE_HEADER_MAX)
        return err_set(err, "header too large: %llu bytes, at most %d", (unsigned long long)claimed,
                       SAFE_HEADER_MAX);
    if (claimed > length - LENGTH_BYTES)
        return err_set(err, "invalid header length: %llu bytes, but only %zu follow",
                       (unsigned long long)claimed, length - LENGTH_BYTES);
    *header = (size_t)claimed;
    return true;
}

bool safetensors_parse(const uint8_t *bytes, size_t length, Arena *arena, SafeFile *file,
                       Err *err) {
    size_t header = 0;
    if (!header_length(bytes, length, &header, err)) return false;
    json_t *json = load_header((const char *)bytes + LENGTH_BYTES, header, err);
    if (!json) return false;
    size_t before = LENGTH_BYTES + header;
    Reader in = {.data = bytes + before, .length = length - before, .arena = arena, .err = err};
    SafeFile parsed = {0};
    bool good = read_entries(&in, json, &parsed);
    json_decref(json);
    if (good) *file = parsed;
    return good;
}

bool safetensors_read(const char *path, Arena *arena, SafeFile *file, Err *err) {
    FileBytes bytes;
    if (!file_read(path, SIZE_MAX, arena, &bytes, err)) return false;
    if (!safetensors_parse(bytes.bytes, bytes.length, arena, file, err))
        return err_at(err, "%s", path);
    return true;
}

const SafeTensor *safetensors_find(const SafeFile *file, const char *name) {
    for (int n = 0; n < file->count; n++)
        if (strcmp(file->tensors[n].name, name) == 0) return &file->tensors[n];
    return NULL;
}
