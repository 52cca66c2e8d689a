/* The cases that can be seen: numbers are read back from the colours of exported pictures, borders
 * and text are looked at pixel by pixel. */
#include "tool.h"

#include "base/text.h"
#include "draw/color.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int palette_number(const char *name) {
    for (int i = 1; i < PALETTE_COUNT; i++)
        if (strcmp(palette_name(i), name) == 0) return i;
    fail_msg("no palette %s", name);
    return 0;
}

/* Fails unless color is what value has on the picture's linear scale: some step of the palette
 * within one step of the value's place. */
static void expect_color(const Picture *p, uint32_t color, double value) {
    const Color *table = palette_table(palette_number(p->palette));
    double place = (value - (double)p->low) / ((double)p->high - (double)p->low);
    int step = (int)floor(fmin(fmax(place, 0), 1) * PALETTE_STEPS);
    for (int i = step - 1; i <= step + 1; i++)
        if (i >= 0 && i < PALETTE_STEPS && table[i] == color) return;
    fail_msg("%.6g on %g..%g of %s is drawn as %06X", value, (double)p->low, (double)p->high,
             p->palette, (unsigned)color);
}

static void expect_all_colors(const Picture *p, const json_t *numbers) {
    assert_int_equal(p->pool_x, 1);
    assert_int_equal(p->shown_rows, json_rows(numbers));
    assert_int_equal(p->shown_columns, json_columns(numbers));
    for (int row = 0; row < p->shown_rows; row++)
        for (int column = 0; column < p->shown_columns; column++)
            expect_color(p, picture_cell(p, row, column), json_cell(numbers, row, column));
}

static const char twelve[] = "The film is not bad at all , a surprisingly warm finale";

static void test_numbers_from_colours_12_tokens(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", twelve);
    const char *const themes[] = {"light", "dark", "print"};
    for (int i = 0; i < 3; i++) {
        Picture p = HEED_PICTURE(*state, "a.png", "raw", "--text", twelve, "--theme", themes[i]);
        assert_int_equal(p.shown_rows, 12);
        expect_all_colors(&p, n);
    }
}

static void test_numbers_from_colours_64_tokens(void **state) {
    Text text = text_open(&((Tool *)*state)->arena);
    for (int i = 0; i < 64; i++) text_addf(&text, "%s%s", i ? " " : "", i % 3 ? "warm" : "plot");
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", text.bytes);
    Picture p = HEED_PICTURE(*state, "a.png", "raw", "--text", text.bytes, "--size", "800x600",
                             "--range", "max");
    assert_int_equal(p.shown_rows, 64);
    expect_all_colors(&p, n);
}

static void test_numbers_from_colours_of_scores(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", twelve, "--stage", "scaled");
    Picture p = HEED_PICTURE(*state, "a.png", "raw", "--text", twelve, "--stage", "scaled");
    assert_true(p.low == -p.high);
    expect_all_colors(&p, n);
}

/* The map number index, from 0, that stands beside the one whose geometry the picture has. */
static Picture beside(Picture p, int index) {
    const char *line = strstr(p.note, "\nbeside ");
    for (int i = 0; line && i < index; i++) line = strstr(line + 1, "\nbeside ");
    int read = line ? sscanf(line, "\nbeside %d %d %d %d range %f %f", &p.x, &p.y, &p.w, &p.h,
                             &p.low, &p.high)
                    : 0;
    if (read != 6) fail_msg("no map %d beside the first", index);
    return p;
}

static void test_numbers_from_colours_of_all_heads(void **state) {
    Tool *tool = *state;
    static const char *const ranges[] = {"unit", "max"};
    for (int i = 0; i < 2; i++) {
        Picture p = HEED_PICTURE(tool, "a.png", "heads", "--text", twelve, "--range", ranges[i]);
        for (int h = 1; h < 4; h++) {
            json_t *n = HEED_JSON(tool, "numbers", "heads", "--text", twelve, "--head",
                                  arena_printf(&tool->arena, "%d", h));
            Picture one = beside(p, h - 1);
            expect_all_colors(&one, n);
        }
    }
}

static void test_numbers_from_colours_of_a_comparison(void **state) {
    Picture p = HEED_PICTURE(*state, "a.png", "masks", "--text", twelve, "--stage", "compare");
    json_t *n = HEED_JSON(*state, "numbers", "masks", "--text", twelve);
    Picture right = beside(p, 0);
    for (int i = 0; i < 144; i++)
        if (i % 12 <= i / 12)
            expect_color(&right, picture_cell(&right, i / 12, i % 12),
                         json_cell(n, i / 12, i % 12));
}

