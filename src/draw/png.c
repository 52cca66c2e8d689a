/* PNG by stb_image_write, whose slow and loose compressor is replaced by libdeflate. stb makes the
 * file in memory; the note is put behind its header chunk, and base/file puts all of it in place
 * at once (stb's own writer calls a full disk a success). */
#include "draw/png.h"

#include "base/pages.h"
#include "base/utf8.h"

#include <assert.h>
#include <libdeflate.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How many of a row's words of 8 bytes differ from those `behind` bytes before them. */
static size_t changed_words(const unsigned char *row, size_t length, size_t behind) {
    size_t changed = 0;
    for (size_t i = 0; i + 8 <= length; i += 8) {
        uint64_t here, there;
        memcpy(&here, row + i, 8);
        memcpy(&there, row + i - behind, 8);
        changed += here != there;
    }
    return changed;
}

static void subtract_row_above(unsigned char *row, size_t row_size) {
    const unsigned char *above = row - row_size;
    row[0] = 2;
    if (memcmp(row + 1, above + 1, row_size - 1) == 0) {
        memset(row + 1, 0, row_size - 1);
        return;
    }
    for (size_t x = 1; x < row_size; x++) row[x] = (unsigned char)(row[x] - above[x]);
}

/* Chooses the filter of each row, tag byte and then pixels of three bytes, all of which come with
 * filter 0: text packs best as it is, cells of a heatmap as differences to the row above (filter
 * 2). That is taken where clearly fewer words change downwards than along the row: a factor of 2.5
 * gave the smallest files, up to a third smaller than one filter for all rows, and smaller than
 * stb's own choice, which takes several times as long. From the last row up, in place. */
static void filter_rows(unsigned char *rows, size_t row_size, size_t count) {
    for (size_t y = count; y-- > 1;) {
        unsigned char *row = rows + y * row_size;
        size_t down = changed_words(row + 1, row_size - 1, row_size);
        size_t along = down && row_size > 4 ? changed_words(row + 4, row_size - 4, 3) : 0;
        if (5 * down <= 2 * along) subtract_row_above(row, row_size);
    }
}

/* For stb: the zlib stream of data in a block that free can free, or NULL. stb hands its setting
 * for the compression level on to here and does nothing else with it; it carries the size of a
 * row. Level 6 is the last one whose time is worth its bytes on heatmaps. */
static unsigned char *deflate_for_stb(unsigned char *data, int length, int *out_length,
                                      int row_size) {
    filter_rows(data, (size_t)row_size, (size_t)(length / row_size));
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(6);
    if (!compressor) return NULL;
    size_t bound = libdeflate_zlib_compress_bound(compressor, (size_t)length);
    unsigned char *out = malloc(bound);
    size_t used = out ? libdeflate_zlib_compress(compressor, data, (size_t)length, out, bound) : 0;
    libdeflate_free_compressor(compressor);
    const size_t room_for_chunks = 1024;
    if (used == 0 || used > INT_MAX - room_for_chunks) {
        free(out);
        return NULL;
    }
    *out_length = (int)used;
    return out;
}

static unsigned int checksum(const unsigned char *bytes, int length) {
    return libdeflate_crc32(0, bytes, (size_t)length);
}

#define STBIW_ZLIB_COMPRESS deflate_for_stb
#define STBIW_CRC32         checksum
#define STBIW_ASSERT        assert
#define STBIW_MALLOC        pages_alloc
#define STBIW_REALLOC       realloc
#define STBIW_FREE          free
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

static const uint8_t signature[8] = {137, 'P', 'N', 'G', '\r', '\n', 26, '\n'};

enum {
    CHUNK_FRAME = 12,        /* length, name and checksum of a chunk */
    HEADER_END = 8 + 12 + 13 /* the signature and IHDR */
};

/* What stands before the text in an iTXt chunk: the keyword and its NUL, not compressed, no
 * language, no translated keyword. */
static const uint8_t note_head[9] = {'h', 'e', 'e', 'd', 0, 0, 0, 0, 0};

static bool size_fits(double width, double height) {
    return (3 * width + 1) * height <= (double)INT_MAX;
}

