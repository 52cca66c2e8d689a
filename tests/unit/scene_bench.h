/* What the tests of scenes share: a folder of small assets made on the spot (a vocabulary learned
 * from one line, random embeddings), a stage over it, and scenes driven by knobs as the app does.
 * Tests run in the project's folder; only the fonts are the shipped ones. */
#ifndef SCENE_BENCH_H
#define SCENE_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/rng.h"
#include "draw/font.h"
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BENCH_WIDTH = 384 };

typedef struct Bench {
    Arena assets, arena, frame, frame_spare;
    char folder[64];
    Stage stage;
    Fonts *fonts;
    const Scene *scene;
    SceneState *state;
    Err err;
} Bench;

static inline void bench_full(size_t wanted) {
    (void)wanted;
    abort();
}

static inline void bench_write_model(Bench *bench, const Bpe *bpe) {
    int V = bpe_vocabulary(bpe), D = BENCH_WIDTH, hidden = 4;
    Dan dan = {.V = V, .D = D, .hidden = hidden, .tokens = 128, .padding = bpe_padding(bpe)};
    Rng rng = rng_seed(7);
    dan.embedding = ARENA_ARRAY(&bench->assets, float, V *D);
    for (int i = 0; i < V * D; i++) dan.embedding[i] = (float)(0.35 * rng_normal(&rng));
    dan.w1 = ARENA_ARRAY(&bench->assets, float, hidden *D);
    dan.b1 = ARENA_ARRAY(&bench->assets, float, hidden);
    dan.w2 = ARENA_ARRAY(&bench->assets, float, hidden);
    dan.b2 = ARENA_ARRAY(&bench->assets, float, 1);
    const char *path = file_join(&bench->assets, bench->folder, "models/dan-384.safetensors");
    assert_true(dan_write(&dan, path, false, NULL, bench->assets, &bench->err));
}

/* The shipped records, as an installed heed finds them. */
static inline void bench_write_records(Bench *bench) {
    FileBytes file;
    const char *to = file_join(&bench->assets, bench->folder, "texts/reviews.txt");
    assert_true(
        file_read("samples/texts/reviews.txt", 1 << 20, &bench->assets, &file, &bench->err));
    assert_true(file_write(to, file.bytes, file.length, &bench->err));
}

static inline Bench *bench_open(void) {
    static const char text[] = "the film is not a bad film at all the warm finale is surprisingly "
                               "warm and the film is surprisingly good";
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->assets = arena_open(bench_full);
    bench->arena = arena_open(bench_full);
    bench->frame = arena_open(bench_full);
    bench->frame_spare = arena_open(bench_full);
    strcpy(bench->folder, "/tmp/heed-scene-XXXXXX");
    assert_non_null(mkdtemp(bench->folder));
    const char *names[] = {"bpe", "models", "texts"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(mkdir(file_join(&bench->assets, bench->folder, names[i]), 0700), 0);
    Bpe *bpe = bpe_learn(&bench->assets, text, strlen(text), 40);
    const char *folder = file_join(&bench->assets, bench->folder, "bpe");
    assert_true(bpe_write(bpe, folder, bench->assets, &bench->err));
    bench_write_model(bench, bpe);
    bench_write_records(bench);
    bench->stage = (Stage){.arena = &bench->assets, .assets = bench->folder};
    return bench;
}

static inline const char *bench_file(Bench *bench, const char *name, const char *text) {
    const char *path = file_join(&bench->assets, bench->folder, name);
    assert_true(file_write(path, text, strlen(text), &bench->err));
    return path;
}

static inline void bench_close(Bench *bench) {
    static const char *const files[] = {
        "bpe/merges.txt",    "bpe/vocab.json", "models/dan-384.safetensors",
        "texts/reviews.txt", "a.txt",          "b.txt"};
    char path[128];
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", bench->folder, files[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/bpe", bench->folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/models", bench->folder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/texts", bench->folder);
    rmdir(path);
    rmdir(bench->folder);
    if (bench->fonts) fonts_close(bench->fonts);
    stage_close(&bench->stage);
    arena_close(&bench->frame);
    arena_close(&bench->frame_spare);
    arena_close(&bench->arena);
    arena_close(&bench->assets);
    free(bench);
}

