/* Heads: maps of a random model and typed ones, joined and compared; one scale for all; a model
 * from a file, and one that does not fit. */
#include "scene_bench.h"

#include "model/safetensors.h"
#include "scene/split.h"

#include <math.h>

extern const Scene scene_heads;

#define assert_near(got, want, allowed)                                                            \
    assert_true(fabs((double)(got) - (double)(want)) <= (allowed))

static void assert_cells(const Table *table, const double *want, double allowed) {
    for (int i = 0; i < table->rows.count * table->columns.count; i++)
        assert_near(table->values[i], want[i], allowed);
}

static bool says(const Table *table, const char *words) {
    for (int i = 0; i < table->note_count; i++)
        if (strstr(table->notes[i], words)) return true;
    return false;
}

static void test_names_that_others_rely_on(void **state) {
    (void)state;
    static const char *const stages[] = {"weights", "entropy", "distance", "agreement", "rollout"};
    static const char *const knobs[] = {"model", "layer", "head", "reduce"};
    for (int i = 0; i < 5; i++) assert_int_equal(scene_stage_index(&scene_heads, stages[i]), i);
    for (int i = 0; i < 4; i++) assert_non_null(knob_find(scene_heads.knobs, knobs[i], NULL));
    assert_string_equal(scene_heads.main_stage, "weights");
}

static void test_random_weights_say_so_and_follow_the_seed(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_heads, "head", "2");
    const Table *weights = bench_table(bench, "weights");
    assert_int_equal(weights->rows.count, 12);
    for (int i = 0; i < 12; i++) assert_near(table_row_sum(weights, i), 1, 1e-6);
    assert_true(says(weights, "The projections are random: this pattern carries no meaning yet."));
    float first = weights->values[5];
    BENCH_MAKE(bench, &scene_heads, "head", "2");
    assert_true(bench_table(bench, "weights")->values[5] == first);
    BENCH_MAKE(bench, &scene_heads, "head", "2", "seed", "2");
    assert_true(bench_table(bench, "weights")->values[5] != first);
    BENCH_MAKE(bench, &scene_heads, "head", "2", "layer", "3");
    assert_true(bench_table(bench, "weights")->values[5] != first);
}

static void test_mean_maximum_and_difference(void **state) {
    Bench *bench = *state;
    double mean[144] = {0}, most[144] = {0}, difference[144] = {0};
    static const char *const names[] = {"0", "1", "2", "3"};
    for (int h = 0; h < 4; h++) {
        BENCH_MAKE(bench, &scene_heads, "head", names[h]);
        const float *values = bench_table(bench, "weights")->values;
        for (int i = 0; i < 144; i++) {
            mean[i] += (double)values[i] / 4;
            most[i] = fmax(most[i], (double)values[i]);
            difference[i] += h == 1 ? (double)values[i] : h == 3 ? -(double)values[i] : 0;
        }
    }
    BENCH_MAKE(bench, &scene_heads, "reduce", "mean");
    assert_cells(bench_table(bench, "weights"), mean, 1e-6);
    BENCH_MAKE(bench, &scene_heads, "reduce", "max");
    assert_cells(bench_table(bench, "weights"), most, 0);
    BENCH_MAKE(bench, &scene_heads, "head", "1", "minus", "3");
    assert_cells(bench_table(bench, "weights"), difference, 1e-6);
    assert_int_equal(bench_table(bench, "weights")->kind, TABLE_SIGNED);
    /* Of one head the mean and the maximum are the head itself. */
    BENCH_MAKE(bench, &scene_heads, "heads", "1", "reduce", "max", "maps", "1 0; 0 1");
    assert_null(strstr(bench_table(bench, "weights")->notes[0], "maximum"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_heads, "minus", "1", "reduce", "max"), "both"));
}