bool png_size_allowed(int width, int height, Err *err) {
    if (width < 1 || height < 1)
        return err_set(err,
                       "a picture of %d x %d pixels is empty: each side needs at least 1 pixel",
                       width, height);
    if (size_fits(width, height)) return true;
    double shrink = sqrt((double)INT_MAX / ((3.0 * width + 1) * height));
    int fits_width = (int)fmax(width * shrink, 1), fits_height = (int)fmax(height * shrink, 1);
    while (fits_height > 1 && !size_fits(fits_width, fits_height)) fits_height--;
    return err_set(err,
                   "a picture of %d x %d pixels is too large for a PNG, which may have about 715 "
                   "million pixels here; %d x %d would fit: choose a smaller scale, size or cell",
                   width, height, fits_width, fits_height);
}

static void pack_row(const uint32_t *row, int width, unsigned char *out) {
    for (int x = 0; x < width; x++) {
        uint32_t pixel = row[x]; /* read before its own bytes are written over */
        *out++ = (unsigned char)(pixel >> 16);
        *out++ = (unsigned char)(pixel >> 8);
        *out++ = (unsigned char)pixel;
    }
}

/* The part's pixels as packed RGB, from out on. Half of the rows of a heatmap are like the one
 * above, and copied. out may be the canvas's own memory: three bytes never overtake four. */
static void pack_part(const Canvas *canvas, Rect part, unsigned char *out) {
    size_t width = (size_t)part.w, stride = (size_t)canvas->stride;
    bool apart = out != (const unsigned char *)canvas->pixels;
    for (size_t y = 0; y < (size_t)part.h; y++, out += width * 3) {
        const uint32_t *row = canvas->pixels + ((size_t)part.y + y) * stride + part.x;
        if (apart && y > 0 && memcmp(row, row - stride, width * sizeof *row) == 0)
            memcpy(out, out - width * 3, width * 3);
        else
            pack_row(row, part.w, out);
    }
}

static unsigned char *encode_rgb(const unsigned char *rgb, Rect part, int *length) {
    stbi_write_force_png_filter = 0;
    stbi_write_png_compression_level = part.w * 3 + 1;
    return stbi_write_png_to_mem(rgb, part.w * 3, part.w, part.h, 3, length);
}

static void put_u32(uint8_t *out, uint32_t value) {
    for (int i = 0; i < 4; i++) out[i] = (uint8_t)(value >> (24 - 8 * i));
}

static uint32_t get_u32(const uint8_t *in) {
    return (uint32_t)in[0] << 24 | (uint32_t)in[1] << 16 | (uint32_t)in[2] << 8 | in[3];
}

static size_t note_chunk_size(const char *note) {
    return note ? CHUNK_FRAME + sizeof note_head + strlen(note) : 0;
}

static void put_note(uint8_t *out, const char *note) {
    size_t content = note_chunk_size(note) - CHUNK_FRAME;
    put_u32(out, (uint32_t)content);
    memcpy(out + 4, "iTXt", 4);
    memcpy(out + 8, note_head, sizeof note_head);
    memcpy(out + 8 + sizeof note_head, note, strlen(note));
    put_u32(out + 8 + content, libdeflate_crc32(0, out + 4, content + 4));
}

static bool short_of_memory(Rect part, Err *err) {
    return err_set(err,
                   "not enough memory to write a picture of %d x %d pixels: choose a "
                   "smaller scale, size or cell",
                   part.w, part.h);
}

static void check_part(const Canvas *canvas, Rect part, const char *note) {
    assert(part.x >= 0 && part.y >= 0);
    assert(part.x + part.w <= canvas->width && part.y + part.h <= canvas->height);
    assert(!note || (strlen(note) < INT_MAX / 2 && utf8_valid(note, strlen(note), NULL)));
}

static bool encode(const unsigned char *rgb, Rect part, const char *note, Arena *arena,
                   const uint8_t **bytes, size_t *length, Err *err) {
    int picture_length = 0;
    unsigned char *picture = encode_rgb(rgb, part, &picture_length);
    if (!picture) return short_of_memory(part, err);
    size_t note_size = note_chunk_size(note);
    uint8_t *out = arena_alloc(arena, (size_t)picture_length + note_size);
    memcpy(out, picture, HEADER_END);
    if (note) put_note(out + HEADER_END, note);
    memcpy(out + HEADER_END + note_size, picture + HEADER_END, (size_t)picture_length - HEADER_END);
    free(picture);
    *bytes = out;
    *length = (size_t)picture_length + note_size;
    return true;
}

