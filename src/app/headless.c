/* Each command opens an app, does lines in it, and closes it: the same lines that keys make. */
#include "app/headless.h"

#include "app/lesson.h"
#include "app/listing.h"
#include "app/numbers.h"
#include "app/picture.h"
#include "base/file.h"
#include "base/words.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The stage asked for is a knob among the others: what another stage would refuse is no matter. */
static bool stage_is_knob(const Cli *cli) {
    const Scene *scene = cli->stage ? scene_find(cli->subject, NULL) : NULL;
    return scene && scene_stage_index(scene, cli->stage) >= 0 &&
           knob_find(scene->knobs, "stage", NULL);
}

static bool open_scene(App *app, const Cli *cli, Err *err) {
    if (!cli->subject) return true;
    Arena mark = app->scratch;
    const char **words = ARENA_ARRAY(&app->scratch, const char *, cli->knob_count + 4);
    int count = 0;
    words[count++] = "scene";
    words[count++] = cli->subject;
    for (int i = 0; i < cli->knob_count; i++) words[count++] = cli->knobs[i];
    if (stage_is_knob(cli)) {
        words[count++] = "--stage";
        words[count++] = cli->stage;
    }
    bool ok = app_do_words(app, words, count, err);
    app->scratch = mark;
    return ok;
}

static bool see_part(App *app, const char *zoom, Err *err) {
    int commas = 0;
    char *line = arena_printf(&app->scratch, "zoom %s", zoom);
    for (char *at = line; (at = strchr(at, ',')) != NULL; commas++) *at = ' ';
    if (commas != 2 || strchr(zoom, ' '))
        return err_usage(err, "zoom \"%.*s\" is not FACTOR,X,Y, as 2,0,0.5", words_shown(zoom),
                         zoom);
    return app_do(app, line, err);
}

bool headless_look(App *app, const Cli *cli, Err *err) {
    const char *const words[] = {"select", cli->select};
    if (!app->scene) return true;
    return (!cli->select || app_do_words(app, words, 2, err)) &&
           (!cli->zoom || see_part(app, cli->zoom, err));
}

bool headless_open(App *app, const Cli *cli, bool fonts, Err *err) {
    if (!app_start(app, cli->assets, err)) return false;
    if (cli->theme) app->theme = cli->theme;
    if (cli->scale > 0) app->scale = cli->scale;
    if (cli->width) {
        app->window_width = cli->width;
        app->window_height = cli->height;
    }
    if ((!fonts || app_fonts(app, err)) && open_scene(app, cli, err) &&
        headless_look(app, cli, err))
        return true;
    app_close(app);
    return false;
}

const char *headless_first_scene(void) {
    int count;
    Arena arena = arena_open(app_memory_full);
    const char *name = scene_list(&arena, &count)[0]->name;
    arena_close(&arena);
    return name;
}

static bool need_subject(const Cli *cli, Err *err) {
    return cli->subject ||
           err_usage(err, "%s needs a scene; `heed scenes` lists them", cli->command);
}

bool headless_export(const Cli *cli, Err *err) {
    App app;
    if (!need_subject(cli, err)) return false;
    if (!cli->output) return err_usage(err, "export needs -o FILE.png");
    if (cli->format && strcmp(cli->format, "png") != 0)
        return err_usage(err, "unknown format \"%.*s\"; pictures are png", words_shown(cli->format),
                         cli->format);
    if (!picture_named(cli->output, err) || !headless_open(&app, cli, true, err)) return false;
    PictureOptions options = {.width = cli->width, .height = cli->height, .frame = cli->frame};
    bool ok = picture_write(&app, cli->output, &options, err);
    if (ok && *fonts_missing(app.fonts)) fprintf(stderr, "heed: %s\n", app_missing(&app));
    app_close(&app);
    return ok;
}

/* The stage that is asked for is the stage that the knobs say, where there is such a knob. */
static bool set_stage(App *app, const char *stage, Err *err) {
    if (scene_stage_index(app->scene, stage) < 0)
        return numbers_unknown_stage(app->scene, stage, err);
    const char *const words[] = {"set", "stage", stage};
    return !knob_find(app->scene->knobs, "stage", NULL) || app_do_words(app, words, 3, err);
}

bool headless_numbers(const Cli *cli, Err *err) {
    App app;
    if (!need_subject(cli, err) || !headless_open(&app, cli, false, err)) return false;
    const char *stage = cli->stage ? cli->stage : app.scene->main_stage;
    const char *output = cli->output ? cli->output : "-";
    const char *format = cli->format ? cli->format : numbers_format_of(output);
    bool ok = set_stage(&app, stage, err) && numbers_write(&app, stage, format, output, err);
    app_close(&app);
    return ok;
}

static bool is_folder(const char *path, Err *err) {
    struct stat about;
    if (stat(path, &about) != 0 && errno == ENOENT)
        return err_set(err, "there is no folder %s; make it first", path);
    if (stat(path, &about) != 0) return err_set(err, "%s: %s", path, strerror(errno));
    return S_ISDIR(about.st_mode) || err_set(err, "%s is not a folder", path);
}

bool headless_run(const Cli *cli, Err *err) {
    App app;
    if (!cli->subject) return err_usage(err, "run needs a lesson, a file of command lines");
    const char *folder = cli->output ? cli->output : ".";
    Cli none = *cli;
    none.subject = NULL;
    if (!is_folder(folder, err) || !headless_open(&app, &none, true, err)) return false;
    app.folder = folder;
    app.overwrite = true;
    bool ok = lesson_play(&app, cli->subject, err);
    app_close(&app);
    return ok;
}

bool headless_scenes(const Cli *cli, Err *err) {
    Arena arena = arena_open(app_memory_full);
    Text out = text_open(&arena);
    bool ok = listing_add(&out, cli->subject, cli->format ? cli->format : "text", err) &&
              file_write(cli->output ? cli->output : "-", out.bytes, out.length, err);
    arena_close(&arena);
    return ok;
}

bool headless_bench(const Cli *cli, Err *err) {
    static const char text[] = "The bench runs from the source tree, because it builds a bare SDL "
                               "program to compare with:\n"
                               "  make bench\n"
                               "It prints start, key to picture, export and PNG as ratios that "
                               "were measured in one run.\n";
    (void)cli;
    return file_write("-", text, sizeof text - 1, err);
}
