/* The machine: processors, memory, the clock, room for files and how many may be open; and the control groups that limit them. */
#include "doctor_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/unit.h"
#include "core/io/descriptor.h"
#include "runner/host.h"

/* Processors: which may be used, and how much of their time. A job of more ranks than that waits for itself, and what
 * is measured in it is not the program. */
void check_processors(struct doctor *d)
{
	const struct nest_cpus none = {.given = false};
	struct nest_cpus allowed;
	struct cgroup_limits l;
	struct host host;
	unsigned n;

	host_look(&host, &none);
	cpus_allowed(&allowed);
	n = cpus_count(&allowed);
	if (host.cpus < n) /* without /proc and /sys the C library guesses */
		host.cpus = n;
	cgroup_look(d, &l);
	if (!n) {
		doctor_find(d, STANDING_NOTE, "the usable processors are unknown");
	} else if (l.cpus > 0 && l.cpus < n) {
		doctor_find(d, STANDING_NOTE, "%u of %" PRIu32 " (%s), but limited to %.2f processors of time: "
			    "programs that need more are paused, and measurements get too "
			    "long", n, host.cpus, host.allowed, l.cpus);
		doctor_mend(d, "request whole processors, such as: sbatch --cpus-per-task=1 --exclusive");
	} else if (n == 1) {
		doctor_find(d, STANDING_NOTE, "1 of %" PRIu32 " (%s): the ranks of a job share it, so measured times "
			    "are unreliable", host.cpus,
			    host.allowed);
		doctor_mend(d, "request more processors, such as: sbatch --ntasks=4");
	} else {
		doctor_find(d, STANDING_OK, "%u of %" PRIu32 " (%s)", n, host.cpus, host.allowed);
	}
}

/* Memory: the machine's, and what the control groups leave of it, which is where a batch system's limit is. */

#define LITTLE_MEMORY ((uint64_t)512 << 20)

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
		doctor_find(d, STANDING_NOTE, "the size of the memory is unknown (%s)", groups);
		return;
	}
	unit_bytes(all, there);
	unit_bytes(some, l.memory);
	if (least == there)
		doctor_find(d, least < LITTLE_MEMORY ? STANDING_NOTE : STANDING_OK, "%s, no limit (%s)", all, groups);
	else if (there)
		doctor_find(d, least < LITTLE_MEMORY ? STANDING_NOTE : STANDING_OK, "%s of the machine's %s can be "
			    "used (%s)", some, all, groups);
	else
		doctor_find(d, least < LITTLE_MEMORY ? STANDING_NOTE : STANDING_OK, "%s can be used (%s)", some, groups);
	if (least < LITTLE_MEMORY && l.memory == least)
		doctor_mend(d, "request more memory, such as: sbatch --mem=4G");
}

/* The kernel's clock source: with one that cannot be read without a system call a trace costs several times as much
 * (docs/internals/tracer.md). */

#define OTHERS "/sys/devices/system/clocksource/clocksource0/available_clocksource"

static bool offers(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (; *list; list += strcspn(list, " "), list += strspn(list, " "))
		if (strcspn(list, " ") == n && !memcmp(list, name, n))
			return true;
	return false;
}

void check_clock(struct doctor *d)
{
	char name[64], others[256];

	if (!doctor_line(d, CLOCK_SOURCE_FILE, name, sizeof name) || !*name) {
		doctor_find(d, STANDING_NOTE, "the kernel's clock source is unknown");
		return;
	}
	if (clock_source_is_fast(name)) {
		doctor_find(d, STANDING_OK, "the clock source %s can be read without a system call", name);
		return;
	}
	doctor_find(d, STANDING_NOTE, "the clock source %s needs a system call for each time stamp: tracing costs "
		    "several times as much as with tsc", name);
	if (doctor_line(d, OTHERS, others, sizeof others) && offers(others, "tsc"))
		doctor_mend(d, "%ssh -c 'echo tsc >%s'", doctor_as_root(d), CLOCK_SOURCE_FILE);
}

/* The folder for temporary files: a file is made there, as the commands do. */

#define LITTLE_ROOM ((uint64_t)1 << 30)

void check_scratch(struct doctor *d)
{
	char buf[256], free_text[UNIT_TEXT];
	const char *folder = doctor_variable("TMPDIR", buf, sizeof buf);
	struct err e = {0};
	struct statvfs st;
	uint64_t room;
	int fd = descriptor_scratch(&e);
	bool told = fd >= 0 && fstatvfs(fd, &st) == 0;

	if (!folder)
		folder = "/tmp";
	if (fd >= 0)
		close(fd);
	if (fd < 0) {
		doctor_find(d, STANDING_MISSING, "%s", e.text);
		doctor_mend(d, "export TMPDIR=FOLDER, with a folder where you may write");
		doctor_needed(d);
		return;
	}
	if (!told) {
		doctor_find(d, STANDING_NOTE, "%s is writable; its free space is unknown", folder);
		return;
	}
	room = (uint64_t)st.f_bavail * st.f_frsize;
	unit_bytes(free_text, room < LITTLE_ROOM ? room : room / LITTLE_ROOM * LITTLE_ROOM);
	doctor_find(d, room < LITTLE_ROOM ? STANDING_NOTE : STANDING_OK, "%s is writable and has %s %s free%s", folder,
		    room < LITTLE_ROOM ? "only" : "at least", free_text,
		    room < LITTLE_ROOM ? "; a large trace may need more" : "");
	if (room < LITTLE_ROOM)
		doctor_mend(d, "export TMPDIR=FOLDER, with a folder that has more free space");
}

/* How many files may be open at once. Every command copes with few by closing some and opening them again, which takes
 * longer. */

#define USUAL 1024 /* what Linux gives a process; OTF2 archives of some 500 processes fit into it */

