/* Whole files: what comes back, what is refused, and that nothing is left half-written. */
#include "base/base64.h"
#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { NOBODY = 65534 };

typedef struct Place {
    Arena arena;
    char folder[64];
} Place;

static void fail_when_full(size_t wanted) {
    fail_msg("asked for %zu bytes that are not there", wanted);
}

static int open_place(void **state) {
    static Place place;
    place = (Place){.arena = arena_open(fail_when_full), .folder = "/tmp/heed-file-XXXXXX"};
    *state = &place;
    return mkdtemp(place.folder) ? 0 : -1;
}

static char *in(Place *place, const char *name) {
    return file_join(&place->arena, place->folder, name);
}

/* How many names the folder holds; removes them when asked. */
static int entries(Place *place, bool remove_them) {
    DIR *folder = opendir(place->folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        count++;
        if (remove_them) remove(in(place, entry->d_name));
    }
    closedir(folder);
    return count;
}

static int close_place(void **state) {
    Place *place = *state;
    chmod(place->folder, 0755);
    entries(place, true);
    rmdir(place->folder);
    arena_close(&place->arena);
    return 0;
}

static void put(Place *place, const char *name, const char *text) {
    Err err = {0};
    if (!file_write(in(place, name), text, strlen(text), &err)) fail_msg("%s", err.text);
}

static void expect_content(Place *place, const char *name, const char *want) {
    Err err = {0};
    FileBytes file;
    if (!file_read(in(place, name), 1000, &place->arena, &file, &err)) fail_msg("%s", err.text);
    assert_int_equal(file.length, strlen(want));
    assert_memory_equal(file.bytes, want, file.length + 1);
}

static void test_write_and_read(void **state) {
    Place *place = *state;
    put(place, "a", "one");
    expect_content(place, "a", "one");
    put(place, "a", "");
    expect_content(place, "a", "");
    put(place, "a", "another");
    expect_content(place, "a", "another");
    assert_int_equal(entries(place, false), 1);
}

static void test_read_refuses(void **state) {
    Place *place = *state;
    FileBytes file;
    Err err = {0};
    assert_false(file_read(in(place, "none"), 10, &place->arena, &file, &err));
    assert_non_null(strstr(err.text, "no such file"));
    assert_false(file_read(place->folder, 10, &place->arena, &file, &err));
    assert_non_null(strstr(err.text, "folder"));
    put(place, "a", "12345678901");
    assert_false(file_read(in(place, "a"), 10, &place->arena, &file, &err));
    assert_non_null(strstr(err.text, "11 bytes, at most 10"));
    assert_true(file_read(in(place, "a"), 11, &place->arena, &file, &err));
}

static void test_map(void **state) {
    Place *place = *state;
    const char *path = in(place, "mapped"), *empty = in(place, "empty");
    FileBytes file = {0};
    Err err = {0};
    assert_true(file_write(path, "attend", 6, &err) && file_write(empty, "", 0, &err));
    assert_true(file_map(path, &file, &err));
    assert_true(file_write(path, "other", 5, &err)); /* a new file in its place */
    assert_int_equal(file.length, 6);
    assert_memory_equal(file.bytes, "attend", 6);
    file_unmap(&file);
    file_unmap(&file);
    assert_null(file.bytes);
    const char *const refused[][2] = {{empty, "is empty"},
                                      {place->folder, "it is a folder, not a file"},
                                      {"/dev/null", "is not a regular file"},
                                      {in(place, "none"), "there is no such file or folder"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        assert_false(file_map(refused[i][0], &file, &err));
        assert_non_null(strstr(err.text, refused[i][0]));
        assert_non_null(strstr(err.text, refused[i][1]));
        err = (Err){0};
    }
}

/* What never ends is given up early, whatever a file might hold. */
static void test_an_endless_device(void **state) {
    Place *place = *state;
    FileBytes file = {0};
    Err err = {0};
    assert_false(file_read("/dev/zero", SIZE_MAX, &place->arena, &file, &err));
    assert_non_null(strstr(err.text, "at most 1048576 bytes"));
}

static void test_read_a_pipe(void **state) {
    Place *place = *state;
    for (int size = 0; size < 300000; size += 99999) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0) {
            for (int i = 0; i < size; i++)
                if (write(ends[1], "x", 1) != 1) _exit(1);
            _exit(0);
        }
        close(ends[1]);
        char *path = arena_printf(&place->arena, "/dev/fd/%d", ends[0]);
        FileBytes file = {0};
        Err err = {0};
        assert_int_equal(file_read(path, 250000, &place->arena, &file, &err), size <= 250000);
        if (size <= 250000) assert_int_equal(file.length, size);
        close(ends[0]);
        waitpid(child, NULL, 0);
    }
}

static void test_read_text(void **state) {
    Place *place = *state;
    const char *text;
    size_t length;
    Err err = {0};
    put(place, "bom", "\xEF\xBB\xBFh\xC3\xA9");
    assert_true(file_read_text(in(place, "bom"), 100, &place->arena, &text, &length, &err));
    assert_string_equal(text, "hé");
    assert_int_equal(length, 3);
    put(place, "latin", "h\xE9!");
    assert_false(file_read_text(in(place, "latin"), 100, &place->arena, &text, &length, &err));
    assert_non_null(strstr(err.text, "0xE9 at offset 1"));
    assert_string_equal(text, "hé");
}

