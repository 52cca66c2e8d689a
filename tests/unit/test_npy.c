/* NPY: the same matrix in every order, type and version; what is no real number, cut short or
 * malformed is refused in a sentence. Files of a public set are read too, where they are there. */
#include "numbers.h"

#include "base/file.h"
#include "model/npy.h"

#include <float.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An npy file of the version, header and data given, at build. */
typedef struct Built {
    uint8_t bytes[4096];
    size_t length;
} Built;

static Built build(int major, const char *header, const void *data, size_t size) {
    Built built = {.length = major == 1 ? 10 : 12};
    size_t length = strlen(header);
    memcpy(built.bytes, "\x93NUMPY", 6);
    built.bytes[6] = (uint8_t)major;
    built.bytes[8] = (uint8_t)length;
    built.bytes[9] = (uint8_t)(length >> 8);
    memcpy(built.bytes + built.length, header, length);
    built.length += length;
    memcpy(built.bytes + built.length, data, size);
    built.length += size;
    return built;
}

#define HEADER(type, order, shape)                                                                 \
    "{'descr': '" type "', 'fortran_order': " order ", 'shape': " shape ", }   \n"

static void assert_123456(const Built *built) {
    Npy npy;
    Err err = {.text = ""};
    float floats[6];
    if (!npy_parse(built->bytes, built->length, &npy, &err)) fail_msg("%s", err.text);
    assert_int_equal(npy.rank, 2);
    assert_int_equal(npy.shape[0], 2);
    assert_int_equal(npy.shape[1], 3);
    assert_int_equal(npy.count, 6);
    npy_floats(&npy, 0, 6, floats);
    for (int i = 0; i < 6; i++) assert_true(floats[i] == (float)(i + 1));
    npy_floats(&npy, 3, 3, floats);
    for (int i = 0; i < 3; i++) assert_true(floats[i] == (float)(i + 4));
}

/* The numbers 1 to 6, or 1 4 2 5 3 6, each of size bytes: bits[n] with the high byte first. */
static size_t lay(uint8_t *data, const uint64_t *bits, size_t size, bool big, bool fortran) {
    static const int columns[] = {0, 3, 1, 4, 2, 5};
    for (size_t n = 0; n < 6; n++)
        for (size_t b = 0; b < size; b++)
            data[n * size + (big ? b : size - 1 - b)] =
                (uint8_t)(bits[fortran ? columns[n] : (int)n] >> 8 * (size - 1 - b));
    return 6 * size;
}

static const uint64_t HALF[] = {0x3C00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600};
static const uint64_t FLOAT[] = {0x3F800000, 0x40000000, 0x40400000,
                                 0x40800000, 0x40A00000, 0x40C00000};
static const uint64_t DOUBLE[] = {0x3FF0000000000000, 0x4000000000000000, 0x4008000000000000,
                                  0x4010000000000000, 0x4014000000000000, 0x4018000000000000};
static const uint64_t WHOLE[] = {1, 2, 3, 4, 5, 6};

static void test_E5_types_and_orders(void **state) {
    (void)state;
    static const struct Row {
        const char *type;
        const uint64_t *bits;
        size_t size;
    } rows[] = {{"f2", HALF, 2},  {"f4", FLOAT, 4}, {"f8", DOUBLE, 8}, {"i1", WHOLE, 1},
                {"i2", WHOLE, 2}, {"i4", WHOLE, 4}, {"i8", WHOLE, 8},  {"u1", WHOLE, 1},
                {"u2", WHOLE, 2}, {"u4", WHOLE, 4}, {"u8", WHOLE, 8}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        for (int way = 0; way < 12; way++) {
            uint8_t data[64];
            char header[128];
            bool big = way & 1, fortran = way & 2;
            int version = way / 4 + 1;
            size_t size = lay(data, rows[r].bits, rows[r].size, big, fortran);
            snprintf(header, sizeof header,
                     "{'descr': '%c%s', 'fortran_order': %s, 'shape': (2, 3), }\n", big ? '>' : '<',
                     rows[r].type, fortran ? "True" : "False");
            Built built = build(version, header, data, size);
            assert_123456(&built);
        }
}

static void test_E5_long_header(void **state) {
    (void)state;
    uint8_t data[24];
    char header[1001];
    size_t size = lay(data, FLOAT, 4, false, false);
    snprintf(header, sizeof header, "%-999s\n",
             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }");
    Built built = build(1, header, data, size);
    assert_123456(&built);
}

/* Whatever else Python would read as the same dictionary. */
static void test_headers_in_other_words(void **state) {
    (void)state;
    static const char *const headers[] = {
        "{'shape':(2,3),'descr':'<f4','fortran_order':False}",
        "{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3), }\n",
        "{'descr': 'f4', 'fortran_order': False, 'shape': (2, 3,), }\n",
    };
    uint8_t data[25] = {0};
    size_t size = lay(data, FLOAT, 4, false, false);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        Built built = build(1, headers[i], data, size);
        assert_123456(&built);
    }
    Built longer = build(1, headers[0], data, size + 1); /* bytes behind the numbers */
    assert_123456(&longer);
}

