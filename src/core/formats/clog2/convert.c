/* CLOG2 as a format that runs are written in: a finalized CLOG-02.44 as pas2p's tracer writes it
 * (docs/reference/formats.md, "CLOG2 output").
 *
 * Each process's records keep their order; processes are merged by time (ties: the smaller number). A collective is the
 * start of its call, on its communicator, with bytes and root in the cargo; a call of a collective without an event is
 * written on MPI_COMM_SELF, where no collective is an event. Times are exact, so reading the file gives the same trace.
 */
#include <string.h>

#include "clog2_int.h"
#include "core/base/mem.h"
#include "core/trace/times.h"

#define BLOCK 65536u
#define POLL 0x3fff
#define DEEPEST 4096   /* how far down an end looks for its start */
/* Etypes of what the tracer tells by events, as it has them. */
#define COMPUTE 5000   /* the CPU samples */
#define POSTED 5001
#define COMPLETED 5002
#define NEIGHBOUR 5005
#define MESSAGE_SIZE 5006
#define COMM_INIT (-10)
#define COMM_FINALIZE (-9)
#define SEND (-101)
#define RECEIVE (-102)
#define CONSTANT (-201)

/* A call that ends as something else than its state says. */
struct open_call {
	int32_t thread;
	uint32_t state;
	int32_t final;
	struct convert_member member;
};

struct process_out {
	struct record_cursor cursor;
	struct record next;      /* that is to be written */
	struct open_call *open;
	uint32_t depth;
	size_t cap;
	bool started, ended;     /* a record was written that is as early, as late as the process is */
};

struct converting {
	struct convert_run *run;
	struct convert_comms comms;
	struct convert_states states;
	struct clog2_writer writer;
	struct process_out *of;  /* per process */
	uint32_t *heap;          /* processes that have records left, the next one first */
	uint32_t heap_count;
	int32_t threads;
	uint64_t done, others, received;
	uint64_t requests, gatherings; /* numbers that were not written */
	bool failed;             /* no memory */
};

/* ---- events ---- */

static struct clog2_head head_of(const struct record *r, struct convert_member member)
{
	return (struct clog2_head){r->time, member.icomm, member.rank, r->thread};
}


/* The partner is one of the message's communicator; of an intercommunicator's other side; or, where that is not known,
 * of the world. Nobody's rank is -1. */
static struct convert_member partner_of(const struct converting *x, uint32_t event, struct convert_member own)
{
	const struct trace *t = x->run->trace;
	uint32_t partner = EVENT_INDEX(t->type[event]) - 1, match = t->match[event];
	struct convert_member member;

	if (!EVENT_INDEX(t->type[event]) || partner >= t->process_count)
		return (struct convert_member){own.icomm, -1};
	if (convert_member(&x->comms, trace_comm(t, event), partner, &member))
		return member;
	if (match != NO_EVENT && convert_member(&x->comms, trace_comm(t, match), partner, &member))
		return member;
	return convert_world(&x->comms, partner);
}

/* What the message that is next does not hold. */
static void write_size(struct converting *x, struct clog2_head head, uint64_t size)
{
	uint8_t cargo[32] = {0};

	clog2_pack_i64(cargo, (int64_t)size);
	clog2_write_cargo(&x->writer, head, MESSAGE_SIZE, cargo);
}

static void converting_write_message(struct converting *x, uint32_t process, const struct record *r)
{
	const struct trace *t = x->run->trace;
	bool sends = EVENT_KIND(t->type[r->event]) == EVENT_SEND;
	struct convert_member own, partner;
	struct clog2_msg message = {.etype = sends ? SEND : RECEIVE, .tag = trace_tag(t, r->event),
				    .size = -1};
	uint64_t size = trace_size(t, r->event);

	if (!convert_member(&x->comms, trace_comm(t, r->event), process, &own))
		own = convert_world(&x->comms, process);
	partner = partner_of(x, r->event, own);
	message.icomm = partner.icomm;
	message.rank = partner.rank;
	if (size <= INT32_MAX)
		message.size = (int32_t)size;
	else if (size != SIZE_UNKNOWN)
		write_size(x, head_of(r, own), size);
	clog2_write_msg(&x->writer, head_of(r, own), &message);
	x->run->events[!sends]++;
}

