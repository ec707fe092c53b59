/* A moment that a screen prints is found again: `:goto` of it lands in the iteration, or the occurrence of a phase, that it was printed
 * for, with the cursor on the rank that is named. Processes enter the same iteration at different times, so a moment without a rank, or a
 * mean of theirs, leads somewhere else.
 */
#include <stdio.h>
#include <string.h>

#include "tap.h"
#include "tui/app/app_int.h"
#include "tui/model/iterations.h"
#include "tui/model/describe.h"

static const char *const files[] = {"sample-traces/lu.S.4.clog2"};

static struct trace_place go_to(struct app *a, struct moment at, const char *unit, double each, int digits)
{
	char place[64];
	struct err e = {0};

	snprintf(place, sizeof place, "%.*f%s", digits, at.seconds * each, unit);
	if (app_goto(a, place, &e))
		diag("%s: %s", place, e.text);
	return a->work.model.cursor;
}

static bool same_moment(struct moment a, struct moment b)
{
	char x[MOMENT_TEXT], y[MOMENT_TEXT];

	return !strcmp(moment_text(a, x), moment_text(b, y));
}

/* The earliest of the processes' own times, found one by one. */
static bool is_earliest(const struct logical *l, uint32_t tick, struct moment at)
{
	for (uint32_t e = 0; e < l->trace->event_count; e++)
		if (l->tick[e] == tick && l->trace->time[e] - l->trace->start < at.seconds)
			return false;
	return true;
}

int main(void)
{
	struct tui_options o = {.paths = files, .count = 1, .view = "overview"};
	static struct app a;
	const struct model *m = &a.work.model;
	const struct phases *p;
	struct err e;
	uint32_t from, to, wrong = 0, elsewhere = 0, late = 0, n;
	char text[MOMENT_TEXT];

	settings_init(&o.settings);
	if (app_init(&a, &o, &e))
		bail_out("%s", e.text);
	app_resize(&a, 140, 40);
	app_settle(&a);
	n = iteration_count(m);
	is_u64(n, 49, "a main loop");
	for (uint32_t i = 0; i < n; i++) {
		struct moment at;
		struct trace_place place;

		iteration_ticks(m, i, &from, &to);
		at = moment_of_tick(model_logical(m), from);
		late += !is_earliest(model_logical(m), from, at);
		model_goto(&a.work.model, 0, 0);
		place = go_to(&a, at, "s", 1, 6);
		wrong += iteration_at(m, place.tick) != i || place.tick != from;
		elsewhere += place.process != at.process;
		model_goto(&a.work.model, 0, 0);
		place = go_to(&a, at, " ms", 1e3, 3);
		wrong += place.tick != from;
	}
	is_u64(late, 0, "iterations begin with the earliest process");
	is_u64(wrong, 0, "each moment leads to its iteration, in s and in ms");
	is_u64(elsewhere, 0, "on the rank that is named");
	p = m->analysis->phases;
	wrong = elsewhere = 0;
	for (uint32_t i = 0; i < p->occurrence_count; i++) {
		struct moment at = moment_of_tick(model_logical(m), p->occurrences[i].first);
		struct trace_place place = go_to(&a, at, "s", 1, 6);

		/* Of two that begin within a microsecond the moment is the same, as it is printed. */
		wrong += phases_occurrence_at(p, place.tick) != i && !same_moment(at, moment_of_tick(model_logical(m), place.tick));
		elsewhere += place.process != at.process;
	}
	is_u64(wrong, 0, "so does that of each occurrence of a phase");
	is_u64(elsewhere, 0, "on its rank");
	iteration_ticks(m, 1, &from, &to);
	is_str(moment_text(moment_of_tick(model_logical(m), from), text), "0.003697 s (rank 1)", "the second iteration begins on rank 1");
	is_u64(go_to(&a, (struct moment){0.0045, 0}, "s", 1, 4).process, m->cursor.process, "another time leaves the cursor on its process");
	app_release(&a);
	return done_testing();
}
