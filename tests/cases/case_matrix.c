/* The cases whose input is a matrix: numbers out of `heed numbers matrix`, as JSON, CSV and NPY. */
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void test_A17_large_scores(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1000 1001 1002");
    const double want[] = {0.090031, 0.244728, 0.665241};
    for (int i = 0; i < 3; i++) assert_close(json_cell(n, 0, i), want[i], 1e-6);
}

static void test_A17_tiny_temperature(void **state) {
    json_t *n =
        HEED_JSON(*state, "numbers", "matrix", "--scores", "2 4 3", "--temperature", "1e-38");
    for (int i = 0; i < 3; i++) {
        assert_close(json_cell(n, 0, i), i == 1, 0);
        assert_string_equal(json_state(n, 0, i), "ok");
    }
}

static void test_C1_equal_labels_stay_apart(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "1 2 3; 4 5 6; 7 8 9",
                          "--query-labels", "the cat the", "--key-labels", "the cat the");
    assert_int_equal(json_rows(n), 3);
    assert_int_equal(json_columns(n), 3);
    assert_close(json_cell(n, 2, 0), 7, 0);
    assert_close(json_cell(n, 0, 2), 3, 0);
    assert_string_equal(json_text(n, "key", 0), "the");
    assert_string_equal(json_text(n, "key", 2), "the");
}

static void test_C8_blank_labels_from_a_file(void **state) {
    static const char lines[] = " \n\t\n\na\n";
    tool_write(*state, "labels", lines, sizeof lines - 1);
    json_t *n =
        HEED_JSON(*state, "numbers", "matrix", "--scores", "1 2 3 4", "--key-labels", "@labels");
    const char *const want[] = {" ", "\t", "", "a"};
    for (int i = 0; i < 4; i++) assert_string_equal(json_text(n, "key", i), want[i]);
}

static void test_C13_rows_are_queries(void **state) {
    const char *const weights = "0.16666667 0.33333334 0.5; 0.6666667 0.8333333 1";
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", weights);
    assert_string_equal(json_text(n, "axes", 0), "query");
    assert_string_equal(json_text(n, "axes", 1), "key");
    assert_int_equal(json_rows(n), 2);
    assert_int_equal(json_columns(n), 3);
    assert_close(json_cell(n, 1, 2), 1, 0);
    assert_close(json_cell(n, 0, 2), 0.5, 0);
    Run csv = HEED_OK(*state, "numbers", "matrix", "--weights", weights, "--format", "csv");
    assert_non_null(strstr(csv.out, "0.6666667,0.8333333,1\n"));
}

static void test_C14_wrong_number_of_labels(void **state) {
    const char *const six = "1 2 3 4 5 6; 1 2 3 4 5 6; 1 2 3 4 5 6; 1 2 3 4 5 6; 1 2 3 4 5 6; "
                            "1 2 3 4 5 6";
    HEED_REFUSES(*state, 0, "5", "numbers", "matrix", "--weights", six, "--key-labels",
                 "a b c d e");
    HEED_REFUSES(*state, 0, "6", "numbers", "matrix", "--weights", six, "--query-labels",
                 "a b c d e");
    HEED_REFUSES(*state, 0, "BOS or EOS", "export", "matrix", "--weights", six, "--key-labels",
                 "a b c d e", "-o", "x.png");
}

static void test_D1_numbers_stay_when_colours_skip_a_key(void **state) {
    const double want[] = {0.97, 0.01, 0.015, 0.005};
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "0.97 0.01 0.015 0.005",
                          "--range", "skip", "--skip-key", "0");
    for (int i = 0; i < 4; i++) assert_close(json_cell(n, 0, i), want[i], 1e-8);
}

static void test_D4_not_finite(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "0 nan; -inf 0.5; inf 1");
    const char *const want[] = {"ok", "nan", "-inf", "ok", "+inf", "ok"};
    for (int i = 0; i < 6; i++) assert_string_equal(json_state(n, i / 2, i % 2), want[i]);
    assert_true(isnan(json_cell(n, 0, 1)));
    assert_close(json_cell(n, 1, 1), 0.5, 0);
    Run csv = HEED_OK(*state, "numbers", "matrix", "--weights", "0 nan; -inf 0.5; inf 1",
                      "--format", "csv");
    assert_non_null(strstr(csv.out, ",0,nan\n"));
    assert_non_null(strstr(csv.out, ",-inf,0.5\n"));
    assert_non_null(strstr(csv.out, ",inf,1\n"));
}

