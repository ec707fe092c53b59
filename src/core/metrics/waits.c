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

bool call_meets(const struct call_log *log, uint32_t call, struct call_part part)
{
	unsigned traits = call_log_part_traits(log, call, part);
	enum root_role role;

	if (EVENT_KIND(log->trace->type[part.event]) != EVENT_COLLECTIVE || !(traits & (MPI_WAITS_FOR_ALL | MPI_ROOTED)) ||
	    !call_can_wait(log, call))
		return false;
	role = call_log_root_role(log, traits, log->call_of[part.event]);
	return role != ROOT_FOR_NONE && role != ROOT_FOR_ROOT;
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
static double collective_wait(const struct call_log *log, const struct meetings *m, uint32_t call, struct call_part part)
{
	uint32_t root = meetings_root(log, m, call, part), place;
	const struct logged_call *c = &log->calls[call];

	if (root != NO_LOGGED_CALL)
		return log->calls[root].start - c->start;
	if (call_meets(log, call, part) && (place = meetings_place(m, part.event)) != NO_PLACE &&
	    (place = meetings_until(m, place, c->end)) != NO_PLACE)
		return meetings_start(m, place) - c->start;
	return 0;
}

static void wait_of(struct waits *w, const struct meetings *m, uint32_t call)
{
	const struct call_log *log = w->log;
	double longest[WAIT_REASONS] = {0};
	struct call_part part = call_log_first_part(log, call);

	for (; part.event != NO_EVENT; part = call_log_next_part(log, call, part)) {
		enum wait_reason reason = WAIT_COLLECTIVE;
		double waited = 0;

		if (EVENT_KIND(log->trace->type[part.event]) == EVENT_COLLECTIVE) {
			waited = collective_wait(log, m, call, part);
		} else {
			uint32_t partner = call_partner(log, call, part.event);

			reason = message_reason(log, part.event);
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

enum err_code waits_new_among(struct waits **out, const struct call_log *log, const struct meetings *m, const struct job *job,
			      struct err *e)
{
	struct waits *w = mem_zero(1, sizeof *w);
	enum err_code code = ERR_OK;

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
	for (uint32_t c = 0; !code && c < log->call_count; c++) {
		wait_of(w, m, c);
		if (c % ASK_EVERY)
			continue;
		job_progress(job, JOB_METRICS, c, log->call_count);
		if (job_stopped(job))
			code = err_set(e, ERR_CANCELLED, "stopped while looking for waiting");
	}
	if (code)
		waits_free(w);
	else
		*out = w;
	return code;
}

enum err_code waits_new(struct waits **out, const struct call_log *log, const struct job *job, struct err *e)
{
	struct meetings m;
	enum err_code code = meetings_init(&m, log, job, e);

	*out = NULL;
	if (!code)
		code = waits_new_among(out, log, &m, job, e);
	meetings_release(&m);
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
	struct call_part part = call_log_first_part(log, call);
	uint32_t best = NO_LOGGED_CALL;

	if (!(w->sync[call] > 0))
		return NO_LOGGED_CALL;
	for (; part.event != NO_EVENT; part = call_log_next_part(log, call, part)) {
		uint32_t ev = part.event, partner, place;
		double waited;

		if (EVENT_KIND(log->trace->type[ev]) == EVENT_COLLECTIVE) {
			if (w->reason[call] != WAIT_COLLECTIVE)
				continue;
			partner = meetings_root(log, m, call, part);
			if (partner == NO_LOGGED_CALL && !call_meets(log, call, part))
				continue;
			if (partner == NO_LOGGED_CALL && !m)
				partner = latest_member(log, call, ev);
			else if (partner == NO_LOGGED_CALL && (place = meetings_place(m, ev)) != NO_PLACE &&
				 (place = meetings_until(m, place, c->end)) != NO_PLACE)
				partner = meetings_call(m, meetings_first_as_late(m, place));
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
