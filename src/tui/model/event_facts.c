#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/trace/calls.h"
#include "describe.h"
#include "iterations.h"
#include "tui/widgets/units.h"

static const struct trace *trace_of(const struct model *m)
{
	return model_logical(m)->trace;
}

static bool is_collective(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE;
}

/* When the call of an event began; NAN: that is not known. */
static double call_start(const struct model *m, uint32_t event)
{
	uint32_t call = wait_call_of(m, event);

	return call == NO_LOGGED_CALL ? (double)NAN : spent_run(m)->log->calls[call].start;
}

/* The member of the collective that came last, of several the first in the ring. */
static uint32_t last_member(const struct model *m, uint32_t event)
{
	const struct trace *t = trace_of(m);
	uint32_t last = event;
	double latest = call_start(m, event);

	for (uint32_t e = t->match[event]; e != event && e != NO_EVENT; e = t->match[e]) {
		double start = call_start(m, e);

		if (start > latest) {
			latest = start;
			last = e;
		}
	}
	return last;
}

double event_lateness(const struct model *m, uint32_t event, uint32_t *last)
{
	const struct trace *t = trace_of(m);
	uint32_t other = t->match[event];

	if (last)
		*last = NO_EVENT;
	if (other == NO_EVENT)
		return (double)NAN;
	if (is_collective(t, event)) {
		other = last_member(m, event);
		if (last)
			*last = other;
		return call_start(m, other) - call_start(m, event);
	}
	return EVENT_KIND(t->type[event]) == EVENT_SEND ? call_start(m, event) - call_start(m, other) : call_start(m, other) - call_start(m, event);
}

void event_late_text(const struct model *m, uint32_t event, char *text, size_t size)
{
	const struct trace *t = trace_of(m);
	uint32_t last;
	double late = event_lateness(m, event, &last);
	char a[UNIT_TEXT];

	text[0] = 0;
	if (isnan(late))
		return;
	if (!is_collective(t, event))
		snprintf(text, size, "sent %s %s", unit_time(a, fabs(late)), late > 0 ? "late" : "early");
	else if (t->match[event] == event)
		snprintf(text, size, "no other ranks");
	else if (last == event)
		snprintf(text, size, "came last");
	else
		snprintf(text, size, "came %s before %s, the last", unit_time(a, late), unit_rank((char[UNIT_TEXT]){""}, trace_process_of(t, last)));
}

void event_brief(const struct model *m, uint32_t event, char *text, size_t size)
{
	const struct trace *t = trace_of(m);
	char what[64], n[UNIT_TEXT], bytes[UNIT_TEXT];
	size_t len;

	event_kind_text(t, t->type[event], false, what, sizeof what);
	snprintf(text, size, "#%s %s%s · %s", unit_count(n, trace_number_of(t, trace_process_of(t, event), event)), what,
		 t->match[event] == NO_EVENT ? " (unmatched)" : "", unit_size(bytes, trace_size(t, event)));
	len = strlen(text);
	if (!is_collective(t, event))
		snprintf(text + len, size - len, " · tag %d", (int)trace_tag(t, event));
}

/* --- in full --- */

struct told_facts {
	struct event_fact *facts;
	int count;
};

