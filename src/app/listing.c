/* Three writers over the same tables. */
#include "app/listing.h"

#include "app/command.h"
#include "app/numbers.h"
#include "base/utf8.h"
#include "base/words.h"
#include "scene/scene.h"

#include <string.h>

static const char *kind_name(KnobKind kind) {
    static const char *const names[] = {"int", "real", "switch", "choice", "text", "file"};
    return names[kind];
}

/* What the knob takes, as "none|causal", "0.1 to 10 or sqrt", "TEXT". */
static const char *allowed(const Knob *knob, Arena *arena) {
    Text out = text_open(arena);
    switch (knob->kind) {
    case KNOB_INT:
    case KNOB_REAL:
        text_addf(&out, "%.9g to %.9g", knob->min, knob->max);
        for (const KnobWord *word = knob->words; word && word->name; word++)
            text_addf(&out, " or %s", word->name);
        break;
    case KNOB_SWITCH:
        text_add(&out, "on|off");
        break;
    case KNOB_CHOICE:
        for (const KnobChoice *choice = knob->choices; choice->name; choice++)
            text_addf(&out, "%s%s", choice == knob->choices ? "" : "|", choice->name);
        break;
    case KNOB_TEXT:
        text_add(&out, "TEXT");
        break;
    case KNOB_FILE:
        text_add(&out, "FILE");
        break;
    }
    return out.bytes;
}

/* ---- for a person ---- */

static int wider(int width, const char *text) {
    int own = (int)utf8_count(text, strlen(text));
    return own > width ? own : width;
}

/* text and blanks up to width characters and two more. */
static void add_padded(Text *out, const char *text, int width) {
    text_add(out, text);
    int own = (int)utf8_count(text, strlen(text));
    for (int i = own; i < width + 2; i++) text_add(out, " ");
}

static void add_list(Text *out, const Scene *const *scenes, int count) {
    int names = 0, titles = 0;
    for (int i = 0; i < count; i++) {
        names = wider(names, scenes[i]->name);
        titles = wider(titles, scenes[i]->title);
    }
    for (int i = 0; i < count; i++) {
        add_padded(out, scenes[i]->name, names);
        add_padded(out, scenes[i]->title, titles);
        text_addf(out, "%s\n", scenes[i]->lesson);
    }
    text_add(out, "\nheed scenes NAME says what its knobs are\n");
}

static const char *option_of(const Knob *knob, Arena *arena) {
    return arena_printf(arena, "--%s %s", knob->name, allowed(knob, arena));
}

static void add_scene(Text *out, const Scene *scene) {
    enum { WIDEST = 44 };
    int options = 0, stages = 0;
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        int width = wider(0, option_of(knob, out->arena));
        if (width <= WIDEST && width > options) options = width;
    }
    for (const SceneStage *stage = scene->stages; stage->name; stage++)
        stages = wider(stages, stage->name);
    text_addf(out, "%s: %s\n%s\n\nknobs\n", scene->name, scene->title, scene->lesson);
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        const char *option = option_of(knob, out->arena);
        text_add(out, "  ");
        add_padded(out, option, options);
        if (wider(0, option) > options) {
            text_add(out, "\n  ");
            add_padded(out, "", options);
        }
        text_addf(out, "%s (starts as %s)\n", knob->help, *knob->start ? knob->start : "empty");
    }
    text_add(out, "\nstages\n");
    for (const SceneStage *stage = scene->stages; stage->name; stage++) {
        text_add(out, "  ");
        add_padded(out, stage->name, stages);
        text_addf(out, "%s\n", stage->help);
    }
    text_add(out, "\nkeys (with Shift the other way)\n");
    for (const Knob *knob = scene->knobs; knob->name; knob++)
        if (knob->key) text_addf(out, "  %c  %s\n", knob->key, knob->help);
    if (scene->enter)
        text_addf(out, "  Enter  %s\n", knob_find(scene->knobs, scene->enter, NULL)->help);
}

/* ---- JSON ---- */

static void add_field(Text *out, const char *name, const char *value) {
    text_addf(out, "\"%s\": ", name);
    text_add_json(out, value);
}

static void add_json_knob(Text *out, const Knob *knob) {
    text_add(out, "{");
    add_field(out, "name", knob->name);
    text_add(out, ", ");
    add_field(out, "kind", kind_name(knob->kind));
    if (knob->kind == KNOB_CHOICE) {
        text_add(out, ", \"choices\": [");
        for (const KnobChoice *choice = knob->choices; choice->name; choice++) {
            if (choice != knob->choices) text_add(out, ", ");
            text_add_json(out, choice->name);
        }
        text_add(out, "]");
    }
    if (knob->kind == KNOB_INT || knob->kind == KNOB_REAL)
        text_addf(out, ", \"min\": %.17g, \"max\": %.17g", knob->min, knob->max);
    if (knob->words) {
        text_add(out, ", \"words\": [");
        for (const KnobWord *word = knob->words; word->name; word++) {
            if (word != knob->words) text_add(out, ", ");
            text_add_json(out, word->name);
        }
        text_add(out, "]");
    }
    text_add(out, ", \"start\": ");
    numbers_add_value(out, knob, knob->start);
    text_add(out, ", ");
    add_field(out, "help", knob->help);
    text_add(out, "}");
}

