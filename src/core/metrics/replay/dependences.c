#include "replay_int.h"

#include <math.h>

#include "core/metrics/waits/instances.h"
#include "core/trace/mpi_functions.h"

static unsigned traits_of(const struct call_log *log, uint32_t call)
{
	return log->nodes[log->calls[call].node].traits;
}

/* Does the send `event` of this call wait for its receive? */
static bool is_rendezvous(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event)
{
	unsigned traits = traits_of(log, call);
	uint64_t size = trace_size(log->trace, event);

	if (traits & MPI_SYNCHRONOUS)
		return true;
	return traits & MPI_BLOCKING_SEND && size != SIZE_UNKNOWN && size > rules->rendezvous;
}

uint32_t ideal_partner(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event)
{
	const struct trace *t = log->trace;
	uint32_t kind = EVENT_KIND(t->type[event]), partner;

	if (kind == EVENT_COLLECTIVE || t->match[event] == NO_EVENT || (log->remote && is_remote(t->match[event])))
		return NO_LOGGED_CALL;
	partner = log->call_of[t->match[event]];
	if (partner == NO_LOGGED_CALL || partner == call || kind == EVENT_RECEIVE)
		return partner == call ? NO_LOGGED_CALL : partner;
	if (is_rendezvous(log, rules, call, event) && traits_of(log, partner) & MPI_POSTS_AND_RECEIVES)
		return partner;
	return NO_LOGGED_CALL;
}

bool ideal_waits_remote(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event)
{
	const struct remote_call *other = call_remote_message(log, log->trace->match[event]);

	if (other->call == NO_LOGGED_CALL || EVENT_KIND(log->trace->type[event]) == EVENT_RECEIVE)
		return other->call != NO_LOGGED_CALL;
	return is_rendezvous(log, rules, call, event) && log->nodes[other->node].traits & MPI_POSTS_AND_RECEIVES;
}

bool ideal_meets(const struct call_log *log, const struct replay_rules *rules, uint32_t call, struct call_part part, double *until)
{
	unsigned traits = call_log_part_traits(log, call, part);
	enum root_role role;

	if (EVENT_KIND(log->trace->type[part.event]) != EVENT_COLLECTIVE || !(traits & (MPI_WAITS_FOR_ALL | MPI_ROOTED)))
		return false;
	role = rules->rooted_all ? ROOT_UNKNOWN : call_log_root_role(log, traits, log->call_of[part.event]);
	if (role == ROOT_FOR_NONE || role == ROOT_FOR_ROOT)
		return false;
	*until = traits & MPI_WAITS_FOR_ALL || rules->rooted_all ? INFINITY : log->calls[call].end;
	return true;
}

/* Was this partner told at an earlier event of the call? Asked of the partner's events, which are few. */
static bool told_before(const struct call_log *log, const struct replay_rules *rules, uint32_t call, uint32_t event, uint32_t partner)
{
	const struct trace *t = log->trace;
	uint32_t ev = log->calls[partner].first_event;

	for (; ev != NO_EVENT; ev = call_log_next_event(log, partner, ev)) {
		uint32_t other = EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE ? NO_EVENT : t->match[ev];

		if (other != NO_EVENT && other < event && log->call_of[other] == call &&
		    ideal_partner(log, rules, call, other) == partner)
			return true;
	}
	return false;
}

void replay_dependences(const struct call_log *log, const struct replay_rules *rules, uint32_t call,
			bool (*tell)(void *arg, uint32_t call), void *arg)
{
	struct call_part part = call_log_first_part(log, call);
	double until = 0;

	for (; part.event != NO_EVENT; part = call_log_next_part(log, call, part)) {
		uint32_t ev = part.event, partner = ideal_partner(log, rules, call, ev), other = ev;

		if (partner != NO_LOGGED_CALL && !told_before(log, rules, call, ev, partner) && !tell(arg, partner))
			return;
		partner = rules->rooted_all ? NO_LOGGED_CALL : instances_root(log, NULL, call, part);
		if (partner != NO_LOGGED_CALL && !tell(arg, partner))
			return;
		if (!ideal_meets(log, rules, call, part, &until))
			continue;
		while ((other = log->trace->match[other]) != ev && other != NO_EVENT) {
			partner = log->call_of[other];
			if (partner != NO_LOGGED_CALL && partner != call && log->calls[partner].start <= until && !tell(arg, partner))
				return;
		}
	}
}
