/* PNG files: stb_image_write with libdeflate, RGB, written whole and then put in place. The lines
 * that made the picture travel in an iTXt chunk named "heed", UTF-8, so that `heed view FILE.png`
 * can bring them back. */
#ifndef DRAW_PNG_H
#define DRAW_PNG_H

#include "base/err.h"
#include "base/file.h"
#include "draw/canvas.h"

/* Largest picture: stb counts in int, (3 w + 1) h < 2^31; the error proposes a smaller cell or
 * scale. */
bool png_size_allowed(int width, int height, Err *err);

/* The file's bytes in memory, in arena. note may be NULL. Each row has filter 0 or 2, whichever
 * should pack better. */
bool png_encode(const Canvas *canvas, Rect part, const char *note, Arena *arena,
                const uint8_t **bytes, size_t *length, Err *err);

/* Writes the file; the canvas is spent: its memory serves to pack the pixels, and what was painted
 * is lost. A picture of its own memory is all that a large export needs besides its file. */
bool png_write(const char *path, Canvas *canvas, Rect part, const char *note, Arena *arena,
               Err *err);

/* The note of a PNG that heed wrote; the whole file is checked but no pixel is unpacked. Errors: no
 * PNG, damaged (cut off, wrong checksum), no note, a note that another program rewrote. */
bool png_read_note(const char *path, Arena *arena, const char **note, Err *err);

/* The same from the file's bytes; name is what errors call it. */
bool png_note_of(const char *name, FileBytes file, Arena *arena, const char **note, Err *err);

#endif
