/* The cross-attention probe: a question listens to a review. Queries come from one text, keys and
 * values from the other; first under raw embeddings, where a weight is likeness, then in a block of
 * a decoder, whose projections are random until someone trains them. */
#include "base/text.h"
#include "base/utf8.h"
#include "scene/crossmaps.h"
#include "scene/figure.h"
#include "scene/heard.h"
#include "scene/inspect.h"
#include "scene/records.h"
#include "scene/scene.h"

#include <string.h>

#define CROSS_STAGES(ROW)                                                                          \
    ROW("raw", "raw embeddings",                                                                   \
        "The question's vectors against the review's own: a weight says how alike two are.")       \
    ROW("self", "question × question",                                                             \
        "The block's self-attention: a word of the question hears itself and those before it.")    \
    ROW("cross", "question × review",                                                              \
        "The block's cross-attention: every word of the question hears the whole review.")

enum { RECORDS = 3, PROBE_HEADS = 12, NARROWEST = 760 };

/* What a text knob holds while the record's text is meant. */
static const char FROM_RECORD[] = "@record";

struct SceneState {
    View view;
    Stage *stage;
    char query[SENTENCE_TEXT_MAX], context[SENTENCE_TEXT_MAX];
    char embeddings[SENTENCE_PATH_MAX];
    int record, unit, shown, head, pad, d_model, heads, seed;
    double temperature;
    const Record *records; /* [RECORDS], once they were needed */
    /* made by compute */
    CrossInput input;
    CrossMaps maps;
    int first_row; /* the row that is looked at while none is chosen */
};

static const SceneStage stages[] = {CROSS_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {CROSS_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice record_choices[] = {
    {"1", "1 of 3"}, {"2", "2 of 3"}, {"3", "3 of 3"}, {NULL, NULL}};

static const KnobWord head_words[] = {{"mean", "mean", CROSS_MEAN}, {NULL, NULL, 0}};

static const Knob knobs[] = {
    {.name = "query",
     .label = "question",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, query),
     .size = SENTENCE_TEXT_MAX,
     .start = "@record",
     .hidden = true,
     .help = "the question, at most 512 tokens; @record: that of the record"},
    {.name = "record",
     .label = "record",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, record),
     .choices = record_choices,
     .start = "1",
     .key = 'R',
     .help = "a review and its question: a mixed one, a positive one, a negative one"},
    {.name = "context",
     .label = "review",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, context),
     .size = SENTENCE_TEXT_MAX,
     .start = "@record",
     .help = "the review, at most 512 tokens; @record: that of the record"},
    SCENE_STAGE_KNOB(SceneState, shown, stage_choices, "raw", "whose weights are shown"),
    {.name = "head",
     .label = "head",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, head),
     .min = 0,
     .max = 31,
     .step = 1,
     .words = head_words,
     .count_at = offsetof(SceneState, heads),
     .start = "mean",
     .key = 'H',
     .with = "self cross",
     .help = "a head, counted from 0, or the mean of all"},
    {.name = "pad",
     .label = "padding",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, pad),
     .min = 0,
     .max = 511,
     .step = 1,
     .slider_min = 0,
     .slider_max = 16,
     .start = "0",
     .key = 'P',
     .help = "keys of padding behind the review; the mask blocks them"},
    STAGE_TEMPERATURE_KNOB(SceneState, temperature, NULL),
    SENTENCE_UNIT_KNOB(SceneState, unit),
    STAGE_SEED_KNOB(SceneState, seed, 'N', "self cross", "number of the random weights"),
    {.name = "heads",
     .label = "heads",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, heads),
     .min = 1,
     .max = 32,
     .step = 1,
     .slider_min = 1,
     .slider_max = 16,
     .start = "4",
     .with = "",
     .help = "heads of the block; d_model is split among them"},
    {.name = "d-model",
     .label = "d_model",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, d_model),
     .min = 1,
     .max = 512,
     .step = 32,
     .slider_min = 32,
     .slider_max = 512,
     .start = "128",
     .with = "",
     .help = "width of the random block; 384 takes the embeddings as they are"},
    SENTENCE_EMBEDDINGS_KNOB(SceneState, embeddings),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* what is missing is said when it is needed */
    state->stage = stage;
    return true;
}

