/* The scene of cost: counts that a hand finds, lengths of one's own, measuring by a clock that the
 * test turns, and pictures that hold nothing of what was measured. */
#include "scene_bench.h"

#include "scene/growth.h"
#include "scene/timing.h"

#include <math.h>

extern const Scene scene_cost;

/* Each look at it is a millisecond later. A clock has no place for a state of its own, so this one
 * keeps it for the test. */
static double now;

static double ticking(void) {
    return now += 0.001;
}

static double at(Bench *bench, const char *stage, int row, int column) {
    return (double)table_value(bench_table(bench, stage), row, column);
}

static void test_names_that_others_rely_on(void **state) {
    (void)state;
    static const char *const stages[] = {"entries", "multiply-adds", "bytes", "time", "path"};
    for (int i = 0; i < 5; i++) assert_int_equal(scene_stage_index(&scene_cost, stages[i]), i);
    assert_string_equal(scene_cost.play, "measure");
}

static void test_counts_by_hand(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cost, "heads", "2", "head-dim", "4", "layers", "3", "precision",
               "float16", "kernel", "5");
    const Table *entries = bench_table(bench, "entries");
    assert_int_equal(entries->rows.count, 6);
    for (int i = 0; i < 6; i++) {
        double n = 128 << i;
        assert_true(atof(entries->rows.labels[i].full) == n);
        assert_true(at(bench, "entries", i, 0) == n * n);
        assert_true(at(bench, "entries", i, 1) == 2 * n * n);
        assert_true(at(bench, "entries", i, 2) == 6 * n * n);
        assert_true(at(bench, "multiply-adds", i, 0) == 3 * 2 * 8 * n * n);
        assert_true(at(bench, "multiply-adds", i, 1) == 3 * 4 * 64 * n);
        assert_true(at(bench, "bytes", i, 0) == 2 * 6 * n * n);
        assert_true(at(bench, "bytes", i, 1) == 2 * 2 * 3 * 8 * n);
        assert_true(at(bench, "time", i, 0) == 2 * 4 * n * n);
        assert_true(at(bench, "time", i, 1) == pow(4, i));
        assert_int_equal(table_state(bench_table(bench, "time"), i, 2), CELL_MISSING);
        assert_true(at(bench, "path", i, 0) == n && at(bench, "path", i, 2) == 1);
        assert_true(at(bench, "path", i, 1) == ceil(n / 5));
    }
    assert_true(at(bench, "multiply-adds", 0, 2) ==
                at(bench, "multiply-adds", 0, 0) + at(bench, "multiply-adds", 0, 1));
    assert_non_null(strstr(bench_table(bench, "multiply-adds")->notes[0], "n = 2 d = 16 on"));
}

/* The length that is asked for stands among the others, once. */
static void test_a_length_of_ones_own(void **state) {
    Bench *bench = *state;
    static const struct {
        const char *n;
        int rows, row;
    } cases[] = {{"1", 7, 0},    {"128", 6, 0},  {"1000", 7, 3},   {"4096", 6, 5},
                 {"5000", 7, 6}, {"8192", 7, 6}, {"65536", 10, 9}, {"65535", 10, 9}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        BENCH_MAKE(bench, &scene_cost, "n", cases[i].n);
        const Table *table = bench_table(bench, "entries");
        assert_int_equal(table->rows.count, cases[i].rows);
        assert_string_equal(table->rows.labels[cases[i].row].full, cases[i].n);
        for (int r = 1; r < table->rows.count; r++)
            assert_true(at(bench, "path", r, 0) > at(bench, "path", r - 1, 0));
    }
    assert_string_equal(BENCH_FAIL(bench, &scene_cost, "n", "65537"),
                        "n 65537: allowed is a whole number from 1 to 65536");
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cost, "n", "0"), "from 1 to"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cost, "kernel", "1"), "from 2 to"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_cost, "precision", "float8"), "did you mean"));
}

static uint32_t *picture(Bench *bench) {
    Canvas canvas = bench_canvas(bench, &bench->assets, 760, 560);
    scene_cost.draw(bench->state, &canvas, canvas.clip);
    return canvas.pixels;
}