static uint32_t ground(const Picture *p) {
    return picture_pixel(p, 0, 0);
}

static void expect_clear_border(const Picture *p) {
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            bool border = x < 2 || y < 2 || x >= p->width - 2 || y >= p->height - 2;
            if (border && picture_pixel(p, x, y) != ground(p)) fail_msg("ink at %d, %d", x, y);
        }
}

static bool ink_in(const Picture *p, int left, int top, int right, int bottom) {
    for (int y = top < 0 ? 0 : top; y < bottom && y < p->height; y++)
        for (int x = left < 0 ? 0 : left; x < right && x < p->width; x++)
            if (picture_pixel(p, x, y) != ground(p)) return true;
    return false;
}

/* Ink beside each row and over or under each column: no label is blank. */
static void expect_labels(const Picture *p, int rows, int columns) {
    for (int i = 0; i < rows; i++) {
        int top = p->y + i * p->cell_h;
        if (!ink_in(p, p->x - 40, top, p->x - 1, top + p->cell_h)) fail_msg("row %d is blank", i);
    }
    for (int i = 0; i < columns; i++) {
        int left = p->x + i * p->cell_w, right = left + p->cell_w;
        bool over = ink_in(p, left, p->y - 16, right, p->y - 1);
        bool under = ink_in(p, left, p->y + p->h + 1, right, p->y + p->h + 16);
        if (!over && !under) fail_msg("column %d is blank", i);
    }
}

static void test_C5_other_scripts(void **state) {
    Run run = HEED(*state, "export", "matrix", "--scores", "1 2 3 4 5", "--key-labels",
                   "注意 です 한글말 𝔸 \xF4\x8F\xBF\xBD", "-o", "a.png");
    assert_int_equal(run.code, 0);
    assert_non_null(
        strstr(run.err, "U+10FFFD")); /* a character that no font has, told in one line */
    assert_ptr_equal(strchr(run.err, '\n'), run.err + strlen(run.err) - 1);
    Picture p = tool_picture(*state, "a.png");
    expect_labels(&p, 1, 5);
    expect_clear_border(&p);
}

static void test_C8_blank_tokens(void **state) {
    static const char lines[] = " \n\t\n\na\n";
    tool_write(*state, "labels", lines, sizeof lines - 1);
    Picture p =
        HEED_PICTURE(*state, "a.png", "matrix", "--scores", "1 2 3 4", "--key-labels", "@labels");
    expect_labels(&p, 1, 4);
}

static void test_C10_forty_labels(void **state) {
    Tool *tool = *state;
    Text scores = text_open(&tool->arena), labels = text_open(&tool->arena);
    for (int row = 0; row < 40; row++) {
        text_addf(&labels, "t%02d ", row);
        for (int column = 0; column < 40; column++) text_addf(&scores, "%d ", row == column);
        text_add(&scores, ";");
    }
    Picture p = HEED_PICTURE(tool, "a.png", "matrix", "--scores", scores.bytes, "--query-labels",
                             labels.bytes, "--key-labels", labels.bytes, "--size", "400x400");
    assert_int_equal(p.width, 400);
    assert_int_equal(p.shown_rows, 40);
    assert_true(p.x >= 0 && p.y >= 0 && p.x + p.w <= 400 && p.y + p.h <= 400);
    expect_clear_border(&p);
}

static void test_C11_sixty_letters(void **state) {
    char label[61] = {0};
    memset(label, 'W', 60);
    const char *labels = arena_printf(&((Tool *)*state)->arena, "a %s b", label);
    const char *const sizes[] = {"500x400", "320x320", "900x300"};
    for (int i = 0; i < 3; i++) {
        Picture p =
            HEED_PICTURE(*state, "a.png", "matrix", "--scores", "1 2 3; 4 5 6; 7 8 9",
                         "--key-labels", labels, "--query-labels", labels, "--size", sizes[i]);
        expect_clear_border(&p);
        assert_true(p.w > 0 && p.h > 0);
    }
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--scores", "1 2 3; 4 5 6; 7 8 9",
                             "--key-labels", labels);
    expect_clear_border(&p);
}