static void test_D12_the_weight_itself(void **state) {
    const char *const weights = "0.5 0.5; 0.25 0.75";
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", weights);
    assert_close(json_cell(n, 1, 1), 0.75, 0);
    Run npy = HEED_OK(*state, "numbers", "matrix", "--weights", weights, "--format", "npy");
    assert_int_equal(npy.out_length % 4, 0);
    float last;
    memcpy(&last, npy.out + npy.out_length - sizeof last, sizeof last);
    assert_true(last == 0.75f);
}

/* The numbers travel in the picture: neither the file nor its folder is needed to open it. */
static void test_E14_a_picture_opens_elsewhere(void **state) {
    Tool *tool = *state;
    tool_write(tool, "s.csv", "query,a,b\nx,1,2\ny,3,-inf\n", 25);
    HEED_OK(tool, "export", "matrix", "--scores", "@s.csv", "-o", "a.png");
    json_t *n = HEED_JSON(tool, "numbers", "matrix", "--scores", "@s.csv");
    const char *const words[] = {"rm", "s.csv", NULL};
    assert_int_equal(tool_command(tool, words).code, 0);
    static const char lesson[] = "open a.png\npng b.png\ncsv b.csv\n";
    tool_write(tool, "l.heed", lesson, sizeof lesson - 1);
    HEED_OK(tool, "run", "l.heed");
    Picture a = tool_picture(tool, "a.png"), b = tool_picture(tool, "b.png");
    assert_true(pictures_equal(&a, &b));
    assert_string_equal(a.note, b.note);
    json_t *back = HEED_JSON(tool, "numbers", "matrix", "--weights", "@b.csv");
    for (int i = 0; i < 3; i++)
        assert_close(json_cell(back, i / 2, i % 2), json_cell(n, i / 2, i % 2), 0);
}

static void test_E15_no_mask_hides_nothing(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "0 0 0; 0 0 0; 0 0 0");
    for (int i = 0; i < 9; i++) {
        assert_close(json_cell(n, i / 3, i % 3), 1 / 3.0, 1e-7);
        assert_string_equal(json_state(n, i / 3, i % 3), "ok");
    }
}

/* What is typed comes back as the same float32. */
static void test_weights_come_back_exactly(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights",
                          "0.1 0.3333333432674408 1e-30 0.99999994", "--stage", "weights");
    const float want[] = {0.1f, 1 / 3.0f, 1e-30f, 0.99999994f};
    for (int i = 0; i < 4; i++) assert_true((float)json_cell(n, 0, i) == want[i]);
}

static void test_row_sums(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1 2 3; 0 0 0");
    for (size_t i = 0; i < 2; i++)
        assert_close(json_number_value(json_array_get(json_object_get(n, "row_sums"), i)), 1, 1e-6);
}

/* ---- files ---- */

/* The matrix 1 to 6 as an NPY file: type, order, version and length of the header are given. */
static void write_npy(Tool *tool, const char *name, int version, const char *type, bool fortran,
                      int header, const void *data, size_t size) {
    uint8_t bytes[2048] = {0};
    int start = version == 1 ? 10 : 12;
    memcpy(bytes, "\x93NUMPY", 6);
    bytes[6] = (uint8_t)version;
    bytes[8] = (uint8_t)header;
    bytes[9] = (uint8_t)(header >> 8);
    int used = snprintf((char *)bytes + start, 200,
                        "{'descr': '%s', 'fortran_order': %s, 'shape': (2, 3), }", type,
                        fortran ? "True" : "False");
    memset(bytes + start + used, ' ', (size_t)(header - used - 1));
    bytes[start + header - 1] = '\n';
    memcpy(bytes + start + header, data, size);
    tool_write(tool, name, bytes, (size_t)(start + header) + size);
}

static void check_123456(Tool *tool, const char *value) {
    json_t *n = HEED_JSON(tool, "numbers", "matrix", "--weights", value);
    assert_int_equal(json_rows(n), 2);
    for (int i = 0; i < 6; i++) assert_close(json_cell(n, i / 3, i % 3), i + 1, 0);
}

