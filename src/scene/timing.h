/* How long attention takes on this machine: one head, from queries, keys and values to its output,
 * timed at several lengths. It runs in slices of a few milliseconds, so that a window lives on
 * between them, and can be left and taken up at any of them. */
#ifndef SCENE_TIMING_H
#define SCENE_TIMING_H

#include "base/arena.h"

#include <stdbool.h>

enum { TIMING_RUNS = 5, TIMING_LENGTHS_MAX = 16, TIMING_LONGEST = 4096 };

typedef struct TimedLength {
    int K, n; /* width of the head, tokens */
    int runs; /* that are done */
    double seconds[TIMING_RUNS];
} TimedLength;

typedef struct Timing {
    int K;     /* width of the head */
    int count; /* lengths, rising */
    TimedLength lengths[TIMING_LENGTHS_MAX];
    int n;        /* length of the run that has begun, */
    int row;      /* its queries that are done, */
    double spent; /* and the seconds that they took */
} Timing;

/* What was measured of any width and length, the last TIMING_KEPT_MAX of them: it outlives a scene,
 * so that leaving it, or taking a change back, costs no measuring. */
enum { TIMING_KEPT_MAX = 64 };
typedef struct TimingKept {
    TimedLength lengths[TIMING_KEPT_MAX];
    int count, next; /* next: the place that is taken when all are */
} TimingKept;

/* The lengths to time, count of them at most TIMING_LENGTHS_MAX, rising; what kept has of them with
 * this width is there already, and a run that has begun goes on. */
void timing_fit(Timing *timing, const TimingKept *kept, int K, const int *lengths, int count);

/* Puts what was measured among what is kept. */
void timing_keep(const Timing *timing, TimingKept *kept);

/* Forgets what was measured of these lengths, here and there. */
void timing_clear(Timing *timing, TimingKept *kept);

/* The place in lengths of the first one that lacks runs; count when there is none. */
int timing_next(const Timing *timing);

/* Goes on for a few milliseconds by the clock; true when a run has ended. */
bool timing_slice(Timing *timing, double (*clock)(void), Arena scratch);

/* Runs that are done, of all lengths. */
int timing_runs(const Timing *timing);

/* The length n, or NULL when not one run of it is done; and the median of its runs in seconds. */
const TimedLength *timing_find(const Timing *timing, int n);
double timing_median(const TimedLength *length);

#endif
