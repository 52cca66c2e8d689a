/* A sentence under an encoding as tables: pairs of query and key, and what becomes of the weights
 * when the words change places. */
#include "scene/encoding.h"

#include "base/text.h"

#include <string.h>

/* Weights that differ by less come from sums in another order, not from the encoding. */
static const float NOTICED = 1e-5F;

static bool has_buckets(EncodingKind kind) {
    return kind == ENCODING_T5 || kind == ENCODING_RELATIVE;
}

/* values[T,T] of queries and keys; blocked where the head's mask says so. */
static Table pair_table(const Sentence *sentence, const char *title, const char *quantity,
                        TableKind kind, const float *values, const uint8_t *allowed, Arena *arena) {
    size_t cells = (size_t)sentence->T * (size_t)sentence->T;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    for (size_t i = 0; allowed && i < cells; i++)
        if (!allowed[i]) states[i] = CELL_BLOCKED;
    Table table = {.title = title,
                   .quantity = quantity,
                   .kind = kind,
                   .rows = {"query", sentence->T, sentence->labels},
                   .columns = {"key", sentence->T, sentence->labels},
                   .values = values,
                   .states = states,
                   .sums = kind == TABLE_WEIGHTS};
    table_seal(&table, states);
    return table;
}

static Table bucket_table(const EncodingRule *rule, const Sentence *sentence, Arena *arena) {
    int T = sentence->T;
    bool counts = has_buckets(rule->kind);
    float *values = ARENA_ARRAY(arena, float, (size_t)T *(size_t)T);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            values[(size_t)i * (size_t)T + (size_t)j] =
                (float)encoding_bucket(rule, relative_position((RelativeMap){T, T, 0}, i, j));
    const char *title = rule->kind == ENCODING_T5 ? "bucket of every pair"
                        : counts                  ? "row of the table"
                                                  : "relative position";
    Table table = pair_table(sentence, title, counts ? "number" : "key − query",
                             counts ? TABLE_COUNTS : TABLE_SIGNED, values, NULL, arena);
    table.columns.name = "key, at the relative position key − query";
    table_note(&table, "A relative position is key minus query: negative behind the query, "
                       "positive ahead of it.");
    return table;
}

/* What the encoding changes in the scores: its bias, or the difference to none. */
static float *score_change(const EncodingRule *rule, const Sentence *sentence,
                           const EncodedHead *head, Arena *arena) {
    int T = sentence->T;
    if (encoding_has_bias(rule->kind)) return encoding_bias(rule, T, arena);
    EncodingRule none = *rule;
    none.kind = ENCODING_NONE;
    EncodedHead plain = encoding_attend(&none, sentence->x, T, sentence->D, arena);
    float *change = ARENA_ARRAY(arena, float, (size_t)T *(size_t)T);
    for (size_t i = 0; i < (size_t)T * (size_t)T; i++)
        change[i] = head->scores[i] - plain.scores[i];
    return change;
}

static Table bias_table(const EncodingRule *rule, const Sentence *sentence, const EncodedHead *head,
                        Arena *arena) {
    const char *what =
        encoding_has_bias(rule->kind) ? "bias added to the scores" : "change of the scores";
    Table table =
        pair_table(sentence, arena_printf(arena, "%s (%s)", what, encoding_name(rule, arena)),
                   "bias", TABLE_SIGNED, score_change(rule, sentence, head, arena), NULL, arena);
    table.columns.name = "key, at the relative position key − query";
    table_note(&table, "By the relative position, key minus query: a key ahead stands right of the "
                       "diagonal.");
    return table;
}

/* The share of attention that goes to keys behind the query's own place in the reading. */
static double share_ahead(const EncodedHead *head) {
    double sum = 0;
    for (int i = 0; i < head->T; i++)
        for (int j = i + 1; j < head->T; j++)
            sum += (double)head->weights[(size_t)i * (size_t)head->T + (size_t)j];
    return sum / head->T;
}

/* A bias makes far keys weak; it forbids none. */
static void note_mask(const EncodingRule *rule, const EncodedHead *head, Table *table,
                      Arena *arena) {
    const char *name = rule->kind == ENCODING_ALIBI ? "ALiBi"
                       : rule->kind == ENCODING_T5  ? "T5's bias"
                                                    : "a clipped bias";
    if (!encoding_has_bias(rule->kind)) return;
    if (rule->causal)
        table_note(table, arena_printf(arena,
                                       "The hatched keys are blocked by the causal mask, not by "
                                       "%s.",
                                       name));
    else
        table_note(table, arena_printf(arena,
                                       "Without a causal mask %.1f %% of the attention still goes "
                                       "to keys ahead of their query: %s is no mask.",
                                       100 * share_ahead(head), name));
}

Table encoding_map(const EncodingRule *rule, EncodingMap map, const Sentence *sentence,
                   const EncodedHead *head, Arena *arena) {
    const char *name = encoding_name(rule, arena);
    Table table;
    if (map == ENCODING_MAP_BUCKETS)
        table = bucket_table(rule, sentence, arena);
    else if (map == ENCODING_MAP_BIAS)
        table = bias_table(rule, sentence, head, arena);
    else if (map == ENCODING_MAP_SCORES)
        table = pair_table(sentence, arena_printf(arena, "scaled scores (%s)", name), "score",
                           TABLE_SIGNED, head->scores, head->allowed, arena);
    else
        table = pair_table(sentence, arena_printf(arena, "weights (%s)", name), "weight",
                           TABLE_WEIGHTS, head->weights, head->allowed, arena);
    if (map == ENCODING_MAP_WEIGHTS) note_mask(rule, head, &table, arena);
    return table;
}

