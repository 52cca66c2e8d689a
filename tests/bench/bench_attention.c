/* Attention forward, 12 heads of width 64, all weights kept, at n = 128 to 4096: beside OpenBLAS's
 * sgemm on the same two products, beside PyTorch, and beside the bytes that it keeps. */
#define _DEFAULT_SOURCE /* anonymous memory */
#include "core/blas.h"
#include "core/crew.h"
#include "core/large.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { HEADS = 12, WIDTH = 64, FIRST = 128, SIZES = 6, REPEATS_MOST = 101 };
#define WARM_SECONDS 0.3 /* as in same_attention.py */

/* Memory straight from the system, so that what is given back is given back. */
static float *map(size_t count) {
    void *memory = mmap(NULL, count * sizeof(float), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) bench_fail("no memory for the weights");
    return memory;
}

typedef struct Run {
    LargeAttention of;
    float *q, *k, *v;
    size_t vectors, cells; /* floats of q, and of the weights */
} Run;

static float *random_floats(size_t count) {
    float *values = map(count);
    for (size_t i = 0; i < count; i++) values[i] = (float)(rand() % 2001 - 1000) / 500;
    return values;
}

static Run run_open(int n) {
    size_t vectors = (size_t)HEADS * (size_t)n * WIDTH,
           cells = (size_t)HEADS * (size_t)n * (size_t)n;
    Run run = {.vectors = vectors, .cells = cells};
    run.q = random_floats(vectors);
    run.k = random_floats(vectors);
    run.v = random_floats(vectors);
    run.of = (LargeAttention){.H = HEADS,
                              .shape = {n, n, WIDTH, WIDTH},
                              .rule = attention_plain(WIDTH),
                              .q = run.q,
                              .k = run.k,
                              .v = run.v,
                              .weights = map(cells),
                              .output = map(vectors)};
    return run;
}

static void run_close(Run *run) {
    munmap(run->q, run->vectors * sizeof(float));
    munmap(run->k, run->vectors * sizeof(float));
    munmap(run->v, run->vectors * sizeof(float));
    munmap(run->of.weights, run->cells * sizeof(float));
    munmap(run->of.output, run->vectors * sizeof(float));
}

/* The two products alone, by as many threads as there are processors; not in turns with attention,
 * for OpenBLAS's threads spin for a while when their work is done, and take the processors from
 * whoever comes next. */
static void products(const Run *run) {
    Blas blas = blas_open();
    int n = run->of.shape.T;
    size_t cells = (size_t)n * (size_t)n, vectors = (size_t)n * WIDTH;
    blas.set_threads(crew_size());
    for (size_t h = 0; h < HEADS; h++)
        blas.sgemm(BLAS_ROW_MAJOR, BLAS_AS_IS, BLAS_TURNED, n, n, WIDTH, 1, run->q + h * vectors,
                   WIDTH, run->k + h * vectors, WIDTH, 0, run->of.weights + h * cells, n);
    for (size_t h = 0; h < HEADS; h++)
        blas.sgemm(BLAS_ROW_MAJOR, BLAS_AS_IS, BLAS_AS_IS, n, WIDTH, n, 1,
                   run->of.weights + h * cells, n, run->v + h * vectors, WIDTH, 0,
                   run->of.output + h * vectors, WIDTH);
}

/* The shorter a run, the more of them, so that a moment's work of others does not decide. */
static int repeats_at(int n) {
    return n <= 256 ? REPEATS_MOST : n <= 512 ? 51 : n <= 1024 ? 21 : n <= 2048 ? 7 : 3;
}

typedef void Work(const Run *run);

static void attend(const Run *run) {
    large_attention(&run->of);
}

/* Median seconds of the work, behind a while of the same that is not counted: the system wakes a
 * second processor from its rest only after a tenth of a second of work for two. */
static double measure(Work *work, const Run *run) {
    double times[REPEATS_MOST], start = window_seconds();
    int repeats = repeats_at(run->of.shape.T);
    do work(run);
    while (window_seconds() - start < WARM_SECONDS);
    for (int i = 0; i < repeats; i++) {
        double before = window_seconds();
        work(run);
        times[i] = window_seconds() - before;
    }
    return bench_median(times, repeats);
}

