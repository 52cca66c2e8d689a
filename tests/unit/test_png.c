/* PNG files: pixels and note come back, damage and strangers are refused in a sentence, a failed
 * write leaves nothing behind. */
#include "base/file.h"
#include "draw/png.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <libdeflate.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void memory_full(size_t wanted) {
    fail_msg("no memory for %zu bytes", wanted);
    abort();
}

typedef struct Place {
    char folder[32];
    char path[64];
    Arena arena;
    Canvas canvas;
} Place;

static void place_open(Place *place, int width, int height) {
    strcpy(place->folder, "/tmp/heed-png-XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/a.png", place->folder);
    place->arena = arena_open(memory_full);
    place->canvas = (Canvas){.pixels = calloc((size_t)(width + 3) * (size_t)height, 4),
                             .width = width,
                             .height = height,
                             .stride = width + 3,
                             .clip = {0, 0, width, height},
                             .scale = 1};
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            place->canvas.pixels[y * (width + 3) + x] =
                (uint32_t)(x / 8 * 40503 + y / 8 * 9973) & 0xFFFFFF;
}

static void place_close(Place *place) {
    unlink(place->path);
    assert_int_equal(rmdir(place->folder), 0);
    free(place->canvas.pixels);
    arena_close(&place->arena);
}

static uint32_t big_endian(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The first chunk of that name, its content's length in *length. */
static const uint8_t *chunk_named(const uint8_t *png, size_t size, const char *name,
                                  size_t *length) {
    for (size_t at = 8; at + 12 <= size; at += 12 + big_endian(png + at)) {
        *length = big_endian(png + at);
        if (memcmp(png + at + 4, name, 4) == 0) return png + at + 8;
    }
    return NULL;
}

/* Unpacks the one IDAT of an RGB picture with filters 0 and 2. */
static uint8_t *unpack(const uint8_t *png, size_t size, Rect part) {
    size_t length, row = (size_t)part.w * 3 + 1, total = row * (size_t)part.h;
    const uint8_t *packed = chunk_named(png, size, "IDAT", &length);
    uint8_t *rows = malloc(total);
    struct libdeflate_decompressor *inflate = libdeflate_alloc_decompressor();
    assert_int_equal(libdeflate_zlib_decompress(inflate, packed, length, rows, total, NULL),
                     LIBDEFLATE_SUCCESS);
    libdeflate_free_decompressor(inflate);
    for (size_t y = 0; y < (size_t)part.h; y++) {
        assert_true(rows[y * row] == 0 || rows[y * row] == 2);
        for (size_t x = 1; x < row && rows[y * row] == 2 && y > 0; x++)
            rows[y * row + x] = (uint8_t)(rows[y * row + x] + rows[(y - 1) * row + x]);
    }
    return rows;
}

static void check_pixels(const Canvas *canvas, Rect part, const uint8_t *png, size_t size) {
    size_t length;
    const uint8_t *header = chunk_named(png, size, "IHDR", &length);
    assert_int_equal(big_endian(header), part.w);
    assert_int_equal(big_endian(header + 4), part.h);
    assert_memory_equal(header + 8, "\x08\x02\0\0\0", 5);
    uint8_t *rows = unpack(png, size, part);
    for (int y = 0; y < part.h; y++)
        for (int x = 0; x < part.w; x++) {
            const uint8_t *rgb = rows + (size_t)y * ((size_t)part.w * 3 + 1) + 1 + (size_t)x * 3;
            uint32_t pixel = canvas->pixels[(part.y + y) * canvas->stride + part.x + x];
            assert_int_equal((uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2], pixel);
        }
    free(rows);
}

static void test_pixels_come_back(void **state) {
    (void)state;
    Place place;
    place_open(&place, 90, 61);
    const Rect parts[] = {{0, 0, 90, 61}, {7, 3, 50, 40}, {89, 60, 1, 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const uint8_t *bytes;
        size_t length;
        Err err = {0};
        if (!png_encode(&place.canvas, parts[i], "note", &place.arena, &bytes, &length, &err))
            fail_msg("%s", err.text);
        check_pixels(&place.canvas, parts[i], bytes, length);
    }
    place_close(&place);
}

static void test_note_comes_back(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    char *large = calloc(1, 70001);
    memset(large, 'x', 70000);
    const char *const notes[] = {"heed 0.1.0\nset text \"naïve √ 注 \xF0\x9F\x99\x82\"\n", "",
                                 large};
    for (int i = 0; i < 3; i++) {
        Err err = {0};
        const char *note = NULL;
        if (!png_write(place.path, &place.canvas, place.canvas.clip, notes[i], &place.arena, &err))
            fail_msg("%s", err.text);
        if (!png_read_note(place.path, &place.arena, &note, &err)) fail_msg("%s", err.text);
        assert_string_equal(note, notes[i]);
    }
    free(large);
    place_close(&place);
}

/* The chunk as the PNG specification has it, 11.3.4.5: behind IHDR, not compressed. */
static void test_note_is_an_itxt_chunk(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    const uint8_t *bytes;
    size_t size, length;
    Err err = {0};
    assert_true(
        png_encode(&place.canvas, place.canvas.clip, "ab", &place.arena, &bytes, &size, &err));
    const uint8_t *chunk = chunk_named(bytes, size, "iTXt", &length);
    assert_ptr_equal(chunk, bytes + 8 + 25 + 8);
    assert_int_equal(length, 11);
    assert_memory_equal(chunk, "heed\0\0\0\0\0ab", 11);
    assert_int_equal(big_endian(chunk + length), libdeflate_crc32(0, chunk - 4, length + 4));
    place_close(&place);
}

static void test_same_canvas_same_bytes(void **state) {
    (void)state;
    Place place;
    place_open(&place, 64, 64);
    const uint8_t *bytes[2];
    size_t length[2];
    Err err = {0};
    for (int i = 0; i < 2; i++)
        assert_true(png_encode(&place.canvas, place.canvas.clip, "n", &place.arena, &bytes[i],
                               &length[i], &err));
    assert_int_equal(length[0], length[1]);
    assert_memory_equal(bytes[0], bytes[1], length[0]);
    place_close(&place);
}

static void assert_refused(Place *place, const char *sentence) {
    Err err = {0};
    const char *note = "untouched";
    assert_false(png_read_note(place->path, &place->arena, &note, &err));
    assert_string_equal(note, "untouched");
    if (!strstr(err.text, sentence)) fail_msg("\"%s\" lacks \"%s\"", err.text, sentence);
    assert_null(strchr(err.text, '\n'));
}

static void test_png_without_note_is_refused(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    Err err = {0};
    assert_true(png_write(place.path, &place.canvas, place.canvas.clip, NULL, &place.arena, &err));
    assert_refused(&place, "holds no heed note");
    place_close(&place);
}

static void test_other_files_are_refused(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    Err err = {0};
    assert_true(file_write(place.path, "", 0, &err));
    assert_refused(&place, "not a PNG");
    assert_true(file_write(place.path, "heed, but only as a text file", 29, &err));
    assert_refused(&place, "not a PNG");
    assert_true(file_write(place.path, "\x89PNG\r\n\x1A\n", 8, &err));
    assert_refused(&place, "damaged");
    unlink(place.path);
    assert_refused(&place, place.path);
    place_close(&place);
}

/* Cut anywhere and flipped anywhere, a file is refused; only the bytes of the signature make it
 * another kind of file. */
static void test_damage_is_found(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    const uint8_t *bytes;
    size_t length;
    Err err = {0};
    assert_true(png_encode(&place.canvas, place.canvas.clip, "set text x", &place.arena, &bytes,
                           &length, &err));
    uint8_t *copy = malloc(length);
    for (size_t cut = 0; cut < length; cut += cut < 100 ? 1 : 7) {
        assert_true(file_write(place.path, bytes, cut, &err));
        assert_refused(&place, cut < 8 ? "not a PNG" : "damaged");
    }
    for (size_t at = 0; at < length; at++) {
        memcpy(copy, bytes, length);
        copy[at] ^= 0x15;
        assert_true(file_write(place.path, copy, length, &err));
        assert_refused(&place, at < 8 ? "not a PNG" : "damaged");
    }
    free(copy);
    place_close(&place);
}

/* The note's content replaced, with a right checksum. */
static void write_with_note(Place *place, const char *content, size_t length) {
    const uint8_t *bytes;
    size_t size;
    Err err = {0};
    Canvas *canvas = &place->canvas;
    assert_true(png_encode(canvas, canvas->clip, NULL, &place->arena, &bytes, &size, &err));
    uint8_t *copy = malloc(size + length + 12);
    uint8_t *chunk = copy + 33;
    memcpy(copy, bytes, 33);
    memcpy(chunk, (uint8_t[8]){0, 0, 0, (uint8_t)length, 'i', 'T', 'X', 't'}, 8);
    memcpy(chunk + 8, content, length);
    uint32_t sum = libdeflate_crc32(0, chunk + 4, length + 4);
    for (int i = 0; i < 4; i++) chunk[8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
    memcpy(chunk + 12 + length, bytes + 33, size - 33);
    assert_true(file_write(place->path, copy, size + length + 12, &err));
    free(copy);
}

static void test_rewritten_notes_are_refused(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    write_with_note(&place, "heed\0\1\0\0\0abc", 12);
    assert_refused(&place, "rewritten");
    write_with_note(&place, "heed\0", 5);
    assert_refused(&place, "rewritten");
    write_with_note(&place, "heed\0\0\0\0\0a\0b", 12);
    assert_refused(&place, "not UTF-8");
    write_with_note(&place, "heed\0\0\0\0\0\xFF\xFE", 11);
    assert_refused(&place, "not UTF-8");
    write_with_note(&place, "heedless\0\0\0\0\0a", 14);
    assert_refused(&place, "holds no heed note");
    place_close(&place);
}

static void test_E9_size_has_a_clear_limit(void **state) {
    (void)state;
    Err err = {0};
    assert_true(png_size_allowed(12288, 12288, &err));
    assert_true(png_size_allowed(16800, 16800, &err));
    assert_true(png_size_allowed(1, 1, &err));
    assert_string_equal(err.text, "");
    assert_false(png_size_allowed(30000, 30000, &err));
    assert_non_null(strstr(err.text, "30000 x 30000"));
    const char *proposed = strstr(err.text, "million pixels here; ");
    int width = 0, height = 0;
    assert_non_null(proposed);
    assert_int_equal(sscanf(proposed + 21, "%d x %d", &width, &height), 2);
    assert_true(width > 26000 && png_size_allowed(width, height, &err));
    assert_false(png_size_allowed(INT_MAX, INT_MAX, &err));
    assert_false(png_size_allowed(INT_MAX, 1, &err));
    assert_false(png_size_allowed(1, INT_MAX, &err));
    assert_false(png_size_allowed(0, 5, &err));
    assert_false(png_size_allowed(5, -1, &err));
}

static void test_unwritable_targets(void **state) {
    (void)state;
    Place place;
    place_open(&place, 20, 10);
    char absent[64];
    snprintf(absent, sizeof absent, "%s/no/a.png", place.folder);
    const char *const targets[] = {"/dev/full", absent, place.folder};
    for (int i = 0; i < 3; i++) {
        Err err = {0};
        assert_false(
            png_write(targets[i], &place.canvas, place.canvas.clip, "n", &place.arena, &err));
        assert_string_not_equal(err.text, "");
    }
    place_close(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels_come_back),
        cmocka_unit_test(test_note_comes_back),
        cmocka_unit_test(test_note_is_an_itxt_chunk),
        cmocka_unit_test(test_same_canvas_same_bytes),
        cmocka_unit_test(test_png_without_note_is_refused),
        cmocka_unit_test(test_other_files_are_refused),
        cmocka_unit_test(test_damage_is_found),
        cmocka_unit_test(test_rewritten_notes_are_refused),
        cmocka_unit_test(test_E9_size_has_a_clear_limit),
        cmocka_unit_test(test_unwritable_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
