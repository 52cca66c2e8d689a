/* heed train and heed tokenize as commands: what they write, and what they refuse. */
#include "app/tokenize_command.h"
#include "app/train_command.h"
#include "model/bpe.h"
#include "model/dan.h"

#include "token_tools.h"

#include <signal.h>

typedef struct Fixture {
    Arena arena;
    const char *folder;
} Fixture;

static const char *const file_names[] = {"r.tsv", "n.safetensors", "n.txt", "bpe/merges.txt",
                                         "bpe/vocab.json"};

/* Sixty reviews that one word decides. */
static const char *reviews(Arena *arena) {
    const char *text = "";
    for (int i = 0; i < 60; i++)
        text = arena_printf(arena, "%s%d\tnumber %d is %s film\n", text, i % 2, i,
                            i % 2 ? "a good" : "some bad");
    return text;
}

static int setup(void **state) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    fixture->arena = arena_open(out_of_memory);
    fixture->folder = new_folder(&fixture->arena);
    put_file(&fixture->arena, fixture->folder, file_names[0], reviews(&fixture->arena));
    *state = fixture;
    return 0;
}

static const char *in_folder(Fixture *fixture, const char *name) {
    return file_join(&fixture->arena, fixture->folder, name);
}

static int teardown(void **state) {
    Fixture *fixture = *state;
    unlink(in_folder(fixture, file_names[3]));
    unlink(in_folder(fixture, file_names[4]));
    rmdir(in_folder(fixture, "bpe"));
    drop_folder(&fixture->arena, fixture->folder, file_names, 3);
    arena_close(&fixture->arena);
    free(fixture);
    return 0;
}

typedef bool Command(const char *assets, int argc, char **argv, Err *err);

/* Runs the words of line, parted by single spaces; "%" stands for the test's folder. */
static bool run(Fixture *fixture, Command *command, const char *line, Err *err) {
    enum { MOST = 32 };
    char *argv[MOST];
    int argc = 0;
    char *rest = arena_text(&fixture->arena, line);
    for (char *word = strtok(rest, " "); word; word = strtok(NULL, " ")) {
        assert_in_range(argc, 0, MOST - 1);
        argv[argc++] = word[0] == '%'
                           ? arena_printf(&fixture->arena, "%s%s", fixture->folder, word + 1)
                           : word;
    }
    *err = (Err){0};
    return command("assets", argc, argv, err);
}

static void test_trains_merges_then_network(void **state) {
    Fixture *fixture = *state;
    Err err;
    assert_true(run(fixture, train_command, "bpe --reviews %/r.tsv --merges 12 -o %/bpe", &err));
    Bpe *bpe;
    assert_true(bpe_read(in_folder(fixture, "bpe"), &fixture->arena, &bpe, &err));
    assert_int_equal(bpe_merge_count(bpe), 12);
    assert_true(run(fixture, train_command,
                    "dan --reviews %/r.tsv --bpe %/bpe --epochs=3 --batch 8 --hidden 4 --seed 2 "
                    "--type float32 -o %/n.safetensors",
                    &err));
    Dan dan;
    assert_true(dan_read(in_folder(fixture, "n.safetensors"), bpe_vocabulary(bpe), &fixture->arena,
                         &dan, &err));
    assert_int_equal(dan.hidden, 4);
    assert_int_equal(dan.tokens, 128);
    const char *text;
    size_t length;
    assert_true(file_read_text(in_folder(fixture, "n.txt"), 1 << 16, &fixture->arena, &text,
                               &length, &err));
    assert_has(text, "--epochs 3 --batch 8 --hidden 4 --seed 2");
    assert_has(text, "48 to train, 6 to validate, 6 to test");
    assert_has(text, "accuracy: train ");
}

