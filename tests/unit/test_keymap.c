/* The key table: no key twice, nothing that a scene's letters could take away, every line known,
 * and digits and signs found on any keyboard layout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/app.h"
#include "app/keymap.h"

static Event pressed(uint32_t key, unsigned mods, int digit) {
    return (Event){.kind = EVENT_KEY, .key = key, .mods = mods, .digit = digit};
}

static void test_no_key_twice(void **state) {
    (void)state;
    for (const KeyRow *a = keymap_rows(); a->help; a++)
        for (const KeyRow *b = a + 1; b->help; b++)
            assert_false(a->key == b->key && a->mods == b->mods);
}

static void test_scene_letters_do_not_clash(void **state) {
    (void)state;
    Arena arena = arena_open(app_memory_full);
    int count;
    const Scene **scenes = scene_list(&arena, &count);
    assert_true(count > 0);
    for (int i = 0; i < count; i++)
        for (const Knob *knob = scenes[i]->knobs; knob->name; knob++) {
            if (!knob->key) continue;
            assert_in_range(knob->key, 'A', 'Z');
            Event plain = pressed((uint32_t)knob->key + 0x20, 0, -1);
            Event shift = pressed((uint32_t)knob->key + 0x20, MOD_SHIFT, -1);
            assert_null(keymap_find(&plain));
            assert_null(keymap_find(&shift));
            for (const Knob *other = knob + 1; other->name; other++)
                assert_int_not_equal(knob->key, other->key);
        }
    arena_close(&arena);
}

static void test_letters_turn_knobs(void **state) {
    (void)state;
    const Scene *scene = scene_find("blank", NULL);
    int direction = 0;
    Event plain = pressed('c', 0, -1), shift = pressed('c', MOD_SHIFT, -1);
    Event control = pressed('c', MOD_CTRL, -1);
    assert_string_equal(keymap_knob(scene, &plain, &direction)->name, "palette");
    assert_int_equal(direction, 1);
    assert_string_equal(keymap_knob(scene, &shift, &direction)->name, "palette");
    assert_int_equal(direction, -1);
    assert_null(keymap_knob(scene, &control, &direction));
}

/* On AZERTY the key of 1 writes & without Shift; on QWERTY + is Shift and =; ? is anywhere. */
static void test_E12_keyboard_layouts(void **state) {
    (void)state;
    Event azerty = pressed('&', 0, 1), qwerty = pressed('1', 0, 1), pad = pressed('1', 0, 1);
    assert_string_equal(keymap_find(&azerty)->line, "scene-number 1");
    assert_string_equal(keymap_find(&qwerty)->line, "scene-number 1");
    assert_string_equal(keymap_find(&pad)->line, "scene-number 1");
    assert_string_equal(keymap_find_typed("1")->line, "scene-number 1");
    assert_string_equal(keymap_find_typed("+")->line, "zoom in");
    assert_string_equal(keymap_find_typed("-")->line, "zoom out");
    assert_string_equal(keymap_find_typed("?")->line, "help");
    assert_null(keymap_find_typed("e"));
    assert_null(keymap_find_typed("\xC3\xA9"));
    assert_null(keymap_find_typed(""));
    Event larger = pressed('=', MOD_CTRL, -1);
    assert_string_equal(keymap_find(&larger)->line, "type larger");
    Event plus = pressed('+', 0, -1);
    assert_null(keymap_find(&plus)); /* its character comes as text; not twice */
}

static void test_help_and_group_everywhere(void **state) {
    (void)state;
    for (const KeyRow *row = keymap_rows(); row->help; row++) {
        assert_true(row->line && *row->line && *row->help && *row->group);
        Arena arena = arena_open(app_memory_full);
        assert_true(strlen(keymap_name(row->key, row->mods, &arena)) > 0);
        arena_close(&arena);
    }
}

static void test_names(void **state) {
    (void)state;
    Arena arena = arena_open(app_memory_full);
    assert_string_equal(keymap_name('c', MOD_CTRL | MOD_SHIFT, &arena), "Ctrl+Shift+C");
    assert_string_equal(keymap_name(' ', 0, &arena), "Space");
    assert_string_equal(keymap_name(KEY_PAGE_DOWN, 0, &arena), "Page Down");
    assert_string_equal(keymap_name(KEY_F12, 0, &arena), "F12");
    assert_string_equal(keymap_name('?', 0, &arena), "?");
    arena_close(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_key_twice),
        cmocka_unit_test(test_scene_letters_do_not_clash),
        cmocka_unit_test(test_letters_turn_knobs),
        cmocka_unit_test(test_E12_keyboard_layouts),
        cmocka_unit_test(test_help_and_group_everywhere),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
