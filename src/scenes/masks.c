/* Masks on the numbers of a sentence: the same scores under every kind of mask, stepped by key and
 * painted by hand. Queries, keys and values are the embeddings themselves, as in raw attention. */
#include "base/text.h"
#include "core/memo.h"
#include "scene/masklab.h"
#include "scene/sentence.h"

#include <stdlib.h>
#include <string.h>

enum { DOCUMENTS_MAX = 256, DOCUMENTS_TEXT = 1024 };

typedef enum Shown { FIRST, SECOND } Shown;

struct SceneState {
    View view;
    Stage *stage;
    MaskLab lab;
    char text[SENTENCE_TEXT_MAX], second[SENTENCE_TEXT_MAX];
    char documents[DOCUMENTS_TEXT];
    int unit, shown, queries, keys;
    /* made by compute */
    int tokens, width;
    MaskResult result;
};

static const KnobChoice sentences[] = {
    [FIRST] = {"first", "first"},
    [SECOND] = {"second", "second"},
    {NULL, NULL},
};

#define TOKENS_KNOB(field, help_)                                                                  \
    {                                                                                              \
        .name = #field, .label = #field, .kind = KNOB_INT, .at = offsetof(SceneState, field),      \
        .min = 0, .max = SENTENCE_TOKENS_MAX, .step = 1, .slider_min = 0, .slider_max = 32,        \
        .start = "0", .with = "", .help = help_                                                    \
    }

static const Knob knobs[] = {
    SENTENCE_TEXT_KNOB(SceneState, text, "The film is not bad at all."),
    MASKLAB_KNOBS(SceneState, false, "causal",
                  "padding tokens beside the text, with the masks that know padding"),
    {.name = "second-text",
     .label = "second text",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, second),
     .size = SENTENCE_TEXT_MAX,
     .start = "",
     .with = "",
     .help = "another sentence in the same batch: the shorter one is padded"},
    {.name = "shown",
     .label = "shown",
     .kind = KNOB_CHOICE,
     .at = offsetof(SceneState, shown),
     .choices = sentences,
     .start = "first",
     .key = 'B',
     .with = "",
     .help = "which sentence of the batch is shown"},
    {.name = "documents",
     .label = "documents",
     .kind = KNOB_TEXT,
     .at = offsetof(SceneState, documents),
     .size = DOCUMENTS_TEXT,
     .start = "",
     .with = "documents",
     .help = "tokens of each document in the row, as 5 3; empty: two halves"},
    TOKENS_KNOB(queries, "only so many queries, the last ones; 0: all (a cache: 1 query, 8 keys)"),
    TOKENS_KNOB(keys, "only so many keys, the first ones; 0: all"),
    SENTENCE_UNIT_KNOB(SceneState, unit),
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool open(SceneState *state, Stage *stage, Err *err) {
    (void)err; /* what is missing is said when it is needed */
    state->stage = stage;
    return true;
}

static bool read_text(const SceneState *state, const char *text, Arena *arena, Sentence *sentence,
                      Err *err) {
    return sentence_read(text, (SentenceUnit)state->unit, "", state->stage, arena, sentence, err);
}

/* The sentence shown, and how many padding tokens stand beside it: what the longer sentence of the
 * batch has more, or the knob's number where the mask knows padding. */
static bool read_batch(const SceneState *state, Arena *arena, Sentence *sentence, int *pad,
                       Err *err) {
    Sentence other = {0};
    const char *text = state->text, *second = state->second;
    bool batch = *second != '\0', swapped = state->shown == SECOND;
    if (swapped && !batch)
        return err_set(err, "there is no second sentence to show; give one with --second-text");
    if (!read_text(state, swapped ? second : text, arena, sentence, err)) return false;
    if (batch && !read_text(state, swapped ? text : second, arena, &other, err)) return false;
    bool known = state->lab.kind == MASKLAB_PADDING || state->lab.kind == MASKLAB_CAUSAL_PADDING;
    *pad = batch ? other.T - sentence->T : known ? state->lab.pad : 0;
    if (*pad < 0) *pad = 0;
    if (!batch && *pad > sentence->T)
        return err_set(err, "there are %d padding tokens for a text of %d; take at most %d", *pad,
                       sentence->T, sentence->T);
    if (*pad + sentence->T > SENTENCE_TOKENS_MAX)
        return err_set(err, "%d tokens and %d of padding are too many, at most %d fit", sentence->T,
                       *pad, SENTENCE_TOKENS_MAX);
    return true;
}

