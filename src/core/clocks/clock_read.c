#include "clock_read.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/formats/load.h"
#include "core/io/source.h"
#include "core/trace/trace_make.h"

#define ENOUGH 1000  /* records from which on a clock's resolution shows */
#define NEARLY 5e-9  /* s: so close to a whole microsecond is one */
#define MOST 0.99    /* of the differences */

#define NONE UINT32_MAX

/* A thread of a process. */
struct thread_reading {
	int32_t thread;
	uint32_t depth;       /* of MPI calls */
	uint32_t starting;    /* of calls that start persistent requests */
	double began;         /* the outermost call: when, and by which record */
	uint32_t began_record;
	uint32_t held;        /* entry of a collective that is not over; NONE */
};

struct process_reading {
	struct thread_reading *threads;
	uint32_t thread_count, now; /* now: of the record that is told */
	size_t thread_cap;
	struct clock_event_time *sent, *held; /* event: its number within the process */
	uint32_t sent_count, held_count, step_count;
	size_t sent_cap, held_cap, step_cap;
	struct clock_step *steps;
	uint32_t events;
	double time, last;
	uint64_t records, differences, whole; /* whole: differences of whole microseconds */
};

struct reading {
	const struct trace *trace;
	struct process_reading *process;
	struct make_kind *kinds; /* a copy */
	bool *holds;             /* per type of collective */
};

static bool holds_all(const char *op)
{
	static const char *const names[] = {"Barrier", "Allreduce", "Allgather", "Alltoall", "Reduce_scatter_block"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(op, names[i]))
			return true;
	return false;
}

static void forget(struct reading *r)
{
	for (uint32_t p = 0; r->process && p < r->trace->process_count; p++) {
		mem_free(r->process[p].threads);
		mem_free(r->process[p].sent);
		mem_free(r->process[p].held);
		mem_free(r->process[p].steps);
		r->process[p] = (struct process_reading){0};
	}
}

static bool begin(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct reading *r = arg;

	(void)processes;
	forget(r);
	mem_free(r->kinds);
	r->kinds = mem_alloc(count, sizeof *kinds);
	if (r->kinds && count)
		memcpy(r->kinds, kinds, count * sizeof *kinds);
	return r->kinds != NULL;
}

/* Files that have changed may have more processes. */
static struct process_reading *process_of(struct reading *r, uint32_t process)
{
	return process < r->trace->process_count ? &r->process[process] : NULL;
}

static bool take_thread(struct process_reading *p, int32_t thread)
{
	struct thread_reading *grown;

	for (uint32_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].thread == thread) {
			p->now = i;
			return true;
		}
	grown = mem_grow(p->threads, p->thread_count, &p->thread_cap, sizeof *grown);
	if (!grown)
		return false;
	p->threads = grown;
	p->now = p->thread_count++;
	grown[p->now] = (struct thread_reading){.thread = thread, .held = NONE};
	return true;
}

static bool record(void *arg, uint32_t process, int32_t thread, double time)
{
	struct process_reading *p = process_of(arg, process);
	double apart;

	if (!p)
		return true;
	apart = (time - p->last) * 1e6;
	if (p->records++ && apart != 0) {
		p->differences++;
		p->whole += fabs(apart - nearbyint(apart)) <= NEARLY * 1e6;
	}
	p->last = p->time = time;
	return (p->thread_count && p->threads[p->now].thread == thread) || take_thread(p, thread);
}

static uint32_t this_record(const struct process_reading *p)
{
	return (uint32_t)(p->records - 1);
}

static bool enter(void *arg, uint32_t process, uint32_t kind)
{
	struct reading *r = arg;
	struct process_reading *p = process_of(r, process);
	struct thread_reading *t;

	if (!p || !r->kinds[kind].total.mpi)
		return true;
	t = &p->threads[p->now];
	if (!t->depth++) {
		t->began = p->time;
		t->began_record = this_record(p);
	}
	t->starting += r->kinds[kind].starts;
	return true;
}

