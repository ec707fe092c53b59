/* Time-independent traces for SimGrid's smpirun -replay (docs/reference/formats.md, "TIT output"): the operations of
 * each rank without times, so that a simulator can apply the times of any machine.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/number.h"
#include "tit_int.h"

#define POLL 0x3fff

/* A send that has not been waited for. */
struct pending_send {
	uint32_t lt;           /* Lamport time of its receive */
	uint32_t event;
};

/* The file of a rank. */
struct tit_writing {
	struct convert_run *run;
	const struct tit_plan *plan;
	struct convert_file *file;
	uint32_t process;
	struct pending_send *pending; /* a heap: the one to be waited for first is the first */
	uint32_t pending_count;
	size_t pending_cap;
	double seconds;        /* of computing that has not been written */
	uint32_t next;         /* event */
	uint64_t records;      /* of all ranks */
};

/* ---- lines ---- */

static void tit_put_text(struct tit_writing *w, const char *text)
{
	convert_file_write(w->file, text, strlen(text));
}

static void put_number(struct tit_writing *w, uint64_t n)
{
	char text[1 + NUMBER_TEXT];

	text[0] = ' ';
	convert_file_write(w->file, text, number_whole(n, text + 1) + 1);
}

static void begin_line(struct tit_writing *w, const char *action)
{
	char text[NUMBER_TEXT];

	convert_file_write(w->file, text, number_whole(w->process, text));
	tit_put_text(w, " ");
	tit_put_text(w, action);
}

static void tit_put_line(struct tit_writing *w, const char *action, unsigned count, uint64_t a, uint64_t b, uint64_t c)
{
	const uint64_t numbers[3] = {a, b, c};

	begin_line(w, action);
	for (unsigned i = 0; i < count; i++)
		put_number(w, numbers[i]);
	tit_put_text(w, "\n");
}

static void compute(struct tit_writing *w)
{
	double work = round(w->seconds * w->run->rate);

	w->seconds = 0;
	if (work >= 1)
		tit_put_line(w, "compute", 1, work < 1.8e19 ? (uint64_t)work : UINT64_MAX, 0, 0);
}

/* ---- waits ---- */

static bool pending_is_before(const struct pending_send *a, const struct pending_send *b)
{
	return a->lt != b->lt ? a->lt < b->lt : a->event < b->event;
}

static bool pending_push(struct tit_writing *w, struct pending_send one)
{
	struct pending_send *heap = mem_grow(w->pending, w->pending_count, &w->pending_cap, sizeof *heap);
	uint32_t at = w->pending_count;

	if (!heap)
		return false;
	w->pending = heap;
	w->pending_count++;
	for (; at && pending_is_before(&one, &heap[(at - 1) / 2]); at = (at - 1) / 2)
		heap[at] = heap[(at - 1) / 2];
	heap[at] = one;
	return true;
}

static uint32_t pending_pop(struct tit_writing *w)
{
	struct pending_send *heap = w->pending, last = heap[--w->pending_count];
	uint32_t event = heap[0].event, at = 0;

	for (uint32_t child; (child = 2 * at + 1) < w->pending_count; at = child) {
		if (child + 1 < w->pending_count && pending_is_before(&heap[child + 1], &heap[child]))
			child++;
		if (!pending_is_before(&heap[child], &last))
			break;
		heap[at] = heap[child];
	}
	heap[at] = last;
	return event;
}

static uint32_t partner(const struct trace *t, uint32_t event)
{
	return EVENT_INDEX(t->type[event]) - 1;
}

/* Before what is at that Lamport time: those whose receives are at an earlier one. */
static void wait_before(struct tit_writing *w, uint64_t lt)
{
	while (w->pending_count && w->pending[0].lt < lt) {
		uint32_t event = pending_pop(w);

		tit_put_line(w, "wait", 3, w->process, partner(w->run->trace, event), w->plan->value[event]);
	}
}

/* ---- collectives ---- */

/* What follows an action's name: b bytes, p a rank's part of them, * that of each rank, r root, 0 a zero (no computing). */
static const struct {
	const char *op, *action, *numbers;
} actions[] = {
	{"barrier", "barrier", ""},
	{"bcast", "bcast", "br"},
	{"reduce", "reduce", "b0r"},
	{"allreduce", "allreduce", "b0"},
	{"gather", "gather", "bbr"},
	{"gatherv", "gather", "bbr"},
	{"allgather", "allgather", "bb"},
	{"allgatherv", "allgather", "bb"},
	{"scatter", "scatter", "ppr"},
	{"scatterv", "scatter", "ppr"},
	{"alltoall", "alltoall", "pp"},
	{"alltoallv", "alltoall", "pp"},
	{"alltoallw", "alltoall", "pp"},
	{"reduce_scatter", "reducescatter", "*0"},
	{"reduce_scatter_block", "reducescatter", "*0"},
	{"scan", "scan", "b0"},
	{"exscan", "exscan", "b0"},
	{NULL, NULL, NULL},
};

