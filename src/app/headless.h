/* The commands that need no window: export, numbers, run, scenes, bench. Nothing in here starts
 * SDL's video. */
#ifndef APP_HEADLESS_H
#define APP_HEADLESS_H

#include "app/app.h"
#include "app/cli.h"

/* Opens the app as the command line says: assets, theme, scale, window size, fonts when something
 * is drawn, the scene with its knobs (or, without one, nothing), the chosen cell. The app is closed
 * on error. */
bool headless_open(App *app, const Cli *cli, bool fonts, Err *err);

/* What --select and --zoom say, in the scene that is open. */
bool headless_look(App *app, const Cli *cli, Err *err);

/* The name of the first scene of the list. */
const char *headless_first_scene(void);

bool headless_export(const Cli *cli, Err *err);
bool headless_numbers(const Cli *cli, Err *err);
bool headless_run(const Cli *cli, Err *err);
bool headless_scenes(const Cli *cli, Err *err);
bool headless_bench(const Cli *cli, Err *err);

#endif
