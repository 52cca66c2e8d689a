/* Bad input: each is refused in one sentence, with exit code 1 or 2, and leaves no file. */
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_unknown_names_offer_the_nearest(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 2, "raw", "export", "rwa", "-o", "a.png");
    HEED_REFUSES(tool, 2, "matrix", "numbers", "matirx");
    HEED_REFUSES(tool, 2, "temperature", "export", "raw", "--temprature", "2", "-o", "a.png");
    HEED_REFUSES(tool, 2, "causal", "export", "raw", "--mask", "cuasal", "-o", "a.png");
    HEED_REFUSES(tool, 2, "weights", "numbers", "raw", "--stage", "wieghts");
    HEED_REFUSES(tool, 2, "export", "exprot", "raw", "-o", "a.png");
    HEED_REFUSES(tool, 2, "csv", "numbers", "raw", "--format", "cvs");
    HEED_REFUSES(tool, 2, "dark", "export", "raw", "--theme", "drak", "-o", "a.png");
    HEED_REFUSES(tool, 2, "raw", "scenes", "rwa");
}

static void test_options_without_what_they_need(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 2, "-o", "export", "raw");
    HEED_REFUSES(tool, 2, "scene", "export", "-o", "a.png");
    HEED_REFUSES(tool, 2, "--text", "export", "raw", "-o", "a.png", "--text");
    HEED_REFUSES(tool, 2, "", "export", "raw", "matrix", "-o", "a.png");
    HEED_REFUSES(tool, 2, "", "export", "raw", "-o", "a.png", "--size", "100");
    HEED_REFUSES(tool, 2, "", "export", "raw", "-o", "a.png", "--size", "0x0");
    HEED_REFUSES(tool, 0, "", "export", "raw", "-o", "a.png", "--scale", "0");
    HEED_REFUSES(tool, 0, "", "export", "raw", "-o", "a.png", "--scale", "nan");
}

/* An option's name is no value, or the mistake would be told of another word. */
static void test_an_option_is_no_value(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 2, "--text needs a value", "export", "raw", "--text", "--mask", "causal",
                 "-o", "a.png");
    HEED_REFUSES(tool, 2, "--foo needs a value", "export", "raw", "--foo", "-o", "a.png");
    HEED_REFUSES(tool, 2, "-o needs a value", "export", "raw", "-o", "--frame");
    HEED_REFUSES(tool, 2, "--reviews needs a value", "train", "dan", "--reviews", "-o", "x");
    HEED_REFUSES(tool, 2, "-o is empty", "export", "raw", "-o", "");
    HEED_REFUSES(tool, 2, "--", "export", "raw", "--", "-o", "a.png");
    json_t *n = HEED_JSON(tool, "numbers", "raw", "--text=--mask");
    assert_string_equal(json_text(n, "query", 2), "mask");
    HEED_OK(tool, "export", "matrix", "--scores", "-1 2; 3 4", "-o", "--a.png");
    assert_true(tool_exists(tool, "--a.png"));
}

static void test_what_a_command_is_about_is_no_command(void **state) {
    HEED_REFUSES(*state, 2, "heed view raw opens it", "raw");
    HEED_REFUSES(*state, 2, "heed view a.png opens it", "a.png");
    HEED_REFUSES(*state, 2, "rope_dials", "export", "ROPE", "-o", "a.png");
    HEED_REFUSES(*state, 2, "key-labels", "numbers", "matrix", "--labels", "a");
    HEED_REFUSES(*state, 2, "temperature, mask", "numbers", "raw", "--zzzz", "a");
}

static void test_numbers_out_of_range(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 0, "1e+38", "export", "raw", "--temperature", "1e39", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--temperature", "0", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--temperature", "-1", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--temperature", "nan", "-o", "a.png");
    HEED_REFUSES(tool, 0, "warm", "export", "raw", "--temperature", "warm", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--seed", "1.5", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--seed", "99999999999999999999", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--select", "99,99", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--select", "x", "-o", "a.png");
    HEED_REFUSES(tool, 2, "FACTOR,X,Y", "export", "raw", "--zoom", "2", "-o", "a.png");
    HEED_REFUSES(tool, 2, "shares", "export", "raw", "--zoom", "2,0,x", "-o", "a.png");
}

