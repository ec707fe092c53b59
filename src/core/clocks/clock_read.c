#include "clock_read.h"

#include <math.h>
#include <string.h>

#include "clock_far.h"
#include "core/base/mem.h"
#include "core/io/source.h"
#include "core/trace/mpi_functions.h"
#include "core/trace/trace_far.h"
#include "core/trace/trace_make.h"

#define ENOUGH 1000  /* records from which on a clock's resolution shows */
#define NEARLY 5e-9  /* s: so close to a whole microsecond is one */
#define MOST 0.99    /* of the differences */

#define NONE UINT32_MAX

/* A thread of a process. */
struct thread_reading {
	uint32_t depth;       /* of MPI calls */
	uint32_t starting;    /* of calls that start persistent requests */
	double began;         /* the outermost call: when, and by which record */
	uint32_t began_record;
	uint32_t held;        /* entry of a collective that is not over; NONE */
};

/* A collective: whether it holds its members is known once its trace is. */
struct collective_reading {
	uint32_t event;       /* its number within the process */
	uint32_t end_record;
	bool empty;           /* the process gave nothing to it */
	double end;           /* NAN: unknown */
};

struct process_reading {
	struct thread_list threads; /* struct thread_reading */
	struct thread_reading *now; /* of the record that is told; NULL: there was no memory, and nothing is to be known any more */
	int32_t now_thread;
	struct clock_event_time *sent; /* event: its number within the process */
	struct collective_reading *held;
	uint32_t sent_count, held_count, step_count;
	size_t sent_cap, held_cap, step_cap;
	struct clock_step *steps;
	struct clock_seen *seen; /* event: a number within the process */
	uint32_t seen_count;
	size_t seen_cap;
	uint32_t events;
	double time, last;
	uint64_t records, differences, whole; /* whole: differences of whole microseconds */
};

struct reading {
	uint32_t process_count;
	struct process_reading *process;
	struct make_kind *kinds; /* a copy */
	struct clock_records *records; /* NULL: they are not wanted */
};

static void forget(struct reading *r)
{
	for (uint32_t p = 0; p < r->process_count; p++) {
		for (uint32_t i = 0; i < r->process[p].threads.count; i++)
			mem_free(r->process[p].threads.list[i].of);
		thread_list_release(&r->process[p].threads);
		mem_free(r->process[p].sent);
		mem_free(r->process[p].held);
		mem_free(r->process[p].steps);
		mem_free(r->process[p].seen);
	}
	mem_free(r->process);
	mem_free(r->kinds);
	r->process = NULL;
	r->kinds = NULL;
	r->process_count = 0;
}

static bool begin(void *arg, uint32_t processes, const struct make_kind *kinds, uint32_t count)
{
	struct reading *r = arg;

	forget(r);
	r->kinds = mem_alloc(count, sizeof *kinds);
	r->process = mem_zero(processes, sizeof *r->process);
	if (!r->kinds || !r->process)
		return false;
	if (count)
		memcpy(r->kinds, kinds, count * sizeof *kinds);
	r->process_count = processes;
	return !r->records || clock_records_begin(r->records, processes);
}

static bool take_thread(struct process_reading *p, int32_t thread)
{
	p->now_thread = thread;
	p->now = thread_find(&p->threads, thread);
	if (p->now)
		return true;
	p->now = mem_alloc(1, sizeof *p->now);
	if (p->now && thread_add(&p->threads, thread, p->now)) {
		*p->now = (struct thread_reading){.held = NONE};
		return true;
	}
	mem_free(p->now);
	p->now = NULL;
	return false;
}

/* Not nearbyint(): this is done for each record. Beyond 2^52 all are whole. */
static double nearest(double v)
{
	return v < 0x1p52 ? (double)(int64_t)(v + 0.5) : v;
}

static bool record(void *arg, uint32_t process, int32_t thread, double time)
{
	const struct reading *r = arg;
	struct process_reading *p = &r->process[process];
	double apart = fabs(time - p->last) * 1e6;

	if (apart > 0 && p->records) {
		p->differences++;
		p->whole += fabs(apart - nearest(apart)) <= NEARLY * 1e6;
	}
	p->records++;
	p->last = p->time = time;
	if (r->records && !clock_records_tell(r->records, process, time))
		return false;
	return (p->now && p->now_thread == thread) || take_thread(p, thread);
}

