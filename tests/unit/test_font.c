/* Text: never blank, never cut, the same each time, in every script that comes along. What is
 * installed beside the shipped fonts is not known here, so those cases accept a glyph or its code
 * point, but nothing else. */
#include "base/arena.h"
#include "draw/font.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 600, HEIGHT = 200 };

/* Of the picture that test_E16_shipped_text_has_known_pixels draws. */
#define KNOWN_HASH 0xBD25DB0113EC2E4Au

static const TextStyle body = {FONT_UI, FONT_BODY, 0x000000};
static const TextStyle number = {FONT_MONO, FONT_NUMBER, 0x000000};

typedef struct Paper {
    Canvas canvas;
    Arena arena;
} Paper;

static void memory_full(size_t wanted) {
    fail_msg("no memory for %zu bytes", wanted);
    abort();
}

static void paper_clear(Canvas *canvas) {
    canvas_fill(canvas, (Rect){0, 0, WIDTH, HEIGHT}, 0xFFFFFF);
}

static void paper_open(Paper *paper) {
    Err err = {0};
    Fonts *fonts = NULL;
    if (!fonts_open("assets", &fonts, &err)) fail_msg("%s", err.text);
    paper->arena = arena_open(memory_full);
    paper->canvas = (Canvas){.pixels = calloc(WIDTH * HEIGHT, sizeof(uint32_t)),
                             .width = WIDTH,
                             .height = HEIGHT,
                             .stride = WIDTH,
                             .clip = {0, 0, WIDTH, HEIGHT},
                             .scale = 1,
                             .theme = &color_themes[0],
                             .fonts = fonts,
                             .arena = &paper->arena};
    paper_clear(&paper->canvas);
}

static void paper_close(Paper *paper) {
    free(paper->canvas.pixels);
    fonts_close(paper->canvas.fonts);
    arena_close(&paper->arena);
}

static uint32_t at(const Canvas *canvas, int x, int y) {
    return canvas->pixels[y * WIDTH + x];
}

/* The smallest rectangle that holds all ink. */
static Rect ink(const Canvas *canvas) {
    int left = WIDTH, top = HEIGHT, right = -1, bottom = -1;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            if (at(canvas, x, y) == 0xFFFFFF) continue;
            if (x < left) left = x;
            if (x > right) right = x;
            if (y < top) top = y;
            if (y > bottom) bottom = y;
        }
    return right < 0 ? (Rect){0, 0, 0, 0} : (Rect){left, top, right - left + 1, bottom - top + 1};
}

static Rect draw_alone(Canvas *canvas, TextStyle style, const char *text) {
    paper_clear(canvas);
    font_draw(canvas, style, 20, 20, text);
    return ink(canvas);
}

static void test_widths(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    assert_int_equal(font_width(canvas, body, ""), 0);
    assert_int_equal(font_draw(canvas, body, 5, 5, ""), 0);
    assert_int_equal(ink(canvas).w, 0);
    int one = font_width(canvas, number, "0");
    assert_in_range(one, 7, 8);
    assert_in_range(font_width(canvas, number, "0000000000"), 10 * one - 10, 10 * one);
    assert_int_equal(font_width(canvas, body, "warm"), font_draw(canvas, body, 5, 5, "warm"));
    assert_in_range(font_height(canvas, body), 15, 17);
    canvas->scale = 2;
    assert_in_range(font_height(canvas, body), 30, 33);
    paper_close(&paper);
}

/* The ink of a word stays in its line, but for one row of descenders, and between its ends. */
static void test_ink_is_where_it_is_said(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    for (int face = 0; face < FONT_FACE_COUNT; face++)
        for (double size = 8; size < 40; size += 3.7) {
            TextStyle style = {(FontFace)face, size, 0};
            Rect where = draw_alone(&paper.canvas, style, "Agj|fW");
            int width = font_width(&paper.canvas, style, "Agj|fW");
            assert_true(where.w > 0);
            assert_in_range(where.x, 20, 20 + width);
            assert_in_range(where.x + where.w, 20, 20 + width);
            assert_in_range(where.y, 20, 20 + font_height(&paper.canvas, style));
            assert_in_range(where.y + where.h, 20, 20 + font_height(&paper.canvas, style) + 1);
        }
    paper_close(&paper);
}

