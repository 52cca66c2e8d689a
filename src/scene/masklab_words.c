/* The mask laboratory in words: the mask's name, the caption, the line of facts, the notes, and the
 * sentence that says what a step changed. */
#include "base/text.h"
#include "base/words.h"
#include "core/softmax.h"
#include "scene/inspect.h"
#include "scene/masklab_parts.h"

#include <math.h>
#include <string.h>

enum { SEGMENTS_SHOWN = 8, KEYS_NAMED = 2 };

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static bool has_padding(const MaskLab *lab) {
    return lab->kind == MASKLAB_PADDING || lab->kind == MASKLAB_CAUSAL_PADDING;
}

bool masklab_is_causal(const MaskLab *lab) {
    bool window = lab->kind == MASKLAB_WINDOW && lab->window_right == 0;
    return lab->kind == MASKLAB_CAUSAL || lab->kind == MASKLAB_CAUSAL_PADDING ||
           lab->kind == MASKLAB_PREFIX || window;
}

static const char *window_name(const MaskLab *lab, Arena *arena) {
    const char *self = lab->counts_self ? "self counted" : "self not counted";
    const char *name =
        arena_printf(arena, "window of %d key%s, %s", lab->window, plural(lab->window), self);
    if (lab->window_right)
        name = arena_printf(arena, "%s, and %d after the query", name, lab->window_right);
    return name;
}

const char *masklab_name(const MaskLab *lab, const MaskResult *result, Arena *arena) {
    switch ((MaskKind)lab->kind) {
    case MASKLAB_NONE:
        return result->keep_name ? result->keep_name : "no mask";
    case MASKLAB_CAUSAL:
        return "causal mask";
    case MASKLAB_PADDING:
        return "padding mask";
    case MASKLAB_CAUSAL_PADDING:
        return "causal + padding mask";
    case MASKLAB_WINDOW:
        return window_name(lab, arena);
    case MASKLAB_PREFIX:
        return arena_printf(arena, "prefix of %d, then causal", lab->prefix);
    case MASKLAB_DOCUMENTS:
        return arena_printf(arena, "%d document%s in one row", result->documents,
                            plural(result->documents));
    }
    return "";
}

const char *masklab_caption(const MaskFigure *figure, Arena *arena) {
    const MaskLab *lab = figure->lab;
    const MaskResult *result = figure->result;
    const Table *shown = result->tables[lab->stage];
    const char *name = masklab_name(lab, result, arena);
    bool before = lab->stage < MASKLAB_MASKED && lab->kind != MASKLAB_NONE;
    Text text = text_open(arena);
    text_addf(&text, "%s: %s · %s%s", figure->title, shown->title, before ? "before the " : "",
              name);
    if (lab->kind != MASKLAB_NONE && result->keep_name)
        text_addf(&text, " and %s", result->keep_name);
    if (result->T != result->S && lab->kind != MASKLAB_NONE)
        text_addf(&text, ", aligned %s", masklab_aligns[lab->align].label);
    int cells = result->painted_count;
    if (cells) text_addf(&text, " · %d cell%s painted", cells, plural(cells));
    if (lab->upto) text_addf(&text, " · %d of %d queries", lab->upto, result->T);
    if (lab->fill != MASK_FILL_INFINITY && lab->stage >= MASKLAB_MASKED)
        text_addf(&text, " · fill %s", masklab_fills[lab->fill].label);
    if (lab->temperature != 1 && lab->stage >= MASKLAB_SOFTMAX && !result->finished)
        text_addf(&text, " · temperature %.4g", lab->temperature);
    return text.bytes;
}

const char *masklab_facts(const MaskFigure *figure, Arena *arena) {
    const MaskLab *lab = figure->lab;
    const MaskResult *result = figure->result;
    const char *scale = result->scale ? result->scale : "none";
    if (result->finished) return arena_printf(arena, "mask: %s", masklab_name(lab, result, arena));
    if (lab->stage == MASKLAB_SCORES) return "scale and mask: not yet applied";
    if (lab->stage == MASKLAB_SCALED)
        return arena_printf(arena, "mask: not yet applied · scale: %s", scale);
    return arena_printf(arena, "mask: %s · scale: %s · fill: %s · temperature: %.4g",
                        masklab_kinds[lab->kind].label, scale, masklab_fills[lab->fill].label,
                        lab->temperature);
}

