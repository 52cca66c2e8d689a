/* The heatmap: geometry, scale, states; and that the numbers can be read back from the
 * pixels. */
#include "draw/heatmap_parts.h"
#include "heatmap_tool.h"

#include <stdio.h>

static void test_C1_equal_labels_keep_their_rows(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 3, 3);
    static const char *const words[] = {"the", "cat", "the"};
    sheet.table.rows.labels = sheet.table.columns.labels = tool_labels(tool, words, 3, 3);
    for (int i = 0; i < 9; i++) sheet.values[i] = (float)(i + 1) / 9;
    tool_draw(tool, &sheet, 400, 300, 1, "light");
    for (int i = 0; i < 9; i++) expect_located(&sheet, i / 3, i % 3);
    assert_int_equal(tool_ground(&sheet, 2, 0), heatmap_color(&sheet.plan, &sheet.style, 7.0f / 9));
    assert_int_equal(tool_ground(&sheet, 0, 2), heatmap_color(&sheet.plan, &sheet.style, 3.0f / 9));
}

static void test_C13_rows_are_queries(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 2, 3);
    for (int i = 0; i < 6; i++) sheet.values[i] = (float)(i + 1) / 6;
    tool_draw(tool, &sheet, 500, 400, 1, "light");
    const HeatmapPlan *plan = &sheet.plan;
    assert_true(plan->cell > 0);
    assert_int_equal(plan->matrix.w, 3 * plan->cell);
    assert_int_equal(plan->matrix.h, 2 * plan->cell);
    int row = -1, column = -1;
    assert_true(heatmap_locate(plan, &sheet.table, &sheet.style,
                               plan->matrix.x + plan->matrix.w - 1,
                               plan->matrix.y + plan->matrix.h - 1, &row, &column));
    assert_int_equal(row, 1);
    assert_int_equal(column, 2);
    assert_int_equal(tool_ground(&sheet, 1, 2), heatmap_color(plan, &sheet.style, 1));
    assert_false(heatmap_locate(plan, &sheet.table, &sheet.style, plan->matrix.x - 1,
                                plan->matrix.y, &row, &column));
}

static void test_D1_one_key_takes_everything(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 1, 4);
    memcpy(sheet.values, (float[]){0.97f, 0.01f, 0.015f, 0.005f}, 4 * sizeof(float));
    tool_draw(tool, &sheet, 0, 0, 1, "light");
    assert_float_equal(sheet.plan.high, 1, 0);
    sheet.style.range = RANGE_SKIP;
    sheet.style.skip_column = 0;
    tool_draw(tool, &sheet, 0, 0, 1, "light");
    assert_float_equal(sheet.plan.high, 0.015f, 0);
    assert_true(sheet.plan.over);
    assert_non_null(
        strstr(heatmap_scale_words(&sheet.plan, &sheet.table, &sheet.style, &tool->arena),
               "without key 0"));
    sheet.style.range = RANGE_LOG;
    tool_draw(tool, &sheet, 0, 0, 1, "light");
    int second = heatmap_step(&sheet.plan, 0.01f), third = heatmap_step(&sheet.plan, 0.015f);
    assert_true(heatmap_step(&sheet.plan, 0.97f) > third + 20);
    assert_true(third > second + 10);
    assert_true(second > heatmap_step(&sheet.plan, 0.005f) + 10);
}

/* Grey levels of a cell's pixels, in their order. */
static void greys(const Sheet *sheet, int row, int column, int *out) {
    Rect cell = heatmap_cell(&sheet->plan, row, column);
    for (int y = 0; y < cell.h; y++)
        for (int x = 0; x < cell.w; x++)
            out[y * cell.w + x] =
                (int)(255 * color_luminance(tool_pixel(sheet, cell.x + x, cell.y + y)) + 0.5);
}

static bool look_alike(const Sheet *sheet, int a, int b) {
    int columns = sheet->table.columns.count, different = 0;
    enum { MOST = 120 * 120 };
    int first[MOST], second[MOST];
    int pixels = sheet->plan.cell_w * sheet->plan.cell_h;
    assert_true(pixels <= MOST);
    greys(sheet, a / columns, a % columns, first);
    greys(sheet, b / columns, b % columns, second);
    for (int i = 0; i < pixels; i++) different += abs(first[i] - second[i]) > 8;
    return different < 6;
}

