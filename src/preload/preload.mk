# The preloaded library, once for each MPI implementation whose compiler wrapper is there; without any, nothing.
# It is not linked with libmpi (real.h), and brings the few files of the core that it needs along, hidden.
MPICC_OPENMPI ?= $(shell command -v mpicc.openmpi || { mpicc --showme:version 2>/dev/null | grep -q 'Open MPI' && echo mpicc; })
MPICC_MPICH   ?= $(shell command -v mpicc.mpich || { mpicc -v 2>/dev/null | grep -q MPICH && echo mpicc; })
MPIS          := $(if $(MPICC_OPENMPI),openmpi) $(if $(MPICC_MPICH),mpich)
MPICC_openmpi  = $(MPICC_OPENMPI)
MPICC_mpich    = $(MPICC_MPICH)

PRELOAD_SRC   := $(sort $(wildcard src/preload/*.c)) src/core/clog2_write.c src/core/clog2_names.c src/core/err.c src/core/mem.c
PRELOAD_LIBS  := $(MPIS:%=$(BUILD)/preload/libpas2p-%.so)
PRELOAD_FLAGS  = -D_GNU_SOURCE -Isrc -Isrc/core -std=c11 $(CFLAGS) $(WARN) -pthread -fPIC -fvisibility=hidden
PRELOAD_OBJ   := $(foreach m,$(MPIS),$(PRELOAD_SRC:%.c=$(BUILD)/preload/$(m)/%.o))

preload: $(PRELOAD_LIBS) ## build the tracer's library for each MPI that is installed

define PRELOAD_RULES
$(BUILD)/preload/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "CC   $$< ($(1))"
	@$(MPICC_$(1)) $$(PRELOAD_FLAGS) -MMD -MP -c -o $$@ $$<

$(BUILD)/preload/libpas2p-$(1).so: $(PRELOAD_SRC:%.c=$(BUILD)/preload/$(1)/%.o)
	@echo "LINK $$@"
	@$$(CC) $$(CFLAGS) $$(LDFLAGS) -shared -pthread -Wl,-z,now,-z,defs -o $$@ $$^ -ldl
endef
$(foreach m,$(MPIS),$(eval $(call PRELOAD_RULES,$(m))))

-include $(PRELOAD_OBJ:.o=.d)
.PHONY: preload
