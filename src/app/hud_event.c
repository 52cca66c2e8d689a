/* Events become command lines. A key goes first to what has the keyboard (the text, a value, the
 * palette, the knobs), then to the table of keys and the scene's letters. The pointer goes to what
 * stands under it. */
#include "app/edit.h"
#include "app/hud_parts.h"
#include "app/keymap.h"
#include "app/palette.h"

#include <string.h>

static bool knob_words(App *app, const char *verb, const Knob *knob) {
    const char *words[] = {verb, knob->name};
    return hud_do_words(app, words, 2);
}

static bool set_knob(App *app, const Knob *knob, const char *value) {
    const char *words[] = {"set", knob->name, value};
    return hud_do_words(app, words, 3);
}

/* ---- the line that is being edited ---- */

static void paste(App *app) {
    Arena scratch = app->scratch;
    const char *text = app->hud.window ? window_clipboard_get(app->hud.window, &scratch) : NULL;
    if (text && !edit_insert(&app->hud.edit, text))
        app_say(app, true, "the clipboard holds more than fits into this line");
}

static void copy_selected(App *app) {
    Arena scratch = app->scratch;
    Err err = {.text = ""};
    if (app->hud.window &&
        !window_clipboard_set(app->hud.window, edit_selected(&app->hud.edit, &scratch), &err))
        app_say(app, true, err.text);
}

static bool edit_control_key(App *app, const Event *event) {
    HudEdit *edit = &app->hud.edit;
    if (event->mods != MOD_CTRL) return false;
    if (event->key == 'a') {
        edit_select_all(edit);
    } else if (event->key == 'v') {
        paste(app);
    } else if ((event->key == 'c' || event->key == 'x') && edit_has_selection(edit)) {
        copy_selected(app);
        if (event->key == 'x') edit_delete(edit, EDIT_LEFT);
    } else {
        return false;
    }
    return true;
}

/* Movements and deletions; false for a key that is not the editor's. */
static bool edit_key(App *app, const Event *event) {
    HudEdit *edit = &app->hud.edit;
    bool word = event->mods & MOD_CTRL, select = event->mods & MOD_SHIFT;
    switch (event->key) {
    case KEY_LEFT:
        edit_move(edit, word ? EDIT_WORD_LEFT : EDIT_LEFT, select);
        break;
    case KEY_RIGHT:
        edit_move(edit, word ? EDIT_WORD_RIGHT : EDIT_RIGHT, select);
        break;
    case KEY_HOME:
        edit_move(edit, EDIT_HOME, select);
        break;
    case KEY_END:
        edit_move(edit, EDIT_END, select);
        break;
    case KEY_BACKSPACE:
        edit_delete(edit, word ? EDIT_WORD_LEFT : EDIT_LEFT);
        break;
    case KEY_DELETE:
        edit_delete(edit, word ? EDIT_WORD_RIGHT : EDIT_RIGHT);
        break;
    default:
        return edit_control_key(app, event);
    }
    return true;
}

/* A message stands until the next key, click or typed character; why the text in the line is not
 * the one in the picture, as long as that is so. */
static void forget_message(App *app) {
    bool refused = app->hud.mode == HUD_TEXT && app->hud.refused;
    if (!app->status[0] || refused) return;
    app->status[0] = '\0';
    app->hud.dirty = true;
}

/* The picture follows the text; one that the scene refuses stays in the editor, and the last good
 * picture stays too. */
static void follow_text(App *app) {
    const Knob *knob = hud_text_knob(app);
    Arena scratch = app->scratch;
    bool same = strcmp(app->hud.edit.text, hud_knob_text(app, knob, &scratch)) == 0;
    bool was_refused = app->hud.refused;
    app->hud.refused = !same && !set_knob(app, knob, app->hud.edit.text);
    if (same && was_refused) forget_message(app);
}

static void edited(App *app) {
    if (app->hud.mode == HUD_TEXT) follow_text(app);
    if (app->hud.mode == HUD_PALETTE) app->hud.choice = 0;
    app->hud.dirty = true;
}

/* ---- keys ---- */

/* Keys that the table knows and that mean the same while a line is edited. */
static bool always_key(App *app, const Event *event) {
    bool function = event->key >= KEY_F1 && event->key <= KEY_F12;
    if (!function && event->key != KEY_ESCAPE && !(event->mods & MOD_CTRL)) return false;
    const KeyRow *row = keymap_find(event);
    if (row && !event->repeat) hud_do(app, row->line);
    return row != NULL;
}

