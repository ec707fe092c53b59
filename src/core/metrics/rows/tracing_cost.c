#include "tracing_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/unit.h"

#define LEAST_SHARE 1e-4 /* of less nobody wants to know how little it is */

static struct tracing_cost cost_of(const struct trace *t, uint64_t records, double written, double whole)
{
	const double each[2] = {t->record_cost_low, t->record_cost_high};
	struct tracing_cost c = {.known = t->record_cost_low > 0 && whole > 0, .records = records, .written = written};

	for (int end = 0; end < 2; end++) {
		/* Where records come densely, caches are warmer than the high end has it: no more was spent than there was. */
		c.time[end] = c.known ? fmin((double)records * each[end] + written, whole) : (double)NAN;
		c.share[end] = c.known ? c.time[end] / whole : (double)NAN;
	}
	return c;
}

struct tracing_cost tracing_cost_run(const struct trace *t)
{
	uint64_t records = 0;
	double written = 0;

	for (uint32_t p = 0; p < t->process_count; p++) {
		records += t->processes[p].records;
		written += t->processes[p].by_kind[TIME_TRACER];
	}
	return cost_of(t, records, written, trace_total_time(t));
}

struct tracing_cost tracing_cost_process(const struct trace *t, uint32_t process)
{
	const struct process *p = &t->processes[process];

	return cost_of(t, p->records, p->by_kind[TIME_TRACER], trace_has_time(t) ? trace_aet(t) : (double)NAN);
}

/* Two digits where more would be behind the point, for it is an estimate. */
static const char *rounded(char text[UNIT_TEXT], double x)
{
	snprintf(text, UNIT_TEXT, x < 10 ? "%.2g" : "%.0f", x);
	return text;
}

#define RANGE_TEXT (2 * UNIT_TEXT + 8)

/* One figure where both ends look alike. */
static const char *range(char text[RANGE_TEXT], const char *low, const char *high)
{
	snprintf(text, RANGE_TEXT, "%s%s%s", low, strcmp(low, high) ? " to " : "", strcmp(low, high) ? high : "");
	return text;
}

char *tracing_cost_text(const struct trace *t, const struct tracing_cost *c, char *text)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], part[RANGE_TEXT];
	size_t n;

	*text = 0;
	if (!c->known)
		return text;
	if (c->share[1] < LEAST_SHARE)
		snprintf(text, TRACING_TEXT, "less than 0.01 %% of the total time, ");
	else
		snprintf(text, TRACING_TEXT, "about %s %% of the total time, ", range(part, rounded(a, 100 * c->share[0]), rounded(b, 100 * c->share[1])));
	n = strlen(text);
	snprintf(text + n, TRACING_TEXT - n, "%s: ", range(part, unit_figure_time(a, c->time[0]), unit_figure_time(b, c->time[1])));
	n = strlen(text);
	range(part, rounded(a, t->record_cost_low * 1e9), rounded(b, t->record_cost_high * 1e9));
	snprintf(text + n, TRACING_TEXT - n, "%s record%s at %s ns each", unit_count(a, c->records), c->records == 1 ? "" : "s", part);
	n = strlen(text);
	if (c->written > 0)
		snprintf(text + n, TRACING_TEXT - n, ", and %s of buffer writes and clock measurements", unit_figure_time(a, c->written));
	return text;
}
