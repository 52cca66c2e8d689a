/* From knobs to the mask, with what was painted over it, and to everything that comes of it. */
#include "scene/masklab.h"

#include "scene/masklab_parts.h"

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

/* What was painted, as a map and as a list. */
typedef struct Painting {
    const MaskResult *result;
    uint8_t *paint; /* [T,S] */
    Cell *cells;
    int count;
} Painting;

static bool paint_cell(Painting *painting, const char *name, const char *word, size_t length,
                       MaskPaint with, Err *err) {
    const MaskResult *result = painting->result;
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
    uint8_t *cell = &painting->paint[(size_t)row * (size_t)result->S + (size_t)column];
    if (*cell != PAINT_NONE && *cell != (uint8_t)with)
        return err_set(err, "the cell %ld,%ld is both blocked and allowed; leave one of them", row,
                       column);
    if (*cell == PAINT_NONE) painting->cells[painting->count++] = (Cell){(int)row, (int)column};
    *cell = (uint8_t)with;
    return true;
}

static bool read_paint(Painting *painting, const char *name, const char *list, MaskPaint with,
                       Err *err) {
    while (*list) {
        size_t blank = strspn(list, "; "), length = strcspn(list + blank, "; ");
        list += blank;
        if (length && !paint_cell(painting, name, list, length, with, err)) return false;
        list += length;
    }
    return true;
}

/* A cell takes three characters at least, and one more between two. */
static bool set_paint(const MaskLab *lab, MaskResult *result, Arena *arena, Err *err) {
    size_t most = (strlen(lab->blocked) + strlen(lab->allowed)) / 3 + 2;
    Painting painting = {.result = result,
                         .paint = ARENA_ARRAY(arena, uint8_t, cells_of(result)),
                         .cells = ARENA_ARRAY(arena, Cell, most)};
    if (!read_paint(&painting, "blocked", lab->blocked, PAINT_BLOCKED, err) ||
        !read_paint(&painting, "allowed", lab->allowed, PAINT_ALLOWED, err))
        return false;
    result->paint = painting.paint;
    result->painted = painting.cells;
    result->painted_count = painting.count;
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
    size_t cells = cells_of(result), S = (size_t)result->S;
    uint8_t *mask = ARENA_ARRAY(arena, uint8_t, cells);
    uint8_t *allowed = ARENA_ARRAY(arena, uint8_t, cells);
    if (!set_padding(lab, input, result, arena, err) ||
        !build_mask(lab, input, result, mask, arena, err) || !set_paint(lab, result, arena, err))
        return false;
    memcpy(allowed, mask, cells);
    for (int n = 0; n < result->painted_count; n++) {
        size_t at = (size_t)result->painted[n].row * S + (size_t)result->painted[n].column;
        allowed[at] = result->paint[at] == PAINT_ALLOWED;
    }
    result->mask = mask;
    result->allowed = allowed;
    return true;
}

/* The keys that the last row shown sees and the one before it does not. */
static bool set_upto(const MaskLab *lab, MaskResult *result, Arena *arena, Err *err) {
    int T = result->T, S = result->S, row = lab->upto - 1;
    if (lab->upto > T)
        return err_set(err, "there %s only %d quer%s to go up to, not %d; 0 shows all of them",
                       T == 1 ? "is" : "are", T, T == 1 ? "y" : "ies", lab->upto);
    if (row < 0) return true;
    uint8_t *opened = ARENA_ARRAY(arena, uint8_t, cells_of(result));
    size_t at = (size_t)row * (size_t)S;
    for (size_t j = 0; j < (size_t)S; j++)
        opened[at + j] =
            result->allowed[at + j] && (row == 0 || !result->allowed[at - (size_t)S + j]);
    result->opened = opened;
    return true;
}

/* ---- what comes of it ---- */

static MaskLeak find_leak(const MaskLab *lab, const MaskResult *result) {
    MaskLeak leak = {0};
    for (int n = 0; n < result->painted_count && masklab_is_causal(lab); n++) {
        Cell cell = result->painted[n];
        size_t at = (size_t)cell.row * (size_t)result->S + (size_t)cell.column;
        bool ahead =
            cell.column > mask_position(cell.row, result->T, result->S, (MaskAlign)lab->align);
        if (!ahead || result->paint[at] != PAINT_ALLOWED || result->mask[at]) continue;
        bool before = cell.row < leak.row || (cell.row == leak.row && cell.column < leak.column);
        if (leak.cells++ == 0 || before) {
            leak.row = cell.row;
            leak.column = cell.column;
        }
        leak.weight += (double)result->weights[at];
    }
    return leak;
}

/* What of a row counts: cells that have a number and are under no mask; NULL: all of them. */
static const uint8_t *counted_cells(const MaskResult *result, bool masked, Arena *arena) {
    if (!masked || !result->given) return masked ? result->allowed : result->given;
    uint8_t *counted = ARENA_ARRAY(arena, uint8_t, cells_of(result));
    for (size_t n = 0; n < cells_of(result); n++)
        counted[n] = result->allowed[n] && result->given[n];
    return counted;
}

static bool take_finished(const MaskLab *lab, const MaskInput *input, MaskResult *result,
                          Arena *arena, Err *err) {
    if (lab->stage != MASKLAB_WEIGHTS)
        return err_set(err, "finished weights have no %s to show; take --stage weights",
                       masklab_stages[lab->stage].name);
    bool masked = lab->kind != MASKLAB_NONE || input->keep || *lab->blocked;
    result->finished = true;
    result->weights = input->weights;
    if (input->missing) {
        uint8_t *given = ARENA_ARRAY(arena, uint8_t, cells_of(result));
        for (size_t n = 0; n < cells_of(result); n++) given[n] = !input->missing[n];
        result->given = given;
    }
    masklab_read_rows(result, counted_cells(result, masked, arena), arena);
    return true;
}

const int *masklab_walk(const MaskResult *result) {
    static const int finished[] = {MASKLAB_WEIGHTS, -1};
    return result->finished ? finished : NULL;
}

bool masklab_compute(const MaskLab *lab, const MaskInput *input, Arena *arena, MaskResult *result,
                     Err *err) {
    MaskResult made = {.T = input->queries.count,
                       .S = input->keys.count,
                       .queries = input->queries,
                       .keys = input->keys,
                       .scores = input->scores,
                       .bias = input->bias,
                       .rule = {.scale = input->factor,
                                .temperature = (float)lab->temperature,
                                .fill = mask_fill((MaskFill)lab->fill)},
                       .scale = input->scale,
                       .keep_name = input->keep_name};
    if (!set_mask(lab, input, &made, arena, err) || !set_upto(lab, &made, arena, err)) return false;
    if (!input->weights) {
        masklab_attend(&made, result, lab->stage >= MASKLAB_COMPARE, arena);
        made.leak = find_leak(lab, &made);
    } else if (!take_finished(lab, input, &made, arena, err)) {
        return false;
    }
    if (!masklab_tables(lab, input, &made, arena, err)) return false;
    *result = made;
    return true;
}
