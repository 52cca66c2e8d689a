/* Lines live on the heap: they come and go in any order. When the list is full the oldest goes. */
#include "app/history.h"

#include "app/change.h"

#include <stdlib.h>
#include <string.h>

static char *copy_line(const char *line) {
    size_t size = strlen(line) + 1;
    char *copy = malloc(size);
    if (!copy) app_memory_full(size);
    return memcpy(copy, line, size);
}

static void forget_after(AppHistory *history, int kept) {
    while (history->count > kept) free(history->lines[--history->count]);
}

static void forget_first(AppHistory *history) {
    free(history->lines[0]);
    memmove(history->lines, history->lines + 1, (APP_UNDO_MAX - 1) * sizeof *history->lines);
    history->count--;
}

void history_add(App *app, const Knob *knob, bool merge) {
    AppHistory *history = &app->history;
    Arena scratch = app->scratch;
    const char *line = scene_line(app->scene, app->state, &scratch);
    if (history->count && strcmp(history->lines[history->at], line) == 0) return;
    /* The first state is never replaced: there is always something to go back to. */
    bool replace = merge && knob && history->last == knob && history->at > 0;
    if (history->count) forget_after(history, history->at + (replace ? 0 : 1));
    if (history->count == APP_UNDO_MAX) forget_first(history);
    history->at = history->count;
    history->lines[history->count++] = copy_line(line);
    history->last = knob;
}

bool history_move(App *app, int direction, Err *err) {
    AppHistory *history = &app->history;
    int to = history->at + direction;
    if (to < 0) return err_set(err, "there is nothing to undo");
    if (to >= history->count) return err_set(err, "there is nothing to redo");
    if (!change_back_to(app, history->lines[to], err)) return false;
    history->at = to;
    history->last = NULL;
    return true;
}

void history_free(App *app) {
    forget_after(&app->history, 0);
}
