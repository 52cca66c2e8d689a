/* What holds for every scene: it documents itself, every knob works at both ends, its line makes it
 * again, its picture is the same each time, and a point of the picture is the cell that it shows.
 */
#include "scene_bench.h"

#include "base/words.h"
#include "draw/heatmap.h"

#include <math.h>

enum { FIGURE_WIDTH = 500, FIGURE_HEIGHT = 420 };

static void each_scene(Bench *bench, void (*check)(Bench *)) {
    int count = 0;
    const Scene **list = scene_list(&bench->assets, &count);
    assert_true(count >= 3);
    for (int i = 0; i < count; i++) {
        bench_scene(bench, list[i]);
        check(bench);
    }
}

static void test_list(void **state) {
    Bench *bench = *state;
    int count = 0;
    const Scene **list = scene_list(&bench->assets, &count);
    for (int i = 1; i < count; i++) {
        assert_true(list[i]->hidden >= list[i - 1]->hidden);
        if (list[i]->hidden == list[i - 1]->hidden)
            assert_true(list[i]->order > list[i - 1]->order);
    }
    for (int i = 0; i < count; i++) assert_ptr_equal(scene_find(list[i]->name, NULL), list[i]);
    assert_string_equal(list[0]->name, "raw");
    assert_null(scene_find("matrx", &bench->err));
    assert_string_equal(bench->err.text, "unknown scene \"matrx\"; did you mean matrix?");
    assert_true(bench->err.usage);
}

static bool is_sentence(const char *text) {
    return text && *text && text[strlen(text) - 1] == '.';
}

static void check_documents(Bench *bench) {
    const Scene *scene = bench->scene;
    assert_true(scene->name && scene->title && scene->menu && scene->group);
    assert_true(is_sentence(scene->lesson));
    assert_true(scene_stage_index(scene, scene->main_stage) >= 0);
    assert_non_null(knob_find(scene->knobs, scene->steps, &bench->err));
    for (int i = 0; scene->stages[i].name; i++)
        assert_true(scene->stages[i].label && is_sentence(scene->stages[i].help));
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        assert_true(knob->label && *knob->label && knob->help && *knob->help && knob->start);
        assert_true(knob->kind != KNOB_CHOICE || knob->choices);
        assert_true(knob->at < scene->state_size);
    }
}

static void test_every_scene_documents_itself(void **state) {
    each_scene(*state, check_documents);
}

/* Global options, and keys of the program (DESIGN: one key table) that a scene may not take. */
static void check_names(Bench *bench) {
    static const char *const taken[] = {"scale",  "size",   "theme", "frame", "format",
                                        "select", "assets", "o",     "help",  "version"};
    for (const Knob *knob = bench->scene->knobs; knob->name; knob++) {
        for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
            assert_string_not_equal(knob->name, taken[i]);
        assert_false(knob->key && strchr("TEQZY", knob->key));
        for (const Knob *other = knob + 1; other->name; other++) {
            assert_string_not_equal(knob->name, other->name);
            assert_false(knob->key && knob->key == other->key);
        }
    }
}

static void test_no_knob_is_a_global_option(void **state) {
    each_scene(*state, check_names);
}

static void assert_numbers_hold(const Table *table) {
    for (int i = 0; i < table->rows.count; i++)
        for (int j = 0; j < table->columns.count; j++) {
            CellState cell = table_state(table, i, j);
            assert_true(cell != CELL_NAN && cell != CELL_PLUS_INF);
            if (cell == CELL_OK) assert_true(isfinite(table_value(table, i, j)));
        }
}

/* Computes and draws; a refusal must be a sentence. */
static void try_state(Bench *bench) {
    if (!bench_compute(bench)) {
        assert_true(strlen(bench->err.text) > 10);
        return;
    }
    for (int i = 0; bench->scene->stages[i].name; i++) {
        const Table *table = bench->scene->table(bench->state, bench->scene->stages[i].name);
        if (table) assert_numbers_hold(table);
    }
    Arena scratch = bench->arena;
    Canvas canvas = bench_canvas(bench, &scratch, FIGURE_WIDTH, FIGURE_HEIGHT);
    bench->scene->draw(bench->state, &canvas, canvas.clip);
}

static void try_value(Bench *bench, const Knob *knob, const char *value) {
    bench_scene(bench, bench->scene);
    assert_true(knob_set(knob, bench->state, value, &bench->err));
    assert_string_equal(knob_get(knob, bench->state, &bench->assets), value);
    try_state(bench);
}

