/* The same sentence under every encoding of positions: raw attention of one head, in which none,
 * sinusoids, a learned table, RoPE, ALiBi, T5 buckets or clipped distances tell where a word
 * stands. Words can change places, and the figure says which encodings notice. */
#include "base/text.h"
#include "scene/compared.h"
#include "scene/encoding.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/scene.h"
#include "scene/sentence.h"
#include "scene/typed.h"

#include <math.h>
#include <string.h>

#define POSITIONS_STAGES(ROW)                                                                      \
    ROW("encoding", "encoding",                                                                    \
        "What the encoding itself holds: vectors, cosines, slopes or "                             \
        "biases.")                                                                                 \
    ROW("buckets", "buckets", "The relative position of every pair, or the bucket it falls into.") \
    ROW("bias", "bias", "What the encoding changes in the scaled scores.")                         \
    ROW("scores", "scores", "The scaled scores under the encoding.")                               \
    ROW("weights", "softmax", "Each row becomes shares of attention that sum to 1.")               \
    ROW("difference", "difference", "The weights minus those of the encoding compared with.")      \
    ROW("order", "order",                                                                          \
        "How much a weight changes when words change places, for every "                           \
        "encoding.")

typedef enum PositionsStage {
    ENCODING,
    BUCKETS,
    BIAS,
    SCORES,
    WEIGHTS,
    DIFFERENCE,
    ORDER,
    COUNT
} PositionsStage;

enum { TABLE_TEXT_MAX = 65536, SWAP_MAX = 64, TABLE_LIMIT = 4096 };

/* Weights that differ by less come from sums in another order, not from the encoding. */
static const float NOTICED = 1e-5F;

struct SceneState {
    View view;
    Stage *stage;
    char text[SENTENCE_TEXT_MAX], embeddings[4096], table_text[TABLE_TEXT_MAX], swap[SWAP_MAX];
    int unit, shown, encoding, compare, mask, order, seed, table_seed;
    int heads, head, form, buckets, max_distance, clip;
    double base, strength;
    /* made by compute */
    Sentence sentence; /* in the order chosen */
    const Sentence *typed;
    const int *place;         /* [T] where each token was typed */
    EncodingRule rule, other; /* other: compared with */
    EncodedHead main, second;
    const float *bias;                     /* [T,T] */
    float change[ENCODING_COUNT];          /* largest of each encoding; -1: it refuses */
    const Table *tables[COUNT], *compared; /* compared: the stage shown under the other */
    const Table *apart;                    /* main minus compared */
};

