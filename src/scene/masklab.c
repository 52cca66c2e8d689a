/* From knobs and scores to masks, stages and tables. Only what the stage shown needs is computed,
 * and the weights always: health and painting are about them. */
#include "scene/masklab.h"

#include "core/health.h"
#include "core/softmax.h"
#include "core/tensor.h"
#include "scene/masklab_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const SceneStage masklab_stages[] = {MASKLAB_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
const KnobChoice masklab_stage_choices[] = {MASKLAB_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

const KnobChoice masklab_kinds[] = {
    [MASKLAB_NONE] = {"none", "none"},
    [MASKLAB_CAUSAL] = {"causal", "causal"},
    [MASKLAB_PADDING] = {"padding", "padding"},
    [MASKLAB_CAUSAL_PADDING] = {"causal+padding", "causal + padding"},
    [MASKLAB_WINDOW] = {"window", "window"},
    [MASKLAB_PREFIX] = {"prefix", "prefix"},
    [MASKLAB_DOCUMENTS] = {"documents", "documents"},
    {NULL, NULL},
};

const KnobChoice masklab_aligns[] = {
    [MASK_TOP_LEFT] = {"top-left", "top left"},
    [MASK_BOTTOM_RIGHT] = {"bottom-right", "bottom right"},
    {NULL, NULL},
};

const KnobChoice masklab_pad_sides[] = {{"left", "left"}, {"right", "right"}, {NULL, NULL}};

const KnobChoice masklab_fills[] = {
    [MASK_FILL_INFINITY] = {"-inf", "−∞"},
    [MASK_FILL_LOWEST] = {"lowest", "lowest finite"},
    [MASK_FILL_1E9] = {"-1e9", "−1e9"},
    [MASK_FILL_1E4] = {"-1e4", "−10000"},
    {NULL, NULL},
};

static size_t cells_of(const MaskResult *result) {
    return (size_t)result->T * (size_t)result->S;
}

/* ---- paint ---- */

static bool paint_cell(const char *name, const char *word, size_t length, MaskPaint with,
                       const MaskResult *result, uint8_t *paint, Err *err) {
    char *end = NULL;
    long row = strtol(word, &end, 10), column = -1;
    bool pair = end > word && *end == ',';
    if (pair) column = strtol(end + 1, &end, 10);
    if (!pair || row < 0 || column < 0 || end != word + length)
        return err_set(err,
                       "%s holds \"%.*s\", which is no cell; cells are written query,key and "
                       "counted from 0, as 0,2;1,3",
                       name, (int)(length < 24 ? length : 24), word);
    if (row >= result->T || column >= result->S)
        return err_set(err,
                       "%s names the cell %ld,%ld, but queries go from 0 to %d and keys from 0 to "
                       "%d; X clears what was painted",
                       name, row, column, result->T - 1, result->S - 1);
    uint8_t *cell = &paint[(size_t)row * (size_t)result->S + (size_t)column];
    if (*cell != PAINT_NONE && *cell != (uint8_t)with)
        return err_set(err, "the cell %ld,%ld is both blocked and allowed; leave one of them", row,
                       column);
    *cell = (uint8_t)with;
    return true;
}

static bool read_paint(const char *name, const char *list, MaskPaint with, const MaskResult *result,
                       uint8_t *paint, Err *err) {
    while (*list) {
        size_t blank = strspn(list, "; "), length = strcspn(list + blank, "; ");
        list += blank;
        if (length && !paint_cell(name, list, length, with, result, paint, err)) return false;
        list += length;
    }
    return true;
}

/* ---- the mask ---- */

static bool knows_padding(const MaskLab *lab) {
    return lab->kind == MASKLAB_PADDING || lab->kind == MASKLAB_CAUSAL_PADDING;
}

static bool set_padding(const MaskLab *lab, const MaskInput *input, MaskResult *result,
                        Arena *arena, Err *err) {
    int S = result->S;
    result->padding = input->padding;
    if (input->padding) return true;
    uint8_t *padding = ARENA_ARRAY(arena, uint8_t, S);
    result->padding = padding;
    if (!knows_padding(lab)) return true;
    if (lab->pad > S)
        return err_set(err, "there are %d padding tokens for %d keys; at most all keys are padding",
                       lab->pad, S);
    Label *labels = ARENA_ARRAY(arena, Label, S);
    memcpy(labels, result->keys.labels, (size_t)S * sizeof *labels);
    bool left = strcmp(masklab_pad_sides[lab->pad_side].name, "left") == 0;
    for (int j = 0; j < S; j++) {
        padding[j] = left ? j < lab->pad : j >= S - lab->pad;
        labels[j].padding = padding[j];
    }
    result->keys.labels = labels;
    if (result->T != S) return true;
    labels = ARENA_ARRAY(arena, Label, S);
    memcpy(labels, result->queries.labels, (size_t)S * sizeof *labels);
    for (int i = 0; i < S; i++) labels[i].padding = padding[i];
    result->queries.labels = labels;
    return true;
}

static void hide_padding(uint8_t *allowed, const MaskResult *result, Arena scratch) {
    uint8_t *valid = ARENA_ARRAY(&scratch, uint8_t, result->S);
    for (int j = 0; j < result->S; j++) valid[j] = !result->padding[j];
    mask_padding(allowed, valid, result->T, result->S);
}

static bool hide_documents(const MaskInput *input, MaskAlign align, MaskResult *result,
                           uint8_t *allowed, Err *err) {
    int S = result->S, halves[2] = {(S + 1) / 2, S / 2}, sum = 0;
    const int *lengths = input->documents ? input->documents : halves;
    int count = input->documents ? input->document_count : 2;
    for (int n = 0; n < count; n++) sum += lengths[n];
    if (sum != S)
        return err_set(err, "the documents have %d tokens together, but there are %d keys", sum, S);
    result->documents = count;
    mask_documents(allowed, result->T, S, lengths, count, align);
    return true;
}

static bool build_mask(const MaskLab *lab, const MaskInput *input, MaskResult *result,
                       uint8_t *allowed, Arena *arena, Err *err) {
    int T = result->T, S = result->S;
    MaskAlign align = (MaskAlign)lab->align;
    mask_all(allowed, T, S);
    if (lab->kind == MASKLAB_CAUSAL || lab->kind == MASKLAB_CAUSAL_PADDING)
        mask_causal(allowed, T, S, align);
    if (knows_padding(lab)) hide_padding(allowed, result, *arena);
    if (lab->kind == MASKLAB_WINDOW)
        mask_window(allowed, T, S, lab->counts_self ? lab->window - 1 : lab->window,
                    lab->window_right, align);
    if (lab->kind == MASKLAB_PREFIX && lab->prefix > S)
        return err_set(err, "the prefix has %d keys, but there are only %d", lab->prefix, S);
    if (lab->kind == MASKLAB_PREFIX) mask_prefix(allowed, T, S, lab->prefix, align);
    if (lab->kind == MASKLAB_DOCUMENTS && !hide_documents(input, align, result, allowed, err))
        return false;
    if (input->keep) mask_and(allowed, input->keep, T, S);
    return true;
}

static bool set_mask(const MaskLab *lab, const MaskInput *input, MaskResult *result, Arena *arena,
                     Err *err) {
    size_t cells = cells_of(result);
    uint8_t *mask = ARENA_ARRAY(arena, uint8_t, cells), *paint = ARENA_ARRAY(arena, uint8_t, cells);
    uint8_t *allowed = ARENA_ARRAY(arena, uint8_t, cells);
    if (!set_padding(lab, input, result, arena, err) ||
        !build_mask(lab, input, result, mask, arena, err) ||
        !read_paint("blocked", lab->blocked, PAINT_BLOCKED, result, paint, err) ||
        !read_paint("allowed", lab->allowed, PAINT_ALLOWED, result, paint, err))
        return false;
    for (size_t n = 0; n < cells; n++)
        allowed[n] = paint[n] == PAINT_NONE ? mask[n] : paint[n] == PAINT_ALLOWED;
    result->mask = mask;
    result->paint = paint;
    result->allowed = allowed;
    return true;
}

/* The keys that the last row shown sees and the one before it does not. */
static bool set_upto(const MaskLab *lab, MaskResult *result, Arena *arena, Err *err) {
    int T = result->T, S = result->S, row = lab->upto - 1;
    if (lab->upto > T)
        return err_set(err, "there are only %d queries to go up to, not %d; 0 shows all of them", T,
                       lab->upto);
    if (row < 0) return true;
    uint8_t *opened = ARENA_ARRAY(arena, uint8_t, cells_of(result));
    size_t at = (size_t)row * (size_t)S;
    for (size_t j = 0; j < (size_t)S; j++)
        opened[at + j] =
            result->allowed[at + j] && (row == 0 || !result->allowed[at - (size_t)S + j]);
    result->opened = opened;
    return true;
}

/* ---- weights ---- */

const float *masklab_plain_row(const MaskLab *lab, const MaskResult *result, int row,
                               Arena *arena) {
    size_t S = (size_t)result->S, at = (size_t)row * S;
    float *plain = ARENA_ARRAY(arena, float, S);
    for (size_t j = 0; j < S; j++) {
        float bias = result->bias ? result->bias[at + j] : 0;
        plain[j] = bias == -INFINITY ? bias : result->trace.scaled[at + j] + bias;
    }
    softmax_rows(plain, plain, 1, result->S, (float)lab->temperature);
    return plain;
}

static void attend(const MaskLab *lab, const MaskInput *input, MaskResult *result, Arena *arena) {
    AttentionRule rule = {.scale = 1,
                          .temperature = (float)lab->temperature,
                          .allowed = result->allowed,
                          .bias = input->bias,
                          .fill = mask_fill((MaskFill)lab->fill)};
    result->trace = attention_from_scores(arena, result->T, result->S, rule,
                                          input->scaled ? input->scaled : input->scores);
}

static void add_findings(MaskResult *result, Arena *arena, const Health *health) {
    const char **lines = ARENA_ARRAY(arena, const char *, HEALTH_LINES_MAX);
    memcpy(lines, health->lines, sizeof health->lines);
    result->findings = lines;
    result->finding_count = health->count;
}

/* ---- tables ---- */

/* States of pairs: blocked by the mask, whole rows undefined, rows beyond upto missing. */
static uint8_t *pair_states(const MaskLab *lab, const MaskResult *result, Arena *arena,
                            bool hatched, bool rows) {
    size_t S = (size_t)result->S;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells_of(result));
    for (int i = 0; i < result->T; i++) {
        size_t at = (size_t)i * S;
        bool any = false;
        for (size_t j = 0; j < S; j++) {
            if (hatched && !result->allowed[at + j]) states[at + j] = CELL_BLOCKED;
            any = any || (result->allowed[at + j] && result->trace.masked[at + j] != -INFINITY);
        }
        if (rows && !any) memset(states + at, CELL_UNDEFINED, S);
        if (lab->upto && i >= lab->upto) memset(states + at, CELL_MISSING, S);
    }
    return states;
}

