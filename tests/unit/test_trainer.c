/* The trainer on a language of forty pieces in which half of them are good and half are bad: it
 * must learn it, do the same twice, keep the best epoch, and stop when told. */
#include "train/trainer.h"

#include "base/rng.h"

#include "token_tools.h"

enum { VOCABULARY = 41, TOKENS = 12, ROWS = 600, VALID = 200 };

struct TrainWatch {
    int calls, closed, stop_at; /* calls after which to stop, 0 never */
    double best_valid;
    TrainProgress last;
};

static bool watch_report(TrainWatch *watch, const TrainProgress *progress) {
    watch->last = *progress;
    if (progress->valid >= 0) watch->closed++;
    if (progress->valid > watch->best_valid) watch->best_valid = progress->valid;
    assert_true((progress->valid >= 0) == (progress->batch == progress->batches));
    return ++watch->calls != watch->stop_at;
}

/* Rows of 0 to TOKENS pieces; the label says which kind, even or odd ids, there is more of. */
static TokenRows make_rows(Arena *arena, int count, uint64_t seed) {
    TokenRows rows = {.count = count,
                      .tokens = TOKENS,
                      .ids = ARENA_ARRAY(arena, int32_t, count * TOKENS),
                      .mask = ARENA_ARRAY(arena, uint8_t, count * TOKENS),
                      .targets = ARENA_ARRAY(arena, float, count)};
    Rng rng = rng_seed(seed);
    for (int i = 0; i < count; i++) {
        int length = 1 + 2 * (int)rng_below(&rng, TOKENS / 2), odd = 0;
        for (int t = 0; t < TOKENS; t++) {
            int *id = &rows.ids[i * TOKENS + t];
            *id = t < length ? (int)rng_below(&rng, VOCABULARY - 1) : VOCABULARY - 1;
            rows.mask[i * TOKENS + t] = t < length;
            odd += t < length && *id % 2;
        }
        rows.targets[i] = 2 * odd > length;
        rows.pieces += length;
    }
    return rows;
}

typedef struct Fixture {
    Arena arena;
    TokenRows train, valid;
    DanPlan plan;
} Fixture;

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_open(out_of_memory);
    fixture->train = make_rows(&fixture->arena, ROWS, 1);
    fixture->valid = make_rows(&fixture->arena, VALID, 2);
    fixture->plan = dan_plan(VOCABULARY);
    fixture->plan.D = 16;
    fixture->plan.hidden = 8;
    fixture->plan.epochs = 12;
    fixture->plan.batch = 32;
    fixture->plan.lr = 0.02;
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    arena_close(&fixture->arena);
    free(fixture);
    return 0;
}

static TrainResult run(Fixture *fixture, Dan *dan, TrainWatch *watch) {
    return trainer_dan(&fixture->plan, &fixture->train, &fixture->valid, &fixture->arena, dan,
                       watch ? watch_report : NULL, watch);
}

static void test_learns(void **state) {
    Fixture *fixture = *state;
    Dan dan;
    TrainWatch watch = {0};
    TrainResult result = run(fixture, &dan, &watch);
    assert_true(result.best_valid > 0.93);
    assert_false(result.stopped);
    int batches = (ROWS + 31) / 32;
    assert_int_equal(watch.calls, 12 * batches);
    assert_int_equal(watch.closed, 12);
    assert_int_equal(watch.last.tokens, 12 * fixture->train.pieces);
    assert_int_equal(watch.last.tokens, watch.last.tokens_total);
    assert_true(watch.last.loss < 0.3);
}

static void test_keeps_the_best_epoch(void **state) {
    Fixture *fixture = *state;
    Dan dan;
    TrainWatch watch = {0};
    fixture->plan.lr = 0.3; /* so that epochs go up and down */
    TrainResult result = run(fixture, &dan, &watch);
    assert_true(result.best_valid == watch.best_valid);
    assert_true(trainer_accuracy(&dan, &fixture->valid, fixture->arena) == watch.best_valid);
}

static void test_same_seed_same_bits(void **state) {
    Fixture *fixture = *state;
    Dan a, b, c;
    fixture->plan.epochs = 2;
    fixture->plan.dropout = 0.2;
    run(fixture, &a, NULL);
    run(fixture, &b, NULL);
    fixture->plan.seed++;
    run(fixture, &c, NULL);
    size_t size = VOCABULARY * 16 * sizeof(float);
    assert_memory_equal(a.embedding, b.embedding, size);
    assert_memory_equal(a.w2, b.w2, 8 * sizeof(float));
    assert_memory_not_equal(a.embedding, c.embedding, size);
}

static void test_padding_stays_zero(void **state) {
    Fixture *fixture = *state;
    Dan dan;
    fixture->plan.epochs = 1;
    run(fixture, &dan, NULL);
    const float zeros[16] = {0};
    assert_int_equal(dan.padding, VOCABULARY - 1);
    assert_memory_equal(dan.embedding + dan.padding * 16, zeros, sizeof zeros);
}

static void test_stops_when_told(void **state) {
    Fixture *fixture = *state;
    int batches = (ROWS + 31) / 32;
    Dan dan;
    TrainWatch early = {.stop_at = 3};
    TrainResult result = run(fixture, &dan, &early);
    assert_true(result.stopped);
    assert_int_equal(result.best_epoch, 0);
    assert_int_equal(early.calls, 3);
    TrainWatch later = {.stop_at = batches + 3};
    result = run(fixture, &dan, &later);
    assert_true(result.stopped);
    assert_int_equal(result.best_epoch, 1);
    assert_true(trainer_accuracy(&dan, &fixture->valid, fixture->arena) == result.best_valid);
}

/* A wide start stays wide, decay makes it narrower. */
static void test_width_and_decay(void **state) {
    Fixture *fixture = *state;
    double square[2] = {0, 0};
    fixture->plan.init_std = 2;
    fixture->plan.epochs = 3;
    for (int i = 0; i < 2; i++) {
        Dan dan;
        fixture->plan.decay = i == 0 ? 0 : 0.5;
        run(fixture, &dan, NULL);
        for (int j = 0; j < (VOCABULARY - 1) * 16; j++)
            square[i] += dan.embedding[j] * dan.embedding[j] / (VOCABULARY - 1) / 16;
    }
    assert_true(square[0] > 3 && square[0] < 5);
    assert_true(square[1] < 0.8 * square[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_learns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_keeps_the_best_epoch, setup, teardown),
        cmocka_unit_test_setup_teardown(test_same_seed_same_bits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_padding_stays_zero, setup, teardown),
        cmocka_unit_test_setup_teardown(test_stops_when_told, setup, teardown),
        cmocka_unit_test_setup_teardown(test_width_and_decay, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