static void test_A13_scale_of_a_head(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_heads, "d-model", "128", "heads", "4");
    Probe probe = bench_probe(bench, 1, 2);
    bench_line(&probe, "d_k = d_model ÷ heads", "32");
    double raw = NAN, scaled = NAN;
    for (int i = 0; i < probe.line_count; i++) {
        const char *value = probe.lines[i].value;
        bool minus = strncmp(value, "−", strlen("−")) == 0;
        double number = (minus ? -1 : 1) * strtod(minus ? value + strlen("−") : value, NULL);
        if (strcmp(probe.lines[i].name, "q · k, head 0") == 0) raw = number;
        if (strcmp(probe.lines[i].name, "÷ √32") == 0) scaled = number;
    }
    assert_near(raw / sqrt(32), scaled, 1e-3);
    Split split = {12, 12, 128, 4, 32}, wide = {12, 12, 512, 8, 64};
    assert_string_equal(split_words(&bench->assets, &split), "d_model 128 = 4 heads × 32");
    assert_string_equal(split_words(&bench->assets, &wide), "d_model 512 = 8 heads × 64");
}

static void test_A15_the_mean_is_no_head(void **state) {
    Bench *bench = *state;
    const char *maps = "1 0; 0 1; 0 1; 1 0";
    BENCH_MAKE(bench, &scene_heads, "maps", maps, "heads", "2", "reduce", "mean");
    const Table *mean = bench_table(bench, "weights");
    assert_cells(mean, (double[]){0.5, 0.5, 0.5, 0.5}, 0);
    assert_string_equal(mean->title, "mean of 2 heads");
    assert_true(says(mean, "entropy of 0.693147 nats, those of the heads 0.000000"));
    BENCH_MAKE(bench, &scene_heads, "maps", maps, "heads", "2", "reduce", "mean", "stage",
               "entropy");
    const Table *entropy = bench_table(bench, "entropy");
    assert_cells(entropy, (double[]){0, 0, 0, 0, log(2), log(2)}, 1e-6);
    assert_string_equal(entropy->rows.labels[2].text, "mean of 2 heads");
    assert_non_null(strstr(scene_heads.caption(bench->state, &bench->assets), "entropy"));
    BENCH_MAKE(bench, &scene_heads, "maps", maps, "heads", "2", "stage", "agreement");
    assert_cells(bench_table(bench, "agreement"), (double[]){1, 0, 0, 1}, 1e-6);
    BENCH_MAKE(bench, &scene_heads, "maps", maps, "heads", "2", "stage", "distance");
    assert_cells(bench_table(bench, "distance"), (double[]){0, 0, 1, 1}, 1e-6);
}

static void test_A20_rollout(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_heads, "maps", ".8 .2; .4 .6; .4 .6; .4 .6", "heads", "2", "reduce",
               "max", "stage", "rollout");
    assert_cells(bench_table(bench, "rollout"), (double[]){0.75, 0.25, 0.2, 0.8}, 1e-6);
    BENCH_MAKE(bench, &scene_heads, "maps", ".9 .1; .2 .8; .5 .5; .3 .7", "heads", "1", "residual",
               "1", "stage", "rollout");
    assert_cells(bench_table(bench, "rollout"), (double[]){0.55, 0.45, 0.41, 0.59}, 1e-6);
    assert_string_equal(bench_table(bench, "rollout")->title, "rollout over 2 layers");
}

/* The ground colour of cell (row, column) of the chosen map: its top left corner has no digit. */
static Color cell_color(Bench *bench, Canvas *canvas, int row, int column, int rows) {
    int x, y, w, h;
    const char *text = scene_heads.geometry(bench->state, canvas, canvas->clip, &bench->assets);
    assert_int_equal(sscanf(strstr(text, "matrix "), "matrix %d %d %d %d", &x, &y, &w, &h), 4);
    int at_x = x + w * column / rows + 1, at_y = y + h * row / rows + 1;
    return canvas->pixels[(size_t)at_y * (size_t)canvas->stride + (size_t)at_x];
}

static void draw_maps(Bench *bench, Canvas *canvas, const char *head, const char *range) {
    BENCH_MAKE(bench, &scene_heads, "maps",
               ".25 .25 .25 .25; .25 .25 .25 .25; .25 .25 .25 .25; .25 .25 .25 .25;"
               "1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1",
               "heads", "2", "head", head, "range", range);
    canvas_fill(canvas, canvas->clip, canvas->theme->bg);
    scene_heads.draw(bench->state, canvas, canvas->clip);
}