static bool leave(void *arg, uint32_t process, uint32_t kind)
{
	struct reading *r = arg;
	struct process_reading *p = process_of(r, process);
	struct thread_reading *t;

	if (!p || !r->kinds[kind].total.mpi)
		return true;
	t = &p->threads[p->now];
	t->starting -= t->starting && r->kinds[kind].starts;
	if (!t->depth || --t->depth)
		return true;
	if (t->held != NONE) {
		p->held[t->held].time = p->time;
		p->held[t->held].record = this_record(p);
	}
	t->held = NONE;
	return true;
}

static struct clock_event_time *append(struct clock_event_time **list, uint32_t *count, size_t *cap, struct clock_event_time one)
{
	struct clock_event_time *grown = mem_grow(*list, *count, cap, sizeof *grown);

	if (!grown)
		return NULL;
	*list = grown;
	grown[*count] = one;
	return &grown[(*count)++];
}

static bool event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	struct reading *r = arg;
	struct process_reading *p = process_of(r, process);
	struct thread_reading *t;

	(void)time;
	if (!p)
		return true;
	t = &p->threads[p->now];
	p->events = number + 1;
	if (EVENT_KIND(type) == EVENT_SEND && t->starting)
		return append(&p->sent, &p->sent_count, &p->sent_cap,
			      (struct clock_event_time){number, t->began_record, t->began}) != NULL;
	if (EVENT_KIND(type) != EVENT_COLLECTIVE || t->depth != 1 || EVENT_INDEX(type) >= r->trace->coll_count ||
	    !r->holds[EVENT_INDEX(type)])
		return true;
	t->held = p->held_count; /* until it ends it holds nobody */
	return append(&p->held, &p->held_count, &p->held_cap, (struct clock_event_time){number, 0, NAN}) != NULL;
}

/* Whoever gives nothing may go at once. Only barriers are made of nothing. */
static bool empty(void *arg, uint32_t process, uint32_t number)
{
	struct process_reading *p = process_of(arg, process);
	const struct reading *r = arg;
	struct thread_reading *t;
	uint32_t at;

	if (!p)
		return true;
	t = &p->threads[p->now];
	at = r->trace->first[process] + number;
	if (t->held == NONE || at >= r->trace->first[process + 1] ||
	    !strcmp(r->trace->colls[EVENT_INDEX(r->trace->type[at])].op, "Barrier"))
		return true;
	t->held = NONE;
	return true;
}

static bool shift(void *arg, uint32_t process, double raw_later)
{
	struct process_reading *p = process_of(arg, process);
	struct clock_step *grown;

	if (!p)
		return true;
	grown = mem_grow(p->steps, p->step_count, &p->step_cap, sizeof *grown);
	if (!grown)
		return false;
	p->steps = grown;
	grown[p->step_count] = (struct clock_step){p->events, (uint32_t)p->records, p->step_count ? raw_later - grown[0].shift : 0,
						   raw_later};
	p->step_count++;
	return true;
}

/* ---- one list of all processes ---- */

static uint32_t take(struct clock_event_time *to, const struct clock_event_time *from, uint32_t count, uint32_t first)
{
	for (uint32_t i = 0; i < count; i++)
		to[i] = (struct clock_event_time){first + from[i].event, from[i].record, from[i].time};
	return count;
}

static double resolution_of(const struct process_reading *p)
{
	bool coarse = p->records >= ENOUGH && p->differences && (double)p->whole > MOST * (double)p->differences;

	return coarse ? RESOLUTION_COARSE : 0;
}

static enum err_code merge(struct clock_times *out, const struct reading *r, double resolution, struct err *e)
{
	const struct trace *t = r->trace;
	size_t sent = 0, held = 0, steps = 0;

