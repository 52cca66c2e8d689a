/* Raw self-attention: queries, keys and values are the embeddings themselves, so a weight says only
 * how alike two vectors are. The same numbers can be looked at before and after every step. */
#include "base/text.h"
#include "core/attention.h"
#include "core/mask.h"
#include "core/memo.h"
#include "core/tensor.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/scene.h"
#include "scene/sentence.h"

#include <math.h>
#include <string.h>

#define RAW_STAGES(ROW)                                                                            \
    ROW("tokens", "tokens", "The text is cut into tokens; a number is the id of a piece.")         \
    ROW("x", "X", "Each token gets its vector: query, key and value at once.")                     \
    ROW("scores", "QKᵀ", "Every query is multiplied with every key: one number for each pair.")    \
    ROW("scaled", "÷ √d", "The scores are scaled, so that softmax stays soft in many dimensions.") \
    ROW("masked", "mask", "Keys that a query may not see get −∞.")                                 \
    ROW("weights", "softmax", "Each row becomes shares of attention that sum to 1.")               \
    ROW("output", "A V", "Each query gets the mean of all values, weighted by its row.")

typedef enum RawStage { TOKENS, VECTORS, SCORES, SCALED, MASKED, WEIGHTS, OUTPUT, COUNT } RawStage;
typedef enum RawMask { MASK_NONE, MASK_CAUSAL } RawMask;

/* Stands for 1/sqrt(d) in the knob of the scale: d is not known before the vectors are. */
enum { SCALE_SQRT = 0 };

struct SceneState {
    View view;
    Stage *stage;
    char text[SENTENCE_TEXT_MAX];
    char embeddings[SENTENCE_PATH_MAX];
    int unit, shown, mask, order, seed;
    double scale, temperature;
    /* made by compute */
    Sentence sentence; /* in the order chosen */
    AttentionTrace trace;
    const uint8_t *allowed; /* [T,T], NULL: all */
    const Table *tables[COUNT];
};

static const SceneStage stages[] = {RAW_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {RAW_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice masks[] = {
    [MASK_NONE] = {"none", "none"},
    [MASK_CAUSAL] = {"causal", "causal"},
    {NULL, NULL},
};

static const KnobWord scales[] = {
    {"sqrt", "1/√d", SCALE_SQRT},
    {"1/sqrt(d)", "1/√d", SCALE_SQRT},
    {"none", "none", 1},
    {NULL, NULL, 0},
};

static const Knob knobs[] = {
    SENTENCE_TEXT_KNOB(SceneState, text, SENTENCE_EXAMPLE),
    SENTENCE_UNIT_KNOB(SceneState, unit),
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "weights",
                     "the step whose numbers are shown"),
    {.name = "score-scale",
     .label = "scale",
     .kind = KNOB_REAL,
     .at = offsetof(SceneState, scale),
     .min = 0.001,
     .max = 100,
     .step = 1.25,
     .logarithmic = true,
     .words = scales,
     .start = "sqrt",
     .help = "factor on the scores: sqrt is 1/sqrt(d), none is 1"},
    STAGE_TEMPERATURE_KNOB(SceneState, temperature, NULL),
    {.name = "mask",
     .label = "mask",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, mask),
     .choices = masks,
     .start = "none",
     .key = 'M',
     .help = "which keys a query may see; causal: itself and those before it"},
    SENTENCE_ORDER_KNOBS(SceneState, order, seed),
    SENTENCE_EMBEDDINGS_KNOB(SceneState, embeddings),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* what is missing is said when it is needed */
    state->stage = stage;
    return true;
}

static float scale_factor(const SceneState *state) {
    if (state->scale == SCALE_SQRT) return attention_scale(state->sentence.D);
    return (float)state->scale;
}

static const char *scale_words(const SceneState *state, Arena *arena) {
    if (state->scale == SCALE_SQRT) return arena_printf(arena, "1/√%d", state->sentence.D);
    return state->scale == 1 ? "none" : arena_printf(arena, "× %.4g", state->scale);
}

static TableAxis token_axis(const SceneState *state, const char *name) {
    return (TableAxis){name, state->sentence.T, state->sentence.labels};
}

static TableAxis numbered_axis(Arena *arena, const char *name, int count) {
    return (TableAxis){name, count, label_numbers(arena, 0, count)};
}

