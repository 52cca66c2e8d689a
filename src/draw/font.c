/* Text to pixels. A text is cut into short pieces; each piece is cleaned (font_clean), parted into
 * runs of one font and one script, and rendered once as coverage that is kept (font_piece). Two
 * facts decide the shape of this: changing the size of a font costs as much as fifty renderings, so
 * there is one font a size; and shaping wants whole words, so there is no table of glyphs. */
#include "draw/font.h"

#include "base/file.h"
#include "draw/font_clean.h"
#include "draw/font_piece.h"
#include "draw/font_search.h"

#include <SDL2/SDL_ttf.h>
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPEN_MAX = 24,     /* fonts of one size that are open at a time */
    PIXELS_MAX = 512,  /* of an em */
    MISSING_MAX = 2048 /* bytes of the list of missing characters */
};

typedef struct OpenFont {
    int source; /* a FontFace, or FONT_FACE_COUNT + number in the search */
    int pixels;
    TTF_Font *font;     /* NULL: it cannot be used */
    unsigned long used; /* when, by the count of uses */
} OpenFont;

/* A font file in memory: FreeType seeks for every glyph, and each seek of an open file would be a
 * system call. */
typedef struct MappedFile {
    struct MappedFile *next;
    int source;
    FileBytes file; /* {0}: it cannot be read */
} MappedFile;

struct Fonts {
    char *paths[FONT_FACE_COUNT];
    MappedFile *mapped;
    OpenFont open[OPEN_MAX];
    int open_count;
    unsigned long uses;
    FontSearch *search; /* opened when it is needed */
    bool searched;
    PieceCache *cache;
    char missing[MISSING_MAX];
    char versions[96];
};

static const char *const files[FONT_FACE_COUNT] = {
    [FONT_UI] = "Inter-Regular.otf",
    [FONT_BOLD] = "Inter-SemiBold.otf",
    [FONT_MONO] = "DejaVuSansMono.ttf",
    [FONT_MONO_BOLD] = "DejaVuSansMono-Bold.ttf",
};

/* Where a character is looked for before installed fonts are asked. */
static const FontFace shipped_order[FONT_FACE_COUNT][FONT_FACE_COUNT] = {
    [FONT_UI] = {FONT_UI, FONT_MONO, FONT_BOLD, FONT_MONO_BOLD},
    [FONT_BOLD] = {FONT_BOLD, FONT_MONO_BOLD, FONT_UI, FONT_MONO},
    [FONT_MONO] = {FONT_MONO, FONT_UI, FONT_MONO_BOLD, FONT_BOLD},
    [FONT_MONO_BOLD] = {FONT_MONO_BOLD, FONT_BOLD, FONT_MONO, FONT_UI},
};

static FontFile source_file(const Fonts *fonts, int source) {
    if (source < FONT_FACE_COUNT) return (FontFile){.path = fonts->paths[source]};
    return font_search_file(fonts->search, source - FONT_FACE_COUNT);
}

static FileBytes mapped_source(Fonts *fonts, int source) {
    for (const MappedFile *mapped = fonts->mapped; mapped; mapped = mapped->next)
        if (mapped->source == source) return mapped->file;
    MappedFile *mapped = calloc(1, sizeof *mapped);
    if (!mapped) return (FileBytes){0};
    Err unreadable = {0}; /* its user finds no bytes, and says so */
    file_map(source_file(fonts, source).path, &mapped->file, &unreadable);
    mapped->source = source;
    mapped->next = fonts->mapped;
    fonts->mapped = mapped;
    return mapped->file;
}

/* Light hinting keeps the heights of letters on the pixel rows and leaves their widths alone. */
static TTF_Font *open_source(Fonts *fonts, int source, int pixels) {
    FileBytes file = mapped_source(fonts, source);
    if (!file.bytes || file.length > INT_MAX) return NULL;
    SDL_RWops *stream = SDL_RWFromConstMem(file.bytes, (int)file.length);
    if (!stream) return NULL;
    TTF_Font *font = TTF_OpenFontIndexRW(stream, 1, pixels, source_file(fonts, source).index);
    if (font) TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL);
    return font;
}

