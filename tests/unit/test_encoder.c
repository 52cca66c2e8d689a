/* Whole networks: padding changes nothing, the future changes nothing, bad ids are refused. */
#include "core/encoder.h"

#include "numbers.h"

#include <string.h>

enum { V = 10, D = 8, H = 2, L = 2, PAD = 0 };

static Encoder small(Arena *arena, EncoderPosition position) {
    Rng rng = rng_seed(11);
    Encoder net = {.V = V,
                   .D = D,
                   .L = L,
                   .embed = normals(arena, V * D, 1),
                   .embed_scale = 1,
                   .position = position,
                   .learned = {normals(arena, 6 * D, 2), 6, D},
                   .rope_base = 10000,
                   .pad_id = PAD,
                   .outputs = 1};
    net.blocks = encoder_seeded_blocks(arena, D, H, L, 3);
    net.head = linear_seeded(arena, &rng, D, 1, true);
    return net;
}

static float logit(Arena *arena, const Encoder *net, const int *ids, int T) {
    EncoderTrace trace;
    assert_true(encoder_forward(arena, net, ids, T, &trace, NULL));
    return trace.logits[0];
}

static void test_A10_padding_of_either_side(void **state) {
    Arena *arena = *state;
    const int plain[] = {3, 7, 4}, right[] = {3, 7, 4, PAD, PAD}, left[] = {PAD, PAD, 3, 7, 4};
    static const EncoderPosition all[] = {ENCODER_NONE, ENCODER_SINUSOIDAL, ENCODER_LEARNED,
                                          ENCODER_ROPE};
    for (int n = 0; n < 4; n++) {
        Encoder net = small(arena, all[n]);
        float want = logit(arena, &net, plain, 3);
        assert_near(logit(arena, &net, right, 5), want, 1e-6);
        assert_near(logit(arena, &net, left, 5), want, 1e-6);
    }
}

static void test_order_counts_with_positions_only(void **state) {
    Arena *arena = *state;
    const int ids[] = {3, 7, 4, 1}, scrambled[] = {4, 3, 1, 7};
    Encoder none = small(arena, ENCODER_NONE), rope = small(arena, ENCODER_ROPE);
    Encoder added = small(arena, ENCODER_SINUSOIDAL);
    assert_near(logit(arena, &none, ids, 4), logit(arena, &none, scrambled, 4), 1e-6);
    assert_true(fabsf(logit(arena, &rope, ids, 4) - logit(arena, &rope, scrambled, 4)) > 1e-4f);
    assert_true(fabsf(logit(arena, &added, ids, 4) - logit(arena, &added, scrambled, 4)) > 1e-4f);
}

static void test_only_padding(void **state) {
    Arena *arena = *state;
    const int ids[] = {PAD, PAD};
    Encoder net = small(arena, ENCODER_ROPE);
    EncoderTrace trace;
    assert_true(encoder_forward(arena, &net, ids, 2, &trace, NULL));
    for (int d = 0; d < D; d++) assert_true(trace.pooled[d] == 0);
    assert_true(trace.logits[0] == net.head.bias[0]);
    assert_near(encoder_probability(trace.logits[0]), 0.5, 1e-7);
}

static void test_no_future_in_a_language_model(void **state) {
    Arena *arena = *state;
    const int ids[] = {3, 7, 4, 1}, changed[] = {3, 7, 4, 9};
    Rng rng = rng_seed(12);
    Encoder net = small(arena, ENCODER_ROPE);
    net.causal = true;
    net.outputs = V;
    net.head = linear_seeded(arena, &rng, D, V, true);
    EncoderTrace one, other;
    assert_true(encoder_forward(arena, &net, ids, 4, &one, NULL));
    assert_true(encoder_forward(arena, &net, changed, 4, &other, NULL));
    assert_null(one.pooled);
    assert_memory_equal(one.logits, other.logits, 3 * V * sizeof(float));
    assert_memory_not_equal(one.logits + 3 * V, other.logits + 3 * V, V * sizeof(float));
}

static void check_refused(Arena *arena, const Encoder *net, const int *ids, int T,
                          const char *part) {
    Err err = {0};
    EncoderTrace trace = {.T = 77};
    assert_false(encoder_forward(arena, net, ids, T, &trace, &err));
    assert_int_equal(trace.T, 77);
    if (!strstr(err.text, part)) fail_msg("\"%s\" lacks \"%s\"", err.text, part);
}

static void test_what_is_refused(void **state) {
    Arena *arena = *state;
    const int ids[] = {1, 2, 10}, negative[] = {-1}, long_text[] = {1, 2, 3, 4, 5, 6, 7};
    Encoder net = small(arena, ENCODER_LEARNED);
    check_refused(arena, &net, ids, 3, "token 2 has the id 10, the vocabulary has 0 to 9");
    check_refused(arena, &net, negative, 1, "id -1");
    check_refused(arena, &net, ids, 0, "no tokens");
    check_refused(arena, &net, long_text, 7, "position 6, the learned table has 0 to 5");
}

static void test_list(void **state) {
    Arena *arena = *state;
    const int ids[] = {3, 7, 4};
    Encoder net = small(arena, ENCODER_SINUSOIDAL);
    EncoderTrace trace;
    assert_true(encoder_forward(arena, &net, ids, 3, &trace, NULL));
    KeptList list = kept_open(arena);
    encoder_list(&list, &net, &trace);
    assert_string_equal(list.items[0].name, "embedded");
    assert_string_equal(kept_shape(&list, kept_find(&list, "block1.self.weights")), "[2,3,3]");
    assert_ptr_equal(kept_find(&list, "block1.self.x")->values, trace.blocks[1].self.x);
    assert_string_equal(kept_shape(&list, kept_find(&list, "pooled")), "[8]");
    assert_string_equal(kept_shape(&list, kept_find(&list, "logits")), "[1]");
}

/* The decoder's queries read the whole source but its padding; the future of the target is
 * blocked in its self-attention only. */
static void test_decoder_reads_the_source(void **state) {
    Arena *arena = *state;
    enum { S = 5, T = 3 };
    const uint8_t valid[] = {1, 1, 1, 0, 0};
    EncoderDecoder net = {.encoder = block_seeded(arena, D, H, false, 1),
                          .memory_norm = {.kind = NORM_LAYER, .eps = 1e-5},
                          .decoder = block_seeded(arena, D, H, true, 2),
                          .rope_base = 10000};
    float *source = normals(arena, S * D, 3), *target = normals(arena, T * D, 4);
    EncoderDecoderTrace one = encoder_decoder_forward(arena, &net, source, valid, S, target, T);
    const float *cross = one.decoder.cross.weights, *self = one.decoder.self.weights;
    for (int i = 0; i < H * T; i++) {
        assert_true(cross[i * S + 2] > 0 && cross[i * S + 3] == 0 && cross[i * S + 4] == 0);
        for (int j = i % T + 1; j < T; j++) assert_true(self[i * T + j] == 0);
    }
    source[4 * D] += 1; /* padding of the source */
    EncoderDecoderTrace other = encoder_decoder_forward(arena, &net, source, valid, S, target, T);
    assert_memory_equal(one.decoder.output, other.decoder.output, T * D * sizeof(float));
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_A10_padding_of_either_side),
                                       WITH_ARENA(test_order_counts_with_positions_only),
                                       WITH_ARENA(test_only_padding),
                                       WITH_ARENA(test_no_future_in_a_language_model),
                                       WITH_ARENA(test_what_is_refused),
                                       WITH_ARENA(test_list),
                                       WITH_ARENA(test_decoder_reads_the_source)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