static void test_D4_D5_states_tell_apart_in_grey(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 2, 4);
    memcpy(sheet.values, (float[]){0, NAN, -INFINITY, INFINITY, 0.5f, 0, 0, 0}, 8 * sizeof(float));
    sheet.states[5] = CELL_BLOCKED;
    sheet.states[6] = CELL_UNDEFINED;
    sheet.states[7] = CELL_MISSING;
    static const char *const themes[] = {"light", "dark", "print"};
    sheet.style.values = VALUES_OFF;
    for (int size = 300; size <= 700; size += 100) {
        for (int theme = 0; theme < 3; theme++) {
            tool_draw(tool, &sheet, size, size, 1, themes[theme]);
            for (int a = 0; a < 7; a++)
                for (int b = a + 1; b < 7; b++)
                    if (look_alike(&sheet, a, b)) fail_msg("%d and %d at %d", a, b, size);
        }
    }
    assert_float_equal(sheet.plan.low, 0, 0);
    assert_float_equal(sheet.plan.high, 1, 0);
    assert_false(sheet.plan.over || sheet.plan.under);
    sheet.style.range = RANGE_MAX;
    tool_draw(tool, &sheet, 500, 500, 1, "light");
    assert_float_equal(sheet.plan.high, 0.5f, 0);
    assert_true(sheet.plan.states == (1u << CELL_STATE_COUNT) - 1);
}

static void test_D5_small_score_is_no_blocked_cell(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 3, 3);
    for (int i = 0; i < 9; i++) sheet.states[i] = i % 3 > i / 3 ? CELL_BLOCKED : CELL_OK;
    tool_draw(tool, &sheet, 300, 300, 1, "light");
    assert_int_equal(tool_ground(&sheet, 2, 0), heatmap_color(&sheet.plan, &sheet.style, 0));
    assert_false(look_alike(&sheet, 6, 2));
    assert_true(sheet.plan.legend.h > 0);
}

static void test_D7_numbers_read_on_every_colour(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 5, 5);
    for (int i = 0; i < 25; i++) sheet.values[i] = (float)i / 24;
    for (int palette = 0; palette < PALETTE_COUNT; palette++) {
        sheet.style.palette = palette;
        tool_draw(tool, &sheet, 600, 400, 1, palette % 2 ? "light" : "dark");
        assert_true(sheet.plan.values);
        for (int i = 0; i < 25; i++) {
            Rect cell = heatmap_cell(&sheet.plan, i / 5, i % 5);
            Color ground = tool_ground(&sheet, i / 5, i % 5);
            double best = 1;
            for (int y = cell.y; y < cell.y + cell.h - sheet.plan.gap; y++)
                for (int x = cell.x; x < cell.x + cell.w - sheet.plan.gap; x++)
                    best = fmax(best, color_contrast(ground, tool_pixel(&sheet, x, y)));
            assert_true(best >= 4.3); /* the stems of the figures reach nearly the full colour */
        }
    }
}

static void test_D8_every_cell_has_its_number(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 3, 3);
    tool_fill(&sheet, 0, 1);
    tool_draw(tool, &sheet, 400, 300, 1, "light");
    assert_true(sheet.plan.values);
    for (int i = 0; i < 9; i++) {
        Rect cell = heatmap_cell(&sheet.plan, i / 3, i % 3);
        cell.w -= sheet.plan.gap;
        cell.h -= sheet.plan.gap;
        assert_true(count_in(&sheet, cell, tool_ground(&sheet, i / 3, i % 3)) > 20);
    }
}