static void expect_refused(Place *place, const char *path, const char *words) {
    Err err = {0};
    int before = entries(place, false);
    assert_false(file_write(path, "new", 3, &err));
    if (!strstr(err.text, words)) fail_msg("\"%s\" does not say \"%s\"", err.text, words);
    assert_int_equal(entries(place, false), before);
}

static void test_write_refuses(void **state) {
    Place *place = *state;
    put(place, "a", "old");
    expect_refused(place, place->folder, "it is a folder");
    expect_refused(place, in(place, "none/b"), "folder does not exist");
    expect_refused(place, in(place, "none/"), "folder");
    expect_refused(place, in(place, "a/b"), "a part of the path is a file");
    expect_refused(place, "", "without a name");
    char *name = ARENA_ARRAY(&place->arena, char, 301);
    memset(name, 'n', 300);
    expect_refused(place, in(place, name), "too long");
    expect_content(place, "a", "old");
}

static void test_write_to_a_full_device(void **state) {
    expect_refused(*state, "/dev/full", "the disk is full");
    Err err = {0};
    assert_true(file_write("/dev/null", "new", 3, &err));
}

/* Root may write everywhere, so another user tries. The child's exit code says what was wrong. */
static int refused_as_nobody(const char *path) {
    pid_t child = fork();
    if (child == 0) {
        Err err = {0};
        if (geteuid() == 0 && setuid(NOBODY) != 0) _exit(2);
        if (file_write(path, "new", 3, &err)) _exit(3);
        _exit(strstr(err.text, "permission") ? 0 : 4);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_write_without_permission(void **state) {
    Place *place = *state;
    put(place, "a", "old");
    chmod(in(place, "a"), 0444);
    chmod(place->folder, 0777);
    assert_int_equal(refused_as_nobody(in(place, "a")), 0);
    chmod(place->folder, 0555);
    assert_int_equal(refused_as_nobody(in(place, "b")), 0);
    expect_content(place, "a", "old");
    assert_int_equal(entries(place, false), 1);
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static void test_modes(void **state) {
    Place *place = *state;
    mode_t old = umask(027);
    put(place, "a", "new");
    umask(old);
    assert_int_equal(mode_of(in(place, "a")), 0640);
    chmod(in(place, "a"), 0604);
    put(place, "a", "again");
    assert_int_equal(mode_of(in(place, "a")), 0604);
}

static void test_links_stay(void **state) {
    Place *place = *state;
    put(place, "a", "old");
    assert_int_equal(symlink("a", in(place, "link")), 0);
    assert_int_equal(symlink("later", in(place, "dangling")), 0);
    put(place, "link", "new");
    put(place, "dangling", "made");
    struct stat status;
    assert_int_equal(lstat(in(place, "link"), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect_content(place, "a", "new");
    expect_content(place, "later", "made");
    assert_int_equal(symlink("circle", in(place, "circle")), 0);
    expect_refused(place, in(place, "circle"), "circle");
}

static void test_names(void **state) {
    Place *place = *state;
    assert_string_equal(file_join(&place->arena, "a", "b"), "a/b");
    assert_string_equal(file_join(&place->arena, "a/", "b"), "a/b");
    assert_string_equal(file_join(&place->arena, "", "b"), "b");
    assert_string_equal(file_free_name(&place->arena, place->folder, "raw", "png"),
                        in(place, "raw.png"));
    put(place, "raw.png", "1");
    put(place, "raw-2.png", "2");
    assert_string_equal(file_free_name(&place->arena, place->folder, "raw", "png"),
                        in(place, "raw-3.png"));
    assert_true(file_exists(in(place, "raw.png")));
    assert_false(file_exists(in(place, "raw-3.png")));
}

/* The examples of RFC 4648, and all bytes there and back. */
static void test_base64(void **state) {
    Arena *arena = &((Place *)*state)->arena;
    static const char *const pairs[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};
    FileBytes back;
    for (int i = 0; i < 5; i++) {
        const char *text = pairs[i][0];
        Text letters = text_open(arena);
        text_add(&letters, "");
        base64_add(&letters, (FileBytes){(const uint8_t *)text, strlen(text)});
        assert_string_equal(letters.bytes, pairs[i][1]);
        assert_true(base64_read(pairs[i][1], arena, &back));
        assert_int_equal(back.length, strlen(text));
        assert_string_equal((const char *)back.bytes, text);
    }
    uint8_t all[256];
    for (int i = 0; i < 256; i++) all[i] = (uint8_t)i;
    Text letters = text_open(arena);
    base64_add(&letters, (FileBytes){all, sizeof all});
    assert_true(base64_read(letters.bytes, arena, &back));
    assert_int_equal(back.length, sizeof all);
    assert_memory_equal(back.bytes, all, sizeof all);
    static const char *const wrong[] = {"Zg=", "Z", "Zm9*", "====", "Z===", "Zg==Zg==", "Zm 9"};
    for (int i = 0; i < 7; i++) assert_false(base64_read(wrong[i], arena, &back));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write_and_read, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_read_refuses, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_an_endless_device, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_read_a_pipe, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_read_text, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_write_refuses, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_write_to_a_full_device, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_write_without_permission, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_map, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_modes, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_links_stay, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_names, open_place, close_place),
        cmocka_unit_test_setup_teardown(test_base64, open_place, close_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
