/* The same sentence under every encoding of positions: raw attention of one head, in which none,
 * sinusoids, a learned table, RoPE, ALiBi, T5 buckets or clipped distances tell where a word
 * stands. Words can change places, and the figure says which encodings notice. */
#include "scene/angle_knobs.h"
#include "scene/compared.h"
#include "scene/encoding.h"
#include "scene/figure.h"
#include "scene/inspect.h"
#include "scene/offsets.h"
#include "scene/panels.h"
#include "scene/reorder.h"
#include "scene/scene.h"
#include "scene/sentence.h"

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

enum { TABLE_TEXT_MAX = 65536 };

struct SceneState {
    View view;
    Stage *stage;
    char text[SENTENCE_TEXT_MAX], embeddings[SENTENCE_PATH_MAX], table_text[TABLE_TEXT_MAX];
    ReorderRule order;
    int unit, shown, encoding, compare, mask, table_seed;
    int heads, head, form, buckets, max_distance, clip;
    double base, strength;
    /* made by compute */
    const Sentence *typed;
    Reordered words;
    EncodingRule rule, other; /* other: compared with */
    EncodedHead main;
    const Table *tables[COUNT], *compared; /* compared: the stage shown under the other */
    const Table *apart;                    /* main minus compared */
    const float *other_weights;            /* [T,T] under the other; NULL: it refuses the text */
};

