# pas2p: build, test, install. `make help` lists the targets.
BUILD   ?= build
CC      ?= cc
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
           -Wvla -Wformat=2 -Wundef -Wpointer-arith -Wcast-qual $(if $(NO_WERROR),,-Werror)
SAN      = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# Libraries of formats: what pkg-config finds is built in; OTF2=no, ZLIB=no, LZMA=no, ZSTD=no leave one out.
library   = $(if $(filter no,$($(1))),,$(if $(shell pkg-config --exists $(2) 2>/dev/null && echo found),$(2)))
OTF2_PKG := $(call library,OTF2,otf2)
ZLIB_PKG := $(call library,ZLIB,zlib)
LZMA_PKG := $(call library,LZMA,liblzma)
ZSTD_PKG := $(call library,ZSTD,libzstd)
PKGS     := yaml-0.1 libpcre2-8 nettle $(OTF2_PKG) $(ZLIB_PKG) $(LZMA_PKG) $(ZSTD_PKG)
CPPFLAGS += -D_GNU_SOURCE -Isrc -I$(BUILD) $(foreach f,OTF2 ZLIB LZMA ZSTD,$(if $($(f)_PKG),-DWITH_$(f))) \
            $(shell pkg-config --cflags $(PKGS) ncursesw)
ALL_CFLAGS = -std=c11 $(CFLAGS) $(WARN) $(SAN) -pthread
CORE_LIBS  = $(shell pkg-config --libs $(PKGS)) -lm -pthread
TUI_LIBS   = $(shell pkg-config --libs ncursesw)

