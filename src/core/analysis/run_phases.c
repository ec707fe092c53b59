#include "run_phases.h"

#include <math.h>

void run_phases_sum(struct run_phases *r)
{
	double inside = 0;

	for (uint32_t i = 0; i < r->count; i++) {
		double total = r->list[i].weight * r->list[i].time;

		inside += total;
		r->list[i].share = r->aet > 0 ? total / r->aet : (double)NAN;
	}
	r->outside = r->aet - inside;
}

void run_phases_free(struct run_phases *r)
{
	if (!r)
		return;
	canonical_release(&r->types);
	arena_release(&r->arena);
	mem_free(r);
}

const struct run_phase *run_phases_find(const struct run_phases *r, uint32_t id)
{
	uint32_t low = 0, high = r->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (r->list[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < r->count && r->list[low].id == id ? &r->list[low] : NULL;
}