static void test_D2_one_scale_for_all_heads(void **state) {
    Bench *bench = *state;
    Canvas canvas = bench_canvas(bench, &bench->assets, 900, 600);
    const Color *map = palette_table(palette_resolve(PALETTE_AUTO, false, canvas.theme));
    draw_maps(bench, &canvas, "0", "unit");
    assert_int_equal(cell_color(bench, &canvas, 1, 2, 4), map[64]);
    assert_int_equal(cell_color(bench, &canvas, 3, 3, 4), map[64]);
    draw_maps(bench, &canvas, "1", "unit");
    assert_int_equal(cell_color(bench, &canvas, 2, 2, 4), map[PALETTE_STEPS - 1]);
    assert_int_equal(cell_color(bench, &canvas, 2, 1, 4), map[0]);
    draw_maps(bench, &canvas, "0", "max"); /* a scale of its own: .25 is now its end */
    assert_int_equal(cell_color(bench, &canvas, 1, 2, 4), map[PALETTE_STEPS - 1]);
}

static void test_a_point_in_any_map_is_its_cell(void **state) {
    Bench *bench = *state;
    Canvas canvas = bench_canvas(bench, &bench->assets, 900, 700);
    BENCH_MAKE(bench, &scene_heads, "mask", "causal");
    int found = 0;
    for (int y = 0; y < 700; y += 5)
        for (int x = 0; x < 900; x += 5) {
            Cell cell;
            if (!scene_heads.locate(bench->state, &canvas, canvas.clip, x, y, &cell)) continue;
            found += cell.row == 3 && cell.column == 5;
        }
    assert_true(found >= 4);
    assert_int_equal(table_state(bench_table(bench, "weights"), 3, 5), CELL_BLOCKED);
    Probe probe = bench_probe(bench, 5, 3);
    bench_line(&probe, "d_k = d_model ÷ heads", "32");
}

/* A cell of a map that is not the chosen one: its table, its numbers and the line of a click. */
static void test_any_map_can_be_pointed_at_and_chosen(void **state) {
    Bench *bench = *state;
    Canvas canvas = bench_canvas(bench, &bench->assets, 1100, 900);
    BENCH_MAKE(bench, &scene_heads, "all-layers", "on", "layer", "2", "head", "1");
    int x, y, w, h;
    const char *text = scene_heads.geometry(bench->state, &canvas, canvas.clip, &bench->assets);
    assert_int_equal(sscanf(strstr(text, "matrix "), "matrix %d %d %d %d", &x, &y, &w, &h), 4);
    BENCH_MAKE(bench, &scene_heads, "all-layers", "on", "layer", "1", "head", "3");
    Cell cell, inside;
    assert_true(scene_heads.locate(bench->state, &canvas, canvas.clip, x + 1, y + 1, &cell));
    inside = cell;
    const Table *table = scene_heads.part(bench->state, &inside);
    assert_int_equal(inside.row, 0);
    assert_int_equal(inside.column, 0);
    assert_string_equal(scene_heads.choose(bench->state, cell, &bench->assets),
                        "set layer 2 head 1");
    Probe probe = bench_probe(bench, cell.row, cell.column);
    float there = table_value(table, 0, 0);
    assert_true(probe.value == there);
    assert_non_null(probe.lines[0].name);
    assert_string_equal(probe.lines[1].name, "layer 2, head 1");
    assert_true(probe.lines[1].hot && !probe.lines[3].hot);
    assert_null(scene_heads.choose(bench->state, (Cell){0, 0}, &bench->assets));
    BENCH_MAKE(bench, &scene_heads, "layer", "2", "head", "1");
    assert_true(table_value(bench_table(bench, "weights"), 0, 0) == there);
}

/* A knob that changes neither text nor model finds the run as it was; a refusal leaves it. */
static void test_runs_are_kept(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_heads, "reduce", "mean");
    BENCH_MAKE(bench, &scene_heads, "head", "1");
    const float *values = bench_table(bench, "weights")->values;
    BENCH_FAIL(bench, &scene_heads, "text", "the film", "head", "9");
    BENCH_MAKE(bench, &scene_heads, "head", "1");
    assert_ptr_equal(bench_table(bench, "weights")->values, values);
    BENCH_MAKE(bench, &scene_heads, "head", "1", "seed", "2");
    assert_ptr_not_equal(bench_table(bench, "weights")->values, values);
}