/* ---- numbers ---- */

static bool is_own(const char *text) {
    return strcmp(text, FROM_RECORD) != 0;
}

static bool need_records(SceneState *state, Err *err) {
    if (state->records || (is_own(state->query) && is_own(state->context))) return true;
    return records_read(state->stage->assets, RECORDS, state->stage->arena, &state->records, err);
}

static const char *question_text(const SceneState *state) {
    return is_own(state->query) ? state->query : state->records[state->record].question;
}

static const char *review_text(const SceneState *state) {
    return is_own(state->context) ? state->context : state->records[state->record].context;
}

static bool read_text(const SceneState *state, const char *knob, const char *text, Arena *arena,
                      Sentence *sentence, Err *err) {
    return sentence_read(text, (SentenceUnit)state->unit, state->embeddings, state->stage, arena,
                         sentence, err) ||
           err_at(err, "%s", knob);
}

static bool check_padding(const SceneState *state, const Sentence *review, Err *err) {
    int keys = review->T + state->pad;
    if (keys <= SENTENCE_TOKENS_MAX) return true;
    return err_set(err,
                   "pad: %d tokens of the review and %d of padding make %d keys, at most %d fit; "
                   "take less padding",
                   review->T, state->pad, keys, SENTENCE_TOKENS_MAX);
}

/* Told at the raw stage too, so that a wrong number does not wait for a later one. */
static bool check_heads(const SceneState *state, Err *err) {
    int H = state->heads;
    if (!multihead_check(state->d_model, H, H, true, err)) return false;
    return state->head < H || err_set(err, "head %d: there %s %d head%s, counted from 0",
                                      state->head, H == 1 ? "is" : "are", H, H == 1 ? "" : "s");
}

/* One block, in arena; none at the raw stage. */
static bool make_model(const SceneState *state, Arena *arena, CrossInput *input, Err *err) {
    if (state->shown == CROSS_RAW) return true;
    BlockModelShape shape = {
        .in = input->question.D, .D = state->d_model, .H = state->heads, .L = 1, .cross = true};
    BlockModel *model = ARENA_NEW(arena, BlockModel);
    input->model = model;
    return blockmodel_seeded(arena, shape, true, (uint64_t)state->seed, model, err);
}

/* The longest word of the question says most; of equal ones the last. */
static int longest(const TableAxis *axis) {
    size_t most = 0;
    int at = 0;
    for (int i = 0; i < axis->count; i++) {
        const char *word = axis->labels[i].full;
        size_t length = utf8_count(word, strlen(word));
        if (length >= most) most = length, at = i;
    }
    return at;
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    CrossInput input = {.pad = state->pad, .temperature = state->temperature, .head = state->head};
    if (!need_records(state, err) ||
        !read_text(state, "query", question_text(state), arena, &input.question, err) ||
        !read_text(state, "context", review_text(state), arena, &input.review, err) ||
        !check_padding(state, &input.review, err) || !check_heads(state, err) ||
        !make_model(state, arena, &input, err))
        return false;
    state->input = input;
    state->maps = crossmaps_make(arena, &input);
    state->first_row = longest(&state->maps.queries);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->maps.tables, stage);
}

/* ---- the figure ---- */

static int row_of(const SceneState *state) {
    bool chosen = state->view.row >= 0 && state->view.row < state->maps.queries.count;
    return chosen ? state->view.row : state->first_row;
}

static const char *whose_words(const SceneState *state, Arena *arena) {
    bool question = is_own(state->query), review = is_own(state->context);
    if (question && review) return "your own pair";
    const Record *record = &state->records[state->record];
    const char *own = question ? ", your own question" : review ? ", your own review" : "";
    return arena_printf(arena, "record %d, %s%s", state->record + 1,
                        review ? "its question" : record->sentiment, own);
}