static void test_E5_the_same_matrix_eight_times(void **state) {
    static const float f4[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};
    static const double f8[] = {1, 2, 3, 4, 5, 6};
    static const char f2[] = "\0\x3C\0\x40\0\x42\0\x44\0\x45\0\x46";
    static const char big[] = "\x3F\x80\0\0\x40\0\0\0\x40\x40\0\0"
                              "\x40\x80\0\0\x40\xA0\0\0\x40\xC0\0\0";
    write_npy(*state, "c.npy", 1, "<f4", false, 118, f4, 24);
    write_npy(*state, "f.npy", 1, "<f4", true, 118, columns, 24);
    write_npy(*state, "f2.npy", 1, "<f2", false, 118, f2, 12);
    write_npy(*state, "f8.npy", 1, "<f8", false, 118, f8, 48);
    write_npy(*state, "big.npy", 1, ">f4", false, 118, big, 24);
    write_npy(*state, "two.npy", 2, "<f4", false, 116, f4, 24);
    write_npy(*state, "long.npy", 1, "<f4", false, 1000, f4, 24);
    write_npy(*state, "no_name", 3, "<f4", false, 116, f4, 24);
    static const char *const files[] = {"@c.npy",   "@f.npy",   "@f2.npy",   "@f8.npy",
                                        "@big.npy", "@two.npy", "@long.npy", "@no_name"};
    for (int i = 0; i < 8; i++) check_123456(*state, files[i]);
    write_npy(*state, "cut.npy", 1, "<f4", false, 118, f4, 20);
    HEED_REFUSES(*state, 1, "cut short", "numbers", "matrix", "--weights", "@cut.npy");
    write_npy(*state, "objects.npy", 1, "|O", false, 118, f4, 24);
    HEED_REFUSES(*state, 1, "pickle", "numbers", "matrix", "--weights", "@objects.npy");
}

/* 00 3E is 1.5, 00 FC is -inf, FF FB the lowest finite half. */
static void test_A3_halves(void **state) {
    write_npy(*state, "a.npy", 1, "<f2", false, 118, "\0\0\0\xFC\0\0\xFF\xFB\0\0\0\x3E", 12);
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--scores", "@a.npy", "--stage", "scores");
    assert_string_equal(json_state(n, 0, 1), "-inf");
    assert_close(json_cell(n, 1, 0), -65504, 0);
    assert_close(json_cell(n, 1, 2), 1.5, 0);
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "@a.npy");
    assert_close(json_cell(n, 0, 0), 0.5, 0);
    assert_close(json_cell(n, 0, 1), 0, 0);
    assert_close(json_cell(n, 1, 0), 0, 0);
}

static void test_tables_of_fields(void **state) {
    static const char csv[] = "query,the,\"c,at\",sat\nI,1,2,3\nyou,4,5,6\n";
    static const char tsv[] = "1\t2\t3\n4\t5\t6\n";
    tool_write(*state, "a", csv, sizeof csv - 1);
    tool_write(*state, "b", tsv, sizeof tsv - 1);
    check_123456(*state, "@a");
    check_123456(*state, "@b");
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "@a");
    assert_string_equal(json_text(n, "key", 1), "c,at");
    assert_string_equal(json_text(n, "query", 1), "you");
    tool_write(*state, "a", "1,2\n3,x\n", 8);
    HEED_REFUSES(*state, 1, "line 2, column 3", "numbers", "matrix", "--weights", "@a");
    tool_write(*state, "a", "1,2\n3\n", 6);
    HEED_REFUSES(*state, 1, "line 2", "numbers", "matrix", "--weights", "@a");
}

static void test_safetensors_by_name(void **state) {
    static const char file[] = "\x80\0\0\0\0\0\0\0"
                               "{\"a\":{\"dtype\":\"U8\",\"shape\":[2,3],\"data_offsets\":[0,6]},"
                               "\"b\":{\"dtype\":\"U8\",\"shape\":[1,2],\"data_offsets\":[6,8]}}"
                               "                   \1\2\3\4\5\6\7\x8";
    tool_write(*state, "t", file, sizeof file - 1);
    check_123456(*state, "@t#a");
    HEED_REFUSES(*state, 1, "2 tensors, a, b", "numbers", "matrix", "--weights", "@t");
    HEED_REFUSES(*state, 1, "no tensor \"c\"", "numbers", "matrix", "--weights", "@t#c");
}

static void test_files_that_are_refused(void **state) {
    tool_write(*state, "zip", "PK\3\4xxxx", 8);
    tool_write(*state, "pickle", "\x80\4K\1.", 5);
    tool_write(*state, "empty", "", 0);
    HEED_REFUSES(*state, 1, "zip archive", "numbers", "matrix", "--weights", "@zip");
    HEED_REFUSES(*state, 1, "pickle", "numbers", "matrix", "--scores", "@pickle");
    HEED_REFUSES(*state, 1, "empty", "numbers", "matrix", "--q", "@empty", "--k", "1");
    HEED_REFUSES(*state, 0, "temperature", "numbers", "matrix", "--temperature", "-1");
}

/* ---- queries and keys ---- */

