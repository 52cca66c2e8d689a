/* A pure editor of one line of UTF-8: caret, selection, words. It knows no font, no window and no
 * clipboard; whoever shows it asks for offsets, and undo is the app's. Offsets are bytes and always
 * stand between whole characters. */
#ifndef APP_EDIT_H
#define APP_EDIT_H

#include "app/hud.h"
#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* How far a movement or a deletion goes. */
typedef enum EditStep {
    EDIT_LEFT,
    EDIT_RIGHT,
    EDIT_WORD_LEFT,
    EDIT_WORD_RIGHT,
    EDIT_HOME,
    EDIT_END
} EditStep;

/* Starts with text (cut at a whole character when too long), the caret behind it. */
void edit_start(HudEdit *edit, const char *text);

/* Replaces the selection by text: newlines and other control characters become spaces, bytes that
 * are not UTF-8 become U+FFFD. False, and nothing done, when the line would grow too long. */
bool edit_insert(HudEdit *edit, const char *text);

/* Moves the caret; select keeps the anchor, so that the selection grows. Without it, a plain step
 * out of a selection goes to that end of it. */
void edit_move(HudEdit *edit, EditStep step, bool select);

/* Deletes the selection, or else what lies between the caret and where step would go. */
bool edit_delete(HudEdit *edit, EditStep step);

/* The caret at a byte offset (put back to a whole character). */
void edit_place(HudEdit *edit, size_t offset, bool select);

void edit_select_all(HudEdit *edit);
/* The word around a byte offset, as a double click takes it. */
void edit_select_word(HudEdit *edit, size_t offset);
bool edit_has_selection(const HudEdit *edit);
void edit_selection(const HudEdit *edit, size_t *from, size_t *to);
/* The selected text, "" when there is none. */
const char *edit_selected(const HudEdit *edit, Arena *arena);

#endif
