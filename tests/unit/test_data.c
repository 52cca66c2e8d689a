/* Reviews: both forms of a line, breaks and repeats, splits, rows of pieces, and what is wrong in a
 * file said with its line. */
#include "train/data.h"

#include "token_tools.h"

typedef struct Fixture {
    Arena arena;
    const char *folder;
} Fixture;

static const char *const file_names[] = {"b.tsv", "a.tsv", "c.md", "d.txt"};

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_open(out_of_memory);
    fixture->folder = new_folder(&fixture->arena);
    *state = fixture;
    return 0;
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    drop_folder(&fixture->arena, fixture->folder, file_names, 4);
    arena_close(&fixture->arena);
    free(fixture);
    return 0;
}

static const char *put(Fixture *fixture, int name, const char *text) {
    return put_file(&fixture->arena, fixture->folder, file_names[name], text);
}

static void test_one_file(void **state) {
    Fixture *fixture = *state;
    const char *path = put(fixture, 1, "1\tGood.<br /><br />Very good.\r\n0\tBad\t<br/>\n");
    Reviews reviews;
    Err err = {0};
    assert_true(reviews_read(path, &fixture->arena, &reviews, &err));
    assert_int_equal(reviews.count, 2);
    assert_string_equal(reviews.items[0].text, "Good.  Very good.");
    assert_int_equal(reviews.items[0].length, strlen(reviews.items[0].text));
    assert_int_equal(reviews.items[0].label, 1);
    assert_string_equal(reviews.items[1].text, "Bad\t<br/>");
    assert_int_equal(reviews.items[1].label, 0);
}

static void test_three_columns(void **state) {
    Fixture *fixture = *state;
    Reviews reviews;
    Err err = {0};
    const char *path = put(fixture, 1, "1\t0_9\tgood\n0\t1_2\tbad\n");
    assert_true(reviews_read(path, &fixture->arena, &reviews, &err));
    assert_string_equal(reviews.items[1].text, "bad");
    path = put(fixture, 1, "1\t0_9\tgood\n0\tbad\n");
    assert_false(reviews_read(path, &fixture->arena, &reviews, &err));
    assert_has(err.text, "line 2: one tab, where line 1 has two");
}

/* Files in the order of their names, others left alone; the first of equal texts stays. */
static void test_folder_without_repeats(void **state) {
    Fixture *fixture = *state;
    put(fixture, 0, "0\tfirst\n1\tthird<br />\n");
    put(fixture, 1, "1\tfirst\n1\tsecond\n");
    put(fixture, 2, "no review");
    put(fixture, 3, "1\tthird \n");
    Reviews reviews;
    Err err = {0};
    assert_true(reviews_read(fixture->folder, &fixture->arena, &reviews, &err));
    assert_int_equal(reviews.files, 3);
    assert_int_equal(reviews.count, 3);
    assert_int_equal(reviews.repeats, 2);
    assert_string_equal(reviews.items[0].text, "first");
    assert_int_equal(reviews.items[0].label, 1);
    assert_string_equal(reviews.items[2].text, "third ");
}

static void test_bad_files(void **state) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "no review in"},
        {"1\tgood\nbad\n", "line 2: no tab"},
        {"1\tgood\n\n0\tbad\n", "line 2: no tab"},
        {"2\tgood\n", "line 1: label \"2\", where 0 or 1 is allowed"},
        {"pos\tgood\n", "line 1: label \"pos\""},
        {"\tgood\n", "line 1: label \"\""},
        {"1\tgood\n0\t\n", "line 2: no text"},
        {"1\tgood\xff\n", "UTF-8"},
    };
    Fixture *fixture = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *path = put(fixture, 1, bad[i].text);
        Reviews reviews = {.count = -7};
        Err err = {0};
        assert_false(reviews_read(path, &fixture->arena, &reviews, &err));
        assert_has(err.text, bad[i].says);
        assert_has(err.text, path);
        assert_int_equal(reviews.count, -7);
    }
    unlink(file_join(&fixture->arena, fixture->folder, file_names[1]));
    Reviews reviews;
    Err err = {0};
    assert_false(reviews_read(fixture->folder, &fixture->arena, &reviews, &err));
    assert_has(err.text, "no .tsv or .txt file");
    assert_false(reviews_read("/nowhere/at/all", &fixture->arena, &reviews, &err));
    assert_has(err.text, "/nowhere/at/all");
}

static void expect_split(Arena *arena, int count, int train, int valid, int test) {
    ReviewSplit split = reviews_split(arena, count, 1);
    assert_int_equal(split.train, train);
    assert_int_equal(split.valid, valid);
    assert_int_equal(split.test, test);
    char *seen = arena_alloc(arena, (size_t)count);
    for (int i = 0; i < count; i++) {
        assert_in_range(split.order[i], 0, count - 1);
        assert_int_equal(seen[split.order[i]]++, 0);
    }
}

static void test_splits(void **state) {
    Arena *arena = &((Fixture *)*state)->arena;
    expect_split(arena, 49582, 40000, 5000, 4582);
    expect_split(arena, 47500, 40000, 5000, 2500);
    expect_split(arena, 47499, 38001, 4749, 4749);
    expect_split(arena, 10, 8, 1, 1);
    int same = 0;
    const ReviewSplit a = reviews_split(arena, 1000, 1), b = reviews_split(arena, 1000, 1);
    const ReviewSplit c = reviews_split(arena, 1000, 2);
    assert_memory_equal(a.order, b.order, 1000 * sizeof *a.order);
    for (int i = 0; i < 1000; i++) same += a.order[i] == c.order[i];
    assert_true(same < 20);
}

static void test_rows_of_pieces(void **state) {
    Fixture *fixture = *state;
    Review items[] = {{"ab", 2, 1}, {"a b c", 5, 0}, {" ", 1, 1}};
    Reviews reviews = {.items = items, .count = 3};
    const Bpe *bpe = bpe_learn(&fixture->arena, "", 0, 0);
    const int order[] = {1, 0, 2};
    TokenRows rows = token_rows(bpe, &reviews, order, 3, 4, &fixture->arena);
    const int end = BPE_END_OF_WORD, pad = bpe_padding(bpe);
    const int ids[12] = {'b', end, 'c', end, 'a', 'b', end, pad, pad, pad, pad, pad};
    const uint8_t mask[12] = {1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0};
    const float targets[3] = {0, 1, 1};
    assert_memory_equal(rows.ids, ids, sizeof ids);
    assert_memory_equal(rows.mask, mask, sizeof mask);
    assert_memory_equal(rows.targets, targets, sizeof targets);
    assert_int_equal(rows.pieces, 7);
    size_t length;
    const char *text = reviews_text(&reviews, order, 2, &fixture->arena, &length);
    assert_string_equal(text, "a b c\nab\n");
    assert_int_equal(length, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_file, setup, teardown),
        cmocka_unit_test_setup_teardown(test_three_columns, setup, teardown),
        cmocka_unit_test_setup_teardown(test_folder_without_repeats, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_files, setup, teardown),
        cmocka_unit_test_setup_teardown(test_splits, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rows_of_pieces, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
