# pas2p: build, test, install. `make help` lists the targets.
BUILD   ?= build
PREFIX  ?= /usr/local
CC      ?= cc
CFLAGS  ?= -O2 -g
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings \
           -Wvla -Wformat=2 -Wundef -Wpointer-arith -Wcast-qual $(if $(NO_WERROR),,-Werror)
SAN      = $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer)
PKGS     = yaml-0.1 libpcre2-8
CPPFLAGS += -D_GNU_SOURCE -Isrc -Isrc/core -I$(BUILD) $(shell pkg-config --cflags $(PKGS) ncursesw)
ALL_CFLAGS = -std=c11 $(CFLAGS) $(WARN) $(SAN) -pthread
CORE_LIBS  = $(shell pkg-config --libs $(PKGS)) -lm -pthread
TUI_LIBS   = $(shell pkg-config --libs ncursesw)

CORE_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard src/core/*.c)))
CLI_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard src/cli/*.c)))
TUI_OBJ  := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard src/tui/*.c)))
OBJ       = $(CORE_OBJ) $(CLI_OBJ) $(TUI_OBJ) $(BUILD)/src/main.o

all: pas2p

pas2p: $(BUILD)/pas2p
	@cp $< $@

$(BUILD)/pas2p: $(BUILD)/src/main.o $(CLI_OBJ) $(TUI_OBJ) $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS) $(TUI_LIBS)

$(BUILD)/libpas2p.a: $(CORE_OBJ)
	@echo "AR   $@"
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "CC   $<"
	@$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Tests: t/NAME.c becomes $(BUILD)/t/NAME.t; t/NAME.t are shell scripts. What several C tests share is in
# libtest.a. No test needs ncurses: the core and the command line do without.
TEST_SHARED := t/tap.c $(sort $(wildcard t/naive*.c t/gen*.c))
TEST_SRC    := $(filter-out $(TEST_SHARED),$(sort $(wildcard t/*.c)))
TEST_OBJ    := $(patsubst %.c,$(BUILD)/%.o,$(TEST_SHARED) $(TEST_SRC))
C_TESTS     := $(patsubst %.c,$(BUILD)/%.t,$(TEST_SRC))
SHELL_TESTS := $(sort $(wildcard t/*.t))

$(BUILD)/t/libtest.a: $(patsubst %.c,$(BUILD)/%.o,$(TEST_SHARED))
	@echo "AR   $@"
	@rm -f $@ && $(AR) rcD $@ $^

$(BUILD)/t/%.t: $(BUILD)/t/%.o $(BUILD)/t/libtest.a $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

tests: $(C_TESTS)

# One test alone: make test TESTS=t/lib_self.t or TESTS=build/t/vectors.t
TESTS = $(C_TESTS) $(SHELL_TESTS)
test: $(BUILD)/pas2p $(C_TESTS)
	PAS2P=$(abspath $(BUILD)/pas2p) prove -e '' -j2 $(TESTS)

check: test

clean:
	rm -rf build build-* pas2p

-include $(OBJ:.o=.d) $(TEST_OBJ:.o=.d)
.SECONDARY: $(TEST_OBJ)
.PHONY: all clean tests test check
