/* What the files of the hud share: each part of the window draws itself and says what stands at a
 * point, from one computation of its places. Only hud*.c, help.c, palette.c, viewer.c and app.c
 * include this. */
#ifndef APP_HUD_PARTS_H
#define APP_HUD_PARTS_H

#include "app/app.h"

#include <stddef.h>

/* Hud.drag */
enum { HUD_DRAG_NONE, HUD_DRAG_SLIDER, HUD_DRAG_FIGURE, HUD_DRAG_TEXT, HUD_DRAG_PAINT };

TextStyle hud_style(FontFace face, double size, Color color);
/* The style with type so much smaller that the text fits, down to FONT_SMALL: for sentences, of
 * which nothing should be left out. */
TextStyle hud_fitting(Canvas *canvas, TextStyle style, const char *text, int width);
void hud_hairline(Canvas *canvas, Rect rect); /* horizontal, at rect's top */
bool hud_is_empty(Rect rect);

/* Goes to a mode; the whole window is drawn anew. */
void hud_mode(App *app, HudMode mode);
/* A command of the app by words that need no quoting; as hud_do otherwise. */
bool hud_do_words(App *app, const char *const *words, int count);

/* A knob's value as a line to edit, all of it selected; a choice simply goes on. */
void hud_start_value(App *app, const Knob *knob);
/* Moves the sheet of keys, in pixels, as far as it goes. */
void hud_scroll_help(App *app, int by);
/* What the pointer does. */
void hud_pointer(App *app, Canvas *canvas, const Event *event);

/* Knobs. */
const Knob *hud_steps_knob(const App *app); /* NULL: the scene has no steps line */
const Knob *hud_text_knob(const App *app);  /* what T edits: "text", else the first text */
/* What a knob's line begins with when it is edited. */
const char *hud_knob_text(const App *app, const Knob *knob, Arena *arena);
/* The rows of the panel; some knobs are folded away, and one more row then says so. */
int hud_panel_count(const App *app);
bool hud_panel_folded(const App *app);
const Knob *hud_panel_knob(const App *app, int row); /* NULL outside */
int hud_panel_row(const App *app, const Knob *knob); /* -1 not there */
/* The knob that Tab or the pointer chose; NULL none. */
const Knob *hud_knob(const App *app);
void hud_take_knob(App *app, const Knob *knob);
/* A number with a range that a hand can aim at, standing on a number and not on a word. */
bool hud_has_slider(const Knob *knob, const SceneState *state, Arena *arena);

/* Rail. */
void hud_rail_draw(App *app, Canvas *canvas, Rect rail);
const Scene *hud_rail_at(App *app, Canvas *canvas, Rect rail, int x, int y);

/* Title, lesson, steps. */
void hud_title_draw(App *app, Canvas *canvas, Rect title);
void hud_steps_draw(App *app, Canvas *canvas, Rect steps);
int hud_steps_at(App *app, Canvas *canvas, Rect steps, int x, int y); /* choice, -1 none */

/* The line under the figure. */
void hud_text_draw(App *app, Canvas *canvas, Rect text);
size_t hud_text_offset(App *app, Canvas *canvas, Rect text, int x); /* byte offset at x */

/* One line of the editor inside place, scrolled so that the caret is seen. */
void hud_edit_draw(const HudEdit *edit, Canvas *canvas, Rect place, TextStyle style);

/* Knobs and inspector. */
void hud_side_draw(App *app, Canvas *canvas, Rect side);
int hud_side_row_at(App *app, Canvas *canvas, Rect side, int x, int y); /* -1 none */
Rect hud_side_slider(Canvas *canvas, Rect side, int row, int scroll);

/* Status line. */
void hud_status_draw(App *app, Canvas *canvas, Rect status);

/* Sheets over the window. */
void help_draw(App *app, Canvas *canvas, Rect window);

/* The cell that the inspector shows: hovered, else chosen; row -1 none. */
Cell hud_cell(const App *app);
/* The cell at a point of the canvas. */
bool hud_locate(App *app, Canvas *canvas, int x, int y, Cell *cell);

#endif
