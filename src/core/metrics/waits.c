#include "waits.h"

#include "meetings.h"
#include "mpi_functions.h"

#define ASK_EVERY 8192

static const struct call_node *node_of(const struct call_log *log, uint32_t call)
{
	return &log->nodes[log->calls[call].node];
}

bool call_can_wait(const struct call_log *log, uint32_t call)
{
	enum account_kind k = node_of(log, call)->time;

	return k == ACCOUNT_SEND || k == ACCOUNT_RECEIVE || k == ACCOUNT_WAIT || k == ACCOUNT_COLLECTIVE;
}

bool call_meets(const struct call_log *log, uint32_t call)
{
	enum root_role role = call_log_root_role(log, call);

	return call_can_wait(log, call) && node_of(log, call)->traits & (MPI_WAITS_FOR_ALL | MPI_ROOTED) &&
	       role != ROOT_FOR_NONE && role != ROOT_FOR_ROOT;
}

uint32_t call_partner(const struct call_log *log, uint32_t call, uint32_t event)
{
	const struct trace *t = log->trace;
	const struct logged_call *c = &log->calls[call], *other;
	uint32_t kind = EVENT_KIND(t->type[event]), partner;

	if (kind == EVENT_COLLECTIVE || t->match[event] == NO_EVENT || !call_can_wait(log, call))
		return NO_LOGGED_CALL;
	partner = log->call_of[t->match[event]];
	if (partner == NO_LOGGED_CALL || kind == EVENT_RECEIVE)
		return partner;
	other = &log->calls[partner];
	if (node_of(log, call)->traits & MPI_BLOCKING_SEND && node_of(log, partner)->traits & MPI_POSTS_AND_RECEIVES &&
	    c->start < other->start && other->start <= c->end)
		return partner;
	return NO_LOGGED_CALL;
}

/* How long `call` waits for one that it has a message with: never longer than it takes. */
static double message_wait(const struct call_log *log, uint32_t call, uint32_t partner)
{
	const struct logged_call *c = &log->calls[call];
	double came = log->calls[partner].start;

	return (came < c->end ? came : c->end) - c->start;
}

static enum wait_reason message_reason(const struct call_log *log, uint32_t event)
{
	return EVENT_KIND(log->trace->type[event]) == EVENT_RECEIVE ? WAIT_LATE_SENDER : WAIT_LATE_RECEIVER;
}

/* How long it waits at a collective, for its root or for whoever is late. */
static double collective_wait(const struct call_log *log, const struct meetings *m, uint32_t call, uint32_t event)
{
	uint32_t root = meetings_root(log, m, call, event), place;
	const struct logged_call *c = &log->calls[call];

	if (root != NO_LOGGED_CALL)
		return log->calls[root].start - c->start;
	if (call_meets(log, call) && (place = meetings_place(m, event)) != NO_PLACE &&
	    (place = meetings_until(m, place, c->end)) != NO_PLACE)
		return meetings_start(m, place) - c->start;
	return 0;
}

static void wait_of(struct waits *w, const struct meetings *m, uint32_t call)
{
	const struct call_log *log = w->log;
	double longest[WAIT_REASONS] = {0};

	for (uint32_t ev = log->calls[call].first_event; ev != NO_EVENT; ev = call_log_next_event(log, call, ev)) {
		enum wait_reason reason = WAIT_COLLECTIVE;
		double waited = 0;

		if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE) {
			waited = collective_wait(log, m, call, ev);
		} else {
			uint32_t partner = call_partner(log, call, ev);

			reason = message_reason(log, ev);
			if (partner != NO_LOGGED_CALL)
				waited = message_wait(log, call, partner);
		}
		if (waited > longest[reason])
			longest[reason] = waited;
	}
	for (unsigned r = 0; r < WAIT_REASONS; r++)
		if (longest[r] > w->sync[call]) {
			w->sync[call] = longest[r];
			w->reason[call] = (uint8_t)r;
		}
}

enum err_code waits_new(struct waits **out, const struct call_log *log, const struct job *job, struct err *e)
{
	struct waits *w = mem_zero(1, sizeof *w);
	struct meetings m;
	enum err_code code;

	*out = NULL;
	if (w) {
		w->log = log;
		w->sync = mem_zero(log->call_count, sizeof *w->sync);
		w->reason = mem_zero(log->call_count, sizeof *w->reason);
	}
	if (!w || !w->sync || !w->reason) {
		waits_free(w);
		return err_memory(e, "the waiting of calls");
	}
	code = meetings_init(&m, log, job, e);
	for (uint32_t c = 0; !code && c < log->call_count; c++) {
		wait_of(w, &m, c);
		if (c % ASK_EVERY)
			continue;
		job_progress(job, JOB_METRICS, c, log->call_count);
		if (job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped while looking for waiting");
	}
	meetings_release(&m);
	if (code)
		waits_free(w);
	else
		*out = w;
	return code;
}

void waits_free(struct waits *w)
{
	if (!w)
		return;
	mem_free(w->sync);
	mem_free(w->reason);
	mem_free(w);
}

/* The latest member of event's collective that came before `call` returned, by going round. */
static uint32_t latest_member(const struct call_log *log, uint32_t call, uint32_t event)
{
	uint32_t latest = NO_LOGGED_CALL, ev = event;

	do {
		uint32_t c = log->call_of[ev];

		if (c != NO_LOGGED_CALL && log->calls[c].start <= log->calls[call].end &&
		    (latest == NO_LOGGED_CALL || log->calls[c].start > log->calls[latest].start ||
		     (c < latest && log->calls[c].start == log->calls[latest].start)))
			latest = c;
		ev = log->trace->match[ev];
	} while (ev != event && ev != NO_EVENT);
	return latest;
}

uint32_t waits_for_among(const struct waits *w, const struct meetings *m, uint32_t call)
{
	const struct call_log *log = w->log;
	const struct logged_call *c = &log->calls[call];
	uint32_t best = NO_LOGGED_CALL;

	if (!(w->sync[call] > 0))
		return NO_LOGGED_CALL;
	for (uint32_t ev = c->first_event; ev != NO_EVENT; ev = call_log_next_event(log, call, ev)) {
		uint32_t partner, place;
		double waited;

		if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE) {
			if (w->reason[call] != WAIT_COLLECTIVE)
				continue;
			if (call_log_root_role(log, call) == ROOT_FOR_ROOT)
				partner = meetings_root(log, m, call, ev);
			else if (!m)
				partner = latest_member(log, call, ev);
			else if ((place = meetings_place(m, ev)) != NO_PLACE && (place = meetings_until(m, place, c->end)) != NO_PLACE)
				partner = meetings_call(m, meetings_first_as_late(m, place));
			else
				continue;
			waited = partner == NO_LOGGED_CALL ? 0 : log->calls[partner].start - c->start;
		} else {
			partner = call_partner(log, call, ev);
			if (partner == NO_LOGGED_CALL || w->reason[call] != message_reason(log, ev))
				continue;
			waited = message_wait(log, call, partner);
		}
		/* Calls are numbered by process, so that the lowest one is of the lowest process. */
		if (waited >= w->sync[call] && partner < best)
			best = partner;
	}
	return best;
}

uint32_t waits_for(const struct waits *w, uint32_t call)
{
	return waits_for_among(w, NULL, call);
}

void waits_account(const struct waits *w, uint32_t list, struct account *a)
{
	const struct call_list *l = &w->log->lists[list];

	call_log_account(w->log, list, a);
	for (uint32_t c = l->first; c < l->end; c++)
		a->by_reason[w->reason[c]] += w->sync[c];
}