/* Opens a scene with every knob at its start; nothing is computed yet. */
static inline void bench_scene(Bench *bench, const Scene *scene) {
    bench->scene = scene;
    bench->state = scene_new(scene, &bench->stage, &bench->arena, &bench->err);
    assert_non_null(bench->state);
}

static inline bool bench_set(Bench *bench, const char *knob, const char *value) {
    const Knob *row = knob_find(bench->scene->knobs, knob, &bench->err);
    assert_non_null(row);
    return knob_set(row, bench->state, value, &bench->err);
}

/* As the app does: what the last compute made stays while the next is made. */
static inline bool bench_compute(Bench *bench) {
    Arena made = bench->frame_spare, kept = bench->frame;
    bench->err.text[0] = '\0';
    if (!bench->scene->compute(bench->state, &made, &bench->err)) return false;
    bench->frame = bench->frame_spare;
    bench->frame_spare = kept;
    return true;
}

/* Sets knobs from a list of name, value, ... NULL, and computes. */
static inline void bench_make(Bench *bench, const Scene *scene, const char *const *knobs) {
    bench_scene(bench, scene);
    for (; *knobs; knobs += 2)
        if (!bench_set(bench, knobs[0], knobs[1])) fail_msg("%s", bench->err.text);
    if (!bench_compute(bench)) fail_msg("%s", bench->err.text);
}

#define BENCH_MAKE(bench, scene, ...)                                                              \
    bench_make((bench), (scene), (const char *const[]){__VA_ARGS__, NULL})

/* The error that knobs give, by setting or by computing. */
static inline const char *bench_fail(Bench *bench, const Scene *scene, const char *const *knobs) {
    bench_scene(bench, scene);
    for (; *knobs; knobs += 2)
        if (!bench_set(bench, knobs[0], knobs[1])) return bench->err.text;
    assert_false(bench_compute(bench));
    return bench->err.text;
}

#define BENCH_FAIL(bench, scene, ...)                                                              \
    bench_fail((bench), (scene), (const char *const[]){__VA_ARGS__, NULL})

static inline const Table *bench_table(Bench *bench, const char *stage) {
    const Table *table = bench->scene->table(bench->state, stage);
    assert_non_null(table);
    return table;
}

static inline Probe bench_probe(Bench *bench, int row, int column) {
    Probe probe;
    assert_true(bench->scene->probe(bench->state, &bench->assets, (Cell){row, column}, &probe));
    return probe;
}

/* A canvas over the shipped fonts; its pixels and scratch memory are in arena. */
static inline Canvas bench_canvas(Bench *bench, Arena *arena, int width, int height) {
    if (!bench->fonts) assert_true(fonts_open("assets", &bench->fonts, &bench->err));
    Canvas canvas = {.width = width,
                     .height = height,
                     .stride = width,
                     .clip = {0, 0, width, height},
                     .scale = 1,
                     .theme = &color_themes[0],
                     .fonts = bench->fonts,
                     .arena = arena};
    canvas.pixels = ARENA_ARRAY(arena, uint32_t, (size_t)width * (size_t)height);
    canvas_fill(&canvas, canvas.clip, canvas.theme->bg);
    return canvas;
}

/* Asserts that the value of a line of the inspector, or of its foot, is text. */
static inline void bench_line(const Probe *probe, const char *name, const char *text) {
    for (int i = 0; i < probe->line_count; i++)
        if (strcmp(probe->lines[i].name, name) == 0) {
            assert_string_equal(probe->lines[i].value, text);
            return;
        }
    for (int i = 0; i < probe->foot_count; i++)
        if (strcmp(probe->foot[i].name, name) == 0) {
            assert_string_equal(probe->foot[i].value, text);
            return;
        }
    fail_msg("no line \"%s\"", name);
}

/* The number that a line of the inspector has. */
static inline double bench_number(const Probe *probe, const char *name) {
    for (int i = 0; i < probe->line_count; i++)
        if (strcmp(probe->lines[i].name, name) == 0) {
            const char *value = probe->lines[i].value;
            bool minus = strncmp(value, "−", strlen("−")) == 0;
            return (minus ? -1 : 1) * strtod(minus ? value + strlen("−") : value, NULL);
        }
    fail_msg("no line \"%s\"", name);
    return 0;
}

#endif
