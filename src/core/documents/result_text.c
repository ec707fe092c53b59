#include "result.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/order.h"
#include "core/base/search.h"
#include "core/base/unit.h"

static void result_line(struct out *out, const char *name, double v, const char *more)
{
	char t[UNIT_TEXT];

	out_printf(out, "  %-11s %14s  %s\n", name, unit_measured(t, v, UNIT_MICROSECONDS), more);
}

static void print_head(const struct result *r, struct out *out)
{
	out_printf(out, "%s on %s, %u process%s, measured by %s", r->application, r->host.name, r->processes,
		   r->processes == 1 ? "" : "es", r->mechanism);
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
	snprintf(note, sizeof note, "what one run measured: %" PRIu64 " occurrences of %" PRIu32 " phase%s", samples,
		 r->phase_count, r->phase_count == 1 ? "" : "s");
	if (r->by_windows)
		snprintf(note, sizeof note, "what one run measured: %" PRIu32 " window%s", r->window_count,
			 r->window_count == 1 ? "" : "s");
	if (r->by_windows || samples > r->phase_count)
		result_line(out, "measured", r->measured, note);
	snprintf(note, sizeof note, "what measuring took in all, with pauses of %g s", r->pause);
	result_line(out, "elapsed", r->elapsed, r->pause > 0 ? note : "what measuring took in all");
}

static uint32_t regular_windows(const struct result *r)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < r->window_count; i++)
		n += !r->windows[i].extra;
	return n;
}

/* In sentences: how sure it is, whether it came true, and what else must be known. */
static void print_interval(const struct result *r, struct out *out)
{
	uint32_t regular = regular_windows(r);
	char pet[UNIT_TEXT], half[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT], aet[UNIT_TEXT];

	unit_measured(pet, r->pet_scaled, UNIT_MICROSECONDS);
	unit_measured(half, r->half, UNIT_MICROSECONDS);
	unit_measured(low, r->low, UNIT_MICROSECONDS);
	unit_measured(high, r->high, UNIT_MICROSECONDS);
	if (!result_has_interval(r)) {
		out_printf(out, "\nThe program is predicted to take %s. How sure that is cannot be said: it takes at least three "
			   "windows, and here %s %" PRIu32 ".\n", pet, regular == 1 ? "is" : "are", regular);
	} else {
		out_printf(out, "\nThe program is predicted to take %s +- %s: from %s to %s with a probability of 95 %%, by %"
			   PRIu32 " windows", pet, half, low, high, regular);
		if (r->runs > 1)
			out_printf(out, " and %" PRIu32 " runs", r->runs);
		out_str(out, ".\n");
		if (r->settings.window_span < 1)
			out_printf(out, "That says nothing of the rest of the run: windows lie in its first %s.\n",
				   unit_share(aet, r->settings.window_span, 2));
		if (r->runs == 2)
			out_str(out, "Two runs say little of how runs differ, so that this is wide; three say more.\n");
		unit_measured(aet, r->aet, UNIT_MICROSECONDS);
		if (r->aet > 0 && result_held(r))
			out_printf(out, "The interval held: the program took %s.\n", aet);
		else if (r->aet > 0)
			out_printf(out, "The interval did not hold: the program took %s.\n", aet);
	}
	for (const char *const *note = r->notes; note && *note; note++)
		out_printf(out, "Note: %s.\n", *note);
}

void result_print(const struct result *r, struct out *out)
{
	char a[UNIT_TEXT], b[UNIT_TEXT], note[160];

	print_head(r, out);
	print_phases(r, out);
	result_line(out, "SET", r->set, "signature execution time: the phases once");
	result_line(out, "PET", r->pet, "predicted execution time: the phases times their weights");
	snprintf(note, sizeof note, "PET / coverage (%s %s)", unit_share(a, r->coverage, 2), settings_share_of(&r->settings, "of the traced run"));
	result_line(out, "scaled PET", r->pet_scaled, note);
	if (!isnan(r->expected_error))
		out_printf(out, "  %-11s %14s  error of that, as the trace itself has it; a table with --plan has windows\n", "expected",
			   unit_share(a, r->expected_error, 2));
	if (r->aet > 0) {
		result_line(out, "AET", r->aet,
		     strcmp(r->aet_from, "run") == 0 ? "execution time, of a plain run here" : "execution time, as "
		     "given");
		out_printf(out, "  %-11s %14s  prediction error; of the scaled PET %s\n", "PETE", unit_share(a, r->pete, 2),
			   unit_share(b, r->pete_scaled, 2));
		out_printf(out, "  %-11s %14s\n", "SET/AET", unit_share(a, r->set_share, 2));
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