static void test_text_without_words(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 0, "", "export", "raw", "--text", "", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--text", " \t\n ", "-o", "a.png");
    HEED_REFUSES(tool, 0, "UTF-8", "export", "raw", "--text", "h\xE9", "-o", "a.png");
    HEED_REFUSES(tool, 0, "UTF-8", "tokenize", "h\xE9");
}

static void test_text_too_long(void **state) {
    enum { LONG = 100000 };
    char *text = ARENA_ARRAY(&((Tool *)*state)->arena, char, LONG + 1);
    for (int i = 0; i < LONG; i++) text[i] = i % 2 ? ' ' : 'a';
    HEED_REFUSES(*state, 0, "", "export", "raw", "--text", text, "-o", "a.png");
    memset(text, 'a', LONG);
    HEED_REFUSES(*state, 0, "", "export", "raw", "--text", text, "-o", "a.png");
}

static void test_matrix_that_is_none(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 0, "", "numbers", "matrix", "--scores", "1 2; 3");
    HEED_REFUSES(tool, 0, "", "numbers", "matrix", "--scores", "1 two");
    HEED_REFUSES(tool, 0, "", "numbers", "matrix", "--scores", "1e99 2");
    HEED_REFUSES(tool, 0, "", "numbers", "matrix", "--scores", ";;");
    HEED_REFUSES(tool, 0, "labels", "numbers", "matrix", "--scores", "1 2", "--key-labels",
                 "@no-labels-here");
}

static void test_newline_in_a_name_is_one_sentence(void **state) {
    HEED_REFUSES(*state, 0, "", "export", "a\nb", "-o", "a.png");
    HEED_REFUSES(*state, 0, "", "export", "raw", "-o", "none/a\nb.png");
}

static void test_targets(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 1, "folder", "export", "raw", "-o", "none/a.png");
    mkdir(tool_path(tool, "folder.png"), 0755);
    HEED_REFUSES(tool, 1, "folder", "export", "raw", "-o", "folder.png");
    HEED_REFUSES(tool, 1, "folder", "numbers", "raw", "-o", "folder.png");
    HEED_REFUSES(tool, 1, "full", "export", "raw", "-o", "/dev/full");
    HEED_REFUSES(tool, 1, "full", "numbers", "raw", "-o", "/dev/full");
}

static void test_names_of_other_formats(void **state) {
    Tool *tool = *state;
    static const char *const names[] = {"a.jpg", "a.SVG", "a.tiff", "a.csv", "a.heed"};
    for (int i = 0; i < 5; i++) {
        HEED_REFUSES(tool, 2, ".png", "export", "raw", "-o", names[i]);
        const char *line = arena_printf(&tool->arena, "scene raw\npng %s\n", names[i]);
        tool_write(tool, "l.heed", line, strlen(line));
        HEED_REFUSES(tool, 2, "l.heed:2", "run", "l.heed");
    }
    HEED_OK(tool, "numbers", "matrix", "-o", "a.CSV");
    HEED_OK(tool, "numbers", "matrix", "-o", "a.npy");
    HEED_OK(tool, "numbers", "matrix", "-o", "a.txt");
    HEED_OK(tool, "numbers", "matrix", "--format", "csv", "-o", "b.json");
    const char *const words[] = {"head", "-qc", "6", "a.CSV", "a.npy", "a.txt", "b.json", NULL};
    assert_string_equal(tool_command(tool, words).out, "query,\x93NUMPY{\"scenquery,");
}

/* What the numbers came from is not overwritten, by whatever name. */
static void test_a_file_that_is_read_is_kept(void **state) {
    Tool *tool = *state;
    tool_write(tool, "m", "1 2\n3 4\n", 8);
    const char *const link[] = {"ln", "m", "n.png", NULL};
    assert_int_equal(tool_command(tool, link).code, 0);
    HEED_REFUSES(tool, 1, "--scores reads", "numbers", "matrix", "--scores", "@m", "-o", "m");
    HEED_REFUSES(tool, 1, "--scores reads", "export", "matrix", "--scores", "@m", "-o", "n.png");
    HEED_REFUSES(tool, 1, "--bias reads", "numbers", "matrix", "--bias", "@m", "--scores",
                 "1 2;3 4", "-o", "./m");
    const char *const words[] = {"cat", "m", NULL};
    assert_string_equal(tool_command(tool, words).out, "1 2\n3 4\n");
}