static void test_D9_whole_rows_at_the_edges(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 5, 5);
    for (int i = 0; i < 25; i++) sheet.values[i] = (float)(i % 2);
    int size = 150;
    do {
        tool_draw(tool, &sheet, 400, size++, 1, "light");
    } while (sheet.plan.cell < 20);
    assert_int_equal(sheet.plan.cell, 20);
    assert_int_equal(sheet.plan.matrix.w, 100);
    assert_int_equal(sheet.plan.matrix.h, 100);
    Rect last = heatmap_cell(&sheet.plan, 4, 4), first = heatmap_cell(&sheet.plan, 0, 0);
    assert_int_equal(first.y, sheet.plan.matrix.y);
    assert_int_equal(first.h, 20);
    assert_int_equal(last.y + last.h, sheet.plan.matrix.y + 100);
    Color low = heatmap_color(&sheet.plan, &sheet.style, 0);
    assert_int_equal(tool_pixel(&sheet, first.x, first.y), low);
    assert_int_equal(tool_pixel(&sheet, last.x, last.y + 20 - 1 - sheet.plan.gap), low);
}

static void test_D12_located_cell_holds_the_weight(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 2, 2);
    memcpy(sheet.values, (float[]){0.5f, 0.5f, 0.25f, 0.75f}, 4 * sizeof(float));
    tool_draw(tool, &sheet, 400, 300, 1, "light");
    expect_located(&sheet, 1, 1);
    assert_int_equal(tool_ground(&sheet, 1, 1), heatmap_color(&sheet.plan, &sheet.style, 0.75f));
}

static void test_D13_scores_are_centred_on_zero(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 1, 3);
    memcpy(sheet.values, (float[]){-6, 0, 2}, 3 * sizeof(float));
    sheet.table.kind = TABLE_SIGNED;
    tool_draw(tool, &sheet, 400, 300, 1, "light");
    assert_float_equal(sheet.plan.low, -6, 0);
    assert_float_equal(sheet.plan.high, 6, 0);
    assert_true(palette_diverging(sheet.plan.palette));
    assert_in_range(heatmap_step(&sheet.plan, 0), PALETTE_STEPS / 2 - 1, PALETTE_STEPS / 2);
    sheet.style.range = RANGE_LOG;
    tool_draw(tool, &sheet, 400, 300, 1, "light");
    assert_int_equal(sheet.plan.range, RANGE_MAX);
    sheet = tool_sheet(tool, 1, 2);
    memcpy(sheet.values, (float[]){0.1f, 0.9f}, 2 * sizeof(float));
    tool_draw(tool, &sheet, 400, 300, 1, "light");
    assert_float_equal(sheet.plan.low, 0, 0);
    assert_float_equal(sheet.plan.high, 1, 0);
}

static void test_A14_over_range_is_clipped_and_marked(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 1, 4);
    sheet.values[0] = 1.25f;
    tool_draw(tool, &sheet, 0, 0, 1, "light");
    assert_true(sheet.plan.over);
    assert_true(sheet.plan.legend.h > 0);
    Rect cell = heatmap_cell(&sheet.plan, 0, 0);
    Color ground = tool_ground(&sheet, 0, 0);
    assert_int_equal(ground, heatmap_color(&sheet.plan, &sheet.style, 1));
    int right = cell.x + cell.w - 1 - sheet.plan.gap;
    assert_true(color_contrast(ground, tool_pixel(&sheet, right, cell.y)) > 4.5);
}

static void test_E1_pooling_keeps_a_single_peak(void **state) {
    Tool *tool = *state;
    for (int n = 512; n <= 1500; n += 494) {
        Sheet sheet = tool_sheet(tool, n, n);
        tool_fill(&sheet, 0, 0.1f);
        sheet.values[(size_t)(n - 2) * (size_t)n + 77] = 1;
        tool_draw(tool, &sheet, 500, 420, 1, "light");
        const HeatmapPlan *plan = &sheet.plan;
        assert_true(plan->pool > 1);
        assert_int_equal(plan->cell, 0);
        assert_int_equal(plan->matrix.w, (n + plan->pool_x - 1) / plan->pool_x * plan->cell_w);
        expect_located(&sheet, n - 2, 77);
        assert_int_equal(tool_ground(&sheet, n - 2, 77), heatmap_color(plan, &sheet.style, 1));
        sheet.style.pool = POOL_MEAN;
        tool_draw(tool, &sheet, 500, 420, 1, "light");
        assert_int_not_equal(tool_ground(&sheet, n - 2, 77), heatmap_color(plan, &sheet.style, 1));
    }
}

