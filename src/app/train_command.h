/* `heed train bpe` and `heed train dan`: learning from reviews, told on standard error. */
#ifndef APP_TRAIN_COMMAND_H
#define APP_TRAIN_COMMAND_H

#include "base/err.h"

#include <stdbool.h>

/* argv[0] is what follows `train` on the command line; assets is the folder whose bpe/ is used when
 * none is named. Blocks SIGINT while a network learns: Ctrl+C then keeps the best epoch so far,
 * writes it and returns true. */
bool train_command(const char *assets, int argc, char **argv, Err *err);

#endif
