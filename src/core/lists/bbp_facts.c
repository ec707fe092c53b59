#include "lists.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/trace/far.h"

#define BLOCKS_MOST 4096
#define TYPES_MOST (1u << 20) /* in a meeting */

enum err_code bbp_facts_init(struct bbp_facts *f, const struct analysis *a, uint32_t types_of, bool leaders, struct err *e)
{
	const struct trace *t = a->logical->trace;
	enum err_code code = ERR_OK;

	*f = (struct bbp_facts){.analysis = a, .leaders = leaders, .most = BLOCKS_MOST};
	f->processes = types_of < t->process_count ? types_of : t->process_count;
	if (f->processes > TYPES_MOST / 2 / BLOCKS_MOST)
		f->most = f->processes < TYPES_MOST / 2 ? TYPES_MOST / 2 / f->processes : 1;
	f->ticks = mem_alloc((size_t)f->most * (BBP_FACTS_OF_TICK + 1) + BBP_FACTS_OF_TICK, sizeof *f->ticks);
	f->compute = mem_alloc(f->most, sizeof *f->compute);
	f->kept = mem_alloc(f->most, sizeof *f->kept);
	f->types = mem_alloc(2 * (size_t)f->most * f->processes, sizeof *f->types);
	if (!f->ticks || !f->compute || !f->kept || !f->types)
		code = err_memory(e, "the basic blocks");
	code = team_agree(trace_team(t), code, e);
	if (code)
		bbp_facts_release(f);
	return code;
}

static void count_tick(const struct logical *l, uint32_t tick, uint64_t *of)
{
	const struct trace *t = l->trace;

	for (uint32_t k = l->tick_first[tick]; k < l->tick_first[tick + 1]; k++) {
		uint32_t event = l->order_of[k];

		of[EVENT_KIND(t->type[event]) == EVENT_SEND ? BBP_FACT_SENDS :
		   EVENT_KIND(t->type[event]) == EVENT_RECEIVE ? BBP_FACT_RECEIVES : BBP_FACT_COLLECTIVES]++;
		if (trace_size(t, event) != SIZE_UNKNOWN)
			of[BBP_FACT_BYTES] += trace_size(t, event);
	}
}

static void put_types(const struct bbp_facts *f, uint32_t block)
{
	const struct logical *l = f->analysis->logical;

	for (uint32_t end = 0; end < 2; end++)
		for (uint32_t k = l->tick_first[block - 1 + end]; k < l->tick_first[block + end]; k++) {
			uint32_t process = trace_process_of(l->trace, l->order_of[k]);

			if (process < f->processes)
				f->types[2 * ((size_t)f->kept[block - f->begin] * f->processes + process) + end] = l->trace->type[l->order_of[k]];
		}
}

enum err_code bbp_facts_gather(struct bbp_facts *f, uint32_t begin, uint32_t end, struct err *e)
{
	const struct logical *l = f->analysis->logical;
	const struct team *team = trace_team(l->trace);
	size_t n = end - begin, of_ticks = (n + 1) * BBP_FACTS_OF_TICK, types;
	uint32_t kept = 0;
	enum err_code code;

	f->begin = begin;
	f->end = end;
	memset(f->ticks, 0, (of_ticks + n) * sizeof *f->ticks);
	for (uint32_t tick = begin - 1; tick < end; tick++)
		count_tick(l, tick, f->ticks + (size_t)(tick + 1 - begin) * BBP_FACTS_OF_TICK);
	for (uint32_t i = 0; i < n; i++) {
		f->ticks[of_ticks + i] = bbp_active(l, begin + i);
		f->kept[i] = kept;
		kept += !f->leaders || f->analysis->bbps->label[begin + i] == begin + i;
	}
	types = 2 * (size_t)kept * f->processes;
	if (types)
		memset(f->types, 0, types * sizeof *f->types);
	for (uint32_t i = 0; i < n; i++)
		if (!f->leaders || f->analysis->bbps->label[begin + i] == begin + i)
			put_types(f, begin + i);
	code = team_reduce(team, f->ticks, of_ticks + n, TEAM_SUM, e);
	if (!code)
		code = team_reduce_u32(team, f->types, types, TEAM_SUM, e);
	if (!code)
		code = bbp_computes(f->compute, l, begin, end, (enum compute_of)f->analysis->settings.compute_of, e);
	return code;
}

void bbp_facts_release(struct bbp_facts *f)
{
	mem_free(f->ticks);
	mem_free(f->compute);
	mem_free(f->kept);
	mem_free(f->types);
	*f = (struct bbp_facts){0};
}