	for (uint32_t p = 0; p < t->process_count; p++) {
		sent += r->process[p].sent_count;
		held += r->process[p].held_count;
		steps += r->process[p].step_count;
	}
	*out = (struct clock_times){.trace = t, .sent = mem_alloc(sent, sizeof *out->sent), .held = mem_alloc(held, sizeof *out->held),
				    .steps = mem_alloc(steps, sizeof *out->steps),
				    .first_step = mem_zero((size_t)t->process_count + 1, sizeof *out->first_step),
				    .resolution = mem_zero(t->process_count, sizeof *out->resolution)};
	if (!out->sent || !out->held || !out->steps || !out->first_step || !out->resolution)
		return err_memory(e, "the trace's clocks");
	for (uint32_t p = 0, n = 0; p < t->process_count; p++) {
		const struct process_reading *from = &r->process[p];

		out->sent_count += take(out->sent + out->sent_count, from->sent, from->sent_count, t->first[p]);
		out->held_count += take(out->held + out->held_count, from->held, from->held_count, t->first[p]);
		for (uint32_t i = 0; i < from->step_count; i++) {
			out->steps[n] = from->steps[i];
			out->steps[n++].event += t->first[p];
		}
		out->first_step[p + 1] = n;
		out->resolution[p] = resolution >= 0 ? resolution : resolution_of(from);
	}
	return ERR_OK;
}

/* Is what was read what was loaded? */
static bool is_same(const struct reading *r)
{
	const struct trace *t = r->trace;

	for (uint32_t p = 0; p < t->process_count; p++)
		if (r->process[p].events < t->first[p + 1] - t->first[p] ||
		    (r->process[p].events > t->first[p + 1] - t->first[p] && !t->partial))
			return false;
	return true;
}

enum err_code clock_read_again(const struct trace *t, const struct make_watch *watch, const struct job *job, struct err *e)
{
	const struct trace_options options = {.threads = t->threads, .watch = watch};
	const char **paths = mem_alloc(t->file_count, sizeof *paths);
	struct source *sources;
	struct trace *again;
	enum err_code code;

	for (uint32_t i = 0; paths && i < t->file_count; i++)
		paths[i] = t->files[i].path;
	code = paths ? source_open_files(&sources, paths, t->file_count, e) : err_memory(e, "the trace's files");
	mem_free(paths);
	if (code)
		return code;
	code = trace_load_watched(&again, sources, t->file_count, &options, job, e);
	source_release_files(sources, t->file_count);
	if (!code)
		trace_free(again);
	return code;
}

enum err_code clock_read_changed(struct err *e)
{
	return err_set(e, ERR_IO, "the trace's files have changed since they were loaded; load them again");
}

static enum err_code read_files(struct reading *r, const struct job *job, struct err *e)
{
	const struct make_watch watch = {.arg = r, .begin = begin, .record = record, .enter = enter, .leave = leave, .event = event,
					 .empty = empty, .shift = shift};
	enum err_code code = clock_read_again(r->trace, &watch, job, e);

	return code || is_same(r) ? code : clock_read_changed(e);
}

enum err_code clock_times_read(struct clock_times *out, const struct trace *t, double resolution, const struct job *job, struct err *e)
{
	struct reading r = {.trace = t, .process = mem_zero(t->process_count, sizeof *r.process),
			    .holds = mem_zero(t->coll_count, sizeof *r.holds)};
	enum err_code code = r.process && r.holds ? ERR_OK : err_memory(e, "the trace's clocks");

	*out = (struct clock_times){.trace = t};
	for (uint32_t i = 0; !code && i < t->coll_count; i++)
		r.holds[i] = holds_all(t->colls[i].op);
	if (!code && t->file_count)
		code = read_files(&r, job, e);
	if (!code)
		code = merge(out, &r, resolution, e);
	if (code)
		clock_times_release(out);
	forget(&r);
	mem_free(r.process);
	mem_free(r.kinds);
	mem_free(r.holds);
	return code;
}
