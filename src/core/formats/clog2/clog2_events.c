/* Pass 2 over the records: states paired, messages and collectives appended to their process.
 *
 * Processes do not meet here, so threads share the work by process (clog2_parts.h): each walks all records and takes those of
 * its own. The walk is a small part of the cost.
 */
#include <math.h>
#include <string.h>

#include "clog2_parts.h"

#define TIME_LIMIT 1e8

static struct note_place place_of(const struct part *y, const struct clog2_rec *r, uint32_t process)
{
	return (struct note_place){y->f->file_index, process == NO_PROCESS ? -1 : (int32_t)process, (int64_t)y->block,
				   (int64_t)r->offset, -1};
}

static struct stream *stream_of(struct part *y, uint32_t process, int32_t thread)
{
	struct stream **at, *s = &y->processes[process].main;

	if (s->thread == thread)
		return s;
	for (at = &s->next; *at; at = &(*at)->next)
		if ((*at)->thread == thread)
			return *at;
	*at = mem_zero(1, sizeof **at);
	if (!*at) {
		y->memory_failed = true;
		return s;
	}
	stream_init(*at, thread, y->x->readings);
	y->t->processes[process].threads++;
	return *at;
}

/* Threads are numbered from 0 to below the preamble's number. A record outside of that is the first thread's, unless pass 2
 * has found before that its thread is a real one, which makes whole calls (load_parts_gather()). An unfinished local file does not
 * know the number. */
static __attribute__((noinline)) int32_t check_thread(struct part *y, struct clog2_rec r, uint32_t process)
{
	const struct loader *x = y->x;
	int32_t limit = !y->f->finalized ? INT32_MAX : y->f->max_threads ? y->f->max_threads : 1;
	uint32_t *odd;

	if (r.thread >= 0 && r.thread < limit)
		return r.thread;
	if (r.thread >= 0 && !x->false_threads) {
		odd = map_at(y->odd_threads, process, (uint32_t)r.thread);
		if (odd)
			*odd = 1;
		if (!odd || !stream_of(y, process, r.thread))
			y->memory_failed = true;
		return r.thread;
	}
	if (r.thread >= 0 && !map_get(x->false_threads, process, (uint32_t)r.thread))
		return r.thread;
	notes_add(&y->notes, NOTE_BAD_THREAD, place_of(y, &r, process), "rank %u has a record of thread %d, expected 0 to %d",
		  process, r.thread, limit - 1);
	return 0;
}

/* The corrected time of a record; what no clock can say is replaced by the time before it. */
static double time_of(struct part *y, const struct clog2_rec *r, uint32_t process)
{
	struct process_load *q = &y->processes[process];
	double time = r->time + q->shift;

	if (__builtin_expect(!(fabs(time) < TIME_LIMIT), 0)) {
		notes_add(&y->notes, NOTE_BAD_TIME, place_of(y, r, process), "rank %u has a record at time %g", process,
			  r->time);
		time = q->last_time;
	}
	if (__builtin_expect(time < q->last_time && q->seen && !q->shifted && q->last_thread == r->thread, 0))
		notes_add(&y->notes, NOTE_TIME_BACKWARD, place_of(y, r, process),
			  "the clock of rank %u steps back by %.9g s at %.9g s", process, q->last_time - time, time);
	if (!q->seen || time < q->start)
		q->start = time;
	if (!q->seen || time > q->end)
		q->end = time;
	q->seen = true;
	q->shifted = false;
	q->last_time = time;
	q->last_thread = r->thread;
	q->records++;
	return time;
}

/* A call's time is no computation: an MPI call's and the tracer's own. Between two readings of the CPU clock there is none at the
 * tracer's writes, so there they are not taken out. */
static bool is_call(const struct part *y, uint32_t def)
{
	return y->x->defs.list[def].mpi || (y->x->defs.list[def].tracer && !y->x->readings);
}

/* Store a compute time that has become complete. */
static void store_due(struct part *y, struct stream *s)
{
	uint32_t event;
	double compute;

	if (stream_due(s, &event, &compute))
		y->t->compute[event] = compute;
}

static void append(struct part *y, struct stream *s, uint32_t process, double time, event_type type, uint32_t size,
		   uint32_t comm, int32_t tag)
{
	struct trace *t = y->t;
	struct process_load *q = &y->processes[process];
	uint32_t at = q->next;

	if (y->x->watch)
		return;
	if (at >= q->limit) {
		/* Only if the file was changed between the passes. */
		notes_add(&y->notes, NOTE_FILE_CHANGED, NOTE_NOWHERE, "rank %u has more events now than when they were "
			  "counted", process);
		return;
	}
	q->next++;
	t->time[at] = time;
	t->type[at] = type;
	t->size[at] = size;
	t->comm[at] = comm;
	t->tag[at] = tag;
	stream_event(s, at);
	store_due(y, s);
}