/* Full names that do not fit end above the line of facts, which stays as it is without them. */
static void test_C11_long_names_in_a_small_picture(void **state) {
    Arena *arena = &((Tool *)*state)->arena;
    char label[301] = {0};
    memset(label, 'W', 300);
    Picture names =
        HEED_PICTURE(*state, "a.png", "matrix", "--scores", "1 2 3; 4 5 6; 7 8 9", "--key-labels",
                     arena_printf(arena, "a %s %s", label, label), "--size", "300x300");
    Picture plain = HEED_PICTURE(*state, "b.png", "matrix", "--scores", "1 2 3; 4 5 6; 7 8 9",
                                 "--key-labels", "a b c", "--size", "300x300");
    for (int y = 255; y < 300; y++)
        for (int x = 0; x < 300; x++)
            if (picture_pixel(&names, x, y) != picture_pixel(&plain, x, y))
                fail_msg("the facts are drawn over at %d, %d", x, y);
}

static void test_C13_two_rows_three_columns(void **state) {
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights",
                             "0.16666667 0.33333334 0.5; 0.6666667 0.8333333 1");
    assert_int_equal(p.shown_rows, 2);
    assert_int_equal(p.shown_columns, 3);
    assert_int_equal(p.w, 3 * p.cell_w);
    assert_int_equal(p.h, 2 * p.cell_h);
    for (int i = 0; i < 6; i++) expect_color(&p, picture_cell(&p, i / 3, i % 3), (i + 1) / 6.0);
}

static void test_D1_one_token_takes_all(void **state) {
    const char *const row = "0.97 0.01 0.015 0.005";
    Picture unit = HEED_PICTURE(*state, "a.png", "matrix", "--weights", row);
    const double values[] = {0.97, 0.01, 0.015, 0.005};
    for (int i = 0; i < 4; i++) expect_color(&unit, picture_cell(&unit, 0, i), values[i]);
    Picture skip = HEED_PICTURE(*state, "b.png", "matrix", "--weights", row, "--range", "skip",
                                "--skip-key", "0");
    assert_string_equal(skip.scale, "skip");
    assert_close((double)skip.high, 0.015, 1e-7);
    for (int i = 1; i < 4; i++) expect_color(&skip, picture_cell(&skip, 0, i), values[i]);
    Picture logarithm = HEED_PICTURE(*state, "c.png", "matrix", "--weights", row, "--range", "log");
    assert_string_equal(logarithm.scale, "log");
    double light[4];
    for (int i = 0; i < 4; i++) light[i] = color_luminance(picture_cell(&logarithm, 0, i));
    double sign = light[0] < light[3] ? -1 : 1; /* on paper more weight is darker */
    assert_true(sign * (light[2] - light[1]) > 0.005 && sign * (light[1] - light[3]) > 0.005);
    assert_false(pictures_equal(&unit, &skip));
    assert_false(pictures_equal(&unit, &logarithm));
}

static void test_D4_four_looks(void **state) {
    const char *const themes[] = {"light", "dark", "print"};
    for (int t = 0; t < 3; t++) {
        Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights", "0 nan; -inf 0.5; inf 1",
                                 "--values", "off", "--theme", themes[t]);
        for (int i = 0; i < 6; i++)
            for (int j = 0; j < i; j++)
                if (picture_cells_alike(&p, i / 2, i % 2, j / 2, j % 2))
                    fail_msg("%d looks like %d", i, j);
        assert_true(p.low == 0 && p.high == 1);
        expect_color(&p, picture_cell(&p, 0, 0), 0);
        expect_color(&p, picture_cell(&p, 1, 1), 0.5);
    }
}

static const char *ramp(Tool *tool) {
    Text text = text_open(&tool->arena);
    for (int i = 0; i < 256; i++) text_addf(&text, "%.9g%s", i / 255.0, i % 16 == 15 ? ";" : " ");
    return text.bytes;
}

static void test_D6_luminance_rises(void **state) {
    for (int palette = 1; palette < PALETTE_COUNT; palette++) {
        Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights", ramp(*state), "--palette",
                                 palette_name(palette), "--values", "off");
        assert_string_equal(p.palette, palette_name(palette));
        if (palette_diverging(palette)) continue;
        double first = color_luminance(picture_cell(&p, 0, 0));
        double last = color_luminance(picture_cell(&p, 15, 15));
        double sign = last > first ? 1 : -1, before = first - sign;
        for (int i = 0; i < 256; i++) {
            double light = color_luminance(picture_cell(&p, i / 16, i % 16));
            if (sign * (light - before) <= 0) fail_msg("%s: step %d does not go on", p.palette, i);
            before = light;
        }
    }
}

