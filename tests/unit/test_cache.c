/* Decoding with a cache equals the full causal run, unless positions start again. */
#include "core/cache.h"

#include "numbers.h"

#include <string.h>

enum { T = 7, D = 8, H = 4, G = 2, K = 2 };

typedef struct Setting {
    MultiHead net;
    const float *x;
    MultiHeadTrace full;
} Setting;

static Setting setting(Arena *arena) {
    Setting at = {.net = multihead_seeded(arena, D, D, H, G, true, 5),
                  .x = normals(arena, T * D, 1)};
    Rope rope = rope_build(arena, K, 10000, 0, T);
    MultiHeadRule rule = {.causal = true, .rope_q = &rope, .rope_k = &rope};
    at.full = multihead_forward(arena, &at.net, &rule, at.x, T, NULL, 0);
    return at;
}

/* output[T,D] by steps of the given lengths. */
static void decode(Arena *arena, const Setting *at, const CacheRule *rule, const int *steps,
                   float *output) {
    Cache cache = cache_open(arena, &at->net, T);
    for (int n = 0; cache.length < T; n++) {
        int first = cache.length;
        MultiHeadTrace step;
        assert_true(
            cache_step(arena, &cache, &at->net, rule, at->x + first * D, steps[n], &step, NULL));
        assert_int_equal(step.S, first + steps[n]);
        memcpy(output + first * D, step.output, (size_t)(steps[n] * D) * sizeof *output);
    }
}

static void test_A6_steps_equal_the_full_run(void **state) {
    Arena *arena = *state;
    Setting at = setting(arena);
    CacheRule rule = {.rope_base = 10000};
    float output[T * D];
    decode(arena, &at, &rule, (int[]){1, 1, 1, 1, 1, 1, 1}, output);
    assert_all_near(output, at.full.output, T * D, 1e-6);
    decode(arena, &at, &rule, (int[]){4, 2, 1}, output);
    assert_all_near(output, at.full.output, T * D, 1e-6);
}

static void test_restarted_positions_are_wrong(void **state) {
    Arena *arena = *state;
    Setting at = setting(arena);
    CacheRule rule = {.rope_base = 10000, .restart = true};
    float output[T * D];
    decode(arena, &at, &rule, (int[]){1, 1, 1, 1, 1, 1, 1}, output);
    double largest = 0;
    for (int n = 0; n < T * D; n++)
        largest = fmax(largest, fabs((double)output[n] - at.full.output[n]));
    assert_true(largest > 1e-3);
    assert_all_near(output, at.full.output, D, 1e-6); /* the first token does stand at 0 */
}

static void test_cache_keeps_turned_keys(void **state) {
    Arena *arena = *state;
    Setting at = setting(arena);
    CacheRule rule = {.rope_base = 10000};
    Cache cache = cache_open(arena, &at.net, T + 3);
    MultiHeadTrace step;
    assert_true(cache_step(arena, &cache, &at.net, &rule, at.x, 3, &step, NULL));
    assert_true(cache_step(arena, &cache, &at.net, &rule, at.x + 3 * D, 4, &step, NULL));
    assert_int_equal(step.key_rows, T + 3);
    for (int g = 0; g < G; g++) {
        const float *k = cache.k + g * cache.room * K, *v = cache.v + g * cache.room * K;
        assert_all_near(k, at.full.k_heads + g * T * K, T * K, 1e-6);
        assert_all_near(v, at.full.v_heads + g * T * K, T * K, 1e-6);
    }
}

/* A prompt of 2 and three steps of one token: rows of 3, 4 and 5 keys, the rest missing. */
static void test_E3_rows_of_steps_make_a_square(void **state) {
    Arena *arena = *state;
    enum { N = 5 };
    Setting at = setting(arena);
    CacheRule rule = {.rope_base = 10000};
    Cache cache = cache_open(arena, &at.net, N);
    float map[N * N] = {0};
    uint8_t given[N * N] = {0};
    for (int first = 0; first < N; first = cache.length) {
        MultiHeadTrace step;
        int length = first ? 1 : 2;
        assert_true(
            cache_step(arena, &cache, &at.net, &rule, at.x + first * D, length, &step, NULL));
        cache_map(map, given, N, &step, 1);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            assert_int_equal(given[i * N + j], j <= (i < 2 ? 1 : i));
            assert_near(map[i * N + j], at.full.weights[(T + i) * T + j], 1e-6);
        }
}

static void test_padding_in_the_cache(void **state) {
    Arena *arena = *state;
    Setting at = setting(arena);
    const uint8_t valid[] = {0, 1, 1};
    CacheRule rule = {.valid = valid};
    Cache cache = cache_open(arena, &at.net, 3);
    MultiHeadTrace step;
    assert_true(cache_step(arena, &cache, &at.net, &rule, at.x, 2, &step, NULL));
    assert_true(cache_step(arena, &cache, &at.net, &rule, at.x + 2 * D, 1, &step, NULL));
    for (int h = 0; h < H; h++) {
        assert_true(step.weights[h * 3] == 0);
        assert_near(step.weights[h * 3 + 1] + step.weights[h * 3 + 2], 1, 1e-6);
    }
}

static void test_what_is_refused(void **state) {
    Arena *arena = *state;
    Setting at = setting(arena);
    CacheRule rule = {0};
    Cache cache = cache_open(arena, &at.net, 3);
    MultiHeadTrace step;
    Err err = {0};
    assert_false(cache_step(arena, &cache, &at.net, &rule, at.x, 0, &step, &err));
    assert_true(cache_step(arena, &cache, &at.net, &rule, at.x, 2, &step, NULL));
    assert_false(cache_step(arena, &cache, &at.net, &rule, at.x, 2, &step, &err));
    assert_non_null(strstr(err.text, "room for 3 tokens and holds 2: 2 more do not fit"));
    assert_int_equal(cache.length, 2);
    rule.rope_base = -1;
    assert_false(cache_step(arena, &cache, &at.net, &rule, at.x, 1, &step, &err));
    MultiHead odd = multihead_seeded(arena, 6, 6, 2, 2, true, 1);
    Cache other = cache_open(arena, &odd, 3);
    rule.rope_base = 10000;
    assert_false(cache_step(arena, &other, &odd, &rule, at.x, 1, &step, &err));
    assert_non_null(strstr(err.text, "even"));
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_A6_steps_equal_the_full_run),
                                       WITH_ARENA(test_restarted_positions_are_wrong),
                                       WITH_ARENA(test_cache_keeps_turned_keys),
                                       WITH_ARENA(test_E3_rows_of_steps_make_a_square),
                                       WITH_ARENA(test_padding_in_the_cache),
                                       WITH_ARENA(test_what_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