static double resident_bytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*d %ld", &pages) != 1) bench_fail("no figure of memory");
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* Peak bytes that attention adds, over those that it keeps; the library has been used before. */
static double memory_share(int n) {
    Run run = run_open(n);
    double before = resident_bytes(), kept = (double)(run.cells + run.vectors) * sizeof(float);
    large_attention(&run.of);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    run_close(&run);
    return ((double)usage.ru_maxrss * 1024 - before) / kept;
}

/* The exponent p of y ~ n^p through points at doubling n, by least squares of logarithms. */
static double growth(const double *y) {
    double covariance = 0, variance = 0;
    for (int i = 0; i < SIZES; i++) {
        double x = i - (SIZES - 1) / 2.0;
        covariance += x * log2(y[i]);
        variance += x * x;
    }
    return covariance / variance;
}

static double smallest(const double *values) {
    double least = values[0];
    for (int i = 1; i < SIZES; i++) least = fmin(least, values[i]);
    return least;
}

static double largest(const double *values) {
    double most = values[0];
    for (int i = 1; i < SIZES; i++) most = fmax(most, values[i]);
    return most;
}

/* Before anything else is measured: the peak of a process only rises. */
static void memory_lines(void) {
    double shares[SIZES];
    for (int i = 0; i < SIZES; i++) {
        int n = FIRST << i;
        Run warm = run_open(n);
        large_attention(&warm.of);
        run_close(&warm);
        shares[i] = memory_share(n);
    }
    bench_report("attention, peak memory over what is kept", largest(shares), "<=", 1.2, "times");
}

static void sgemm_lines(void) {
    if (!blas_open().from_threads) {
        printf("attention beside sgemm: skipped, OpenBLAS with threads of its own is not there\n");
        return;
    }
    double shares[SIZES], times[SIZES];
    for (int i = 0; i < SIZES; i++) {
        int n = FIRST << i;
        Run run = run_open(n);
        times[i] = measure(attend, &run);
        double of_products = measure(products, &run);
        shares[i] = of_products / times[i];
        printf("attention at n = %-4d %8.2f ms, its two products by sgemm %8.2f ms\n", n,
               1000 * times[i], 1000 * of_products);
        fflush(stdout);
        run_close(&run);
    }
    bench_report("attention, share of sgemm's speed, least", smallest(shares), ">=", 0.6, "");
    bench_report("attention, time grows with n to the power", growth(times), "<=", 2.2, "");
}

static void torch_lines(const char *script) {
    const char *python = bench_python("torch");
    if (!python) {
        printf("attention beside PyTorch: skipped, python3-torch is not there\n");
        return;
    }
    double plain[SIZES], best[SIZES];
    for (int i = 0; i < SIZES; i++) {
        int n = FIRST << i;
        char command[4200], line[128] = "";
        snprintf(command, sizeof command, "'%s' '%s' %d %d", python, script, n, repeats_at(n));
        FILE *pipe = popen(command, "r");
        if (!pipe || !fgets(line, sizeof line, pipe)) bench_fail("PyTorch did not run");
        pclose(pipe);
        if (sscanf(line, "%lf %lf", &plain[i], &best[i]) != 2) bench_fail(line);
        Run run = run_open(n);
        double ours = measure(attend, &run);
        run_close(&run);
        printf("attention at n = %-4d %8.2f ms, PyTorch %8.2f ms, in its best form %8.2f ms\n", n,
               1000 * ours, 1000 * plain[i], 1000 * best[i]);
        plain[i] /= ours;
        best[i] /= ours;
    }
    bench_report("attention, times faster than PyTorch, least", smallest(plain), ">=", 3, "times");
    bench_report("attention, than its best form, least", smallest(best), ">=", 1.2, "times");
}

int main(void) {
    memory_lines();
    sgemm_lines();
    torch_lines("tests/bench/same_attention.py");
    return 0;
}
