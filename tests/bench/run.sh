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
"$built/tests/bench/bench" "$PWD/$built/heed" "$PWD/$built/tests/bench/bare" "$work"
"$built/tests/bench/bench" waves 1920 1080 1
"$built/tests/bench/bench" waves 3840 2160 2
