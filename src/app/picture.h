/* Pictures without a window: the figure, or the whole window, painted into a canvas of its own and
 * written as a PNG that carries the lines which made it. */
#ifndef APP_PICTURE_H
#define APP_PICTURE_H

#include "app/app.h"

#define PICTURE_SCALE_MIN 0.5
#define PICTURE_SCALE_MAX 8.0

typedef struct PictureOptions {
    int width, height;  /* in pixels at scale 1; 0 0: as on the screen, else the natural size */
    double scale;       /* 0: the app's */
    const Theme *theme; /* NULL: the app's */
    bool frame;         /* the whole window rather than the figure */
} PictureOptions;

/* "760x600". Errors: malformed, smaller than 1. */
bool picture_size(const char *text, int *width, int *height, Err *err);
/* A number from PICTURE_SCALE_MIN to PICTURE_SCALE_MAX. */
bool picture_scale(const char *text, double *scale, Err *err);
/* Unknown names are answered with the nearest. */
bool picture_theme(const char *name, const Theme **theme, Err *err);

/* heed writes PNG alone: a name that promises another format (a lesson's among them) is refused. */
bool picture_named(const char *path, Err *err);

/* Writes the PNG, replacing what is there; nothing is half-written. Errors: too large for the
 * format or for the memory that is free (a size that fits is proposed), and those of file_write. */
bool picture_write(App *app, const char *path, const PictureOptions *options, Err *err);

#endif
