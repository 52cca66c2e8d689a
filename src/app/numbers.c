/* JSON is written by hand: two fields of our own, then the table's. */
#include "app/numbers.h"

#include "app/note.h"
#include "base/file.h"
#include "base/words.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Whether the value is a number as JSON writes them: "inf" and "none" are not. */
static bool json_number(const char *value) {
    double number;
    const char *digits = value[0] == '-' ? value + 1 : value;
    return *digits >= '0' && *digits <= '9' && text_to_double(value, &number) && isfinite(number);
}

void numbers_add_value(Text *out, const Knob *knob, const char *value) {
    bool number = knob->kind == KNOB_INT || knob->kind == KNOB_REAL;
    if (number && json_number(value))
        text_add(out, value);
    else if (knob->kind == KNOB_SWITCH)
        text_add(out, strcmp(value, "on") == 0 ? "true" : "false");
    else
        text_add_json(out, value);
}

static void add_json(App *app, const Table *table, Text *out) {
    text_add(out, "{\"scene\": ");
    text_add_json(out, app->scene->name);
    text_add(out, ",\n\"knobs\": {");
    for (const Knob *knob = app->scene->knobs; knob->name; knob++) {
        if (knob != app->scene->knobs) text_add(out, ", ");
        text_add_json(out, knob->name);
        text_add(out, ": ");
        numbers_add_value(out, knob, knob_get(knob, app->state, out->arena));
    }
    text_add(out, "},\n");
    table_json_fields(table, out);
    text_add(out, "}\n");
}

bool numbers_unknown_stage(const Scene *scene, const char *stage, Err *err) {
    enum { NAMES_MAX = 64 };
    const char *names[NAMES_MAX];
    int count = 0;
    while (count < NAMES_MAX && scene->stages[count].name) {
        names[count] = scene->stages[count].name;
        count++;
    }
    return words_unknown(err, "stage", stage, names, count);
}

static const char *const formats[] = {"json", "csv", "npy"};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static bool format_known(const char *format, Err *err) {
    for (int i = 0; i < FORMATS; i++)
        if (strcmp(format, formats[i]) == 0) return true;
    return words_unknown(err, "format", format, formats, FORMATS);
}

const char *numbers_format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < FORMATS; i++)
        if (strcasecmp(dot + 1, formats[i]) == 0) return formats[i];
    return formats[0];
}

bool numbers_write(App *app, const char *stage, const char *format, const char *path, Err *err) {
    if (scene_stage_index(app->scene, stage) < 0)
        return numbers_unknown_stage(app->scene, stage, err);
    if (!format_known(format, err) || !note_spares_inputs(app, path, err)) return false;
    double (*clock)(void) = app->stage.clock;
    app->stage.clock = NULL; /* what is measured is not written */
    const Table *table = app->scene->table(app->state, stage);
    app->stage.clock = clock;
    if (!table) return err_set(err, "the stage %s has no numbers with these knobs", stage);
    Arena arena = arena_open(app_memory_full);
    Text out = text_open(&arena);
    if (strcmp(format, "json") == 0)
        add_json(app, table, &out);
    else if (strcmp(format, "csv") == 0)
        table_csv(table, &out);
    else
        table_npy(table, &out);
    bool ok = file_write(path, out.bytes, out.length, err);
    arena_close(&arena);
    return ok;
}
