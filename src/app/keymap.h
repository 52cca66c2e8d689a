/* The keys of all scenes, as one table: what a key does is a command line, and the sheet of keys,
 * the status line and the command palette are made from the same rows. A scene adds the letters of
 * its knobs: the letter turns the knob on, with Shift back. */
#ifndef APP_KEYMAP_H
#define APP_KEYMAP_H

#include "app/window.h"
#include "scene/scene.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct KeyRow {
    uint32_t key;      /* a character or a KeyCode; NULL help ends the table */
    unsigned mods;     /* MOD_ */
    const char *line;  /* what hud_do does */
    const char *help;  /* in the sheet; neighbours with the same help share a line there */
    const char *group; /* heading in the sheet */
} KeyRow;

const KeyRow *keymap_rows(void);

/* The row for a key that was pressed, NULL if none. Digits count by place and by character. */
const KeyRow *keymap_find(const Event *event);

/* The row for a character that was typed: signs like + - ? stand on different keys, with or without
 * Shift, on every layout, so they are known by what they write. */
const KeyRow *keymap_find_typed(const char *text);

/* Whether holding the key down does it again and again. */
bool keymap_repeats(const KeyRow *row);

/* Whether it is only for scenes that can be painted. */
bool keymap_paints(const KeyRow *row);

/* The knob whose letter was pressed, with the direction to turn it; NULL if none. */
const Knob *keymap_knob(const Scene *scene, const Event *event, int *direction);

/* "Ctrl+Shift+C", "←", "Page Up", "Space" in arena. */
const char *keymap_name(uint32_t key, unsigned mods, Arena *arena);

#endif