static uint32_t this_record(const struct process_reading *p)
{
	return (uint32_t)(p->records - 1);
}

static bool enter(void *arg, uint32_t process, uint32_t kind)
{
	const struct reading *r = arg;
	struct thread_reading *t = r->process[process].now;

	if (!t || !r->kinds[kind].total.mpi)
		return true;
	if (!t->depth++) {
		t->began = r->process[process].time;
		t->began_record = this_record(&r->process[process]);
	}
	t->starting += r->kinds[kind].starts;
	return true;
}

static bool leave(void *arg, uint32_t process, uint32_t kind)
{
	const struct reading *r = arg;
	struct process_reading *p = &r->process[process];
	struct thread_reading *t = r->process[process].now;

	if (!t || !r->kinds[kind].total.mpi)
		return true;
	t->starting -= t->starting && r->kinds[kind].starts;
	if (!t->depth || --t->depth)
		return true;
	if (t->held != NONE) {
		p->held[t->held].end = p->time;
		p->held[t->held].end_record = this_record(p);
	}
	t->held = NONE;
	return true;
}

static bool take_sent(struct process_reading *p, uint32_t number, const struct thread_reading *t)
{
	struct clock_event_time *grown = mem_grow(p->sent, p->sent_count, &p->sent_cap, sizeof *grown);

	if (!grown)
		return false;
	p->sent = grown;
	grown[p->sent_count++] = (struct clock_event_time){number, t->began_record, t->began};
	return true;
}

static bool take_collective(struct process_reading *p, uint32_t number)
{
	struct collective_reading *grown = mem_grow(p->held, p->held_count, &p->held_cap, sizeof *grown);

	if (!grown)
		return false;
	p->held = grown;
	grown[p->held_count++] = (struct collective_reading){number, 0, false, NAN}; /* until it ends it holds nobody */
	return true;
}

static bool event(void *arg, uint32_t process, uint32_t number, event_type type, double time)
{
	const struct reading *r = arg;
	struct process_reading *p = &r->process[process];
	struct thread_reading *t = r->process[process].now;

	(void)time;
	p->events = number + 1;
	if (r->records && !clock_records_tell_event(r->records, process, number))
		return false;
	if (!t)
		return true;
	if (EVENT_KIND(type) == EVENT_SEND && t->starting)
		return take_sent(p, number, t);
	if (EVENT_KIND(type) != EVENT_COLLECTIVE || t->depth != 1)
		return true;
	if (!take_collective(p, number))
		return false;
	t->held = p->held_count - 1;
	return true;
}

static bool empty(void *arg, uint32_t process, uint32_t number)
{
	const struct reading *r = arg;
	const struct thread_reading *t = r->process[process].now;

	(void)number;
	if (t && t->held != NONE)
		r->process[process].held[t->held].empty = true;
	return true;
}

static bool shift(void *arg, uint32_t process, double raw_later)
{
	struct process_reading *p = &((struct reading *)arg)->process[process];
	struct clock_step *grown;

	grown = mem_grow(p->steps, p->step_count, &p->step_cap, sizeof *grown);
	if (!grown)
		return false;
	p->steps = grown;
	grown[p->step_count] = (struct clock_step){p->events, (uint32_t)p->records, p->step_count ? raw_later - grown[0].shift : 0, raw_later};
	p->step_count++;
	return true;
}

static bool seen(void *arg, uint32_t process, double low, double high)
{
	struct process_reading *p = &((struct reading *)arg)->process[process];
	double later = p->step_count ? p->steps[p->step_count - 1].later : 0;
	struct clock_seen *grown;

	if (process == 0)
		return true;
	grown = mem_grow(p->seen, p->seen_count, &p->seen_cap, sizeof *grown);
	if (!grown)
		return false;
	p->seen = grown;
	grown[p->seen_count++] = (struct clock_seen){p->events, p->time + later, low - later, high - later};
	return true;
}

