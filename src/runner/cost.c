#include "runner_int.h"

#include <stdio.h>
#include <string.h>

/* How far the monotonic clock of a process (NULL: of this one) is ahead of the machine's, in seconds: a restored one
 * goes on from where it was when the checkpoint was taken. 0 where the kernel has no such thing. */
static double ahead(const struct station *s)
{
	char path[128], clock[32];
	long long seconds;
	long nanoseconds;
	double by = 0;
	FILE *f;

	if (s)
		snprintf(path, sizeof path, "%s/proc/%d/timens_offsets", nest_root(s->nest), (int)s->child.pid);
	f = fopen(s ? path : "/proc/self/timens_offsets", "re");
	while (f && fscanf(f, "%31s %lld %ld", clock, &seconds, &nanoseconds) == 3)
		if (strcmp(clock, "monotonic") == 0)
			by = (double)seconds + (double)nanoseconds * 1e-9;
	if (f)
		fclose(f);
	return by;
}

enum err_code cost_measured(struct station *s, uint32_t part, struct err *e)
{
	const struct launch_plan *p = s->mission->plan;
	uint32_t end = p->parts[part].to;
	double by, last = 0;

	station_note(s, MOMENT_SEEN);
	by = ahead(s) - ahead(NULL);
	for (uint32_t rank = 0; rank < p->ranks; rank++) {
		uint64_t stamp;
		double when;

		if (board_stamps(&s->board, rank, end - 1, end, &stamp, e))
			return e->code;
		when = (double)stamp * 1e-9 - by;
		last = when > last ? when : last;
	}
	/* Ranks may move a moment before the driver knows, and measure nothing at all. */
	if (last < s->times[MOMENT_MOVING])
		last = s->times[MOMENT_MOVING];
	s->times[MOMENT_MEASURED] = last < s->times[MOMENT_SEEN] ? last : s->times[MOMENT_SEEN];
	return ERR_OK;
}

void cost_add(struct cost *c, const struct station *s)
{
	const double *t = s->times;

	for (unsigned i = 0; i < MOMENT_MOMENTS; i++)
		if (!t[i])
			return;
	c->checkpoints++;
	c->parts[COST_NEST] += t[MOMENT_NEST] - t[MOMENT_BEGAN];
	c->parts[COST_FILES] += t[MOMENT_FILES] - t[MOMENT_NEST];
	c->parts[COST_RESTORE] += t[MOMENT_MOVING] - t[MOMENT_FILES];
	c->running += t[MOMENT_MEASURED] - t[MOMENT_MOVING];
	c->parts[COST_NOTICE] += t[MOMENT_SEEN] - t[MOMENT_MEASURED];
	c->parts[COST_END] += t[MOMENT_GONE] - t[MOMENT_SEEN];
}

double cost_mean(const struct cost *c)
{
	double sum = 0;

	for (unsigned i = 0; i < COST_PARTS; i++)
		sum += c->parts[i];
	return c->checkpoints ? sum / c->checkpoints : 0;
}

void cost_say(const struct cost *c, const struct mission *m)
{
	double n = c->checkpoints;

	if (c->checkpoints)
		mission_say(m, "restoring took %.3f s each in addition to warm-up and measuring (%.3f s): nest %.3f, "
			    "files %.3f, processes %.3f, notice %.3f, end %.3f", cost_mean(c), c->running / n, c->parts[COST_NEST] / n,
			    c->parts[COST_FILES] / n, c->parts[COST_RESTORE] / n, c->parts[COST_NOTICE] / n,
			    c->parts[COST_END] / n);
}
