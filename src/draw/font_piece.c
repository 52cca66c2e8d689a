/* A hash table of chains a generation. Pieces found in the old one move to the young one. */
#include "draw/font_piece.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUCKETS = 2048,
    GENERATION_BYTES = 4 << 20 /* kept in each of the two */
};

typedef struct Generation {
    Piece *buckets[BUCKETS];
    size_t bytes;
} Generation;

struct PieceCache {
    Generation young, old;
};

static size_t pixel_count(const Piece *piece) {
    return (size_t)piece->width * (size_t)piece->height;
}

static size_t piece_bytes(const Piece *piece) {
    return sizeof *piece + piece->length + 1 + (piece->coverage ? pixel_count(piece) : 0) +
           (piece->colors ? pixel_count(piece) * sizeof *piece->colors : 0);
}

static void piece_free(Piece *piece) {
    free(piece->coverage);
    free(piece->colors);
    free(piece);
}

static void generation_clear(Generation *generation) {
    for (int i = 0; i < BUCKETS; i++) {
        for (Piece *piece = generation->buckets[i]; piece;) {
            Piece *next = piece->next;
            piece_free(piece);
            piece = next;
        }
    }
    memset(generation, 0, sizeof *generation);
}

PieceCache *piece_cache_open(void) {
    return calloc(1, sizeof(PieceCache));
}

void piece_cache_close(PieceCache *cache) {
    if (!cache) return;
    generation_clear(&cache->young);
    generation_clear(&cache->old);
    free(cache);
}

/* FNV-1a. */
static uint64_t hash_of(int face, int pixels, const char *text, size_t length) {
    uint64_t hash = 0xCBF29CE484222325u ^ ((uint64_t)face << 32 | (uint64_t)pixels);
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001B3u;
    return hash ^ hash >> 29;
}

static bool is_piece(const Piece *piece, uint64_t hash, int face, int pixels, const char *text,
                     size_t length) {
    return piece->hash == hash && piece->face == face && piece->pixels == pixels &&
           piece->length == length && memcmp(piece->text, text, length) == 0;
}

static void generation_add(Generation *generation, Piece *piece) {
    Piece **bucket = &generation->buckets[piece->hash % BUCKETS];
    piece->next = *bucket;
    *bucket = piece;
    generation->bytes += piece_bytes(piece);
}

/* Makes place before a piece is added, so that one just given out is never freed at once. */
static void grow_old(PieceCache *cache) {
    if (cache->young.bytes <= GENERATION_BYTES) return;
    generation_clear(&cache->old);
    cache->old = cache->young;
    memset(&cache->young, 0, sizeof cache->young);
}

static Piece *piece_new(uint64_t hash, int face, int pixels, const char *text, size_t length) {
    Piece *piece = calloc(1, sizeof *piece + length + 1);
    if (!piece) return NULL;
    piece->hash = hash;
    piece->face = face;
    piece->pixels = pixels;
    piece->length = length;
    memcpy(piece->text, text, length);
    return piece;
}

Piece *piece_find(PieceCache *cache, int face, int pixels, const char *text, size_t length,
                  bool *is_new) {
    uint64_t hash = hash_of(face, pixels, text, length);
    *is_new = false;
    for (Piece *piece = cache->young.buckets[hash % BUCKETS]; piece; piece = piece->next)
        if (is_piece(piece, hash, face, pixels, text, length)) return piece;
    Piece **link = &cache->old.buckets[hash % BUCKETS];
    while (*link && !is_piece(*link, hash, face, pixels, text, length)) link = &(*link)->next;
    Piece *piece = *link;
    if (piece) {
        *link = piece->next;
        cache->old.bytes -= piece_bytes(piece);
    } else {
        *is_new = true;
        piece = piece_new(hash, face, pixels, text, length);
        if (!piece) return NULL;
    }
    grow_old(cache);
    generation_add(&cache->young, piece);
    return piece;
}

bool piece_make_room(PieceCache *cache, Piece *piece) {
    piece->coverage = calloc(pixel_count(piece) + 1, 1);
    if (!piece->coverage) return false;
    cache->young.bytes += pixel_count(piece);
    return true;
}