static bool table_key(App *app, const Event *event) {
    const KeyRow *row = keymap_find(event);
    if (row && keymap_paints(row) && !app->scene->paint) row = NULL;
    if (row && (!event->repeat || keymap_repeats(row))) hud_do(app, row->line);
    if (row) return true;
    int direction = 1;
    const Knob *knob = event->key == KEY_ENTER && app->scene->enter
                           ? knob_find(app->scene->knobs, app->scene->enter, NULL)
                           : keymap_knob(app->scene, event, &direction);
    if (knob) knob_words(app, direction > 0 ? "next" : "prev", knob);
    return knob != NULL;
}

/* A text that was refused is no step of its own: undo takes it away. */
static void undo_text(App *app, const char *line) {
    const Scene *before = app->scene;
    bool only_refused = app->hud.refused && strcmp(line, "undo") == 0;
    if (!only_refused && (!hud_do(app, line) || app->scene != before)) return;
    Arena scratch = app->scratch;
    edit_start(&app->hud.edit, hud_knob_text(app, hud_text_knob(app), &scratch));
    app->hud.refused = false;
    forget_message(app);
    app->hud.dirty = true;
}

static bool text_key(App *app, const Event *event) {
    bool control = event->mods == MOD_CTRL;
    if (event->key == KEY_ENTER || event->key == KEY_TAB) {
        hud_do(app, "leave");
    } else if (control && (event->key == 'z' || event->key == 'y')) {
        undo_text(app, event->key == 'z' ? "undo" : "redo");
    } else if (edit_key(app, event)) {
        edited(app);
    } else {
        return always_key(app, event);
    }
    return true;
}

static bool value_key(App *app, const Event *event) {
    const Knob *knob = hud_knob(app);
    if (event->key == KEY_ENTER || event->key == KEY_TAB) {
        if (!knob || set_knob(app, knob, app->hud.edit.text)) hud_mode(app, HUD_KNOBS);
    } else if (edit_key(app, event)) {
        edited(app);
    } else {
        return always_key(app, event);
    }
    return true;
}

/* A knob's value as a line to edit, all of it selected; a choice simply goes on. */
void hud_start_value(App *app, const Knob *knob) {
    hud_take_knob(app, knob);
    if (knob->kind == KNOB_CHOICE || knob->kind == KNOB_SWITCH) {
        knob_words(app, "next", knob);
        return;
    }
    Arena scratch = app->scratch;
    edit_start(&app->hud.edit, hud_knob_text(app, knob, &scratch));
    edit_select_all(&app->hud.edit);
    hud_mode(app, HUD_VALUE);
}

static bool knobs_key(App *app, const Event *event) {
    int count = hud_panel_count(app);
    const Knob *knob = hud_knob(app);
    bool back = event->key == KEY_UP || (event->key == KEY_TAB && event->mods & MOD_SHIFT);
    bool on = event->key == KEY_DOWN || event->key == KEY_TAB;
    bool turned = knob && (event->key == KEY_LEFT || event->key == KEY_RIGHT) && !event->mods;
    if (event->mods & ~(unsigned)MOD_SHIFT || !count) return table_key(app, event);
    if (back || on) {
        int row = hud_panel_row(app, knob);
        hud_take_knob(app, hud_panel_knob(app, (row + (back ? count - 1 : 1)) % count));
        app->hud.show_knob = app->hud.dirty = true;
    } else if (turned && (knob->kind == KNOB_TEXT || knob->kind == KNOB_FILE)) {
        hud_start_value(app, knob);
    } else if (turned) {
        knob_words(app, event->key == KEY_LEFT ? "prev" : "next", knob);
    } else if (knob && event->key == KEY_ENTER) {
        hud_start_value(app, knob);
    } else {
        return table_key(app, event);
    }
    return true;
}

void hud_scroll_help(App *app, int by) {
    int to = app->hud.help_scroll + by, end = app->hud.help_end;
    app->hud.help_scroll = to > end ? end : to;
    if (to < 0) app->hud.help_scroll = 0;
    app->hud.dirty = true;
}

