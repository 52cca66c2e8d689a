/* Taking and printing the figures of the bench. */
#define _DEFAULT_SOURCE /* wait4 */
#include "measure.h"

#include "app/viewer.h"
#include "base/text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

void bench_fail(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

void bench_report(const char *what, double got, const char *sign, double allowed,
                  const char *unit) {
    bool kept = sign[0] == '<' ? got <= allowed : got >= allowed;
    printf("%-44s %8.2f %-8s (%s %g)  %s\n", what, got, unit, sign, allowed,
           kept ? "kept" : "MISSED");
    fflush(stdout);
}

pid_t bench_start(const char *const *words, int err) {
    pid_t child = fork();
    if (child != 0) return child;
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(err >= 0 ? err : null, 2);
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

double bench_process(const char *const *words, double *peak) {
    double before = window_seconds();
    pid_t child = bench_start(words, -1);
    int status;
    struct rusage usage;
    wait4(child, &status, 0, &usage);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) bench_fail(words[0]);
    *peak = (double)usage.ru_maxrss / 1000;
    return window_seconds() - before;
}

const char *bench_python(const char *import) {
    /* The system's own, for which the package is, whatever else stands first in the path. */
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    char line[64];
    snprintf(line, sizeof line, "import %s", import);
    const char *const probe[] = {python, "-c", line, NULL};
    int status;
    waitpid(bench_start(probe, -1), &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? python : NULL;
}

void bench_open(Bench *bench, int width, int height, double scale) {
    Err err = {0};
    if (!app_open(&bench->app, NULL, &err)) bench_fail(err.text);
    if (!window_open(width, height, "bench", &bench->window, &err)) bench_fail(err.text);
    bench->pixels = arena_open(app_memory_full);
    bench->app.hud.window = bench->window;
    bench->app.scale = scale;
}

void bench_close(Bench *bench) {
    bench->app.hud.window = NULL;
    window_close(bench->window);
    arena_close(&bench->pixels);
    app_close(&bench->app);
}

void bench_do(Bench *bench, const char *const *words, int count) {
    Err err = {0};
    if (!app_do_words(&bench->app, words, count, &err)) bench_fail(err.text);
}

void bench_set(Bench *bench, const char *knob, const char *value) {
    const char *const words[] = {"set", knob, value};
    bench_do(bench, words, 3);
}

void bench_show(Bench *bench) {
    Arena scratch = bench->pixels;
    Canvas canvas = viewer_canvas(&bench->app, bench->window, &scratch);
    canvas.arena = &scratch;
    app_draw(&bench->app, &canvas);
    window_show(bench->window, &canvas, (Rect){0, 0, 0, 0});
}

const char *bench_sentence(Arena *arena, int count, const char *last) {
    static const char *const words[] = {"the", "film", "is", "not", "bad", "warm", "plot"};
    Text text = text_open(arena);
    for (int i = 0; i < count - 1; i++) text_addf(&text, "%s ", words[i % 7]);
    text_add(&text, last);
    return text.bytes;
}

double bench_change(Bench *bench, const char *knob, const char *const *values, int count) {
    double times[BENCH_REPEATS];
    for (int i = 0; i < BENCH_REPEATS; i++) {
        double before = window_seconds();
        bench_set(bench, knob, values[i % count]);
        bench_show(bench);
        times[i] = window_seconds() - before;
    }
    return bench_median(times, BENCH_REPEATS) / bench->present;
}

double bench_bare_present(const char *bare) {
    char command[4200], line[64] = "";
    snprintf(command, sizeof command, "'%s' 200 2>/dev/null", bare);
    FILE *pipe = popen(command, "r");
    if (!pipe || !fgets(line, sizeof line, pipe)) bench_fail("bare did not run");
    pclose(pipe);
    return atof(line) / 1000;
}

double bench_present(Bench *bench, int width, int height) {
    double times[BENCH_REPEATS];
    Arena scratch = bench->pixels;
    Canvas canvas = app_canvas(&bench->app, &scratch, width, height);
    for (int i = 0; i < BENCH_REPEATS; i++) {
        double before = window_seconds();
        window_show(bench->window, &canvas, (Rect){0, 0, 0, 0});
        times[i] = window_seconds() - before;
    }
    return bench_median(times, BENCH_REPEATS);
}
