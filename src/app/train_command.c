/* Options, the way from reviews to files, and a line on standard error that says how far it is. */
#include "app/train_command.h"

#include "app/app.h"
#include "app/options.h"
#include "app/train_watch.h"
#include "base/file.h"
#include "base/words.h"
#include "train/data.h"
#include "train/trainer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* One seed for all splits, so that merges and networks never see a text of the test part. */
enum { SPLIT_SEED = 1, MERGES_DEFAULT = 332, MERGES_MAX = 20000, TOKENS = 128 };

static const size_t TEXT_BYTES_MAX = (size_t)1 << 30;

static const char help[] =
    "heed train bpe --reviews PATH | --text FILE [--merges 332] -o FOLDER\n"
    "heed train dan --reviews PATH [--bpe FOLDER] [--epochs N] [--batch N] [--hidden N] [--seed "
    "N]\n"
    "               [--lr X] [--decay X] [--init-std X] [--dropout X] [--type float16|float32]\n"
    "               -o FILE.safetensors\n"
    "\n"
    "PATH is a file or a folder of .tsv and .txt files; a line is `label TAB text` or\n"
    "`label TAB id TAB text`, label 0 or 1. Repeated texts are dropped; the rest is split by a\n"
    "fixed seed into 40,000 to train, 5,000 to validate and the others to test (80, 10 and 10 %\n"
    "when there are fewer than 47,500). bpe learns from the training part alone. dan keeps the\n"
    "epoch with the best validation accuracy, also after Ctrl+C, and writes what it measured\n"
    "into FILE.txt.\n";

typedef struct BpeOptions {
    const char *reviews, *text, *output;
    int merges;
} BpeOptions;

static const Option bpe_options[] = {
    {.name = "--reviews", .at = offsetof(BpeOptions, reviews)},
    {.name = "--text", .at = offsetof(BpeOptions, text)},
    {.name = "--merges",
     .kind = OPTION_INT,
     .at = offsetof(BpeOptions, merges),
     .min = 0,
     .max = MERGES_MAX},
    {.name = "-o", .at = offsetof(BpeOptions, output)},
};

typedef struct DanOptions {
    const char *reviews, *bpe, *type, *output;
    int epochs, batch, hidden, seed;
    double lr, decay, init_std, dropout;
} DanOptions;

static const Option dan_options[] = {
    {.name = "--reviews", .at = offsetof(DanOptions, reviews)},
    {.name = "--bpe", .at = offsetof(DanOptions, bpe)},
    {.name = "--type", .at = offsetof(DanOptions, type)},
    {.name = "--epochs",
     .kind = OPTION_INT,
     .at = offsetof(DanOptions, epochs),
     .min = 1,
     .max = 1000},
    {.name = "--batch",
     .kind = OPTION_INT,
     .at = offsetof(DanOptions, batch),
     .min = 1,
     .max = 4096},
    {.name = "--hidden",
     .kind = OPTION_INT,
     .at = offsetof(DanOptions, hidden),
     .min = 1,
     .max = 4096},
    {.name = "--seed", .kind = OPTION_INT, .at = offsetof(DanOptions, seed), .min = 0, .max = 1e9},
    {.name = "--lr", .kind = OPTION_REAL, .at = offsetof(DanOptions, lr), .min = 1e-7, .max = 1},
    {.name = "--decay", .kind = OPTION_REAL, .at = offsetof(DanOptions, decay), .min = 0, .max = 1},
    {.name = "--init-std",
     .kind = OPTION_REAL,
     .at = offsetof(DanOptions, init_std),
     .min = 0,
     .max = 10},
    {.name = "--dropout",
     .kind = OPTION_REAL,
     .at = offsetof(DanOptions, dropout),
     .min = 0,
     .max = 0.9},
    {.name = "-o", .at = offsetof(DanOptions, output)},
};

static bool needs(const char *what, const char *value, Err *err) {
    return value ? true : err_usage(err, "%s is not given; see heed train --help", what);
}

/* Whether a file can be made at path, asked before minutes of work. */
static bool target_allowed(const char *path, Arena *arena, Err *err) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return err_set(err, "%s is a folder; -o wants a file to write", path);
    const char *slash = strrchr(path, '/');
    const char *folder = slash ? arena_bytes(arena, path, (size_t)(slash - path) + 1) : ".";
    if (stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
        return err_set(err, "cannot write %s: there is no folder %s", path, folder);
    return true;
}

