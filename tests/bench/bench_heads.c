/* From a text to the picture of all heads of all layers, in presents of a window of 1280x800. The
 * weights are there already; tokens, vectors, the run of the blocks and the maps are made anew. */
#include "measure.h"

#include <stdio.h>

static void heads_line(const char *bare) {
    Bench bench = {.present = bench_bare_present(bare)};
    bench_open(&bench, APP_WIDTH, APP_HEIGHT, 1);
    printf("a present of 1280x800: %.2f ms\n", 1000 * bench.present);
    Arena texts = arena_open(app_memory_full);
    const char *const scene[] = {"scene", "heads", "--all-layers", "on"};
    const char *const typed[] = {bench_sentence(&texts, 128, "film"),
                                 bench_sentence(&texts, 128, "finale"),
                                 bench_sentence(&texts, 128, "warm")};
    const char *const heads[] = {"1", "2", "0"};
    bench_do(&bench, scene, 4);
    bench_set(&bench, "text", bench_sentence(&texts, 128, "end"));
    bench_report("all 16 heads of 4 layers at 128 tokens", bench_change(&bench, "text", typed, 3),
                 "<=", 20, "presents");
    bench_report("another head of them chosen", bench_change(&bench, "head", heads, 3), "<=", 20,
                 "presents");
    arena_close(&texts);
    bench_close(&bench);
}

int main(int argc, char **argv) {
    if (argc != 2) bench_fail("usage: bench_heads BARE");
    heads_line(argv[1]);
    return 0;
}