static bool help_key(App *app, const Event *event) {
    int line = 22;
    switch (event->key) {
    case KEY_UP:
        hud_scroll_help(app, -line);
        break;
    case KEY_DOWN:
        hud_scroll_help(app, line);
        break;
    case KEY_PAGE_UP:
        hud_scroll_help(app, -10 * line);
        break;
    case KEY_PAGE_DOWN:
        hud_scroll_help(app, 10 * line);
        break;
    case KEY_ENTER:
    case ' ':
        hud_do(app, "leave");
        break;
    default:
        return always_key(app, event);
    }
    return true;
}

static bool palette_key(App *app, const Event *event) {
    int page = event->key == KEY_PAGE_UP || event->key == KEY_PAGE_DOWN ? 10 : 1;
    bool up = event->key == KEY_UP || event->key == KEY_PAGE_UP;
    bool down = event->key == KEY_DOWN || event->key == KEY_PAGE_DOWN;
    if (up || down) {
        Arena scratch = app->scratch;
        int count, to = app->hud.choice + (down ? page : -page);
        palette_find(app, app->hud.edit.text, &scratch, &count);
        app->hud.choice = to < 0 ? 0 : to >= count ? count - 1 : to;
        app->hud.dirty = true;
    } else if (event->key == KEY_ENTER) {
        palette_run(app);
    } else if (edit_key(app, event)) {
        edited(app);
    } else {
        return always_key(app, event);
    }
    return true;
}

static bool key(App *app, const Event *event) {
    switch (app->hud.mode) {
    case HUD_TEXT:
        return text_key(app, event);
    case HUD_VALUE:
        return value_key(app, event);
    case HUD_KNOBS:
        return knobs_key(app, event);
    case HUD_HELP:
        return help_key(app, event);
    case HUD_PALETTE:
        return palette_key(app, event);
    case HUD_FIGURE:
        break;
    }
    return table_key(app, event);
}

static bool is_line_mode(HudMode mode) {
    return mode == HUD_TEXT || mode == HUD_VALUE || mode == HUD_PALETTE;
}

static void text(App *app, const char *typed) {
    if (is_line_mode(app->hud.mode)) {
        if (!edit_insert(&app->hud.edit, typed)) app_say(app, true, "this line is full");
        edited(app);
        return;
    }
    const KeyRow *row = keymap_find_typed(typed);
    if (row) hud_do(app, row->line);
}

/* A dropped file ends what was being edited: it may bring another text. */
static void drop(App *app, const char *path) {
    const char *words[] = {"open", path};
    hud_mode(app, HUD_FIGURE);
    hud_do_words(app, words, 2);
}

/* What pointed into the scene before lets go: another one has other knobs and another text. */
static void leave_scene(App *app) {
    HudMode mode = app->hud.mode;
    app->hud.drag = HUD_DRAG_NONE;
    app->hud.scroll = 0;
    hud_take_knob(app, mode == HUD_KNOBS ? hud_panel_knob(app, 0) : NULL);
    bool lost = mode == HUD_TEXT || mode == HUD_VALUE || (mode == HUD_KNOBS && !hud_knob(app));
    if (lost) hud_mode(app, HUD_FIGURE);
}

void hud_event(App *app, Canvas *canvas, const Event *event) {
    const Scene *before = app->scene;
    switch (event->kind) {
    case EVENT_KEY:
        if (event->key == KEY_NONE && event->digit < 0) break; /* Shift alone */
        forget_message(app);
        app->hud.swallow_text =
            key(app, event) && event->key < KEY_LEFT && !(event->mods & MOD_CTRL);
        break;
    case EVENT_TEXT:
        /* With Ctrl it was a command: Ctrl and + must not zoom, or stand in the text, as well. */
        if (!app->hud.swallow_text && !(event->mods & MOD_CTRL)) text(app, event->text);
        app->hud.swallow_text = false;
        break;
    case EVENT_RESIZE:
        app->picture_dirty = true;
        break; /* the same size too: memory is new */
    case EVENT_EXPOSE:
        break; /* the same pixels once more: the viewer's part */
    case EVENT_QUIT:
        app->quit = true;
        break;
    case EVENT_DROP:
        drop(app, event->text);
        break;
    case EVENT_NONE:
        break;
    default:
        hud_pointer(app, canvas, event);
        break;
    }
    if (app->scene != before) leave_scene(app);
}
