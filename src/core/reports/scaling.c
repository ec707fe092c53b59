#include "reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/unit.h"

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

/* Of runs [from, to) the one that stands at `place` by time; of equals the first. Few runs. */
static uint32_t nth_of(const struct scaling_run *runs, uint32_t from, uint32_t to, uint32_t place)
{
	for (uint32_t i = from; i < to; i++) {
		uint32_t shorter = 0, equal = 0;

		for (uint32_t k = from; k < to; k++) {
			shorter += runs[k].runtime > 0 && runs[k].runtime < runs[i].runtime;
			equal += runs[k].runtime > 0 && !(runs[k].runtime < runs[i].runtime) && !(runs[k].runtime > runs[i].runtime);
		}
		if (runs[i].runtime > 0 && shorter <= place && place < shorter + equal)
			return i;
	}
	return NO_RUN;
}

/* What runs on as many processes have in common, for each of them. A run without a time is none. Returns the one that
 * stands in the middle, of two the shorter; NO_RUN: none has a time. */
static uint32_t compare_equals(struct scaling_run *runs, uint32_t from, uint32_t to)
{
	uint32_t timed = 0, middle;
	double median = (double)NAN;

	for (uint32_t i = from; i < to; i++)
		timed += runs[i].runtime > 0;
	middle = timed ? nth_of(runs, from, to, (timed - 1) / 2) : NO_RUN;
	if (timed)
		median = (runs[middle].runtime + runs[nth_of(runs, from, to, timed / 2)].runtime) / 2;
	for (uint32_t i = from; i < to; i++) {
		runs[i].equals = timed;
		runs[i].median = median;
		runs[i].least = timed ? runs[nth_of(runs, from, to, 0)].runtime : (double)NAN;
		runs[i].most = timed ? runs[nth_of(runs, from, to, timed - 1)].runtime : (double)NAN;
	}
	return middle;
}

static uint32_t reference_of(struct scaling_run *runs, uint32_t count)
{
	uint32_t reference = NO_RUN, timed = 0;

	for (uint32_t from = 0, to; from < count; from = to) {
		uint32_t median;

		for (to = from + 1; to < count && runs[to].processes == runs[from].processes; to++)
			;
		median = compare_equals(runs, from, to);
		timed += runs[from].equals;
		reference = reference == NO_RUN ? median : reference;
	}
	return reference != NO_RUN && (timed > 1 || runs[reference].processes == 1) ? reference : NO_RUN;
}

const char *scaling_equals_text(const struct scaling_run *run, char text[SCALING_TEXT])
{
	char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT];

	text[0] = 0;
	if (run->equals > 1)
		snprintf(text, SCALING_TEXT, "%" PRIu32 " runs on %" PRIu32 " process%s: median %s, %s to %s", run->equals, run->processes,
			 run->processes == 1 ? "" : "es", unit_figure_time(a, run->median), unit_figure_time(b, run->least),
			 unit_figure_time(c, run->most));
	return text;
}

/* T_r seconds on n_r processes is what all are compared with. */
static void scaling_run_compare(struct scaling_run *run, enum scaling_kind kind, double n_r, double t_r)
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
			scaling_run_compare(run, kind, 1, serial);
		else if (run->runtime > 0 && r != NO_RUN)
			scaling_run_compare(run, kind, runs[r].processes, runs[r].runtime);
		if (r == NO_RUN || !(run->useful > 0))
			continue;
		run->computation_scaling = runs[r].useful / run->useful;
		if (kind == SCALING_WEAK)
			run->computation_scaling *= (double)run->processes / runs[r].processes;
		run->global_efficiency = run->parallel_efficiency * run->computation_scaling;
	}
	return r;
}
