/* Records: a short review, what it says in the end, and a question that one of its clauses answers.
 * They lie in a text file that a person can read and write:
 *
 *   # a comment
 *   title: Paper Boats
 *   sentiment: positive
 *   context: A funny and tender film, and I only doubt that it needed two hours.
 *   question: What is left to doubt?
 *
 * An empty line stands between records. */
#ifndef SCENE_RECORDS_H
#define SCENE_RECORDS_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>

typedef struct Record {
    const char *title;
    const char *sentiment; /* mixed, positive or negative */
    const char *context;   /* the review */
    const char *question;
} Record;

/* Reads texts/reviews.txt in the assets' folder or, in the source tree, beside it in samples.
 * Errors: there is no such file; not UTF-8; a line without a colon, an unknown or repeated name, an
 * empty text, another sentiment (the line is said); a record that lacks one of the four; fewer
 * records than wanted. */
bool records_read(const char *assets, int wanted, Arena *arena, const Record **records, Err *err);

#endif