static void add_json_keys(Text *out, const Scene *scene) {
    const char *before = "";
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        if (!knob->key) continue;
        char key[2] = {knob->key, '\0'};
        text_addf(out, "%s{", before);
        add_field(out, "key", key);
        text_add(out, ", ");
        add_field(out, "knob", knob->name);
        text_add(out, "}");
        before = ", ";
    }
}

static void add_json_scene(Text *out, const Scene *scene) {
    text_add(out, "  {");
    add_field(out, "name", scene->name);
    text_add(out, ", ");
    add_field(out, "title", scene->title);
    text_add(out, ", ");
    add_field(out, "lesson", scene->lesson);
    text_add(out, ",\n   \"knobs\": [");
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        if (knob != scene->knobs) text_add(out, ",\n     ");
        add_json_knob(out, knob);
    }
    text_add(out, "],\n   \"stages\": [");
    for (const SceneStage *stage = scene->stages; stage->name; stage++) {
        if (stage != scene->stages) text_add(out, ", ");
        text_add_json(out, stage->name);
    }
    text_add(out, "],\n   \"keys\": [");
    add_json_keys(out, scene);
    text_add(out, "]}");
}

static void add_json(Text *out, const Scene *const *scenes, int count) {
    text_add(out, "{\"scenes\": [\n");
    for (int i = 0; i < count; i++) {
        if (i) text_add(out, ",\n");
        add_json_scene(out, scenes[i]);
    }
    text_add(out, "\n]}\n");
}

/* ---- the manual page ---- */

/* Backslashes and dashes mean something to roff, and so does a dot that begins a line. */
static void add_roff(Text *out, const char *text) {
    if (*text == '.' || *text == '\'') text_add(out, "\\&");
    for (; *text; text++)
        if (*text == '\\')
            text_add(out, "\\e");
        else if (*text == '-')
            text_add(out, "\\-");
        else
            text_add_bytes(out, text, 1);
}

static void add_man_scene(Text *out, const Scene *scene) {
    text_addf(out, ".SS %s\n", scene->name);
    add_roff(out, scene->lesson);
    text_add(out, "\nStages:");
    for (const SceneStage *stage = scene->stages; stage->name; stage++)
        text_addf(out, "%s %s", stage == scene->stages ? "" : ",", stage->name);
    text_add(out, ".\n");
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        text_add(out, ".TP\n\\fB\\-\\-");
        add_roff(out, knob->name);
        text_add(out, "\\fR ");
        add_roff(out, allowed(knob, out->arena));
        text_add(out, "\n");
        add_roff(out, knob->help);
        if (*knob->start) text_add(out, "; starts as ");
        add_roff(out, knob->start);
        text_add(out, "\n");
    }
}

static void add_man_commands(Text *out) {
    int count;
    const Command *commands = command_list(&count);
    for (int i = 0; i < count; i++) {
        if (!commands[i].run) continue;
        text_addf(out, ".TP\n\\fB%s\\fR ", commands[i].name);
        add_roff(out, commands[i].arguments);
        text_add(out, "\n");
        add_roff(out, commands[i].help);
        text_add(out, "\n");
    }
}

/* Two parts, each behind the line of the page that it follows. */
static void add_man(Text *out, const Scene *const *scenes, int count) {
    text_add(out, ".\\\" commands begin\n");
    add_man_commands(out);
    text_add(out, ".\\\" commands end\n.SH SCENES\n.\\\" scenes begin\n");
    for (int i = 0; i < count; i++) add_man_scene(out, scenes[i]);
    text_add(out, ".\\\" scenes end\n");
}

bool listing_add(Text *out, const char *scene, const char *format, Err *err) {
    static const char *const formats[] = {"text", "json", "man"};
    int count, shown = 0;
    const Scene **scenes = scene_list(out->arena, &count);
    while (shown < count && !scenes[shown]->hidden) shown++;
    if (scene) {
        scenes[0] = scene_find(scene, err);
        if (!scenes[0]) return false;
        shown = 1;
    }
    if (strcmp(format, "json") == 0)
        add_json(out, scenes, shown);
    else if (strcmp(format, "man") == 0)
        add_man(out, scenes, shown);
    else if (strcmp(format, "text") != 0)
        return words_unknown(err, "format", format, formats, 3);
    else if (scene)
        add_scene(out, scenes[0]);
    else
        add_list(out, scenes, shown);
    return true;
}
