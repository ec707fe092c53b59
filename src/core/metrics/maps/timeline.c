#include "maps.h"

#include <math.h>
#include <string.h>

#include "core/base/order.h"
#include "core/trace/calls.h"

/* --- making --- */

enum time_kind timeline_kind(const struct timeline *tl, const struct logged_call *call)
{
	static const enum time_kind kinds[ACCOUNT_KINDS] = {
		[ACCOUNT_SEND] = TIME_SEND, [ACCOUNT_RECEIVE] = TIME_RECEIVE, [ACCOUNT_WAIT] = TIME_WAIT, [ACCOUNT_COLLECTIVE] = TIME_COLLECTIVE,
		[ACCOUNT_OTHER_MPI] = TIME_OTHER_MPI, [ACCOUNT_UNTRACED] = TIME_OTHER_MPI, [ACCOUNT_TRACER] = TIME_TRACER,
	};

	return kinds[tl->log->nodes[call->node].time];
}

const char *timeline_call_name(const struct timeline *tl, const struct logged_call *call)
{
	const struct call_node *node = &tl->log->nodes[call->node];

	return node->time == ACCOUNT_TRACER ? time_kind_name(TIME_TRACER) : node->name;
}

/* Messages outside of any call are calls of the log, but no function that anybody is in. */
static bool is_lone_event(const struct call_log *log, const struct logged_call *call)
{
	const struct call_node *node = &log->nodes[call->node];

	return node->time != ACCOUNT_TRACER && !call_node_is_function(node);
}

ORDER_BY(by_start, struct logged_call, UP(start))

/* The calls of a process's threads in order, without overlap, within its records. */
static void settle_calls(struct timeline *tl, struct timeline_process *process)
{
	double past = process->start;
	uint32_t kept = 0;

	SORT(process->merged, process->count, by_start);
	for (uint32_t i = 0; i < process->count; i++) {
		struct logged_call c = process->merged[i];
		double end = fmin(c.end, process->end), start = fmax(c.start, past);

		if (end < past || c.start > process->end || (end == past && c.start < past)) {
			tl->lost++;
			continue;
		}
		tl->cut += start > c.start || end < c.end;
		c.start = start;
		c.end = past = end;
		process->merged[kept++] = c;
	}
	process->count = kept;
}

/* Of one thread they are the log's own, where all of them are functions. */
static enum err_code take_lists(struct timeline *tl, uint32_t p, struct err *e)
{
	const struct call_log *log = tl->log;
	struct timeline_process *process = &tl->processes[p];
	uint32_t first = log->list_first[p], end = log->list_first[p + 1], from = first < end ? log->lists[first].first : 0;
	uint32_t to = first < end ? log->lists[end - 1].end : from, kept = 0;
	bool clean = end - first < 2 && (from == to || log->calls[to - 1].end <= process->end);

	for (uint32_t c = from; clean && c < to; c++)
		clean = !is_lone_event(log, &log->calls[c]);
	process->calls = log->calls + from;
	process->count = to - from;
	if (clean)
		return ERR_OK;
	process->calls = process->merged = mem_alloc(to - from, sizeof *process->merged);
	if (!process->merged)
		return err_memory(e, "the timeline");
	for (uint32_t c = from; c < to; c++)
		if (!is_lone_event(log, &log->calls[c]))
			process->merged[kept++] = log->calls[c];
	process->count = kept;
	settle_calls(tl, process);
	return ERR_OK;
}

/* One process of a timeline, as its sums are told of it. */
struct timeline_row_of {
	const struct timeline *tl;
	const struct timeline_process *process;
};

static void add_call_time(const void *arg, uint32_t call, double t0, double t1, double *by_kind)
{
	const struct timeline_row_of *x = arg;
	const struct logged_call *c = &x->process->calls[call];

	by_kind[timeline_kind(x->tl, c)] += span_overlap(c->start, c->end, t0, t1);
}

#define BLOCK 64 /* events whose messages have one span */