static Table *add_table(const MaskLab *lab, MaskResult *result, Arena *arena, MaskStage stage,
                        Table table, uint8_t *states) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = masklab_stages[stage].name;
    if (!made->rows.name) made->rows = result->queries;
    if (!made->columns.name) made->columns = result->keys;
    made->states = states;
    table_mark_not_finite(made, states);
    masklab_notes(lab, result, stage, arena, made);
    result->tables[stage] = made;
    return made;
}

static void add_pairs(const MaskLab *lab, MaskResult *result, Arena *arena, MaskStage stage,
                      const char *title, const float *values) {
    bool weights = stage == MASKLAB_SOFTMAX || stage == MASKLAB_WEIGHTS;
    bool finite = lab->fill != MASK_FILL_INFINITY;
    bool hatched = stage == MASKLAB_MASKED || stage == MASKLAB_WEIGHTS ||
                   (stage == MASKLAB_SOFTMAX && !finite);
    bool rows = stage == MASKLAB_WEIGHTS || (stage == MASKLAB_SOFTMAX && !finite);
    MaskLab all = *lab;
    if (stage < MASKLAB_MASKED) all.upto = 0;
    Table table = {.title = title,
                   .quantity = weights ? "weight" : "score",
                   .kind = weights ? TABLE_WEIGHTS : TABLE_SIGNED,
                   .values = values,
                   .sums = weights};
    add_table(lab, result, arena, stage, table, pair_states(&all, result, arena, hatched, rows));
}

