# heed: build, test, run. `make deps run` on a fresh system is all that is needed.
# MODE=release (default), debug, asan, clang: objects live under build/$(MODE), so switching modes needs no clean.

VERSION := 0.1.0
MODE ?= release
PREFIX ?= /usr/local
B := build/$(MODE)
ifeq ($(filter $(MODE),release debug asan clang),)
$(error MODE is $(MODE), but release, debug, asan or clang is wanted)
endif

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla $(if $(WERROR),-Werror)
# Never -ffast-math (masks are -INFINITY); never contracted to fused multiply-adds, so that two compilers agree.
BASE_FLAGS := -std=c11 $(WARN) -ffp-contract=off -D_POSIX_C_SOURCE=200809L -DHEED_VERSION='"$(VERSION)"' -Isrc -I$(B)
# gcc 12 vectorises at -O2 only what costs nothing; plain loops over pixels want a little more.
FLAGS_release := -O2 -g $(if $(findstring clang,$(CC)),,-fvect-cost-model=dynamic)
FLAGS_debug := -O0 -g3
FLAGS_asan := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined
FLAGS_clang := -O2 -g
LINK_asan := -fsanitize=address,undefined
ifeq ($(MODE),clang)
CC := clang
endif
ifeq ($(origin CC),default)
CC := gcc
endif

PACKAGES := sdl2 SDL2_ttf fontconfig libdeflate jansson libpcre2-8
PKG_CFLAGS = $(shell pkg-config --cflags $(PACKAGES) stb 2>/dev/null)
PKG_LIBS = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null)
CFLAGS_ALL = $(BASE_FLAGS) $(FLAGS_$(MODE)) $(PKG_CFLAGS) $(CPPFLAGS) $(CFLAGS)
LIBS_ALL = $(LINK_$(MODE)) $(LDFLAGS) $(PKG_LIBS) -pthread -ldl -lm

# One short line a file; the whole commands with V=1.
say = $(if $(V),,@printf '%-3s %s\n' $(1) $(2); )

LAYERS := base core model train draw scene scenes app
SOURCES := $(foreach layer,$(LAYERS),$(sort $(wildcard src/$(layer)/*.c)))
OBJECTS := $(SOURCES:src/%.c=$(B)/%.o)
SCENES := $(notdir $(basename $(wildcard src/scenes/*.c)))
UNIT := $(patsubst tests/unit/%.c,$(B)/tests/%,$(wildcard tests/unit/test_*.c))
RUNNER := $(patsubst tests/runner/%.c,$(B)/tests/runner/%.o,$(wildcard tests/runner/*.c))
# End to end: case_* run the program, view_* the window under Xvfb; both stand on tests/cases/tool.c.
CASES := $(patsubst tests/cases/%.c,$(B)/tests/%,$(wildcard tests/cases/case_*.c))
VIEWS := $(patsubst tests/scripts/%.c,$(B)/tests/%,$(wildcard tests/scripts/view_*.c))
ASSET_PARTS := $(notdir $(patsubst %/,%,$(filter-out assets/man/,$(wildcard assets/*/))))
# Fuzz targets, each with the main of fuzz_main.c.
FUZZ := $(patsubst tests/fuzz/%.c,$(B)/tests/fuzz/%,$(filter-out %/fuzz_main.c,$(wildcard tests/fuzz/fuzz_*.c)))
# bench_* measure one group of figures each; bare is the program they are compared with.
BENCH := $(B)/tests/bench/bare $(patsubst %.c,$(B)/%,$(wildcard tests/bench/bench_*.c))

.PHONY: all deps run test tests asan bench gallery man install uninstall clean
all: $(B)/heed

$(B)/heed: $(B)/main.o $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL)

$(B)/libheed.a: $(OBJECTS)
	$(call say,AR,$@)rm -f $@
	@ar rcs $@ $(OBJECTS)

