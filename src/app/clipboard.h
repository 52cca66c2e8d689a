/* Pictures on the clipboard. SDL2 copies only text, so a helper that is installed is fed the PNG:
 * wl-copy under Wayland, xclip under X. */
#ifndef APP_CLIPBOARD_H
#define APP_CLIPBOARD_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Errors: no helper is there (says which to install); it failed. */
bool clipboard_picture(const uint8_t *png, size_t length, Err *err);

#endif
