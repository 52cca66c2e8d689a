/* One look at the first bytes decides who reads the rest. */
#include "model/numbers.h"

#include "base/utf8.h"

#include <string.h>

enum { NAMES_SHOWN = 8, NAME_SHOWN = 60, LENGTH_BYTES = 8 };

static bool starts(const uint8_t *bytes, size_t length, const char *sign, size_t size) {
    return length >= size && memcmp(bytes, sign, size) == 0;
}

/* Eight bytes of a length, then a JSON object. A length that is none of this world may still be a
 * text, "a,b,c,d,{": then it is eight bytes of text. */
bool numbers_is_safetensors(const uint8_t *bytes, size_t length) {
    uint64_t header = 0;
    if (length <= LENGTH_BYTES || bytes[LENGTH_BYTES] != '{') return false;
    for (int i = LENGTH_BYTES - 1; i >= 0; i--) header = header << 8 | bytes[i];
    return header <= SAFE_HEADER_MAX || memchr(bytes, 0, LENGTH_BYTES) ||
           !utf8_valid((const char *)bytes, LENGTH_BYTES, NULL);
}

/* Formats that are known and not read. */
static bool refuse_others(const uint8_t *bytes, size_t length, Err *err) {
    if (starts(bytes, length, "PK", 2))
        return err_set(err, "this is a zip archive, as npz and PyTorch files are; save the one "
                            "array with numpy.save(\"a.npy\", a), or all with safetensors");
    if (starts(bytes, length, "\x80", 1))
        return err_set(err, "this is a Python pickle, which can run code and is never unpacked "
                            "here; save numbers with numpy.save(\"a.npy\", a)");
    if (starts(bytes, length, "\x89HDF", 4))
        return err_set(err, "this is an HDF5 file, which is not read; save the array with "
                            "numpy.save(\"a.npy\", a)");
    if (length == 0) return err_set(err, "the file is empty");
    return true;
}

static bool parse_text(const uint8_t *bytes, size_t length, int limit, Arena *arena,
                       Numbers *numbers, Err *err) {
    const char *text = (const char *)bytes;
    size_t bad;
    if (!utf8_valid(text, length, &bad))
        return err_set(err,
                       "neither npy nor safetensors nor text: byte 0x%02X at offset %zu is no "
                       "UTF-8",
                       bytes[bad], bad);
    if (strlen(text) != length)
        return err_set(err, "neither npy nor safetensors nor text: a byte 0 at offset %zu",
                       strlen(text));
    if (strncmp(text, "\xEF\xBB\xBF", 3) == 0) text += 3;
    char separator = grid_separator(text);
    Grid *grid = &numbers->grid;
    numbers->format = NUMBERS_TEXT;
    if (separator ? !grid_parse_fields(text, separator, limit, arena, grid, err)
                  : !grid_parse(text, limit, arena, grid, err))
        return false;
    numbers->rank = 2;
    numbers->shape[0] = grid->rows;
    numbers->shape[1] = grid->columns;
    return true;
}

static bool parse_npy(const uint8_t *bytes, size_t length, Numbers *numbers, Err *err) {
    Npy *npy = &numbers->npy;
    numbers->format = NUMBERS_NPY;
    if (!npy_parse(bytes, length, npy, err)) return false;
    numbers->beyond = npy_beyond(npy);
    numbers->rank = npy->rank;
    memcpy(numbers->shape, npy->shape, sizeof npy->shape);
    return true;
}

/* "a, b, c and 9 more". */
static const char *names_of(const SafeFile *file, Arena *arena) {
    const char *names = "";
    for (int i = 0; i < file->count && i < NAMES_SHOWN; i++)
        names = arena_printf(arena, "%s%s%.*s", names, i ? ", " : "", NAME_SHOWN,
                             file->tensors[i].name);
    if (file->count > NAMES_SHOWN)
        names = arena_printf(arena, "%s and %d more", names, file->count - NAMES_SHOWN);
    return names;
}

static bool parse_safetensors(const uint8_t *bytes, size_t length, const char *name, Arena *arena,
                              Numbers *numbers, Err *err) {
    SafeFile file;
    if (!safetensors_parse(bytes, length, arena, &file, err)) return false;
    if (file.count == 0) return err_set(err, "there is no tensor in the file");
    if (!name && file.count > 1)
        return err_set(err, "there are %d tensors, %s; name one, as in @FILE#%.*s", file.count,
                       names_of(&file, arena), NAME_SHOWN, file.tensors[0].name);
    const SafeTensor *tensor = name ? safetensors_find(&file, name) : &file.tensors[0];
    if (!tensor)
        return err_set(err, "there is no tensor \"%.*s\"; there is %s", NAME_SHOWN, name,
                       names_of(&file, arena));
    numbers->format = NUMBERS_SAFETENSORS;
    numbers->tensor = *tensor;
    numbers->beyond = safetensors_beyond(tensor);
    numbers->rank = tensor->rank;
    memcpy(numbers->shape, tensor->shape, sizeof tensor->shape);
    return true;
}

bool numbers_parse(const uint8_t *bytes, size_t length, const char *tensor, int limit, Arena *arena,
                   Numbers *numbers, Err *err) {
    Numbers read = {0};
    bool safe = numbers_is_safetensors(bytes, length);
    if (!safe && !refuse_others(bytes, length, err)) return false;
    if (tensor && !safe)
        return err_set(err, "\"#%.*s\" names a tensor, but this is no safetensors file", NAME_SHOWN,
                       tensor);
    if (safe                    ? !parse_safetensors(bytes, length, tensor, arena, &read, err)
        : npy_is(bytes, length) ? !parse_npy(bytes, length, &read, err)
                                : !parse_text(bytes, length, limit, arena, &read, err))
        return false;
    *numbers = read;
    return true;
}

const float *numbers_floats(const Numbers *numbers, size_t first, size_t count, Arena *arena) {
    if (numbers->format == NUMBERS_TEXT) return numbers->grid.values + first;
    if (numbers->format == NUMBERS_SAFETENSORS) {
        SafeTensor part = numbers->tensor;
        part.bytes += first * safetensors_type_size(part.type);
        part.count = count;
        return safetensors_floats(&part, arena);
    }
    const void *there = numbers->npy.bytes + first * sizeof(float);
    if (npy_is_float32(&numbers->npy) && (uintptr_t)there % _Alignof(float) == 0) return there;
    float *floats = ARENA_ARRAY(arena, float, count);
    npy_floats(&numbers->npy, first, count, floats);
    return floats;
}

const char *numbers_shape(const Numbers *numbers, Arena *arena) {
    const char *text = "[";
    for (int i = 0; i < numbers->rank; i++)
        text = arena_printf(arena, "%s%s%lld", text, i ? ", " : "", (long long)numbers->shape[i]);
    return arena_printf(arena, "%s]", text);
}