/* A free place in the table: that of the font that was not used for longest, if all are taken. */
static OpenFont *place_for_font(Fonts *fonts) {
    if (fonts->open_count < OPEN_MAX) return &fonts->open[fonts->open_count++];
    OpenFont *oldest = &fonts->open[0];
    for (int i = 1; i < OPEN_MAX; i++)
        if (fonts->open[i].used < oldest->used) oldest = &fonts->open[i];
    if (oldest->font) TTF_CloseFont(oldest->font);
    return oldest;
}

/* NULL if the file cannot be used, which is remembered too. */
static TTF_Font *font_of(Fonts *fonts, int source, int pixels) {
    fonts->uses++;
    for (int i = 0; i < fonts->open_count; i++) {
        OpenFont *open = &fonts->open[i];
        if (open->source != source || open->pixels != pixels) continue;
        open->used = fonts->uses;
        return open->font;
    }
    OpenFont *place = place_for_font(fonts);
    *place = (OpenFont){source, pixels, open_source(fonts, source, pixels), fonts->uses};
    return place->font;
}

bool font_provides(Fonts *fonts, int source, int pixels, uint32_t code) {
    TTF_Font *font = font_of(fonts, source, pixels);
    return font && TTF_GlyphIsProvided32(font, code);
}

static int installed_source(Fonts *fonts, int pixels, uint32_t code) {
    if (!fonts->searched) fonts->search = font_search_open();
    fonts->searched = true;
    if (!fonts->search) return -1;
    int number = font_search(fonts->search, code, 0);
    while (number >= 0 && !font_provides(fonts, FONT_FACE_COUNT + number, pixels, code))
        number = font_search(fonts->search, code, number + 1);
    return number < 0 ? -1 : FONT_FACE_COUNT + number;
}

int font_source(Fonts *fonts, int face, int pixels, uint32_t code) {
    for (int i = 0; i < FONT_FACE_COUNT; i++)
        if (font_provides(fonts, (int)shipped_order[face][i], pixels, code))
            return (int)shipped_order[face][i];
    return installed_source(fonts, pixels, code);
}

bool font_can_turn(Fonts *fonts, int source, int pixels) {
    TTF_Font *font = font_of(fonts, source, pixels);
    return font && TTF_SetFontDirection(font, TTF_DIRECTION_RTL) == 0;
}

void font_note_missing(Fonts *fonts, uint32_t code) {
    char name[16];
    snprintf(name, sizeof name, "U+%04X", (unsigned)code);
    size_t used = strlen(fonts->missing), length = strlen(name);
    for (const char *at = fonts->missing; (at = strstr(at, name)); at += length)
        if (at[length] == ' ' || at[length] == '\0') return;
    if (used + length + 2 > sizeof fonts->missing) return;
    snprintf(fonts->missing + used, sizeof fonts->missing - used, "%s%s", used ? " " : "", name);
}

typedef struct Run {
    TTF_Font *font;
    bool bitmap; /* of one fixed size, to be brought to the height of the line */
    char text[CLEAN_MAX + 1];
} Run;

