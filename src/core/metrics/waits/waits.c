#include "waits.h"

#include "core/metrics/calls/gatherings.h"
#include "core/team/team_pack.h"
#include "core/trace/remote.h"
#include "core/trace/mpi_functions.h"
#include "instances.h"
#include "not_analysed.h"

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

/* Does the call wait at a send for its receive, made in a call of that node which began then? */
static bool waits_for_receive(const struct call_log *log, uint32_t call, uint32_t node, double start)
{
	const struct logged_call *c = &log->calls[call];

	return log->nodes[c->node].traits & MPI_BLOCKING_SEND && log->nodes[node].traits & MPI_POSTS_AND_RECEIVES && c->start < start &&
	       start <= c->end;
}

uint32_t call_partner(const struct call_log *log, uint32_t call, uint32_t event)
{
	const struct trace *t = log->trace;
	uint32_t kind = EVENT_KIND(t->type[event]), partner;

	if (kind == EVENT_COLLECTIVE || t->match[event] == NO_EVENT || (t->remote && is_remote(t->match[event])) || !call_can_wait(log, call))
		return NO_LOGGED_CALL;
	partner = log->call_of[t->match[event]];
	if (partner == NO_LOGGED_CALL || kind == EVENT_RECEIVE)
		return partner;
	return waits_for_receive(log, call, log->calls[partner].node, log->calls[partner].start) ? partner : NO_LOGGED_CALL;
}

const struct remote_call *call_remote_partner(const struct call_log *log, uint32_t call, uint32_t event)
{
	const struct trace *t = log->trace;
	uint32_t kind = EVENT_KIND(t->type[event]);
	const struct remote_call *partner;

	if (!t->remote || kind == EVENT_COLLECTIVE || !is_remote(t->match[event]) || !call_can_wait(log, call))
		return NULL;
	partner = call_remote_message(log, t->match[event]);
	if (partner->call == NO_LOGGED_CALL)
		return NULL;
	return kind == EVENT_RECEIVE || waits_for_receive(log, call, partner->node, partner->start) ? partner : NULL;
}

/* How long `call` waits for one that it has a message with, and that came then: never longer than it takes. */
static double message_wait(const struct call_log *log, uint32_t call, double came)
{
	const struct logged_call *c = &log->calls[call];

	return (came < c->end ? came : c->end) - c->start;
}

static enum wait_reason message_reason(const struct call_log *log, uint32_t event)
{
	return EVENT_KIND(log->trace->type[event]) == EVENT_RECEIVE ? WAIT_LATE_SENDER : WAIT_LATE_RECEIVER;
}

/* For whom it waits at a collective with members on other ranks. */
static const struct remote_member *remote_member_of(const struct call_log *log, const struct remote_collective *remote, uint32_t call, struct call_part part)
{
	const struct remote_member *root = instances_remote_root(log, remote, call, part);

	if (root || !call_meets(log, call, part))
		return root;
	return call_remote_last(log->remote, remote, log->calls[call].end);
}

/* How long it waits at a collective, for its root or for whoever is late. */
static double collective_wait(const struct call_log *log, const struct instances *m, uint32_t call, struct call_part part)
{
	const struct remote_collective *remote = instances_remote(m, part.event);
	const struct logged_call *c = &log->calls[call];
	uint32_t root, place;

	if (remote) {
		const struct remote_member *member = remote_member_of(log, remote, call, part);

		return member ? member->start - c->start : 0;
	}
	root = instances_root(log, m, call, part);
	if (root != NO_LOGGED_CALL)
		return log->calls[root].start - c->start;
	if (call_meets(log, call, part) && (place = instances_place(m, part.event)) != NO_PLACE &&
	    (place = instances_until(m, place, c->end)) != NO_PLACE)
		return instances_start(m, place) - c->start;
	return 0;
}

static void wait_of(struct waits *w, const struct instances *m, uint32_t call)
{
	const struct call_log *log = w->log;
	double longest[WAIT_REASONS] = {0};
	struct call_part part = call_log_first_part(log, call);
	const struct remote_member *gathered;

	for (; part.event != NO_EVENT; part = call_log_next_part(log, call, part)) {
		enum wait_reason reason = WAIT_COLLECTIVE;
		double waited = 0;

		if (EVENT_KIND(log->trace->type[part.event]) == EVENT_COLLECTIVE) {
			waited = collective_wait(log, m, call, part);
		} else {
			uint32_t partner = call_partner(log, call, part.event);
			const struct remote_call *remote = call_remote_partner(log, call, part.event);

			reason = message_reason(log, part.event);
			if (partner != NO_LOGGED_CALL)
				waited = message_wait(log, call, log->calls[partner].start);
			else if (remote)
				waited = message_wait(log, call, remote->start);
		}
		if (waited > longest[reason])
			longest[reason] = waited;
	}
	gathered = gatherings_last(log, call);
	if (gathered && gathered->start - log->calls[call].start > longest[WAIT_COLLECTIVE])
		longest[WAIT_COLLECTIVE] = gathered->start - log->calls[call].start;
	for (unsigned r = 0; r < WAIT_REASONS; r++)
		if (longest[r] > w->sync[call]) {
			w->sync[call] = longest[r];
			w->reason[call] = (uint8_t)r;
		}
}

enum err_code waits_new_among(struct waits **out, const struct call_log *log, const struct instances *m, const struct progress *progress,
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
		if (c % ASK_EVERY == 0)
			code = progress_step(progress, PROGRESS_METRICS, c, log->call_count, e);
	}
	if (code)
		waits_free(w);
	else
		*out = w;
	return code;
}