static void add_output(const MaskLab *lab, const MaskInput *input, MaskResult *result,
                       Arena *arena) {
    size_t T = (size_t)result->T, D = (size_t)input->features.count;
    float *output = ARENA_ARRAY(arena, float, T *D);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, T * D);
    tensor_product(output, result->trace.weights, input->values, result->T, input->features.count,
                   result->S);
    for (size_t i = (size_t)lab->upto; lab->upto && i < T; i++)
        memset(states + i * D, CELL_MISSING, D);
    Table table = {.title = "output A V",
                   .quantity = "value",
                   .kind = TABLE_SIGNED,
                   .columns = input->features,
                   .values = output};
    result->trace.output = output;
    add_table(lab, result, arena, MASKLAB_OUTPUT, table, states);
}

static void set_plain(const MaskLab *lab, MaskResult *result, Arena *arena) {
    size_t S = (size_t)result->S;
    float *plain = ARENA_ARRAY(arena, float, cells_of(result));
    for (int i = 0; i < result->T; i++) {
        Arena scratch = *arena;
        const float *row = masklab_plain_row(lab, result, i, &scratch);
        memcpy(plain + (size_t)i * S, row, S * sizeof *plain);
    }
    result->plain = plain;
}

static void add_difference(const MaskLab *lab, MaskResult *result, Arena *arena) {
    size_t cells = cells_of(result);
    float *change = ARENA_ARRAY(arena, float, cells);
    for (size_t n = 0; n < cells; n++) change[n] = result->trace.weights[n] - result->plain[n];
    Table table = {.title = "what the mask changed",
                   .quantity = "change",
                   .kind = TABLE_SIGNED,
                   .values = change};
    add_table(lab, result, arena, MASKLAB_DIFFERENCE, table,
              pair_states(lab, result, arena, false, true));
}

