#include "fit.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"
#include "fit_int.h"

#define OFTEN 4096 /* calls between two looks at progress */

static const char *const parameter_names[] = {"bytes", "p"};

/* A run while it is gone through. */
struct measured_run {
	const struct call_log *log;
	const struct trace *trace;
	const struct progress *progress;
	struct trace_points points;
	uint8_t *op;             /* per node: enum trace_op, TRACE_OPS: none of them */
	uint64_t *seen;          /* a bit per event: of collectives that were gone round */
	struct measured_sets sets; /* of `recv`, by where; the fits need them */
	struct measurements recv;
	bool have_recv, have_sets;
	struct fit fit[WHERES];
	bool fitted[WHERES];
	uint64_t backwards, unsized; /* messages that came before they were sent; collectives whose bytes are not known */
};

/* ---- what a call is ---- */

/* Calls that are receives, however they are called, are known by their events. */
static enum trace_op op_of(const struct call_node *node)
{
	size_t n;

	if (node->kind != NODE_MPI || strncmp(node->name, "MPI_", 4) != 0)
		return TRACE_OPS;
	n = strlen(node->name + 4);
	if (n > 2 && !strcmp(node->name + 4 + n - 2, "_c"))
		n -= 2;
	for (enum trace_op op = 0; op < TRACE_OPS; op++) {
		const char *name = trace_op_name(op);

		if (op != TRACE_recv && op != TRACE_copy && strlen(name) == n && !strncasecmp(name, node->name + 4, n))
			return op;
	}
	return TRACE_OPS;
}

static bool is_collective(enum trace_op op)
{
	return op > TRACE_copy && op < TRACE_OPS;
}

static enum trace_where where_of(const struct trace *t, uint32_t a, uint32_t b)
{
	const char *x = t->processes[a].host, *y = t->processes[b].host;

	if (!x || !y)
		return WHERE_UNKNOWN;
	return strcmp(x, y) ? WHERE_INTER : WHERE_INTRA;
}

static double length_of(const struct logged_call *call)
{
	return call->end - call->start;
}

/* The only event of a call; NO_EVENT: it has none, or several. */
static uint32_t only_event(const struct call_log *log, uint32_t call)
{
	uint32_t event = log->calls[call].first_event;

	if (event == NO_EVENT || log->flags[call] & (CALL_WITHOUT_END | CALL_COMPLETES))
		return NO_EVENT;
	return call_log_next_event(log, call, event) == NO_EVENT ? event : NO_EVENT;
}

/* ---- messages ---- */

static enum err_code take_send(struct measured_run *r, uint32_t call, uint32_t process, enum trace_op op, struct err *e)
{
	const struct trace *t = r->trace;
	uint32_t event = only_event(r->log, call), other;

	if (event == NO_EVENT || EVENT_KIND(t->type[event]) != EVENT_SEND || t->match[event] == NO_EVENT || trace_size(t, event) == SIZE_UNKNOWN)
		return ERR_OK;
	other = trace_process_of(t, t->match[event]);
	if (other == process)
		return ERR_OK;
	return trace_points_add(&r->points, op, where_of(t, process, other), trace_size(t, event), 2, length_of(&r->log->calls[call]), e);
}

/* A message whose receiving call makes nothing else. */
struct measured_message {
	double sent, received;
	uint64_t bytes;
	enum trace_where where;
};

static bool message_of(const struct measured_run *r, uint32_t call, uint32_t process, struct measured_message *m)
{
	const struct trace *t = r->trace;
	uint32_t event = only_event(r->log, call), send, from;

	if (event == NO_EVENT || EVENT_KIND(t->type[event]) != EVENT_RECEIVE || t->match[event] == NO_EVENT || trace_size(t, event) == SIZE_UNKNOWN)
		return false;
	send = t->match[event];
	from = trace_process_of(t, send);
	*m = (struct measured_message){call_log_event_time(r->log, send), call_log_event_time(r->log, event), trace_size(t, event),
			      where_of(t, from, process)};
	return from != process;
}

