#include "bbp.h"

#include <math.h>
#include <stdlib.h>

#include "phases_int.h"
#include "core/base/order.h"
#include "core/trace/remote.h"

#define PER_STEP 65536 /* labels that are told at once */

int size_similar(uint64_t a, uint64_t b, double volume)
{
	if (a == b || a == SIZE_UNKNOWN || b == SIZE_UNKNOWN)
		return 1;
	return a > b ? (double)(a - b) <= volume * (double)a : (double)(b - a) <= volume * (double)b;
}

double compute_exact(double seconds)
{
	return rint(seconds * 1e11);
}

int compute_similar(double a, double b, double compute)
{
	if (isnan(a) || isnan(b))
		return 1;
	return compute > 0 ? fabs(a - b) <= compute * (a > b ? a : b) : compute_exact(a) == compute_exact(b);
}

/* Of each class of ticks by size one example has all sizes. False: no memory. */
static bool list_sizes(struct bbp_space *b)
{
	uint32_t kept = 0;
	uint64_t last = 0;
	size_t n = 0, cap = 0;

	for (uint32_t k = 0; k < b->sizes.count; k++) {
		struct cell_walk w = bbp_cells(b, k);

		for (struct tick_cell c; cell_next(&w, &c); last = c.size) {
			uint64_t *values;

			if (n && c.size == last)
				continue;
			values = mem_grow(b->size_values, n, &cap, sizeof *values);
			if (!values)
				return false;
			b->size_values = values;
			values[n++] = c.size;
		}
	}
	SORT(b->size_values, n, order_u64);
	for (size_t i = 0; i < n; i++)
		if (!kept || b->size_values[kept - 1] != b->size_values[i])
			b->size_values[kept++] = b->size_values[i];
	b->size_count = kept;
	return true;
}

static enum err_code find_largest(struct bbp_space *b, struct err *e)
{
	const struct team *team = trace_team(b->l->trace);

	b->largest = mem_alloc(b->l->tick_count, sizeof *b->largest);
	if (!b->largest)
		return team_agree(team, err_memory(e, "the basic blocks"), e);
	return bbp_reduce_largest(b->largest, b->l, 0, b->l->tick_count, e);
}

static enum err_code find_sizes(struct bbp_space *b, const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(b->l->trace);
	enum err_code code = tick_cells_gather(&b->gathered, b->l, b->sizes.example, b->sizes.count, false, progress, e);

	if (code)
		return code;
	if (!team_rank(team) && !list_sizes(b))
		code = err_memory(e, "the basic blocks");
	return team_agree(team, code, e);
}

enum err_code bbp_space_new(struct bbp_space **out, const struct logical *l, const struct progress *progress, struct err *e)
{
	struct bbp_space *b = mem_zero(1, sizeof *b);
	enum err_code code = team_agree(trace_team(l->trace), b ? ERR_OK : err_memory(e, "the basic blocks"), e);

	*out = NULL;
	if (!code) {
		b->l = l;
		code = tick_classes_init(&b->types, l, NULL, l->tick_count, CLASSES_TYPES, progress, PROGRESS_BBPS, e);
	}
	if (!code)
		code = tick_classes_init(&b->sizes, l, NULL, l->tick_count, CLASSES_SIZES, progress, PROGRESS_BBPS, e);
	if (!code)
		code = find_sizes(b, progress, e);
	if (!code)
		code = find_largest(b, e);
	if (code) {
		bbp_space_free(b);
		return code;
	}
	*out = b;
	return ERR_OK;
}

void bbp_space_free(struct bbp_space *b)
{
	if (!b)
		return;
	tick_classes_release(&b->types);
	tick_classes_release(&b->sizes);
	tick_cells_release(&b->gathered);
	mem_free(b->largest);
	mem_free(b->size_values);
	mem_free(b);
}

static enum err_code label_all(struct bbps *r, const struct bbp_space *space, const struct settings *settings, const struct bbp_times *times,
			       const struct progress *progress, struct err *e)
{
	struct bbp_index *index = bbp_index_new(space, settings, times);
	enum err_code code = index ? ERR_OK : err_memory(e, "the labels of basic blocks");

	for (uint32_t i = 1; !code && i <= r->count; i++) {
		uint32_t lead = bbp_index_find(index, i);

		if (!lead) {
			lead = i;
			r->label_count++;
			if (!bbp_index_add(index, i))
				code = err_memory(e, "the leaders of basic blocks");
		}
		r->label[i] = lead;
		r->weight[lead]++;
		if ((i & 1023) == 0)
			code = progress_step(progress, PROGRESS_BBPS, i, r->count, e);
	}
	bbp_index_free(index);
	return code;
}

