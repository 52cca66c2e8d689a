/* The command palette: everything that can be done here, found by typing some letters of it. */
#ifndef APP_PALETTE_H
#define APP_PALETTE_H

#include "app/app.h"

typedef struct PaletteItem {
    const char *line;  /* what hud_do does; one that ends with a space waits for a value */
    const char *label; /* in words */
    const char *keys;  /* "" none */
} PaletteItem;

/* The items that fit the query, best first, in arena: key rows, scenes, knobs with their choices,
 * commands. A query that fits none is offered as a line of its own. */
PaletteItem *palette_find(const App *app, const char *query, Arena *arena, int *count);

/* Does the chosen line; one that waits for a value goes into the query instead. The palette closes
 * when all went well. */
void palette_run(App *app);

void palette_draw(App *app, Canvas *canvas, Rect window);
/* The item at a point, -1 none, -2 outside the box. */
int palette_at(App *app, Canvas *canvas, Rect window, int x, int y);

#endif
