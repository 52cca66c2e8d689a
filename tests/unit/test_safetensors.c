/* safetensors: files made byte by byte, good and malformed, and the way there and back. */
#include "model/safetensors.h"

#include "base/file.h"

#include "numbers.h"

#include <float.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Bytes {
    uint8_t *bytes; /* to be freed */
    size_t length;
} Bytes;

/* A file with this header and so many bytes of data (zeros for NULL), in a block of exactly its
 * size, so that a sanitizer sees any step beyond it. */
static Bytes make(uint64_t claimed, const char *header, const void *data, size_t size) {
    size_t length = 8 + strlen(header) + size;
    uint8_t *bytes = malloc(length);
    assert_non_null(bytes);
    for (int i = 0; i < 8; i++) bytes[i] = (uint8_t)(claimed >> 8 * i);
    memcpy(bytes + 8, header, strlen(header));
    if (data)
        memcpy(bytes + 8 + strlen(header), data, size);
    else
        memset(bytes + 8 + strlen(header), 0, size);
    return (Bytes){bytes, length};
}

/* Parses such a file twice: in its own block, and in one that lasts as long as the arena. */
static bool parse(Arena *arena, const char *header, const void *data, size_t size, SafeFile *file,
                  Err *err) {
    Bytes made = make(strlen(header), header, data, size);
    uint8_t *copy = (uint8_t *)arena_bytes(arena, made.bytes, made.length);
    bool good = safetensors_parse(made.bytes, made.length, arena, file, err);
    if (good) good = safetensors_parse(copy, made.length, arena, file, err);
    free(made.bytes);
    return good;
}

#define ENTRY(name, type, shape, begin, end)                                                       \
    "\"" name "\":{\"dtype\":\"" type "\",\"shape\":[" shape "],\"data_offsets\":[" #begin         \
    "," #end "]}"

/* What is wrong with a file, and the words that its sentence begins with. */
typedef struct Malformed {
    const char *header;
    size_t data;
    const char *says;
} Malformed;

static const Malformed malformed[] = {
    {"[]", 0, "header is not JSON of the right form"},
    {"{", 0, "header is not JSON"},
    {"", 0, "header is not JSON"},
    {"{\"a\":1}", 0, "invalid info: tensor \"a\" is no JSON object"},
    {"{\"a\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4,
     "invalid info: tensor \"a\" has no dtype"},
    {"{" ENTRY("a", "F4", "2", 0, 1) "}", 1, "invalid info: tensor \"a\" has the dtype F4"},
    {"{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4,
     "invalid info: tensor \"a\" has no shape"},
    {"{" ENTRY("a", "U8", "1,1,1,1,1,1,1,1,1", 0, 1) "}", 1,
     "invalid info: tensor \"a\" has 9 dimensions, at most 8"},
    {"{" ENTRY("a", "U8", "-1", 0, 1) "}", 1, "invalid info: dimension 0 of tensor \"a\""},
    {"{" ENTRY("a", "U8", "1.5", 0, 1) "}", 1, "invalid info: dimension 0 of tensor \"a\""},
    {"{" ENTRY("a", "F32", "4611686018427387904", 0, 0) "}", 0,
     "overflow: the shape of tensor \"a\""},
    {"{" ENTRY("a", "F32", "99999999999999999999", 0, 0) "}", 0, "overflow: a number"},
    {"{" ENTRY("a", "U8", "1", -1, 0) "}", 1, "invalid info: data_offsets of tensor \"a\""},
    {"{" ENTRY("a", "U8", "1", 1, 0) "}", 1, "invalid info: data_offsets of tensor \"a\""},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0]}}", 1,
     "invalid info: data_offsets of tensor \"a\""},
    {"{" ENTRY("a", "F32", "2", 0, 4) "}", 8, "invalid info: tensor \"a\" needs 8 bytes"},
    {"{" ENTRY("a", "F32", "2", 0, 8) "}", 7, "buffer incomplete: tensor \"a\" ends at byte 8"},
    {"{" ENTRY("a", "F32", "2", 0, 8) "}", 9, "buffer incomplete: the tensors cover 8 bytes"},
    {"{}", 1, "buffer incomplete: the tensors cover 0 bytes"},
    {"{" ENTRY("a", "U8", "2", 0, 2) "," ENTRY("b", "U8", "2", 1, 3) "}", 3,
     "buffer incomplete: tensor \"b\" begins at byte 1"},
    {"{" ENTRY("a", "U8", "2", 0, 2) "," ENTRY("b", "U8", "2", 3, 5) "}", 5,
     "buffer incomplete: tensor \"b\" begins at byte 3"},
    {"{" ENTRY("a", "U8", "2", 0, 2) "," ENTRY("b", "U8", "2", 0, 2) "}", 2,
     "buffer incomplete: tensor \""},
    {"{" ENTRY("a", "U8", "1", 0, 1) "," ENTRY("a", "U8", "1", 1, 2) "}", 2,
     "invalid header: two tensors have one name"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "invalid info: \"a\" in __metadata__"},
    {"{\"__metadata__\":[]}", 0, "invalid info: __metadata__"},
    {"{\"a\\u0000b\":{}}", 0, "header is not JSON"},
    {"{\"\xC3\":{}}", 0, "invalid header: not UTF-8 at byte 2"},
};