static float only(const char *header, const void *data, size_t size) {
    Built built = build(1, header, data, size);
    Npy npy;
    Err err = {.text = ""};
    float value;
    if (!npy_parse(built.bytes, built.length, &npy, &err)) fail_msg("%s", err.text);
    assert_int_equal(npy.count, 1);
    npy_floats(&npy, 0, 1, &value);
    return value;
}

static void test_single_elements(void **state) {
    (void)state;
    assert_true(only(HEADER("<f2", "False", "(1,)"), "\x00\x3E", 2) == 1.5f);
    assert_true(only(HEADER("<f2", "False", "()"), "\xFF\xFB", 2) == -65504);
    assert_true(only(HEADER("<f2", "False", "(1, 1)"), "\x00\xFC", 2) == -INFINITY);
    assert_true(isnan(only(HEADER(">f4", "True", "(1,)"), "\x7F\xC0\0\0", 4)));
    assert_true(only(HEADER("|b1", "False", "(1,)"), "\x01", 1) == 1);
    assert_true(only(HEADER("|i1", "False", "(1,)"), "\xFF", 1) == -1);
    assert_true(only(HEADER("<i8", "False", "(1,)"), "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8) == -2);
    assert_true(only(HEADER("<u8", "False", "(1,)"), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8) ==
                18446744073709551616.0f);
    static const char quarter[] = "\0\0\0\0\0\0\0\x80\xFD\xBF\0\0\0\0\0";
    assert_true(only(HEADER("<f16", "False", "(1,)"), quarter, 16) == -0.25f);
}

/* What is finite in the file stays finite: the lowest double is a mask's stand-in, no -inf. */
static void test_A2_doubles_beyond_float32(void **state) {
    (void)state;
    Built built = build(1, HEADER("<f8", "False", "(4,)"),
                        "\xFF\xFF\xFF\xFF\xFF\xFF\xEF\xFF\0\0\0\0\0\0\xF0\xFF"
                        "\x9C\x75\x00\x88\x3C\xE4\x37\x7E\0\0\0\0\0\0\xF0\x3F",
                        32);
    Npy npy;
    float got[4];
    assert_true(npy_parse(built.bytes, built.length, &npy, NULL));
    npy_floats(&npy, 0, 4, got);
    assert_true(got[0] == -FLT_MAX && got[1] == -INFINITY && got[2] == FLT_MAX && got[3] == 1);
    assert_int_equal(npy_beyond(&npy), 2);
}

static void assert_refused(const Built *built, const char *words) {
    Npy npy = {.rank = 7};
    Err err = {.text = ""};
    if (npy_parse(built->bytes, built->length, &npy, &err)) fail_msg("read: %s", words);
    if (!strstr(err.text, words)) fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_int_equal(npy.rank, 7);
}

static void test_E5_what_is_refused(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {HEADER("|O", "False", "(2,)"), "Python objects (a pickle)"},
        {HEADER("<c8", "False", "(2,)"), "complex numbers"},
        {HEADER("<U5", "False", "(2,)"), "text"},
        {HEADER("|S3", "False", "(2,)"), "text"},
        {HEADER("<M8[D]", "False", "(2,)"), "dates"},
        {HEADER("|V7", "False", "(2,)"), "raw bytes"},
        {HEADER("<q9", "False", "(2,)"), "the type \"<q9\""},
        {HEADER("<f3", "False", "(2,)"), "the type \"<f3\""},
        {HEADER("<f4", "False", "(2, 4)"), "needs 8 elements of 4 bytes"},
        {HEADER("<f4", "no", "(2, 3)"), "True or False"},
        {HEADER("<f4", "False", "(2.0, 3)"), "no whole number"},
        {HEADER("<f4", "False", "6"), "shape (a tuple)"},
        {HEADER("<f4", "False", "(6)"), "shape (a tuple)"},
        {HEADER("<f4", "False", "(-1, -1)"), "two negative sizes"},
        {HEADER("<f4", "False", "(4294967296, 4294967296, 4294967296)"), "more elements"},
        {HEADER("<f4", "False", "(9999999999999999999,)"), "size that fits"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}", "records"},
        {"{'descr': '<f4', 'shape': (2, 3), }", "lacks fortran_order"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "a key besides"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} + x", "end behind"},
        {"{'descr': '<f4", "end of a string"},
        {"['descr', '<f4']", "dictionary"},
        {"", "dictionary"},
    };
    uint8_t data[24] = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Built built = build(1, rows[i][0], data, sizeof data);
        assert_refused(&built, rows[i][1]);
    }
}