/* The run that begins at glyph `from`; returns the glyph behind it. */
static int take_run(Fonts *fonts, const Clean *clean, int from, int pixels, Run *run) {
    const Glyph *first = &clean->glyphs[from];
    int to = from + 1;
    while (clean->glyphs[to].source == first->source && clean->glyphs[to].script == first->script)
        to++;
    int length = clean->glyphs[to].offset - first->offset;
    memcpy(run->text, clean->text + first->offset, (size_t)length);
    run->text[length] = '\0';
    run->font = font_of(fonts, first->source, pixels);
    run->bitmap = source_file(fonts, first->source).bitmap;
    TTF_SetFontDirection(run->font,
                         first->script->right_to_left ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    TTF_SetFontScriptName(run->font, first->script->tag);
    return to;
}

/* Where a run of width x height stands in the line, from the top of the line; not yet moved right.
 */
static Rect run_place(const Run *run, TTF_Font *own, int width, int height) {
    int line = TTF_FontHeight(own);
    if (!run->bitmap)
        return (Rect){0, TTF_FontAscent(own) - TTF_FontAscent(run->font), width, height};
    int shrunk = height > 0 ? (width * line + height / 2) / height : 0;
    return (Rect){0, 0, shrunk, line};
}

static void measure_piece(Fonts *fonts, Piece *piece) {
    TTF_Font *own = font_of(fonts, piece->face, piece->pixels);
    int top = 0, bottom = TTF_FontHeight(own);
    Clean clean;
    clean_piece(fonts, piece, &clean);
    for (int i = 0; i < clean.count;) {
        Run run;
        i = take_run(fonts, &clean, i, piece->pixels, &run);
        int width = 0, height = 0;
        if (TTF_SizeUTF8(run.font, run.text, &width, &height) != 0) continue;
        Rect place = run_place(&run, own, width, height);
        piece->width += place.w;
        if (place.y < top) top = place.y;
        if (place.y + place.h > bottom) bottom = place.y + place.h;
    }
    piece->rise = -top;
    piece->height = bottom - top;
}

static int render_run(Fonts *fonts, Piece *piece, const Run *run, TTF_Font *own, int x) {
    const SDL_Color white = {255, 255, 255, 255};
    SDL_Surface *surface = TTF_RenderUTF8_Blended(run->font, run->text, white);
    if (!surface) return 0; /* nothing but characters without extent */
    assert(surface->format->BytesPerPixel == 4);
    Picture picture = {surface->pixels, surface->w, surface->h, surface->pitch / 4};
    Rect place = run_place(run, own, surface->w, surface->h);
    place.x = x;
    place.y += piece->rise;
    piece_put(fonts->cache, piece, &picture, place);
    SDL_FreeSurface(surface);
    return place.w;
}

static bool render_piece(Fonts *fonts, Piece *piece) {
    if (!piece_make_room(fonts->cache, piece)) return false;
    TTF_Font *own = font_of(fonts, piece->face, piece->pixels);
    Clean clean;
    clean_piece(fonts, piece, &clean);
    int x = 0;
    for (int i = 0; i < clean.count;) {
        Run run;
        i = take_run(fonts, &clean, i, piece->pixels, &run);
        x += render_run(fonts, piece, &run, own, x);
    }
    return true;
}

static int pixels_of(const Canvas *canvas, TextStyle style) {
    long pixels = lround(style.size * canvas->scale);
    return pixels < 1 ? 1 : pixels > PIXELS_MAX ? PIXELS_MAX : (int)pixels;
}

/* Bytes of text that make the next piece: all that is left, or up to a space or at least a
 * character's end. */
static size_t piece_length(const char *text) {
    size_t length = strnlen(text, PIECE_MAX + 1);
    if (length <= PIECE_MAX) return length;
    for (length = PIECE_MAX; length > PIECE_MAX / 2; length--)
        if (text[length - 1] == ' ') return length;
    length = PIECE_MAX;
    while (length > PIECE_MAX - 3 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
    return length;
}

static Piece *next_piece(Canvas *canvas, TextStyle style, const char *text) {
    Fonts *fonts = canvas->fonts;
    bool is_new;
    Piece *piece = piece_find(fonts->cache, (int)style.face, pixels_of(canvas, style), text,
                              piece_length(text), &is_new);
    if (piece && is_new) measure_piece(fonts, piece);
    return piece;
}

int font_width(Canvas *canvas, TextStyle style, const char *text) {
    int width = 0;
    while (*text) {
        const Piece *piece = next_piece(canvas, style, text);
        if (!piece) return width;
        width += piece->width;
        text += piece->length;
    }
    return width;
}

int font_height(Canvas *canvas, TextStyle style) {
    return TTF_FontHeight(font_of(canvas->fonts, (int)style.face, pixels_of(canvas, style)));
}

typedef void PieceDraw(Canvas *canvas, const Piece *piece, int x, int y, Color color);

/* Pieces follow each other along (dx, dy). */
static int draw_pieces(Canvas *canvas, TextStyle style, int x, int y, const char *text, int dx,
                       int dy, PieceDraw *draw) {
    int width = 0;
    while (*text) {
        Piece *piece = next_piece(canvas, style, text);
        if (!piece) return width;
        if (piece->coverage || render_piece(canvas->fonts, piece))
            draw(canvas, piece, x + dx * width, y + dy * width, style.color);
        width += piece->width;
        text += piece->length;
    }
    return width;
}

int font_draw(Canvas *canvas, TextStyle style, int x, int y, const char *text) {
    return draw_pieces(canvas, style, x, y, text, 1, 0, piece_draw);
}

int font_draw_up(Canvas *canvas, TextStyle style, int x, int y, const char *text) {
    return draw_pieces(canvas, style, x, y, text, 0, -1, piece_draw_up);
}

const char *fonts_missing(Fonts *fonts) {
    return fonts->missing;
}

static void write_versions(Fonts *fonts) {
    const SDL_version *ttf = TTF_Linked_Version();
    int freetype[3], harfbuzz[3];
    TTF_GetFreeTypeVersion(&freetype[0], &freetype[1], &freetype[2]);
    TTF_GetHarfBuzzVersion(&harfbuzz[0], &harfbuzz[1], &harfbuzz[2]);
    snprintf(fonts->versions, sizeof fonts->versions,
             "SDL_ttf %d.%d.%d, FreeType %d.%d.%d, HarfBuzz %d.%d.%d", ttf->major, ttf->minor,
             ttf->patch, freetype[0], freetype[1], freetype[2], harfbuzz[0], harfbuzz[1],
             harfbuzz[2]);
}

const char *fonts_versions(Fonts *fonts) {
    return fonts->versions;
}

/* Opened and tried with a few letters: a file that is cut off may open and have no glyphs. Without
 * hinting, which would analyse the whole face for a picture that may not use it. */
static bool check_face(Fonts *fonts, int face, Err *err) {
    const char *path = fonts->paths[face];
    if (!file_exists(path))
        return err_set(
            err, "font %s is missing: install heed again, or name its folder with --assets", path);
    TTF_Font *font = font_of(fonts, face, FONT_BODY);
    bool good = font != NULL;
    if (good) TTF_SetFontHinting(font, TTF_HINTING_NONE);
    for (const char *letter = "Hg0"; good && *letter; letter++) {
        int left, right, bottom, top, advance;
        good = TTF_GlyphMetrics32(font, (Uint32)*letter, &left, &right, &bottom, &top, &advance) ==
                   0 &&
               right > left && top > bottom;
    }
    if (!good) return err_set(err, "font %s is damaged: install heed again", path);
    TTF_SetFontHinting(font, TTF_HINTING_LIGHT_SUBPIXEL);
    return true;
}

static char *join_path(const char *assets, const char *file) {
    size_t size = strlen(assets) + strlen("/fonts/") + strlen(file) + 1;
    char *path = malloc(size);
    if (path) snprintf(path, size, "%s/fonts/%s", assets, file);
    return path;
}

/* FreeType reads changes to its rasteriser from the environment, which would change pixels. */
static bool start_library(Err *err) {
    unsetenv("FREETYPE_PROPERTIES");
    if (TTF_Init() == 0) return true;
    return err_set(err, "SDL_ttf cannot start: %s", TTF_GetError());
}

static bool prepare(Fonts *fonts, const char *assets, Err *err) {
    fonts->cache = piece_cache_open();
    bool enough = fonts->cache != NULL;
    for (int i = 0; i < FONT_FACE_COUNT; i++)
        enough = (fonts->paths[i] = join_path(assets, files[i])) && enough;
    if (!enough) return err_set(err, "not enough memory for the fonts");
    for (int i = 0; i < FONT_FACE_COUNT; i++)
        if (!check_face(fonts, i, err)) return false;
    write_versions(fonts);
    return true;
}

bool fonts_open(const char *assets, Fonts **fonts, Err *err) {
    if (!start_library(err)) return false;
    Fonts *fresh = calloc(1, sizeof *fresh);
    if (!fresh) {
        TTF_Quit();
        return err_set(err, "not enough memory for the fonts");
    }
    if (!prepare(fresh, assets, err)) {
        fonts_close(fresh);
        return false;
    }
    *fonts = fresh;
    return true;
}

void fonts_close(Fonts *fonts) {
    if (!fonts) return;
    for (int i = 0; i < fonts->open_count; i++)
        if (fonts->open[i].font) TTF_CloseFont(fonts->open[i].font);
    while (fonts->mapped) {
        MappedFile *mapped = fonts->mapped;
        fonts->mapped = mapped->next;
        file_unmap(&mapped->file);
        free(mapped);
    }
    for (int i = 0; i < FONT_FACE_COUNT; i++) free(fonts->paths[i]);
    piece_cache_close(fonts->cache);
    font_search_close(fonts->search);
    free(fonts);
    TTF_Quit();
}
