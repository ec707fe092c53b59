# The analysis as an MPI job: a plug-in for each MPI whose compiler wrapper is there (src/preload/preload.mk), beside the tracer's library.
JOB_PLUGINS := $(MPIS:%=$(BUILD)/preload/libpas2p-job-%.so)

define JOB_RULES
$(BUILD)/preload/libpas2p-job-$(1).so: src/mpi/plugin.c src/mpi/plugin.h src/core/team/team.h src/core/base/err.h
	@mkdir -p $$(@D)
	@echo "CC   $$< ($(1))"
	@$(MPICC_$(1)) -D_GNU_SOURCE -Isrc -std=c11 $(CFLAGS) $(SAN) $(filter-out -Wundef -Wstrict-prototypes -Wcast-qual -Wpedantic,$(WARN)) -Wno-stringop-overflow \
		-fPIC -fvisibility=hidden $(LDFLAGS) -shared -Wl,-z,now -o $$@ $$<
endef
$(foreach m,$(MPIS),$(eval $(call JOB_RULES,$(m))))

preload: $(JOB_PLUGINS)