static enum err_code take_recv(struct measured_run *r, uint32_t call, uint32_t process, struct err *e)
{
	struct measured_message m;

	if (!message_of(r, call, process, &m) || r->log->calls[call].start > m.sent)
		return ERR_OK;
	if (m.received < m.sent) {
		r->backwards++;
		return ERR_OK;
	}
	return trace_points_add(&r->points, TRACE_recv, m.where, m.bytes, 2, m.received - m.sent, e);
}

static enum err_code take_copy(struct measured_run *r, uint32_t call, uint32_t process, struct err *e)
{
	struct fit_value took;
	struct measured_message m;
	double at[1];

	if (!message_of(r, call, process, &m) || !r->fitted[m.where])
		return ERR_OK;
	at[0] = (double)m.bytes;
	fit_at(&r->fit[m.where], at, &took);
	if (isnan(took.value) || r->log->calls[call].start < m.sent + fmax(0, took.value))
		return ERR_OK;
	return trace_points_add(&r->points, TRACE_copy, m.where, m.bytes, 2, length_of(&r->log->calls[call]), e);
}

/* ---- collectives ---- */

/* What all members of an instance say together. */
struct measured_instance {
	double last;           /* entry */
	double ends;           /* sum of all */
	uint32_t members;
	uint64_t bytes;
	enum trace_where where;
	bool whole, sized;
};

static struct measured_instance go_round(struct measured_run *r, uint32_t first, uint32_t process, enum trace_op op)
{
	const struct trace *t = r->trace;
	struct measured_instance x = {.last = -INFINITY, .where = WHERE_INTRA, .whole = true};
	uint32_t event = first;

	do {
		uint32_t call = r->log->call_of[event], member = trace_process_of(t, event);
		enum trace_where where = where_of(t, process, member);

		r->seen[event >> 6] |= UINT64_C(1) << (event & 63);
		x.members++;
		x.where = where > x.where ? where : x.where;
		if (call == NO_LOGGED_CALL || only_event(r->log, call) != event || r->op[r->log->calls[call].node] != op)
			x.whole = false;
		else
			x.last = fmax(x.last, r->log->calls[call].start);
		if (trace_size(t, event) != SIZE_UNKNOWN) {
			x.sized = true;
			x.bytes = trace_size(t, event) > x.bytes ? trace_size(t, event) : x.bytes;
		}
		event = t->match[event];
	} while (event != first && event != NO_EVENT);
	x.whole = x.whole && event == first;
	for (event = first; x.whole;) {
		x.ends += fmax(0, r->log->calls[r->log->call_of[event]].end - x.last);
		event = t->match[event];
		if (event == first)
			break;
	}
	return x;
}

static enum err_code take_collective(struct measured_run *r, uint32_t call, uint32_t process, enum trace_op op, struct err *e)
{
	const struct trace *t = r->trace;
	uint32_t event = only_event(r->log, call), size;
	struct measured_instance x;

	if (event == NO_EVENT || EVENT_KIND(t->type[event]) != EVENT_COLLECTIVE || r->seen[event >> 6] >> (event & 63) & 1)
		return ERR_OK;
	x = go_round(r, event, process, op);
	size = t->comms[trace_comm(t, event)].size;
	if (!x.whole || x.members < 2 || x.members != size)
		return ERR_OK;
	if (op == TRACE_barrier)
		x.bytes = 0;
	else if (!x.sized)
		r->unsized++;
	/* The trace has what a member, or the root, gives to all together. */
	if (op == TRACE_scatter || op == TRACE_alltoall)
		x.bytes /= size;
	if (op != TRACE_barrier && !x.sized)
		return ERR_OK;
	return trace_points_add(&r->points, op, x.where, x.bytes, size, x.ends / x.members, e);
}

/* ---- a run ---- */

static enum err_code take_call(struct measured_run *r, uint32_t call, uint32_t process, bool copies, struct err *e)
{
	enum trace_op op = r->op[r->log->calls[call].node];