static const char *caption(const SceneState *state, Arena *arena) {
    Text text = text_open(arena);
    text_addf(&text, "Cross-attention: %s", state->maps.tables[state->shown]->title);
    if (state->shown == CROSS_SELF) text_add(&text, " · causal mask");
    if (state->shown != CROSS_RAW) text_add(&text, " · untrained");
    if (state->pad && state->shown != CROSS_SELF) text_add(&text, " · padding blocked");
    if (state->temperature != 1) text_addf(&text, " · temperature %.4g", state->temperature);
    text_addf(&text, " · %s", whose_words(state, arena));
    return text.bytes;
}

static const char *mask_words(const SceneState *state, Arena *arena) {
    if (state->shown == CROSS_SELF) return "causal · RoPE";
    if (!state->pad) return "none";
    return arena_printf(arena, "padding, %d key%s", state->pad, state->pad == 1 ? "" : "s");
}

static int width_of_keys(const SceneState *state) {
    return state->shown == CROSS_RAW ? state->input.question.D : state->maps.block.self.K;
}

static const char *figure_facts(const SceneState *state, Arena *arena) {
    bool own = is_own(state->query) && is_own(state->context);
    const char *title =
        own ? "" : arena_printf(arena, "“%s” · ", state->records[state->record].title);
    return arena_printf(arena, "%smask: %s · scale: 1/√%d · temperature: %.4g", title,
                        mask_words(state, arena), width_of_keys(state), state->temperature);
}

static Heard heard_of(const SceneState *state) {
    const Table *shown = state->maps.tables[state->shown];
    bool chosen = state->view.row >= 0 && state->view.column < shown->columns.count;
    return (Heard){.table = shown,
                   .row = row_of(state),
                   .column = chosen ? state->view.column : -1,
                   .text = state->shown == CROSS_SELF ? "the question" : "the review"};
}

/* The row that is listened to is framed, chosen or not. */
static Figure figure(const SceneState *state, Canvas *canvas, int width, int height) {
    View *view = ARENA_NEW(canvas->arena, View);
    *view = state->view;
    view->row = row_of(state);
    Heard heard = heard_of(state);
    return (Figure){.caption = caption(state, canvas->arena),
                    .facts = figure_facts(state, canvas->arena),
                    .table = heard.table,
                    .view = view,
                    .below = heard_height(canvas, width, height, &heard)};
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    Figure shown = figure(state, canvas, rect.w, rect.h);
    Heard heard = heard_of(state);
    FigureBelow below = figure_below(canvas, rect, &shown);
    figure_draw(canvas, rect, &shown);
    heard_draw(canvas, &heard, &below);
}

/* As wide as the map, and high enough for all words where that is not most of the figure. */
static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    int narrowest = canvas_px(canvas, NARROWEST);
    Figure shown = figure(state, canvas, narrowest, 0);
    Heard heard = heard_of(state);
    figure_natural(canvas, &shown, width, height);
    if (*width < narrowest) *width = narrowest;
    shown.below = heard_natural(canvas, *width, *height, &heard);
    int map, lowest = canvas_px(canvas, HEARD_LOWEST);
    figure_natural(canvas, &shown, &map, height);
    if (*height < lowest) *height = lowest;
}

static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    Figure shown = figure(state, canvas, rect.w, rect.h);
    if (figure_locate(canvas, rect, &shown, x, y, cell)) return true;
    Heard heard = heard_of(state);
    FigureBelow below = figure_below(canvas, rect, &shown);
    int column = heard_at(canvas, &heard, &below, x, y);
    if (column < 0) return false;
    *cell = (Cell){heard.row, column};
    return true;
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    Figure shown = figure(state, canvas, rect.w, rect.h);
    return figure_geometry(canvas, rect, &shown, arena);
}

/* ---- the inspector ---- */

/* The attention that the table shows, or NULL for a mean of heads; q[K] and k[K] of the cell. */
static const AttentionTrace *attention_of(const SceneState *state, Cell cell, const float **q,
                                          const float **k) {
    const CrossMaps *maps = &state->maps;
    size_t i = (size_t)cell.row, j = (size_t)cell.column, K = (size_t)width_of_keys(state);
    *q = state->input.question.x + i * K;
    *k = maps->context + j * K;
    if (state->shown == CROSS_RAW) return &maps->raw;
    if (state->head == CROSS_MEAN) return NULL;
    const MultiHeadTrace *all = state->shown == CROSS_SELF ? &maps->block.self : &maps->block.cross;
    size_t h = (size_t)state->head;
    *q = all->q_heads + (h * (size_t)all->T + i) * K;
    *k = all->k_heads + (h * (size_t)all->S + j) * K;
    return &all->heads[state->head];
}