static void test_A13_scale_of_a_head(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--heads", "2", "--q", "2 0 0 0 0 0 0 0",
                          "--k", "2 0 0 0 0 0 0 0; 0 0 0 0 0 0 0 0");
    assert_close(json_cell(n, 0, 0), 0.880797, 1e-6);
    assert_close(json_cell(n, 0, 1), 0.119203, 1e-6);
    n = HEED_JSON(*state, "numbers", "matrix", "--scores", "1.41421356 0");
    assert_close(json_cell(n, 0, 0), 0.804430, 1e-6);
}

static void test_A14_dropout_is_said(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--weights", "1.25 0 0 0");
    assert_close(json_cell(n, 0, 0), 1.25, 0);
    assert_non_null(strstr(json_text(n, "notes", 0), "dropout"));
    Picture p = HEED_PICTURE(*state, "a.png", "matrix", "--weights", "1.25 0 0 0");
    assert_close((double)p.high, 1, 0);
}

static void test_E4_no_weights_at_all(void **state) {
    json_t *n = HEED_JSON(*state, "numbers", "matrix", "--q", "1 0; 0 1", "--k", "1 0; 0 1");
    assert_close(json_cell(n, 0, 0), 0.669762, 1e-6);
    assert_close(json_cell(n, 0, 1), 0.330238, 1e-6);
    n = HEED_JSON(*state, "numbers", "matrix", "--weights", "1.5 1.2 1; 1 1.7 1");
    assert_non_null(strstr(json_text(n, "notes", 0), "3.7"));
    assert_non_null(strstr(json_text(n, "notes", 0), "not probabilities"));
    assert_close(json_cell(n, 0, 0), 1.5, 0);
}

/* ---- large ---- */

/* Nothing but small numbers and one peak, which stays in sight however many cells a square has. */
static void test_E1_long_sequences(void **state) {
    enum { HEADER = 128 };
    Tool *tool = *state;
    static const int sizes[] = {200, 512, 1024, 4096};
    for (int i = 0; i < 4; i++) {
        size_t n = (size_t)sizes[i], cells = n * n, length = HEADER + cells * sizeof(float);
        uint8_t *bytes = arena_alloc(&tool->arena, length);
        char header[HEADER];
        int used = snprintf(header, sizeof header,
                            "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
                            sizes[i], sizes[i]);
        memcpy(bytes, "\x93NUMPY\1\0\x76\0", 10);
        memset(bytes + 10, ' ', HEADER - 10);
        memcpy(bytes + 10, header, (size_t)used);
        const float peak = 0.9f;
        memcpy(bytes + HEADER + (7 * n + 11) * sizeof peak, &peak, sizeof peak);
        tool_write(tool, "a.npy", bytes, length);
        Picture p =
            HEED_PICTURE(tool, "a.png", "matrix", "--weights", "@a.npy", "--size", "760x600");
        assert_int_equal(p.shown_rows, sizes[i]);
        assert_true(sizes[i] == 200 ? p.pool_x == 1 : p.pool_x > 1);
        int row = 7 / p.pool_y, column = 11 / p.pool_x;
        uint32_t lit = picture_pixel(&p, p.x + column * p.cell_w, p.y + row * p.cell_h);
        uint32_t dark = picture_pixel(&p, p.x + (column + 2) * p.cell_w, p.y + row * p.cell_h);
        assert_true(lit != dark);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TOOL_TEST(test_A17_large_scores),
        TOOL_TEST(test_A17_tiny_temperature),
        TOOL_TEST(test_C1_equal_labels_stay_apart),
        TOOL_TEST(test_C8_blank_labels_from_a_file),
        TOOL_TEST(test_C13_rows_are_queries),
        TOOL_TEST(test_C14_wrong_number_of_labels),
        TOOL_TEST(test_D1_numbers_stay_when_colours_skip_a_key),
        TOOL_TEST(test_D4_not_finite),
        TOOL_TEST(test_D12_the_weight_itself),
        TOOL_TEST(test_E14_a_picture_opens_elsewhere),
        TOOL_TEST(test_E15_no_mask_hides_nothing),
        TOOL_TEST(test_weights_come_back_exactly),
        TOOL_TEST(test_row_sums),
        TOOL_TEST(test_E5_the_same_matrix_eight_times),
        TOOL_TEST(test_A3_halves),
        TOOL_TEST(test_tables_of_fields),
        TOOL_TEST(test_safetensors_by_name),
        TOOL_TEST(test_files_that_are_refused),
        TOOL_TEST(test_A13_scale_of_a_head),
        TOOL_TEST(test_A14_dropout_is_said),
        TOOL_TEST(test_E4_no_weights_at_all),
        TOOL_TEST(test_E1_long_sequences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
