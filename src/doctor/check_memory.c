/* Memory: the machine's, and what the control groups leave of it, which is where a batch system's limit is. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doctor_int.h"
#include "core/base/unit.h"

#define LITTLE ((uint64_t)512 << 20)

/* Of the machine; 0: not known. */
static uint64_t total(const struct doctor *d)
{
	char path[PATH_MAX], line[256];
	FILE *f = doctor_path(d, "/proc/meminfo", path) ? fopen(path, "re") : NULL;
	uint64_t kib = 0;

	while (f && !kib && fgets(line, sizeof line, f))
		if (sscanf(line, "MemTotal: %" SCNu64, &kib) != 1)
			kib = 0;
	if (f)
		fclose(f);
	return kib * 1024;
}

void check_memory(struct doctor *d)
{
	struct cgroup_limits l;
	char all[UNIT_TEXT], some[UNIT_TEXT], groups[64] = "no control groups";
	uint64_t there = total(d), least;

	cgroup_look(d, &l);
	if (l.version)
		snprintf(groups, sizeof groups, "control groups of version %d", l.version);
	least = l.memory && (!there || l.memory < there) ? l.memory : there;
	if (!least) {
		doctor_find(d, STANDING_NOTE, "how much memory there is cannot be told (%s)", groups);
		return;
	}
	unit_bytes(all, there);
	unit_bytes(some, l.memory);
	if (least == there)
		doctor_find(d, least < LITTLE ? STANDING_NOTE : STANDING_OK, "%s, not limited (%s)", all, groups);
	else if (there)
		doctor_find(d, least < LITTLE ? STANDING_NOTE : STANDING_OK, "%s of the machine's %s may be used (%s)", some, all, groups);
	else
		doctor_find(d, least < LITTLE ? STANDING_NOTE : STANDING_OK, "%s may be used (%s)", some, groups);
	if (least < LITTLE && l.memory == least)
		doctor_mend(d, "ask for more, such as: sbatch --mem=4G");
}