/* The other end of a message that has both; NO_EVENT: none. */
static uint32_t partner(const struct trace *t, uint32_t ev)
{
	return EVENT_KIND(t->type[ev]) == EVENT_COLLECTIVE ? NO_EVENT : t->match[ev];
}

static enum err_code span_blocks(struct timeline *tl, const struct progress *progress, struct err *e)
{
	const struct trace *t = tl->trace;
	size_t blocks = (size_t)t->event_count / BLOCK + 1;

	tl->block_from = mem_alloc(blocks, sizeof *tl->block_from);
	tl->block_to = mem_alloc(blocks, sizeof *tl->block_to);
	if (!tl->block_from || !tl->block_to)
		return err_memory(e, "the timeline");
	for (size_t i = 0; i < blocks; i++) {
		tl->block_from[i] = INFINITY;
		tl->block_to[i] = -INFINITY;
	}
	for (uint32_t ev = 0; ev < t->event_count; ev++) {
		uint32_t other = partner(t, ev);

		if ((ev & 0xfffff) == 0 && progress_stopped(progress))
			return err_set(e, ERR_CANCELLED, "stopped while making the timeline");
		if (other == NO_EVENT)
			continue;
		tl->block_from[ev / BLOCK] = fmin(tl->block_from[ev / BLOCK], fmin(t->time[ev], t->time[other]));
		tl->block_to[ev / BLOCK] = fmax(tl->block_to[ev / BLOCK], fmax(t->time[ev], t->time[other]));
	}
	return ERR_OK;
}

enum err_code timeline_new(struct timeline **out, const struct call_log *log, const struct progress *progress, struct err *e)
{
	struct timeline *tl = mem_zero(1, sizeof *tl);
	const struct trace *t = log->trace;
	enum err_code code = ERR_OK;

	*out = NULL;
	if (!tl)
		return err_memory(e, "the timeline");
	tl->trace = t;
	tl->log = log;
	tl->known = trace_has_calls(t);
	tl->processes = mem_zero(t->process_count, sizeof *tl->processes);
	if (!tl->processes)
		code = err_memory(e, "the timeline");
	for (uint32_t p = 0; !code && p < t->process_count; p++) {
		struct timeline_process *process = &tl->processes[p];
		const struct timeline_row_of of = {tl, process};

		process->start = t->processes[p].start;
		process->end = t->processes[p].end;
		code = take_lists(tl, p, e);
		if (!code)
			code = span_sums_init(&process->sums, process->calls, process->count, TIME_KINDS, add_call_time, &of, progress, e);
		tl->calls += process->count;
	}
	if (!code)
		code = span_blocks(tl, progress, e);
	if (code)
		timeline_free(tl);
	else
		*out = tl;
	return code;
}

void timeline_free(struct timeline *tl)
{
	if (!tl)
		return;
	for (uint32_t p = 0; tl->processes && p < tl->trace->process_count; p++) {
		mem_free(tl->processes[p].merged);
		span_sums_release(&tl->processes[p].sums);
	}
	mem_free(tl->processes);
	mem_free(tl->block_from);
	mem_free(tl->block_to);
	mem_free(tl);
}

/* --- asking --- */

void timeline_row(const struct timeline *tl, uint32_t first, uint32_t last, double t0, double t1, uint32_t cells,
		  double (*share)[TIME_KINDS])
{
	double whole = (t1 - t0) / cells * (last - first + 1.0);

	memset(share, 0, cells * sizeof *share);
	for (uint32_t p = first; p <= last; p++) {
		const struct timeline_process *process = &tl->processes[p];
		const struct timeline_row_of of = {tl, process};
		uint32_t from = 0, end;

		for (uint32_t i = 0; i < cells; i++) {
			double begin = t0 + (t1 - t0) * i / cells, stop = t0 + (t1 - t0) * (i + 1) / cells, by_kind[TIME_KINDS] = {0};
			double left = span_overlap(process->start, process->end, begin, stop);

			span_sums_between(&process->sums, &from, &end, begin, stop, add_call_time, &of, by_kind);
			for (int k = 0; k < TIME_KINDS; k++) {
				by_kind[k] = fmax(by_kind[k], 0);
				left -= by_kind[k];
			}
			by_kind[TIME_COMPUTE] = tl->known ? fmax(left, 0) : 0;
			for (int k = 0; k < TIME_KINDS; k++)
				share[i][k] += by_kind[k] / whole;
		}
	}
}

