/* golden DIR: runs every case of DIR/index.json whose function the program has. Prints a line for
 * each output that fails, then the functions that are not yet there, then "N passed, M failed" in
 * cases. Exit 1 on any failure, and when the folder or a file of it cannot be read. */
#include "golden_inside.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const GoldenFunction *const tables[] = {
    golden_attention, golden_position, golden_relative, golden_train,    golden_tokens,
    golden_worked,    golden_parts,    golden_blocks,   golden_networks, golden_maps};

static GoldenRun *find_run(const char *function) {
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const GoldenFunction *row = tables[t]; row->name; row++)
            if (strcmp(row->name, function) == 0) return row->run;
    return NULL;
}

/* Functions without a run, and how many cases ask for them. */
typedef struct Missing {
    const char *name;
    int cases;
} Missing;

typedef struct Report {
    int passed, failed;
    Missing *missing; /* as many as there are cases, at most */
    int missing_count;
} Report;

static void note_missing(Report *report, const char *function) {
    int n = 0;
    while (n < report->missing_count && strcmp(report->missing[n].name, function) != 0) n++;
    if (n == report->missing_count)
        report->missing[report->missing_count++] = (Missing){function, 0};
    report->missing[n].cases++;
}

static void memory_full(size_t wanted) {
    fprintf(stderr, "golden: no memory for %zu bytes\n", wanted);
    exit(1);
}

static const char *word_of(const json_t *entry, const char *key) {
    const char *word = json_string_value(json_object_get(entry, key));
    return word ? word : "";
}

static GoldenOutput read_output(const json_t *entry) {
    const char *type = word_of(entry, "dtype");
    return (GoldenOutput){.name = word_of(entry, "name"),
                          .abs = json_number_value(json_object_get(entry, "abs")),
                          .rel = json_number_value(json_object_get(entry, "rel")),
                          .exact = strcmp(type, "BOOL") == 0 || type[0] == 'I' || type[0] == 'U',
                          .exact_zeros = json_is_true(json_object_get(entry, "exact_zeros")),
                          .must_differ = json_is_true(json_object_get(entry, "must_differ"))};
}

static void read_outputs(Golden *golden, const json_t *entry) {
    const json_t *outputs = json_object_get(entry, "outputs"), *output;
    golden->outputs = ARENA_ARRAY(golden->arena, GoldenOutput, json_array_size(outputs));
    size_t n;
    json_array_foreach(outputs, n, output) golden->outputs[golden->output_count++] =
        read_output(output);
}

/* The file of a case, where it has one, of the size that the index says. */
static bool read_file(Golden *golden, const json_t *entry, const char *folder, Err *err) {
    const char *name = json_string_value(json_object_get(entry, "file"));
    const json_t *size = json_object_get(entry, "bytes");
    if (!name) return true;
    FileBytes file;
    if (!file_read(file_join(golden->arena, folder, name), INT32_MAX, golden->arena, &file, err))
        return false;
    if (json_is_integer(size) && json_integer_value(size) != (json_int_t)file.length)
        return err_set(err, "%s has %zu bytes, the index says %lld", name, file.length,
                       (long long)json_integer_value(size));
    return safetensors_parse(file.bytes, file.length, golden->arena, &golden->file, err);
}

static bool complain(const Golden *golden, const char *what, const char *why) {
    printf("%s: %s%s\n", golden->name, what, why);
    return false;
}

/* Whether a function that came to its end gave all that the case wants. */
static bool check_outputs(const Golden *golden) {
    bool all = true;
    for (int n = 0; n < golden->output_count && !golden->broken; n++)
        if (!golden->outputs[n].given)
            all = complain(golden, golden->outputs[n].name, ": not computed");
    return all && !golden->broken && golden->failures == 0;
}

static bool run_case(Golden *golden, const json_t *entry, GoldenRun *run, const char *folder) {
    Err err = {0};
    read_outputs(golden, entry);
    if (!read_file(golden, entry, folder, &err)) return complain(golden, "", err.text);
    const char *expects = word_of(entry, "expects");
    bool error = strcmp(expects, "error") == 0;
    if (!error && strcmp(expects, "values") != 0)
        return complain(golden, "unknown expectation ", expects);
    bool done = run(golden, &err);
    if (golden->broken) return false;
    if (error) return !done || complain(golden, "an error was expected, but there was none", "");
    if (!done) return complain(golden, "refused: ", err.text);
    return check_outputs(golden);
}

/* Runs a case, or notes that its function is not there. */
static void count_case(const json_t *entry, const char *folder, Arena scratch, Report *report) {
    Golden golden = {.name = word_of(entry, "name"),
                     .params = json_object_get(entry, "params"),
                     .arena = &scratch};
    const char *function = word_of(entry, "function");
    GoldenRun *run = find_run(function);
    if (*function && !run) {
        note_missing(report, function);
        return;
    }
    bool passed = run ? run_case(&golden, entry, run, folder)
                      : complain(&golden, "the case names no function", "");
    report->passed += passed;
    report->failed += !passed;
}

static void run_cases(const json_t *cases, const char *folder, Arena arena, Report *report) {
    size_t n;
    const json_t *entry;
    report->missing = ARENA_ARRAY(&arena, Missing, json_array_size(cases));
    json_array_foreach(cases, n, entry) count_case(entry, folder, arena, report);
    for (int m = 0; m < report->missing_count; m++)
        printf("not yet: %s (%d %s)\n", report->missing[m].name, report->missing[m].cases,
               report->missing[m].cases == 1 ? "case" : "cases");
    printf("%d passed, %d failed\n", report->passed, report->failed);
}

static int run_folder(const char *folder, Arena arena) {
    json_error_t why;
    const char *path = file_join(&arena, folder, "index.json");
    json_t *index = json_load_file(path, 0, &why);
    const json_t *cases = json_object_get(index, "cases");
    Report report = {0};
    if (!index)
        fprintf(stderr, "golden: cannot read %s: %s (line %d)\n", path, why.text, why.line);
    else if (!json_is_array(cases))
        fprintf(stderr, "golden: %s has no list of cases\n", path);
    else
        run_cases(cases, folder, arena, &report);
    bool good = json_is_array(cases) && report.failed == 0;
    json_decref(index);
    return good ? 0 : 1;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: golden DIR\n");
        return 2;
    }
    Arena arena = arena_open(memory_full);
    int status = run_folder(argv[1], arena);
    arena_close(&arena);
    return status;
}