static void try_number(Bench *bench, const Knob *knob, double place) {
    bench_scene(bench, bench->scene);
    knob_put(knob, bench->state, place);
    try_value(bench, knob, knob_get(knob, bench->state, &bench->assets));
}

static void check_ends(Bench *bench) {
    for (const Knob *knob = bench->scene->knobs; knob->name; knob++) {
        bool number = knob->kind == KNOB_INT || knob->kind == KNOB_REAL;
        for (const KnobChoice *choice = knob->choices; choice && choice->name; choice++)
            try_value(bench, knob, choice->name);
        if (number) try_number(bench, knob, 0);
        if (number) try_number(bench, knob, 1);
        if (knob->kind == KNOB_SWITCH) try_value(bench, knob, "on");
        if (knob->kind == KNOB_SWITCH) try_value(bench, knob, "off");
        if (knob->kind == KNOB_TEXT || knob->kind == KNOB_FILE) try_value(bench, knob, "");
        if (knob->kind == KNOB_TEXT || knob->kind == KNOB_FILE) try_value(bench, knob, "/no \"x\\");
    }
}

static void test_every_knob_at_both_ends(void **state) {
    each_scene(*state, check_ends);
}

static void check_stages(Bench *bench) {
    for (int i = 0; bench->scene->stages[i].name; i++) {
        const char *stage = bench->scene->stages[i].name;
        bench_scene(bench, bench->scene);
        assert_true(bench_set(bench, "stage", stage));
        assert_true(bench_compute(bench));
        const Table *table = bench_table(bench, stage);
        assert_string_equal(table->stage, stage);
        assert_true(table->title && table->quantity && table->rows.count > 0);
        for (int n = 0; n < table->note_count; n++) assert_true(is_sentence(table->notes[n]));
        if (!bench->scene->probe) continue;
        Probe probe = bench_probe(bench, table->rows.count - 1, 0);
        assert_true(probe.line_count > 0 && probe.title && *probe.title);
        assert_false(bench->scene->probe(bench->state, &bench->assets, (Cell){table->rows.count, 0},
                                         &probe));
    }
}

static void test_every_stage_has_a_table(void **state) {
    each_scene(*state, check_stages);
}

/* Right goes through every step of the line once, and its letter goes around. */
static void check_walk(Bench *bench) {
    const Knob *knob = scene_steps(bench->scene);
    int walk[SCENE_STEPS_MAX], count = scene_walk(bench->scene, bench->state, walk);
    assert_true(count > 0);
    assert_true(bench_set(bench, knob->name, knob->choices[walk[0]].name));
    for (int i = 0; i < count; i++) {
        assert_true(bench_compute(bench));
        assert_int_equal(knob_choice(knob, bench->state), walk[i]);
        assert_int_equal(scene_walk_next(bench->scene, bench->state, 1),
                         i + 1 < count ? walk[i + 1] : -1);
        assert_int_equal(scene_walk_next(bench->scene, bench->state, -1), i ? walk[i - 1] : -1);
        assert_int_equal(scene_step(bench->scene, bench->state, knob, 1), count > 1);
    }
    assert_int_equal(knob_choice(knob, bench->state), walk[0]);
    scene_step(bench->scene, bench->state, knob, -1);
    assert_int_equal(knob_choice(knob, bench->state), walk[count - 1]);
}

static void test_every_step_is_walked_through(void **state) {
    each_scene(*state, check_walk);
}

/* Another state, by stepping every knob; its line, split again, makes the same state. */
static void check_line(Bench *bench) {
    assert_string_equal(scene_line(bench->scene, bench->state, &bench->assets), bench->scene->name);
    for (const Knob *knob = bench->scene->knobs; knob->name; knob++)
        if (knob->kind == KNOB_TEXT)
            assert_true(knob_set(knob, bench->state, "a \"b\"\t\\n\n# \xC3\xA9", &bench->err));
        else
            knob_step(knob, bench->state, 1);
    const char *line = scene_line(bench->scene, bench->state, &bench->assets), **words;
    int count = 0;
    assert_true(words_split(line, &bench->assets, &words, &count, &bench->err));
    assert_string_equal(words[0], bench->scene->name);
    bench_scene(bench, bench->scene);
    for (int i = 1; i + 1 < count; i += 2)
        assert_true(bench_set(bench, words[i] + 2, words[i + 1]));
    assert_string_equal(scene_line(bench->scene, bench->state, &bench->assets), line);
    assert_true(count > 5);
}

static void test_the_line_makes_the_state_again(void **state) {
    each_scene(*state, check_line);
}