/* Ctrl+C before the first epoch is done leaves nothing behind. */
static void test_interrupt_before_the_first_epoch(void **state) {
    Fixture *fixture = *state;
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    raise(SIGINT);
    Err err;
    assert_false(
        run(fixture, train_command, "dan --reviews %/r.tsv --batch 8 -o %/n.safetensors", &err));
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_has(err.text, "nothing is written");
    assert_false(err.usage);
    assert_false(file_exists(in_folder(fixture, "n.safetensors")));
    assert_false(file_exists(in_folder(fixture, "n.txt")));
}

typedef struct Refused {
    Command *command;
    const char *line, *says;
    bool usage;
} Refused;

static void test_refusals(void **state) {
    static const Refused all[] = {
        {train_command, "", "train wants bpe or dan", true},
        {train_command, "ban", "did you mean dan?", true},
        {train_command, "dan --reviws %/r.tsv", "did you mean --reviews?", true},
        {train_command, "dan -o %/n.safetensors", "--reviews PATH is not given", true},
        {train_command, "dan --reviews %/r.tsv", "-o FILE.safetensors is not given", true},
        {train_command, "dan --reviews %/r.tsv --epochs 0 -o x", "1 to 1000 is allowed", true},
        {train_command, "dan --reviews %/r.tsv --epochs 1.5 -o x", "is no whole number", true},
        {train_command, "dan --reviews %/r.tsv --lr fast -o x", "\"fast\" is no number", true},
        {train_command, "dan --reviews %/r.tsv -o", "-o needs a value", true},
        {train_command, "dan --reviews %/r.tsv --type float8 -o x", "float16 or float32", true},
        {train_command, "dan more --reviews %/r.tsv -o x", "one word too many", true},
        {train_command, "dan --reviews %/r.tsv -o %", "is a folder", false},
        {train_command, "dan --reviews %/r.tsv -o %/no/n.safetensors", "there is no folder", false},
        {train_command, "dan --reviews %/no.tsv -o %/n.safetensors", "no.tsv", false},
        {train_command, "dan --reviews %/r.tsv --bpe %/no -o %/n.safetensors", "no/merges.txt",
         false},
        {train_command, "bpe -o %/bpe", "either --reviews PATH or --text FILE", true},
        {train_command, "bpe --reviews %/r.tsv --text %/r.tsv -o %/bpe", "either", true},
        {train_command, "bpe --text %/r.tsv -o %/r.tsv", "is a file; -o wants a folder", false},
        {tokenize_command, "", "tokenize wants a text", true},
        {tokenize_command, "a b", "one word too many", true},
        {tokenize_command, "a --format yaml", "there are: text, json", true},
        {tokenize_command, "a --fromat json", "did you mean --format?", true},
        {tokenize_command, "a\xff", "not UTF-8: byte FF at offset 1", false},
        {tokenize_command, "@%/no.txt", "no.txt", false},
        {tokenize_command, "a --bpe %/no", "no/merges.txt", false},
    };
    Fixture *fixture = *state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        Err err;
        assert_false(run(fixture, all[i].command, all[i].line, &err));
        assert_has(err.text, all[i].says);
        assert_int_equal(err.usage, all[i].usage);
    }
    assert_false(file_exists(in_folder(fixture, "n.safetensors")));
    assert_false(file_exists(in_folder(fixture, "bpe")));
}

/* With one label alone every answer would be right. */
static void test_one_label_teaches_nothing(void **state) {
    Fixture *fixture = *state;
    const char *text = "";
    for (int i = 0; i < 12; i++) text = arena_printf(&fixture->arena, "%s1\tfilm %d\n", text, i);
    put_file(&fixture->arena, fixture->folder, file_names[0], text);
    Err err;
    assert_false(run(fixture, train_command, "dan --reviews %/r.tsv -o %/n.safetensors", &err));
    assert_has(err.text, "have the label 1; both 0 and 1 are needed");
    assert_false(file_exists(in_folder(fixture, "n.safetensors")));
}

#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(test_trains_merges_then_network),
        WITH_FOLDER(test_interrupt_before_the_first_epoch),
        WITH_FOLDER(test_refusals),
        WITH_FOLDER(test_one_label_teaches_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
