/* Reference pictures of the heatmap, compared pixel by pixel. Text depends on the versions of the
 * text libraries, which tests/pictures/VERSIONS records: under others only the picture without any
 * text is compared, and a notice says so. `test_heatmap_pictures --write` makes all of them anew;
 * look at them before they are committed. */
#include "draw/heatmap_parts.h"
#include "draw/png.h"
#include "heatmap_tool.h"

#include <stdio.h>
#include <unistd.h>

#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#include <stb_image.h>
#pragma GCC diagnostic pop

#define FOLDER   "tests/pictures"
#define VERSIONS FOLDER "/VERSIONS"

static const char *const words[] = {"The", "film", "is", "not",          "bad",  "at",
                                    "all", ",",    "a",  "surprisingly", "warm", "finale"};
enum { WORDS = 12 };

static void name_words(Tool *tool, Sheet *sheet) {
    int rows = sheet->table.rows.count, columns = sheet->table.columns.count;
    sheet->table.rows.labels = tool_labels(tool, words, WORDS, rows);
    sheet->table.columns.labels = tool_labels(tool, words, WORDS, columns);
}

/* Weights with a strong diagonal, whose rows add up to 1. */
static void fill_weights(Sheet *sheet, bool causal) {
    int rows = sheet->table.rows.count, columns = sheet->table.columns.count;
    for (int row = 0; row < rows; row++) {
        float *weights = sheet->values + (size_t)row * (size_t)columns, sum = 0;
        for (int i = 0; i < columns; i++) {
            bool blocked = causal && i > row;
            sheet->states[row * columns + i] = blocked ? CELL_BLOCKED : CELL_OK;
            weights[i] = blocked ? 0 : tool_random(row * columns + i) + (i == row ? 6.0f : 0.1f);
            sum += weights[i];
        }
        for (int i = 0; i < columns; i++) weights[i] /= sum;
    }
}

static Sheet words_picture(Tool *tool) {
    Sheet sheet = tool_sheet(tool, WORDS, WORDS);
    name_words(tool, &sheet);
    fill_weights(&sheet, false);
    sheet.style.row = 10;
    sheet.style.column = 1;
    tool_draw(tool, &sheet, 0, 0, 1, "light");
    return sheet;
}

static Sheet states_picture(Tool *tool) {
    Sheet sheet = tool_sheet(tool, 6, 6);
    name_words(tool, &sheet);
    fill_weights(&sheet, true);
    memset(sheet.states + 12, CELL_UNDEFINED, 6);
    memset(sheet.states + 24, CELL_MISSING, 2);
    const float odd[] = {NAN, INFINITY, -INFINITY, 1.25f, -0.1f};
    memcpy(sheet.values + 30, odd, sizeof odd);
    tool_draw(tool, &sheet, 0, 0, 2, "print");
    return sheet;
}

static Sheet scores_picture(Tool *tool) {
    Sheet sheet = tool_sheet(tool, WORDS, WORDS);
    name_words(tool, &sheet);
    sheet.table.kind = TABLE_SIGNED;
    sheet.table.quantity = "score";
    tool_fill(&sheet, -12, 9);
    tool_draw(tool, &sheet, 640, 520, 1, "dark");
    return sheet;
}

/* A letter in two bytes: a bracket joins its pieces; and a label too long for its place. */
static Sheet labels_picture(Tool *tool) {
    static const uint8_t bytes[] = "caf\xC3\xA9 incomprehensibilities, incomprehensibly";
    const LabelBytes tokens[] = {{bytes, 3}, {bytes + 3, 1}, {bytes + 4, 1}, {bytes + 6, 38}};
    Sheet sheet = tool_sheet(tool, 4, 4);
    sheet.table.rows.labels = sheet.table.columns.labels = label_tokens(&tool->arena, tokens, 4);
    fill_weights(&sheet, false);
    sheet.style.labels_below = true;
    sheet.style.range = RANGE_LOG;
    tool_draw(tool, &sheet, 460, 440, 1, "light");
    return sheet;
}

static Sheet pooled_picture(Tool *tool) {
    Sheet sheet = tool_sheet(tool, 600, 600);
    fill_weights(&sheet, true);
    sheet.style.range = RANGE_MAX;
    sheet.style.row = 200;
    sheet.style.column = 100;
    tool_draw(tool, &sheet, 560, 480, 1, "light");
    return sheet;
}

static Sheet features_picture(Tool *tool) {
    Sheet sheet = tool_sheet(tool, WORDS, 256);
    name_words(tool, &sheet);
    Label *numbers = ARENA_ARRAY(&tool->arena, Label, 256);
    for (int i = 0; i < 256; i++)
        numbers[i] = label_plain(&tool->arena, arena_printf(&tool->arena, "%d", i));
    sheet.table.columns = (TableAxis){"feature", 256, numbers};
    sheet.table.rows.name = "token";
    sheet.table.kind = TABLE_SIGNED;
    sheet.table.quantity = "value";
    tool_fill(&sheet, -1, 1);
    tool_draw(tool, &sheet, 0, 0, 1, "dark");
    return sheet;
}