static void message(struct part *y, const struct clog2_rec *r, uint32_t comm, uint32_t process, double time)
{
	struct loader *x = y->x;
	struct stream *s = stream_of(y, process, r->thread);
	struct clog2_msg m;
	uint32_t partner_comm = comm, partner, size;
	int32_t partner_icomm;
	bool alone = !s->mpi_depth;

	clog2_get_msg(y->f, r, &m);
	if (m.etype != -101 && m.etype != -102) {
		notes_add(&y->notes, NOTE_BAD_MESSAGE, place_of(y, r, process),
			  "a message record of rank %u has event type %d, expected -101 or -102", process, m.etype);
		return;
	}
	if (x->watch || (m.rank < 0 && m.rank == x->defs.proc_null))
		return;
	partner_icomm = comms_partner_icomm(&x->comms, y->f, r->icomm, m.icomm);
	if (partner_icomm != r->icomm)
		partner_comm = comms_find(&x->comms, (uint32_t)y->f->file_index, partner_icomm);
	partner = comms_process(&x->comms, partner_comm, m.rank);
	if (partner == NO_PROCESS)
		notes_add(&y->notes, NOTE_BAD_PARTNER, place_of(y, r, process),
			  "rank %u has a message with rank %d of communicator %d, but no process has that rank",
			  process, m.rank, partner_icomm);
	else if (partner_comm != comm) {
		struct remote_message *remote =
			mem_grow(y->remote, y->remote_count, &y->remote_cap, sizeof *remote);

		if (!remote) {
			y->memory_failed = true;
			return;
		}
		y->remote = remote;
		remote[y->remote_count++] = (struct remote_message){process, y->processes[process].next - x->room[process], partner_comm};
	}
	if (m.tag < 0)
		notes_add(&y->notes, NOTE_BAD_MESSAGE, place_of(y, r, process), "a message of rank %u has tag %d", process,
			  m.tag);
	size = (uint32_t)m.size;
	if (m.size < 0) {
		notes_add(&y->notes, NOTE_UNKNOWN_SIZE, place_of(y, r, process), "a message of rank %u has size %d", process,
			  m.size);
		size = SIZE_UNKNOWN;
	}
	if (alone)
		stream_enter(s, time);
	append(y, s, process, time, (m.etype == -101 ? EVENT_SEND : EVENT_RECEIVE) | (partner + 1), size, comm, m.tag);
	if (alone) {
		stream_leave(s, time);
		store_due(y, s);
	}
}

static event_type collective_type(struct part *y, uint32_t def, uint32_t comm)
{
	uint64_t key = ((uint64_t)def << 32 | comm) + 1;

	if (key != y->last_coll_key) {
		y->last_coll_key = key;
		y->last_coll = EVENT_COLLECTIVE | (map_get(y->x->coll_ids, def, comm) - 1);
	}
	return y->last_coll;
}

static void state_start(struct part *y, const struct clog2_rec *r, uint32_t def, uint32_t comm, uint32_t process, double time)
{
	struct loader *x = y->x;
	struct stream *s = stream_of(y, process, r->thread);
	const struct def *d = &x->defs.list[def];
	struct frame *top = stream_push(s);

	if (!top) {
		y->memory_failed = true;
		return;
	}
	*top = (struct frame){.def = def, .start = time};
	if (!is_call(y, def))
		return;
	y->states_seen = y->states_seen || d->mpi;
	if (s->mpi_depth++ == 0)
		stream_enter(s, time);
	else if (s->depth < 2 || !x->defs.list[stream_stack(s)[s->depth - 2].def].starts)
		return;
	if (d->collective && comm != NO_COMM && !x->comms.list[comm].alone) {
		uint32_t size = 0;

		if (d->size.token && r->type == CLOG2_CARGOEVT) {
			double little, bytes = cargo_number(&d->size, clog2_get_cargo(r), &little);

			size = bytes >= 0 && bytes < SIZE_UNKNOWN - 1 ? (uint32_t)bytes : bytes >= 0 ? SIZE_UNKNOWN - 1 : SIZE_UNKNOWN;
		}
		append(y, s, process, time, collective_type(y, def, comm), size, comm, 0);
	}
}

