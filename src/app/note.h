/* The note that a PNG carries: the lines that made it, so that the picture can be had again, and
 * the figure's geometry, so that numbers can be read back from colours.
 *
 *   heed 0.1.0
 *   scene raw --text "a b" --mask causal
 *   select 3,4            when a cell was chosen
 *   zoom 2 0.5 0.5        when not all of it is seen
 *   theme light
 *   scale 1
 *   size 760x600          "natural" when none was asked for; of the window with --frame
 *   frame                 when it is the whole window
 *   file 1234 a1b2... vectors.txt      bytes and FNV-1a hash of a file that the scene reads
 *   data MSAyCg==         what that file held, in base64: up to 64 kB, of scenes that carry files
 *   figure 0 0 760 600    where the figure stands in the picture
 *   matrix ...            the scene's own lines of geometry */
#ifndef APP_NOTE_H
#define APP_NOTE_H

#include "app/app.h"
#include "app/picture.h"

/* figure: where it stands in the picture. */
const char *note_make(App *app, Canvas *canvas, Rect figure, const PictureOptions *options,
                      Arena *arena);

/* Whether path is none of the files that the scene reads: writing there would destroy what the
 * numbers came from. */
bool note_spares_inputs(App *app, const char *path, Err *err);

/* Brings back scene, chosen cell, zoom and theme of a PNG. The note is not trusted: only these
 * lines are done, and files that it names must be what they were, or the note holds what they were.
 * Errors: no PNG, no note, one of a
 * newer heed, a file that has changed. */
bool note_open(App *app, const char *path, Err *err);

#endif
