#include "scaling.h"

#include <math.h>

void scaling_order(const uint32_t *processes, uint32_t count, uint32_t *order)
{
	/* Few runs, mostly in order already: the number of each goes behind those that are not larger. */
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = i;

		for (; at > 0 && processes[order[at - 1]] > processes[i]; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

/* Fewest processes, then shortest, then first. A run without a time is none. */
static uint32_t reference_of(const struct scaling_run *runs, uint32_t count)
{
	uint32_t best = NO_RUN, timed = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (!(runs[i].runtime > 0))
			continue;
		timed++;
		if (best == NO_RUN || runs[i].processes < runs[best].processes ||
		    (runs[i].processes == runs[best].processes && runs[i].runtime < runs[best].runtime))
			best = i;
	}
	return best != NO_RUN && (timed > 1 || runs[best].processes == 1) ? best : NO_RUN;
}

/* T_r seconds on n_r processes is what all are compared with. */
static void compare(struct scaling_run *run, enum scaling_kind kind, double n_r, double t_r)
{
	double k = run->processes / n_r, s = t_r / run->runtime;

	if (kind == SCALING_WEAK)
		s *= k;
	run->speedup = s;
	run->efficiency = s / k;
	if (k > 1)
		run->serial_fraction = kind == SCALING_WEAK ? (k - s) / (k - 1) : (1 / s - 1 / k) / (1 - 1 / k);
}

uint32_t scaling_fill(struct scaling_run *runs, uint32_t count, enum scaling_kind kind, double serial)
{
	uint32_t r = reference_of(runs, count);

	for (uint32_t i = 0; i < count; i++) {
		struct scaling_run *run = &runs[i];

		run->speedup = run->efficiency = run->serial_fraction = NAN;
		run->computation_scaling = run->global_efficiency = NAN;
		if (run->runtime > 0 && serial > 0)
			compare(run, kind, 1, serial);
		else if (run->runtime > 0 && r != NO_RUN)
			compare(run, kind, runs[r].processes, runs[r].runtime);
		if (r == NO_RUN || !(run->useful > 0))
			continue;
		run->computation_scaling = runs[r].useful / run->useful;
		if (kind == SCALING_WEAK)
			run->computation_scaling *= (double)run->processes / runs[r].processes;
		run->global_efficiency = run->parallel_efficiency * run->computation_scaling;
	}
	return r;
}