static void add_notes(const SceneState *state, Table *table) {
    table_note(table, state->sentence.note);
    bool masked = state->mask == MASK_CAUSAL && state->shown >= MASKED;
    if (state->order != SENTENCE_TYPED && state->shown != TOKENS)
        table_note(table, masked ? "The tokens stand in another order, so the causal mask hides "
                                   "other keys than before."
                                 : "The tokens stand in another order, and their numbers have "
                                   "moved with them: raw attention does not know order.");
    if (masked) table_note(table, "A query sees itself and the keys before it.");
}

/* A table of a stage over numbers that are there already, with states or, where they are NULL, all
 * ok. Only the one that is shown is worth a pass over its cells. */
static void add_table(SceneState *state, Arena *arena, RawStage stage, Table table,
                      uint8_t *states) {
    size_t cells = (size_t)table.rows.count * (size_t)table.columns.count;
    if (!states) states = ARENA_ARRAY(arena, uint8_t, cells);
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    made->states = states;
    if (stage == (RawStage)state->shown) table_seal(made, states);
    add_notes(state, made);
    state->tables[stage] = made;
}

static void add_tokens(SceneState *state, Arena *arena) {
    const Sentence *sentence = &state->sentence;
    int cells = sentence->T * sentence->slots;
    float *ids = ARENA_ARRAY(arena, float, cells);
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    for (int i = 0; i < cells; i++) {
        ids[i] = (float)sentence->ids[i];
        if (sentence->ids[i] < 0) states[i] = CELL_MISSING;
    }
    Table table = {.title = "tokens, and the ids of their pieces",
                   .quantity = "id",
                   .kind = TABLE_COUNTS,
                   .rows = token_axis(state, "token"),
                   .columns = numbered_axis(arena, "piece", sentence->slots),
                   .values = ids};
    add_table(state, arena, TOKENS, table, states);
}

static void add_features(SceneState *state, Arena *arena, RawStage stage, const char *title,
                         const float *values) {
    Table table = {.title = title,
                   .quantity = "value",
                   .kind = TABLE_SIGNED,
                   .rows = token_axis(state, "token"),
                   .columns = numbered_axis(arena, "feature", state->sentence.D),
                   .values = values};
    add_table(state, arena, stage, table, NULL);
}

static void add_pairs(SceneState *state, Arena *arena, RawStage stage, const char *title,
                      const float *values, uint8_t *states) {
    bool weights = stage == WEIGHTS;
    Table table = {.title = title,
                   .quantity = weights ? "weight" : "score",
                   .kind = weights ? TABLE_WEIGHTS : TABLE_SIGNED,
                   .rows = token_axis(state, "query"),
                   .columns = token_axis(state, "key"),
                   .values = values,
                   .sums = weights};
    add_table(state, arena, stage, table, states);
}

static const uint8_t *allowed_pairs(const SceneState *state, Arena *arena) {
    int T = state->sentence.T;
    if (state->mask == MASK_NONE) return NULL;
    uint8_t *allowed = ARENA_ROOM(arena, uint8_t, (size_t)T * (size_t)T);
    mask_all(allowed, T, T);
    mask_causal(allowed, T, T, MASK_TOP_LEFT);
    return allowed;
}

static uint8_t *blocked_states(const uint8_t *allowed, size_t cells, Arena *arena) {
    uint8_t *states = ARENA_ROOM(arena, uint8_t, cells);
    for (size_t i = 0; i < cells; i++) states[i] = allowed[i] ? CELL_OK : CELL_BLOCKED;
    return states;
}

static void attend(SceneState *state, Arena *arena) {
    int T = state->sentence.T, D = state->sentence.D;
    size_t cells = (size_t)T * (size_t)T;
    float *scores = ARENA_ROOM(arena, float, cells), *scaled = ARENA_ROOM(arena, float, cells);
    const float *x = state->sentence.x;
    memo_product_nt(&state->stage->scores, state->stage->arena, scores, x, x, T, T, D);
    float factor = scale_factor(state);
    for (size_t i = 0; i < cells; i++) scaled[i] = scores[i] * factor;
    AttentionRule rule = attention_plain(D);
    rule.temperature = (float)state->temperature;
    rule.allowed = state->allowed = allowed_pairs(state, arena);
    state->trace = attention_from_scores(arena, T, T, rule, scaled);
    uint8_t *ok = ARENA_ARRAY(arena, uint8_t, cells), *masked = ok;
    if (rule.allowed) masked = blocked_states(rule.allowed, cells, arena);
    add_pairs(state, arena, SCORES, "scores QKᵀ", scores, ok);
    add_pairs(state, arena, SCALED, "scaled scores", scaled, ok);
    add_pairs(state, arena, MASKED, "masked scores", state->trace.masked, masked);
    add_pairs(state, arena, WEIGHTS, "weights after softmax", state->trace.weights, masked);
}

