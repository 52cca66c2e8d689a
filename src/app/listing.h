/* The scenes, their knobs, stages and keys, written from the tables of the scenes: for a person, as
 * JSON, and as a part of the manual page. */
#ifndef APP_LISTING_H
#define APP_LISTING_H

#include "base/err.h"
#include "base/text.h"

#include <stdbool.h>

/* scene: NULL for all. format: "text", "json", "man". Errors: unknown scene or format. */
bool listing_add(Text *out, const char *scene, const char *format, Err *err);

#endif
