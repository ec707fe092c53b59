# Sanitizers and valgrind: `make asan`, `make tsan`, `make valgrind`. Each fails if anything is reported anywhere (tools/sanitized.sh).
#
# For gcc. What is undefined traps, which the address sanitizer reports with the line (handle_sigill): no runtime of its own is needed, and
# programs have 1 MB of data instead of 15, which each start would register and each end search for pointers. The tests' MPI programs are
# compiled with the address sanitizer, too, through the variables of MPI's compilers: so the tracer's library, which is loaded into them, is
# looked at in full. In a program that was built otherwise (a shell, a Python) the library's heap is not looked at; its stack, its globals
# and undefined behaviour are.
ASAN_BUILD = $(BUILD)-asan
# Programs stay where they are linked: half a million addresses to relocate would take each start of pas2p a third of its time.
ASAN_FLAGS = SANITIZE=address,undefined CFLAGS='-O1 -g1 -fno-pie -fsanitize-undefined-trap-on-error' LDFLAGS='-no-pie'
ASAN_MPI   = $(foreach v,OMPI_CC MPICH_CC,$(v)='$(CC) -fsanitize=address -g -include $(abspath t/preload/mpi/no_leaks.c)')

asan:          ## every test under the address and undefined-behaviour sanitizers
	@$(MAKE) --no-print-directory -j$$(nproc) BUILD=$(ASAN_BUILD) $(ASAN_FLAGS) test-programs
	@tools/sanitized.sh $(ASAN_BUILD)/reports env $(ASAN_MPI) $(MAKE) --no-print-directory BUILD=$(ASAN_BUILD) $(ASAN_FLAGS) test

# Under the thread sanitizer: what starts threads. Thousands of random traces take too long there.
TSAN_BUILD = $(BUILD)-tsan
TSAN_TESTS = $(filter %_team.t %/team/%.t %/part_changed.t %/part_stripes.t %/alloc_failure.t %/compute.t %/oddities.t %/recovery.t \
                 %/sensitivity.t %/study.t %/table_analysis.t %/threads.t %/metrics/timeline.t %/background.t %/tui_app.t %/tui_background.t %/tui_interrupt.t \
                 %/tui_parts.t %/tui_pty.t %/tui_storm.t,$(C_TESTS:$(BUILD)/%=$(TSAN_BUILD)/%)) \
             $(filter t/cli/cli_commands.t t/cli/metrics.t t/method/traces.t t/tui/%,$(SHELL_TESTS))

tsan:          ## the tests that start threads, under the thread sanitizer
	@tools/sanitized.sh $(TSAN_BUILD)/reports $(MAKE) --no-print-directory BUILD=$(TSAN_BUILD) SANITIZE=thread CFLAGS='-O1 -g' \
		MPICC_OPENMPI= MPICC_MPICH= test $(if $(filter command% environment%,$(origin TESTS)),,TESTS='$(TSAN_TESTS)')

# Under valgrind: the batch commands over the sample traces, the fuzzers' inputs, and the tests of the core and the runner but for those
# that compare thousands of random traces, which take an hour there, and the one that looks at how much memory the process has.
VALGRIND       = valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --suppressions=$(abspath t/lib/valgrind.supp)
VALGRIND_TESTS = $(filter-out $(BUILD)/t/tui/% %/against_naive.t %/properties.t %/spill.t,$(C_TESTS))

valgrind: $(BUILD)/pas2p tests fuzz-replay ## the batch commands over the sample traces, and the tests of core and runner, under valgrind
	@tools/sanitized.sh $(BUILD)/valgrind-reports $(MAKE) --no-print-directory valgrind-commands valgrind-tests

valgrind-commands: $(BUILD)/pas2p
	@VALGRIND_OPTS='$(wordlist 2,9,$(VALGRIND)) --log-file=$(abspath $(BUILD))/valgrind-reports/%p' tools/valgrind-commands.sh $(abspath $(BUILD)/pas2p)

valgrind-tests:
	@for t in $(FUZZ); do echo "valgrind: corpus of $$t"; $(VALGRIND) $(BUILD)/fuzz-replay/$$t fuzz/corpus/$$t/* >/dev/null || exit 1; done
	@FUZZ_REPLAY=$(abspath $(BUILD)/fuzz-replay) prove -e '$(VALGRIND)' $(if $(filter command% environment%,$(origin TESTS)),$(TESTS_ASKED),$(VALGRIND_TESTS))

.PHONY: asan tsan valgrind valgrind-commands valgrind-tests