/* Only cells: hatches, gaps, marks and colours, and no text at all. */
static Sheet cells_picture(Tool *tool) {
    Sheet sheet = tool_sheet(tool, WORDS, WORDS);
    fill_weights(&sheet, true);
    memset(sheet.states + 24, CELL_UNDEFINED, WORDS);
    memset(sheet.states + 60, CELL_MISSING, 3);
    sheet.values[120] = 1.5f;
    tool_canvas(tool, &sheet, 376, 376, 1, "light");
    sheet.plan = (HeatmapPlan){.matrix = {8, 8, 360, 360},
                               .cell = 30,
                               .cell_w = 30,
                               .cell_h = 30,
                               .pool = 1,
                               .pool_x = 1,
                               .pool_y = 1,
                               .gap = 1,
                               .shown_rows = WORDS,
                               .shown_columns = WORDS};
    sheet.style.row = sheet.style.column = 4;
    heatmap_scale(&sheet.plan, &sheet.canvas, &sheet.table, &sheet.style);
    heatmap_cells_draw(&sheet.canvas, &sheet.plan, &sheet.table, &sheet.style);
    heatmap_frames_draw(&sheet.canvas, &sheet.plan, &sheet.table, &sheet.style);
    return sheet;
}

static const struct Picture {
    const char *name;
    Sheet (*make)(Tool *tool);
    bool has_text;
} pictures[] = {{"words", words_picture, true},   {"states", states_picture, true},
                {"scores", scores_picture, true}, {"labels", labels_picture, true},
                {"pooled", pooled_picture, true}, {"features", features_picture, true},
                {"cells", cells_picture, false}};
enum { PICTURES = sizeof pictures / sizeof *pictures };

static bool same_versions(Tool *tool) {
    char line[256] = {0};
    FILE *file = fopen(VERSIONS, "r");
    if (file) {
        if (!fgets(line, sizeof line, file)) line[0] = 0;
        fclose(file);
    }
    line[strcspn(line, "\n")] = 0;
    return strcmp(line, fonts_versions(tool->fonts)) == 0;
}

/* Puts what was drawn into a folder of its own, for somebody to look at. */
static const char *keep_drawn(Tool *tool, Sheet *sheet, const char *name) {
    char *folder = arena_text(&tool->arena, "/tmp/heed-pictures-XXXXXX");
    if (!mkdtemp(folder)) return "nowhere";
    const char *path = arena_printf(&tool->arena, "%s/heatmap-%s.png", folder, name);
    return png_write(path, &sheet->canvas, sheet->canvas.clip, NULL, &tool->arena, NULL)
               ? path
               : "nowhere";
}

static int count_different(const Canvas *canvas, const unsigned char *rgb) {
    int different = 0;
    for (int i = 0; i < canvas->width * canvas->height; i++) {
        Color want = (Color)rgb[3 * i] << 16 | (Color)rgb[3 * i + 1] << 8 | rgb[3 * i + 2];
        different += canvas->pixels[i] != want;
    }
    return different;
}

static void compare(Tool *tool, const struct Picture *picture) {
    Sheet sheet = picture->make(tool);
    const char *path = arena_printf(&tool->arena, FOLDER "/heatmap-%s.png", picture->name);
    int width = 0, height = 0, channels = 0;
    unsigned char *rgb = stbi_load(path, &width, &height, &channels, 3);
    if (!rgb) fail_msg("%s cannot be read", path);
    bool same_size = width == sheet.canvas.width && height == sheet.canvas.height;
    int different = same_size ? count_different(&sheet.canvas, rgb) : width * height;
    stbi_image_free(rgb);
    if (different)
        fail_msg("%s: %d pixels differ; drawn: %s", path, different,
                 keep_drawn(tool, &sheet, picture->name));
}

static void test_pictures_without_text(void **state) {
    for (int i = 0; i < PICTURES; i++)
        if (!pictures[i].has_text) compare(*state, &pictures[i]);
}

static void test_pictures_with_text(void **state) {
    Tool *tool = *state;
    if (!same_versions(tool)) {
        print_message("notice: drawn with %s, not with what " VERSIONS
                      " says; pictures with text are not compared\n",
                      fonts_versions(tool->fonts));
        skip();
    }
    for (int i = 0; i < PICTURES; i++)
        if (pictures[i].has_text) compare(tool, &pictures[i]);
}

static int write_all(void) {
    void *state = NULL;
    tool_open(&state);
    Tool *tool = state;
    Err err = {0};
    bool written = true;
    for (int i = 0; i < PICTURES && written; i++) {
        Sheet sheet = pictures[i].make(tool);
        const char *path = arena_printf(&tool->arena, FOLDER "/heatmap-%s.png", pictures[i].name);
        written = png_write(path, &sheet.canvas, sheet.canvas.clip, NULL, &tool->arena, &err);
    }
    FILE *file = written ? fopen(VERSIONS, "w") : NULL;
    written = file && fprintf(file, "%s\n", fonts_versions(tool->fonts)) > 0;
    if (file && fclose(file) != 0) written = false;
    if (!written) fprintf(stderr, "not written: %s\n", err.text);
    tool_close(&state);
    return written ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--write") == 0) return write_all();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pictures_without_text),
                                       cmocka_unit_test(test_pictures_with_text)};
    return cmocka_run_group_tests(tests, tool_open, tool_close);
}
