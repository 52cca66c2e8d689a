/* The layers' gradients against finite differences, and their edges. */
#include "core/layers.h"

#include "numbers.h"

#include <string.h>

/* One layer at work: its inputs, and dy as the gradient of what it gives. */
typedef struct Layer {
    Arena *arena;
    float *x, *weight, *bias, *dy;
    uint8_t *mask;
    int N, I, O, T;
} Layer;

static float *zeros(const Layer *layer, int count) {
    return ARENA_ARRAY(layer->arena, float, count);
}

static double linear_loss(void *context) {
    const Layer *layer = context;
    Arena scratch = *layer->arena;
    float *y = ARENA_ARRAY(&scratch, float, layer->N * layer->O);
    linear_forward(y, layer->x, layer->weight, layer->bias, layer->N, layer->I, layer->O);
    return weighted_sum(y, layer->dy, layer->N * layer->O);
}

static void test_linear(void **state) {
    Arena *arena = *state;
    int N = 5, I = 7, O = 3;
    Layer layer = {.arena = arena,
                   .x = normals(arena, N * I, 1),
                   .weight = normals(arena, O * I, 2),
                   .bias = normals(arena, O, 3),
                   .dy = normals(arena, N * O, 4),
                   .N = N,
                   .I = I,
                   .O = O};
    float *dx = zeros(&layer, N * I), *dweight = zeros(&layer, O * I);
    float *dbias = zeros(&layer, O);
    linear_backward(dx, dweight, dbias, layer.x, layer.weight, layer.dy, N, I, O);
    check_gradient(linear_loss, &layer, layer.x, dx, N * I, 1e-3);
    check_gradient(linear_loss, &layer, layer.weight, dweight, O * I, 1e-3);
    check_gradient(linear_loss, &layer, layer.bias, dbias, O, 1e-3);
}

/* Gradients that are not wanted may be NULL; those that are given are added to. */
static void test_gradients_add_up(void **state) {
    (void)state;
    const float x[] = {2}, weight[] = {3}, dy[] = {5};
    float dx[] = {1}, dweight[] = {1}, dbias[] = {1};
    linear_backward(NULL, NULL, NULL, x, weight, dy, 1, 1, 1);
    linear_backward(dx, dweight, dbias, x, weight, dy, 1, 1, 1);
    assert_true(dx[0] == 16 && dweight[0] == 11 && dbias[0] == 6);
}

static void test_linear_without_bias(void **state) {
    (void)state;
    const float x[] = {1, 2}, weight[] = {3, 4, 5, 6};
    float y[2];
    linear_forward(y, x, weight, NULL, 1, 2, 2);
    assert_true(y[0] == 11 && y[1] == 17);
}

static void test_embedding(void **state) {
    (void)state;
    const float table[] = {1, 2, 3, 4, 5, 6}, dy[] = {1, 1, 10, 10, 100, 100, 7, 7};
    const int ids[] = {2, 1, 2, 0};
    float y[8], dtable[6] = {0};
    const float want[] = {5, 6, 3, 4, 5, 6, 1, 2}, gradient[] = {0, 0, 10, 10, 101, 101};
    embedding_forward(y, table, ids, 4, 2);
    assert_memory_equal(y, want, sizeof want);
    embedding_backward(dtable, dy, ids, 4, 2, 0);
    assert_memory_equal(dtable, gradient, sizeof gradient);
    embedding_backward(dtable, dy, ids, 4, 2, -1);
    assert_true(dtable[0] == 7 && dtable[5] == 202);
}

static double mean_loss(void *context) {
    const Layer *layer = context;
    Arena scratch = *layer->arena;
    float *y = ARENA_ARRAY(&scratch, float, layer->N * layer->I);
    masked_mean_forward(y, layer->x, layer->mask, layer->N, layer->T, layer->I);
    return weighted_sum(y, layer->dy, layer->N * layer->I);
}

static void test_masked_mean(void **state) {
    Arena *arena = *state;
    enum { B = 3, T = 4, D = 3 };
    uint8_t mask[B * T] = {1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0};
    Layer layer = {.arena = arena,
                   .x = normals(arena, B * T * D, 1),
                   .dy = normals(arena, B * D, 2),
                   .mask = mask,
                   .N = B,
                   .T = T,
                   .I = D};
    float y[B * D], dx[B * T * D] = {0};
    masked_mean_forward(y, layer.x, mask, B, T, D);
    assert_near(y[0], (layer.x[0] + layer.x[3] + layer.x[9]) / 3, 1e-6);
    assert_memory_equal(y + D, layer.x + (T + 1) * D, D * sizeof *y);
    for (int d = 0; d < D; d++) assert_true(y[2 * D + d] == 0);
    masked_mean_backward(dx, layer.dy, mask, B, T, D);
    check_gradient(mean_loss, &layer, layer.x, dx, B * T * D, 1e-3);
}

/* A padding row is left out even when it holds what no number should. */
static void test_masked_mean_ignores_padding(void **state) {
    (void)state;
    const float x[] = {1, 3, NAN, INFINITY};
    const uint8_t mask[] = {1, 0};
    float y[2];
    masked_mean_forward(y, x, mask, 1, 2, 2);
    assert_true(y[0] == 1 && y[1] == 3);
}

static double gelu_loss(void *context) {
    const Layer *layer = context;
    float y[9];
    gelu_forward(y, layer->x, layer->N);
    return weighted_sum(y, layer->dy, layer->N);
}

static void test_gelu(void **state) {
    Arena *arena = *state;
    float x[] = {-4, -1.5f, -0.75f, -0.1f, 0, 0.3f, 1, 2, 5}, y[9], dx[9] = {0};
    Layer layer = {.x = x, .dy = normals(arena, 9, 1), .N = 9};
    gelu_forward(y, x, 9);
    assert_near(y[6], 0.8413447, 1e-6); /* the share of the normal distribution below 1 */
    assert_near(y[1], -1.5 * 0.0668072, 1e-6);
    assert_true(y[4] == 0);
    gelu_backward(dx, x, layer.dy, 9);
    check_gradient(gelu_loss, &layer, x, dx, 9, 1e-3);
}

static void test_relu(void **state) {
    (void)state;
    const float x[] = {-1, 0, 2}, dy[] = {5, 5, 5}, want[] = {0, 0, 2}, gradient[] = {1, 1, 6};
    float y[3], dx[] = {1, 1, 1};
    relu_forward(y, x, 3);
    assert_memory_equal(y, want, sizeof want);
    relu_backward(dx, x, dy, 3);
    assert_memory_equal(dx, gradient, sizeof gradient);
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_linear),
                                       cmocka_unit_test(test_gradients_add_up),
                                       cmocka_unit_test(test_linear_without_bias),
                                       cmocka_unit_test(test_embedding),
                                       WITH_ARENA(test_masked_mean),
                                       cmocka_unit_test(test_masked_mean_ignores_padding),
                                       WITH_ARENA(test_gelu),
                                       cmocka_unit_test(test_relu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
