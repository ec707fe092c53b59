#include "result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/base/unit.h"

const char *result_mechanism(const struct result *r)
{
	return strcmp(r->mechanism, "replay") ? r->mechanism : "rerun";
}

static void result_line(struct out *out, const char *name, double v, const char *more)
{
	char t[UNIT_TEXT];

	out_printf(out, "  %-16s %14s  %s\n", name, unit_measured(t, v, UNIT_MICROSECONDS), more);
}

static void print_head(const struct result *r, struct out *out)
{
	out_printf(out, "%s on %s, %u process%s, measured by %s", r->application, r->host.name, r->processes,
		   r->processes == 1 ? "" : "es", result_mechanism(r));
	if (r->mechanism_version[0])
		out_printf(out, " %s", r->mechanism_version);
	out_printf(out, ", %u run%s\n\n", r->runs, r->runs == 1 ? "" : "s");
}

static void print_phases(const struct result *r, struct out *out)
{
	out_printf(out, "%6s %10s %14s %12s %14s %14s %9s%s\n", "phase", "weight", "time", "+-", "traced", "weight x "
		   "time", "share", r->by_windows ? "   measured" : "");
	for (uint32_t i = 0; i < r->phase_count; i++) {
		const struct result_phase *p = &r->phases[i];
		char a[UNIT_TEXT], b[UNIT_TEXT], c[UNIT_TEXT], d[UNIT_TEXT], share[UNIT_TEXT];
		double spread = r->by_windows ? p->se : r->runs > 1 ? p->deviation : NAN;

		out_printf(out, "%6u %10u %14s %12s %14s %14s %9s", p->id, p->weight, unit_measured(a, p->time, UNIT_MICROSECONDS),
			   !isnan(spread) && p->time > 0 ? unit_share(b, spread / p->time, 2) : "-",
			   unit_measured(c, p->traced, UNIT_MICROSECONDS), unit_measured(d, p->time * p->weight, UNIT_MICROSECONDS),
			   unit_share(share, r->pet > 0 ? p->time * p->weight / r->pet : 0, 2));
		if (r->by_windows && p->extra)
			out_printf(out, "   %u, extra", p->samples);
		else if (r->by_windows)
			out_printf(out, "   %u in %u window%s", p->samples, p->in_windows, p->in_windows == 1 ? "" : "s");
		out_str(out, "\n");
	}
	out_str(out, "\n");
}

/* What was measured in one run. */
static void print_measured(const struct result *r, struct out *out)
{
	uint64_t samples = 0;
	char note[160];

	for (uint32_t i = 0; i < r->phase_count; i++)
		samples += r->phases[i].samples;
	snprintf(note, sizeof note, "measured time of one run: %" PRIu64 " occurrences of %" PRIu32 " phase%s", samples,
		 r->phase_count, r->phase_count == 1 ? "" : "s");
	if (r->by_windows)
		snprintf(note, sizeof note, "measured time of one run: %" PRIu32 " window%s", r->window_count,
			 r->window_count == 1 ? "" : "s");
	if (r->by_windows || samples > r->phase_count)
		result_line(out, "measured", r->measured, note);
	snprintf(note, sizeof note, "total duration, with pauses of %g s", r->pause);
	result_line(out, "elapsed", r->elapsed, r->pause > 0 ? note : "total duration of all runs");
}

static uint32_t regular_windows(const struct result *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->window_count; i++)
		n += !r->windows[i].extra;
	return n;
}

/* "115 s", "121 s": "115", "121 s". */
static void keep_one_unit(char *low, const char *high)
{
	char *low_unit = strrchr(low, ' ');
	const char *high_unit = strrchr(high, ' ');

	if (low_unit && high_unit && !strcmp(low_unit, high_unit))
		*low_unit = '\0';
}

