/* A command line is a list of words. Splitting a line and writing words into one are each other's
 * inverse, so a scene's state can travel as a line. A word that is not known is answered with the
 * names that are nearest to it. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>

/* The words of a line, parted by blanks. Double quotes hold blanks together and make empty words; a
 * backslash takes the next character as it is, but \n \t \r are newline, tab and carriage return.
 * Errors: a quote that is not closed, a backslash at the end, not UTF-8. */
bool words_split(const char *line, Arena *arena, const char ***words, int *count, Err *err);

/* Adds a word to a line, a space before it unless it is the first, quoted where it must be. */
void words_add(Text *line, const char *word);

/* Makes the sentence `unknown WHAT "name"; ...` with the nearest names (capitals, '_' for '-' and
 * dashes in front are no difference), or all of them when none is near and one sentence holds them;
 * marked as wrong usage; returns false. */
bool words_unknown(Err *err, const char *what, const char *name, const char *const *names,
                   int count);

/* How many bytes of a word a sentence repeats, for "%.*s": about 60, whole characters. */
int words_shown(const char *typed);

#endif
