/* What a case gives to the functions under test, and the comparison of what they give back. The
 * pass rule stands at the top of index.json: |got - want| <= abs + rel |want| for every element,
 * integers and booleans exactly, exact zeros where an output says so. */
#include "golden_inside.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool golden_break(Golden *golden, const char *why, const char *what) {
    if (!golden->broken) printf("%s: %s %s\n", golden->name, why, what);
    golden->broken = true;
    return false;
}

/* A parameter; NULL where there is none, or null stands for it. */
static const json_t *parameter(const Golden *golden, const char *name) {
    const json_t *value = json_object_get(golden->params, name);
    return json_is_null(value) ? NULL : value;
}

double golden_number(Golden *golden, const char *name, double otherwise) {
    const json_t *value = parameter(golden, name);
    if (value && !json_is_number(value)) golden_break(golden, "no number in parameter", name);
    return json_is_number(value) ? json_number_value(value) : otherwise;
}

int golden_whole(Golden *golden, const char *name, int otherwise) {
    return (int)golden_number(golden, name, otherwise);
}

bool golden_switch(Golden *golden, const char *name, bool otherwise) {
    const json_t *value = parameter(golden, name);
    if (value && !json_is_boolean(value)) golden_break(golden, "no switch in parameter", name);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

const char *golden_word(Golden *golden, const char *name, const char *otherwise) {
    const json_t *value = parameter(golden, name);
    if (value && !json_is_string(value)) golden_break(golden, "no text in parameter", name);
    return json_is_string(value) ? json_string_value(value) : otherwise;
}

static const SafeTensor *find(const Golden *golden, const char *prefix, const char *name) {
    Arena scratch = *golden->arena;
    return safetensors_find(&golden->file, arena_printf(&scratch, "%s.%s", prefix, name));
}

bool golden_has(const Golden *golden, const char *name) {
    return find(golden, "in", name) != NULL;
}

static bool convert(Golden *golden, const SafeTensor *tensor, GoldenArray *array) {
    *array = (GoldenArray){.rank = tensor->rank, .count = (int)tensor->count};
    if (tensor->count > INT32_MAX)
        return golden_break(golden, "too many elements in", tensor->name);
    for (int i = 0; i < tensor->rank; i++) array->shape[i] = (int)tensor->shape[i];
    array->floats = safetensors_floats(tensor, golden->arena);
    if (tensor->type == SAFE_U8 || tensor->type == SAFE_BOOL)
        array->bytes = (uint8_t *)arena_bytes(golden->arena, tensor->bytes, tensor->count);
    if (array->bytes || tensor->type == SAFE_I32 || tensor->type == SAFE_I64) {
        Err err = {0};
        if (!safetensors_ints(tensor, golden->arena, &array->ints, &err))
            return golden_break(golden, err.text, "");
    }
    return true;
}

static bool read_array(Golden *golden, const char *prefix, const char *name, int rank,
                       GoldenArray *array) {
    const SafeTensor *tensor = find(golden, prefix, name);
    *array = (GoldenArray){0};
    if (!tensor) return golden_break(golden, "the file lacks the tensor", name);
    if (rank >= 0 && tensor->rank != rank)
        return golden_break(golden, "not the rank that is known here:", name);
    return convert(golden, tensor, array);
}

bool golden_input(Golden *golden, const char *name, int rank, GoldenArray *array) {
    return read_array(golden, "in", name, rank, array);
}

bool golden_reference(Golden *golden, const char *name, GoldenArray *array) {
    return read_array(golden, "out", name, -1, array);
}

int golden_last(const GoldenArray *array, int i) {
    return i < array->rank ? array->shape[array->rank - 1 - i] : 1;
}

int golden_leading(const GoldenArray *array, int n) {
    int product = 1;
    for (int i = 0; i < array->rank - n; i++) product *= array->shape[i];
    return product;
}

int golden_at(const GoldenArray *array, int b, int h, int i, int j) {
    const int wanted[4] = {j, i, h, b};
    int at = 0;
    for (int d = 3; d >= 0; d--) {
        int size = golden_last(array, d);
        at = at * size + (size > 1 ? wanted[d] : 0);
    }
    return at;
}

bool golden_fits(Golden *golden, const char *name, const GoldenArray *array, int B, int H, int T,
                 int S) {
    const int sizes[4] = {S, T, H, B};
    bool fits = array->rank <= 4;
    for (int d = 0; d < 4; d++)
        fits = fits && (golden_last(array, d) == 1 || golden_last(array, d) == sizes[d]);
    return fits || golden_break(golden, "shape does not fit the others:", name);
}

static GoldenOutput *find_output(const Golden *golden, const char *name) {
    for (int n = 0; n < golden->output_count; n++)
        if (strcmp(golden->outputs[n].name, name) == 0) return &golden->outputs[n];
    return NULL;
}

bool golden_wants(const Golden *golden, const char *name) {
    return find_output(golden, name) != NULL;
}

static void fail_text(Golden *golden, const char *output, const char *why) {
    printf("%s: %s: %s\n", golden->name, output, why);
    golden->failures++;
}

static bool same_shape(const SafeTensor *want, int rank, const int *shape) {
    bool same = want->rank == rank;
    for (int i = 0; same && i < rank; i++) same = want->shape[i] == shape[i];
    return same;
}

/* How far an element is beyond what is allowed: <= 0 passes, +INFINITY cannot be excused. */
static double excess(const GoldenOutput *output, double got, double want, double *allowed) {
    *allowed = output->exact ? 0 : output->abs + output->rel * fabs(want);
    if (output->exact_zeros && want == 0) *allowed = 0;
    if (got == want) return -*allowed;
    double beyond = fabs(got - want) - *allowed;
    return isfinite(beyond) ? beyond : INFINITY;
}

typedef struct Worst {
    size_t element;
    double beyond, got, want, allowed;
} Worst;

static void note_worst(Worst *worst, const GoldenOutput *output, size_t n, double got,
                       double want) {
    double allowed, beyond = excess(output, got, want, &allowed);
    if (n == 0 || beyond > worst->beyond) *worst = (Worst){n, beyond, got, want, allowed};
}

static void judge(Golden *golden, GoldenOutput *output, const Worst *worst) {
    if (output->must_differ && (worst->beyond <= 0 || isnan(worst->got)))
        fail_text(golden, output->name, "is the value of a wrong implementation, or NaN");
    if (output->must_differ || worst->beyond <= 0) return;
    printf("%s: %s: element %zu: got %.9g, want %.9g, allowed %.3g\n", golden->name, output->name,
           worst->element, worst->got, worst->want, worst->allowed);
    golden->failures++;
}

/* The output to compare with, or NULL when there is nothing to do or the shapes differ. */
static GoldenOutput *begin_output(Golden *golden, const char *name, int rank, const int *shape,
                                  GoldenArray *want) {
    GoldenOutput *output = find_output(golden, name);
    if (!output || golden->broken) return NULL;
    output->given = true;
    const SafeTensor *tensor = find(golden, "out", name);
    if (!tensor)
        fail_text(golden, name, "is in the index but not in the file");
    else if (!same_shape(tensor, rank, shape))
        fail_text(golden, name, "has another shape");
    else if (convert(golden, tensor, want))
        return output;
    return NULL;
}

void golden_give(Golden *golden, const char *name, const float *values, int rank,
                 const int *shape) {
    GoldenArray want;
    GoldenOutput *output = begin_output(golden, name, rank, shape, &want);
    if (!output) return;
    Worst worst = {0};
    for (int n = 0; n < want.count; n++)
        note_worst(&worst, output, (size_t)n, values[n], want.floats[n]);
    judge(golden, output, &worst);
}

void golden_give_ints(Golden *golden, const char *name, const int32_t *values, int rank,
                      const int *shape) {
    GoldenArray want;
    GoldenOutput *output = begin_output(golden, name, rank, shape, &want);
    if (!output) return;
    if (!want.ints) {
        fail_text(golden, name, "holds whole numbers here, but not in the file");
        return;
    }
    Worst worst = {0};
    for (int n = 0; n < want.count; n++)
        note_worst(&worst, output, (size_t)n, values[n], want.ints[n]);
    judge(golden, output, &worst);
}

void golden_give_bytes(Golden *golden, const char *name, const uint8_t *values, int rank,
                       const int *shape) {
    size_t count = 1;
    for (int i = 0; i < rank; i++) count *= (size_t)shape[i];
    Arena scratch = *golden->arena;
    int32_t *ints = ARENA_ARRAY(golden->arena, int32_t, count);
    for (size_t n = 0; n < count; n++) ints[n] = values[n];
    golden_give_ints(golden, name, ints, rank, shape);
    *golden->arena = scratch;
}

void golden_give_like(Golden *golden, const char *name, const float *values,
                      const GoldenArray *like) {
    golden_give(golden, name, values, like->rank, like->shape);
}
