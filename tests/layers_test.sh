#!/bin/sh
# Whether tests/layers.sh finds what it should: a small sound tree must pass, and each fault put into it must be named.
set -u
check=$(cd "$(dirname "$0")" && pwd)/layers.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

sound_tree() {
    rm -rf "$work/tree"
    for layer in base core model train draw scene scenes app; do mkdir -p "$work/tree/src/$layer" "$work/tree/objects/$layer"; done
    cd "$work/tree/src" || exit 1
    echo 'int main(void);' >main.c
    printf '#include "base/err.h"\n#include <stdio.h>\n/* printf("x"), exit(1) */\nconst char *say = "puts(1) abort()";\n' >core/a.c
    printf '#include "core/a.h"\n#include <jansson.h>\nvoid f(void) { snprintf(); text_printf(); on.exit(); }\n' >model/a.c
    printf '#include "scene/scene.h"\n#include "draw/canvas.h"\n' >scenes/one.c
    printf '#include "scene/scene.h"\n' >scenes/two.c
    printf '#include <SDL2/SDL.h>\nvoid f(void) { printf("x"); }\n' >app/window_sdl.c
    printf '#include <stdlib.h>\nvoid f(void) { abort(); }\n' >base/arena.c
}

expect() { # WHAT PATTERN: the tree as it stands must be refused with a line like PATTERN; "" must pass
    out=$(sh "$check" "$work/tree" "$work/tree/objects")
    status=$?
    if [ -z "$2" ] && [ $status -eq 0 ] && [ -z "$out" ]; then
        passed=$((passed + 1))
    elif [ -n "$2" ] && [ $status -eq 1 ] && printf '%s\n' "$out" | grep -qE "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED layers_test: %s (exit %d): %s\n' "$1" "$status" "$out"
    fi
}

bad_source() { # FILE TEXT PATTERN
    sound_tree
    printf '%s\n' "$2" >>"$1"
    expect "$1 with $2" "$3"
}

bad_object() { # OBJECT TEXT PATTERN
    sound_tree
    touch "${1%.o}.c"
    printf '%s\n' "$2" >"$work/object.c"
    "${CC:-cc}" -c -o "$work/tree/objects/$1" "$work/object.c" || exit 1
    expect "$1 from $2" "$3"
}

sound_tree && expect "a sound tree" ""
bad_source core/a.c '#include "draw/canvas.h"' '^core/a.c: core may not include "draw/canvas.h"'
bad_source draw/a.c '#include "core/mask.h"' '^draw/a.c: draw may not'
bad_source base/a.c '#include "core/mask.h"' '^base/a.c: base may not'
bad_source model/a.c '#include "train/optim.h"' '^model/a.c: model may not'
bad_source train/a.c '#include "draw/canvas.h"' '^train/a.c: train may not'
bad_source scene/a.c '#include "app/app.h"' '^scene/a.c: scene may not'
bad_source scenes/one.c '#include "app/app.h"' '^scenes/one.c: scenes may not'
bad_source scenes/one.c '#include "scenes/two.h"' '^scenes/one.c: scenes may not'
bad_source scenes/one.c 'int x = scene_two;' '^scenes/one.c: names another scene, scene_two'
bad_source scenes/one.h 'int x;' '^scenes/one.h: scenes have no headers'
sound_tree && mkdir extra && echo 'int x;' >extra/a.c && expect "a folder that is no layer" '^extra/a.c: there is no layer'
bad_source app/hud.c '#include <SDL2/SDL.h>' '^app/hud.c: <SDL2/SDL.h>'
bad_source draw/canvas.c '#  include <SDL2/SDL_ttf.h>' '^draw/canvas.c: <SDL2/SDL_ttf.h>'
bad_source core/a.c '#include <jansson.h>' '^core/a.c: <jansson.h>'
bad_source model/a.c '#include <libdeflate.h>' '^model/a.c: <libdeflate.h>'
bad_source base/a.c '#include <curl/curl.h>' '^base/a.c: <curl/curl.h>'
bad_source core/a.c 'void g(void) { printf("x"); }' '^core/a.c: printf is only'
bad_source scene/a.c 'void g(void) { fprintf (stderr, "x"); }' '^scene/a.c: fprintf is only'
bad_source model/a.c 'void g(void) { if (1) exit(1); }' '^model/a.c: exit is only'
bad_source base/arena.c 'void g(void) { exit(1); }' '^base/arena.c: exit is only'
bad_source draw/a.c 'void g(void) { /* why */ abort(); }' '^draw/a.c: abort is only'
bad_source draw/a.c 'void g(void) { f("\""); puts("a"); }' '^draw/a.c: puts is only'
bad_source app/a.c 'void g(void) { setlocale(0, ""); }' '^app/a.c: setlocale'
bad_object core/b.o 'int counter;' '^core/b.o: counter can be written'
bad_object core/b.o 'int counter = 3;' '^core/b.o: counter can be written'
bad_object core/b.o 'int next(void) { static int counter; return ++counter; }' '^core/b.o: counter'
bad_object core/b.o '_Thread_local int counter;' '^core/b.o: counter can be written'
bad_object core/b.o 'const int four = 4; const int *const pointers[] = {&four}; int f(int x) { return x; }' ''
bad_object scenes/one.o 'const int scene_one = 1;' ''
bad_object scenes/one.o 'const int scene_one = 1; int helper(void) { return 1; }' '^scenes/one.o: a scene exports scene_one alone'

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
