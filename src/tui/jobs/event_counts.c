#include "jobs.h"

#include "core/base/mem.h"

static uint32_t power_of_two(uint32_t total, uint32_t parts)
{
	uint32_t size = 1;

	while ((uint64_t)size * parts < total)
		size *= 2;
	return size;
}

static enum err_code event_counts_fill(struct event_counts *o, const struct logical *l, const struct progress *progress, struct err *e)
{
	const struct trace *t = l->trace;

	/* Process by process: no event has to be looked up, and a group's row of counters stays close. */
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t group = p / o->group;

		if (p % 16 == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped");
		for (uint32_t i = t->first[p]; i < t->first[p + 1]; i++)
			o->before[(size_t)(l->tick[i] / o->block + 1) * o->groups + group]++;
	}
	for (uint32_t b = 1; b <= o->blocks; b++)
		for (uint32_t g = 0; g < o->groups; g++)
			o->before[(size_t)b * o->groups + g] += o->before[(size_t)(b - 1) * o->groups + g];
	return ERR_OK;
}

enum err_code event_counts_new(struct event_counts **out, const struct logical *l, uint32_t blocks, uint32_t groups,
			   const struct progress *progress, struct err *e)
{
	struct event_counts *o = mem_zero(1, sizeof *o);
	uint32_t ticks = l->tick_count, processes = l->trace->process_count;
	enum err_code code;

	*out = NULL;
	if (!o)
		return err_memory(e, "the counts of events");
	o->of = l;
	o->block = power_of_two(ticks, blocks);
	o->group = power_of_two(processes, groups);
	o->blocks = ticks / o->block + (ticks % o->block > 0);
	o->groups = processes / o->group + (processes % o->group > 0);
	o->before = mem_zero((size_t)o->blocks + 1, o->groups * sizeof *o->before);
	if (!o->before) {
		event_counts_free(o);
		return err_memory(e, "the counts of events");
	}
	code = event_counts_fill(o, l, progress, e);
	if (code)
		event_counts_free(o);
	else
		*out = o;
	return code;
}

void event_counts_free(struct event_counts *o)
{
	if (!o)
		return;
	mem_free(o->before);
	mem_free(o);
}

uint64_t event_counts_of(const struct event_counts *o, uint32_t b0, uint32_t b1, uint32_t g0, uint32_t g1)
{
	uint64_t n = 0;

	b1 = b1 < o->blocks ? b1 : o->blocks;
	g1 = g1 < o->groups ? g1 : o->groups;
	for (uint32_t g = g0; b0 < b1 && g < g1; g++)
		n += o->before[(size_t)b1 * o->groups + g] - o->before[(size_t)b0 * o->groups + g];
	return n;
}
