/* The mask laboratory on the canvas and under the hand: one figure or a pair, what a cell is made
 * of without and with the mask, and painting as a command line. */
#include "base/text.h"
#include "base/words.h"
#include "core/softmax.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/masklab_parts.h"
#include "scene/pair.h"

#include <math.h>
#include <string.h>

static bool is_pair(const MaskFigure *figure) {
    return figure->lab->stage == MASKLAB_COMPARE;
}

static Figure one(const MaskFigure *figure, Arena *arena) {
    const MaskResult *result = figure->result;
    bool pairs = figure->lab->stage >= MASKLAB_MASKED && figure->lab->stage != MASKLAB_OUTPUT;
    return (Figure){.caption = masklab_caption(figure, arena),
                    .facts = masklab_facts(figure, arena),
                    .table = result->tables[figure->lab->stage],
                    .view = figure->view,
                    .notes = result->own_notes ? result->own_notes : -1,
                    .marked = pairs ? result->opened : NULL};
}

static Pair two(const MaskFigure *figure, Arena *arena) {
    const MaskResult *result = figure->result;
    return (Pair){
        .caption = masklab_caption(figure, arena),
        .facts = arena_printf(arena, "%s · colours: 0 to 1, shared", masklab_facts(figure, arena)),
        .titles = {result->sides[0]->title, result->sides[1]->title},
        .sides = {result->sides[0], result->sides[1]},
        .both = result->tables[MASKLAB_COMPARE],
        .notes = result->own_notes ? result->own_notes : -1,
        .view = figure->view,
        .marked = result->opened};
}

void masklab_draw(const MaskFigure *figure, Canvas *canvas, Rect rect) {
    if (is_pair(figure)) {
        Pair pair = two(figure, canvas->arena);
        pair_draw(canvas, rect, &pair);
    } else {
        Figure single = one(figure, canvas->arena);
        figure_draw(canvas, rect, &single);
    }
}

void masklab_natural(const MaskFigure *figure, Canvas *canvas, int *width, int *height) {
    if (is_pair(figure)) {
        Pair pair = two(figure, canvas->arena);
        pair_natural(canvas, &pair, width, height);
    } else {
        Figure single = one(figure, canvas->arena);
        figure_natural(canvas, &single, width, height);
    }
}

bool masklab_locate(const MaskFigure *figure, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    if (is_pair(figure)) {
        Pair pair = two(figure, canvas->arena);
        return pair_locate(canvas, rect, &pair, x, y, cell);
    }
    Figure single = one(figure, canvas->arena);
    return figure_locate(canvas, rect, &single, x, y, cell);
}

const char *masklab_geometry(const MaskFigure *figure, Canvas *canvas, Rect rect, Arena *arena) {
    if (is_pair(figure)) {
        Pair pair = two(figure, arena);
        return pair_geometry(canvas, rect, &pair, arena);
    }
    Figure single = one(figure, arena);
    return figure_geometry(canvas, rect, &single, arena);
}

/* ---- a cell ---- */

/* The pair of query and key that a cell of the stage shown is about. */
static Cell pair_cell(const MaskFigure *figure, Cell cell) {
    if (is_pair(figure)) cell.column %= figure->result->S;
    return cell;
}

static const char *why_blocked(const MaskFigure *figure, size_t at) {
    if (figure->result->paint[at] == PAINT_BLOCKED) return "blocked by paint";
    return "blocked by the mask";
}

