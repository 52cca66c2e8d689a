/* The figures of speed and memory as ratios that were measured in one run, each beside what is
 * allowed. `bench FOLDER` finds heed and bare in FOLDER; it needs a display. Times are medians. */
#define _DEFAULT_SOURCE /* wait4 */
#include "app/app.h"
#include "app/viewer.h"
#include "app/window.h"
#include "base/text.h"
#include "draw/png.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#include <stb_image_write.h>
#pragma GCC diagnostic pop

enum { REPEATS = 15, PNG_WIDTH = 1600, PNG_HEIGHT = 1000 };

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

static void fail(const char *what) {
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static void report(const char *what, double got, const char *sign, double allowed,
                   const char *unit) {
    bool kept = sign[0] == '<' ? got <= allowed : got >= allowed;
    printf("%-44s %8.2f %-8s (%s %g)  %s\n", what, got, unit, sign, allowed,
           kept ? "kept" : "MISSED");
    fflush(stdout);
}

static pid_t start(const char *const *words, int err) {
    pid_t child = fork();
    if (child != 0) return child;
    int null = open("/dev/null", O_RDWR);
    dup2(null, 0);
    dup2(null, 1);
    dup2(err >= 0 ? err : null, 2);
    execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

static double resident_mb(pid_t process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    FILE *file = fopen(path, "r");
    long pages = 0;
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) fail("no memory figure");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

/* Seconds from exec to the line that tells of the first frame. */
static double first_frame(const char *const *words, double *resident) {
    int ends[2];
    if (pipe(ends) != 0) fail("no pipe");
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    double before = window_seconds();
    pid_t child = start(words, ends[1]);
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
    if (!strstr(said, "first frame")) fail(said);
    *resident = resident_mb(child);
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    close(ends[0]);
    return took;
}

static void bench_start(const char *heed, const char *bare) {
    const char *const heed_words[] = {heed, "view", "raw", NULL};
    const char *const bare_words[] = {bare, NULL};
    double ours[REPEATS], theirs[REPEATS], memory[REPEATS], other;
    for (int i = 0; i < REPEATS; i++) {
        theirs[i] = first_frame(bare_words, &other);
        ours[i] = first_frame(heed_words, &memory[i]);
    }
    double our = median(ours, REPEATS), their = median(theirs, REPEATS);
    printf("start to first frame: heed %.0f ms, bare %.0f ms\n", 1000 * our, 1000 * their);
    report("start to first frame", our / their, "<=", 1.5, "bare");
    report("resident memory at the first frame", median(memory, REPEATS), "<=", 40, "MB");
}

/* Seconds and megabytes of a whole process; exit code 0 or an end of the bench. */
static double whole_process(const char *const *words, double *peak) {
    double before = window_seconds();
    pid_t child = start(words, -1);
    int status;
    struct rusage usage;
    wait4(child, &status, 0, &usage);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) fail(words[0]);
    *peak = (double)usage.ru_maxrss / 1000;
    return window_seconds() - before;
}

static void bench_export(const char *heed, const char *script, const char *target) {
    /* The system's own, for which the package is, whatever else stands first in the path. */
    const char *python = access("/usr/bin/python3", X_OK) == 0 ? "/usr/bin/python3" : "python3";
    const char *const probe[] = {python, "-c", "import matplotlib", NULL};
    int status;
    waitpid(start(probe, -1), &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        printf("export beside matplotlib: skipped, python3-matplotlib is not there\n");
        return;
    }
    const char *const heed_words[] = {heed, "export", "raw", "-o", target, NULL};
    const char *const python_words[] = {python, script, target, NULL};
    double ours[5], theirs[5], our_peak = 0, their_peak = 0;
    for (int i = 0; i < 5; i++) {
        theirs[i] = whole_process(python_words, &their_peak);
        ours[i] = whole_process(heed_words, &our_peak);
    }
    double our = median(ours, 5), their = median(theirs, 5);
    printf("export of 12 tokens: heed %.0f ms, %.0f MB; matplotlib %.0f ms, %.0f MB\n", 1000 * our,
           our_peak, 1000 * their, their_peak);
    report("export, times faster than matplotlib", their / our, ">=", 20, "times");
    report("export, share of its memory", our_peak / their_peak, "<=", 0.25, "");
}

typedef struct Bench {
    App app;
    Window *window;
    Arena pixels;
    double present; /* seconds */
} Bench;

static void do_line(Bench *bench, const char *const *words, int count) {
    Err err = {0};
    if (!app_do_words(&bench->app, words, count, &err)) fail(err.text);
}

static void set(Bench *bench, const char *knob, const char *value) {
    const char *const words[] = {"set", knob, value};
    do_line(bench, words, 3);
}

static void show(Bench *bench) {
    Arena scratch = bench->pixels;
    Canvas canvas = viewer_canvas(&bench->app, bench->window, &scratch);
    canvas.arena = &scratch;
    app_draw(&bench->app, &canvas);
    window_show(bench->window, &canvas, (Rect){0, 0, 0, 0});
}

static const char *words_of(Arena *arena, int count, const char *last) {
    static const char *const words[] = {"the", "film", "is", "not", "bad", "warm", "plot"};
    Text text = text_open(arena);
    for (int i = 0; i < count - 1; i++) text_addf(&text, "%s ", words[i % 7]);
    text_add(&text, last);
    return text.bytes;
}

/* Presents from a change of knob to its picture on the screen; values take turns. */
static double change(Bench *bench, const char *knob, const char *const *values, int count) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double before = window_seconds();
        set(bench, knob, values[i % count]);
        show(bench);
        times[i] = window_seconds() - before;
    }
    return median(times, REPEATS) / bench->present;
}

