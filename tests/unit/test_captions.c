/* The words around figures, and two maps side by side: what shares a line, what stands where. */
#include "heatmap_tool.h"

#include "scene/captions.h"
#include "scene/grid_of_maps.h"
#include "scene/pair.h"

#include <stdio.h>

static Canvas blank(Tool *tool, int width, int height) {
    Sheet sheet = {0};
    tool_canvas(tool, &sheet, width, height, 1, "light");
    return sheet.canvas;
}

static int line_height(Canvas *canvas) {
    return captions_facts(canvas, (Rect){0, 0, 400, 100}, "one", false);
}

/* Pixels that are not the ground in the lines from a on, up to b. */
static int inked(const Canvas *canvas, int a, int b) {
    int count = 0;
    for (int i = a * canvas->stride; i < b * canvas->stride; i++)
        count += canvas->pixels[i] != canvas->theme->bg;
    return count;
}

/* Two facts that do not fit together stand on two lines, however little is over; the line before
 * ends with the end of a fact. */
static void test_facts_part_at_their_dots(void **state) {
    Tool *tool = *state;
    Canvas canvas = blank(tool, 600, 100);
    const char *facts = "mask: causal · colours: -3.781 to 3.781, 0 in the middle";
    TextStyle style = captions_small_style(&canvas);
    int whole = font_width(&canvas, style, facts),
        first = font_width(&canvas, style, "mask: causal");
    int line = line_height(&canvas);
    assert_int_equal(captions_facts(&canvas, (Rect){0, 0, whole, 90}, facts, false), line);
    assert_int_equal(captions_facts(&canvas, (Rect){0, 0, whole - 1, 90}, facts, true), 2 * line);
    for (int y = 0; y < line; y++)
        for (int x = first + 2; x < 600; x++)
            assert_int_equal(canvas.pixels[y * canvas.stride + x], canvas.theme->bg);
    assert_true(inked(&canvas, line, 2 * line) > 0);
    assert_int_equal(captions_facts(&canvas, (Rect){0, 0, 100, 90}, "", true), 0);
    assert_int_equal(captions_facts(&canvas, (Rect){0, 0, 100, 90}, NULL, true), 0);
}

static void test_notes_share_lines(void **state) {
    Tool *tool = *state;
    Canvas canvas = blank(tool, 600, 100);
    Sheet sheet = tool_sheet(tool, 2, 2);
    table_note(&sheet.table, "One short note.");
    table_note(&sheet.table, "And another one.");
    int line = line_height(&canvas);
    Rect wide = {0, 0, 500, 90}, narrow = {0, 0, 120, 90};
    assert_int_equal(captions_notes(&canvas, wide, &sheet.table, 0, false), line);
    assert_int_equal(captions_notes(&canvas, narrow, &sheet.table, 0, false), 2 * line);
    assert_int_equal(captions_notes(&canvas, narrow, &sheet.table, 1, false), line);
    assert_int_equal(captions_notes(&canvas, narrow, &sheet.table, -1, false), 0);
    assert_int_equal(captions_notes(&canvas, narrow, NULL, 0, false), 0);
}

/* Widens the span of the column at a point by `at`. */
static void see(Canvas *canvas, Rect rect, const Pair *pair, int x, int y, int *first, int *last,
                int at) {
    Cell cell;
    if (!pair_locate(canvas, rect, pair, x, y, &cell)) return;
    if (at < first[cell.column]) first[cell.column] = at;
    if (at > last[cell.column]) last[cell.column] = at;
}

/* Equal cells on one line, each found under its place, and nothing left of the first map but its
 * labels: one bar serves both. */