static void test_malformed(void **state) {
    Arena *arena = *state;
    for (size_t n = 0; n < sizeof malformed / sizeof malformed[0]; n++) {
        const Malformed *bad = &malformed[n];
        SafeFile file = {.count = -7};
        Err err = {0};
        assert_false(parse(arena, bad->header, NULL, bad->data, &file, &err));
        if (strncmp(err.text, bad->says, strlen(bad->says)) != 0)
            fail_msg("%s: said \"%s\", not \"%s ...\"", bad->header, err.text, bad->says);
        assert_int_equal(file.count, -7);
    }
}

static void test_malformed_length(void **state) {
    Arena *arena = *state;
    static const struct {
        uint64_t claimed;
        size_t length;
        const char *says;
    } rows[] = {{2, 0, "header too small"},
                {2, 7, "header too small"},
                {3, 10, "invalid header length: 3 bytes, but only 2 follow"},
                {SAFE_HEADER_MAX + 1, 10, "header too large"},
                {UINT64_MAX, 10, "header too large"},
                {UINT64_MAX - 7, 10, "header too large"}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        SafeFile file;
        Err err = {0};
        Bytes made = make(rows[n].claimed, "{}", NULL, 0);
        assert_false(safetensors_parse(made.bytes, rows[n].length, arena, &file, &err));
        if (strncmp(err.text, rows[n].says, strlen(rows[n].says)) != 0) fail_msg("%s", err.text);
        free(made.bytes);
    }
}

/* Every cut of a good file is refused. */
static void test_cut_anywhere(void **state) {
    Arena *arena = *state;
    const char *header = "{" ENTRY("a", "F32", "2,1", 0, 8) "," ENTRY("b", "U8", "", 8, 9) "}";
    Bytes made = make(strlen(header), header, NULL, 9);
    for (size_t length = 0; length < made.length; length++) {
        SafeFile file;
        Err err = {0};
        uint8_t *cut = malloc(length ? length : 1);
        assert_non_null(cut);
        memcpy(cut, made.bytes, length);
        assert_false(safetensors_parse(cut, length, arena, &file, &err));
        assert_true(err.text[0]);
        free(cut);
    }
    free(made.bytes);
}

static void test_good_headers(void **state) {
    Arena *arena = *state;
    SafeFile file;
    assert_true(parse(arena, " \n{}\t ", NULL, 0, &file, NULL));
    assert_int_equal(file.count, 0);
    const char *header =
        "{" ENTRY("z", "U8", "0,9", 1, 1) "," ENTRY("b", "U8", "3", 1, 4) "," ENTRY(
            "a", "BOOL", "", 0, 1) ",\"__metadata__\":{\"key\":\"value\"}}";
    assert_true(parse(arena, header, "\1\2\3\4", 4, &file, NULL));
    assert_int_equal(file.count, 3); /* in the order of their bytes */
    assert_string_equal(file.tensors[0].name, "a");
    assert_string_equal(file.tensors[1].name, "z");
    assert_string_equal(file.tensors[2].name, "b");
    assert_int_equal(file.tensors[0].rank, 0);
    assert_int_equal(file.tensors[0].count, 1);
    assert_int_equal(file.tensors[1].count, 0);
    assert_int_equal(file.metadata_count, 1);
    assert_string_equal(file.metadata[0], "key");
    assert_string_equal(file.metadata[1], "value");
    assert_int_equal(safetensors_find(&file, "b")->bytes[2], 4);
    assert_null(safetensors_find(&file, "c"));
}