/* The state at depth `at` (from 0) ends, whatever is open above it. */
static void close_state(struct part *y, struct stream *s, uint32_t at, uint32_t process, double time, bool complete)
{
	struct frame *frame = &stream_stack(s)[at], gone = *frame;
	const struct def *d = &y->x->defs.list[gone.def];
	struct total *total = &y->pass->totals[(size_t)y->pass->group_of[process] * y->x->defs.count + gone.def];
	double length = time - gone.start;

	s->depth--;
	if (at < s->depth)
		memmove(frame, frame + 1, (s->depth - at) * sizeof *frame);
	if (length < 0)
		length = 0;
	if (complete) {
		s->calls++;
		total->count++;
		total->inclusive += length;
		if (length > gone.nested)
			total->exclusive += length - gone.nested;
		if (at)
			frame[-1].nested += length;
	}
	if (d->tracer && y->x->readings && !s->mpi_depth)
		y->processes[process].by_kind[TIME_TRACER] += length;
	if (is_call(y, gone.def) && --s->mpi_depth == 0) {
		y->processes[process].by_kind[d->kind] += length;
		stream_leave(s, time);
		store_due(y, s);
		if (y->x->watch &&
		    !y->x->watch->call(y->x->watch->arg, process, &d->total, d->kind, gone.start, time))
			y->memory_failed = true;
	}
}

/* How far down an end looks for its start: else ends without starts over a deep stack of starts without ends would take
 * for ever. */
#define DEEPEST 4096

static void state_final(struct part *y, const struct clog2_rec *r, uint32_t def, uint32_t process, double time)
{
	struct stream *s = stream_of(y, process, r->thread);
	uint32_t depth = s->depth, limit = depth > DEEPEST ? depth - DEEPEST : 0;

	while (depth > limit && stream_stack(s)[depth - 1].def != def)
		depth--;
	if (depth == limit) {
		s->unpaired++;
		notes_add(&y->notes, NOTE_UNPAIRED_STATE, place_of(y, r, process), "rank %u ends %s but never began it",
			  process, y->x->defs.list[def].total.name);
		return;
	}
	/* A call that is open within one that ends has lost its own end. User states may overlap calls and each other. */
	for (uint32_t at = s->depth; is_call(y, def) && at-- > depth;) {
		uint32_t open = stream_stack(s)[at].def;

		if (!is_call(y, open))
			continue;
		s->unpaired++;
		notes_add(&y->notes, NOTE_UNPAIRED_STATE, place_of(y, r, process), "rank %u begins %s but never ends "
			  "it", process, y->x->defs.list[open].total.name);
		close_state(y, s, at, process, time, false);
	}
	close_state(y, s, depth - 1, process, time, true);
}

/* A reading that is no plausible clock value, or runs backwards, hints at bytes in the wrong order. */
static bool plausible(double v)
{
	return isfinite(v) && v >= 0 && (v == 0 || v > 1e-300) && v < 1e15;
}

static void reading(struct part *y, const struct clog2_rec *r, const struct def *d, uint32_t process, double time)
{
	struct stream *s;
	struct process_load *q = &y->processes[process];
	double little, v = cargo_number(&d->reading, clog2_get_cargo(r), &little);

	y->reading_count++;
	if (!plausible(v) || (q->has_reading && r->thread == q->reading_thread && v < q->last_reading)) {
		y->bad_readings++;
		notes_add(&y->notes, NOTE_BAD_CARGO, place_of(y, r, process), "rank %u: \"%s\" reads %g%s", process,
			  d->total.name, v, plausible(little) && little < 1e9 ? ", which is plausible only as little-endian" : "");
	}
	if (!plausible(v))
		return;
	q->last_reading = v;
	q->reading_thread = r->thread;
	q->has_reading = true;
	if (!y->x->readings)
		return;
	s = stream_of(y, process, r->thread);
	stream_reading(s, time, v);
	store_due(y, s);
}

/* Communicators seldom change from record to record: what is asked of the last one is kept. */
static void look_at_comm(struct part *y, int32_t icomm)
{
	const struct loader *x = y->x;
	const struct comm_entry *c;

	y->icomm = icomm;
	y->comm = comms_find(&x->comms, (uint32_t)y->f->file_index,
			     y->f->finalized ? icomm : comms_local_side(&x->comms, y->f, icomm));
	c = y->comm == NO_COMM ? NULL : &x->comms.list[y->comm];
	y->dense = c ? c->dense : NULL;
	y->dense_count = c && c->dense ? (uint32_t)c->highest + 1 : 0;
}

/* Whose record is it? NO_PROCESS: nobody's that this part has to do with. */
static inline uint32_t process_of(struct part *y, const struct clog2_block *b, const struct clog2_step *step)
{
	uint32_t process;

	/* Definitions, of communicators too, are no records of a process. */
	if (step->type < CLOG2_BAREEVT || step->type == CLOG2_COMMEVT)
		return NO_PROCESS;
	if (__builtin_expect(step->icomm != y->icomm, 0))
		look_at_comm(y, step->icomm);
	if (__builtin_expect((uint32_t)step->rank < y->dense_count, 1))
		process = y->dense[step->rank];
	else
		process = comms_process(&y->x->comms, y->comm, step->rank);
	if (__builtin_expect(process == NO_PROCESS && y->first == 0 && step->type != CLOG2_TIMESHIFT, 0)) {
		struct clog2_rec r;

		clog2_decode(b, step->at, &r);
		notes_add(&y->notes, NOTE_UNKNOWN_PROCESS, place_of(y, &r, process),
			  "a record names rank %d of communicator %d, but no process has that rank", step->rank,
			  step->icomm);
	}
	return process - y->first < y->end - y->first ? process : NO_PROCESS;
}

