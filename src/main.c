/* argv to command lines: the command is found and done, and what went wrong is said in one
 * sentence.
 */
#include "app/assets.h"
#include "app/cli.h"
#include "app/headless.h"
#include "app/tokenize_command.h"
#include "app/train_command.h"
#include "app/viewer.h"
#include "base/file.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A subject that is a file brings back its state; any other is the name of a scene. */
static bool names_file(const char *subject) {
    const char *dot = strrchr(subject, '.');
    bool known = dot && (strcmp(dot, ".png") == 0 || strcmp(dot, ".heed") == 0);
    return known || strchr(subject, '/') || file_exists(subject);
}

static bool open_file(App *app, const Cli *cli, Err *err) {
    const char *const open[] = {"open", cli->subject};
    if (!app_do_words(app, open, 2, err)) return false;
    if (cli->theme) app->theme = cli->theme;
    return (app->scene || app_do(app, "next-scene", err)) && headless_look(app, cli, err);
}

static bool view(const Cli *cli, Err *err) {
    App app;
    Cli opened = *cli;
    bool file = cli->subject && names_file(cli->subject);
    if (file && cli->knob_count)
        return err_usage(err, "%s brings its own knobs; %s is too much", cli->subject,
                         cli->knobs[0]);
    if (file)
        opened.subject = NULL;
    else if (!cli->subject)
        opened.subject = headless_first_scene();
    if (!headless_open(&app, &opened, true, err)) return false;
    app.watched = true;
    bool ok = (!file || open_file(&app, cli, err)) && viewer_run(&app, NULL, err);
    app_close(&app);
    return ok;
}

typedef bool RestCommand(const char *assets, int argc, char **argv, Err *err);

static bool with_assets(RestCommand *command, const Cli *cli, Err *err) {
    Arena arena = arena_open(app_memory_full);
    const char *assets;
    bool ok = assets_find(cli->assets, &arena, &assets, err) &&
              command(assets, cli->rest_count, cli->rest, err);
    arena_close(&arena);
    return ok;
}

static bool run(const Cli *cli, Err *err) {
    static const char version[] = "heed " HEED_VERSION "\n";
    if (cli->help) return file_write("-", cli_help, strlen(cli_help), err);
    if (cli->version) return file_write("-", version, strlen(version), err);
    if (strcmp(cli->command, "export") == 0) return headless_export(cli, err);
    if (strcmp(cli->command, "numbers") == 0) return headless_numbers(cli, err);
    if (strcmp(cli->command, "run") == 0) return headless_run(cli, err);
    if (strcmp(cli->command, "scenes") == 0) return headless_scenes(cli, err);
    if (strcmp(cli->command, "tokenize") == 0) return with_assets(tokenize_command, cli, err);
    if (strcmp(cli->command, "train") == 0) return with_assets(train_command, cli, err);
    if (strcmp(cli->command, "bench") == 0) return headless_bench(cli, err);
    return view(cli, err);
}

/* What a file or an argument holds must not command the terminal. */
static void clean(char *sentence) {
    for (; *sentence; sentence++)
        if ((unsigned char)*sentence < 0x20 || *sentence == 0x7F) *sentence = '?';
}

/* A standard stream that is closed would lend its number to the next file that is opened, and what
 * is said would go into that. /dev/null takes its place, to be read only: writing to it fails. */
static void hold_standard_streams(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDONLY);
}

int main(int argc, char **argv) {
    Err err = {0};
    hold_standard_streams();
    /* A file that may not grow further is an error to be told, not an end. */
    signal(SIGXFSZ, SIG_IGN);
    Arena arena = arena_open(app_memory_full);
    Cli cli;
    bool ok = cli_parse(argc, argv, &arena, &cli, &err) && run(&cli, &err);
    arena_close(&arena);
    if (ok) return 0;
    clean(err.text);
    fprintf(stderr, "heed: %s\n", err.text);
    return err.usage ? 2 : 1;
}