/* One tensor of that type, from its bytes. */
static SafeTensor tensor_of(Arena *arena, SafeType type, const void *bytes, size_t count) {
    size_t size = count * safetensors_type_size(type);
    char *odd = arena_alloc(arena, size + 1); /* at an address that fits no type but bytes */
    memcpy(odd + 1, bytes, size);
    return (SafeTensor){.name = "t",
                        .type = type,
                        .rank = 1,
                        .shape = {(int64_t)count},
                        .count = count,
                        .bytes = (const uint8_t *)odd + 1};
}

static void test_types(void **state) {
    Arena *arena = *state;
    const double f64[] = {0.1, -1e300};
    const float f32[] = {1.5f, -0.0f};
    const int64_t i64[] = {-3, (int64_t)1 << 24};
    const int32_t i32[] = {INT32_MIN, 7};
    const uint16_t bf16[] = {0x3F80, 0xC0A0};
    const uint8_t u8[] = {0, 255};
    const struct {
        SafeType type;
        const void *bytes;
        float want[2];
    } rows[] = {{SAFE_F64, f64, {0.1f, -FLT_MAX}},
                {SAFE_F32, f32, {1.5f, -0.0f}},
                {SAFE_I64, i64, {-3, 16777216}},
                {SAFE_I32, i32, {-2147483648.0f, 7}},
                {SAFE_BF16, bf16, {1, -5}},
                {SAFE_U8, u8, {0, 255}},
                {SAFE_BOOL, u8, {0, 1}}};
    for (size_t n = 0; n < sizeof rows / sizeof rows[0]; n++) {
        SafeTensor tensor = tensor_of(arena, rows[n].type, rows[n].bytes, 2);
        assert_memory_equal(safetensors_floats(&tensor, arena), rows[n].want, sizeof rows[n].want);
        assert_int_equal(safetensors_beyond(&tensor), rows[n].type == SAFE_F64);
    }
}

/* The lowest finite half and minus infinity stay what they are. */
static void test_A3_half(void **state) {
    Arena *arena = *state;
    const uint8_t bytes[] = {0x00, 0xFC, 0xFF, 0xFB, 0x00, 0x3E, 0x01, 0x00, 0x00, 0x7E};
    SafeTensor tensor = tensor_of(arena, SAFE_F16, bytes, 5);
    const float *floats = safetensors_floats(&tensor, arena);
    assert_true(floats[0] == -INFINITY);
    assert_true(floats[1] == -65504);
    assert_true(floats[2] == 1.5f);
    assert_true(floats[3] == 0x1p-24f);
    assert_true(isnan(floats[4]));
}

/* Every half against its definition. */
static void test_all_halves(void **state) {
    Arena *arena = *state;
    enum { HALVES = 65536 };
    uint16_t *halves = ARENA_ARRAY(arena, uint16_t, HALVES);
    for (int n = 0; n < HALVES; n++) halves[n] = (uint16_t)n;
    SafeTensor tensor = tensor_of(arena, SAFE_F16, (const uint8_t *)halves, HALVES);
    const float *floats = safetensors_floats(&tensor, arena);
    for (int n = 0; n < HALVES; n++) {
        int exponent = n >> 10 & 31, fraction = n & 1023;
        double size = exponent == 0    ? ldexp(fraction, -24)
                      : exponent == 31 ? (double)(fraction ? NAN : INFINITY)
                                       : ldexp(1024 + fraction, exponent - 25);
        double want = n >> 15 ? -size : size;
        assert_true(isnan(want) ? isnan(floats[n])
                                : floats[n] == want && !signbit(floats[n]) == !signbit(want));
    }
}

static void test_ints(void **state) {
    Arena *arena = *state;
    const int64_t fit[] = {INT32_MIN, INT32_MAX}, large[] = {1, (int64_t)INT32_MAX + 1};
    const float half = 0.5f;
    int32_t *ints = NULL;
    Err err = {0};
    SafeTensor tensor = tensor_of(arena, SAFE_I64, fit, 2);
    assert_true(safetensors_ints(&tensor, arena, &ints, &err));
    assert_true(ints[0] == INT32_MIN && ints[1] == INT32_MAX);
    tensor = tensor_of(arena, SAFE_I64, large, 2);
    assert_false(safetensors_ints(&tensor, arena, &ints, &err));
    assert_string_equal(err.text, "element 1 of tensor \"t\" is 2147483648, beyond 32 bits");
    tensor = tensor_of(arena, SAFE_F32, &half, 1);
    assert_false(safetensors_ints(&tensor, arena, &ints, &err));
    assert_string_equal(err.text, "tensor \"t\" holds F32, but whole numbers are wanted");
}

