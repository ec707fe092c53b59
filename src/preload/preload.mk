# The preloaded library, once for each MPI implementation whose compiler wrapper is there; without any, nothing.
# It is not linked with libmpi (real.h), and brings the few files of the core that it needs along, hidden.
MPICC_OPENMPI ?= $(shell command -v mpicc.openmpi || { mpicc --showme:version 2>/dev/null | grep -q 'Open MPI' && echo mpicc; })
MPICC_MPICH   ?= $(shell command -v mpicc.mpich || { mpicc -v 2>/dev/null | grep -q MPICH && echo mpicc; })
MPIS          := $(if $(MPICC_OPENMPI),openmpi) $(if $(MPICC_MPICH),mpich)
MPICC_openmpi  = $(MPICC_OPENMPI)
MPICC_mpich    = $(MPICC_MPICH)

NO_LEAKS      := $(if $(findstring address,$(SANITIZE)),t/preload/mpi/no_leaks.c)
PRELOAD_SRC   := $(sort $(wildcard src/preload/*.c)) src/core/formats/clog2/write.c src/core/formats/clog2/names.c src/core/base/err.c src/core/base/index.c src/core/base/mem.c src/core/base/spill.c src/core/io/settle.c src/core/io/descriptor.c src/core/base/text.c $(NO_LEAKS)
PRELOAD_LIBS  := $(MPIS:%=$(BUILD)/preload/libpas2p-%.so)
PRELOAD_FLAGS  = -D_GNU_SOURCE -Isrc -std=c11 $(CFLAGS) $(WARN) $(SAN) -pthread -fPIC -fvisibility=hidden
PRELOAD_OBJ   := $(foreach m,$(MPIS),$(PRELOAD_SRC:%.c=$(BUILD)/preload/$(m)/%.o))

preload: $(PRELOAD_LIBS) ## build the tracer's library for each MPI that is installed

define PRELOAD_RULES
$(BUILD)/preload/$(1)/%.o: %.c
	@mkdir -p $$(@D)
	@echo "CC   $$< ($(1))"
	@$(MPICC_$(1)) $$(PRELOAD_FLAGS) -MMD -MP -c -o $$@ $$<

$(BUILD)/preload/libpas2p-$(1).so: $(PRELOAD_SRC:%.c=$(BUILD)/preload/$(1)/%.o)
	@echo "LINK $$@"
	@$$(CC) $$(CFLAGS) $$(SAN) $$(LDFLAGS) -shared -pthread -Wl,-z,now,-z,defs -o $$@ $$^ -ldl
endef
$(foreach m,$(MPIS),$(eval $(call PRELOAD_RULES,$(m))))

-include $(PRELOAD_OBJ:.o=.d)
.PHONY: preload

# What tracing costs, for each MPI that is here; the records go to $(BUILD)/bench and away again.
$(BUILD)/bench/tracer_overhead-% $(BUILD)/bench/control_overhead-%: bench/tracer_overhead.c bench/control_overhead.c src/preload/control_file.h
	@mkdir -p $(@D)
	@for b in tracer_overhead control_overhead; do echo "CC   bench/$$b.c ($*)"; \
		$(MPICC_$*) -D_GNU_SOURCE -std=gnu11 -O2 -Wall -Wextra -Wno-stringop-overflow -Isrc -o $(@D)/$$b-$* bench/$$b.c -ldl || exit 1; done

bench-tracer: $(PRELOAD_LIBS) $(MPIS:%=$(BUILD)/bench/tracer_overhead-%) ## what tracing and measuring cost: ns a call, and at 10 000 events/s
	@for m in $(MPIS); do echo "$$m:"; rm -f $(BUILD)/bench/overhead.*clog2; case $$m in openmpi) so=libmpi.so.40 ;; *) so=libmpich.so.12 ;; esac; \
		run=$$(command -v mpiexec.$$m || command -v mpirun.$$m || command -v mpiexec); \
		export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 LD_PRELOAD=$(abspath $(BUILD))/preload/libpas2p-$$m.so; \
		PAS2P_TRACE=$(abspath $(BUILD))/bench/overhead.clog2 $$run -n 1 $(BUILD)/bench/tracer_overhead-$$m $$so || exit 1; \
		rm -f $(BUILD)/bench/overhead.clog2; \
		$$run -n 1 $(BUILD)/bench/control_overhead-$$m $$so $(abspath $(BUILD))/bench || exit 1; unset LD_PRELOAD; done

.PHONY: bench-tracer