static void test_refuses(void **state) {
    Bench *bench = *state;
    const char *error = BENCH_FAIL(bench, &scene_heads, "d-model", "130", "heads", "4");
    assert_non_null(strstr(error, "130"));
    assert_non_null(strstr(error, "4"));
    assert_non_null(
        strstr(BENCH_FAIL(bench, &scene_heads, "d-model", "36", "heads", "4", "rope", "on"), "9"));
    assert_string_equal(BENCH_FAIL(bench, &scene_heads, "head", "4"),
                        "head 4: there are 4 heads, counted from 0");
    assert_string_equal(BENCH_FAIL(bench, &scene_heads, "layer", "4"),
                        "layer 4: there are 4 layers, counted from 0");
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_heads, "maps", "1 0; 0 1; 1 0", "heads", "2"),
                           "3 rows of 2 columns; with 2 heads a layer has 4 rows"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_heads, "maps", "1 -1; 0 1", "heads", "1"),
                           "row 1, column 2 is -1"));
    assert_non_null(strstr(BENCH_FAIL(bench, &scene_heads, "maps", "nan 1; 0 1", "heads", "1"),
                           "row 1, column 1"));
}

/* A model of one layer whose projections are the identity, in a file. wide: columns of Wk. */
static const char *write_model(Bench *bench, int wide, const char *heads) {
    enum { D = 8 };
    float *identity = ARENA_ARRAY(&bench->assets, float, D *D);
    float *entry = ARENA_ARRAY(&bench->assets, float, D *BENCH_WIDTH);
    for (int i = 0; i < D; i++) identity[i * D + i] = entry[i * BENCH_WIDTH + i] = 1;
    SafeOut tensors[] = {{"l0.self.q.weight", SAFE_F32, 2, {D, D}, identity},
                         {"l0.self.k.weight", SAFE_F32, 2, {D, wide}, identity},
                         {"l0.self.v.weight", SAFE_F32, 2, {D, D}, identity},
                         {"l0.self.o.weight", SAFE_F32, 2, {D, D}, identity},
                         {"entry.weight", SAFE_F32, 2, {D, BENCH_WIDTH}, entry}};
    const char *metadata[] = {"heads", heads};
    const char *path = file_join(&bench->assets, bench->folder, "a.txt");
    assert_true(safetensors_write(path, tensors, 5, metadata, 1, &bench->err));
    return path;
}

static void test_a_model_from_a_file(void **state) {
    Bench *bench = *state;
    BENCH_MAKE(bench, &scene_heads, "model", write_model(bench, 8, "2"), "head", "1");
    const Table *weights = bench_table(bench, "weights");
    assert_false(says(weights, "random"));
    Probe probe = bench_probe(bench, 0, 0);
    bench_line(&probe, "d_k = d_model ÷ heads", "4");
    for (int i = 0; i < 12; i++) assert_near(table_row_sum(weights, i), 1, 1e-6);
}

static void test_a_model_that_does_not_fit(void **state) {
    Bench *bench = *state;
    const char *error = BENCH_FAIL(bench, &scene_heads, "model", write_model(bench, 6, "2"));
    assert_non_null(
        strstr(error, "tensor \"l0.self.k.weight\" has the shape [8, 6], but [8, 8] is wanted"));
    error = BENCH_FAIL(bench, &scene_heads, "model", write_model(bench, 8, "3"));
    assert_non_null(strstr(error, "3"));
    error = BENCH_FAIL(bench, &scene_heads, "model", write_model(bench, 8, "two"));
    assert_non_null(strstr(error, "heads"));
    const char *text = bench_file(bench, "a.txt", "no model");
    assert_true(strlen(BENCH_FAIL(bench, &scene_heads, "model", text)) > 10);
}

static int set_up(void **state) {
    *state = bench_open();
    return 0;
}

static int tear_down(void **state) {
    bench_close(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_names_that_others_rely_on),
        TEST(test_random_weights_say_so_and_follow_the_seed),
        TEST(test_mean_maximum_and_difference),
        TEST(test_A13_scale_of_a_head),
        TEST(test_A15_the_mean_is_no_head),
        TEST(test_A20_rollout),
        TEST(test_D2_one_scale_for_all_heads),
        TEST(test_a_point_in_any_map_is_its_cell),
        TEST(test_any_map_can_be_pointed_at_and_chosen),
        TEST(test_runs_are_kept),
        TEST(test_refuses),
        TEST(test_a_model_from_a_file),
        TEST(test_a_model_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
