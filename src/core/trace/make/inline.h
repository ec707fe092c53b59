/* Telling a maker records (trace_make.h), inline: it is done for every record of a trace.
 *
 * Of each record that is of a process of the share, first make_record(), with its thread (the process's main one is 0)
 * and its time in seconds, as recorded. Then what the record means, if anything:
 *
 *     make_enter(), make_leave()    a state begins, ends; a call of another thread is none of this one's
 *     make_collective()             right after make_enter(), if that says true: an event of the call
 *     make_message()                a send or a receive, inside of a call or outside of any
 *     make_size()                   what the message that is the process's next record has for a size, if that does not say it
 *     make_cpu_sample()                of the process's CPU clock
 *     make_count()                  of a counter: how far it has increased
 *     make_solo()                   something else happened
 *
 * A collective on a communicator of one process alone is no event, nor is a message to nobody: those are not told.
 */
#ifndef PAS2P_CORE_TRACE_MAKE_INLINE_H
#define PAS2P_CORE_TRACE_MAKE_INLINE_H

#include <math.h>
#include <string.h>

#include "trace_make.h"

#define MAKE_TIME_LIMIT 1e8 /* s: a reader whose times are since 1970 subtracts an origin */

/* Half of loading a trace: what a compiler leaves out of line here costs more than it saves. */
#define MAKE_INLINE static inline __attribute__((always_inline))

static inline bool make_stopped(struct make_share *share)
{
	return parallel_stopped(share->stop, share->number);
}

static inline void make_progress(const struct make_share *share, uint64_t done, uint64_t total)
{
	if (share->number == 0)
		progress_report(share->maker->progress, PROGRESS_READ, done, total);
}

/* A note of a record, with its place. */
static inline struct note_place make_place(const struct make_share *share, uint32_t process)
{
	struct note_place place = share->place;

	place.process = process == NO_PROCESS ? -1 : (int32_t)process;
	return place;
}

/* The latest time of a process's records. */
static inline double make_end(const struct make_process *mine)
{
	return mine->last_time > mine->end ? mine->last_time : mine->end;
}

/* A record that is told: it is passed by value, and lives in registers. */
struct make_record {
	struct make_share *share;
	struct make_process *mine;
	uint32_t process;
	int32_t thread;
	double time;           /* corrected */
};

/* Whatever is not of the time that is expected, and all records of a trace with times of its own. */
double make_odd_time(struct make_share *share, uint32_t process, int32_t thread, double recorded);

/* What a watch is told. */
static inline void make_watch_record(struct make_share *share, uint32_t process, int32_t thread, double time)
{
	const struct make_watch *watch = share->watch;

	if (watch->record && !watch->record(watch->arg, process, thread, time))
		share->failed = true;
}

static inline void make_watch_enter(struct make_share *share, uint32_t process, uint32_t kind)
{
	const struct make_watch *watch = share->watch;

	if (watch->enter && !watch->enter(watch->arg, process, kind))
		share->failed = true;
}

static inline void make_watch_leave(struct make_share *share, uint32_t process, uint32_t kind)
{
	const struct make_watch *watch = share->watch;

	if (watch->leave && !watch->leave(watch->arg, process, kind))
		share->failed = true;
}

/* False: the event is not to be kept. */
bool make_watch_event(struct make_share *share, uint32_t process, double time, event_type type, int32_t tag);
/* After make_collective(), if that has made an event (the process's `next` is another). root: a process; NO_PROCESS:
 * none that is known. */
void make_watch_root(struct make_share *share, uint32_t process, uint32_t root);
/* The same. */
void make_watch_received(struct make_share *share, uint32_t process, uint64_t bytes);
void make_watch_cpu_sample(struct make_share *share, uint32_t process, double seconds);
/* event: right after make_collective(), which has made one. */
void make_watch_begun(struct make_share *share, uint32_t process, bool event, uint32_t request, uint32_t count);
void make_watch_completed(struct make_share *share, uint32_t process, uint32_t request, bool message);
void make_watch_gathering(struct make_share *share, uint32_t process, uint32_t comm, uint32_t number);
void make_watch_neighbour(struct make_share *share, uint32_t process, uint32_t comm, uint32_t from);
void make_watch_empty(struct make_share *share, uint32_t process);
void make_watch_size(struct make_share *share, uint32_t process);
void make_watch_clock(struct make_share *share, uint32_t process, double low, double high);

/* What no clock can say is replaced by the time before it. */
MAKE_INLINE struct make_record make_record(struct make_share *share, uint32_t process, int32_t thread, double recorded)
{
	struct make_process *mine = &share->processes[process];
	double time = recorded + mine->shift;

	mine->before = mine->last_time;
	if (__builtin_expect(time >= mine->last_time && time < MAKE_TIME_LIMIT && thread == mine->last_thread, 1))
		mine->last_time = time;
	else
		time = make_odd_time(share, process, thread, recorded);
	mine->records++;
	if (share->watched)
		make_watch_record(share, process, thread, time);
	return (struct make_record){share, mine, process, thread, time};
}

