#include "doctor_int.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>


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

/* Version 1 has quota and period in files of their own; the quota is -1 where there is no limit. */
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
