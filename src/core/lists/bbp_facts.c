#include "lists.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/search.h"
#include "core/trace/remote.h"

#define BLOCKS_MOST 4096
#define TYPES_MOST (1u << 20) /* in a collective step */

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

#define CELLS_MOST 65536 /* in a collective step, where a block has no more */

enum { ENTRY_SIZE, EXIT_SIZE, COMPUTE_BITS, VALUES };

enum err_code bbp_process_facts_init(struct bbp_process_facts *f, const struct analysis *a, const uint32_t *blocks, struct err *e)
{
	const struct trace *t = a->logical->trace;
	size_t cells;
	enum err_code code = ERR_OK;

	*f = (struct bbp_process_facts){.analysis = a, .blocks = blocks, .most = 1};
	if (t->process_count && t->process_count < CELLS_MOST)
		f->most = CELLS_MOST / t->process_count;
	cells = (size_t)f->most * t->process_count;
	f->types = mem_alloc(2 * cells, sizeof *f->types);
	f->values = mem_alloc(VALUES * cells, sizeof *f->values);
	if (!f->types || !f->values)
		code = err_memory(e, "the basic blocks");
	code = team_agree(trace_team(t), code, e);
	if (code)
		bbp_process_facts_release(f);
	return code;
}

static uint32_t block_at(const struct bbp_process_facts *f, uint32_t place)
{
	return f->blocks ? f->blocks[place] : place + 1;
}

/* For a rank's local processes. Every cell is that of one rank alone, so that sums over the ranks are the cells. */
static void put_block(struct bbp_process_facts *f, uint32_t place)
{
	const struct logical *l = f->analysis->logical;
	const struct trace *t = l->trace;
	size_t row = (size_t)(place - f->begin) * t->process_count;
	uint32_t block = block_at(f, place);

	for (uint32_t k = l->tick_first[block - 1]; k < l->tick_first[block]; k++) {
		uint32_t event = l->order_of[k];
		size_t cell = row + trace_process_of(t, event);

		f->types[2 * cell] = t->type[event];
		f->values[VALUES * cell + ENTRY_SIZE] = trace_size(t, event);
		memcpy(&f->values[VALUES * cell + COMPUTE_BITS], &t->compute[event], sizeof *t->compute);
	}
	for (uint32_t k = l->tick_first[block]; k < l->tick_first[block + 1]; k++) {
		uint32_t event = l->order_of[k];
		size_t cell = row + trace_process_of(t, event);

		f->types[2 * cell + 1] = t->type[event];
		f->values[VALUES * cell + EXIT_SIZE] = trace_size(t, event);
	}
}

enum err_code bbp_process_facts_gather(struct bbp_process_facts *f, uint32_t begin, uint32_t end, struct err *e)
{
	const struct trace *t = f->analysis->logical->trace;
	size_t cells = (size_t)(end - begin) * t->process_count;
	enum err_code code;

	f->begin = begin;
	f->end = end;
	if (cells) {
		memset(f->types, 0, 2 * cells * sizeof *f->types);
		memset(f->values, 0, VALUES * cells * sizeof *f->values);
	}
	for (uint32_t place = begin; place < end; place++)
		put_block(f, place);
	code = team_reduce_u32(trace_team(t), f->types, 2 * cells, TEAM_SUM, e);
	return code ? code : team_reduce(trace_team(t), f->values, VALUES * cells, TEAM_SUM, e);
}

static uint32_t facts_place_of(const struct bbp_process_facts *f, uint32_t block)
{
	return f->blocks ? SEARCH_LAST(i, f->begin, f->end, f->blocks[i] <= block) : block - 1;
}

void bbp_process_facts_cell(const struct bbp_process_facts *f, uint32_t block, uint32_t process, struct bbp_cell *c)
{
	size_t cell = (size_t)(facts_place_of(f, block) - f->begin) * f->analysis->logical->trace->process_count + process;
	const uint64_t *values = f->values + VALUES * cell;

	*c = (struct bbp_cell){.entry_type = f->types[2 * cell], .exit_type = f->types[2 * cell + 1],
			       .entry_size = values[ENTRY_SIZE], .exit_size = values[EXIT_SIZE]};
	memcpy(&c->compute, &values[COMPUTE_BITS], sizeof c->compute);
}

void bbp_process_facts_release(struct bbp_process_facts *f)
{
	mem_free(f->types);
	mem_free(f->values);
	*f = (struct bbp_process_facts){0};
}