static const SceneStage stages[] = {POSITIONS_STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {POSITIONS_STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const KnobChoice forms[] = {
    [ALIBI_SYMMETRIC] = {"symmetric", "−slope |j − i|"},
    [ALIBI_SIGNED] = {"signed", "slope (j − i)"},
    {NULL, NULL},
};

#define AT(field)      .at = offsetof(SceneState, field)
#define TEXT_AT(field) AT(field), .size = sizeof((SceneState *)NULL)->field

static const Knob knobs[] = {
    SENTENCE_TEXT_KNOB(SceneState, text, SENTENCE_EXAMPLE),
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
    STAGE_HEAD_KNOB(SceneState, head, heads, 127, "the head shown, from 0"),
    STAGE_CAUSAL_KNOB(SceneState, mask),
    REORDER_KNOBS(SceneState, order),
    SENTENCE_UNIT_KNOB(SceneState, unit),
    {.name = "strength",
     .label = "strength",
     .kind = KNOB_REAL,
     AT(strength),
     .max = 100,
     .step = 0.1,
     .slider_max = 4,
     .start = "1",
     .with = "sinusoidal learned alibi t5 relative",
     .help = "factor on what is added: vectors of positions, or a bias"},
    BASE_KNOB(SceneState, base, 1e6, "of the wavelengths, for sinusoidal and RoPE"),
    {.name = "alibi-form",
     .label = "ALiBi form",
     .kind = KNOB_CHOICE,
     AT(form),
     .choices = forms,
     .start = "symmetric",
     .with = "alibi",
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
     .with = "t5",
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
     .with = "t5",
     .help = "from this distance on T5 has one bucket"},
    {.name = "clip",
     .label = "clipped at",
     .kind = KNOB_INT,
     AT(clip),
     .max = 512,
     .step = 1,
     .slider_max = 32,
     .start = "4",
     .with = "relative",
     .help = "from this distance on clipped positions are one"},
    {.name = "table",
     .label = "table",
     .kind = KNOB_TEXT,
     TEXT_AT(table_text),
     .start = "",
     .with = "learned",
     .help = "a learned table, a row for each position, rows parted by ; or @FILE"},
    {.name = "table-seed",
     .label = "table seed",
     .kind = KNOB_INT,
     AT(table_seed),
     .max = 9999,
     .step = 1,
     .start = "1",
     .with = "learned t5 relative",
     .help = "number of the random tables that stand for trained ones"},
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

static bool read_text(SceneState *state, Arena *arena, Err *err) {
    Sentence *typed = ARENA_NEW(arena, Sentence);
    if (!sentence_read(state->text, (SentenceUnit)state->unit, state->embeddings, state->stage,
                       arena, typed, err) ||
        !reorder(typed, &state->order, arena, &state->words, err))
        return false;
    state->typed = typed;
    return true;
}

static bool make_rule(SceneState *state, Arena *arena, Err *err) {
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
    if (!encoding_read_table(state->table_text, arena, &rule.learned, err)) return false;
    bool attends = state->shown >= SCORES || !encoding_has_bias(rule.kind);
    if (state->shown == ENCODING || state->shown == BUCKETS) attends = false;
    state->rule = state->other = rule;
    state->other.kind = state->compare ? (EncodingKind)(state->compare - 1) : ENCODING_NONE;
    int T = state->typed->T, D = state->typed->D;
    return encoding_check(&state->rule, T, D, attends, err) &&
           (!state->compare || encoding_check(&state->other, T, D, attends, err));
}

static Table *add_table(SceneState *state, Arena *arena, PositionsStage stage, Table table) {
    Table *made = ARENA_NEW(arena, Table);
    *made = table;
    made->stage = stages[stage].name;
    state->tables[stage] = made;
    return made;
}

/* The map that a stage from buckets to weights shows. */
static EncodingMap map_of(PositionsStage stage) {
    return (EncodingMap)(ENCODING_MAP_BUCKETS + (stage - BUCKETS));
}

static void add_map(SceneState *state, Arena *arena, PositionsStage stage,
                    const EncodedHead *head) {
    const EncodingRule *rule = &state->rule;
    Table *table = add_table(state, arena, stage,
                             encoding_map(rule, map_of(stage), &state->words.shown, head, arena));
    if (stage == WEIGHTS && state->words.moved)
        encoding_note_order(rule, state->typed, state->words.place, table, arena);
    encoding_notes(rule, table, arena);
    if (stage == WEIGHTS) table_note(table, state->typed->note);
}

/* The second encoding's numbers of the stage shown, and what lies between. */
static void add_comparison(SceneState *state, Arena *arena) {
    const Sentence *words = &state->words.shown;
    if (!encoding_check(&state->other, words->T, words->D, true, NULL)) return;
    EncodedHead second = encoding_attend(&state->other, words->x, words->T, words->D, arena);
    Table weights = encoding_map(&state->other, ENCODING_MAP_WEIGHTS, words, &second, arena);
    state->other_weights = second.weights;
    add_table(
        state, arena, DIFFERENCE,
        encoding_difference(state->tables[WEIGHTS], &state->rule, &weights, &state->other, arena));
    if (state->compare == 0 || state->shown < BIAS || state->shown > WEIGHTS) return;
    Table *other = ARENA_NEW(arena, Table), *apart = ARENA_NEW(arena, Table);
    *other =
        encoding_map(&state->other, map_of((PositionsStage)state->shown), words, &second, arena);
    encoding_notes(&state->other, other, arena);
    *apart =
        encoding_difference(state->tables[state->shown], &state->rule, other, &state->other, arena);
    state->compared = other;
    state->apart = apart;
}

static void attend(SceneState *state, Arena *arena) {
    const Sentence *words = &state->words.shown;
    state->main = encoding_attend(&state->rule, words->x, words->T, words->D, arena);
    for (PositionsStage stage = BIAS; stage <= WEIGHTS; stage++)
        add_map(state, arena, stage, &state->main);
    add_comparison(state, arena);
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    if (!read_text(state, arena, err) || !make_rule(state, arena, err)) return false;
    memset(state->tables, 0, sizeof state->tables);
    state->compared = state->apart = NULL;
    state->other_weights = NULL;
    const EncodingRule *rule = &state->rule;
    int T = state->typed->T, D = state->typed->D;
    Table *held = add_table(state, arena, ENCODING, encoding_table(rule, T, D, arena));
    encoding_notes(rule, held, arena);
    add_map(state, arena, BUCKETS, NULL);
    if (state->shown == ORDER)
        add_table(state, arena, ORDER,
                  encoding_order(rule, state->typed, state->words.moved ? state->words.place : NULL,
                                 arena));
    if (encoding_check(rule, T, D, true, NULL))
        attend(state, arena);
    else if (state->shown == BIAS)
        add_map(state, arena, BIAS, NULL);
    return true;
}

static const Table *table(const SceneState *state, const char *stage) {
    return scene_table(stages, state->tables, stage);
}

/* ---- pictures ---- */

static const char *caption(const SceneState *state, Arena *arena) {
    const Table *shown = state->tables[state->shown];
    const char *mask = "", *order = reorder_words(&state->order, arena);
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
    int heads = state->rule.heads, K = state->typed->D / heads, head = state->rule.head;
    if (state->shown < SCORES && encoding_has_bias(state->rule.kind))
        return arena_printf(arena, "head %d of %d", head, heads);
    if (state->shown <= BUCKETS) return arena_printf(arena, "d = %d", state->typed->D);
    return arena_printf(arena, "mask: %s · scale: 1/√%d · head %d of %d, features %d to %d",
                        stage_masks[state->mask].label, K, head, heads, head * K, head * K + K - 1);
}

static bool has_buckets(const SceneState *state) {
    bool has = state->rule.kind == ENCODING_T5 || state->rule.kind == ENCODING_RELATIVE;
    return has && state->shown == BIAS;
}

/* The stage's map, and with a bias the numbers of the buckets that it comes from: beside it, or
 * where there is no room, in a line below. */
static int panels(const SceneState *state, Canvas *canvas, Rect rect, Panel *list) {
    Arena *arena = canvas->arena;
    list[0] = (Panel){.matrix = {.caption = caption(state, arena),
                                 .facts = figure_facts(state, arena),
                                 .table = state->tables[state->shown],
                                 .view = &state->view}};
    if (!has_buckets(state)) return 1;
    list[1] = (Panel){.matrix = {.caption = state->tables[BUCKETS]->title,
                                 .table = state->tables[BUCKETS],
                                 .view = &state->view,
                                 .brief = true}};
    if (panels_beside(canvas, rect, list, 2)) return 2;
    list[0].matrix.below = offsets_height(canvas);
    return 1;
}

static void draw_panels(const SceneState *state, Canvas *canvas, Rect rect) {
    Panel list[PANELS_MAX];
    int count = panels(state, canvas, rect, list);
    panels_draw(canvas, rect, list, count);
    if (!list[0].matrix.below) return;
    FigureBelow below = figure_below(canvas, rect, &list[0].matrix);
    offsets_draw(canvas, below.place, state->tables[BUCKETS],
                 state->rule.kind == ENCODING_T5 ? "bucket" : "row of table",
                 (Cell){state->view.row, state->view.column});
}

static GridOfMaps maps(const SceneState *state, Arena *arena) {
    const Table *sides[] = {state->tables[state->shown], state->compared};
    return compared_maps(caption(state, arena), figure_facts(state, arena), sides, state->apart,
                         &state->view, arena);
}

static void draw(const SceneState *state, Canvas *canvas, Rect rect) {
    if (state->compared) {
        GridOfMaps three = maps(state, canvas->arena);
        grid_of_maps_draw(canvas, rect, &three);
    } else {
        draw_panels(state, canvas, rect);
    }
}

static void natural(const SceneState *state, Canvas *canvas, int *width, int *height) {
    Panel list[PANELS_MAX];
    if (state->compared) {
        GridOfMaps three = maps(state, canvas->arena);
        three.columns = three.count;
        grid_of_maps_natural(canvas, &three, width, height);
        return;
    }
    panels(state, canvas, canvas->clip, list);
    list[0].matrix.below = 0;
    figure_natural(canvas, &list[0].matrix, width, height);
    if (has_buckets(state)) *width = panels_width(canvas, *width);
}

static bool locate(const SceneState *state, Canvas *canvas, Rect rect, int x, int y, Cell *cell) {
    Panel list[PANELS_MAX];
    if (state->compared) {
        GridOfMaps three = maps(state, canvas->arena);
        return grid_of_maps_locate(canvas, rect, &three, x, y, cell);
    }
    return panels_locate(canvas, rect, list, panels(state, canvas, rect, list), x, y, cell);
}

static const char *geometry(const SceneState *state, Canvas *canvas, Rect rect, Arena *arena) {
    Panel list[PANELS_MAX];
    if (state->compared) {
        GridOfMaps three = maps(state, arena);
        return grid_of_maps_geometry(canvas, rect, &three, arena);
    }
    return panels_geometry(canvas, rect, list, panels(state, canvas, rect, list), arena);
}

/* ---- words ---- */

/* The number of the cell; where it stands among what it is made of, it is marked there. */
static void probe_result(const SceneState *state, Arena *arena, size_t at, Probe *probe) {
    if (state->shown == BUCKETS) {
        probe->lines[state->tables[BUCKETS]->kind == TABLE_COUNTS].hot = true;
        return;
    }
    if (state->shown >= WEIGHTS)
        inspect_number(probe, arena, "weight", (double)state->tables[WEIGHTS]->values[at]);
    if (state->shown == DIFFERENCE) {
        inspect_number(probe, arena, encoding_choices[state->other.kind].label,
                       (double)state->other_weights[at]);
        inspect_number(probe, arena, "difference", (double)probe->value);
    }
    probe->lines[probe->line_count - 1].hot = true;
}

static void probe_pair(const SceneState *state, Arena *arena, Cell cell, Probe *probe) {
    int T = state->typed->T;
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
    probe_result(state, arena, at, probe);
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
    return arena_printf(arena, "%d tokens · d = %d", state->typed->T, state->typed->D);
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
