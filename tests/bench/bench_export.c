/* A figure exported by heed, beside the same figure made with matplotlib. */
#include "measure.h"

#include <stdio.h>
#include <unistd.h>

static void export_lines(const char *heed, const char *script, const char *target) {
    const char *python = bench_python("matplotlib");
    if (!python) {
        printf("export beside matplotlib: skipped, python3-matplotlib is not there\n");
        return;
    }
    const char *const heed_words[] = {heed, "export", "raw", "-o", target, NULL};
    const char *const python_words[] = {python, script, target, NULL};
    double ours[5], theirs[5], our_peak = 0, their_peak = 0;
    for (int i = 0; i < 5; i++) {
        unlink(target); /* each makes a new file, as for a new figure */
        theirs[i] = bench_process(python_words, &their_peak);
        unlink(target);
        ours[i] = bench_process(heed_words, &our_peak);
    }
    double our = bench_median(ours, 5), their = bench_median(theirs, 5);
    printf("export of 12 tokens: heed %.0f ms, %.0f MB; matplotlib %.0f ms, %.0f MB\n", 1000 * our,
           our_peak, 1000 * their, their_peak);
    bench_report("export, times faster than matplotlib", their / our, ">=", 20, "times");
    bench_report("export, share of its memory", our_peak / their_peak, "<=", 0.25, "");
}

int main(int argc, char **argv) {
    if (argc != 3) bench_fail("usage: bench_export HEED TARGET");
    export_lines(argv[1], "tests/bench/same_figure.py", argv[2]);
    return 0;
}
