/* What the tests of the heatmap share: a canvas with fonts, and tables of made-up numbers. */
#ifndef TESTS_HEATMAP_TOOL_H
#define TESTS_HEATMAP_TOOL_H

#include "draw/font.h"
#include "draw/heatmap.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Tool {
    Arena arena;
    Fonts *fonts;
} Tool;

typedef struct Sheet {
    Canvas canvas;
    Table table;
    HeatmapStyle style;
    HeatmapPlan plan;
    float *values;
    uint8_t *states;
} Sheet;

static inline void tool_full(size_t wanted) {
    (void)wanted;
    abort();
}

static inline int tool_open(void **state) {
    Tool *tool = calloc(1, sizeof *tool);
    Err err = {0};
    tool->arena = arena_open(tool_full);
    if (!fonts_open("assets", &tool->fonts, &err)) fail_msg("%s", err.text);
    *state = tool;
    return 0;
}

static inline int tool_close(void **state) {
    Tool *tool = *state;
    fonts_close(tool->fonts);
    arena_close(&tool->arena);
    free(tool);
    return 0;
}

static inline Label *tool_labels(Tool *tool, const char *const *words, int known, int count) {
    Label *labels = ARENA_ARRAY(&tool->arena, Label, count);
    for (int i = 0; i < count; i++) {
        const char *text = i < known ? words[i]
                           : known   ? arena_printf(&tool->arena, "%s%d", words[i % known], i)
                                     : arena_printf(&tool->arena, "t%02d", i);
        labels[i] = label_plain(&tool->arena, text);
    }
    return labels;
}

/* A sheet of weights whose cells are all ok and zero; its labels are t00, t01 ... */
static inline Sheet tool_sheet(Tool *tool, int rows, int columns) {
    Sheet sheet = {.style = heatmap_style()};
    TableAxis down = {"query", rows, tool_labels(tool, NULL, 0, rows)};
    TableAxis across = {"key", columns, tool_labels(tool, NULL, 0, columns)};
    sheet.table = table_new(&tool->arena, down, across, &sheet.values, &sheet.states);
    sheet.table.quantity = "weight";
    return sheet;
}

/* A reproducible 0..1 for cell i. */
static inline float tool_random(int i) {
    uint32_t x = (uint32_t)i * 2654435761u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return (float)(x >> 8) / 16777216.0f;
}

static inline void tool_fill(Sheet *sheet, float low, float high) {
    int count = sheet->table.rows.count * sheet->table.columns.count;
    for (int i = 0; i < count; i++) sheet->values[i] = low + (high - low) * tool_random(i);
}

static inline void tool_canvas(Tool *tool, Sheet *sheet, int width, int height, double scale,
                               const char *theme) {
    Canvas *canvas = &sheet->canvas;
    *canvas = (Canvas){.width = width,
                       .height = height,
                       .stride = width,
                       .clip = {0, 0, width, height},
                       .scale = scale,
                       .theme = theme_find(theme),
                       .fonts = tool->fonts,
                       .arena = &tool->arena};
    canvas->pixels = ARENA_ARRAY(&tool->arena, uint32_t, width * height);
    canvas_fill(canvas, canvas->clip, canvas->theme->bg);
}

/* Plans and draws the sheet on a canvas of its own; width 0: of natural size. */
static inline void tool_draw(Tool *tool, Sheet *sheet, int width, int height, double scale,
                             const char *theme) {
    if (width == 0) {
        tool_canvas(tool, sheet, 1, 1, scale, theme);
        heatmap_natural(&sheet->canvas, &sheet->table, &sheet->style, &width, &height);
        sheet->style.natural = true;
    }
    tool_canvas(tool, sheet, width, height, scale, theme);
    sheet->plan = heatmap_plan(&sheet->canvas, sheet->canvas.clip, &sheet->table, &sheet->style);
    heatmap_draw(&sheet->canvas, &sheet->plan, &sheet->table, &sheet->style);
}

static inline Color tool_pixel(const Sheet *sheet, int x, int y) {
    return sheet->canvas.pixels[(size_t)y * (size_t)sheet->canvas.stride + (size_t)x];
}

/* The first pixel of a cell, which no number reaches. */
static inline Color tool_ground(const Sheet *sheet, int row, int column) {
    Rect cell = heatmap_cell(&sheet->plan, row, column);
    return tool_pixel(sheet, cell.x, cell.y);
}

static inline void expect_located(const Sheet *sheet, int row, int column) {
    Rect cell = heatmap_cell(&sheet->plan, row, column);
    int found_row = -1, found_column = -1;
    assert_true(heatmap_locate(&sheet->plan, &sheet->table, &sheet->style, cell.x + cell.w / 2,
                               cell.y + cell.h / 2, &found_row, &found_column));
    assert_int_equal(found_row, row);
    assert_int_equal(found_column, column);
}

static inline int count_in(const Sheet *sheet, Rect rect, Color but) {
    int count = 0;
    for (int y = rect.y; y < rect.y + rect.h; y++)
        for (int x = rect.x; x < rect.x + rect.w; x++) count += tool_pixel(sheet, x, y) != but;
    return count;
}

static inline void expect_free_border(const Sheet *sheet) {
    int w = sheet->canvas.width, h = sheet->canvas.height;
    const Rect sides[] = {{0, 0, w, 2}, {0, h - 2, w, 2}, {0, 0, 2, h}, {w - 2, 0, 2, h}};
    for (int i = 0; i < 4; i++)
        assert_int_equal(count_in(sheet, sides[i], sheet->canvas.theme->bg), 0);
}

#endif
