/* `heed tokenize TEXT`: pieces, ids, and the bytes that each covers, on standard output. */
#ifndef APP_TOKENIZE_COMMAND_H
#define APP_TOKENIZE_COMMAND_H

#include "base/err.h"

#include <stdbool.h>

/* argv[0] is what follows `tokenize` on the command line: TEXT, "-" (standard input) or "@FILE",
 * and --format text|json. assets is the folder whose bpe/ is used. */
bool tokenize_command(const char *assets, int argc, char **argv, Err *err);

#endif