/* From here on times of the process are `shift` seconds later than its records say, and its raw clock showed so many
 * more than those times. */
static inline void make_shift(struct make_share *share, uint32_t process, double shift, double raw_later)
{
	share->processes[process].last_thread = MAKE_NO_THREAD;
	if (share->times) {
		share->processes[process].recorded_shift = shift;
		share->processes[process].raw_later = raw_later;
		return;
	}
	share->processes[process].shift = shift;
	if (share->watched && share->watch->shift && !share->watch->shift(share->watch->arg, process, raw_later))
		share->failed = true;
}

/* A thread that is not the main one; made on first use. */
struct stream *make_other_stream(struct make_share *share, uint32_t process, int32_t thread);

/* All of a process: 0 is the main one's, the last is number others.count. */
static inline struct stream *make_stream_number(struct make_process *mine, uint32_t i)
{
	return i ? mine->others.list[i - 1].of : &mine->main;
}

MAKE_INLINE struct stream *make_stream(struct make_record r)
{
	return __builtin_expect(r.thread == 0, 1) ? &r.mine->main : make_other_stream(r.share, r.process, r.thread);
}

/* The record is one of the tracer's own: work that ended before it may have ended there. */
static inline void make_tracer_record(struct make_process *mine)
{
	if (mine->tracer_last + 1 != mine->records) {
		mine->tracer_first = mine->records;
		mine->untraced_end = mine->before > mine->end ? mine->before : mine->end;
	}
	mine->tracer_last = mine->records;
}

/* Store a compute time that has become complete. */
MAKE_INLINE void make_store(const struct make_share *share, struct stream_complete complete)
{
	if (complete.event != NO_EVENT)
		share->trace->compute[complete.event] = complete.compute;
}

void make_note_more(struct make_share *share, uint32_t process);

MAKE_INLINE void make_append(struct make_record r, struct stream *stream, event_type type, uint64_t size, uint32_t comm, int32_t tag)
{
	struct trace *t = r.share->trace;
	uint32_t at = r.mine->next;

	if (r.share->watched && !make_watch_event(r.share, r.process, r.time, type, tag))
		return;
	if (__builtin_expect(at >= r.mine->limit || !trace_set_envelope(t, at, comm, tag), 0)) {
		make_note_more(r.share, r.process);
		return;
	}
	r.mine->next++;
	t->time[at] = r.time;
	t->type[at] = type;
	t->size_code[at] = size_code(&r.share->maker->sizes, size);
	make_store(r.share, stream_event(stream, at));
}

struct make_message {
	event_type kind;       /* EVENT_SEND, EVENT_RECEIVE */
	uint32_t partner;      /* a process; NO_PROCESS: not known */
	uint32_t comm;
	uint32_t partner_comm; /* the same but of an intercommunicator, where it is the partner's side */
	int32_t tag;
	int64_t size;          /* bytes; below 0: not known, which is noted */
	uint64_t relation;     /* of a format that says which two ends belong together: the same number at both, counted from 1; 0: it does not */
};

bool make_keep_intercomm(struct make_share *share, uint32_t process, uint32_t partner_comm);
void make_note_tag(struct make_share *share, uint32_t process, int32_t tag);
void make_note_size(struct make_share *share, uint32_t process, int64_t size);

/* Of the message that is next: it travels in the match column until messages are related
 * (core/trace/relate/relate.h). */
void make_relation(struct make_record r, uint64_t relation);

static inline void make_size(struct make_record r, int64_t bytes)
{
	r.mine->said_size = bytes;
	r.mine->said_at = r.mine->records;
}

/* The call of the last event ends here, or with this CPU sample. */
MAKE_INLINE void make_event_ends(struct make_record r, struct stream *stream)
{
	stream->event_end = r.mine->records;
	stream->event_end_time = r.time;
}

MAKE_INLINE void make_message(struct make_record r, struct make_message message)
{
	struct stream *stream = make_stream(r);
	uint64_t size = (uint64_t)message.size;
	bool alone = !stream->mpi_depth;

	if (__builtin_expect(message.partner != NO_PROCESS && message.partner_comm != message.comm, 0) &&
	    !make_keep_intercomm(r.share, r.process, message.partner_comm))
		return;
	if (__builtin_expect(message.tag < 0, 0))
		make_note_tag(r.share, r.process, message.tag);
	if (__builtin_expect(message.size < 0, 0)) {
		bool said = r.mine->said_at + 1 == r.mine->records && r.mine->said_size >= 0;

		size = said ? (uint64_t)r.mine->said_size : SIZE_UNKNOWN;
		if (!said)
			make_note_size(r.share, r.process, message.size);
	}
	if (alone)
		stream_enter(stream, r.time);
	if (__builtin_expect(message.relation != 0, 0))
		make_relation(r, message.relation);
	make_append(r, stream, message.kind | (message.partner + 1), size, message.comm, message.tag);
	if (alone) {
		make_event_ends(r, stream);
		make_store(r.share, stream_leave(stream, r.time));
	}
}

/* MPI_Finalize begins. */
void make_work_ends(struct make_record r, struct stream *stream);