static void test_turned_text_is_the_exact_transpose(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *text = "surprisingly, 注 g";
    int width = font_draw(canvas, body, 300, 20, text), height = font_height(canvas, body);
    assert_int_equal(font_draw_up(canvas, body, 40, 180, text), width);
    for (int column = 0; column < width; column++)
        for (int row = 0; row < height; row++)
            assert_int_equal(at(canvas, 40 + row, 180 - 1 - column),
                             at(canvas, 300 + column, 20 + row));
    paper_close(&paper);
}

static void test_color_is_blended(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    TextStyle red = {FONT_BOLD, 40, 0xFF0000};
    draw_alone(&paper.canvas, red, "I");
    int full = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            uint32_t pixel = at(&paper.canvas, x, y);
            assert_int_equal(pixel >> 16, 0xFF);
            assert_int_equal(pixel >> 8 & 0xFF, pixel & 0xFF);
            full += pixel == 0xFF0000;
        }
    assert_true(full > 50);
    paper_close(&paper);
}

static void test_clip_cuts_text(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas part = canvas_clipped(&paper.canvas, (Rect){30, 24, 10, 6});
    font_draw(&part, (TextStyle){FONT_BOLD, 30, 0}, 20, 10, "WWWW");
    Rect where = ink(&paper.canvas);
    assert_true(where.x >= 30 && where.y >= 24 && where.x + where.w <= 40 &&
                where.y + where.h <= 30 && where.w > 0);
    font_draw(&paper.canvas, body, -30, -8, "far away on the left");
    font_draw_up(&paper.canvas, body, WIDTH - 5, 10, "far away on the right");
    paper_close(&paper);
}

/* Whatever was drawn before, and however often, a text has one picture. */
static void test_E16_same_text_same_pixels(void **state) {
    (void)state;
    Paper first, second;
    paper_open(&first);
    paper_open(&second);
    const char *text = "The film is not bad — √d 0.0692 \xE6\xB3\xA8 \xF0\x9D\x94\xB8";
    for (int i = 0; i < 3000; i++) {
        char other[32];
        snprintf(other, sizeof other, "\xE6\x84\x8F other %d", i);
        font_draw(&second.canvas, (TextStyle){FONT_UI, 8 + i % 40, 0}, 0, 0, other);
    }
    draw_alone(&first.canvas, body, text);
    for (int i = 0; i < 2; i++) {
        draw_alone(&second.canvas, body, text);
        assert_memory_equal(first.canvas.pixels, second.canvas.pixels, WIDTH * HEIGHT * 4);
    }
    paper_close(&first);
    paper_close(&second);
}

/* A character is its glyph, or its code point is written and remembered; it is never blank. */
static void check_character(Canvas *canvas, const char *text, const char *code_points) {
    Rect where = draw_alone(canvas, body, text);
    if (where.w < 2 || where.h < 2) fail_msg("%s is blank", code_points);
    const char *first_end = strchr(code_points, ' ');
    int length = first_end ? (int)(first_end - code_points) : (int)strlen(code_points);
    char first[16];
    snprintf(first, sizeof first, "%.*s", length, code_points);
    if (!strstr(fonts_missing(canvas->fonts), first)) return;
    assert_int_equal(font_width(canvas, body, text), font_width(canvas, body, code_points));
}

static void test_C5_missing_glyphs(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    check_character(canvas, "\xE6\xB3\xA8\xE6\x84\x8F", "U+6CE8 U+610F");
    check_character(canvas, "\xE3\x81\xA7\xE3\x81\x99", "U+3067 U+3059");
    check_character(canvas, "\xED\x95\x9C\xEA\xB5\xAD\xEC\x96\xB4", "U+D55C U+AD6D U+C5B4");
    check_character(canvas, "\xF0\x9D\x94\xB8", "U+1D538");
    check_character(canvas, "\xF0\x9F\x99\x82", "U+1F642");
    paper_close(&paper);
}

/* U+10FFFD is for private use; no font in the world can be relied on to have it. */
static void test_C5_code_points_are_written_and_remembered_once(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    assert_string_equal(fonts_missing(canvas->fonts), "");
    const char *text = "\xF4\x8F\xBF\xBD\xF4\x8F\xBF\xBD";
    assert_int_equal(font_width(canvas, body, text), font_width(canvas, body, "U+10FFFD U+10FFFD"));
    font_draw(canvas, body, 10, 10, text);
    font_draw(canvas, number, 10, 10, text);
    assert_string_equal(fonts_missing(canvas->fonts), "U+10FFFD");
    paper_close(&paper);
}

