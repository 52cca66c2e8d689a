/* Labels are read as bytes, so that pieces of a character can be typed too. */
#include "scene/typed.h"

#include "base/file.h"
#include "base/utf8.h"
#include "model/numbers.h"
#include "scene/generation.h"
#include "scene/number_files.h"

#include <string.h>

enum { ITEM_SHOWN = 40 };

static const size_t NUMBERS_LIMIT = (size_t)1 << 30;

static bool read_file(const char *name, const char *path, Stage *stage, const char **text,
                      Err *err) {
    NumberFile *file;
    if (!number_file(stage, path, NULL, &file, err)) return err_at(err, "%s", name);
    const char *start = (const char *)file->bytes.bytes;
    size_t length = file->bytes.length, bad;
    if (!utf8_valid(start, length, &bad))
        return err_set(err, "%s: %s is not UTF-8: wrong byte 0x%02X at offset %zu", name, path,
                       (unsigned)file->bytes.bytes[bad], bad);
    if (strlen(start) != length)
        return err_set(err, "%s: %s has a byte 0 at offset %zu; it must be text", name, path,
                       strlen(start));
    *text = start + (strncmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);
    return true;
}

/* ---- numbers ---- */

const char *typed_path(const char *file, Arena *arena, const char **tensor) {
    const char *mark = strrchr(file, '#');
    *tensor = NULL;
    if (!mark || file_exists(file)) return file;
    *tensor = mark + 1;
    return arena_bytes(arena, file, (size_t)(mark - file));
}

static bool check_shape(const char *name, const Numbers *numbers, Arena *arena, Err *err) {
    int rank = numbers->rank;
    const char *shape = numbers_shape(numbers, arena);
    if (rank < 2 || rank > 4)
        return err_set(err,
                       "%s has the shape %s; wanted is [queries, keys], [heads, queries, keys] or "
                       "[layers, heads, queries, keys]",
                       name, shape);
    for (int i = 0; i < rank; i++)
        if (numbers->shape[i] == 0)
            return err_set(err, "%s has the shape %s: there are no numbers in it", name, shape);
    if (numbers->shape[rank - 1] > TYPED_SIDE_MAX || numbers->shape[rank - 2] > TYPED_SIDE_MAX)
        return err_set(err, "%s has the shape %s; at most %d x %d numbers fit", name, shape,
                       TYPED_SIDE_MAX, TYPED_SIDE_MAX);
    return true;
}

/* The place of one among count; where there is only one, it serves for all. */
static bool choose(const char *name, const char *what, int64_t count, int wanted, size_t *place,
                   Err *err) {
    *place = count == 1 ? 0 : (size_t)wanted;
    return wanted < count || count == 1 ||
           err_set(err, "%s has %lld %ss, 0 to %lld; there is no %s %d", name, (long long)count,
                   what, (long long)count - 1, what, wanted);
}

static const char *beyond_note(const char *name, size_t beyond, Arena *arena) {
    if (!beyond) return NULL;
    return arena_printf(arena,
                        "%zu number%s of %s %s beyond float32 and stand%s at the end of its range, "
                        "3.4e38.",
                        beyond, beyond == 1 ? "" : "s", name, beyond == 1 ? "is" : "are",
                        beyond == 1 ? "s" : "");
}

static bool take_matrix(const char *name, const Numbers *numbers, int layer, int head, Arena *arena,
                        TypedMatrix *matrix, Err *err) {
    if (!check_shape(name, numbers, arena, err)) return false;
    int rank = numbers->rank;
    int64_t layers = rank == 4 ? numbers->shape[0] : 1;
    int64_t heads = rank >= 3 ? numbers->shape[rank - 3] : 1;
    size_t at_layer, at_head;
    if (!choose(name, "layer", layers, layer, &at_layer, err) ||
        !choose(name, "head", heads, head, &at_head, err))
        return false;
    TypedMatrix taken = {.layers = (int)layers,
                         .heads = (int)heads,
                         .rows = (int)numbers->shape[rank - 2],
                         .columns = (int)numbers->shape[rank - 1],
                         .missing = numbers->grid.missing,
                         .row_labels = numbers->grid.row_labels,
                         .column_labels = numbers->grid.column_labels};
    size_t cells = (size_t)taken.rows * (size_t)taken.columns;
    size_t first = (at_layer * (size_t)heads + at_head) * cells;
    taken.values = numbers_floats(numbers, first, cells, arena);
    taken.note = beyond_note(name, numbers->beyond, arena);
    *matrix = taken;
    return true;
}

static bool parse_typed(const char *name, const char *value, int limit, Arena *arena,
                        Numbers *numbers, Err *err) {
    *numbers = (Numbers){.format = NUMBERS_TEXT, .rank = 2};
    if (!grid_parse(value, limit, arena, &numbers->grid, err)) return err_at(err, "%s", name);
    numbers->shape[0] = numbers->grid.rows;
    numbers->shape[1] = numbers->grid.columns;
    return true;
}

static bool read_file_numbers(const char *name, const char *value, int limit, Arena *arena,
                              Numbers *numbers, Err *err) {
    const char *tensor, *path = typed_path(value, arena, &tensor);
    FileBytes file;
    if (!file_read(path, NUMBERS_LIMIT, arena, &file, err)) return err_at(err, "%s", name);
    return numbers_parse(file.bytes, file.length, tensor, limit, arena, numbers, err) ||
           err_at(err, "%s: %s", name, path);
}