/* ---- one list of all processes ---- */

static const char *op_of(const struct trace *t, uint32_t event)
{
	return EVENT_KIND(t->type[event]) == EVENT_COLLECTIVE ? t->colls[EVENT_INDEX(t->type[event])].op : "";
}

static uint32_t take_sends(struct clock_event_time *to, const struct process_reading *from, uint32_t first)
{
	for (uint32_t i = 0; i < from->sent_count; i++)
		to[i] = (struct clock_event_time){first + from->sent[i].event, from->sent[i].record, from->sent[i].time};
	return from->sent_count;
}

/* Those that hold their members. Whoever gives nothing may go at once; only barriers are made of nothing. */
static uint32_t take_held(struct clock_event_time *to, const struct process_reading *from, const struct trace *t, uint32_t first)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < from->held_count; i++) {
		const struct collective_reading *c = &from->held[i];
		const char *op = op_of(t, first + c->event);
		const struct mpi_collective *collective = mpi_collective(op);

		if (collective && collective->traits & MPI_HOLDS_ALL)
			to[n++] = (struct clock_event_time){first + c->event, c->end_record,
							      c->empty && strcmp(op, "Barrier") != 0 ? NAN : c->end};
	}
	return n;
}

static double resolution_of(const struct process_reading *p)
{
	bool coarse = p->records >= ENOUGH && p->differences && (double)p->whole > MOST * (double)p->differences;

	return coarse ? RESOLUTION_COARSE : 0;
}

/* In times that were corrected it is no longer true what the tracer measured. */
static uint32_t take_seen(struct clock_seen *to, const struct process_reading *from, const struct trace *t, uint32_t first)
{
	if (t->clocks)
		return 0;
	for (uint32_t i = 0; i < from->seen_count; i++) {
		to[i] = from->seen[i];
		to[i].event += first;
	}
	return from->seen_count;
}

static enum err_code merge(struct clock_times *out, const struct reading *r, const struct trace *t, double resolution, struct err *e)
{
	size_t sent = 0, held = 0, steps = 0, measured = 0;

	for (uint32_t p = 0; p < r->process_count; p++) {
		sent += r->process[p].sent_count;
		held += r->process[p].held_count;
		steps += r->process[p].step_count;
		measured += r->process[p].seen_count;
	}
	*out = (struct clock_times){.trace = t, .sent = mem_alloc(sent, sizeof *out->sent), .held = mem_alloc(held, sizeof *out->held),
				    .steps = mem_alloc(steps, sizeof *out->steps),
				    .first_step = mem_zero((size_t)t->process_count + 1, sizeof *out->first_step),
				    .seen = mem_alloc(measured, sizeof *out->seen),
				    .first_seen = mem_zero((size_t)t->process_count + 1, sizeof *out->first_seen),
				    .resolution = mem_zero(t->process_count, sizeof *out->resolution)};
	if (!out->sent || !out->held || !out->steps || !out->first_step || !out->seen || !out->first_seen || !out->resolution) {
		clock_times_release(out);
		return err_memory(e, "the trace's clocks");
	}
	for (uint32_t p = 0, n = 0; p < t->process_count; p++) {
		/* A trace that was made of no file has none. */
		const struct process_reading none = {0}, *from = p < r->process_count ? &r->process[p] : &none;

		out->sent_count += take_sends(out->sent + out->sent_count, from, t->first[p]);
		out->held_count += take_held(out->held + out->held_count, from, t, t->first[p]);
		for (uint32_t i = 0; i < from->step_count; i++) {
			out->steps[n] = from->steps[i];
			out->steps[n++].event += t->first[p];
		}
		out->first_step[p + 1] = n;
		out->first_seen[p + 1] = out->first_seen[p] + take_seen(out->seen + out->first_seen[p], from, t, t->first[p]);
		out->resolution[p] = resolution >= 0 ? resolution : resolution_of(from);
	}
	return ERR_OK;
}

static struct make_watch watch_of(struct reading *r)
{
	return (struct make_watch){.arg = r, .begin = begin, .record = record, .enter = enter, .leave = leave, .event = event,
				   .empty = empty, .shift = shift, .clock = seen};
}