uint32_t timeline_calls(const struct timeline *tl, uint32_t process, double t0, double t1, uint32_t *first)
{
	const struct span_sums *s = &tl->processes[process].sums;

	*first = span_first_ending(s, 0, t0);
	return span_first_beginning(s, *first, nextafter(t1, INFINITY)) - *first;
}

uint32_t timeline_call_at(const struct timeline *tl, uint32_t process, double t)
{
	const struct timeline_process *of_process = &tl->processes[process];
	uint32_t i = span_first_ending(&of_process->sums, 0, t);

	if (!of_process->count)
		return NO_CALL;
	if (i == of_process->count)
		return i - 1;
	if (i > 0 && t - of_process->calls[i - 1].end < of_process->calls[i].start - t)
		return i - 1;
	return i;
}

/* --- messages --- */

#define LOOKED_AT 2400 /* blocks of events at most */

/* A list that keeps evenly picked ones of more than it has room for. */
struct picked {
	struct timeline_message *out;
	uint32_t most, count;
	uint64_t seen, step;
};

static void picked_add_message(struct picked *picked, uint32_t send, uint32_t receive)
{
	if (picked->seen++ % picked->step != 0 || !picked->most)
		return;
	if (picked->count == picked->most) {
		/* Drop every second one, and from now on take only every second. */
		for (uint32_t i = 1; 2 * i < picked->count; i++)
			picked->out[i] = picked->out[2 * i];
		picked->count = (picked->count + 1) / 2;
		picked->step *= 2;
		if ((picked->seen - 1) % picked->step != 0 || picked->count == picked->most)
			return;
	}
	picked->out[picked->count++] = (struct timeline_message){send, receive};
}

struct timeline_messages timeline_messages(const struct timeline *tl, uint32_t first, uint32_t last, double t0,
					   double t1, struct timeline_message *out, uint32_t most)
{
	const struct trace *t = tl->trace;
	struct picked picked = {.out = out, .most = most, .step = 1};
	uint32_t from = t->first[first], to = t->first[last + 1];
	uint64_t candidates = 0, every, looked = 0;

	if (from == to)
		return (struct timeline_messages){0};
	for (uint32_t b = from / BLOCK; b <= (to - 1) / BLOCK; b++)
		candidates += tl->block_from[b] < t1 && tl->block_to[b] > t0;
	every = candidates / LOOKED_AT + 1;
	candidates = 0;
	for (uint32_t b = from / BLOCK; b <= (to - 1) / BLOCK; b++) {
		uint32_t ev = b * BLOCK > from ? b * BLOCK : from, end = to - b * BLOCK > BLOCK ? (b + 1) * BLOCK : to;

		if (!(tl->block_from[b] < t1 && tl->block_to[b] > t0) || candidates++ % every != 0)
			continue;
		looked++;
		for (; ev < end; ev++) {
			uint32_t other = partner(t, ev);
			bool send = EVENT_KIND(t->type[ev]) == EVENT_SEND;

			if (other == NO_EVENT ||
			    !(fmin(t->time[ev], t->time[other]) < t1 && fmax(t->time[ev], t->time[other]) > t0))
				continue;
			/* With both ends on these processes it is the send's. */
			if (send || other < from || other >= to)
				picked_add_message(&picked, send ? ev : other, send ? other : ev);
		}
	}
	if (looked < candidates)
		picked.seen = (uint64_t)((double)picked.seen * (double)candidates / (double)looked);
	return (struct timeline_messages){picked.count, picked.seen, looked < candidates};
}