Table encoding_difference(const Table *left, const EncodingRule *left_rule, const Table *right,
                          const EncodingRule *right_rule, Arena *arena) {
    size_t cells = (size_t)left->rows.count * (size_t)left->columns.count;
    float *values = ARENA_ARRAY(arena, float, cells);
    for (size_t i = 0; i < cells; i++) values[i] = left->values[i] - right->values[i];
    Table table = *left;
    table.title =
        arena_printf(arena, "difference: %s − %s", encoding_choices[left_rule->kind].label,
                     encoding_choices[right_rule->kind].label);
    table.quantity = "difference";
    table.kind = TABLE_SIGNED;
    table.values = values;
    table.sums = false;
    table.note_count = 0;
    table.summary.known = false;
    return table;
}

static const int *reversed_places(int T, Arena *arena) {
    int *place = ARENA_ARRAY(arena, int, T);
    for (int i = 0; i < T; i++) place[i] = T - 1 - i;
    return place;
}

/* A row of changes; false when the encoding refuses the sentence. */
static bool add_changes(const EncodingRule *rule, EncodingKind kind, const Sentence *typed,
                        const int *place, float *change, Arena *arena) {
    EncodingRule own = *rule;
    own.kind = kind;
    if (!encoding_check(&own, typed->T, typed->D, true, NULL)) return false;
    encoding_change(&own, typed->x, place, typed->T, typed->D, change, arena);
    for (int i = 0; i < typed->T; i++)
        if (change[i] < NOTICED) change[i] = 0;
    return true;
}

static bool row_notices(const Table *table, int row) {
    for (int i = 0; i < table->columns.count; i++)
        if (table_state(table, row, i) == CELL_OK && table_value(table, row, i) > 0) return true;
    return false;
}

/* "sinusoidal, learned and RoPE"; NULL for none. */
static const char *list_rows(const Table *table, bool noticing, Arena *arena) {
    const char *names[ENCODING_COUNT];
    int count = 0;
    for (int k = 0; k < ENCODING_COUNT; k++)
        if (table_state(table, k, 0) == CELL_OK && row_notices(table, k) == noticing)
            names[count++] = encoding_choices[k].label;
    Text list = text_open(arena);
    for (int i = 0; i < count; i++)
        text_addf(&list, "%s%s", i == 0 ? "" : i == count - 1 ? " and " : ", ", names[i]);
    return count ? list.bytes : NULL;
}

static void note_noticing(const EncodingRule *rule, Table *table, bool reversed, Arena *arena) {
    const char *yes = list_rows(table, true, arena), *no = list_rows(table, false, arena);
    if (yes)
        table_note(table, arena_printf(arena, "These notice that the words have moved: %s.", yes));
    if (no) table_note(table, arena_printf(arena, "These do not notice, 0 everywhere: %s.", no));
    if (reversed && !rule->causal && rule->form == ALIBI_SYMMETRIC)
        table_note(table, "Symmetric ALiBi sees distances alone, and reversing keeps them all.");
    if (rule->causal)
        table_note(table, "A causal mask knows the order too: under it even no encoding notices.");
}

Table encoding_order(const EncodingRule *rule, const Sentence *typed, const int *place,
                     Arena *arena) {
    int T = typed->T;
    bool reversed = place == NULL;
    Label *names = ARENA_ARRAY(arena, Label, ENCODING_COUNT);
    if (reversed) place = reversed_places(T, arena);
    float *values;
    uint8_t *states;
    for (int k = 0; k < ENCODING_COUNT; k++)
        names[k] = label_plain(arena, encoding_choices[k].label);
    Table table = table_new(arena, (TableAxis){"encoding", ENCODING_COUNT, names},
                            (TableAxis){"token, as typed", T, typed->labels}, &values, &states);
    for (int k = 0; k < ENCODING_COUNT; k++)
        if (!add_changes(rule, (EncodingKind)k, typed, place, values + (size_t)k * (size_t)T,
                         arena))
            memset(states + (size_t)k * (size_t)T, CELL_MISSING, (size_t)T);
    table_seal(&table, states);
    table.title = reversed ? "largest change of a weight when the words are reversed"
                           : "largest change of a weight when the words change places";
    table.quantity = "change";
    table.kind = TABLE_WEIGHTS;
    note_noticing(rule, &table, reversed, arena);
    table_note(&table, arena_printf(arena, "Changes below %.5f come from rounding and count as 0.",
                                    (double)NOTICED));
    return table;
}

void encoding_note_order(const EncodingRule *rule, const Sentence *typed, const int *place,
                         Table *table, Arena *arena) {
    float *change = ARENA_ARRAY(arena, float, typed->T);
    float most = encoding_change(rule, typed->x, place, typed->T, typed->D, change, arena);
    table_note(table, most < NOTICED
                          ? "The words have changed places and their weights have moved with "
                            "them: it does not notice."
                          : arena_printf(arena,
                                         "The words have changed places, and it notices: a weight "
                                         "has changed by %.4f.",
                                         (double)most));
}
