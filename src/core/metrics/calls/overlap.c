#include "calls_int.h"

#include "core/base/mem.h"

#define OVERLAP_POST (-1)
#define OVERLAP_START_ALL (-2)

static bool overlap_keep_step(struct overlap *o, uint32_t call, int32_t completes)
{
	struct overlap_step *steps = mem_grow(o->steps, o->count, &o->cap, sizeof *steps);

	if (!steps)
		return false;
	o->steps = steps;
	steps[o->count++] = (struct overlap_step){call, completes};
	return true;
}

/* Does the call begin something whose completion is not recorded? */
static bool ends_unseen(unsigned traits, struct call_made made)
{
	if (traits & (MPI_STARTS | MPI_STARTS_ALL))
		return made.sends || made.collectives > made.numbered_collectives;
	return traits & MPI_UNSEEN_END && !(traits & MPI_NONBLOCKING_COLLECTIVE && made.numbered);
}

/* And may it wait for others where that is? */
static bool end_may_wait(unsigned traits, struct call_made made)
{
	return traits & (MPI_NONBLOCKING_COLLECTIVE | MPI_ENDS_NOT_ANALYSED) || made.collectives;
}

static bool take_unseen(struct overlap *o, uint32_t call, unsigned traits, struct call_made made)
{
	bool known = made.receives || made.completed;
	uint32_t *calls;

	if (ends_unseen(traits, made)) {
		o->unseen++;
		o->unseen_waits = o->unseen_waits || end_may_wait(traits, made);
	}
	if (!(traits & MPI_COMPLETES) || traits & MPI_TESTS || !o->unseen)
		return true;
	if (known && !(o->unseen_waits && traits & MPI_COMPLETES_ALL))
		return true;
	if (o->unseen_waits) {
		calls = mem_grow(o->unseen_in, o->unseen_count, &o->unseen_cap, sizeof *calls);
		if (!calls)
			return false;
		o->unseen_in = calls;
		calls[o->unseen_count++] = call;
	}
	if (!known)
		o->unseen = traits & MPI_COMPLETES_ALL ? 0 : o->unseen - 1;
	o->unseen_waits = o->unseen_waits && o->unseen;
	return true;
}

bool overlap_take(struct overlap *o, uint32_t call, unsigned traits, struct call_made made)
{
	uint32_t receives = made.receives > made.numbered_receives ? made.receives - made.numbered_receives : 0;

	if (!take_unseen(o, call, traits, made))
		return false;
	if (ends_unseen(traits, made))
		o->known.nonblocking = true;
	if (made.numbered_posts)
		o->known.posts = true;
	if (made.numbered)
		return true;
	if (traits & MPI_STARTS_ALL) {
		o->known.posts = o->started_all = true;
		return overlap_keep_step(o, call, OVERLAP_START_ALL);
	}
	if ((traits & MPI_POSTS_RECEIVE) || ((traits & MPI_STARTS) && !made.sends)) {
		o->known.posts = true;
		o->open++;
		return overlap_keep_step(o, call, OVERLAP_POST);
	}
	if ((traits & MPI_COMPLETES) && receives && overlap_possible(o)) {
		uint32_t counted = o->started_all || receives < o->open ? receives : (uint32_t)o->open;

		o->open -= counted < o->open ? counted : o->open;
		return overlap_keep_step(o, call, counted < INT32_MAX ? (int32_t)counted : INT32_MAX);
	}
	return true;
}

bool overlap_pending(struct overlap *o, uint32_t from, uint32_t to)
{
	struct overlap_stretch *stretches;

	while (o->stretch_count && o->stretches[o->stretch_count - 1].to >= from) {
		if (o->stretches[o->stretch_count - 1].from < from)
			from = o->stretches[o->stretch_count - 1].from;
		o->stretch_count--;
	}
	stretches = mem_grow(o->stretches, o->stretch_count, &o->stretch_cap, sizeof *stretches);
	if (!stretches)
		return false;
	o->stretches = stretches;
	stretches[o->stretch_count++] = (struct overlap_stretch){from, to};
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
	for (uint32_t i = 0; i < o->stretch_count; i++)
		for (uint32_t c = o->stretches[i].from + 1; c <= o->stretches[i].to && c < calls; c++)
			flags[c] |= CALL_HIDDEN_BEFORE;
	for (uint32_t i = 0; i < o->unseen_count; i++)
		flags[o->unseen_in[i]] |= CALL_NOT_ANALYSED;
}

void overlap_release(struct overlap *o)
{
	mem_free(o->steps);
	mem_free(o->stretches);
	mem_free(o->unseen_in);
	o->unseen_in = NULL;
	o->steps = NULL;
	o->stretches = NULL;
}