static void test_a_failed_export_keeps_the_old_file(void **state) {
    Tool *tool = *state;
    tool_write(tool, "a.png", "old", 3);
    HEED_REFUSES(tool, 0, "", "export", "raw", "--text", "", "-o", "a.png");
    HEED_REFUSES(tool, 0, "", "export", "raw", "--embeddings", "none.txt", "-o", "a.png");
    const char *const words[] = {"cat", "a.png", NULL};
    assert_string_equal(tool_command(tool, words).out, "old");
}

/* Mounts need root; elsewhere these are skipped. */
static bool mounted(Tool *tool, const char *options) {
    if (geteuid() != 0) return false;
    mkdir(tool_path(tool, "disk"), 0755);
    const char *const words[] = {"mount", "-t", "tmpfs", "-o", options, "heed-test", "disk", NULL};
    return tool_command(tool, words).code == 0;
}

static void unmount(Tool *tool) {
    const char *const words[] = {"umount", "disk", NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
}

static void test_full_disk(void **state) {
    Tool *tool = *state;
    if (!mounted(tool, "size=8k")) skip();
    Run run = HEED(tool, "export", "raw", "-o", "disk/a.png");
    const char *const words[] = {"ls", "-A", "disk", NULL};
    Run list = tool_command(tool, words);
    unmount(tool);
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.err, "full"));
    assert_string_equal(list.out, "");
}

static void test_read_only_disk(void **state) {
    Tool *tool = *state;
    if (!mounted(tool, "ro,size=1m")) skip();
    Run run = HEED(tool, "export", "raw", "-o", "disk/a.png");
    unmount(tool);
    assert_int_equal(run.code, 1);
    assert_non_null(strstr(run.err, "read-only"));
}

/* The shell's own ways of making writing fail: each is told, and leaves nothing. */
static void shell_refused(Tool *tool, const char *command, const char *part) {
    tool_environment(tool, arena_printf(&tool->arena, "HEED=%s", tool->heed));
    const char *const words[] = {"sh", "-c", command, NULL};
    int files = tool_count_files(tool);
    Run run = tool_command(tool, words);
    assert_int_equal(run.code, 1);
    if (!strstr(run.err, part)) fail_msg("%s: %s", command, run.err);
    assert_int_equal(tool_count_files(tool), files);
}

static void test_limits_and_closed_streams(void **state) {
    Tool *tool = *state;
    shell_refused(tool, "ulimit -f 1; exec \"$HEED\" export raw -o a.png", "larger than");
    shell_refused(tool, "exec \"$HEED\" numbers raw >&-", "standard output: it is closed");
    shell_refused(tool, "exec \"$HEED\" tokenize --help >/dev/full", "full");
    shell_refused(tool, "exec \"$HEED\" train --help >/dev/full", "full");
    HEED_REFUSES(tool, 1, "without a name", "run", "");
    HEED_REFUSES(tool, 1, "without a name", "numbers", "matrix", "--scores", "@");
    tool_write(tool, "l.heed", "scene raw\n", 10);
    HEED_REFUSES(tool, 1, "make it first", "run", "l.heed", "-o", "none");
}

/* What stands behind a byte 0 must not be passed over unseen. */
static void test_a_lesson_with_a_byte_0(void **state) {
    Tool *tool = *state;
    static const char lesson[] = "scene raw\nset values on\0\nset mask wrong\n";
    tool_write(tool, "l.heed", lesson, sizeof lesson - 1);
    HEED_REFUSES(tool, 1, "l.heed:2", "run", "l.heed");
}

static void test_no_display(void **state) {
    HEED_REFUSES(*state, 1, "heed export", "view");
    HEED_REFUSES(*state, 1, "heed export", "view", "raw", "--mask", "causal");
}

static void test_view_of_other_files(void **state) {
    Tool *tool = *state;
    tool_write(tool, "a.png", "no picture", 10);
    HEED_REFUSES(tool, 1, "a.png", "view", "a.png");
    HEED_REFUSES(tool, 1, "none.png", "view", "none.png");
}