bool png_encode(const Canvas *canvas, Rect part, const char *note, Arena *arena,
                const uint8_t **bytes, size_t *length, Err *err) {
    check_part(canvas, part, note);
    if (!png_size_allowed(part.w, part.h, err)) return false;
    unsigned char *rgb = pages_alloc((size_t)part.w * (size_t)part.h * 3);
    if (!rgb) return short_of_memory(part, err);
    pack_part(canvas, part, rgb);
    bool done = encode(rgb, part, note, arena, bytes, length, err);
    free(rgb);
    return done;
}

bool png_write(const char *path, Canvas *canvas, Rect part, const char *note, Arena *arena,
               Err *err) {
    check_part(canvas, part, note);
    if (!png_size_allowed(part.w, part.h, err)) return false;
    unsigned char *rgb = (unsigned char *)canvas->pixels;
    pack_part(canvas, part, rgb);
    Arena scratch = *arena;
    const uint8_t *bytes;
    size_t length;
    return encode(rgb, part, note, &scratch, &bytes, &length, err) &&
           file_write(path, bytes, length, err);
}

typedef struct Chunk {
    char name[5];
    const uint8_t *content;
    size_t length;
} Chunk;

/* The chunk at *offset, whose checksum is right; *offset moves behind it. */
static bool next_chunk(const char *path, FileBytes file, size_t *offset, Chunk *chunk, Err *err) {
    size_t rest = file.length - *offset;
    size_t length = rest >= CHUNK_FRAME ? get_u32(file.bytes + *offset) : 0;
    if (rest < CHUNK_FRAME || length > rest - CHUNK_FRAME)
        return err_set(err, "%s is damaged: the PNG ends in the middle of a part, at byte %zu",
                       path, file.length);
    const uint8_t *start = file.bytes + *offset;
    if (libdeflate_crc32(0, start + 4, length + 4) != get_u32(start + 8 + length))
        return err_set(err, "%s is damaged: the checksum of the PNG part at byte %zu is wrong",
                       path, *offset);
    memcpy(chunk->name, start + 4, 4);
    chunk->name[4] = '\0';
    chunk->content = start + 8;
    chunk->length = length;
    *offset += CHUNK_FRAME + length;
    return true;
}

static bool is_note(const Chunk *chunk) {
    return strcmp(chunk->name, "iTXt") == 0 && chunk->length >= 5 &&
           memcmp(chunk->content, "heed", 5) == 0;
}

static bool take_note(const char *path, const Chunk *chunk, Arena *arena, const char **note,
                      Err *err) {
    const size_t head = sizeof note_head;
    const char *text = (const char *)chunk->content + head;
    if (chunk->length < head || memcmp(chunk->content, note_head, head) != 0)
        return err_set(err, "%s: its heed note was rewritten by another program and cannot be read",
                       path);
    size_t length = chunk->length - head;
    if (memchr(text, '\0', length) || !utf8_valid(text, length, NULL))
        return err_set(err, "%s is damaged: its heed note is not UTF-8 text", path);
    *note = arena_bytes(arena, text, length);
    return true;
}

/* All parts are walked, also behind the note: half a picture is not taken for a whole one. */
static bool find_note(const char *path, FileBytes file, Chunk *found, Err *err) {
    if (file.length < sizeof signature || memcmp(file.bytes, signature, sizeof signature) != 0)
        return err_set(err, "%s is not a PNG picture", path);
    *found = (Chunk){0};
    Chunk chunk = {0};
    size_t offset = sizeof signature;
    while (strcmp(chunk.name, "IEND") != 0) {
        if (!next_chunk(path, file, &offset, &chunk, err)) return false;
        if (is_note(&chunk) && !found->content) *found = chunk;
    }
    if (!found->content)
        return err_set(err,
                       "%s holds no heed note, so there is nothing to bring back: only pictures "
                       "that heed exported can be opened",
                       path);
    return true;
}

bool png_note_of(const char *name, FileBytes file, Arena *arena, const char **note, Err *err) {
    Chunk chunk = {0};
    return find_note(name, file, &chunk, err) && take_note(name, &chunk, arena, note, err);
}

bool png_read_note(const char *path, Arena *arena, const char **note, Err *err) {
    FileBytes file;
    return file_read(path, INT_MAX, arena, &file, err) && png_note_of(path, file, arena, note, err);
}
