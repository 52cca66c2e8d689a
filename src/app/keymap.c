/* One const table. Letters follow what is printed on the key, digits count by place too, signs by
 * what they write; so the table works on every keyboard layout. */
#include "app/keymap.h"

#include "base/utf8.h"

#include <string.h>

static const char walk[] = "Walk";
static const char change[] = "Change";
static const char look[] = "Look";
static const char picture[] = "Take away";
static const char program[] = "Program";

static const char steps_help[] = "step the line above the figure";
static const char rows_help[] = "choose the query row";
static const char cells_help[] = "move the chosen cell";
static const char scenes_help[] = "previous and next scene";
static const char numbers_help[] = "the first nine scenes";
static const char undo_help[] = "undo and redo";
static const char zoom_help[] = "zoom in, zoom out, see all";
static const char size_help[] = "larger, smaller, plain type";
static const char paint_help[] = "paint the chosen cell; clear what was painted";
static const char help_help[] = "this sheet";

static const KeyRow rows[] = {
    {KEY_LEFT, 0, "step back", steps_help, walk},
    {KEY_RIGHT, 0, "step on", steps_help, walk},
    {' ', 0, "go", "play or pause; step after step; on in a lesson", walk},
    {KEY_UP, 0, "turn up", rows_help, walk},
    {KEY_DOWN, 0, "turn down", rows_help, walk},
    {KEY_LEFT, MOD_SHIFT, "cell left", cells_help, walk},
    {KEY_RIGHT, MOD_SHIFT, "cell right", cells_help, walk},
    {KEY_UP, MOD_SHIFT, "cell up", cells_help, walk},
    {KEY_DOWN, MOD_SHIFT, "cell down", cells_help, walk},
    {KEY_PAGE_UP, 0, "prev-scene", scenes_help, walk},
    {KEY_PAGE_DOWN, 0, "next-scene", scenes_help, walk},
    {'1', 0, "scene-number 1", numbers_help, walk},
    {'2', 0, "scene-number 2", numbers_help, walk},
    {'3', 0, "scene-number 3", numbers_help, walk},
    {'4', 0, "scene-number 4", numbers_help, walk},
    {'5', 0, "scene-number 5", numbers_help, walk},
    {'6', 0, "scene-number 6", numbers_help, walk},
    {'7', 0, "scene-number 7", numbers_help, walk},
    {'8', 0, "scene-number 8", numbers_help, walk},
    {'9', 0, "scene-number 9", numbers_help, walk},
    {'t', 0, "edit", "edit the text (Esc leaves)", change},
    {KEY_ENTER, 0, "paint", paint_help, change},
    {'x', 0, "clear-paint", paint_help, change},
    {KEY_TAB, 0, "knobs", "the knobs, by arrows and Enter", change},
    {'p', MOD_CTRL, "palette", "find any command by its name", change},
    {'z', MOD_CTRL, "undo", undo_help, change},
    {'y', MOD_CTRL, "redo", undo_help, change},
    {'+', 0, "zoom in", zoom_help, look},
    {'-', 0, "zoom out", zoom_help, look},
    {'0', 0, "zoom 0", zoom_help, look},
    {'+', MOD_CTRL, "type larger", size_help, look},
    {'-', MOD_CTRL, "type smaller", size_help, look},
    {'0', MOD_CTRL, "type plain", size_help, look},
    {KEY_F2, 0, "theme next", "light, dark, print", look},
    {KEY_F11, 0, "presentation", "presentation, for the last row", look},
    {KEY_F11, MOD_SHIFT, "full-screen", "the whole screen, and back", look},
    {'e', 0, "export 1", "export the figure as PNG", picture},
    {'e', MOD_SHIFT, "export 2", "the same at twice the size", picture},
    {'c', MOD_CTRL, "copy-line", "copy the line that makes this picture", picture},
    {'c', MOD_CTRL | MOD_SHIFT, "copy-picture", "copy the picture itself", picture},
    {KEY_F1, 0, "help", help_help, program},
    {'?', 0, "help", help_help, program},
    {KEY_ESCAPE, 0, "leave", "leave; nothing chosen", program},
    {'q', MOD_CTRL, "quit", "quit", program},
    {0, 0, NULL, NULL, NULL},
};

const KeyRow *keymap_rows(void) {
    return rows;
}

static bool is_letter(uint32_t key) {
    return key >= 'a' && key <= 'z';
}

/* A key that is known by what it writes, not by a key event. */
static bool is_sign(const KeyRow *row) {
    bool digit = row->key >= '0' && row->key <= '9';
    bool written = row->key > ' ' && row->key < KEY_LEFT && !is_letter(row->key) && !digit;
    return written && row->mods == 0;
}

static const KeyRow *find(uint32_t key, unsigned mods) {
    for (const KeyRow *row = rows; row->help; row++)
        if (row->key == key && row->mods == mods && !is_sign(row)) return row;
    return NULL;
}

const KeyRow *keymap_find(const Event *event) {
    const KeyRow *row = find(event->key, event->mods);
    if (row) return row;
    if (event->digit >= 0) row = find((uint32_t)('0' + event->digit), event->mods);
    if (row) return row;
    /* + stands above = on many layouts, so Ctrl and = is Ctrl and +. */
    bool equals = event->key == '=' && (event->mods & MOD_CTRL);
    if (equals || (event->key == '+' && (event->mods & MOD_CTRL))) return find('+', MOD_CTRL);
    return NULL;
}

bool keymap_repeats(const KeyRow *row) {
    return row->group == walk || row->help == undo_help || row->help == zoom_help;
}

bool keymap_paints(const KeyRow *row) {
    return row->help == paint_help;
}

const KeyRow *keymap_find_typed(const char *text) {
    if (text[0] == '\0' || text[1] != '\0') return NULL;
    uint32_t key = (uint32_t)(unsigned char)text[0];
    for (const KeyRow *row = rows; row->help; row++) {
        bool digit = key >= '0' && key <= '9';
        if (row->key == key && row->mods == 0 && (digit || is_sign(row))) return row;
    }
    return NULL;
}

const Knob *keymap_knob(const Scene *scene, const Event *event, int *direction) {
    if (event->mods & ~(unsigned)MOD_SHIFT || !is_letter(event->key)) return NULL;
    *direction = event->mods & MOD_SHIFT ? -1 : 1;
    for (const Knob *knob = scene->knobs; knob->name; knob++)
        if (knob->key && (uint32_t)(knob->key | 0x20) == event->key) return knob;
    return NULL;
}

static const char *code_name(uint32_t key) {
    static const char *const names[] = {
        "←",   "→",   "↑",         "↓",      "Page Up", "Page Down", "Home", "End", "Enter",
        "Esc", "Tab", "Backspace", "Delete", "Insert",  "F1",        "F2",   "F3",  "F4",
        "F5",  "F6",  "F7",        "F8",     "F9",      "F10",       "F11",  "F12"};
    return names[key - KEY_LEFT];
}

const char *keymap_name(uint32_t key, unsigned mods, Arena *arena) {
    char character[5] = {0};
    const char *name = key == ' ' ? "Space" : character;
    if (key >= KEY_LEFT)
        name = code_name(key);
    else
        utf8_encode(is_letter(key) ? key - 0x20 : key, character);
    return arena_printf(arena, "%s%s%s", mods & MOD_CTRL ? "Ctrl+" : "",
                        mods & MOD_SHIFT ? "Shift+" : "", name);
}