/* Every beginning of a good file is refused. */
static void test_E5_truncated(void **state) {
    (void)state;
    uint8_t data[24];
    size_t size = lay(data, FLOAT, 4, false, false);
    Built whole = build(2, HEADER("<f4", "False", "(2, 3)"), data, size);
    for (size_t length = 0; length < whole.length; length++) {
        Built part = whole;
        part.length = length;
        assert_refused(&part, "");
    }
    Built version = whole;
    version.bytes[6] = 4;
    assert_refused(&version, "version 4.0");
    version = whole;
    version.bytes[9] = 0x40;
    assert_refused(&version, "at most 10000");
}

/* ---- the public set ---- */

static const char *set_path(Arena *arena, const char *name) {
    const char *data = getenv("HEED_DATA");
    return arena_printf(arena, "%s/formats/numpy-made/%s", data ? data : "../shared/data", name);
}

/* Types that NumPy reads and that hold no single real number. */
static bool real_type(const char *type) {
    return strncmp(type, "complex", 7) != 0 && strncmp(type, "datetime", 8) != 0 &&
           !strpbrk(type, "[SUV");
}

static bool read_set_file(Arena *arena, const char *name, Npy *npy, Err *err) {
    FileBytes file;
    if (!file_read(set_path(arena, name), 1 << 20, arena, &file, err)) fail_msg("%s", err->text);
    return npy_parse(file.bytes, file.length, npy, err);
}

static void check_set_file(Arena *arena, const json_t *row) {
    const char *name = json_string_value(json_object_get(row, "file"));
    const char *verdict = json_string_value(json_object_get(row, "numpy"));
    const char *type = json_string_value(json_object_get(row, "dtype"));
    const json_t *shape = json_object_get(row, "shape");
    Npy npy;
    Err err = {.text = ""};
    bool read = read_set_file(arena, name, &npy, &err);
    bool wanted = strcmp(verdict, "ok") == 0 && real_type(type);
    if (read != wanted) fail_msg("%s: %s", name, read ? "was read" : err.text);
    assert_true(read || err.text[0]);
    if (!read) return;
    assert_int_equal(npy.rank, json_array_size(shape));
    for (int i = 0; i < npy.rank; i++)
        if (npy.shape[i] != json_integer_value(json_array_get(shape, (size_t)i)))
            fail_msg("%s: dimension %d is %lld", name, i, (long long)npy.shape[i]);
}

static void test_public_set(void **state) {
    Arena *arena = *state;
    json_t *rows = json_load_file(set_path(arena, "EXPECTED.json"), 0, NULL);
    if (!rows) {
        print_message("skipped: no %s; HEED_DATA names the folder\n",
                      set_path(arena, "EXPECTED.json"));
        skip();
    }
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(json_string_value(json_object_get(row, "numpy")), "npz") != 0)
            check_set_file(arena, row);
    }
    json_decref(rows);
}

/* One attention map, stored in nine ways. */
static void test_public_set_agrees(void **state) {
    Arena *arena = *state;
    static const struct Row {
        const char *name;
        float tolerance;
    } rows[] = {{"att_f4_big.npy", 0}, {"att_f4_fortran.npy", 0}, {"v2_0.npy", 0},
                {"v3_0.npy", 0},       {"att_f8.npy", 1e-7f},     {"att_f8_big_fortran.npy", 1e-7f},
                {"att_f2.npy", 1e-3f}, {"att_f2_big.npy", 1e-3f}, {"att_longdouble.npy", 1e-7f}};
    if (!file_exists(set_path(arena, "att_f4_c.npy"))) skip();
    Npy npy;
    Err err = {.text = ""};
    float want[150], got[150];
    assert_true(read_set_file(arena, "att_f4_c.npy", &npy, &err));
    npy_floats(&npy, 0, 150, want);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        assert_true(read_set_file(arena, rows[r].name, &npy, &err));
        npy_floats(&npy, 0, 150, got);
        for (int i = 0; i < 150; i++)
            if (!(fabsf(got[i] - want[i]) <= rows[r].tolerance))
                fail_msg("%s: element %d is %g, not %g", rows[r].name, i, (double)got[i],
                         (double)want[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_E5_types_and_orders),
        cmocka_unit_test(test_E5_long_header),
        cmocka_unit_test(test_headers_in_other_words),
        cmocka_unit_test(test_single_elements),
        cmocka_unit_test(test_A2_doubles_beyond_float32),
        cmocka_unit_test(test_E5_what_is_refused),
        cmocka_unit_test(test_E5_truncated),
        WITH_ARENA(test_public_set),
        WITH_ARENA(test_public_set_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