static void test_want(void **state) {
    Arena *arena = *state;
    SafeFile file;
    float *floats = NULL;
    Err err = {0};
    const float values[] = {1, 2, 3, 4, 5, 6};
    const int64_t any[] = {-1, 3}, wrong[] = {-1, 4};
    assert_true(parse(arena, "{" ENTRY("x", "F32", "2,3", 0, 24) "}", values, 24, &file, NULL));
    assert_true(safetensors_want(&file, "x", 2, any, arena, &floats, &err));
    assert_memory_equal(floats, values, sizeof values);
    assert_false(safetensors_want(&file, "x", 2, wrong, arena, &floats, &err));
    assert_string_equal(err.text, "tensor \"x\" has the shape [2, 3], but [?, 4] is wanted");
    assert_false(safetensors_want(&file, "y", 2, any, arena, &floats, &err));
    assert_string_equal(err.text, "there is no tensor \"y\" among the 1 of the file");
}

/* A folder of the test's own. */
static void make_folder(char folder[64]) {
    strcpy(folder, "/tmp/heed-safetensors-XXXXXX");
    assert_non_null(mkdtemp(folder));
}

static void test_there_and_back(void **state) {
    Arena *arena = *state;
    char folder[64];
    make_folder(folder);
    const char *path = file_join(arena, folder, "a.safetensors");
    const float values[] = {1, -2.5f, 1e-3f, INFINITY, 65504, -0.0f};
    const char *const metadata[] = {"note", "a \"quoted\" \n line", "seed", "7"};
    const SafeOut out[] = {
        {.name = "half", .type = SAFE_F16, .rank = 1, .shape = {3}, .floats = values},
        {.name = "all", .type = SAFE_F32, .rank = 2, .shape = {2, 3}, .floats = values},
        {.name = "none", .type = SAFE_F32, .rank = 2, .shape = {0, 3}, .floats = NULL},
        {.name = "one", .type = SAFE_F32, .rank = 0, .floats = values}};
    assert_true(safetensors_write(path, out, 4, metadata, 2, NULL));
    SafeFile file;
    Err err = {0};
    if (!safetensors_read(path, arena, &file, &err)) fail_msg("%s", err.text);
    assert_int_equal(file.count, 4);
    assert_int_equal(file.metadata_count, 2);
    assert_string_equal(file.metadata[1], metadata[1]);
    const SafeTensor *all = safetensors_find(&file, "all");
    assert_memory_equal(safetensors_floats(all, arena), values, sizeof values);
    const float *half = safetensors_floats(safetensors_find(&file, "half"), arena);
    assert_true(half[0] == 1 && half[1] == -2.5f && half[2] == 0x1.064p-10f);
    FileBytes bytes;
    assert_true(file_read(path, SIZE_MAX, arena, &bytes, NULL));
    assert_int_equal(bytes.bytes[0] % 8, 0); /* the header is padded */
    unlink(path);
    rmdir(folder);
}

/* Every half comes back as itself; between two of them the nearest, and the even one of a tie. */
static void test_half_rounding(void **state) {
    Arena *arena = *state;
    char folder[64];
    make_folder(folder);
    const char *path = file_join(arena, folder, "h.safetensors");
    enum { FINITE = 0x7C00, COUNT = 2 * FINITE + 4 };
    uint16_t *halves = ARENA_ARRAY(arena, uint16_t, FINITE);
    for (int n = 0; n < FINITE; n++) halves[n] = (uint16_t)n;
    SafeTensor tensor = tensor_of(arena, SAFE_F16, halves, FINITE);
    const float *exact = safetensors_floats(&tensor, arena);
    float *floats = ARENA_ARRAY(arena, float, COUNT);
    for (int n = 0; n < FINITE; n++) {
        float above = n + 1 < FINITE ? exact[n + 1] : 65536;
        floats[2 * n] = exact[n];
        floats[2 * n + 1] = exact[n] + (above - exact[n]) / 2;
    }
    floats[2 * FINITE] = nextafterf(65520, 0);
    floats[2 * FINITE + 1] = nextafterf(exact[0] + 0x1p-25f, 1);
    floats[2 * FINITE + 2] = 1e30f;
    floats[2 * FINITE + 3] = 1e-30f;
    const SafeOut out = {
        .name = "h", .type = SAFE_F16, .rank = 1, .shape = {COUNT}, .floats = floats};
    assert_true(safetensors_write(path, &out, 1, NULL, 0, NULL));
    SafeFile file;
    assert_true(safetensors_read(path, arena, &file, NULL));
    uint16_t *back = ARENA_ARRAY(arena, uint16_t, COUNT);
    memcpy(back, file.tensors[0].bytes, COUNT * sizeof *back);
    for (int n = 0; n < FINITE; n++) {
        assert_int_equal(back[2 * n], n);
        assert_int_equal(back[2 * n + 1], n + (n & 1)); /* up to 0x7C00, infinity */
    }
    assert_int_equal(back[2 * FINITE], FINITE - 1);
    assert_int_equal(back[2 * FINITE + 1], 1);
    assert_int_equal(back[2 * FINITE + 2], FINITE);
    assert_int_equal(back[2 * FINITE + 3], 0);
    unlink(path);
    rmdir(folder);
}