# The list of scenes is the folder; written anew only when the folder has changed.
$(B)/scene_names.h: FORCE
	@mkdir -p $(@D)
	@printf 'SCENE(%s)\n' $(SCENES) | cmp -s - $@ || printf 'SCENE(%s)\n' $(SCENES) > $@

$(B)/%.o: src/%.c Makefile | $(B)/scene_names.h
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(CFLAGS_ALL) -MMD -MP -c -o $@ $<

$(B)/tests/test_%: $(B)/tests/unit/test_%.o $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL) -lcmocka

$(B)/tests/golden: $(RUNNER) $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL)

$(B)/tests/case_%: $(B)/tests/cases/case_%.o $(B)/tests/cases/tool.o $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL) -lcmocka

$(B)/tests/view_%: $(B)/tests/scripts/view_%.o $(B)/tests/scripts/screen.o $(B)/tests/cases/tool.o $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL) -lcmocka -lX11

$(B)/tests/fuzz/%: $(B)/tests/fuzz/%.o $(B)/tests/fuzz/fuzz_main.o $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL)

$(B)/tests/bench/bare: $(B)/tests/bench/bare.o
	$(call say,LD,$@)$(CC) -o $@ $^ $(shell pkg-config --libs sdl2)

$(B)/tests/bench/%: $(B)/tests/bench/%.o $(B)/tests/bench/measure.o $(B)/libheed.a
	$(call say,LD,$@)$(CC) -o $@ $^ $(LIBS_ALL)

tests: $(B)/heed $(UNIT) $(if $(RUNNER),$(B)/tests/golden) $(CASES) $(VIEWS) $(FUZZ)

test: tests
	sh tests/run.sh $(MODE)

asan:
	$(MAKE) MODE=asan tests
	sh tests/run.sh asan unit golden fuzz cases scripts

bench: $(B)/heed $(BENCH)
	sh tests/bench/run.sh $(B)

deps:
	@sh .ci/deps

run: $(B)/heed
	$(B)/heed

# One picture a scene, as the scene starts.
gallery: $(B)/heed
	@mkdir -p samples/gallery
	@set -e; for scene in $$($(B)/heed scenes | sed '/^$$/,$$d; s/ .*//'); do \
	    echo "samples/gallery/$$scene.png"; $(B)/heed export $$scene -o samples/gallery/$$scene.png; done

# The manual's part about commands and scenes is written from their tables; the rest of the page is kept.
man: $(B)/heed
	@set -e; page=assets/man/heed.1; \
	{ sed '/^.." commands begin/,$$d' $$page; $(B)/heed scenes --format man; \
	  sed '1,/^.." scenes end/d' $$page; } > $(B)/heed.1; \
	cmp -s $(B)/heed.1 $$page || cp $(B)/heed.1 $$page

# The program finds its assets from where it stands, so nothing of PREFIX is compiled in.
SHARE := $(DESTDIR)$(PREFIX)/share
install: $(B)/heed
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(SHARE)/heed' '$(SHARE)/man/man1'
	install -m 755 $(B)/heed '$(DESTDIR)$(PREFIX)/bin/heed'
	set -e; for part in $(ASSET_PARTS); do install -d "$(SHARE)/heed/$$part"; \
	    install -m 644 assets/$$part/* "$(SHARE)/heed/$$part"; done
	install -d '$(SHARE)/heed/texts'
	install -m 644 samples/texts/reviews.txt '$(SHARE)/heed/texts/reviews.txt'
	install -m 644 LICENSE '$(SHARE)/heed/LICENSE'
	install -m 644 assets/man/heed.1 '$(SHARE)/man/man1/heed.1'

uninstall:
	rm -f '$(DESTDIR)$(PREFIX)/bin/heed' '$(SHARE)/man/man1/heed.1'
	rm -rf '$(SHARE)/heed'

clean:
	rm -rf build

# Objects of tests are kept, or each run would compile them again.
.SECONDARY:
.PHONY: FORCE
FORCE:

-include $(shell find $(B) -name '*.d' 2>/dev/null)
