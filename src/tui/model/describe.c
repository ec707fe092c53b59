#include "describe.h"

#include <stdio.h>
#include <string.h>

#include "iterations.h"
#include "tui/widgets/units.h"
#include "phase_shares.h"

uint32_t occurrence_number(const struct phases *p, uint32_t at, uint32_t *of)
{
	uint32_t id = p->occurrences[at].phase, lo = p->phase_first[id - 1], hi = p->phase_first[id];

	*of = hi - lo;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (p->by_phase[mid] < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo - p->phase_first[id - 1] + 1;
}

void event_kind_text(const struct trace *t, event_type type, bool brief, char *what, size_t size)
{
	const char *verb = EVENT_KIND(type) == EVENT_SEND ? "send to" : "receive from";
	char rank[UNIT_TEXT];

	if (brief || EVENT_KIND(type) == EVENT_COLLECTIVE)
		trace_type_text(t, type, what, size);
	else
		snprintf(what, size, "%s %s", verb, EVENT_INDEX(type) ? unit_rank(rank, EVENT_INDEX(type) - 1) : "an unknown rank");
}

static void describe_place(const struct model *m, struct trace_place place, bool brief, bool named, char *text, size_t size)
{
	const struct logical *l = model_logical(m);
	const struct trace *t = l->trace;
	const struct phases *found = m->analysis->phases;
	const struct phase_name *called;
	uint32_t p = place.process, tick = place.tick, e = logical_event_at(l, tick, p), of;
	uint32_t at = found ? phases_occurrence_at(found, tick) : UINT32_MAX, window;
	char name[WINDOW_NAME], what[64], number[UNIT_TEXT], moment[UNIT_TEXT], bytes[UNIT_TEXT], compute[UNIT_TEXT], rank[UNIT_TEXT];
	size_t len;

	if (e == NO_EVENT) {
		snprintf(text, size, "%s · tick %u · no event", brief ? unit_rank_short(rank, p) : unit_rank(rank, p), (unsigned)tick);
	} else {
		event_kind_text(t, t->type[e], brief, what, sizeof what);
		snprintf(text, size, "%s #%s %s%s · tick %u · LT %u · %s%s · %s · %s%s", brief ? unit_rank_short(rank, p) : unit_rank(rank, p),
			 unit_count(number, trace_number_of(t, p, e)), what, t->match[e] == NO_EVENT ? " (unmatched)" : "",
			 (unsigned)tick, (unsigned)logical_lt(l, e), brief ? "" : "t ",
			 unit_moment(moment, t->time[e] - t->start), unit_size(bytes, trace_size(t, e)), brief ? "c " : "compute ",
			 unit_figure_time(compute, t->compute[e]));
	}
	len = strlen(text);
	if (at == UINT32_MAX || len >= size)
		return;
	unit_count(number, occurrence_number(found, at, &of));
	called = named ? phase_name_of(m->analysis, found->occurrences[at].phase) : NULL;
	snprintf(text + len, size - len, " · phase %u%s%s%s %s%s%s", (unsigned)found->occurrences[at].phase, called ? ", " : "", called ? called->name : "",
		 brief ? ":" : ", occurrence", number, brief ? "/" : " of ", unit_count(moment, of));
	len = strlen(text);
	iterations_fact(m, tick, tick + 1, text + len, size - len);
	len = strlen(text);
	window = window_at(m, tick);
	if (window != UINT32_MAX && len < size)
		snprintf(text + len, size - len, " · %s", window_name(model_windows(m), window, name));
}

/* Takes out the fact number n (from 0) of those between " · ". */
static void drop_fact(char *text, int n)
{
	static const char between[] = " · ";
	char *at = text, *end;

	while (at && n--) {
		at = strstr(at, between);
		at = at && n ? at + sizeof between - 1 : at;
	}
	end = at ? strstr(at + sizeof between - 1, between) : NULL;
	if (end)
		memmove(at, end, strlen(end) + 1);
}

void place_describe(const struct model *m, struct trace_place place, bool brief, char *text, size_t size)
{
	describe_place(m, place, brief, false, text, size);
}

void place_describe_in(const struct model *m, struct trace_place at, int room, char *text, size_t size)
{
	static const int least[] = {2, 4, 3, 2}; /* LT, compute time, size, time; each as the ones before are gone */
	static const struct {
		bool brief, named;
		size_t spare;     /* of those */
	} forms[] = {{false, true, 2}, {true, true, 4}, {true, false, 4}};

	for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
		describe_place(m, at, forms[f].brief, forms[f].named, text, size);
		for (size_t i = 0; i < forms[f].spare && model_event(m) != NO_EVENT && text_width(text) > room; i++)
			drop_fact(text, least[i]);
		if (text_width(text) <= room)
			return;
	}
}