static bool make_folder(const char *path, Err *err) {
    struct stat status;
    if (stat(path, &status) == 0)
        return S_ISDIR(status.st_mode) || err_set(err, "%s is a file; -o wants a folder", path);
    if (mkdir(path, 0777) == 0) return true;
    return err_set(err, "cannot make the folder %s: %s", path, strerror(errno));
}

static bool read_reviews(const char *path, Arena *arena, Reviews *reviews, ReviewSplit *split,
                         Err *err) {
    if (!reviews_read(path, arena, reviews, err)) return false;
    if (reviews->count < 10)
        return err_set(err, "%s holds %d review%s, and at least 10 are needed", path,
                       reviews->count, reviews->count == 1 ? "" : "s");
    *split = reviews_split(arena, reviews->count, SPLIT_SEED);
    fprintf(stderr,
            "%d reviews from %d file%s, %d repeat%s left out: %d to train, %d to validate, "
            "%d to test\n",
            reviews->count, reviews->files, reviews->files == 1 ? "" : "s", reviews->repeats,
            reviews->repeats == 1 ? "" : "s", split->train, split->valid, split->test);
    return true;
}

/* With one label alone every answer is right, and nothing is learned. */
static bool has_both_labels(const Reviews *reviews, const char *path, Err *err) {
    int positive = 0;
    for (int i = 0; i < reviews->count; i++) positive += reviews->items[i].label;
    if (positive > 0 && positive < reviews->count) return true;
    return err_set(err, "all reviews of %s have the label %d; both 0 and 1 are needed", path,
                   positive > 0);
}

static bool training_text(const BpeOptions *options, Arena *arena, const char **text,
                          size_t *length, Err *err) {
    if (options->text)
        return file_read_text(options->text, TEXT_BYTES_MAX, arena, text, length, err);
    Reviews reviews;
    ReviewSplit split = {0};
    if (!read_reviews(options->reviews, arena, &reviews, &split, err)) return false;
    *text = reviews_text(&reviews, split.order, split.train, arena, length);
    return true;
}

static bool train_bpe(Arena *arena, int argc, char **argv, Err *err) {
    BpeOptions options = {.merges = MERGES_DEFAULT};
    const char *text;
    size_t length;
    if (!options_parse(bpe_options, (int)(sizeof bpe_options / sizeof *bpe_options), &options, NULL,
                       argc, argv, err) ||
        !needs("-o FOLDER", options.output, err))
        return false;
    if (!options.reviews == !options.text)
        return err_usage(err, "train bpe learns from either --reviews PATH or --text FILE");
    if (!training_text(&options, arena, &text, &length, err) || !make_folder(options.output, err))
        return false;
    const Bpe *bpe = bpe_learn(arena, text, length, options.merges);
    if (!bpe_write(bpe, options.output, *arena, err)) return false;
    fprintf(stderr, "%d merges, a vocabulary of %d, in %s\n", bpe_merge_count(bpe),
            bpe_vocabulary(bpe), options.output);
    return true;
}

static DanOptions dan_defaults(void) {
    DanPlan plan = dan_plan(1);
    return (DanOptions){.type = "float16",
                        .epochs = plan.epochs,
                        .batch = plan.batch,
                        .hidden = plan.hidden,
                        .seed = (int)plan.seed,
                        .lr = plan.lr,
                        .decay = plan.decay,
                        .init_std = plan.init_std,
                        .dropout = plan.dropout};
}

static DanPlan plan_of(const DanOptions *options, int vocabulary) {
    DanPlan plan = dan_plan(vocabulary);
    plan.epochs = options->epochs;
    plan.batch = options->batch;
    plan.hidden = options->hidden;
    plan.seed = (uint64_t)options->seed;
    plan.lr = options->lr;
    plan.decay = options->decay;
    plan.init_std = options->init_std;
    plan.dropout = options->dropout;
    return plan;
}

/* What the network was made of. */
static const char *description(const DanOptions *options, const TrainResult *result, const Bpe *bpe,
                               const TokenRows rows[3], Arena *arena) {
    return arena_printf(
        arena,
        "deep averaging network: %d pieces, width 384, hidden layer of %d (ReLU), one logit\n"
        "command: heed train dan --reviews PATH --epochs %d --batch %d --hidden %d --seed %d --lr "
        "%g "
        "--decay %g --init-std %g --dropout %g --type %s\n"
        "epochs: %d, the best by validation was %d%s\n"
        "seed: %d, and %d for the split\n"
        "initial embedding: normal, standard deviation %g; decay %g (AdamW), learning rate %g "
        "falling "
        "to 0\n"
        "texts: \"<br />\" made a space, repeats dropped; the last %d pieces of each; %d to train, "
        "%d to validate, %d to test\n",
        bpe_vocabulary(bpe), options->hidden, options->epochs, options->batch, options->hidden,
        options->seed, options->lr, options->decay, options->init_std, options->dropout,
        options->type, options->epochs, result->best_epoch,
        result->stopped ? " (stopped by hand)" : "", options->seed, SPLIT_SEED, options->init_std,
        options->decay, options->lr, TOKENS, rows[0].count, rows[1].count, rows[2].count);
}

