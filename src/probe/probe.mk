# The program that measures clocks, once for each MPI whose compiler wrapper is there (src/preload/preload.mk), beside the tracer's library.
PROBE_SRC := $(sort $(wildcard src/probe/*.c))
PROBES    := $(MPIS:%=$(BUILD)/preload/pas2p-probe-%)
PROBE_OBJ := $(foreach m,$(MPIS),$(PROBE_SRC:%.c=$(BUILD)/probe/$(m)/%.o))

preload: $(PROBES)

define PROBE_RULES
$(BUILD)/probe/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "CC   $$< ($(1))"
	@$(MPICC_$(1)) -D_GNU_SOURCE -Isrc -std=gnu11 $(CFLAGS) $(filter-out -Wundef -Wstrict-prototypes -Wcast-qual -Wpedantic,$(WARN)) -MMD -MP -c -o $$@ $$<

$(BUILD)/preload/pas2p-probe-$(1): $(PROBE_SRC:%.c=$(BUILD)/probe/$(1)/%.o)
	@mkdir -p $$(@D)
	@echo "LINK $$@"
	@$(MPICC_$(1)) $(CFLAGS) -o $$@ $$^ -lm
endef
$(foreach m,$(MPIS),$(eval $(call PROBE_RULES,$(m))))

-include $(PROBE_OBJ:.o=.d)
