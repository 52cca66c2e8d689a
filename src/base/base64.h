/* Bytes as text of 64 letters (RFC 4648, with padding), for lines that hold a small file. */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include "base/file.h"
#include "base/text.h"

/* Adds 4 letters for every 3 bytes. */
void base64_add(Text *out, FileBytes file);

/* The bytes that letters stand for, with a NUL behind them. False for anything but whole groups of
 * four letters. */
bool base64_read(const char *letters, Arena *arena, FileBytes *file);

#endif