/* ---- notes ---- */

static int row_count(const MaskResult *result, int row) {
    return result->finished ? mask_row_count(result->allowed, row, result->S)
                            : result->rows[row].health.allowed;
}

/* Rows from row on whose counts stay, or rise by one from each to the next. */
static int segment(const MaskResult *result, int row, int *step) {
    int length = 1, count = row_count(result, row);
    *step = 0;
    for (; row + length < result->T; length++) {
        int next = row_count(result, row + length);
        if (length == 1 && (next - count == 0 || next - count == 1)) *step = next - count;
        if (next != count + *step * length) break;
    }
    return length;
}

/* "1 to 3 keys allowed in rows 0 to 2, 3 keys allowed in rows 3 to 5." */
static const char *keys_allowed(const MaskResult *result, Arena *arena) {
    Text text = text_open(arena);
    int shown = 0;
    for (int row = 0, length; row < result->T; row += length) {
        int step, count = row_count(result, row);
        length = segment(result, row, &step);
        if (shown++ == SEGMENTS_SHOWN) {
            text_add(&text, " and so on");
            break;
        }
        text_addf(&text, "%s%d", shown > 1 ? ", " : "", count);
        if (step) text_addf(&text, " to %d", count + step * (length - 1));
        text_addf(&text, " key%s allowed in row%s %d", plural(step ? 2 : count), plural(length),
                  row);
        if (length > 1) text_addf(&text, " to %d", row + length - 1);
    }
    text_add(&text, ".");
    return text.bytes;
}

static const char *leak_sentence(const MaskResult *result, Arena *arena) {
    MaskLeak leak = result->leak;
    if (!leak.cells) return NULL;
    const char *query = inspect_name(arena, &result->queries, leak.row);
    const char *key = inspect_name(arena, &result->keys, leak.column);
    if (leak.cells == 1)
        return arena_printf(arena,
                            "A leak: %s sees %s, which comes after it; %.4f of its weight leaks "
                            "from the future.",
                            query, key, leak.weight);
    return arena_printf(arena,
                        "A leak: %d painted cells look ahead, the first is %s → %s; %.4f of weight "
                        "leaks from the future.",
                        leak.cells, query, key, leak.weight);
}

/* How much weight softmax has left under the mask: all of a row without a key, or what slipped
 * through a fill that is too small. */
static const char *fill_sentence(const MaskLab *lab, const MaskResult *result, Arena *arena) {
    const char *fill = masklab_fills[lab->fill].label;
    int empty = 0, slipped = 0;
    double most = 0;
    for (int i = 0; i < result->T; i++) {
        double under = result->rows[i].slipped;
        bool none = row_count(result, i) == 0;
        empty += none && under > 0;
        slipped += !none && under > 0;
        if (!none) most = fmax(most, under);
    }
    if (slipped)
        return arena_printf(arena,
                            "The fill %s is too small: in %d row%s weight slips through to blocked "
                            "keys, at most %.4g; the second masking takes it out again, and the "
                            "row no longer sums to 1.",
                            fill, slipped, plural(slipped), most);
    if (empty)
        return arena_printf(arena,
                            "With the fill %s softmax makes a row without any key uniform; the "
                            "second masking makes exact zeros of it (%d row%s).",
                            fill, empty, plural(empty));
    return NULL;
}

static const char *padding_sentence(const MaskLab *lab, const MaskResult *result, Arena *arena) {
    int count = 0, first = result->S;
    for (int j = 0; j < result->S; j++) {
        if (!result->padding[j] && first == result->S) first = j;
        count += result->padding[j];
    }
    if (!count) return NULL;
    if (!has_padding(lab))
        return arena_printf(arena,
                            "%d key%s padding, and this mask does not hide %s: padding takes "
                            "weight.",
                            count, count == 1 ? " is" : "s are", count == 1 ? "it" : "them");
    if (first > 0 && first < result->S)
        return arena_printf(arena,
                            "Padding hides keys, not queries: grey rows are queries that are "
                            "padding. It stands on the left, so row %d is position 0.",
                            first);
    return "Padding hides keys, not queries: grey rows are queries that are padding.";
}

