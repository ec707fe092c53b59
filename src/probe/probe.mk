# The programs that measure inside a job, once for each MPI whose compiler wrapper is there (src/preload/preload.mk), beside the tracer's
# library: clocks (pas2p-probe), messages and machines (pas2p-pingpong), which bring the few files of the core that they need along.
PROBE_SRC    := $(sort $(wildcard src/probe/probe*.c)) $(NO_LEAKS)
PINGPONG_SRC := $(sort $(wildcard src/probe/pingpong*.c)) $(NO_LEAKS) src/probe/probe_clock.c \
	src/core/models/fit/repetitions.c src/core/models/machine/pingpong_plan.c src/core/models/machine/measured.c src/core/models/machine/kernels.c src/core/models/machine/memory.c \
	$(patsubst %,src/core/base/%.c,clock err mem spill outliers parallel text)
PROBES       := $(MPIS:%=$(BUILD)/preload/pas2p-probe-%) $(MPIS:%=$(BUILD)/preload/pas2p-pingpong-%)
PROBE_OBJ    := $(foreach m,$(MPIS),$(patsubst %.c,$(BUILD)/probe/$(m)/%.o,$(sort $(PROBE_SRC) $(PINGPONG_SRC))))

preload: $(PROBES)

define PROBE_RULES
$(BUILD)/probe/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "CC   $$< ($(1))"
	@$(MPICC_$(1)) -D_GNU_SOURCE -Isrc -std=gnu11 $(CFLAGS) $(SAN) $(filter-out -Wundef -Wstrict-prototypes -Wcast-qual -Wpedantic,$(WARN)) -pthread -MMD -MP -c -o $$@ $$<

$(BUILD)/preload/pas2p-probe-$(1): $(PROBE_SRC:%.c=$(BUILD)/probe/$(1)/%.o)
$(BUILD)/preload/pas2p-pingpong-$(1): $(PINGPONG_SRC:%.c=$(BUILD)/probe/$(1)/%.o)
$(BUILD)/preload/pas2p-probe-$(1) $(BUILD)/preload/pas2p-pingpong-$(1):
	@mkdir -p $$(@D)
	@echo "LINK $$@"
	@$(MPICC_$(1)) $(CFLAGS) $(SAN) $$(LDFLAGS) -pthread -o $$@ $$^ -lm
endef
$(foreach m,$(MPIS),$(eval $(call PROBE_RULES,$(m))))

-include $(PROBE_OBJ:.o=.d)
