/* The words around a figure, the same for figures, pairs, plots and grids: a title in bold, the
 * line of facts, and the table's notes. Words are wrapped, never cut; facts part at their dots and
 * notes at their ends, so that no number is torn from its name while a line has room for both. */
#ifndef SCENE_CAPTIONS_H
#define SCENE_CAPTIONS_H

#include "base/table.h"
#include "draw/canvas.h"
#include "draw/font.h"

#include <stdbool.h>

TextStyle captions_title_style(const Canvas *canvas);
TextStyle captions_small_style(const Canvas *canvas);

/* Each draws into rect's width from its top on, or only measures; returns the height used. */
int captions_title(Canvas *canvas, Rect rect, const char *title, bool draw);
/* "mask: causal · scale: 1/√384 · colours: 0 to 1"; 0 for NULL or "". */
int captions_facts(Canvas *canvas, Rect rect, const char *facts, bool draw);
/* The first `most` notes of a table, which may be NULL; 0: all, -1: none. */
int captions_notes(Canvas *canvas, Rect rect, const Table *table, int most, bool draw);

#endif
