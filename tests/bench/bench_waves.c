/* Waves that move, in presents of the window that shows them. */
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

/* Frames of 16 waves while their position moves: numbers, picture and present. */
static void wave_lines(int width, int height, double scale) {
    static const char *const words[] = {"scene", "rope_waves", "--head-dim", "32", "--pairs", "16"};
    static const char *const play[] = {"play"};
    Bench bench = {.window = NULL};
    double times[BENCH_REPEATS];
    bench_open(&bench, width, height, scale);
    bench_do(&bench, words, 6);
    bench_do(&bench, play, 1);
    bench_show(&bench);
    bench.present = bench_present(&bench, width, height);
    for (int i = 0; i < BENCH_REPEATS; i++) {
        double before = window_seconds();
        if (!app_step(&bench.app, 0.2)) bench_fail("the waves do not move");
        bench_show(&bench);
        times[i] = window_seconds() - before;
    }
    char what[64];
    snprintf(what, sizeof what, "a frame of 16 waves at %dx%d", width, height);
    printf("a present of %dx%d: %.2f ms\n", width, height, 1000 * bench.present);
    bench_report(what, bench_median(times, BENCH_REPEATS) / bench.present, "<=", 6, "presents");
    bench_close(&bench);
}

int main(int argc, char **argv) {
    if (argc != 4) bench_fail("usage: bench_waves WIDTH HEIGHT SCALE");
    wave_lines(atoi(argv[1]), atoi(argv[2]), atof(argv[3]));
    return 0;
}