/* `event` is a collective, or the start of a call that is none. */
static unsigned collective_cargo(const struct converting *x, const struct record *event, uint8_t cargo[32])
{
	const struct trace *t = x->run->trace;
	uint64_t size = event->kind == RECORD_EVENT ? trace_size(t, event->event) : 0;
	struct convert_member root = {0, -1};
	unsigned at;

	if (event->root != NO_PROCESS && !convert_member(&x->comms, trace_comm(t, event->event), event->root, &root))
		root.rank = -1;
	at = clog2_pack_i64(cargo, size == SIZE_UNKNOWN ? -1 : (int64_t)size);
	return at + clog2_pack_i32(cargo + at, root.rank);
}

/* The start of a state: what `record`, which is that or the collective that it is, says beside its time. */
static void write_start(struct converting *x, struct clog2_head head, const struct convert_state *state, const struct record *record, bool tells)
{
	uint8_t cargo[32] = {0};
	unsigned at = 0, requests = RECORD_BEGINS | RECORD_COMPLETES;

	x->requests += record->says & ~state->says & requests && record->request;
	x->gatherings += (record->says & ~state->says & RECORD_GATHERS) != 0;
	if (!(tells && state->sizes) && !(record->says & state->says)) {
		clog2_write_bare(&x->writer, head, state->start);
		return;
	}
	if (state->sizes)
		at += collective_cargo(x, record, cargo);
	if (state->says & requests)
		at += clog2_pack_i32(cargo + at, record->says & requests ? (int32_t)record->request : 0);
	if (state->says & RECORD_GATHERS)
		clog2_pack_i32(cargo + at, record->says & RECORD_GATHERS ? (int32_t)record->number : 0);
	clog2_write_cargo(&x->writer, head, state->start, cargo);
}

/* The start of a collective's call. */
static void write_collective(struct converting *x, uint32_t process, const struct record *event, const struct convert_state *state,
			     struct convert_member *member)
{
	if (!convert_member(&x->comms, trace_comm(x->run->trace, event->event), process, member))
		*member = convert_world(&x->comms, process);
	write_start(x, head_of(event, *member), state, event,
		    trace_size(x->run->trace, event->event) || event->empty || event->root != NO_PROCESS);
	x->run->events[2]++;
	x->received += event->received != UINT64_MAX;
}

static const struct convert_state *state_of_event(const struct converting *x, uint32_t event)
{
	return &x->states.list[x->states.of_type[EVENT_INDEX(x->run->trace->type[event])]];
}

/* ---- states ---- */

static void keep_open(struct converting *x, struct process_out *p, struct open_call call)
{
	struct open_call *open = mem_grow(p->open, p->depth, &p->cap, sizeof *open);

	if (!open) {
		x->failed = true;
		return;
	}
	p->open = open;
	open[p->depth++] = call;
}

static bool next_record(struct converting *x, uint32_t process, struct err *e);

/* A call, and the collective that it is. */
static bool write_enter(struct converting *x, uint32_t process, struct err *e)
{
	struct process_out *p = &x->of[process];
	const struct convert_state *state = &x->states.list[p->next.state];
	struct record r = p->next;
	struct convert_member member = convert_world(&x->comms, process);
	bool more = next_record(x, process, e);

	if (more && state->mpi && p->next.kind == RECORD_EVENT && p->next.thread == r.thread && p->next.time == r.time &&
	    EVENT_KIND(x->run->trace->type[p->next.event]) == EVENT_COLLECTIVE) {
		const struct convert_state *as = state_of_event(x, p->next.event);

		as = strcmp(as->name, state->name) == 0 ? state : as;
		write_collective(x, process, &p->next, as, &member);
		keep_open(x, p, (struct open_call){r.thread, r.state, as->final, member});
		return next_record(x, process, e);
	}
	if (state->collective) {
		member = convert_self(&x->comms, process);
		keep_open(x, p, (struct open_call){r.thread, r.state, state->final, member});
	}
	/* A number is one of the communicator that it was told with. */
	if (r.says & RECORD_GATHERS && !convert_member(&x->comms, r.comm, process, &member)) {
		r.says &= ~(unsigned)RECORD_GATHERS;
		x->gatherings++;
	}
	write_start(x, head_of(&r, member), state, &r, false);
	return more;
}