/* One side of the comparison as a table of its own. */
static const Table *side_table(const MaskLab *lab, MaskResult *result, Arena *arena, bool masked) {
    Table *side = ARENA_NEW(arena, Table);
    *side = (Table){.stage = masklab_stages[MASKLAB_COMPARE].name,
                    .title = masked ? masklab_name(lab, result, arena) : "without mask",
                    .quantity = "weight",
                    .kind = TABLE_WEIGHTS,
                    .rows = result->queries,
                    .columns = result->keys,
                    .values = masked ? result->trace.weights : result->plain,
                    .sums = true};
    uint8_t *states = pair_states(lab, result, arena, masked, masked);
    table_mark_not_finite(side, states);
    side->states = states;
    return side;
}

/* The two sides beside one another: columns 0 .. S-1 without the mask, S .. 2S-1 with it. */
static void add_compare(const MaskLab *lab, MaskResult *result, Arena *arena) {
    size_t T = (size_t)result->T, S = (size_t)result->S;
    float *values = ARENA_ARRAY(arena, float, 2 * T * S);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, 2 * T * S);
    Label *labels = ARENA_ARRAY(arena, Label, 2 * S);
    for (size_t side = 0; side < 2; side++) {
        const Table *from = result->sides[side] = side_table(lab, result, arena, side == 1);
        for (size_t i = 0; i < T; i++) {
            memcpy(values + (2 * i + side) * S, from->values + i * S, S * sizeof *values);
            memcpy(states + (2 * i + side) * S, from->states + i * S, S);
        }
        for (size_t j = 0; j < S; j++) {
            labels[side * S + j] = result->keys.labels[j];
            labels[side * S + j].full = arena_printf(arena, "%s, %s", result->keys.labels[j].full,
                                                     side ? "with mask" : "without mask");
        }
    }
    Table table = {.title = "weights without and with the mask",
                   .quantity = "weight",
                   .kind = TABLE_WEIGHTS,
                   .columns = {result->keys.name, 2 * result->S, labels},
                   .values = values};
    add_table(lab, result, arena, MASKLAB_COMPARE, table, states);
}

