/* From exec to the first frame, beside a program that does nothing but open a window. */
#include "measure.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static double resident_mb(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "r");
    long pages = 0;
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) bench_fail("no memory figure");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* Seconds from exec to the line that tells of the first frame. */
static double first_frame(const char *const *words, double *resident) {
    int ends[2];
    if (pipe(ends) != 0) bench_fail("no pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    double before = window_seconds();
    pid_t child = bench_start(words, ends[1]);
    close(ends[1]);
    char said[256] = "";
    size_t length = 0;
    ssize_t got = 1;
    while (got > 0 && !strstr(said, "first frame") && length < sizeof said - 1) {
        got = read(ends[0], said + length, sizeof said - 1 - length);
        if (got > 0) length += (size_t)got;
        said[length] = '\0';
    }
    double took = window_seconds() - before;
    if (!strstr(said, "first frame")) bench_fail(said);
    *resident = resident_mb(child);
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    close(ends[0]);
    return took;
}

static void start_lines(const char *heed, const char *bare) {
    const char *const heed_words[] = {heed, "view", "raw", NULL};
    const char *const bare_words[] = {bare, NULL};
    double ours[BENCH_REPEATS], theirs[BENCH_REPEATS], memory[BENCH_REPEATS], other;
    for (int i = 0; i < BENCH_REPEATS; i++) {
        theirs[i] = first_frame(bare_words, &other);
        ours[i] = first_frame(heed_words, &memory[i]);
    }
    double our = bench_median(ours, BENCH_REPEATS), their = bench_median(theirs, BENCH_REPEATS);
    printf("start to first frame: heed %.0f ms, bare %.0f ms\n", 1000 * our, 1000 * their);
    bench_report("start to first frame", our / their, "<=", 1.5, "bare");
    bench_report("resident memory at the first frame", bench_median(memory, BENCH_REPEATS),
                 "<=", 40, "MB");
}

int main(int argc, char **argv) {
    if (argc != 3) bench_fail("usage: bench_start HEED BARE");
    setenv("HEED_LOG", "1", 1);
    start_lines(argv[1], argv[2]);
    return 0;
}
