# Fuzzing: `make fuzz` (each target FUZZ_SECONDS), `make fuzz-smoke` (a few seconds), and the replay that `make check` runs.
# libFuzzer comes with clang; its runtime is in a package of its own on some systems.
FUZZ_CC      ?= $(firstword $(shell command -v clang clang-14))
FUZZ_SECONDS ?= 60
FUZZ_FLAGS   ?= -rss_limit_mb=512 -malloc_limit_mb=64 -timeout=60
FUZZ         := clog2 prv table result config cargo query command input fit_csv model machine study unpack otf2
FUZZ_TARGETS ?= $(FUZZ)
FUZZ_DIR      = $(BUILD)/fuzzing
FUZZ_CFLAGS   = -std=c11 -O1 -g1 $(WARN) -pthread -fno-omit-frame-pointer -fsanitize=address,undefined \
                -fno-sanitize-recover=all -fsanitize=fuzzer-no-link
FUZZ_LEN_clog2   = 24576
FUZZ_LEN_prv     = 8192
FUZZ_LEN_table   = 8192
FUZZ_LEN_result  = 8192
FUZZ_LEN_config  = 2048
FUZZ_LEN_cargo   = 128
FUZZ_LEN_query   = 512
FUZZ_LEN_command = 512
FUZZ_LEN_input   = 256
FUZZ_LEN_fit_csv = 1024
FUZZ_LEN_model   = 4096
FUZZ_LEN_machine = 2048
FUZZ_LEN_study   = 2048
FUZZ_LEN_unpack  = 4096
# Decompressors may want 256 MiB.
# libotf2 asks for as much memory as a damaged archive says, and copes with none.
FUZZ_FLAGS_otf2 = -malloc_limit_mb=1000000 -rss_limit_mb=2048
FUZZ_ASAN_otf2  = :allocator_may_return_null=1
FUZZ_FLAGS_unpack = -malloc_limit_mb=300 -rss_limit_mb=1024
FUZZ_LEN_otf2    = 8192

# The workbench writes files where it is told to: when fuzzed it writes none (no_files.c).
FUZZ_CORE := $(patsubst %.c,%.o,$(filter-out %/out_file.c,$(CORE_SRC)))
FUZZ_TUI  := $(patsubst %.c,%.o,$(filter-out %/term.c %/term_known.c %/tui.c %/script.c %/plain.c,$(TUI_SRC))) src/exit.o

FUZZ_PARTS_clog2   = fuzz/mutate_clog2.o fuzz/records.o
FUZZ_CHECKS_clog2  = fuzz/metrics.o
FUZZ_REPLAY       := $(FUZZ:%=$(BUILD)/fuzz-replay/%)

# Comparisons are traced only where text is parsed: elsewhere that costs two thirds of the speed and finds nothing.
FUZZ_TEXT = src/core/formats/clog2/cargo.c src/core/formats/clog2/open.c src/core/formats/clog2/preamble.c \
            src/core/formats/prv/header.c src/core/formats/prv/lines.c src/core/formats/prv/names.c \
            src/core/settings/config.c src/core/models/language/expression.c src/core/models/language/expression_text.c src/core/models/machine/read.c \
            src/core/models/fit/measurements_csv.c src/core/models/language/model_document.c src/core/models/graph/model_nodes.c \
            src/core/models/graph/model_read.c src/core/base/number.c src/core/base/query.c src/core/documents/result_read.c \
            src/core/settings/settings.c src/core/settings/settings_tree.c src/core/study/file.c src/core/documents/table_read.c \
            src/core/base/text.c src/core/io/yaml_in.c src/tui/app/commands.c src/tui/screen/input.c src/tui/screen/keys.c

$(FUZZ_DIR)/%.o: %.c
	@mkdir -p $(@D)
	@echo "FUZZ $<"
	@$(FUZZ_CC) $(CPPFLAGS) $(FUZZ_CFLAGS) $(if $(filter $<,$(FUZZ_TEXT)),,-fno-sanitize-coverage=trace-cmp) -MMD -MP -c -o $@ $<

define FUZZ_RULES
$(FUZZ_DIR)/$(1): $$(addprefix $(FUZZ_DIR)/,fuzz/fuzz_$(1).o fuzz/fuzz.o fuzz/no_files.o $$(FUZZ_PARTS_$(1)) $$(FUZZ_CHECKS_$(1)) \
		$$(if $$(filter command input,$(1)),$(FUZZ_TUI)) $(FUZZ_CORE))
	@echo "LINK $$@"
	@$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -o $$@ $$^ $$(CORE_LIBS)

$(BUILD)/fuzz-replay/$(1): $$(addprefix $(BUILD)/,fuzz/fuzz_$(1).o fuzz/fuzz.o fuzz/no_files.o fuzz/replay.o $$(FUZZ_CHECKS_$(1)) \
		$$(if $$(filter command input,$(1)),$(FUZZ_TUI)) $(FUZZ_CORE))
	@mkdir -p $$(@D)
	@echo "LINK $$@"
	@$$(CC) $$(ALL_CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(CORE_LIBS)
endef
$(foreach t,$(FUZZ),$(eval $(call FUZZ_RULES,$(t))))

fuzz-replay: $(FUZZ_REPLAY)

# One target: make fuzz FUZZ_TARGETS=clog2 FUZZ_SECONDS=600. What is found goes to $(FUZZ_DIR)/findings.
fuzz:          ## fuzz each target for FUZZ_SECONDS (60), with clang
	@FUZZ_CC="$(FUZZ_CC)" fuzz/able.sh || exit 0; \
	$(MAKE) --no-print-directory -j$$(nproc) $(FUZZ_TARGETS:%=$(FUZZ_DIR)/%) && \
	$(MAKE) --no-print-directory -j$$(nproc) --output-sync $(FUZZ_TARGETS:%=fuzz-one-%)

# Only fuzzing looks for pointers into the stack of a function that has returned: the check makes starting a thread slow, and tests start many.
fuzz-one-%: $(FUZZ_DIR)/%
	@mkdir -p $(FUZZ_DIR)/findings $(FUZZ_DIR)/corpus/$*
	@echo "fuzz $*, $(FUZZ_SECONDS) s"
	@ASAN_OPTIONS=detect_stack_use_after_return=1:quarantine_size_mb=32$(FUZZ_ASAN_$*) LSAN_OPTIONS=suppressions=t/lib/lsan.supp:print_suppressions=0 \
		$(FUZZ_DIR)/$* $(FUZZ_FLAGS) $(FUZZ_FLAGS_$*) -max_total_time=$(FUZZ_SECONDS) -max_len=$(FUZZ_LEN_$*) -print_final_stats=1 \
		-verbosity=0 -print_funcs=0 $(if $(wildcard fuzz/$*.dict),-dict=fuzz/$*.dict) -artifact_prefix=$(FUZZ_DIR)/findings/$*- \
		$(FUZZ_DIR)/corpus/$* fuzz/corpus/$*

fuzz-smoke:    ## the same for five seconds each, for continuous integration
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=5

-include $(wildcard $(FUZZ_DIR)/*/*.d $(FUZZ_DIR)/*/*/*.d $(BUILD)/fuzz/*.d)
.PHONY: fuzz fuzz-smoke fuzz-replay