static void write_leave(struct converting *x, uint32_t process)
{
	struct process_out *p = &x->of[process];
	const struct record *r = &p->next;
	uint32_t at = p->depth, limit = p->depth > DEEPEST ? p->depth - DEEPEST : 0;

	while (at > limit && !(p->open[at - 1].thread == r->thread && p->open[at - 1].state == r->state))
		at--;
	if (at == limit) {
		clog2_write_bare(&x->writer, head_of(r, convert_world(&x->comms, process)), x->states.list[r->state].final);
		return;
	}
	clog2_write_bare(&x->writer, head_of(r, p->open[at - 1].member), p->open[at - 1].final);
	p->depth--;
	memmove(&p->open[at - 1], &p->open[at], (p->depth - at + 1) * sizeof *p->open);
}

static void write_event(struct converting *x, uint32_t process)
{
	const struct record *r = &x->of[process].next;
	const struct convert_state *state;
	struct convert_member member;

	if (EVENT_KIND(x->run->trace->type[r->event]) != EVENT_COLLECTIVE) {
		converting_write_message(x, process, r);
		return;
	}
	/* Outside of any call: a call of no length. */
	state = state_of_event(x, r->event);
	write_collective(x, process, r, state, &member);
	clog2_write_bare(&x->writer, head_of(r, member), state->final);
}

/* What says nothing but numbers. False: they cannot be written. */
static bool write_numbers(struct converting *x, uint32_t process, const struct record *r)
{
	struct convert_member member = convert_world(&x->comms, process), from;
	uint8_t cargo[32] = {0};
	int32_t etype = r->says & RECORD_BEGINS ? POSTED : r->says & RECORD_COMPLETES ? COMPLETED : NEIGHBOUR;

	if (etype == NEIGHBOUR) {
		if (!convert_member(&x->comms, r->comm, process, &member))
			return false;
		if (r->number == NO_PROCESS || !convert_member(&x->comms, r->comm, r->number, &from))
			from.rank = -1;
		clog2_pack_i32(cargo, from.rank);
	} else {
		clog2_pack_i32(cargo + clog2_pack_i32(cargo, (int32_t)r->request), (int32_t)r->count);
	}
	clog2_write_cargo(&x->writer, head_of(r, member), etype, cargo);
	return true;
}

/* What else there was is there only for when the process began and ended. */
static void write_other(struct converting *x, uint32_t process)
{
	const struct process *of = &x->run->trace->processes[process];
	struct process_out *p = &x->of[process];
	struct convert_member member = convert_world(&x->comms, process);

	if (p->next.says && write_numbers(x, process, &p->next))
		return;
	if (!p->started && p->next.time == of->start)
		clog2_write_bare(&x->writer, head_of(&p->next, member), COMM_INIT);
	else if (!p->ended && p->next.time == of->end)
		clog2_write_bare(&x->writer, head_of(&p->next, member), COMM_FINALIZE);
	else
		x->others++;
}

static void write_cpu_sample(struct converting *x, uint32_t process)
{
	const struct record *r = &x->of[process].next;
	uint8_t cargo[32] = {0};

	clog2_pack_f64(cargo, r->seconds);
	clog2_write_cargo(&x->writer, head_of(r, convert_world(&x->comms, process)), COMPUTE, cargo);
}

/* ---- records, merged ---- */

/* False: the process has no more, or e. */
static bool next_record(struct converting *x, uint32_t process, struct err *e)
{
	struct process_out *p = &x->of[process];

	if (!record_cursor_next(&p->cursor, &p->next)) {
		*e = p->cursor.err;
		return false;
	}
	if (p->next.thread >= x->threads)
		x->threads = p->next.thread + 1;
	return true;
}