/* In sentences: how sure it is, whether it came true, and what else must be known. */
static void print_interval(const struct result *r, struct out *out)
{
	uint32_t regular = regular_windows(r);
	char pet[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT], aet[UNIT_TEXT];

	unit_measured(pet, r->pet_scaled, UNIT_MICROSECONDS);
	unit_measured(low, r->low, UNIT_MICROSECONDS);
	unit_measured(high, r->high, UNIT_MICROSECONDS);
	keep_one_unit(low, high);
	if (!result_has_interval(r)) {
		out_printf(out, "\nPredicted run time: %s. A confidence interval needs 3 windows; this signature has %" PRIu32 ".\n", pet,
			   regular);
	} else {
		out_printf(out, "\nPredicted run time: %s (95 %%: %s to %s), from %" PRIu32 " windows", pet, low, high, regular);
		if (r->runs > 1)
			out_printf(out, " and %" PRIu32 " runs", r->runs);
		out_str(out, ".\n");
		if (r->settings.window_span < 1)
			out_printf(out, "The interval covers only the first %s of the run, where the windows are.\n",
				   unit_share(aet, r->settings.window_span, 2));
		if (r->runs == 2)
			out_str(out, "Two runs give a wide interval; three or more give a narrower one.\n");
		unit_measured(aet, r->aet, UNIT_MICROSECONDS);
		if (r->aet > 0 && result_held(r))
			out_printf(out, "The run time, %s, is inside the interval.\n", aet);
		else if (r->aet > 0)
			out_printf(out, "The run time, %s, is outside the interval.\n", aet);
	}
	for (const char *const *note = r->notes; note && *note; note++)
		out_printf(out, "note: %s\n", *note);
}

void result_print(const struct result *r, struct out *out)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], note[160];

	print_head(r, out);
	print_phases(r, out);
	result_line(out, "signature time", r->set, "one occurrence of each relevant phase");
	result_line(out, "predicted time", r->pet, "phase times multiplied by their weights");
	snprintf(note, sizeof note, "predicted time / coverage (%s %s)", unit_share(a, r->coverage, 2), settings_share_of(&r->settings, "of the run time"));
	result_line(out, "scaled", r->pet_scaled, note);
	if (!isnan(r->expected_error))
		out_printf(out, "  %-16s %14s  of the scaled prediction, on its own trace; windows (phases --budget) have less\n", "expected error",
			   unit_share(a, r->expected_error, 2));
	if (r->aet > 0) {
		result_line(out, "run time", r->aet, strcmp(r->aet_from, "run") == 0 ? "measured in a complete run" : "given by --aet");
		out_printf(out, "  %-16s %14s  %s for the scaled prediction\n", "prediction error", unit_share(a, r->pete, 2),
			   unit_share(b, r->pete_scaled, 2));
		out_printf(out, "  %-16s %14s  signature time / run time\n", "share", unit_share(a, r->set_share, 2));
	}
	print_measured(r, out);
	if (r->by_windows)
		print_interval(r, out);
}

#define SAME_TIME 1e-9

bool result_same_time(double traced, double time)
{
	return fabs(traced - time) <= SAME_TIME * traced;
}

bool result_same_phase(const struct result *a, const struct result_phase *x, const struct result *b, const struct result_phase *y)
{
	if (!a->has_settings || !b->has_settings || settings_same_phases(&a->settings, &b->settings))
		return x->id == y->id;
	return a->settings.phase_time == b->settings.phase_time && x->weight == y->weight && x->ticks == y->ticks &&
	       result_same_time(x->traced, y->traced);
}

ORDER_BY(by_shape, struct traced_phase, UP(weight) UP(ticks) UP(id))

void traced_phases_sort(struct traced_phases *t)
{
	SORT(t->list, t->count, by_shape);
}

/* The first one that is not before a shape. */
static uint32_t first_of(const struct traced_phases *t, const struct traced_phase *wanted)
{
	return SEARCH_PAST(i, 0, t->count, by_shape(&t->list[i], wanted) < 0);
}

uint32_t traced_phases_find(const struct traced_phases *t, const struct result *r, const struct result_phase *m)
{
	bool by_id = r->has_settings && settings_same_phases(&r->settings, t->settings);
	const struct traced_phase wanted = {m->id * by_id, m->weight, m->ticks, 0};
	uint32_t i = first_of(t, &wanted), found = 0, alike = 0;

	/* Means and slowest processes' times are not the same thing, though they may be equal. */
	if (r->settings.phase_time != t->settings->phase_time)
		return 0;
	if (by_id)
		return i < t->count && by_shape(&t->list[i], &wanted) == 0 ? m->id : 0;
	for (; i < t->count && t->list[i].weight == m->weight && t->list[i].ticks == m->ticks; i++) {
		if (!result_same_time(m->traced, t->list[i].time))
			continue;
		if (t->list[i].id == m->id)
			return m->id;
		found = t->list[i].id;
		alike++;
	}
	return alike == 1 ? found : 0;
}
