/* The loop: shuffle, batch, forward, loss, backward, step; after each epoch the validation rows
 * decide whether this state is the best so far. */
#include "train/trainer.h"

#include "base/rng.h"
#include "core/layers.h"
#include "train/loss.h"
#include "train/optim.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { PARAMETERS = 5, EVALUATION_BATCH = 64 };

/* An array that learns: values, gradient, Adam's two moments. */
typedef struct Parameter {
    float *p, *g, *m, *v, *best;
    int n;
    bool decays;
} Parameter;

typedef struct Batch {
    int *ids;
    uint8_t *mask;
    float *targets;
} Batch;

typedef struct Trainer {
    const DanPlan *plan;
    const TokenRows *rows;
    Dan *dan;
    Parameter parameters[PARAMETERS];
    DanActs acts, gradients;
    Batch batch;
    Rng rng;
    int step;
} Trainer;

DanPlan dan_plan(int vocabulary) {
    return (DanPlan){.V = vocabulary,
                     .D = 384,
                     .hidden = 64,
                     .epochs = 8,
                     .batch = 64,
                     .seed = 1,
                     .lr = 5e-3,
                     .decay = 0.02,
                     .init_std = 0.38,
                     .dropout = 0};
}

static void fill_normal(Rng *rng, float *values, int n, double deviation) {
    for (int i = 0; i < n; i++) values[i] = (float)(rng_normal(rng) * deviation);
}

/* The embedding by the plan's width, the weights by He et al. 2015, biases 0, [PAD] 0. */
static Dan initial_dan(const DanPlan *plan, int tokens, Rng *rng, Arena *arena) {
    Dan dan = {.V = plan->V,
               .D = plan->D,
               .hidden = plan->hidden,
               .tokens = tokens,
               .padding = plan->V - 1,
               .embedding = ARENA_ARRAY(arena, float, plan->V * plan->D),
               .w1 = ARENA_ARRAY(arena, float, plan->hidden * plan->D),
               .b1 = ARENA_ARRAY(arena, float, plan->hidden),
               .w2 = ARENA_ARRAY(arena, float, plan->hidden),
               .b2 = ARENA_ARRAY(arena, float, 1)};
    fill_normal(rng, dan.embedding, (plan->V - 1) * plan->D, plan->init_std);
    fill_normal(rng, dan.w1, plan->hidden * plan->D, sqrt(2.0 / plan->D));
    fill_normal(rng, dan.w2, plan->hidden, sqrt(2.0 / plan->hidden));
    return dan;
}

static Parameter parameter(Arena *arena, float *p, int n, bool decays) {
    return (Parameter){.p = p,
                       .g = ARENA_ARRAY(arena, float, n),
                       .m = ARENA_ARRAY(arena, float, n),
                       .v = ARENA_ARRAY(arena, float, n),
                       .best = ARENA_ARRAY(arena, float, n),
                       .n = n,
                       .decays = decays};
}

static Trainer trainer_open(const DanPlan *plan, const TokenRows *rows, Dan *dan, Rng rng,
                            Arena *arena) {
    int cells = plan->batch * rows->tokens;
    Trainer trainer = {.plan = plan,
                       .rows = rows,
                       .dan = dan,
                       .acts = dan_acts(dan, plan->batch, rows->tokens, arena),
                       .gradients = dan_acts(dan, plan->batch, rows->tokens, arena),
                       .batch = {.ids = ARENA_ARRAY(arena, int, cells),
                                 .mask = ARENA_ARRAY(arena, uint8_t, cells),
                                 .targets = ARENA_ARRAY(arena, float, plan->batch)},
                       .rng = rng};
    Parameter *all = trainer.parameters;
    all[0] = parameter(arena, dan->embedding, dan->V * dan->D, true);
    all[1] = parameter(arena, dan->w1, dan->hidden * dan->D, true);
    all[2] = parameter(arena, dan->b1, dan->hidden, false);
    all[3] = parameter(arena, dan->w2, dan->hidden, true);
    all[4] = parameter(arena, dan->b2, 1, false);
    return trainer;
}

/* Copies the rows of order[count] into the batch; pieces are dropped by the plan's share. Returns
 * how many pieces the rows have. */
static int64_t fill_batch(Trainer *trainer, const int *order, int count) {
    const TokenRows *rows = trainer->rows;
    size_t tokens = (size_t)rows->tokens;
    int64_t pieces = 0;
    for (int i = 0; i < count; i++) {
        size_t from = (size_t)order[i] * tokens, to = (size_t)i * tokens;
        memcpy(trainer->batch.ids + to, rows->ids + from, tokens * sizeof *rows->ids);
        for (size_t t = 0; t < tokens; t++) {
            bool there = rows->mask[from + t];
            pieces += there;
            trainer->batch.mask[to + t] =
                there && rng_uniform(&trainer->rng) >= trainer->plan->dropout;
        }
        trainer->batch.targets[i] = rows->targets[order[i]];
    }
    return pieces;
}

static void zero(float *values, int n) {
    memset(values, 0, (size_t)n * sizeof *values);
}

/* Gradients of the loss by every parameter; the loss is returned. */
static double backward(Trainer *trainer, int count) {
    const Dan *dan = trainer->dan;
    const DanActs *acts = &trainer->acts, *d = &trainer->gradients;
    Parameter *all = trainer->parameters;
    int T = trainer->rows->tokens;
    for (int i = 0; i < PARAMETERS; i++) zero(all[i].g, all[i].n);
    zero(d->x, count * T * dan->D);
    zero(d->mean, count * dan->D);
    zero(d->pre, count * dan->hidden);
    zero(d->act, count * dan->hidden);
    zero(d->logits, count);
    double loss = bce_with_logits(d->logits, acts->logits, trainer->batch.targets, count);
    linear_backward(d->act, all[3].g, all[4].g, acts->act, dan->w2, d->logits, count, dan->hidden,
                    1);
    (dan->gelu ? gelu_backward : relu_backward)(d->pre, acts->pre, d->act, count * dan->hidden);
    linear_backward(d->mean, all[1].g, all[2].g, acts->mean, dan->w1, d->pre, count, dan->D,
                    dan->hidden);
    masked_mean_backward(d->x, d->mean, trainer->batch.mask, count, T, dan->D);
    embedding_backward(all[0].g, d->x, trainer->batch.ids, count * T, dan->D, dan->padding);
    return loss;
}