static bool has_colors(const Picture *picture) {
    for (int y = 0; y < picture->height; y++) {
        const uint32_t *row = picture->pixels + (size_t)y * (size_t)picture->stride;
        for (int x = 0; x < picture->width; x++)
            if (row[x] >> 24 && (row[x] & 0xFFFFFF) != 0xFFFFFF) return true;
    }
    return false;
}

/* The mean of the block of pixels, weighted by their coverage. */
static uint32_t mean_color(const Picture *picture, Rect block) {
    uint64_t alpha = 0, red = 0, green = 0, blue = 0;
    for (int y = block.y; y < block.y + block.h; y++) {
        const uint32_t *row = picture->pixels + (size_t)y * (size_t)picture->stride;
        for (int x = block.x; x < block.x + block.w; x++) {
            uint32_t a = row[x] >> 24;
            alpha += a;
            red += (row[x] >> 16 & 0xFF) * a;
            green += (row[x] >> 8 & 0xFF) * a;
            blue += (row[x] & 0xFF) * a;
        }
    }
    if (alpha == 0) return 0;
    uint64_t count = (uint64_t)block.w * (uint64_t)block.h;
    return (uint32_t)((alpha + count / 2) / count) << 24 |
           (uint32_t)((red + alpha / 2) / alpha) << 16 |
           (uint32_t)((green + alpha / 2) / alpha) << 8 | (uint32_t)((blue + alpha / 2) / alpha);
}

/* The stretch of `from` pixels that pixel i of `to` stands for; at least one. */
static void block_of(int i, int from, int to, int *start, int *length) {
    *start = (int)((int64_t)i * from / to);
    int end = (int)((int64_t)(i + 1) * from / to);
    *length = end > *start ? end - *start : 1;
}

static uint32_t picture_color(const Picture *picture, Rect place, int x, int y) {
    if (place.w == picture->width && place.h == picture->height)
        return picture->pixels[(size_t)y * (size_t)picture->stride + (size_t)x];
    Rect block;
    block_of(x, picture->width, place.w, &block.x, &block.w);
    block_of(y, picture->height, place.h, &block.y, &block.h);
    return mean_color(picture, block);
}

static void put_pixel(Piece *piece, int x, int y, uint32_t color, bool colored) {
    if (x < 0 || y < 0 || x >= piece->width || y >= piece->height || color >> 24 == 0) return;
    size_t at = (size_t)y * (size_t)piece->width + (size_t)x;
    if (colored)
        piece->colors[at] = color;
    else if (color >> 24 > piece->coverage[at])
        piece->coverage[at] = (uint8_t)(color >> 24);
}

void piece_put(PieceCache *cache, Piece *piece, const Picture *picture, Rect place) {
    bool colored = has_colors(picture);
    if (colored && !piece->colors) {
        piece->colors = calloc(pixel_count(piece) + 1, sizeof *piece->colors);
        if (!piece->colors) return;
        cache->young.bytes += pixel_count(piece) * sizeof *piece->colors;
    }
    for (int y = 0; y < place.h; y++)
        for (int x = 0; x < place.w; x++)
            put_pixel(piece, place.x + x, place.y + y, picture_color(picture, place, x, y),
                      colored);
}

void piece_draw(Canvas *canvas, const Piece *piece, int x, int y, Color color) {
    Rect rect = {x, y - piece->rise, piece->width, piece->height};
    canvas_mask(canvas, rect, piece->coverage, 1, piece->width, color);
    if (piece->colors) canvas_picture(canvas, rect, piece->colors, 1, piece->width);
}

/* Column c of the text becomes row y - 1 - c, its row r becomes column x + r. */
void piece_draw_up(Canvas *canvas, const Piece *piece, int x, int y, Color color) {
    Rect rect = {x - piece->rise, y - piece->width, piece->height, piece->width};
    size_t last = piece->width > 0 ? (size_t)piece->width - 1 : 0;
    canvas_mask(canvas, rect, piece->coverage + last, piece->width, -1, color);
    if (piece->colors) canvas_picture(canvas, rect, piece->colors + last, piece->width, -1);
}
