/* Programs are run by fork and exec with their output caught in files, so that neither side waits
 * for the other. */
#include "tool.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define STBI_ONLY_PNG
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#include <stb_image.h>
#pragma GCC diagnostic pop

enum { FILE_LIMIT = 1 << 30 };

static void memory_full(size_t wanted) {
    fail_msg("no memory for %zu bytes", wanted);
}

int tool_open(void **state) {
    static Tool tool;
    tool = (Tool){.arena = arena_open(memory_full), .folder = "/tmp/heed-case-XXXXXX"};
    *state = &tool;
    const char *heed = getenv("HEED");
    if (!getcwd(tool.root, sizeof tool.root) || !mkdtemp(tool.folder)) return -1;
    snprintf(tool.heed, sizeof tool.heed, "%s", heed ? heed : "build/release/heed");
    if (tool.heed[0] != '/')
        snprintf(tool.heed, sizeof tool.heed, "%.4000s/%s", tool.root,
                 heed ? heed : "build/release/heed");
    const char *const none[] = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "HEED_LOG",
                                "HEED_ASSETS"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) tool_environment(&tool, none[i]);
    return 0;
}

static int remove_tree(const char *path) {
    char command[256];
    snprintf(command, sizeof command, "chmod -R u+rwX '%s' && rm -rf '%s'", path, path);
    return system(command);
}

int tool_close(void **state) {
    Tool *tool = *state;
    for (int i = 0; i < tool->json_count; i++) json_decref(tool->jsons[i]);
    int code = remove_tree(tool->folder);
    arena_close(&tool->arena);
    return code;
}

void tool_environment(Tool *tool, const char *setting) {
    int count = 0;
    while (tool->environment[count]) count++;
    assert_in_range(count, 0, TOOL_ENVIRONMENT_MAX - 2);
    tool->environment[count] = setting;
}

const char *tool_path(Tool *tool, const char *name) {
    return name[0] == '/' ? name : file_join(&tool->arena, tool->folder, name);
}

void tool_write(Tool *tool, const char *name, const void *bytes, size_t length) {
    Err err = {0};
    if (!file_write(tool_path(tool, name), bytes, length, &err)) fail_msg("%s", err.text);
}

bool tool_exists(Tool *tool, const char *name) {
    return file_exists(tool_path(tool, name));
}

int tool_count_files(Tool *tool) {
    DIR *folder = opendir(tool->folder);
    assert_non_null(folder);
    int count = -2; /* "." and ".." */
    while (readdir(folder)) count++;
    closedir(folder);
    return count;
}

const char *tool_copy_assets(Tool *tool) {
    const char *from = file_join(&tool->arena, tool->root, "assets");
    const char *const words[] = {"sh", "-c", "rm -rf assets && cp -R \"$0\" assets", from, NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
    return tool_path(tool, "assets");
}

void tool_apply_environment(const Tool *tool) {
    for (int i = 0; tool->environment[i]; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s", tool->environment[i]);
        char *value = strchr(name, '=');
        if (value) {
            *value = '\0';
            setenv(name, value + 1, 1);
        } else {
            unsetenv(name);
        }
    }
}

static char *slurp(Tool *tool, int fd, size_t *length) {
    char *path = arena_printf(&tool->arena, "/proc/self/fd/%d", fd);
    FileBytes file;
    Err err = {0};
    if (!file_read(path, FILE_LIMIT, &tool->arena, &file, &err)) fail_msg("%s", err.text);
    *length = file.length;
    close(fd);
    return arena_bytes(&tool->arena, file.bytes, file.length);
}

static int scratch_file(void) {
    FILE *file = tmpfile();
    assert_non_null(file);
    int fd = dup(fileno(file));
    fclose(file);
    return fd;
}

static void become(const Tool *tool, const char *const *words, int out, int err) {
    int null = open("/dev/null", O_RDONLY);
    tool_apply_environment(tool);
    bool ready =
        chdir(tool->folder) == 0 && dup2(null, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2;
    if (ready) execvp(words[0], (char *const *)(uintptr_t)words);
    _exit(127);
}

Run tool_command(Tool *tool, const char *const *words) {
    int out = scratch_file(), err = scratch_file();
    pid_t child = fork();
    if (child == 0) become(tool, words, out, err);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    Run run = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status)};
    size_t err_length;
    run.out = slurp(tool, out, &run.out_length);
    run.err = slurp(tool, err, &err_length);
    if (run.code == 127) fail_msg("%s could not be started", words[0]);
    return run;
}

