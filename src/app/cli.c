/* One pass over the words. An option takes the next word as its value whatever that begins with, so
 * that "-1 2; 3 4" and -0.5 need no trick; only what is itself an option's name is none. */
#include "app/cli.h"

#include "app/picture.h"
#include "base/utf8.h"
#include "base/words.h"

#include <string.h>

static const char *const commands[] = {"view",   "export",   "numbers", "run",
                                       "scenes", "tokenize", "train",   "bench"};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static bool check_utf8(int argc, char **argv, Err *err) {
    for (int i = 1; i < argc; i++) {
        size_t bad;
        if (!utf8_valid(argv[i], strlen(argv[i]), &bad))
            return err_usage(err, "argument %d is not UTF-8: its byte %zu is 0x%02X", i, bad + 1,
                             (unsigned char)argv[i][bad]);
    }
    return true;
}

static bool is(const char *word, const char *name) {
    return strcmp(word, name) == 0;
}

/* Options with a value that go into a field as they are. */
static const char **text_option(Cli *cli, const char *name) {
    if (is(name, "--format")) return &cli->format;
    if (is(name, "--select")) return &cli->select;
    if (is(name, "--zoom")) return &cli->zoom;
    if (is(name, "--assets")) return &cli->assets;
    if (is(name, "-o") || is(name, "--output")) return &cli->output;
    /* Elsewhere it is the knob of that name. */
    if (is(name, "--stage") && is(cli->command, "numbers")) return &cli->stage;
    return NULL;
}

static bool has_value(Cli *cli, const char *name) {
    return text_option(cli, name) || is(name, "--theme") || is(name, "--scale") ||
           is(name, "--size");
}

static bool set_value(Cli *cli, const char *name, const char *value, Err *err) {
    const char **text = text_option(cli, name);
    if (text && !*value && (text == &cli->output || text == &cli->assets))
        return err_usage(err, "%s is empty; it takes the name of a %s", name,
                         text == &cli->output ? "file" : "folder");
    if (text) *text = value;
    if (is(name, "--theme")) return picture_theme(value, &cli->theme, err);
    if (is(name, "--scale")) return picture_scale(value, &cli->scale, err);
    if (is(name, "--size")) return picture_size(value, &cli->width, &cli->height, err);
    return true;
}

static bool *flag_option(Cli *cli, const char *name) {
    if (is(name, "--frame")) return &cli->frame;
    if (is(name, "--help") || is(name, "-h")) return &cli->help;
    if (is(name, "--version")) return &cli->version;
    return NULL;
}

static bool unknown_option(const char *name, Err *err) {
    static const char *const names[] = {"--scale",  "--size",   "--theme",  "--frame",
                                        "--format", "--select", "--zoom",   "--assets",
                                        "-o",       "--help",   "--version"};
    return words_unknown(err, "option", name, names, (int)(sizeof names / sizeof names[0]));
}

static bool takes_knobs(const Cli *cli) {
    return is(cli->command, "view") || is(cli->command, "export") || is(cli->command, "numbers");
}

/* The knob of that name of any scene, since the scene may not have been named yet; NULL: none. A
 * switch goes before others. */
static const Knob *some_knob(const char *name, Arena scratch) {
    int count = 0;
    const Scene **scenes = scene_list(&scratch, &count);
    const Knob *found = NULL;
    for (int i = 0; i < count; i++) {
        const Knob *knob = knob_find(scenes[i]->knobs, name, NULL);
        if (knob && (!found || knob->kind == KNOB_SWITCH)) found = knob;
    }
    return found;
}

/* Whether a switch may stand there without "on". */
static bool is_switch(const char *name, Arena scratch) {
    const Knob *knob = some_knob(name, scratch);
    return knob && knob->kind == KNOB_SWITCH;
}

/* Whether the word is an option, alone or before "=", and so hardly the value of the one before it.
 */
static bool is_option(Cli *cli, const char *word, Arena scratch) {
    const char *name = arena_bytes(&scratch, word, strcspn(word, "="));
    if (has_value(cli, name) || flag_option(cli, name)) return true;
    return strncmp(name, "--", 2) == 0 && name[2] && some_knob(name + 2, scratch);
}

/* The value of the option called name, which has none behind "=". */
static bool take_value(Cli *cli, Arena scratch, const char *name, char **words, int count, int *at,
                       const char **value, Err *err) {
    if (*at == count) return err_usage(err, "%s needs a value", name);
    *value = words[*at];
    if (is_option(cli, *value, scratch))
        return err_usage(err, "%s needs a value; if \"%.*s\" is meant as one, write %s=%.*s", name,
                         words_shown(*value), *value, name, words_shown(*value), *value);
    ++*at;
    return true;
}

/* The option at words[*at], with its value there or in the next word; *at moves behind it. */
static bool take_option(Cli *cli, Arena *arena, char **words, int count, int *at, Err *err) {
    char *word = words[(*at)++], *equals = strchr(word, '=');
    const char *name = equals ? arena_bytes(arena, word, (size_t)(equals - word)) : word;
    const char *value = equals ? equals + 1 : "on";
    bool *flag = flag_option(cli, name);
    if (flag) {
        *flag = true;
        return !equals || err_usage(err, "%s takes no value", name);
    }
    bool knob = !has_value(cli, name) && strncmp(name, "--", 2) == 0 && name[2] && takes_knobs(cli);
    if (!knob && !has_value(cli, name)) return unknown_option(name, err);
    bool next = *at < count && strncmp(words[*at], "--", 2) != 0 && !is(words[*at], "-o");
    bool alone = knob && !next && is_switch(name + 2, *arena);
    if (!equals && !alone && !take_value(cli, *arena, name, words, count, at, &value, err))
        return false;
    if (!knob) return set_value(cli, name, value, err);
    cli->knobs[cli->knob_count++] = word;
    if (!equals) cli->knobs[cli->knob_count++] = value;
    return true;
}

