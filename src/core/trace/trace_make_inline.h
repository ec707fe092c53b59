/* Telling a maker records (trace_make.h), inline: it is done for every record of a trace.
 *
 * Everything takes the share and a process of it, then the thread (the process's main one is 0), and a time in seconds. First, of
 * each record that is of a process, make_time(): what it returns is the time for the others. Then what the record means, if anything:
 *
 *     make_enter(), make_leave()    a state begins, ends; a call of another thread is none of this one's
 *     make_collective()             right after make_enter(), if that says true: an event of the call
 *     make_send(), make_receive()   a message, inside of a call or outside of any
 *     make_reading()                of the process's CPU clock
 *     make_solo()                   something else happened
 *
 * A collective on a communicator of one process alone is no event, nor is a message to nobody: those are not told.
 */
#ifndef PAS2P_TRACE_MAKE_INLINE_H
#define PAS2P_TRACE_MAKE_INLINE_H

#include <math.h>
#include <string.h>

#include "trace_make.h"

#define MAKE_TIME_LIMIT 1e8
/* How far down an end looks for its start: else ends without starts over a deep stack of starts without ends would take
 * for ever. */
#define MAKE_DEEPEST 4096

static inline bool make_stopped(struct make_share *share)
{
	return parallel_stopped(share->stop, share->number);
}

static inline void make_progress(const struct make_share *share, uint64_t done, uint64_t total)
{
	if (share->number == 0)
		job_progress(share->maker->job, JOB_READ, done, total);
}

/* A note of a record, with its place. */
static inline struct note_place make_place(const struct make_share *share, uint32_t process)
{
	struct note_place place = share->place;

	place.process = process == NO_PROCESS ? -1 : (int32_t)process;
	return place;
}

/* A thread that is not the main one; made on first use. */
struct stream *make_other_stream(struct make_share *share, uint32_t process, int32_t thread);

static inline struct stream *make_stream(struct make_share *share, uint32_t process, int32_t thread)
{
	struct stream *main = &share->processes[process].main;

	return main->thread == thread ? main : make_other_stream(share, process, thread);
}

/* From here on times of the process are `shift` seconds later than its records say. */
static inline void make_shift(struct make_share *share, uint32_t process, double shift)
{
	share->processes[process].shift = shift;
	share->processes[process].shifted = true;
}

void make_note_bad_time(struct make_share *share, uint32_t process, double time);
void make_note_backward(struct make_share *share, uint32_t process, double time);

/* The corrected time of a record; what no clock can say is replaced by the time before it. */
static inline double make_time(struct make_share *share, uint32_t process, int32_t thread, double recorded)
{
	struct make_process *mine = &share->processes[process];
	double time = recorded + mine->shift;

	if (__builtin_expect(!(fabs(time) < MAKE_TIME_LIMIT), 0)) {
		make_note_bad_time(share, process, recorded);
		time = mine->last_time;
	}
	if (__builtin_expect(time < mine->last_time && mine->seen && !mine->shifted && mine->last_thread == thread, 0))
		make_note_backward(share, process, time);
	if (!mine->seen || time < mine->start)
		mine->start = time;
	if (!mine->seen || time > mine->end)
		mine->end = time;
	mine->seen = true;
	mine->shifted = false;
	mine->last_time = time;
	mine->last_thread = thread;
	mine->records++;
	return time;
}

/* A call's time is no computation: an MPI call's and the tracer's own. Between two readings of the CPU clock there is none at the
 * tracer's writes, so there they are not taken out. */
static inline bool make_is_call(const struct maker *maker, uint32_t kind)
{
	return maker->kinds[kind].total.mpi || (maker->kinds[kind].tracer && !maker->readings);
}

/* Store a compute time that has become complete. */
static inline void make_store_due(struct make_share *share, struct stream *stream)
{
	uint32_t event;
	double compute;

	if (stream_due(stream, &event, &compute))
		share->trace->compute[event] = compute;
}

void make_note_more(struct make_share *share, uint32_t process);

static inline void make_append(struct make_share *share, struct stream *stream, uint32_t process, double time, event_type type,
			       uint32_t size, uint32_t comm, int32_t tag)
{
	struct trace *t = share->trace;
	struct make_process *mine = &share->processes[process];
	uint32_t at = mine->next;

	if (share->maker->watch)
		return;
	if (__builtin_expect(at >= mine->limit, 0)) {
		make_note_more(share, process);
		return;
	}
	mine->next++;
	t->time[at] = time;
	t->type[at] = type;
	t->size[at] = size;
	t->comm[at] = comm;
	t->tag[at] = tag;
	stream_event(stream, at);
	make_store_due(share, stream);
}

struct make_message {
	uint32_t partner;      /* a process; NO_PROCESS: not known */
	uint32_t comm;
	uint32_t partner_comm; /* the same but of an intercommunicator, where it is the partner's side */
	int32_t tag;
	int64_t size;          /* bytes; below 0: not known, which is noted */
};

bool make_keep_remote(struct make_share *share, uint32_t process, uint32_t partner_comm);
void make_note_tag(struct make_share *share, uint32_t process, int32_t tag);
void make_note_size(struct make_share *share, uint32_t process, int64_t size);

static inline void make_message(struct make_share *share, uint32_t process, int32_t thread, double time, event_type kind,
				const struct make_message *message)
{
	struct stream *stream = make_stream(share, process, thread);
	uint32_t size = message->size < SIZE_UNKNOWN - 1 ? (uint32_t)message->size : SIZE_UNKNOWN - 1;
	bool alone = !stream->mpi_depth;

	if (share->maker->watch)
		return;
	if (__builtin_expect(message->partner != NO_PROCESS && message->partner_comm != message->comm, 0) &&
	    !make_keep_remote(share, process, message->partner_comm))
		return;
	if (__builtin_expect(message->tag < 0, 0))
		make_note_tag(share, process, message->tag);
	if (__builtin_expect(message->size < 0, 0)) {
		make_note_size(share, process, message->size);
		size = SIZE_UNKNOWN;
	}
	if (alone)
		stream_enter(stream, time);
	make_append(share, stream, process, time, kind | (message->partner + 1), size, message->comm, message->tag);
	if (alone) {
		stream_leave(stream, time);
		make_store_due(share, stream);
	}
}

