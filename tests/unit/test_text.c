/* Numbers to text and back, and the growing text. */
#include "base/rng.h"
#include "base/text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fail_when_full(size_t wanted) {
    fail_msg("asked for %zu bytes that are not there", wanted);
}

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void test_float_comes_back(void **state) {
    (void)state;
    Rng rng = rng_seed(1);
    for (int i = 0; i < 200000; i++) {
        float value = float_of_bits((uint32_t)rng_next(&rng));
        if (!isfinite(value)) continue;
        char text[TEXT_NUMBER_MAX];
        text_float(text, value);
        float back = strtof(text, NULL);
        if (back != value) fail_msg("%a became %s", (double)value, text);
    }
}

/* One digit less must not come back, or the text was not the shortest. */
static void test_float_is_shortest(void **state) {
    (void)state;
    Rng rng = rng_seed(2);
    for (int i = 0; i < 20000; i++) {
        float value = float_of_bits((uint32_t)rng_next(&rng));
        if (!isfinite(value) || value == 0) continue;
        char text[TEXT_NUMBER_MAX], shorter[512];
        text_float(text, value);
        int digits = 0;
        for (const char *at = text; *at && *at != 'e'; at++) digits += *at >= '0' && *at <= '9';
        bool plain_zeros = strchr(text, 'e') == NULL;
        if (plain_zeros || digits < 2) continue;
        snprintf(shorter, sizeof shorter, "%.*g", digits - 1, (double)value);
        if (strtof(shorter, NULL) == value) fail_msg("%s could be %s", text, shorter);
    }
}

static void expect_float(float value, const char *want) {
    char text[TEXT_NUMBER_MAX];
    text_float(text, value);
    assert_string_equal(text, want);
}

static void test_float_examples(void **state) {
    (void)state;
    expect_float(0.1f, "0.1");
    expect_float(1 / 3.0f, "0.33333334");
    expect_float(0x1p-149f, "1e-45");
    expect_float(3.4028235e38f, "3.4028235e+38");
    expect_float(16777216.0f, "16777216");
    expect_float(-0.0f, "-0");
    expect_float(NAN, "nan");
    expect_float(INFINITY, "inf");
    expect_float(-INFINITY, "-inf");
}

static void expect_cell(float value, int decimals, const char *want) {
    char text[TEXT_NUMBER_MAX];
    text_cell(text, value, decimals);
    assert_string_equal(text, want);
}

static void test_cell(void **state) {
    (void)state;
    expect_cell(0.07f, 2, ".07");
    expect_cell(0.3333f, 4, ".3333");
    expect_cell(-0.5f, 2, "-.50");
    expect_cell(-0.001f, 2, ".00");
    expect_cell(0, 2, "0");
    expect_cell(-0.0f, 2, "0");
    expect_cell(1, 2, "1");
    expect_cell(0.9999f, 2, "1.00");
    expect_cell(12.345f, 1, "12.3");
    expect_cell(1e30f, 2, "1.00e+30");
    expect_cell(NAN, 2, "NaN");
}

static void expect_panel(double value, int decimals, const char *want) {
    char text[TEXT_NUMBER_MAX];
    text_panel(text, value, decimals);
    assert_string_equal(text, want);
}

static void test_panel(void **state) {
    (void)state;
    expect_panel(-6, 2, "−6.00");
    expect_panel(-0.0001, 2, "0.00");
    expect_panel(0.5, 4, "0.5000");
    expect_panel(-1e300, 4, "−1.0000e+300");
    expect_panel(INFINITY, 2, "∞");
    expect_panel(-INFINITY, 2, "−∞");
    expect_panel(NAN, 2, "NaN");
}

static void test_counts(void **state) {
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {999, "999"},
                 {1000, "1,000"},
                 {12582912, "12,582,912"},
                 {999999999999999, "999,999,999,999,999"},
                 {1e15, "1e+15"}};
    Arena arena = arena_open(fail_when_full);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_string_equal(text_count(&arena, cases[i].value), cases[i].text);
    arena_close(&arena);
}

static void test_reading_numbers(void **state) {
    (void)state;
    const char *const good[] = {"0", "-1.5", "+2", ".5", "5.", "1e3", "1E-45", "1000"};
    const double want[] = {0, -1.5, 2, 0.5, 5, 1000, 1e-45, 1000};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double value = -99;
        assert_true(text_to_double(good[i], &value));
        assert_true(value == want[i]);
    }
    const char *const bad[] = {"",      " 1",       "1 ",   "1,5",   "0x10", "1e",   "1e+",
                               ".",     "-",        "--1",  "1.2.3", "abc",  "infx", "nan()",
                               "1e999", "infinity", "1\n2", "e5",    "١"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value = -99;
        if (text_to_double(bad[i], &value)) fail_msg("\"%s\" was read as %g", bad[i], value);
        assert_true(value == -99);
    }
}

static void test_reading_words(void **state) {
    (void)state;
    double value;
    assert_true(text_to_double("NaN", &value) && isnan(value));
    assert_true(text_to_double("inf", &value) && value == INFINITY);
    assert_true(text_to_double("+INF", &value) && value == INFINITY);
    assert_true(text_to_double("-Inf", &value) && value == -INFINITY);
}

static void test_reading_whole_numbers(void **state) {
    (void)state;
    int value = -99;
    assert_true(text_to_int("-2147483648", &value) && value == INT32_MIN);
    assert_true(text_to_int("+12", &value) && value == 12);
    const char *const bad[] = {"",   "-",  "1.0", "2147483648", "99999999999999999999",
                               "1x", " 1", "+-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(text_to_int(bad[i], &value));
    assert_int_equal(value, 12);
}

static void test_growing(void **state) {
    (void)state;
    Arena arena = arena_open(fail_when_full);
    Text text = text_open(&arena);
    assert_string_equal(text.bytes, "");
    for (int i = 0; i < 1000; i++) text_addf(&text, "%04d,", i);
    assert_int_equal(text.length, 5000);
    assert_memory_equal(text.bytes + 4995, "0999,", 6);
    char large[3000];
    memset(large, 'x', sizeof large);
    text_add_bytes(&text, large, sizeof large);
    text_add(&text, "");
    text_add_bytes(&text, "\0y", 2);
    assert_int_equal(text.length, 8002);
    assert_memory_equal(text.bytes + 7999, "x\0y", 4);
    arena_close(&arena);
}

static void test_distance(void **state) {
    (void)state;
    assert_int_equal(text_distance("causal", "causal"), 0);
    assert_int_equal(text_distance("cuasal", "causal"), 1);
    assert_int_equal(text_distance("casal", "causal"), 1);
    assert_int_equal(text_distance("kitten", "sitting"), 3);
    assert_int_equal(text_distance("", "abc"), 3);
    char large[1001] = {0};
    memset(large, 'a', 1000);
    assert_int_equal(text_distance(large, "a"), 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_float_comes_back),
        cmocka_unit_test(test_float_is_shortest),
        cmocka_unit_test(test_float_examples),
        cmocka_unit_test(test_cell),
        cmocka_unit_test(test_panel),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_reading_numbers),
        cmocka_unit_test(test_reading_words),
        cmocka_unit_test(test_reading_whole_numbers),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
