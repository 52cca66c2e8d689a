#!/bin/sh
# Runs the tests of one build and prints what failed, what was skipped, and at the end `N passed, M failed`.
#   tests/run.sh [MODE] [GROUP...]      MODE release (default), debug, clang, asan; groups: layers unit golden fuzz cases scripts
# Exits 1 when anything failed. The programs must have been built: make MODE=... tests.
set -u
cd "$(dirname "$0")/.." || exit 1
mode=${1:-release}
[ $# -gt 0 ] && shift
groups=${*:-layers unit golden fuzz cases scripts}
built=build/$mode/tests
HEED=$PWD/build/$mode/heed
export HEED
# SDL asks the system's message bus for a few bytes that it never gives back.
export ASAN_OPTIONS="detect_leaks=1:${ASAN_OPTIONS:-}" UBSAN_OPTIONS="print_stacktrace=1"
export LSAN_OPTIONS="suppressions=$PWD/tests/lsan.txt:print_suppressions=0"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
log=$work/log
passed=0 failed=0 skipped=0

count() { # PASSED FAILED
    passed=$((passed + $1))
    failed=$((failed + $2))
}

# What a cmocka program printed: each of its tests counts; one that ends without its summary is one failure.
count_cmocka() { # NAME LOG STATUS
    name=$1 log=$2 status=$3
    # One line a test: [  OK ], [  FAILED  ] or [  SKIPPED ], and the same again in the lists behind the summary.
    tests=$(awk '/^\[  PASSED  \]/ { exit } { print }' "$log")
    ok=$(printf '%s\n' "$tests" | grep -c '^\[       OK \]')
    bad=$(printf '%s\n' "$tests" | grep -c '^\[  FAILED  \]')
    skips=$(printf '%s\n' "$tests" | grep '^\[  SKIPPED \]' | sed 's/^\[  SKIPPED \] *//')
    if ! grep -q '^\[  PASSED  \]' "$log" || { [ $status -ne 0 ] && [ "$bad" -eq 0 ]; }; then
        bad=$((bad + 1))
        echo "FAILED $name: ended with $status"
    fi
    for skip in $skips; do
        skipped=$((skipped + 1))
        echo "skipped $name: $skip"
    done
    [ "$bad" -eq 0 ] || grep -vE '^\[ (RUN     |      OK) \]|^\[=====' "$log" | sed "s/^/    $name: /" | tail -n 60
    count "$ok" "$bad"
}

# A program whose last line is `N passed, M failed`.
run_counting() { # NAME COMMAND...
    name=$1 && shift
    "$@" >"$log" 2>&1
    status=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    if [ -z "$line" ]; then
        echo "FAILED $name: ended with $status and no count"
        tail -n 20 "$log"
        count 0 1
        return
    fi
    good=${line%% *}
    bad=${line#*, } && bad=${bad%% *}
    [ "$bad" -eq 0 ] && [ $status -ne 0 ] && bad=1
    [ "$bad" -eq 0 ] || sed "s/^/    $name: /" "$log" | tail -n 60
    [ "$bad" -ne 0 ] || grep -iE '^(skipped|not yet)' "$log" | sed "s/^/$name: /"
    count "$good" "$bad"
}

# A script that prints a line per fault and says by its exit code whether there were any.
run_checking() { # NAME COMMAND...
    name=$1 && shift
    if "$@" >"$log" 2>&1; then
        count 1 0
    else
        sed "s/^/FAILED $name: /" "$log"
        count 0 1
    fi
}

# All cmocka programs of a name, as many at a time as there are processors; none at all is a failure.
run_programs() { # PREFIX
    programs=$(find "$built" -maxdepth 1 -type f -perm -u+x -name "$1_*" | sort)
    [ -n "$programs" ] || { echo "FAILED: no $built/$1_*; run make MODE=$mode tests" && count 0 1; }
    printf '%s\n' "$programs" | xargs -r -P "$(nproc)" -I '{}' sh -c '
        "$1" >"$2/$(basename "$1").log" 2>&1
        echo $? >"$2/$(basename "$1").status"' sh '{}' "$work"
    for program in $programs; do
        name=$(basename "$program")
        count_cmocka "$name" "$work/$name.log" "$(cat "$work/$name.status")"
    done
    log=$work/log
}

for group in $groups; do
    before=$passed
    case $group in
    layers)
        run_checking layers sh tests/layers.sh . "build/$mode"
        run_counting layers_test sh tests/layers_test.sh
        ;;
    unit) run_programs test ;;
    golden) run_counting golden "$built/golden" tests/golden ;;
    fuzz)
        for program in tests/fuzz/fuzz_*.c; do
            name=$(basename "$program" .c)
            count=20000
            case $name in fuzz_files | fuzz_lesson) count=2000 ;; esac # each of theirs takes a millisecond
            [ "$name" = fuzz_main ] || run_checking "$name" "$built/fuzz/$name" 1 $count
        done
        ;;
    cases) run_programs case ;;
    scripts) run_programs view ;;
    *) echo "FAILED: there is no group $group" && count 0 1 ;;
    esac
    echo "$group: $((passed - before)) passed"
done
[ $skipped -eq 0 ] || echo "$skipped skipped"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