/* "x.safetensors" to "x.txt". */
static const char *text_path(const char *path, Arena *arena) {
    const char *end = strstr(path, ".safetensors");
    size_t length = end ? (size_t)(end - path) : strlen(path);
    return arena_printf(arena, "%.*s.txt", (int)length, path);
}

/* Writes the network, and beside it what it was made of and how good it is: the network as the
 * file has it, rounded. */
static bool write_dan(const DanOptions *options, const Dan *dan, const char *text,
                      const TokenRows rows[3], Arena *arena, Err *err) {
    bool half = strcmp(options->type, "float16") == 0;
    Dan written;
    if (!dan_write(dan, options->output, half, text, *arena, err) ||
        !dan_read(options->output, dan->V, arena, &written, err))
        return false;
    double accuracy[3];
    for (int part = 0; part < 3; part++)
        accuracy[part] = trainer_accuracy(&written, &rows[part], *arena);
    const char *measured = arena_printf(arena, "accuracy: train %.4f, validation %.4f, test %.4f\n",
                                        accuracy[0], accuracy[1], accuracy[2]);
    const char *all = arena_printf(arena, "%s%s", text, measured);
    if (!file_write(text_path(options->output, arena), all, strlen(all), err)) return false;
    fprintf(stderr, "%s%s is written\n", measured, options->output);
    return true;
}

static bool learn_dan(const DanOptions *options, const Bpe *bpe, Arena *arena, Err *err) {
    Reviews reviews;
    ReviewSplit split = {0};
    TokenRows rows[3];
    if (!read_reviews(options->reviews, arena, &reviews, &split, err) ||
        !has_both_labels(&reviews, options->reviews, err))
        return false;
    const int counts[3] = {split.train, split.valid, split.test};
    for (int part = 0, from = 0; part < 3; from += counts[part++])
        rows[part] = token_rows(bpe, &reviews, split.order + from, counts[part], TOKENS, arena);
    DanPlan plan = plan_of(options, bpe_vocabulary(bpe));
    Dan dan;
    TrainWatch *watch = train_watch_open(arena);
    TrainResult result =
        trainer_dan(&plan, &rows[0], &rows[1], arena, &dan, train_watch_report, watch);
    train_watch_close(watch);
    if (result.best_epoch == 0)
        return err_set(err, "stopped before the first epoch was done; nothing is written");
    const char *text = description(options, &result, bpe, rows, arena);
    return write_dan(options, &dan, text, rows, arena, err);
}

static bool train_dan(const char *assets, Arena *arena, int argc, char **argv, Err *err) {
    DanOptions options = dan_defaults();
    Bpe *bpe;
    if (!options_parse(dan_options, (int)(sizeof dan_options / sizeof *dan_options), &options, NULL,
                       argc, argv, err) ||
        !needs("--reviews PATH", options.reviews, err) ||
        !needs("-o FILE.safetensors", options.output, err))
        return false;
    const char *const types[] = {"float16", "float32"};
    if (strcmp(options.type, types[0]) != 0 && strcmp(options.type, types[1]) != 0)
        return words_unknown(err, "type", options.type, types, 2);
    const char *folder = options.bpe ? options.bpe : file_join(arena, assets, "bpe");
    return target_allowed(options.output, arena, err) && bpe_read(folder, arena, &bpe, err) &&
           learn_dan(&options, bpe, arena, err);
}

bool train_command(const char *assets, int argc, char **argv, Err *err) {
    static const char *const kinds[] = {"bpe", "dan"};
    if (argc == 0) return err_usage(err, "train wants bpe or dan; see heed train --help");
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") != 0) continue;
        return file_write("-", help, strlen(help), err);
    }
    bool bpe = strcmp(argv[0], kinds[0]) == 0;
    if (!bpe && strcmp(argv[0], kinds[1]) != 0)
        return words_unknown(err, "kind of training", argv[0], kinds, 2);
    Arena arena = arena_open(app_memory_full);
    bool good = bpe ? train_bpe(&arena, argc - 1, argv + 1, err)
                    : train_dan(assets, &arena, argc - 1, argv + 1, err);
    arena_close(&arena);
    return good;
}