static void test_E1_pooling_passes_over_blocked_cells(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 600, 600);
    memset(sheet.states, CELL_BLOCKED, 600 * 600);
    sheet.states[0] = CELL_OK;
    sheet.values[0] = 0.5f;
    sheet.values[600 * 600 - 1] = NAN;
    sheet.states[600 * 600 - 1] = CELL_OK;
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    assert_true(sheet.plan.pool > 1);
    assert_int_equal(tool_ground(&sheet, 0, 0), heatmap_color(&sheet.plan, &sheet.style, 0.5f));
    assert_int_equal(tool_ground(&sheet, 599, 599), sheet.canvas.theme->warn);
    sheet.values[1] = -INFINITY; /* hides neither numbers nor itself */
    sheet.values[sheet.plan.pool_x] = -INFINITY;
    sheet.states[1] = sheet.states[sheet.plan.pool_x] = CELL_OK;
    HeatmapBlock first = heatmap_block(&sheet.plan, &sheet.table, &sheet.style, 0, 0);
    assert_int_equal(first.state, CELL_OK);
    assert_float_equal(first.value, 0.5f, 0);
    HeatmapBlock second = heatmap_block(&sheet.plan, &sheet.table, &sheet.style, 0, 1);
    assert_int_equal(second.state, CELL_MINUS_INF);
    HeatmapBlock next = heatmap_block(&sheet.plan, &sheet.table, &sheet.style, 0, 2);
    assert_int_equal(next.state, CELL_BLOCKED);
}

static void test_signed_pooling_keeps_both_sides(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 600, 600);
    sheet.table.kind = TABLE_SIGNED;
    tool_fill(&sheet, -1, 1);
    sheet.values[601] = -9;
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    expect_located(&sheet, 1, 1);
    assert_int_equal(tool_ground(&sheet, 1, 1), heatmap_color(&sheet.plan, &sheet.style, -9));
}

static void test_long_tables_leave_the_square(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 12, 384);
    tool_draw(tool, &sheet, 700, 500, 1, "light");
    assert_int_equal(sheet.plan.pool_x, 1);
    assert_int_equal(sheet.plan.cell_w, 1);
    assert_in_range(sheet.plan.cell_h, 20, 40);
    for (int column = 0; column < 384; column += 7) expect_located(&sheet, 11, column);
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    assert_int_equal(sheet.plan.pool_y, 1);
    assert_true(sheet.plan.pool_x > 1);
}

static void expect_natural_cells(Tool *tool, int rows, int columns, int cell_w, int cell_h,
                                 double scale) {
    Sheet sheet = tool_sheet(tool, rows, columns);
    sheet.states[0] = CELL_BLOCKED;
    for (int natural = 0; natural < 2; natural++) {
        int width = 0, height = 0;
        tool_canvas(tool, &sheet, 1, 1, scale, "light");
        heatmap_natural(&sheet.canvas, &sheet.table, &sheet.style, &width, &height);
        sheet.style.natural = natural;
        tool_draw(tool, &sheet, width, height, scale, "light");
        assert_int_equal(sheet.plan.cell_w, cell_w);
        assert_int_equal(sheet.plan.cell_h, cell_h);
        assert_true(sheet.plan.legend.y + sheet.plan.legend.h <= height - 3);
        expect_free_border(&sheet);
    }
}

static void test_natural_size_gives_natural_cells(void **state) {
    Tool *tool = *state;
    expect_natural_cells(tool, 12, 12, 40, 40, 1);
    expect_natural_cells(tool, 12, 12, 80, 80, 2);
    expect_natural_cells(tool, 2, 3, 40, 40, 1);
    expect_natural_cells(tool, 1, 8, 40, 40, 1);
    expect_natural_cells(tool, 64, 64, 15, 15, 1);
    expect_natural_cells(tool, 106, 106, 9, 9, 1);
    expect_natural_cells(tool, 12, 384, 2, 40, 1);
}