/* The pixel of a cell that stands out most from the cell's ground: the core of a digit. */
static double best_contrast(const Picture *p, int row, int column) {
    uint32_t under = picture_cell(p, row, column);
    double best = 1;
    for (int y = 1; y < p->cell_h - 1; y++)
        for (int x = 1; x < p->cell_w - 1; x++) {
            uint32_t color =
                picture_pixel(p, p->x + column * p->cell_w + x, p->y + row * p->cell_h + y);
            best = fmax(best, color_contrast(under, color));
        }
    return best;
}

static void test_D7_digits_can_be_read(void **state) {
    const char *const themes[] = {"light", "dark", "print"};
    const char *const values = "0.01 0.1 0.2 0.3 0.4; 0.5 0.6 0.7 0.8 0.9";
    for (int palette = 1; palette < PALETTE_COUNT; palette++)
        for (int t = 0; t < 3; t++) {
            Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights", values, "--palette",
                                     palette_name(palette), "--theme", themes[t], "--values", "on",
                                     "--scale", "3");
            for (int i = 0; i < 10; i++) {
                double contrast = best_contrast(&p, i / 5, i % 5);
                if (contrast < 4.5)
                    fail_msg("%s, %s, cell %d: %.2f", p.palette, themes[t], i, contrast);
            }
        }
}

static void test_D8_every_cell_has_its_number(void **state) {
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights",
                             "0.11 0.22 0.33; 0.44 0.55 0.66; 0.77 0.88 0.99", "--values", "on");
    for (int i = 0; i < 9; i++) assert_true(best_contrast(&p, i / 3, i % 3) > 3);
    Picture off =
        HEED_PICTURE(*state, "b.png", "matrix", "--weights",
                     "0.11 0.22 0.33; 0.44 0.55 0.66; 0.77 0.88 0.99", "--values", "off", "--size",
                     arena_printf(&((Tool *)*state)->arena, "%dx%d", p.width, p.height));
    assert_int_equal(off.shown_rows, 3);
    for (int i = 0; i < 9; i++) assert_true(best_contrast(&off, i / 3, i % 3) == 1);
}

static const char checkers[] = "1 0 1 0 1; 0 1 0 1 0; 1 0 1 0 1; 0 1 0 1 0; 1 0 1 0 1";

/* Rows and columns of a checkerboard change exactly where the geometry says; a cell may keep its
 * last row and column of pixels free, as a hairline to the next. */
static void expect_checkers(const Picture *p) {
    assert_int_equal(p->w, 5 * p->cell_w);
    assert_int_equal(p->h, 5 * p->cell_h);
    const uint32_t one = picture_cell(p, 0, 0), zero = picture_cell(p, 0, 1);
    assert_true(one != zero);
    for (int y = 0; y < p->h; y++)
        for (int x = 0; x < p->w; x++) {
            bool odd = (x / p->cell_w + y / p->cell_h) % 2 != 0;
            bool last = x % p->cell_w == p->cell_w - 1 || y % p->cell_h == p->cell_h - 1;
            uint32_t color = picture_pixel(p, p->x + x, p->y + y);
            if (color != (odd ? zero : one) && !(last && color == ground(p)))
                fail_msg("pixel %d, %d of the matrix", x, y);
        }
}

static void test_D9_no_row_is_cut(void **state) {
    bool twenty = false;
    for (int size = 240; size <= 420 && !twenty; size += 10) {
        const char *text = arena_printf(&((Tool *)*state)->arena, "%dx%d", size, size);
        Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights", checkers, "--values",
                                 "off", "--size", text);
        expect_checkers(&p);
        twenty = p.cell_w == 20 && p.cell_h == 20 && p.w == 100 && p.h == 100;
    }
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights", checkers, "--values", "off");
    expect_checkers(&p);
}

static void test_D13_scores_are_centred(void **state) {
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--scores", "-6 0 2", "--stage", "scores");
    assert_true(p.low == -6 && p.high == 6);
    assert_true(palette_diverging(palette_number(p.palette)));
    const double values[] = {-6, 0, 2};
    for (int i = 0; i < 3; i++) expect_color(&p, picture_cell(&p, 0, i), values[i]);
    Picture w = HEED_PICTURE(*state, "a.png", "matrix", "--weights", "0.1 0.9");
    assert_true(w.low == 0 && w.high == 1);
    assert_false(palette_diverging(palette_number(w.palette)));
}