void check_files(struct doctor *d)
{
	struct rlimit l;
	uint64_t most;

	if (getrlimit(RLIMIT_NOFILE, &l) != 0) {
		doctor_find(d, STANDING_NOTE, "the limit of open files is unknown");
		return;
	}
	if (l.rlim_cur == RLIM_INFINITY) {
		doctor_find(d, STANDING_OK, "no limit of open files");
		return;
	}
	if (l.rlim_cur >= USUAL) {
		doctor_find(d, STANDING_OK, "up to %" PRIu64 " files can be open at once", (uint64_t)l.rlim_cur);
		return;
	}
	doctor_find(d, STANDING_NOTE, "only %" PRIu64 " files can be open at once: OTF2 archives of many ranks take "
		    "longer to read", (uint64_t)l.rlim_cur);
	most = l.rlim_max == RLIM_INFINITY || l.rlim_max > 4096 ? 4096 : (uint64_t)l.rlim_max;
	if (most > l.rlim_cur)
		doctor_mend(d, "ulimit -n %" PRIu64, most);
}

#define ROOT "/sys/fs/cgroup"
#define NO_LIMIT ((uint64_t)1 << 60) /* version 1 says so by a number near the largest there is */

/* The group of a controller, or with "" the one of version 2, as a path that begins with "/". Lines are
 * NUMBER:CONTROLLERS:PATH. */
static bool group_of(const struct doctor *d, const char *controller, char group[PATH_MAX])
{
	char path[PATH_MAX], line[PATH_MAX + 256];
	FILE *f = doctor_path(d, "/proc/self/cgroup", path) ? fopen(path, "re") : NULL;
	bool found = false;

	while (f && !found && fgets(line, sizeof line, f)) {
		char *list = strchr(line, ':'), *name = list ? strchr(list + 1, ':') : NULL, *rest = NULL;

		if (!name || name[1] != '/')
			continue;
		*name++ = '\0';
		name[strcspn(name, "\n")] = '\0';
		found = !*controller && !list[1];
		for (char *one = strtok_r(list + 1, ",", &rest); one && *controller && !found; one = strtok_r(NULL, ",", &rest))
			found = !strcmp(one, controller);
		if (found)
			snprintf(group, PATH_MAX, "%s", name);
	}
	if (f)
		fclose(f);
	return found;
}

static uint64_t memory_of(const char *line)
{
	uint64_t bytes = strtoull(line, NULL, 10);

	return bytes < NO_LIMIT ? bytes : 0; /* "max" is no number */
}

/* "150000 100000" of version 2; "max 100000": 0. */
static double cpus_of(const char *line)
{
	char *end;
	double quota = strtod(line, &end), period = strtod(end, NULL);

	return end > line && period > 0 ? quota / period : 0;
}

static void limit_keep_least(double *least, double value)
{
	if (value > 0 && (*least <= 0 || value < *least))
		*least = value;
}

/* A limit's file in the group and in all above it. Inside a container the groups above are not to be seen, and its own
 * is the root. */
static void each_level(const struct doctor *d, const char *root, const char *group, const char *file,
		       void (*one)(struct cgroup_limits *l, const struct doctor *d, const char *folder, const char *file),
		       struct cgroup_limits *l)
{
	char folder[PATH_MAX];
	size_t top = strlen(root);

	if (snprintf(folder, sizeof folder, "%s%s", root, strcmp(group, "/") ? group : "") >= (int)sizeof folder)
		return;
	for (;;) {
		char *slash;

		one(l, d, folder, file);
		slash = strrchr(folder, '/');
		if (strlen(folder) <= top || !slash || (size_t)(slash - folder) < top)
			return;
		*slash = '\0';
	}
}

static bool line_in(const struct doctor *d, const char *folder, const char *file, char *line, size_t size)
{
	char path[PATH_MAX];

	return snprintf(path, sizeof path, "%s/%s", folder, file) < (int)sizeof path && doctor_line(d, path, line, size);
}

static void memory_at(struct cgroup_limits *l, const struct doctor *d, const char *folder, const char *file)
{
	char line[64];
	double least = (double)l->memory;

	if (line_in(d, folder, file, line, sizeof line))
		limit_keep_least(&least, (double)memory_of(line));
	l->memory = (uint64_t)least;
}

static void cpus_at(struct cgroup_limits *l, const struct doctor *d, const char *folder, const char *file)
{
	char line[64];

	if (line_in(d, folder, file, line, sizeof line))
		limit_keep_least(&l->cpus, cpus_of(line));
}

/* Version 1 has quota and period in files of their own; the quota is -1 if there is no limit. */
static void quota_at(struct cgroup_limits *l, const struct doctor *d, const char *folder, const char *file)
{
	char quota[32], period[32], both[80];

	if (!line_in(d, folder, file, quota, sizeof quota) || !line_in(d, folder, "cpu.cfs_period_us", period, sizeof period))
		return;
	snprintf(both, sizeof both, "%s %s", quota, period);
	limit_keep_least(&l->cpus, cpus_of(both));
}

void cgroup_look(const struct doctor *d, struct cgroup_limits *l)
{
	char group[PATH_MAX];

	*l = (struct cgroup_limits){0};
	if (group_of(d, "", group)) {
		l->version = 2;
		each_level(d, ROOT, group, "memory.max", memory_at, l);
		each_level(d, ROOT, group, "cpu.max", cpus_at, l);
	}
	if (group_of(d, "memory", group)) {
		l->version = 1;
		each_level(d, ROOT "/memory", group, "memory.limit_in_bytes", memory_at, l);
	}
	if (group_of(d, "cpu", group)) {
		l->version = 1;
		each_level(d, ROOT "/cpu", group, "cpu.cfs_quota_us", quota_at, l);
	}
}
