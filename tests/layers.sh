#!/bin/sh
# Whether the house still stands as it is drawn: reads the #includes and the calls of src/, and the symbols of the objects.
#   tests/layers.sh [ROOT [OBJECTS]]     OBJECTS (build/release) is looked at when it is there
# Prints a line per fault and exits 1 when there is any.
set -u
root=${1:-.}
objects=${2:-$root/build/release}
faults=$(mktemp) && code=$(mktemp) || exit 1
trap 'rm -f "$faults" "$code"' EXIT

fault() {
    echo "$*" >>"$faults"
}

# The layers that a layer may include, itself among them. Scenes do not see each other.
layers_below() {
    case $1 in
    base) echo base ;;
    core) echo base core ;;
    draw) echo base draw ;;
    model) echo base core model ;;
    train) echo base core model train ;;
    scene) echo base core model train draw scene ;;
    scenes) echo base core model train draw scene ;;
    app | main) echo base core model train draw scene app ;;
    esac
}

# What comes with the system's C library; every other header belongs to a library.
libc=" assert.h ctype.h dirent.h errno.h fcntl.h fenv.h float.h inttypes.h limits.h math.h poll.h setjmp.h signal.h spawn.h \
stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h strings.h sys/ioctl.h sys/mman.h \
sys/resource.h sys/stat.h sys/time.h sys/types.h sys/wait.h termios.h time.h unistd.h "

library_allowed() { # FILE HEADER
    case "$libc" in *" $2 "*) return 0 ;; esac
    case "$1:$2" in
    core/blas.c:dlfcn.h | core/crew.c:pthread.h) return 0 ;;
    model/*:jansson.h | model/*:pcre2.h) return 0 ;;
    draw/font.c:SDL2/SDL.h | draw/font.c:SDL2/SDL_ttf.h) return 0 ;;
    draw/font_search.c:fontconfig/fontconfig.h) return 0 ;;
    draw/png.c:stb_image_write.h | draw/png.c:libdeflate.h) return 0 ;;
    app/window_sdl.c:SDL.h | app/window_sdl.c:SDL2/SDL*.h) return 0 ;;
    esac
    return 1
}

# Calls that end the program or speak to the user, outside app and main.c. The exceptions, one by one:
#   base/arena.c abort    after the callback for a full memory, which must not return
speech='printf|vprintf|fprintf|vfprintf|dprintf|puts|putchar|putc|fputs|fputc|perror|exit|_exit|_Exit|quick_exit|abort'
speech_allowed() { # FILE CALL
    case "$1:$2" in
    app/*:* | main.c:*) return 0 ;;
    base/arena.c:abort) return 0 ;;
    esac
    return 1
}

# Variables that live as long as the program and can be written. The exceptions are the settings of stb_image_write and two
# tables of it that lack a const.
global_allowed() { # FILE SYMBOL
    case "$1:$2" in
    draw/png.o:stbi_write_png_compression_level | draw/png.o:stbi_write_force_png_filter) return 0 ;;
    draw/png.o:mapping.[0-9]* | draw/png.o:firstmap.[0-9]*) return 0 ;;
    draw/png.o:stbi_write_tga_with_rle | draw/png.o:stbi__flip_vertically_on_write) return 0 ;;
    esac
    return 1
}

# C without comments and without what stands between quotes, so that a word in a sentence is no call. Includes keep theirs.
strip() {
    awk '{
        line = $0; out = ""
        if (!block && line ~ /^[ \t]*#[ \t]*include/) { print line; next }
        while (line != "") {
            if (block) {
                at = index(line, "*/")
                if (!at) { line = ""; break }
                line = substr(line, at + 2); block = 0; continue
            }
            two = substr(line, 1, 2); one = substr(line, 1, 1)
            if (two == "/*") { block = 1; line = substr(line, 3); out = out " "; continue }
            if (two == "//") break
            if (one == "\"" || one == "\047") {
                line = substr(line, 2)
                while (line != "" && substr(line, 1, 1) != one) line = substr(line, substr(line, 1, 1) == "\\" ? 3 : 2)
                line = substr(line, 2); out = out one one; continue
            }
            out = out one; line = substr(line, 2)
        }
        print out
    }' "$1"
}

check_includes() { # FILE LAYER
    while read -r header; do
        case $header in
        "") ;; # a file that includes nothing
        \"*)
            header=${header#\"} && header=${header%\"}
            case $header in scene_names.h) continue ;; esac
            case " $(layers_below "$2") " in
            *" ${header%%/*} "*) ;;
            *) fault "$1: $2 may not include \"$header\"; it may see: $(layers_below "$2")" ;;
            esac
            ;;
        *)
            header=${header#<} && header=${header%>}
            library_allowed "$1" "$header" || fault "$1: <$header> is not for this file"
            ;;
        esac
    done <<END
$(sed -n 's/^[ \t]*#[ \t]*include[ \t]*\([<"][^>"]*[>"]\).*/\1/p' "$code")
END
}

check_calls() { # FILE
    for call in $(grep -oE "(^|[^A-Za-z0-9_.>])($speech|setlocale)[[:space:]]*\\(" "$code" | grep -oE '[A-Za-z_]+' | sort -u); do
        if [ "$call" = setlocale ]; then
            fault "$1: setlocale would change how numbers are written and read"
        else
            speech_allowed "$1" "$call" || fault "$1: $call is only for app/ and main.c; return an Err instead"
        fi
    done
}

check_scene() { # FILE
    own=$(basename "$1" .c)
    for other in $(cd "$root/src/scenes" && ls -- *.c); do
        other=${other%.c}
        [ "$other" = "$own" ] && continue
        grep -qwE "scene_$other" "$code" && fault "$1: names another scene, scene_$other"
    done
}

# Writable data, by the section that a symbol lies in; .data.rel.ro is constant once the program has started.
check_globals() { # FILE OBJECT
    for symbol in $(nm -f sysv "$2" 2>/dev/null |
        awk -F'|' '{ gsub(/ /, "") } $7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*|COMMON)/ && $7 !~ /^\.data\.rel\.ro/ { print $1 }'); do
        global_allowed "$1" "$symbol" || fault "$1: $symbol can be written and lives as long as the program"
    done
}

check_exports() { # FILE OBJECT
    own=scene_$(basename "$1" .o)
    exported=$(nm -g --defined-only "$2" 2>/dev/null | awk '{ print $3 }' | tr '\n' ' ')
    [ "$exported" = "$own " ] || fault "$1: a scene exports $own alone, not: $exported"
}

for path in $(cd "$root/src" 2>/dev/null && find . -name '*.[ch]' | sed 's,^\./,,' | sort); do
    layer=${path%%/*}
    [ "$path" = main.c ] && layer=main
    [ -n "$(layers_below "$layer")" ] || fault "$path: there is no layer $layer"
    case $path in scenes/*.h) fault "$path: scenes have no headers" ;; esac
    strip "$root/src/$path" >"$code"
    check_includes "$path" "$layer"
    check_calls "$path"
    case $path in scenes/*.c) check_scene "$path" ;; esac
done
[ -f "$root/src/main.c" ] || fault "$root holds no src/main.c"

if [ -d "$objects" ]; then
    for path in $(cd "$objects" && find . -name '*.o' ! -path './tests/*' | sed 's,^\./,,' | sort); do
        [ -f "$root/src/${path%.o}.c" ] || continue # left from a file that is gone
        check_globals "$path" "$objects/$path"
        case $path in scenes/*) check_exports "$path" "$objects/$path" ;; esac
    done
fi

cat "$faults"
[ ! -s "$faults" ]