/* The steps from two vectors to the weight. */
static void probe_steps(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const float *q, *k;
    const AttentionTrace *attention = attention_of(state, cell, &q, &k);
    int K = width_of_keys(state), S = state->maps.tables[state->shown]->columns.count;
    size_t row = (size_t)cell.row * (size_t)S, at = row + (size_t)cell.column;
    TableAxis features = {"feature", K, label_numbers(arena, 0, K)};
    inspect_number(probe, arena, "q · k", (double)attention->scores[at]);
    inspect_terms(probe, arena, &features, q, k, 1);
    inspect_number(probe, arena, arena_printf(arena, "÷ √%d", K), (double)attention->scaled[at])
        ->rule = true;
    if (probe->state == CELL_OK)
        inspect_softmax(probe, arena, attention->masked + row, S, cell.column, state->temperature);
    else
        inspect_line(probe, "mask", "−∞, blocked");
    inspect_number(probe, arena, "weight", (double)probe->value)->hot = true;
}

/* The same cell in every head, then their mean. */
static void probe_mean(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    const CrossMaps *maps = &state->maps;
    const MultiHeadTrace *all = state->shown == CROSS_SELF ? &maps->block.self : &maps->block.cross;
    size_t at = (size_t)cell.row * (size_t)all->S + (size_t)cell.column;
    for (int h = 0; h < all->H && h < PROBE_HEADS; h++)
        inspect_number(probe, arena, arena_printf(arena, "head %d", h),
                       (double)all->heads[h].weights[at]);
    struct ProbeLine *mean = inspect_number(
        probe, arena, crossmaps_heads(arena, CROSS_MEAN, all->H), (double)probe->value);
    mean->hot = mean->rule = true;
}

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    const Table *shown = state->maps.tables[state->shown];
    if (cell.row < 0 || cell.column < 0 || cell.row >= shown->rows.count ||
        cell.column >= shown->columns.count)
        return false;
    *out = inspect_cell(arena, shown, cell);
    inspect_label(out, arena, "query", &shown->rows.labels[cell.row]);
    inspect_label(out, arena, "key", &shown->columns.labels[cell.column]);
    if (state->shown != CROSS_RAW && state->head == CROSS_MEAN)
        probe_mean(state, arena, cell, out);
    else
        probe_steps(state, arena, cell, out);
    const uint8_t *allowed = state->maps.allowed[state->shown];
    inspect_row(out, arena, shown, allowed + (size_t)cell.row * (size_t)shown->columns.count,
                cell.row);
    if (out->state == CELL_BLOCKED)
        out->sentence =
            state->shown == CROSS_SELF
                ? "Blocked: this key comes after the query, and the causal mask hides it."
                : "Blocked: this key is padding, and the mask hides it.";
    return true;
}

/* ---- */

static const char *text(const SceneState *state, const Knob *knob, Arena *arena) {
    if (!state->records) return NULL;
    if (strcmp(knob->name, "query") == 0) return arena_text(arena, question_text(state));
    if (strcmp(knob->name, "context") == 0) return arena_text(arena, review_text(state));
    return NULL;
}

static const char *facts(const SceneState *state, Arena *arena) {
    const CrossMaps *maps = &state->maps;
    return arena_printf(arena, "%d × %d · d = %d", maps->queries.count, maps->keys.count,
                        state->input.question.D);
}

const Scene scene_cross = {
    .name = "cross",
    .title = "Cross-attention",
    .menu = "Cross-attention",
    .group = "blocks",
    .lesson = "The question asks, the review answers: queries come from one text, keys and values "
              "from the other.",
    .order = 115,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "raw",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    .draw = draw,
    .caption = caption,
    .natural = natural,
    .locate = locate,
    .geometry = geometry,
    .probe = probe,
    .table = table,
    .text = text,
    .facts = facts,
};
