/* Each tensor's rows are copied behind those before it; a row's cells beyond its keys were never
 * computed. */
#include "scene/generation.h"

#include <stdlib.h>
#include <string.h>

/* A tensor as rows of keys for each layer and head, and its place in the run. */
typedef struct Step {
    const SafeTensor *tensor;
    long number;
    int layers, heads, rows, keys;
} Step;

/* The digits at the end of a name; false without any. */
static bool number_of(const char *name, long *number) {
    size_t at = strlen(name);
    while (at && name[at - 1] >= '0' && name[at - 1] <= '9') at--;
    if (!name[at]) return false;
    *number = strtol(name + at, NULL, 10);
    return true;
}

bool generation_is(const SafeFile *file) {
    long number;
    for (int i = 0; i < file->count; i++) {
        const SafeTensor *tensor = &file->tensors[i];
        if (tensor->rank < 3 || tensor->rank > 4 || !number_of(tensor->name, &number)) return false;
    }
    return file->count > 1;
}

static int by_number(const void *a, const void *b) {
    const Step *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static const char *shape_of(const SafeTensor *tensor, Arena *arena) {
    const char *text = "";
    for (int i = 0; i < tensor->rank; i++)
        text = arena_printf(arena, "%s%s%lld", text, i ? ", " : "[", (long long)tensor->shape[i]);
    return arena_printf(arena, "%s]", text);
}

static bool fits(int64_t size) {
    return size >= 1 && size <= TYPED_SIDE_MAX;
}

static bool read_step(const SafeTensor *tensor, Arena *arena, Step *step, Err *err) {
    const int64_t *shape = tensor->shape + tensor->rank - 3;
    int64_t layers = tensor->rank == 4 ? tensor->shape[0] : 1;
    if (!fits(layers) || !fits(shape[0]) || !fits(shape[1]) || !fits(shape[2]))
        return err_set(err, "tensor \"%s\" has the shape %s; each side must be 1 to %d",
                       tensor->name, shape_of(tensor, arena), TYPED_SIDE_MAX);
    *step = (Step){tensor, 0, (int)layers, (int)shape[0], (int)shape[1], (int)shape[2]};
    number_of(tensor->name, &step->number);
    return true;
}

/* The step against those before it, which have made `tokens` rows. */
static bool check_step(const Step *steps, int at, int tokens, Arena *arena, Err *err) {
    const Step *step = &steps[at];
    const char *name = step->tensor->name, *shape = shape_of(step->tensor, arena);
    if (at && step->number == step[-1].number)
        return err_set(err,
                       "tensors \"%s\" and \"%s\" end with the same number; each step of a "
                       "run needs its own",
                       step[-1].tensor->name, name);
    bool same = step->layers == steps->layers && step->heads == steps->heads;
    if (same && step->keys == tokens + step->rows) return true;
    if (!at)
        return err_set(err,
                       "tensor \"%s\" has the shape %s; the first of a run is the prompt's, with "
                       "as many keys as queries",
                       name, shape);
    SafeTensor wanted = *step->tensor;
    int64_t *end = wanted.shape + wanted.rank;
    if (wanted.rank == 4) end[-4] = steps->layers;
    end[-3] = steps->heads;
    end[-1] = tokens + step->rows;
    return err_set(err, "tensor \"%s\" has the shape %s, but behind %d tokens %s is wanted", name,
                   shape, tokens, shape_of(&wanted, arena));
}

static bool choose(const char *what, int count, int wanted, int *place, Err *err) {
    *place = count == 1 ? 0 : wanted;
    return *place < count || err_set(err, "there are %d %ss, 0 to %d; there is no %s %d", count,
                                     what, count - 1, what, wanted);
}

/* The step's rows of one head into values[tokens,tokens] from row `first` on. */
static void copy_step(float *values, uint8_t *missing, int tokens, int first, const Step *step,
                      int map, Arena scratch) {
    size_t keys = (size_t)step->keys, cells = (size_t)step->rows * keys;
    SafeTensor part = *step->tensor;
    part.bytes += (size_t)map * cells * safetensors_type_size(part.type);
    part.count = cells;
    const float *rows = safetensors_floats(&part, &scratch);
    for (int i = 0; i < step->rows; i++) {
        size_t at = (size_t)(first + i) * (size_t)tokens;
        memcpy(values + at, rows + (size_t)i * keys, keys * sizeof *values);
        memset(missing + at + keys, 1, (size_t)tokens - keys);
    }
}

static bool read_steps(const SafeFile *file, Arena *arena, Step *steps, int *tokens, Err *err) {
    *tokens = 0;
    for (int i = 0; i < file->count; i++)
        if (!read_step(&file->tensors[i], arena, &steps[i], err)) return false;
    qsort(steps, (size_t)file->count, sizeof *steps, by_number);
    for (int i = 0; i < file->count; i++) {
        if (!check_step(steps, i, *tokens, arena, err)) return false;
        *tokens += steps[i].rows;
    }
    return fits(*tokens) ||
           err_set(err, "the run has %d tokens; at most %d fit", *tokens, TYPED_SIDE_MAX);
}

bool generation_matrix(const SafeFile *file, int layer, int head, Arena *arena, TypedMatrix *matrix,
                       Err *err) {
    Step *steps = ARENA_ARRAY(arena, Step, file->count);
    int tokens, at_layer, at_head;
    if (!read_steps(file, arena, steps, &tokens, err) ||
        !choose("layer", steps->layers, layer, &at_layer, err) ||
        !choose("head", steps->heads, head, &at_head, err))
        return false;
    size_t cells = (size_t)tokens * (size_t)tokens;
    float *values = ARENA_ARRAY(arena, float, cells);
    uint8_t *missing = ARENA_ARRAY(arena, uint8_t, cells);
    for (int i = 0, first = 0; i < file->count; first += steps[i++].rows)
        copy_step(values, missing, tokens, first, &steps[i], at_layer * steps->heads + at_head,
                  *arena);
    int count = file->count - 1;
    *matrix = (TypedMatrix){.layers = steps->layers,
                            .heads = steps->heads,
                            .rows = tokens,
                            .columns = tokens,
                            .values = values,
                            .missing = missing};
    matrix->note =
        arena_printf(arena,
                     "Put together from a prompt of %d token%s and %d step%s behind it; "
                     "cells that no step computed are missing.",
                     steps->rows, steps->rows == 1 ? "" : "s", count, count == 1 ? "" : "s");
    return true;
}