static double measure_present(const char *bare) {
    char command[4200], line[64] = "";
    snprintf(command, sizeof command, "'%s' 200 2>/dev/null", bare);
    FILE *pipe = popen(command, "r");
    if (!pipe || !fgets(line, sizeof line, pipe)) fail("bare did not run");
    pclose(pipe);
    return atof(line) / 1000;
}

static void bench_keys(const char *bare) {
    Bench bench = {.present = measure_present(bare)};
    Err err = {0};
    if (!app_open(&bench.app, NULL, &err)) fail(err.text);
    if (!window_open(APP_WIDTH, APP_HEIGHT, "bench", &bench.window, &err)) fail(err.text);
    bench.pixels = arena_open(app_memory_full);
    bench.app.hud.window = bench.window;
    printf("a present of 1280x800: %.2f ms\n", 1000 * bench.present);
    Arena texts = arena_open(app_memory_full);
    const char *const stages[] = {"masked", "weights", "scaled", "weights"};
    const char *const masks[] = {"causal", "none"};
    const char *const typed[] = {words_of(&texts, 512, "a"), words_of(&texts, 512, "ab"),
                                 words_of(&texts, 512, "abc")};
    const char *const palettes[] = {"viridis", "magma"};
    const char *const ranges[] = {"max", "log", "unit"};
    set(&bench, "text", words_of(&texts, 64, "end"));
    report("a stage by key at 64 tokens", change(&bench, "stage", stages, 4), "<=", 4, "presents");
    report("a mask by key at 64 tokens", change(&bench, "mask", masks, 2), "<=", 4, "presents");
    set(&bench, "stage", "weights");
    report("a letter typed at 512 tokens", change(&bench, "text", typed, 3), "<=", 12, "presents");
    report("palette at 512 tokens", change(&bench, "palette", palettes, 2), "<=", 4, "presents");
    report("range at 512 tokens", change(&bench, "range", ranges, 3), "<=", 4, "presents");
    const char *const masked[] = {"scene", "masks", "--text", typed[0]};
    const char *const painted[] = {"511,0", "510,0", "509,7"};
    do_line(&bench, masked, 4);
    report("a cell painted at 512 tokens", change(&bench, "blocked", painted, 3), "<=", 6,
           "presents");
    bench.app.hud.window = NULL;
    window_close(bench.window);
    arena_close(&texts);
    arena_close(&bench.pixels);
    app_close(&bench.app);
}