	if (r->log->flags[call] & CALL_WITHOUT_END)
		return ERR_OK;
	if (copies)
		return take_copy(r, call, process, e);
	if (is_collective(op))
		return take_collective(r, call, process, op, e);
	return op != TRACE_OPS ? take_send(r, call, process, op, e) : take_recv(r, call, process, e);
}

static enum err_code measures_walk_calls(struct measured_run *r, bool copies, struct err *e)
{
	const struct call_log *log = r->log;
	enum err_code code = ERR_OK;

	for (uint32_t l = 0; !code && l < log->list_count; l++)
		for (uint32_t c = log->lists[l].first; !code && c < log->lists[l].end; c++) {
			if (c % OFTEN == 0 && progress_step(r->progress, PROGRESS_METRICS, c, log->call_count, e))
				return e->code;
			/* Calls of no node are of no length: messages outside of any. */
			if (call_node_is_function(&log->nodes[log->calls[c].node]))
				code = take_call(r, c, log->lists[l].process, copies, e);
		}
	return code;
}

/* May times between two hosts be taken from this run's clocks? Said if not. */
static enum err_code clocks_allow(const struct measured_run *r, enum trace_op op, enum trace_where where, const char *file, struct out *notes,
				  bool *allowed, struct err *e)
{
	double error = r->trace->clock_error, median;
	enum err_code code = trace_points_median(&r->points, op, where, &median, e);
	char name[32];

	*allowed = where == WHERE_INTRA || op == TRACE_send || op == TRACE_isend || isnan(median);
	if (code || *allowed)
		return code;
	*allowed = error > 0 && error <= TRACE_CLOCKS_SHARE * median;
	trace_group_name(op, where, name, sizeof name);
	if (!*allowed && error > 0)
		out_printf(notes, "%s: %s is not fitted: the clock error, up to %.3g us, exceeds a tenth of its time, %.3g us\n", file,
			   name, error * 1e6, median * 1e6);
	else if (!*allowed)
		out_printf(notes, "%s: %s is not fitted: the trace has no clock error for %s\n", file, name,
			   where == WHERE_INTER ? "its nodes" : "its ranks, whose nodes are unknown");
	return ERR_OK;
}

/* What a message takes in this run, if there are enough. */
static enum err_code fit_recv(struct measured_run *r, const bool *allowed, struct err *e)
{
	enum err_code code = measurements_init(&r->recv, parameter_names, 1, e);
	enum trace_where of_set[WHERES];
	uint32_t sets = 0;

	r->have_recv = !code;
	for (enum trace_where w = 0; !code && w < WHERES; w++)
		if (allowed[w] && trace_points_rows(&r->points, TRACE_recv, w) >= TRACE_ROWS_ENOUGH) {
			code = trace_points_tell(&r->points, TRACE_recv, w, &r->recv, e);
			of_set[sets++] = w;
		}
	if (!code)
		code = measurements_sets(&r->recv, VALUE_MEAN, &r->sets, e);
	r->have_sets = !code;
	for (uint32_t i = 0; !code && i < sets; i++) {
		struct fit_points points = measured_set_points(&r->sets.set[i]);

		code = fit_make(&r->fit[of_set[i]], &points, &(struct fit_options){0}, r->progress, e);
		r->fitted[of_set[i]] = !code;
	}
	return code;
}

static void run_release(struct measured_run *r)
{
	for (enum trace_where w = 0; w < WHERES; w++)
		if (r->fitted[w])
			fit_release(&r->fit[w]);
	if (r->have_sets)
		measured_sets_release(&r->sets);
	if (r->have_recv)
		measurements_release(&r->recv);
	trace_points_release(&r->points);
	mem_free(r->op);
	mem_free(r->seen);
}

static enum err_code run_init(struct measured_run *r, const struct call_log *log, const struct progress *progress, struct err *e)
{
	enum err_code code;

	*r = (struct measured_run){.log = log, .trace = log->trace, .progress = progress, .op = mem_alloc(log->node_count, sizeof *r->op),
			  .seen = mem_zero((size_t)log->trace->event_count / 64 + 1, sizeof *r->seen)};
	code = r->op && r->seen ? trace_points_init(&r->points, e) : err_memory(e, "the trace's measurements");
	for (uint32_t n = 0; !code && n < log->node_count; n++)
		r->op[n] = (uint8_t)op_of(&log->nodes[n]);
	return code;
}