/* Padding has the vector of zeros. */
static const uint8_t *add_padding(Sentence *sentence, int pad, bool left, Arena *arena) {
    size_t T = (size_t)sentence->T, D = (size_t)sentence->D, all = T + (size_t)pad;
    size_t first = left ? (size_t)pad : 0;
    Label *labels = ARENA_ARRAY(arena, Label, all);
    float *x = ARENA_ARRAY(arena, float, all *D);
    uint8_t *padding = ARENA_ARRAY(arena, uint8_t, all);
    Label padded = label_plain(arena, "[PAD]");
    padded.padding = true;
    for (size_t i = 0; i < all; i++) {
        padding[i] = i < first || i >= first + T;
        labels[i] = padding[i] ? padded : sentence->labels[i - first];
    }
    memcpy(x + first * D, sentence->x, T * D * sizeof *x);
    sentence->T = (int)all;
    sentence->labels = labels;
    sentence->x = x;
    return padding;
}

/* lengths of documents, in tokens of the row; *count 0 for two halves. */
static bool read_documents(const char *text, Arena *arena, const int **lengths, int *count,
                           Err *err) {
    int *read = ARENA_ARRAY(arena, int, DOCUMENTS_MAX);
    *count = 0;
    for (const char *at = text + strspn(text, " ,;"); *at; at += strspn(at, " ,;")) {
        char *end = NULL;
        long length = strtol(at, &end, 10);
        if (end == at || length < 1 || length > SENTENCE_TOKENS_MAX || *count == DOCUMENTS_MAX)
            return err_set(err,
                           "documents: \"%.20s\" is no number of tokens; give one for each "
                           "document, as 5 3",
                           at);
        read[(*count)++] = (int)length;
        at = end;
    }
    *lengths = *count ? read : NULL;
    return true;
}

/* The first keys, and the last queries of the tokens up to the larger of the two. */
static bool cut(const SceneState *state, int tokens, int *first, int *T, int *S, Err *err) {
    *T = state->queries ? state->queries : tokens;
    *S = state->keys ? state->keys : tokens;
    int end = *T > *S ? *T : *S;
    if (end > tokens)
        return err_set(err, "%d %s are wanted, but there are only %d tokens; 0 takes all of them",
                       end, *T > *S ? "queries" : "keys", tokens);
    *first = end - *T;
    return true;
}

static bool compute(SceneState *state, Arena *arena, Err *err) {
    Sentence sentence;
    MaskInput input = {.note_count = 1};
    int pad = 0, first = 0, T = 0, S = 0;
    if (!read_batch(state, arena, &sentence, &pad, err) ||
        !read_documents(state->documents, arena, &input.documents, &input.document_count, err))
        return false;
    bool left = strcmp(masklab_pad_sides[state->lab.pad_side].name, "left") == 0;
    input.padding = add_padding(&sentence, pad, left, arena);
    if (!cut(state, sentence.T, &first, &T, &S, err)) return false;
    float *scores = ARENA_ARRAY(arena, float, (size_t)T *(size_t)S);
    memo_product_nt(&state->stage->scores, state->stage->arena, scores,
                    sentence.x + (size_t)first * (size_t)sentence.D, sentence.x, T, S, sentence.D);
    input.scores = scores;
    input.factor = attention_scale(sentence.D);
    input.queries = (TableAxis){"query", T, sentence.labels + first};
    input.keys = (TableAxis){"key", S, sentence.labels};
    input.values = sentence.x;
    input.features = (TableAxis){"feature", sentence.D, label_numbers(arena, 0, sentence.D)};
    input.scale = arena_printf(arena, "1/√%d", sentence.D);
    input.notes[0] = sentence.note;
    if (!masklab_compute(&state->lab, &input, arena, &state->result, err)) return false;
    state->tokens = sentence.T;
    state->width = sentence.D;
    return true;
}

static MaskFigure lab(const SceneState *state) {
    return (MaskFigure){"Masks", &state->lab, &state->result, &state->view};
}

MASKLAB_FUNCTIONS

static bool probe(const SceneState *state, Arena *arena, Cell cell, Probe *out) {
    MaskFigure shown = lab(state);
    return masklab_probe(&shown, arena, cell, out);
}

static const char *facts(const SceneState *state, Arena *arena) {
    return arena_printf(arena, "%d token%s · %s", state->tokens, state->tokens == 1 ? "" : "s",
                        masklab_kinds[state->lab.kind].label);
}

const Scene scene_masks = {
    .name = "masks",
    .title = "Masks",
    .menu = "Masks",
    .group = "attention",
    .lesson = "A mask decides which keys a query may see. The row is shared out again among those "
              "that are left.",
    .order = 20,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = masklab_stages,
    .main_stage = "weights",
    .steps = "mask",
    .view = offsetof(SceneState, view),
    .open = open,
    .compute = compute,
    MASKLAB_ROWS,
    .probe = probe,
    .facts = facts,
};
