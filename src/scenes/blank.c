/* The template: copy this file, rename it, and heed has a new scene. It shows the products of two
 * series of numbers, which is as little as a scene can do: one knob, one stage, one table. */
#include "base/label.h"
#include "scene/figure.h"
#include "scene/scene.h"

struct SceneState {
    View view;
    int stage;
    int size;
    const Table *products;
};

#define STAGES(ROW) ROW("products", "products", "Each row's number times each column's number.")

static const SceneStage stages[] = {STAGES(SCENE_STAGE_ROW){NULL, NULL, NULL}};
static const KnobChoice stage_choices[] = {STAGES(SCENE_CHOICE_ROW){NULL, NULL}};

static const Knob knobs[] = {
    SCENE_STAGE_KNOB(SceneState, stage, stage_choices, "products", "what is shown"),
    {.name = "count",
     .label = "numbers",
     .kind = KNOB_INT,
     .at = offsetof(SceneState, size),
     .min = 1,
     .max = 64,
     .step = 1,
     .start = "9",
     .help = "how many numbers each side has"},
    STAGE_VIEW_KNOBS(SceneState),
    {.name = NULL},
};

static bool compute(SceneState *state, Arena *arena, Err *err) {
    (void)err; /* nothing can go wrong here */
    float *values;
    uint8_t *states;
    Table *table = ARENA_NEW(arena, Table);
    const Label *labels = label_numbers(arena, 1, state->size);
    TableAxis left = {"left", state->size, labels}, right = {"right", state->size, labels};
    *table = table_new(arena, left, right, &values, &states);
    for (int i = 0; i < state->size * state->size; i++)
        values[i] = (float)((i / state->size + 1) * (i % state->size + 1));
    table_seal(table, states);
    table->stage = "products";
    table->title = "products";
    table->quantity = "product";
    table->kind = TABLE_COUNTS;
    state->products = table;
    return true;
}

static Figure figure(const SceneState *state, Arena *arena) {
    (void)arena; /* a caption that is made from knobs would lie here */
    return (Figure){.caption = "Blank: products", .table = state->products, .view = &state->view};
}

FIGURE_FUNCTIONS

static const Table *table(const SceneState *state, const char *stage) {
    (void)stage; /* there is one */
    return state->products;
}

const Scene scene_blank = {
    .name = "blank",
    .title = "Blank",
    .menu = "Blank",
    .group = "template",
    .lesson = "The template of a scene: a table of products.",
    .order = 1000,
    .hidden = true,
    .state_size = sizeof(SceneState),
    .knobs = knobs,
    .stages = stages,
    .main_stage = "products",
    .steps = "stage",
    .view = offsetof(SceneState, view),
    .compute = compute,
    FIGURE_ROWS,
    .table = table,
};