/* ---- of a trace that is loaded ---- */

/* Is what was read what was loaded? Of a part that was loaded, the beginning. */
static bool is_same(const struct reading *r, const struct trace *t)
{
	if (r->process_count != t->process_count)
		return false;
	for (uint32_t p = 0; p < t->process_count; p++) {
		uint32_t events = t->first[p + 1] - t->first[p];

		if (r->process[p].events < events || (r->process[p].events > events && !t->partial))
			return false;
	}
	return true;
}

/* What lies behind the part that was loaded is not of the trace. */
static void cut(struct reading *r, const struct trace *t)
{
	for (uint32_t k = 0; k < r->process_count; k++) {
		struct process_reading *p = &r->process[k];
		uint32_t events = t->first[k + 1] - t->first[k];

		while (p->sent_count && p->sent[p->sent_count - 1].event >= events)
			p->sent_count--;
		while (p->held_count && p->held[p->held_count - 1].event >= events)
			p->held_count--;
		while (p->seen_count && p->seen[p->seen_count - 1].event > events)
			p->seen_count--;
	}
}

enum err_code clock_read_again(const struct trace *t, const struct make_watch *watch, const struct job *job, struct err *e)
{
	const struct trace_options options = {.threads = t->threads, .watch = watch, .times = t->times};
	struct source *sources;
	struct trace *again;
	enum err_code code = trace_open_files(&sources, t, e);

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

static enum err_code read_files(struct reading *r, const struct trace *t, const struct job *job, struct err *e)
{
	const struct make_watch watch = watch_of(r);
	enum err_code code = clock_read_again(t, &watch, job, e);

	if (code)
		return code;
	if (!is_same(r, t))
		return clock_read_changed(e);
	cut(r, t);
	return ERR_OK;
}

/* Those of a trace that was read to its end. Others are not corrected. */
static void keep_records(struct clock_times *out, struct clock_records *records)
{
	struct err e;

	if (records && out->trace && !out->trace->partial && clock_records_end(records, out->trace, &e) == ERR_OK) {
		out->records = records;
		return;
	}
	if (records)
		clock_records_release(records);
	mem_free(records);
}

enum err_code clock_times_read(struct clock_times *out, const struct trace *t, double resolution, bool records, const struct job *job,
			       struct err *e)
{
	struct reading r = {.records = records && t->file_count ? mem_zero(1, sizeof *r.records) : NULL};
	enum err_code code = ERR_OK;

	*out = (struct clock_times){0};
	if (records && t->file_count && !r.records)
		return err_memory(e, "the trace's records");
	if (t->file_count)
		code = read_files(&r, t, job, e);
	if (!code)
		code = merge(out, &r, t, resolution, e);
	forget(&r);
	keep_records(out, r.records);
	return code;
}

/* ---- with its trace ---- */

enum err_code clock_times_load(struct clock_times *out, struct trace **trace, const char *const *paths, uint32_t count,
			       const struct trace_options *o, double resolution, bool records, const struct job *job, struct err *e)
{
	struct reading r = {.records = records ? mem_zero(1, sizeof *r.records) : NULL};
	const struct make_watch watch = watch_of(&r);
	struct trace_options options = o ? *o : (struct trace_options){0};
	enum err_code loaded, code = ERR_OK;
	struct err failed;

	*out = (struct clock_times){0};
	*trace = NULL;
	options.watch = &watch;
	if (records && !r.records)
		return err_memory(e, "the trace's records");
	loaded = trace_load(trace, paths, count, &options, job, e);
	if (!loaded || (loaded == ERR_DAMAGED && *trace)) {
		code = merge(out, &r, *trace, resolution, &failed);
		if ((*trace)->far)
			code = code ? team_agree(options.team, code, &failed) : clock_far_meet(out, &failed);
	}
	forget(&r);
	if (code)
		clock_times_release(out);
	keep_records(out, r.records);
	if (!code)
		return loaded; /* what loading says of damage stands */
	trace_free(*trace);
	*trace = NULL;
	*e = failed;
	return code;
}
