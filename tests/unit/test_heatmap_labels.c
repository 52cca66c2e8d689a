/* Labels beside a heatmap: none is lost, none leaves the picture, none moves by a selection. */
#include "draw/heatmap_parts.h"
#include "heatmap_tool.h"

static Sheet byte_sheet(Tool *tool) {
    static const uint8_t bytes[] = {0xE6, 0x9D, 0xB1, 0xF0, 0x9F, 0x99, 0x82};
    const LabelBytes tokens[] = {{bytes, 2}, {bytes + 2, 1}, {bytes + 3, 2}, {bytes + 5, 2}};
    Sheet sheet = tool_sheet(tool, 4, 4);
    sheet.table.rows.labels = sheet.table.columns.labels = label_tokens(&tool->arena, tokens, 4);
    return sheet;
}

static void test_C3_C4_brackets_take_room_and_are_drawn(void **state) {
    Tool *tool = *state;
    Sheet sheet = byte_sheet(tool);
    tool_draw(tool, &sheet, 500, 400, 1, "light");
    HeatmapSide side = heatmap_side(&sheet.plan, &sheet.table, &sheet.style, true);
    TextStyle bold = {FONT_BOLD, side.size, 0};
    int longest = font_width(&sheet.canvas, bold, sheet.table.rows.labels[0].text);
    assert_true(side.room > longest + 9);
    Rect left = sheet.plan.row_labels;
    left.w -= longest;
    assert_true(count_in(&sheet, left, sheet.canvas.theme->bg) > 20);
    Rect above = sheet.plan.column_labels;
    above.h -= longest;
    assert_true(count_in(&sheet, above, sheet.canvas.theme->bg) > 20);
    assert_false(heatmap_side_shortened(&sheet.canvas, &side, 0));
}

static void test_C8_blank_tokens_have_visible_labels(void **state) {
    Tool *tool = *state;
    static const uint8_t bytes[] = " \n\ta";
    const LabelBytes tokens[] = {
        {bytes, 1}, {bytes + 1, 1}, {bytes + 2, 1}, {bytes, 0}, {bytes + 3, 1}};
    Sheet sheet = tool_sheet(tool, 5, 5);
    sheet.table.rows.labels = label_tokens(&tool->arena, tokens, 5);
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    for (int row = 0; row < 5; row++) {
        Rect cell = heatmap_cell(&sheet.plan, row, 0);
        Rect label = {sheet.plan.row_labels.x, cell.y, sheet.plan.row_labels.w, cell.h};
        assert_true(count_in(&sheet, label, sheet.canvas.theme->bg) > 3);
    }
}

static void test_C10_forty_labels_in_400_pixels(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 40, 40);
    sheet.style.row = 13;
    tool_draw(tool, &sheet, 400, 400, 1, "light");
    HeatmapSide side = heatmap_side(&sheet.plan, &sheet.table, &sheet.style, true);
    assert_true(heatmap_side_written(&side, 13));
    if (sheet.plan.row_label_step > 1) {
        assert_true(sheet.plan.legend.h > 0);
        assert_false(heatmap_side_written(&side, 12));
    }
    int pitch = sheet.plan.row_label_step * sheet.plan.cell_h;
    assert_true(pitch >= sheet.plan.row_label_size);
    expect_free_border(&sheet);
    tool_draw(tool, &sheet, 900, 900, 1, "light");
    assert_int_equal(sheet.plan.row_label_step, 1);
    assert_int_equal(sheet.plan.column_label_step, 1);
}

static void test_C11_a_long_label_stays_inside(void **state) {
    Tool *tool = *state;
    char name[61] = {0};
    memset(name, 'W', 60);
    const char *const words[] = {"a", name, "c"};
    Sheet sheet = tool_sheet(tool, 3, 3);
    sheet.table.columns.labels = tool_labels(tool, words, 3, 3);
    sheet.style.labels_below = true;
    for (int size = 0; size <= 600; size += 200) {
        tool_draw(tool, &sheet, size, size, size == 400 ? 1.5 : 1, "light");
        HeatmapSide side = heatmap_side(&sheet.plan, &sheet.table, &sheet.style, false);
        assert_true(heatmap_side_shortened(&sheet.canvas, &side, 1));
        assert_false(heatmap_side_shortened(&sheet.canvas, &side, 2));
        assert_true(sheet.plan.below.h > 0);
        assert_true(sheet.plan.below.y + sheet.plan.below.h <= sheet.canvas.height - 3);
        expect_free_border(&sheet);
    }
}

static void test_zoom_shows_a_part_with_its_labels(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 40, 40);
    tool_fill(&sheet, 0, 1);
    sheet.style.zoom = 4;
    sheet.style.pan_x = 1;
    sheet.style.pan_y = 0.5;
    tool_draw(tool, &sheet, 600, 500, 1, "light");
    assert_int_equal(sheet.plan.shown_rows, 10);
    assert_int_equal(sheet.plan.first_column, 30);
    assert_int_equal(sheet.plan.first_row, 15);
    for (int i = 0; i < 10; i++) expect_located(&sheet, 15 + i, 39 - i);
    assert_int_equal(heatmap_cell(&sheet.plan, 14, 30).w, 0);
}

static void test_selection_does_not_move_the_figure(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 12, 12);
    tool_draw(tool, &sheet, 600, 500, 1, "light");
    Rect before = sheet.plan.matrix;
    for (int i = 0; i < 12; i++) {
        sheet.style.row = sheet.style.column = i;
        tool_draw(tool, &sheet, 600, 500, 1, "light");
        assert_memory_equal(&sheet.plan.matrix, &before, sizeof before);
    }
}

static void test_C10_the_chosen_label_is_whole(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 300, 300);
    sheet.style.row = 33;
    Label *labels = tool_labels(tool, NULL, 0, 300);
    labels[33] = label_plain(&tool->arena, "longer than all others");
    sheet.table.rows.labels = labels;
    tool_draw(tool, &sheet, 700, 480, 1, "light");
    assert_true(sheet.plan.row_label_step > 1 && 33 % sheet.plan.row_label_step != 0);
    TextStyle bold = {FONT_BOLD, sheet.plan.row_label_size, 0};
    int width = font_width(&sheet.canvas, bold, labels[33].text);
    assert_true(width > sheet.plan.row_labels.w);
    Rect cell = heatmap_cell(&sheet.plan, 33, 0), rows = sheet.plan.row_labels;
    Rect begin = {rows.x + rows.w - width, cell.y - 5, 8, 10};
    assert_true(count_in(&sheet, begin, sheet.canvas.theme->bg) > 5);
    expect_free_border(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_C3_C4_brackets_take_room_and_are_drawn),
        cmocka_unit_test(test_C8_blank_tokens_have_visible_labels),
        cmocka_unit_test(test_C10_forty_labels_in_400_pixels),
        cmocka_unit_test(test_C11_a_long_label_stays_inside),
        cmocka_unit_test(test_C10_the_chosen_label_is_whole),
        cmocka_unit_test(test_zoom_shows_a_part_with_its_labels),
        cmocka_unit_test(test_selection_does_not_move_the_figure),
    };
    return cmocka_run_group_tests(tests, tool_open, tool_close);
}