enum err_code waits_new(struct waits **out, const struct call_log *log, const struct progress *progress, struct err *e)
{
	struct instances m;
	enum err_code code = instances_init(&m, log, progress, e);

	*out = NULL;
	if (!code)
		code = waits_new_among(out, log, &m, progress, e);
	instances_release(&m);
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

/* Whom a call waits for at one of its parts, and since when that could go on. Not late, or nobody: call
 * NO_LOGGED_CALL. */
static struct remote_member call_awaited_member(const struct waits *w, const struct instances *m, uint32_t call, struct call_part part)
{
	const struct call_log *log = w->log;
	const struct logged_call *c = &log->calls[call];
	struct remote_member nobody = {0, {team_rank(trace_team(log->trace)), NO_LOGGED_CALL}}, member = nobody;
	uint32_t ev = part.event, place;

	if (EVENT_KIND(log->trace->type[ev]) != EVENT_COLLECTIVE) {
		const struct remote_call *remote = call_remote_partner(log, call, ev);

		if (w->reason[call] != message_reason(log, ev))
			return nobody;
		if (remote)
			return (struct remote_member){remote->start, {remote_message(log->trace, log->trace->match[ev])->rank, remote->call}};
		member.at.call = call_partner(log, call, ev);
	} else {
		const struct remote_collective *remote = m ? instances_remote(m, ev) : NULL;

		if (w->reason[call] != WAIT_COLLECTIVE)
			return nobody;
		if (remote) {
			const struct remote_member *late = remote_member_of(log, remote, call, part);

			return late ? *late : nobody;
		}
		member.at.call = instances_root(log, m, call, part);
		if (member.at.call == NO_LOGGED_CALL && !call_meets(log, call, part))
			return nobody;
		if (member.at.call == NO_LOGGED_CALL && !m)
			member.at.call = latest_member(log, call, ev);
		else if (member.at.call == NO_LOGGED_CALL && (place = instances_place(m, ev)) != NO_PLACE &&
			 (place = instances_until(m, place, c->end)) != NO_PLACE)
			member.at.call = instances_call(m, instances_first_as_late(m, place));
	}
	if (member.at.call != NO_LOGGED_CALL)
		member.start = log->calls[member.at.call].start;
	return member;
}

struct call_at waits_for_at(const struct waits *w, const struct instances *m, uint32_t call)
{
	const struct call_log *log = w->log;
	struct call_at best = {UINT32_MAX, NO_LOGGED_CALL};
	struct call_part part = call_log_first_part(log, call);
	const struct remote_member *gathered;

	if (!(w->sync[call] > 0))
		return best;
	gathered = w->reason[call] == WAIT_COLLECTIVE ? gatherings_last(log, call) : NULL;
	if (gathered && gathered->start - log->calls[call].start >= w->sync[call])
		best = gathered->at;
	for (; part.event != NO_EVENT; part = call_log_next_part(log, call, part)) {
		struct remote_member member = call_awaited_member(w, m, call, part);
		double waited;

		if (member.at.call == NO_LOGGED_CALL)
			continue;
		waited = EVENT_KIND(log->trace->type[part.event]) == EVENT_COLLECTIVE ? member.start - log->calls[call].start
										       : message_wait(log, call, member.start);
		/* Calls are numbered by process, so that the lowest one is of the lowest process. */
		if (waited >= w->sync[call] && call_at_is_before(member.at, best))
			best = member.at;
	}
	return best;
}

uint32_t waits_for_among(const struct waits *w, const struct instances *m, uint32_t call)
{
	return waits_for_at(w, m, call).call;
}

uint32_t waits_for(const struct waits *w, uint32_t call)
{
	return waits_for_among(w, NULL, call);
}

void waits_account(const struct waits *w, uint32_t list, struct account *a)
{
	const struct call_list *l = &w->log->lists[list];

	call_log_account(w->log, w->sync, list, a);
	for (uint32_t c = l->first; c < l->end; c++) {
		a->by_reason[w->reason[c]] += w->sync[c];
		not_analysed_add(a, node_of(w->log, c)->time, not_analysed_in_call(w->log, c, w->sync[c]));
	}
}

struct send_time {
	double time;
	uint32_t receive;        /* as its rank numbers it */
};

/* Receives whose sends are on other ranks: these ranks send the times of the sends. */
static enum err_code early_from_remote(const struct trace *t, uint64_t *early, struct err *e)
{
	const struct team *team = trace_team(t);
	struct send_time sent = {0};
	struct team_packs packs;
	enum err_code code = team_packs_init(&packs, team, ERR_OK, e);

	for (uint32_t i = 0; !code && i < t->remote->message_count; i++) {
		const struct remote_message *m = &t->remote->message[i];

		sent.time = t->time[m->event];
		sent.receive = m->other;
		if (EVENT_KIND(t->type[m->event]) == EVENT_SEND)
			team_put(&packs.to[m->rank], &sent, sizeof sent);
	}
	code = team_packs_exchange(&packs, code, "receives before their sends", e);
	for (uint32_t r = 0; !code && r < team->size; r++)
		for (struct team_take take = team_packs_from(&packs, r); team_take(&take, &sent, sizeof sent);)
			*early += t->time[sent.receive] < sent.time;
	team_packs_release(&packs);
	return code ? code : team_reduce(team, early, 1, TEAM_SUM, e);
}

enum err_code early_receives(const struct trace *t, uint64_t *early, struct err *e)
{
	*early = 0;
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t match = t->match[ev];

		*early += EVENT_KIND(t->type[ev]) == EVENT_RECEIVE && match != NO_EVENT && !(t->remote && is_remote(match)) &&
			  t->time[ev] < t->time[match];
	}
	return t->remote ? early_from_remote(t, early, e) : ERR_OK;
}
