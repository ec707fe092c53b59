#include "correct_int.h"

#include <math.h>

/* One window of a process's clock. It begins, by that clock, where the one before it ends; if the clock was set back
 * there, in the middle of the times that it showed twice. */
struct linear_window {
	double from;           /* by its stamps */
	double start, offset, rate; /* what is to be added: offset + rate * (stamp - start) */
	double most;           /* reference time at its end */
};

static uint32_t make_windows(struct linear_window *w, const struct clock_bounds *b, uint32_t process)
{
	const double *offset = b->offset + (size_t)process * b->borders;

	for (uint32_t k = 0; k < b->windows; k++) {
		double start = b->at[2 * k] - offset[2 * k], end = b->at[2 * k + 1] - offset[2 * k + 1];
		double before = k ? b->at[2 * k - 1] - offset[2 * k - 1] : -INFINITY;

		w[k] = (struct linear_window){k && before > start ? before / 2 + start / 2 : start, start, offset[2 * k],
				       end > start ? (offset[2 * k + 1] - offset[2 * k]) / (end - start) : 0,
				       k + 1 < b->windows ? b->at[2 * k + 1] : INFINITY};
	}
	w[0].from = -INFINITY;
	return b->windows;
}

static double by_window(const struct linear_window *w, double stamp)
{
	double time = stamp + (w->offset + w->rate * (stamp - w->start));

	return time > w->most ? w->most : time; /* the clock was set forward before the next window */
}

static void one_process(double *linear, const struct clock_records *records, const struct clock_times *times, const struct clock_bounds *b,
			uint32_t process)
{
	struct linear_window windows[CLOCK_WINDOWS];
	uint32_t count = make_windows(windows, b, process), k = 0;
	uint32_t step = times->first_step ? times->first_step[process] : 0, steps = times->first_step ? times->first_step[process + 1] : 0;
	double later = 0, last_stamp = INFINITY, last = 0;

	for (size_t i = records->first[process]; i < records->first[process + 1]; i++) {
		double stamp, time;

		while (step < steps && times->steps[step].record <= i - records->first[process])
			later = times->steps[step++].later;
		stamp = clock_records_time(records, process, i - records->first[process]) + later;
		while (k + 1 < count && stamp >= windows[k + 1].from)
			k++;
		while (k && stamp < windows[k].from)
			k--;
		time = by_window(&windows[k], stamp);
		if (stamp >= last_stamp && time < last)
			time = last; /* rounding */
		linear[i] = last = time;
		last_stamp = stamp;
	}
}

void clock_linear(double *linear, const struct clock_records *records, const struct clock_times *times, const struct clock_bounds *b)
{
	for (uint32_t p = 0; p < b->process_count; p++)
		one_process(linear, records, times, b, p);
}
