#include "call_overlap.h"

#include "core/base/mem.h"

#define OVERLAP_POST (-1)
#define OVERLAP_START_ALL (-2)

static bool keep(struct overlap *o, uint32_t call, int32_t completes)
{
	struct overlap_step *steps = mem_grow(o->steps, o->count, &o->cap, sizeof *steps);

	if (!steps)
		return false;
	o->steps = steps;
	steps[o->count++] = (struct overlap_step){call, completes};
	return true;
}

bool overlap_take(struct overlap *o, uint32_t call, unsigned traits, struct call_made made)
{
	bool starts = traits & (MPI_STARTS | MPI_STARTS_ALL);

	if ((traits & MPI_UNSEEN_END) || (starts && (made.sends || made.collectives)))
		o->known.nonblocking = true;
	if (traits & MPI_STARTS_ALL) {
		o->known.posts = o->started_all = true;
		return keep(o, call, OVERLAP_START_ALL);
	}
	if ((traits & MPI_POSTS_RECEIVE) || ((traits & MPI_STARTS) && !made.sends)) {
		o->known.posts = true;
		o->open++;
		return keep(o, call, OVERLAP_POST);
	}
	if ((traits & MPI_COMPLETES) && made.receives && overlap_possible(o)) {
		uint32_t counted = o->started_all || made.receives < o->open ? made.receives : (uint32_t)o->open;

		o->open -= counted < o->open ? counted : o->open;
		return keep(o, call, counted < INT32_MAX ? (int32_t)counted : INT32_MAX);
	}
	return true;
}

void overlap_mark(const struct overlap *o, uint8_t *flags, uint32_t calls)
{
	uint32_t step = o->count;
	uint64_t need = 0;

	for (uint32_t c = calls; step && c-- > 0;) {
		if (o->steps[step - 1].call == c) {
			int32_t completes = o->steps[--step].completes;

			if (completes == OVERLAP_START_ALL)
				need = 0;
			else if (completes == OVERLAP_POST)
				need -= need > 0;
			else
				need += (uint32_t)completes;
		}
		if (need)
			flags[c] |= CALL_HIDDEN_BEFORE;
	}
}

void overlap_release(struct overlap *o)
{
	mem_free(o->steps);
	o->steps = NULL;
}