static const char *words_512(Tool *tool) {
    Text text = text_open(&tool->arena);
    for (int i = 0; i < 512; i++) text_addf(&text, "%s%s", i ? " " : "", i % 5 ? "warm" : "plot");
    return text.bytes;
}

/* 512 tokens at 24 pixels: all of it is there to the last cell. */
static void test_E9_large_export(void **state) {
    if (strstr(((Tool *)*state)->heed, "/asan/")) skip(); /* five times the memory */
    Picture p =
        HEED_PICTURE(*state, "a.png", "raw", "--text", words_512(*state), "--size", "12700x12600");
    assert_int_equal(p.width, 12700);
    assert_int_equal(p.height, 12600);
    assert_true(p.cell_w >= 24 && p.cell_h >= 24);
    assert_true(p.x + p.w <= p.width && p.y + p.h <= p.height);
    json_t *n = HEED_JSON(*state, "numbers", "raw", "--text", words_512(*state));
    expect_color(&p, picture_cell(&p, 511, 511), json_cell(n, 511, 511));
    expect_color(&p, picture_cell(&p, 0, 511), json_cell(n, 0, 511));
    expect_color(&p, picture_cell(&p, 511, 0), json_cell(n, 511, 0));
}

static void test_E9_too_large(void **state) {
    HEED_REFUSES(*state, 0, "30000", "export", "raw", "--size", "30000x30000", "-o", "a.png");
    HEED_REFUSES(*state, 0, "", "export", "raw", "--size", "99999999x99999999", "-o", "a.png");
}

static void test_E15_nine_equal_cells(void **state) {
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0");
    for (int i = 0; i < 9; i++) {
        assert_true(picture_cells_alike(&p, 0, 0, i / 3, i % 3));
        expect_color(&p, picture_cell(&p, i / 3, i % 3), 1 / 3.0);
    }
}

/* Twice the size is laid out again: twice the pixels a side, the same numbers. */
static void test_scale_2(void **state) {
    Picture one = HEED_PICTURE(*state, "a.png", "raw", "--size", "700x500");
    Picture two = HEED_PICTURE(*state, "b.png", "raw", "--size", "700x500", "--scale", "2");
    assert_int_equal(one.width, 700);
    assert_int_equal(two.width, 1400);
    assert_int_equal(two.height, 1000);
    assert_int_equal(one.shown_rows, two.shown_rows);
    for (int row = 0; row < one.shown_rows; row++)
        assert_true(picture_cell(&one, row, 0) == picture_cell(&two, row, 0));
}

static void test_blocked_is_not_zero(void **state) {
    const char *const themes[] = {"light", "dark", "print"};
    for (int t = 0; t < 3; t++) {
        Picture p = HEED_PICTURE(*state, "a.png", "raw", "--text", "good plot", "--mask", "causal",
                                 "--values", "off", "--temperature", "0.01", "--theme", themes[t]);
        /* Row 1 all but ignores key 0; row 0 may not see key 1. */
        assert_false(picture_cells_alike(&p, 0, 1, 1, 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_numbers_from_colours_12_tokens),
        TOOL_TEST(test_numbers_from_colours_64_tokens),
        TOOL_TEST(test_numbers_from_colours_of_scores),
        TOOL_TEST(test_numbers_from_colours_of_all_heads),
        TOOL_TEST(test_numbers_from_colours_of_a_comparison),
        TOOL_TEST(test_C5_other_scripts),
        TOOL_TEST(test_C8_blank_tokens),
        TOOL_TEST(test_C10_forty_labels),
        TOOL_TEST(test_C11_sixty_letters),
        TOOL_TEST(test_C11_long_names_in_a_small_picture),
        TOOL_TEST(test_C13_two_rows_three_columns),
        TOOL_TEST(test_D1_one_token_takes_all),
        TOOL_TEST(test_D4_four_looks),
        TOOL_TEST(test_D6_luminance_rises),
        TOOL_TEST(test_D7_digits_can_be_read),
        TOOL_TEST(test_D8_every_cell_has_its_number),
        TOOL_TEST(test_D9_no_row_is_cut),
        TOOL_TEST(test_D13_scores_are_centred),
        TOOL_TEST(test_E9_large_export),
        TOOL_TEST(test_E9_too_large),
        TOOL_TEST(test_E15_nine_equal_cells),
        TOOL_TEST(test_scale_2),
        TOOL_TEST(test_blocked_is_not_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