/* Only what the stage shown needs: a picture of 512 tokens follows the typing. */
static bool compute(SceneState *state, Arena *arena, Err *err) {
    Sentence typed;
    if (!sentence_read(state->text, (SentenceUnit)state->unit, state->embeddings, state->stage,
                       arena, &typed, err))
        return false;
    memset(state->tables, 0, sizeof state->tables);
    state->sentence =
        sentence_ordered(&typed, (SentenceOrder)state->order, (uint64_t)state->seed, arena, NULL);
    add_tokens(state, arena);
    if (state->shown == VECTORS || state->shown == OUTPUT)
        add_features(state, arena, VECTORS, "X, one vector a token", state->sentence.x);
    if (state->shown >= SCORES) attend(state, arena);
    if (state->shown == OUTPUT) {
        int T = state->sentence.T, D = state->sentence.D;
        float *output = ARENA_ARRAY(arena, float, (size_t)T *(size_t)D);
        tensor_product(output, state->trace.weights, state->sentence.x, T, D, T);
        add_features(state, arena, OUTPUT, "output A V", output);
    }
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    for (int i = 0; i < COUNT; i++)
        if (state->tables[i] && strcmp(state->tables[i]->stage, stage) == 0)
            return state->tables[i];
    return NULL;
}

/* Mask always, from the scores on; what else is not as usual. */
static const char *caption(const SceneState *state, Arena *arena) {
    Text text = text_open(arena);
    text_addf(&text, "Raw self-attention: %s", state->tables[state->shown]->title);
    if (state->shown >= SCORES && state->mask == MASK_NONE) text_add(&text, " · no mask");
    if (state->shown >= SCORES && state->mask == MASK_CAUSAL)
        text_add(&text, state->shown < MASKED ? " · before the causal mask" : " · causal mask");
    if (state->shown >= SCALED && state->scale != SCALE_SQRT)
        text_addf(&text, " · scale %s", scale_words(state, arena));
    if (state->shown >= WEIGHTS && state->temperature != 1)
        text_addf(&text, " · temperature %.4g", state->temperature);
    if (state->order == SENTENCE_REVERSED) text_add(&text, " · tokens reversed");
    if (state->order == SENTENCE_SHUFFLED) text_addf(&text, " · tokens shuffled (%d)", state->seed);
    return text.bytes;
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    const char *scale = scale_words(state, arena), *mask = masks[state->mask].label;
    if (state->shown <= VECTORS)
        return arena_printf(arena, "tokens: %s", sentence_units[state->unit].label);
    if (state->shown == SCORES) return "scale and mask: not yet applied";
    if (state->shown == SCALED)
        return arena_printf(arena, "mask: not yet applied · scale: %s", scale);
    if (state->shown == MASKED) return arena_printf(arena, "mask: %s · scale: %s", mask, scale);
    return arena_printf(arena, "mask: %s · scale: %s · temperature: %.4g", mask, scale,
                        state->temperature);
}

static Figure figure(const SceneState *state, Arena *arena) {
    return (Figure){.caption = caption(state, arena),
                    .facts = figure_facts(state, arena),
                    .table = state->tables[state->shown],
                    .view = &state->view};
}

FIGURE_FUNCTIONS

static const char *facts(const SceneState *state, Arena *arena) {
    int T = state->sentence.T;
    return arena_printf(arena, "%d token%s · d = %d", T, T == 1 ? "" : "s", state->sentence.D);
}

static void probe_token(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Sentence *sentence = &state->sentence;
    const int *ids = sentence->ids + (size_t)cell.row * (size_t)sentence->slots;
    const float *x = sentence->x + (size_t)cell.row * (size_t)sentence->D;
    probe->title = inspect_name(arena, &state->tables[TOKENS]->rows, cell.row);
    inspect_label(probe, arena, "token", &sentence->labels[cell.row]);
    for (int i = 0; i < sentence->slots && ids[i] >= 0; i++)
        inspect_line(probe, sentence_piece(sentence, ids[i], arena),
                     arena_printf(arena, "id %d", ids[i]))
            ->hot = i == cell.column;
    inspect_number(probe, arena, "length of vector", sqrt((double)tensor_dot(x, x, sentence->D)))
        ->rule = true;
    if (probe->state == CELL_MISSING) probe->sentence = "The token has no such piece.";
}

