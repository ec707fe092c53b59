/* Times: when an iteration or an occurrence begins (moments), and the two times of a corrected event (event_times). */
#include "describe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unit.h"
#include "core/trace/times.h"
#include "tui/widgets/units.h"

struct moment moment_of_tick(const struct logical *l, uint32_t tick)
{
	struct moment at = {INFINITY, 0};

	for (uint32_t i = l->tick_first[tick]; i < l->tick_first[tick + 1]; i++) {
		uint32_t event = l->order_of[i];

		if (l->trace->time[event] - l->trace->start < at.seconds)
			at = (struct moment){l->trace->time[event] - l->trace->start, trace_process_of(l->trace, event)};
	}
	return at;
}

const char *moment_text(struct moment at, char text[MOMENT_TEXT])
{
	char moment[UNIT_TEXT], rank[UNIT_TEXT];

	snprintf(text, MOMENT_TEXT, "%s (%s)", unit_moment(moment, at.seconds), unit_rank(rank, at.process));
	return text;
}

/* The first event of a process at a time or later. */
static uint32_t event_from(const struct trace *t, uint32_t process, double seconds)
{
	uint32_t lo = t->first[process], hi = t->first[process + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->time[mid] - t->start < seconds)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

bool moment_find(const struct model *m, double seconds, double within, struct trace_place *to)
{
	const struct logical *l = model_logical(m);
	const struct phases *p = m->analysis->phases;
	const struct trace *t = l->trace;
	bool found = false;

	within += fabs(seconds) * 1e-12; /* what was printed was rounded */
	for (uint32_t q = 0; p && q < t->process_count; q++)
		for (uint32_t e = event_from(t, q, seconds - within); e < t->first[q + 1] && t->time[e] - t->start <= seconds + within; e++) {
			uint32_t tick = l->tick[e], o = phases_occurrence_at(p, tick);
			double off = fabs(t->time[e] - t->start - seconds);

			if (o == UINT32_MAX || p->occurrences[o].first != tick || moment_of_tick(l, tick).process != q || (found && off >= within))
				continue;
			*to = (struct trace_place){.process = q, .tick = tick};
			within = off;
			found = true;
		}
	return found;
}

bool times_are_corrected(const struct model *m)
{
	return m->trace && m->trace->times && m->trace->times->figures.steps;
}

/* The same event in the trace as loaded, which has collectives, too. */
static uint32_t loaded_event(const struct model *m, uint32_t event)
{
	const struct trace *l = model_logical(m)->trace, *t = m->trace;
	uint32_t p = trace_process_of(l, event), left = event - l->first[p];

	if (l == t)
		return event;
	for (uint32_t e = t->first[p]; e < t->first[p + 1]; e++)
		if (EVENT_KIND(t->type[e]) != EVENT_COLLECTIVE && left-- == 0)
			return e;
	return NO_EVENT;
}

/* A figure that a clock has at both ends of each window, at a time between: bounds of a line lie on or within the line
 * through its bounds. */
static double at_time(const struct clock_report *r, double (*of)(const struct clock_report *, uint32_t, uint32_t), uint32_t process, double time)
{
	const struct clock_bounds *b = r->bounds;
	uint32_t k = 0;
	double part;

	while (k + 2 < b->borders && time > b->at[k + 1])
		k += 2;
	part = (time - b->at[k]) / (b->at[k + 1] - b->at[k]);
	part = part > 0 ? fmin(part, 1) : 0;
	return of(r, process, k) + part * (of(r, process, k + 1) - of(r, process, k));
}

static void bound_text(const struct model *m, uint32_t process, double time, char *text, size_t size)
{
	const struct clock_report *r = run_clocks_report(m);
	char o[UNIT_TEXT], l[UNIT_TEXT], h[UNIT_TEXT];
	double low, high;

	if (!r) {
		snprintf(text, size, "%s", m->clocks.failure[0] ? "clock bounds unknown" : "comparing clocks");
	} else if (r->bounds->component[process] == process) {
		snprintf(text, size, "reference clock");
	} else {
		low = at_time(r, clock_report_low, process, time);
		high = at_time(r, clock_report_high, process, time);
		snprintf(text, size, "clock offset %s [%s, %s]", unit_time(o, at_time(r, clock_report_offset, process, time)),
			 isnan(low) ? "-" : unit_time(l, low), isnan(high) ? "-" : unit_time(h, high));
	}
}

void event_times_text(struct model *m, uint32_t event, char *text, size_t size)
{
	char now[UNIT_TEXT], was[UNIT_TEXT], moved[UNIT_TEXT], number[UNIT_TEXT], bound[4 * UNIT_TEXT];
	const struct trace *t = m->trace, *l;
	uint32_t e, p;

	text[0] = 0;
	if (!times_are_corrected(m) || !model_logical(m) || event == NO_EVENT)
		return;
	e = loaded_event(m, event);
	if (e == NO_EVENT)
		return;
	l = model_logical(m)->trace;
	p = trace_process_of(t, e);
	run_clocks_update(m);
	bound_text(m, p, t->time[e], bound, sizeof bound);
	snprintf(text, size, "%s #%s · %s, was %s · %s · moved %s", unit_rank((char[UNIT_TEXT]){""}, p), unit_count(number, trace_number_of(l, p, event)),
		 unit_moment(now, t->time[e] - t->start), unit_moment(was, m->recorded->time[e] - t->start),
		 bound, unit_time(moved, t->time[e] - m->recorded->time[e]));
}

void event_times_tell(struct model *m, uint32_t event, uint32_t other)
{
	char text[256];

	event_times_text(m, event, m->message, sizeof m->message);
	event_times_text(m, other, text, sizeof text);
	if (text[0])
		snprintf(m->message + strlen(m->message), sizeof m->message - strlen(m->message), " · %s", text);
}