/* Nonblocking ones are as blocking ones at their place. Others, over neighbours, are as those that no action is of:
 * -1. */
static int action_of(const char *op)
{
	char name[32];
	size_t n = strlen(op);

	if (n > 2 && !strcmp(op + n - 2, "_c"))
		n -= 2;
	if (n > 1 && op[0] == 'I' && op[1] >= 'a' && op[1] <= 'z') {
		op++;
		n--;
	}
	if (n >= sizeof name)
		return -1;
	memcpy(name, op, n);
	name[n] = '\0';
	if (name[0] >= 'A' && name[0] <= 'Z')
		name[0] = (char)(name[0] - 'A' + 'a');
	for (int i = 0; actions[i].op; i++)
		if (!strcmp(name, actions[i].op))
			return i;
	return -1;
}

static void put_all(struct tit_writing *w, int action, uint64_t bytes, uint32_t root)
{
	uint32_t p = w->run->trace->process_count;

	begin_line(w, actions[action].action);
	for (const char *number = actions[action].numbers; *number; number++)
		for (uint32_t i = 0; i < (*number == '*' ? p : 1); i++)
			put_number(w, *number == 'b' ? bytes : *number == 'r' ? root : *number == '0' ? 0 : bytes / p);
	tit_put_text(w, "\n");
}

/* All send to the first, which sends the largest back. */
static void put_part(struct tit_writing *w, uint32_t event)
{
	const struct trace *t = w->run->trace;
	uint32_t first = w->plan->value[event], most = tit_bytes(trace_size(t, first));

	if (event != first) {
		uint32_t to = trace_process_of(t, first);

		tit_put_line(w, "isend", 3, to, TIT_TAGS, tit_bytes(trace_size(t, event)));
		tit_put_line(w, "recv", 3, to, TIT_TAGS + 1, 0);
		tit_put_line(w, "wait", 3, w->process, to, TIT_TAGS);
		return;
	}
	for (uint32_t at = t->match[first]; at != first; at = t->match[at]) {
		uint32_t bytes = tit_bytes(trace_size(t, at));

		most = bytes > most ? bytes : most;
		tit_put_line(w, "recv", 3, trace_process_of(t, at), TIT_TAGS, bytes);
	}
	for (uint32_t at = t->match[first]; at != first; at = t->match[at])
		tit_put_line(w, "isend", 3, trace_process_of(t, at), TIT_TAGS + 1, most);
	for (uint32_t at = t->match[first]; at != first; at = t->match[at])
		tit_put_line(w, "wait", 3, w->process, trace_process_of(t, at), TIT_TAGS + 1);
}

static void put_collective(struct tit_writing *w, uint32_t event, uint32_t root)
{
	const struct trace *t = w->run->trace;
	int action = action_of(t->colls[EVENT_INDEX(t->type[event])].op);

	w->run->events[2]++;
	if (w->plan->fate[event] == TIT_WORLD && action >= 0)
		put_all(w, action, w->plan->value[event], root == NO_PROCESS ? 0 : root);
	else
		put_part(w, event);
}

/* ---- a rank ---- */

/* What is not known, after the last event, is left out. */
static double computed_after(const struct trace *t, uint32_t event)
{
	return isnan(t->compute[event]) ? 0 : t->compute[event];
}

static bool put_event(struct tit_writing *w, uint32_t event, uint32_t root)
{
	const struct trace *t = w->run->trace;
	uint32_t kind = EVENT_KIND(t->type[event]);
	bool kept = w->plan->fate[event] != TIT_LEFT_OUT;

	/* The computation of those that are left out stays. */
	for (; w->next < event; w->next++)
		w->seconds += computed_after(t, w->next);
	if (kept) {
		compute(w);
		wait_before(w, w->run->lamport[event]);
	}
	w->seconds += computed_after(t, event);
	w->next = event + 1;
	if (!kept)
		return true;
	if (kind == EVENT_COLLECTIVE) {
		put_collective(w, event, root);
		return true;
	}
	w->run->events[kind == EVENT_RECEIVE]++;
	tit_put_line(w, kind == EVENT_SEND ? "isend" : "recv", 3, partner(t, event), w->plan->value[event], tit_bytes(trace_size(t, event)));
	return kind == EVENT_RECEIVE || pending_push(w, (struct pending_send){w->run->lamport[t->match[event]], event});
}

/* Up to its first event a process computes where it is in no call. */
struct prelude {
	bool seen, over;
	double last;
	uint32_t depth;
};

static void before_first(struct tit_writing *w, struct prelude *x, const struct record *r, const struct record_state *states)
{
	if (x->over)
		return;
	if (x->seen && !x->depth && r->time > x->last)
		w->seconds += r->time - x->last;
	x->seen = true;
	x->last = r->time;
	x->over = r->kind == RECORD_EVENT;
	if (r->kind == RECORD_ENTER && (states[r->state].mpi || states[r->state].tracer))
		x->depth++;
	else if (r->kind == RECORD_LEAVE && (states[r->state].mpi || states[r->state].tracer) && x->depth)
		x->depth--;
}

