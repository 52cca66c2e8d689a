/* What the programs of the bench share. Each program measures one group of figures of speed and
 * memory, as ratios taken in one run, and prints each beside what is allowed. Times are medians, in
 * seconds; a present is the time that one full window takes to reach the screen. */
#pragma once
#include "app/app.h"
#include "app/window.h"

#include <sys/types.h>

enum { BENCH_REPEATS = 15 };

/* The middle one; sorts them. */
double bench_median(double *values, int count);

/* Ends the program with exit code 1: a figure that cannot be taken is not a figure. */
_Noreturn void bench_fail(const char *what);

/* One line: the figure, its sign ("<=" or ">=") and limit, and "kept" or "MISSED". */
void bench_report(const char *what, double got, const char *sign, double allowed, const char *unit);

/* Starts the words as a process of its own; its stderr goes to the descriptor `err`, or nowhere
 * when that is negative. */
pid_t bench_start(const char *const *words, int err);

/* Seconds of a whole process and its peak memory in megabytes; it must end with exit code 0. */
double bench_process(const char *const *words, double *peak);

/* The system's own Python, when it can import that module; NULL otherwise. */
const char *bench_python(const char *import);

/* The program in its own window, driven by command lines. */
typedef struct Bench {
    App app;
    Window *window;
    Arena pixels;
    double present; /* seconds; the caller's, from bench_present or the bare program */
} Bench;

void bench_open(Bench *bench, int width, int height, double scale);
void bench_close(Bench *bench);
void bench_do(Bench *bench, const char *const *words, int count);
void bench_set(Bench *bench, const char *knob, const char *value);
void bench_show(Bench *bench);

/* Presents from a change of knob to its picture on the screen; the values take turns. */
double bench_change(Bench *bench, const char *knob, const char *const *values, int count);

/* A present of the open window by the program's own way to the screen. */
double bench_present(Bench *bench, int width, int height);

/* A present of 1280x800 by the bare program. */
double bench_bare_present(const char *bare);

/* A sentence of that many words, of which the last is given. */
const char *bench_sentence(Arena *arena, int count, const char *last);