static bool take_subject(Cli *cli, const char *word, Err *err) {
    if (cli->subject || is(cli->command, "bench"))
        return err_usage(err, "\"%.*s\" is too much; a knob is given as --name value",
                         words_shown(word), word);
    cli->subject = word;
    return true;
}

/* For commands with options of their own: everything as it stands, but for --assets. */
static bool take_rest(Cli *cli, char **words, int count, Err *err) {
    for (int i = 0; i < count; i++) {
        if (strncmp(words[i], "--assets=", 9) == 0) {
            cli->assets = words[i] + 9;
        } else if (is(words[i], "--assets")) {
            if (++i == count) return err_usage(err, "--assets needs a value");
            cli->assets = words[i];
        } else {
            cli->rest[cli->rest_count++] = words[i];
        }
    }
    return true;
}

/* A first word that is no command may be what a command is about. */
static bool unknown_command(const char *word, Err *err) {
    const char *dot = strrchr(word, '.');
    bool file = dot && (is(dot, ".png") || is(dot, ".heed"));
    if (file || scene_find(word, NULL))
        return err_usage(err, "unknown command \"%.*s\"; it is a %s: heed view %.*s opens it",
                         words_shown(word), word, file ? "file" : "scene", words_shown(word), word);
    return words_unknown(err, "command", word, commands, COMMANDS);
}

static bool take_command(Cli *cli, const char *word, Err *err) {
    for (int i = 0; i < COMMANDS; i++)
        if (is(word, commands[i])) {
            cli->command = commands[i];
            return true;
        }
    return unknown_command(word, err);
}

bool cli_parse(int argc, char **argv, Arena *arena, Cli *cli, Err *err) {
    *cli = (Cli){.command = ""};
    cli->knobs = ARENA_ARRAY(arena, const char *, argc + 1);
    cli->rest = ARENA_ARRAY(arena, char *, argc + 1);
    if (!check_utf8(argc, argv, err)) return false;
    for (int at = 1; at < argc;) {
        const char *word = argv[at];
        if (word[0] == '-' && word[1]) {
            if (!take_option(cli, arena, argv, argc, &at, err)) return false;
        } else if (*cli->command) {
            if (!take_subject(cli, word, err)) return false;
            at++;
        } else {
            if (!take_command(cli, word, err)) return false;
            at++;
            if (is(cli->command, "tokenize") || is(cli->command, "train"))
                return take_rest(cli, argv + at, argc - at, err);
        }
    }
    if (!*cli->command) cli->command = "view";
    return true;
}

const char cli_help[] =
    "heed shows attention while it happens.\n"
    "\n"
    "  heed                                    open the viewer\n"
    "  heed view [SCENE | FILE] [--KNOB VALUE ...]\n"
    "                                          open it at a scene; or with a file: the state in a\n"
    "                                          PNG, a lesson (.heed), numbers (.npy .csv .tsv\n"
    "                                          .safetensors) or a text (.txt)\n"
    "  heed export SCENE [--KNOB VALUE ...] -o FILE.png\n"
    "                                          write the figure, without a display\n"
    "  heed numbers SCENE [--KNOB VALUE ...] [--stage NAME] [--format json|csv|npy] [-o FILE]\n"
    "                                          print the numbers behind it\n"
    "  heed run LESSON.heed [-o DIR]           play a lesson without a window\n"
    "  heed scenes [SCENE] [--format json]     the scenes; or one scene's knobs, stages and keys\n"
    "  heed tokenize TEXT [--format json]      pieces, ids and the bytes that each covers\n"
    "  heed train bpe|dan ...                  learn merges or embeddings; --help says more\n"
    "  heed bench                              how the bench is run\n"
    "\n"
    "Options of all commands, before or behind the command, as --name value or --name=value:\n"
    "  --size WxH       the figure (with --frame, and in the viewer, the window) at scale 1\n"
    "  --scale S        size of everything, 0.5 to 8: a picture at 2 has twice the pixels a side\n"
    "  --theme NAME     light, dark or print\n"
    "  --frame          export the whole window\n"
    "  --select Q,K     the chosen cell, counted from 0\n"
    "  --zoom F,X,Y     a part F times as large; X and Y from 0 to 1: left to right, top to "
    "bottom\n"
    "  --format NAME    of numbers, scenes and tokenize; numbers go by the ending of FILE without "
    "it\n"
    "  --assets DIR     the folder with fonts, models and bpe\n"
    "  -o FILE          where to write; - is standard output\n"
    "  --help, --version\n"
    "\n"
    "Exit codes: 0 done; 1 the world is wrong (a file, the memory, no display); 2 the command "
    "line\n"
    "is wrong (an unknown name, a value out of range, an option without its value).\n";
