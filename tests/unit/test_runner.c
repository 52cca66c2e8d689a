/* The reference runner finds what is wrong: small folders with one case each, good and bad. The
 * runner is the program "golden" beside this one. */
#include "model/safetensors.h"

#include "base/file.h"

#include "numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The case's file has x = [0, -inf, ln 3] and y as below; the right y is [1/4, 0, 3/4]. */
typedef struct Trial {
    const char *what;
    float y[3];
    const char *expects, *function;
    const char *output;  /* more about the output in the index */
    const char *says;    /* a part of what the runner prints */
    const char *summary; /* its last line */
} Trial;

static const Trial trials[] = {
    {"right", {0.25f, 0, 0.75f}, "values", "softmax", "", "", "1 passed, 0 failed\n"},
    {"just inside", {0.25f, 0, 0.751f}, "values", "softmax", "", "", "1 passed, 0 failed\n"},
    {"outside",
     {0.25f, 0, 0.753f},
     "values",
     "softmax",
     "",
     "case: y: element 2: got 0.75, want 0.75300",
     "0 passed, 1 failed\n"},
    {"a small value for zero",
     {0.25f, 1e-4f, 0.75f},
     "values",
     "softmax",
     ",\"exact_zeros\":true",
     "",
     "1 passed, 0 failed\n"},
    {"a value where an exact zero is",
     {0, 0, 0.75f},
     "values",
     "softmax",
     ",\"exact_zeros\":true,\"abs\":1",
     "case: y: element 0: got 0.2",
     "0 passed, 1 failed\n"},
    {"a reference that is NaN",
     {0.25f, 0, NAN},
     "values",
     "softmax",
     "",
     "element 2",
     "0 passed, 1 failed\n"},
    {"a wrong implementation's value",
     {0.25f, 0, 0.75f},
     "values",
     "softmax",
     ",\"must_differ\":true",
     "case: y: is the value of a wrong",
     "0 passed, 1 failed\n"},
    {"not a wrong implementation's value",
     {0.5f, 0, 0.5f},
     "values",
     "softmax",
     ",\"must_differ\":true",
     "",
     "1 passed, 0 failed\n"},
    {"an error that does not come",
     {0.25f, 0, 0.75f},
     "error",
     "softmax",
     "",
     "case: an error was expected",
     "0 passed, 1 failed\n"},
    {"an output that nobody computes",
     {0.25f, 0, 0.75f},
     "values",
     "softmax",
     "},{\"name\":\"z\",\"dtype\":\"F32\"",
     "case: z: not computed",
     "0 passed, 1 failed\n"},
    {"an output that the file lacks",
     {0.25f, 0, 0.75f},
     "values",
     "softmax",
     "},{\"name\":\"log_y\",\"dtype\":\"F32\"",
     "case: log_y: is in the index but not in the file",
     "0 passed, 1 failed\n"},
    {"a function that is not there",
     {0},
     "values",
     "teleport",
     "",
     "not yet: teleport (1 case)\n",
     "0 passed, 0 failed\n"},
    {"no function at all",
     {0},
     "values",
     "",
     "",
     "case: the case names no function",
     "0 passed, 1 failed\n"},
};

static void write_case(Arena *arena, const char *folder, const Trial *trial, int columns) {
    const float x[] = {0, -INFINITY, 1.0986123f};
    const SafeOut tensors[] = {
        {.name = "in.x", .type = SAFE_F32, .rank = 1, .shape = {3}, .floats = x},
        {.name = "out.y", .type = SAFE_F32, .rank = 1, .shape = {columns}, .floats = trial->y}};
    const char *index =
        arena_printf(arena,
                     "{\"cases\":[{\"name\":\"case\",\"function\":\"%s\",\"expects\":\"%s\","
                     "\"file\":\"case.safetensors\",\"params\":{\"axis\":null},"
                     "\"outputs\":[{\"name\":\"y\",\"dtype\":\"F32\",\"abs\":2e-4,\"rel\":2e-3%s}"
                     "]}]}",
                     trial->function, trial->expects, trial->output);
    assert_true(
        safetensors_write(file_join(arena, folder, "case.safetensors"), tensors, 2, NULL, 0, NULL));
    assert_true(file_write(file_join(arena, folder, "index.json"), index, strlen(index), NULL));
}

/* What the runner prints for the folder, and its exit status. */
static const char *run(Arena *arena, const char *folder, int *status) {
    char self[4096] = {0};
    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    *strrchr(self, '/') = '\0';
    const char *runner = file_join(arena, self, "golden");
    if (!file_exists(runner)) {
        printf("skipped: no %s\n", runner);
        skip();
    }
    FILE *pipe = popen(arena_printf(arena, "'%s' '%s' 2>&1", runner, folder), "r");
    assert_non_null(pipe);
    char *text = arena_alloc(arena, 4096);
    text[fread(text, 1, 4095, pipe)] = '\0';
    *status = WEXITSTATUS(pclose(pipe));
    return text;
}

static void assert_run(Arena *arena, const char *folder, const Trial *trial) {
    int status;
    const char *text = run(arena, folder, &status);
    size_t length = strlen(text), end = strlen(trial->summary);
    if (!strstr(text, trial->says)) fail_msg("%s: printed\n%s", trial->what, text);
    if (length < end || strcmp(text + length - end, trial->summary) != 0)
        fail_msg("%s: ended with\n%s", trial->what, text);
    assert_int_equal(status, strstr(trial->summary, " 0 failed") ? 0 : 1);
}

static const char *new_folder(Arena *arena) {
    char *folder = arena_text(arena, "/tmp/heed-runner-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

static void remove_folder(Arena *arena, const char *folder) {
    unlink(file_join(arena, folder, "index.json"));
    unlink(file_join(arena, folder, "case.safetensors"));
    rmdir(folder);
}

static void test_rules(void **state) {
    Arena *arena = *state;
    const char *folder = new_folder(arena);
    for (size_t n = 0; n < sizeof trials / sizeof trials[0]; n++) {
        write_case(arena, folder, &trials[n], 3);
        assert_run(arena, folder, &trials[n]);
    }
    remove_folder(arena, folder);
}

static void test_shape_and_damage(void **state) {
    Arena *arena = *state;
    const char *folder = new_folder(arena);
    Trial trial = trials[0];
    trial.summary = "0 passed, 1 failed\n";
    trial.says = "case: y: has another shape";
    write_case(arena, folder, &trial, 2);
    assert_run(arena, folder, &trial);
    trial.says = "case: header too small";
    assert_true(file_write(file_join(arena, folder, "case.safetensors"), "abc", 3, NULL));
    assert_run(arena, folder, &trial);
    trial.says = "case: cannot read";
    unlink(file_join(arena, folder, "case.safetensors"));
    assert_run(arena, folder, &trial);
    int status;
    unlink(file_join(arena, folder, "index.json"));
    assert_non_null(strstr(run(arena, folder, &status), "cannot read"));
    assert_int_equal(status, 1);
    remove_folder(arena, folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {WITH_ARENA(test_rules), WITH_ARENA(test_shape_and_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