static void cut_file(Tool *tool, const char *name, long size) {
    if (truncate(tool_path(tool, name), size) != 0) fail_msg("%s is not there", name);
}

/* heed export raw with the damaged copy of the assets. */
static void refused_with(Tool *tool, const char *words) {
    HEED_REFUSES(tool, 1, words, "export", "raw", "--assets", "assets", "-o", "a.png");
}

static void test_assets_missing(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 1, "nowhere", "export", "raw", "--assets", "nowhere", "-o", "a.png");
    static const char *const files[] = {"assets/fonts/Inter-Regular.otf",
                                        "assets/models/dan-384.safetensors"};
    for (int i = 0; i < 2; i++) {
        tool_copy_assets(tool);
        assert_int_equal(unlink(tool_path(tool, files[i])), 0);
        refused_with(tool, strrchr(files[i], '/') + 1);
    }
}

static void test_assets_damaged(void **state) {
    Tool *tool = *state;
    static const char *const files[] = {"assets/fonts/Inter-Regular.otf",
                                        "assets/models/dan-384.safetensors"};
    static const long sizes[] = {0, 7, 1000, 100000};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) {
            if (i == 0 && j == 3) continue; /* enough of a font to be drawn */
            tool_copy_assets(tool);
            cut_file(tool, files[i], sizes[j]);
            refused_with(tool, strrchr(files[i], '/') + 1);
        }
}

static void test_embeddings_missing_and_damaged(void **state) {
    Tool *tool = *state;
    HEED_REFUSES(tool, 1, "none.txt", "export", "raw", "--embeddings", "none.txt", "-o", "a.png");
    tool_write(tool, "folder.txt", "", 0);
    HEED_REFUSES(tool, 1, "folder.txt", "export", "raw", "--embeddings", "folder.txt", "-o",
                 "a.png");
    static const char *const wrong[] = {"film 1 2 3\nwarm 1 2\n",     "film 1 2 x\n",  "film\n",
                                        "film 1 2 3\nwarm 1 nan 2\n", "h\xE9 1 2 3\n", "\n\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        tool_write(tool, "v.txt", wrong[i], strlen(wrong[i]));
        HEED_REFUSES(tool, 1, "v.txt", "export", "raw", "--embeddings", "v.txt", "--text", "film",
                     "-o", "a.png");
    }
}

static void test_embeddings_unknown_words_are_said(void **state) {
    Tool *tool = *state;
    static const char vectors[] = "film 1 0 0\nwarm 0 1 0\n";
    tool_write(tool, "v.txt", vectors, sizeof vectors - 1);
    json_t *n = HEED_JSON(tool, "numbers", "raw", "--embeddings", "v.txt", "--text", "warm film");
    assert_int_equal(json_rows(n), 2);
    Run run = HEED(tool, "numbers", "raw", "--embeddings", "v.txt", "--text", "warm zebra film");
    bool said = strstr(run.err, "zebra") || strstr(run.out, "zebra");
    assert_true(said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_unknown_names_offer_the_nearest),
        TOOL_TEST(test_options_without_what_they_need),
        TOOL_TEST(test_an_option_is_no_value),
        TOOL_TEST(test_what_a_command_is_about_is_no_command),
        TOOL_TEST(test_numbers_out_of_range),
        TOOL_TEST(test_text_without_words),
        TOOL_TEST(test_text_too_long),
        TOOL_TEST(test_matrix_that_is_none),
        TOOL_TEST(test_newline_in_a_name_is_one_sentence),
        TOOL_TEST(test_targets),
        TOOL_TEST(test_names_of_other_formats),
        TOOL_TEST(test_a_file_that_is_read_is_kept),
        TOOL_TEST(test_a_failed_export_keeps_the_old_file),
        TOOL_TEST(test_full_disk),
        TOOL_TEST(test_read_only_disk),
        TOOL_TEST(test_limits_and_closed_streams),
        TOOL_TEST(test_a_lesson_with_a_byte_0),
        TOOL_TEST(test_no_display),
        TOOL_TEST(test_view_of_other_files),
        TOOL_TEST(test_assets_missing),
        TOOL_TEST(test_assets_damaged),
        TOOL_TEST(test_embeddings_missing_and_damaged),
        TOOL_TEST(test_embeddings_unknown_words_are_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