static void bench_png(void) {
    App app;
    Err err = {0};
    if (!app_open(&app, NULL, &err)) fail(err.text);
    Arena arena = arena_open(app_memory_full);
    Canvas canvas = app_canvas(&app, &arena, PNG_WIDTH, PNG_HEIGHT);
    canvas.arena = &arena;
    app_draw_figure(&app, &canvas, (Rect){0, 0, PNG_WIDTH, PNG_HEIGHT});
    uint8_t *rgb = ARENA_ARRAY(&arena, uint8_t, 3 * PNG_WIDTH * PNG_HEIGHT);
    for (int i = 0; i < PNG_WIDTH * PNG_HEIGHT; i++)
        for (int c = 0; c < 3; c++) rgb[3 * i + c] = (uint8_t)(canvas.pixels[i] >> (16 - 8 * c));
    double ours[REPEATS], theirs[REPEATS];
    size_t our_size = 0;
    int their_size = 0;
    for (int i = 0; i < REPEATS; i++) {
        Arena scratch = arena;
        const uint8_t *bytes;
        double before = window_seconds();
        if (!png_encode(&canvas, (Rect){0, 0, PNG_WIDTH, PNG_HEIGHT}, NULL, &scratch, &bytes,
                        &our_size, &err))
            fail(err.text);
        double between = window_seconds();
        free(stbi_write_png_to_mem(rgb, 3 * PNG_WIDTH, PNG_WIDTH, PNG_HEIGHT, 3, &their_size));
        ours[i] = between - before;
        theirs[i] = window_seconds() - between;
    }
    double our = median(ours, REPEATS), their = median(theirs, REPEATS);
    printf("PNG of 1600x1000: heed %.1f ms, %zu kB; stb %.1f ms, %d kB\n", 1000 * our,
           our_size / 1000, 1000 * their, their_size / 1000);
    report("PNG, times faster than stb", their / our, ">=", 6, "times");
    report("PNG, share of its size", (double)our_size / their_size, "<=", 0.7, "");
    arena_close(&arena);
    app_close(&app);
}

/* A present of a window of that size, by the program's own way to the screen. */
static double own_present(Bench *bench, int width, int height) {
    double times[REPEATS];
    Arena scratch = bench->pixels;
    Canvas canvas = app_canvas(&bench->app, &scratch, width, height);
    for (int i = 0; i < REPEATS; i++) {
        double before = window_seconds();
        window_show(bench->window, &canvas, (Rect){0, 0, 0, 0});
        times[i] = window_seconds() - before;
    }
    return median(times, REPEATS);
}

/* Frames of 16 waves while their position moves: numbers, picture and present. */
static void bench_waves(int width, int height, double scale) {
    static const char *const words[] = {"scene", "rope_waves", "--head-dim", "32", "--pairs", "16"};
    static const char *const play[] = {"play"};
    Bench bench = {.window = NULL};
    Err err = {0};
    double times[REPEATS];
    if (!app_open(&bench.app, NULL, &err)) fail(err.text);
    if (!window_open(width, height, "bench", &bench.window, &err)) fail(err.text);
    bench.pixels = arena_open(app_memory_full);
    bench.app.hud.window = bench.window;
    bench.app.scale = scale;
    do_line(&bench, words, 6);
    do_line(&bench, play, 1);
    show(&bench);
    bench.present = own_present(&bench, width, height);
    for (int i = 0; i < REPEATS; i++) {
        double before = window_seconds();
        if (!app_step(&bench.app, 0.2)) fail("the waves do not move");
        show(&bench);
        times[i] = window_seconds() - before;
    }
    char what[64];
    snprintf(what, sizeof what, "a frame of 16 waves at %dx%d", width, height);
    printf("a present of %dx%d: %.2f ms\n", width, height, 1000 * bench.present);
    report(what, median(times, REPEATS) / bench.present, "<=", 6, "presents");
    bench.app.hud.window = NULL;
    window_close(bench.window);
    arena_close(&bench.pixels);
    app_close(&bench.app);
}

int main(int argc, char **argv) {
    /* a program opens one window, so each size is a run of its own */
    if (argc == 5 && strcmp(argv[1], "waves") == 0) {
        bench_waves(atoi(argv[2]), atoi(argv[3]), atof(argv[4]));
        return 0;
    }
    if (argc != 4) fail("usage: bench HEED BARE FOLDER");
    setenv("HEED_LOG", "1", 1);
    char target[4200];
    snprintf(target, sizeof target, "%s/bench.png", argv[3]);
    bench_start(argv[1], argv[2]);
    bench_export(argv[1], "tests/bench/same_figure.py", target);
    bench_keys(argv[2]);
    bench_png();
    return 0;
}
