#include "describe.h"

#include <stdio.h>
#include <string.h>

#include "tui/widgets/units.h"

#define TOGETHER 1e-9 /* s: a cursor's time has been rounded */

static const struct call_log *log_of(const struct model *m)
{
	return spent_run(m) ? spent_run(m)->log : NULL;
}

/* The last call of a list that begins by then. */
static uint32_t last_by(const struct call_log *log, const struct call_list *l, double time)
{
	uint32_t lo = l->first, hi = l->end;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (log->calls[mid].start <= time + TOGETHER)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo > l->first ? lo - 1 : NO_LOGGED_CALL;
}

uint32_t wait_call_at(const struct model *m, uint32_t process, double time)
{
	const struct call_log *log = log_of(m);
	uint32_t c;

	if (!log || process >= log->trace->process_count || log->list_first[process] == log->list_first[process + 1])
		return NO_LOGGED_CALL;
	c = last_by(log, &log->lists[log->list_first[process]], time);
	return c != NO_LOGGED_CALL && log->calls[c].end + TOGETHER >= time ? c : NO_LOGGED_CALL;
}

uint32_t wait_call_of(const struct model *m, uint32_t event)
{
	const struct call_log *log = log_of(m);
	const struct trace *t = model_logical(m) ? model_logical(m)->trace : NULL;

	if (!log || !t || event == NO_EVENT)
		return NO_LOGGED_CALL;
	return t == log->trace ? log->call_of[event] : wait_call_at(m, trace_process_of(t, event), t->time[event]);
}

/* The event of a process that is nearest to a time, as a place of the grid. */
static struct trace_place wait_place(const struct model *m, uint32_t process, double time)
{
	const struct logical *l = model_logical(m);
	const struct trace *t = l->trace;
	uint32_t first = t->first[process], lo = first, hi = t->first[process + 1];

	if (lo == hi)
		return (struct trace_place){process, m->cursor.tick};
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->time[mid] < time - TOGETHER)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == t->first[process + 1])
		lo--;
	else if (lo > first && time - t->time[lo - 1] < t->time[lo] - time)
		lo--;
	return (struct trace_place){process, l->tick[lo]};
}

static const struct call_list *list_of(const struct call_log *log, uint32_t call)
{
	return &log->lists[call_log_list_of(log, call)];
}

static const char *reason_text(enum wait_reason r)
{
	static const char *const texts[WAIT_REASONS] = {
		[WAIT_LATE_SENDER] = "late sender", [WAIT_LATE_RECEIVER] = "late receiver", [WAIT_COLLECTIVE] = "wait in collective",
	};

	return texts[r];
}

/* When a root is at what it does: in the call, or in the middle of the computing before it. */
static double root_time(const struct call_log *log, const struct wait_cause *x)
{
	const struct call_list *l = &log->lists[x->list];
	double to = x->call == l->end ? l->stop : log->calls[x->call].start;

	return x->in_call ? log->calls[x->call].start : to - call_log_gap(log, l, x->call) / 2;
}

/* "rank 2 computing in solve, phase 4", "rank 2 in MPI_Bcast" */
static void root_text(const struct model *m, const struct wait_cause *x, char *text, size_t size)
{
	const struct call_log *log = log_of(m);
	const struct call_list *l = &log->lists[x->list];
	uint32_t node = x->call < l->end ? log->calls[x->call].node : 0;
	const struct spent_phases *p = spent_phases_current(m);

	if (!x->in_call)
		node = log->nodes[node].parent;
	snprintf(text, size, "%s %s%s%s", unit_rank((char[UNIT_TEXT]){""}, l->process), x->in_call ? "in " : "computing", x->in_call || !node ? "" : " in ",
		 x->in_call || node ? log->nodes[node].name : "");
	if (p) {
		uint32_t phase = p->spans->spans[phase_span_at(p->spans, l->process, root_time(log, x))].phase;

		if (phase != SPAN_BEFORE && phase != SPAN_AFTER)
			snprintf(text + strlen(text), size - strlen(text), ", phase %u", (unsigned)phase);
	}
}