/* A mask of a file that is read the wrong way round often leaves nothing but padding. */
static const char *nothing_left(const MaskResult *result) {
    if (!result->keep_name || result->finished) return NULL;
    bool padded = false;
    for (int j = 0; j < result->S; j++) padded = padded || result->padding[j];
    for (int i = 0; i < result->T; i++)
        if (row_count(result, i) > 0) return NULL;
    if (!padded) return NULL;
    return "Warning: the mask of the file leaves only padding, and every real token is blocked. "
           "Perhaps its 1 means the opposite: see --mask-means.";
}

static void note(Table *table, const char *sentence) {
    if (sentence) table_note(table, sentence);
}

void masklab_notes(const MaskLab *lab, const MaskResult *result, MaskStage stage, Arena *arena,
                   Table *table) {
    if (result->finished || stage < MASKLAB_MASKED) return;
    note(table, leak_sentence(result, arena));
    if (lab->kind != MASKLAB_NONE || result->keep_name || result->painted_count)
        note(table, keys_allowed(result, arena));
    if (lab->fill != MASK_FILL_INFINITY && stage <= MASKLAB_WEIGHTS)
        note(table, fill_sentence(lab, result, arena));
    note(table, padding_sentence(lab, result, arena));
    note(table, nothing_left(result));
}

/* ---- the sentence under the figure ---- */

/* The names of some keys of a row: "bad, at and 2 more". */
static const char *key_names(const MaskResult *result, const uint8_t *keys, Arena *arena) {
    Text text = text_open(arena);
    int count = 0, named = 0;
    for (int j = 0; j < result->S; j++) count += keys[j] != 0;
    for (int j = 0; j < result->S && named < KEYS_NAMED; j++) {
        if (!keys[j]) continue;
        bool last = named + 1 == count;
        text_addf(&text, "%s%s",
                  named == 0 ? ""
                  : last     ? " and "
                             : ", ",
                  inspect_name(arena, &result->keys, j));
        named++;
    }
    if (count > named) text_addf(&text, " and %d more", count - named);
    return count ? text.bytes : NULL;
}

static const char *row_sentence(const MaskFigure *figure, int row, Arena *arena) {
    const MaskResult *result = figure->result;
    size_t at = (size_t)row * (size_t)result->S;
    bool stepping = figure->lab->upto && row == figure->lab->upto - 1;
    const char *query = inspect_name(arena, &result->queries, row);
    if (row_count(result, row) == 0)
        return arena_printf(arena, "%s may see no key: there is nothing to share out.", query);
    const char *keys = stepping ? key_names(result, result->opened + at, arena) : NULL;
    const char *sees =
        keys       ? arena_printf(arena, "now see %s", keys)
        : stepping ? "see nothing new"
                   : arena_printf(arena, "see %d of %d keys", row_count(result, row), result->S);
    const float *plain = masklab_row(result, row, NULL, arena).weights;
    double taken = 0;
    for (size_t j = 0; j < (size_t)result->S; j++)
        if (!result->allowed[at + j]) taken += (double)plain[j];
    if (isnan(taken)) return arena_printf(arena, "%s may %s. Its scores hold a NaN.", query, sees);
    if (taken < 1e-6)
        return arena_printf(arena, "%s may %s. The mask took nothing of its row.", query, sees);
    if (taken > 1 - 1e-6)
        return arena_printf(arena,
                            "%s may %s. The mask took almost all of its row; the little that is "
                            "left was scaled up to 1.",
                            query, sees);
    return arena_printf(arena,
                        "%s may %s. The mask took %.2f of its row; what is left was scaled up by "
                        "%.2f.",
                        query, sees, taken, 1 / (1 - taken));
}

const char *masklab_sentence(const MaskFigure *figure, Arena *arena) {
    const MaskLab *lab = figure->lab;
    const MaskResult *result = figure->result;
    if (result->finished) return NULL;
    int row = lab->upto ? lab->upto - 1 : figure->view->row;
    if (row >= 0 && row < result->T) return row_sentence(figure, row, arena);
    const char *leak = leak_sentence(result, arena);
    if (leak) return leak;
    int open = 0;
    for (int i = 0; i < result->T; i++) open += row_count(result, i);
    double pairs = (double)result->T * result->S;
    if (open == (int)pairs) return "Every query may see every key.";
    return arena_printf(arena, "Of %.0f pairs %.0f are blocked. Choose a row to see what it lost.",
                        pairs, pairs - open);
}