/* Ticks as the app does, until it is finished or so many times. */
static int measure(Bench *bench, int ticks) {
    int done = 0;
    for (bool end = false; done < ticks && !end; done++) {
        bool moved = scene_cost.tick(bench->state, 0.016);
        if (moved) assert_true(bench_compute(bench));
        end = moved && scene_cost.finished(bench->state);
    }
    return done;
}

static void test_measuring_and_its_pictures(void **state) {
    Bench *bench = *state;
    const size_t bytes = 760 * 560 * sizeof(uint32_t);
    BENCH_MAKE(bench, &scene_cost, "head-dim", "1", "n", "64", "stage", "time");
    uint32_t *before = picture(bench);
    assert_int_equal(measure(bench, 3), 3); /* without a clock nothing is measured */
    bench->stage.clock = ticking;
    assert_memory_equal(picture(bench), before, bytes);
    assert_true(measure(bench, 100000) < 100000);
    const Table *table = bench_table(bench, "time");
    for (int i = 0; i < table->rows.count; i++) {
        assert_int_equal(table_state(table, i, 2), CELL_OK);
        int bands = (64 << i) / 16; /* each takes one turn of the clock */
        assert_true(fabs((double)table_value(table, i, 2) - bands) < 1e-3);
        assert_true(fabs((double)table_value(table, i, 3) - (1 << i)) < 1e-3);
    }
    assert_non_null(strstr(scene_cost.sentence(bench->state, &bench->assets), "medians of 5 runs"));
    assert_int_not_equal(memcmp(picture(bench), before, bytes), 0);
    bench->stage.clock = NULL; /* as for a file */
    assert_memory_equal(picture(bench), before, bytes);
    assert_int_equal(table_state(bench_table(bench, "time"), 0, 2), CELL_MISSING);
    assert_non_null(strstr(bench_probe(bench, 0, 2).sentence, "Not measured"));
}

/* Half of it stays when it is stopped, and it goes on from there; a new width begins anew, and so
 * does what is finished. */
static void test_measuring_stops_and_goes_on(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cost, "head-dim", "1", "stage", "path");
    bench->stage.clock = ticking;
    measure(bench, 12);
    assert_string_equal(bench_table(bench, "time")->stage, "time");
    assert_int_equal(table_state(bench_table(bench, "time"), 0, 2), CELL_OK);
    assert_int_equal(table_state(bench_table(bench, "time"), 5, 2), CELL_MISSING);
    assert_non_null(strstr(scene_cost.sentence(bench->state, &bench->assets), "Measuring n = "));
    double first = at(bench, "time", 0, 2);
    assert_true(bench_set(bench, "kernel", "7") && bench_compute(bench));
    assert_true(at(bench, "time", 0, 2) == first);
    measure(bench, 100000);
    assert_true(scene_cost.finished(bench->state));
    assert_true(at(bench, "time", 0, 2) == first);
    measure(bench, 1);
    assert_false(scene_cost.finished(bench->state));
    assert_true(bench_set(bench, "head-dim", "2") && bench_compute(bench));
    assert_int_equal(table_state(bench_table(bench, "time"), 0, 2), CELL_MISSING);
}

/* What was measured is there again when the change is taken back, or the scene left and opened. */
static void test_what_was_measured_is_kept(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cost, "head-dim", "1", "n", "1000", "stage", "time");
    bench->stage.clock = ticking;
    measure(bench, 100000);
    double own = at(bench, "time", 3, TIME_MEASURED);
    assert_true(own > 0);
    assert_true(bench_set(bench, "n", "2000") && bench_compute(bench));
    assert_int_equal(table_state(bench_table(bench, "time"), 4, TIME_MEASURED), CELL_MISSING);
    BENCH_MAKE(bench, &scene_cost, "head-dim", "1", "n", "1000", "stage", "entries");
    assert_true(at(bench, "time", 3, TIME_MEASURED) == own);
    assert_true(scene_cost.finished(bench->state));
    measure(bench, 1); /* anew */
    assert_false(scene_cost.finished(bench->state));
}

/* The oldest make room. */
static void test_kept_times_have_an_end(void **state) {
    (void)state;
    TimingKept kept = {.count = 0};
    for (int K = 1; K <= TIMING_KEPT_MAX + 2; K++) {
        int n = 128;
        Timing timing = {.K = 0};
        timing_fit(&timing, &kept, K, &n, 1);
        assert_int_equal(timing_runs(&timing), 0);
        timing.lengths[0].runs = 1;
        timing_keep(&timing, &kept);
        timing_fit(&timing, &kept, K, &n, 1);
        assert_int_equal(timing_runs(&timing), 1);
    }
    Timing timing = {.K = 0};
    int n = 128;
    timing_fit(&timing, &kept, 2, &n, 1);
    assert_int_equal(timing_runs(&timing), 0);
    timing_fit(&timing, &kept, 3, &n, 1);
    assert_int_equal(timing_runs(&timing), 1);
}

