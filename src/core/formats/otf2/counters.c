/* The counters of an archive: members of metrics. */
#include <math.h>
#include <string.h>

#include "load.h"

#define CPU_TIME "pas2p::cpu_time"

static bool is_relative(OTF2_MetricMode mode)
{
	return mode == OTF2_METRIC_RELATIVE_POINT || mode == OTF2_METRIC_RELATIVE_LAST || mode == OTF2_METRIC_RELATIVE_NEXT;
}

enum err_code otf_tell_counters(struct otf_loader *loader, struct err *e)
{
	const struct otf_defs *defs = &loader->archive.defs;

	loader->counters = mem_zero(defs->metric_member_count, sizeof *loader->counters);
	if (!loader->counters)
		return err_memory(e, "the counters");
	for (uint32_t i = 0; i < defs->metric_member_count; i++) {
		const struct otf_member *member = &defs->metric_members[i];
		const char *name = otf_defs_string(defs, member->name), *unit = otf_defs_string(defs, member->unit);
		struct otf_counter *counter = &loader->counters[i];
		double base = member->base == OTF2_BASE_BINARY ? 2 : 10;

		counter->relative = is_relative(member->mode);
		counter->counter = MAKE_NO_NUMBER;
		counter->scale = 1;
		if (!strcmp(name, CPU_TIME)) {
			counter->scale = 1e-9;
			loader->maker->readings = true;
			continue;
		}
		if (member->exponent && member->exponent > -400 && member->exponent < 400)
			counter->scale = pow(base, (double)member->exponent);
		counter->counter = make_counter(loader->maker, name, unit);
		if (counter->counter == MAKE_NO_NUMBER)
			return err_memory(e, "the counters");
	}
	return ERR_OK;
}