static void test_values_are_asked_for_and_do_not_fit(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 40, 40);
    sheet.style.values = VALUES_ON;
    tool_fill(&sheet, 0, 1);
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    assert_true(sheet.plan.values_unfit);
    assert_true(sheet.plan.legend.h > 0);
    sheet.style.values = VALUES_AUTO;
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    assert_false(sheet.plan.values || sheet.plan.values_unfit);
}

/* The frame of the chosen cell is told from the cell, whatever its colour. */
static void test_frames_are_seen_on_every_colour(void **state) {
    Tool *tool = *state;
    static const char *const themes[] = {"light", "dark", "print"};
    for (int palette = 0; palette < PALETTE_COUNT; palette++)
        for (int i = 0; i < 3 * 16; i++) {
            Sheet sheet = tool_sheet(tool, 1, 1);
            sheet.values[0] = (float)(i / 3) / 15;
            sheet.style.palette = palette;
            sheet.style.row = sheet.style.column = 0;
            tool_draw(tool, &sheet, 300, 200, 1, themes[i % 3]);
            Rect cell = heatmap_cell(&sheet.plan, 0, 0);
            Color frame = tool_pixel(&sheet, cell.x, cell.y + cell.h / 2);
            Color ground = tool_pixel(&sheet, cell.x + 4, cell.y + 4);
            int apart = 0;
            for (int shift = 0; shift <= 16; shift += 8)
                apart += abs((int)(frame >> shift & 0xFF) - (int)(ground >> shift & 0xFF));
            assert_true(apart > 120);
        }
}

static void test_whole_numbers_have_no_point(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 12, 12);
    sheet.table.kind = TABLE_SIGNED;
    for (int i = 0; i < 144; i++) sheet.values[i] = (float)(i % 12 - i / 12);
    tool_draw(tool, &sheet, 600, 500, 1, "light");
    assert_true(sheet.plan.values);
    assert_int_equal(sheet.plan.decimals, 0);
    sheet.values[77] = 0.5f;
    tool_draw(tool, &sheet, 600, 500, 1, "light");
    assert_true(sheet.plan.decimals > 0);
}

/* On a scale that ends below 1 a single decimal would tell two or three numbers apart. */
static void test_small_scores_keep_two_decimals(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 12, 12);
    sheet.table.kind = TABLE_SIGNED;
    tool_fill(&sheet, -0.19f, 0.19f);
    int written = 0;
    for (int size = 320; size <= 560; size += 20) {
        tool_draw(tool, &sheet, size, size, 1, "light");
        if (sheet.plan.values) assert_true(sheet.plan.decimals >= 2);
        written += sheet.plan.values;
    }
    assert_true(written > 0);
}

/* Where no diagonal is to be seen, cells fill the place. */
static void test_oblong_tables_fill_their_place(void **state) {
    Tool *tool = *state;
    for (int oblong = 0; oblong < 2; oblong++) {
        Sheet sheet = tool_sheet(tool, 40, 128);
        sheet.style.oblong = oblong;
        tool_draw(tool, &sheet, 900, 600, 1, "light");
        assert_int_equal(sheet.plan.cell == 0, oblong);
        assert_int_equal(sheet.plan.matrix.h > 420, oblong);
        assert_true(sheet.plan.matrix.w > 600);
    }
}

/* The value whose step has this colour, or -1. */
static int step_of(const HeatmapPlan *plan, Color color) {
    const Color *colors = palette_table(plan->palette);
    int nearest = -1;
    for (int i = 0; i < PALETTE_STEPS; i++)
        if (colors[i] == color) nearest = i;
    return nearest;
}