static const SceneStage stages[] = {POSITIONS_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {POSITIONS_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice masks[] = {{"none", "none"}, {"causal", "causal"}, {NULL, NULL}};

static const KnobChoice forms[] = {
    [ALIBI_SYMMETRIC] = {"symmetric", "−slope |j − i|"},
    [ALIBI_SIGNED] = {"signed", "slope (j − i)"},
    {NULL, NULL},
};

#define AT(field)      .at = offsetof(SceneState, field)
#define TEXT_AT(field) AT(field), .size = sizeof((SceneState *)NULL)->field

static const Knob knobs[] = {
    {.name = "text",
     .label = "text",
     .kind = KNOB_TEXT,
     TEXT_AT(text),
     .hidden = true,
     .start = "The film is not bad at all, a surprisingly warm finale",
     .help = "the sentence, at most 512 tokens"},
    {.name = "encoding",
     .label = "encoding",
     .kind = KNOB_CHOICE,
     AT(encoding),
     .choices = encoding_choices,
     .start = "none",
     .key = 'P',
     .help = "how attention is told where a token stands"},
    {.name = "compare",
     .label = "compare",
     .kind = KNOB_CHOICE,
     AT(compare),
     .choices = encoding_others,
     .start = "off",
     .key = 'D',
     .help = "a second encoding beside the first, and the difference"},
    {.name = "stage",
     .label = "stage",
     .kind = KNOB_CHOICE,
     AT(shown),
     .choices = stage_choices,
     .start = "weights",
     .key = 'S',
     .help = "the step whose numbers are shown"},
    {.name = "heads",
     .label = "heads",
     .kind = KNOB_INT,
     AT(heads),
     .min = 1,
     .max = 128,
     .step = 1,
     .slider_min = 1,
     .slider_max = 16,
     .start = "8",
     .help = "into how many heads a vector is divided"},
    {.name = "head",
     .label = "head",
     .kind = KNOB_INT,
     AT(head),
     .max = 127,
     .step = 1,
     .slider_max = 15,
     .start = "0",
     .key = 'H',
     .help = "the head shown, from 0"},
    {.name = "mask",
     .label = "mask",
     .kind = KNOB_CHOICE,
     AT(mask),
     .choices = masks,
     .start = "none",
     .key = 'M',
     .help = "which keys a query may see; causal: itself and those before it"},
    {.name = "order",
     .label = "order",
     .kind = KNOB_CHOICE,
     AT(order),
     .choices = sentence_orders,
     .start = "typed",
     .key = 'O',
     .help = "order of the tokens"},
    {.name = "seed",
     .label = "shuffle",
     .kind = KNOB_INT,
     AT(seed),
     .max = 9999,
     .step = 1,
     .start = "1",
     .key = 'N',
     .help = "number of the shuffle"},
    {.name = "swap",
     .label = "swap",
     .kind = KNOB_TEXT,
     TEXT_AT(swap),
     .start = "",
     .help = "two tokens that change places, counted from 0: 1 4"},
    {.name = "unit",
     .label = "tokens",
     .kind = KNOB_CHOICE,
     AT(unit),
     .choices = sentence_units,
     .start = "words",
     .key = 'U',
     .help = "what a token is: a word (the mean of its pieces) or a piece of the vocabulary"},
    {.name = "strength",
     .label = "strength",
     .kind = KNOB_REAL,
     AT(strength),
     .max = 100,
     .step = 0.1,
     .slider_max = 4,
     .start = "1",
     .help = "factor on what is added: vectors of positions, or a bias"},
    {.name = "base",
     .label = "base",
     .kind = KNOB_REAL,
     AT(base),
     .min = 1,
     .max = 1e12,
     .step = 10,
     .logarithmic = true,
     .slider_min = 2,
     .slider_max = 1e6,
     .start = "10000",
     .help = "of the wavelengths, for sinusoidal and RoPE"},
    {.name = "alibi-form",
     .label = "ALiBi form",
     .kind = KNOB_CHOICE,
     AT(form),
     .choices = forms,
     .start = "symmetric",
     .help = "both directions alike, or a reward for keys ahead"},
    {.name = "buckets",
     .label = "T5 buckets",
     .kind = KNOB_INT,
     AT(buckets),
     .min = 2,
     .max = 256,
     .step = 2,
     .slider_min = 2,
     .slider_max = 64,
     .start = "32",
     .help = "buckets of distances in T5"},
    {.name = "max-distance",
     .label = "T5 distance",
     .kind = KNOB_INT,
     AT(max_distance),
     .min = 2,
     .max = 4096,
     .step = 8,
     .slider_min = 2,
     .slider_max = 256,
     .start = "128",
     .help = "from this distance on T5 has one bucket"},
    {.name = "clip",
     .label = "clipped at",
     .kind = KNOB_INT,
     AT(clip),
     .max = 512,
     .step = 1,
     .slider_max = 32,
     .start = "4",
     .help = "from this distance on clipped positions are one"},
    {.name = "table",
     .label = "table",
     .kind = KNOB_TEXT,
     TEXT_AT(table_text),
     .start = "",
     .help = "a learned table, a row for each position, rows parted by ; or @FILE"},
    {.name = "table-seed",
     .label = "table seed",
     .kind = KNOB_INT,
     AT(table_seed),
     .max = 9999,
     .step = 1,
     .start = "1",
     .help = "number of the random tables that stand for trained ones"},
    {.name = "embeddings",
     .label = "embeddings",
     .kind = KNOB_FILE,
     TEXT_AT(embeddings),
     .start = "",
     .help = "file of word vectors (GloVe or word2vec text) instead of heed's own"},
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* what is missing is said when it is needed */
    state->stage = stage;
    return true;
}

/* ---- numbers ---- */

static bool moved(const SceneState *state) {
    for (int i = 0; i < state->sentence.T; i++)
        if (state->place[i] != i) return true;
    return false;
}

/* Two places of the sentence change. */
static bool swap(const SceneState *state, int T, int *place, Arena *arena, Err *err) {
    Grid grid;
    if (!*state->swap) return true;
    if (!typed_grid("swap", state->swap, 2, arena, &grid, err)) return false;
    int at[2] = {-1, -1};
    for (int i = 0; i < 2 && grid.rows * grid.columns == 2; i++) {
        float value = grid.values[i];
        if (value >= 0 && value < (float)T && value == floorf(value)) at[i] = (int)value;
    }
    if (at[0] < 0 || at[1] < 0)
        return err_set(err, "swap takes two tokens from 0 to %d, as \"1 4\", found \"%s\"", T - 1,
                       state->swap);
    int kept = place[at[0]];
    place[at[0]] = place[at[1]];
    place[at[1]] = kept;
    return true;
}

static bool read_text(SceneState *state, Arena *arena, Err *err) {
    Sentence *typed = ARENA_NEW(arena, Sentence);
    if (!sentence_read(state->text, (SentenceUnit)state->unit, state->embeddings, state->stage,
                       arena, typed, err))
        return false;
    int *place = ARENA_ARRAY(arena, int, typed->T);
    sentence_ordered(typed, (SentenceOrder)state->order, (uint64_t)state->seed, arena, place);
    if (!swap(state, typed->T, place, arena, err)) return false;
    state->typed = typed;
    state->place = place;
    state->sentence = *typed;
    if (moved(state)) state->sentence = sentence_permuted(typed, place, arena);
    return true;
}

static bool make_rule(SceneState *state, Arena *arena, Err *err) {
    Grid grid;
    EncodingRule rule = {.kind = (EncodingKind)state->encoding,
                         .heads = state->heads,
                         .head = state->head,
                         .base = state->base,
                         .strength = state->strength,
                         .form = (AlibiForm)state->form,
                         .buckets = state->buckets,
                         .max_distance = state->max_distance,
                         .clip = state->clip,
                         .seed = (uint64_t)state->table_seed,
                         .causal = state->mask == 1};
    if (*state->table_text) {
        if (!typed_grid("table", state->table_text, TABLE_LIMIT, arena, &grid, err)) return false;
        for (int i = 0; i < grid.rows * grid.columns; i++)
            if (!isfinite(grid.values[i]))
                return err_set(err, "table: number %d of row %d is not finite", i % grid.columns,
                               i / grid.columns);
        rule.learned = (LearnedTable){grid.values, grid.rows, grid.columns};
    }
    bool attends = state->shown >= SCORES || !encoding_has_bias(rule.kind);
    if (state->shown == ENCODING || state->shown == BUCKETS) attends = false;
    state->rule = state->other = rule;
    state->other.kind = state->compare ? (EncodingKind)(state->compare - 1) : ENCODING_NONE;
    int T = state->sentence.T, D = state->sentence.D;
    return encoding_check(&state->rule, T, D, attends, err) &&
           (!state->compare || encoding_check(&state->other, T, D, attends, err));
}

static TableAxis token_axis(const SceneState *state, const char *name) {
    return (TableAxis){name, state->sentence.T, state->sentence.labels};
}

static Table *add_table(SceneState *state, Arena *arena, PositionsStage stage, Table table) {
    Table *made = ARENA_NEW(arena, Table);
    size_t cells = (size_t)table.rows.count * (size_t)table.columns.count;
    *made = table;
    made->stage = stages[stage].name;
    if (!made->states) made->states = ARENA_ARRAY(arena, uint8_t, cells);
    state->tables[stage] = made;
    return made;
}

/* values[T,T] of queries and keys; blocked where the head's mask says so. */
static Table pair_table(const SceneState *state, Arena *arena, PositionsStage stage,
                        const char *title, const float *values, const uint8_t *allowed) {
    size_t cells = (size_t)state->sentence.T * (size_t)state->sentence.T;
    uint8_t *states = ARENA_ARRAY(arena, uint8_t, cells);
    for (size_t i = 0; allowed && i < cells; i++)
        if (!allowed[i]) states[i] = CELL_BLOCKED;
    return (Table){.stage = stages[stage].name,
                   .title = title,
                   .quantity = stage == WEIGHTS ? "weight"
                               : stage == BIAS  ? "bias"
                                                : "score",
                   .kind = stage == WEIGHTS ? TABLE_WEIGHTS : TABLE_SIGNED,
                   .rows = token_axis(state, "query"),
                   .columns = token_axis(state, "key"),
                   .values = values,
                   .states = states,
                   .sums = stage == WEIGHTS};
}

static void add_buckets(SceneState *state, Arena *arena) {
    int T = state->sentence.T;
    bool counts = state->rule.kind == ENCODING_T5 || state->rule.kind == ENCODING_RELATIVE;
    float *values = ARENA_ARRAY(arena, float, (size_t)T *(size_t)T);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            values[(size_t)i * (size_t)T + (size_t)j] = (float)encoding_bucket(
                &state->rule, relative_position((RelativeMap){T, T, 0}, i, j));
    Table table = pair_table(state, arena, BUCKETS,
                             state->rule.kind == ENCODING_T5         ? "bucket of every pair"
                             : state->rule.kind == ENCODING_RELATIVE ? "row of the table"
                                                                     : "relative position",
                             values, NULL);
    table.kind = counts ? TABLE_COUNTS : TABLE_SIGNED;
    table.quantity = counts ? "number" : "key − query";
    table.columns.name = "key, at the relative position key − query";
    Table *made = add_table(state, arena, BUCKETS, table);
    table_note(made, "A relative position is key minus query: negative behind the query, positive "
                     "ahead of it.");
    encoding_notes(&state->rule, made, arena);
}

/* The share of attention that goes to keys behind the query's own place in the reading. */
static double share_ahead(const EncodedHead *head) {
    double sum = 0;
    for (int i = 0; i < head->T; i++)
        for (int j = i + 1; j < head->T; j++)
            sum += (double)head->weights[(size_t)i * (size_t)head->T + (size_t)j];
    return sum / head->T;
}

static void note_weights(SceneState *state, Table *table, Arena *arena) {
    const char *name = encoding_choices[state->rule.kind].label;
    int T = state->sentence.T;
    if (encoding_has_bias(state->rule.kind) && !state->rule.causal)
        table_note(table, arena_printf(arena,
                                       "%s is no causal mask: %.1f %% of the attention still goes "
                                       "to keys ahead of their query.",
                                       name, 100 * share_ahead(&state->main)));
    if (encoding_has_bias(state->rule.kind) && state->rule.causal)
        table_note(table, arena_printf(arena,
                                       "The hatched keys are blocked by the causal mask, "
                                       "not by %s.",
                                       name));
    if (moved(state)) {
        float *change = ARENA_ARRAY(arena, float, T);
        float most = encoding_change(&state->rule, state->typed->x, state->place, T,
                                     state->sentence.D, change, arena);
        table_note(table, most < NOTICED
                              ? "The words have changed places and their weights have moved with "
                                "them: it does not notice."
                              : arena_printf(arena,
                                             "The words have changed places, and it notices: a "
                                             "weight has changed by %.4f.",
                                             (double)most));
    }
    encoding_notes(&state->rule, table, arena);
    table_note(table, state->sentence.note);
}

/* What the encoding changes in the scores: its bias, or the difference to none. */
static float *score_change(const SceneState *state, const EncodingRule *rule,
                           const EncodedHead *head, Arena *arena) {
    int T = state->sentence.T;
    if (encoding_has_bias(rule->kind)) return encoding_bias(rule, T, arena);
    EncodingRule none = *rule;
    none.kind = ENCODING_NONE;
    EncodedHead plain = encoding_attend(&none, state->sentence.x, T, state->sentence.D, arena);
    float *change = ARENA_ARRAY(arena, float, (size_t)T *(size_t)T);
    for (size_t i = 0; i < (size_t)T * (size_t)T; i++)
        change[i] = head->scores[i] - plain.scores[i];
    return change;
}

/* The numbers of bias, scores or weights under a rule. */
static Table head_table(const SceneState *state, const EncodingRule *rule, const EncodedHead *head,
                        PositionsStage stage, Arena *arena) {
    const char *name = encoding_name(rule, arena);
    if (stage == BIAS)
        return pair_table(state, arena, BIAS,
                          arena_printf(arena,
                                       encoding_has_bias(rule->kind)
                                           ? "bias added to the scores (%s)"
                                           : "change of the scores (%s)",
                                       name),
                          score_change(state, rule, head, arena), NULL);
    if (stage == SCORES)
        return pair_table(state, arena, SCORES, arena_printf(arena, "scaled scores (%s)", name),
                          head->scores, head->allowed);
    return pair_table(state, arena, WEIGHTS, arena_printf(arena, "weights (%s)", name),
                      head->weights, head->allowed);
}

static Table difference(const SceneState *state, const Table *left, const Table *right,
                        Arena *arena) {
    size_t cells = (size_t)state->sentence.T * (size_t)state->sentence.T;
    float *values = ARENA_ARRAY(arena, float, cells);
    for (size_t i = 0; i < cells; i++) values[i] = left->values[i] - right->values[i];
    Table table = *left;
    table.title =
        arena_printf(arena, "difference: %s − %s", encoding_choices[state->rule.kind].label,
                     encoding_choices[state->other.kind].label);
    table.quantity = "difference";
    table.kind = TABLE_SIGNED;
    table.values = values;
    table.sums = false;
    table.note_count = 0;
    return table;
}

/* The second encoding's numbers of the stage shown, and what lies between. */
static void add_comparison(SceneState *state, Arena *arena) {
    int D = state->sentence.D;
    if (!encoding_check(&state->other, state->sentence.T, D, true, NULL)) return;
    state->second = encoding_attend(&state->other, state->sentence.x, state->sentence.T, D, arena);
    Table weights = head_table(state, &state->other, &state->second, WEIGHTS, arena);
    add_table(state, arena, DIFFERENCE, difference(state, state->tables[WEIGHTS], &weights, arena));
    if (state->compare == 0 || state->shown < BIAS || state->shown > WEIGHTS) return;
    Table *second = ARENA_NEW(arena, Table), *apart = ARENA_NEW(arena, Table);
    *second = head_table(state, &state->other, &state->second, (PositionsStage)state->shown, arena);
    *apart = difference(state, state->tables[state->shown], second, arena);
    encoding_notes(&state->other, apart, arena);
    state->compared = second;
    state->apart = apart;
}

static void attend(SceneState *state, Arena *arena) {
    int T = state->sentence.T, D = state->sentence.D;
    state->main = encoding_attend(&state->rule, state->sentence.x, T, D, arena);
    for (PositionsStage stage = BIAS; stage <= WEIGHTS; stage++) {
        Table *table = add_table(state, arena, stage,
                                 head_table(state, &state->rule, &state->main, stage, arena));
        if (stage == BIAS)
            table_note(table, "By the relative position, key minus query: a key ahead stands right "
                              "of the diagonal.");
        if (stage == WEIGHTS)
            note_weights(state, table, arena);
        else
            encoding_notes(&state->rule, table, arena);
    }
    add_comparison(state, arena);
}

/* Every encoding, and how much each token's row changes; reversed when the words stand as typed. */
static void add_order(SceneState *state, Arena *arena) {
    int T = state->sentence.T, D = state->sentence.D, *place = ARENA_ARRAY(arena, int, T);
    Label *names = ARENA_ARRAY(arena, Label, ENCODING_COUNT);
    bool reversed = !moved(state);
    for (int i = 0; i < T; i++) place[i] = reversed ? T - 1 - i : state->place[i];
    float *values;
    uint8_t *states;
    for (int k = 0; k < ENCODING_COUNT; k++)
        names[k] = label_plain(arena, encoding_choices[k].label);
    Table table =
        table_new(arena, (TableAxis){"encoding", ENCODING_COUNT, names},
                  (TableAxis){"token, as typed", T, state->typed->labels}, &values, &states);
    for (int k = 0; k < ENCODING_COUNT; k++) {
        EncodingRule rule = state->rule;
        rule.kind = (EncodingKind)k;
        float *change = values + (size_t)k * (size_t)T;
        if (encoding_check(&rule, T, D, true, NULL))
            encoding_change(&rule, state->typed->x, place, T, D, change, arena);
        else
            memset(states + (size_t)k * (size_t)T, CELL_MISSING, (size_t)T);
        for (int i = 0; i < T; i++)
            if (change[i] < NOTICED) change[i] = 0;
    }
    table.title = reversed ? "largest change of a weight when the words are reversed"
                           : "largest change of a weight when the words change places";
    table.quantity = "change";
    table.kind = TABLE_WEIGHTS;
    Table *made = add_table(state, arena, ORDER, table);
    table_note(made, state->rule.causal
                         ? "A causal mask knows the order too: under it even no encoding notices."
                         : "0 everywhere: the encoding does not notice that the words have moved.");
    table_note(made, arena_printf(arena, "Changes below %g come from rounding and count as 0.",
                                  (double)NOTICED));
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    if (!read_text(state, arena, err) || !make_rule(state, arena, err)) return false;
    memset(state->tables, 0, sizeof state->tables);
    state->compared = state->apart = NULL;
    const EncodingRule *rule = &state->rule;
    Table *held = add_table(state, arena, ENCODING,
                            encoding_table(rule, state->sentence.T, state->sentence.D, arena));
    encoding_notes(rule, held, arena);
    add_buckets(state, arena);
    if (state->shown == ORDER) add_order(state, arena);
    if (encoding_check(rule, state->sentence.T, state->sentence.D, true, NULL))
        attend(state, arena);
    else if (state->shown == BIAS)
        encoding_notes(
            rule, add_table(state, arena, BIAS, head_table(state, rule, NULL, BIAS, arena)), arena);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    for (int i = 0; i < COUNT; i++)
        if (strcmp(stages[i].name, stage) == 0) return state->tables[i];
    return NULL;
}

/* ---- pictures ---- */

static const char *order_words(const SceneState *state, Arena *arena) {
    const char *order = "";
    if (state->order == SENTENCE_REVERSED) order = " · tokens reversed";
    if (state->order == SENTENCE_SHUFFLED)
        order = arena_printf(arena, " · tokens shuffled (%d)", state->seed);
    return *state->swap ? arena_printf(arena, "%s · tokens %s swapped", order, state->swap) : order;
}

static const char *caption(const SceneState *state, Arena *arena) {
    const Table *shown = state->tables[state->shown];
    const char *mask = "", *order = order_words(state, arena);
    if (state->shown >= SCORES) mask = state->rule.causal ? " · causal mask" : " · no mask";
    if (state->compared)
        return arena_printf(arena, "Positions: %s and %s%s%s",
                            encoding_choices[state->rule.kind].label,
                            encoding_choices[state->other.kind].label, mask, order);
    if (state->shown == ENCODING || state->shown == BUCKETS)
        return arena_printf(arena, "Positions: %s · %s", encoding_choices[state->rule.kind].label,
                            shown->title);
    return arena_printf(arena, "Positions: %s%s%s", shown->title, mask, order);
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    int heads = state->rule.heads, K = state->sentence.D / heads, head = state->rule.head;
    if (state->shown < SCORES && encoding_has_bias(state->rule.kind))
        return arena_printf(arena, "head %d of %d", head, heads);
    if (state->shown <= BUCKETS) return arena_printf(arena, "d = %d", state->sentence.D);
    return arena_printf(arena, "mask: %s · scale: 1/√%d · head %d of %d, features %d to %d",
                        masks[state->mask].label, K, head, heads, head * K, head * K + K - 1);
}

static Figure figure(const SceneState *state, Arena *arena) {
    return (Figure){.caption = caption(state, arena),
                    .facts = figure_facts(state, arena),
                    .table = state->tables[state->shown],
                    .view = &state->view};
}

static Compared compared(const SceneState *state, Arena *arena) {
    return (Compared){.caption = caption(state, arena),
                      .facts = figure_facts(state, arena),
                      .sides = {state->tables[state->shown], state->compared},
                      .apart = state->apart,
                      .view = &state->view};
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    if (state->compared) {
        Compared three = compared(state, canvas->arena);
        compared_draw(canvas, rect, &three);
        return;
    }
    Figure one = figure(state, canvas->arena);
    figure_draw(canvas, rect, &one);
}

static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    if (state->compared) {
        Compared three = compared(state, canvas->arena);
        compared_natural(canvas, &three, width, height);
        return;
    }
    Figure one = figure(state, canvas->arena);
    figure_natural(canvas, &one, width, height);
}

static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    if (state->compared) {
        Compared three = compared(state, canvas->arena);
        return compared_locate(canvas, rect, &three, x, y, cell);
    }
    Figure one = figure(state, canvas->arena);
    return figure_locate(canvas, rect, &one, x, y, cell);
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    if (state->compared) {
        Compared three = compared(state, arena);
        return compared_geometry(canvas, rect, &three, arena);
    }
    Figure one = figure(state, arena);
    return figure_geometry(canvas, rect, &one, arena);
}