static void test_pairs_have_equal_cells_and_one_bar(void **state) {
    Tool *tool = *state;
    Sheet left = tool_sheet(tool, 5, 5), right = tool_sheet(tool, 5, 5),
          both = tool_sheet(tool, 5, 10);
    for (int i = 0; i < 25; i++) right.states[i] = i % 5 > i / 5 ? CELL_BLOCKED : CELL_OK;
    both.states[9] = CELL_BLOCKED;
    View view = stage_view();
    Pair pair = {.caption = "caption",
                 .facts = "facts",
                 .titles = {"left", "right"},
                 .sides = {&left.table, &right.table},
                 .both = &both.table,
                 .view = &view};
    for (int width = 500; width <= 1300; width += 400) {
        Canvas canvas = blank(tool, width, 500);
        Rect rect = {0, 0, width, 500};
        int first[10], last[10], top[10], bottom[10];
        for (int c = 0; c < 10; c++) first[c] = top[c] = width, last[c] = bottom[c] = -1;
        for (int x = 0; x < width; x++) see(&canvas, rect, &pair, x, 260, first, last, x);
        for (int i = 0; i < 2; i++)
            for (int y = 0, x = first[5 * i] + 2; y < 500; y++)
                see(&canvas, rect, &pair, x, y, top, bottom, y);
        for (int c = 0; c < 10; c++) assert_int_equal(last[c] - first[c], last[0] - first[0]);
        assert_int_equal(top[0], top[5]);
        assert_int_equal(bottom[0], bottom[5]);
        assert_true(first[5] - last[4] < 100);
        assert_true(width - last[9] > 50); /* the bar and its numbers */
    }
}

/* Four maps of so many tokens that share one table. */
static GridOfMaps four_maps(const Table *table, const View *view, GridMap maps[4],
                            const char *first, const char *second) {
    for (int i = 0; i < 4; i++)
        maps[i] = (GridMap){.table = table, .title = "head", .lines = {first, second}};
    return (GridOfMaps){.caption = "caption",
                        .facts = "facts",
                        .maps = maps,
                        .count = 4,
                        .notes = table,
                        .view = view};
}

static int grid_cell(Tool *tool, const GridOfMaps *grid, int width, int height) {
    Canvas canvas = blank(tool, width, height);
    const char *note = grid_of_maps_geometry(&canvas, canvas.clip, grid, &tool->arena);
    int cell = 0;
    assert_int_equal(sscanf(strstr(note, "cell"), "cell %d", &cell), 1);
    return cell;
}

/* In a wide place words below maps would take height from them: they stand at their side. */
static void test_words_of_low_maps_stand_beside_them(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 12, 12);
    View view = stage_view();
    GridMap with[4], without[4];
    GridOfMaps worded = four_maps(&sheet.table, &view, with, "entropy 2.15", "distance 4.15");
    GridOfMaps bare = four_maps(&sheet.table, &view, without, NULL, NULL);
    for (int height = 380; height <= 560; height += 20)
        assert_int_equal(grid_cell(tool, &worded, 900, height),
                         grid_cell(tool, &bare, 900, height));
}

/* However small the cells, a label stays within the line of its row. */
static void test_labels_of_grids_keep_to_their_rows(void **state) {
    Tool *tool = *state;
    Sheet sheet = tool_sheet(tool, 16, 16);
    Label *labels = ARENA_ARRAY(&tool->arena, Label, 16);
    for (int i = 0; i < 16; i++)
        labels[i] = label_plain(&tool->arena, i == 7 ? "|\xC3\x85jg" : ".");
    sheet.table.rows.labels = labels;
    View view = stage_view();
    GridMap maps[4];
    GridOfMaps grid = four_maps(&sheet.table, &view, maps, NULL, NULL);
    for (int height = 420; height <= 560; height += 10) {
        Canvas canvas = blank(tool, 900, height);
        int cell = grid_cell(tool, &grid, 900, height), x = 0, y = 0;
        if (cell < 9) continue; /* without labels */
        const char *note = grid_of_maps_geometry(&canvas, canvas.clip, &grid, &tool->arena);
        assert_int_equal(sscanf(strstr(note, "matrix"), "matrix %d %d", &x, &y), 2);
        grid_of_maps_draw(&canvas, canvas.clip, &grid);
        int top = height, bottom = -1; /* of what is drawn where the one long label is */
        for (int row = y; row < y + 16 * cell; row++)
            for (int at = x - 24; at < x - 12; at++) {
                if (canvas.pixels[row * canvas.stride + at] == canvas.theme->bg) continue;
                top = row < top ? row : top;
                bottom = row;
            }
        assert_true(top >= y + 7 * cell - 1);
        assert_true(bottom <= y + 8 * cell);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts_part_at_their_dots),
        cmocka_unit_test(test_notes_share_lines),
        cmocka_unit_test(test_words_of_low_maps_stand_beside_them),
        cmocka_unit_test(test_labels_of_grids_keep_to_their_rows),
        cmocka_unit_test(test_pairs_have_equal_cells_and_one_bar),
    };
    return cmocka_run_group_tests(tests, tool_open, tool_close);
}
