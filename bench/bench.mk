# Measurements: what they say is in docs/performance.md. None of them is a test.
BENCH_OBJ := $(BUILD)/bench/bench.o $(BUILD)/bench/generate.o
BENCH_DIR ?= $(BUILD)/bench/traces
BENCH_RECORDS ?= 25000000
BENCH_MESSAGES ?= 20000000
BENCH_EVENTS ?= 10000000

$(BUILD)/bench/bench: $(BENCH_OBJ) $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(BUILD)/bench/clocks: $(BUILD)/bench/clocks.o $(BUILD)/bench/generate.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(BUILD)/bench/diff: $(BUILD)/bench/diff.o $(BUILD)/bench/generate.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

$(BUILD)/bench/growth: $(BUILD)/bench/growth.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

# What a format costs: bench/NAME.c, its arguments, and those that make it small. OTF2 only where its library is.
BENCH_FORMATS := prv unpack $(if $(OTF2_PKG),otf2)
BENCH_OF_prv = --dir $(BENCH_DIR) $(FILES)
BENCH_OF_unpack = --dir $(BENCH_DIR) $(FILES)
BENCH_SMALL_prv = --megabytes 20 --dir $(BENCH_DIR)
BENCH_SMALL_unpack = --records 100000 --dir $(BENCH_DIR)
BENCH_SMALL_otf2 = 100000

$(BENCH_FORMATS:%=$(BUILD)/bench/%): $(BUILD)/bench/%: $(BUILD)/bench/%.o $(BUILD)/bench/generate.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

bench: $(BUILD)/bench/bench $(BUILD)/bench/clocks $(BUILD)/bench/diff $(BUILD)/bench/models $(BUILD)/bench/growth $(BUILD)/pas2p $(BENCH_FORMATS:%=$(BUILD)/bench/%) ## measure every stage (FILES="a.clog2 ...": on these; else on generated traces, 6 GB in BENCH_DIR)
	@mkdir -p $(BENCH_DIR)
	@$< --records $(BENCH_RECORDS) --dir $(BENCH_DIR) $(FILES)
	@$(BUILD)/bench/clocks --messages $(BENCH_MESSAGES) --dir $(BENCH_DIR) $(FILES)
	@$(BUILD)/bench/diff --events $(BENCH_EVENTS) --dir $(BENCH_DIR)
	@$(BUILD)/bench/models
	@$(BUILD)/bench/growth --pas2p $(BUILD)/pas2p --dir $(BENCH_DIR)
	@$(foreach f,$(BENCH_FORMATS),$(BUILD)/bench/$(f) $(BENCH_OF_$(f)) &&) :

$(BUILD)/bench/job.o: CPPFLAGS += -It/lib
$(BUILD)/bench/job: $(BUILD)/bench/job.o $(BUILD)/bench/generate.o $(BUILD)/t/lib/team_threads.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

# MPICH's launcher needs no option to start more ranks than there are processors, nor to be started by root.
JOB_MPIRUN ?= $(shell command -v mpirun.mpich || command -v mpirun.openmpi || command -v mpirun)
bench-job: export OMPI_ALLOW_RUN_AS_ROOT = 1
bench-job: export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM = 1
bench-job: export OMPI_MCA_rmaps_base_oversubscribe = 1
bench-job: $(BUILD)/bench/job $(BUILD)/pas2p $(JOB_PLUGINS) ## measure a trace shared by the ranks of an MPI job (FILES as for bench)
	@mkdir -p $(BENCH_DIR)
	@$< --records $(BENCH_RECORDS) --dir $(BENCH_DIR) --pas2p $(BUILD)/pas2p $(if $(JOB_MPIRUN),--mpirun $(JOB_MPIRUN)) $(FILES)

bench-smoke: $(BUILD)/bench/bench $(BUILD)/bench/clocks $(BUILD)/bench/diff $(BUILD)/bench/job $(BUILD)/bench/growth $(BUILD)/pas2p $(BENCH_FORMATS:%=$(BUILD)/bench/%) ## the same on small traces, to check that the benchmarks run
	@mkdir -p $(BENCH_DIR)
	@$< --records 100000 --dir $(BENCH_DIR)
	@$(BUILD)/bench/clocks --messages 10000 --dir $(BENCH_DIR)
	@$(BUILD)/bench/diff --events 50000 --dir $(BENCH_DIR)
	@$(BUILD)/bench/job --records 20000 --dir $(BENCH_DIR)
	@$(BUILD)/bench/growth --pas2p $(BUILD)/pas2p --dir $(BENCH_DIR) --percent 1
	@$(foreach f,$(BENCH_FORMATS),$(BUILD)/bench/$(f) $(BENCH_SMALL_$(f)) &&) :

BENCH_VTERM := $(shell pkg-config --libs vterm 2>/dev/null)

$(BUILD)/bench/tui_latency: $(BUILD)/bench/tui_latency.o $(if $(BENCH_VTERM),$(BUILD)/bench/tui_screen.o) $(BUILD)/bench/generate.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS) $(BENCH_VTERM) -lutil

bench-tui: $(BUILD)/bench/tui_latency $(BUILD)/pas2p ## key-to-screen latency of the workbench (TUI_EVENTS, TUI_RANKS, FILES="--only PART ...")
	@mkdir -p $(BENCH_DIR)
	@PAS2P=$(abspath $(BUILD)/pas2p) $< --events $(or $(TUI_EVENTS),10000000) --ranks $(or $(TUI_RANKS),1024) \
		--dir $(BENCH_DIR) $(FILES)

$(BUILD)/bench/models: $(BUILD)/bench/models.o $(BUILD)/libpas2p.a
	@echo "LINK $@"
	@$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(CORE_LIBS)

bench-growth: $(BUILD)/bench/growth $(BUILD)/pas2p ## how time grows with processes, threads, communicators, states, nesting, messages under way, channels (ONLY="--only threads")
	@mkdir -p $(BENCH_DIR)
	@$< --pas2p $(BUILD)/pas2p --dir $(BENCH_DIR) $(ONLY)

bench-models: $(BUILD)/bench/models ## what evaluating a large model and fitting points cost
	@$<

bench-restore: all ## what a restored checkpoint costs (root; MEGABYTES=200, ROUNDS=10, CACHE=cold, AGAINST="other/pas2p ...")
	@PAS2P=$(BUILD)/pas2p bench/restore_cost.sh $(AGAINST)

-include $(BENCH_OBJ:.o=.d) $(BUILD)/bench/clocks.d $(BUILD)/bench/diff.d $(BUILD)/bench/tui_latency.d $(BUILD)/bench/tui_screen.d $(BUILD)/bench/models.d $(BUILD)/bench/job.d $(BUILD)/bench/growth.d $(BENCH_FORMATS:%=$(BUILD)/bench/%.d)
.PHONY: bench bench-growth bench-job bench-smoke bench-models bench-tui bench-restore
