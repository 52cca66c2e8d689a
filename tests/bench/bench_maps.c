/* A map of 4096 x 4096 weights from a file: frames while it is moved and while it is zoomed, in
 * presents of a window of 1280x800. */
#include "measure.h"

#include "base/file.h"

#include <stdio.h>
#include <string.h>

enum { SIDE = 4096, HEADER = 128, FRAMES = 60 };

/* An identity with noise, as an NPY file. */
static void write_map(const char *path, Arena *arena) {
    size_t cells = (size_t)SIDE * SIDE, length = HEADER + cells * sizeof(float);
    char *bytes = arena_alloc(arena, length);
    memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
    memset(bytes + 10, ' ', HEADER - 10);
    int used =
        snprintf(bytes + 10, HEADER - 10,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", SIDE, SIDE);
    bytes[10 + used] = ' ';
    bytes[HEADER - 1] = '\n';
    uint32_t noise = 1;
    for (size_t n = 0; n < cells; n++) {
        noise = noise * 1664525u + 1013904223u;
        float value = n % (SIDE + 1) == 0 ? 0.9f : (float)(noise >> 8) / 16777216.0f * 2e-4f;
        memcpy(bytes + HEADER + n * sizeof value, &value, sizeof value);
    }
    Err err = {0};
    if (!file_write(path, bytes, length, &err)) bench_fail(err.text);
}

/* Presents a frame; the lines take turns. */
static double frames(Bench *bench, const char *const (*lines)[4], int count) {
    double times[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        const char *const *words = lines[i % count];
        double before = window_seconds();
        bench_do(bench, words, words[2] ? words[3] ? 4 : 3 : 2);
        bench_show(bench);
        times[i] = window_seconds() - before;
    }
    return bench_median(times, FRAMES) / bench->present;
}

static void map_lines(const char *bare, const char *folder) {
    static const char *const all[] = {"zoom", "0"};
    static const char *const closer[] = {"zoom", "2.5", "0.3", "0.4"};
    static const char *const pans[][4] = {{"pan", "0.05", "0.03"}, {"pan", "-0.04", "-0.02"}};
    static const char *const zooms[][4] = {
        {"zoom", "in"},  {"zoom", "in"},  {"zoom", "in"},  {"zoom", "in"},  {"zoom", "in"},
        {"zoom", "out"}, {"zoom", "out"}, {"zoom", "out"}, {"zoom", "out"}, {"zoom", "out"}};
    Bench bench = {.present = bench_bare_present(bare)};
    bench_open(&bench, APP_WIDTH, APP_HEIGHT, 1);
    Arena arena = arena_open(app_memory_full);
    const char *path = arena_printf(&arena, "%s/map.npy", folder);
    Arena bytes = arena_open(app_memory_full);
    write_map(path, &bytes);
    arena_close(&bytes);
    const char *scene[] = {"scene", "matrix", "--weights", arena_printf(&arena, "@%s", path)};
    bench_do(&bench, scene, 4);
    bench_do(&bench, closer, 4);
    bench_report("a 4096 x 4096 map, moved", frames(&bench, pans, 2), "<=", 12, "presents");
    bench_do(&bench, all, 2);
    bench_report("a 4096 x 4096 map, zoomed", frames(&bench, zooms, 10), "<=", 12, "presents");
    arena_close(&arena);
    bench_close(&bench);
}

int main(int argc, char **argv) {
    if (argc != 3) bench_fail("usage: bench_maps BARE FOLDER");
    map_lines(argv[1], argv[2]);
    return 0;
}