static void test_median(void **state) {
    (void)state;
    TimedLength length = {.n = 128, .runs = 3, .seconds = {5, 1, 2}};
    assert_true(timing_median(&length) == 2);
    length.runs = 2;
    assert_true(timing_median(&length) == 3);
}

static void test_arithmetic(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cost, "stage", "entries", "n", "1000");
    Probe probe = bench_probe(bench, 3, 2);
    assert_string_equal(probe.title, "n = 1000, all layers");
    bench_line(&probe, "n × n", "1,000,000");
    bench_line(&probe, "× 12 heads", "12,000,000");
    bench_line(&probe, "× 12 layers", "144,000,000");
    BENCH_MAKE(bench, &scene_cost, "stage", "bytes");
    probe = bench_probe(bench, 3, 0);
    bench_line(&probe, "weights, of all heads", "576 MiB");
    BENCH_MAKE(bench, &scene_cost, "stage", "path", "kernel", "4");
    probe = bench_probe(bench, 1, 1);
    bench_line(&probe, "layers of convolution, ⌈n ÷ 4⌉", "64");
}

/* 5001 squared is odd and beyond 2^24: float32 has only its neighbours. */
static void test_counts_beyond_float32(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cost, "n", "5001", "heads", "12", "layers", "12");
    Text csv = text_open(&bench->assets);
    table_csv(bench_table(bench, "entries"), &csv);
    assert_non_null(strstr(csv.bytes, "\n5001,25010001,300120012,3601440144\n"));
}

/* A count without the commas between its thousands. */
static double count_of(const char *text) {
    double count = 0;
    for (; *text; text++)
        if (*text != ',') count = 10 * count + (*text - '0');
    return count;
}

/* The cell that is pointed at stands among the lines, marked, to its last digit. */
static void test_D12_the_cell_is_among_the_lines(void **state) {
    Bench *bench = *state;
    static const char *const shown[] = {"entries", "multiply-adds", "bytes", "path"};
    for (int s = 0; s < 4; s++) {
        BENCH_MAKE(bench, &scene_cost, "stage", shown[s]);
        const Table *table = bench_table(bench, shown[s]);
        for (int column = 0; column < table->columns.count; column++) {
            Probe probe = bench_probe(bench, 2, column);
            int marked = 0;
            for (int i = 0; i < probe.line_count; i++) {
                if (!probe.lines[i].hot) continue;
                marked++;
                assert_true((float)count_of(probe.lines[i].value) == table_value(table, 2, column));
            }
            assert_int_equal(marked, 1);
        }
    }
}

/* Both the plot and the sheet can be pointed at. */
static void test_points_and_lines_are_cells(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_cost, "stage", "multiply-adds");
    Canvas canvas = bench_canvas(bench, &bench->assets, 760, 560);
    bool seen[18] = {false};
    for (int y = 0; y < 560; y += 6)
        for (int x = 0; x < 760; x += 10) {
            Cell cell;
            if (scene_cost.locate(bench->state, &canvas, canvas.clip, x, y, &cell))
                seen[cell.row * 3 + cell.column] = true;
        }
    for (int i = 0; i < 18; i++) assert_true(seen[i]);
}

static int set_up(void **state) {
    *state = bench_open();
    now = 0;
    return 0;
}

static int tear_down(void **state) {
    bench_close(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_that_others_rely_on),
        TEST(test_counts_by_hand),
        TEST(test_a_length_of_ones_own),
        TEST(test_measuring_and_its_pictures),
        TEST(test_measuring_stops_and_goes_on),
        TEST(test_what_was_measured_is_kept),
        cmocka_unit_test(test_kept_times_have_an_end),
        cmocka_unit_test(test_median),
        TEST(test_arithmetic),
        TEST(test_counts_beyond_float32),
        TEST(test_D12_the_cell_is_among_the_lines),
        TEST(test_points_and_lines_are_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