static const char *const *heed_words(Tool *tool, const char *const *arguments) {
    int count = 0;
    while (arguments[count]) count++;
    const char **words = ARENA_ARRAY(&tool->arena, const char *, count + 2);
    words[0] = tool->heed;
    for (int i = 0; i < count; i++) words[i + 1] = arguments[i];
    return words;
}

static const char *joined(Tool *tool, const char *const *arguments) {
    Text line = text_open(&tool->arena);
    for (int i = 0; arguments[i]; i++) text_addf(&line, "%s%.80s", i ? " | " : "", arguments[i]);
    return line.bytes;
}

Run tool_heed(Tool *tool, const char *const *arguments) {
    Run run = tool_command(tool, heed_words(tool, arguments));
    if (run.code > 2) fail_msg("%s: ended with %d: %s", joined(tool, arguments), run.code, run.err);
    return run;
}

Run tool_heed_ok(Tool *tool, const char *const *arguments) {
    Run run = tool_heed(tool, arguments);
    if (run.code != 0 || run.err[0])
        fail_msg("%s: ended with %d: %s", joined(tool, arguments), run.code, run.err);
    return run;
}

static bool one_line(const char *text) {
    const char *end = strchr(text, '\n');
    return end && end > text && end[1] == '\0';
}

void tool_heed_refuses(Tool *tool, int code, const char *words, const char *const *arguments) {
    int before = tool_count_files(tool);
    Run run = tool_heed(tool, arguments);
    const char *line = joined(tool, arguments);
    if (run.code == 0 || (code && run.code != code))
        fail_msg("%s: ended with %d, not %d: %s", line, run.code, code, run.err);
    if (!one_line(run.err)) fail_msg("%s: not one line: \"%s\"", line, run.err);
    if (!strstr(run.err, words)) fail_msg("%s: does not say \"%s\": %s", line, words, run.err);
    if (run.out_length) fail_msg("%s: wrote on stdout: %.200s", line, run.out);
    if (tool_count_files(tool) != before) fail_msg("%s: left a file", line);
}

json_t *tool_json(Tool *tool, const char *const *arguments) {
    Run run = tool_heed_ok(tool, arguments);
    json_error_t error;
    json_t *json = json_loadb(run.out, run.out_length, JSON_REJECT_DUPLICATES, &error);
    if (!json) fail_msg("%s: line %d: %s", joined(tool, arguments), error.line, error.text);
    assert_in_range(tool->json_count, 0, TOOL_JSONS_MAX - 1);
    tool->jsons[tool->json_count++] = json;
    return json;
}

static const json_t *cell_of(const json_t *numbers, const char *field, int row, int column) {
    const json_t *rows = json_object_get(numbers, field);
    const json_t *cell = json_array_get(json_array_get(rows, (size_t)row), (size_t)column);
    if (!cell) fail_msg("%s has no cell %d, %d", field, row, column);
    return cell;
}

double json_cell(const json_t *numbers, int row, int column) {
    const json_t *cell = cell_of(numbers, "values", row, column);
    return json_is_null(cell) ? NAN : json_number_value(cell);
}

const char *json_state(const json_t *numbers, int row, int column) {
    return json_string_value(cell_of(numbers, "state", row, column));
}

int json_rows(const json_t *numbers) {
    return (int)json_array_size(json_object_get(numbers, "values"));
}

int json_columns(const json_t *numbers) {
    return (int)json_array_size(json_array_get(json_object_get(numbers, "values"), 0));
}

const char *json_text(const json_t *object, const char *name, int index) {
    const char *text =
        json_string_value(json_array_get(json_object_get(object, name), (size_t)index));
    if (!text) fail_msg("%s has no text %d", name, index);
    return text;
}

void assert_close(double got, double want, double allowed) {
    if (!(fabs(got - want) <= allowed)) fail_msg("%.9g, not %.9g", got, want);
}

static uint32_t read_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The text of the iTXt chunk with the keyword heed. */
static const char *find_note(Tool *tool, const FileBytes *file) {
    static const char head[] = "heed\0\0\0\0"; /* keyword, not compressed, no language */
    for (size_t at = 8; at + 12 <= file->length;) {
        size_t length = read_u32(file->bytes + at);
        const uint8_t *data = file->bytes + at + 8;
        if (length > file->length - at - 12) break;
        bool text = memcmp(file->bytes + at + 4, "iTXt", 4) == 0 && length >= sizeof head;
        if (text && memcmp(data, head, sizeof head) == 0)
            return arena_bytes(&tool->arena, data + sizeof head, length - sizeof head);
        at += 12 + length;
    }
    return "";
}

/* What follows the first word in the last line that begins with it; NULL without such a line. The
 * figure's geometry comes last, and its "scale" is not the program's. */