/* Findings of what is wrong stand among the notes that are drawn, the good ones behind them. */
static void note_findings(const MaskInput *input, MaskResult *result, MaskStage stage, int wrong) {
    Table *table = result->tables[stage];
    bool about = stage == MASKLAB_WEIGHTS || stage == MASKLAB_COMPARE;
    for (int i = 0; about && i < wrong; i++) table_note(table, result->findings[i]);
    for (int i = 0; i < input->note_count; i++) table_note(table, input->notes[i]);
    result->own_notes = table->note_count;
    for (int i = wrong; about && i < result->finding_count; i++)
        table_note(table, result->findings[i]);
}

static bool compute_finished(const MaskLab *lab, const MaskInput *input, MaskResult *result,
                             Arena *arena, Err *err) {
    if (lab->stage != MASKLAB_WEIGHTS)
        return err_set(err, "finished weights have no %s to show; take --stage weights",
                       masklab_stages[lab->stage].name);
    size_t cells = cells_of(result);
    result->finished = true;
    bool masked = lab->kind != MASKLAB_NONE || input->keep || *lab->blocked;
    Health health = health_weights(arena, input->weights, masked ? result->allowed : NULL,
                                   result->T, result->S);
    add_findings(result, arena, &health);
    Table table = {.title = "weights as given",
                   .quantity = "weight",
                   .kind = TABLE_WEIGHTS,
                   .values = input->weights,
                   .sums = true};
    add_table(lab, result, arena, MASKLAB_WEIGHTS, table, ARENA_ARRAY(arena, uint8_t, cells));
    note_findings(input, result, MASKLAB_WEIGHTS, health.wrong);
    return true;
}

static bool add_shown(const MaskLab *lab, const MaskInput *input, MaskResult *result, Arena *arena,
                      Err *err) {
    MaskStage stage = (MaskStage)lab->stage;
    add_pairs(lab, result, arena, MASKLAB_WEIGHTS, "weights", result->trace.weights);
    if (stage == MASKLAB_SCORES)
        add_pairs(lab, result, arena, stage, "scores, before scale and mask", input->scores);
    if (stage == MASKLAB_SCALED)
        add_pairs(lab, result, arena, stage, "scaled scores", result->trace.scaled);
    if (stage == MASKLAB_MASKED)
        add_pairs(lab, result, arena, stage, "masked scores", result->trace.masked);
    if (stage == MASKLAB_SOFTMAX)
        add_pairs(lab, result, arena, stage, "what softmax leaves", result->trace.softmax);
    if (stage == MASKLAB_OUTPUT && !input->values)
        return err_set(err, "there are no values to make an output of; take another stage");
    if (stage == MASKLAB_OUTPUT) add_output(lab, input, result, arena);
    if (stage >= MASKLAB_COMPARE) set_plain(lab, result, arena);
    if (stage == MASKLAB_COMPARE) add_compare(lab, result, arena);
    if (stage == MASKLAB_DIFFERENCE) add_difference(lab, result, arena);
    return true;
}

bool masklab_compute(const MaskLab *lab, const MaskInput *input, Arena *arena, MaskResult *result,
                     Err *err) {
    MaskResult made = {.T = input->queries.count,
                       .S = input->keys.count,
                       .queries = input->queries,
                       .keys = input->keys,
                       .scores = input->scores,
                       .bias = input->bias,
                       .scale = input->scale,
                       .keep_name = input->keep_name};
    if (!set_mask(lab, input, &made, arena, err) || !set_upto(lab, &made, arena, err)) return false;
    if (input->weights) {
        if (!compute_finished(lab, input, &made, arena, err)) return false;
        *result = made;
        return true;
    }
    attend(lab, input, &made, arena);
    Health health = health_weights(arena, made.trace.weights, made.allowed, made.T, made.S);
    if (input->bias)
        health_stand_in(&health, arena, input->bias, made.trace.weights, made.T, made.S);
    else
        health_blocked_scores(&health, arena, made.trace.scaled, made.T, made.S);
    add_findings(&made, arena, &health);
    if (!add_shown(lab, input, &made, arena, err)) return false;
    note_findings(input, &made, (MaskStage)lab->stage, health.wrong);
    *result = made;
    return true;
}
