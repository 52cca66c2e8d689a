/* An error is one sentence: what, where, found and allowed, what to do. Functions that can fail
 * because the world is wrong take an Err and return false; they leave everything else untouched.
 * Only app shows the sentence to the user. What is wrong because we are wrong is an assert. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum { ERR_TEXT_MAX = 512 };

typedef struct Err {
    char text[ERR_TEXT_MAX]; /* a lower-case sentence without a full stop; "" while nothing is wrong
                              */
    bool usage;              /* the command line was wrong, not the world: exit 2 rather than 1 */
} Err;

#if defined(__GNUC__)
#define ERR_FORMAT(at, rest) __attribute__((format(printf, at, rest)))
#else
#define ERR_FORMAT(at, rest)
#endif

/* Writes the sentence and returns false, so that a caller can `return err_set(err, ...)`.
 * A sentence longer than the buffer is cut at a whole UTF-8 character. err may be NULL. */
bool err_set(Err *err, const char *format, ...) ERR_FORMAT(2, 3);

/* The same for a wrong command line. */
bool err_usage(Err *err, const char *format, ...) ERR_FORMAT(2, 3);

/* Puts "where: " in front of the sentence that is there, and returns false. */
bool err_at(Err *err, const char *format, ...) ERR_FORMAT(2, 3);

#endif
