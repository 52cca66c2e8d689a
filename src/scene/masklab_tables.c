/* The stages as tables. Only the stage shown is made, and the weights always: painting and health
 * are about them. */
#include "core/tensor.h"
#include "scene/masklab_parts.h"

#include <math.h>
#include <string.h>

static size_t cells_of(const MaskResult *result) {
    return (size_t)result->T * (size_t)result->S;
}

/* States of pairs: blocked by the mask, whole rows undefined, rows beyond upto missing. */
static uint8_t *pair_states(int upto, const MaskResult *result, Arena *arena, bool hatched,
                            bool rows) {
    size_t S = (size_t)result->S;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells_of(result));
    for (int i = 0; i < result->T; i++) {
        size_t at = (size_t)i * S;
        for (size_t j = 0; hatched && j < S; j++)
            states[at + j] = result->allowed[at + j] ? CELL_OK : CELL_BLOCKED;
        if (rows && !result->rows[i].open) memset(states + at, CELL_UNDEFINED, S);
        if (upto && i >= upto) memset(states + at, CELL_MISSING, S);
    }
    return states;
}

/* With the stage's notes; the axes are queries and keys where the table has none. */
static Table *add_table(const MaskLab *lab, MaskResult *result, Arena *arena, MaskStage stage,
                        Table table) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = masklab_stages[stage].name;
    if (!made->rows.name) made->rows = result->queries;
    if (!made->columns.name) made->columns = result->keys;
    masklab_notes(lab, result, stage, arena, made);
    result->tables[stage] = made;
    return made;
}

/* The same over states that are not settled yet. */
static void add_sealed(const MaskLab *lab, MaskResult *result, Arena *arena, MaskStage stage,
                       Table table, uint8_t *states) {
    table.states = states;
    table_seal(add_table(lab, result, arena, stage, table), states);
}

/* The facts of the rows make the summary, so that no cell is looked at again. */
static void add_weights(const MaskLab *lab, MaskResult *result, Arena *arena) {
    uint8_t *states = pair_states(lab->upto, result, arena, true, true);
    Table table = {.title = "weights",
                   .quantity = "weight",
                   .kind = TABLE_WEIGHTS,
                   .values = result->weights,
                   .states = states,
                   .sums = true};
    Table *made = add_table(lab, result, arena, MASKLAB_WEIGHTS, table);
    made->summary = table_row_summary(NULL, NULL, 0);
    bool finite = true;
    for (int i = 0; i < result->T; i++) {
        const MaskRow *row = &result->rows[i];
        TableSummary seen = row->summary;
        bool shown = row->open && (!lab->upto || i < lab->upto);
        if (!shown) {
            CellState state = (CellState)states[(size_t)i * (size_t)result->S];
            seen = table_row_summary(NULL, NULL, 0);
            seen.states = 1u << state;
        }
        made->summary = table_join(made->summary, seen);
        finite = finite && row->health.nans + row->health.infinities == 0;
    }
    if (!finite) table_seal(made, states);
}

/* Scores at one of their steps, or what softmax leaves: rows that are made once more. */
static void add_step(const MaskLab *lab, MaskResult *result, Arena *arena, MaskStage stage,
                     const char *title) {
    size_t S = (size_t)result->S;
    bool weights = stage == MASKLAB_SOFTMAX, finite = lab->fill != MASK_FILL_INFINITY;
    bool hatched = stage == MASKLAB_MASKED || (weights && !finite);
    float *values = ARENA_ARRAY(arena, float, cells_of(result));
    for (int i = 0; i < result->T; i++) {
        Arena scratch = *arena;
        AttentionTrace row = masklab_row(result, i, result->allowed + (size_t)i * S, &scratch);
        const float *step = weights                   ? row.softmax
                            : stage == MASKLAB_MASKED ? row.masked
                                                      : row.scaled;
        memcpy(values + (size_t)i * S, step, S * sizeof *values);
    }
    Table table = {.title = title,
                   .quantity = weights ? "weight" : "score",
                   .kind = weights ? TABLE_WEIGHTS : TABLE_SIGNED,
                   .values = values,
                   .sums = weights};
    int upto = stage < MASKLAB_MASKED ? 0 : lab->upto;
    add_sealed(lab, result, arena, stage, table,
               pair_states(upto, result, arena, hatched, weights && !finite));
}

static void add_scores(const MaskLab *lab, MaskResult *result, Arena *arena) {
    Table table = {.title = "scores, before scale and mask",
                   .quantity = "score",
                   .kind = TABLE_SIGNED,
                   .values = result->scores};
    add_sealed(lab, result, arena, MASKLAB_SCORES, table,
               ARENA_ARRAY(arena, uint8_t, cells_of(result)));
}