static enum err_code measures_join(struct trace_measures *to, const struct measured_run *r, const char *file, struct err *e)
{
	enum err_code code = ERR_OK;

	for (enum trace_op op = 0; !code && op < TRACE_OPS; op++)
		for (enum trace_where w = 0; !code && w < WHERES; w++) {
			bool allowed = op == TRACE_copy; /* what it waits for was looked at */

			if (!allowed)
				code = clocks_allow(r, op, w, file, &to->notes, &allowed, e);
			if (!code && allowed)
				code = trace_points_join(&to->points, &r->points, op, w, e);
		}
	if (r->backwards)
		out_printf(&to->notes, "%s: ignored %llu message%s that arrived before being sent (clock violation%s)\n", file,
			   (unsigned long long)r->backwards, r->backwards == 1 ? "" : "s", r->backwards == 1 ? "" : "s");
	if (r->unsized)
		out_printf(&to->notes, "%s: ignored %llu collective%s of unknown size\n", file, (unsigned long long)r->unsized,
			   r->unsized == 1 ? "" : "s");
	return !code && to->notes.failed ? err_memory(e, "the trace's measurements") : code;
}

enum err_code trace_measures_add(struct trace_measures *to, const struct call_log *log, const struct progress *progress, struct err *e)
{
	struct out unsaid;
	struct measured_run r;
	bool allowed[WHERES];
	char file[256];
	enum err_code code = run_init(&r, log, progress, e);

	text_safe(file, sizeof file, log->trace->file_count ? log->trace->files[0].path : "the trace", SIZE_MAX, TEXT_UTF8);
	out_init(&unsaid);
	if (!code)
		code = measures_walk_calls(&r, false, e);
	for (enum trace_where w = 0; !code && w < WHERES; w++)
		code = clocks_allow(&r, TRACE_recv, w, file, &unsaid, &allowed[w], e);
	out_release(&unsaid);
	if (!code)
		code = fit_recv(&r, allowed, e);
	if (!code && (r.fitted[WHERE_INTRA] || r.fitted[WHERE_INTER] || r.fitted[WHERE_UNKNOWN]))
		code = measures_walk_calls(&r, true, e);
	if (!code)
		code = measures_join(to, &r, file, e);
	run_release(&r);
	return code;
}

/* ---- all of them ---- */

enum err_code trace_measures_init(struct trace_measures *r, struct err *e)
{
	*r = (struct trace_measures){0};
	out_init(&r->notes);
	return trace_points_init(&r->points, e);
}

void trace_measures_release(struct trace_measures *r)
{
	trace_points_release(&r->points);
	out_release(&r->notes);
}

enum err_code trace_measures_take(struct trace_measures *r, struct measurements *m, struct err *e)
{
	enum err_code code = measurements_init(m, parameter_names, 2, e);
	char name[32];

	if (code)
		return code;
	trace_points_sort(&r->points);
	for (enum trace_op op = 0; !code && op < TRACE_OPS; op++)
		for (enum trace_where w = 0; !code && w < WHERES; w++) {
			uint64_t rows = trace_points_rows(&r->points, op, w);

			if (rows >= TRACE_ROWS_ENOUGH)
				code = trace_points_tell(&r->points, op, w, m, e);
			else if (rows)
				out_printf(&r->notes, "%s is not fitted: the trace has %llu time%s, but %d are needed\n",
					   trace_group_name(op, w, name, sizeof name), (unsigned long long)rows, rows == 1 ? "" : "s",
					   TRACE_ROWS_ENOUGH);
		}
	if (!code && r->notes.failed)
		code = err_memory(e, "the trace's measurements");
	if (!code && !m->rows)
		code = err_set(e, ERR_FORMAT, "nothing to fit: no send, receive or collective has %d usable times",
			       TRACE_ROWS_ENOUGH);
	if (code)
		measurements_release(m);
	return code;
}