/* Rank 0 labels. */
static enum err_code label(struct bbps *r, const struct bbp_space *space, const struct settings *settings, const struct progress *progress,
			   struct err *e)
{
	const struct team *team = trace_team(space->l->trace);
	struct bbp_times times;
	enum err_code code = bbp_times_init(&times, space, settings, progress, e);

	if (!code)
		code = team_agree(team, team_rank(team) ? ERR_OK : label_all(r, space, settings, &times, progress, e), e);
	bbp_times_release(&times);
	return code;
}

/* Rank 0's labels are there on all; all count them. */
static enum err_code labels_share(struct bbps *r, const struct team *team, struct err *e)
{
	enum err_code code = ERR_OK;
	uint64_t n = (uint64_t)r->count + 1;

	if (team_size(team) == 1)
		return ERR_OK;
	for (uint64_t at = 0, some; !code && at < n; at += some) {
		some = n - at < PER_STEP ? n - at : PER_STEP;
		code = team_broadcast(team, r->label + at, some * sizeof *r->label, e);
	}
	for (uint32_t i = 1; !code && team_rank(team) && i <= r->count; i++) {
		r->weight[r->label[i]]++;
		r->label_count += r->label[i] == i;
	}
	return code;
}

enum err_code bbps_new(struct bbps **out, const struct bbp_space *space, const struct settings *settings,
		       const struct progress *progress, struct err *e)
{
	const struct team *team = trace_team(space->l->trace);
	struct bbps *r = mem_zero(1, sizeof *r);
	enum err_code code = ERR_OK;

	*out = NULL;
	if (r) {
		r->count = space->l->tick_count ? space->l->tick_count - 1 : 0;
		r->label = mem_zero((size_t)r->count + 1, sizeof *r->label);
		r->weight = mem_zero((size_t)r->count + 1, sizeof *r->weight);
	}
	if (!r || !r->label || !r->weight)
		code = err_memory(e, "the labels of basic blocks");
	code = team_agree(team, code, e);
	if (!code)
		code = label(r, space, settings, progress, e);
	if (!code)
		code = labels_share(r, team, e);
	if (code) {
		bbps_free(r);
		return code;
	}
	*out = r;
	return ERR_OK;
}

void bbps_free(struct bbps *b)
{
	if (!b)
		return;
	mem_free(b->label);
	mem_free(b->weight);
	mem_free(b);
}

void bbp_cell(const struct logical *l, uint32_t i, uint32_t process, struct bbp_cell *c)
{
	uint32_t entry = logical_event_at(l, i - 1, process), exit = logical_event_at(l, i, process);

	*c = (struct bbp_cell){0};
	if (entry != NO_EVENT) {
		c->entry_type = l->trace->type[entry];
		c->entry_size = trace_size(l->trace, entry);
		c->compute = l->trace->compute[entry];
	}
	if (exit != NO_EVENT) {
		c->exit_type = l->trace->type[exit];
		c->exit_size = trace_size(l->trace, exit);
	}
}

double bbp_compute(const struct logical *l, uint32_t i, enum compute_of of)
{
	return of == COMPUTE_SUM ? bbp_sum(l, i - 1) : bbp_largest(l, i - 1);
}

/* A tick's events are in the order of their processes. */
uint32_t bbp_active(const struct logical *l, uint32_t i)
{
	uint32_t a = l->tick_first[i - 1], a_end = l->tick_first[i], b = a_end, b_end = l->tick_first[i + 1], n = 0;

	while (a < a_end || b < b_end) {
		uint32_t p = a < a_end ? trace_process_of(l->trace, l->order_of[a]) : NO_PROCESS;
		uint32_t q = b < b_end ? trace_process_of(l->trace, l->order_of[b]) : NO_PROCESS;

		a += p <= q;
		b += q <= p;
		n++;
	}
	return n;
}