static uint32_t *picture(Bench *bench) {
    assert_true(bench_compute(bench));
    Canvas canvas = bench_canvas(bench, &bench->assets, FIGURE_WIDTH, FIGURE_HEIGHT);
    bench->scene->draw(bench->state, &canvas, canvas.clip);
    return canvas.pixels;
}

static void check_same_pixels(Bench *bench) {
    size_t bytes = (size_t)FIGURE_WIDTH * FIGURE_HEIGHT * sizeof(uint32_t);
    uint32_t *first = picture(bench);
    bench_scene(bench, bench->scene);
    uint32_t *second = picture(bench);
    assert_memory_equal(first, second, bytes);
}

static void test_E16_the_same_pixels_twice(void **state) {
    each_scene(*state, check_same_pixels);
}

/* Every cell of the main table has points in the figure, and nothing outside is a cell. Curves may
 * meet, and then only one of them can be pointed at: of those, every row. */
static void check_locate(Bench *bench) {
    const Scene *scene = bench->scene;
    assert_true(bench_compute(bench));
    const Table *table = bench_table(bench, scene->main_stage);
    Canvas canvas = bench_canvas(bench, &bench->assets, 900, 700);
    const char *geometry = scene->geometry(bench->state, &canvas, canvas.clip, &bench->assets);
    bool curves = strncmp(geometry, "plot ", 5) == 0;
    int columns = curves ? 1 : table->columns.count;
    int cells = table->rows.count * columns, found = 0;
    bool *seen = ARENA_ARRAY(&bench->assets, bool, cells);
    HeatmapCache kept = heatmap_cache(bench_full); /* as a window has one */
    canvas.heatmaps = &kept;
    for (int y = 0; y < 700; y += curves ? 40 : 3)
        for (int x = 0; x < 900; x += curves ? 1 : 3) {
            Cell cell;
            Arena scratch = bench->assets;
            canvas.arena = &scratch;
            if (!scene->locate(bench->state, &canvas, canvas.clip, x, y, &cell)) continue;
            if (scene->part) assert_non_null(scene->part(bench->state, &cell));
            assert_true(cell.row >= 0 && cell.row < table->rows.count);
            assert_true(cell.column >= 0 && cell.column < table->columns.count);
            int at = cell.row * columns + cell.column % columns;
            found += !seen[at];
            seen[at] = true;
        }
    heatmap_cache_close(&kept);
    assert_int_equal(found, cells);
}

static void test_every_cell_can_be_pointed_at(void **state) {
    each_scene(*state, check_locate);
}

static void check_natural(Bench *bench) {
    assert_true(bench_compute(bench));
    Arena scratch = bench->arena;
    Canvas canvas = bench_canvas(bench, &scratch, 8, 8);
    int width = 0, height = 0, twice = 0, high = 0;
    bench->scene->natural(bench->state, &canvas, &width, &height);
    assert_true(width >= 100 && width < 4000 && height >= 100 && height < 4000);
    canvas.scale = 2;
    bench->scene->natural(bench->state, &canvas, &twice, &high);
    assert_true(twice > width * 3 / 2 && high > height * 3 / 2);
    const char *geometry =
        bench->scene->geometry(bench->state, &canvas, (Rect){0, 0, 800, 800}, &bench->assets);
    assert_true(strstr(geometry, "matrix ") || strstr(geometry, "plot "));
}

static void test_natural_size_and_geometry(void **state) {
    each_scene(*state, check_natural);
}

/* The choices of the view's knobs stand for numbers of the enums in draw. */
static void test_view_choices(void **state) {
    (void)state;
    for (int i = 0; i < PALETTE_COUNT; i++)
        assert_string_equal(stage_palettes[i].name, palette_name(i));
    assert_null(stage_palettes[PALETTE_COUNT].name);
    assert_string_equal(stage_ranges[RANGE_SKIP].name, "skip");
    assert_string_equal(stage_values[VALUES_AUTO].name, "auto");
    assert_string_equal(stage_pools[POOL_MEAN].name, "mean");
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
        TEST(test_list),
        TEST(test_every_scene_documents_itself),
        TEST(test_no_knob_is_a_global_option),
        TEST(test_every_knob_at_both_ends),
        TEST(test_every_stage_has_a_table),
        TEST(test_every_step_is_walked_through),
        TEST(test_the_line_makes_the_state_again),
        TEST(test_E16_the_same_pixels_twice),
        TEST(test_every_cell_can_be_pointed_at),
        TEST(test_natural_size_and_geometry),
        TEST(test_view_choices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
