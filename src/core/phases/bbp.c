#include "bbp.h"

#include <math.h>
#include <stdlib.h>

#include "bbp_index.h"

int size_similar(uint32_t a, uint32_t b, double volume)
{
	if (a == b)
		return 1;
	if (a == SIZE_UNKNOWN || b == SIZE_UNKNOWN)
		return 0;
	return a > b ? (double)(a - b) <= volume * a : (double)(b - a) <= volume * b;
}

int compute_similar(double a, double b, double compute)
{
	return fabs(a - b) <= compute * (a > b ? a : b);
}

static void tick_compute(const struct logical *l, uint32_t tick, double *largest, double *sum)
{
	struct tick_walk w = tick_walk(l, tick, false);
	uint32_t ev;

	*largest = *sum = 0;
	while ((ev = tick_next(&w)) != NO_EVENT) {
		double c = l->trace->compute[ev];

		*sum += c;
		if (c > *largest)
			*largest = c;
	}
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Of each class of ticks by size one example has all sizes. False: no memory. */
static bool list_sizes(struct bbp_space *b)
{
	const struct logical *l = b->l;
	uint32_t last = 0, kept = 0;
	size_t n = 0, cap = 0;

	for (uint32_t k = 0; k < b->sizes.count; k++) {
		struct tick_walk w = tick_walk(l, b->sizes.example[k], false);

		for (uint32_t ev; (ev = tick_next(&w)) != NO_EVENT; last = l->trace->size[ev]) {
			uint32_t *values;

			if (n && l->trace->size[ev] == last)
				continue;
			values = mem_grow(b->size_values, n, &cap, sizeof *values);
			if (!values)
				return false;
			b->size_values = values;
			values[n++] = l->trace->size[ev];
		}
	}
	if (n)
		qsort(b->size_values, n, sizeof *b->size_values, by_size);
	for (size_t i = 0; i < n; i++)
		if (!kept || b->size_values[kept - 1] != b->size_values[i])
			b->size_values[kept++] = b->size_values[i];
	b->size_count = kept;
	return true;
}

enum err_code bbp_space_new(struct bbp_space **out, const struct logical *l, const struct job *job, struct err *e)
{
	struct bbp_space *b = mem_zero(1, sizeof *b);
	enum err_code code;

	*out = NULL;
	if (!b)
		return err_memory(e, "the basic blocks");
	b->l = l;
	code = tick_classes_init(&b->types, l, NULL, l->tick_count, CLASSES_TYPES, job, JOB_BBPS, e);
	if (!code)
		code = tick_classes_init(&b->sizes, l, NULL, l->tick_count, CLASSES_SIZES, job, JOB_BBPS, e);
	if (!code) {
		b->largest = mem_alloc(l->tick_count, sizeof *b->largest);
		b->sum = mem_alloc(l->tick_count, sizeof *b->sum);
		if (!b->largest || !b->sum || !list_sizes(b))
			code = err_memory(e, "the basic blocks");
	}
	if (code) {
		bbp_space_free(b);
		return code;
	}
	for (uint32_t k = 0; k < l->tick_count; k++)
		tick_compute(l, k, &b->largest[k], &b->sum[k]);
	*out = b;
	return ERR_OK;
}

void bbp_space_free(struct bbp_space *b)
{
	if (!b)
		return;
	tick_classes_release(&b->types);
	tick_classes_release(&b->sizes);
	mem_free(b->largest);
	mem_free(b->sum);
	mem_free(b->size_values);
	mem_free(b);
}

static enum err_code label_all(struct bbps *r, struct bbp_index *index, const struct job *job, struct err *e)
{
	for (uint32_t i = 1; i <= r->count; i++) {
		uint32_t lead = bbp_index_find(index, i);

		if (!lead) {
			lead = i;
			r->label_count++;
			if (!bbp_index_add(index, i))
				return err_memory(e, "the leaders of basic blocks");
		}
		r->label[i] = lead;
		r->weight[lead]++;
		if ((i & 1023) == 0) {
			job_progress(job, JOB_BBPS, i, r->count);
			if (job_stopped(job))
				return err_set(e, ERR_CANCELLED, "stopped while labelling basic blocks");
		}
	}
	return ERR_OK;
}

enum err_code bbps_new(struct bbps **out, const struct bbp_space *space, const struct settings *settings,
		       const struct job *job, struct err *e)
{
	struct bbps *r = mem_zero(1, sizeof *r);
	struct bbp_index *index;
	enum err_code code;

	*out = NULL;
	if (!r)
		return err_memory(e, "the labels of basic blocks");
	r->count = space->l->tick_count ? space->l->tick_count - 1 : 0;
	r->label = mem_zero((size_t)r->count + 1, sizeof *r->label);
	r->weight = mem_zero((size_t)r->count + 1, sizeof *r->weight);
	index = bbp_index_new(space, settings);
	if (!r->label || !r->weight || !index)
		code = err_memory(e, "the labels of basic blocks");
	else
		code = label_all(r, index, job, e);
	bbp_index_free(index);
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
		c->entry_size = l->trace->size[entry];
		c->compute = l->trace->compute[entry];
	}
	if (exit != NO_EVENT) {
		c->exit_type = l->trace->type[exit];
		c->exit_size = l->trace->size[exit];
	}
}

double bbp_compute(const struct logical *l, uint32_t i, enum compute_of of)
{
	double largest, sum;

	tick_compute(l, i - 1, &largest, &sum);
	return of == COMPUTE_SUM ? sum : largest;
}