# The files below a folder, at any depth, whose names end so: $(call below,src/core,.c)
below = $(sort $(foreach f,$(wildcard $(1)/*),$(call below,$(f),$(2)) $(filter %$(2),$(f))))

CORE_SRC := $(filter-out $(if $(OTF2_PKG),,src/core/formats/otf2/%),$(call below,src/core,.c))
CORE_OBJ := $(CORE_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(call below,src/cli,.c))
TUI_SRC  := $(call below,src/tui,.c)
TUI_OBJ  := $(TUI_SRC:%.c=$(BUILD)/%.o)
RUN_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(call below,src/runner,.c) $(call below,src/doctor,.c))
JOB_OBJ  := $(patsubst %.c,$(BUILD)/%.o,src/mpi/mpi_team.c)
REPORT_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(call below,src/report,.c))
EXIT_OBJ := $(BUILD)/src/exit.o
OBJ       = $(CORE_OBJ) $(CLI_OBJ) $(TUI_OBJ) $(RUN_OBJ) $(JOB_OBJ) $(REPORT_OBJ) $(EXIT_OBJ) $(BUILD)/src/main.o

all: pas2p preload ## build the program, ./pas2p, and the tracer's library

pas2p: $(BUILD)/pas2p
	@cp $< $@

$(BUILD)/pas2p: $(BUILD)/src/main.o $(EXIT_OBJ) $(CLI_OBJ) $(TUI_OBJ) $(RUN_OBJ) $(JOB_OBJ) $(REPORT_OBJ) $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS) $(TUI_LIBS)

$(BUILD)/libpas2p.a: $(CORE_OBJ)
	@echo "AR   $@"
	@rm -f $@ && $(AR) rcD $@ $^

# What --version says of the build: made anew when that changes. Options that name folders of the builder are left out, so that the
# same sources give the same program anywhere; an archive of the sources has no commit.
COMMIT     := $(shell test -e .git && git --no-optional-locks describe --always --abbrev=12 --match='' --dirty=+ 2>/dev/null)
SAID_FLAGS  = $(filter-out -ffile-prefix-map=% -fdebug-prefix-map=% -fmacro-prefix-map=%,$(CFLAGS))
SAID        = -DBUILD_COMMIT='"$(COMMIT)"' -DBUILD_FLAGS='"$(SAID_FLAGS)"' -DBUILD_SANITIZE='"$(SANITIZE)"'

FORCE:
$(BUILD)/said: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(SAID) | cmp -s - $@ || printf '%s\n' $(SAID) >$@

$(BUILD)/src/cli/version.o: CPPFLAGS += $(SAID)
$(BUILD)/src/cli/version.o: $(BUILD)/said

# A library that came since makes those anew that would use it.
$(BUILD)/libraries: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$(PKGS)" | cmp -s - $@ || printf '%s\n' "$(PKGS)" >$@

$(BUILD)/%.o: %.c $(BUILD)/libraries
	@mkdir -p $(@D)
	@echo "CC   $<"
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

include src/preload/preload.mk
include src/probe/probe.mk
include src/mpi/mpi.mk
include bench/bench.mk
include fuzz/fuzz.mk
include packaging/install.mk
include packaging/packaging.mk

# Tests: t/ROOM/NAME.c becomes $(BUILD)/t/ROOM/NAME.t; t/ROOM/NAME.t are shell scripts. What several C tests share is in
# t/lib. No test needs ncurses: the core and the command line do without.
TEST_SHARED := $(filter-out t/lib/format_text/%,$(call below,t/lib,.c))
TEST_SRC    := $(filter-out t/lib/% t/formats/second/% t/preload/mpi/% t/mpi/shim/%,$(call below,t,.c))
TEST_OBJ    := $(patsubst %.c,$(BUILD)/%.o,$(TEST_SHARED) $(TEST_SRC))
C_TESTS     := $(patsubst %.c,$(BUILD)/%.t,$(TEST_SRC))
SHELL_TESTS := $(call below,t,.t)

# Traces that are kept compressed, where tests look for them (large ones are read as they are).
TEST_TRACES := $(BUILD)/t/traces
UNPACKED    := $(if $(shell command -v xz),$(patsubst t/traces/%.xz,$(TEST_TRACES)/%,$(wildcard t/traces/*.xz t/traces/unfinalized/*.xz)))

$(TEST_TRACES)/%: t/traces/%.xz
	@mkdir -p $(@D)
	@xz -dc $< >$@.new && mv $@.new $@

$(TEST_OBJ): CPPFLAGS += -It/lib -DTEST_TRACES='"$(TEST_TRACES)"'

$(BUILD)/t/libtest.a: $(patsubst %.c,$(BUILD)/%.o,$(TEST_SHARED))
	@echo "AR   $@"
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/t/libcli.a: $(CLI_OBJ) $(JOB_OBJ) $(EXIT_OBJ)
	@echo "AR   $@"
	@mkdir -p $(@D)
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/t/librunner.a: $(RUN_OBJ)
	@echo "AR   $@"
	@mkdir -p $(@D)
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/t/%.t: $(BUILD)/t/%.o $(BUILD)/t/libtest.a $(BUILD)/t/libcli.a $(BUILD)/t/librunner.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

# Whole commands, by a team of threads.
$(BUILD)/t/team/commands.t: $(BUILD)/t/team/commands.o $(filter-out %/main.o,$(OBJ)) $(BUILD)/t/libtest.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter-out $(CORE_OBJ),$^) $(CORE_LIBS) $(TUI_LIBS)

# The program with one format more, a folder of the tests and a row of its table; and what writes that format.
FORMATS_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(call below,t/lib/format_text,.c))
$(BUILD)/pas2p-formats: $(filter-out $(CORE_OBJ),$(OBJ)) $(FORMATS_OBJ) $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS) $(TUI_LIBS)

$(BUILD)/as-text: $(BUILD)/t/formats/second/as_text.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

include t/tui/tui.mk
include t/report/report.mk
include t/sanitize.mk

tests: $(C_TESTS)

DOC_GEN = $(BUILD)/tools/doc-gen

# Some tests alone: make test TESTS=t/house/layers.t, TESTS=build/t/method/vectors.t, or those of a room: TESTS=t/tui
TESTS = $(C_TESTS) $(SHELL_TESTS)
TESTS_ASKED = $(foreach t,$(TESTS),$(if $(wildcard $(t)/.),$(filter $(BUILD)/$(t)/%,$(C_TESTS)) $(filter $(t)/%,$(SHELL_TESTS)),$(t)))
# Those that take longest begin first, so that none of them runs alone at the end (PROVE_OPTIONS='--timer -j1' says how long each takes): one that
# starts jobs, which mostly sleep and wait, beside one that computes. So there is one more at a time than there are processors.
LONGEST  = t/runner/run_windows.t $(BUILD)/t/method/against_naive.t t/preload/tracer.t t/runner/pingpong_nodes.t $(BUILD)/t/method/team_tables.t \
	t/runner/runner_criu.t t/tui/tui_screens.t t/runner/slurm.t $(BUILD)/t/clocks/report_team.t t/runner/clocks_measure.t t/runner/runner_replay.t \
	$(BUILD)/t/method/bbp_index.t t/preload/clocks.t t/tui/views/views.t t/mpi/differ.t t/runner/machine.t $(BUILD)/t/method/order_team.t \
	t/runner/clocks_nodes.t t/mpi/same_openmpi.t t/mpi/same.t t/runner/pingpong.t
TESTS_AT_ONCE = $(shell expr $$(nproc) + 1)
IN_ORDER = $(foreach t,$(filter-out $(C_TESTS) $(SHELL_TESTS),$(LONGEST)),$(error there is no test $(t)))$(foreach t,$(LONGEST),$(filter \
	$(t),$(TESTS_ASKED))) $(filter-out $(LONGEST),$(TESTS_ASKED))
test-programs: $(BUILD)/pas2p $(BUILD)/pas2p-formats $(BUILD)/as-text $(PRELOAD_LIBS) $(PROBES) $(JOB_PLUGINS) $(DOC_GEN) $(BUILD)/tools/hull-picture $(BUILD)/tools/order-picture $(C_TESTS) $(FUZZ_REPLAY) $(UNPACKED)

test: test-programs ## build and run the tests, installing nothing
	PAS2P=$(abspath $(BUILD)/pas2p) DOC_GEN=$(abspath $(DOC_GEN)) FUZZ_REPLAY=$(abspath $(BUILD)/fuzz-replay) prove -e '' -j$(TESTS_AT_ONCE) $(PROVE_OPTIONS) $(IN_ORDER)

# The two that need nothing but make: they install what is missing first. What they need is looked up by
# pkg-config when it is used, so it must be a make of its own.
demo:          ## build, then open the workbench on a sample trace (no terminal: print its overview)
	@tools/deps.sh build
	@$(MAKE) --no-print-directory -j$$(nproc) pas2p
	@./pas2p sample-traces/lu.S.4.clog2

check:         ## build, then run all tests
	@tools/deps.sh check
	@$(MAKE) --no-print-directory -j$$(nproc) pas2p test-programs
	@$(MAKE) --no-print-directory pas2p test

pristine:      ## make demo and make check in a fresh Debian made for it (root, mmdebstrap; a quarter of an hour)
	@tools/pristine.sh

# Documents made from the tables, and pictures drawn by the program; committed, and tested to be current.
DOC_OBJ := $(patsubst %,$(BUILD)/%.o,tools/doc-gen tools/doc_mdoc tools/doc_markdown src/exit src/cli/help src/cli/manual src/cli/options src/cli/option_values \
	src/cli/pages src/cli/complain src/tui/screen/keys src/tui/screen/theme)

$(DOC_GEN): $(DOC_OBJ) $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

HULL_PICTURE = $(BUILD)/tools/hull-picture
ORDER_PICTURE = $(BUILD)/tools/order-picture

$(HULL_PICTURE): $(BUILD)/tools/hull_picture.o $(BUILD)/t/libtui.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(BUILD)/tools/order_picture.o: CPPFLAGS += -It/lib
$(ORDER_PICTURE): $(BUILD)/tools/order_picture.o $(BUILD)/t/libtest.a $(BUILD)/t/libtui.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

update-docs: $(DOC_GEN) $(HULL_PICTURE) $(ORDER_PICTURE) $(BUILD)/pas2p ## make man page, completions and pictures anew
	@tools/update-docs.sh $(DOC_GEN) $(BUILD)/pas2p .

# Those of src/preload and of the MPI programs need mpi.h.
HEADERS := $(filter-out src/preload/% src/probe/% t/preload/mpi/%,$(call below,src,.h) $(call below,t,.h))
hdr-check:     ## every header compiles alone
	@printf '%s\n' $(HEADERS) | xargs -P$$(nproc) -I{} \
		$(CC) $(CPPFLAGS) -It/lib $(ALL_CFLAGS) -Wno-unused-function -x c -fsyntax-only -include {} /dev/null

lint: hdr-check ## what static checkers say, of those that are installed
	@if command -v clang >/dev/null; then printf '%s\n' $(OBJ:$(BUILD)/%.o=%.c) | \
		xargs -P$$(nproc) -n32 clang $(CPPFLAGS) $(ALL_CFLAGS) -fsyntax-only; fi
	@if command -v cppcheck >/dev/null; then cppcheck -q -j$$(nproc) --std=c11 --error-exitcode=1 --inline-suppr \
		--enable=warning,portability -D__GNUC__ -D__BYTE_ORDER__=1234 -D__ORDER_LITTLE_ENDIAN__=1234 -Isrc src tools; fi
	@if command -v shellcheck >/dev/null; then shellcheck tools/*.sh packaging/*.sh .ci/run && \
		printf '%s\n' $(SHELL_TESTS) | xargs -P$$(nproc) -n16 shellcheck -S warning -e SC1091,SC2154; fi
	@if command -v mandoc >/dev/null; then mandoc -Tlint -W warning man/*.[157]; fi
	@$(MAKE) --no-print-directory prose

prose: $(BUILD)/pas2p ## measure the English of pages, help and messages (python3)
	@if command -v python3 >/dev/null; then tools/prose.py --program $(BUILD)/pas2p --show; fi

help:          ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile src/preload/preload.mk bench/bench.mk fuzz/fuzz.mk t/tui/tui.mk t/sanitize.mk packaging/*.mk | expand -t 22
	@echo 'Variables: BUILD=build PREFIX=/usr/local DESTDIR= LIBDIR= CC= CFLAGS= SANITIZE=address,undefined OTF2=no ZLIB=no LZMA=no ZSTD=no'

criu:          ## build the checkpointing tool CRIU from Debian's source package, for pas2p sign (root)
	@tools/criu-build.sh $(BUILD)/criu

clean:         ## take away all that was built
	rm -rf build build-* pas2p

-include $(OBJ:.o=.d) $(TEST_OBJ:.o=.d) $(FORMATS_OBJ:.o=.d) $(BUILD)/t/formats/second/as_text.d $(wildcard $(BUILD)/tools/*.d)
.SECONDARY: $(TEST_OBJ)
.PHONY: criu all clean tests test-programs test check demo pristine update-docs hdr-check lint prose help