static bool write_record(struct converting *x, uint32_t process, struct err *e)
{
	const struct process *of = &x->run->trace->processes[process];
	struct process_out *p = &x->of[process];
	double time = p->next.time;
	bool more;

	if (p->next.kind == RECORD_ENTER) {
		more = write_enter(x, process, e);
	} else {
		switch (p->next.kind) {
		case RECORD_LEAVE:
			write_leave(x, process);
			break;
		case RECORD_EVENT:
			write_event(x, process);
			break;
		case RECORD_CPU_SAMPLE:
			write_cpu_sample(x, process);
			break;
		default:
			write_other(x, process);
		}
		more = next_record(x, process, e);
	}
	p->started = p->started || time == of->start;
	p->ended = p->ended || time == of->end;
	return more;
}

static bool converting_is_before(const struct converting *x, uint32_t a, uint32_t b)
{
	double p = x->of[a].next.time, q = x->of[b].next.time;

	return p != q ? p < q : a < b;
}

static void converting_sink(struct converting *x, uint32_t at)
{
	uint32_t process = x->heap[at];

	for (uint32_t child; (child = 2 * at + 1) < x->heap_count; at = child) {
		if (child + 1 < x->heap_count && converting_is_before(x, x->heap[child + 1], x->heap[child]))
			child++;
		if (!converting_is_before(x, x->heap[child], process))
			break;
		x->heap[at] = x->heap[child];
	}
	x->heap[at] = process;
}

static enum err_code converting_merge(struct converting *x, struct err *e)
{
	const struct progress *progress = x->run->progress;
	uint64_t all = x->run->trace->record_count;

	e->code = ERR_OK;
	for (uint32_t p = 0; p < x->run->trace->process_count; p++) {
		if (record_cursor_init(&x->of[p].cursor, x->run->log, p, e))
			return e->code;
		if (next_record(x, p, e))
			x->heap[x->heap_count++] = p;
		else if (e->code)
			return e->code;
	}
	for (uint32_t i = x->heap_count / 2; i-- > 0;)
		converting_sink(x, i);
	while (x->heap_count && !x->writer.err.code) {
		if (!write_record(x, x->heap[0], e)) {
			if (e->code)
				return e->code;
			x->heap[0] = x->heap[--x->heap_count];
		}
		if (x->heap_count)
			converting_sink(x, 0);
		if (x->failed)
			return err_memory(e, "the trace's calls");
		if ((++x->done & POLL) == 0 && progress_step(progress, PROGRESS_WRITE, x->done, all, e))
			return e->code;
	}
	return ERR_OK;
}

/* ---- what comes before them ---- */

static void write_constant(struct clog2_writer *writer, struct clog2_head head, const char *name, int32_t value)
{
	struct clog2_constdef constant = {.etype = CONSTANT, .value = value};

	strcpy(constant.name, name);
	clog2_write_constdef(writer, head, &constant);
}

static void write_solo(struct clog2_writer *writer, struct clog2_head head, int32_t etype, const char *name, const char *colour, const char *format)
{
	struct clog2_eventdef event = {.etype = etype};

	strcpy(event.color, colour);
	strcpy(event.name, name);
	strcpy(event.format, format);
	clog2_write_eventdef(writer, head, &event);
}

/* The name says whose readings they are: those of pas2p's tracer go with records that leave nothing out. */
static bool is_own_tracer(const struct trace *t)
{
	for (uint32_t i = 0; i < t->state_count; i++)
		if (t->states[i].solo && !strcmp(t->states[i].name, "PAS2P_compute"))
			return true;
	return false;
}