static void test_read_says_the_path(void **state) {
    Arena *arena = *state;
    char folder[64];
    make_folder(folder);
    const char *path = file_join(arena, folder, "short.safetensors");
    SafeFile file;
    Err err = {0};
    assert_true(file_write(path, "abc", 3, NULL));
    assert_false(safetensors_read(path, arena, &file, &err));
    assert_non_null(strstr(err.text, path));
    assert_non_null(strstr(err.text, "header too small"));
    unlink(path);
    rmdir(folder);
}

/* The names that the format's own tests have for what is wrong, and our sentences. */
static const char *sentence_for(const char *expect) {
    static const char *const pairs[][2] = {{"HeaderTooSmall", "header too small"},
                                           {"HeaderTooLarge", "header too large"},
                                           {"InvalidHeaderLength", "invalid header length"},
                                           {"InvalidHeader", "invalid header: not UTF-8"},
                                           {"InvalidHeaderDeserialization", "header is not JSON"},
                                           {"TensorInvalidInfo", "invalid info"},
                                           {"MetadataIncompleteBuffer", "buffer incomplete"},
                                           {"ValidationOverflow", "overflow"}};
    for (size_t n = 0; n < sizeof pairs / sizeof pairs[0]; n++)
        if (strcmp(pairs[n][0], expect) == 0) return pairs[n][1];
    fail_msg("EXPECTED.json has an outcome that is not known here: %s", expect);
    return "";
}

static void check_public_file(Arena *arena, const char *folder, const json_t *row) {
    const char *name = json_string_value(json_object_get(row, "file"));
    const char *expect = json_string_value(json_object_get(row, "expect"));
    SafeFile file;
    Err err = {0};
    bool good = safetensors_read(file_join(arena, folder, name), arena, &file, &err);
    if (good != (strcmp(expect, "ok") == 0)) fail_msg("%s: %s", name, good ? "read" : err.text);
    if (!good && !strstr(err.text, sentence_for(expect)))
        fail_msg("%s: said \"%s\", expected %s", name, err.text, expect);
}

/* Public files of the format's own tests, where they are: not part of the project. */
static void test_public_files(void **state) {
    Arena *arena = *state;
    const char *data = getenv("HEED_DATA");
    const char *folder =
        arena_printf(arena, "%s/formats/safetensors/rust-tests", data ? data : "../shared/data");
    json_t *rows = json_load_file(file_join(arena, folder, "EXPECTED.json"), 0, NULL), *row;
    if (!rows) {
        printf("skipped: no %s/EXPECTED.json; HEED_DATA names the folder of public files\n",
               folder);
        skip();
    }
    size_t n;
    assert_true(json_array_size(rows) > 0);
    json_array_foreach(rows, n, row) check_public_file(arena, folder, row);
    json_decref(rows);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_ARENA(test_malformed),     WITH_ARENA(test_malformed_length),
        WITH_ARENA(test_cut_anywhere),  WITH_ARENA(test_good_headers),
        WITH_ARENA(test_types),         WITH_ARENA(test_A3_half),
        WITH_ARENA(test_all_halves),    WITH_ARENA(test_ints),
        WITH_ARENA(test_want),          WITH_ARENA(test_there_and_back),
        WITH_ARENA(test_half_rounding), WITH_ARENA(test_read_says_the_path),
        WITH_ARENA(test_public_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