static inline void make_send(struct make_share *share, uint32_t process, int32_t thread, double time,
			     const struct make_message *message)
{
	make_message(share, process, thread, time, EVENT_SEND, message);
}

static inline void make_receive(struct make_share *share, uint32_t process, int32_t thread, double time,
				const struct make_message *message)
{
	make_message(share, process, thread, time, EVENT_RECEIVE, message);
}

/* True: if the call is a collective it is an event now. A call within another one is a part of that. */
static inline bool make_enter(struct make_share *share, uint32_t process, int32_t thread, double time, uint32_t kind)
{
	const struct maker *maker = share->maker;
	struct stream *stream = make_stream(share, process, thread);
	struct frame *top = stream_push(stream);

	if (!top) {
		share->failed = true;
		return false;
	}
	*top = (struct frame){.kind = kind, .start = time};
	if (!make_is_call(maker, kind))
		return false;
	share->states_seen = share->states_seen || maker->kinds[kind].total.mpi;
	if (stream->mpi_depth++ == 0) {
		stream_enter(stream, time);
		return true;
	}
	return stream->depth >= 2 && maker->kinds[stream_stack(stream)[stream->depth - 2].kind].starts;
}

/* type: the number of make_collective_type(). size: SIZE_UNKNOWN, or bytes. */
static inline void make_collective(struct make_share *share, uint32_t process, int32_t thread, double time, uint32_t type,
				   uint32_t size, uint32_t comm)
{
	make_append(share, make_stream(share, process, thread), process, time, EVENT_COLLECTIVE | type, size, comm, 0);
}

/* The state at depth `at` (from 0) ends, whatever is open above it. */
static inline void make_close(struct make_share *share, struct stream *stream, uint32_t at, uint32_t process, double time,
			      bool complete)
{
	const struct maker *maker = share->maker;
	struct frame *frame = &stream_stack(stream)[at], gone = *frame;
	const struct make_kind *kind = &maker->kinds[gone.kind];
	struct make_total *total = &share->totals[(size_t)share->group_of[process] * maker->kind_count + gone.kind];
	double length = time - gone.start;

	stream->depth--;
	if (at < stream->depth)
		memmove(frame, frame + 1, (stream->depth - at) * sizeof *frame);
	if (length < 0)
		length = 0;
	if (complete) {
		stream->calls++;
		total->count++;
		total->inclusive += length;
		if (length > gone.nested)
			total->exclusive += length - gone.nested;
		if (at)
			frame[-1].nested += length;
	}
	if (kind->tracer && maker->readings && !stream->mpi_depth)
		share->processes[process].by_kind[TIME_TRACER] += length;
	if (make_is_call(maker, gone.kind) && --stream->mpi_depth == 0) {
		share->processes[process].by_kind[kind->time] += length;
		stream_leave(stream, time);
		make_store_due(share, stream);
		if (maker->watch && !maker->watch->call(maker->watch->arg, process, &kind->total, kind->time, gone.start, time))
			share->failed = true;
	}
}

void make_note_no_start(struct make_share *share, struct stream *stream, uint32_t process, uint32_t kind);
/* A call that is open within one that ends has lost its own end. User states may overlap calls and each other. */
void make_close_inner(struct make_share *share, struct stream *stream, uint32_t depth, uint32_t process, double time);

static inline void make_leave(struct make_share *share, uint32_t process, int32_t thread, double time, uint32_t kind)
{
	struct stream *stream = make_stream(share, process, thread);
	uint32_t depth = stream->depth, limit = depth > MAKE_DEEPEST ? depth - MAKE_DEEPEST : 0;

	while (depth > limit && stream_stack(stream)[depth - 1].kind != kind)
		depth--;
	if (__builtin_expect(depth == limit, 0)) {
		make_note_no_start(share, stream, process, kind);
		return;
	}
	if (depth < stream->depth && make_is_call(share->maker, kind))
		make_close_inner(share, stream, depth, process, time);
	make_close(share, stream, depth - 1, process, time, true);
}

static inline void make_solo(struct make_share *share, uint32_t process, uint32_t kind)
{
	share->totals[(size_t)share->group_of[process] * share->maker->kind_count + kind].count++;
}

/* May this be what a CPU clock says? */
static inline bool make_plausible(double seconds)
{
	return isfinite(seconds) && seconds >= 0 && (seconds == 0 || seconds > 1e-300) && seconds < 1e15;
}

/* False: it is no plausible value, or runs backwards. Where that is so of more than a few, all records are told once more, and
 * compute times come from another source. */
static inline bool make_reading(struct make_share *share, uint32_t process, int32_t thread, double time, double seconds)
{
	struct make_process *mine = &share->processes[process];
	bool plausible = make_plausible(seconds);
	bool good = plausible && !(mine->has_reading && thread == mine->reading_thread && seconds < mine->last_reading);

	share->reading_count++;
	share->bad_readings += !good;
	if (!plausible)
		return false;
	mine->last_reading = seconds;
	mine->reading_thread = thread;
	mine->has_reading = true;
	if (share->maker->readings) {
		struct stream *stream = make_stream(share, process, thread);

		stream_reading(stream, time, seconds);
		make_store_due(share, stream);
	}
	return good;
}

#endif
