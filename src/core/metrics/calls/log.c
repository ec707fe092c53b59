#include "log.h"

#include "remote.h"
#include "core/base/search.h"
#include "gatherings.h"
#include "core/trace/mpi_functions.h"

#define PROBED_WITHIN 64 /* calls: a probe costs no more */

void call_log_free(struct call_log *log)
{
	if (!log)
		return;
	arena_release(&log->arena);
	mem_free(log->lists);
	mem_free(log->list_first);
	mem_free(log->calls);
	mem_free(log->flags);
	mem_free(log->call_of);
	mem_free(log->completed);
	mem_free(log->gathered);
	mem_free(log->neighbours);
	mem_free(log->late);
	mem_free(log->nodes);
	mem_free(log->stays);
	mem_free(log->pieces);
	call_clocks_release(&log->clocks);
	gatherings_free(log->gatherings);
	call_remote_free(log->remote);
	mem_free(log);
}

/* ---- asking ---- */

enum root_role call_log_root_role(const struct call_log *log, unsigned traits, uint32_t post)
{
	unsigned flags = log->flags[post];

	if (!(flags & CALL_ROOT_KNOWN))
		return ROOT_UNKNOWN;
	if (traits & MPI_FROM_ROOT)
		return flags & CALL_ROOT ? ROOT_FOR_NONE : ROOT_FOR_ROOT;
	if (traits & MPI_TO_ROOT)
		return flags & CALL_ROOT ? ROOT_FOR_ALL : ROOT_FOR_NONE;
	return ROOT_UNKNOWN;
}

struct call_part call_log_completed(const struct call_log *log, uint32_t call)
{
	uint32_t low = SEARCH_PAST(i, 0, log->completed_count, log->completed[i].call < call);

	if (low == log->completed_count || log->completed[low].call != call)
		return (struct call_part){NO_EVENT, NOT_COMPLETED};
	return (struct call_part){log->completed[low].event, low};
}

/* The message is what is received next, if by a call that does nothing else: behind another probe, or where what
 * was begun before completes, it could be another one. */
uint32_t call_log_probed(const struct call_log *log, uint32_t call)
{
	const struct call_list *list = &log->lists[call_log_list_of(log, call)];

	if (log->calls[call].first_event != NO_EVENT)
		return NO_EVENT;
	for (uint32_t c = call + 1; c < list->end && c - call <= PROBED_WITHIN; c++) {
		unsigned traits = log->nodes[log->calls[c].node].traits;
		uint32_t event = log->calls[c].first_event;

		if (traits & MPI_POSTS_AND_RECEIVES && !(traits & MPI_BLOCKING_SEND)) {
			while (event != NO_EVENT && EVENT_KIND(log->trace->type[event]) != EVENT_RECEIVE)
				event = call_log_next_event(log, c, event);
			return event;
		}
		if (traits & (MPI_PROBES | MPI_COMPLETES | MPI_POSTS_RECEIVE | MPI_POSTS_AND_RECEIVES | MPI_STARTS | MPI_STARTS_ALL))
			break;
	}
	return NO_EVENT;
}

uint32_t call_log_list_of(const struct call_log *log, uint32_t call)
{
	return SEARCH_LAST(i, 0, log->list_count, log->lists[i].first <= call);
}

uint32_t call_log_seek_event(const struct call_log *log, uint32_t call, uint32_t event)
{
	const struct trace *t = log->trace;
	uint32_t end = t->first[trace_process_of(t, event) + 1];
	const struct call_list *list = &log->lists[call_log_list_of(log, call)];

	for (event++; event < end; event++) {
		uint32_t of = log->call_of[event];

		if (of == call)
			return event;
		if (of > call && of < list->end)
			break;
	}
	return NO_EVENT;
}

void call_log_gap_nodes(const struct call_log *log, uint32_t list, uint32_t c,
			void (*tell)(void *arg, uint32_t node, double from, double to), void *arg)
{
	const struct call_list *l = &log->lists[list];
	double from = c == l->first ? l->start : log->calls[c - 1].end, to = c == l->end ? l->stop : log->calls[c].start;
	uint32_t low = SEARCH_PAST(i, l->first_piece, l->end_piece, log->pieces[i].call < c);

	for (; low < l->end_piece && log->pieces[low].call == c; low++) {
		tell(arg, log->pieces[low].node, from, log->pieces[low].until);
		from = log->pieces[low].until;
	}
	if (to > from)
		tell(arg, c == l->end ? l->last_node : log->nodes[log->calls[c].node].parent, from, to);
}

void call_log_account(const struct call_log *log, const double *sync, uint32_t list, struct account *a)
{
	const struct call_list *l = &log->lists[list];

	*a = (struct account){0};
	for (uint32_t c = l->first; c <= l->end; c++) {
		double gap = call_log_gap(log, l, c);

		a->by_kind[ACCOUNT_USEFUL] += gap;
		if (c == l->end)
			break;
		if (log->flags[c] & CALL_HIDDEN_BEFORE)
			a->hidden += gap;
		account_call(a, log->nodes[log->calls[c].node].time, log->calls[c].end - log->calls[c].start, sync ? sync[c] : 0);
	}
}
