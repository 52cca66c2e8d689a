/* What end-to-end tests share: a folder of their own, running heed in it, reading its JSON and its
 * pictures. They see heed only as a user does: by its command line, its output and its files. The
 * program's path comes by the environment variable HEED. */
#ifndef CASES_TOOL_H
#define CASES_TOOL_H

#include "base/arena.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

enum { TOOL_JSONS_MAX = 64, TOOL_ENVIRONMENT_MAX = 32 };

typedef struct Tool {
    Arena arena;
    char heed[4096]; /* absolute */
    char root[4096]; /* of the source tree, where the tests are started */
    char folder[64]; /* of this test, where heed runs */
    const char *environment[TOOL_ENVIRONMENT_MAX]; /* NULL ends: "NAME=value" sets, "NAME" unsets */
    json_t *jsons[TOOL_JSONS_MAX];
    int json_count;
} Tool;

/* Setup and teardown of each test. There is no display in there, unless a test gives it one. */
int tool_open(void **state);
int tool_close(void **state);

#define TOOL_TEST(function) cmocka_unit_test_setup_teardown(function, tool_open, tool_close)

/* "NAME=value" for what runs from now on. */
void tool_environment(Tool *tool, const char *setting);
/* In a child that is about to become another program. */
void tool_apply_environment(const Tool *tool);

/* A path in the test's folder. */
const char *tool_path(Tool *tool, const char *name);
void tool_write(Tool *tool, const char *name, const void *bytes, size_t length);
bool tool_exists(Tool *tool, const char *name);
/* How many files and folders the test's folder holds. */
int tool_count_files(Tool *tool);
/* A copy of the assets in the test's folder "assets", to be damaged. */
const char *tool_copy_assets(Tool *tool);

typedef struct Run {
    int code; /* exit code; 128 + signal */
    char *out, *err;
    size_t out_length;
} Run;

/* Runs words[0] with the rest as arguments, NULL ends, in the test's folder; fails the test when
 * it cannot be started. */
Run tool_command(Tool *tool, const char *const *words);

/* Runs heed. */
#define HEED(tool, ...) tool_heed((tool), (const char *const[]){__VA_ARGS__, NULL})
Run tool_heed(Tool *tool, const char *const *arguments);

/* The same, and fails the test unless it ends with 0 and says nothing on stderr. */
#define HEED_OK(tool, ...) tool_heed_ok((tool), (const char *const[]){__VA_ARGS__, NULL})
Run tool_heed_ok(Tool *tool, const char *const *arguments);

/* Fails the test unless heed refuses: exit code 1 or 2 (code, or 0 for either), nothing on stdout,
 * exactly one line on stderr that holds words, and no file that was not there before. */
#define HEED_REFUSES(tool, code, words, ...)                                                       \
    tool_heed_refuses((tool), (code), (words), (const char *const[]){__VA_ARGS__, NULL})
void tool_heed_refuses(Tool *tool, int code, const char *words, const char *const *arguments);

/* The JSON that heed prints; given back at teardown. */
#define HEED_JSON(tool, ...) tool_json((tool), (const char *const[]){__VA_ARGS__, NULL})
json_t *tool_json(Tool *tool, const char *const *arguments);

/* Cells of the JSON of `heed numbers`. */
double json_cell(const json_t *numbers, int row, int column); /* NAN where the value is null */
const char *json_state(const json_t *numbers, int row, int column);
int json_rows(const json_t *numbers);
int json_columns(const json_t *numbers);
/* The text at index of the array called name. */
const char *json_text(const json_t *object, const char *name, int index);
void assert_close(double got, double want, double allowed);

typedef struct Picture {
    int width, height;
    const uint8_t *rgb; /* [height, width, 3] */
    const char *note;   /* "" without */
    /* From the note, zero where it says nothing: */
    int x, y, w, h; /* the matrix */
    int cell_w, cell_h, pool_x, pool_y;
    int first_row, first_column, shown_rows, shown_columns;
    float low, high;
    char scale[16], palette[32];
} Picture;

/* Reads a PNG by stb_image, a decoder that heed does not use. */
Picture tool_picture(Tool *tool, const char *name);
/* `heed export` into name, then the picture. */
#define HEED_PICTURE(tool, name, ...)                                                              \
    tool_export((tool), (name), (const char *const[]){__VA_ARGS__, NULL})
Picture tool_export(Tool *tool, const char *name, const char *const *arguments);

uint32_t picture_pixel(const Picture *picture, int x, int y); /* 0x00RRGGBB */
/* The ground colour of a cell: the most frequent one in it, which the digits on it are not. */
uint32_t picture_cell(const Picture *picture, int row, int column);
/* Whether two cells look the same, pixel by pixel. */
bool picture_cells_alike(const Picture *picture, int row, int column, int other_row,
                         int other_column);
bool pictures_equal(const Picture *a, const Picture *b);

#endif