static void probe_steps(const MaskFigure *figure, Arena *arena, size_t at, Probe *probe) {
    const MaskLab *lab = figure->lab;
    const MaskResult *result = figure->result;
    size_t S = (size_t)result->S, key = at % S;
    AttentionTrace trace = masklab_row(result, (int)(at / S), result->allowed + (at - key), arena);
    inspect_number(probe, arena, "score", (double)result->scores[at])->hot =
        lab->stage == MASKLAB_SCORES || (lab->stage == MASKLAB_SCALED && !result->scale);
    if (lab->stage == MASKLAB_SCORES) return;
    if (result->scale)
        inspect_number(probe, arena, arena_printf(arena, "× %s", result->scale),
                       (double)trace.scaled[key])
            ->hot = lab->stage == MASKLAB_SCALED;
    if (lab->stage == MASKLAB_SCALED) return;
    if (result->bias) {
        inspect_number(probe, arena, "bias", (double)result->bias[at]);
        if (result->allowed[at])
            inspect_number(probe, arena, "score + bias", (double)trace.masked[key]);
    }
    if (!result->allowed[at])
        inspect_line(probe, why_blocked(figure, at), masklab_fills[lab->fill].label);
    probe->lines[probe->line_count - 1].hot = lab->stage == MASKLAB_MASKED;
    if (result->allowed[at] && result->paint[at] == PAINT_ALLOWED)
        inspect_line(probe, "allowed by paint", "");
    if (lab->stage != MASKLAB_SOFTMAX) return;
    if (trace.masked[key] != -INFINITY)
        inspect_softmax(probe, arena, trace.masked, result->S, (int)key, lab->temperature);
    inspect_number(probe, arena, "softmax leaves", (double)trace.softmax[key])->hot = true;
}

static const char *signed_digits(Arena *arena, double value) {
    const char *digits = inspect_digits(arena, value);
    return value > 0 ? arena_printf(arena, "+%s", digits) : digits;
}

/* Old and new weight; plain_side: the cell is one of those without the mask. */
static void probe_change(const MaskFigure *figure, Arena *arena, Cell cell, bool plain_side,
                         Probe *probe) {
    MaskStage stage = (MaskStage)figure->lab->stage;
    const MaskResult *result = figure->result;
    size_t at = (size_t)cell.row * (size_t)result->S + (size_t)cell.column;
    double plain = (double)masklab_row(result, cell.row, NULL, arena).weights[cell.column];
    double now = (double)result->weights[at];
    struct ProbeLine *first = inspect_number(probe, arena, "without mask", plain);
    first->rule = true;
    first->hot = plain_side;
    inspect_number(probe, arena, "with mask", now)->hot =
        stage == MASKLAB_WEIGHTS || (stage == MASKLAB_COMPARE && !plain_side);
    inspect_line(probe, "change", signed_digits(arena, now - plain))->hot =
        stage == MASKLAB_DIFFERENCE;
}

static void probe_row(const MaskFigure *figure, Arena *arena, Cell cell, Probe *probe) {
    const MaskResult *result = figure->result;
    const Table *weights = result->tables[MASKLAB_WEIGHTS];
    size_t at = (size_t)cell.row * (size_t)result->S;
    if (result->finished) {
        inspect_row(probe, arena, weights, result->given ? result->given + at : NULL, cell.row);
        return;
    }
    AttentionTrace row = masklab_row(result, cell.row, result->allowed + at, arena);
    inspect_row(probe, arena, weights, masklab_open(&row, result->allowed + at, result->S, arena),
                cell.row);
    probe->foot[probe->foot_count++] = (struct ProbeLine){
        .name = "keys allowed",
        .value = arena_printf(arena, "%d", result->rows[cell.row].health.allowed)};
}

/* What a score that is no ordinary number does to its row; NULL where there is none. */
static const char *odd_row(const MaskResult *result, Arena *arena, int row) {
    const uint8_t *allowed = result->allowed + (size_t)row * (size_t)result->S;
    float largest = softmax_max(masklab_row(result, row, allowed, arena).masked, result->S);
    if (isnan(largest)) return "A score of this row is NaN, and so is every weight made of it.";
    if (largest == INFINITY) return "A score of +∞ takes the whole row; several share it evenly.";
    return NULL;
}

static const char *cell_sentence(const MaskFigure *figure, Arena *arena, Cell cell) {
    const MaskResult *result = figure->result;
    size_t at = (size_t)cell.row * (size_t)result->S + (size_t)cell.column;
    int64_t place = mask_position(cell.row, result->T, result->S, (MaskAlign)figure->lab->align);
    bool painted = result->paint[at] == PAINT_ALLOWED && !result->mask[at];
    if (result->leak.cells && painted && cell.column > place)
        return arena_printf(arena,
                            "A leak: the query sees a key that comes after it, and %.4f of its "
                            "weight leaks.",
                            (double)result->weights[at]);
    if (result->queries.labels[cell.row].padding)
        return "The query is padding: what it sees is of no use to anyone.";
    if (mask_row_count(result->allowed, cell.row, result->S) == 0)
        return "No key is allowed in this row: there is nothing to share out.";
    if (result->padding[cell.column] && !result->allowed[at]) return "The key is padding.";
    return odd_row(result, arena, cell.row);
}

