/* A lesson of any bytes, line by line in an app without a window: each line is done, or refused in
 * one sentence and has changed nothing. Lines that would write or read files are left out. */
#include "fuzz.h"

#include "app/app.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool of_files(const char *line) {
    return strstr(line, "png") || strstr(line, "csv") || strstr(line, "open") || strchr(line, '@');
}

static void do_line(App *app, const char *line, Arena *arena) {
    const char *before = app->scene ? scene_line(app->scene, app->state, arena) : "";
    Err err = {0};
    if (app_do(app, line, &err)) return;
    if (!err.text[0] || strchr(err.text, '\n')) abort();
    if (strcmp(before, app->scene ? scene_line(app->scene, app->state, arena) : "") != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    App app;
    Err err = {0};
    Arena arena = arena_open(app_memory_full);
    if (!app_start(&app, NULL, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    char *rest = arena_bytes(&arena, bytes, length);
    for (char *line = rest ? strtok_r(rest, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest))
        if (!of_files(line)) do_line(&app, line, &arena);
    app_close(&app);
    arena_close(&arena);
    return 0;
}

#define SAMPLE(text)                                                                               \
    { text, sizeof(text) - 1 }

const FuzzSample fuzz_samples[] = {
    SAMPLE("scene matrix --scores \"1 2 3; 4 5 6\"\nset mask causal\nselect 1,2\nnext stage\n"
           "zoom 2 0.5 0.5\npan .1 -.1\nundo\n"),
    SAMPLE("scene matrix --q \"1 0; 0 1\" --k \"1 1; 0 1\" --heads 1\nset blocked 0,1 allowed 1,0\n"
           "cell left\nrow up\nredo\n"),
    SAMPLE("scene sinusoidal --length 12 --d-model 8\nset base 100 layout concatenated\nplay\n"
           "theme next\nscale 2\nreset\n"),
    SAMPLE("scene exercise\nset x \"1 0; 0 1\" heads 1\nset tables base\nprev stage\nnext-scene\n"),
    SAMPLE("scene rope_dials --q \"1 2\" --k \"3 4\"\nset m 7 pairing mixed\nset stage waves\n"),
    {NULL, 0}};