static void write_definitions(struct converting *x)
{
	const struct trace *t = x->run->trace;
	struct convert_member first = t->process_count ? convert_world(&x->comms, 0) : (struct convert_member){0, 0};
	struct clog2_head head = {t->start, first.icomm, first.rank, 0};
	unsigned clocks = t->clocks | (t->times ? t->times->figures.steps : 0), others = record_log_others_say(x->run->log);
	double error = t->clock_error * 1e9;

	convert_comms_write(&x->comms, &x->writer);
	if (error > 0)
		write_constant(&x->writer, head, CLOG2_CLOCK_ERROR, error < INT32_MAX ? (int32_t)(error + 0.5) : INT32_MAX);
	if (t->record_cost_low > 0) {
		write_constant(&x->writer, head, CLOG2_COST_LOW, (int32_t)(t->record_cost_low * 1e12 + 0.5));
		write_constant(&x->writer, head, CLOG2_COST_HIGH, (int32_t)(t->record_cost_high * 1e12 + 0.5));
	}
	if (clocks)
		write_constant(&x->writer, head, CLOG2_CLOCKS, (int32_t)clocks);
	convert_states_write(&x->states, &x->writer, head);
	write_solo(&x->writer, head, COMM_INIT, "MPE_Comm_init", "red", "");
	write_solo(&x->writer, head, COMM_FINALIZE, "MPE_Comm_finalize", "orange", "");
	if (others & RECORD_BEGINS)
		write_solo(&x->writer, head, POSTED, "PAS2P_posted", "white", "request=%d count=%d");
	if (others & RECORD_COMPLETES)
		write_solo(&x->writer, head, COMPLETED, "PAS2P_completed", "white", "request=%d");
	if (others & RECORD_NEIGHBOUR)
		write_solo(&x->writer, head, NEIGHBOUR, "PAS2P_neighbour", "white", "rank=%d");
	if (t->large_size_count)
		write_solo(&x->writer, head, MESSAGE_SIZE, "PAS2P_size", "white", "size=%l");
	if (t->compute_source == COMPUTE_FROM_EVENTS)
		write_solo(&x->writer, head, COMPUTE, is_own_tracer(t) ? "PAS2P_compute" : "compute", "white", "cpu=%E");
}

/* ---- all ---- */

static enum err_code converting_write_all(struct converting *x, int fd, struct err *e)
{
	const struct clog2_write_options options = {.minor = 44, .big_endian = true, .finalized = true, .block_size = BLOCK,
						    .world_size = convert_world_size(&x->comms), .max_threads = 1};
	enum err_code code = clog2_writer_init(&x->writer, fd, &options, e);

	if (code)
		return code;
	write_definitions(x);
	code = converting_merge(x, e);
	x->writer.max_threads = x->threads > 1 ? x->threads : 1;
	if (!code)
		code = clog2_writer_finish(&x->writer, true, e);
	clog2_writer_release(&x->writer);
	return code;
}

static enum err_code write_file(struct converting *x, struct err *e)
{
	struct convert_file *file;
	struct err closing;
	enum err_code code = convert_file_open(&file, x->run->output, "", e), closed;
	int fd;

	if (code)
		return code;
	fd = convert_file_descriptor(file);
	if (fd >= 0)
		code = converting_write_all(x, fd, e);
	if (code == ERR_IO && x->writer.err.code)
		err_set(e, code, "cannot write %s: %s", convert_output_shown(x->run->output), x->writer.err.text);
	closed = convert_file_close(file, &closing);
	if (closed && !code)
		*e = closing;
	return code ? code : closed;
}

static enum err_code write_clog2(struct convert_run *run, struct err *e)
{
	uint32_t n = run->trace->process_count;
	struct converting x = {.run = run, .of = mem_zero(n, sizeof *x.of), .heap = mem_alloc(n, sizeof *x.heap)};
	enum err_code code = x.of && x.heap ? ERR_OK : err_memory(e, "the processes");

	if (!code)
		code = convert_comms_init(&x.comms, run->trace, e);
	if (!code)
		code = convert_states_init(&x.states, run, e);
	if (!code)
		code = write_file(&x, e);
	convert_lost(run, "bytes received by collectives", x.received);
	convert_lost(run, "names over 31 bytes", x.states.cut);
	convert_lost(run, CONVERT_LOST_REQUESTS, x.requests);
	convert_lost(run, CONVERT_LOST_GATHERINGS, x.gatherings);
	convert_lost(run, "other records", x.others);
	for (uint32_t p = 0; x.of && p < n; p++) {
		record_cursor_release(&x.of[p].cursor);
		mem_free(x.of[p].open);
	}
	mem_free(x.of);
	mem_free(x.heap);
	convert_comms_release(&x.comms);
	convert_states_release(&x.states);
	return code;
}

const struct format_writer clog2_writer = {
	.to = "clog2",
	.what = "CLOG-02.44, the format of pas2p trace",
	.ending = ".clog2",
	.compresses = true,
	.numbers = true,
	.write = write_clog2,
};
