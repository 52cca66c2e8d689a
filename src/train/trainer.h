/* Trains the averaging network on labelled rows of pieces: shuffled batches, AdamW, and of all
 * epochs the one with the best validation accuracy. It prints nothing; whoever calls it is told
 * after every batch and can stop it. The result is a function of plan and rows alone. */
#ifndef TRAIN_TRAINER_H
#define TRAIN_TRAINER_H

#include "base/arena.h"
#include "model/dan.h"
#include "train/data.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct DanPlan {
    int V, D, hidden;
    int epochs, batch;
    uint64_t seed;
    double lr;
    double decay;    /* AdamW's, of the embedding and the two weight matrices */
    double init_std; /* standard deviation of the initial embedding */
    double dropout;  /* of whole pieces, before the mean (Iyyer et al. 2015) */
} DanPlan;

/* D 384, hidden 64, 8 epochs of batches of 64, and the rest as the shipped network has it. */
DanPlan dan_plan(int vocabulary);

typedef struct TrainProgress {
    int epoch, epochs;     /* epoch counts from 1 */
    int batch, batches;    /* of this epoch; batch == batches closes it */
    double loss, accuracy; /* means over the epoch so far */
    int64_t tokens;        /* pieces seen since the start */
    int64_t tokens_total;  /* that all epochs will see */
    double valid;          /* accuracy; known when the epoch is closed, else -1 */
    double best_valid;     /* -1 before the first epoch is closed */
    int best_epoch;        /* 0 before */
} TrainProgress;

/* Completed by the caller. */
typedef struct TrainWatch TrainWatch;

/* Called after every batch; returns false to stop. */
typedef bool TrainReport(TrainWatch *watch, const TrainProgress *progress);

typedef struct TrainResult {
    int best_epoch; /* 0: stopped before the first epoch was closed; dan is then the last state */
    double best_valid;
    bool stopped;
} TrainResult;

/* dan's arrays are taken from arena. report may be NULL. */
TrainResult trainer_dan(const DanPlan *plan, const TokenRows *train, const TokenRows *valid,
                        Arena *arena, Dan *dan, TrainReport *report, TrainWatch *watch);

/* Share of the rows whose label the sign of the logit tells; 0 for no rows. */
double trainer_accuracy(const Dan *dan, const TokenRows *rows, Arena scratch);

#endif