/* The learning rate falls in a line to 0 at the end of the plan. */
static void step(Trainer *trainer, int steps) {
    double left = 1 - (double)trainer->step / steps;
    trainer->step++;
    for (int i = 0; i < PARAMETERS; i++) {
        Parameter *part = &trainer->parameters[i];
        OptimRule rule = optim_rule();
        rule.lr = trainer->plan->lr * left;
        rule.weight_decay = part->decays ? trainer->plan->decay : 0;
        optim_step(&rule, trainer->step, part->p, part->g, part->m, part->v, part->n);
    }
}

static int correct(const float *logits, const float *targets, int count) {
    int right = 0;
    for (int i = 0; i < count; i++) right += (logits[i] > 0) == (targets[i] > 0.5f);
    return right;
}

double trainer_accuracy(const Dan *dan, const TokenRows *rows, Arena scratch) {
    DanActs acts = dan_acts(dan, EVALUATION_BATCH, rows->tokens, &scratch);
    int right = 0;
    for (int from = 0; from < rows->count; from += EVALUATION_BATCH) {
        int left = rows->count - from;
        int count = left < EVALUATION_BATCH ? left : EVALUATION_BATCH;
        size_t at = (size_t)from * (size_t)rows->tokens;
        dan_forward(dan, rows->ids + at, rows->mask + at, count, rows->tokens, &acts);
        right += correct(acts.logits, rows->targets + from, count);
    }
    return rows->count > 0 ? (double)right / rows->count : 0;
}

/* One epoch, told batch by batch; false when the caller wants to stop. The last batch is told by
 * close_epoch, which knows the validation accuracy. */
static bool run_epoch(Trainer *trainer, const int *order, TrainProgress *progress,
                      TrainReport *report, TrainWatch *watch) {
    int total = trainer->rows->count;
    double loss = 0;
    int right = 0;
    for (int from = 0; from < total; from += trainer->plan->batch) {
        int count = total - from < trainer->plan->batch ? total - from : trainer->plan->batch;
        progress->tokens += fill_batch(trainer, order + from, count);
        dan_forward(trainer->dan, trainer->batch.ids, trainer->batch.mask, count,
                    trainer->rows->tokens, &trainer->acts);
        loss += backward(trainer, count) * count;
        right += correct(trainer->acts.logits, trainer->batch.targets, count);
        step(trainer, progress->batches * progress->epochs);
        progress->batch++;
        progress->loss = loss / (from + count);
        progress->accuracy = (double)right / (from + count);
        if (progress->batch < progress->batches && report && !report(watch, progress)) return false;
    }
    return true;
}

static void copy_parameters(Trainer *trainer, bool keep) {
    for (int i = 0; i < PARAMETERS; i++) {
        Parameter *part = &trainer->parameters[i];
        memcpy(keep ? part->best : part->p, keep ? part->p : part->best,
               (size_t)part->n * sizeof *part->p);
    }
}

static void close_epoch(Trainer *trainer, const TokenRows *valid, TrainProgress *progress,
                        Arena scratch) {
    progress->valid = trainer_accuracy(trainer->dan, valid, scratch);
    if (progress->best_epoch > 0 && progress->valid <= progress->best_valid) return;
    progress->best_epoch = progress->epoch;
    progress->best_valid = progress->valid;
    copy_parameters(trainer, true);
}

static TrainResult train(Trainer *trainer, const TokenRows *valid, Arena scratch,
                         TrainReport *report, TrainWatch *watch) {
    const DanPlan *plan = trainer->plan;
    int total = trainer->rows->count;
    int *order = ARENA_ARRAY(&scratch, int, total);
    TrainProgress progress = {.epochs = plan->epochs,
                              .batches = (total + plan->batch - 1) / plan->batch,
                              .tokens_total = trainer->rows->pieces * plan->epochs,
                              .best_valid = -1};
    bool going = true;
    for (int epoch = 1; going && epoch <= plan->epochs; epoch++) {
        rng_permutation(&trainer->rng, order, total);
        progress.epoch = epoch;
        progress.batch = 0;
        progress.valid = -1;
        going = run_epoch(trainer, order, &progress, report, watch);
        if (!going) break;
        close_epoch(trainer, valid, &progress, scratch);
        if (report) going = report(watch, &progress);
    }
    if (progress.best_epoch > 0) copy_parameters(trainer, false);
    return (TrainResult){
        .best_epoch = progress.best_epoch, .best_valid = progress.best_valid, .stopped = !going};
}

TrainResult trainer_dan(const DanPlan *plan, const TokenRows *train_rows, const TokenRows *valid,
                        Arena *arena, Dan *dan, TrainReport *report, TrainWatch *watch) {
    assert(train_rows->count > 0 && plan->batch > 0 && train_rows->tokens == valid->tokens);
    Rng rng = rng_seed(plan->seed);
    *dan = initial_dan(plan, train_rows->tokens, &rng, arena);
    Arena scratch = *arena;
    Trainer trainer = trainer_open(plan, train_rows, dan, rng, &scratch);
    return train(&trainer, valid, scratch, report, watch);
}