static enum err_code write_records(struct tit_writing *w, struct record_cursor *cursor, struct err *e)
{
	const struct trace *t = w->run->trace;
	uint32_t count;
	const struct record_state *states = record_log_states(w->run->log, &count);
	struct prelude prelude = {.depth = 0};
	struct record r;
	uint64_t entered = 0;

	w->seconds = 0;
	w->next = t->first[w->process];
	tit_put_line(w, "init", 0, 0, 0, 0);
	while (record_cursor_next(cursor, &r)) {
		before_first(w, &prelude, &r, states);
		entered += r.kind == RECORD_ENTER;
		if (r.kind == RECORD_EVENT && !put_event(w, r.event, r.root))
			return err_memory(e, "the actions");
		if ((++w->records & POLL) != 0)
			continue;
		if (convert_file_failed(w->file))
			break;
		if (progress_step(w->run->progress, PROGRESS_WRITE, w->records, t->record_count, e))
			return e->code;
	}
	if (cursor->err.code) {
		*e = cursor->err;
		return e->code;
	}
	for (; w->next < t->first[w->process + 1]; w->next++)
		w->seconds += computed_after(t, w->next);
	compute(w);
	wait_before(w, UINT64_MAX);
	tit_put_line(w, "finalize", 0, 0, 0, 0);
	convert_lost(w->run, "states", entered);
	return ERR_OK;
}

static enum err_code write_rank(struct tit_writing *w, struct err *e)
{
	struct record_cursor cursor;
	char name[16 + NUMBER_TEXT];
	struct err closing;
	enum err_code code, closed;

	strcpy(name, "rank-");
	strcpy(name + 5 + number_whole(w->process, name + 5), ".txt");
	code = record_cursor_init(&cursor, w->run->log, w->process, e);
	if (!code)
		code = convert_file_open(&w->file, w->run->output, name, e);
	if (code) {
		record_cursor_release(&cursor);
		return code;
	}
	code = write_records(w, &cursor, e);
	record_cursor_release(&cursor);
	w->pending_count = 0;
	closed = convert_file_close(w->file, &closing);
	if (code || !closed)
		return code;
	*e = closing;
	return closed;
}

/* ---- what the replay is told beside them ---- */

static void put_ranks(struct convert_file *file, const struct convert_run *run)
{
	for (uint32_t p = 0; p < run->trace->process_count; p++)
		convert_file_printf(file, "rank-%u.txt\n", p);
}

static void put_hosts(struct convert_file *file, const struct convert_run *run)
{
	for (uint32_t p = 0; p < run->trace->process_count; p++)
		convert_file_printf(file, "host-%u\n", p);
}

static void put_platform(struct convert_file *file, const struct convert_run *run)
{
	char rate[NUMBER_TEXT];

	number_format(run->rate, rate);
	convert_file_printf(file, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
			    "  <cluster id=\"cluster\" prefix=\"host-\" suffix=\"\" radical=\"0-%u\" speed=\"%sf\" bw=\"1.25GBps\" lat=\"10us\"/>\n"
			    "</platform>\n", run->trace->process_count - 1, rate);
}

static enum err_code put_file(struct convert_run *run, const char *name, void (*put)(struct convert_file *, const struct convert_run *),
			      struct err *e)
{
	struct convert_file *file;
	enum err_code code = convert_file_open(&file, run->output, name, e);

	if (code)
		return code;
	put(file, run);
	return convert_file_close(file, e);
}

static enum err_code write_tit(struct convert_run *run, struct err *e)
{
	struct tit_plan plan;
	struct tit_writing w = {.run = run, .plan = &plan};
	enum err_code code = tit_plan_init(&plan, run, e);

	for (w.process = 0; !code && w.process < run->trace->process_count; w.process++)
		code = write_rank(&w, e);
	if (!code)
		code = put_file(run, "ranks.txt", put_ranks, e);
	if (!code)
		code = put_file(run, "hosts.txt", put_hosts, e);
	if (!code)
		code = put_file(run, "platform.xml", put_platform, e);
	if (!code)
		convert_lost(run, "times of events", run->events[0] + run->events[1] + run->events[2]);
	mem_free(w.pending);
	tit_plan_release(&plan);
	return code;
}

const struct format_writer tit_writer = {
	.to = "tit",
	.what = "TIT, a time-independent trace for SimGrid's smpirun -replay",
	.sign = "ranks.txt",
	.makes = "ranks.txt rank-#.txt platform.xml hosts.txt",
	.takes = CONVERT_TAKES_RATE | CONVERT_TAKES_LAMPORT,
	.write = write_tit,
};
