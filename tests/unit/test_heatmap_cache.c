/* What heatmaps keep beside a canvas: pictures are the same with and without it, while the picture
 * moves and after the numbers have changed; and squares stay squares of the same cells. */
#include "draw/heatmap_parts.h"
#include "heatmap_tool.h"

#include <stdio.h>

enum { ROWS = 403, COLUMNS = 517, SIZE = 300 };

/* Numbers with a bit of everything in them. */
static Sheet mixed_sheet(Tool *tool, TableKind kind) {
    Sheet sheet = tool_sheet(tool, ROWS, COLUMNS);
    sheet.table.kind = kind;
    tool_fill(&sheet, kind == TABLE_SIGNED ? -1 : 0, 1);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            int at = i * COLUMNS + j;
            if (j > i) sheet.states[at] = CELL_BLOCKED;
            if (at % 5003 == 7) sheet.values[at] = NAN;
            if (at % 7001 == 9) sheet.values[at] = INFINITY;
            if (i > 380) sheet.values[at] = -INFINITY;
            if (at % 3 == 0 && i % 2) sheet.values[at] = -sheet.values[at ? at - 1 : 0];
        }
    table_seal(&sheet.table, sheet.states);
    return sheet;
}

static void draw_on(Tool *tool, Sheet *sheet, HeatmapCache *cache) {
    tool_canvas(tool, sheet, SIZE, SIZE, 1, "light");
    sheet->canvas.heatmaps = cache;
    sheet->plan = heatmap_plan(&sheet->canvas, sheet->canvas.clip, &sheet->table, &sheet->style);
    heatmap_draw(&sheet->canvas, &sheet->plan, &sheet->table, &sheet->style);
}

static void expect_same_picture(Tool *tool, Sheet *sheet, HeatmapCache *cache) {
    Arena mark = tool->arena;
    draw_on(tool, sheet, cache);
    Sheet plain = *sheet;
    draw_on(tool, &plain, NULL);
    assert_memory_equal(sheet->canvas.pixels, plain.canvas.pixels,
                        (size_t)SIZE * SIZE * sizeof *plain.canvas.pixels);
    tool->arena = mark;
}

static void test_a_kept_picture_is_the_picture(void **state) {
    Tool *tool = *state;
    static const TableKind kinds[] = {TABLE_WEIGHTS, TABLE_SIGNED};
    HeatmapCache cache = heatmap_cache(tool_full);
    for (int kind = 0; kind < 2; kind++) {
        Sheet sheet = mixed_sheet(tool, kinds[kind]);
        for (int how = POOL_MAX; how <= POOL_MEAN; how++) {
            sheet.style.pool = (HeatmapPool)how;
            for (int turn = 0; turn < 24; turn++) {
                sheet.style.zoom = 1 + turn % 4 * 0.5;
                sheet.style.pan_x = turn / 23.0;
                sheet.style.pan_y = (23 - turn) / 23.0;
                sheet.style.range = turn % 5 ? RANGE_UNIT : RANGE_SKIP;
                sheet.style.skip_column = turn;
                expect_same_picture(tool, &sheet, &cache);
            }
        }
    }
    assert_non_null(cache.kept);
    heatmap_cache_close(&cache);
}

/* The same memory with other numbers: whoever changed them says so. */
static void test_new_numbers_in_the_same_place(void **state) {
    Tool *tool = *state;
    HeatmapCache cache = heatmap_cache(tool_full);
    Sheet sheet = mixed_sheet(tool, TABLE_WEIGHTS);
    expect_same_picture(tool, &sheet, &cache);
    tool_fill(&sheet, 0.5f, 1);
    memset(sheet.states, CELL_OK, (size_t)ROWS * COLUMNS);
    table_seal(&sheet.table, sheet.states);
    heatmap_forget(&cache);
    assert_null(cache.kept);
    expect_same_picture(tool, &sheet, &cache);
    heatmap_cache_close(&cache);
}

/* A table that is not sealed may change at any time: nothing of it is kept. */
static void test_open_tables_are_not_kept(void **state) {
    Tool *tool = *state;
    HeatmapCache cache = heatmap_cache(tool_full);
    Sheet sheet = tool_sheet(tool, ROWS, COLUMNS);
    draw_on(tool, &sheet, &cache);
    assert_true(sheet.plan.pool > 1);
    assert_null(cache.kept);
    assert_int_equal(cache.plan_count, 0);
    heatmap_cache_close(&cache);
}

static void test_moving_keeps_squares_together(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, ROWS, COLUMNS);
    sheet.style.zoom = 1.3;
    for (int turn = 0; turn <= 40; turn++) {
        sheet.style.pan_x = sheet.style.pan_y = turn / 40.0;
        draw_on(tool, &sheet, NULL);
        const HeatmapPlan *plan = &sheet.plan;
        assert_true(plan->pool > 1);
        assert_int_equal(plan->first_row % plan->pool_y, 0);
        assert_int_equal(plan->first_column % plan->pool_x, 0);
        assert_true(plan->first_row + plan->shown_rows <= ROWS);
    }
    assert_int_equal(sheet.plan.first_row + sheet.plan.shown_rows, ROWS);
    assert_int_equal(sheet.plan.first_column + sheet.plan.shown_columns, COLUMNS);
}

/* A square of the line and the square that a question for its place makes. */
static void test_squares_agree_with_their_line(void **state) {
    Tool *tool = *state;
    Sheet sheet = mixed_sheet(tool, TABLE_SIGNED);
    draw_on(tool, &sheet, NULL);
    const HeatmapPlan *plan = &sheet.plan;
    int across = heatmap_squares_across(plan);
    HeatmapBlock *room = ARENA_ARRAY(&tool->arena, HeatmapBlock, across);
    for (int down = 0; down < heatmap_squares_down(plan); down++) {
        const HeatmapBlock *line =
            heatmap_squares(&sheet.canvas, plan, &sheet.table, &sheet.style, down, room);
        for (int i = 0; i < across; i++) {
            HeatmapBlock one = heatmap_block(plan, &sheet.table, &sheet.style, down, i);
            assert_int_equal(line[i].state, one.state);
            if (one.state == CELL_OK) assert_true(line[i].value == one.value);
        }
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tool_open, tool_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_kept_picture_is_the_picture), TEST(test_new_numbers_in_the_same_place),
        TEST(test_open_tables_are_not_kept),      TEST(test_moving_keeps_squares_together),
        TEST(test_squares_agree_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
