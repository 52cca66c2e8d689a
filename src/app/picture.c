/* Theme and scale of the app are borrowed for the time of one picture, so that screen and file go
 * through the same code. */
#include "app/picture.h"

#include "app/note.h"
#include "base/file.h"
#include "base/words.h"
#include "draw/png.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Bytes that a pixel needs while a PNG is made: canvas, RGB, one filtered copy a filter, result. */
enum { BYTES_A_PIXEL = 16, SIDE_MAX = 1000000 };

bool picture_size(const char *text, int *width, int *height, Err *err) {
    int w, h, end = 0;
    bool plain = strspn(text, "0123456789x") == strlen(text) && strlen(text) <= 15;
    if (!plain || sscanf(text, "%7dx%7d%n", &w, &h, &end) != 2 || text[end])
        return err_usage(err, "size \"%.*s\" is not WIDTHxHEIGHT, as 760x600", words_shown(text),
                         text);
    if (w < 1 || h < 1 || w > SIDE_MAX || h > SIDE_MAX)
        return err_usage(err, "size %dx%d is out of range: each side goes from 1 to %d pixels", w,
                         h, SIDE_MAX);
    *width = w;
    *height = h;
    return true;
}

bool picture_scale(const char *text, double *scale, Err *err) {
    double value;
    if (!text_to_double(text, &value) || isnan(value))
        return err_usage(err, "scale \"%.*s\" is not a number", words_shown(text), text);
    if (value < PICTURE_SCALE_MIN || value > PICTURE_SCALE_MAX)
        return err_usage(err, "scale %g is out of range: %g to %g", value, PICTURE_SCALE_MIN,
                         PICTURE_SCALE_MAX);
    *scale = value;
    return true;
}

bool picture_theme(const char *name, const Theme **theme, Err *err) {
    const Theme *found = theme_find(name);
    if (!found) {
        const char *names[THEME_COUNT];
        for (int i = 0; i < THEME_COUNT; i++) names[i] = color_themes[i].name;
        return words_unknown(err, "theme", name, names, THEME_COUNT);
    }
    *theme = found;
    return true;
}

bool picture_named(const char *path, Err *err) {
    static const char *const others[] = {".jpg",  ".jpeg", ".gif", ".svg",  ".pdf", ".bmp",
                                         ".webp", ".avif", ".tif", ".tiff", ".eps", ".ps",
                                         ".ppm",  ".csv",  ".npy", ".json", ".txt", ".heed"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(dot, others[i]) == 0)
            return err_usage(err, "%s: pictures are written as PNG alone; name the file .png",
                             path);
    return true;
}

/* Bytes that can be had without swapping; 0 when the system does not say. */
static double memory_free(void) {
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file) return 0;
    char line[128];
    double kilobytes = 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf", &kilobytes) == 1) break;
    fclose(file);
    return kilobytes * 1024;
}

static bool memory_allowed(int width, int height, Err *err) {
    double wanted = (double)width * height * BYTES_A_PIXEL, have = memory_free() * 0.9;
    if (have <= 0 || wanted <= have) return true;
    double share = sqrt(have / wanted);
    return err_set(err,
                   "a picture of %d x %d pixels needs %.1f GB of memory and %.1f GB are free; ask "
                   "for at most %.0f x %.0f pixels with --size or a smaller --scale",
                   width, height, wanted / 1e9, have / 1e9, floor(width * share),
                   floor(height * share));
}

static bool pixels(double size, double scale, int *out, Err *err) {
    double rounded = round(size * scale);
    if (rounded > SIDE_MAX)
        return err_set(err, "%g pixels at scale %g are %.0f; a side has at most %d pixels", size,
                       scale, rounded, SIDE_MAX);
    *out = rounded < 1 ? 1 : (int)rounded;
    return true;
}

/* The size in pixels of the canvas. A presentation enlarges what is in the window, not the window.
 */
static bool picture_pixels(App *app, const PictureOptions *options, Arena scratch, int *width,
                           int *height, Err *err) {
    double scale = options->frame ? app->scale : app_canvas_scale(app);
    if (options->width)
        return pixels(options->width, scale, width, err) &&
               pixels(options->height, scale, height, err);
    if (app->scene->natural) {
        Canvas canvas = app_canvas(app, &scratch, 1, 1);
        app->scene->natural(app->state, &canvas, width, height);
        return true;
    }
    return pixels(760, scale, width, err) && pixels(600, scale, height, err);
}

static bool write_here(App *app, const char *path, const PictureOptions *options, Arena *arena,
                       Err *err) {
    int width, height;
    if (!picture_pixels(app, options, *arena, &width, &height, err)) return false;
    if (!png_size_allowed(width, height, err) || !memory_allowed(width, height, err)) return false;
    Canvas canvas = app_canvas(app, arena, width, height);
    Rect all = {0, 0, width, height};
    Rect figure = options->frame ? hud_layout(app, &canvas).figure : all;
    if (options->frame)
        app_draw(app, &canvas);
    else
        app_draw_figure(app, &canvas, all);
    const char *note = note_make(app, &canvas, figure, options, arena);
    stage_rest(&app->stage); /* the numbers are there, and packing the pixels takes memory */
    return png_write(path, &canvas, all, note, arena, err);
}

/* Without a size: that of the window, or of the figure on the screen, where there is one. */
static PictureOptions with_size(const App *app, const PictureOptions *options) {
    PictureOptions sized = *options;
    double scale = app_canvas_scale(app);
    if (!sized.width && sized.frame) {
        sized.width = app->window_width;
        sized.height = app->window_height;
    } else if (!sized.width && app->figure_width) {
        sized.width = (int)(app->figure_width / scale);
        sized.height = (int)(app->figure_height / scale);
    }
    return sized;
}

bool picture_write(App *app, const char *path, const PictureOptions *options, Err *err) {
    if (!app->scene) return err_set(err, "no scene is open; begin with a line such as: scene raw");
    if (!note_spares_inputs(app, path, err)) return false;
    App before = *app;
    PictureOptions sized = with_size(app, options);
    bool of_screen = options->frame || !options->width;
    if (sized.frame) {
        app->window_width = sized.width;
        app->window_height = sized.height;
    }
    if (options->theme) app->theme = options->theme;
    if (options->scale > 0) app->scale = options->scale;
    app->presentation = app->presentation && of_screen;
    app->stage.clock = NULL;
    Arena arena = arena_open(app_memory_full);
    bool ok = write_here(app, path, &sized, &arena, err);
    arena_close(&arena);
    *app = before;
    return ok;
}