bool typed_grid(const char *name, const char *value, int limit, Arena *arena, Grid *grid,
                Err *err) {
    Numbers numbers;
    if (*value == '@' ? !read_file_numbers(name, value + 1, limit, arena, &numbers, err)
                      : !parse_typed(name, value, limit, arena, &numbers, err))
        return false;
    int rank = numbers.rank;
    int64_t rows = rank == 2 ? numbers.shape[0] : 1, columns = rank ? numbers.shape[rank - 1] : 0;
    if (rank < 1 || rank > 2 || rows < 1 || columns < 1 || rows > limit || columns > limit)
        return err_set(err, "%s has the shape %s; a row or a matrix of 1 to %d numbers is wanted",
                       name, numbers_shape(&numbers, arena), limit);
    if (numbers.beyond)
        return err_set(err, "%s has %zu numbers beyond float32, whose largest is 3.4e38", name,
                       numbers.beyond);
    Grid read = numbers.grid;
    read.rows = (int)rows;
    read.columns = (int)columns;
    read.values = ARENA_ARRAY(arena, float, (size_t)rows *(size_t)columns);
    memcpy(read.values, numbers_floats(&numbers, 0, (size_t)(rows * columns), arena),
           (size_t)(rows * columns) * sizeof *read.values);
    *grid = read;
    return true;
}

/* Whether the file has several tensors that make one run. */
static bool is_generation(const NumberFile *file, Arena *arena, SafeFile *run) {
    Err unread = {0};
    return !file->tensor && numbers_is_safetensors(file->bytes.bytes, file->bytes.length) &&
           safetensors_parse(file->bytes.bytes, file->bytes.length, arena, run, &unread) &&
           generation_is(run);
}

bool typed_matrix(const char *name, const char *value, int layer, int head, Stage *stage,
                  Arena *arena, TypedMatrix *matrix, Err *err) {
    Numbers numbers;
    NumberFile *file;
    SafeFile run;
    if (*value != '@')
        return parse_typed(name, value, TYPED_SIDE_MAX, arena, &numbers, err) &&
               take_matrix(name, &numbers, layer, head, arena, matrix, err);
    const char *tensor, *path = typed_path(value + 1, arena, &tensor);
    if (!number_file(stage, path, tensor, &file, err)) return err_at(err, "%s", name);
    if (is_generation(file, arena, &run))
        return generation_matrix(&run, layer, head, arena, matrix, err) ||
               err_at(err, "%s: %s", name, path);
    if (!number_file_parse(file, TYPED_SIDE_MAX, err)) return err_at(err, "%s: %s", name, path);
    return take_matrix(name, &file->numbers, layer, head, arena, matrix, err);
}

/* ---- labels ---- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte of "\xE6", -1 if that is not what stands at text. */
static int hex_byte(const char *text) {
    int high = text[1] == 'x' ? hex_digit(text[2]) : -1;
    int low = high < 0 ? -1 : hex_digit(text[3]);
    return low < 0 ? -1 : high * 16 + low;
}

/* An escape of one letter: how many bytes it makes (0 or 1), -1 if there is no such. */
static int letter_escape(char letter, uint8_t *byte) {
    const char *place = letter ? strchr("sntr\\", letter) : NULL;
    if (letter == 'e') return 0;
    if (!place) return -1;
    *byte = (uint8_t) " \n\t\r\\"[place - "sntr\\"];
    return 1;
}

/* The bytes of an item of a list. */
static bool read_item(const char *name, const char *item, size_t length, Arena *arena,
                      LabelBytes *label, Err *err) {
    uint8_t *bytes = arena_alloc(arena, length);
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        if (item[i] != '\\') {
            bytes[used++] = (uint8_t)item[i];
            continue;
        }
        int byte = hex_byte(item + i);
        int made = byte >= 0 ? 1 : letter_escape(item[i + 1], &bytes[used]);
        if (made < 0)
            return err_set(err,
                           "%s: \"%.*s\" has a backslash before something else than s n t r e "
                           "x and \\; write \\\\ for a backslash",
                           name, (int)(length < ITEM_SHOWN ? length : ITEM_SHOWN), item);
        if (byte >= 0) bytes[used] = (uint8_t)byte;
        used += (size_t)made;
        i += byte >= 0 ? 3 : 1;
    }
    *label = (LabelBytes){bytes, used};
    return true;
}

static size_t item_length(const char *text, bool lines) {
    return strcspn(text, lines ? "\n" : " \t\r\n");
}

/* How many items there are; fills tokens unless it is NULL. -1 on error. */
static int read_items(const char *name, const char *text, bool lines, Arena *arena,
                      LabelBytes *tokens, Err *err) {
    int count = 0;
    while (*text) {
        size_t length = item_length(text, lines);
        bool item = lines || length > 0;
        if (item && tokens && lines) {
            bool carriage = length > 0 && text[length - 1] == '\r';
            tokens[count] = (LabelBytes){(const uint8_t *)text, carriage ? length - 1 : length};
        } else if (item && tokens && !read_item(name, text, length, arena, &tokens[count], err)) {
            return -1;
        }
        count += item;
        text += length;
        if (*text) text++;
    }
    return count;
}

bool typed_labels(const char *name, const char *value, const char *what, int count, Stage *stage,
                  Arena *arena, const Label **labels, Err *err) {
    const char *text = value;
    bool lines = *value == '@';
    if (!*value) {
        *labels = label_numbers(arena, 0, count);
        return true;
    }
    if (lines && !read_file(name, value + 1, stage, &text, err)) return false;
    int found = read_items(name, text, lines, arena, NULL, err);
    if (found != count)
        return err_set(err, "%s: %d label%s for %d %s%s; %s", name, found, found == 1 ? "" : "s",
                       count, what, count == 1 ? "" : "s",
                       found < count ? "BOS or EOS missing?" : "BOS or EOS too many?");
    LabelBytes *tokens = ARENA_ARRAY(arena, LabelBytes, count);
    if (read_items(name, text, lines, arena, tokens, err) < 0) return false;
    *labels = label_tokens(arena, tokens, count);
    return true;
}