static void probe_output(const MaskFigure *figure, Arena *arena, Cell cell, Probe *probe) {
    inspect_number(probe, arena, "Σ weight × value", (double)probe->value)->hot = true;
    probe_row(figure, arena, cell, probe);
}

bool masklab_probe(const MaskFigure *figure, Arena *arena, Cell cell, Probe *probe) {
    const MaskResult *result = figure->result;
    const Table *shown = result->tables[figure->lab->stage];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *probe = inspect_cell(arena, shown, cell);
    inspect_label(probe, arena, "query", &result->queries.labels[cell.row]);
    if (figure->lab->stage == MASKLAB_OUTPUT) {
        probe_output(figure, arena, cell, probe);
        return true;
    }
    Cell pair = pair_cell(figure, cell);
    inspect_label(probe, arena, "key", &result->keys.labels[pair.column]);
    probe->title = arena_printf(arena, "%s → %s", inspect_name(arena, &result->queries, pair.row),
                                inspect_name(arena, &result->keys, pair.column));
    size_t at = (size_t)pair.row * (size_t)result->S + (size_t)pair.column;
    if (result->finished) {
        inspect_number(probe, arena, "weight", (double)probe->value)->hot = true;
    } else {
        probe_steps(figure, arena, at, probe);
        if (figure->lab->stage >= MASKLAB_WEIGHTS)
            probe_change(figure, arena, pair,
                         figure->lab->stage == MASKLAB_COMPARE && cell.column < result->S, probe);
    }
    if (figure->lab->stage >= MASKLAB_WEIGHTS) probe_row(figure, arena, pair, probe);
    if (!result->finished && figure->lab->stage >= MASKLAB_MASKED)
        probe->sentence = cell_sentence(figure, arena, pair);
    return true;
}

/* ---- painting ---- */

/* The painted cells of a kind; the one at `skip` is left out, the cell `more` stands at the end. */
static const char *paint_list(const MaskResult *result, MaskPaint with, Cell skip, const Cell *more,
                              Arena *arena) {
    Text list = text_open(arena);
    for (int n = 0; n < result->painted_count; n++) {
        Cell cell = result->painted[n];
        bool same = cell.row == skip.row && cell.column == skip.column;
        size_t at = (size_t)cell.row * (size_t)result->S + (size_t)cell.column;
        if (same || result->paint[at] != (uint8_t)with) continue;
        text_addf(&list, "%s%d,%d", list.length ? ";" : "", cell.row, cell.column);
    }
    if (more) text_addf(&list, "%s%d,%d", list.length ? ";" : "", more->row, more->column);
    return list.length ? list.bytes : "";
}

static const char *paint_line(const char *blocked, const char *allowed, Arena *arena) {
    const char *words[] = {"set", "blocked", blocked, "allowed", allowed};
    Text line = text_open(arena);
    for (int i = 0; i < 5; i++) words_add(&line, words[i]);
    return line.bytes;
}

const char *masklab_paint(const MaskFigure *figure, Cell cell, int want, Arena *arena) {
    const MaskResult *result = figure->result;
    if (cell.row < 0) return paint_line("", "", arena);
    bool pairs = figure->lab->stage != MASKLAB_OUTPUT && !result->finished;
    cell = pair_cell(figure, cell);
    if (!pairs || cell.row >= result->T || cell.column < 0 || cell.column >= result->S) return NULL;
    size_t at = (size_t)cell.row * (size_t)result->S + (size_t)cell.column;
    int to = want < 0 ? !result->allowed[at] : want;
    bool paints = to != (int)result->mask[at];
    return paint_line(paint_list(result, PAINT_BLOCKED, cell, paints && !to ? &cell : NULL, arena),
                      paint_list(result, PAINT_ALLOWED, cell, paints && to ? &cell : NULL, arena),
                      arena);
}
