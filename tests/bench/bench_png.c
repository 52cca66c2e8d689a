/* The PNG of one figure, beside what stb_image_write makes of the same pixels. */
#include "draw/png.h"

#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

enum { PNG_WIDTH = 1600, PNG_HEIGHT = 1000 };

static void png_lines(void) {
    App app;
    Err err = {0};
    if (!app_open(&app, NULL, &err)) bench_fail(err.text);
    Arena arena = arena_open(app_memory_full);
    Canvas canvas = app_canvas(&app, &arena, PNG_WIDTH, PNG_HEIGHT);
    canvas.arena = &arena;
    app_draw_figure(&app, &canvas, (Rect){0, 0, PNG_WIDTH, PNG_HEIGHT});
    uint8_t *rgb = ARENA_ARRAY(&arena, uint8_t, 3 * PNG_WIDTH * PNG_HEIGHT);
    for (int i = 0; i < PNG_WIDTH * PNG_HEIGHT; i++)
        for (int c = 0; c < 3; c++) rgb[3 * i + c] = (uint8_t)(canvas.pixels[i] >> (16 - 8 * c));
    double ours[BENCH_REPEATS], theirs[BENCH_REPEATS];
    size_t our_size = 0;
    int their_size = 0;
    for (int i = 0; i < BENCH_REPEATS; i++) {
        Arena scratch = arena;
        const uint8_t *bytes;
        double before = window_seconds();
        if (!png_encode(&canvas, (Rect){0, 0, PNG_WIDTH, PNG_HEIGHT}, NULL, &scratch, &bytes,
                        &our_size, &err))
            bench_fail(err.text);
        double between = window_seconds();
        free(stbi_write_png_to_mem(rgb, 3 * PNG_WIDTH, PNG_WIDTH, PNG_HEIGHT, 3, &their_size));
        ours[i] = between - before;
        theirs[i] = window_seconds() - between;
    }
    double our = bench_median(ours, BENCH_REPEATS), their = bench_median(theirs, BENCH_REPEATS);
    printf("PNG of 1600x1000: heed %.1f ms, %zu kB; stb %.1f ms, %d kB\n", 1000 * our,
           our_size / 1000, 1000 * their, their_size / 1000);
    bench_report("PNG, times faster than stb", their / our, ">=", 6, "times");
    bench_report("PNG, share of its size", (double)our_size / their_size, "<=", 0.7, "");
    arena_close(&arena);
    app_close(&app);
}

int main(void) {
    png_lines();
    return 0;
}
