#!/bin/sh
# Runs the bench of a build under Xvfb, so that its figures do not depend on a window manager.
#   tests/bench/run.sh BUILD
set -u
built=$1
work=$(mktemp -d) || exit 1
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT
if command -v Xvfb >/dev/null; then
    mkfifo "$work/display"
    Xvfb -displayfd 3 -screen 0 3840x2160x24 -nolisten tcp -noreset 3>"$work/display" 2>/dev/null &
    server=$!
    read -r number <"$work/display"
    DISPLAY=:$number
    export DISPLAY
fi
bench=$built/tests/bench
heed=$PWD/$built/heed
"$bench/bench_start" "$heed" "$PWD/$bench/bare"
"$bench/bench_export" "$heed" "$work/bench.png"
"$bench/bench_keys" "$PWD/$bench/bare"
"$bench/bench_maps" "$PWD/$bench/bare" "$work"
"$bench/bench_heads" "$PWD/$bench/bare"
"$bench/bench_png"
"$bench/bench_attention"
"$bench/bench_waves" 1920 1080 1
"$bench/bench_waves" 3840 2160 2