static void event_add_fact(struct told_facts *to, const char *name, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void event_add_fact(struct told_facts *to, const char *name, const char *fmt, ...)
{
	va_list args;

	if (to->count == EVENT_FACTS)
		return;
	to->facts[to->count].name = name;
	va_start(args, fmt);
	vsnprintf(to->facts[to->count++].text, sizeof to->facts->text, fmt, args);
	va_end(args);
}

static void tell_other_end(const struct model *m, uint32_t event, struct told_facts *to)
{
	const struct trace *t = trace_of(m);
	uint32_t other = t->match[event];
	char n[UNIT_TEXT], a[UNIT_TEXT];
	double apart;

	if (other == NO_EVENT) {
		event_add_fact(to, "peer", "unmatched, not in the trace");
		return;
	}
	if (is_collective(t, event))
		return;
	apart = t->time[other] - t->time[event];
	event_add_fact(to, "peer", "%s #%s, %s %s", unit_rank((char[UNIT_TEXT]){""}, trace_process_of(t, other)),
	     unit_count(n, trace_number_of(t, trace_process_of(t, other), other)), unit_time(a, fabs(apart)), apart < 0 ? "before" : "after");
}

/* What the call that it is in waited for, which wait_describe() has as two facts. */
static void tell_wait(const struct model *m, uint32_t event, struct told_facts *to)
{
	static const char waited[] = " · waited ", cause[] = " · cause: ";
	char text[320], *why;

	wait_describe(m, wait_call_of(m, event), true, text, sizeof text);
	if (strncmp(text, waited, sizeof waited - 1) != 0)
		return;
	why = strstr(text, cause);
	if (why)
		*why = 0;
	event_add_fact(to, "waited", "%s", text + sizeof waited - 1);
	if (why)
		event_add_fact(to, "cause", "%s", why + sizeof cause - 1);
}

static void tell_place(const struct model *m, uint32_t event, struct told_facts *to)
{
	static const char before[] = " · iteration ";
	const struct logical *l = model_logical(m);
	const struct phases *p = m->analysis->phases;
	uint32_t tick = l->tick[event], at = p ? phases_occurrence_at(p, tick) : UINT32_MAX, of;
	char n[UNIT_TEXT], o[UNIT_TEXT], text[128];

	if (at != UINT32_MAX) {
		unit_count(n, occurrence_number(p, at, &of));
		event_add_fact(to, "phase", "%u, occurrence %s of %s", (unsigned)p->occurrences[at].phase, n, unit_count(o, of));
	}
	iterations_fact(m, tick, tick + 1, text, sizeof text);
	if (!strncmp(text, before, sizeof before - 1))
		event_add_fact(to, "iteration", "%s", text + sizeof before - 1);
	event_add_fact(to, "tick", "%s, LT %s", unit_count(n, tick), unit_count(o, logical_lt(l, event)));
}

int event_facts(const struct model *m, uint32_t event, struct event_fact facts[EVENT_FACTS])
{
	static const char came[] = "came ";
	struct told_facts to = {facts, 0};
	const struct trace *t = trace_of(m);
	uint32_t call = wait_call_of(m, event), comm = trace_comm(t, event);
	char a[UNIT_TEXT], late[96], tag[32] = "";

	if (!is_collective(t, event))
		snprintf(tag, sizeof tag, ", tag %d", (int)trace_tag(t, event));
	if (comm < m->trace->comm_count)
		event_add_fact(&to, "size", "%s%s, on %s %d", unit_size(a, trace_size(t, event)), tag, m->trace->comms[comm].kind, (int)m->trace->comms[comm].number);
	else
		event_add_fact(&to, "size", "%s%s", unit_size(a, trace_size(t, event)), tag);
	tell_other_end(m, event, &to);
	event_late_text(m, event, late, sizeof late);
	if (!strncmp(late, came, sizeof came - 1))
		event_add_fact(&to, "came", "%s", late + sizeof came - 1);
	else if (late[0])
		event_add_fact(&to, is_collective(t, event) ? "members" : "message", "%s", late);
	if (call != NO_LOGGED_CALL && call_node_is_function(&spent_run(m)->log->nodes[spent_run(m)->log->calls[call].node])) {
		const struct call_log *log = spent_run(m)->log;

		event_add_fact(&to, "in", "%s, %s", log->nodes[log->calls[call].node].name, unit_time(a, log->calls[call].end - log->calls[call].start));
	}
	tell_wait(m, event, &to);
	if (!isnan(t->compute[event]))
		event_add_fact(&to, "then", trace_has_calls(t) ? "computes %s" : "%s to the next event", unit_time(a, t->compute[event]));
	tell_place(m, event, &to);
	event_add_fact(&to, "at", "%s", unit_moment(a, t->time[event] - t->start));
	return to.count;
}
