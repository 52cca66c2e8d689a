/* Any events in any order, as a cat on the keyboard makes them: nothing may end the program, and
 * after each the window can be drawn. With the sanitizers this finds what points into a scene that
 * has been left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/hud_parts.h"
#include "base/rng.h"

enum { EVENTS = 3000, SEED = 1 };

/* Without e and q, that would write a file or end it. */
static const char letters[] = "abcdfghijklmnoprstuvwxyz0123456789 '-=";
static const char *const texts[] = {"a", "+",    "-",        "?",
                                    " ", "word", "\xC3\xA9", "\xF0\x9F\x99\x82"};

static uint32_t some_key(Rng *rng) {
    if (rng_below(rng, 3) == 0) return (uint32_t)letters[rng_below(rng, sizeof letters - 1)];
    return KEY_LEFT + rng_below(rng, KEY_F12 - KEY_LEFT + 1);
}

static Event some_event(Rng *rng, const Canvas *canvas) {
    static const EventKind kinds[] = {
        EVENT_KEY,   EVENT_KEY,     EVENT_KEY,   EVENT_KEY,   EVENT_KEY,    EVENT_KEY,
        EVENT_TEXT,  EVENT_TEXT,    EVENT_MOVE,  EVENT_MOVE,  EVENT_MOVE,   EVENT_PRESS,
        EVENT_PRESS, EVENT_RELEASE, EVENT_WHEEL, EVENT_LEAVE, EVENT_RESIZE, EVENT_EXPOSE};
    Event event = {.kind = kinds[rng_below(rng, sizeof kinds / sizeof *kinds)], .digit = -1};
    event.x = (int)rng_below(rng, (uint32_t)canvas->width + 40) - 20;
    event.y = (int)rng_below(rng, (uint32_t)canvas->height + 40) - 20;
    event.button = 1 + (int)(rng_below(rng, 6) == 0 ? rng_below(rng, 3) : 0);
    event.clicks = 1 + (int)rng_below(rng, 3);
    event.wheel = (int)rng_below(rng, 7) - 3;
    if (rng_below(rng, 3) == 0) event.mods = rng_below(rng, 8);
    if (event.kind == EVENT_KEY) event.key = some_key(rng);
    if (event.kind == EVENT_TEXT)
        snprintf(event.text, sizeof event.text, "%s",
                 texts[rng_below(rng, sizeof texts / sizeof *texts)]);
    return event;
}

/* What has the keyboard is there in the scene that is shown. */
static void check(App *app) {
    bool knob = app->hud.mode == HUD_KNOBS || app->hud.mode == HUD_VALUE;
    if (knob && hud_panel_row(app, hud_knob(app)) < 0)
        fail_msg("%s: a knob is turned that is not there", app->scene->name);
    if (app->hud.mode == HUD_TEXT && !hud_text_knob(app))
        fail_msg("%s: a text is edited that is not there", app->scene->name);
}

static void draw(App *app, Arena *scratch, Canvas *canvas, int width, int height) {
    *canvas = app_canvas(app, scratch, width, height);
    canvas->arena = scratch;
    hud_point(app, canvas, true);
    app_draw(app, canvas);
}

static void open_app(App *app) {
    Err err = {.text = ""};
    if (!app_open(app, "assets", &err)) fail_msg("%s", err.text);
    app->hud.pointer_x = app->hud.pointer_y = -1;
}

static void test_any_events(void **state) {
    (void)state;
    App app;
    open_app(&app);
    Arena arena = arena_open(app_memory_full), scratch = arena;
    Rng rng = rng_seed(SEED);
    Canvas canvas;
    draw(&app, &scratch, &canvas, APP_WIDTH, APP_HEIGHT);
    for (int i = 0; i < EVENTS && !app.quit; i++) {
        Event event = some_event(&rng, &canvas);
        hud_event(&app, &canvas, &event);
        check(&app);
        if (rng_below(&rng, 5)) continue;
        app_step(&app, 0.05);
        scratch = arena;
        draw(&app, &scratch, &canvas, 300 + (int)rng_below(&rng, 1000),
             200 + (int)rng_below(&rng, 600));
    }
    arena_close(&scratch);
    app_close(&app);
}

/* A window may become smaller than what stands around the numbers. */
static void test_every_stage_in_small_windows(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 1}, {300, 60}, {60, 300}, {420, 170}};
    App app;
    open_app(&app);
    Arena arena = arena_open(app_memory_full), list = arena_open(app_memory_full), scratch = arena;
    int count;
    const Scene **scenes = scene_list(&list, &count);
    for (int i = 0; i < count; i++) {
        Err err = {.text = ""};
        assert_true(app_do_words(&app, (const char *[]){"scene", scenes[i]->name}, 2, &err));
        for (const SceneStage *stage = scenes[i]->stages; stage->name; stage++) {
            app_do_words(&app, (const char *[]){"set", "stage", stage->name}, 3, &err);
            for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
                scratch = arena;
                Canvas canvas = app_canvas(&app, &scratch, sizes[size][0], sizes[size][1]);
                app_draw_figure(&app, &canvas, canvas.clip);
            }
        }
    }
    arena_close(&scratch);
    arena_close(&list);
    app_close(&app);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_events),
        cmocka_unit_test(test_every_stage_in_small_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
