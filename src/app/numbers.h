/* The numbers of a stage as JSON, CSV or NPY: the same table that the heatmap draws. */
#ifndef APP_NUMBERS_H
#define APP_NUMBERS_H

#include "app/app.h"

/* format: "json" ("scene" and "knobs", then what table_json_fields says), "csv", "npy". path "-":
 * standard output. Errors: unknown stage or format (nearest offered), a stage without numbers, and
 * those of file_write. */
bool numbers_write(App *app, const char *stage, const char *format, const char *path, Err *err);

/* The format that the ending of a file's name asks for; "json" where it asks for none. */
const char *numbers_format_of(const char *path);

/* Makes the sentence about a stage that the scene does not have; returns false. */
bool numbers_unknown_stage(const Scene *scene, const char *stage, Err *err);

/* A knob's value for JSON: numbers as numbers, switches as booleans, all else as text. */
void numbers_add_value(Text *out, const Knob *knob, const char *value);

#endif