static void add_output(const MaskLab *lab, const MaskInput *input, MaskResult *result,
                       Arena *arena) {
    size_t T = (size_t)result->T, D = (size_t)input->features.count;
    float *output = ARENA_ARRAY(arena, float, T *D);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, T * D);
    tensor_product(output, result->weights, input->values, result->T, input->features.count,
                   result->S);
    for (size_t i = (size_t)lab->upto; lab->upto && i < T; i++)
        memset(states + i * D, CELL_MISSING, D);
    Table table = {.title = "output A V",
                   .quantity = "value",
                   .kind = TABLE_SIGNED,
                   .columns = input->features,
                   .values = output};
    add_sealed(lab, result, arena, MASKLAB_OUTPUT, table, states);
}

static void add_difference(const MaskLab *lab, MaskResult *result, Arena *arena) {
    size_t cells = cells_of(result);
    float *change = ARENA_ARRAY(arena, float, cells);
    for (size_t n = 0; n < cells; n++) change[n] = result->weights[n] - result->plain[n];
    Table table = {.title = "what the mask changed",
                   .quantity = "change",
                   .kind = TABLE_SIGNED,
                   .values = change};
    add_sealed(lab, result, arena, MASKLAB_DIFFERENCE, table,
               pair_states(lab->upto, result, arena, false, true));
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
                    .values = masked ? result->weights : result->plain,
                    .sums = true};
    uint8_t *states = pair_states(lab->upto, result, arena, masked, masked);
    side->states = states;
    table_seal(side, states);
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
    add_sealed(lab, result, arena, MASKLAB_COMPARE, table, states);
}

/* ---- findings ---- */

static Health look_over(const MaskResult *result, Arena *arena) {
    int T = result->T, S = result->S;
    HealthRow *rows = ARENA_ARRAY(arena, HealthRow, T);
    for (int i = 0; i < T; i++) rows[i] = result->rows[i].health;
    Health health = health_of_rows(arena, rows, result->weights, T, S);
    if (result->finished) return health;
    if (result->bias)
        health_stand_in(&health, arena, result->bias, result->weights, T, S);
    else
        health_blocked_scores(&health, arena, result->scores, T, S);
    return health;
}

/* What is wrong stands among the notes that are drawn where weights are; all other findings stand
 * behind them. */
static void note_findings(const MaskInput *input, MaskResult *result, MaskStage stage,
                          const Health *health, Arena *arena) {
    Table *table = result->tables[stage];
    bool about = stage == MASKLAB_WEIGHTS || stage == MASKLAB_COMPARE;
    const char **lines = ARENA_ARRAY(arena, const char *, HEALTH_LINES_MAX);
    memcpy(lines, health->lines, sizeof health->lines);
    result->findings = lines;
    result->finding_count = health->count;
    for (int i = 0; about && i < health->wrong; i++) table_note(table, lines[i]);
    for (int i = 0; i < input->note_count; i++) table_note(table, input->notes[i]);
    result->own_notes = table->note_count;
    for (int i = about ? health->wrong : 0; i < health->count; i++) table_note(table, lines[i]);
}

/* ---- all ---- */

static void add_finished(const MaskLab *lab, MaskResult *result, Arena *arena) {
    Table table = {.title = "weights as given",
                   .quantity = "weight",
                   .kind = TABLE_WEIGHTS,
                   .values = result->weights,
                   .sums = true};
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells_of(result));
    for (size_t n = 0; result->given && n < cells_of(result); n++)
        states[n] = result->given[n] ? CELL_OK : CELL_MISSING;
    add_sealed(lab, result, arena, MASKLAB_WEIGHTS, table, states);
}

bool masklab_tables(const MaskLab *lab, const MaskInput *input, MaskResult *result, Arena *arena,
                    Err *err) {
    static const char *const titles[] = {[MASKLAB_SCALED] = "scaled scores",
                                         [MASKLAB_MASKED] = "masked scores",
                                         [MASKLAB_SOFTMAX] = "what softmax leaves"};
    MaskStage stage = (MaskStage)lab->stage;
    if (stage == MASKLAB_OUTPUT && !input->values)
        return err_set(err, "there are no values to make an output of; take another stage");
    if (result->finished)
        add_finished(lab, result, arena);
    else
        add_weights(lab, result, arena);
    if (stage == MASKLAB_SCORES) add_scores(lab, result, arena);
    if (stage == MASKLAB_SCALED || stage == MASKLAB_MASKED || stage == MASKLAB_SOFTMAX)
        add_step(lab, result, arena, stage, titles[stage]);
    if (stage == MASKLAB_OUTPUT) add_output(lab, input, result, arena);
    if (stage == MASKLAB_COMPARE) add_compare(lab, result, arena);
    if (stage == MASKLAB_DIFFERENCE) add_difference(lab, result, arena);
    Health health = look_over(result, arena);
    note_findings(input, result, stage, &health, arena);
    return true;
}