static void record(struct part *y, const struct clog2_rec *r, uint32_t comm, uint32_t process)
{
	struct loader *x = y->x;
	enum etype_role role;
	double time;
	uint32_t def;

	if (r->type == CLOG2_TIMESHIFT) {
		if (!y->f->finalized)
			y->processes[process].shift = clog2_get_timeshift(y->f, r);
		y->processes[process].shifted = true;
		return;
	}
	time = time_of(y, r, process);
	if (r->type == CLOG2_MSGEVT) {
		message(y, r, comm, process, time);
		return;
	}
	if (r->type != CLOG2_BAREEVT && r->type != CLOG2_CARGOEVT)
		return;
	def = defs_find(&x->defs, clog2_get_etype(y->f, r), &role);
	if (r->type == CLOG2_CARGOEVT && x->defs.list[def].reading.token)
		reading(y, r, &x->defs.list[def], process, time);
	switch (role) {
	case ETYPE_START:
		state_start(y, r, def, comm, process, time);
		break;
	case ETYPE_FINAL:
		state_final(y, r, def, process, time);
		break;
	case ETYPE_SOLO:
		y->pass->totals[(size_t)y->pass->group_of[process] * x->defs.count + def].count++;
		break;
	default:
		break;
	}
}

static void read_file(struct part *y, struct clog2_block *b, uint64_t before, unsigned number)
{
	struct loader *x = y->x;

	for (y->block = 0; y->block < x->blocks[y->f->file_index]; y->block++) {
		struct clog2_step step = {0};
		struct clog2_rec r;
		uint32_t process;

		if ((y->block & 15) == 15) {
			if (number == 0)
				job_progress(x->job, JOB_READ, before + b->offset + b->len, x->total_bytes);
			if (parallel_stopped(&y->pass->stop, number))
				return;
		}
		y->code = clog2_block_read(y->f, y->block, b, &y->err);
		if (y->code != ERR_OK)
			return;
		while (clog2_block_step(b, &step)) {
			process = process_of(y, b, &step);
			if (process == NO_PROCESS)
				continue;
			clog2_decode(b, step.at, &r);
			if (__builtin_expect(r.thread != 0, 0))
				r.thread = check_thread(y, r, process);
			record(y, &r, y->comm, process);
		}
		if (y->memory_failed) {
			y->code = err_memory(&y->err, "the trace's events");
			return;
		}
	}
}

/* States that are open at the end. */
static void close_streams(struct part *y)
{
	bool cut = atomic_load(&y->pass->stop.stopped);

	for (uint32_t p = y->first; p < y->end; p++) {
		for (struct stream *s = &y->processes[p].main; s; s = s->next) {
			s->unpaired += s->depth;
			if (s->depth && !cut)
				notes_add(&y->notes, NOTE_UNPAIRED_STATE,
					  (struct note_place){-1, (int32_t)p, -1, -1, -1},
					  "rank %u begins %s but never ends it", p,
					  y->x->defs.list[stream_stack(s)[s->depth - 1].def].total.name);
			while (s->depth)
				close_state(y, s, s->depth - 1, p, y->processes[p].last_time, false);
		}
	}
}

static void read_part(void *arg, unsigned number)
{
	struct pass2 *pass = arg;
	struct part *y = &pass->parts[number];
	struct clog2_block b;
	uint64_t before = 0;

	clog2_block_init(&b);
	for (uint32_t i = 0; y->code == ERR_OK && i < y->x->file_count; i++) {
		y->f = &y->x->files[i];
		look_at_comm(y, 0);
		read_file(y, &b, before, number);
		before += y->f->source->size;
	}
	clog2_block_release(&b);
	if (y->code != ERR_OK)
		return;
	close_streams(y);
	if (y->memory_failed)
		y->code = err_memory(&y->err, "the trace's calls");
}

enum err_code load_events(struct loader *x, struct err *e)
{
	struct pass2 pass = {.x = x, .part_count = x->threads, .stop = {.job = x->job}};
	enum err_code code;

	if (pass.part_count > x->t->process_count)
		pass.part_count = x->t->process_count ? x->t->process_count : 1;
	code = load_parts_init(&pass, e);
	if (code == ERR_OK) {
		parallel_run(pass.part_count, read_part, &pass);
		x->stopped = atomic_load(&pass.stop.stopped);
		code = load_parts_gather(&pass, e);
	}
	load_parts_release(&pass);
	return code;
}