void wait_describe(const struct model *m, uint32_t call, bool brief, char *text, size_t size)
{
	const struct call_log *log = log_of(m);
	const struct waits *w = log && spent_run(m)->metrics ? spent_run(m)->metrics->waits : NULL;
	char a[UNIT_TEXT], root[256];
	struct wait_cause cause;
	uint32_t other;

	text[0] = 0;
	if (!w || call == NO_LOGGED_CALL || !(w->sync[call] > 0))
		return;
	other = waits_for(w, call);
	snprintf(text, size, " · waited %s", unit_time(a, w->sync[call]));
	if (other != NO_LOGGED_CALL)
		snprintf(text + strlen(text), size - strlen(text), " for %s",
			 (brief ? unit_rank_short : unit_rank)(a, list_of(log, other)->process));
	snprintf(text + strlen(text), size - strlen(text), ", %s", reason_text((enum wait_reason)w->reason[call]));
	if (!causes_of(w, call, &cause, 1))
		return;
	root_text(m, &cause, root, sizeof root);
	snprintf(text + strlen(text), size - strlen(text), " · cause: %s", root);
}

struct trace_place wait_place_of(const struct model *m, uint32_t list, uint32_t call)
{
	const struct call_log *log = log_of(m);
	const struct call_list *l = &log->lists[list];
	uint32_t event = call < l->end ? log->calls[call].first_event : NO_EVENT;

	if (event != NO_EVENT && model_logical(m)->trace == log->trace)
		return (struct trace_place){l->process, model_logical(m)->tick[event]};
	return wait_place(m, l->process, call < l->end ? log->calls[call].start : l->stop);
}

static void wait_go_to(struct model *m, uint32_t list, uint32_t call)
{
	struct trace_place at = wait_place_of(m, list, call);

	model_goto(m, at.process, at.tick);
}

static bool to_root(struct model *m, uint32_t call, double *time)
{
	const struct call_log *log = log_of(m);
	struct wait_cause cause;
	char a[UNIT_TEXT], root[256];

	if (!causes_of(spent_run(m)->metrics->waits, call, &cause, 1)) {
		snprintf(m->message, sizeof m->message, "The root cause of this wait is unknown: the clocks disagree, or it is not recorded.");
		return false;
	}
	root_text(m, &cause, root, sizeof root);
	*time = root_time(log, &cause);
	wait_go_to(m, cause.list, cause.call);
	snprintf(m->message, sizeof m->message, "Root cause: %s, for %s of the wait.", root, unit_time(a, cause.seconds));
	return true;
}

bool wait_follow(struct model *m, uint32_t call, double *time)
{
	const struct call_log *log = log_of(m);
	const struct waits *w = log ? spent_run(m)->metrics->waits : NULL;
	char a[UNIT_TEXT], key[16];
	uint32_t other;

	if (!w) {
		snprintf(m->message, sizeof m->message, "%s", spending_failure(m)[0] ? spending_failure(m) : "Still looking for waits; try again in a moment.");
		return false;
	}
	if (m->followed.known && m->followed.at.process == m->cursor.process && m->followed.at.tick == m->cursor.tick) {
		m->followed.known = false;
		return to_root(m, m->followed.from, time);
	}
	if (call == NO_LOGGED_CALL || !(w->sync[call] > 0)) {
		snprintf(m->message, sizeof m->message, "%s", call == NO_LOGGED_CALL ? "No MPI call here." : "This call did not wait. Metrics lists the root causes of waiting.");
		return false;
	}
	other = waits_for(w, call);
	if (other == NO_LOGGED_CALL)
		return to_root(m, call, time);
	*time = log->calls[other].start;
	wait_go_to(m, call_log_list_of(log, other), other);
	m->followed.known = true;
	m->followed.from = call;
	m->followed.at = m->cursor;
	snprintf(m->message, sizeof m->message, "The wait was for this call: %s (%s); %s again: root cause.", unit_time(a, w->sync[call]),
		 reason_text((enum wait_reason)w->reason[call]), keymap_first(m->keymap, ACTION_WAITED_FOR, key));
	return true;
}
