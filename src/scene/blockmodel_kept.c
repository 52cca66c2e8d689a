/* What was chosen, made into a model and run. A stage keeps the last model and the last runs,
 * because most knobs change neither: the weights of a model take longer to make than to use, and a
 * run longer than to look at. */
#include "scene/blockmodel.h"

#include "base/file.h"
#include "core/encoder.h"

#include <string.h>

enum { MASK_NONE, MASK_CAUSAL };

static const double ROPE_BASE = 10000;

/* Cells of all maps of all layers; each is kept at five steps. */
static const double CELLS_MOST = 5e7;

/* What the arrays of a model depend on. Keys are compared byte by byte, so all of them are set. */
typedef struct ModelKey {
    char file[SENTENCE_PATH_MAX];
    FileStamp stamp;
    bool stamped;          /* a file that is no regular one can be read only once */
    BlockModelShape shape; /* without a file: what the random weights were made for */
    int seed;
    bool turned;
} ModelKey;

/* What a run depends on besides. */
typedef struct RunKey {
    ModelKey model;
    char text[SENTENCE_TEXT_MAX], embeddings[SENTENCE_PATH_MAX];
    int unit, mask;
} RunKey;

typedef struct KeptRun {
    Arena arena;
    RunKey key;
    BlockRun run;
    bool known;
} KeptRun;

typedef struct BlockMemory {
    Arena arena; /* of the model */
    ModelKey key;
    BlockModel model;
    bool known;
    KeptRun runs[2]; /* one is shown, the other may be made meanwhile */
    int shown;
} BlockMemory;

static BlockMemory *memory_of(Stage *stage) {
    if (!stage->block_memory) {
        BlockMemory *memory = stage->block_memory = ARENA_NEW(stage->arena, BlockMemory);
        memory->arena = arena_beside(stage->arena);
        for (int i = 0; i < 2; i++) memory->runs[i].arena = arena_beside(stage->arena);
    }
    return stage->block_memory;
}

void blockmodel_forget(Stage *stage) {
    BlockMemory *memory = stage->block_memory;
    if (!memory) return;
    arena_close(&memory->arena);
    for (int i = 0; i < 2; i++) arena_close(&memory->runs[i].arena);
    stage->block_memory = NULL;
}

/* ---- the model ---- */

static void set_key(ModelKey *key, const BlockChoice *choice, int in, int layers) {
    memset(key, 0, sizeof *key);
    strcpy(key->file, choice->file);
    key->stamped = file_stamp(choice->file, &key->stamp);
    key->shape.in = in;
    key->turned = choice->rope;
    if (*choice->file) return;
    key->shape.D = choice->d_model;
    key->shape.H = choice->heads;
    key->shape.L = layers;
    key->seed = choice->seed;
}

static bool same_model(const ModelKey *a, const ModelKey *b) {
    return (!*a->file || a->stamped) && memcmp(a, b, sizeof *a) == 0;
}

static bool make_model(const ModelKey *key, Arena *arena, BlockModel *model, Err *err) {
    if (*key->file)
        return blockmodel_read(arena, key->file, key->shape.in, key->turned, model, err);
    return blockmodel_seeded(arena, key->shape, key->turned, (uint64_t)key->seed, model, err);
}

static bool kept_model(BlockMemory *memory, const ModelKey *key, BlockModel *model, Err *err) {
    if (!memory->known || !same_model(key, &memory->key)) {
        Arena arena = memory->arena;
        memory->known = make_model(key, &arena, &memory->model, err);
        memcpy(&memory->key, key, sizeof *key);
    }
    *model = memory->model;
    return memory->known;
}

static bool check_size(const BlockModelShape *shape, int T, Err *err) {
    double cells = (double)T * T * shape->H * shape->L;
    if (cells <= CELLS_MOST) return true;
    return err_set(err,
                   "%d tokens, %d heads and %d layers make %.0f million weights, at most %.0f fit; "
                   "shorten the text or take fewer of them",
                   T, shape->H, shape->L, cells / 1e6, CELLS_MOST / 1e6);
}

bool blockmodel_open(const BlockChoice *choice, int layers, Stage *stage, Arena *arena,
                     BlockSetting *setting, Err *err) {
    BlockSetting made = {.rule = {.causal = choice->mask == MASK_CAUSAL}};
    ModelKey key;
    if (!sentence_read(choice->text, (SentenceUnit)choice->unit, choice->embeddings, stage, arena,
                       &made.sentence, err))
        return false;
    set_key(&key, choice, made.sentence.D, layers);
    if (!kept_model(memory_of(stage), &key, &made.model, err) ||
        !check_size(&made.model.shape, made.sentence.T, err))
        return false;
    made.x = blockmodel_entry(arena, &made.model, made.sentence.x, made.sentence.T);
    if (choice->rope) {
        int K = made.model.shape.D / made.model.shape.H;
        Rope *rope = ARENA_NEW(arena, Rope);
        *rope = rope_build(arena, K, ROPE_BASE, 0, made.sentence.T);
        made.rule.rope_q = made.rule.rope_k = rope;
    }
    *setting = made;
    return true;
}

/* ---- the run ---- */

static void set_run_key(RunKey *key, const BlockChoice *choice, int layers) {
    memset(key, 0, sizeof *key);
    set_key(&key->model, choice, 0, layers);
    strcpy(key->text, choice->text);
    strcpy(key->embeddings, choice->embeddings);
    key->unit = choice->unit;
    key->mask = choice->mask;
}

static bool same_run(const KeptRun *kept, const RunKey *key) {
    return kept->known && same_model(&key->model, &kept->key.model) &&
           memcmp(key, &kept->key, sizeof *key) == 0;
}

/* Nobody reads what the last block's feed-forward layer gives, so it is left out. */
static const BlockTrace *run_blocks(const BlockSetting *setting, Arena *arena) {
    int L = setting->model.shape.L;
    Block *blocks = ARENA_ARRAY(arena, Block, L);
    memcpy(blocks, setting->model.blocks, (size_t)L * sizeof *blocks);
    blocks[L - 1].has_feed = false;
    return encoder_run_blocks(arena, blocks, L, setting->x, setting->sentence.T, &setting->rule);
}

bool blockmodel_run(const BlockChoice *choice, int layers, Stage *stage, const BlockRun **run,
                    Err *err) {
    BlockMemory *memory = memory_of(stage);
    RunKey key;
    set_run_key(&key, choice, layers);
    for (int i = 0; i < 2; i++)
        if (same_run(&memory->runs[i], &key)) {
            *run = &memory->runs[i].run;
            return true;
        }
    KeptRun *kept = &memory->runs[!memory->shown];
    Arena arena = kept->arena;
    kept->known = blockmodel_open(choice, layers, stage, &arena, &kept->run.setting, err);
    if (!kept->known) return false;
    kept->run.traces = run_blocks(&kept->run.setting, &arena);
    memcpy(&kept->key, &key, sizeof key);
    *run = &kept->run;
    return true;
}

void blockmodel_show(Stage *stage, const BlockRun *run) {
    BlockMemory *memory = memory_of(stage);
    memory->shown = run == &memory->runs[1].run;
}