/* ---- words ---- */

static void probe_pair(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    int T = state->sentence.T;
    int relative = relative_position((RelativeMap){T, T, 0}, cell.row, cell.column);
    size_t at = (size_t)cell.row * (size_t)T + (size_t)cell.column;
    const Table *bias = state->tables[BIAS], *scores = state->tables[SCORES];
    encoding_inspect(&state->rule, relative, bias ? (double)bias->values[at] : 0, probe, arena);
    if (state->shown >= SCORES) {
        inspect_number(probe, arena, "q · k ÷ √d",
                       (double)scores->values[at] -
                           (encoding_has_bias(state->rule.kind) ? (double)bias->values[at] : 0));
        inspect_number(probe, arena, "score", (double)scores->values[at]);
    }
    inspect_number(probe, arena, state->tables[state->shown]->quantity, (double)probe->value)->hot =
        true;
    if (state->compared) {
        inspect_number(probe, arena, encoding_choices[state->other.kind].label,
                       (double)state->compared->values[at]);
        inspect_number(probe, arena, "difference", (double)state->apart->values[at]);
    }
    if (state->shown == WEIGHTS)
        inspect_row(probe, arena, state->tables[WEIGHTS],
                    state->main.allowed + (size_t)cell.row * (size_t)T, cell.row);
    if (probe->state == CELL_BLOCKED)
        probe->sentence = "Blocked: this key comes after the query, and the causal mask hides it.";
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    if (state->shown == ENCODING || state->shown == ORDER)
        inspect_number(out, arena, shown->quantity, (double)out->value)->hot = true;
    else
        probe_pair(state, arena, cell, out);
    return true;
}

static const char *facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "%d tokens · d = %d", state->sentence.T, state->sentence.D);
}

const Scene scene_positions = {
    .name = "positions",
    .title = "Positions",
    .menu = "Positions",
    .group = "position",
    .lesson = "One sentence under every encoding. Attention is blind to order until it is told "
              "where a word stands.",
    .order = 80,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "weights",
    .steps = "encoding",
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    .draw = draw,
    .natural = natural,
    .locate = locate,
    .geometry = geometry,
    .caption = caption,
    .probe = probe,
    .table = table,
    .facts = facts,
};