/* Reads the numbers back with nothing but the note's lines and the pixels. */
static void test_numbers_come_back_from_the_colours(void **state) {
    Tool *tool = *state;
    for (int kind = TABLE_WEIGHTS; kind <= TABLE_COUNTS; kind++) {
        Sheet sheet = tool_sheet(tool, 9, 13);
        sheet.table.kind = (TableKind)kind;
        tool_fill(&sheet, kind == TABLE_SIGNED ? -3 : 0, 1);
        tool_draw(tool, &sheet, 600, 500, 1, kind == TABLE_SIGNED ? "dark" : "light");
        const char *note = heatmap_geometry(&sheet.plan, &sheet.style, &tool->arena);
        Rect m = {0};
        int cell_w = 0, cell_h = 0;
        float low = 0, high = 0;
        assert_int_equal(sscanf(note, "matrix %d %d %d %d\ncell %d %d", &m.x, &m.y, &m.w, &m.h,
                                &cell_w, &cell_h),
                         6);
        assert_int_equal(sscanf(strstr(note, "range"), "range %f %f", &low, &high), 2);
        assert_int_equal(m.w / cell_w, 13);
        assert_int_equal(m.h / cell_h, 9);
        for (int i = 0; i < 9 * 13; i++) {
            int step = step_of(&sheet.plan,
                               tool_pixel(&sheet, m.x + i % 13 * cell_w, m.y + i / 13 * cell_h));
            assert_true(step >= 0);
            float value = low + (high - low) * (float)step / (PALETTE_STEPS - 1);
            assert_float_equal(value, sheet.values[i], (high - low) / (PALETTE_STEPS - 1));
        }
    }
}

static void test_degenerate_tables_are_drawn(void **state) {
    Tool *tool = *state;
    for (int kind = TABLE_WEIGHTS; kind <= TABLE_COUNTS; kind++) {
        for (int range = RANGE_UNIT; range <= RANGE_SKIP; range++) {
            Sheet sheet = tool_sheet(tool, 3, 3);
            sheet.table.kind = (TableKind)kind;
            sheet.style.range = (HeatmapRange)range;
            tool_draw(tool, &sheet, 300, 300, 1, "light");
            assert_true(sheet.plan.high > sheet.plan.low);
            memset(sheet.states, CELL_BLOCKED, 9);
            tool_draw(tool, &sheet, 300, 300, 1, "light");
            assert_true(sheet.plan.high > sheet.plan.low);
        }
    }
    Sheet empty = tool_sheet(tool, 0, 0);
    tool_draw(tool, &empty, 300, 300, 1, "light");
    for (int size = 1; size < 200; size += 37) {
        Sheet sheet = tool_sheet(tool, 12, 12);
        tool_draw(tool, &sheet, size, size, 1, "light");
        assert_true(sheet.plan.matrix.w > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_C1_equal_labels_keep_their_rows),
        cmocka_unit_test(test_C13_rows_are_queries),
        cmocka_unit_test(test_D1_one_key_takes_everything),
        cmocka_unit_test(test_D4_D5_states_tell_apart_in_grey),
        cmocka_unit_test(test_D5_small_score_is_no_blocked_cell),
        cmocka_unit_test(test_D7_numbers_read_on_every_colour),
        cmocka_unit_test(test_D8_every_cell_has_its_number),
        cmocka_unit_test(test_D9_whole_rows_at_the_edges),
        cmocka_unit_test(test_D12_located_cell_holds_the_weight),
        cmocka_unit_test(test_D13_scores_are_centred_on_zero),
        cmocka_unit_test(test_A14_over_range_is_clipped_and_marked),
        cmocka_unit_test(test_E1_pooling_keeps_a_single_peak),
        cmocka_unit_test(test_E1_pooling_passes_over_blocked_cells),
        cmocka_unit_test(test_signed_pooling_keeps_both_sides),
        cmocka_unit_test(test_long_tables_leave_the_square),
        cmocka_unit_test(test_natural_size_gives_natural_cells),
        cmocka_unit_test(test_values_are_asked_for_and_do_not_fit),
        cmocka_unit_test(test_frames_are_seen_on_every_colour),
        cmocka_unit_test(test_whole_numbers_have_no_point),
        cmocka_unit_test(test_small_scores_keep_two_decimals),
        cmocka_unit_test(test_oblong_tables_fill_their_place),
        cmocka_unit_test(test_numbers_come_back_from_the_colours),
        cmocka_unit_test(test_degenerate_tables_are_drawn),
    };
    return cmocka_run_group_tests(tests, tool_open, tool_close);
}
