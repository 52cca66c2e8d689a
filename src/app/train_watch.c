/* Loss, accuracy, tokens a second and the time left, as the trainer tells them. */
#include "app/train_watch.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

struct TrainWatch {
    sigset_t interrupt, before;
    bool terminal;
    double start, shown; /* seconds of the monotonic clock */
};

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

TrainWatch *train_watch_open(Arena *arena) {
    TrainWatch *watch = ARENA_NEW(arena, TrainWatch);
    sigemptyset(&watch->interrupt);
    sigaddset(&watch->interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &watch->interrupt, &watch->before);
    watch->terminal = isatty(STDERR_FILENO) == 1;
    watch->start = seconds();
    return watch;
}

void train_watch_close(TrainWatch *watch) {
    sigprocmask(SIG_SETMASK, &watch->before, NULL);
}

static void show(const TrainWatch *watch, const TrainProgress *progress, double now) {
    double passed = now - watch->start;
    double rate = passed > 0 ? (double)progress->tokens / passed : 0;
    double left = rate > 0 ? (double)(progress->tokens_total - progress->tokens) / rate + 0.5 : 0;
    bool closed = progress->batch == progress->batches;
    fprintf(stderr, "%sepoch %d/%d  %3d %%  loss %.4f  accuracy %.4f", watch->terminal ? "\r" : "",
            progress->epoch, progress->epochs, 100 * progress->batch / progress->batches,
            progress->loss, progress->accuracy);
    if (closed) fprintf(stderr, "  validation %.4f", progress->valid);
    fprintf(stderr, "  %.0f tokens/s  %d:%02d left%s", rate, (int)left / 60, (int)left % 60,
            watch->terminal ? "\033[K" : "");
    if (closed || !watch->terminal) fputc('\n', stderr);
    fflush(stderr);
}

bool train_watch_report(TrainWatch *watch, const TrainProgress *progress) {
    const double between = 0.1;
    bool closed = progress->batch == progress->batches;
    double now = seconds();
    if (closed || (watch->terminal && now - watch->shown >= between)) {
        show(watch, progress, now);
        watch->shown = now;
    }
    if (sigtimedwait(&watch->interrupt, NULL, &(struct timespec){0}) != SIGINT) return true;
    fprintf(stderr, "%sinterrupted in epoch %d\n", watch->terminal && !closed ? "\n" : "",
            progress->epoch);
    return false;
}