static void probe_vector(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Sentence *sentence = &state->sentence;
    const int *ids = sentence->ids + (size_t)cell.row * (size_t)sentence->slots;
    int pieces = 0;
    while (pieces < sentence->slots && ids[pieces] >= 0) pieces++;
    float *vector = ARENA_ARRAY(arena, float, sentence->D);
    for (int i = 0; i < pieces && pieces > 1; i++) {
        dan_table_row(sentence->embedding, ids[i], vector);
        inspect_number(probe, arena, sentence_piece(sentence, ids[i], arena),
                       (double)vector[cell.column]);
    }
    inspect_number(probe, arena, pieces > 1 ? "mean" : "value", (double)probe->value)->hot = true;
}

static void weight_row(const SceneState *state, Arena *arena, int row, Probe *probe) {
    const uint8_t *allowed = state->allowed;
    if (allowed) allowed += (size_t)row * (size_t)state->sentence.T;
    inspect_row(probe, arena, state->tables[WEIGHTS], allowed, row);
}

static void probe_output(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Sentence *sentence = &state->sentence;
    size_t T = (size_t)sentence->T, D = (size_t)sentence->D;
    inspect_terms(probe, arena, &state->tables[WEIGHTS]->columns,
                  state->trace.weights + (size_t)cell.row * T, sentence->x + (size_t)cell.column,
                  D);
    inspect_number(probe, arena, "Σ weight × value", (double)probe->value)->hot = true;
    weight_row(state, arena, cell.row, probe);
}

/* The steps from two vectors to the number shown. */
static void probe_steps(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const Sentence *sentence = &state->sentence;
    size_t D = (size_t)sentence->D;
    const float *q = sentence->x + (size_t)cell.row * D, *k = sentence->x + (size_t)cell.column * D;
    TableAxis features = numbered_axis(arena, "feature", sentence->D);
    inspect_number(probe, arena, "q · k",
                   (double)table_value(state->tables[SCORES], cell.row, cell.column));
    inspect_terms(probe, arena, &features, q, k, 1);
    if (state->shown == SCORES) {
        inspect_number(probe, arena, "length of q", sqrt((double)tensor_dot(q, q, sentence->D)));
        inspect_number(probe, arena, "length of k", sqrt((double)tensor_dot(k, k, sentence->D)));
        return;
    }
    const char *step = state->scale == SCALE_SQRT ? arena_printf(arena, "÷ √%d", sentence->D)
                       : state->scale == 1        ? "not scaled"
                                                  : scale_words(state, arena);
    inspect_number(probe, arena, step,
                   (double)table_value(state->tables[SCALED], cell.row, cell.column))
        ->rule = true;
    if (probe->state == CELL_BLOCKED)
        inspect_line(probe, "mask", "−∞, blocked");
    else if (state->shown == MASKED)
        inspect_line(probe, "mask", "allowed");
}

static void probe_pair(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    int T = state->sentence.T;
    size_t row = (size_t)cell.row * (size_t)T;
    inspect_label(probe, arena, "query", &state->sentence.labels[cell.row]);
    if (cell.row != cell.column)
        inspect_label(probe, arena, "key", &state->sentence.labels[cell.column]);
    probe_steps(state, arena, cell, probe);
    if (state->shown == WEIGHTS) {
        if (probe->state == CELL_OK)
            inspect_softmax(probe, arena, state->trace.masked + row, T, cell.column,
                            state->temperature);
        inspect_number(probe, arena, "weight", (double)probe->value)->hot = true;
        weight_row(state, arena, cell.row, probe);
    } else if (state->shown < MASKED) {
        probe->lines[state->shown == SCORES ? 0 : probe->line_count - 1].hot = true;
    } else {
        int said =
            probe->state == CELL_BLOCKED ? 1 : 2; /* "mask allowed" stands behind its number */
        probe->lines[probe->line_count - said].hot = true;
    }
    if (probe->state == CELL_BLOCKED)
        probe->sentence = "Blocked: this key comes after the query, and the causal mask hides it.";
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    if (state->shown == TOKENS)
        probe_token(state, arena, cell, out);
    else if (state->shown == VECTORS)
        probe_vector(state, arena, cell, out);
    else if (state->shown == OUTPUT)
        probe_output(state, arena, cell, out);
    else
        probe_pair(state, arena, cell, out);
    return true;
}

const Scene scene_raw = {
    .name = "raw",
    .title = "Raw self-attention",
    .menu = "Raw attention",
    .group = "attention",
    .lesson = "Queries, keys and values are the embeddings themselves. What you see is similarity, "
              "not something learned.",
    .order = 10,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "weights",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    FIGURE_ROWS,
    .probe = probe,
    .table = table,
    .facts = facts,
};
