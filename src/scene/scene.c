/* The list of scenes, made from the folder: the Makefile writes a line SCENE(name) for each file in
 * src/scenes into scene_names.h. */
#include "scene/scene.h"

#include "base/words.h"

#include <assert.h>
#include <string.h>

#define SCENE(name) extern const Scene scene_##name;
#include "scene_names.h"
#undef SCENE

/* By file name. */
static const Scene *const scenes[] = {
#define SCENE(name) &scene_##name,
#include "scene_names.h"
#undef SCENE
};

enum { SCENE_COUNT = sizeof scenes / sizeof scenes[0] };

static bool comes_before(const Scene *a, const Scene *b) {
    if (a->hidden != b->hidden) return b->hidden;
    return a->order < b->order;
}

const Scene **scene_list(Arena *arena, int *count) {
    const Scene **list = ARENA_ARRAY(arena, const Scene *, SCENE_COUNT);
    for (int i = 0; i < SCENE_COUNT; i++) {
        int at = i;
        for (; at > 0 && comes_before(scenes[i], list[at - 1]); at--) list[at] = list[at - 1];
        list[at] = scenes[i];
    }
    *count = SCENE_COUNT;
    return list;
}

const Scene *scene_find(const char *name, Err *err) {
    const char *names[SCENE_COUNT];
    int count = 0;
    for (int i = 0; i < SCENE_COUNT; i++) {
        if (strcmp(scenes[i]->name, name) == 0) return scenes[i];
        if (!scenes[i]->hidden) names[count++] = scenes[i]->name;
    }
    words_unknown(err, "scene", name, names, count);
    return NULL;
}

SceneState *scene_new(const Scene *scene, Stage *stage, Arena *arena, Err *err) {
    SceneState *state = arena_alloc(arena, scene->state_size);
    *scene_view(scene, state) = stage_view();
    knob_start(scene->knobs, state);
    if (scene->open && !scene->open(state, stage, err)) return NULL;
    return state;
}

View *scene_view(const Scene *scene, SceneState *state) {
    void *view = (unsigned char *)state + scene->view;
    return view;
}

const char *scene_line(const Scene *scene, const SceneState *state, Arena *arena) {
    Text line = text_open(arena);
    words_add(&line, scene->name);
    for (const Knob *knob = scene->knobs; knob->name; knob++) {
        if (knob_at_start(knob, state)) continue;
        const char *value = knob_get(knob, state, arena);
        bool option = strncmp(value, "--", 2) == 0 || strcmp(value, "-o") == 0; /* looks like one */
        words_add(&line, arena_printf(arena, option ? "--%s=%s" : "--%s", knob->name, value));
        if (!option) words_add(&line, value);
    }
    return line.bytes;
}

const Knob *scene_steps(const Scene *scene) {
    return scene->steps ? knob_find(scene->knobs, scene->steps, NULL) : NULL;
}

int scene_walk(const Scene *scene, const SceneState *state, int walk[SCENE_STEPS_MAX]) {
    const Knob *knob = scene_steps(scene);
    const int *own = scene->walk ? scene->walk(state) : NULL;
    int count = 0;
    while (knob && (own ? own[count] >= 0 : knob->choices[count].name != NULL)) {
        assert(count < SCENE_STEPS_MAX);
        walk[count] = own ? own[count] : count;
        count++;
    }
    return count;
}

/* Where on its way the steps line stands; *count steps are on it. */
static int place_on_walk(const Scene *scene, const SceneState *state, int walk[SCENE_STEPS_MAX],
                         int *count) {
    int at = 0;
    *count = scene_walk(scene, state, walk);
    while (at < *count && walk[at] != knob_choice(scene_steps(scene), state)) at++;
    assert(at < *count || *count == 0);
    return at;
}

int scene_walk_next(const Scene *scene, const SceneState *state, int direction) {
    int walk[SCENE_STEPS_MAX], count, at = place_on_walk(scene, state, walk, &count) + direction;
    return at >= 0 && at < count ? walk[at] : -1;
}

bool scene_step(const Scene *scene, SceneState *state, const Knob *knob, int direction) {
    if (knob != scene_steps(scene)) return knob_step(knob, state, direction);
    int walk[SCENE_STEPS_MAX], count, at = place_on_walk(scene, state, walk, &count);
    int next = walk[((at + direction) % count + count) % count];
    knob_set(knob, state, knob->choices[next].name, NULL);
    return count > 1;
}

int scene_stage_index(const Scene *scene, const char *name) {
    for (int i = 0; scene->stages[i].name; i++)
        if (strcmp(scene->stages[i].name, name) == 0) return i;
    return -1;
}

const Table *scene_table(const SceneStage *stages, const Table *const *tables, const char *stage) {
    for (int i = 0; stages[i].name; i++)
        if (strcmp(stages[i].name, stage) == 0) return tables[i];
    return NULL;
}
