/* How long attention takes on this machine: one head, from queries, keys and values to its output,
 * timed at several lengths. It runs in slices of a few milliseconds, so that a window lives on
 * between them, and can be left and taken up at any of them. */
#ifndef SCENE_TIMING_H
#define SCENE_TIMING_H

#include "base/arena.h"

#include <stdbool.h>

enum { TIMING_RUNS = 5, TIMING_LENGTHS_MAX = 16, TIMING_LONGEST = 4096 };

typedef struct TimedLength {
    int n;
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

/* The lengths to time, count of them at most TIMING_LENGTHS_MAX, rising; what was measured of them
 * with the same width is kept. */
void timing_fit(Timing *timing, int K, const int *lengths, int count);

/* Forgets what was measured. */
void timing_clear(Timing *timing);

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