static const char *note_line(const char *note, const char *word) {
    size_t length = strlen(word);
    const char *rest = NULL;
    for (const char *line = note; line && *line; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        if (strncmp(line, word, length) == 0 && line[length] == ' ') rest = line + length + 1;
    }
    return rest;
}

static void take(const char *note, const char *word, const char *format, ...) {
    const char *rest = note_line(note, word);
    if (!rest) return;
    va_list fields;
    va_start(fields, format);
    vsscanf(rest, format, fields);
    va_end(fields);
}

static void read_geometry(Picture *p) {
    take(p->note, "matrix", "%d %d %d %d", &p->x, &p->y, &p->w, &p->h);
    take(p->note, "cell", "%d %d", &p->cell_w, &p->cell_h);
    take(p->note, "pool", "%d %d", &p->pool_x, &p->pool_y);
    take(p->note, "first", "%d %d shown %d %d", &p->first_row, &p->first_column, &p->shown_rows,
         &p->shown_columns);
    take(p->note, "range", "%f %f", &p->low, &p->high);
    take(p->note, "scale", "%15s", p->scale);
    take(p->note, "palette", "%31s", p->palette);
}

Picture tool_picture(Tool *tool, const char *name) {
    FileBytes file;
    Err err = {0};
    if (!file_read(tool_path(tool, name), FILE_LIMIT, &tool->arena, &file, &err))
        fail_msg("%s", err.text);
    Picture picture = {0};
    int channels;
    uint8_t *pixels = stbi_load_from_memory(file.bytes, (int)file.length, &picture.width,
                                            &picture.height, &channels, 3);
    if (!pixels) fail_msg("%s: %s", name, stbi_failure_reason());
    assert_int_equal(channels, 3);
    size_t size = (size_t)picture.width * (size_t)picture.height * 3;
    picture.rgb = (uint8_t *)arena_bytes(&tool->arena, pixels, size);
    stbi_image_free(pixels);
    picture.note = find_note(tool, &file);
    read_geometry(&picture);
    return picture;
}

Picture tool_export(Tool *tool, const char *name, const char *const *arguments) {
    int count = 0;
    while (arguments[count]) count++;
    const char **words = ARENA_ARRAY(&tool->arena, const char *, count + 4);
    words[0] = "export";
    for (int i = 0; i < count; i++) words[i + 1] = arguments[i];
    words[count + 1] = "-o";
    words[count + 2] = name;
    tool_heed_ok(tool, words);
    return tool_picture(tool, name);
}

uint32_t picture_pixel(const Picture *picture, int x, int y) {
    assert_in_range(x, 0, picture->width - 1);
    assert_in_range(y, 0, picture->height - 1);
    const uint8_t *p = picture->rgb + 3 * ((size_t)y * (size_t)picture->width + (size_t)x);
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static int by_color(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

uint32_t picture_cell(const Picture *picture, int row, int column) {
    int left = picture->x + (column - picture->first_column) / picture->pool_x * picture->cell_w;
    int top = picture->y + (row - picture->first_row) / picture->pool_y * picture->cell_h;
    int count = 0, run = 0, best_run = 0;
    uint32_t *colors = malloc(sizeof *colors * (size_t)picture->cell_w * (size_t)picture->cell_h);
    assert_non_null(colors);
    for (int y = top; y < top + picture->cell_h; y++)
        for (int x = left; x < left + picture->cell_w; x++)
            colors[count++] = picture_pixel(picture, x, y);
    qsort(colors, (size_t)count, sizeof *colors, by_color);
    uint32_t best = colors[0];
    for (int i = 0; i < count; i++) {
        run = i > 0 && colors[i] == colors[i - 1] ? run + 1 : 1;
        if (run > best_run) {
            best_run = run;
            best = colors[i];
        }
    }
    free(colors);
    return best;
}

bool picture_cells_alike(const Picture *picture, int row, int column, int other_row,
                         int other_column) {
    int x = picture->x + column * picture->cell_w, y = picture->y + row * picture->cell_h;
    int across = (other_column - column) * picture->cell_w;
    int down = (other_row - row) * picture->cell_h;
    for (int j = 0; j < picture->cell_h; j++)
        for (int i = 0; i < picture->cell_w; i++)
            if (picture_pixel(picture, x + i, y + j) !=
                picture_pixel(picture, x + i + across, y + j + down))
                return false;
    return true;
}

bool pictures_equal(const Picture *a, const Picture *b) {
    return a->width == b->width && a->height == b->height &&
           memcmp(a->rgb, b->rgb, (size_t)a->width * (size_t)a->height * 3) == 0;
}
