/* From a key to the changed picture on the screen, in presents of a window of 1280x800. */
#include "measure.h"

#include <stdio.h>

static void key_lines(const char *bare) {
    Bench bench = {.present = bench_bare_present(bare)};
    bench_open(&bench, APP_WIDTH, APP_HEIGHT, 1);
    printf("a present of 1280x800: %.2f ms\n", 1000 * bench.present);
    Arena texts = arena_open(app_memory_full);
    const char *const stages[] = {"masked", "weights", "scaled", "weights"};
    const char *const masks[] = {"causal", "none"};
    const char *const typed[] = {bench_sentence(&texts, 512, "a"),
                                 bench_sentence(&texts, 512, "ab"),
                                 bench_sentence(&texts, 512, "abc")};
    const char *const palettes[] = {"viridis", "magma"};
    const char *const ranges[] = {"max", "log", "unit"};
    bench_set(&bench, "text", bench_sentence(&texts, 64, "end"));
    bench_report("a stage by key at 64 tokens", bench_change(&bench, "stage", stages, 4), "<=", 4,
                 "presents");
    bench_report("a mask by key at 64 tokens", bench_change(&bench, "mask", masks, 2), "<=", 4,
                 "presents");
    bench_set(&bench, "stage", "weights");
    bench_report("a letter typed at 512 tokens", bench_change(&bench, "text", typed, 3), "<=", 12,
                 "presents");
    bench_report("palette at 512 tokens", bench_change(&bench, "palette", palettes, 2), "<=", 4,
                 "presents");
    bench_report("range at 512 tokens", bench_change(&bench, "range", ranges, 3), "<=", 4,
                 "presents");
    const char *const masked[] = {"scene", "masks", "--text", typed[0]};
    const char *const painted[] = {"511,0", "510,0", "509,7"};
    bench_do(&bench, masked, 4);
    bench_report("a cell painted at 512 tokens", bench_change(&bench, "blocked", painted, 3),
                 "<=", 6, "presents");
    arena_close(&texts);
    bench_close(&bench);
}

int main(int argc, char **argv) {
    if (argc != 2) bench_fail("usage: bench_keys BARE");
    key_lines(argv[1]);
    return 0;
}