static void test_C8_nothing_visible_is_left_blank(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *const pairs[][2] = {
        {"\n", "U+000A"},           {"\x07", "U+0007"},         {"\x7F", "U+007F"},
        {"\xE2\x80\x8D", "U+200D"}, {"\xEF\xBB\xBF", "U+FEFF"}, {"a\tb", "aU+0009b"},
        {"\xFF", "\xEF\xBF\xBD"},   {"\xC3", "\xEF\xBF\xBD"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_true(draw_alone(canvas, body, pairs[i][0]).w > 0);
        assert_int_equal(font_width(canvas, body, pairs[i][0]),
                         font_width(canvas, body, pairs[i][1]));
    }
    const char *const marks[] = {"␣", "⏎", "⇥", "∅", "…", "→", "√", "−", "∞", "÷", "·"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        assert_true(draw_alone(canvas, body, marks[i]).w > 0);
    assert_string_equal(fonts_missing(canvas->fonts), "");
    paper_close(&paper);
}

/* How much the last columns of the picture of text differ from those of one letter. */
static long right_end_difference(Canvas *canvas, const char *text, const char *letter) {
    enum { ROWS = 60, COLUMNS = 16 };
    const TextStyle large = {FONT_UI, 40, 0};
    Rect whole = draw_alone(canvas, large, text);
    uint32_t end[ROWS][COLUMNS];
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            end[y][x] = at(canvas, whole.x + whole.w - COLUMNS + x, 20 + y) & 0xFF;
    Rect alone = draw_alone(canvas, large, letter);
    long sum = 0;
    for (int y = 0; y < ROWS; y++)
        for (int x = 0; x < COLUMNS; x++)
            sum += labs((long)end[y][x] -
                        (long)(at(canvas, alone.x + alone.w - COLUMNS + x, 20 + y) & 0xFF));
    return sum;
}

static void test_C6_hebrew_runs_from_the_right(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *shalom = "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D";
    check_character(canvas, shalom, "U+05E9 U+05DC U+05D5 U+05DD");
    if (!*fonts_missing(canvas->fonts)) {
        long shin = right_end_difference(canvas, shalom, "\xD7\xA9");
        assert_true(shin < right_end_difference(canvas, shalom, "\xD7\x9D"));
        assert_true(shin < right_end_difference(canvas, shalom, "\xD7\x9C"));
    }
    paper_close(&paper);
}

static void test_C6_arabic_is_joined(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *const letters[] = {"\xD9\x85", "\xD8\xA7", "\xD9\x84", "\xD8\xB3"};
    const char *salam = "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85";
    check_character(canvas, salam, "U+0633 U+0644 U+0627 U+0645");
    uint32_t *joined = malloc(WIDTH * HEIGHT * 4);
    memcpy(joined, canvas->pixels, WIDTH * HEIGHT * 4);
    paper_clear(canvas);
    for (int i = 0, x = 20; i < 4; i++) x += font_draw(canvas, body, x, 20, letters[i]);
    if (!*fonts_missing(canvas->fonts))
        assert_memory_not_equal(joined, canvas->pixels, WIDTH * HEIGHT * 4);
    free(joined);
    paper_close(&paper);
}

/* A word of another script beside it does not move a word: runs keep the order of the text. */
static void test_C6_order_of_runs_is_kept(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *mixed = "abc\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D";
    int latin = font_width(canvas, body, "abc");
    draw_alone(canvas, body, mixed);
    uint32_t *first = malloc(WIDTH * HEIGHT * 4);
    memcpy(first, canvas->pixels, WIDTH * HEIGHT * 4);
    draw_alone(canvas, body, "abc");
    for (int y = 0; y < HEIGHT; y++)
        assert_memory_equal(&first[y * WIDTH], &canvas->pixels[y * WIDTH],
                            (size_t)(20 + latin) * 4);
    free(first);
    paper_close(&paper);
}

static void test_C11_shortened_in_the_middle(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    char wide[61];
    memset(wide, 'W', 60);
    wide[60] = '\0';
    for (int width = 0; width < 400; width += 7) {
        const char *text = font_shorten(canvas, body, wide, width);
        assert_true(font_width(canvas, body, text) <= width);
        if (width > 60) assert_non_null(strstr(text, "W…W"));
    }
    const char *whole = "short";
    assert_ptr_equal(font_shorten(canvas, body, whole, 400), whole);
    const char *greek = "αβγδεζηθικλμνξοπρστυφχψω";
    const char *cut = font_shorten(canvas, body, greek, 70);
    assert_int_equal(strncmp(cut, "αβ", 4), 0);
    assert_string_equal(cut + strlen(cut) - 4, "ψω");
    paper_close(&paper);
}

static void test_alignment(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    Rect box = {100, 50, 200, 40};
    int width = font_width(canvas, body, "Ill"), height = font_height(canvas, body);
    const TextAlign aligns[3] = {TEXT_LEFT, TEXT_CENTER, TEXT_RIGHT};
    const int starts[3] = {100, 100 + (200 - width) / 2, 300 - width};
    for (int i = 0; i < 3; i++) {
        paper_clear(canvas);
        assert_int_equal(font_draw_in(canvas, body, box, aligns[i], "Ill"), width);
        Rect where = ink(canvas);
        Rect want = draw_alone(canvas, body, "Ill");
        assert_int_equal(where.x - starts[i], want.x - 20);
        assert_int_equal(where.y - (50 + (40 - height) / 2), want.y - 20);
    }
    paper_clear(canvas);
    font_draw_in(canvas, body, (Rect){100, 50, 40, 40}, TEXT_LEFT, "a long text that is too wide");
    Rect where = ink(canvas);
    assert_true(where.x >= 100 && where.x + where.w <= 140);
    paper_close(&paper);
}

static void test_offset_of_a_pixel(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *text = "aé注 warm";
    const int bounds[] = {0, 1, 3, 6, 7, 8, 9, 10, 11};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        char head[16] = {0};
        memcpy(head, text, (size_t)bounds[i]);
        assert_int_equal(font_offset_at(canvas, body, text, font_width(canvas, body, head)),
                         bounds[i]);
    }
    assert_int_equal(font_offset_at(canvas, body, text, -50), 0);
    assert_int_equal(font_offset_at(canvas, body, text, 5000), 11);
    assert_int_equal(font_offset_at(canvas, body, "", 10), 0);
    paper_close(&paper);
}

static void test_paragraph(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    const char *text = "What you see is similarity, not something learned.";
    int line = font_paragraph(canvas, body, (Rect){10, 10, 500, 0}, text, false);
    assert_int_equal(line, 19);
    assert_int_equal(ink(canvas).w, 0);
    Rect narrow = {10, 10, 120, 0};
    int height = font_paragraph(canvas, body, narrow, text, true);
    assert_true(height > line && height % line == 0);
    Rect where = ink(canvas);
    assert_true(where.x >= 10 && where.x + where.w <= 130);
    assert_true(where.y >= 10 && where.y + where.h <= 10 + height);
    assert_int_equal(font_paragraph(canvas, body, narrow, "a\nb\n\nc", false), 4 * line);
    assert_int_equal(font_paragraph(canvas, body, narrow, "", false), 0);
    paper_clear(canvas);
    font_paragraph(canvas, body, narrow, "Donaudampfschifffahrtsgesellschaftskapitän", true);
    where = ink(canvas);
    assert_true(where.x + where.w <= 130 && where.h > line);
    paper_close(&paper);
}

/* Much longer than what is rendered together; the sum of its words' widths. */
static void test_long_text(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    char *text = calloc(1, 100001);
    for (int i = 0; i < 100000; i++) text[i] = "abc def "[i % 8];
    int word = font_width(canvas, body, "abc def ");
    int width = font_width(canvas, body, text);
    assert_in_range(width, (word - 2) * 12500, (word + 1) * 12500);
    assert_int_equal(font_draw(canvas, body, 5, 5, text), width);
    memset(text, '\xFF', 1000);
    text[1000] = '\0';
    assert_true(font_draw(canvas, body, 5, 5, text) > 1000);
    free(text);
    paper_close(&paper);
}

/* Where a long word is parted for rendering, no character is. */
static void test_long_word_keeps_its_characters(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    char *text = calloc(1, 1002);
    for (int shift = 0; shift < 2; shift++) {
        text[0] = 'a';
        for (int i = 0; i < 500; i++) memcpy(text + shift + 2 * i, "α", 2);
        int ten = font_width(&paper.canvas, number, "αααααααααα");
        assert_in_range(font_width(&paper.canvas, number, text), 50 * ten - 50, 50 * ten + 50);
    }
    free(text);
    paper_close(&paper);
}

static void copy_file(const char *from, const char *to, long limit) {
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (int c; limit-- > 0 && (c = getc(in)) != EOF;) putc(c, out);
    fclose(in);
    fclose(out);
}

static void test_missing_and_damaged_fonts_are_named(void **state) {
    (void)state;
    const char *const names[] = {"Inter-Regular.otf", "Inter-SemiBold.otf", "DejaVuSansMono.ttf",
                                 "DejaVuSansMono-Bold.ttf"};
    char folder[] = "/tmp/heed-font-XXXXXX", path[256], from[256];
    assert_non_null(mkdtemp(folder));
    Err err = {0};
    Fonts *fonts = NULL;
    assert_false(fonts_open(folder, &fonts, &err));
    assert_non_null(strstr(err.text, "Inter-Regular.otf is missing"));
    assert_null(fonts);
    snprintf(path, sizeof path, "%s/fonts", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    for (int i = 0; i < 4; i++) {
        snprintf(from, sizeof from, "assets/fonts/%s", names[i]);
        snprintf(path, sizeof path, "%s/fonts/%s", folder, names[i]);
        copy_file(from, path, i == 2 ? 100000 : 10000000);
    }
    assert_false(fonts_open(folder, &fonts, &err));
    assert_non_null(strstr(err.text, "DejaVuSansMono.ttf is damaged"));
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/fonts/%s", folder, names[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/fonts", folder);
    rmdir(path);
    rmdir(folder);
}

static void test_shipped_fonts_are_the_known_ones(void **state) {
    (void)state;
    assert_int_equal(system("cd assets/fonts && sha256sum --quiet -c SHA256SUMS"), 0);
}

/* FNV-1a of the canvas. */
static uint64_t picture_hash(const Canvas *canvas) {
    uint64_t hash = 0xCBF29CE484222325u;
    for (int i = 0; i < WIDTH * HEIGHT; i++) hash = (hash ^ canvas->pixels[i]) * 0x100000001B3u;
    return hash;
}

/* Text of the shipped faces has the same pixels wherever the same libraries are: a change of
 * hinting, spacing or blending shows here. */
static void test_E16_shipped_text_has_known_pixels(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    Canvas *canvas = &paper.canvas;
    int y = 4;
    for (int face = 0; face < FONT_FACE_COUNT; face++)
        for (int i = 0; i < 2; i++) {
            TextStyle style = {(FontFace)face, i ? FONT_TITLE : FONT_SMALL, 0x123456};
            font_draw(canvas, style, 10, y, "Raw self-attention 0.0692 √d → Ελλ Прив");
            y += font_height(canvas, style) + 2;
        }
    uint64_t hash = picture_hash(canvas);
    bool known = strcmp(fonts_versions(canvas->fonts),
                        "SDL_ttf 2.20.1, FreeType 2.12.1, HarfBuzz 6.0.0") == 0;
    if (!known) print_message("not compared: %s\n", fonts_versions(canvas->fonts));
    paper_close(&paper);
    if (!known) skip();
    if (hash != KNOWN_HASH) fail_msg("pixels have changed: 0x%016llX", (unsigned long long)hash);
}

static void test_versions_are_told(void **state) {
    (void)state;
    Paper paper;
    paper_open(&paper);
    assert_int_equal(strncmp(fonts_versions(paper.canvas.fonts), "SDL_ttf 2.", 10), 0);
    assert_non_null(strstr(fonts_versions(paper.canvas.fonts), "FreeType "));
    paper_close(&paper);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_ink_is_where_it_is_said),
        cmocka_unit_test(test_turned_text_is_the_exact_transpose),
        cmocka_unit_test(test_color_is_blended),
        cmocka_unit_test(test_clip_cuts_text),
        cmocka_unit_test(test_E16_same_text_same_pixels),
        cmocka_unit_test(test_C5_missing_glyphs),
        cmocka_unit_test(test_C5_code_points_are_written_and_remembered_once),
        cmocka_unit_test(test_C8_nothing_visible_is_left_blank),
        cmocka_unit_test(test_C6_hebrew_runs_from_the_right),
        cmocka_unit_test(test_C6_arabic_is_joined),
        cmocka_unit_test(test_C6_order_of_runs_is_kept),
        cmocka_unit_test(test_C11_shortened_in_the_middle),
        cmocka_unit_test(test_alignment),
        cmocka_unit_test(test_offset_of_a_pixel),
        cmocka_unit_test(test_paragraph),
        cmocka_unit_test(test_long_text),
        cmocka_unit_test(test_long_word_keeps_its_characters),
        cmocka_unit_test(test_missing_and_damaged_fonts_are_named),
        cmocka_unit_test(test_shipped_fonts_are_the_known_ones),
        cmocka_unit_test(test_E16_shipped_text_has_known_pixels),
        cmocka_unit_test(test_versions_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