/* True: if the call is a collective it is an event now. A call within another one is a part of that. */
MAKE_INLINE bool make_enter(struct make_record r, uint32_t kind)
{
	const struct make_brief *kinds = r.share->kinds;
	struct stream *stream = make_stream(r);
	struct frame *top = stream_push(stream);

	if (r.share->watched)
		make_watch_enter(r.share, r.process, kind);
	if (__builtin_expect(!top, 0)) {
		r.share->failed = true;
		return false;
	}
	*top = (struct frame){.kind = kind, .start = r.time};
	if (__builtin_expect(kinds[kind].tracer, 0))
		make_tracer_record(r.mine);
	if (!kinds[kind].call)
		return false;
	if (kinds[kind].mpi)
		r.share->states_seen = true;
	if (stream->mpi_depth++ == 0) {
		stream_enter(stream, r.time);
		if (__builtin_expect(kinds[kind].ends_work, 0))
			make_work_ends(r, stream);
		return true;
	}
	return stream->depth >= 2 && kinds[top[-1].kind].starts;
}

/* type: the number of make_collective_type(). size: SIZE_UNKNOWN, or bytes. */
MAKE_INLINE void make_collective(struct make_record r, uint32_t type, uint64_t size, uint32_t comm)
{
	make_append(r, make_stream(r), EVENT_COLLECTIVE | type, size, comm, 0);
}

/* The state at depth `at` (from 0) ends, whatever is open above it. */
MAKE_INLINE void make_close(struct make_record r, struct stream *stream, uint32_t at, bool complete)
{
	struct make_share *share = r.share;
	struct frame *frame = &stream->stack[at], gone = *frame;
	const struct make_brief *kind = &share->kinds[gone.kind];
	double length = r.time - gone.start;

	stream->depth--;
	if (__builtin_expect(at < stream->depth, 0))
		memmove(frame, frame + 1, (stream->depth - at) * sizeof *frame);
	if (length < 0)
		length = 0;
	if (complete) {
		struct make_total *total = &r.mine->totals[gone.kind];

		stream->calls++;
		total->count++;
		total->inclusive += length;
		if (length > gone.nested)
			total->exclusive += length - gone.nested;
		if (at)
			frame[-1].nested += length;
	}
	if (kind->tracer && share->cpu_samples && !stream->mpi_depth)
		r.mine->by_kind[TIME_TRACER] += length;
	if (kind->call && --stream->mpi_depth == 0) {
		r.mine->by_kind[kind->time] += length;
		if (stream->event_in_call)
			make_event_ends(r, stream);
		make_store(share, stream_leave(stream, r.time));
	}
}

/* What ends is not the topmost state, or was never begun. */
void make_leave_slow(struct make_record r, struct stream *stream, uint32_t kind) __attribute__((cold));

MAKE_INLINE void make_leave(struct make_record r, uint32_t kind)
{
	struct stream *stream = make_stream(r);
	uint32_t depth = stream->depth;

	if (r.share->watched)
		make_watch_leave(r.share, r.process, kind);
	if (__builtin_expect(r.share->kinds[kind].tracer, 0))
		make_tracer_record(r.mine);
	if (__builtin_expect(!depth || stream->stack[depth - 1].kind != kind, 0))
		make_leave_slow(r, stream, kind);
	else
		make_close(r, stream, depth - 1, true);
}

MAKE_INLINE void make_solo(struct make_record r, uint32_t kind)
{
	r.mine->totals[kind].count++;
}

/* May this be what a CPU clock says? */
static inline bool make_plausible(double seconds)
{
	return isfinite(seconds) && seconds >= 0 && (seconds == 0 || seconds > 1e-300) && seconds < 1e15;
}

/* False: it is no plausible value, or runs backwards. Where that is so of more than a few, all records are told once
 * more, and compute times come from another source. */
static inline bool make_cpu_sample(struct make_record r, double seconds)
{
	struct make_process *mine = r.mine;
	bool plausible = make_plausible(seconds);
	bool good = plausible && !(mine->has_sample && r.thread == mine->sample_thread && seconds < mine->last_sample);

	r.share->cpu_sample_count++;
	r.share->bad_samples += !good;
	if (!plausible)
		return false;
	if (r.share->watched)
		make_watch_cpu_sample(r.share, r.process, seconds);
	mine->last_sample = seconds;
	mine->sample_thread = r.thread;
	mine->has_sample = true;
	if (r.share->cpu_samples) {
		struct stream *stream = make_stream(r);

		if (stream->event_end && stream->event_end + 1 == mine->records)
			make_event_ends(r, stream);
		make_store(r.share, stream_sample(stream, r.time, seconds));
	}
	return good;
}

void make_count_chosen(struct make_record r, double increase);

/* A counter of the record's thread has increased by so much since this was told last, or since the thread began: what a
 * format gives as a counter's value is the reader's to subtract. Less than 0: it is none that counts. */
static inline void make_count(struct make_record r, uint32_t counter, double increase)
{
	r.share->counted[counter]++;
	if (counter == r.share->counter)
		make_count_chosen(r, increase);
}

#endif
