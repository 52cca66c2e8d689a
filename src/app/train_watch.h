/* What stands between the trainer and a person at a terminal: the progress line, and Ctrl+C. */
#ifndef APP_TRAIN_WATCH_H
#define APP_TRAIN_WATCH_H

#include "train/trainer.h"

/* Blocks SIGINT from here to close, and asks for it after every batch: no handler, no global. */
TrainWatch *train_watch_open(Arena *arena);
void train_watch_close(TrainWatch *watch);

/* On a terminal one line that is written anew ten times a second, otherwise one line an epoch. */
bool train_watch_report(TrainWatch *watch, const TrainProgress *progress);

#endif
